"""The way down the plays of a position, level by level, to the first point where a program differs."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, TypeVar

from msgspec import Struct

from oracle.conformance.divergence import Divergence
from oracle.conformance.implementation import Implementation
from oracle.conformance.lockstep import Lockstep
from oracle.game import Action, Game

S = TypeVar("S")
Json = Any
WIDEST = 50_000
"""Plays of one level that are gone through at the most."""


class Descent(Struct, frozen=True):
    """What a descent saw: plays compared at each depth, and the first divergence, in as few actions as there are."""

    compared: tuple[int, ...]
    divergence: Divergence | None
    cut: bool = False


def descend(game: Game[S], program: Implementation, edition: str, position: Mapping[str, Json], depth: int) -> Descent:
    """Compares the program with the oracle at every play of fewer than `depth` actions from a position.

    Each play is made anew in the program, so it need not step back. `cut` says that a level was too wide to
    be gone through whole. Raises what an `Implementation` raises.
    """
    level: list[tuple[Action, ...]] = [()]
    compared: list[int] = []
    for _ in range(depth):
        below: list[tuple[Action, ...]] = []
        for play in level:
            step = _replayed(game, program, edition, position, play)
            decision = step.meet()
            if step.found:
                return Descent((*compared, len(level)), step.found[0])
            if decision is not None:
                below += [(*play, action) for action in islice(step.shared(), WIDEST)]
        compared.append(len(level))
        if len(below) > WIDEST:
            return Descent(tuple(compared), None, cut=True)
        level = below
    return Descent(tuple(compared), None)


def _replayed(
    game: Game[S], program: Implementation, edition: str, position: Mapping[str, Json], play: tuple[Action, ...]
) -> Lockstep[S]:
    step = Lockstep(game, program, edition, {"position": dict(position), "seed": 0})
    step.begin()
    for action in play:
        decision = step.meet()
        if decision is None or action not in decision.legal:
            break
        step.take(action)
    return step
