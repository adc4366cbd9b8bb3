"""The doors: whatever a process or an object does, there is one typed answer or one error, and an end."""

from __future__ import annotations

import os
import shlex
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from oracle.conformance import stopping, targets
from oracle.conformance.implementation import Implementation
from oracle.conformance.objects import PythonObject
from oracle.conformance.process import Process
from oracle.conformance.targets import target
from oracle.errors import BadInput, Crashed, ImplementationFailed, ProtocolError, Skipped, TimedOut, Unsupported
from tests.nim import Nim

WRONG = Path(__file__).resolve().parents[1] / "implementations" / "wrong"
STARTED = '{"implementation": {"name": "x"}, "games": []}'


def python(code: str, timeout: float = 5.0, startup: float = 10.0) -> Process:
    """A process that runs Python code."""
    return Process(shlex.join([sys.executable, "-c", code]), timeout=timeout, startup=startup)


def saying(*answers: str) -> str:
    """Code of a process that says these lines, one a request."""
    return f"import sys\nfor line in {answers!r}: input(); print(line, flush=True)\ninput()"


def test_a_process_answers_in_types() -> None:
    """The answers of a right program arrive, and its name."""
    with Process(shlex.join([sys.executable, str(WRONG / "right.py")])) as program:
        assert program.start().implementation.name == "Right"
        assert program.new("nim", "1", {"stones": 2, "seed": 1}).events[0].event == "fell"
        asked = program.decision()
        assert asked.options == [{"take": "1"}, {"take": "2"}, {"pass": None}]
        assert program.apply(asked.player, {"take": "2"}).accepted
        assert program.decision().over
        assert program.observe().state["stones"] == 0


@pytest.mark.parametrize(
    "answer",
    [
        "stones",
        "[]",
        "",
        '{"seq": 1}',
        '{"seq": 1, "ok": false}',
        '{"seq": 1, "ok": "yes"}',
        '{"seq": "1", "ok": true}',
        '{"seq": 2, "ok": true}',
        '{"seq": 1, "ok": true, "event": []}',
        '{"seq": 1, "ok": true, "events": [{"player": "A"}]}',
        '{"seq": 1, "ok": true',
    ],
)
def test_an_answer_of_the_wrong_shape_is_a_protocol_error(answer: str) -> None:
    """Not JSON, wrong types, unknown or missing fields, another seq: none of them is an answer to `new`."""
    with python(saying(STARTED, answer)) as program:
        program.start()
        with pytest.raises(ProtocolError):
            program.new("nim", "1", {})


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ('{"seq": 1, "unsupported": "stones"}', Unsupported),
        ('{"seq": 1, "skipped": "later"}', Skipped),
        ('{"seq": 1, "errored": "no stones left"}', ImplementationFailed),
    ],
)
def test_a_program_may_say_why_it_does_not_answer(answer: str, error: type[Exception]) -> None:
    """Unsupported, skipped and errored arrive as themselves, with the message."""
    with python(saying(STARTED, answer)) as program:
        program.start()
        with pytest.raises(error) as raised:
            program.new("nim", "1", {})
        assert type(raised.value) is error
        assert answer.split('"')[5] in str(raised.value)


@pytest.mark.parametrize("where", ["stdout", "stderr"])
@pytest.mark.parametrize("line", ["'x' * 5000", "'x' * 5000 + chr(10)", "chr(255) * 5000"])
def test_output_without_end_ends(where: str, line: str) -> None:
    """A process that writes for ever, with or without lines, to either stream, cannot hold the oracle."""
    code = f"import sys\nwhile True: sys.{where}.write({line})"
    error = ProtocolError if where == "stdout" else TimedOut
    with python(code, startup=0.5, timeout=0.5) as program, pytest.raises(error):
        program.start()


def test_garbage_bytes_are_a_protocol_error() -> None:
    """Bytes that are no text are told from an answer, and shown."""
    code = "import os\nos.write(1, bytes(range(128, 256)) + b'\\n')\ninput()\ninput()"
    with python(code) as program, pytest.raises(ProtocolError, match=r"\\x80"):
        program.start()


def test_a_closed_output_is_a_crash() -> None:
    """A process that lives on but can no longer answer has crashed."""
    with python("import os, time\nos.close(1)\ntime.sleep(60)") as program, pytest.raises(Crashed, match="closed"):
        program.start()


def test_a_crash_tells_the_exit_code_and_the_last_words() -> None:
    """The end of a process is reported with its code and the end of what it wrote to standard error."""
    code = "import sys\nsys.stderr.write('early ' * 10_000)\ninput()\nsys.exit('out of stones')"
    with python(code) as program, pytest.raises(Crashed, match="exit code 1") as raised:
        program.start()
    assert "out of stones" in str(raised.value)
    assert len(str(raised.value)) < 3000


def test_the_first_answer_may_take_longer() -> None:
    """The start-up allowance holds for the first answer only."""
    code = f"import time\ninput(); time.sleep(0.6); print({STARTED!r}, flush=True)\ninput(); time.sleep(60)"
    with python(code, timeout=0.2, startup=20) as program:
        program.start()
        with pytest.raises(TimedOut):
            program.new("nim", "1", {})


def test_a_large_request_to_a_process_that_does_not_read_is_timed_out() -> None:
    """More than a pipe holds does not block the oracle."""
    with python("import time\ntime.sleep(60)", timeout=0.3, startup=0.3) as program, pytest.raises(TimedOut):
        program.new("nim", "1", {"position": "x" * 1_000_000})


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="process groups are POSIX")
def test_the_children_of_a_process_end_with_it() -> None:
    """Nothing that a harness has started outlives it."""
    child = "import os, time; os.write(1, b'up'); time.sleep(600)"
    code = (
        "import subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, '-c', {child!r}], stdout=subprocess.PIPE)\n"
        "child.stdout.read(2)\ninput()\n"
        'print(\'{"games": [], "implementation": {"name": "%d"}}\' % child.pid, flush=True)\ninput()\ninput()'
    )
    with python(code) as program:
        pid = int(program.start().implementation.name)
        assert alive(pid)
    deadline = time.monotonic() + 10
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not alive(pid)


def alive(pid: int) -> bool:
    """Whether a process still runs; one that has ended and is not waited for does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not (stat.exists() and ") Z " in stat.read_text())


def test_a_stopped_process_answers_no_more() -> None:
    """After `stop`, which may be called twice, a request is a crash."""
    program = python(saying(STARTED))
    program.start()
    program.stop()
    program.stop()
    with pytest.raises(Crashed):
        program.decision()


def test_a_command_that_cannot_be_run_is_bad_input() -> None:
    """A program that does not exist, or a command that is no command, is the user's mistake."""
    for command in ("/nowhere/at/all", "", "'unclosed"):
        with pytest.raises(BadInput):
            Process(command)


# -- Python objects -------------------------------------------------------------------------------


class Held:
    """Answers a little, prints a lot, and fails in the end."""

    def start(self, request: dict[str, Any]) -> dict[str, Any]:
        print("hello")
        return {"implementation": {"name": "held"}, "games": [{"game": "nim", "edition": "1"}]}

    def new(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"ok": True}

    def decision(self, request: dict[str, Any]) -> dict[str, Any]:
        print("about to fail")
        raise SystemExit("no stones")

    def apply(self, request: dict[str, Any]) -> list[str]:
        return ["accepted"]


def test_an_object_answers_without_seq_and_its_prints_are_kept_apart(capsys: pytest.CaptureFixture[str]) -> None:
    """`seq` is filled in, and standard output stays the oracle's own."""
    with PythonObject("held", Held) as program:
        assert program.start().implementation.name == "held"
        assert program.new("nim", "1", {}).ok
    assert capsys.readouterr().out == ""


def test_an_exception_is_a_crash_with_its_last_line() -> None:
    """What the object raises, even to end the process, is reported with its place and what it printed."""
    with PythonObject("held", Held) as program, pytest.raises(Crashed) as raised:
        program.decision()
    assert "SystemExit: no stones (test_conformance_doors.py:" in str(raised.value)
    assert "about to fail" in str(raised.value)


def test_an_object_must_answer_in_shape_too() -> None:
    """A method that is missing is a crash, an answer of another type a protocol error."""
    with PythonObject("held", Held) as program:
        with pytest.raises(ProtocolError):
            program.apply("A", {"take": "1"})
        with pytest.raises(Crashed, match="observe"):
            program.observe()


def test_an_object_served_as_a_process_is_the_same_program() -> None:
    """`python -m oracle.conformance.serve` gives the same answers, and the same crash as an ended process."""
    command = shlex.join([sys.executable, "-m", "oracle.conformance.serve", f"{__name__}:Held"])
    with Process(command) as program:
        assert program.start().implementation.name == "held"
        assert program.new("nim", "1", {}).ok
        with pytest.raises(Crashed, match="no stones"):
            program.decision()


class Live(Held):
    """Hands out its own data, and goes on changing it."""

    def __init__(self) -> None:
        self.held = {"stones": 5, "passed": ["A"]}

    def observe(self, request: dict[str, Any]) -> dict[str, Any]:
        self.held["stones"] -= 1  # type: ignore[operator]
        self.held["passed"].append("B")  # type: ignore[attr-defined]
        return {"state": self.held}


def test_an_answer_shares_nothing_with_the_object() -> None:
    """What was observed stays as it was, whatever the program does to its data later."""
    with PythonObject("live", Live) as program:
        first = program.observe().state
        assert first == {"stones": 4, "passed": ["A", "B"]}
        program.observe()
        assert first == {"stones": 4, "passed": ["A", "B"]}


class Lies(Held):
    """Raises an error of the oracle's own, as if the user had made a mistake."""

    def start(self, request: dict[str, Any]) -> dict[str, Any]:
        raise BadInput("the option is wrong", fix="leave it out")

    def new(self, request: dict[str, Any]) -> dict[str, Any]:
        raise Unsupported("nothing")

    @property
    def stop(self) -> Any:
        raise RuntimeError("no end")


def test_an_error_of_the_oracles_raised_by_an_object_is_its_crash() -> None:
    """Whatever a program raises, even in its way to be ended, is its own failure and nobody's mistake."""
    program = PythonObject("lies", Lies)
    with pytest.raises(Crashed, match="the option is wrong"):
        program.start()
    with pytest.raises(Crashed, match="nothing"):
        program.new("nim", "1", {})
    program.stop()


def _circle() -> dict[str, Any]:
    circle: dict[str, Any] = {}
    circle["hand"] = circle
    return circle


class _Spiteful:
    def __repr__(self) -> str:
        raise RuntimeError("not to be shown")


def _nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


BOUNDLESS = {
    "circle": _circle(),
    "spiteful": {"hand": _Spiteful()},
    "digits": {"hand": 10**5000},
    "deep": {"hand": _nested(60)},
    "very deep": {"hand": _nested(5000)},
    "surrogate": {"hand": "\ud800"},
    "copies": {"deck": {"A": ["9999999999999999 Copper"]}},
    "digits of copies": {"deck": {"A": ["9" * 5000 + " Copper"]}},
    "many copies": {"deck": {"A": ["50000 Copper"] * 3}},
    "a key": {("A", "B"): 1},
}


@pytest.mark.parametrize("state", BOUNDLESS.values(), ids=BOUNDLESS)
def test_an_answer_without_bounds_is_a_protocol_error(state: Any) -> None:
    """Endless, immense and unspeakable data cost neither memory nor stack, and are no fault of the oracle's."""

    class Boundless(Held):
        def observe(self, request: dict[str, Any]) -> dict[str, Any]:
            return {"state": state}

    with PythonObject("boundless", Boundless) as program, pytest.raises(ProtocolError) as raised:
        program.observe()
    assert len(str(raised.value)) < 2000


def test_what_is_large_but_honest_is_taken() -> None:
    """A state with many cards and some depth is no lie."""
    state = {"deck": {"A": ["0050 Copper", "300 Curse", "17th card"], "B": _nested(20)}}

    class Large(Held):
        def observe(self, request: dict[str, Any]) -> dict[str, Any]:
            return {"state": state}

    with PythonObject("large", Large) as program:
        assert program.observe().state == state


@pytest.mark.parametrize(
    "answer",
    [
        '{"seq": 1, "state": ' + '{"a":' * 5000 + "1" + "}" * 5000 + "}",
        '{"seq": 1, "state": {"a": ' + "9" * 5000 + "}}",
        '{"seq": 1, "state": {"a": "' + "9" * 5000 + ' Copper"}}',
    ],
)
def test_a_process_cannot_answer_without_bounds_either(answer: str) -> None:
    """Very deep JSON and numbers of thousands of digits are protocol errors."""
    with python(saying(answer)) as program, pytest.raises(ProtocolError):
        program.observe()


# -- targets --------------------------------------------------------------------------------------


def test_each_form_of_target_opens_its_door() -> None:
    """`py:`, `cmd:` and `reference` lead to a program that starts."""
    command = shlex.join([sys.executable, str(WRONG / "right.py")])
    for spec in ("reference", f"cmd:{command}", f"py:{__name__}:Held"):
        program: Implementation
        with target(spec, Nim())() as program:
            assert program.start().games[0].game == "nim"


@pytest.mark.parametrize("spec", ["pymini", "py:nowhere:Thing", "py:json", "py:json:Nothing", "cmd:", "log:file"])
def test_a_target_that_is_none_is_bad_input(spec: str) -> None:
    """A name, module, class or door that does not exist is refused with what would be right."""
    with pytest.raises(BadInput) as raised:
        target(spec, Nim())()
    assert raised.value.exit_code == 2


def test_a_harness_without_its_package_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bundled harness whose program is not installed says how to install it."""
    folder = tmp_path / "sometoy"
    folder.mkdir()
    (folder / "harness.py").write_text("import a_package_that_is_not_there\n")
    monkeypatch.setattr(targets, "bundled", lambda: {"sometoy": folder})
    with pytest.raises(BadInput, match=r"pip install 'rules-oracle\[sometoy\]'"):
        target("sometoy", Nim())


BROKEN = {
    "import sys\n\nsys.exit(0)\n": (3, "SystemExit: 0"),
    "class Harness(:\n": (1, "invalid syntax"),
    "x = 1\nraise RuntimeError('no table')\n": (2, "no table"),
    "import json\njson.loads('{')\n": (2, "Expecting property name"),
    "\nimport a_package_that_is_not_there\n": (2, "a_package_that_is_not_there"),
    "from oracle.errors import NothingRun\nraise NothingRun('x')\n": (2, "x"),
    "raise KeyboardInterrupt\n": (1, "KeyboardInterrupt"),
}


@pytest.mark.parametrize("text", BROKEN)
def test_a_module_that_cannot_be_imported_is_told_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """Whatever ends its import, be it an exit without a fault, is bad input at the line of the user's file."""
    name = f"broken_{abs(hash(text))}"
    (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    line, says = BROKEN[text]
    with stopping.orderly(), pytest.raises(BadInput) as raised:
        target(f"py:{name}:Harness", Nim())
    assert raised.value.where == f"{tmp_path / name}.py:{line}"
    assert says in raised.value.message


def test_a_bundled_harness_that_cannot_be_loaded_is_told_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no fault of the oracle itself either."""
    (tmp_path / "harness.py").write_text("1 / 0\n")
    monkeypatch.setattr(targets, "bundled", lambda: {"sometoy": tmp_path})
    with pytest.raises(BadInput, match="ZeroDivisionError") as raised:
        target("sometoy", Nim())
    assert raised.value.where == f"{tmp_path / 'harness.py'}:1"


@pytest.mark.parametrize("timeout", [float("nan"), float("inf"), 1e300, 0.0, -1.0])
def test_a_time_out_is_a_time(timeout: float) -> None:
    """What no clock can wait for is refused before anything is started."""
    with pytest.raises(BadInput, match="time-out"):
        target("cmd:true", Nim(), timeout=timeout)
