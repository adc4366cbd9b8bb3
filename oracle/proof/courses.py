"""The order of moments of a unit whose parts come any number of times, for a solver.

A moment is known by its name and by the numbers of the units that it lies in. That one comes before another is
shown by induction: each moment comes before the one that follows it, and so before all that come later still.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from itertools import pairwise, product
from typing import Any, NamedTuple

import z3

from oracle.proof.claims import Part
from oracle.proof.laws import Laws
from oracle.proof.orders import filed
from oracle.proof.terms import FALSE, TRUE, Bool, Int, both, count, either, every, no, safe, same, when
from oracle.timing import Attribution, Axiom, Moment, Ordering, Unit


class Spot(NamedTuple):
    """A moment, and the number of each unit around it, the outermost first, that can come often or not at all."""

    moment: Moment
    path: tuple[Any, ...] = ()


class Said(NamedTuple):
    """What an axiom says of two moments where a condition holds: one comes first, or they are the same."""

    condition: Bool
    one: Spot
    other: Spot


class _Around(NamedTuple):
    """A unit, the one it is a part of, which of its parts it is, and the units around it that are numbered."""

    unit: Unit
    parent: str
    place: int
    numbered: tuple[str, ...]


About = Callable[[Unit], bool]
Found = list[tuple[Bool, Spot]]
"""Moments, each with the condition under which it is the one looked for."""


class Course:
    """A unit with any number of those parts that repeat, and with or without those that are optional.

    `bounds` collects what holds of the numbers of parts that were spoken of so far.
    """

    def __init__(self, unit: Unit, ordering: Ordering) -> None:
        self.unit = unit
        self.ordering = ordering
        self.bounds: dict[Int, Bool] = {}
        self._merged = ordering.merged(unit)
        places = {moment: i for i, moment in enumerate(unit.moments())}
        self._place = {moment: places[self._merged[moment]] for moment in places}
        self._around: dict[str, _Around] = {}
        self._walk(unit, "", 0, ())

    def _walk(self, unit: Unit, parent: str, place: int, numbered: tuple[str, ...]) -> None:
        numbered = (*numbered, unit.name) if _numbered(unit) else numbered
        self._around[unit.name] = _Around(unit, parent, place, numbered)
        for i, part in enumerate(unit.parts):
            self._walk(part, unit.name, i, numbered)

    # -- moments --

    def spots(self, tag: str, merged: bool = False) -> Iterator[Spot]:
        """Every moment once, any of its kind; those that are the same as another only with `merged`."""
        for moment, first in self._merged.items():
            if merged or moment == first:
                numbered = self._around[moment.unit].numbered
                yield Spot(moment, tuple(count(f"{tag}.{name}") for name in numbered))

    def there(self, spot: Spot) -> Bool:
        """Whether there are such units."""
        names = self._around[spot.moment.unit].numbered
        return every(
            both(number >= 0, number < self.how_many(name, spot.path[:i]))
            for i, (name, number) in enumerate(zip(names, spot.path, strict=True))
        )

    def how_many(self, name: str, path: tuple[Any, ...]) -> Int:
        """How many of a numbered unit there are where it stands."""
        unit, n = self._around[name].unit, _of(f"number of {name}", path)
        if n not in self.bounds:
            self.bounds[n] = every([n >= (0 if unit.optional else 1), *([] if unit.repeats else [n <= 1])])
        return n

    def time(self, spot: Spot) -> Int:
        """When the moment is."""
        return _of(str(spot.moment), spot.path)

    def key(self, spot: Spot) -> tuple[Any, ...]:
        """Where the moment stands in the order: for each numbered unit its place and its number, then its own place."""
        names = self._around[spot.moment.unit].numbered
        digits = zip((self._place[Moment("before", name)] for name in names), spot.path, strict=True)
        return (*(digit for pair in digits for digit in pair), self._place[spot.moment])

    def earlier(self, one: Spot, other: Spot) -> Bool:
        """Whether one moment stands before another, by their keys."""
        return _less(self.key(one), self.key(other))

    def alike(self, one: Spot, other: Spot) -> Bool:
        """Whether the two are one moment, by their keys."""
        keys = self.key(one), self.key(other)
        return every(map(same, *keys)) if len(keys[0]) == len(keys[1]) else FALSE

    def following(self, spot: Spot) -> Found:
        """The moment that follows, with the condition under which it is that one; none after the last."""
        around = self._around[spot.moment.unit]
        unit = around.unit
        match spot.moment.edge:
            case "before" if unit.engages:
                first = unit.parts[0].name
                return self.following(Spot(Moment("before", first), spot.path))
            case "before":
                during = Spot(Moment("during", unit.name), spot.path)
                return self._onward(unit.name, 0, spot.path) if unit.parts else [(TRUE, during)]
            case "during":
                return [(TRUE, Spot(Moment("after", unit.name), spot.path))]
        if not around.parent:
            return []
        return self._once_more(unit, spot.path, lambda path: self._onward(around.parent, around.place + 1, path))

    def _once_more(self, unit: Unit, path: tuple[Any, ...], then: Callable[[tuple[Any, ...]], Found]) -> Found:
        """After a unit: it comes again, or what `then` finds in the unit around it."""
        if not _numbered(unit):
            return then(path)
        *outer, number = path
        again = number + 1 < self.how_many(unit.name, tuple(outer)) if unit.repeats else FALSE
        found = [(both(no(again), condition), spot) for condition, spot in then(tuple(outer))]
        following = Spot(Moment("before", unit.name), (*outer, number + 1))
        return [(again, following), *found] if unit.repeats else found

    def _onward(self, name: str, place: int, path: tuple[Any, ...]) -> Found:
        """The beginning of the first part from a place on that is there, or else the end of the whole."""
        found, missing = [], TRUE
        for part in self._around[name].unit.parts[place:]:
            n = self.how_many(part.name, path) if _numbered(part) else None
            first = path if n is None else (*path, 0)
            there = missing if n is None or not part.optional else both(missing, n > 0)
            found.append((there, Spot(Moment("before", part.name), first)))
            if not part.optional:
                return found
            missing = both(missing, same(n, 0))
        return [*found, (missing, Spot(Moment("after", name), path))]

    # -- axioms --

    def said(self, axiom: Axiom, name: str, path: tuple[Any, ...]) -> Iterator[Said]:
        """What an axiom says of a unit by itself, as a part of the one around it, and of the next unit after it."""
        unit, parent, place, numbered = self._around[name]
        about = _about(axiom)
        outer = self._around[parent].unit if parent else None
        around = path[: len(numbered) - _numbered(unit)]
        before, after = Spot(Moment("before", name), path), Spot(Moment("after", name), path)
        if axiom.says == "span" and about(unit):
            during = [] if unit.parts else [Spot(Moment("during", name), path)]
            yield from (Said(TRUE, *pair) for pair in pairwise([before, *during, after]))
        if axiom.says == "next" and about(unit):
            yield from (Said(condition, after, spot) for condition, spot in self._next(name, path, about)[0])
        if outer is None or not about(outer):
            return
        engaged = outer.engages and place == 0
        if axiom.says == ("engaging" if engaged else "outer first"):
            yield Said(TRUE, Spot(Moment("before", parent), around), before)
        if axiom.says == "inner last":
            yield Said(TRUE, after, Spot(Moment("after", parent), around))

    def _next(self, name: str, path: tuple[Any, ...], about: About) -> tuple[Found, Bool]:
        """The first unit of some kinds that begins once this one has ended, and when there surely is none."""
        unit, parent, place, _ = self._around[name]
        found, none = [], TRUE
        if unit.repeats:
            *outer, number = path
            again = number + 1 < self.how_many(name, tuple(outer))
            found, none = _where(again, self._first(unit, (*outer, number + 1), about)[0]), no(again)
        if not parent:
            return found, none
        around = path[:-1] if _numbered(unit) else path
        beside, no_more = self._among(self._around[parent].unit.parts[place + 1 :], around, about)
        found, none = found + _where(none, beside), both(none, no_more)
        further, no_more = self._next(parent, around, about)
        return found + _where(none, further), both(none, no_more)

    def _first(self, unit: Unit, path: tuple[Any, ...], about: About) -> tuple[Found, Bool]:
        """The first unit of some kinds in a unit, itself included, and when there surely is none."""
        if about(unit):
            return [(TRUE, Spot(Moment("before", unit.name), path))], FALSE
        return self._among(unit.parts, path, about)

    def _among(self, parts: Iterable[Unit], path: tuple[Any, ...], about: About) -> tuple[Found, Bool]:
        """The same of some parts. Where the first of any number of them has none in it, the search goes no further."""
        found, none = [], TRUE
        for part in parts:
            n = self.how_many(part.name, path) if _numbered(part) else None
            inside, empty = self._first(part, path if n is None else (*path, 0), about)
            found += _where(none if n is None else both(none, n > 0), inside)
            if n is not None:
                empty = same(n, 0) if part.repeats else either(same(n, 0), empty)
            none = both(none, empty)
        return found, none

    def axioms(self, law: Laws, units: Collection[tuple[str, tuple[Any, ...]]]) -> Bool:
        """All that the axioms say of these units, under their rules."""
        return every(
            self._filed(law, axiom, [each for name, path in units for each in self.said(axiom, name, path)])
            for axiom in self.ordering.axioms
        )

    def _filed(self, law: Laws, axiom: Axiom, said: Collection[Said]) -> Bool:
        relate = same if axiom.says == "engaging" else lambda one, other: one < other
        times = ((each.condition, self.time(each.one), self.time(each.other)) for each in said)
        return filed(law, axiom, every(when(condition, relate(one, other)) for condition, one, other in times))

    # -- what is proved --

    def consistent(self, law: Laws) -> Part:
        """Where moments pass in the order of their keys all axioms hold, so that they do not contradict one another."""
        said = {axiom: list(self._said_of_all(axiom)) for axiom in self.ordering.axioms}
        by_keys = [
            both(
                same(self.time(each.one) < self.time(each.other), self.earlier(each.one, each.other)),
                same(same(self.time(each.one), self.time(each.other)), self.alike(each.one, each.other)),
            )
            for each in (each for found in said.values() for each in found)
        ]
        return Part(every(self._filed(law, axiom, found) for axiom, found in said.items()), every(by_keys))

    def _said_of_all(self, axiom: Axiom) -> Iterator[Said]:
        """What an axiom says of any units; the next unit of a kind is any that begins later."""
        ends = [spot for spot in self.spots("one", merged=True) if spot.moment.edge == "after"]
        if axiom.says != "next":
            for end in ends:
                for each in self.said(axiom, end.moment.unit, end.path):
                    yield each._replace(condition=both(self.there(end), each.condition))
            return
        begins = [spot for spot in self.spots("other", merged=True) if spot.moment.edge == "before"]
        for end, begin in product(ends, begins):
            if all(_about(axiom)(self._around[spot.moment.unit].unit) for spot in (end, begin)):
                yield Said(self._later(end, begin), end, begin)

    def _later(self, end: Spot, begin: Spot) -> Bool:
        """Whether a unit begins later than the one that ends has begun, and is no part of it."""
        start = Spot(Moment("before", end.moment.unit), end.path)
        inner = begin.moment.unit in {unit.name for unit in self._around[end.moment.unit].unit.units()}
        within = every(map(same, end.path, begin.path)) if inner else FALSE
        return every([self.there(end), self.there(begin), self.earlier(start, begin), no(within)])

    def unique(self, law: Laws) -> Iterator[Part]:
        """Of any two moments the axioms say which is first: by induction from the last moment back.

        A part for each moment. Given that the one that follows it comes before all that have later keys, so does
        it; and nothing has a key between the two.
        """
        others = {other: self.there(other) for other in self.spots("other", merged=True)}
        same_ = self.axioms(law, [(o.moment.unit, o.path) for o in others if self._merged[o.moment] != o.moment])
        for spot in self.spots("one"):
            following = self.following(spot)
            around = {spot: None, **{after: None for _, after in following}}
            said = self.axioms(law, [unit for each in around for unit in self._together(each)])
            goals = [both(self.there(after), self.earlier(spot, after)) for _, after in following]
            goals = [when(condition, goal) for (condition, _), goal in zip(following, goals, strict=True)]
            for other, there in others.items():
                known = [
                    when(both(condition, self.earlier(after, other)), self.time(after) < self.time(other))
                    for condition, after in following
                ]
                later = when(self.earlier(spot, other), self.time(spot) < self.time(other))
                at_once = when(self.alike(spot, other), same(self.time(spot), self.time(other)))
                goals.append(when(every([there, *known]), both(later, at_once)))
            cases = tuple(condition for condition, _ in following)
            yield Part(every(goals), every([self.there(spot), said, same_]), cases)

    def _together(self, spot: Spot) -> list[tuple[str, tuple[Any, ...]]]:
        """The units of all moments that are this one."""
        first = self._merged[spot.moment]
        return [(moment.unit, spot.path) for moment, other in self._merged.items() if other == first]

    def counted(self, counting: Attribution, law: Laws) -> Part:
        """What waits after a unit that is counted counts to it; what waits before the next one counts to that one."""
        name = counting.first.unit
        numbered = self._around[name].numbered
        path = tuple(count(f"one.{name}") for name in numbered)
        following = (*path[:-1], path[-1] + 1)
        said = self.axioms(law, [(name, path), (name, following)])

        def to(number: tuple[Any, ...], time: Int) -> Bool:
            begun, ended = (self.time(Spot(counting.first, at)) for at in (number, (*path[:-1], number[-1] + 1)))
            last = number[-1] + 1 >= self.how_many(name, path[:-1])
            counts: Bool = law(counting.rule, both(begun <= time, either(last, time < ended)))
            return counts

        after, before = self.time(Spot(Moment("after", name), path)), self.time(Spot(Moment("before", name), following))
        more = self.there(Spot(Moment("before", name), following))
        next_ = [no(to(following, after)), no(to(path, before)), to(following, before)]
        goal = both(to(path, after), when(more, every(next_)))
        return Part(goal, both(self.there(Spot(Moment("after", name), path)), said), (more, no(more)))


def _numbered(unit: Unit) -> bool:
    return unit.repeats or unit.optional


def _about(axiom: Axiom) -> About:
    return lambda unit: not axiom.kinds or unit.kind in axiom.kinds


def _where(condition: Bool, found: Found) -> Found:
    return [(both(condition, further), spot) for further, spot in found]


@cache
def _of(name: str, path: tuple[Any, ...]) -> Int:
    """An unknown number for each path."""
    if not path:
        return count(name)
    return z3.Function(safe(name), *(z3.IntSort() for _ in path), z3.IntSort())(*path)


def _less(one: tuple[Any, ...], other: tuple[Any, ...]) -> Bool:
    """Whether digits come before others; digits that are known are compared at once."""
    if not one or not other:
        return FALSE
    (mine, *rest), (theirs, *others) = one, other
    if isinstance(mine, int) and isinstance(theirs, int):
        return (TRUE if mine < theirs else FALSE) if mine != theirs else _less(tuple(rest), tuple(others))
    return either(mine < theirs, both(same(mine, theirs), _less(tuple(rest), tuple(others))))
