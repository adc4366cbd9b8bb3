"""Positions with all that can change, for the lifting of effects, and what the theory sees of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from oracle.games.l5r import calendar
from oracle.games.l5r.bridge import Name
from oracle.games.l5r.cards import Card, Table, Win
from oracle.games.l5r.state import Laid, Piece, Seat, State, Step
from oracle.games.l5r.theory_effects import Round
from oracle.proof.paths import LiftError, branch
from oracle.proof.symbols import SymBag, SymBool, SymInt, counts_of, term_of
from oracle.proof.terms import Bool, boolean, count, number, truth
from oracle.timing import Moment

PLAYERS = ("A", "B", "C")
CARDS = ("Farm", "Shiba", "Storm", "Coast", "Sun")
FATE = ("Strike", "Block")
TYPES = {"Farm": "Holding", "Shiba": "Personality", "Storm": "Event", "Coast": "Region", "Sun": "Celestial"}
HELD = ("hand", "discard")
NUMBERS = ("honor", "most", "more", "turns")


class Order(SymBag):
    """The players of a round in order, however many: a place gives the player there."""

    def __init__(self, n: Any) -> None:
        super().__init__({"players": n})

    def __getitem__(self, place: Any) -> Name:  # type: ignore[override]
        return Name(term_of(place))

    __hash__ = None  # type: ignore[assignment]


class Among:
    """Players of whom it is not known who is among them."""

    def __init__(self, has: Mapping[str, Bool]) -> None:
        self.has = has

    def __contains__(self, player: object) -> bool:
        return branch(self.has[str(player)])


class Scene:
    """The symbols of a position of three players."""

    def __init__(self, tag: str = "") -> None:
        self.numbers = {f"{p}.{field}": count(f"{tag}{p}.{field}") for p in PLAYERS for field in NUMBERS}
        self.zones = {
            f"{p}.{zone}": {card: count(f"{tag}{p}.{zone}.{card}") for card in (*CARDS, *FATE)}
            for p in PLAYERS
            for zone in HELD
        }
        self.decks = {
            f"{p}.{deck}": [{card: count(f"{tag}{p}.{deck}{i}.{card}") for card in cards} for i in range(2)]
            for p in PLAYERS
            for deck, cards in (("fate", FATE), ("dynasty", CARDS))
        }
        self.out = {p: truth(f"{tag}{p}.out") for p in PLAYERS}
        self.barred = {p: truth(f"{tag}{p}.barred") for p in PLAYERS}
        self.win = {field: count(f"win.{field}") for field in ("honor", "dishonor")}
        self.turn = count(f"{tag}turn")
        self.round = Round()

    def domain(self) -> list[Bool]:
        """What the symbols can be: no number of cards is negative."""
        amounts = [n for zone in self.zones.values() for n in zone.values()]
        amounts += [n for deck in self.decks.values() for layer in deck for n in layer.values()]
        least = [self.numbers[f"{p}.{field}"] for p in PLAYERS for field in ("most", "turns")]
        return [*self.round.domain(), *(n >= 0 for n in (*amounts, *least))]


def table(scene: Scene, **effects: Any) -> Table:
    """The cards, one of each type; by name what they do."""
    cards = [Card(name, TYPES[name], **effects.get(name, {})) for name in CARDS]
    return Table(cards, Win(SymInt(scene.win["honor"]), SymInt(scene.win["dishonor"])))  # type: ignore[arg-type]


def position(
    scene: Scene, code: Any, cards: Table | None = None, seats: Mapping[str, Any] | None = None, **about: Any
) -> State:
    """The position as a state; `seats` are fields of seat A, and `about` of the position."""
    made = []
    for p in PLAYERS:
        fields: dict[str, Any] = {field: SymInt(scene.numbers[f"{p}.{field}"]) for field in NUMBERS}
        fields |= {zone: SymBag(scene.zones[f"{p}.{zone}"]) for zone in HELD}
        fields |= {deck: tuple(map(SymBag, scene.decks[f"{p}.{deck}"])) for deck in ("fate", "dynasty")}
        made.append(Seat(p, **{**fields, "out": False, **(seats or {} if p == "A" else {})}))
    return State(cards or table(scene), tuple(made), **{"turn": SymInt(scene.turn), "at": calendar.DYNASTY, **about})


def any_round(scene: Scene, code: Any) -> Any:
    """An action round of any number of players, under way."""
    round = scene.round
    return code.rounds.Round(order=Order(round.n), turn=SymInt(round.turn), passes=SymInt(round.passes))


# -- what the theory sees --------------------------------------------------------------------------


def seen(state: State) -> dict[str, Any]:
    """The parts of a position by name: terms for what is symbolic, plain values, zones as counts."""
    out: dict[str, Any] = {}
    for field in State.__struct_fields__:
        if field not in ("table", "seats"):
            out[field] = value(getattr(state, field))
    for seat in state.seats:
        for field in Seat.__struct_fields__:
            held = getattr(seat, field)
            name = f"{seat.name}.{field}"
            if field in ("provinces", "regions"):
                out |= {f"{name}.{i}": zone(cards) for i, cards in enumerate(held)}
            elif field in ("fate", "dynasty"):
                out[name] = [zone(layer) for layer in held]
            elif field in ("hand", "discard", "home", "play"):
                out[name] = zone(held)
            elif field == "abilities":
                out |= {f"{seat.name}.used.{i}": value(ability.used) for i, ability in enumerate(held)}
            else:
                out[name] = value(held)
    return out


def zone(cards: Any) -> dict[str, Any]:
    """How many there are of each card; one that lies face-down, is bowed or marked, is another."""
    if isinstance(cards, SymBag):
        return dict(counts_of(cards))
    return {name: number(n) for name, n in Counter(map(_card, cards)).items()}


def _card(card: Any) -> str:
    if isinstance(card, Laid):
        return f"{card} {card.mark}".strip()
    if isinstance(card, Piece):
        return str(card)
    return str(card)


def value(part: Any) -> Any:
    """A part as the theory compares it: of a structure, the fields that are not as they are by default."""
    if isinstance(part, (SymInt, SymBool)):
        return part.term
    if isinstance(part, Name):
        return part.code
    if isinstance(part, Moment):
        return str(part)
    if isinstance(part, (Among, Order)) or part is None:
        return part
    if isinstance(part, frozenset):
        return tuple(sorted(part))
    if isinstance(part, tuple):
        return tuple(map(value, part))
    if isinstance(part, Struct) or hasattr(part, "__struct_fields__"):
        defaults = dict(zip(part.__struct_fields__[::-1], part.__struct_defaults__[::-1], strict=False))
        fields = {field: getattr(part, field) for field in part.__struct_fields__ if field != "order"}
        told = {
            field: value(held)
            for field, held in fields.items()
            if held is True or not (_is_plain(held) and field in defaults and held == defaults[field])
        }
        return {field: held for field, held in told.items() if not isinstance(held, dict) or held}
    if isinstance(part, (int, bool, str)):
        return part
    raise LiftError(f"{type(part).__name__} cannot be compared")


def _is_plain(held: Any) -> bool:
    if isinstance(held, tuple):
        return all(map(_is_plain, held))
    return held is None or isinstance(held, (int, str, Moment))


def cards_in(parts: Mapping[str, Any], card: str) -> list[Any]:
    """How many of a card there are in each place of a position, whatever their state."""
    zones: Iterable[Any] = (
        layer
        for name, held in parts.items()
        for layer in (held if isinstance(held, list) else [held] if isinstance(held, dict) and "." in name else [])
    )
    return [n for each in zones for name, n in each.items() if name.partition(" ")[0] == card]


__all__ = ["Step", "boolean"]
