"""Which of the games have a room that only some have."""

from __future__ import annotations

from oracle import games
from oracle.errors import BadInput


def games_with(room: str) -> list[str]:
    """The names of the games whose folder has such a module."""
    found = []
    for name in games.names():
        try:
            games.load(name).room(room)
        except BadInput:
            continue
        found.append(name)
    return found
