"""YAML files read safely, with the line and column of every value.

Only plain data passes: mappings with text keys, lists, texts, numbers, true, false and null. What
YAML 1.1 would turn into something else (`on`, `no`, `12:30`, `2024-01-01`) stays the text that it
looks like. Files that are too large, too deep or use aliases are refused before they can cost
memory or stack: nothing here recurses, and a file's size is looked at before its content.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import yaml
from msgspec import Struct

from oracle.errors import BadInput, BadPosition

MAX_BYTES = 2_000_000
"""The largest file that is read, in bytes."""
MAX_DEPTH = 50
"""How many lists and mappings may lie in one another."""
MAX_VALUES = 200_000
"""How many values a file may hold."""

Json = Any
Route = tuple[str | int, ...]
"""The way from the top of a document to a value: keys and 0-based indices."""
Place = tuple[int, int]
"""Line and column, both from 1."""

_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+")
_WORDS: dict[str, bool | None] = {"": None, "~": None, "null": None, "Null": None, "NULL": None}
_WORDS |= {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_MAX_DIGITS = 15
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Document(Struct, frozen=True):
    """A file's data, and where each value of it stands.

    `values` and `keys` hold the places by route; `written` the text of each number as it stands in
    the file, so that a message can repeat `1.10` as it was meant.
    """

    file: str
    data: Json
    values: dict[Route, Place]
    keys: dict[Route, Place]
    written: dict[Route, str]

    def place(self, route: Sequence[str | int], *, key: bool = False) -> Place:
        """Line and column of the value at the route, or of the nearest value that holds it.

        With `key`, of the key that names it, where it has one.
        """
        at = tuple(route)
        while at and at not in self.values:
            at = at[:-1]
        if key and at in self.keys and at == tuple(route):
            return self.keys[at]
        return self.values.get(at, (1, 1))

    def where(self, route: Sequence[str | int] = (), *, key: bool = False) -> str:
        """The place as `file:line:column`."""
        line, column = self.place(route, key=key)
        return f"{self.file}:{line}:{column}"

    def fault(self, message: str, route: Sequence[str | int] = (), *, fix: str = "", key: bool = False) -> BadInput:
        """An error about the value at the route."""
        return BadInput(message, where=self.where(route, key=key), fix=fix)

    def locate(self, error: BadInput, route: Sequence[str | int]) -> BadInput:
        """The error again with its place in this file.

        `route` leads to the value that was being read; a `BadPosition`'s own path goes on from there.
        """
        if not isinstance(error, BadPosition):
            return BadInput(error.message, where=self.where(route), fix=error.fix)
        whole = (*route, *error.path)
        return BadInput(error.message, where=self.where(whole, key=self._names_key(whole, error)), fix=error.fix)

    def _names_key(self, route: Route, error: BadInput) -> bool:
        """Whether the error is better shown at the key: it quotes it, or the value has many parts."""
        value = self.data
        for part in route:
            try:
                value = value[part]
            except (LookupError, TypeError):
                return False
        return isinstance(value, dict | list) or bool(route and repr(route[-1]) in error.message)


def read(path: str | Path) -> Document:
    """The one document of a YAML file.

    Raises `BadInput` with the place of the fault: no such file, more than `MAX_BYTES`, not UTF-8,
    not YAML, nothing in it, several documents, deeper than `MAX_DEPTH`, aliases, tags, a repeated key.
    """
    return parse(_text(Path(path)), str(path))


def parse(text: str, file: str) -> Document:
    """As `read`, for a text at hand; `file` is the name used in messages."""
    if len(text) > MAX_BYTES:
        raise _too_large(file)
    builder = _Builder(file)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.take(event)
    except yaml.YAMLError as error:
        raise _not_yaml(error, text, file) from None
    if not builder.done or builder.root is None:
        raise BadInput("the file is empty", where=f"{file}:1:1", fix="it holds one mapping: KEY: VALUE")
    return Document(file, builder.root, builder.values, builder.keys, builder.written)


def read_stream(stream: BinaryIO, name: str) -> Document:
    """As `read`, from a stream such as standard input; `name` is what messages call it."""
    try:
        raw = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise _unreadable(error, name) from None
    return parse(_decoded(raw, name), name)


def _text(path: Path) -> str:
    try:
        there = path.stat()
        # Opening a pipe or a device may wait for ever.
        if not stat.S_ISREG(there.st_mode) and not stat.S_ISDIR(there.st_mode):
            raise BadInput("this is no regular file", where=str(path), fix="name a YAML file")
        if there.st_size > MAX_BYTES:
            raise _too_large(str(path))
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise BadInput("there is no such file", where=str(path)) from None
    except IsADirectoryError:
        raise BadInput("this is a folder, not a file", where=str(path), fix="name a YAML file in it") from None
    except (OSError, ValueError) as error:
        raise _unreadable(error, str(path)) from None
    return _decoded(raw, str(path))


def _decoded(raw: bytes, name: str) -> str:
    if len(raw) > MAX_BYTES:
        raise _too_large(name)
    try:
        return raw.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8")
        where = f"{name}:{_line_column(before)}"
        found = f"the byte 0x{raw[error.start]:02x} cannot stand here"
        raise BadInput(f"the file is not UTF-8: {found}", where=where, fix="save it as UTF-8") from None


def _unreadable(error: OSError | ValueError | RuntimeError, name: str) -> BadInput:
    # pathlib tells a circle of links as a RuntimeError in some versions, as an OSError in others.
    why = getattr(error, "strerror", None) or str(error)
    shown = name if len(name) <= 200 else f"{name[:200]}..."
    return BadInput(f"it cannot be read: {why}", where=shown)


def _too_large(file: str) -> BadInput:
    limit = f"at most {MAX_BYTES // 1_000_000} MB"
    return BadInput(f"the file is too large: {limit} are read", where=file, fix="split it into several files")


def _too_deep(where: str) -> BadInput:
    return BadInput(
        f"lists and mappings lie too deep in one another: at most {MAX_DEPTH} levels are read",
        where=where,
        fix="no position or case needs so many; look for a bracket that is never closed",
    )


def _not_yaml(error: yaml.YAMLError, text: str, file: str) -> BadInput:
    if isinstance(error, yaml.reader.ReaderError):
        raw = text.encode()[: error.position] if error.encoding == "?" else b""
        where = f"{file}:{_line_column(raw.decode(errors='ignore'))}"
        code = error.character if isinstance(error.character, int) else ord(error.character[:1] or "\0")
        return BadInput(f"this is not YAML: the character U+{code:04X} is not allowed", where=where)
    problem = getattr(error, "problem", None) or "it cannot be parsed"
    mark = getattr(error, "problem_mark", None)
    where = f"{file}:{mark.line + 1}:{mark.column + 1}" if mark else file
    if "nesting depth" in problem:
        return _too_deep(where)
    context = getattr(error, "context", None)
    fix = _ADVICE.get(problem, "")
    return BadInput(f"this is not YAML: {problem}" + (f" {context}" if context else ""), where=where, fix=fix)


_ADVICE = {
    "mapping values are not allowed in this context": "put a text that holds ': ' in quotes",
    "found character that cannot start any token": "indent with spaces; put a text that starts with a sign in quotes",
    "did not find expected ',' or '}'": "look for a brace that is never closed, or a text that needs quotes",
    "did not find expected ',' or ']'": "look for a bracket that is never closed, or a text that needs quotes",
}


def _line_column(before: str) -> str:
    lines = before.split("\n")
    return f"{len(lines)}:{len(lines[-1]) + 1}"


class _Builder:
    """Makes data from YAML events, one at a time, with a stack of its own."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.root: Json = None
        self.done = False
        self.documents = 0
        self.values: dict[Route, Place] = {}
        self.keys: dict[Route, Place] = {}
        self.written: dict[Route, str] = {}
        self.stack: list[tuple[Route, Json]] = []
        self.key: list[str | None] = []

    def take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                raise self.fault("the file holds several documents", event, "keep one, without a second '---'")
        elif isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise self.fault("anchors (&) and aliases (*) are not read", event, "write the value out")
        elif isinstance(event, yaml.NodeEvent) and getattr(event, "tag", None):
            raise self.fault("tags (!) are not read", event, "for a text, use quotes")
        elif isinstance(event, yaml.ScalarEvent):
            self.scalar(event)
        elif isinstance(event, yaml.CollectionStartEvent):
            self.open(event, {} if isinstance(event, yaml.MappingStartEvent) else [])
        elif isinstance(event, yaml.CollectionEndEvent):
            self.stack.pop()
            self.key.pop()

    def fault(self, message: str, event: yaml.Event, fix: str) -> BadInput:
        line, column = _place(event)
        return BadInput(message, where=f"{self.file}:{line}:{column}", fix=fix)

    def scalar(self, event: yaml.ScalarEvent) -> None:
        if self.stack and isinstance(self.stack[-1][1], dict) and self.key[-1] is None:
            self.name(event)
            return
        value = event.value
        route = self.route()
        if event.implicit[0]:
            value = self.plain(event)
            if isinstance(value, int | float):
                self.written[route] = event.value
        self.put(route, value, event)

    def name(self, event: yaml.ScalarEvent) -> None:
        route, held = self.stack[-1]
        if event.value in held:
            line, _ = self.keys[(*route, event.value)]
            fix = f"it stands in line {line} already; keep one of the two"
            raise self.fault(f"the key {event.value!r} is there twice", event, fix)
        self.key[-1] = event.value
        self.keys[(*route, event.value)] = _place(event)

    def plain(self, event: yaml.ScalarEvent) -> Json:
        text = event.value
        if text in _WORDS:
            return _WORDS[text]
        if _INT.fullmatch(text) or _FLOAT.fullmatch(text):
            if len(text) > _MAX_DIGITS:
                raise self.fault("the number is too long", event, f"at most {_MAX_DIGITS} characters; quote a text")
            return int(text) if _INT.fullmatch(text) else float(text)
        return text

    def open(self, event: yaml.CollectionStartEvent, value: Json) -> None:
        if self.stack and isinstance(self.stack[-1][1], dict) and self.key[-1] is None:
            fix = "put a key that starts with '[' or '{' in quotes"
            raise self.fault("a key must be a text", event, fix)
        if len(self.stack) == MAX_DEPTH:
            line, column = _place(event)
            raise _too_deep(f"{self.file}:{line}:{column}")
        route = self.route()
        self.put(route, value, event)
        self.stack.append((route, value))
        self.key.append(None)

    def route(self) -> Route:
        if not self.stack:
            return ()
        route, held = self.stack[-1]
        return (*route, len(held) if isinstance(held, list) else str(self.key[-1]))

    def put(self, route: Route, value: Json, event: yaml.Event) -> None:
        if len(self.values) == MAX_VALUES:
            raise self.fault(f"the file holds more than {MAX_VALUES} values", event, "split it into several files")
        self.values[route] = _place(event)
        if not self.stack:
            self.root, self.done = value, True
            return
        held = self.stack[-1][1]
        if isinstance(held, list):
            held.append(value)
        else:
            held[self.key[-1]] = value
            self.key[-1] = None


def _place(event: yaml.Event) -> Place:
    mark: Any = event.start_mark
    return mark.line + 1, mark.column + 1


def files(paths: Sequence[str | Path]) -> Iterator[Path]:
    """The YAML files that the paths name: files as they are, folders with all below them, sorted, each once.

    Raises `BadInput` for a path that does not exist, or that cannot be followed.
    """
    seen: set[str] = set()
    for path in map(Path, paths):
        try:
            folder = stat.S_ISDIR(path.stat().st_mode)
            found = sorted(p for p in path.rglob("*") if p.suffix in (".yaml", ".yml")) if folder else [path]
        except FileNotFoundError:
            raise BadInput("there is no such file or folder", where=str(path)) from None
        except (OSError, ValueError, RuntimeError) as error:
            raise _unreadable(error, str(path)) from None
        for file in found:
            real = os.path.realpath(file)
            if real not in seen:
                seen.add(real)
                yield file
