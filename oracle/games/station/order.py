"""What comes before what: what an action has started, and what waits for the end of a turn or of a round."""

from __future__ import annotations

from collections.abc import Sequence

from oracle.game import Action, Ahead, Event, Reason
from oracle.games.station.state import BERTHS, CALENDAR, State, Step, drifts, refills
from oracle.games.station.verdicts import judge
from oracle.timing import Clock, Grounds, Trigger, by_owner

GROUNDS = Grounds(turn="stn.6.seat-order", time="stn.6.round")
UNDER_WAY = {"reward": "the reward", "deal": "the refill of the display", "salvage": "the refill of the market"}


def clock(state: State) -> Clock:
    """The moment, and who orders what waits for it: nobody, since all of it is the game's."""
    return Clock(CALENDAR, state.at, state.order(), by_owner, GROUNDS)


def ahead(state: State, player: str | None, action: Action, text: str) -> Ahead | None:
    """See `Game.ahead`; `text` is what players call the action."""
    if state.over or not state.stack or action.verb in ("take", "deal", "salvage") or _legal(state, player, action):
        return None
    finished = Reason("stn.resolve.first", False, "what an action has started is settled before anything else is done")
    return Ahead(UNDER_WAY[state.stack[-1].do], f"{player}'s {text!r}", (finished,))


def came_first(state: State, happened: Sequence[Event], first: int, then: int) -> Ahead | None:
    """See `Game.came_first`."""
    one, other = (_source(happened[place]) for place in (first, then))
    reasons = clock(state).triggers(one, other) if one and other else ()
    return Ahead(one.name, other.name, reasons) if one and other and reasons else None


def _legal(state: State, player: str | None, action: Action) -> bool:
    return judge(state, player, action).legal


def _source(event: Event) -> Trigger[Step] | None:
    """The trigger that an event comes from; the end of a turn that fills a berth, that of a round that brings Drift."""
    berth = event.note[-1:]
    if event.event == "salvaged":
        return refills(BERTHS.index(berth))
    return drifts(BERTHS.index(berth)) if event.event == "drifted" else None
