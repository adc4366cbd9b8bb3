"""Lists that are drawn off symbolic values: which members there are is not known, only under which condition.

`[x for x in xs if test]` and `f(x for x in xs if test)` branch for every member where the test is
symbolic, so that paths multiply. Here the source is rewritten, before it is lifted, so that such a list
stays one value: a `Row` of members, each with its condition. Members may stand for several things alike
(`Lump`): then a row's sum and length count them all.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import z3

from oracle.proof.lift import Modules, source_of, summary
from oracle.proof.smt import FALSE, TRUE, Bool, Int, both, is_literal, is_same, number, pick, total
from oracle.proof.symbols import LiftError, SymBag, SymInt, truth_of


class Lump(NamedTuple):
    """A member of a row: under a condition, `n` things alike; `worth` is what they are worth together, as numbers."""

    there: Bool
    value: Any
    n: Int
    worth: Int | None = None


class Row(SymBag):
    """Members that are there under conditions. It has a length and a sum, and nothing else."""

    __slots__ = ("lumps",)

    def __init__(self, lumps: Iterable[Lump]) -> None:
        super().__init__({})
        self.lumps = tuple(lumps)

    @property
    def size(self) -> SymInt:
        return SymInt(total(pick(lump.there, lump.n, 0) for lump in self.lumps))

    @property
    def sum(self) -> SymInt:
        """The sum of the members, which are numbers."""
        return SymInt(total(pick(lump.there, _worth(lump), 0) for lump in self.lumps))

    def _refuse(self, *_: object) -> Any:
        raise LiftError("a row has a length and a sum only")

    count = less = only = _refuse  # type: ignore[assignment]
    __contains__ = __bool__ = __eq__ = __ne__ = __add__ = __radd__ = _refuse
    __hash__ = None  # type: ignore[assignment]


class Parted(SymBag):
    """Any number of things, of which only those of one part (as cards of one guild) can be asked for.

    `probe` makes a member that notes the part it is compared with; `lump` says what there is of a part.
    """

    __slots__ = ("lump", "probe")

    def __init__(self, probe: Callable[[Probe], Any], lump: Callable[[Any], Lump]) -> None:
        super().__init__({})
        self.probe, self.lump = probe, lump

    def part(self, keep: Callable[[Any], Any], value: Callable[[Any], Any]) -> Row:
        """The row of `value(x) for x in self if keep(x)`, where `keep` is that x is of one part."""
        mark = Probe()
        if keep(self.probe(mark)) is not True or len(mark.parts) != 1:
            raise LiftError("things of more than one part, or of none, are asked for")
        lump = self.lump(mark.parts[0])
        return Row([lump._replace(value=value(lump.value))])


class Probe:
    """Stands for the part of a member: equal to the one part that it is compared with."""

    def __init__(self) -> None:
        self.parts: list[Any] = []

    def __eq__(self, other: object) -> bool:
        self.parts.append(other)
        return True

    def __ne__(self, other: object) -> bool:
        raise LiftError("things of other parts are asked for")

    __hash__ = None  # type: ignore[assignment]


def _worth(lump: Lump) -> Int:
    if isinstance(lump.value, SymInt):
        return lump.worth if lump.worth is not None else lump.value.term
    if isinstance(lump.value, int):
        return number(lump.value)
    raise LiftError(f"a sum of {type(lump.value).__name__}")


def _drawn(source: Any, keep: Callable[[Any], Any], value: Callable[[Any], Any]) -> Any:
    """A list of `value(x) for x in source if keep(x)`, or what stands for it."""
    if isinstance(source, Parted):
        return source.part(keep, value)
    if isinstance(source, Row):
        members: Iterator[Lump] = iter(source.lumps)
    else:
        members = (Lump(TRUE, member, z3.IntVal(1)) for member in source)
    lumps: list[Lump] = []
    for lump in members:
        kept = both(lump.there, truth_of(summary(lambda lump=lump: bool(keep(lump.value)), lump.there)))  # type: ignore[misc]
        if not is_same(kept, FALSE):
            lumps.append(lump._replace(there=kept, value=value(lump.value)))
    if not isinstance(source, Row) and all(is_literal(lump.there) for lump in lumps):
        return [lump.value for lump in lumps]
    return Row(lumps)


def _sum(values: Any, start: Any = 0) -> Any:
    return values.sum if isinstance(values, Row) else builtins.sum(values, start)


class _Rewrite(ast.NodeTransformer):
    """Writes lists and generators over one loop with a test as calls of `__drawn__`."""

    def visit_Module(self, node: ast.Module) -> ast.AST:
        # What runs when a module is loaded is plain.
        node.body = [self.visit(part) if isinstance(part, ast.FunctionDef) else part for part in node.body]
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return self._drawn(node) or self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in ("any", "all", "sum", "set") and node.args and isinstance(node.args[0], ast.GeneratorExp):
            for part in ast.iter_child_nodes(node.args[0]):  # what `lift` knows how to carry stays as it is
                self.generic_visit(part)
            return node
        return self.generic_visit(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return self._drawn(node) or self.generic_visit(node)

    def _drawn(self, node: ast.ListComp | ast.GeneratorExp) -> ast.AST | None:
        part = node.generators[0]
        if len(node.generators) > 1 or not isinstance(part.target, ast.Name):
            return None
        self.generic_visit(node)
        test: ast.expr = ast.BoolOp(ast.And(), part.ifs) if len(part.ifs) > 1 else [*part.ifs, ast.Constant(True)][0]
        function = [_lambda(part.target.id, body) for body in (test, node.elt)]
        return ast.Call(ast.Name("__drawn__", ast.Load()), [part.iter, *function], [])


def _lambda(name: str, body: ast.expr) -> ast.Lambda:
    return ast.Lambda(ast.arguments([], [ast.arg(name)], None, [], [], None, []), body)


def rewritten(name: str, tree: ast.Module | None = None) -> ast.Module:
    """The syntax tree of a module, with its lists drawn in a way that can be lifted."""
    tree = ast.parse(ast.unparse(tree) if tree else source_of(name))
    return ast.fix_missing_locations(_Rewrite().visit(tree))  # type: ignore[no-any-return]


def with_rows(code: Modules) -> Modules:
    """Modules loaded from `rewritten` trees, now able to draw rows and to add them up."""
    for module in code.values():
        module.__dict__["__builtins__"].update({"__drawn__": _drawn, "sum": _sum})
    return code
