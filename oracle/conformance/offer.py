"""What a program offers at a decision, read as actions of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from oracle.conformance.protocol import Decided
from oracle.errors import BadAction
from oracle.game import Action, Decision, Game

SAID = 300
"""Characters that are told of what a program offers and nobody can read."""


Settled = tuple[tuple[str | None, Action], ...]
"""Actions and who takes them, one after the other."""


class Offer(Struct, frozen=True):
    """A program's decision, read: `actions` is None where it gives no list.

    `coming` is what will be taken, where that is settled: the log of a play says no more of what was offered, perhaps,
    and not of what kind it was (None).
    """

    over: bool
    player: str | None
    kind: str | None
    actions: tuple[Action, ...] | None
    unreadable: tuple[str, ...] = ()
    coming: Settled = ()

    @property
    def taken(self) -> Action | None:
        """The action that will be taken now, where that is settled."""
        return self.coming[0][1] if self.coming else None

    @property
    def known(self) -> tuple[Action, ...] | None:
        """What is known to be offered: the list, or what is taken; None where there is neither."""
        return (self.taken,) if self.actions is None and self.taken is not None else self.actions

    def agrees(self, decision: Decision | None) -> bool:
        """Whether it is the oracle's decision, as far as can be seen."""
        if decision is None or self.over:
            return self.over and decision is None
        if self.player != decision.player:
            return False
        if self.actions is None:
            return self.calls_it_right(decision) and (self.taken is None or self.taken in decision.legal)
        return len(self.actions) == decision.legal.count and all(action in decision.legal for action in self.actions)

    def calls_it_right(self, decision: Decision) -> bool:
        """Whether the kind of decision is right: engines may take a choice for an order, and the other way round."""
        return self.kind in (None, decision.kind) or {self.kind, decision.kind} == {"choice", "order"}

    def same(self, other: Offer) -> bool:
        """Whether two answers are the same question: in which order options are listed says nothing."""
        ours, theirs = (frozenset(offer.actions or ()) for offer in (self, other))
        listed = (self.actions is None) == (other.actions is None)
        return listed and ours == theirs and replace(self, actions=other.actions) == other

    def overlap(self, decision: Decision | None) -> int:
        """How near it is to the oracle's decision: 0 for another player's, then 1 and the shared actions."""
        if decision is None or self.player != decision.player:
            return 0
        return 1 + sum(action in decision.legal for action in self.known or ())


def read(game: Game[Any], decided: Decided, state: Any, coming: Sequence[tuple[str | None, Action]] = ()) -> Offer:
    """The answer of a program to `decision` in a state; the same option twice is one."""
    actions: dict[Action, None] = {}
    unreadable = []
    for option in decided.options or ():
        try:
            actions[game.read(option, state)] = None
        except BadAction as wrong:
            unreadable.append(wrong.message if len(wrong.message) <= SAID else f"{wrong.message[:SAID]}...")
    listed = None if decided.options is None else tuple(actions)
    return Offer(decided.over, decided.player, decided.kind, listed, tuple(unreadable), tuple(coming))
