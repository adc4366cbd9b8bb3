"""The game with some of its code said otherwise: as a reading has it, or a mutant."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from oracle.games.dominion import Dominion
from oracle.proof.readings import Reading
from oracle.proof.variants import Otherwise

PACKAGE = "oracle.games.dominion"
GUARDS = (f"{PACKAGE}.choices", f"{PACKAGE}.rules")
"""The modules of the guards, whose mutants must all be noticed."""


class Variant(Otherwise, Dominion):
    """The game as a reading has it."""

    modules = (*(f"{PACKAGE}.{name}" for name in ("effects", "kingdom", "scoring")), *GUARDS, f"{PACKAGE}.moves")
    judges = "rules"


def variant(reading: Reading, edits: Mapping[str, ast.Module] | None = None) -> Variant:
    """The game as the reading has it, or with other syntax trees for some of its modules."""
    return Variant(reading, edits)
