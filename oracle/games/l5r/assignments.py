"""All assignments of units to battlefields, counted and indexed without listing them.

Every unit stays or goes to one of the battlefields: a product of small choices. Units of one name are
alike, so what counts for them is how many go to each battlefield.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from math import comb, prod

from msgspec import Struct

from oracle.game import Action, Counted
from oracle.zones import Bag, bag, kinds


def item(unit: str, field: int) -> str:
    """How an action says that a unit goes to the battlefield with this index."""
    return f"{unit} to {field + 1}"


def split(item: str) -> tuple[str, int]:
    """The unit and the index of the battlefield; -1 where the item names none."""
    unit, _, field = item.rpartition(" to ")
    number = int(field) if field.isdecimal() and field.isascii() and field == field.lstrip("0") else 0
    return (unit, number - 1) if unit and number else (item, -1)


class Assignments(Counted, Struct, frozen=True):
    """The actions `assign` of any of the units to any of these battlefields, given by their indices."""

    units: Bag
    fields: tuple[int, ...]

    @property
    def count(self) -> int:
        return prod(comb(copies + len(self.fields), copies) for _, copies in kinds(self.units))

    def __contains__(self, action: object, /) -> bool:
        if not isinstance(action, Action) or action.verb != "assign" or action.rest:
            return False
        sent = [split(each) for each in action.items]
        have, want = Counter(self.units), Counter(unit for unit, _ in sent)
        return all(field in self.fields for _, field in sent) and all(n <= have[unit] for unit, n in want.items())

    def nth(self, index: int) -> Action:
        """The assignment at a 0-based index. Raises `IndexError` outside."""
        if not 0 <= index < self.count:
            raise IndexError(index)
        sent: list[str] = []
        for unit, copies in kinds(self.units):
            index, digit = divmod(index, comb(copies + len(self.fields), copies))
            for field, n in zip(self.fields, _shares(copies, len(self.fields), digit), strict=True):
                sent += [item(unit, field)] * n
        return Action("assign", bag(sent))


def _shares(copies: int, fields: int, index: int) -> list[int]:
    """How many of some alike units go to each battlefield, at a 0-based index; the others stay."""
    shares: list[int] = []
    for later in reversed(range(fields)):
        for n in range(copies + 1):
            ways = comb(copies - n + later, later)
            if index < ways:
                break
            index -= ways
        shares.append(n)
        copies -= n
    return shares


def arrangement(action: Action) -> dict[int, list[str]]:
    """The units that an assignment sends to each battlefield."""
    out: dict[int, list[str]] = defaultdict(list)
    for each in action.items:
        unit, field = split(each)
        out[field].append(unit)
    return out
