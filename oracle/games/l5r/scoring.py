"""Who has won. Family Honor is shown as the score; what wins is said by `l5r.param.honor` and its neighbours."""

from __future__ import annotations

from oracle.game import Outcome
from oracle.games.l5r.state import State


def outcome(state: State) -> Outcome | None:
    """The winner, and everybody's Family Honor; nothing says who begins another game. None before the end."""
    if not state.over:
        return None
    winners = (state.winner,) if state.winner else ()
    rules = dict.fromkeys((state.cause or "l5r.over", "l5r.over"))
    return Outcome({seat.name: seat.honor for seat in state.seats}, winners, (), tuple(rules))
