"""What every program under test looks like from the oracle's side, whichever door it came through."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, TypeVar

from oracle.conformance import protocol as p
from oracle.errors import ImplementationFailed, ProtocolError, Skipped, Unsupported

T = TypeVar("T")
A = TypeVar("A", p.Created, p.Decided, p.Applied, p.Observed)
Json = Any

TIMEOUT = 2.0
"""Seconds a program may take for an answer."""
STARTUP = 10.0
"""Seconds a program may take for its first answer."""
TAIL = 2048
"""Characters of what a program writes beside the protocol that are kept to explain a crash."""
DEEPEST = 50
"""How many lists and objects of an answer may lie in one another."""
MOST_COPIES = 100_000
"""How many cards the counted names of an answer (`"3 Estate"`) may stand for together."""


class Implementation(ABC):
    """A program under test. Use it as a context manager, so that it is always ended.

    Its methods give typed answers or raise `Crashed`, `TimedOut`, `ProtocolError`, `Unsupported`,
    `Skipped`, or `ImplementationFailed` where the program itself says that it failed.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> Implementation:
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    def does(self, what: str) -> tuple[str, str]:
        """What it is called in a sentence, and how to say there that it does something: ("the program", "offers")."""
        return "the program", what

    @abstractmethod
    def start(self) -> p.Started:
        """Opens the conversation. Raises `ProtocolError` for another version of the protocol."""

    @abstractmethod
    def new(self, game: str, edition: str, setup: dict[str, Json]) -> p.Created:
        """Begins a play."""

    @abstractmethod
    def decision(self) -> p.Decided:
        """Who must choose, and what is offered."""

    @abstractmethod
    def apply(self, player: str | None, action: dict[str, Json]) -> p.Applied:
        """Takes an action, or tries to."""

    @abstractmethod
    def observe(self, player: str | None = None) -> p.Observed:
        """The position as the program holds it."""

    @abstractmethod
    def stop(self) -> None:
        """Ends the program. Never raises for what the program does, and may be called twice."""


class Conversation(Implementation):
    """An implementation that answers requests of the protocol, one at a time."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._seq = 0

    @abstractmethod
    def exchange(self, request: p.Request, answer: type[T]) -> T:
        """Sends a request and decodes the answer to it."""

    def start(self) -> p.Started:
        started = self.exchange(p.Start(), p.Started)
        if started.protocol != p.PROTOCOL:
            message = f"it speaks version {started.protocol} of the protocol"
            raise ProtocolError(message, where=self.name, fix=f"this oracle speaks version {p.PROTOCOL}")
        return started

    def new(self, game: str, edition: str, setup: dict[str, Json]) -> p.Created:
        created = self._ask(p.New(self._next(), game, edition, setup), p.Created)
        if not created.ok:
            fix = '{"seq": N, "ok": true}, or {"seq": N, "unsupported": FEATURE}'
            raise ProtocolError("its answer to `new` says neither ok nor why not", where=self.name, fix=fix)
        return created

    def decision(self) -> p.Decided:
        decided = self._ask(p.AskDecision(self._next()), p.Decided)
        if not decided.over and decided.kind is None:
            fix = '{"seq": N, "player": P, "kind": K, "options": [...]}, or {"seq": N, "over": true}'
            raise ProtocolError("its answer to `decision` has no kind", where=self.name, fix=fix)
        return decided

    def apply(self, player: str | None, action: dict[str, Json]) -> p.Applied:
        applied = self._ask(p.Apply(self._next(), player, action), p.Applied)
        if applied.accepted is None:
            fix = '{"seq": N, "accepted": true or false, "events": [...]}'
            raise ProtocolError("its answer to `apply` has no accepted", where=self.name, fix=fix)
        return applied

    def observe(self, player: str | None = None) -> p.Observed:
        return self._ask(p.Observe(self._next(), player), p.Observed)

    def _next(self) -> int:
        self._seq += 1
        return self._seq

    def _ask(self, request: p.New | p.AskDecision | p.Apply | p.Observe, kind: type[A]) -> A:
        answer = self.exchange(request, kind)
        if answer.seq != request.seq:
            fix = f"the request has seq {request.seq}"
            raise ProtocolError(f"it answered with seq {answer.seq}", where=self.name, fix=fix)
        if answer.unsupported is not None:
            raise Unsupported(answer.unsupported, where=self.name)
        if answer.skipped is not None:
            raise Skipped(answer.skipped, where=self.name)
        if answer.errored is not None:
            raise ImplementationFailed(answer.errored, where=self.name)
        if isinstance(answer, p.Observed | p.Decided):
            wrong = _boundless(answer.state if isinstance(answer, p.Observed) else answer.options)
            if wrong:
                asked = type(request).__struct_config__.tag
                raise ProtocolError(f"its answer to `{asked}` {wrong}", where=self.name)
        return answer


def _boundless(value: Json) -> str:
    """What of a value would cost more than any honest one, in time or memory; empty where nothing would."""
    copies, left = 0, [(value, 1)]
    while left:
        part, depth = left.pop()
        if isinstance(part, str):
            number, space, _ = part.partition(" ")
            if space and number.isdecimal():
                digits = number.lstrip("0")
                copies += int(digits or "0") if len(digits) <= len(str(MOST_COPIES)) else MOST_COPIES + 1
                if copies > MOST_COPIES:
                    shown = part if len(part) <= 50 else f"{part[:50]}..."
                    return f"counts more than {MOST_COPIES:,} cards: {shown!r}"
        elif isinstance(part, dict | list):
            if depth > DEEPEST:
                return f"nests deeper than {DEEPEST} levels"
            left += [(each, depth + 1) for each in (part.values() if isinstance(part, dict) else part)]
    return ""


def misshapen(name: str, request: p.Request, reply: str, wrong: Exception) -> ProtocolError:
    """The error for an answer that is not of the shape its request calls for."""
    asked = type(request).__struct_config__.tag
    shown = reply if len(reply) <= 200 else f"{reply[:200]}..."
    return ProtocolError(
        f"its answer to `{asked}` is not in the protocol: {wrong}", where=name, fix=f"it said: {shown}"
    )
