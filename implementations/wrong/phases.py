"""The fault: what is before the Action Phase happens earlier than what is after the Events Phase."""

from model import Model

from oracle.games.l5r import flow
from oracle.games.l5r.calendar import ACTION, CALENDAR, EVENTS
from oracle.timing import Calendar, Moment

AFTER, BEFORE = Moment("after", "events phase"), Moment("before", "action phase")
SWAPPED = {EVENTS: BEFORE, BEFORE: AFTER, AFTER: ACTION}


class Hasty(Calendar):
    def following(self, moment: Moment, again: bool = False, skip: bool = False) -> Moment | None:
        return SWAPPED.get(moment) or super().following(moment, again, skip)


class Phases(Model):
    game = "l5r"


if __name__ == "__main__":
    vars(flow)["CALENDAR"] = Hasty(CALENDAR.unit, CALENDAR.ordering)
    Phases.run()
