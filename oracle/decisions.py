"""The values that pass between a game and all the rest: actions, events, verdicts, decisions, outcomes."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import Any, Literal, Protocol

from msgspec import Struct

from oracle.zones import Bag, add, count_selections, holds, remove, selection

Json = Any
Kind = Literal["action", "choice", "order", "chance"]


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
        return len(self.single) + sum(map(members, self.families))

    def __len__(self) -> int:
        return min(self.count, sys.maxsize)

    def __contains__(self, action: object) -> bool:
        return action in self.single or any(action in family for family in self.families)

    def __iter__(self) -> Iterator[Action]:
        listed = ((family.nth(i) for i in range(members(family))) for family in self.families)
        return chain(self.single, chain.from_iterable(listed))

    def __getitem__(self, index: int) -> Action:
        if 0 <= index < len(self.single):
            return self.single[index]
        left = index - len(self.single)
        for family in self.families:
            if 0 <= left < (n := members(family)):
                return family.nth(left)
            left -= n
        raise IndexError(index)

    def __repr__(self) -> str:
        return f"<{self.count} legal actions>"


def members(family: Family) -> int:
    """How many members a family has, however many."""
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


class Choose(Protocol):
    """Makes a choice: an int from 0 to `n - 1`. Hypothesis and `random` both fit behind it."""

    def __call__(self, n: int, /) -> int: ...
