"""Positions told briefly: without what a position file need not say, and still one that can be pasted into it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from textwrap import wrap
from typing import Any

from oracle.casebook.writing import as_yaml
from oracle.errors import BadInput
from oracle.game import Action, Game
from oracle.report.text import WIDTH
from oracle.zones import bag, kinds

Json = Any
MANY = 6
"""Counts by name, such as those of supply piles, that are told in full at the most."""
ALWAYS = ("players", "turn", "phase", "under way")
"""Fields that are told although they are as by default: a reader looks for them first."""

_INSIDE = re.compile("(?<!,) ")


def telling(position: Mapping[str, Json]) -> dict[str, Json]:
    """A position without what says nothing: empty lists, and counts that its lists show anyway."""
    told = {key: telling(value) if isinstance(value, Mapping) else value for key, value in position.items()}
    shown = {key: value for key, value in told.items() if value not in (None, [], {}) and value is not False}
    return {key: value for key, value in shown.items() if not _counts_a_list(key, told)}


def _counts_a_list(key: str, told: Mapping[str, Json]) -> bool:
    return key.endswith(" size") and key.removesuffix(" size") in told


def brief(game: Game[Any], position: Mapping[str, Json], edition: str, about: str) -> tuple[dict[str, Json], str]:
    """The fields that make the position what it is, and a note of how many counts by name were left out.

    Left out is what the game takes for granted (the same state comes of the rest), and of many counts by name
    those that are not zero and that `about` does not name. Where the position cannot be read, only the latter.
    """
    told, out = {}, []
    for key, value in telling(position).items():
        counts = isinstance(value, Mapping) and len(value) > MANY and all(type(n) is int for n in value.values())
        kept = {name: n for name, n in value.items() if not n or name in about} if counts else value
        if left := len(value) - len(kept) if counts else 0:
            out.append(f"{key}: {left} more, with --verbose")
        told[key] = _counted(kept) if key in game.bags else kept
    read = _reader(game, edition)
    whole = read(told)
    for key in tuple(told) if whole is not None else ():
        rest = {field: value for field, value in told.items() if field != key}
        if key not in ALWAYS and read(rest) == whole:
            told = rest
    return {key: value for key, value in told.items() if value not in ({}, [])}, "; ".join(out)


def _reader(game: Game[Any], edition: str) -> Any:
    def read(told: Mapping[str, Json]) -> Any:
        try:
            return game.position({key: value for key, value in told.items() if key != "under way"}, edition)
        except BadInput:
            return None

    return read


def _counted(value: Json) -> Json:
    """Lists without order, each name with how often it is there: "4 Copper"."""
    if isinstance(value, Mapping):
        return {key: _counted(item) for key, item in value.items()}
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return list(_times(value))
    return value


def _times(names: Iterable[str]) -> Iterable[str]:
    return (name if n == 1 else f"{n} {name}" for name, n in kinds(bag(names)))


def action(game: Game[Any], text: str) -> str:
    """The text of an action, equal items of an unordered list counted: `draw 4 Copper, Estate`."""
    try:
        read = game.read(text)
    except BadInput:
        return text
    verb = game.verbs[read.verb]
    if not verb.many or verb.ordered or verb.parts:
        return text
    return game.text(Action(read.verb, tuple(_times(read.items))))


def flow(field: str, value: Json, left: str, note: str = "") -> str:
    """The field as YAML on as few lines as hold it, each after `left`; a note follows as a comment."""
    text = as_yaml({field: value}, width=10**9, flow=True).strip().removeprefix("{").removesuffix("}")
    # Lines are broken between items alone.
    lines = wrap(
        _INSIDE.sub("\0", text),
        WIDTH,
        initial_indent=left,
        subsequent_indent=f"{left}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    if note and len(lines[-1]) + len(note) + 4 <= WIDTH:
        lines[-1] += f"  # {note}"
    elif note:
        lines.append(f"{left}  # {note}")
    return "\n".join(lines).replace("\0", " ")
