"""Questions for the author of a game's rules, found by search and solver: what the text does not decide.

Open readings that really differ, and those that turn out harmless; positions from which play goes on for
ever; actions that change nothing and so are a pass in disguise.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Any, Literal

from msgspec import Struct

from oracle.game import Game
from oracle.proof.readings import RULE, Difference, difference

MOST_STATES, LISTED = 400, 60


class Question(Struct, frozen=True):
    """One question: what was found, the smallest position that shows it, and a play from there."""

    kind: Literal["reading", "harmless", "order", "stall", "disguised pass"]
    asks: str
    found: str
    given: dict[str, Any] | None = None
    play: tuple[str, ...] = ()
    edition: str = ""
    step: dict[str, Any] | None = None
    rules: tuple[str, ...] = ()


def questions(game: Game[Any]) -> list[Question]:
    """All questions that are found for the game."""
    room = game.room("readings")
    found: list[Question] = []
    for reading in room.READINGS:
        if reading.kind == "open":
            apart = difference(game, RULE, reading)
            kind: Any = "harmless" if apart.outcome == "harmless" else "reading"
            asks, seen = reading.question or reading.says, apart.found
            shown = (seen.given, seen.play, apart.edition, seen.step, reading.rules) if seen else ()
            found.append(Question(kind, asks, _verdicts(apart), *shown))
    if hasattr(room, "found"):
        found += room.found(game)
    stuck = next(_stalls(game, room), None)
    disguised = next(_disguised(game, room), None)
    return [*found, *(question for question in (stuck, disguised) if question)]


def _verdicts(apart: Difference) -> str:
    if (seen := apart.found) is None:
        return f"{apart.other.id} ({apart.other.says}): {apart.outcome}, {apart.note}"
    return f"{seen.what}\n  as read here: {seen.one}\n  {apart.other.id} ({apart.other.says}): {seen.other}"


def _stalls(game: Game[Any], room: Any) -> Iterator[Question]:
    """Positions from which every play goes on for ever: all that can be reached is known, and none of it is the end."""
    for given in room.quiet_positions():
        start = game.position(given, game.editions[0])
        if (loop := _closed(game, room, start)) is not None:
            n, play = loop
            yield Question(
                "stall",
                "How does a game end that can no longer reach its end?",
                f"from here only {n} different positions can be reached, and the game is over in none of them",
                dict(given),
                play,
                game.editions[0],
                {"end": False},
                _rules(game, start),
            )


def _rules(game: Game[Any], state: Any) -> tuple[str, ...]:
    decision = game.decision(state)
    return decision.rules if decision else ()


def _closed(game: Game[Any], room: Any, start: Any) -> tuple[int, tuple[str, ...]] | None:
    """How many positions can be reached, and a shortest play that leads back; None if the game may end, or too many."""
    seen = {room.shape(start)}
    queue: deque[tuple[Any, tuple[str, ...]]] = deque([(start, ())])
    back: tuple[str, ...] = ()
    while queue:
        state, play = queue.popleft()
        decision = game.decision(state)
        if decision is None or len(decision.legal) > LISTED:
            return None
        for action in decision.legal:
            after = game.play(state, action)[0]
            path = (*play, game.text(action))
            if room.shape(after) in seen:
                back = back or path
                continue
            if len(seen) >= MOST_STATES:
                return None
            seen.add(room.shape(after))
            queue.append((after, path))
    return len(seen), back


def _disguised(game: Game[Any], room: Any) -> Iterator[Question]:
    """Actions that are no pass and change nothing but whose turn it is."""
    for given in room.quiet_positions():
        state = game.position(given, game.editions[0])
        decision = game.decision(state)
        if decision is None or decision.kind != "action":
            continue
        for action in islice(decision.legal, LISTED):
            if action.verb in room.PASSES:
                continue
            after = game.play(state, action)[0]
            if room.still(after) == room.still(state):
                yield Question(
                    "disguised pass",
                    f"May `{game.text(action)}` be done, although it changes nothing?",
                    "the position after it is the one before it, but for whose turn it is",
                    dict(given),
                    (game.text(action),),
                    game.editions[0],
                    {"end": False},
                    decision.rules,
                )
