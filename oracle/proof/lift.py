"""Runs shipped Python on symbolic values and gives terms: what is proved is the code that ships.

A symbolic truth value that is asked for its `bool` makes the code run once for each answer; each run
is a path with its condition. Functions that return a truth value, a number, or a truth value and the text
that gives its reason are summarised: their paths become one, so that paths add up instead of multiplying.

The code is loaded anew from its source, with differences that change no meaning on plain values:
`len`, `sorted`, `max` and `min` understand symbolic values; `any`, `all` and `sum` over one loop treat
the members of a symbolic bag as one term each, and `set` and `tuple` of such a bag are bags; an
f-string is not written, but a text that nobody can look at; modules of plain operations (such as
`oracle.zones`) give way to stand-ins that do the same on symbolic values and are tested against them.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce, wraps
from importlib.util import decode_source, find_spec
from types import ModuleType, SimpleNamespace
from typing import Any

from msgspec import Struct

from oracle.proof.paths import RUNS, LiftError, Path, paths
from oracle.proof.symbols import Slots, SymBag, SymBool, SymInt, SymText, joined, term_of, truth_of
from oracle.proof.terms import (
    FALSE,
    TRUE,
    ZERO,
    Bool,
    boolean,
    both,
    every,
    is_literal,
    is_same,
    no,
    pick,
    some,
    total,
)

_RAISES: list[tuple[Bool, Exception]] = []


def summary(code: Callable[[], Any], given: Bool = TRUE) -> Any:
    """All paths of the code as one value. `given` is what holds besides wherever it is run."""
    done: list[Path] = []
    for path in paths(code, given):
        if path.raised is None:
            done.append(path)
        else:
            outer = [both(run.given, run.condition) for run in RUNS]
            _RAISES.append((every([*outer, given, path.condition]), path.raised))
    if not done:
        raise _RAISES.pop()[1]
    *others, last = done
    value = last.value
    for path in others:
        value = joined(path.condition, path.value, value)
    return value


def summarised(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with its paths joined where it is lifted."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return summary(lambda: function(*args, **kwargs)) if RUNS else function(*args, **kwargs)

    return call


class Lifted(Struct, frozen=True):
    """What code gives: its paths, and the condition under which it raises (with the first such error)."""

    paths: tuple[Path, ...]
    raises: Bool
    error: Exception | None = None

    @property
    def term(self) -> Any:
        """The one term of code that gives a truth value or a number. Raises `LiftError` for other code."""
        *others, last = self.paths
        value = last.value
        for path in others:
            value = joined(path.condition, path.value, value)
        return boolean(value) if isinstance(value, bool) else term_of(value)

    def always(self, goal: Callable[[Any], Bool]) -> Bool:
        """Nothing is raised, and the goal holds of the value of every path."""
        return every([no(self.raises), *(some([no(path.condition), goal(path.value)]) for path in self.paths)])


def lift(code: Callable[[], Any]) -> Lifted:
    """All that the code does. Raises `LiftError` for what cannot be lifted."""
    if RUNS:
        raise LiftError("lifting inside lifted code")
    _RAISES.clear()
    try:
        done = tuple(paths(code))
    finally:
        raises = list(_RAISES)
        _RAISES.clear()
    raises += [(path.condition, path.raised) for path in done if path.raised is not None]
    good = tuple(path for path in done if path.raised is None)
    if not good:
        raise LiftError(f"the code always raises: {raises[0][1]!r}") from raises[0][1]
    return Lifted(good, some(condition for condition, _ in raises), raises[0][1] if raises else None)


# -- loading -------------------------------------------------------------------------------------


def _len(value: Any) -> Any:
    return value.size if isinstance(value, SymBag) else len(value)


def _sorted(value: Any, **how: Any) -> Any:
    return value if isinstance(value, SymBag) and not how else sorted(value, **how)


def _max(*values: Any, **how: Any) -> Any:
    return _extreme(max, lambda a, b: a >= b, values, how)


def _min(*values: Any, **how: Any) -> Any:
    return _extreme(min, lambda a, b: a <= b, values, how)


def _extreme(real: Callable[..., Any], wins: Callable[[Any, Any], Any], values: tuple[Any, ...], how: Any) -> Any:
    if len(values) == 1:
        values = tuple(values[0])
    if how or not any(isinstance(value, SymInt) for value in values):
        return real(values, **how)
    return reduce(lambda a, b: joined(truth_of(wins(a, b)), a, b), values)


def _members(source: Any) -> Iterator[tuple[Bool, Any]]:
    """The members a loop may meet, each with the condition that it does."""
    if isinstance(source, SymBag):
        yield from ((n > 0, name) for name, n in source.counts.items())
    elif isinstance(source, Slots):
        for i, taken in enumerate(source.taken):
            yield taken, source.make(i)
            yield no(taken), None
    else:
        yield from ((TRUE, member) for member in source)


def _any(source: Any, keep: Callable[[Any], Any], test: Callable[[Any], Any]) -> Any:
    found: list[Bool] = []
    for there, member in _members(source):
        if is_same(there, FALSE):
            continue
        given = every([there, *map(no, found)])
        holds = truth_of(summary(lambda member=member: bool(keep(member) and test(member)), given))  # type: ignore[misc]
        found.append(both(there, holds))
        if is_same(found[-1], TRUE):
            break
    result = some(found)
    return is_same(result, TRUE) if is_literal(result) else SymBool(result)


def _all(source: Any, keep: Callable[[Any], Any], test: Callable[[Any], Any]) -> Any:
    broken = _any(source, keep, lambda member: not test(member))
    return not broken if isinstance(broken, bool) else SymBool(no(broken.term))


def _sum(source: Any, keep: Callable[[Any], Any], value: Callable[[Any], Any]) -> Any:
    if isinstance(source, SymBag):
        raise LiftError("a sum over a bag: its members may be there several times")
    parts: list[Any] = []
    for there, member in _members(source):
        part = summary(lambda member=member: value(member) if keep(member) else 0, there)  # type: ignore[misc]
        if not isinstance(part, (int, SymInt, SymBool)):
            raise LiftError(f"a sum of {type(part).__name__}")
        parts.append(part if there is TRUE else SymInt(pick(there, term_of(SymInt(total([0])) + part), 0)))
    if all(isinstance(part, int) for part in parts):
        return sum(parts)
    return SymInt(total(term_of(part + SymInt(ZERO)) for part in parts))


def _set(value: Any) -> Any:
    return _set_of(value, lambda _: True)


def _set_of(source: Any, keep: Callable[[Any], Any]) -> Any:
    """A set of a bag's members is a bag that has each of them once."""
    if not isinstance(source, SymBag):
        return {member for member in source if keep(member)}
    once = {name: pick(n > 0, 1, 0) for name, n in source.counts.items()}
    return SymBag(once).only(lambda name: summary(lambda: bool(keep(name))))


def _tuple(value: Any) -> Any:
    return value if isinstance(value, SymBag) else tuple(value)


SUMMARISED = ("bool", "int", "tuple[bool, str]")
"""What functions return whose paths are joined."""


class _Rewrite(ast.NodeTransformer):
    """Writes `any(test for x in source if keep)` as a call with the parts, and marks what is summarised."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        loop = node.args[0] if len(node.args) == 1 and not node.keywords else None
        if not isinstance(node.func, ast.Name):
            return node
        if node.func.id in ("set", "tuple") and loop is not None:
            return ast.Call(ast.Name(f"__{node.func.id}__", ast.Load()), node.args, [])
        if node.func.id not in ("any", "all", "sum"):
            return node
        if not isinstance(loop, ast.GeneratorExp) or len(loop.generators) != 1:
            return node
        part = loop.generators[0]
        if not _names(part.target) or part.is_async:
            return node
        keep = _together(part.ifs)
        name = ast.Name(f"__{node.func.id}__", ast.Load())
        return ast.Call(name, [part.iter, _function(part.target, keep), _function(part.target, loop.elt)], [])

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        self.generic_visit(node)
        part = node.generators[0]
        if len(node.generators) > 1 or not isinstance(part.target, ast.Name) or part.is_async:
            return node
        if not isinstance(node.elt, ast.Name) or node.elt.id != part.target.id:
            return node
        keep = _function(part.target, _together(part.ifs))
        return ast.Call(ast.Name("__set_of__", ast.Load()), [part.iter, keep], [])

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return ast.Name("__text__", ast.Load())

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        if node.returns is not None and ast.unparse(node.returns) in SUMMARISED:
            node.decorator_list.append(ast.Name("__summarised__", ast.Load()))
        return node


def _together(tests: list[ast.expr]) -> ast.expr:
    return ast.BoolOp(ast.And(), tests) if len(tests) > 1 else tests[0] if tests else ast.Constant(True)


def _names(target: ast.expr) -> list[str]:
    """The names that a loop binds; none where it binds anything but plain names."""
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    return names if len(names) == len(parts) else []


def _function(target: ast.expr, body: ast.expr) -> ast.Lambda:
    """The body as a function of what the loop binds."""
    function = _lambda(_names(target), body)
    if not isinstance(target, ast.Tuple):
        return function
    member = ast.Starred(ast.Name("__member__", ast.Load()), ast.Load())
    return _lambda(["__member__"], ast.Call(function, [member], []))


def _lambda(arguments: list[str], body: ast.expr) -> ast.Lambda:
    return ast.Lambda(ast.arguments([], [ast.arg(name) for name in arguments], None, [], [], None, []), body)


class Modules(Mapping[str, ModuleType]):
    """Modules loaded for lifting, by name; `code` gives one by the last part of its name."""

    def __init__(self, modules: Mapping[str, ModuleType]) -> None:
        self._modules = dict(modules)
        self.code = SimpleNamespace(**{name.rpartition(".")[2]: module for name, module in modules.items()})

    def __getitem__(self, name: str) -> ModuleType:
        return self._modules[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


def source_of(name: str) -> str:
    """The source text of a module. Raises `LiftError` if there is none."""
    spec = find_spec(name)
    # Not by the loader: one that rewrites modules, as pytest's does, has no source to give.
    if spec is None or not spec.has_location or spec.origin is None:
        raise LiftError(f"{name} has no source")
    try:
        with open(spec.origin, "rb") as file:
            return decode_source(file.read())
    except OSError as error:
        raise LiftError(f"{name} has no source: {error.strerror}") from None


def load(
    names: Iterable[str],
    stand_ins: Mapping[str, ModuleType] | None = None,
    edits: Mapping[str, ast.Module] | None = None,
    plain: bool = False,
) -> Modules:
    """The modules, each loaded anew so that it can be lifted; they import one another and the stand-ins.

    List a module after those that it imports. `edits` gives another syntax tree for a module, as mutants
    need; with `plain` the modules are loaded as they are, for plain values only.
    """
    loaded: dict[str, ModuleType] = dict(stand_ins or {})

    def import_(name: str, *args: Any) -> Any:
        fromlist = args[2] if len(args) > 2 else ()
        return loaded[name] if fromlist and name in loaded else builtins.__import__(name, *args)

    hooks: dict[str, Any] = {"__import__": import_}
    if not plain:
        hooks |= {"len": _len, "sorted": _sorted, "max": _max, "min": _min}
        hooks |= {"__any__": _any, "__all__": _all, "__sum__": _sum}
        hooks |= {"__set__": _set, "__set_of__": _set_of, "__tuple__": _tuple}
        hooks |= {"__summarised__": summarised, "__text__": SymText()}
    for name in names:
        tree = (edits or {}).get(name) or ast.parse(source_of(name))
        if not plain:
            tree = ast.fix_missing_locations(_Rewrite().visit(ast.parse(ast.unparse(tree))))
        module = ModuleType(name)
        module.__dict__["__builtins__"] = {**vars(builtins), **hooks}
        exec(compile(tree, f"<{name}, to be lifted>", "exec", dont_inherit=True), module.__dict__)
        loaded[name] = module
    return Modules({name: module for name, module in loaded.items() if name not in (stand_ins or {})})
