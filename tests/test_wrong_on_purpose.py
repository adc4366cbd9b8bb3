"""Every program that is wrong on purpose gets the verdict that it must get, and no other."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import msgspec
import pytest

from oracle.conformance.check import check, exit_code
from oracle.conformance.targets import target
from tests.nim import Nim

FOLDER = Path(__file__).resolve().parents[1] / "implementations" / "wrong"
VERDICTS = msgspec.yaml.decode((FOLDER / "verdicts.yaml").read_bytes(), type=dict[str, dict[str, str]])
CODES = {"pass": 0, "fail": 1, "unsupported": 2}
IMPATIENT = {"slow": (0.5, 10.0), "silent": (0.5, 0.5)}
"""Time limits in seconds for those whose fault is time; the others have the usual ones."""


def test_each_program_has_a_verdict() -> None:
    """No program lies in the folder unjudged, and no verdict is of a program that is gone."""
    assert {file.stem for file in FOLDER.glob("*.py")} - {"base"} == set(VERDICTS)


@pytest.mark.parametrize("name", VERDICTS)
def test_gets_its_verdict(name: str) -> None:
    """The program gets the verdict in `verdicts.yaml`, only divergences of its one fault, and the exit code."""
    timeout, startup = IMPATIENT.get(name, (5.0, 10.0))
    command = shlex.join([sys.executable, str(FOLDER / f"{name}.py")])
    make = target(f"cmd:{command}", Nim(), timeout=timeout, startup=startup)
    report = check(Nim(), make, games=1 if name in IMPATIENT else 25, shrink_seconds=0)
    expected = VERDICTS[name]
    assert report.verdicts[expected["verdict"]], report.rows
    allowed = {expected["verdict"], "not-run"} | (
        {"pass"} if expected["verdict"] in ("fail", "protocol-error", "crash") else set()
    )
    assert {row.verdict for row in report.rows} <= allowed
    assert {finding.shortest.fault for finding in report.findings} == (
        {expected["fault"]} if "fault" in expected else set()
    )
    assert exit_code(report) == CODES.get(expected["verdict"], 3)
