"""The games that are modelled, loaded on demand so that naming them costs nothing."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any

from oracle.errors import BadInput
from oracle.game import Game

_MODULES = {"dominion": "oracle.games.dominion", "station": "oracle.games.station", "l5r": "oracle.games.l5r"}


def names() -> tuple[str, ...]:
    """The names of all games."""
    return tuple(_MODULES)


def guide(name: str) -> str:
    """How positions, setups and actions of the game are written: its folder's README. Raises `BadInput` for no game."""
    return Path(__file__).with_name(load(name).name).joinpath("README.md").read_text("utf-8")


def load(name: str) -> Game[Any]:
    """The game of that name. Raises `BadInput` for an unknown one."""
    if name not in _MODULES:
        near = get_close_matches(name, _MODULES, n=1)
        fix = f"did you mean {near[0]!r}?" if near else f"one of: {', '.join(_MODULES)}"
        raise BadInput(f"there is no game {name!r}", fix=fix)
    game: Game[Any] = import_module(_MODULES[name]).GAME
    return game
