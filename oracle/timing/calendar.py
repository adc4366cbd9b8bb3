"""Units of game time and their edges.

A unit (round, turn, phase, step) has parts; every unit has a moment before it and one after it, and
a unit without parts has a time during it. "Before" an outer unit comes before "before" its first
part, and "after" the last part before "after" the outer unit. A part may repeat, as turns do in a
round: whether it comes once more is the game's to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

Edge = Literal["before", "during", "after"]


class Moment(Struct, frozen=True):
    """A point of game time, written `before turn` or `during buy phase`."""

    edge: Edge
    unit: str

    def __str__(self) -> str:
        return f"{self.edge} {self.unit}"


class Unit(Struct, frozen=True):
    """A span of game time and the spans it is made of, in order; one that `repeats` may come several times."""

    name: str
    parts: tuple[Unit, ...] = ()
    repeats: bool = False

    def units(self) -> Iterator[Unit]:
        """The unit and all that it is made of."""
        yield self
        for part in self.parts:
            yield from part.units()

    def moments(self) -> Iterator[Moment]:
        """All moments of the unit, in the order they pass."""
        yield Moment("before", self.name)
        for part in self.parts:
            yield from part.moments()
        if not self.parts:
            yield Moment("during", self.name)
        yield Moment("after", self.name)


class Calendar:
    """The moments of one unit in order, each with the one that follows it."""

    __slots__ = ("_again", "_next", "first", "moments")

    def __init__(self, unit: Unit) -> None:
        self.moments = tuple(unit.moments())
        self.first = self.moments[0]
        self._next = dict(zip(self.moments, self.moments[1:], strict=False))
        repeating = [part.name for part in unit.units() if part.repeats]
        self._again = {Moment("after", name): Moment("before", name) for name in repeating}

    def following(self, moment: Moment, again: bool = False) -> Moment | None:
        """The next moment; None after the last. With `again`, the unit that ends here comes once more.

        Raises `KeyError` for `again` where no unit that repeats ends.
        """
        return self._again[moment] if again else self._next.get(moment)

    def comes(self, moment: Moment, *, after: Moment) -> bool:
        """Whether a moment of the unit is still to come after another one. Raises `ValueError` for others."""
        return self.moments.index(moment) > self.moments.index(after)

    def __contains__(self, moment: object) -> bool:
        return moment in self.moments
