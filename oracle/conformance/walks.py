"""Plays that are drawn: every choice comes from a seeded source or from Hypothesis, through one `Choose`.

A play is the list of the numbers that were chosen, 0 being the plainest choice everywhere. So the same
play can be made again, and Hypothesis can make it shorter.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any, TypeVar

from msgspec import Struct

from oracle.conformance.divergence import Divergence
from oracle.conformance.implementation import Implementation
from oracle.conformance.lockstep import Lockstep, Totals
from oracle.errors import ImplementationFailed
from oracle.game import Action, Choose, Game

S = TypeVar("S")
Json = Any

LONGEST = 2000
"""Decisions after which a drawn play is broken off."""
SEEDS = 1 << 16
"""A program's own chance is seeded with a number below this."""


class Source:
    """Choices from a seeded source, written down in `made`.

    Half of the players follow a taste that lasts for the whole play (the same action is liked
    wherever it is offered), so that piles run out and games end; the others choose evenly.
    """

    def __init__(self, seed: str) -> None:
        self.made: list[int] = []
        self._random = Random(seed)
        self._taste = self._random.randrange(1 << 30)
        self._steady = self._random.choice((0.0, 0.8))

    def __call__(self, n: int) -> int:
        return self._note(n, self._random.randrange(n))

    def action(self, actions: Collection[Action]) -> int:
        """The index of the action to take."""
        n = len(actions)
        if n <= 64 and self._random.random() < self._steady:
            likes = [zlib.crc32(f"{self._taste} {action.verb} {action.items}".encode()) for action in actions]
            return self._note(n, likes.index(max(likes)))
        return self(n)

    def tries(self, n: int) -> int:
        """How often, of n, a rare thing is tried: mostly 0."""
        return self._note(n, self._random.randrange(n) if self._random.random() < 0.3 else 0)

    def _note(self, n: int, choice: int) -> int:
        if n > 1:
            self.made.append(choice)
        return choice


class Given:
    """Choices from any `Choose`, such as a list written down before, or Hypothesis."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose

    def __call__(self, n: int) -> int:
        return self._choose(n) if n > 1 else 0

    def action(self, actions: Collection[Action]) -> int:
        """The index of the action to take."""
        return self(len(actions))

    def tries(self, n: int) -> int:
        """As `Source.tries`."""
        return self(n)


class Played(Struct):
    """What came of one play: also of one that `failure` cut short."""

    found: tuple[Divergence, ...]
    totals: Totals
    play: tuple[str, ...]
    setup: dict[str, Json]
    finished: bool = False
    failure: ImplementationFailed | None = None


def play(
    game: Game[S],
    program: Implementation,
    edition: str,
    source: Source | Given,
    *,
    features: Collection[str] = (),
    setup: Mapping[str, Json] | None = None,
    refusals: bool = True,
    until: str | None = None,
    longest: int = LONGEST,
) -> Played:
    """Plays one game in lockstep, every choice made by `source`.

    `setup` fixes the set-up instead of drawing it from the `features`. With `refusals`, illegal actions
    are tried at some decisions. The play ends early at a divergence whose signature is `until`, and after
    `longest` decisions. Raises `BadPosition` for a `setup` that cannot be.
    """
    start = dict(setup) if setup is not None else game.sample_setup(source, features)
    start.setdefault("seed", source(SEEDS))
    step = Lockstep(game, program, edition, start)
    played = Played((), step.totals, (), start)
    try:
        step.begin()
        played.finished = _walk(step, source, refusals, until, longest)
    except ImplementationFailed as failure:
        played.failure = failure
    played.found = tuple(step.found)
    played.play = tuple(map(game.text, step.point.play))
    return played


def _walk(step: Lockstep[Any], source: Source | Given, refusals: bool, until: str | None, longest: int) -> bool:
    """Whether the play came to its end: that of the game, or a divergence that ends it."""
    while (decision := step.meet()) is not None and step.totals.decisions < longest:
        if until is not None and any(divergence.signature == until for divergence in step.found):
            return False
        if refusals and source.tries(4):
            illegal = step.illegal(source)
            if illegal is not None and not step.refuse(*illegal):
                return True
        shared = step.shared()
        if not shared:
            return True
        step.take(shared[source.action(shared)])
    return decision is None


def shrink(
    attempt: Callable[[Given], Sequence[Divergence]],
    signature: str,
    made: Sequence[int],
    *,
    seconds: float,
    examples: int = 300,
) -> tuple[Divergence | None, float]:
    """The divergence of that signature with the shortest play that Hypothesis finds, and the seconds it took.

    `attempt` makes a play from choices and gives what it found; the search starts with the choices `made`. At
    most about `seconds` are spent and `examples` drawn. None where
    not even the choices made lead to the signature again.
    """
    from hypothesis import HealthCheck, Phase, find, settings
    from hypothesis import strategies as st
    from hypothesis.database import InMemoryExampleDatabase, choices_to_bytes
    from hypothesis.errors import HypothesisException

    best: Divergence | None = None
    began = time.monotonic()
    key = b"play"
    database = InMemoryExampleDatabase()
    database.save(key, choices_to_bytes(list(made)))

    def shows(data: st.DataObject) -> bool:
        nonlocal best
        if time.monotonic() > began + seconds:
            return False
        found = attempt(Given(lambda n: data.draw(st.integers(0, n - 1))))
        same = [divergence for divergence in found if divergence.signature == signature]
        if same and (best is None or same[0].size < best.size):
            best = same[0]
        return bool(same)

    # A program whose chance the seed does not fix plays differently each time: the best seen is still right.
    with suppress(HypothesisException):
        find(
            st.data(),
            shows,
            settings=settings(
                database=database,
                max_examples=examples,
                derandomize=False,
                deadline=None,
                phases=(Phase.reuse, Phase.generate, Phase.shrink),
                suppress_health_check=list(HealthCheck),
            ),
            random=Random(0),
            database_key=key,
        )
    return best, time.monotonic() - began
