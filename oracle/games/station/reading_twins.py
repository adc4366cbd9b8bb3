"""What each reading changes in the theory: clauses said otherwise, by what the rule says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3

from oracle.games.station import theory
from oracle.proof.terms import FALSE, TRUE, both, count, either, every, is_same, number, pick, same, some, truth

DISCOUNTS = [(count(f"discount.{i}"), number(0)) for i in range(1, theory.MARKET + 1)]


def true(says: Any) -> Any:
    """The clause asks for nothing."""
    return TRUE


def false(says: Any) -> Any:
    """The clause allows nothing."""
    return FALSE


def at_most(n: int) -> Callable[[Any], Any]:
    """The clause with another limit."""
    return lambda says: says.arg(0) <= n


def without(name: str) -> Callable[[Any], Any]:
    """The clause without the freedom that a parameter gives."""
    return lambda says: z3.simplify(z3.substitute(says, (truth(name), FALSE)))


def some_differ(says: Any) -> Any:
    """Of all that must differ some do."""
    return some(says.children()) if z3.is_and(says) else says


def rest(says: Any) -> Any:
    """The clause without its first part."""
    return every(says.children()[1:]) if z3.is_and(says) else TRUE


def room_too(says: Any) -> Any:
    """The clause, and that the Dry Dock has room."""
    return both(says, count("docked") < theory.DOCKED)


def _low(says: Any) -> list[Any]:
    """The parts that say of a value that it is low."""
    parts = [says, *says.children()] if z3.is_bool(says) else []
    return [part for part in parts if z3.is_le(part) and is_same(part.arg(1), number(theory.HIGHEST))]


def of_any_value(says: Any) -> Any:
    """The clause without its limit for the value of a card."""
    return z3.substitute(says, *((part, TRUE) for part in _low(says)))


def below_four(says: Any) -> Any:
    """A low value is less than one more than the highest low one."""
    return z3.substitute(says, *((part, part.arg(0) < theory.HIGHEST + 1) for part in _low(says)))


def as_printed(says: Any) -> Any:
    """The clause as if nothing had a discount."""
    return z3.substitute(says, *DISCOUNTS)


def printed_cost(says: Any) -> Any:
    """What is printed, of what it costs with a discount."""
    return says.arg(0)


def however_paid(says: Any) -> Any:
    """The clause without the equation of what is paid and what it costs."""
    return TRUE if z3.is_eq(says) else says


def first_taken_off(says: Any) -> Any:
    """A station is allowed if it was as well before what stood at the node gave way."""
    before, node, _ = says.arg(0).children()
    return both(says, either(same(z3.Select(before, node), theory.VACANT), theory.valid(theory.put(before, node, 0))))


def eligible(says: Any) -> Any:
    """What comes into a berth is eligible at once."""
    return TRUE if is_same(says, FALSE) else says


def next_seat(says: Any) -> Any:
    """The seat after the one that began this round begins the next."""
    began, starting, other = says.children()
    return pick(began, pick(same(starting + 1, count("clock.n")), 0, starting + 1), other)


def given_back(says: Any) -> Any:
    """A module takes the Renown with it that it has brought."""
    return says - count("Module.renown") if is_same(says, count("renown")) else says
