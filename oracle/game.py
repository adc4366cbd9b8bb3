"""What every game offers: the interface between a game and all the rest.

A `Game` is asked; it holds no state of its own. States are immutable values of the game's own
type. Everything else in the oracle (cases, conformance, logs, reports, proofs) speaks to games
through this interface alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property, wraps
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from oracle.decisions import (
    Action,
    Ahead,
    Choose,
    Counted,
    Decision,
    Event,
    Json,
    Kind,
    LegalActions,
    Outcome,
    Reason,
    Selection,
    Verdict,
)
from oracle.errors import BadAction, BadInput, BadPosition, IllegalAction
from oracle.notation import Notation, Verb
from oracle.rulebook import Rulebook

if TYPE_CHECKING:
    from oracle.timing.timeline import Timeline

__all__ = [
    "Action",
    "Ahead",
    "Choose",
    "Counted",
    "Decision",
    "Event",
    "Game",
    "Json",
    "Kind",
    "LegalActions",
    "Outcome",
    "Reason",
    "Selection",
    "Verb",
    "Verdict",
]

S = TypeVar("S")
NAMED = 33
"""Names that a message lists at the most."""


class Game(ABC, Generic[S]):
    """One game. `S` is its state type: immutable, hashable, comparable."""

    name: str
    """The id used on the command line and in case files, for example "dominion"."""
    title: str
    editions: tuple[str, ...]
    """Known editions, the default first."""
    prefix: str
    """What the game's rule ids start with, for example "dom"."""
    verbs: Mapping[str, Verb]
    bags: frozenset[str] = frozenset()
    """Fields of a position whose lists are in no order, so that cases may list them in any."""
    derived: frozenset[str] = frozenset()
    """Fields that `observe` shows although they follow from others; a position need not have them."""
    chance_events: frozenset[str]
    """The events that tell what chance decided, for example "drawn". Every such event, also one with
    a single possible outcome and the one of a chance action itself, is among those that `play` returns."""

    perft_start: Mapping[str, Json] = {}
    """The small position, all order known, from which counts of plays are published; empty without one."""

    guards: Mapping[str, Sequence[str]] = {}
    """The names of the guard's clauses, by the id of the rule that each is filed under."""

    @property
    @abstractmethod
    def rulebook(self) -> Rulebook:
        """The catalogue of the game's rules."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Lets every game's `position` and `start` refuse alike what is no mapping, and an edition it does not have."""
        super().__init_subclass__(**options)
        for name in ("position", "start"):
            if name in vars(cls):
                setattr(cls, name, _of_a_mapping(vars(cls)[name]))

    # -- positions -------------------------------------------------------------------------------

    @abstractmethod
    def position(self, given: Mapping[str, Json], edition: str) -> S:
        """The state that a `given:` describes. Raises `BadPosition` with the path of the fault."""

    @abstractmethod
    def start(self, setup: Mapping[str, Json], edition: str) -> S:
        """The first state of a game: `setup` names players, seats and cards. Raises `BadPosition`."""

    def opening(self, setup: Mapping[str, Json], edition: str) -> tuple[S, tuple[Event, ...]]:
        """The first state of a game and what has happened by then, chance without a choice included."""
        return self.start(setup, edition), ()

    @abstractmethod
    def sample_setup(
        self, choose: Choose, features: Collection[str] | None = None, edition: str = ""
    ) -> dict[str, Json]:
        """A setup for a drawn game, every choice made by `choose`; 0 is always the plainest choice.

        `features` are what a program says it has (such as cards); None means all. Raises `BadInput` for
        a feature that the game does not know.
        """

    @abstractmethod
    def sample_position(self, choose: Choose, edition: str = "") -> dict[str, Json]:
        """A `given:` for any position that can be written, reachable or not."""

    @abstractmethod
    def observe(self, state: S, player: str | None = None) -> dict[str, Json]:
        """The state as JSON, in the words of `position`; with a player, only what that player sees."""

    # -- the three questions ---------------------------------------------------------------------

    @abstractmethod
    def generate(self, state: S) -> Decision | None:
        """Who must choose now and what is legal (the generator); None when the game is over."""

    def decision(self, state: S) -> Decision | None:
        """What `generate` says, asked once for a state that is looked at and then played on."""
        asked = self._asked
        if asked[0] is not state:
            asked = self._asked = (state, self.generate(state))
        return asked[1]

    _asked: tuple[object, Decision | None] = (None, None)

    @abstractmethod
    def judge(self, state: S, player: str | None, action: Action) -> Verdict:
        """Whether the player may take the action now, and why (the guard). Never raises."""

    @abstractmethod
    def play(self, state: S, action: Action) -> tuple[S, tuple[Event, ...]]:
        """Carries out a legal action of the current decision, without asking whether it is."""

    @abstractmethod
    def candidates(self, state: S) -> Iterator[Action]:
        """The candidate universe: every action that can be written in this position, legal or not.

        It need not list all selections of many cards, but holds all that are small, and each at most once.
        """

    @abstractmethod
    def chance(self, decision: Decision, event: str, player: str | None, items: Sequence[str]) -> Action | None:
        """The chance action that a program's reported event stands for; None if it is of another kind."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Scores and winners once the game is over, else None."""

    def consequences(self, state: S, action: Action) -> tuple[str, ...]:
        """The ids of the rules that say what a legal action does, the most particular last."""
        return ()

    def ahead(self, state: S, player: str | None, action: Action) -> Ahead | None:
        """What comes before an action that is illegal because something else comes first, and why; None for all others.

        Of a chance action the player is the one whose cards it is about.
        """
        return None

    def came_first(self, state: S, happened: Sequence[Event], first: int, then: int) -> Ahead | None:
        """Why the first of two events comes before the other; None where the rules would let the other be first.

        `happened` is what followed from `state` in an order that is right; `first` and `then` are 0-based places in it.
        """
        return None

    def settings(self, field: str) -> tuple[str, ...]:
        """The ids of the rules that say what a field such as `supply.Curse` is when a game starts."""
        return ()

    def picture(self, state: S) -> str:
        """A picture of the state as an SVG document, what is legal marked. Raises `BadInput` for a game without."""
        raise BadInput(f"{self.name} has no picture", fix="ask for --format text or json")

    def timeline(self, state: S) -> Timeline:
        """What waits for which moment, and what may be next. Raises `BadInput` for a game without timeline."""
        raise BadInput(f"{self.name} has no timeline", fix="oracle legal says what is legal now")

    def names(self, state: S) -> Collection[str] | None:
        """What the items of an action can be called in this game (cards, nodes, ...); None where that is not known."""
        return None

    # -- what follows for every game -------------------------------------------------------------

    def room(self, name: str) -> ModuleType:
        """A module of the game's own folder that only some need, such as `claims`. Raises `BadInput` if it has none."""
        try:
            return import_module(f"{type(self).__module__}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{type(self).__module__}.{name}":
                raise
            raise BadInput(f"{self.name} has no {name}") from None

    def apply(self, state: S, action: Action) -> tuple[S, tuple[Event, ...]]:
        """Carries out an action of whoever must choose. Raises `IllegalAction` if it is not legal."""
        decision = self.decision(state)
        player = decision.player if decision else None
        if decision is None or action not in decision.legal:
            verdict = self.judge(state, player, action)
            raise IllegalAction(f"{self.text(action)!r} is not legal here", verdict)
        return self.play(state, action)

    @cached_property
    def _notation(self) -> Notation:
        return Notation(self.name, self.verbs)

    def action(self, verb: str, *items: str, **parts: Sequence[str]) -> Action:
        """A canonical action. Raises `BadAction` for a verb or part the game does not have."""
        return self._notation.action(verb, items, parts)

    def text(self, action: Action) -> str:
        """The canonical text form, for example `discard Copper, Estate` or `trash nothing`."""
        return self._notation.text(action)

    def json(self, action: Action) -> dict[str, Json]:
        """The canonical JSON form, for example `{"buy": "Silver"}` or `{"discard": ["Copper"]}`."""
        return self._notation.json(action)

    def read(self, value: Json, state: S | None = None) -> Action:
        """An action from its text or JSON form; "4 Copper" among many items means four.

        With the state of a game, what it names must be something there: see `names`. Raises `BadAction`, which
        says what would be right.
        """
        action = self._notation.read(value)
        if state is not None:
            self.check_names(state, action)
        return action

    def check_names(self, state: S, action: Action) -> None:
        """Raises `BadAction` for an action with an item that is the name of nothing in the game: see `names`."""
        if self._named[0] is not state:
            self._named = (state, self.names(state))
        names = self._named[1]
        if names is None:
            return
        verb = self.verbs[action.verb]
        parts = {part.name: part for part in verb.parts}
        for spec, items in ((verb, action.items), *((parts[word], items) for word, items in action.rest)):
            for item in () if spec.fixed else items:
                if item not in names:
                    fix = _like(item, names)
                    raise BadAction(f"{self.text(action)!r}: nothing is called {item!r} in {self.name}", fix=fix)

    _named: tuple[object, Collection[str] | None] = (None, None)


def _of_a_mapping(read: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(read)
    def checked(self: Game[Any], given: Mapping[str, Json], edition: str, *more: Any, **named: Any) -> Any:
        if not isinstance(given, Mapping):
            what = "setup" if read.__name__ == "start" else "position"
            raise BadPosition(f"{given!r} is no {what}", fix="a mapping of fields to values")
        if edition not in self.editions:
            raise BadInput(f"edition {edition!r} is unknown", fix=f"{self.name} has: {', '.join(self.editions)}")
        return read(self, given, edition, *more, **named)

    return checked


def _like(item: str, names: Collection[str]) -> str:
    """What may have been meant: the names most like it, or what names there are."""
    folded = {name.casefold(): name for name in names}
    if near := get_close_matches(item.casefold(), folded, n=3):
        return f"did you mean {' or '.join(repr(folded[name]) for name in near)}?"
    some = sorted(names, key=lambda name: (any(map(str.isdigit, name)), name))
    return f"known: {', '.join(some[:NAMED])}{', ...' if len(some) > NAMED else ''}"
