"""A theory compiled to a Python closure: fast enough to judge positions by the tens of thousands.

Every subterm becomes one assignment; symbols are read from a dict by name, functions of a symbol (such as
a zone of a seat) from a dict by name and then by argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import z3

_INFIX = {
    z3.Z3_OP_MUL: " * ",
    z3.Z3_OP_IDIV: " // ",
    z3.Z3_OP_ADD: " + ",
    z3.Z3_OP_SUB: " - ",
    z3.Z3_OP_LE: " <= ",
    z3.Z3_OP_LT: " < ",
    z3.Z3_OP_GE: " >= ",
    z3.Z3_OP_GT: " > ",
    z3.Z3_OP_EQ: " == ",
    z3.Z3_OP_AND: " and ",
    z3.Z3_OP_OR: " or ",
}


Values = Mapping[str, Any]
Judge = Callable[[Values], list[Any]]


class Asked(dict[Any, Any]):
    """A function of a symbol, as what is compiled looks it up: asked only where it is needed."""

    def __init__(self, ask: Callable[[Any], Any]) -> None:
        super().__init__()
        self._ask = ask

    def __missing__(self, key: Any) -> Any:
        return self._ask(key)


def compiled(terms: Sequence[z3.ExprRef]) -> Judge:
    """A function from the values of the symbols to the values of the terms. Raises `ValueError` for other terms."""
    judge = staged(terms, ())
    return lambda value: judge(value)(_NOTHING)


_NOTHING: Values = {}


def staged(terms: Sequence[z3.ExprRef], late: Sequence[str]) -> Callable[[Values], Judge]:
    """The same in two steps: `late` symbols (or prefixes of their names) are given in the second.

    What does not depend on them is worked out once for all the second steps, as for all actions in a position.
    """
    names: dict[int, str] = {}
    lines: tuple[list[str], list[str]] = ([], [])
    changing: set[int] = set()
    todo: list[tuple[z3.ExprRef, bool]] = [(term, False) for term in reversed(terms)]
    while todo:
        term, ready = todo.pop()
        key = term.get_id()
        if key in names:
            continue
        if not ready:
            todo.append((term, True))
            todo.extend((child, False) for child in term.children())
            continue
        children = [child.get_id() for child in term.children()]
        symbol = term.decl().kind() == z3.Z3_OP_UNINTERPRETED
        changes = (symbol and term.decl().name().startswith(tuple(late))) or not changing.isdisjoint(children)
        if changes:
            changing.add(key)
        code = _code(term, [names[child] for child in children], "last" if changes else "value")
        if children or symbol:
            names[key] = f"t{len(names)}"
            lines[changes].append(f"{names[key]} = {code}")
        else:
            names[key] = code
    result = ", ".join(names[term.get_id()] for term in terms)
    inner = ["def judge(last):", *(f"    {line}" for line in lines[True]), f"    return [{result}]"]
    source = "\n    ".join(["def prepare(value):", *lines[False], *inner, "return judge"])
    space: dict[str, Any] = {}
    exec(compile(source, "<compiled theory>", "exec"), space)
    return space["prepare"]  # type: ignore[no-any-return]


def _code(term: z3.ExprRef, parts: list[str], values: str) -> str:
    if z3.is_int_value(term):
        return f"({term.as_long()})"
    if z3.is_true(term) or z3.is_false(term):
        return str(z3.is_true(term))
    kind = term.decl().kind()
    if kind == z3.Z3_OP_UNINTERPRETED:
        return f"{values}[{term.decl().name()!r}]" + "".join(f"[{part}]" for part in parts)
    if kind in _INFIX:
        return _INFIX[kind].join(parts)
    if kind == z3.Z3_OP_NOT:
        return f"not {parts[0]}"
    if kind == z3.Z3_OP_ITE:
        return f"{parts[1]} if {parts[0]} else {parts[2]}"
    if kind == z3.Z3_OP_UMINUS:
        return f"-{parts[0]}"
    raise ValueError(f"{term.decl().name()} cannot be compiled")
