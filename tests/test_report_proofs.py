"""The answers of the proof commands are readable: short lines, positions that can be pasted, nothing told twice."""

from __future__ import annotations

import yaml
from click.testing import CliRunner

from oracle import games
from oracle.cli import cli
from oracle.proof.claims import Proof
from oracle.proof.report import Report
from oracle.report import proofs
from oracle.report.text import WIDTH

CORE = tuple(f"dom.rule-{i}" for i in range(30))
PROOF = Proof(id="c.one", says="a claim " * 20, scope="all", outcome="proved", core=CORE, witness="players: A")


def test_no_line_of_the_table_is_long_and_none_is_lost() -> None:
    """Claims, what they need and what is not lifted are broken to the width of all answers."""
    told = proofs.table(Report("g", (PROOF,), 1.0, tested=("f: " + "why " * 40,)), {"c.one": 3})
    assert max(map(len, told.splitlines())) <= WIDTH
    assert all(rule in told for rule in CORE)
    assert told.count("Not lifted") == 1
    assert "  3 mutants" in told


def test_a_difference_has_a_position_to_paste() -> None:
    """No line is long, and the lines of the position are a position file in which the play is legal."""
    result = CliRunner().invoke(cli, ["readings", "l5r", "inner-before-outer"])
    assert result.exit_code == 0, result.output
    assert max(map(len, result.stdout.splitlines())) <= WIDTH
    position, _, rest = result.stdout.partition("smallest position:\n")[2].partition("  after: ")
    game = games.load("l5r")
    decision = game.decision(game.position(yaml.safe_load(position), "EE"))
    assert decision is not None
    assert rest.splitlines()[0] in map(game.text, decision.legal)
