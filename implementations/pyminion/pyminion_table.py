"""Games of pyminion that begin where the oracle wants them to: with the piles asked for, or in a given position."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pyminion.core import CardType, Pile, Supply
from pyminion.expansions.base import base_set, copper, curse, duchy, estate, gold, province, silver
from pyminion.game import Game

from oracle.errors import Unsupported

Json = dict[str, Any]

BASICS = {card.name: card for card in (copper, silver, gold, estate, duchy, province, curse)}
CARDS = {**BASICS, **{card.name: card for card in base_set}}
KINGDOM = sorted(set(CARDS) - set(BASICS))


@dataclass(frozen=True)
class Given:
    """Where in a turn a play begins that does not begin with a game."""

    turn: str
    phase: str
    bought: int


class Table(Game):  # type: ignore[misc]
    """A pyminion game with just the piles asked for, which can begin in any position."""

    def __init__(self, seats: list[Any], kingdom: Iterable[str], given: Given | None = None) -> None:
        cards = [CARDS[name] for name in kingdom]
        super().__init__(seats, [base_set], kingdom_cards=cards, random_order=False, log_stdout=False)
        self.given = given
        self.current: Any = None

    def start(self) -> None:
        if self.given is None:
            super().start()

    def is_over(self) -> bool:
        # Seats before the one whose turn it is are passed over without a turn, so no turn has ended there.
        return self.given is None and bool(super().is_over())

    def _create_kingdom_piles(self) -> list[Any]:
        # pyminion puts the chosen piles first and fills up to ten at random.
        chosen = len(self.kingdom_cards)
        return list(super()._create_kingdom_piles()[:chosen]) if chosen else []


# -- positions -------------------------------------------------------------------------------------

FIELDS = {
    *("players", "turn", "phase", "actions", "buys", "coins", "bought", "hand", "deck", "discard", "in play"),
    *("supply", "kingdom", "trash", "turns", "merchants", "silvers", "hand size", "deck size"),
}
ZONES = {"hand": "hand", "deck": "deck", "discard": "discard_pile", "in play": "playmat"}
SEATS = "ABCDEF"


def players_of(position: Json) -> list[str]:
    """The seats of a position: those listed, or as many from A on as it speaks of."""
    if "players" in position:
        return list(position["players"])
    named = {position.get("turn", "A")}.union(*(position.get(zone, {}) for zone in ZONES))
    return list(SEATS[: max(2, *(SEATS.index(name) + 1 for name in named))])


def cards(entries: Any) -> list[str]:
    """The names in a pile as positions write it; `3 Estate` is three. Nested lists are shuffled."""
    names: list[str] = []
    for entry in entries or ():
        if isinstance(entry, list):
            bag = cards(entry)
            random.shuffle(bag)
            names += bag
            continue
        found = re.fullmatch(r"(?:(\d+) )?(.+)", entry)
        assert found is not None
        if found[2] not in CARDS:
            raise Unsupported(f"card {found[2]}")
        names += [found[2]] * int(found[1] or 1)
    return names


def check(position: Json) -> None:
    """Raises `Unsupported` for what pyminion has no place for."""
    for field, value in position.items():
        if field not in FIELDS and value:
            raise Unsupported(f"position field {field!r}")
    if position.get("phase", "action") not in ("action", "buy"):
        raise Unsupported(f"phase {position['phase']!r}")
    turn = position.get("turn", players_of(position)[0])
    if any(pile for name, pile in position.get("in play", {}).items() if name != turn):
        # No card of the base set is in play in another player's turn, and the engine does not look for any.
        raise Unsupported("cards in play in another player's turn")


def place(table: Table, position: Json, turn: str) -> None:
    """Sets a table out as the position says."""
    seats = {seat.player_id: seat for seat in table.players}
    for field, pile in ZONES.items():
        for name, entries in position.get(field, {}).items():
            getattr(seats[name], pile).cards = [CARDS[card] for card in cards(entries)]
    for i, seat in enumerate(table.players):
        seat.deck.cards.reverse()
        begun = i <= list(seats).index(turn)
        seat.turns = position.get("turns", {}).get(seat.player_id, int(begun))
    table.trash.cards = [CARDS[card] for card in cards(position.get("trash"))]
    seen = Counter(names_in(table.trash))
    for seat in table.players:
        seen.update(card.name for card in seat.get_all_cards())
    table.supply = Supply(table._create_basic_piles() + _kingdom(position, seen, len(table.players)))
    dealt = Counter({"Copper": 7 * len(seats), "Estate": 3 * len(seats)})
    for pile in table.supply.piles:
        full, out = len(pile), seen[pile.name] - dealt[pile.name]
        left = position.get("supply", {}).get(pile.name, min(full, max(0, full - out)))
        pile.cards = pile.cards[:1] * left
    state, played = seats[turn].state, Counter(names_in(seats[turn].playmat))
    state.actions, state.buys = position.get("actions", 1), position.get("buys", 1)
    state.money = position.get("coins", 0)
    # pyminion keeps no count of Merchants and Silvers played: it looks at what is in play.
    if any(pile.name == "Merchant" for pile in table.supply.piles):
        if position.get("merchants", 0) != played["Merchant"]:
            raise Unsupported("Merchants played are not those in play")
        if bool(position.get("silvers", 0)) != bool(played["Silver"]):
            raise Unsupported("Silvers played are not those in play")
    elif position.get("merchants"):
        raise Unsupported("Merchants played are not those in play")


def _kingdom(position: Json, seen: Mapping[str, int], players: int) -> list[Any]:
    """The kingdom piles of a position, full: those named, and those of every card seen in it."""
    named = cards([*position.get("kingdom", ()), *position.get("supply", ()), *seen])
    victory = 8 if players <= 2 else 12
    sizes = {name: victory if CardType.Victory in CARDS[name].type else 10 for name in named if name not in BASICS}
    return [Pile([CARDS[name]] * size) for name, size in sizes.items()]


def names_in(pile: Any) -> list[str]:
    """The cards of a pile by name, sorted."""
    return sorted(card.name for card in pile.cards)
