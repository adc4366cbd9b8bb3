"""Cards, and effects as data: what a position declares."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct

TYPES = ("Personality", "Holding", "Event", "Region", "Celestial", "Stronghold")
CAVALRY = "Cavalry"
BORDER_KEEP, HARVESTERS, STRONGHOLD = "Border Keep", "Bamboo Harvesters", "Stronghold"
HARVESTERS_FROM = 2
"""The turn of its owner from which on Bamboo Harvesters straighten."""


class Target(NamedTuple):
    """A Province, its number counted from 1; without a player that of the current battle."""

    player: str = ""
    province: int = 0


class Effect(Struct, frozen=True):
    """What a card, an ability or a trigger does; what is not named does not happen.

    `draw`: Fate cards; `honor`: added; `hand`: the new maximum hand size (-1: as it is); `refill`: `up` or `down`,
    the Province that the card leaves; `bow`, `straighten`: names of cards; `attack`: the Defender of an Attack
    Phase; `action`: the type of an additional action; `trigger`, `untrigger`: the trigger whose condition becomes
    true, or is true no longer; `each`: what happens to each player, once round from the active one; `destroy`: the
    Province that is destroyed.
    """

    draw: int = 0
    honor: int = 0
    hand: int = -1
    refill: str = ""
    bow: str = ""
    straighten: str = ""
    attack: str = ""
    action: str = ""
    cancel: bool = False
    trigger: str = ""
    untrigger: str = ""
    win: bool = False
    each: Effect | None = None
    destroy: Target | None = None


NOTHING = Effect()


def effect_json(effect: Effect) -> dict[str, object]:
    """An effect as a position writes it."""
    fields = {field: getattr(effect, field) for field in Effect.__struct_fields__}
    out = {field: value for field, value in fields.items() if value != getattr(NOTHING, field)}
    if effect.each is not None:
        out["each"] = effect_json(effect.each)
    if effect.destroy is not None:
        out["destroy"] = dict([effect.destroy]) if effect.destroy.player else True
    return out


class Card(Struct, frozen=True):
    """A card as declared: `effect` when it resolves or comes into play, `on_discard` in the Dynasty Phase."""

    name: str
    type: str
    keywords: tuple[str, ...] = ()
    force: int = 0
    effect: Effect = NOTHING
    on_discard: Effect = NOTHING


KNOWN = (Card(STRONGHOLD, "Stronghold"), Card(BORDER_KEEP, "Holding"), Card(HARVESTERS, "Holding"))
"""Cards that need not be declared."""


class Win(Struct, frozen=True):
    """The parameters of winning and losing, from a later edition: see `l5r.param.honor` and its neighbours."""

    honor: int = 40
    dishonor: int = -20
    provinces: bool = True


class Table:
    """What stays the same for a whole game: its cards by name, and how it is won."""

    __slots__ = ("_key", "cards", "declared", "win")

    def __init__(self, declared: Iterable[Card] = (), win: Win | None = None) -> None:
        self.declared = tuple(declared)
        self.win = win or Win()
        self.cards = {card.name: card for card in (*KNOWN, *self.declared)}
        self._key = (self.declared, self.win)

    def __getitem__(self, name: str) -> Card:
        return self.cards[name]

    def __contains__(self, name: object) -> bool:
        return name in self.cards

    def cavalry(self, name: str) -> bool:
        """Whether the unit of that Personality is Cavalry."""
        return CAVALRY in self.cards[name].keywords

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)
