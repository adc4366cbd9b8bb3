"""Scores and winners. The manual's scoring is in a section that we do not have: see the parameter `scoring`."""

from __future__ import annotations

from oracle.game import Outcome
from oracle.games.station.placement import CORE, VACANT
from oracle.games.station.state import Seat, State


def score(state: State, seat: Seat) -> int:
    """The commander's Renown; with scoring `at the end` also that of the installed modules, docked ones not counted."""
    if state.table.scoring != "at the end":
        return seat.renown
    standing = zip(state.table.map.nodes, seat.station, strict=True)
    installed = (name for node, name in standing if name != VACANT and node != CORE)
    return seat.renown + sum(state.table[name].renown for name in installed)


def outcome(state: State) -> Outcome | None:
    """The highest score wins, equal ones share the win; nothing says who begins another game. None before the end."""
    if not state.over:
        return None
    scores = {seat.name: score(state, seat) for seat in state.seats}
    winners = tuple(name for name, n in scores.items() if n == max(scores.values()))
    return Outcome(scores, winners, (), ("stn.param.scoring", "stn.param.end", "stn.9.scoring", "stn.9.renown"))
