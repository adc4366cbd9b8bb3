"""Game time, shared by all games: units and their moments, what waits for a moment, and rounds of passing.

Nothing here knows a game. A game builds a `Calendar` from its units and from the axioms of its text on the
order of moments, puts `Trigger`s on an agenda (a plain tuple) and asks `next_up` who may resolve what now;
where players act or pass in turn, it keeps a `Round`. A `timeline.Timeline` shows it all.
"""

from oracle.timing.agenda import Policy, Trigger, Waiting, at, by_class, by_owner, conditioned, next_up, without
from oracle.timing.ahead import Clock, Grounds
from oracle.timing.calendar import Calendar
from oracle.timing.ordering import NESTED, Attribution, Axiom, Ordering
from oracle.timing.rounds import Round
from oracle.timing.seats import turn_order
from oracle.timing.units import Moment, Unit

__all__ = [
    "NESTED",
    "Attribution",
    "Axiom",
    "Calendar",
    "Clock",
    "Grounds",
    "Moment",
    "Ordering",
    "Policy",
    "Round",
    "Trigger",
    "Unit",
    "Waiting",
    "at",
    "by_class",
    "by_owner",
    "conditioned",
    "next_up",
    "turn_order",
    "without",
]
