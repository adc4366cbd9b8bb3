"""Loops whose answer for many members is their answer for each by itself.

`for x in xs: if wrong(x): return False`, and `return True` behind it: where no turn of the loop leaves
anything to the next, such a function says of many members that none is wrong. So it need only be lifted
with one member, any one, and what is proved of that one is proved of any number of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from oracle.proof.paths import LiftError


def check(tree: ast.Module, name: str) -> None:
    """That a function of the module asks each member by itself. Raises `LiftError` where that does not show."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    if len(functions) != 1:
        raise LiftError(f"{name} is not there once")
    _function(functions[0])


def _function(function: ast.FunctionDef) -> None:
    body = function.body[1:] if ast.get_docstring(function) else function.body
    *before, loop, last = body if len(body) > 1 else (*body, ast.Pass(), ast.Pass())
    if not isinstance(loop, ast.For) or not _returns(last, True):
        raise LiftError(f"{function.name} does not end with a loop and `return True`")
    bound = {argument.arg for argument in function.args.args}
    for statement in before:
        bound |= _assigned(statement)
    for node in ast.walk(function):
        if isinstance(node, ast.NamedExpr | ast.Yield | ast.YieldFrom | ast.Await | ast.Global | ast.Nonlocal):
            raise LiftError(f"line {node.lineno}: a loop that leaves something to its next turn")
    inside = set(_stored(loop))
    _turns(loop, inside)
    changed = (bound | inside) & {node.func.value.id for node in ast.walk(function) if _is_method(node)}  # type: ignore[attr-defined]
    if changed or bound & inside:
        raise LiftError(f"{function.name} may change {', '.join(sorted(changed | (bound & inside)))} as it goes")


def _turns(loop: ast.For, inside: set[str], bound: Iterable[str] = ()) -> None:
    """One turn sets all that it reads before it reads it, and does nothing but go on or answer `False`."""
    if loop.orelse:
        raise LiftError(f"line {loop.lineno}: a loop with an `else`")
    now = set(bound)
    _reads(loop.iter, inside - now)
    now |= _bound(loop.target)
    for statement in loop.body:
        if isinstance(statement, ast.For):
            _turns(statement, inside, now)
        elif isinstance(statement, ast.If) and not statement.orelse and len(statement.body) == 1:
            _reads(statement.test, inside - now)
            if not isinstance(statement.body[0], ast.Continue) and not _returns(statement.body[0], False):
                raise LiftError(f"line {statement.lineno}: a turn that does more than go on or answer `False`")
        else:
            names = _assigned(statement)
            _reads(statement.value, inside - now)  # type: ignore[attr-defined]
            now |= names


def _assigned(statement: ast.stmt) -> set[str]:
    """The names that a plain assignment sets."""
    if not isinstance(statement, ast.Assign):
        raise LiftError(f"line {statement.lineno}: more than assignments and tests")
    return {name for target in statement.targets for name in _bound(target)}


def _bound(target: ast.expr) -> set[str]:
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    if not all(isinstance(part, ast.Name) for part in parts):
        raise LiftError(f"line {target.lineno}: something other than a name is set")
    return {part.id for part in parts if isinstance(part, ast.Name)}


def _stored(loop: ast.For) -> Iterator[str]:
    for node in ast.walk(loop):
        if isinstance(node, ast.For):
            yield from _bound(node.target)
        elif isinstance(node, ast.Assign):
            yield from _assigned(node)


def _reads(part: ast.expr, unset: set[str]) -> None:
    for node in ast.walk(part):
        if isinstance(node, ast.Name) and node.id in unset:
            raise LiftError(f"line {node.lineno}: {node.id} is left from an earlier turn")


def _is_method(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    return isinstance(node.func.value, ast.Name)


def _returns(statement: ast.stmt, value: bool) -> bool:
    """Whether it is `return value`, or that with a text behind it."""
    if not isinstance(statement, ast.Return):
        return False
    said = statement.value.elts[0] if isinstance(statement.value, ast.Tuple) else statement.value
    return isinstance(said, ast.Constant) and said.value is value
