"""The moments of a unit one after the other, as its game orders them."""

from __future__ import annotations

from itertools import pairwise

from oracle.timing.ordering import NESTED, Axiom, Ordering
from oracle.timing.units import Moment, Unit


class Calendar:
    """The moments of one unit in order, each with the one that follows it; the order is derived from axioms.

    Raises `ValueError` if the axioms leave a pair of moments undecided.
    """

    __slots__ = ("_again", "_merged", "_next", "_skip", "_why", "first", "moments", "ordering", "unit")

    def __init__(self, unit: Unit, ordering: Ordering = NESTED) -> None:
        self.unit = unit
        self.ordering = ordering
        self.moments = ordering.order(unit)
        self.first = self.moments[0]
        self._merged = ordering.merged(unit)
        self._next = dict(pairwise(self.moments))
        self._again: dict[Moment, Moment] = {}
        self._skip: dict[Moment, Moment] = {}
        self._why: dict[tuple[Moment, Moment], tuple[Axiom, ...]] = {}
        for part in unit.units():
            before, after = Moment("before", part.name), Moment("after", part.name)
            if part.repeats:
                twice = dict(pairwise(ordering.order(unit.doubled(part.name))))
                self._again[after] = Moment(twice[after].edge, twice[after].unit.removesuffix(" again"))
            if part.optional:
                others = dict(pairwise(ordering.order(unit.without(part.name))))
                previous = next(moment for moment, following in self._next.items() if following == before)
                self._skip[previous] = others[previous]

    def following(self, moment: Moment, again: bool = False, skip: bool = False) -> Moment | None:
        """The next moment; None after the last.

        With `again` the unit that ends here comes once more, with `skip` the optional unit that would begin next
        is left out. Raises `KeyError` where no unit that repeats ends, or none that is optional would begin.
        """
        if again:
            return self._again[moment]
        return self._skip[moment] if skip else self._next.get(moment)

    def canonical(self, moment: Moment) -> Moment:
        """The moment that stands for this one: units that start together have one. Raises `KeyError` for none here."""
        return self._merged[moment]

    def together(self, moment: Moment) -> tuple[tuple[Moment, ...], tuple[str, ...]]:
        """The other moments that this one stands for, and the rules by which they are one."""
        others = tuple(other for other, same in self._merged.items() if same == moment and other != moment)
        rules = (axiom.rule for axiom in self.ordering.axioms if axiom.says == "engaging" and axiom.rule)
        return others, tuple(dict.fromkeys(rules)) if others else ()

    def within(self, moment: Moment) -> tuple[str, ...]:
        """The units that a moment belongs to, the largest first: an edge of a unit lies in the larger ones only."""

        def path(unit: Unit) -> tuple[str, ...] | None:
            if unit.name == moment.unit:
                return (unit.name,) if moment.edge == "during" else ()
            inner = next((found for part in unit.parts if (found := path(part)) is not None), None)
            return None if inner is None else (unit.name, *inner)

        return path(self.unit) or ()

    def axioms(self, earlier: Moment, later: Moment) -> tuple[Axiom, ...]:
        """The axioms by which one moment comes before another, or before its next occurrence, in the order they apply.

        None if it does not.
        """
        if (earlier, later) not in self._why:
            times = [(self.unit, later)]
            times += [
                (self.unit.doubled(part.name), Moment(later.edge, f"{later.unit} again"))
                for part in self.unit.units()
                if part.repeats and any(unit.name == later.unit for unit in part.units())
            ]
            found = (self.ordering.why(unit, earlier, moment) for unit, moment in times)
            self._why[earlier, later] = next((axioms for axioms in found if axioms), ())
        return self._why[earlier, later]

    def why(self, earlier: Moment, later: Moment) -> tuple[str, ...]:
        """The rules of these axioms, each once."""
        return tuple(dict.fromkeys(axiom.rule for axiom in self.axioms(earlier, later) if axiom.rule))

    def comes(self, moment: Moment, *, after: Moment) -> bool:
        """Whether a moment of the unit is still to come after another one. Raises `ValueError` for others."""
        return self.moments.index(moment) > self.moments.index(after)

    def __contains__(self, moment: object) -> bool:
        return moment in self._merged
