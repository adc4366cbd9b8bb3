"""A harness for a program that plays by itself and calls back when it wants a decision.

The protocol asks; such an engine wants to be the one who asks. `CallbackHarness` turns it round: the
engine runs as a greenlet, which is set aside in the middle of its question and goes on when the
answer has come. Nothing runs at the same time as anything else, so the engine needs no locks.

    class Harness(CallbackHarness):
        games = [{"game": "nim", "edition": "1"}]

        def about(self):
            return {"name": "my-nim", "version": "2.1", "language": "Python"}

        def begin(self, setup):
            self.table = Table(setup["stones"], decide=self.decide)

        def run(self):
            self.table.play()

        def decide(self, player, most):  # called by the engine
            takes = [{"take": str(n)} for n in range(1, most + 1)]
            return int(self.ask(player, "action", takes)["take"])

        def state(self, player):
            return {"stones": self.table.stones}

    if __name__ == "__main__":
        Harness.main()
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeVar

from msgspec import Struct

from oracle.conformance.protocol import PROTOCOL
from oracle.errors import BadInput, Skipped, Unsupported

if TYPE_CHECKING:
    from greenlet import greenlet

T = TypeVar("T")
Json = dict[str, Any]
Kind = Literal["action", "choice", "order", "chance"]

ENDINGS = 100
"""How often an engine that goes on asking is told to end before it is set aside for good."""


class Question(Struct, frozen=True):
    """What the engine waits for: who must choose (None: chance), and what is offered."""

    player: str | None
    kind: Kind
    options: tuple[Json, ...]


class CallbackHarness(ABC):
    """The protocol's requests as methods, for a program under test that calls back.

    A subclass says who it is (`about`, `games`), sets the engine up (`begin`), lets it play (`run`) and
    tells how things stand (`state`). While `run` is under way, the engine's callbacks use `ask` or
    `choose`, which return once the other side has answered, and `tell`.

    What the engine raises is raised by the request that led to it, and by all later ones of that play;
    `Unsupported` and `Skipped` become answers that say so, from `begin` as well. A play is ended by
    `GreenletExit` at its question when `new` begins another, and by `stop`, without which it is never let
    go of. All requests must come from one thread.
    """

    games: ClassVar[Sequence[Json]]
    """What the program plays: `game`, `edition`, and `features` (words of the game's own; without the key: all)."""
    ordered: ClassVar[Collection[str]] = frozenset()
    """The verbs and parts whose items have an order; in all others the same items are the same action."""

    game: str = ""
    """The game of the play, set before `begin`."""
    edition: str = ""
    """The edition of the play, set before `begin`."""
    question: Question | None = None
    """What the engine waits for; None once the play is over."""

    def __init__(self) -> None:
        """Raises `BadInput` if greenlet is not installed."""
        try:
            import greenlet as library
        except ModuleNotFoundError:
            fix = "python -m pip install 'rules-oracle[callback]'"
            raise BadInput("a harness of a program that calls back needs the package 'greenlet'", fix=fix) from None
        self._greenlet = library
        self._engine: greenlet | None = None
        self._lost: list[greenlet] = []
        self._keys: Collection[Hashable] = ()
        self._events: list[Json] = []
        self._failure: BaseException | None = None
        self._begun = False

    # -- what a harness has to say -----------------------------------------------------------------

    @abstractmethod
    def about(self) -> Json:
        """The program: `name`, `version`, `language`."""

    @abstractmethod
    def begin(self, setup: Json) -> None:
        """Sets up a play: `setup` is a game's start setup or `{"position": GIVEN}`, with a `seed` or without.

        Nothing can be asked yet. Raises `Unsupported` for what the program cannot play or hold.
        """

    @abstractmethod
    def run(self) -> None:
        """Plays to the end."""

    @abstractmethod
    def state(self, player: str | None) -> Json:
        """The position, in the game's words: all of it, or with a player what that player sees.

        Called while the engine waits at `question`, and when it has ended. Fields may be left out.
        """

    # -- what the engine's callbacks use -----------------------------------------------------------

    def ask(self, player: str | None, kind: Kind, actions: Iterable[Json]) -> Json:
        """The action that is chosen, as it was given. Equal actions are offered once."""
        return self.choose(player, kind, ((action, action) for action in actions))

    def choose(self, player: str | None, kind: Kind, answers: Iterable[tuple[Json, T]]) -> T:
        """As `ask`, but each action comes with what it means to the engine, and that is returned.

        Raises `TypeError` for what is no action and `RuntimeError` outside of `run`.
        """
        options: dict[Hashable, tuple[Json, T]] = {}
        for action, answer in answers:
            key = self._key(action)
            if key is None:
                raise TypeError(f"{action!r} is no action: write {{VERB: NAME}}, {{VERB: [NAMES]}} or {{VERB: None}}")
            options.setdefault(key, (action, answer))
        here = self._greenlet.getcurrent()
        if here is not self._engine and here not in self._lost:
            raise RuntimeError("only the engine can ask, while `run` is under way, in the thread it was started in")
        assert here.parent is not None
        question = Question(player, kind, tuple(action for action, _ in options.values()))
        return options[here.parent.switch((question, options.keys()))][1]

    def tell(self, event: str, player: str | None, items: Iterable[str], note: str = "") -> None:
        """Reports what has happened, above all what chance decided: it goes out with the next answer."""
        told = {"event": event, "player": player, "items": list(items)}
        self._events.append({**told, "note": note} if note else told)

    # -- the protocol ------------------------------------------------------------------------------

    @classmethod
    def main(cls) -> None:
        """Serves the protocol on standard input and output: the last line of a harness that is a script."""
        from oracle.conformance.serve import serve

        try:
            made = cls()
        except BadInput as error:
            sys.exit(str(error))
        serve(made)

    def start(self, request: Json) -> Json:
        """Says which program this is, and what it plays."""
        return {"implementation": self.about(), "games": list(self.games), "protocol": PROTOCOL}

    def new(self, request: Json) -> Json:
        """Ends the play before, and begins one that runs to its first question."""
        self._end()
        return self._answer(request, self._new)

    def decision(self, request: Json) -> Json:
        """What the engine waits for, of whom, and everything that it allows as an answer."""
        return self._answer(request, self._decision)

    def apply(self, request: Json) -> Json:
        """Answers the engine and lets it run to its next question; refuses what was not offered."""
        return self._answer(request, self._apply)

    def observe(self, request: Json) -> Json:
        """The state."""
        return self._answer(request, lambda asked: {"state": self._now().state(asked.get("player"))})

    def stop(self, request: Json) -> None:
        """Ends the play."""
        self._end()

    def _answer(self, request: Json, answer: Callable[[Json], Json]) -> Json:
        try:
            said = answer(request)
        except Unsupported as why:
            said = {"unsupported": why.message}
        except Skipped as why:
            said = {"skipped": why.message}
        return {"seq": request["seq"], **said}

    def _new(self, request: Json) -> Json:
        self.game, self.edition = request["game"], request["edition"]
        if all((self.game, self.edition) != (plays["game"], plays["edition"]) for plays in self.games):
            raise Unsupported(f"{self.game} {self.edition}")
        self.begin(request["setup"])
        self._begun = True
        self._engine = self._greenlet.greenlet(self.run)
        self._resume()
        return {"ok": True, "events": self._told()}

    def _decision(self, request: Json) -> Json:
        question = self._now().question
        if question is None:
            return {"over": True}
        return {"player": question.player, "kind": question.kind, "options": list(question.options)}

    def _apply(self, request: Json) -> Json:
        question, key = self._now().question, self._key(request["action"])
        if question is None or request["player"] != question.player or key not in self._keys:
            return {"accepted": False, "events": []}
        self._resume(key)
        return {"accepted": True, "events": self._told()}

    def _now(self) -> Self:
        """This harness with a play under way or over. Raises what the engine has raised."""
        if self._failure is not None:
            raise self._failure
        if not self._begun:
            raise RuntimeError("no play has begun")
        return self

    def _told(self) -> list[Json]:
        events, self._events = self._events, []
        return events

    def _key(self, action: Any) -> Hashable:
        """The action in a form that equal actions share; None for what is no action."""
        if not isinstance(action, Mapping) or not action:
            return None
        parts = []
        for word, value in action.items():
            items = [] if value is None else [value] if isinstance(value, str) else value
            if not isinstance(items, list | tuple) or not all(isinstance(item, str) for item in items):
                return None
            parts.append((word, tuple(items) if word in self.ordered else tuple(sorted(items))))
        return tuple(sorted(parts))

    # -- the engine --------------------------------------------------------------------------------

    def _resume(self, *answer: Hashable) -> None:
        """Lets the engine run to its next question, or to its end."""
        engine, self.question = self._engine, None
        assert engine is not None
        engine.parent = self._greenlet.getcurrent()
        try:
            said = engine.switch(*answer)
        except BaseException as failure:
            self._failure = failure
            raise
        if not engine.dead:
            self.question, self._keys = said

    def _end(self) -> None:
        """Ends the engine where it waits. What it raises or asks on its way out concerns nobody."""
        engine, self._engine = self._engine, None
        self.question, self._failure, self._begun = None, None, False
        if engine is not None and not engine.dead:
            self._lost.append(engine)
            engine.parent = self._greenlet.getcurrent()
            for _ in range(ENDINGS):
                try:
                    engine.throw(self._greenlet.GreenletExit)
                except KeyboardInterrupt:
                    raise
                except BaseException:
                    pass
                if engine.dead:
                    # One that goes on asking is kept: letting go of it would mean to end it once more.
                    self._lost.remove(engine)
                    break
        self._events = []


def selections(pool: Iterable[str], low: int, high: int) -> Iterator[tuple[str, ...]]:
    """Every different choice of `low` to `high` items of a pool, each once and with its items sorted."""
    return _selections(list(Counter(sorted(pool)).items()), low, high)


def _selections(kinds: list[tuple[str, int]], low: int, high: int) -> Iterator[tuple[str, ...]]:
    if high < 0 or sum(n for _, n in kinds) < low:
        return
    if not kinds:
        yield ()
        return
    (name, copies), *rest = kinds
    for n in range(min(copies, high) + 1):
        for more in _selections(rest, low - n, high - n):
            yield (name,) * n + more
