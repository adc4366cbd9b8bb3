"""Whether a program does things in a wrong order: one that every order which the rules allow contradicts."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from typing import Any, TypeVar

from oracle.conformance.following import Astray, Follower, Item, Point
from oracle.conformance.protocol import Reported
from oracle.decisions import Action, Ahead, Decision, Event
from oracle.errors import ProtocolError
from oracle.game import Game

S = TypeVar("S")
LOOKED_AT = 200
"""Actions of an offer that are looked at, of which each must be too early, at the most."""


def offered(game: Game[S], state: S, player: str | None, actions: Sequence[Action]) -> Ahead | None:
    """What comes before all of these actions, where something does."""
    found = [game.ahead(state, player, action) for action in actions[:LOOKED_AT]]
    return found[0] if found and None not in found else None


def reported(game: Game[S], before: S, happened: Sequence[Event], told: Sequence[Reported]) -> Ahead | None:
    """Two things that a program reports in an order in which they cannot have happened.

    `happened` is what followed from a state by the rules. What is not reported, or is none of it, is not judged.
    """
    places: dict[Item, deque[int]] = defaultdict(deque)
    for i, event in enumerate(happened):
        for item in event.items or ("",):
            places[event.event, event.player, item].append(i)
    items: list[Item] = [(event.event, event.player, item) for event in told for item in event.items or ("",)]
    often = Counter(items)
    # Of several alike of which only some are reported it cannot be told which these are.
    known = (places[item] for item in items if often[item] >= len(places.get(item, ())))
    seen = [queue.popleft() for queue in known if queue]
    for i, late in enumerate(seen):
        for early in seen[:i]:
            if early > late and (ahead := game.came_first(before, happened, late, early)):
                return ahead
    return None


def astray(follower: Follower[S], before: S, point: Point[S], action: Action | None) -> Ahead | None:
    """Why reported chance that does not fit would fit in another order, and what is wrong with the order it has.

    It is followed from a point, after an action if there is one; `before` is where the program's reports begin.
    """
    loose = _Loose(follower)
    try:
        if action is not None:
            point = loose.step(point, action, ())
        *_, point = loose.path(point, asked=True)
    except (Astray, ProtocolError):
        return None
    return None if loose.left(point) else reported(loose.game, before, point.happened, loose.reported)


class _Loose(Follower[S]):
    """Follows reports as if they were in the order that they should be in."""

    def __init__(self, follower: Follower[S]) -> None:
        super().__init__(follower.game, follower.name, starts=follower.starts)
        self.reported = list(follower.reported)
        self._queue = list(follower._queue)

    def _use(self, point: Point[S], event: Event) -> Point[S]:
        self._put_first(point, [(event.event, event.player, item) for item in event.items])
        return super()._use(point, event)

    def _chance(self, point: Point[S], decision: Decision) -> Point[S]:
        size = len(next(iter(decision.legal)).items)
        for event, player in dict.fromkeys(item[:2] for item in self.left(point)):
            items = [item for item in self.left(point) if item[:2] == (event, player)][:size]
            action = self.game.chance(decision, event, player, [item[2] for item in items])
            if decision.whose in (None, player) and action is not None and action in decision.legal:
                self._put_first(point, items)
                break
        return super()._chance(point, decision)

    def _put_first(self, point: Point[S], items: Sequence[Item]) -> None:
        rest: list[Any] = self.left(point)
        for item in items:
            if item not in rest:
                return
            rest.remove(item)
        self._queue[point.used :] = [*items, *rest]
