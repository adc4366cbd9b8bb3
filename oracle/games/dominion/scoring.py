"""Scores, winners, and who begins the next game."""

from __future__ import annotations

from oracle.game import Outcome
from oracle.games.dominion.state import Seat, State


def points(state: State, seat: Seat) -> int:
    """Victory points of all the player's cards; Gardens is worth 1 for every 10 cards, rounded down."""
    owned = seat.owned
    gardens = owned.count("Gardens") * (len(owned) // 10)
    return gardens + sum(state.table[card].points for card in owned)


def outcome(state: State) -> Outcome | None:
    """Most points win; among equals the fewest turns; still equal, the victory is shared. None before the end."""
    if not state.over:
        return None
    scores = {seat.name: points(state, seat) for seat in state.seats}
    best = [seat for seat in state.seats if scores[seat.name] == max(scores.values())]
    fewest = min(seat.turns for seat in best)
    winners = tuple(seat.name for seat in best if seat.turns == fewest)
    lowest = tuple(name for name, score in scores.items() if score == min(scores.values()))
    return Outcome(scores, winners, lowest, ("dom.score", "dom.count.tie", "dom.count.shared", "dom.turn.first"))
