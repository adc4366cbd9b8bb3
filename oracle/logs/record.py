"""Reading a log: JSON, one object a line, in the words of the protocol.

| line                                          | what it says                                                         |
|-----------------------------------------------|----------------------------------------------------------------------|
| `{"game", "edition", "setup"}`                | the first: what was played, from a start setup or `{"position"}`     |
| `{"player", "action"}`                        | an action taken, JSON or text; player null for what chance decided   |
| `{"events": [...]}`                           | what followed from it, or from the setup: at least what chance did   |
| `{"decision": {"player", "kind", "options"}}` | what was asked before the next action; may be left out               |
| `{"state": {...}}`                            | any fields of the position there; may be left out                    |
| `{"over": true, "winners", "scores"}`         | the last: the game was over                                          |

A field that a line does not have is an error, so that a misspelt one is noticed. Empty lines, and those that begin
with #, say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from oracle.conformance.protocol import Reported
from oracle.errors import BadAction, BadInput, BadPosition
from oracle.game import Action, Game

Json = Any
LARGEST = 50_000_000
"""Bytes of a log that are read at the most."""


class Head(Struct, forbid_unknown_fields=True):
    """What was played."""

    game: str
    edition: str | None = None
    setup: dict[str, Json] = field(default_factory=dict)


class Taken(Struct, forbid_unknown_fields=True):
    """An action taken."""

    player: str | None
    action: dict[str, Json] | str


class Question(Struct, forbid_unknown_fields=True):
    """Who was to choose, and from what."""

    player: str | None
    kind: Literal["action", "choice", "order", "chance"] | None = None
    options: list[dict[str, Json] | str] | None = None


class Asked(Struct, forbid_unknown_fields=True):
    """The line of a question."""

    decision: Question


class Told(Struct, forbid_unknown_fields=True):
    """The line of what happened."""

    events: list[Reported]


class Shown(Struct, forbid_unknown_fields=True):
    """The line of a position."""

    state: dict[str, Json]


class Over(Struct, forbid_unknown_fields=True):
    """The last line. `winners` and `scores` are checked where they are given."""

    over: Literal[True]
    winners: list[str] | None = None
    scores: dict[str, int] | None = None


KINDS: dict[str, type[Struct]] = {
    "game": Head,
    "action": Taken,
    "decision": Asked,
    "events": Told,
    "state": Shown,
    "over": Over,
}
"""The field by which each kind of line is known."""


class Stop(Struct):
    """A point of the play: what was asked and shown there, then what was done (the last one: nothing) and followed.

    It grows line by line while the log is read, as does its record: a copy for each line would take long for many.
    """

    line: int = 0
    asked: Question | None = None
    state: dict[str, Json] = {}
    taken: Taken | None = None
    action: Action | None = None
    events: list[Reported] = []


class Record(Struct):
    """A log. `over` is None where it breaks off."""

    file: str
    game: Game[Any]
    edition: str
    setup: dict[str, Json]
    stops: list[Stop]
    events: list[Reported] = []
    over: Over | None = None

    @property
    def actions(self) -> int:
        """How many actions were taken."""
        return sum(stop.taken is not None for stop in self.stops)


def read(file: str, load: Callable[[str], Game[Any]]) -> Record:
    """The log in a file; `load` gives a game by its name.

    Raises `BadInput` with file, line and column for what is no log, for a setup or an action that cannot be, and
    for a log in which nothing was done.
    """
    lines = list(_lines(file))
    if not lines:
        raise BadInput("there is nothing in this log", where=file, fix='a first line {"game": ..., "setup": {...}}')
    number, head = lines[0]
    if not isinstance(head, Head):
        raise BadInput(
            "a log begins with what is played", where=f"{file}:{number}:1", fix='{"game": ..., "setup": {...}}'
        )
    try:
        game = load(head.game)
    except BadInput as wrong:
        raise BadInput(wrong.message, where=f"{file}:{number}:1", fix=wrong.fix) from None
    edition = head.edition or game.editions[0]
    record = Record(file, game, edition, head.setup, [Stop()])
    _check_setup(record, number)
    for number, line in lines[1:]:
        _add(record, number, line)
    if not record.actions and record.over is None:
        raise BadInput("nothing was done in this log", where=file, fix='lines {"player": ..., "action": {...}}')
    return record


def _lines(file: str) -> Iterator[tuple[int, Struct]]:
    try:
        raw = Path(file).read_bytes()
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", where=file) from None
    if len(raw) > LARGEST:
        raise BadInput(f"the log is too large: at most {LARGEST // 1_000_000} MB are read", where=file)
    for number, line in enumerate(raw.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if line.strip() and not line.startswith(b"#"):
            yield number, _line(line, f"{file}:{number}")


def _line(line: bytes, where: str) -> Struct:
    try:
        text = line.decode()
        value = msgspec.json.decode(line)
    except UnicodeDecodeError as wrong:
        raise BadInput("the line is not UTF-8", where=f"{where}:{wrong.start + 1}") from None
    except RecursionError:
        raise BadInput("this is nested too deeply for a line of a log", where=f"{where}:1") from None
    except msgspec.DecodeError as wrong:
        place = re.search(r" \(byte (\d+)\)", str(wrong))
        column = len(line[: int(place[1])].decode(errors="replace")) + 1 if place else len(text) + 1
        says = str(wrong).removesuffix(place[0] if place else "")
        fix = "one JSON object a line; a log that was cut off may end in half of one"
        raise BadInput(f"this is no JSON: {says}", where=f"{where}:{column}", fix=fix) from None
    kind = next((kind for kind in KINDS if isinstance(value, dict) and kind in value), None)
    if kind is None:
        fix = f"an object with one of: {', '.join(KINDS)}"
        raise BadInput("this is no line of a log", where=f"{where}:1", fix=fix)
    try:
        return msgspec.convert(value, KINDS[kind])
    except msgspec.ValidationError as wrong:
        column = _column(text, str(wrong))
        fix = f"it may have: {', '.join(f.name for f in msgspec.structs.fields(KINDS[kind]))}"
        raise BadInput(f"{kind!r}: {wrong}", where=f"{where}:{column}", fix=fix) from None


def _column(text: str, wrong: str) -> int:
    """Where in a line the name stands that a complaint is about: a field it does not know, or the last of a path."""
    named = re.findall(r"unknown field `([^`]+)`", wrong) or re.findall(r"\.(\w+)", wrong.rpartition("at `$")[2])
    return max(text.find(f'"{named[-1]}"'), 0) + 1 if named else 1


def _check_setup(record: Record, number: int) -> None:
    given = {key: value for key, value in record.setup.items() if key != "seed"}
    try:
        if "position" in given:
            record.game.position(given["position"], record.edition)
        else:
            record.game.start(given, record.edition)
    except BadPosition as wrong:
        where = f"{record.file}:{number}:1"
        raise BadInput(
            f"this play cannot begin so: {wrong.where}: {wrong.message}", where=where, fix=wrong.fix
        ) from None
    except BadInput as wrong:
        raise BadInput(wrong.message, where=f"{record.file}:{number}:1", fix=wrong.fix) from None


def _add(record: Record, number: int, line: Struct) -> None:
    """Adds one more line to the record."""
    now = record.stops[-1]
    where = f"{record.file}:{number}:1"
    if record.over is not None:
        raise BadInput("the log goes on after its end", where=where, fix='{"over": true} is the last line')
    match line:
        case Taken():
            asked = now.asked
            if asked is not None and asked.player != line.player:
                says = f"{line.player or 'chance'} acts, but {asked.player or 'chance'} was asked"
                raise BadInput(says, where=where, fix="the player of the decision before")
            now.line, now.taken, now.action = number, line, _action(record, line.action, where)
            record.stops.append(Stop())
        case Asked():
            if now.asked is not None:
                raise BadInput(
                    "nobody has answered the decision before", where=where, fix='a line {"player", "action"}'
                )
            for option in line.decision.options or ():
                _action(record, option, where)
            now.line, now.asked = number, line.decision
        case Told():
            if now.asked is not None:
                raise BadInput("nothing can happen before the decision is answered", where=where)
            (record if len(record.stops) == 1 else record.stops[-2]).events.extend(line.events)
        case Shown():
            now.line = number
            now.state.update(line.state)
        case Over():
            record.over = line
        case _:
            raise BadInput("a log has one first line", where=where, fix="another play in another file")


def _action(record: Record, value: Json, where: str) -> Action:
    try:
        return record.game.read(value)
    except BadAction as wrong:
        raise BadInput(wrong.message, where=where, fix=wrong.fix) from None
