"""How tests draw: choices, positions and plays of any game, all shrinkable."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from oracle import games
from oracle.game import Choose, Decision, Game

GAMES = games.names()


def chooses() -> st.SearchStrategy[Choose]:
    """A source of choices: bytes, two a choice, and 0 once they are used up, so that it shrinks to plain choices."""
    return st.binary(min_size=300, max_size=600).map(_chooser)


def _chooser(data: bytes) -> Choose:
    left = iter(data)
    return lambda n: (next(left, 0) * 256 + next(left, 0)) % n


def states(name: str, most_steps: int = 6) -> st.SearchStrategy[Any]:
    """A state some steps into a drawn position or a drawn game, perhaps a finished one."""
    return played(name, most_steps).map(lambda drawn: drawn[0])


@st.composite
def played(draw: st.DrawFn, name: str, most_steps: int = 6) -> tuple[Any, str]:
    """As `states`, with the edition that was played."""
    game: Game[Any] = games.load(name)
    choose = draw(chooses())
    edition = game.editions[choose(len(game.editions))]
    if choose(3):
        state = game.position(game.sample_position(choose, edition), edition)
    else:
        state = game.start(game.sample_setup(choose, edition=edition), edition)
    for _ in range(choose(most_steps + 1)):
        decision = game.decision(state)
        if decision is None:
            break
        state, _ = game.play(state, decision.legal[_index(choose, decision)])
    return state, edition


def _index(choose: Choose, decision: Decision) -> int:
    """A legal action's index; the first one, by convention the plainest, mostly gives way to another."""
    n = len(decision.legal)
    return 1 + choose(n - 1) if n > 1 and choose(8) else choose(n)
