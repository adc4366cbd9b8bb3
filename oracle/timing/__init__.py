"""Game time, shared by all games: units and their moments, and what waits for a moment.

Nothing here knows a game. A game builds a `Calendar` from its units, puts `Trigger`s on an agenda
(a plain tuple) and asks `next_up` who may resolve what now.
"""

from oracle.timing.agenda import Trigger, Waiting, next_up
from oracle.timing.calendar import Calendar, Moment, Unit
from oracle.timing.seats import turn_order

__all__ = ["Calendar", "Moment", "Trigger", "Unit", "Waiting", "next_up", "turn_order"]
