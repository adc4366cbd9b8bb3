"""A position of Dominion."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from oracle.games.dominion.cards import Card, Plain, Table
from oracle.given import written
from oracle.timing import (
    Attribution,
    Axiom,
    Calendar,
    Moment,
    Ordering,
    Trigger,
    Unit,
    Waiting,
    next_up,
    turn_order,
)
from oracle.zones import Bag, Deck, add, size

ACTION, BUY, NIGHT, CLEAN_UP = (Moment("during", f"{name} phase") for name in ("action", "buy", "night", "clean-up"))
PHASES = {"action": ACTION, "buy": BUY, "night": NIGHT}
ORDERING = Ordering(
    (
        Axiom("", "span"),
        Axiom("dom.turn.phases", "next", ("phase",)),
        Axiom("", "outer first"),
        Axiom("", "inner last"),
    )
)
TURNS = Attribution(Moment("before", "turn"), "dom.between.last")
"""What happens between two turns counts to the one that has ended."""


def _turn(*phases: Moment) -> Calendar:
    return Calendar(Unit("turn", tuple(Unit(phase.unit, kind="phase") for phase in phases)), ORDERING)


DAY, DAY_AND_NIGHT = _turn(ACTION, BUY, CLEAN_UP), _turn(ACTION, BUY, NIGHT, CLEAN_UP)
"""The turn of a game without and with Night cards."""


class Effect(Struct, frozen=True):
    """What a waiting trigger does, and the cards that stay in play until it is done.

    `keeps` are (label, card): several triggers may keep one and the same card, which has one label.
    """

    plain: Plain
    keeps: tuple[tuple[str, str], ...] = ()


class Step(Struct, frozen=True):
    """One instruction under way: `do` names it, `seat` carries it out, `card` is whose text it is.

    `n` is a number it needs (for a card being played, its label); `cards` are cards it holds or refers
    to; `then` is the step that gets the cards which this one turns up; `safe` are seats that an attack
    does not affect.
    """

    do: str
    seat: int
    card: str = ""
    n: int = 0
    cards: Bag = ()
    then: str = ""
    safe: tuple[int, ...] = ()


class Seat(Struct, frozen=True):
    """A player's cards, and how many turns he has begun."""

    name: str
    hand: Bag = ()
    deck: Deck = ()
    discard: Bag = ()
    play: Bag = ()
    turns: int = 0

    @property
    def owned(self) -> Bag:
        """All his cards."""
        return add(self.hand, (*self.discard, *self.play, *(card for layer in self.deck for card in layer)))


class State(Struct, frozen=True):
    """A whole position.

    `at` is the moment of the turn of the seat `turn`. `stack` holds the steps still to be carried out,
    the next one last; while it is not empty nothing else happens. `supply` counts follow `table.piles`.
    """

    table: Table
    edition: str
    seats: tuple[Seat, ...]
    supply: tuple[int, ...]
    turn: int = 0
    at: Moment = ACTION
    actions: int = 1
    buys: int = 1
    coins: int = 0
    bought: int = 0
    merchants: int = 0
    silvers: int = 0
    trash: Bag = ()
    stack: tuple[Step, ...] = ()
    agenda: tuple[Trigger[Effect], ...] = ()
    over: bool = False

    @property
    def calendar(self) -> Calendar:
        """The moments of a turn in this game."""
        return DAY_AND_NIGHT if self.table.night else DAY

    @property
    def mover(self) -> Seat:
        """The player whose turn it is."""
        return self.seats[self.turn]

    def left(self, card: str) -> int:
        """How many copies the card's pile has; 0 without a pile."""
        piles = self.table.piles
        return self.supply[piles.index(card)] if card in piles else 0

    def order(self) -> tuple[str, ...]:
        """The players' names in turn order from the one whose turn it is."""
        return turn_order([seat.name for seat in self.seats], self.mover.name)

    def waiting(self) -> Waiting[Effect] | None:
        """What may resolve next at this moment."""
        return next_up(self.agenda, self.at, self.order()) if self.agenda else None

    def others(self, seat: int) -> tuple[int, ...]:
        """The other seats in turn order, from the one to the left of `seat`."""
        n = len(self.seats)
        return tuple((seat + i) % n for i in range(1, n))

    def with_seat(self, seat: int, **fields: Any) -> State:
        """The state with fields of one seat replaced."""
        changed = replace(self.seats[seat], **fields)
        return replace(self, seats=(*self.seats[:seat], changed, *self.seats[seat + 1 :]))

    def push(self, *steps: Step) -> State:
        """The state with steps put on the stack; the first of them is carried out first."""
        return replace(self, stack=self.stack + steps[::-1])


def observe(state: State, player: str | None = None) -> dict[str, Any]:
    """The position in the words of `given:`; with a player, without what that player cannot see."""
    seats = state.seats
    seen = {seat.name for seat in seats if player in (None, seat.name)}
    out: dict[str, Any] = {
        "players": [seat.name for seat in seats],
        "turn": state.mover.name,
        "phase": state.at.unit.removesuffix(" phase"),
        "actions": state.actions,
        "buys": state.buys,
        "coins": state.coins,
        "bought": state.bought,
        "merchants": state.merchants,
        "silvers": state.silvers,
        "hand": {seat.name: list(seat.hand) for seat in seats if seat.name in seen},
        "hand size": {seat.name: len(seat.hand) for seat in seats},
        "deck size": {seat.name: size(seat.deck) for seat in seats},
        "discard": {seat.name: list(seat.discard) for seat in seats},
        "in play": {seat.name: list(seat.play) for seat in seats},
        "supply": dict(zip(state.table.piles, state.supply, strict=True)),
        "trash": list(state.trash),
        "turns": {seat.name: seat.turns for seat in seats},
    }
    if player is None:
        out["deck"] = {seat.name: written(seat.deck) for seat in seats}
    if state.table.own:
        out["cards"] = {card.name: _declared(card) for card in state.table.own}
    if state.agenda:
        out["waiting"] = [_waiting(trigger) for trigger in state.agenda]
    if state.stack:
        out["under way"] = [step.do for step in reversed(state.stack)]
    if state.over:
        out["over"] = True
        del out["phase"]
    return out


def plain_json(plain: Plain) -> dict[str, int]:
    """A plain effect as a position writes it."""
    words = {"cards": plain.cards, "actions": plain.actions, "buys": plain.buys, "coins": plain.coins}
    return {word: n for word, n in words.items() if n}


def _declared(card: Card) -> dict[str, Any]:
    later = [{"at": _short(item.at), **plain_json(item.plain)} for item in card.later]
    out = {
        "cost": card.cost,
        "types": list(card.types),
        "points": card.points,
        "later": later,
        **plain_json(card.plain),
    }
    return {word: value for word, value in out.items() if value or word == "cost"}


def _short(moment: Moment) -> str:
    return "before clean-up" if moment.unit == CLEAN_UP.unit else str(moment)


def _waiting(trigger: Trigger[Effect]) -> dict[str, Any]:
    effect = trigger.effect
    out: dict[str, Any] = {"player": trigger.owner, "card": trigger.name, "at": _short(trigger.moment)}
    out |= plain_json(effect.plain)
    if effect.keeps:
        out["keeps"] = dict(effect.keeps)
    return out
