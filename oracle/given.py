"""Reading a position as a person writes it: what the `given:` of every game is made of.

Each function takes a value and the path that leads to it, and raises `BadPosition` with that path.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from oracle.errors import BadPosition
from oracle.zones import Bag, Deck, bag, kinds

Path = tuple[str | int, ...]
MOST_COPIES = 200
"""Copies of a card that one entry of a list may stand for."""
MOST_DIGITS = 20
"""Digits of their number, leading zeros included."""


def bad(message: str, path: Path, fix: str = "") -> NoReturn:
    """Raises `BadPosition`: what is wrong, where, and what would be right."""
    raise BadPosition(message, path, fix=fix)


def known(word: object, words: Collection[str], what: str, path: Path) -> str:
    """The word, which must be one of `words`; `what` names their kind."""
    if isinstance(word, str) and word in words:
        return word
    folded = {name.casefold(): name for name in words}
    near = [folded[name] for name in get_close_matches(str(word).casefold(), folded, n=1)]
    some = ", ".join(list(words)[:33]) + (", ..." if len(words) > 33 else "")
    bad(f"unknown {what} {word!r}", path, f"did you mean {near[0]!r}?" if near else f"known: {some or 'none'}")


_NAME = re.compile(r"[^\W\d_](?:[^,\n]*[^,\s])?")


def a_name(value: object, what: str, path: Path) -> str:
    """The value, which must be a name that can stand in the text of an action; `what` says whose."""
    if not isinstance(value, str) or not _NAME.fullmatch(value) or value == "nothing":
        bad(f"{value!r} cannot name a {what}", path, "a text that begins with a letter, without commas")
    return value


def fields(given: Mapping[str, Any], words: Collection[str], what: str = "field", path: Path = ()) -> None:
    """Checks that a mapping has no other fields than these."""
    for field in given:
        known(field, words, what, (*path, field))


def mapping(value: object, path: Path) -> Mapping[str, Any]:
    """The value, which must be a mapping."""
    if not isinstance(value, Mapping):
        bad(f"{value!r} is no mapping", path, "write `name: value` pairs")
    return value


def listing(value: object, path: Path) -> Sequence[Any]:
    """The value, which must be a list."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        bad(f"{value!r} is no list", path, "write [item, item]")
    return value


def count(value: object, path: Path, most: int = 10_000, least: int = 0) -> int:
    """The value, which must be a whole number from `least` to `most`."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        bad(f"{value!r} is no count", path, f"a whole number from {least} to {most}")
    return value


def flag(value: object, path: Path) -> bool:
    """The value, which must be true or false."""
    if not isinstance(value, bool):
        bad(f"{value!r} is neither true nor false", path, "true or false")
    return value


def copies(value: object, path: Path) -> Iterator[tuple[Any, Path]]:
    """The items of a list, each with its path; `"3 Estate"` stands for three of them."""
    for i, item in enumerate(listing(value, path)):
        yield from _several(item, (*path, i))


def _several(item: object, path: Path) -> Iterator[tuple[Any, Path]]:
    number, _, name = item.partition(" ") if isinstance(item, str) else ("", "", "")
    if number.isdecimal() and name:
        if len(number) > MOST_DIGITS:
            bad(f"a number of {len(number):,} digits is no count", path, f"a whole number from 0 to {MOST_COPIES}")
        yield from [(name, path)] * count(int(number), path, MOST_COPIES)
    else:
        yield item, path


Read = Callable[[object, Path], str]
"""Checks the name of a card."""


def cards(value: object, path: Path, read: Read) -> Bag:
    """A bag of cards."""
    return bag(read(item, at) for item, at in copies(value, path))


def deck(value: object, path: Path, read: Read) -> Deck:
    """A deck, top first; a nested list is a shuffled bag."""
    layers: list[Bag] = []
    for i, item in enumerate(listing(value, path)):
        if isinstance(item, Sequence) and not isinstance(item, str):
            layers.append(cards(item, (*path, i), read))
        else:
            layers += [(read(name, at),) for name, at in _several(item, (*path, i))]
    return tuple(layer for layer in layers if layer)


def written(deck: Deck) -> list[str | list[str]]:
    """A deck as a position writes it."""
    return [
        layer[0] if len(layer) == 1 else [name if n == 1 else f"{n} {name}" for name, n in kinds(layer)]
        for layer in deck
    ]
