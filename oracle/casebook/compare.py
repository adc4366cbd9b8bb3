"""Compares what a case expects of a position with the position: mappings in part, lists in full."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from oracle.casebook.schema import closest

Json = Any
_COPIES = re.compile(r"([1-9][0-9]{0,8}) (\S.*)")
Runs = tuple[tuple[Any, int], ...]


class Difference(Struct, frozen=True):
    """One place where the two differ: the way there, both sides as text, and whether the field exists at all."""

    route: tuple[str | int, ...]
    expected: str
    found: str
    unknown: bool = False


def differences(
    expected: Mapping[str, Json], found: Mapping[str, Json], bags: Collection[str] = ()
) -> Iterator[Difference]:
    """Where `found` is not what `expected` says of it.

    Mappings are compared in the keys that `expected` has (an empty one: must be empty), lists in
    full and in order. In a field of `bags`, and in a list that lies in a list, order means nothing.
    `"3 Copper"` stands for three times `Copper`.
    """
    for key, value in expected.items():
        if key not in found:
            near = closest(key, found)
            has = f"no such field; {near or 'there are: ' + ', '.join(found)}"
            yield Difference((key,), show(value), has, unknown=True)
        else:
            yield from _compare(value, found[key], (key,), key in bags)


def show(value: Json) -> str:
    """A value on one line, as it could stand in a case."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {show(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(show, value)) + "]"
    words = {None: "null", True: "true", False: "false"}
    return words[value] if value is None or isinstance(value, bool) else str(value)


def same_list(expected: Sequence[Json], found: Sequence[Json], *, bag: bool = False) -> bool:
    """Whether two lists hold the same, in the same order unless they are bags."""
    return bool(_canonical(expected, bag) == _canonical(found, bag))


def _compare(expected: Json, found: Json, route: tuple[str | int, ...], bag: bool) -> Iterator[Difference]:
    if isinstance(expected, Mapping) and expected and isinstance(found, Mapping):
        for key, value in expected.items():
            if key in found:
                yield from _compare(value, found[key], (*route, key), bag)
            else:
                yield Difference((*route, key), show(value), f"nothing; there are: {', '.join(found) or 'none'}")
    elif isinstance(expected, list | tuple) and isinstance(found, list | tuple):
        if not any(isinstance(item, Mapping) for item in (*expected, *found)):
            if not same_list(expected, found, bag=bag):
                yield Difference(route, show(expected), show(found) + _surplus(expected, found))
        elif len(expected) != len(found):
            yield Difference(route, show(expected), show(found))
        else:
            for i, (one, other) in enumerate(zip(expected, found, strict=True)):
                yield from _compare(one, other, (*route, i), bag)
    elif type(expected) is not type(found) or expected != found:
        yield Difference(route, show(expected), show(found))


def _runs(items: Sequence[Json]) -> Iterator[tuple[Any, int]]:
    for item in items:
        if isinstance(item, list | tuple):
            inner = Counter[Any]()
            for name, copies in _runs(item):
                inner[name] += copies
            if len(inner) == 1:
                # Cards that are all alike lie in a known order, whatever was shuffled.
                yield from inner.items()
            elif inner:
                yield frozenset(inner.items()), 1
        elif isinstance(item, str) and (several := _COPIES.fullmatch(item)):
            yield several[2], int(several[1])
        else:
            yield (item if isinstance(item, str) else (type(item).__name__, item)), 1


def _canonical(items: Sequence[Json], bag: bool) -> Any:
    if bag:
        counted = Counter[Any]()
        for name, copies in _runs(items):
            counted[name] += copies
        return counted
    merged: list[tuple[Any, int]] = []
    for name, copies in _runs(items):
        if merged and merged[-1][0] == name:
            copies += merged.pop()[1]
        merged.append((name, copies))
    return merged


def _surplus(expected: Sequence[Json], found: Sequence[Json]) -> str:
    want, have = _canonical(expected, True), _canonical(found, True)
    parts = [
        f"{word} {', '.join(f'{n} {name}' if n > 1 else str(name) for name, n in counts.items())}"
        for word, counts in (("missing", want - have), ("extra", have - want))
        if counts and all(isinstance(name, str) for name in counts)
    ]
    return f" ({'; '.join(parts)})" if parts else ("" if want != have else " (the order differs)")
