"""The game with some of its code said otherwise: as a reading has it, or a mutant."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from oracle.game import Event
from oracle.games.l5r import L5R, State
from oracle.proof.readings import Reading
from oracle.proof.variants import Otherwise

PACKAGE = "oracle.games.l5r"
GUARDS = tuple(f"{PACKAGE}.{name}" for name in ("rules", "verdicts"))
"""The modules of the guards, whose mutants must all be noticed."""
TIMING = ("oracle.timing.rounds", "oracle.timing")
PLAYED = tuple(
    f"{PACKAGE}.{name}" for name in ("state", "losing", "declared", "effects", "given", "flow", "moves", "scoring")
)


class Variant(Otherwise, L5R):
    """The game as a reading has it."""

    modules = (*TIMING, *PLAYED, *GUARDS)
    plays = "flow"

    def opening(self, setup: Mapping[str, Any], edition: str) -> tuple[State, tuple[Event, ...]]:
        log: list[Event] = []
        return self.code.flow.run(self.code.given.start(setup, edition), log), tuple(log)

    def observe(self, state: State, player: str | None = None) -> dict[str, Any]:
        seen: dict[str, Any] = self.code.state.observe(state, player)
        return seen


def variant(reading: Reading, edits: Mapping[str, ast.Module] | None = None) -> Variant:
    """The game as the reading has it, or with other syntax trees for some of its modules."""
    return Variant(reading, edits)
