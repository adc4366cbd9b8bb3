"""Proofs: the shipped guards say what the theory says, and nothing is green that should not be."""

from __future__ import annotations

import pytest

from oracle import games
from oracle.proof import prove
from tests.strategies import GAMES


@pytest.mark.parametrize("name", [name for name in GAMES if name == "dominion"])
def test_every_claim_is_proved_by_both_solvers(name: str) -> None:
    """No claim is refuted, unknown, vacuous, a tautology, or proved by one solver only."""
    pytest.importorskip("cvc5")
    report = prove(games.load(name))
    assert {proof.id: proof.outcome for proof in report.proofs if not proof.green} == {}
    assert report.green
