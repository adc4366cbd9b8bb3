"""The commands about proofs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from oracle import games, proof
from oracle.cli import cli
from oracle.proof.paths import LiftError

pytest.importorskip("cvc5", reason="the second solver is not installed: pip install 'rules-oracle[proof]'")


def run(*args: object) -> Result:
    """A command, its output kept."""
    return CliRunner().invoke(cli, [str(arg) for arg in args], prog_name="oracle")


def test_a_claim_is_proved_and_told_with_its_scope_and_rules() -> None:
    """One claim by name: proved by both solvers, exit code 0, the rules that it needs beside it."""
    found = run("prove", "dominion", "promise.within-coins", "--format", "json")
    assert found.exit_code == 0, found.output
    (report,) = json.loads(found.stdout)["reports"]
    (proof,) = report["proofs"]
    assert (proof["id"], proof["outcome"]) == ("promise.within-coins", "proved")
    assert "dom.buy.cost" in proof["core"]
    assert "1 of 1 claims proved" in run("prove", "dominion", "promise.within-coins").output


def test_with_one_solver_nothing_is_green() -> None:
    """Without the second solver a claim is `one-solver`, which is exit code 1."""
    found = run("prove", "dominion", "promise.end-phase", "--no-second-solver")
    assert found.exit_code == 1
    assert "one-solver" in found.output


def test_code_that_cannot_be_lifted_is_told_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the oracle's own failure, exit code 3, and never a pass."""

    def refuse(*_: object) -> None:
        raise LiftError("a loop over a bag")

    monkeypatch.setattr(games.load("dominion").room("claims"), "claims", refuse)
    proof._claims.cache_clear()
    found = run("prove", "dominion")
    proof._claims.cache_clear()
    assert (found.exit_code, type(found.exception)) == (3, SystemExit)
    assert "a loop over a bag" in found.output


def test_an_unknown_claim_names_the_known_ones() -> None:
    """A claim that there is not is bad input."""
    found = run("prove", "dominion", "promise.riches")
    assert found.exit_code == 2
    assert "promise.within-coins" in found.output


def test_readings_are_listed_and_held_against_the_rules(tmp_path: Path) -> None:
    """Each reading has a line; one of them differs from the rules in a small position, which is kept as a case."""
    listed = run("readings", "dominion", "--format", "json")
    assert len(json.loads(listed.stdout)) >= 12
    name = next(one["id"] for one in json.loads(listed.stdout) if "dom.buy.treasures-first" in one["rules"])
    apart = run("readings", "dominion", name, "--save", tmp_path, "--format", "json")
    assert apart.exit_code == 0, apart.output
    found = json.loads(apart.stdout)
    assert found["outcome"] == "differ"
    assert found["given"]
    assert list(tmp_path.rglob("*.yaml"))
    checked = run("check", "--cases-from", tmp_path)
    assert checked.exit_code == 0, checked.output


@pytest.mark.parametrize(
    "words",
    [
        ("prove", "dominion", "promise.end-phase", "--save"),
        ("prove", "dominion", "promise.end-phase", "--rlimit", "1", "--smt2"),
        ("readings", "dominion", "treasures-after-a-buy", "--save"),
        ("questions", "dominion", "--save"),
    ],
)
def test_where_nothing_can_be_kept_is_the_users_mistake(words: tuple[str, ...], tmp_path: Path) -> None:
    """A folder that is a file is refused with its name and exit code 2."""
    file = tmp_path / "file"
    file.write_text("")
    found = run(*words, file)
    assert found.exit_code == 2
    assert f"{file}: there can be no such folder" in found.output
