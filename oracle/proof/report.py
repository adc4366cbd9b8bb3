"""What the proof commands answer, as values that can be written as JSON."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from oracle.proof.claims import Proof


class Report(Struct, frozen=True):
    """The outcome of each claim of a game; `seconds` is the CPU time that all of it took."""

    game: str
    proofs: tuple[Proof, ...]
    seconds: float
    tested: tuple[str, ...] = ()
    """Effects that cannot be lifted, and are tested against the theory instead."""

    @property
    def green(self) -> bool:
        """Whether there are claims and each is proved by both solvers."""
        return bool(self.proofs) and all(proof.green for proof in self.proofs)

    def json(self) -> dict[str, Any]:
        """The report as JSON data."""
        return {"green": self.green, **msgspec.to_builtins(self)}
