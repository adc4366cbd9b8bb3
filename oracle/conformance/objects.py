"""A program under test as a Python object in this process, and the oracle's own model as one."""

from __future__ import annotations

import io
import traceback
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout, suppress
from pathlib import Path
from random import Random
from typing import Any, Generic, TypeVar

import msgspec

from oracle.conformance import protocol as p
from oracle.conformance import stopping
from oracle.conformance.implementation import TAIL, Conversation, Implementation, misshapen
from oracle.errors import Crashed, OracleError
from oracle.game import Event, Game

S = TypeVar("S")
T = TypeVar("T")
Json = Any


class PythonObject(Conversation):
    """A Python object with the methods `start`, `new`, `decision`, `apply`, `observe` and `stop`.

    Each takes the request as a dict and returns the answer as one, where `seq` may be left out. What
    the object prints is kept apart from the oracle's own output. Whatever it raises is a crash of the
    program, be it one of the oracle's own errors. It runs in this process, so no time limit holds, and
    what ends the process (`os._exit`, a fault in an extension module) ends the oracle too, without a report:
    `python -m oracle.conformance.serve MODULE:CLASS` makes a process of it, to be checked as `cmd:`.
    """

    def __init__(self, name: str, make: Callable[[], Any]) -> None:
        super().__init__(name)
        self._make = make
        self._object: Any = None

    def exchange(self, request: p.Request, answer: type[T]) -> T:
        reply = self._guarded(lambda: self._reply(request))
        try:
            # By way of JSON, as through a pipe: the answer shares nothing with what the program goes on changing.
            return msgspec.json.decode(msgspec.json.encode(reply), type=answer)
        except Exception as wrong:
            raise misshapen(self.name, request, _shown(reply), wrong) from None

    def stop(self) -> None:
        held, self._object = self._object, None
        with suppress(Crashed):
            self._guarded(lambda: held.stop(msgspec.to_builtins(p.Stop())) if hasattr(held, "stop") else None)

    def _reply(self, request: p.Request) -> Json:
        if self._object is None:
            self._object = self._make()
        return reply_of(self._object, msgspec.to_builtins(request))

    def _guarded(self, work: Callable[[], Json]) -> Json:
        printed, signals = _Tail(), stopping.signals()
        try:
            with redirect_stdout(printed):
                done = work()
        except BaseException as error:
            meant = isinstance(error, KeyboardInterrupt) and not stopping.watched()
            if meant or isinstance(error, stopping.Stopped):
                raise
            if stopping.signals() > signals:  # the program has made something else of it
                raise stopping.Stopped from None
            said = printed.getvalue().strip()
            raise Crashed(last_line(error), where=self.name, fix=f"it printed: {said}" if said else "") from error
        if stopping.signals() > signals:
            raise stopping.Stopped
        return done


class Reference(Implementation, Generic[S]):
    """The oracle's own model as an implementation. Chance is drawn from the `seed` of the setup."""

    MOST = 5000
    """A longer option list than this is not written out: the program is then probed, like any without a list."""

    def __init__(self, game: Game[S]) -> None:
        super().__init__("reference")
        self.game = game
        self._random = Random(0)
        self._state: S | None = None

    def start(self) -> p.Started:
        games = [p.Plays(self.game.name, edition) for edition in self.game.editions]
        return p.Started(p.About(self.name, language="Python"), games)

    def new(self, game: str, edition: str, setup: dict[str, Json]) -> p.Created:
        given = {key: value for key, value in setup.items() if key != "seed"}
        self._random = Random(setup.get("seed", 0))
        if "position" in given:
            return p.Created(seq=0, ok=True, events=self._settle(self.game.position(given["position"], edition), []))
        return p.Created(seq=0, ok=True, events=self._settle(*self.game.opening(given, edition)))

    def decision(self) -> p.Decided:
        decision = self.game.decision(self.state)
        if decision is None:
            return p.Decided(seq=0, over=True)
        listed = decision.legal.count <= self.MOST
        options = [self.game.json(action) for action in decision.legal] if listed else None
        return p.Decided(seq=0, player=decision.player, kind=decision.kind, options=options)

    def apply(self, player: str | None, action: dict[str, Json]) -> p.Applied:
        decision = self.game.decision(self.state)
        try:
            read = self.game.read(action)
        except OracleError:
            return p.Applied(seq=0, accepted=False)
        if decision is None or decision.player != player or read not in decision.legal:
            return p.Applied(seq=0, accepted=False)
        state, events = self.game.play(self.state, read)
        return p.Applied(seq=0, accepted=True, events=self._settle(state, events))

    def observe(self, player: str | None = None) -> p.Observed:
        return p.Observed(seq=0, state=self.game.observe(self.state, player))

    def stop(self) -> None:
        self._state = None

    @property
    def state(self) -> S:
        """The position now. Raises `Crashed` before `new`."""
        if self._state is None:
            raise Crashed("no play has begun", where=self.name)
        return self._state

    def _settle(self, state: S, events: Iterable[Event]) -> list[p.Reported]:
        happened = list(events)
        while (decision := self.game.decision(state)) and decision.kind == "chance":
            action = decision.legal[self._random.randrange(decision.legal.count)]
            state, more = self.game.play(state, action)
            happened += more
        self._state = state
        return [p.Reported(event.event, event.player, list(event.items), event.note) for event in happened]


def reply_of(held: Any, request: dict[str, Json]) -> Json:
    """The object's answer to a request, with the request's `seq` where it gives none itself."""
    reply = getattr(held, request["request"])(request)
    return {"seq": request["seq"], **reply} if isinstance(reply, dict) and "seq" in request else reply


def _shown(reply: Json) -> str:
    try:
        return repr(reply)
    except Exception:
        return f"a {type(reply).__name__} that cannot be shown"


def last_line(error: BaseException) -> str:
    """What an exception says and where it was raised, in one line."""
    what = traceback.format_exception_only(error)[-1].strip()
    frames = traceback.extract_tb(error.__traceback__)
    return f"{what} ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else what


class _Tail(io.StringIO):
    """Keeps the last `TAIL` characters written to it."""

    def write(self, text: str) -> int:
        kept = (self.getvalue() + text)[-TAIL:]
        self.seek(0)
        self.truncate()
        super().write(kept)
        return len(text)
