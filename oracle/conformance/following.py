"""How the oracle follows a program that shuffles and draws for itself.

What the program reports is a queue of single items. From it the oracle takes what its own chance
decisions, and its chance without a choice, must have used; a report that does not fit is `Astray`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from oracle.conformance.divergence import Fault
from oracle.conformance.protocol import Reported
from oracle.errors import ProtocolError
from oracle.game import Action, Decision, Event, Game, Reason

S = TypeVar("S")
Item = tuple[str, str | None, str]
"""One item of a reported event: the event, the player, the item."""


DEEPEST, WIDEST = 3, 12
"""Choices one after the other, and options of each, that are tried where a program may have chosen by itself."""


class Point(Struct, Generic[S], frozen=True):
    """How far the oracle has come: its state, how much of the queue is used, the actions so far.

    `because` are the clauses that made the last action legal, and the choices since then: what has
    happened rests on them. `happened` is all that has happened since a player last did what a turn allows.
    """

    state: S
    used: int = 0
    play: tuple[Action, ...] = ()
    because: tuple[Reason, ...] = ()
    happened: tuple[Event, ...] = ()


class Astray(Exception):
    """The reported chance does not fit. Says which fault it is, where, and what decides."""

    def __init__(
        self, fault: Fault, says: str, point: Point[Any], reasons: Iterable[Reason], general: Iterable[str] = ()
    ) -> None:
        super().__init__(fault, says)
        self.fault: Fault = fault
        self.says = says
        self.point = point
        self.reasons = tuple(reasons)
        self.general = tuple(general)


class Follower(Generic[S]):
    """Moves the oracle on beside the reports of one play. `name` is the program's, for errors.

    `starts`: the play is that of a game from its start, so that what the rules say of starting bears on it.
    `reported` is all that the program has reported since it was last cleared.
    """

    def __init__(self, game: Game[S], name: str, *, starts: bool) -> None:
        self.game = game
        self.name = name
        self.starts = starts
        self.reported: list[Reported] = []
        self._queue: list[Item] = []

    def report(self, events: Iterable[Reported]) -> None:
        """Adds what the program reports, item by item: five draws of one card are one of five."""
        for event in events:
            self.reported.append(event)
            if event.event in self.game.chance_events:
                self._queue += [(event.event, event.player, item) for item in event.items]

    def told(self, point: Point[S], action: Action) -> None:
        """Notes a chance action that the program asked the oracle for, unless it reported it as well."""
        events = self.game.play(point.state, action)[1]
        own = next((event for event in events if event.event in self.game.chance_events), None)
        if own is None:
            return
        items: list[Item] = [(own.event, own.player, item) for item in own.items]
        if sorted(self.left(point)[: len(items)], key=str) != sorted(items, key=str):
            self._queue[point.used : point.used] = items

    def left(self, point: Point[S]) -> list[Item]:
        """The reported items that are not used yet."""
        return self._queue[point.used :]

    def path(self, point: Point[S], *, asked: bool) -> Iterator[Point[S]]:
        """The points that the program may be at: the next decision, and each one after choices without a choice.

        `asked`: the program asks for a chance decision itself. Raises `Astray` and `ProtocolError`.
        """
        while True:
            decision = self.game.decision(point.state)
            if decision is not None and decision.kind == "chance" and not (asked and not self.left(point)):
                point = self._chance(point, decision)
                continue
            yield point
            if decision is None or not decision.forced:
                return
            point = self.step(point, decision.legal[0], self.grounds(point, decision, decision.legal[0]))

    def grounds(self, point: Point[S], decision: Decision, action: Action) -> tuple[Reason, ...]:
        """What follows from a legal action: the rules that say so, and for a choice those of what led to it."""
        fact = self.game.text(action)
        reasons = tuple(Reason(rule, True, fact) for rule in self.game.consequences(point.state, action))
        if not reasons:
            reasons = self.game.judge(point.state, decision.player, action).reasons
        earlier = () if decision.kind == "action" else point.because
        return tuple({reason.rule: reason for reason in (*earlier, *reasons)}.values())

    def step(self, point: Point[S], action: Action, because: tuple[Reason, ...]) -> Point[S]:
        """The point after an action, its chance events used up. Raises `Astray` and `ProtocolError`."""
        state, events = self.game.play(point.state, action)
        happened = (*point.happened, *events)
        return self.use(Point(state, point.used, (*point.play, action), because, happened), events)

    def use(self, point: Point[S], events: Iterable[Event]) -> Point[S]:
        """The point with the chance among these events used up. Raises `Astray` and `ProtocolError`."""
        for event in events:
            if event.event in self.game.chance_events and event.items:
                point = self._use(point, event)
        return point

    def elsewhere(self, point: Point[S], reached: Callable[[Point[S]], bool], deep: int = DEEPEST) -> bool:
        """Whether choices that nobody was asked for can have been made at a point, so as to lead to one reached."""
        decision = self.game.decision(point.state)
        if decision is None or decision.kind in ("action", "chance") or not deep:
            return False
        for action in islice(decision.legal, WIDEST):
            with suppress(Astray, ProtocolError):
                passed = list(self.path(self.step(point, action, point.because), asked=True))
                if any(map(reached, passed)) or self.elsewhere(passed[-1], reached, deep - 1):
                    return True
        return False

    def _use(self, point: Point[S], event: Event) -> Point[S]:
        size = len(event.items)
        name, player, items = self._due(point, size, f"{event.event} {size}", point.because)
        if (name, player, sorted(items)) != (event.event, event.player, sorted(event.items)):
            due = told(event.event, event.player, event.items)
            says = f"{told(name, player, items)} is reported, where the rules leave only: {due}"
            fault: Fault = "impossible draw" if player == event.player else "wrong player"
            rules = self.game.settings("hand") if self.starts else ()
            set_up = [Reason(rule, True, "a game starts") for rule in rules]
            raise Astray(fault, says, point, point.because or set_up, [event.event])
        return replace(point, used=point.used + size)

    def _chance(self, point: Point[S], decision: Decision) -> Point[S]:
        rules = [Reason(rule, True, decision.about) for rule in decision.rules]
        size = len(next(iter(decision.legal)).items)
        event, player, items = self._due(point, size, decision.about, rules)
        action = self.game.chance(decision, event, player, items)
        if decision.whose not in (None, player):
            says = f"{told(event, player, items)} is reported, but {decision.whose} comes first: {decision.about}"
            raise Astray("wrong player", says, point, point.because or rules, [event])
        if action is None:
            says = f"{told(event, player, items)} is reported, where chance decides: {decision.about}"
            raise Astray("impossible draw", says, point, rules)
        if action not in decision.legal:
            some = "; ".join(self.game.text(legal) for legal in islice(decision.legal, 5))
            more = f" or {decision.legal.count - 5:,} more" if decision.legal.count > 5 else ""
            reasons = self.game.judge(point.state, None, action).deciding or rules
            says = f"{self.game.text(action)!r} cannot be; what can: {some}{more}"
            raise Astray("impossible draw", says, point, reasons, [action.verb])
        return self.step(point, action, point.because)

    def _due(
        self, point: Point[S], size: int, about: str, reasons: Iterable[Reason]
    ) -> tuple[str, str | None, tuple[str, ...]]:
        """The next items of the queue as one event of that size."""
        next_ones = self.left(point)[:size]
        same = [item for item in next_ones if item[:2] == next_ones[0][:2]]
        if size and len(same) == size:
            return same[0][0], same[0][1], tuple(item[2] for item in same)
        if not self._queue:
            fix = f"report what chance decides, as events: {', '.join(sorted(self.game.chance_events))}"
            raise ProtocolError(f"it left a chance open: {about}", where=self.name, fix=fix)
        got = told(*same[0][:2], [item[2] for item in same]) if same else "nothing"
        raise Astray("drew too little", f"{about}: {size} due, but reported is: {got}", point, reasons)


def told(event: str, player: str | None, items: Sequence[str]) -> str:
    """A reported event in words: `A drawn Copper, Estate`."""
    return " ".join(word for word in (player, event, ", ".join(items)) if word)
