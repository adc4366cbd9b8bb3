"""What readings change in the theory: other clauses under the rules that they read otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3

from oracle.games.l5r.theory_effects import Round
from oracle.proof.terms import TRUE, Bool, both, either, pick


def dropped(says: Any) -> Bool:
    """The clause says nothing."""
    return TRUE


def put(*pairs: tuple[Any, Any]) -> Callable[[Any], Any]:
    """Of the clauses of a rule those that speak of one thing speak of another instead."""
    return lambda says: z3.substitute(says, *pairs)


def unless(name: str) -> Callable[[Any], Any]:
    """Of the clauses of a rule the one about something is dropped."""
    return lambda says: TRUE if z3.is_const(says) and str(says).endswith(name) else says


ROUND = Round()


def instead_of(says: Any, other: Any) -> Callable[[Any], Any]:
    """Of the clauses of a rule the one that is this number is another."""
    return lambda clause: other if clause.eq(says) else clause


def counted_on(says: Any) -> Any:
    """An action leaves the number of passes as it was."""
    return pick(says.arg(0), says.arg(1), says.arg(1) - 1) if z3.is_app_of(says, z3.Z3_OP_ITE) else says


def those_before(says: Any) -> Any:
    """A battlefield may be chosen only once the one before it is done with."""
    if not z3.is_not(says):
        return says
    fought = says.arg(0)
    return both(says, either(fought.arg(0) < 1, fought.decl()(fought.arg(0) - 1)))
