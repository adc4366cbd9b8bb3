"""From the theory's symbols to states of the reference model, and from models back to positions.

Lifted code is run on a `State` whose zones are symbolic bags; a solver's model becomes a `given:`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from oracle.games.dominion import theory
from oracle.games.dominion.cards import Card, Plain, Table
from oracle.games.dominion.state import ACTION, BUY, NIGHT, Seat, State, Step
from oracle.proof.bags import stand_in
from oracle.proof.lift import Modules, load
from oracle.proof.smt import boolean, number
from oracle.proof.symbols import SymAtom, SymBag, SymBool, SymInt, SymRow, SymSet

PACKAGE = "oracle.games.dominion"
GUARD = (f"{PACKAGE}.rules",)
EFFECTS = (f"{PACKAGE}.effects", f"{PACKAGE}.kingdom")
AT = dict(zip(theory.PHASES, (ACTION, BUY, NIGHT), strict=True))


def modules(names: Sequence[str] = (*GUARD, *EFFECTS), **how: Any) -> Modules:
    """The shipped modules, loaded to be lifted."""
    return load(names, {"oracle.zones": stand_in()}, **how)


def card(name: str, kind: theory.Print) -> Card:
    """A card of the model that is printed as the theory says; nothing is known of its further text."""
    known = [SymSet({type_: boolean(has) for type_, has in kind.types.items()})]
    plain = Plain(*(SymInt(number(n)) for n in kind[2:]))  # type: ignore[arg-type]
    return Card(name, SymInt(number(kind.cost)), known[0], plain)  # type: ignore[arg-type]


class AnySeats:
    """All seats of a table, however many: the cards of each are a function of its number."""

    def __init__(self, view: theory.View) -> None:
        self.view = view
        self._seats: dict[str, Seat] = {}

    def __getitem__(self, seat: Any) -> Seat:
        at = number(seat.term if isinstance(seat, SymInt) else seat)
        if str(at) not in self._seats:
            self._seats[str(at)] = self._seat(at)
        return self._seats[str(at)]

    def _seat(self, at: Any) -> Seat:
        zones: dict[str, Any] = {name: SymBag(self.view.zone(name, at)) for name in theory.ZONES}
        zones["deck"] = tuple(SymBag(layer) for layer in self.view.deck(at))
        name: Any = SymAtom(number(at) + 1, (None,))
        return Seat(name, **zones, turns=SymInt(number(self.view.turns(at))))  # type: ignore[arg-type]


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
    seats = seats or AnySeats(view)
    supply: Any = SymRow(SymInt(view.supply[name]) for name in view.piles)
    return State(
        table(view),
        view.edition,
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
