"""The Station loaded anew, so that a reading or a mutant can change it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import ModuleType, SimpleNamespace
from typing import Any

from msgspec.structs import replace

from oracle.game import Action, Decision, Event, Outcome, Verdict
from oracle.games.station import Station, given
from oracle.games.station.state import State
from oracle.proof.lift import load
from oracle.proof.readings import Reading

PACKAGE = "oracle.games.station"
GUARDS = (f"{PACKAGE}.rules", f"{PACKAGE}.verdicts")
"""The modules of the guards, whose mutants must all be noticed."""
MODULES = (*GUARDS, *(f"{PACKAGE}.{name}" for name in ("effects", "payments", "moves", "scoring")))


def loaded(edits: Mapping[str, ast.Module] | None = None) -> SimpleNamespace:
    """The modules of the game, loaded anew: what is changed in them changes nothing else."""
    code: dict[str, ModuleType] = {}
    for name in MODULES:
        package = ModuleType(PACKAGE)
        package.__dict__.update({known.rpartition(".")[2]: module for known, module in code.items()})
        code |= load([name], {**code, PACKAGE: package}, edits, plain=True)
    return SimpleNamespace(**{name.rpartition(".")[2]: module for name, module in code.items()})


class Variant(Station):
    """The game as a reading has it."""

    def __init__(self, reading: Reading, edits: Mapping[str, ast.Module] | None = None) -> None:
        self.code = loaded(edits)
        self.table: dict[str, Any] = {}
        self.code.parameters = self.table
        reading.change(self.code)

    def position(self, data: Mapping[str, Any], edition: str) -> State:
        return self._run(given.position(data, edition))

    def start(self, setup: Mapping[str, Any], edition: str) -> State:
        return self._run(given.start(setup, edition))

    def _run(self, state: State) -> State:
        after: State = self.code.effects.run(replace(state, table=replace(state.table, **self.table)), [])
        return after

    def generate(self, state: State) -> Decision | None:
        decision: Decision | None = self.code.moves.decision(state)
        return decision

    def judge(self, state: State, player: str | None, action: Action) -> Verdict:
        verdict: Verdict = self.code.verdicts.judge(state, player, action)
        return verdict

    def play(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        after: tuple[State, tuple[Event, ...]] = self.code.effects.play(state, action)
        return after

    def observe(self, state: State, player: str | None = None) -> dict[str, Any]:
        """A parameter that the reading sets is not shown: only what follows from it tells readings apart."""
        table = replace(state.table, **dict.fromkeys(self.table, True))
        return super().observe(replace(state, table=table), player)

    def outcome(self, state: State) -> Outcome | None:
        end: Outcome | None = self.code.scoring.outcome(state)
        return end
