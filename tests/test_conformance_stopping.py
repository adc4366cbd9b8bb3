"""How a run is ended from outside: always with a report, never with a program left behind."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from oracle.cli import cli
from oracle.conformance import stopping
from oracle.conformance.objects import PythonObject
from oracle.errors import Crashed
from tests.cli_programs import Right
from tests.test_conformance_doors import alive

ROOT = Path(__file__).resolve().parents[1]
STUBBORN = """\
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open(sys.argv[1], "w").write(str(os.getpid()))
sys.stdin.readline()
open(sys.argv[1] + ".asked", "w").close()
while True: time.sleep(1)
"""


class Unending:
    """`oracle check` of a program that never answers and ends by no kind word."""

    def __init__(self, folder: Path) -> None:
        (folder / "stubborn.py").write_text(STUBBORN)
        self.note = folder / "pid"
        program = shlex.join([sys.executable, str(folder / "stubborn.py"), str(self.note)])
        words = [sys.executable, "-m", "oracle.cli", "check", f"cmd:{program}", "--no-cases", "--games", "2"]
        self.running = subprocess.Popen(
            [*words, "--timeout", "3000", "--format", "json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            cwd=folder,
            # Whoever started the tests may have had a signal ignored, which children inherit.
            preexec_fn=lambda: [signal.signal(getattr(signal, name), signal.SIG_DFL) for name in stopping.SIGNALS],
        )
        self.wait_for(Path(f"{self.note}.asked"))

    def wait_for(self, file: Path) -> None:
        deadline = time.monotonic() + 60
        while not file.exists():
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def ended(self) -> tuple[int, bytes, bytes]:
        """Exit code and output; the program must not be there any more."""
        out, err = self.running.communicate(timeout=60)
        pid = int(self.note.read_text())
        deadline = time.monotonic() + 10
        while alive(pid) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not alive(pid)
        return self.running.returncode, out, err


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
@pytest.mark.parametrize("name", stopping.SIGNALS)
def test_a_signal_ends_the_check_with_a_report(tmp_path: Path, name: str) -> None:
    """Ctrl-C, an order to end and a closed terminal leave a partial report, and no program behind."""
    check = Unending(tmp_path)
    check.running.send_signal(getattr(signal, name))
    code, out, err = check.ended()
    assert code == 2, err
    assert json.loads(out)["report"]["partial"] is True
    assert err == b""


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
def test_impatience_leaves_no_program_behind(tmp_path: Path) -> None:
    """A second and a third Ctrl-C while the program is being ended do not let it live on, and no traceback shows."""
    check = Unending(tmp_path)
    for _ in range(3):
        check.running.send_signal(signal.SIGINT)
        time.sleep(0.1)
    code, _, err = check.ended()
    assert code in (2, 130)
    assert b"Traceback" not in err


def test_a_signal_before_the_first_case_leaves_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while the cases are still read there is a valid report: a partial one of nothing."""
    monkeypatch.setattr("oracle.casebook.case.load", lambda *_: signal.raise_signal(signal.SIGINT))
    result = CliRunner().invoke(cli, ["check", "--format", "json"])
    assert result.exit_code == 2, result.output
    report = json.loads(result.stdout)["report"]
    assert report["partial"]
    assert report["rows"] == []
    assert "broken off" in CliRunner().invoke(cli, ["check"]).output.lower()


class Raises(Right):
    """Interrupts itself, without any Ctrl-C."""

    def decision(self, request: dict[str, Any]) -> dict[str, Any]:
        raise KeyboardInterrupt


class Swallows(Right):
    """Lets nothing interrupt it."""

    def decision(self, request: dict[str, Any]) -> dict[str, Any]:
        with suppress(BaseException):
            signal.raise_signal(signal.SIGINT)
        return super().decision(request)


def test_a_program_that_interrupts_itself_has_crashed() -> None:
    """A `KeyboardInterrupt` that no Ctrl-C has caused is the program's fault, not the user's wish."""
    result = CliRunner().invoke(cli, ["check", f"py:{__name__}:Raises", "--no-cases", "--games", "1"])
    assert result.exit_code == 3, result.output
    assert "KeyboardInterrupt" in result.output
    assert "partial" not in result.output


def test_a_program_cannot_swallow_the_users_wish() -> None:
    """Ctrl-C ends the check even where the program under test catches what it raises."""
    result = CliRunner().invoke(
        cli, ["check", f"py:{__name__}:Swallows", "--no-cases", "--games", "1", "--format", "json"]
    )
    assert result.exit_code == 2, result.output
    report = json.loads(result.stdout)["report"]
    assert report["partial"]
    assert report["totals"]["decisions"] == 0


def test_a_signal_waits_for_what_belongs_together() -> None:
    """Within `held` nothing is interrupted; the wish is heeded right after it, once."""
    done = []

    def belongs_together() -> None:
        with stopping.held():
            signal.raise_signal(signal.SIGINT)
            done.append("all of it")

    with stopping.orderly():
        with pytest.raises(stopping.Stopped):
            belongs_together()
        with stopping.held():
            done.append("and more")
    assert done == ["all of it", "and more"]


def test_signals_are_as_before_when_the_run_is_over() -> None:
    """What was to happen on Ctrl-C before a run happens after it again, and an ignored signal stays ignored."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with stopping.orderly():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) not in (signal.SIG_IGN, signal.SIG_DFL)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGINT, before)
    assert not stopping.watched()


def test_without_a_watch_an_interrupt_is_the_users() -> None:
    """From Python, where nobody watches for signals, a `KeyboardInterrupt` can only be taken for a Ctrl-C."""
    with PythonObject("x", Raises) as program:
        with pytest.raises(KeyboardInterrupt):
            program.decision()
        with stopping.orderly(), pytest.raises(Crashed):
            program.decision()
