"""Loops that are lifted with one member: for many they say what they say of each, and others are refused."""

from __future__ import annotations

import ast
from itertools import product
from typing import Any

import pytest

from oracle.proof.loops import check
from oracle.proof.paths import LiftError

ACCEPTED = """
def plain(xs, least):
    for x in xs:
        if x < least:
            return False
    return True

def told(xs, least):
    '''Whether none is low.'''
    low = least - 1
    for x in xs:
        twice = x + x
        if not x:
            continue
        if twice <= low + low:
            return False, f"{x} is low"
    return True, "none is low"

def nested(xs, least):
    for i, x in enumerate(xs):
        for y in (x, x + 1):
            both = x + y
            if both == least:
                return False
    return True
"""

ONE = "for x in xs:\n        if x:\n            return False"
REFUSED = {
    "a sum": "n = 0\n    for x in xs:\n        n = n + x\n        if n > 3:\n            return False\n    return True",
    "left over": "for x in xs:\n        if last > x:\n            return False\n        last = x\n    return True",
    "a list": "seen = []\n    for x in xs:\n        if seen.append(x):\n            return False\n    return True",
    "a walrus": "for x in xs:\n        if (n := x):\n            return False\n    return True",
    "a break": "for x in xs:\n        if x:\n            break\n    return True",
    "true inside": "for x in xs:\n        if x:\n            return True\n    return False",
    "false at the end": "for x in xs:\n        if x:\n            return False\n    return False",
    "else": "for x in xs:\n        if x:\n            return False\n    else:\n        least = 0\n    return True",
    "a place": "for x in xs:\n        xs[0] = x\n    return True",
    "more": "for x in xs:\n        if x:\n            y = x\n            return False\n    return True",
    "two loops": f"{ONE}\n    {ONE}\n    return True",
    "no loop": "return True",
}


@pytest.mark.parametrize("name", ["plain", "told", "nested"])
def test_many_are_what_each_is(name: str) -> None:
    """On all short rows of small numbers the function is true exactly where it is true of each member alone."""
    check(ast.parse(ACCEPTED), name)
    space: dict[str, Any] = {}
    exec(ACCEPTED, space)

    def says(*row: int) -> bool:
        found = space[name](row, 2)
        return bool(found[0] if isinstance(found, tuple) else found)

    for n in range(4):
        for row in product(range(4), repeat=n):
            assert says(*row) == all(says(x) for x in row)


@pytest.mark.parametrize("name", REFUSED)
def test_a_loop_that_may_leave_something_to_its_next_turn_is_refused(name: str) -> None:
    """Nothing is lifted with one member that may hang on several."""
    with pytest.raises(LiftError):
        check(ast.parse(f"def f(xs, least):\n    {REFUSED[name]}\n"), "f")


def test_a_function_that_is_not_there_is_refused() -> None:
    """A name that a mutant has taken away is no loop."""
    with pytest.raises(LiftError):
        check(ast.parse(ACCEPTED), "f")
