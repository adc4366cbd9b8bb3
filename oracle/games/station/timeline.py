"""The agenda of a position as a timeline: the round with a turn for every commander."""

from __future__ import annotations

from oracle.games.station.moves import decision
from oracle.games.station.order import clock
from oracle.games.station.state import BERTHS, State, Step
from oracle.timing import Trigger, turn_order
from oracle.timing import timeline as shared

WORDS = {
    "begin": "the round begins",
    "deal": "refill of the display",
    "reward": "a card for the exact payment",
    "end turn": "the turn ends",
}


def timeline(state: State) -> shared.Timeline:
    """The moments of the round."""
    names = [seat.name for seat in state.seats]
    return shared.timeline(
        clock(state),
        state.agenda,
        decision(state),
        lambda trigger: _told(state, trigger),
        course=shared.Course(played=turn_order(names, names[state.starting])),
        under_way=[shared.UnderWay(_words(step), state.mover.name) for step in reversed(state.stack)],
        first_by=("stn.resolve.first",),
    )


def _told(state: State, trigger: Trigger[Step]) -> shared.Told:
    step = trigger.effect
    if step.do != "drift":
        return shared.Told("a module from the salvage supply")
    return shared.Told(f"-{state.table.drift} for {state.market[step.berth]}")


def _words(step: Step) -> str:
    return WORDS.get(step.do) or f"{'discount' if step.do == 'drift' else 'refill'} of berth {BERTHS[step.berth]}"
