"""The game with some of its code said otherwise: as a reading has it, or a mutant."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import ModuleType, SimpleNamespace
from typing import Any

from oracle.game import Action, Decision, Event, Outcome, Verdict
from oracle.games.l5r import L5R, State
from oracle.proof.lift import load
from oracle.proof.readings import Reading

PACKAGE = "oracle.games.l5r"
GUARDS = tuple(f"{PACKAGE}.{name}" for name in ("rules", "verdicts"))
"""The modules of the guards, whose mutants must all be noticed."""
TIMING = ("oracle.timing.rounds", "oracle.timing")
PLAYED = tuple(
    f"{PACKAGE}.{name}" for name in ("state", "losing", "declared", "effects", "given", "flow", "moves", "scoring")
)
MODULES = (*TIMING, *PLAYED, *GUARDS)
"""All that decides what may be done and what happens, each after what it imports."""


def loaded(edits: Mapping[str, ast.Module] | None = None) -> SimpleNamespace:
    """The modules of the game by their last names, loaded anew: what is changed in them changes nothing else."""
    code: dict[str, ModuleType] = {}
    for name in MODULES:
        package = ModuleType(PACKAGE)
        package.__dict__.update({known.rpartition(".")[2]: module for known, module in code.items()})
        code |= load([name], {**code, PACKAGE: package}, edits, plain=True)
    return SimpleNamespace(**{name.rpartition(".")[2]: module for name, module in code.items()})


class Variant(L5R):
    """The game as a reading has it."""

    def __init__(self, reading: Reading, edits: Mapping[str, ast.Module] | None = None) -> None:
        self.code = loaded(edits)
        reading.change(self.code)

    def position(self, data: Mapping[str, Any], edition: str) -> State:
        return self._run(self.code.given.position(data, edition), [])

    def opening(self, setup: Mapping[str, Any], edition: str) -> tuple[State, tuple[Event, ...]]:
        log: list[Event] = []
        return self._run(self.code.given.start(setup, edition), log), tuple(log)

    def _run(self, state: State, log: list[Event]) -> State:
        after: State = self.code.flow.run(state, log)
        return after

    def generate(self, state: State) -> Decision | None:
        decision: Decision | None = self.code.moves.decision(state)
        return decision

    def judge(self, state: State, player: str | None, action: Action) -> Verdict:
        verdict: Verdict = self.code.verdicts.judge(state, player, action)
        return verdict

    def play(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        after: tuple[State, tuple[Event, ...]] = self.code.flow.play(state, action)
        return after

    def observe(self, state: State, player: str | None = None) -> dict[str, Any]:
        seen: dict[str, Any] = self.code.state.observe(state, player)
        return seen

    def outcome(self, state: State) -> Outcome | None:
        end: Outcome | None = self.code.scoring.outcome(state)
        return end


def variant(reading: Reading, edits: Mapping[str, ast.Module] | None = None) -> Variant:
    """The game as the reading has it, or with other syntax trees for some of its modules."""
    return Variant(reading, edits)
