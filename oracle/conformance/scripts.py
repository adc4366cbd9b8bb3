"""A case taken to a program: its `do` steps played in lockstep, its refusals tried on the way."""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from msgspec import Struct

from oracle.conformance.implementation import Implementation
from oracle.conformance.lockstep import Lockstep
from oracle.conformance.walks import Played
from oracle.errors import ImplementationFailed, OracleError, Skipped
from oracle.game import Action, Game

S = TypeVar("S")
Steps = tuple[tuple[Literal["do", "refuse"], str | None, Action], ...]
Json = Any


class OtherChance(Skipped):
    """The program's own chance decided otherwise than the case has it."""


class Script(Struct, frozen=True):
    """What a program can be shown of a case: where it begins, and what is done and refused, in order.

    `setup` is `{"position": GIVEN}` or a game's start setup. A step is ("do" | "refuse", player,
    action); a player of None means whoever must choose, or chance.
    """

    id: str
    edition: str
    setup: dict[str, Json]
    steps: Steps


def run(game: Game[S], program: Implementation, script: Script) -> Played:
    """Plays a script. Raises `OracleError` where the script itself is not right by the rules."""
    step = Lockstep(game, program, script.edition, script.setup)
    played = Played((), step.totals, (), step.setup)
    try:
        step.begin()
        played.finished = _run(step, script)
    except ImplementationFailed as failure:
        played.failure = failure
    played.found = tuple(step.found)
    played.play = tuple(map(game.text, step.point.play))
    return played


def _run(step: Lockstep[Any], script: Script) -> bool:
    passed: list[Action] = []
    for word, player, action in script.steps:
        decision = step.meet()
        passed += step.passed
        step.passed = ()
        if word == "do" and _passed_over(step, passed, action):
            continue
        if decision is None:
            return True
        if word == "do":
            if action not in decision.legal:
                raise OracleError(f"{step.game.text(action)!r} is not legal here", where=script.id)
            if action not in step.shared():
                return True
            step.take(action)
            continue
        who = player if player is not None else decision.player
        # Where the program has passed over the chance at which this was to be tried, it may be legal by now.
        if not step.game.judge(step.point.state, who, action).legal and not step.refuse(who, action):
            return True
    step.meet()
    return True


def _passed_over(step: Lockstep[Any], passed: list[Action], action: Action) -> bool:
    """Whether the action was taken already, as chance or as a choice without a choice."""
    while passed:
        if passed[0] == action:
            del passed[0]
            return True
        if passed[0].verb == action.verb:
            decided = step.game.text(passed[0])
            raise OtherChance(f"its chance decided {decided!r}, where the case has {step.game.text(action)!r}")
        del passed[0]
    return False
