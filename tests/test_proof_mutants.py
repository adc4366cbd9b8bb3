"""What is said wrongly, in a theory or in the shipped guard, is noticed by a claim or a case."""

from __future__ import annotations

import os
from collections.abc import Mapping

import pytest

from oracle import games, resources
from oracle.casebook import case as casebook
from oracle.proof import mutants
from oracle.proof.lift import source_of
from tests.rooms import games_with

pytest.importorskip("z3")

EVERY = int(os.environ.get("ORACLE_MUTANTS", "15"))
"""Of how many mutants of the guard one is tried: set ORACLE_MUTANTS=1 for all of them."""

EQUIVALENT: Mapping[str, Mapping[str, str]] = {
    "dominion": {
        "card = state.table[item] if item in state.table else Card(item, 0, ())": "the cost of a card that is not "
        "in the game is never looked at: it has no pile",
        "return all(card in state.table and type_ in state.table[card] for card in cards)": "only cards of a zone come "
        "here, and those are in the table",
        "below.card == step.card and below.seat != step.seat": "who is asked now never is the one who is refused here",
        "(empty if empty < hand else hand)": "where both are as many it does not matter which is taken",
    },
    "station": {
        "return cost - discount if cost > discount else 0": "equal numbers leave 0 either way",
        "return dealt == (missing if missing < left else left)": "where both are as many it does not matter which",
        "elif n > 1:": "a single card was looked at before",
        "return node in map.nodes and state.table.allows(": "asked of nodes of the map only",
        "if known and not occupied:": "elsewhere nothing is installed anyway",
        "if not rules.unbought(unpaid, unpaid or": "what cannot be paid is unbought wherever it could go",
        "alike = leaves and enters and not rules.differs(": "no module is alike none",
    },
    "l5r": {
        "(wanted if wanted < there else there) <= ready": "where both are as many it does not matter which",
        "len(cards) == (n if n < left else left)": "where both are as many it does not matter which",
        "has not just happened": "what has not happened is answered neither in time nor out of it",
        'if action.verb != "resolve":': "whatever else is refused by the clause before, for the same rule",
        "if player else False": "nobody has no abilities, so chance is never asked for the card of one",
        'elif action.verb == "use" and ability is not None:': "an ability that is not there was refused before",
        'elif action.verb == "decline":': "what is said there of an option that is declined was said before",
        "index = names.get(_only(action), -1)": "no battlefield is at either place, and no more is asked of it",
        "if action.verb != step.do:": "the clause below is broken as well then, under the same rule",
    },
}
"""Mutants that change nothing, by what stands in their line, and why."""


@pytest.mark.parametrize("name", games_with("claims"))
def test_every_clause_of_the_theory_matters(name: str) -> None:
    """Whatever clause is dropped, denied or off by one, some claim is no longer proved."""
    tried = mutants.of_theory(games.load(name))
    assert len(tried) > 50
    assert [mutant.name for mutant in tried if not mutant.killed_by] == []


@pytest.mark.parametrize("name", games_with("claims"))
def test_every_clause_of_the_guard_matters(name: str) -> None:
    """At least 95 of 100 small changes of the guard fail a case or a claim; the others are known to change nothing."""
    game = games.load(name)
    cases = casebook.load([resources.cases() / name], games.load).cases
    tried = mutants.of_guard(game, cases, EVERY)
    alive = [mutant.name for mutant in tried if not mutant.killed_by]
    room = game.room("readings")
    lines = {name.rpartition(".")[2]: source_of(name).splitlines() for name in room.GUARDS}
    for mutant in alive:
        module, _, place = mutant.partition(":")[0].partition(", line ")
        line = lines[module][int(place) - 1]
        assert any(known in line for known in EQUIVALENT[name]), (mutant, line)
    assert len(tried) > 10
    assert len(tried) - len(alive) >= 0.95 * len(tried) - 1
