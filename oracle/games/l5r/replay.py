"""From a solver's model to a position of the game, as a case writes it, and what the game itself says there.

Positions under way cannot be written, and among triggers or cards of the Events Phase much happens by
itself: models of those times are not replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from oracle.game import Action
from oracle.games.l5r import GAME, theory
from oracle.games.l5r.cards import TYPES
from oracle.games.l5r.state import KINDS
from oracle.games.l5r.theory import Laid, Position, Units
from oracle.games.l5r.theory_effects import Round
from oracle.proof.claims import Claim, Replay
from oracle.proof.readings import demand
from oracle.proof.terms import Bool, both, every, no, pick, same, some, total

PLAYERS = ("A", "B", "C")
EDITION = GAME.editions[0]
TIMES = (
    *(theory.ACTION, theory.COMBAT, theory.OFFER, theory.INFANTRY, theory.CAVALRY),
    *(theory.BATTLES, theory.DYNASTY, theory.END),
)
"""The times that are replayed."""
WRITTEN = {
    theory.ACTION: {"phase": "action"},
    theory.OFFER: {"phase": "attack", "step": "declaration"},
    theory.COMBAT: {"phase": "attack", "step": "combat"},
    theory.INFANTRY: {"phase": "attack", "step": "infantry"},
    theory.CAVALRY: {"phase": "attack", "step": "cavalry"},
    theory.BATTLES: {"phase": "attack", "step": "battles"},
    theory.DYNASTY: {"phase": "dynasty"},
    theory.END: {"phase": "end", "step": "discard"},
}
NUMBERED = 6
"""Provinces of the Defender: one more than an action of these claims names, so that there is a battle left."""
SCOUT, FARM, RIDER = "Scout", "Farm", "Rider"
"""The ability that an action names, the card it may belong to, and a unit that nobody names."""


class Asked(NamedTuple):
    """An action at a time, what it is in a model, and what the theory says of it."""

    time: int
    action: Callable[[Table], Action]
    says: Bool


class Table:
    """A model read as a position."""

    def __init__(
        self, view: Position, provinces: Sequence[Sequence[Laid]], units: dict[str, Units], model: Any
    ) -> None:
        self.view, self.provinces, self.units, self.model = view, provinces, units, model

    def number(self, term: Any) -> int:
        """A number of the model."""
        return int(self.model.eval(term, True).as_long())

    def holds(self, term: Any) -> bool:
        """A truth value of the model."""
        return str(self.model.eval(term, True)) == "True"

    def player(self, term: Any) -> str:
        """A player of the model; one that does not play is Z."""
        n = self.number(term)
        return PLAYERS[n - 1] if 0 < n <= len(PLAYERS) else "Z"

    def card(self, term: Any) -> str:
        """A card of the model."""
        return f"Card {self.number(term)}" if self.number(term) else "Nothing"

    def named(self, verb: str) -> Action:
        """The action about the thing that the model names."""
        item = self.view.item
        if verb in theory.BARE or verb == "assign":
            return Action(verb)
        if verb == "end":
            return Action(verb, ("dynasty phase",))
        if verb == "use":
            return Action(verb, (SCOUT if self.holds(self.view.ability.known) else "Nothing",))
        if verb == "fight at":
            return Action(verb, (str(self.number(item) + 1),))
        if verb in ("attack", "first"):
            return Action(verb, (self.player(item),))
        at_end = verb == "discard" and self.number(self.view.time) == theory.END
        return Action(verb, ("Strike" if at_end else self.card(item),))

    def given(self) -> dict[str, Any]:
        """The position in the words of a case."""
        view, time = self.view, self.number(self.view.time)
        active, who = self.player(view.active), self.player(view.who)
        out: dict[str, Any] = {"players": list(PLAYERS), "active": active, **WRITTEN[time]}
        if self.holds(view.over):
            out["over"] = True
        if time in (theory.ACTION, theory.COMBAT):
            out["turn to act"] = self.player(view.now)
        out["barred"] = [p for i, p in enumerate(PLAYERS, 1) if self.holds(view.barred(i))]
        cards: dict[str, Any] = {}
        if who in PLAYERS and self.holds(view.ability.known):
            out["abilities"] = {who: [self._ability(who)]}
            if self.holds(view.ability.of_card):
                cards[FARM] = {"type": "Holding"}
                out["in play"] = {who: [FARM if self.holds(view.ability.ready) else f"{FARM} bowed"]}
        if time in (theory.COMBAT, theory.INFANTRY, theory.CAVALRY, theory.BATTLES):
            self._attack(out, cards, time)
        if time == theory.DYNASTY:
            laid = [[self.card(c.card) + ("" if self.holds(c.up) else " down") for c in p] for p in self.provinces]
            out["provinces"] = {active: laid}
            kinds = {self.card(c.card): self.number(view.type(c.card)) for p in self.provinces for c in p}
            cards |= {name: {"type": TYPES[kind]} for name, kind in kinds.items()}
            out |= {"step": "discard"} if self.holds(view.discarded) else {}
        if time == theory.END:
            held, copies = self.number(view.held), self.number(view.copies)
            out |= {"hand": {active: ["Strike"] * copies + ["Block"] * (held - copies)}}
            out["max hand"] = {active: self.number(view.most)}
        out["cards"] = cards
        return {field: value for field, value in out.items() if value}

    def _ability(self, who: str) -> dict[str, Any]:
        about = self.view.ability
        kind = KINDS[self.number(about.type)]
        out: dict[str, Any] = {"name": SCOUT, "type": kind, "used": self.holds(about.used), "effect": {}}
        if kind == "Reaction":
            out["to"] = "reveal"
        if self.holds(about.of_card):
            out["card"] = FARM
        if self.holds(about.attacks):
            out["effect"] = {"attack": next(p for p in PLAYERS if p != who)}
        return out

    def _attack(self, out: dict[str, Any], cards: dict[str, Any], time: int) -> None:
        view = self.view
        attacker, defender, who = (self.player(p) for p in (view.attacker, view.defender, view.who))
        fields: dict[str, Any] = {}
        there = [*(self.holds(view.field(i)) for i in range(NUMBERED - 1)), True]
        out["provinces"] = {defender: [[] if stands else "destroyed" for stands in there]}
        for i, stands in enumerate(there[:-1]):
            if stands and time == theory.BATTLES:
                fields[str(i + 1)] = {"fought": self.holds(view.fought(i))}
        out["attack"] = {"attacker": attacker, "defender": defender, "fields": fields}
        if time == theory.COMBAT:
            out["attack"]["at"] = str(NUMBERED)
        if time in (theory.INFANTRY, theory.CAVALRY):
            side = defender if self.holds(view.second_side) else attacker
            out["turn to act"] = side
            home = {side: [RIDER]}
            cards[RIDER] = {"type": "Personality", "keywords": ["Cavalry"]}
            units = [
                name + (" bowed" if bowed else "")
                for name, of in self.units.items()
                for bowed, n in of.by_state()
                for _ in range(self.number(n))
            ]
            if who in PLAYERS:
                home[who] = home.get(who, []) + units
            out["home"] = home
            for name, of in self.units.items():
                cavalry = {"keywords": ["Cavalry"]} if self.holds(of.cavalry) else {}
                cards[name] = {"type": "Personality", **cavalry}


def replay(
    view: Position, provinces: Sequence[Sequence[Laid]], units: dict[str, Units], said: Sequence[Asked], model: Any
) -> Replay:
    """Whether the shipped game judges an action otherwise than the model's theory does, in the model's position.

    What the case demands is what the theory says, so that it fails as long as the game has it otherwise.
    """
    table = Table(view, provinces, units, model)
    position = table.given()
    state = GAME.position(position, EDITION)
    who = table.player(view.who) if table.number(view.who) else None
    for asked in said:
        if asked.time != table.number(view.time):
            continue
        action = asked.action(table)
        verdict = GAME.judge(state, who, action)
        says = table.holds(asked.says)
        if verdict.legal != says:
            word = "legal" if verdict.legal else "illegal"
            note = f"{GAME.text(action)!r} by {who} is {word} in the game: {', '.join(verdict.rules)}"
            return Replay(position, EDITION, True, note, demand(GAME, who, action, says))
    return Replay(position, EDITION, False, "every action is judged as in the theory")


def fits(view: Position, provinces: Sequence[Sequence[Laid]], units: dict[str, Units]) -> tuple[Bool, ...]:
    """What a model must meet to be written as a position of three players who all play on."""
    seats = (view.active, view.now, view.attacker, view.defender)
    laid = [card for province in provinces for card in province]
    about = view.ability
    return (
        some(same(view.time, time) for time in TIMES),
        *(view.playing(i) for i in range(1, len(PLAYERS) + 1)),
        no(view.playing(len(PLAYERS) + 1)),
        *(seat <= len(PLAYERS) for seat in seats),
        view.who >= 1,
        view.who <= len(PLAYERS),
        view.item <= len(PLAYERS) + 1,
        view.item >= 1,
        no(view.over),
        every(both(card.card >= 1, card.card <= 9) for card in laid),
        every(both(view.type(i) >= 0, view.type(i) < len(TYPES)) for i in range(1, 10)),
        some((no(same(view.time, theory.DYNASTY)), *(same(view.item, card.card) for card in laid))),
        no(about.cancels),
        some((no(same(view.time, theory.END)), both(view.held > view.most, view.held <= 12, view.copies >= 1))),
        some((no(same(view.time, theory.COMBAT)), no(view.first), same(view.now, view.defender))),
        *(no(view.field(i)) for i in (-1, NUMBERED - 1)),
        total(n for of in units.values() for _, n in of.by_state()) <= 4,
    )


def sizes(view: Position, units: dict[str, Units]) -> tuple[Any, ...]:
    """What is to be small: what is at home and in hand, then the numbers that stand for players and cards."""
    things = [n for of in units.values() for _, n in of.by_state()]
    flags = [pick(x, 1, 0) for x in (view.ability.known, view.ability.of_card, view.ability.attacks, view.ability.used)]
    return total((*things, view.held, *flags)), total((view.who, view.active, view.now, view.attacker, view.item))


# -- action rounds ---------------------------------------------------------------------------------

SEATS = "ABCDEF"


def in_round(made: Claim, now: Round, then: Round, passes: Bool) -> Claim:
    """A claim about what becomes of a round, whose models are Action Phases in which an opportunity is used."""
    return replace(
        made,
        replay=partial(replay_round, now, then, passes),
        fits=(now.n >= 2, now.n <= len(SEATS), now.passes < now.n),
        sizes=(now.n, now.passes, now.turn),
    )


def replay_round(now: Round, then: Round, passes: Bool, model: Any) -> Replay:
    """Whether the game goes on otherwise than the model after a pass, or after an action without effect.

    The case demands what the model says: who has the next opportunity, or that the phase is over.
    """
    n, turn, made, place, left = (
        int(model.eval(term, True).as_long()) for term in (now.n, now.turn, now.passes, then.turn, then.passes)
    )
    order = SEATS[:n]
    given: dict[str, Any] = {"players": list(order), "phase": "action", "turn to act": order[turn]}
    if made:
        given["passed"] = [order[(turn - i) % n] for i in range(made, 0, -1)]
    passed = str(model.eval(passes, True)) == "True"
    if not passed:
        given["abilities"] = {order[turn]: [{"name": SCOUT, "type": "Open"}]}
    play = "pass" if passed else f"use {SCOUT}"
    state, _ = GAME.apply(GAME.position(given, EDITION), GAME.read(play))
    said = (order[place], left) if left < n and 0 <= place < n else None
    found = (state.round.player, state.round.passes) if state.round else None
    step: dict[str, Any] = {"state": WRITTEN[theory.OFFER]}
    if said is not None:
        before = [order[(place - i) % n] for i in range(left, 0, -1)]
        step = {"state": {"phase": "action", "turn to act": order[place], "passed": before}}
    note = f"after {play!r} the game has {found or 'no round'}, the theory {said or 'none'}"
    return Replay(given, EDITION, found != said, note, step, (play,))
