"""From the theory's symbols to states of the reference model: lifted code is run on a `State` of symbolic bags."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from types import ModuleType
from typing import Any

from msgspec.structs import replace

from oracle.games.dominion import GAME, Dominion, theory
from oracle.games.dominion.cards import Card, Plain, Table
from oracle.games.dominion.state import ACTION, BUY, NIGHT, Effect, Seat, State, Step
from oracle.games.dominion.theory_effects import HOLDS
from oracle.games.dominion.variant import variant
from oracle.proof.bags import stand_in
from oracle.proof.lift import Modules, load
from oracle.proof.readings import RULE
from oracle.proof.symbols import SymAtom, SymBag, SymBool, SymInt, SymRow, SymSet, counts_of, term_of
from oracle.proof.terms import boolean, key_of, number
from oracle.timing import Moment, Trigger

PACKAGE = "oracle.games.dominion"
GUARD = (f"{PACKAGE}.choices", f"{PACKAGE}.rules")
EFFECTS = (f"{PACKAGE}.effects", f"{PACKAGE}.kingdom", f"{PACKAGE}.scoring")
AT = dict(zip(theory.PHASES, (ACTION, BUY, NIGHT), strict=True))


class Shipped(Modules):
    """The modules of one game, which is the game itself or one with other syntax trees."""

    def __init__(self, modules: Mapping[str, ModuleType], edits: Mapping[str, ast.Module] | None = None) -> None:
        super().__init__(modules)
        self._edits = edits

    @cached_property
    def game(self) -> Dominion:
        """What refutations are replayed on."""
        return variant(RULE, self._edits) if self._edits else GAME


def modules(edits: Mapping[str, ast.Module] | None = None) -> Shipped:
    """The shipped modules, loaded to be lifted."""
    return Shipped(load((*GUARD, *EFFECTS), {"oracle.zones": stand_in()}, edits), edits)


def card(name: str, kind: theory.Print) -> Card:
    """A card of the model that is printed as the theory says; nothing is known of its further text."""
    known = [SymSet({type_: boolean(has) for type_, has in kind.types.items()})]
    plain = Plain(*(SymInt(number(n)) for n in kind[2:]))  # type: ignore[arg-type]
    return Card(name, SymInt(number(kind.cost)), known[0], plain)  # type: ignore[arg-type]


class AnySeats:
    """All seats of a table, however many: the cards of each are a function of its number."""

    def __init__(self, view: theory.View) -> None:
        self.view = view
        self._seats: dict[int, Seat] = {}

    def __getitem__(self, seat: Any) -> Seat:
        at = number(seat.term if isinstance(seat, SymInt) else seat)
        key = key_of(at)
        if key not in self._seats:
            self._seats[key] = self._seat(at)
        return self._seats[key]

    def _seat(self, at: Any) -> Seat:
        zones: dict[str, Any] = {name: SymBag(self.view.zone(name, at)) for name in theory.ZONES}
        zones["deck"] = tuple(SymBag(layer) for layer in self.view.deck(at))
        name: Any = SymAtom(number(at) + 1, (None,))
        return Seat(name, **zones, turns=SymInt(number(self.view.turns(at))))  # type: ignore[arg-type]


any_seats = lru_cache(maxsize=16)(AnySeats)


def table(view: theory.View, printed: Mapping[str, Card] | None = None) -> Table:
    """The cards of the position; those of the base set as the model has them, so that these are what is judged."""
    out = Table.__new__(Table)
    real = Table(view.piles[:0])
    cards = {name: real.cards[name] if name in real.cards else card(name, kind) for name, kind in view.kinds.items()}
    out.own, out.cards, out.piles = (), {**cards, **(printed or {})}, tuple(view.piles)
    out.names = tuple(view.kinds)
    out.night = SymBool(boolean(view.night))  # type: ignore[assignment]
    out.prices = tuple(out.cards[name].cost for name in out.piles)
    return out


def state(view: theory.Position, phase: str = "action", stack: tuple[Step, ...] = (), seats: Any = None) -> State:
    """The position as a state of the model."""
    numbers: dict[str, Any] = {name: SymInt(getattr(view, name)) for name in theory.NUMBERS}
    seats = seats or any_seats(view)
    supply: Any = SymRow(SymInt(view.supply[name]) for name in view.piles)
    return State(
        table(view),
        SymAtom(view.edition, theory.EDITIONS),  # type: ignore[arg-type]
        seats,
        supply,
        at=AT[phase],
        trash=SymBag(view.trash),  # type: ignore[arg-type]
        stack=stack,
        over=SymBool(view.over),  # type: ignore[arg-type]
        **numbers,
    )


def player(code: Any) -> Any:
    """Whoever acts, as the model names them: None for chance."""
    return SymAtom(number(code), (None,))


def seats(view: theory.View, n: int) -> tuple[Seat, ...]:
    """The first `n` seats of the position, under the names A, B, C, ..."""
    every: AnySeats = any_seats(view)  # type: ignore[arg-type]
    return tuple(replace(every[i], name="ABCDEF"[i]) for i in range(n))


def waits(seat: int, keeps: Mapping[str, int]) -> Trigger[Effect]:
    """Something that waits for a player's next turn, and keeps cards in play until then."""
    cards = tuple(name for name, n in keeps.items() for _ in range(n))
    name = "ABCDEF"[seat]
    labelled = tuple((str(label), card) for label, card in enumerate(cards))
    return Trigger(name, Moment("before", "turn"), cards[0], Effect(Plain(), labelled), name)


class Seen:
    """A state that lifted code made, as the theory sees positions."""

    def __init__(self, state: State, view: theory.View) -> None:
        self._state = state
        self.kinds, self.piles, self.edition, self.phase = view.kinds, view.piles, view.edition, view.phase
        for name in (*theory.NUMBERS, "over"):
            setattr(self, name, term_of(getattr(state, name)))
        self.night = view.night
        self.supply = {name: term_of(n) for name, n in zip(view.piles, state.supply, strict=True)}
        self.trash = counts_of(state.trash)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)

    def zone(self, name: str, seat: Any) -> theory.Cards:
        return counts_of(getattr(self._state.seats[seat], name))

    def deck(self, seat: Any) -> Sequence[theory.Cards]:
        return [counts_of(layer) for layer in self._state.seats[seat].deck]

    def turns(self, seat: Any) -> Any:
        return term_of(self._state.seats[seat].turns)

    @property
    def held(self) -> theory.Cards:
        """The cards that instructions under way hold."""
        return theory.plus({}, *(counts_of(step.cards) for step in self._state.stack if step.do in HOLDS))
