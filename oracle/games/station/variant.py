"""The game with some of its code said otherwise: as a reading has it, or a mutant."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from oracle.games.station import Station
from oracle.games.station.state import State
from oracle.proof.readings import Reading
from oracle.proof.variants import Otherwise

PACKAGE = "oracle.games.station"
GUARDS = (f"{PACKAGE}.rules", f"{PACKAGE}.verdicts")
"""The modules of the guards, whose mutants must all be noticed."""


class Variant(Otherwise, Station):
    """The game as a reading has it."""

    modules = (*GUARDS, *(f"{PACKAGE}.{name}" for name in ("effects", "payments", "moves", "scoring")))

    def goes_on(self, state: State) -> State:
        after: State = super().goes_on(replace(state, table=replace(state.table, **self.code.parameters)))
        return after

    def observe(self, state: State, player: str | None = None) -> dict[str, Any]:
        """A parameter that the reading sets is not shown: only what follows from it tells readings apart."""
        table = replace(state.table, **dict.fromkeys(self.code.parameters, True))
        return super().observe(replace(state, table=table), player)


def variant(reading: Reading, edits: Mapping[str, ast.Module] | None = None) -> Variant:
    """The game as the reading has it, or with other syntax trees for some of its modules."""
    return Variant(reading, edits)
