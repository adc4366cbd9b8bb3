"""`oracle check`: verdicts, reports and exit codes."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

import oracle
from oracle.casebook import runner
from oracle.cli import cli

PROGRAMS = "py:tests.cli_programs:"
GOOD = """\
game: dominion
edition: "2023"
cases:
  - id: dom-mine-001
    title: no Treasure after a buy
    rules: [dom.buy.treasures-first]
    given: {players: [A, B], turn: A, phase: buy, bought: 1, coins: 3, hand: {A: [Gold]}}
    steps:
      - refuse: {player: A, action: play Gold, because: dom.buy.treasures-first}
"""


def run(*args: str | Path) -> Result:
    """The command's result, run in this process."""
    return CliRunner().invoke(cli, ["check", *map(str, args)], prog_name="oracle")


def suite(file: Path) -> ElementTree.Element:
    """The one test suite of a JUnit file."""
    found = ElementTree.parse(file).getroot().find("testsuite")
    assert found is not None
    assert len(found.findall("testcase")) == int(found.get("tests", "-1"))
    return found


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A case file of the user's."""
    file = tmp_path / "mine.yaml"
    file.write_text(GOOD)
    return file


def test_all_cases_pass_on_the_reference() -> None:
    """The oracle's own model passes every case that it brings along, and there are at least 100."""
    result = run("--format", "json")
    checked = json.loads(result.stdout)
    assert result.exit_code == 0, run().output
    verdicts = checked["report"]["verdicts"]
    assert verdicts.pop("pass") == len(checked["report"]["rows"]) >= 100
    assert not any(verdicts.values())


def test_reports_are_the_same_every_time() -> None:
    """Two runs give the same JSON, byte for byte, also for a program with divergences."""
    assert run("--format", "json").stdout == run("--format", "json").stdout
    args = (f"{PROGRAMS}Greedy", "--no-cases", "--games", "2", "--format", "json")
    first, second = (json.loads(run(*args).stdout)["report"] for _ in range(2))
    assert first["rows"] == second["rows"] != []


def test_a_program_that_is_right(mine: Path) -> None:
    """The model behind the protocol conforms in cases and games."""
    result = run(f"{PROGRAMS}Right", "--games", "2", "--cases-from", mine)
    assert result.exit_code == 0, result.output
    assert "Conforms." in result.output


def test_each_divergence_once_with_rule_position_and_command(tmp_path: Path) -> None:
    """A missing action is told once, with its count, the rule's sentence, and a command that shows it again."""
    args = (f"{PROGRAMS}Greedy", "--no-cases", "--games", "3")
    result = run(*args, "--junit", tmp_path / "report.xml")
    assert result.exit_code == 1
    checked = json.loads(run(*args, "--format", "json").stdout)
    (finding,) = checked["report"]["findings"]
    assert finding["shortest"]["fault"] == "missing"
    assert finding["actions"] == {"end buy phase": finding["count"]}
    assert result.output.count(finding["signature"]) == 1
    assert "dom.buy.optional" in checked["rules"]
    assert " ".join(checked["rules"]["dom.buy.optional"].split()) in " ".join(result.output.split())
    again = next(line for line in result.output.splitlines() if line.strip().startswith("again:"))
    words = shlex.split(again.partition("again:")[2])
    assert words[:2] == ["oracle", "check"]
    once_more = json.loads(run(*words[2:], "--format", "json").stdout)["report"]
    assert [row["verdict"] for row in once_more["rows"]] == ["fail"]
    assert finding["signature"] in [again["signature"] for again in once_more["findings"]]
    assert suite(tmp_path / "report.xml").get("failures") == "3"


def test_known_failures_do_not_fail_the_check(tmp_path: Path) -> None:
    """A known failure is reported with its reason; one that does not show is reported as well."""
    args = (f"{PROGRAMS}Greedy", "--no-cases", "--games", "2", "--junit", tmp_path / "report.xml")
    (finding,) = json.loads(run(*args, "--format", "json").stdout)["report"]["findings"]
    known = tmp_path / "known.yaml"
    known.write_text(f"{finding['signature']}: it is meant to be greedy\nmissing-00000000: long gone\n")
    result = run(*args, "--known", known)
    assert result.exit_code == 0, result.output
    assert "known: it is meant to be greedy" in result.output
    assert "missing-00000000 (long gone)" in result.output
    assert suite(tmp_path / "report.xml").get("skipped") == "2"


@pytest.mark.parametrize(
    ("target", "verdict"),
    [(f"{PROGRAMS}Dies", "crash"), ("cmd:false", "crash"), ("cmd:cat", "protocol-error")],
)
def test_a_program_that_fails(target: str, verdict: str, tmp_path: Path) -> None:
    """A program that dies or does not speak the protocol ends with exit code 3, in valid JUnit as an error."""
    args = (target, "--no-cases", "--games", "2")
    result = run(*args, "--junit", tmp_path / "report.xml")
    assert result.exit_code == 3, result.output
    assert verdict.partition("-")[0] in result.output
    assert json.loads(run(*args, "--format", "json").stdout)["report"]["verdicts"][verdict]
    errors = suite(tmp_path / "report.xml").findall(".//error")
    assert errors
    assert errors[0].get("type") == verdict


def test_a_program_that_plays_something_else(tmp_path: Path) -> None:
    """Nothing to compare is exit code 2, and no pass in JUnit either."""
    result = run(f"{PROGRAMS}Unable", "--junit", tmp_path / "report.xml")
    assert result.exit_code == 2, result.output
    assert "dominion@1999" in result.output
    assert "othing was run" in result.output
    assert suite(tmp_path / "report.xml").findall(".//error")


def test_a_program_of_several_games(tmp_path: Path) -> None:
    """Each game that it plays has a report of its own; the worst of them is the exit code, and `--game` leaves one."""
    args = (f"{PROGRAMS}Both", "--no-cases", "--games", "2")
    checked = json.loads(run(*args, "--format", "json", "--junit", tmp_path / "report.xml").stdout)
    (other,) = checked["others"]
    assert [each["report"]["game"] for each in (checked, other)] == ["dominion", "station"]
    assert [each["report"]["verdicts"]["pass"] for each in (checked, other)] == [2, 0]
    assert checked["exit_code"] == other["exit_code"] == 1
    assert "stn.7.single" in other["rules"]
    suites = ElementTree.parse(tmp_path / "report.xml").getroot().findall("testsuite")
    assert [suite.get("failures") for suite in suites] == ["0", "2"]
    alone = run(*args, "--game", "dominion")
    assert alone.exit_code == 0
    assert "station" not in alone.output


def test_ctrl_c_leaves_a_valid_partial_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run broken off says so in every form, keeps what it has, and is no pass."""
    monkeypatch.setattr("tests.cli_programs.Interrupted.asked", 0)
    args = (f"{PROGRAMS}Interrupted", "--no-cases", "--games", "3", "--junit", tmp_path / "report.xml")
    result = run(*args, "--format", "json")
    assert result.exit_code == 2, result.output
    assert json.loads(result.stdout)["report"]["partial"] is True
    assert any("partial" in str(error.get("message")) for error in suite(tmp_path / "report.xml").iter("error"))
    monkeypatch.setattr("tests.cli_programs.Interrupted.asked", 0)
    assert "broken off: this report is partial" in run(*args).output.lower()


def test_ctrl_c_among_the_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference's cases can be broken off too: what was run stays, the rest is not run."""
    real, ran = runner.run_case, []

    def pressed(one: Any) -> Any:
        ran.append(one)
        if len(ran) == 4:
            raise KeyboardInterrupt
        return real(one)

    monkeypatch.setattr("oracle.casebook.runner.run_case", pressed)
    result = run("--format", "json")
    report = json.loads(result.stdout)["report"]
    assert result.exit_code == 2
    assert report["partial"]
    assert report["verdicts"]["pass"] == len(report["rows"]) == 3
    assert report["verdicts"]["not-run"] >= 97


def test_a_case_of_ones_own_that_fails(mine: Path, tmp_path: Path) -> None:
    """A case that the model does not bear out fails with place, what was expected and what was found."""
    mine.write_text(GOOD.replace("bought: 1", "bought: 0"))
    result = run("--cases-from", mine, "--junit", tmp_path / "report.xml")
    assert result.exit_code == 1
    assert f"{mine}:9:" in result.output
    assert "expected: refused" in result.output
    assert suite(tmp_path / "report.xml").get("failures") == "1"


def test_a_case_of_ones_own_that_cannot_be_read(mine: Path) -> None:
    """A case that cannot be read was not run: exit code 2, with its place, though the others pass."""
    other = GOOD.partition("cases:\n")[2].replace("mine-001", "mine-002").replace("buy.treasures-first]", "by.cost]")
    mine.write_text(GOOD + other)
    result = run("--cases-from", mine)
    assert result.exit_code == 2, result.output
    assert f"{mine}:12:" in result.output
    assert "1 not run" in result.output


def test_one_case_alone() -> None:
    """`--case` runs that case and nothing else."""
    report = json.loads(run("--case", "dom-buy-001", "--format", "json").stdout)["report"]
    assert [(row["id"], row["verdict"]) for row in report["rows"]] == [("dom-buy-001", "pass")]


def test_no_progress_bar_without_a_terminal(mine: Path) -> None:
    """Standard error stays empty where it is no terminal."""
    assert run("--cases-from", mine).stderr == ""


def test_from_python(mine: Path) -> None:
    """`oracle.check` gives what the command prints as JSON."""
    checked = oracle.check(paths=(str(mine),))
    assert checked.exit_code == 0
    assert [row.id for row in checked.report.rows] == ["dom-mine-001"]
    with pytest.raises(oracle.BadInput, match="there is no game"):
        oracle.check(game="chess")


def test_the_command_of_a_report_runs_it_again(mine: Path, tmp_path: Path) -> None:
    """`command` has every option that matters, and `again` is what a finding's `reproduce` completes."""
    args = (f"{PROGRAMS}Greedy", "--cases-from", mine, "--games", "2", "--seed", "3", "--junit", tmp_path / "r.xml")
    checked = json.loads(run(*args, "--format", "json").stdout)
    assert checked["command"][:2] == ["oracle", "check"]
    once_more = json.loads(run(*checked["command"][2:], "--format", "json").stdout)
    assert once_more["report"]["rows"] == checked["report"]["rows"]
    assert once_more["command"] == checked["command"]
    assert "--junit" in checked["command"]
    assert not {"--games", "--junit", "--seed"} & set(checked["again"])


@pytest.mark.parametrize(
    "options",
    [
        ("--case", "dom-buy-001", "--only-game", "1"),
        ("--case", "dom-buy-001", "--no-cases"),
        ("--case", "dom-buy-001", "--games", "3"),
        ("--only-game", "1", "--games", "3"),
        ("--no-cases", "--cases-from", "x.yaml"),
    ],
)
def test_options_that_contradict_each_other_are_refused(options: tuple[str, ...]) -> None:
    """None of two is passed over in silence."""
    result = run(f"{PROGRAMS}Right", *options)
    assert result.exit_code == 2, result.output
    assert "contradict each other" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("seconds", ["nan", "inf", "1e300", "0", "-1", "3601"])
def test_a_time_out_is_finite(seconds: str) -> None:
    """What cannot be waited for is refused."""
    result = run("cmd:false", "--timeout", seconds)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_an_empty_edition_is_none() -> None:
    """It is not taken for the newest one."""
    result = run("--edition", "")
    assert result.exit_code == 2
    assert "empty" in result.stderr


# -- the JUnit file, and standard output -------------------------------------------------------------


def test_a_pipe_or_a_device_is_not_replaced(mine: Path, tmp_path: Path) -> None:
    """A JUnit report goes to a regular file only, and that is said before anything runs."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for file in (pipe, Path(os.devnull), tmp_path, tmp_path / "no" / "folder.xml", tmp_path / ("x" * 5000)):
        result = run("--cases-from", mine, "--junit", file)
        assert result.exit_code == 2, result.output
        assert result.stdout == ""
        assert len(result.stderr) < 1000
    assert pipe.is_fifo()


def test_a_circle_of_links_is_no_file(mine: Path, tmp_path: Path) -> None:
    """A link that leads to itself is refused with one error, for each kind of file."""
    link = tmp_path / "loop.xml"
    link.symlink_to(link)
    for options in (("--junit", link), ("--cases-from", link), ("--known", link, "--cases-from", mine)):
        result = run(*options)
        assert result.exit_code == 2, result.output
        assert "fault of the oracle" not in result.output


def test_a_link_to_a_report_stays_a_link(mine: Path, tmp_path: Path) -> None:
    """The file that it leads to is written, and nothing else is left behind in either folder."""
    (tmp_path / "there").mkdir()
    link = tmp_path / "report.xml"
    link.symlink_to(tmp_path / "there" / "real.xml")
    assert run("--cases-from", mine, "--junit", link).exit_code == 0
    assert link.is_symlink()
    assert suite(tmp_path / "there" / "real.xml").get("tests") == "1"
    assert [file.name for file in (tmp_path / "there").iterdir()] == ["real.xml"]


def test_a_harness_that_goes_elsewhere_takes_no_report_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of the JUnit file means what it meant when the command was given."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    args = (f"{PROGRAMS}Wanders", "--no-cases", "--games", "1", "--junit", "report.xml")
    assert run(*args).exit_code == 0
    assert Path.cwd() != tmp_path / "here"
    assert suite(tmp_path / "here" / "report.xml").get("tests") == "1"


def test_a_report_is_printed_though_its_file_cannot_be_written(
    mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was found out is not lost; a pass is none, since something asked for is not there."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    result = run("--cases-from", mine, "--junit", tmp_path / "report.xml")
    assert result.exit_code == 2
    assert "Conforms." in result.stdout
    assert "No space left on device" in result.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["mine.yaml"]


def oracle_process(*args: str | Path, **streams: Any) -> subprocess.CompletedProcess[bytes]:
    """The command as a process of its own."""
    root = Path(__file__).resolve().parents[1]
    command = [sys.executable, "-m", "oracle.cli", *map(str, args)]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    environment = {**os.environ, "PYTHONPATH": str(root), "LOUD": "1"}
    return subprocess.run(command, env=environment, check=False, timeout=100, **streams)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_full_disk_is_one_message(mine: Path) -> None:
    """An answer that cannot be written is said so, once, and is no pass."""
    with Path("/dev/full").open("wb") as full:
        done = oracle_process("check", "--cases-from", mine, stdout=full)
    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == [
        "oracle: standard output: the answer cannot be written: No space left on device"
    ]


def test_closed_standard_input_is_an_empty_one() -> None:
    """Where nothing can be read, one message says so."""
    done = oracle_process("legal", "dominion", "-", stdin=subprocess.PIPE, preexec_fn=lambda: os.close(0))
    assert done.returncode == 2
    assert done.stderr.decode().splitlines()[0] == "oracle: standard input:1:1: the file is empty"


def test_what_a_harness_writes_is_kept_out_of_the_report() -> None:
    """Neither `print`, nor the file descriptor, nor a process of its own gets between the lines of the report."""
    done = oracle_process("check", f"{PROGRAMS}Loud", "--no-cases", "--games", "1", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["report"]["verdicts"]["pass"] == 1
    assert b"to the descriptor" in done.stderr
    assert b"from a child" in done.stderr
    assert b"on import" in done.stderr


def test_nothing_is_left_in_the_users_folder(tmp_path: Path) -> None:
    """Looking for short plays writes no folder of its own there."""
    done = oracle_process("check", f"{PROGRAMS}Greedy", "--no-cases", "--games", "1", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert list(tmp_path.iterdir()) == []


# -- what was compared -----------------------------------------------------------------------------


def test_a_program_that_shows_no_state_is_told_so() -> None:
    """No position was compared, and the report says it."""
    result = run(f"{PROGRAMS}Blind", "--no-cases", "--games", "1")
    assert result.exit_code == 0, result.output
    assert "No position was compared" in result.output


def test_games_asked_for_but_not_played_are_told(mine: Path) -> None:
    """A program that takes cases but no games does not conform in silence."""
    result = run(f"{PROGRAMS}Positions", "--cases-from", mine, "--games", "2")
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[-1] == "Conforms (no game was played)."


def test_a_position_not_taken_up_is_told_once_and_accuses_no_rule(mine: Path) -> None:
    """It is one finding, however many cases show it."""
    other = GOOD.partition("cases:\n")[2].replace("mine-001", "mine-002").replace("coins: 3", "coins: 4")
    mine.write_text(GOOD + other)
    args = (f"{PROGRAMS}Poor", "--cases-from", mine, "--games", "1")
    (finding,) = json.loads(run(*args, "--format", "json").stdout)["report"]["findings"]
    assert finding["count"] == 2
    assert finding["shortest"]["fault"] == "setup"
    assert finding["shortest"]["reasons"] == []
    result = run(*args)
    assert result.exit_code == 1
    assert "the position was not set up as given: coins: it has 0" in " ".join(result.output.split())
