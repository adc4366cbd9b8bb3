"""Lists that are drawn off symbolic values: which members there are is not known, only under which condition.

`[x for x in xs if test]` and `f(x for x in xs if test)` branch for every member where the test is
symbolic, so that paths multiply. Here the source is rewritten, before it is lifted, so that such a list
stays one value: a `Row` of members, each with its condition. Members may stand for several things alike
(`Lump`): then a row's sum and length count them all, and `any` and `all` ask each kind of them once.

`Heaps` are any numbers of things of several kinds, `Parted` any number of which one part is asked for,
`Among` any number of which a few are looked at one by one.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from oracle.proof.lift import Modules, _all, _any, source_of, summary
from oracle.proof.lift import _sum as _sum_of
from oracle.proof.paths import LiftError
from oracle.proof.symbols import SymBag, SymBool, SymInt, truth_of
from oracle.proof.terms import FALSE, TRUE, Bool, Int, both, every, is_literal, is_same, number, pick, some, total, when

ONE = number(1)


class Worth(NamedTuple):
    """What things alike are worth as numbers: each of them, and all together."""

    each: Int
    together: Int


class Lump(NamedTuple):
    """A member of a row: under a condition, `n` things alike."""

    there: Bool
    value: Any
    n: Int
    worth: Worth | None = None

    @property
    def any(self) -> Bool:
        """Whether there is one at all."""
        return self.there if is_same(self.n, ONE) else both(self.there, self.n > 0)


class _Refusing(SymBag):
    """What is no bag of known names, although `len` may be asked of it: everything else is refused."""

    __slots__ = ()

    def __init__(self) -> None:
        pass

    def _refuse(self, *_: object) -> Any:
        raise LiftError(f"of {type(self).__name__.lower()} this cannot be asked")

    counts = property(_refuse)
    count = less = only = of = _refuse  # type: ignore[assignment]
    __contains__ = __bool__ = __eq__ = __ne__ = __add__ = __radd__ = _refuse
    __hash__ = None  # type: ignore[assignment]


class Mass:
    """What several things of different worth are worth together: a number that can be added up, and nothing else."""

    __slots__ = ("term",)

    def __init__(self, term: Int) -> None:
        self.term = term

    def _refuse(self, *_: object) -> Any:
        raise LiftError("what several things are worth is asked of each of them")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __int__ = __index__ = __str__ = _refuse
    __hash__ = None  # type: ignore[assignment]


class Row(_Refusing):
    """Members that are there under conditions. It has a length and a sum, and `any` and `all` can be asked of it."""

    __slots__ = ("lumps",)

    def __init__(self, lumps: Iterable[Lump]) -> None:
        self.lumps = tuple(lumps)

    @property
    def size(self) -> SymInt:
        return SymInt(total(pick(lump.there, lump.n, 0) for lump in self.lumps))

    @property
    def sum(self) -> SymInt:
        """The sum of the members, which are numbers."""
        return SymInt(total(pick(lump.there, _worth(lump), 0) for lump in self.lumps))


class Heaps(SymBag):
    """Any numbers of things of several kinds; `worth` says what each of a kind is worth, and all together."""

    __slots__ = ("worth",)

    def __init__(self, counts: Mapping[str, Int], worth: Mapping[str, Worth]) -> None:
        super().__init__(counts)
        self.worth = dict(worth)

    def part(self, keep: Callable[[Any], Any], value: Callable[[Any], Any]) -> Row:
        """The row of `value(x) for x in self if keep(x)`: a lump for each kind."""
        lumps = []
        for name, n in self.counts.items():
            lumps.append(Lump(_kept(keep, n > 0, name), value(name), n, self.worth[name]))
        return Row(lumps)


class Kinds(_Refusing):
    """What `Counter` gives of heaps: each kind of which there is any, and how many there are."""

    __slots__ = ("heaps",)

    def __init__(self, heaps: Heaps) -> None:
        self.heaps = heaps

    def part(self, keep: Callable[[Any], Any], value: Callable[[Any], Any]) -> Row:
        """The row of `value(x)` for each kind."""
        counts = self.heaps.counts.items()
        return Row([Lump(_kept(keep, n > 0, name), value(name), ONE) for name, n in counts])

    def values(self) -> Row:
        """How many there are of each kind."""
        return Row([Lump(n > 0, SymInt(n), ONE) for n in self.heaps.counts.values()])


class Among:
    """Any number of things, a few of which are looked at; `others` is how many of the rest are what is asked for.

    One question only can be asked, since for another there may be another number.
    """

    def __init__(self, members: Iterable[str], others: Int) -> None:
        self.members, self.others = tuple(members), others
        self._asked: list[Bool] | None = None

    def __contains__(self, member: object) -> bool:
        return member in self.members

    def index(self, member: str) -> int:
        """Where a member that is looked at has its place."""
        return self.members.index(member)

    def part(self, keep: Callable[[Any], Any], value: Callable[[Any], Any]) -> Row:
        """The row of `value(x) for x in self if keep(x)`."""
        kept = [_kept(keep, TRUE, member) for member in self.members]
        if self._asked is not None and not all(map(is_same, self._asked, kept)):
            raise LiftError("another question about things that are not looked at")
        self._asked = kept
        lumps = [Lump(there, value(member), ONE) for there, member in zip(kept, self.members, strict=True)]
        return Row([*lumps, Lump(TRUE, Mass(number(0)), self.others)])

    def _refuse(self, *_: object) -> Any:
        raise LiftError("things that are not looked at cannot be gone through")

    __iter__ = __len__ = __getitem__ = __bool__ = _refuse


class Parted(_Refusing):
    """Any number of things, of which only those of one part (as cards of one guild) can be asked for.

    `probe` makes a member that notes the part it is compared with; `lump` says what there is of a part.
    """

    __slots__ = ("lump", "probe")

    def __init__(self, probe: Callable[[Probe], Any], lump: Callable[[Any], Lump]) -> None:
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


def _kept(keep: Callable[[Any], Any], there: Bool, member: Any) -> Bool:
    """That a member is there and is kept."""
    return both(there, truth_of(summary(lambda: bool(keep(member)), there)))


def _worth(lump: Lump) -> Int:
    value, worth = lump.value, lump.worth
    if isinstance(value, Mass):
        return value.term
    if isinstance(value, int | SymInt) and is_same(lump.n, ONE):
        return number(value) if isinstance(value, int) else value.term
    if isinstance(value, SymInt) and worth is not None and is_same(value.term, worth.each):
        return worth.together
    raise LiftError(f"a sum of {type(value).__name__}")


def _drawn(source: Any, keep: Callable[[Any], Any], value: Callable[[Any], Any]) -> Any:
    """A list of `value(x) for x in source if keep(x)`, or what stands for it."""
    if isinstance(source, Parted | Heaps | Kinds | Among):
        return source.part(keep, value)
    if isinstance(source, Row):
        members: Iterator[Lump] = iter(source.lumps)
    else:
        members = (Lump(TRUE, member, ONE) for member in source)
    lumps: list[Lump] = []
    for lump in members:
        kept = _kept(keep, lump.there, lump.value)
        if not is_same(kept, FALSE):
            lumps.append(lump._replace(there=kept, value=value(lump.value)))
    if not isinstance(source, Row) and all(is_literal(lump.there) for lump in lumps):
        return [lump.value for lump in lumps]
    return Row(lumps)


def _sum(values: Any, start: Any = 0) -> Any:
    return values.sum if isinstance(values, Row) else builtins.sum(values, start)


def _counted(things: Any = ()) -> Any:
    return Kinds(things) if isinstance(things, Heaps) else Counter(things)


def _zip(*sources: Any, strict: bool = False) -> Any:
    """Pairs of rows of the same members; of anything else what `zip` gives."""
    if not any(isinstance(source, Row) for source in sources):
        return builtins.zip(*sources, strict=strict)
    lumps = []
    for parts in builtins.zip(*(source.lumps for source in sources), strict=True):
        if not all(is_same(part.there, parts[0].there) and is_same(part.n, ONE) for part in parts):
            raise LiftError("rows of different members cannot go in pairs")
        lumps.append(Lump(parts[0].there, tuple(part.value for part in parts), ONE))
    return Row(lumps)


def _asked(ask: Callable[..., Any], source: Any, keep: Callable[[Any], Any], test: Callable[[Any], Any]) -> Any:
    """`any` or `all`: of a row each lump is asked once, and its answer counts where there is any of it."""
    if not isinstance(source, Row):
        return ask(source, keep, test)
    answers = [(lump.any, truth_of(ask([lump.value], keep, test))) for lump in source.lumps]
    if ask is _any:
        return SymBool(some(both(there, answer) for there, answer in answers))
    return SymBool(every(when(there, answer) for there, answer in answers))


def _added(source: Any, keep: Callable[[Any], Any], value: Callable[[Any], Any]) -> Any:
    return source.part(keep, value).sum if isinstance(source, Heaps | Parted) else _sum_of(source, keep, value)


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
    """Modules loaded from `rewritten` trees, now able to draw rows, to add them up and to ask about them."""
    hooks: dict[str, Any] = {"__drawn__": _drawn, "sum": _sum, "zip": _zip}
    hooks |= {"__any__": partial(_asked, _any), "__all__": partial(_asked, _all), "__sum__": _added}
    for module in code.values():
        module.__dict__["__builtins__"].update(hooks)
        if "Counter" in module.__dict__:
            module.__dict__["Counter"] = _counted
    return code
