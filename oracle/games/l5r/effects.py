"""What effects do, and what is under way: the steps on `State.stack`."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from oracle.game import Event
from oracle.games.l5r.calendar import BEFORE_ATTACK
from oracle.games.l5r.cards import BORDER_KEEP, HARVESTERS, HARVESTERS_FROM, NOTHING, STRONGHOLD, Effect
from oracle.games.l5r.losing import Log, destroy, win
from oracle.games.l5r.state import (
    OPENING,
    PROVINCES,
    Ability,
    Attack,
    Field,
    Interrupted,
    Laid,
    Piece,
    Pieces,
    Seat,
    State,
    Step,
    Waits,
    action_round,
    lay,
)
from oracle.timing import Trigger, conditioned, turn_order, without
from oracle.zones import Bag, add, bag, size, take, top


def pop(state: State) -> State:
    """The state without the step that is carried out."""
    return replace(state, stack=state.stack[:-1])


# -- abilities, triggers and what answers them -----------------------------------------------------


def announce(state: State, trigger: Trigger[Waits], log: Log) -> State:
    """A trigger is next: it leaves the agenda, and if it is optional its owner is asked."""
    assert trigger.owner is not None
    state = replace(state, agenda=without(state.agenda, trigger))
    if trigger.effect.optional:
        return state.push(Step("may", trigger.owner, trigger.name, trigger.effect.effect))
    return begin(state, trigger.owner, trigger.name, trigger.effect.effect)


def begin(state: State, player: str, name: str, effect: Effect, opportunity: bool = False) -> State:
    """Something is about to take effect, unless a Reaction cancels it."""
    state = state.push(Step("carry out", player, name, effect, opportunity))
    return offer(state, (name,), cancelling=True)


def answers(state: State, player: str, ability: Ability, names: tuple[str, ...], cancelling: bool) -> bool:
    """Whether an ability is a Reaction that its player may use now."""
    fits = ability.type == "Reaction" and ability.to in names and ability.effect.cancel == cancelling
    return fits and ready(state, player, ability)


def ready(state: State, player: str, ability: Ability) -> bool:
    """Whether an ability may be used at all: not yet this turn, of no bowed card, creating no forbidden attack."""
    if ability.used or (ability.effect.attack and player in state.barred):
        return False
    return not ability.card or Piece(ability.card) in state.in_play(player)


def offer(state: State, names: tuple[str, ...], cancelling: bool = False) -> State:
    """The state with a round of Reactions to these names begun, if anybody has one."""
    for player in state.order():
        if any(answers(state, player, ability, names, cancelling) for ability in state[player].abilities):
            round = action_round(state, state.mover.name, {}, ("Reaction",))
            return state.push(Step("reactions", names=names, cancelling=cancelling, round=round))
    return state


def use(state: State, player: str, name: str, log: Log) -> tuple[State, Ability]:
    """The ability is used, once this turn."""
    log.append(Event("used", player, (name,)))
    abilities = state[player].abilities
    i = next(i for i, ability in enumerate(abilities) if ability.name == name)
    used = replace(abilities[i], used=True)
    return state.with_seat(player, abilities=(*abilities[:i], used, *abilities[i + 1 :])), used


def react(state: State, player: str, name: str, log: Log) -> State:
    """A Reaction is used in the round of Reactions on top of the stack."""
    state, ability = use(state, player, name, log)
    step = state.stack[-1]
    assert step.round is not None
    state = pop(state).push(replace(step, round=step.round.after("acted")))
    if ability.effect.cancel:
        state = _cancelled(state, ability.to, log)
    rest = replace(ability.effect, cancel=False)
    return state if rest == NOTHING else state.push(Step("carry out", player, name, rest, rule="reaction"))


def _cancelled(state: State, name: str, log: Log) -> State:
    """What was about to take effect does not; an action leaves its player the opportunity, an Event is discarded."""
    below = list(state.stack)
    awaited = [i for i, other in enumerate(below) if (other.do, other.name) == ("carry out", name)]
    if not awaited:
        return state
    cancelled = below.pop(awaited[-1])
    if awaited[-1] > 0 and below[awaited[-1] - 1].do == "resolved":
        below[awaited[-1] - 1] = replace(below[awaited[-1] - 1], effect=NOTHING)
    log.append(Event("cancelled", cancelled.player, (name,)))
    if cancelled.opportunity and state.round is not None:
        state = replace(state, round=state.round.after("cancelled"))
    return replace(state, stack=tuple(below))


def _reactions(state: State, step: Step, log: Log) -> State | None:
    assert step.round is not None
    return pop(state) if step.round.ended else None


def _carry_out(state: State, step: Step, log: Log) -> State:
    state = pop(state)
    if step.opportunity and state.round is not None:
        state = replace(state, round=state.round.after("acted"))
    log.append(Event("resolved", step.player, (step.name,)))
    if step.rule != "reaction":
        state = replace(state, happened=(*state.happened, step.name))
    return apply(state, step.player, step.effect, log)


def apply(state: State, player: str, effect: Effect, log: Log) -> State:
    """What the effect does; what takes further steps is put on the stack, or waits until the Reactions are over."""
    if effect == NOTHING:
        return state
    if effect.honor:
        log.append(Event("honor", player, note=f"{effect.honor:+}"))
        state = state.with_seat(player, honor=state[player].honor + effect.honor)
    if effect.hand >= 0:
        state = state.with_seat(player, most=effect.hand)
    if effect.bow:
        state = _turn(state, player, effect.bow, True, log)
    if effect.straighten:
        state = _turn(state, player, effect.straighten, False, log)
    for name, live in ((effect.trigger, True), (effect.untrigger, False)):
        if name:
            state = replace(state, agenda=conditioned(state.agenda, name, live))
    if effect.destroy is not None:
        state = destroy(state, effect.destroy, log)
    if effect.win and not state.over and not state[player].out:
        return win(state, player, "l5r.over", log)
    if state.over or state[player].out:
        return state
    if effect.action:
        state = replace(state, pending=(*state.pending, Step("additional", player, effect.action)))
    if effect.attack:
        state = replace(state, pending=(*state.pending, Step("create attack", player, effect.attack)))
    if effect.each is not None:
        state = state.push(*(Step("each", name, effect=effect.each) for name in state.order()))
    return state.push(Step("draw", player, n=effect.draw, rule="l5r.resolve.first")) if effect.draw else state


def _turn(state: State, player: str, name: str, bowed: bool, log: Log) -> State:
    """The first card in play of that name, the player's own first, is bowed or straightened; it may be so already."""
    order = state.order()
    for owner in turn_order(order, player) if player in order else order:
        if all(piece.name != name for piece in state.in_play(owner)):
            continue
        if not bowed and stays_bowed(state[owner], name):
            return state
        was = Piece(name, not bowed)
        if was not in state.in_play(owner):
            return state
        log.append(Event("bowed" if bowed else "straightened", owner, (name,)))
        return _turned_once(state, owner, was)
    return state


def _turned_once(state: State, owner: str, was: Piece) -> State:
    """A card in play is turned: beside the Stronghold, at home or at a battlefield, of a battle interrupted too."""
    seat = state[owner]
    if was in seat.play:
        return state.with_seat(owner, play=_turned(seat.play, was))
    if was in seat.home:
        return state.with_seat(owner, home=_turned(seat.home, was))
    new = _turned_away(state.attack, owner, was)
    if new != state.attack:
        return replace(state, attack=new)
    outer = list(state.interrupted)
    for i, each in enumerate(outer):
        new = _turned_away(each.attack, owner, was)
        if new != each.attack:
            outer[i] = replace(each, attack=new)
            break
    return replace(state, interrupted=tuple(outer))


def _turned_away(attack: Attack | None, owner: str, was: Piece) -> Attack | None:
    """The attack with the first such unit at a battlefield turned, if it has one."""
    for i, field in enumerate(attack.fields or () if attack else ()):
        assert attack is not None
        assert attack.fields is not None
        new = _turned_at(field, attack, owner, was)
        if new != field:
            return replace(attack, fields=(*attack.fields[:i], new, *attack.fields[i + 1 :]))
    return attack


def stays_bowed(seat: Seat, name: str) -> bool:
    """Whether a card's own text keeps it bowed: nothing straightens it yet."""
    return name == HARVESTERS and seat.turns < HARVESTERS_FROM


def _turned(pieces: Pieces, was: Piece) -> Pieces:
    left = list(pieces)
    left.remove(was)
    return tuple(sorted((*left, Piece(was.name, not was.bowed))))


def _turned_at(field: Field, attack: Attack, owner: str, was: Piece) -> Field:
    if owner == attack.attacker and was in field.attacking:
        return replace(field, attacking=_turned(field.attacking, was))
    if owner == attack.defender and was in field.defending:
        return replace(field, defending=_turned(field.defending, was))
    return field


def _each(state: State, step: Step, log: Log) -> State:
    return apply(pop(state), step.player, step.effect, log)


def _choice(state: State, step: Step, log: Log) -> None:
    return None


def _create_attack(state: State, step: Step, log: Log) -> State:
    """An effect creates an Attack Phase at once; what was going on is interrupted."""
    state, attacker, defender = pop(state), step.player, step.name
    others = [seat.name for seat in state.seats if not seat.out and seat.name != attacker]
    if attacker in state.barred or state[attacker].out or defender not in others:
        return state
    outer = Interrupted(state.at, state.round, state.attack, state.second)
    state = replace(state, interrupted=(*state.interrupted, outer), round=None, second=False)
    return declare(state, Attack(attacker, defender, optional=False), log)


def declare(state: State, attack: Attack, log: Log) -> State:
    """An Attack Phase is about to begin."""
    log.append(Event("attacked", attack.attacker, (attack.defender,)))
    return replace(state, at=BEFORE_ATTACK, attack=attack)


# -- decks and Provinces ---------------------------------------------------------------------------


def _draw(state: State, step: Step, log: Log) -> State | None:
    first = top(state[step.player].fate, step.n)
    return drawn(state, first.only, log) if first.forced else None


def drawn(state: State, cards: Bag, log: Log) -> State:
    """The chance on top of the stack has come out: these Fate cards are drawn."""
    player, state = state.stack[-1].player, pop(state)
    seat = state[player]
    if cards:
        log.append(Event("drawn", player, cards))
    return state.with_seat(player, fate=take(seat.fate, cards), hand=add(seat.hand, cards))


def _fill(state: State, step: Step, log: Log) -> State | None:
    if step.n in state[step.player].destroyed:
        return pop(state)
    first = top(state[step.player].dynasty, 1)
    return filled(state, first.only, log) if first.forced else None


def filled(state: State, cards: Bag, log: Log) -> State:
    """The chance on top of the stack has come out: this card fills the Province."""
    step, state = state.stack[-1], pop(state)
    if not cards:
        return state
    seat = state[step.player]
    log.append(Event("filled", step.player, cards, f"Province {step.n + 1}"))
    mark = step.name if step.up or step.name == "" else "dealt"
    laid = (*seat.provinces[step.n], Laid(cards[0], step.up, mark))
    state = state.with_seat(step.player, dynasty=take(seat.dynasty, cards))
    return lay(state, step.player, step.n, laid)


def leave(state: State, player: str, province: int, card: Laid, refill: str, mark: str = "") -> State:
    """A card leaves its Province, which an effect may refill; `mark` is for a card that it refills with face-up."""
    left = list(state[player].provinces[province])
    left.remove(card)
    state = lay(state, player, province, tuple(left))
    if not refill:
        return state
    rule = "l5r.events.f-a" if mark else "l5r.dynasty.refilled"
    return state.push(Step("fill", player, mark, n=province, up=refill == "up", rule=rule))


def enter(state: State, player: str, name: str) -> State:
    """A card comes into play, unbowed: a Personality at home, any other beside the Stronghold."""
    seat = state[player]
    if state.table[name].type == "Personality":
        return state.with_seat(player, home=tuple(sorted((*seat.home, Piece(name)))))
    return state.with_seat(player, play=tuple(sorted((*seat.play, Piece(name)))))


def _deal_on(state: State, step: Step, log: Log) -> State:
    """Steps B to E for a card that lies face-up in the active player's Province."""
    state, player, province = pop(state), step.player, step.n
    seat = state[player]
    card = next((card for card in seat.provinces[province] if card.name == step.name and card.mark == "new"), None)
    if card is None:
        return state
    printed = state.table[card.name]
    if printed.type == "Event":
        state = state.push(Step("resolved", player, card.name, printed.effect, n=province))
        return begin(state, player, card.name, printed.effect)
    if printed.type == "Celestial":
        log.append(Event("entered", player, (card.name,)))
        state = enter(leave(state, player, province, card, printed.effect.refill, "new"), player, card.name)
        return apply(state, player, printed.effect, log)
    if printed.type == "Region" and not seat.regions[province]:
        log.append(Event("attached", player, (card.name,), f"Province {province + 1}"))
        regions = (*seat.regions[:province], (card.name,), *seat.regions[province + 1 :])
        state = leave(state, player, province, card, printed.effect.refill, "new").with_seat(player, regions=regions)
        return apply(state, player, printed.effect, log)
    return lay(state, player, province, marked(seat.provinces[province], card, "dealt"))


def marked(cards: tuple[Laid, ...], card: Laid, mark: str) -> tuple[Laid, ...]:
    """The cards, one of them face-up with a mark."""
    i = cards.index(card)
    return (*cards[:i], Laid(card.name, True, mark), *cards[i + 1 :])


def _resolved(state: State, step: Step, log: Log) -> State:
    """An Event has been resolved, or cancelled: it is discarded if it is still there, and a refill comes after that."""
    state = pop(state)
    seat, there = state[step.player], Laid(step.name, True, "new")
    if there not in seat.provinces[step.n]:
        return state
    log.append(Event("discarded", step.player, (step.name,)))
    state = state.with_seat(step.player, discard=add(seat.discard, (step.name,)))
    return leave(state, step.player, step.n, there, step.effect.refill, "new")


# -- start of game ---------------------------------------------------------------------------------


def _first(state: State, step: Step, log: Log) -> State | None:
    return first(state, step.names[0], log) if len(step.names) == 1 else None


def first(state: State, player: str, log: Log) -> State:
    """The starting player is known: the others, and only they, have Bamboo Harvesters; then Provinces and hands."""
    log.append(Event("first", player, (player,)))
    deck = tuple(bag(card for card in layer if card != HARVESTERS) for layer in state[player].dynasty)
    state = replace(pop(state), active=state.index(player)).with_seat(player, dynasty=tuple(filter(None, deck)))
    for seat in state.seats:
        others = () if seat.name == player else (Piece(HARVESTERS, True),)
        play = tuple(sorted((*seat.play, Piece(STRONGHOLD), Piece(BORDER_KEEP), *others)))
        state = state.with_seat(seat.name, play=play)
    fills = [Step("fill", name, n=n, rule="l5r.start.e") for name in state.order() for n in range(PROVINCES)]
    draws = [Step("draw", name, n=min(OPENING, size(state[name].fate)), rule="l5r.start.f") for name in state.order()]
    return state.push(*fills, *draws)


STEPS: dict[str, Callable[[State, Step, Log], State | None]] = {
    "reactions": _reactions,
    "carry out": _carry_out,
    "each": _each,
    "may": _choice,
    "additional": _choice,
    "from": _choice,
    "create attack": _create_attack,
    "draw": _draw,
    "fill": _fill,
    "deal on": _deal_on,
    "resolved": _resolved,
    "first": _first,
}
"""What each step does; None where it waits for a choice, or for chance."""
