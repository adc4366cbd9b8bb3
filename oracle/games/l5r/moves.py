"""The generator: who must choose, and every legal action, built from the position.

Written apart from the guards in `rules.py`, each from the rule's text; tests hold one against the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from oracle.game import Action, Decision, Kind, LegalActions, Selection
from oracle.games.l5r.assignments import Assignments
from oracle.games.l5r.calendar import AFTER_ACTION, CAVALRY_SEGMENT, COMBAT, DYNASTY, END, EVENTS, MANEUVERS
from oracle.games.l5r.cards import CAVALRY
from oracle.games.l5r.state import Ability, Laid, Piece, State, Step
from oracle.zones import bag, kinds, top

PASS, DECLINE, NO_ATTACK = Action("pass"), Action("decline"), Action("no attack")
END_DYNASTY = Action("end", ("dynasty phase",))


def decision(state: State) -> Decision | None:
    """What must be decided now; None when the game is over."""
    if state.over:
        return None
    if state.stack:
        return _under_way(state, state.stack[-1])
    if waiting := state.waiting():
        names = dict.fromkeys(trigger.name for trigger in waiting.triggers)
        rules = ("l5r.ruling.active-orders", "l5r.ruling.classes")
        return _asks(
            waiting.chooser, "order", f"what happens {state.at}", (Action("resolve", (n,)) for n in names), rules
        )
    active = state.mover.name
    if state.round is not None:
        rules = ("l5r.combat.round" if state.at == COMBAT else "l5r.action.round", "l5r.action.passes")
        uses = _uses(state, state.round.player, state.round.kinds)
        return _asks(state.round.player, "action", f"an opportunity in the {state.at.unit}", [PASS, *uses], rules)
    if state.at == AFTER_ACTION:
        others = () if active in state.barred else state.order()[1:]
        attacks = [Action("attack", (player,)) for player in others]
        return _asks(active, "action", "an Attack Phase, or none", [*attacks, NO_ATTACK], ("l5r.attack.optional",))
    if state.at == EVENTS:
        names = dict.fromkeys(card.name for card in _province(state))
        deals = (Action("deal with", (name,)) for name in names)
        return _asks(active, "order", "the next card of the Province", deals, ("l5r.events.several",))
    if state.at == DYNASTY:
        return _asks(active, "action", "Dynasty Phase", _dynasty(state), ("l5r.dynasty.bring", "l5r.dynasty.discard"))
    if state.at == END:
        discards = (Action("discard", (name,)) for name, _ in kinds(state.mover.hand))
        return _asks(active, "action", "discard to the maximum hand size", discards, ("l5r.end.discard",))
    return _attack(state)


def _asks(player: str | None, kind: Kind, about: str, actions: Iterable[Action], rules: tuple[str, ...]) -> Decision:
    return Decision(player, kind, about, LegalActions(tuple(actions)), rules)


def _attack(state: State) -> Decision:
    attack = state.attack
    assert attack is not None
    assert attack.fields is not None
    if state.at not in MANEUVERS:
        fights = (Action("fight at", (str(f.province + 1),)) for f in attack.fields if not f.fought)
        return _asks(attack.attacker, "action", "the next battlefield", fights, ("l5r.attack.choose",))
    cavalry_only = state.at == CAVALRY_SEGMENT
    units = bag(
        unit.name
        for unit in state[attack.assigning].home
        if not unit.bowed and (not cavalry_only or CAVALRY in state.table[unit.name].keywords)
    )
    legal = LegalActions((), (Assignments(units, tuple(field.province for field in attack.fields)),))
    rules = ("l5r.attack.cavalry" if cavalry_only else "l5r.attack.infantry", "l5r.attack.any")
    return Decision(attack.assigning, "action", f"units of the {state.at.unit}", legal, rules)


def _uses(state: State, player: str, types: tuple[str, ...]) -> Iterator[Action]:
    """The abilities of these types that the player can use."""
    for ability in state[player].abilities:
        if ability.type in types and _usable(state, player, ability):
            yield Action("use", (ability.name,))


def _usable(state: State, player: str, ability: Ability) -> bool:
    if ability.used or (ability.card and Piece(ability.card, bowed=False) not in state.in_play(player)):
        return False
    return not (ability.effect.attack and player in state.barred)


def _province(state: State) -> tuple[Laid, ...]:
    """What is left to deal with in the leftmost Province that has anything left."""
    left = (tuple(card for card in cards if not card.mark) for cards in state.mover.provinces)
    return next(cards for cards in left if cards)


def _dynasty(state: State) -> Iterator[Action]:
    shown = dict.fromkeys(card.name for province in state.mover.provinces for card in province if card.up)
    if not state.second:
        for name in shown:
            if state.table[name].type in ("Holding", "Personality"):
                yield Action("bring", (name,))
    yield from (Action("discard", (name,)) for name in shown)
    yield END_DYNASTY


def _under_way(state: State, step: Step) -> Decision:
    player = step.player
    match step.do:
        case "reactions":
            assert step.round is not None
            player = step.round.player
            fits = [a for a in state[player].abilities if a.type == "Reaction" and a.to in step.names]
            uses = [
                Action("use", (a.name,))
                for a in fits
                if a.effect.cancel == step.cancelling and _usable(state, player, a)
            ]
            about = f"Reactions to {', '.join(step.names)}"
            return _asks(player, "choice", about, [PASS, *uses], ("l5r.reaction.round", "l5r.ruling.reaction-first"))
        case "additional":
            uses = list(_uses(state, player, (step.name,)))
            about = f"an additional {step.name} action"
            return _asks(player, "choice", about, [*uses, DECLINE], ("l5r.additional",))
        case "may":
            options = [Action("resolve", (step.name,)), DECLINE]
            return _asks(player, "choice", f"{step.name}, or not", options, ("l5r.ruling.owner-declines",))
        case "from":
            shown = ({card.name for card in cards if card.up} for cards in state[player].provinces)
            places = [Action("from", (str(i),)) for i, names in enumerate(shown, 1) if step.name in names]
            return _asks(player, "choice", "the Province that the card leaves", places, (step.rule,))
        case "first":
            firsts = (Action("first", (name,)) for name in step.names)
            return _asks(None, "chance", "who goes first", firsts, ("l5r.start.tie",))
        case "fill":
            deck, verb, about = state[player].dynasty, "fill", f"{player}'s Province {step.n + 1}"
        case _:
            deck, verb, about = state[player].fate, "draw", f"{player} draws {step.n}"
    first = top(deck, 1 if verb == "fill" else step.n)
    family = Selection(verb, first.unsure, first.take, first.take, first.sure)
    return Decision(None, "chance", about, LegalActions((), (family,)), (step.rule,))
