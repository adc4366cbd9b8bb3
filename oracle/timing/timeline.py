"""What waits for which moment, as a value to show: the moments in order, where we are, what may be next and by whom.

A game makes one of its own state with `timeline`; nothing here knows a game, and nothing here decides anything.
Rules are named by their ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple, TypeVar

from msgspec import Struct

from oracle.decisions import Decision, Kind
from oracle.timing.agenda import Trigger
from oracle.timing.ahead import Clock
from oracle.timing.calendar import Calendar
from oracle.timing.ordering import Attribution
from oracle.timing.rounds import Round
from oracle.timing.units import Moment, Unit

E = TypeVar("E")
Status = Literal["past", "now", "to come", "again"]
"""Where a moment lies: `again` is one that has passed and comes once more before the turn is over."""
TURN = "turn"
"""What every game calls the unit that one player has after the other."""


class Entry(Struct, frozen=True):
    """Something that waits for a moment.

    `owner` None: the game's own; `does` says it in a few words; `group` is the class it belongs to, if the game has
    classes; while its condition is not met `live` is false; with `turn_of` it waits for a turn of that player.
    `next`: it may resolve now.
    """

    name: str
    owner: str | None
    does: str = ""
    optional: bool = False
    group: str = ""
    live: bool = True
    turn_of: str | None = None
    next: bool = False


class Mark(Struct, frozen=True):
    """A moment on the line, and what waits there.

    `also` are other moments that are this one, by the rules `also_by`; `turn` is the player whose turn it counts to
    (None: it is in no turn); `why` are the rules by which it comes after the mark before it, none where that is what
    the words mean. A mark of a `later` turn stands there only because something waits for it.
    """

    moment: str
    turn: str | None
    status: Status
    also: tuple[str, ...] = ()
    also_by: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    waiting: tuple[Entry, ...] = ()
    later: bool = False


class Span(Struct, frozen=True):
    """A unit of time over the marks from `first` to `last`, both included; `depth` is how many units are around it."""

    unit: str
    first: int
    last: int
    depth: int
    turn: str | None = None
    repeats: bool = False
    optional: bool = False
    engages: bool = False
    later: bool = False


class Passing(Struct, frozen=True):
    """A round of passing: whose opportunity it is, what kinds of action they may take, who has passed since anybody
    acted. Of several the one that goes on now comes first."""

    about: str
    order: tuple[str, ...]
    opportunity: str
    takes: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


class UnderWay(Struct, frozen=True):
    """Something that is to be finished before anything else; `player` is whom it concerns."""

    what: str
    player: str | None = None


class Next(Struct, frozen=True):
    """Who decides what comes next (None: chance), about what, and by which rules."""

    player: str | None
    kind: Kind
    about: str
    rules: tuple[str, ...] = ()


class Timeline(Struct, frozen=True):
    """The agenda of a position.

    `turn`: whose turn it is; `next` is None once the game is over. `under_way` is finished first, from the first on,
    by the rules `first_by`. `resumes` are the moments to which time goes back from an interruption, the first of
    them first. By the rules `counts_by` the moments from the end of a turn up to `counts_from` count to that turn.
    """

    turn: str
    now: str
    marks: tuple[Mark, ...]
    spans: tuple[Span, ...]
    next: Next | None
    under_way: tuple[UnderWay, ...] = ()
    first_by: tuple[str, ...] = ()
    rounds: tuple[Passing, ...] = ()
    resumes: tuple[str, ...] = ()
    counts_from: str = ""
    counts_by: tuple[str, ...] = ()

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of all rules that are named, each once."""
        named = [*(self.next.rules if self.next else ()), *self.first_by]
        named += [rule for passing in self.rounds for rule in passing.rules]
        named += [rule for mark in self.marks for rule in (*mark.also_by, *mark.why)]
        return tuple(dict.fromkeys((*named, *self.counts_by)))


class Told(NamedTuple):
    """What a game says of a trigger: what it does, whether it may be declined, the class it belongs to."""

    does: str = ""
    optional: bool = False
    group: str = ""


def passing(round: Round, about: str, rules: tuple[str, ...]) -> Passing:
    """A round of passing as it is shown."""
    return Passing(about, round.order, round.player, round.kinds, round.passed, rules)


class Course(Struct, frozen=True):
    """How turns follow in a game, as far as its calendar does not say.

    `played` are the players who all have their turn in the calendar's unit, in that order (none: one turn only).
    `again` are names of units under way that come once more, `resumes` moments to which time goes back, the next one
    first.
    """

    played: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    resumes: tuple[Moment, ...] = ()


ONE_TURN = Course()
"""A turn of one player, and then one of the next."""


class _Place(NamedTuple):
    """A place on the line: a moment, of the turn of a player or of none, perhaps one of a later turn."""

    moment: Moment
    turn: str | None
    later: bool = False


def timeline(
    clock: Clock,
    agenda: Iterable[Trigger[E]],
    asked: Decision | None,
    tell: Callable[[Trigger[E]], Told],
    *,
    course: Course = ONE_TURN,
    under_way: Sequence[UnderWay] = (),
    first_by: tuple[str, ...] = (),
    rounds: Sequence[Passing] = (),
    counts: Attribution | None = None,
) -> Timeline:
    """The timeline of a position: `asked` is what is decided (None: nothing, the game is over)."""
    agenda = tuple(agenda)
    line = _Line(clock, course)
    placed = line.placed(agenda)
    waiting = None if under_way or asked is None else clock.waiting(agenda)
    due = waiting.triggers if waiting else ()
    marks: list[Mark] = []
    for i, (place, triggers) in enumerate(placed):
        entries = [_entry(trigger, tell(trigger), i == line.here and trigger in due) for trigger in triggers]
        entries.sort(key=lambda entry: (not entry.next, not entry.live, entry.group))
        also, also_by = clock.calendar.together(place.moment)
        marks.append(
            Mark(
                str(place.moment),
                place.turn,
                line.status(i, place),
                tuple(map(str, also)),
                also_by,
                line.why(placed[i - 1][0], place) if i else (),
                tuple(entries),
                place.later,
            )
        )
    return Timeline(
        clock.order[0],
        str(clock.now),
        tuple(marks),
        tuple(_spans(clock.calendar.unit, clock.calendar, [place for place, _ in placed])),
        Next(asked.player, asked.kind, asked.about, asked.rules) if asked else None,
        tuple(under_way),
        first_by if under_way else (),
        tuple(rounds),
        tuple(map(str, course.resumes)),
        str(counts.first) if counts else "",
        (counts.rule,) if counts and counts.rule else (),
    )


def _entry(trigger: Trigger[E], told: Told, next: bool) -> Entry:
    return Entry(trigger.name, trigger.owner, told.does, told.optional, told.group, trigger.live, trigger.turn_of, next)


class _Line:
    """The places of the calendar's unit in order; a turn for each player whose turn is shown."""

    def __init__(self, clock: Clock, course: Course) -> None:
        self.clock, self.calendar = clock, clock.calendar
        moments = self.calendar.moments
        shown = course.played or clock.order[:1]
        self.later = course.played or (*clock.order[1:], clock.order[0])
        self.turn = slice(moments.index(Moment("before", TURN)), moments.index(Moment("after", TURN)) + 1)
        self.head = [_Place(moment, None) for moment in moments[: self.turn.start]]
        self.turns = [_Place(moment, player) for player in shown for moment in moments[self.turn]]
        self.tail = [_Place(moment, None) for moment in moments[self.turn.stop :]]
        self.places = [*self.head, *self.turns, *self.tail]
        self.here = self._current(clock.now)
        self.back = min(map(self._current, course.resumes), default=len(self.places))
        self.again = [
            range(self._current(Moment("before", name)), self._current(Moment("after", name)) + 1)
            for name in course.again
        ]

    def _current(self, moment: Moment) -> int:
        """The place of a moment of the running turn."""
        moment = self.calendar.canonical(moment)
        inside = moment in self.calendar.moments[self.turn]
        return self.places.index(_Place(moment, self.clock.order[0] if inside else None))

    def status(self, i: int, place: _Place) -> Status:
        """Where the place lies from here."""
        if place.later or i > self.here:
            return "to come"
        if i == self.here:
            return "now"
        comes = i >= self.back or any(i in unit and self.here in unit for unit in self.again)
        return "again" if comes else "past"

    def placed(self, agenda: Sequence[Trigger[E]]) -> list[tuple[_Place, list[Trigger[E]]]]:
        """The places in order, each with what waits there: the next time that a trigger's moment comes."""
        waiting: dict[_Place, list[Trigger[E]]] = {place: [] for place in self.places}
        later: dict[_Place, list[Trigger[E]]] = {
            _Place(moment, player, True): []
            for player in dict.fromkeys((*self.later, *(t.turn_of for t in agenda if t.turn_of)))
            for moment in self.calendar.moments[self.turn]
        }
        for trigger in agenda:
            moment = self.calendar.canonical(trigger.moment)
            fits = [
                (i, place)
                for i, place in enumerate(self.places)
                if place.moment == moment and (place.turn is None or trigger.turn_of in (None, place.turn))
            ]
            coming = [place for i, place in fits if self.status(i, place) != "past"]
            if coming:
                waiting[coming[0]].append(trigger)
            elif outside := [place for _, place in fits if place.turn is None]:
                waiting[outside[0]].append(trigger)
            else:
                turns = (place for place in later if place.moment == moment)
                later[next(place for place in turns if trigger.turn_of in (None, place.turn))].append(trigger)
        before_tail = len(self.head) + len(self.turns)
        line = list(waiting.items())
        return [*line[:before_tail], *((place, some) for place, some in later.items() if some), *line[before_tail:]]

    def why(self, earlier: _Place, later: _Place) -> tuple[str, ...]:
        """The rules by which one place comes before the next."""
        if earlier.turn is None or later.turn is None or (earlier.turn, earlier.later) == (later.turn, later.later):
            return self.calendar.why(earlier.moment, later.moment)
        end, begin = Moment("after", TURN), Moment("before", TURN)
        between = self.calendar.why(end, begin) or (self.clock.grounds.turn,)
        steps = (*self.calendar.why(earlier.moment, end), *between, *self.calendar.why(begin, later.moment))
        return tuple(dict.fromkeys(steps))


def _spans(unit: Unit, calendar: Calendar, places: Sequence[_Place], depth: int = 0) -> list[Span]:
    """The units over their places, the larger ones first; of a later turn only the turn itself."""
    spans: list[Span] = []
    edges = [calendar.canonical(Moment("before", unit.name)), Moment("after", unit.name)]
    for turn, later in dict.fromkeys((place.turn, place.later) for place in places):
        if later and unit.name != TURN:
            continue
        own = [i for i, place in enumerate(places) if (place.turn, place.later) == (turn, later)]
        at = own if later else [i for i in own if places[i].moment in edges]
        if at:
            spans.append(Span(unit.name, at[0], at[-1], depth, turn, unit.repeats, unit.optional, unit.engages, later))
    return [*spans, *(span for part in unit.parts for span in _spans(part, calendar, places, depth + 1))]
