"""A case taken to a program: its `do` steps played in lockstep, its refusals tried on the way."""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from msgspec import Struct

from oracle.conformance.divergence import Divergence
from oracle.conformance.implementation import Implementation
from oracle.conformance.lockstep import Lockstep
from oracle.conformance.walks import Played
from oracle.errors import BadPosition, ImplementationFailed, OracleError, Skipped, Unsupported
from oracle.game import Action, Game

S = TypeVar("S")
Steps = tuple[tuple[Literal["do", "refuse"], str | None, Action], ...]
SEEDS_TRIED = 30
"""Seeds that a script is tried with until the program's chance decides as the script has it."""
BACK = 12
"""Actions before a divergence at most, from where it is shown in a position of its own."""
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


def from_position(game: Game[S], program: Implementation, divergence: Divergence) -> Divergence | None:
    """The divergence shown from a position on its way, not from the start of a game.

    None where the program cannot begin in a position, or plays differently from there.
    """
    given = {key: value for key, value in divergence.setup.items() if key != "seed"}
    if "position" in given:
        return None
    actions = [game.read(text) for text in divergence.play]
    states = [game.start(given, divergence.edition)]
    for action in actions:
        states.append(game.play(states[-1], action)[0])
    for i in range(len(actions), max(-1, len(actions) - BACK), -1):
        decision = game.decision(states[i])
        if decision is None or decision.kind != "action":
            continue
        position = game.observe(states[i])
        try:
            game.position(position, divergence.edition)
        except BadPosition:
            continue
        steps: Steps = tuple(("do", None, action) for action in actions[i:])
        for seed in range(SEEDS_TRIED):
            setup = {"position": position, "seed": seed}
            played = run(game, program, Script("", divergence.edition, setup, steps))
            same = [found for found in played.found if found.signature == divergence.signature]
            if same:
                return same[0]
            if isinstance(played.failure, Unsupported):
                return None
            if not isinstance(played.failure, OtherChance):
                break
    return None


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
            step.take(action)
        elif not step.refuse(player if player is not None else decision.player, action):
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
