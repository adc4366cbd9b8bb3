"""Dominion loaded anew, so that a reading or a mutant can change it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from oracle.game import Action, Decision, Event, Outcome, Verdict
from oracle.games.dominion import Dominion, given
from oracle.games.dominion.state import State
from oracle.proof.lift import load
from oracle.proof.readings import Reading

PACKAGE = "oracle.games.dominion"
GUARDS = (f"{PACKAGE}.choices", f"{PACKAGE}.rules")
"""The modules of the guards, whose mutants must all be noticed."""
MODULES = (*(f"{PACKAGE}.{name}" for name in ("effects", "kingdom", "scoring")), *GUARDS, f"{PACKAGE}.moves")


class Variant(Dominion):
    """The game as a reading has it."""

    def __init__(self, reading: Reading, edits: Mapping[str, ast.Module] | None = None) -> None:
        self.code = load(MODULES, plain=True, edits=edits).code
        reading.change(self.code)

    def position(self, data: Mapping[str, Any], edition: str) -> State:
        return self._run(given.position(data, edition))

    def start(self, setup: Mapping[str, Any], edition: str) -> State:
        return self._run(given.start(setup, edition))

    def _run(self, state: State) -> State:
        after: State = self.code.effects.run(state, [])
        return after

    def generate(self, state: State) -> Decision | None:
        decision: Decision | None = self.code.moves.decision(state)
        return decision

    def judge(self, state: State, player: str | None, action: Action) -> Verdict:
        verdict: Verdict = self.code.rules.judge(state, player, action)
        return verdict

    def play(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        after: tuple[State, tuple[Event, ...]] = self.code.effects.play(state, action)
        return after

    def outcome(self, state: State) -> Outcome | None:
        end: Outcome | None = self.code.scoring.outcome(state)
        return end


def variant(reading: Reading, edits: Mapping[str, ast.Module] | None = None) -> Variant:
    """The game as the reading has it, or with other syntax trees for some of its modules."""
    return Variant(reading, edits)
