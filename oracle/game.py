"""What every game offers, and the values that pass between a game and all the rest.

A `Game` is asked; it holds no state of its own. States are immutable values of the game's own
type. Everything else in the oracle (cases, conformance, logs, reports, proofs) speaks to games
through this interface alone.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import wraps
from importlib import import_module
from itertools import chain
from types import ModuleType
from typing import Any, Generic, Literal, Protocol, TypeVar, overload

from msgspec import Struct

from oracle.errors import BadAction, BadInput, BadPosition, IllegalAction
from oracle.given import copies
from oracle.rulebook import Rulebook
from oracle.zones import Bag, add, bag, count_selections, holds, remove, selection

S = TypeVar("S")
Json = Any
Kind = Literal["action", "choice", "order", "chance"]
NAMED = 33
"""Names that a message lists at the most."""


class Action(Struct, frozen=True, order=True):
    """What a player chooses to do, or what chance decides: a verb and what it is about.

    `rest` holds further parts of a compound action, as (word, items) pairs: a purchase names a
    module, then what it is paid with and where it goes. Items of an unordered part are sorted, so
    equal actions are equal values. Build actions with `Game.action`, which knows the game's verbs.
    """

    verb: str
    items: tuple[str, ...] = ()
    rest: tuple[tuple[str, tuple[str, ...]], ...] = ()


class Event(Struct, frozen=True):
    """What happened: a past participle ("drawn", "gained", "shuffled"), to whom, and with what."""

    event: str
    player: str | None = None
    items: tuple[str, ...] = ()
    note: str = ""

    def json(self) -> dict[str, Json]:
        """The event as the protocol writes it; empty fields are left out."""
        out: dict[str, Json] = {"event": self.event}
        if self.player is not None:
            out["player"] = self.player
        if self.items:
            out["items"] = list(self.items)
        if self.note:
            out["note"] = self.note
        return out


class Verb(Struct, frozen=True):
    """How one verb of a game is written.

    `many`: it takes any number of items and its JSON form is a list; `ordered`: their order matters;
    `bare`: it takes no item at all. `parts` are the further words that follow, each with its own
    items. `fixed` lists the only items the verb can take, where that does not depend on the game's cards.
    """

    name: str
    many: bool = False
    ordered: bool = False
    bare: bool = False
    parts: tuple[Verb, ...] = ()
    fixed: tuple[str, ...] = ()


class Reason(Struct, frozen=True):
    """One clause that bears on an action: the rule, whether it is met, and the fact that decides."""

    rule: str
    holds: bool
    fact: str


class Verdict(Struct, frozen=True):
    """Whether an action is legal, and every clause that was looked at."""

    player: str | None
    action: Action
    reasons: tuple[Reason, ...]

    @property
    def legal(self) -> bool:
        """True where every clause is met."""
        return all(reason.holds for reason in self.reasons)

    @property
    def deciding(self) -> tuple[Reason, ...]:
        """The clauses that decide: all of them for a legal action, the broken ones otherwise."""
        return self.reasons if self.legal else tuple(r for r in self.reasons if not r.holds)

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the deciding rules, each once."""
        return tuple(dict.fromkeys(reason.rule for reason in self.deciding))


class Ahead(Struct, frozen=True):
    """That one thing comes before another, and why: what makes an order of the two wrong.

    `first` and `then` are what players call them ("A's Caravan"); `reasons` are the rules that put them so, each with
    its reason in words.
    """

    first: str
    then: str
    reasons: tuple[Reason, ...]

    def says(self, who: str, did: str) -> str:
        """The order in two sentences: "A comes before B, because ...; the program resolved B first"."""
        why = ", and ".join(f"{reason.fact} ({reason.rule})" for reason in self.reasons)
        return f"{self.first} comes before {self.then}, because {why}; {who} {did} {self.then} first"


class Family(Protocol):
    """A set of legal actions described rather than listed: it can be counted, asked and indexed."""

    def __len__(self) -> int: ...
    def __contains__(self, action: object, /) -> bool: ...
    def nth(self, index: int) -> Action:
        """The member at a 0-based index."""


class Counted:
    """A family that may have more members than `len` can tell: their `count` is exact, the length stops at the most."""

    __slots__ = ()

    @property
    def count(self) -> int:
        """How many members it has."""
        raise NotImplementedError

    def __len__(self) -> int:
        return min(self.count, sys.maxsize)


class Selection(Counted, Struct, frozen=True):
    """The actions `verb` with `low` to `high` cards out of a bag, with the `sure` ones: never listed unasked."""

    verb: str
    pool: Bag
    low: int
    high: int
    sure: Bag = ()

    @property
    def count(self) -> int:
        return count_selections(self.pool, self.low, self.high)

    def __contains__(self, action: object, /) -> bool:
        if not isinstance(action, Action) or action.verb != self.verb or action.rest:
            return False
        if not holds(action.items, self.sure):
            return False
        others = remove(action.items, self.sure)
        return self.low <= len(others) <= self.high and holds(self.pool, others)

    def nth(self, index: int) -> Action:
        return Action(self.verb, add(self.sure, selection(self.pool, self.low, self.high, index)))


class LegalActions(Collection[Action]):
    """The complete set of legal actions at a decision, in a fixed order, counted without listing.

    `single` actions come first, then each family's. Members are pairwise different: that is the
    generator's duty, and tested. `count` is how many there are, however many; `len` tells no more than
    `sys.maxsize`.
    """

    __slots__ = ("families", "single")

    def __init__(self, single: Sequence[Action] = (), families: Sequence[Family] = ()) -> None:
        self.single = tuple(single)
        self.families = tuple(families)

    @property
    def count(self) -> int:
        """How many legal actions there are."""
        return len(self.single) + sum(map(_members, self.families))

    def __len__(self) -> int:
        return min(self.count, sys.maxsize)

    def __contains__(self, action: object) -> bool:
        return action in self.single or any(action in family for family in self.families)

    def __iter__(self) -> Iterator[Action]:
        listed = ((family.nth(i) for i in range(_members(family))) for family in self.families)
        return chain(self.single, chain.from_iterable(listed))

    def __getitem__(self, index: int) -> Action:
        if 0 <= index < len(self.single):
            return self.single[index]
        left = index - len(self.single)
        for family in self.families:
            if 0 <= left < (members := _members(family)):
                return family.nth(left)
            left -= members
        raise IndexError(index)

    def __repr__(self) -> str:
        return f"<{self.count} legal actions>"


def _members(family: Family) -> int:
    return family.count if isinstance(family, Counted) else len(family)


class Decision(Struct, frozen=True):
    """Who must choose now, what kind of choice it is, and what is legal.

    `player` is None where chance decides. `about` says in a few words what is decided ("Buy phase",
    "Militia: discard 2 cards"); `rules` are the ids of the rules that put the decision;
    `whose` is the player whose cards chance decides about, where it is one player's.
    """

    player: str | None
    kind: Kind
    about: str
    legal: LegalActions
    rules: tuple[str, ...] = ()
    whose: str | None = None

    @property
    def forced(self) -> bool:
        """Whether only one action is legal."""
        return len(self.legal) == 1


class Outcome(Struct, frozen=True):
    """How a game ended: scores and winners by player, and who may start the next game."""

    scores: dict[str, int]
    winners: tuple[str, ...]
    next_first: tuple[str, ...]
    rules: tuple[str, ...] = ()


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

    def action(self, verb: str, *items: str, **parts: Sequence[str]) -> Action:
        """A canonical action. Raises `BadAction` for a verb or part the game does not have."""
        spec = self.verbs.get(verb)
        if spec is None:
            raise BadAction(f"{verb!r} is no action of {self.name}", fix=f"one of: {', '.join(self.verbs)}")
        return _build(spec, items, parts)

    def text(self, action: Action) -> str:
        """The canonical text form, for example `discard Copper, Estate` or `trash nothing`."""
        words, spec = [action.verb], self.verbs.get(action.verb)
        if action.items or spec is None or not spec.bare:
            words.append(", ".join(action.items) or "nothing")
        for word, items in action.rest:
            words += [word, ", ".join(items) or "nothing"]
        return " ".join(words)

    def json(self, action: Action) -> dict[str, Json]:
        """The canonical JSON form, for example `{"buy": "Silver"}` or `{"discard": ["Copper"]}`."""
        spec = self.verbs.get(action.verb, Verb(action.verb, many=True))
        out: dict[str, Json] = {action.verb: list(action.items) if spec.many else next(iter(action.items), None)}
        for part in spec.parts:
            for word, items in action.rest:
                if word == part.name:
                    out[word] = list(items) if part.many else next(iter(items), None)
        return out

    def read(self, value: Json, state: S | None = None) -> Action:
        """An action from its text or JSON form; "4 Copper" among many items means four.

        With the state of a game, what it names must be something there: see `names`. Raises `BadAction`, which
        says what would be right.
        """
        action = self._read(value)
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

    def _read(self, value: Json) -> Action:
        if isinstance(value, str):
            return self._read_text(value)
        if not isinstance(value, Mapping) or not value:
            raise BadAction(f"{value!r} is no action", fix="a text such as 'VERB ITEM', or a mapping {VERB: ITEM}")
        verb, *parts = value
        if not isinstance(verb, str):
            raise BadAction(f"{verb!r} is no verb", fix=f"one of: {', '.join(self.verbs)}")
        read = {str(word): _items(value[word]) for word in parts}
        return self.action(verb, *_items(value[verb]), **read)

    def _read_text(self, text: str) -> Action:
        text = text.strip()
        verb = max((v for v in self.verbs if f"{text} ".startswith(f"{v} ")), key=len, default=None)
        if verb is None:
            fix = f"it starts with one of: {', '.join(self.verbs)}"
            raise BadAction(f"{text!r} is no action of {self.name}", fix=fix)
        spec, tail = self.verbs[verb], text[len(verb) :]
        parts: dict[str, list[str]] = {}
        for part in reversed(spec.parts):
            tail, found, rest = tail.partition(f" {part.name} ")
            if found:
                parts[part.name] = _split(rest)
        return self.action(verb, *_split(tail), **parts)


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


class Choose(Protocol):
    """Makes a choice: an int from 0 to `n - 1`. Hypothesis and `random` both fit behind it."""

    def __call__(self, n: int, /) -> int: ...


@overload
def _items(value: None) -> tuple[str, ...]: ...
@overload
def _items(value: Json) -> tuple[str, ...]: ...
def _items(value: Json) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return tuple(_split(value))
    if isinstance(value, Sequence) and all(isinstance(item, str) for item in value):
        return tuple(_several(value))
    raise BadAction(f"{value!r} is neither a name nor a list of names")


def _split(text: str) -> list[str]:
    text = text.strip()
    return [] if text in ("", "nothing") else _several(item.strip() for item in text.split(","))


def _several(items: Iterable[str]) -> list[str]:
    """The items as the lists of a position are read: "3 Estate" is three of them."""
    try:
        return [name for name, _ in copies(list(items), ())]
    except BadPosition as error:
        raise BadAction(error.message, fix=error.fix) from None


def _build(spec: Verb, items: Sequence[str], parts: Mapping[str, Sequence[str]]) -> Action:
    known = {part.name: part for part in spec.parts}
    for word in parts:
        if word not in known:
            raise BadAction(f"{spec.name!r} takes no {word!r}", fix=f"it takes: {', '.join(known) or 'nothing more'}")
    if missing := [word for word in known if word not in parts]:
        form = " ".join([spec.name, "...", *(f"{word} ..." for word in known)])
        raise BadAction(f"{spec.name!r} lacks {missing[0]!r}", fix=f"it is written: {form}")
    rest = tuple((p.name, _canonical(p, parts[p.name])) for p in spec.parts)
    return Action(spec.name, _canonical(spec, items), rest)


def _canonical(spec: Verb, items: Sequence[str]) -> tuple[str, ...]:
    if spec.bare and items:
        raise BadAction(f"{spec.name!r} stands alone, without {', '.join(items)!r}")
    if not spec.many and len(items) > 1:
        raise BadAction(f"{spec.name!r} takes one item, not {len(items)}")
    if spec.fixed and not items and not spec.many:
        raise BadAction(f"{spec.name!r} lacks its item", fix=f"one of: {', '.join(spec.fixed)}")
    if spec.fixed and any(item not in spec.fixed for item in items):
        raise BadAction(f"{spec.name!r} cannot take {', '.join(items)!r}", fix=f"one of: {', '.join(spec.fixed)}")
    return tuple(items) if spec.ordered else bag(items)
