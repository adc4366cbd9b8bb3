"""Says what the rules of a tabletop game allow, and what a program that plays it gets wrong.

The functions here are the public face; each loads only what it needs. A `position` is a mapping as
in a case's `given:`, or a state that another function returned. An `action` is its text
(`"buy Silver"`), its JSON form (`{"buy": "Silver"}`) or an `oracle.game.Action`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oracle.errors import (
    BadAction,
    BadInput,
    BadPosition,
    Crashed,
    IllegalAction,
    ImplementationFailed,
    NothingRun,
    OracleError,
    ProtocolError,
    Skipped,
    TimedOut,
    Unsupported,
)

if TYPE_CHECKING:
    from oracle.checking import Checked
    from oracle.game import Action, Decision, Event, Game, Verdict

__all__ = [
    "BadAction",
    "BadInput",
    "BadPosition",
    "Crashed",
    "IllegalAction",
    "ImplementationFailed",
    "NothingRun",
    "OracleError",
    "ProtocolError",
    "Skipped",
    "TimedOut",
    "Unsupported",
    "check",
    "judge",
    "legal",
    "load",
    "play",
    "start",
]


def load(game: str) -> Game[Any]:
    """The game of that name, for example `"dominion"`. Raises `BadInput` for an unknown one."""
    from oracle import games

    return games.load(game)


def start(game: str | Game[Any], setup: dict[str, Any], *, edition: str | None = None) -> Any:
    """The first state of a game. `setup` names players and cards as a case's `setup:` does.

    Raises `BadPosition` for a set-up that cannot be, `BadInput` for an unknown game or edition.
    """
    model = _game(game)
    return model.start(setup, _edition(model, edition))


def legal(game: str | Game[Any], position: Any, *, edition: str | None = None) -> Decision | None:
    """Who must choose now, what kind of choice it is, and every legal action; None when the game is over.

    `edition` (the game's default where it is None) holds for a position that is a mapping; a state has
    its own. Raises `BadPosition` for a position that cannot be, `BadInput` for an unknown game or edition.
    """
    model = _game(game)
    return model.decision(_state(model, position, edition))


def judge(
    game: str | Game[Any],
    position: Any,
    player: str | None,
    action: str | dict[str, Any] | Action,
    *,
    edition: str | None = None,
) -> Verdict:
    """Whether a player (None: chance) may take an action now, with every clause that bears on it.

    Raises `BadAction` for what is no action of the game or names what is not in it, and what `legal` raises.
    """
    model = _game(game)
    state = _state(model, position, edition)
    return model.judge(state, player, _action(model, state, action))


def play(
    game: str | Game[Any], position: Any, *actions: str | dict[str, Any] | Action, edition: str | None = None
) -> tuple[Any, tuple[Event, ...]]:
    """Takes the actions one after the other, each by whoever must choose: the last state, and all that happened.

    Raises `IllegalAction`, which holds the verdict, for one that the rules do not allow, `BadAction` for
    what is no action of the game or names what is not in it, and what `legal` raises.
    """
    model = _game(game)
    state = _state(model, position, edition)
    happened: list[Event] = []
    for action in actions:
        state, events = model.apply(state, _action(model, state, action))
        happened += events
    return state, tuple(happened)


def check(target: str = "reference", **plan: Any) -> Checked:
    """Checks a program as `oracle check TARGET` does; `plan` are the other fields of `oracle.checking.Plan`.

    What fails is in the report that is returned, not raised. Raises `BadInput` for a plan that cannot be
    carried out, `NothingRun` for one that names nothing to run.
    """
    from oracle.checking import Plan, run

    return run(Plan(target=target, **plan))


def _game(game: str | Game[Any]) -> Game[Any]:
    return load(game) if isinstance(game, str) else game


def _edition(game: Game[Any], edition: str | None) -> str:
    if edition is not None and edition not in game.editions:
        raise BadInput(f"edition {edition!r} is unknown", fix=f"{game.name} has: {', '.join(game.editions)}")
    return edition or game.editions[0]


def _state(game: Game[Any], position: Any, edition: str | None) -> Any:
    named = _edition(game, edition)
    plain = position is None or isinstance(position, dict | list | str | int | float)
    return game.position(position, named) if plain else position


def _action(game: Game[Any], state: Any, action: str | dict[str, Any] | Action) -> Action:
    from oracle.game import Action

    return action if isinstance(action, Action) else game.read(action, state)
