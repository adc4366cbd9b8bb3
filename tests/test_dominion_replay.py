"""Dominion's refutations: an altered rule gives a small position, and a case that the shipped game passes alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from oracle import games
from oracle.casebook import case as casebook
from oracle.casebook.runner import run
from oracle.proof import save
from oracle.proof.claims import Claim, Proof, decide
from oracle.proof.laws import Laws
from oracle.proof.lift import source_of
from oracle.proof.readings import RULE, failing
from oracle.proof.report import Report
from oracle.proof.terms import TRUE

pytest.importorskip("z3")

DOMINION = games.load("dominion")
CLAIMS, READINGS = DOMINION.room("claims"), DOMINION.room("readings")

ALTERED = [
    ("guard.play", "rules", "return bought == 0", "return True"),
    ("guard.buy", "rules", "return cost <= coins", "return cost < coins"),
    ("guard.end", "rules", "state.at.unit == item, phase", "True, phase"),
    ("guard.cellar", "choices", 'return _from_hand(state, step, cards), "any', 'return bool(cards), "any'),
    ("guard.chapel", "choices", "len(cards) <= 4", "len(cards) <= 5"),
    ("guard.moat", "choices", 'cards in ((), ("Moat",))', "cards in ((),)"),
    ("guard.harbinger", "choices", "len(cards) <= 1 and _subset", "len(cards) == 1 and _subset"),
    ("guard.vassal-play", "choices", "ok = not cards or (", "ok = ("),
    ("guard.topdeck", "choices", 'cards), "a card', 'cards) or not cards, "a card'),
    ("guard.bureaucrat", "choices", '"Victory")', '"Treasure")'),
    ("guard.militia", "choices", "hand - len(cards) == 3", "hand - len(cards) == 2"),
    ("guard.moneylender", "choices", "not cards and not _old(state)", "not cards"),
    ("guard.poacher", "choices", "(empty if empty < hand else hand)", "empty"),
    ("guard.remodel", "choices", 'cards), "one card', 'cards) or not cards, "one card'),
    ("guard.throne-room", "choices", '"Action"), fact', '"Treasure"), fact'),
    ("guard.bandit", "choices", 'and cards != ("Copper",), f"a', 'or cards == ("Copper",), f"a'),
    ("guard.library-card", "choices", 'return cards == step.cards, f"the', 'return True, f"the'),
    ("guard.mine", "choices", '_has_type(state, cards, "Treasure"), fact', "True, fact"),
    ("guard.sentry-trash", "choices", 'return _subset(cards, step.cards), f"any', 'return len(cards) <= 2, f"any'),
    ("guard.sentry-discard", "choices", 'return _subset(cards, step.cards), f"any', 'return not cards, f"any'),
    ("guard.put-back", "choices", "sorted(cards) == sorted(step.cards)", "len(cards) == 2"),
    ("guard.gain.Workshop", "choices", "most, kind = 4", "most, kind = 5"),
    ("guard.gain.Artisan", "choices", "most, kind = 5", "most, kind = 4"),
    ("guard.gain.Remodel", "choices", ".cost + 2", ".cost + 3"),
    ("guard.gain.Mine", "choices", '.cost + 3, "Treasure"', '.cost + 3, "card"'),
    ("guard.chance", "rules", "len(cards) == min(n, size(deck)) and ", ""),
    ("guard.resolve", "rules", "return name in names", "return True"),
    ("guard.over", "rules", "return not over", "return True"),
    ("effect.chapel", "kingdom", "return trash(from_hand", "return discard(from_hand"),
    ("effect.harbinger", "kingdom", "return topdeck(state, cards, step", "return discard(state, cards, step"),
    ("effect.bureaucrat", "kingdom", "return topdeck(from_hand", "return discard(from_hand"),
    ("effect.militia", "kingdom", "return discard(from_hand", "return trash(from_hand"),
    ("effect.moneylender", "kingdom", "state.coins + 3", "state.coins + 4"),
    ("effect.bandit", "kingdom", "remove(step.cards, cards), step.seat", "step.cards, step.seat"),
    ("effect.mine", "kingdom", '_in_hand(state, step, "Treasure")', '_in_hand(state, step, "Victory")'),
    ("effect.gain.Remodel", "kingdom", "(2 if step.card", "(1 if step.card"),
    ("effect.gain.Mine", "kingdom", 'to = "hand" if', 'to = "discard" if'),
    ("effect.buy", "effects", "coins=state.coins - state.table[card].cost", "coins=state.coins - 1"),
]
"""A claim, and a change of the module that breaks it: in which room, what stands there, what instead."""


def _altered(room: str, old: str, new: str) -> dict[str, ast.Module]:
    name = f"oracle.games.dominion.{room}"
    source = source_of(name)
    assert old in source
    return {name: ast.parse(source.replace(old, new, 1))}


def _claim(code: Any, id_: str, law: Laws) -> Claim:
    groups = (CLAIMS.guards, CLAIMS.claims) if id_.startswith("guard") else (CLAIMS.claims,)
    every: Iterator[Claim] = chain.from_iterable(group(code, law) for group in groups)
    return next(claim for claim in every if claim.id == id_)


def _saved(proof: Proof, folder: Path) -> list[Any]:
    files = save(folder, DOMINION, Report("dominion", (proof,), 0.0))
    return list(casebook.load(files, games.load).cases)


@pytest.mark.parametrize(("id_", "room", "old", "new"), ALTERED, ids=[row[0] for row in ALTERED])
def test_an_altered_rule_is_refuted_with_a_case(id_: str, room: str, old: str, new: str, tmp_path: Path) -> None:
    """The claim is refuted with a position; its case fails on the altered game and passes on the shipped one."""
    edits = _altered(room, old, new)
    proof = decide(_claim(CLAIMS.modules(edits=edits), id_, Laws()), second=False)
    assert (proof.outcome, bool(proof.counterexample)) == ("refuted", True), proof.note
    cases = _saved(proof, tmp_path)
    assert len(cases) == 1
    assert list(failing(READINGS.variant(RULE, edits), cases)) == [cases[0].id]
    assert [result.outcome for result in run(casebook.load(sorted(tmp_path.iterdir()), games.load))] == ["pass"]


WRONGLY_SAID = [
    ("promise.treasures-first", "dom.buy.treasures-first"),
    ("promise.within-coins", "dom.buy.cost"),
    ("promise.one-decides", "dom.turn.current"),
]


@pytest.mark.parametrize(("id_", "rule"), WRONGLY_SAID)
def test_a_broken_promise_of_the_theory_is_held_against_the_game(id_: str, rule: str, tmp_path: Path) -> None:
    """With a clause left out of the theory a promise is refuted, and the case says what the game says instead."""
    law = Laws({rule: lambda says: TRUE})
    proof = decide(_claim(CLAIMS.modules(), id_, law), second=False)
    assert proof.outcome == "refuted", proof.note
    assert len(_saved(proof, tmp_path)) == 1
    assert [result.outcome for result in run(casebook.load(sorted(tmp_path.iterdir()), games.load))] == ["pass"]
