"""Every program that is wrong on purpose gets the verdict that it must get, and no other."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from oracle import games
from oracle.casebook import bundled
from oracle.casebook.case import Case, load
from oracle.checking import script
from oracle.conformance.check import check, exit_code
from oracle.conformance.targets import target
from oracle.game import Game
from tests.nim import Nim

FOLDER = Path(__file__).resolve().parents[1] / "implementations" / "wrong"


class Expected(Struct, forbid_unknown_fields=True):
    """A line of `verdicts.yaml`: `cases` are those of `game` by which the program is shown, in place of drawn games."""

    verdict: str
    fault: str = ""
    game: str = ""
    cases: tuple[str, ...] = ()


VERDICTS = msgspec.yaml.decode((FOLDER / "verdicts.yaml").read_bytes(), type=dict[str, Expected])
CODES = {"pass": 0, "fail": 1, "unsupported": 2}
IMPATIENT = {"slow": (0.5, 10.0), "silent": (0.5, 0.5)}
"""Time limits in seconds for those whose fault is time; the others have the usual ones."""


def test_each_program_has_a_verdict() -> None:
    """No program lies in the folder unjudged, and no verdict is of a program that is gone."""
    assert {file.stem for file in FOLDER.glob("*.py")} - {"base", "model"} == set(VERDICTS)


@pytest.mark.parametrize("name", VERDICTS)
def test_gets_its_verdict(name: str) -> None:
    """The program gets the verdict in `verdicts.yaml`, only divergences of its one fault, and the exit code."""
    expected = VERDICTS[name]
    timeout, startup = IMPATIENT.get(name, (5.0, 10.0))
    game: Game[Any] = games.load(expected.game) if expected.game else Nim()
    command = shlex.join([sys.executable, str(FOLDER / f"{name}.py")])
    make = target(f"cmd:{command}", game, timeout=timeout, startup=startup)
    cases = [script(case) for case in cases_of(game.name) if case.id in expected.cases] if expected.cases else []
    assert len(cases) == len(expected.cases)
    played = 0 if cases else 1 if name in IMPATIENT else 5 if expected.game else 25
    report = check(game, make, cases=cases, games=played, shrink_seconds=0)
    assert report.verdicts[expected.verdict], report.rows
    allowed = {expected.verdict, "not-run"} | (
        {"pass"} if expected.verdict in ("fail", "protocol-error", "crash") else set()
    )
    assert {row.verdict for row in report.rows} <= allowed
    assert {finding.shortest.fault for finding in report.findings} == ({expected.fault} if expected.fault else set())
    assert exit_code(report) == CODES.get(expected.verdict, 3)
    for finding in report.findings if expected.fault == "order" else ():
        before, because, first = re.split(", because |; the program ", finding.shortest.says)
        assert " comes before " in before
        assert any(rule in because for rule in finding.shortest.rules)
        assert first.endswith(f"{before.split(' comes before ')[1]} first")


def cases_of(game: str) -> tuple[Case, ...]:
    """The oracle's own cases of a game."""
    return load([bundled.folder(game)], games.load).cases
