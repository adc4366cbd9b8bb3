"""What a program offers at a decision, read as actions of the game."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from oracle.conformance.protocol import Decided
from oracle.errors import BadAction
from oracle.game import Action, Decision, Game

SAID = 300
"""Characters that are told of what a program offers and nobody can read."""


class Offer(Struct, frozen=True):
    """A program's decision, read: `actions` is None where it gives no list."""

    over: bool
    player: str | None
    kind: str | None
    actions: tuple[Action, ...] | None
    unreadable: tuple[str, ...] = ()

    def agrees(self, decision: Decision | None) -> bool:
        """Whether it is the oracle's decision, as far as can be seen."""
        if decision is None or self.over:
            return self.over and decision is None
        if self.player != decision.player:
            return False
        if self.actions is None:
            return self.calls_it_right(decision)
        return len(self.actions) == decision.legal.count and all(action in decision.legal for action in self.actions)

    def calls_it_right(self, decision: Decision) -> bool:
        """Whether the kind of decision is right: engines may take a choice for an order, and the other way round."""
        return self.kind == decision.kind or {self.kind, decision.kind} == {"choice", "order"}

    def overlap(self, decision: Decision | None) -> int:
        """How near it is to the oracle's decision: 0 for another player's, then 1 and the shared actions."""
        if decision is None or self.player != decision.player:
            return 0
        return 1 + sum(action in decision.legal for action in self.actions or ())


def read(game: Game[Any], decided: Decided, state: Any) -> Offer:
    """The answer of a program to `decision` in a state; the same option twice is one."""
    if decided.options is None:
        return Offer(decided.over, decided.player, decided.kind, None)
    actions: dict[Action, None] = {}
    unreadable = []
    for option in decided.options:
        try:
            actions[game.read(option, state)] = None
        except BadAction as wrong:
            unreadable.append(wrong.message if len(wrong.message) <= SAID else f"{wrong.message[:SAID]}...")
    return Offer(decided.over, decided.player, decided.kind, tuple(actions), tuple(unreadable))
