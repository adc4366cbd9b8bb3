"""What the proof commands answer, as values that can be written as JSON or as a table."""

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

    def table(self) -> str:
        """The report for a terminal: a line a claim, and below it what a claim that is not proved has to say."""
        width = max((len(proof.id) for proof in self.proofs), default=0)
        lines = []
        for proof in self.proofs:
            times = f"z3 {proof.z3_seconds * 1000:6.0f} ms  cvc5 {proof.cvc5_seconds * 1000:6.0f} ms"
            lines.append(f"{proof.outcome:<10}  {proof.id:<{width}}  {times}  {proof.says}")
            lines.append(f"{'':12}scope: {proof.scope}")
            if proof.core:
                lines.append(f"{'':12}needs: {', '.join(proof.core)}")
            lines += [f"{'':12}{text}" for text in (proof.note, proof.witness and f"witness: {proof.witness}") if text]
        done = sum(proof.green for proof in self.proofs)
        lines += [f"not lifted, but tested against the theory: {', '.join(self.tested)}"] if self.tested else []
        lines.append(f"{done} of {len(self.proofs)} claims proved by both solvers, {self.seconds:.1f} s CPU")
        return "\n".join(lines)
