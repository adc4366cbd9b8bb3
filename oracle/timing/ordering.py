"""What a game's text says about the order of moments, and what only a ruling says: data, each with a rule id.

An `Ordering` is a set of axioms. From them follows in which order the moments of a unit pass, or which
pairs of them nothing decides, and why one moment comes before another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from itertools import combinations
from typing import Literal

from msgspec import Struct

from oracle.timing.units import Moment, Unit

Pair = tuple[Moment, Moment]
Says = Literal["span", "next", "outer first", "inner last", "engaging"]
"""What an axiom says:

| word          | meaning                                                                             |
|---------------|-------------------------------------------------------------------------------------|
| `span`        | before X, then during X, then after X                                               |
| `next`        | after X comes before "before" the next X (the next unit of the kinds it is about)   |
| `outer first` | before a larger unit comes before "before" a unit in it, unless they start together |
| `inner last`  | after a unit comes before "after" the larger one that it is in                      |
| `engaging`    | before a unit that engages, and before its first part, are one moment               |
"""


class Axiom(Struct, frozen=True):
    """One rule on the order of moments. `kinds` are the units it speaks of (none: all); `ruling`: not in the text."""

    rule: str
    says: Says
    kinds: tuple[str, ...] = ()
    ruling: bool = False

    def pairs(self, unit: Unit) -> Iterator[Pair]:
        """The pairs of moments of the unit of which it says that one comes before the other, or is the other."""
        return (pair for pair in _SAYS[self.says](unit, self._about))

    def _about(self, unit: Unit) -> bool:
        return not self.kinds or unit.kind in self.kinds


About = Callable[[Unit], bool]


def _span(unit: Unit, about: About) -> Iterator[Pair]:
    for each in filter(about, unit.units()):
        before, during, after = (Moment(edge, each.name) for edge in ("before", "during", "after"))
        yield from [(before, after)] if each.parts else [(before, during), (during, after)]


def _next(unit: Unit, about: About) -> Iterator[Pair]:
    every = list(unit.units())
    for i, each in enumerate(every):
        if about(each):
            later = every[i + len(list(each.units())) :]
            yield from ((Moment("after", each.name), Moment("before", u.name)) for u in list(filter(about, later))[:1])


def _outer_first(unit: Unit, about: About) -> Iterator[Pair]:
    for outer in unit.units():
        for part in outer.parts[1 if outer.engages else 0 :]:
            if about(outer):
                yield Moment("before", outer.name), Moment("before", part.name)


def _inner_last(unit: Unit, about: About) -> Iterator[Pair]:
    for outer in filter(about, unit.units()):
        yield from ((Moment("after", part.name), Moment("after", outer.name)) for part in outer.parts)


def _engaging(unit: Unit, about: About) -> Iterator[Pair]:
    for outer in filter(about, unit.units()):
        if outer.engages and outer.parts:
            yield Moment("before", outer.name), Moment("before", outer.parts[0].name)


_SAYS: dict[Says, Callable[[Unit, About], Iterator[Pair]]] = {
    "span": _span,
    "next": _next,
    "outer first": _outer_first,
    "inner last": _inner_last,
    "engaging": _engaging,
}


class Ordering(Struct, frozen=True):
    """The axioms of one game."""

    axioms: tuple[Axiom, ...]

    def __sub__(self, rules: Collection[str]) -> Ordering:
        """What is left without the axioms of these rules."""
        return Ordering(tuple(axiom for axiom in self.axioms if axiom.rule not in rules))

    def merged(self, unit: Unit) -> dict[Moment, Moment]:
        """For every moment the one that stands for it: itself, or the outermost one that it is the same as."""
        same = {
            later: earlier for axiom in self.axioms if axiom.says == "engaging" for earlier, later in axiom.pairs(unit)
        }
        out: dict[Moment, Moment] = {}
        for moment in unit.moments():
            out[moment] = out[same[moment]] if moment in same else moment
        return out

    def order(self, unit: Unit) -> tuple[Moment, ...]:
        """The moments of the unit as they pass. Raises `ValueError` where the axioms leave a pair undecided."""
        after = self._after(unit)
        waits = dict.fromkeys(after, 0)
        for later in after.values():
            for moment in later:
                waits[moment] += 1
        out: list[Moment] = []
        free = [moment for moment, n in waits.items() if n == 0]
        while free:
            if len(free) > 1:
                raise ValueError(f"nothing says which comes first: {free[0]} or {free[1]}")
            out.append(free.pop())
            for moment in after[out[-1]]:
                waits[moment] -= 1
                if waits[moment] == 0:
                    free.append(moment)
        if len(out) < len(after):
            raise ValueError("the axioms contradict one another")
        return tuple(out)

    def undecided(self, unit: Unit) -> list[Pair]:
        """The pairs of moments of which the axioms do not say which comes first. Raises `ValueError` for a cycle."""
        after = self._after(unit)
        reach: dict[Moment, frozenset[Moment]] = {}

        def reached(moment: Moment, above: tuple[Moment, ...] = ()) -> frozenset[Moment]:
            if moment in above:
                raise ValueError("the axioms contradict one another")
            if moment not in reach:
                further = [reached(later, (*above, moment)) for later in after[moment]]
                reach[moment] = frozenset(after[moment]).union(*further)
            return reach[moment]

        decided = {(moment, later) for moment in after for later in reached(moment)}
        return [pair for pair in combinations(after, 2) if pair not in decided and pair[::-1] not in decided]

    def why(self, unit: Unit, earlier: Moment, later: Moment) -> tuple[Axiom, ...]:
        """The fewest axioms, in the order they apply, by which one moment comes before another; none if it does not."""
        merged = self.merged(unit)
        reasons: dict[Moment, dict[Moment, Axiom]] = defaultdict(dict)
        for axiom in self.axioms:
            if axiom.says != "engaging":
                for one, other in axiom.pairs(unit):
                    reasons[merged[one]].setdefault(merged[other], axiom)
        paths: dict[Moment, tuple[Axiom, ...]] = {merged[earlier]: ()}
        queue = [merged[earlier]]
        for moment in queue:
            for following, axiom in reasons[moment].items():
                if following not in paths:
                    paths[following] = (*paths[moment], axiom)
                    queue.append(following)
        return paths.get(merged[later], ())

    def _after(self, unit: Unit) -> dict[Moment, dict[Moment, None]]:
        """For every moment those that an axiom puts after it."""
        merged = self.merged(unit)
        after: dict[Moment, dict[Moment, None]] = {moment: {} for moment in merged.values()}
        for axiom in self.axioms:
            if axiom.says != "engaging":
                for one, other in axiom.pairs(unit):
                    after[merged[one]][merged[other]] = None
        return after


NESTED = Ordering(tuple(Axiom("", says) for says in ("span", "next", "outer first", "inner last", "engaging")))
"""The order where a game's text has nothing particular: what is inside a unit passes between its edges."""


class Attribution(Struct, frozen=True):
    """To which turn a moment between two turns counts ("once per turn", "next turn"): the game's own to say.

    `first` is the first moment that counts to the coming turn; all from the end of a turn up to it count to that one.
    """

    first: Moment
    rule: str = ""

    def begins(self, moment: Moment) -> bool:
        """Whether counting passes on to the coming turn here."""
        return moment == self.first
