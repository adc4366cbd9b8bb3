"""Plays that are drawn: every choice comes from a seeded source or from Hypothesis, through one `Choose`.

A play is the list of the numbers that were chosen, 0 being the plainest choice everywhere. So the same
play can be made again, and Hypothesis can make it shorter.
"""

from __future__ import annotations

import tempfile
import time
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from random import Random
from typing import Any, TypeVar

from msgspec import Struct

from oracle.conformance.comparing import Totals
from oracle.conformance.divergence import Divergence
from oracle.conformance.implementation import Implementation
from oracle.conformance.lockstep import Lockstep
from oracle.errors import ImplementationFailed
from oracle.game import Choose, Game, LegalActions

S = TypeVar("S")
Json = Any

LONGEST = 2000
"""Decisions after which a drawn play is broken off."""
SEEDS = 1 << 16
"""A program's own chance is seeded with a number below this."""


class Source:
    """Choices from a seeded source, written down in `made`.

    A play has one of three manners, so that both odd corners and whole games are seen: `even` takes
    any action alike, `eager` seldom the plainest and rather what is listed first by verb and last
    within it, and `steady` likes the same actions (not the plainest) wherever they are offered.
    """

    def __init__(self, seed: str) -> None:
        self.made: list[int] = []
        self._random = Random(seed)
        self._manner = self._random.choice(("even", "steady", "eager", "eager"))
        self._taste = self._random.randrange(1 << 30)

    def __call__(self, n: int) -> int:
        return self._note(n, self._random.randrange(n))

    def action(self, actions: LegalActions) -> int:
        """The index of the action to take."""
        n = actions.count
        if n > 64 or self._manner == "even" or self._random.random() < 0.15:
            return self(n)
        if self._manner == "steady":
            likes = [zlib.crc32(f"{self._taste} {action.verb} {action.items}".encode()) for action in actions]
            return self._note(n, max(range(min(1, n - 1), n), key=likes.__getitem__))
        verbs = [action.verb for action in actions]
        group = [i for i in range(n) if verbs[i] == verbs[min(1, n - 1)]]
        return self._note(n, group[max(self._random.randrange(len(group)) for _ in "ab")])

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

    def action(self, actions: LegalActions) -> int:
        """The index of the action to take."""
        return self(actions.count)

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
    features: Collection[str] | None = None,
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
    start = dict(setup) if setup is not None else game.sample_setup(source, features, edition)
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
    attempt: Callable[[Given, int], Sequence[Divergence]],
    known: Divergence,
    made: Sequence[int],
    *,
    seconds: float,
) -> tuple[Divergence | None, float]:
    """The same divergence with the shortest play that Hypothesis finds, and the seconds it took.

    `attempt` makes a play from choices, of at most so many decisions, and gives what it found; the search
    starts with the choices `made`. At most about `seconds` are spent. None where not even these lead to
    the signature of `known` again.
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
        longest = len((best or known).play) + 1
        # Cut off, not drawn within n: so the last of many is still the last where a shorter play leaves fewer.
        found = attempt(Given(lambda n: min(data.draw(st.integers(0, SEEDS - 1)), n - 1)), longest)
        same = [divergence for divergence in found if divergence.signature == known.signature]
        if same and (best is None or same[0].size < best.size):
            best = same[0]
        return bool(same)

    # A program whose chance the seed does not fix plays differently each time: the best seen is still right.
    with _elsewhere(), suppress(HypothesisException):
        find(
            st.data(),
            shows,
            settings=settings(
                database=database,
                max_examples=1,
                derandomize=False,  # which, like a seed, would leave the database unread
                deadline=None,
                phases=(Phase.reuse, Phase.generate, Phase.shrink),
                suppress_health_check=list(HealthCheck),
            ),
            database_key=key,
        )
    return best, time.monotonic() - began


@contextmanager
def _elsewhere() -> Iterator[None]:
    """Lets Hypothesis keep what it writes out of the user's folder."""
    from hypothesis import configuration

    before = vars(configuration).get("__hypothesis_home_directory")
    with tempfile.TemporaryDirectory(prefix="oracle-", ignore_cleanup_errors=True) as folder:
        configuration.set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            configuration.set_hypothesis_home_dir(before)
