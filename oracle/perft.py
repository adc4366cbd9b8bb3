"""Counts of legal plays, so that an author in any language compares numbers without a harness.

A play of depth n is a sequence of n decisions, each with one legal action taken; what chance decides
counts as a decision where it has more than one outcome. A play that ends earlier is counted at the depths
that it reaches only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from msgspec import Struct

from oracle.errors import BadInput
from oracle.game import Action, Game

S = TypeVar("S")
Json = Any
Actions = Callable[[S], Iterator[Action]]
MOST = 5_000_000
"""Plays that are counted at the most: a count that would take longer is refused, not begun in vain."""


class Perft(Struct, frozen=True):
    """Plays by depth (`counts[0]` is depth 1), and by first action at the last depth."""

    game: str
    edition: str
    counts: tuple[int, ...]
    divided: dict[str, int]


def generated(game: Game[S]) -> Actions[S]:
    """The actions that the generator lists."""

    def actions(state: S) -> Iterator[Action]:
        decision = game.decision(state)
        return iter(decision.legal if decision is not None else ())

    return actions


def judged(game: Game[S]) -> Actions[S]:
    """The actions of the candidate universe that the guard allows to whoever must choose: no generator in it.

    Complete only where the universe holds every action, as it does in small positions.
    """

    def actions(state: S) -> Iterator[Action]:
        players = (None, *game.observe(state).get("players", ()))
        for action in game.candidates(state):
            if any(game.judge(state, player, action).legal for player in players):
                yield action

    return actions


def count(game: Game[S], state: S, depth: int, actions: Actions[S] | None = None) -> int:
    """How many plays of that depth there are. Raises `BadInput` beyond `MOST`."""
    return _Counter(game, actions or generated(game)).plays(state, depth)


def perft(game: Game[S], state: S, edition: str, depth: int) -> Perft:
    """Counts for every depth up to `depth`, the last one also divided by first action."""
    counts = tuple(count(game, state, n) for n in range(1, depth + 1))
    divided = {
        game.text(action): count(game, game.play(state, action)[0], depth - 1) for action in generated(game)(state)
    }
    return Perft(game.name, edition, counts, divided)


def published(game: Game[S]) -> Mapping[str, Json]:
    """The position that a game's published counts begin with. Raises `BadInput` where it has none."""
    if not game.perft_start:
        raise BadInput(f"{game.name} has no published start", fix="give a position: --position FILE")
    return game.perft_start


class _Counter:
    """Counts with one memory for equal states: plays that meet again are counted once and added twice."""

    def __init__(self, game: Game[Any], actions: Actions[Any]) -> None:
        self._game = game
        self._actions = actions
        self._known: dict[tuple[Any, int], int] = {}
        self._looked_at = 0

    def plays(self, state: Any, depth: int) -> int:
        if depth == 0:
            return 1
        key = (state, depth)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._sum(state, depth)
        return known

    def _sum(self, state: Any, depth: int) -> int:
        total = 0
        for action in self._actions(state):
            self._looked_at += 1
            if self._looked_at > MOST:
                raise BadInput(
                    f"there are more than {MOST:,} steps to look at", fix="a smaller depth, or a smaller position"
                )
            total += 1 if depth == 1 else self.plays(self._game.play(state, action)[0], depth - 1)
        return total
