"""The clauses of a theory, each filed under the rule that it says.

A clause enters a proof as an unknown of its own with a definition, so that a proof can say which rules
it needed and a mutant can be switched on without building the theory again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

import z3

from oracle.proof.terms import Bool, Term, boolean, count, number, same, truth, unknowns

T = TypeVar("T")


class Spoken(NamedTuple):
    """What facts speak of, directly or through clauses: the clauses by their keys, and all unknowns."""

    laws: tuple[int, ...]
    unknowns: frozenset[int]


class Laws:
    """The clauses said so far. `instead` replaces what a rule says, as readings do: by rule id."""

    def __init__(self, instead: Mapping[str, Any] | None = None) -> None:
        self.instead = dict(instead or {})
        self.rule: dict[int, str] = {}
        self.meaning: dict[int, Any] = {}
        self._symbols: dict[int, Any] = {}
        self._places: dict[int, int] = {}
        self._unknowns: dict[int, frozenset[int]] = {}

    def __call__(self, rule: str, says: Any) -> Any:
        """A symbol that means what the rule says: a truth value or a number."""
        says = boolean(says) if isinstance(says, (bool, z3.BoolRef)) else number(says)
        says = self.altered(rule, says)
        symbol = (truth if z3.is_bool(says) else count)(f"law!{len(self.rule)}!{rule}")
        (key,) = unknowns(symbol)
        self._places[key] = len(self.rule)
        self.rule[key], self.meaning[key], self._symbols[key] = rule, says, symbol
        return symbol

    def altered(self, rule: str, says: Any) -> Any:
        """What is filed under the rule, where a clause says this."""
        change = self.instead.get(rule)
        return boolean(change(says)) if change else says

    def spoken(self, facts: Iterable[Term]) -> Spoken:
        """What the facts speak of."""
        laws: dict[int, None] = {}
        everything: set[int] = set()
        todo = [unknowns(fact) for fact in facts]
        while todo:
            found = todo.pop() - everything
            everything |= found
            for key in sorted(found & self.meaning.keys(), key=self._places.__getitem__):
                laws[key] = None
                if key not in self._unknowns:
                    self._unknowns[key] = unknowns(self.meaning[key])
                todo.append(self._unknowns[key])
        return Spoken(tuple(laws), frozenset(everything))

    def definitions(self, keys: Iterable[int]) -> dict[str, list[Bool]]:
        """What the clauses mean, by rule."""
        out: dict[str, list[Bool]] = {}
        for key in keys:
            out.setdefault(self.rule[key], []).append(same(self._symbols[key], self.meaning[key]))
        return out

    def used(self, facts: Iterable[Term]) -> dict[str, list[Bool]]:
        """The definitions of all clauses that the facts speak of, by rule."""
        return self.definitions(self.spoken(facts).laws)

    def plain(self, term: T) -> T:
        """The term with every clause written out."""
        while keys := self.spoken([term]).laws:
            term = z3.substitute(term, *((self._symbols[key], self.meaning[key]) for key in keys))
        return term


class Domain:
    """Facts of which those can be had that bear on a question.

    The others speak of nothing that the question speaks of: they decide nothing, as long as all the facts
    can hold together.
    """

    def __init__(self, facts: Iterable[Bool]) -> None:
        self.facts = tuple(facts)
        self._speaks = [unknowns(fact) for fact in self.facts]
        self._about: dict[int, list[int]] = {}
        for place, speaks in enumerate(self._speaks):
            for unknown in speaks:
                self._about.setdefault(unknown, []).append(place)

    def concerning(self, spoken: Iterable[int]) -> list[Bool]:
        """The facts that have to do with the unknowns, directly or through one another."""
        places, known, todo = set[int](), set[int](), list(spoken)
        while todo:
            if (unknown := todo.pop()) not in known:
                known.add(unknown)
                for place in self._about.get(unknown, ()):
                    if place not in places:
                        places.add(place)
                        todo += self._speaks[place]
        return [self.facts[place] for place in sorted(places)]
