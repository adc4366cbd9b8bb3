"""Games of evolvedominion that begin where the oracle wants them to: in the seats given, or in a given position."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy
from evolvedominion.engine import pieces
from evolvedominion.engine.session import Session
from evolvedominion.engine.state import State

from oracle.errors import Unsupported

Json = dict[str, Any]

CARDS: dict[str, Any] = {
    re.sub(r"(?<=[a-z])(?=[A-Z])", " ", piece.__name__): piece
    for piece in vars(pieces).values()
    if isinstance(piece, type) and issubclass(piece, pieces.Piece) and piece is not pieces.Piece
}
NAMES = {piece: name for name, piece in CARDS.items()}
BASICS = ("Curse", "Estate", "Duchy", "Province", "Copper", "Silver", "Gold")
KINGDOM = sorted(set(CARDS) - set(BASICS))


def names_of(cards: Iterable[Any]) -> list[str]:
    """The printed names of evolvedominion's pieces."""
    return [NAMES[type(card)] for card in cards]


class Dealt(State):  # type: ignore[misc]
    """A game of evolvedominion in which the players keep the order they were given."""

    def _update_player_based_state_variables(self, players: list[Any]) -> None:
        order = list(players)
        super()._update_player_based_state_variables(players)
        self.players[:] = order


class Placed(Dealt):
    """A game that begins in a given position."""

    def __init__(self, seats: list[Any], position: Json) -> None:
        self.position = position
        super().__init__(seats, [CARDS[name] for name in kingdom_of(position)])
        turn = position.get("turn", seats[0].pid)
        self.current_player_index = [seat.pid for seat in seats].index(turn)
        self.current_player = seats[self.current_player_index]
        self.n_total_turns_played = sum(seat.n_turns_played for seat in seats)
        self.n_empty_piles = sum(size == 0 for size in self.piece_to_pile_size_map.values())
        self.province_pile_empty = not self.piece_to_pile_size_map[CARDS["Province"]]
        self.n_action, self.n_buy = position.get("actions", 1), position.get("buys", 1)
        self.n_coin = position.get("coins", 0)
        self.merchant_silver_bonus = position.get("merchants", 0)
        self.n_silver_played_this_turn = position.get("silvers", 0)
        self.TRASH.extend(self._pieces(position.get("trash")))

    def _initialize_empty_piles(self) -> None:
        self.piles: list[list[Any]] = [[] for _ in range(len(BASICS) + len(self.kingdom))]

    def _solve_pile_sizes(self) -> None:
        super()._solve_pile_sizes()
        sizes, seen = self.piece_to_pile_size_map, Counter(seen_in(self.position))
        dealt = {"Copper": 7 * self.n_players, "Estate": 3 * self.n_players}
        for piece, size in sizes.items():
            name = NAMES[piece]
            if name == "Gardens":
                # Where no count is given a pile has what the rules say; evolvedominion would put ten Gardens there.
                size = 12 if self.n_players > 2 else 8
            full = size - dealt.get(name, 0)
            sizes[piece] = self.position.get("supply", {}).get(name, min(full, max(0, size - seen[name])))

    def _setup_player(self, player: Any) -> None:
        player.refresh()
        player.state = self
        zones = {"hand": player.HAND, "deck": player.DECK, "discard": player.DISCARD, "in play": player.PLAY}
        for field, zone in zones.items():
            zone.extend(self._pieces(self.position.get(field, {}).get(player.pid)))
        player.DECK.reverse()
        order = [seat.pid for seat in self.players]
        begun = order.index(player.pid) <= order.index(self.position.get("turn", order[0]))
        player.n_turns_played = self.position.get("turns", {}).get(player.pid, 1 if begun else 0)

    def _pieces(self, entries: Any) -> list[Any]:
        places = {piece: i for i, piece in enumerate(self.piece_to_pile_size_map)}
        made = [CARDS[name]() for name in cards(entries)]
        for piece in made:
            piece.total_order_index = places[type(piece)]
        return made


class Sitting(Session):  # type: ignore[misc]
    """A session of evolvedominion that keeps its last state, and can begin inside a turn."""

    def __init__(self, state: Callable[[], State], begin: Callable[[Sitting], None] | None = None) -> None:
        super().__init__()
        self.make, self.begin = state, begin
        self.phase = ""
        self.seen: Any = None

    def initialize_state(self) -> None:
        self.state = self.seen = self.make()
        if self.begin:
            self.begin(self)

    def action_phase(self) -> None:
        self.phase = "action"
        super().action_phase()

    def treasure_phase(self) -> None:
        self.phase = "buy"
        super().treasure_phase()

    def buy_phase(self) -> None:
        self.phase = "buy"
        super().buy_phase()


FIELDS = {
    *("players", "turn", "phase", "actions", "buys", "coins", "bought", "hand", "deck", "discard", "in play"),
    *("supply", "kingdom", "trash", "turns", "merchants", "silvers", "hand size", "deck size"),
}
ZONES = ("hand", "deck", "discard", "in play")
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
            numpy.random.shuffle(bag)
            names += bag
            continue
        found = re.fullmatch(r"(?:(\d+) )?(.+)", entry)
        assert found is not None
        if found[2] not in CARDS:
            raise Unsupported(f"card {found[2]}")
        names += [found[2]] * int(found[1] or 1)
    return names


def seen_in(position: Json) -> list[str]:
    """Every card that lies somewhere in a position outside the Supply."""
    piles = [position.get("trash")] + [pile for zone in ZONES for pile in position.get(zone, {}).values()]
    return [card for pile in piles for card in sorted(cards(pile))]


def kingdom_of(position: Json) -> list[str]:
    """The kingdom piles of a position: those named, and those of every card seen in it."""
    named = cards([*position.get("kingdom", ()), *position.get("supply", ()), *seen_in(position)])
    return [name for name in dict.fromkeys(named) if name not in BASICS]


def check(position: Json) -> None:
    """Raises `Unsupported` for what evolvedominion has no place for."""
    for field, value in position.items():
        if field not in FIELDS and value:
            raise Unsupported(f"position field {field!r}")
    if position.get("phase", "action") not in ("action", "buy"):
        raise Unsupported(f"phase {position['phase']!r}")
    turn = position.get("turn", players_of(position)[0])
    if any(pile for name, pile in position.get("in play", {}).items() if name != turn):
        # No card of the base set is in play in another player's turn, and the engine does not look for any.
        raise Unsupported("cards in play in another player's turn")


def under_way(position: Json) -> Callable[[Sitting], None]:
    """How to finish the turn in which a position lies."""

    def finish(session: Sitting) -> None:
        if position.get("phase", "action") == "action":
            session.action_phase()
        if not position.get("bought"):
            session.treasure_phase()
        session.buy_phase()
        session.end_turn()

    return finish
