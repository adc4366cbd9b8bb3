"""The cards: the base set (second edition), and cards that a position declares.

A card's plain effects are numbers; what else its text says is a list of instructions, each the
name of a step in `effects.py`.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from oracle.timing import Moment

TYPES = ("Action", "Treasure", "Victory", "Curse", "Night", "Attack", "Reaction", "Duration")


class Plain(Struct, frozen=True):
    """+Cards, +Actions, +Buys and +$."""

    cards: int = 0
    actions: int = 0
    buys: int = 0
    coins: int = 0


class Later(Struct, frozen=True):
    """A plain effect that waits: `before turn` for its owner's next turn, any other moment in this turn."""

    at: Moment
    plain: Plain


class Card(Struct, frozen=True):
    """A card as printed. `printed` is how many copies the box holds; `points` are victory points each."""

    name: str
    cost: int
    types: tuple[str, ...]
    plain: Plain = Plain()
    does: tuple[str, ...] = ()
    points: int = 0
    later: tuple[Later, ...] = ()
    printed: int = 10

    def __contains__(self, type_: str) -> bool:
        return type_ in self.types


def rule_of(card: str) -> str:
    """The id of the rule that is a card's text."""
    return "dom.card." + card.lower().replace(" ", "-").replace("'", "")


def _basic(name: str, cost: int, type_: str, printed: int, *does: str, coins: int = 0, points: int = 0) -> Card:
    return Card(name, cost, (type_,), Plain(coins=coins), does, points=points, printed=printed)


def _action(name: str, cost: int, *does: str, types: tuple[str, ...] = (), **plain: int) -> Card:
    return Card(name, cost, ("Action", *types), Plain(**plain), does)


BASICS = (
    _basic("Copper", 0, "Treasure", 60, coins=1),
    _basic("Silver", 3, "Treasure", 40, "silver", coins=2),
    _basic("Gold", 6, "Treasure", 30, coins=3),
    _basic("Estate", 2, "Victory", 24, points=1),
    _basic("Duchy", 5, "Victory", 12, points=3),
    _basic("Province", 8, "Victory", 12, points=6),
    _basic("Curse", 0, "Curse", 30, points=-1),
)

KINGDOM = (
    _action("Cellar", 2, "cellar", actions=1),
    _action("Chapel", 2, "chapel"),
    _action("Moat", 2, types=("Reaction",), cards=2),
    _action("Harbinger", 3, "harbinger", cards=1, actions=1),
    _action("Merchant", 3, "merchant", cards=1, actions=1),
    _action("Vassal", 3, "vassal", coins=2),
    _action("Village", 3, cards=1, actions=2),
    _action("Workshop", 3, "gain"),
    _action("Bureaucrat", 4, "gain silver", "others topdeck", types=("Attack",)),
    Card("Gardens", 4, ("Victory",), printed=12),
    _action("Militia", 4, "others discard", types=("Attack",), coins=2),
    _action("Moneylender", 4, "moneylender"),
    _action("Poacher", 4, "poacher", cards=1, actions=1, coins=1),
    _action("Remodel", 4, "remodel"),
    _action("Smithy", 4, cards=3),
    _action("Throne Room", 4, "throne room"),
    _action("Bandit", 5, "gain gold", "others reveal", types=("Attack",)),
    _action("Council Room", 5, "others draw", cards=4, buys=1),
    _action("Festival", 5, actions=2, buys=1, coins=2),
    _action("Laboratory", 5, cards=2, actions=1),
    _action("Library", 5, "library"),
    _action("Market", 5, cards=1, actions=1, buys=1, coins=1),
    _action("Mine", 5, "mine"),
    _action("Sentry", 5, "sentry", cards=1, actions=1),
    _action("Witch", 5, "others curse", types=("Attack",), cards=2),
    _action("Artisan", 6, "gain", "topdeck"),
)


NEWER: dict[str, frozenset[str]] = {
    "2008": frozenset({"Artisan", "Bandit", "Harbinger", "Merchant", "Poacher", "Sentry", "Vassal"})
}
"""By edition, the cards of the base set that came only after it."""

START = ("Copper",) * 7 + ("Estate",) * 3
"""The deck a player starts with."""


def pile_size(card: Card, players: int) -> int:
    """How many copies a pile has when a game of 2 to 6 players starts."""
    many = players > 4
    match card.name:
        case "Copper":
            return (120 if many else 60) - 7 * players
        case "Silver" | "Gold":
            return card.printed * (2 if many else 1)
        case "Curse":
            return 10 * (players - 1)
        case "Province" if many:
            return 3 * players
    if "Victory" in card:
        return 8 if players == 2 else 12
    return card.printed


def box_size(card: Card, players: int) -> int:
    """How many copies there are in all: one box for up to four players, a second set of basics beyond."""
    if players <= 4 or card not in BASICS:
        return card.printed
    return {"Province": 3 * players, "Curse": 10 * (players - 1)}.get(card.name, 2 * card.printed)


class Table:
    """The cards of one game by name: its supply piles, then cards that are in no pile."""

    __slots__ = ("_key", "cards", "names", "night", "own", "piles", "prices")

    def __init__(self, piles: Iterable[str], extra: Iterable[Card] = ()) -> None:
        self.own = own = tuple(extra)
        self.cards = {card.name: card for card in (*BASICS, *KINGDOM, *own)}
        self.piles = tuple(piles)
        self.names = (*self.piles, *sorted({card.name for card in own} - set(self.piles)))
        self.night = any("Night" in self.cards[name] for name in self.names)
        self.prices = tuple(self.cards[name].cost for name in self.piles)
        self._key = (self.piles, own)

    def __getitem__(self, name: str) -> Card:
        return self.cards[name]

    def __contains__(self, name: object) -> bool:
        return name in self.cards

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)
