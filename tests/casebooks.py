"""Writes case files for the tests of the casebook, with the games of the tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from oracle.casebook.case import Casebook, Fault, load
from oracle.casebook.result import CaseResult
from oracle.casebook.runner import run
from oracle.errors import BadInput
from oracle.game import Game
from tests.nim import Nim

HEAD = 'game: nim\nedition: "1"\ncases:\n'


def games(name: str) -> Game[Any]:
    """The registry of the tests: it knows nim."""
    if name != "nim":
        raise BadInput(f"there is no game {name!r}", fix="one of: nim")
    return Nim()


def book(folder: Path, text: str, name: str = "f.yaml") -> Casebook:
    """The casebook of one file with the text."""
    path = folder / name
    path.write_text(text)
    return load([path], games)


def case(steps: str, *, given: str = "{stones: 5, turn: A}", rules: str = "[nim.take]", more: str = "") -> str:
    """A file with one case, `nim-x`. Its first step stands in line 10 and starts in column 9."""
    indented = "".join(f"      - {step}\n" for step in steps.strip().split("\n"))
    head = f"  - id: nim-x\n    title: x\n    rules: {rules}\n    provenance: seed\n    {more or 'given: ' + given}\n"
    return f"{HEAD}{head}    steps:\n{indented}"


def result(folder: Path, steps: str, given: str = "{stones: 5, turn: A}", more: str = "") -> CaseResult:
    """What becomes of a case with the steps, one a line. `where` is without the folder."""
    (only,) = run(book(folder, case(steps, given=given, more=more)))
    return _short(only, folder)


def faults(folder: Path, text: str) -> list[Fault]:
    """The faults of a file with the text, their places without the folder."""
    found = list(book(folder, text).faults)
    for fault in found:
        fault.error.where = fault.error.where.removeprefix(f"{folder}/")
    return found


def _short(found: CaseResult, folder: Path) -> CaseResult:
    from msgspec.structs import replace

    return replace(found, where=found.where.removeprefix(f"{folder}/"))
