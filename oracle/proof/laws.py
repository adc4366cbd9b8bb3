"""The clauses of a theory, each filed under the rule that it says.

A clause enters a proof as an unknown of its own with a definition, so that a proof can say which rules
it needed and a mutant can be switched on without building the theory again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

import z3

from oracle.proof.smt import Bool, boolean, number, same

T = TypeVar("T")


def subterms(term: z3.ExprRef, seen: set[int]) -> Iterator[int]:
    """The ids of the term and all that it is made of, except what was seen before."""
    context = term.ctx_ref()
    # The wrapped z3 calls that do the same take ten times as long, which is most of the time of a proof.
    ident, arguments, argument = z3.Z3_get_ast_id, z3.Z3_get_app_num_args, z3.Z3_get_app_arg
    todo = [term.as_ast()]
    while todo:
        ast = todo.pop()
        key = ident(context, ast)
        if key in seen:
            continue
        seen.add(key)
        yield key
        if z3.Z3_get_ast_kind(context, ast) == z3.Z3_APP_AST:
            todo.extend(argument(context, ast, i) for i in range(arguments(context, ast)))


class Laws:
    """The clauses said so far. `instead` replaces what a rule says, as readings do: by rule id."""

    def __init__(self, instead: Mapping[str, Any] | None = None) -> None:
        self.instead = dict(instead or {})
        self.rule: dict[int, str] = {}
        self.meaning: dict[int, Any] = {}
        self._symbols: dict[int, Any] = {}

    def __call__(self, rule: str, says: Any) -> Any:
        """A symbol that means what the rule says: a truth value or a number."""
        says = boolean(says) if isinstance(says, (bool, z3.BoolRef)) else number(says)
        says = self.altered(rule, says)
        symbol = (z3.Bool if z3.is_bool(says) else z3.Int)(f"law!{len(self.rule)}!{rule}")
        self.rule[symbol.get_id()] = rule
        self.meaning[symbol.get_id()] = says
        self._symbols[symbol.get_id()] = symbol
        return symbol

    def altered(self, rule: str, says: Any) -> Any:
        """What is filed under the rule, where a clause says this."""
        change = self.instead.get(rule)
        return boolean(change(says)) if change else says

    def used(self, facts: Iterable[z3.ExprRef]) -> dict[str, list[Bool]]:
        """The definitions of all clauses that the facts speak of, directly or through other clauses, by rule."""
        out: dict[str, list[Bool]] = {}
        for key in self.symbols(facts):
            out.setdefault(self.rule[key], []).append(same(self._symbols[key], self.meaning[key]))
        return out

    def symbols(self, facts: Iterable[z3.ExprRef]) -> list[int]:
        """The keys of the clauses that the facts speak of, directly or through other clauses."""
        found: list[int] = []
        todo = list(facts)
        seen: set[int] = set()
        while todo:
            for key in subterms(todo.pop(), seen):
                if key in self.meaning:
                    found.append(key)
                    todo.append(self.meaning[key])
        return found

    def plain(self, term: T) -> T:
        """The term with every clause written out."""
        while keys := self.symbols([term]):
            pairs = [(self._symbols[key], self.meaning[key]) for key in keys]
            term = z3.substitute(term, *pairs)
        return term
