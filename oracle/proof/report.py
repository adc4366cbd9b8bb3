"""What the proof commands answer, as values that can be written as JSON or as a table."""

from __future__ import annotations

from collections.abc import Mapping
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

    def table(self, kills: Mapping[str, int] | None = None) -> str:
        """The report for a terminal: a line a claim, and below it what it rests on, or why it is not proved.

        `kills` tells how many mutants of the theory each claim notices.
        """
        width = max((len(proof.id) for proof in self.proofs), default=0)
        lines = []
        for proof in self.proofs:
            times = f"z3 {proof.z3_seconds * 1000:6.0f} ms  cvc5 {proof.cvc5_seconds * 1000:6.0f} ms"
            times += f"  {kills.get(proof.id, 0):3} mutants" if kills is not None else ""
            lines.append(f"{proof.outcome:<10}  {proof.id:<{width}}  {times}  {proof.says}")
            lines.append(f"{'':12}scope: {proof.scope}")
            if proof.core:
                lines.append(f"{'':12}needs: {', '.join(proof.core)}")
            lines += [f"{'':12}{text}" for text in (proof.note, proof.witness and f"witness: {proof.witness}") if text]
        done = sum(proof.green for proof in self.proofs)
        lines += [f"not lifted, but tested against the theory: {each}" for each in self.tested]
        lines.append(f"{done} of {len(self.proofs)} claims proved by both solvers, {self.seconds:.1f} s CPU")
        return "\n".join(lines)
