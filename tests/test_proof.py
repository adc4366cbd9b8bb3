"""Proofs: everything claimed is proved, and nothing is green that should not be."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from oracle import games, resources
from oracle.casebook import case as casebook
from oracle.casebook.runner import run
from oracle.errors import BadInput
from oracle.game import Game
from oracle.proof import compare_readings, find_questions, prove, save
from oracle.proof.claims import Claim, Part, decide
from oracle.proof.laws import Laws
from oracle.proof.readings import RULE, difference, killers
from oracle.proof.report import Report
from oracle.proof.smt import ask, ask_second, export, smallest
from oracle.proof.terms import TRUE, both, count, no, same
from oracle.report.proofs import questions

DOMINION = games.load("dominion")


def _with(room: str) -> list[str]:
    found = []
    for name in games.names():
        try:
            games.load(name).room(room)
        except BadInput:
            continue
        found.append(name)
    return found


@pytest.mark.parametrize("name", _with("claims"))
def test_every_claim_is_proved_by_both_solvers(name: str) -> None:
    """No claim is refuted, unknown, vacuous, a tautology, or proved by one solver only."""
    pytest.importorskip("cvc5")
    report = prove(games.load(name))
    assert {proof.id: (proof.outcome, proof.note) for proof in report.proofs if not proof.green} == {}
    assert report.green
    assert all(proof.core and proof.scope and proof.witness for proof in report.proofs)
    assert report.json()["green"] is True


def _claim(law: Laws, *parts: Part, about: str = "a") -> Claim:
    return Claim(id="c", says="", about=(about,), scope="", laws=law, parts=parts)


def test_each_outcome_is_told_from_the_others() -> None:
    """A proof, a refutation, an empty premise, a needless rule, too small a budget: none is taken for another."""
    x, y, law = count("x"), count("y"), Laws()
    small = law("a", x > 3)
    assert decide(_claim(law, Part(x > 2, small)), second=False).outcome == "one-solver"
    assert decide(_claim(law, Part(x > 2, small))).outcome in ("proved", "one-solver")
    assert decide(_claim(law, Part(x > 4, small))).outcome == "refuted"
    assert decide(_claim(law, Part(x > 2, both(small, x < 0)))).outcome == "vacuous"
    assert decide(_claim(law, Part(x + 1 > x, small))).outcome == "tautology"
    assert decide(_claim(law, Part(x > 2, small), about="b")).outcome == "tautology"
    assert decide(_claim(law)).outcome == "vacuous"
    assert decide(_claim(law, Part(x > 2, small, cases=(x < 0,)))).outcome == "vacuous"
    hard = _claim(law, Part(no(same(x * x * x + y * y * y, 29 + law("a", y) * 0 + 4)), TRUE))
    assert decide(hard, rlimit=500).outcome == "unknown"


def test_nothing_proved_is_no_report() -> None:
    """An empty report is not green."""
    assert not Report("dominion", (), 0.0).green


def test_both_solvers_read_what_is_exported() -> None:
    """Odd names and empty conjunctions survive the way to the second solver."""
    pytest.importorskip("cvc5")
    x = count("Throne Room's x")
    text = export([both(), x > 3, no(both(x > 2, both()))])
    assert ask_second(text).said == ask([x > 3, no(x > 2)]).said == "unsat"
    assert ask_second(export([x > 3])).said == "sat"


def test_smallest_models_are_smallest() -> None:
    """The first size is made small first, then the next."""
    x, y = count("x"), count("y")
    model = smallest([x + y >= 10, x >= 2, y >= 0], [x, y]).model
    assert (model.eval(x).as_long(), model.eval(y).as_long()) == (2, 8)


def test_a_wrong_theory_is_refuted_with_a_position_that_the_game_replays(tmp_path: Path) -> None:
    """With a clause left out of the theory, the guard's claim fails, on a small position that becomes a case.

    What the case demands is what this theory says, so that the game fails it.
    """
    room = DOMINION.room("claims")
    law = Laws({"dom.buy.treasures-first": lambda says: TRUE})
    claim = next(room.guards(room.modules(), law))
    proof = decide(claim, second=False)
    assert proof.outcome == "refuted"
    assert "dom.buy.treasures-first" in proof.note
    assert proof.counterexample is not None
    assert proof.counterexample["given"]["bought"] == 1
    files = save(tmp_path, DOMINION, Report("dominion", (proof,), 0.0))
    results = list(run(casebook.load(files, games.load)))
    assert [result.outcome for result in results] == ["fail"], [result.describe() for result in results]


@pytest.mark.parametrize(
    "rule", ["dom.buy.cost", "dom.buy.supply", "dom.action.actions", "dom.turn.current", "dom.buy.buys"]
)
def test_a_theory_without_a_clause_is_noticed(rule: str) -> None:
    """Each clause of a player's turn is needed."""
    room = DOMINION.room("claims")
    law = Laws({rule: lambda says: TRUE})
    claims = islice(room.guards(room.modules(), law), 2)
    assert "refuted" in {decide(claim, second=False).outcome for claim in claims}


@pytest.mark.parametrize("name", _with("claims"))
def test_an_unknown_claim_is_an_error(name: str) -> None:
    """A name that is no claim says which there are."""
    with pytest.raises(BadInput, match="no claim 'nonsense'"):
        prove(games.load(name), claims=["nonsense"])


# -- readings and questions ------------------------------------------------------------------------


def _readings() -> list[Any]:
    return [
        pytest.param(games.load(name), reading, id=f"{name}-{reading.id}")
        for name in _with("readings")
        for reading in games.load(name).room("readings").READINGS
    ]


@pytest.fixture(scope="module")
def books() -> dict[str, Any]:
    """The bundled cases by game."""
    return {name: casebook.load([resources.cases() / name], games.load).cases for name in _with("readings")}


@pytest.mark.parametrize(("game", "reading"), _readings())
def test_every_reading_is_harmless_or_noticed(
    game: Game[Any], reading: Any, books: dict[str, Any], tmp_path: Path
) -> None:
    """A reading is proved equivalent, or has a smallest position and a case that fails under it."""
    found = difference(game, RULE, reading)
    killed = killers(game, reading, books[game.name])
    if found.outcome == "harmless":
        assert killed == []
        return
    assert found.outcome == "differ", found
    assert killed or reading.kind == "open"
    files = save(tmp_path, game, found)
    results = list(run(casebook.load(files, games.load)))
    assert [result.outcome for result in results] == ["pass"], [result.describe() for result in results]


def test_readings_are_found_by_name() -> None:
    """Two readings are compared by their ids; an unknown one says which there are."""
    assert compare_readings(DOMINION, "rule", "treasures-after-a-buy").outcome == "differ"
    with pytest.raises(BadInput, match="no reading 'nonsense'"):
        compare_readings(DOMINION, "rule", "nonsense")


@pytest.mark.parametrize("name", _with("readings"))
def test_questions_come_with_a_play_that_shows_them(name: str, tmp_path: Path) -> None:
    """Each question that has a position is saved as a case that passes on the reference."""
    game = games.load(name)
    asked = find_questions(game)
    assert all(question.asks in " ".join(questions(asked).split()) for question in asked)
    files = save(tmp_path, game, asked)
    if files:
        cases = casebook.load(files, games.load).cases
        assert len({case.id for case in cases}) == len(cases)
        results = list(run(casebook.load(files, games.load)))
        assert all(result.passed for result in results), [result.describe() for result in results]
