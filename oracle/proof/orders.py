"""The order of moments for a solver: what axioms say of a unit, as facts about numbers, under their rules.

For units whose parts come any number of times see `courses.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import z3

from oracle.proof.claims import Part
from oracle.proof.laws import Laws
from oracle.proof.terms import Bool, Int, count, every, is_literal, same
from oracle.timing import Axiom, Moment, Ordering, Unit

Pair = tuple[Moment, Moment]


class Moments:
    """The moments of one unit as unknown numbers, and all that an ordering says of them."""

    def __init__(self, unit: Unit, ordering: Ordering, law: Laws) -> None:
        self.unit = unit
        self.ordering = ordering
        self._law = law

    def said(self, ordering: Ordering) -> Bool:
        """All axioms of an ordering together."""
        return every(map(self._axiom, ordering.axioms))

    def _axiom(self, axiom: Axiom) -> Bool:
        relate = same if axiom.says == "engaging" else lambda one, other: one < other
        says = every(relate(_number(one), _number(other)) for one, other in axiom.pairs(self.unit))
        return filed(self._law, axiom, says)

    def decided(self, by: Ordering, pairs: Iterable[Pair]) -> Part:
        """Of these pairs, each given as it stands in the whole order, the axioms decide what Python says they do.

        What `Ordering.undecided` does not list has to hold; what it lists has to be possible both ways.
        """
        open_ = set(by.undecided(self.unit))
        undecided, decided = list[Pair](), list[Pair]()
        for pair in pairs:
            (undecided if {pair, pair[::-1]} & open_ else decided).append(pair)
        ways = [undecided, *([(other, one) for one, other in alike] for alike in _turning(undecided, decided))]
        cases = tuple(every(_first(*pair) for pair in way) for way in ways if way)
        return Part(every(_first(*pair) for pair in decided), self.said(by), cases)

    def adjacent(self) -> Iterator[Pair]:
        """Each moment with the one that follows it, by all axioms of the ordering."""
        return pairwise(self.ordering.order(self.unit))


def _turning(undecided: Iterable[Pair], decided: Iterable[Pair]) -> Iterator[list[Pair]]:
    """The undecided pairs in groups: where the first of a group is the other way round, so are the rest.

    The widest apart come first: with `b` before `a` all that is before `b` comes before all that is after `a`.
    """
    known = set(decided)
    left = list(undecided)

    def comes(one: Moment, other: Moment) -> bool:
        return one == other or (one, other) in known

    while left:
        widest = max(left, key=lambda pair: sum(comes(pair[0], a) and comes(b, pair[1]) for a, b in left))
        group = [(a, b) for a, b in left if comes(widest[0], a) and comes(b, widest[1])]
        yield group
        left = [pair for pair in left if pair not in group]


def _first(one: Moment, other: Moment) -> Bool:
    first: Bool = _number(one) < _number(other)
    return first


def _number(moment: Moment) -> Int:
    return count(str(moment))


def filed(law: Laws, axiom: Axiom, says: Bool) -> Bool:
    """What an axiom says, under its rule; one without a rule is the meaning of the words."""
    filed: Bool = law(axiom.rule, says) if axiom.rule and not is_literal(says) else says
    return filed


def turned(says: Any, same_too: bool = False) -> Any:
    """What an axiom says, with all its moments the other way round, as a reading may have it.

    With `same_too` moments that are one come one after the other instead.
    """
    if z3.is_and(says) or z3.is_or(says):  # a disjunction is a condition, and what is said under it
        *others, last = says.children()
        kept = others if z3.is_or(says) else [turned(each, same_too) for each in others]
        return (z3.Or if z3.is_or(says) else z3.And)(*kept, turned(last, same_too))
    if same_too and z3.is_eq(says) and z3.is_int(says.arg(0)):
        return says.arg(0) < says.arg(1)
    return says.arg(1) < says.arg(0) if z3.is_lt(says) else says
