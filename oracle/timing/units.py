"""Units of game time and their edges.

A unit (round, turn, phase, step) has parts; every unit has a moment before it and one after it, and
a unit without parts has a time during it. In which order moments pass is not said here: see `ordering.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

Edge = Literal["before", "during", "after"]


class Moment(Struct, frozen=True):
    """A point of game time, written `before turn` or `during buy phase`."""

    edge: Edge
    unit: str

    def __str__(self) -> str:
        return f"{self.edge} {self.unit}"


class Unit(Struct, frozen=True):
    """A span of game time and the spans it is made of, in order.

    One that `repeats` may come several times, one that is `optional` may be left out: whether it is, the
    game says. One that `engages` starts together with its first part. `kind` is the sort of unit that rules
    on the order of moments speak of ("phase"); without one, no such rule is particular about it.
    """

    name: str
    parts: tuple[Unit, ...] = ()
    repeats: bool = False
    optional: bool = False
    engages: bool = False
    kind: str = ""

    def units(self) -> Iterator[Unit]:
        """The unit and all that it is made of, in the order in which they begin."""
        yield self
        for part in self.parts:
            yield from part.units()

    def moments(self) -> Iterator[Moment]:
        """All moments of the unit; where nothing else is known of their order, the order in which they pass."""
        yield Moment("before", self.name)
        for part in self.parts:
            yield from part.moments()
        if not self.parts:
            yield Moment("during", self.name)
        yield Moment("after", self.name)

    def without(self, name: str) -> Unit:
        """The unit with a part of that name, however deep, left out."""
        return self._parts(lambda part: () if part.name == name else (part.without(name),))

    def doubled(self, name: str, mark: str = " again") -> Unit:
        """The unit with a part of that name, however deep, twice in a row; names in the second have a mark."""
        return self._parts(
            lambda part: (part, part.renamed(mark)) if part.name == name else (part.doubled(name, mark),)
        )

    def unrolled(self, times: int) -> Unit:
        """The unit with every part that repeats so many times, numbered: `turn 1`, `battle 1.2`."""

        def copies(part: Unit) -> tuple[Unit, ...]:
            part = part.unrolled(times)
            if not part.repeats:
                return (part,)
            return tuple(replace(part, repeats=False).renamed(f" {i}") for i in range(1, times + 1))

        return self._parts(copies)

    def renamed(self, mark: str) -> Unit:
        """The unit with a mark at every name in it; a number goes before numbers that are there."""
        head, _, tail = self.name.rpartition(" ")
        numbered = mark.strip().isdecimal() and head and tail.replace(".", "").isdecimal()
        name = f"{head}{mark}.{tail}" if numbered else self.name + mark
        return replace(self, name=name, parts=tuple(part.renamed(mark) for part in self.parts))

    def _parts(self, change: Callable[[Unit], tuple[Unit, ...]]) -> Unit:
        return replace(self, parts=tuple(new for part in self.parts for new in change(part)))
