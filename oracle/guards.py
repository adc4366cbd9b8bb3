"""The clauses of a game's guard, each filed under the ids of the rules it says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from oracle.game import Reason

F = TypeVar("F", bound=Callable[..., Any])


class Guards:
    """The clauses of one game. `names` has the names of the clauses by rule id."""

    def __init__(self) -> None:
        self.names: dict[str, list[str]] = {}
        self._rule: dict[Callable[..., Any], str] = {}

    def rule(self, *ids: str) -> Callable[[F], F]:
        """Files a clause under its rules; the first id is the one that verdicts give."""

        def register(clause: F) -> F:
            for id_ in ids:
                self.names.setdefault(id_, []).append(clause.__name__)
            self._rule[clause] = ids[0]
            return clause

        return register

    def instead(self, clause: Callable[..., Any], other: Callable[..., Any]) -> None:
        """Files another clause under the rule of one, as readings do that put it in its place."""
        self._rule[other] = self._rule[clause]

    def reason(self, clause: Callable[..., bool], fact: str, *values: object, under: str = "") -> Reason:
        """What a clause says of these values, and the fact that it was decided by."""
        return Reason(under or self._rule[clause], clause(*values), fact)
