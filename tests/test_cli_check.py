"""`oracle check`: verdicts, reports and exit codes."""

from __future__ import annotations

import json
import shlex
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
