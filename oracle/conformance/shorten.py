"""A long play made short by starting in the middle: the position just before the fault, with all that it
does not need taken away.

Works for programs that take positions; for the others `walks.shrink` looks for a short play from the start.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from oracle.conformance.divergence import Divergence
from oracle.conformance.implementation import Implementation
from oracle.conformance.lockstep import Lockstep
from oracle.errors import OracleError
from oracle.game import Action, Game

S = TypeVar("S")
Json = Any
Attempt = Callable[[Mapping[str, Json], Sequence[Action]], Sequence[Divergence]]
"""Plays the actions from a setup as far as they are legal, and gives what was found."""

BACK = 4
"""How many decisions of a turn the search goes back for a position to start from."""
SEEDS = 8
"""How many seeds of the program are tried, where its own chance must come out right for the fault to show."""


def replay(
    game: Game[S], program: Implementation, edition: str, setup: Mapping[str, Json], actions: Sequence[Action]
) -> Sequence[Divergence]:
    """What is found when the players take these actions from the setup, chance falling as it may.

    Raises what an `Implementation` raises, and `BadPosition`.
    """
    step = Lockstep(game, program, edition, setup)
    step.begin()
    left = list(actions)
    while (decision := step.meet()) is not None and left:
        if left[0] in step.passed:
            del left[0]
        elif left[0] in decision.legal and left[0] in step.shared():
            step.take(left.pop(0))
        else:
            break
    return step.found


def from_position(
    game: Game[S], attempt: Attempt, found: Divergence, *, seconds: float, clock: Callable[[], float] = time.monotonic
) -> Divergence | None:
    """The same divergence from a small position in few moves; None where it does not show that way.

    `attempt` may raise any `OracleError`: such a try shows nothing. At most about `seconds` are spent.
    """
    until = clock() + seconds

    def same(setup: Mapping[str, Json], actions: Sequence[Action]) -> Divergence | None:
        if clock() > until:
            return None
        try:
            seen = attempt(setup, actions)
        except OracleError:
            return None
        return next((divergence for divergence in seen if divergence.signature == found.signature), None)

    for position, actions in _beginnings(game, found):
        for seed in range(SEEDS):
            best = same({"position": position, "seed": seed}, actions)
            if best is not None:
                return _smaller(best, actions, seed, same)
    return None


def _beginnings(game: Game[S], found: Divergence) -> Iterator[tuple[dict[str, Json], list[Action]]]:
    """Positions of the play where nothing is half done, the last one first, and what the players do from there."""
    given = {key: value for key, value in found.setup.items() if key != "seed"}
    position = given.get("position")
    state = game.start(given, found.edition) if position is None else game.position(position, found.edition)
    settled: list[tuple[dict[str, Json], int]] = []
    chosen: list[Action] = []
    for text in found.play:
        decision = game.decision(state)
        if decision is not None and decision.kind == "action":
            settled.append((_whole(game, state), len(chosen)))
        action = game.read(text)
        if decision is None or decision.kind != "chance":
            chosen.append(action)
        state, _ = game.play(state, action)
    decision = game.decision(state)
    if decision is not None and decision.kind == "action":
        settled.append((_whole(game, state), len(chosen)))
    for start, done in settled[: -BACK - 1 : -1]:
        yield start, chosen[done:]


def _whole(game: Game[S], state: S) -> dict[str, Json]:
    return {field: value for field, value in game.observe(state).items() if field not in game.derived}


def _smaller(
    best: Divergence,
    actions: Sequence[Action],
    seed: int,
    same: Callable[[Mapping[str, Json], Sequence[Action]], Divergence | None],
) -> Divergence:
    """Takes away from the position whatever the divergence does not need, until nothing more can go."""
    position: Json = best.setup["position"]
    going = True
    while going:
        going = False
        for less in _less(position):
            smaller = same({"position": less, "seed": seed}, actions)
            if smaller is not None:
                best, position, going = smaller, less, True
                break
    return best


def _less(position: Mapping[str, Json]) -> Iterator[dict[str, Json]]:
    """The position with something left out, the largest pieces first."""
    for key in position:
        yield {name: value for name, value in position.items() if name != key}
    for name in sorted(_names(position), reverse=True):
        yield _without(position, name)
    for key, value in position.items():
        for part in _parts(value):
            yield {**position, key: part}


def _names(value: Json) -> set[str]:
    if isinstance(value, Mapping):
        return {str(key) for key in value} | {name for part in value.values() for name in _names(part)}
    if isinstance(value, list):
        return {name for part in value for name in _names(part)}
    return {value} if isinstance(value, str) else set()


def _without(value: Json, name: str) -> Json:
    """The value with no mention of a name left in its lists and keys."""
    if isinstance(value, Mapping):
        return {key: _without(part, name) for key, part in value.items() if key != name}
    if isinstance(value, list):
        return [_without(part, name) for part in value if part != name]
    return value


def _parts(value: Json) -> Iterator[Json]:
    """The value with one part left out, or a number nearer to nothing."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield {name: other for name, other in value.items() if name != key}
            for less in _parts(part):
                yield {**value, key: less}
    elif isinstance(value, list):
        half = len(value) // 2
        if half > 1:
            yield value[:half]
            yield value[half:]
        for i, part in enumerate(value):
            yield value[:i] + value[i + 1 :]
            if isinstance(part, list):
                for less in _parts(part):
                    yield [*value[:i], less, *value[i + 1 :]]
    elif isinstance(value, int) and not isinstance(value, bool) and value > 0:
        yield 0
        if value > 1:
            yield value - 1
