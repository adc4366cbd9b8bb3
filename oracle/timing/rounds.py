"""Rounds in which players take turns to act or pass until all have passed one after the other.

A round starts with the first of its order. An action by anybody makes it go round for all again; an
action that was cancelled has not happened, and an additional action that is declined is no pass:
neither touches the round.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

Did = Literal["passed", "acted", "cancelled", "declined"]
"""What became of an opportunity."""


class Round(Struct, frozen=True):
    """A passing round: whose opportunity it is (a place in `order`), and how many passes there were in a row.

    `takes` are the kinds of action that each player of the order may take.
    """

    order: tuple[str, ...]
    takes: tuple[tuple[str, ...], ...] = ()
    turn: int = 0
    passes: int = 0

    @property
    def player(self) -> str:
        """Whose opportunity it is."""
        return self.order[self.turn]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of action that player may take."""
        return self.takes[self.turn] if self.takes else ()

    @property
    def passed(self) -> tuple[str, ...]:
        """Who has passed since anybody acted, in that order."""
        n = len(self.order)
        return tuple(self.order[(self.turn - i) % n] for i in range(self.passes, 0, -1))

    @property
    def ended(self) -> bool:
        """Whether all have passed one after the other."""
        return ends(self.passes, len(self.order))

    def after(self, did: Did) -> Round:
        """The round after what became of an opportunity."""
        if did in ("cancelled", "declined"):
            return self
        passes = passes_after(self.passes, did == "passed")
        return replace(self, turn=next_place(self.turn, len(self.order)), passes=passes)

    def without(self, player: str) -> Round:
        """The round after a player has left it; an opportunity of his is the next player's."""
        if player not in self.order:
            return self
        place = self.order.index(player)
        left = len(self.order) - 1
        return Round(
            self.order[:place] + self.order[place + 1 :],
            self.takes[:place] + self.takes[place + 1 :],
            (self.turn - (place < self.turn)) % left if left else 0,
            self.passes - (player in self.passed),
        )

    def at(self, player: str, passed: Iterable[str] = ()) -> Round:
        """The round with the opportunity at that player. Raises `ValueError` if these cannot just have passed."""
        there = replace(self, turn=self.order.index(player), passes=len(tuple(passed)))
        if there.passed != tuple(passed) or there.ended:
            raise ValueError(f"{', '.join(passed)} cannot have passed just before {player}")
        return there


def ends(passes: int, players: int) -> bool:
    """Whether so many passes in a row end a round of so many players."""
    return passes >= players


def passes_after(passes: int, passed: bool) -> int:
    """How many passes there are in a row after one more opportunity."""
    return passes + 1 if passed else 0


def next_place(place: int, players: int) -> int:
    """The place in the order that has the next opportunity."""
    return place + 1 if place + 1 < players else 0
