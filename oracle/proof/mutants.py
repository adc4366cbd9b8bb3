"""Mutants: a clause of the theory or of the shipped guard said wrongly must be noticed.

Mutants of the theory are all built in at once, each behind a switch, and chosen by assumption. Mutants
of Python are changes of its syntax tree; first the cases, then the claims are to notice them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from itertools import islice
from typing import Any

import z3
from msgspec import Struct

from oracle.game import Game
from oracle.proof.claims import Claim
from oracle.proof.laws import Laws
from oracle.proof.lift import source_of
from oracle.proof.readings import RULE, failing
from oracle.proof.smt import RLIMIT
from oracle.proof.terms import FALSE, TRUE, Bool, every, is_same, no, pick, truth


class Mutant(Struct, frozen=True):
    """One mutant and what notices it: ids of claims or cases; none: it survives."""

    name: str
    killed_by: tuple[str, ...] = ()


# -- of the theory ---------------------------------------------------------------------------------


class Switched(Laws):
    """Laws in which every clause may be said wrongly, each way behind a switch of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.switches: dict[str, Bool] = {}

    def altered(self, rule: str, says: Any) -> Any:
        out = says
        for how, wrong in _wrong(says).items():
            if not is_same(wrong, says):
                name = f"{rule}/{how}"
                switch = self.switches.setdefault(name, truth(f"switch!{name}"))
                out = pick(switch, wrong, out)
        return out


def _wrong(says: Any) -> dict[str, Any]:
    """A clause said wrongly: dropped, denied, and off by one in its first comparison."""
    if not z3.is_bool(says):
        return {"one more": says + 1}
    off = _off_by_one(says)
    return {"dropped": TRUE, "denied": FALSE, **({"off by one": off} if off is not None else {})}


_COMPARISONS = (z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT, z3.Z3_OP_EQ)


def _off_by_one(term: Any) -> Any:
    if term.decl().kind() in _COMPARISONS and term.arg(0).sort() == z3.IntSort():
        return term.decl()(term.arg(0), term.arg(1) + 1)
    if z3.is_and(term) or z3.is_or(term) or z3.is_not(term):
        for i in range(term.num_args()):
            changed = _off_by_one(term.arg(i))
            if changed is not None:
                parts = [changed if j == i else term.arg(j) for j in range(term.num_args())]
                return no(parts[0]) if z3.is_not(term) else term.decl()(*parts)
    return None


def of_theory(game: Game[Any], rlimit: int = RLIMIT) -> list[Mutant]:
    """Every mutant of a clause that some claim's proof rests on, with the claims that notice it."""
    room = game.room("claims")
    laws = Switched()
    killed: dict[str, list[str]] = {}
    claims = list(room.claims(room.modules(), laws))
    for claim in claims:
        for name in _noticed(claim, laws, rlimit):
            killed.setdefault(name, []).append(claim.id)
    return [Mutant(name, tuple(killed.get(name, ()))) for name in laws.switches]


def _noticed(claim: Claim, laws: Switched, rlimit: int) -> set[str]:
    """The mutants that this claim's proof notices."""
    off = {str(switch): name for name, switch in laws.switches.items()}
    found: set[str] = set()
    for part in claim.parts:
        solver = z3.Solver()
        solver.set("rlimit", rlimit)
        used = laws.used([part.premise, part.goal])
        solver.add(every(claim.domain), part.premise, no(part.goal), every(f for fs in used.values() for f in fs))
        here = {name: s for name, s in laws.switches.items() if name.partition("/")[0] in used}
        if solver.check(*(no(switch) for switch in here.values())) != z3.unsat:
            continue
        needed = {off[str(literal.arg(0))] for literal in solver.unsat_core()}
        for name in sorted(needed - found):
            if solver.check(*(s if other == name else no(s) for other, s in here.items())) == z3.sat:
                found.add(name)
    return found


# -- of the code -----------------------------------------------------------------------------------

_SWAPS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


class PythonMutant(Struct, frozen=True):
    """One change of a module's syntax tree."""

    name: str
    tree: ast.Module


def of_source(module: str) -> Iterator[PythonMutant]:
    """Every small change of the module's functions, texts left alone."""
    tree = ast.parse(source_of(module))
    for at, (node, describe, _) in enumerate(_changes(tree)):
        copy = deepcopy(tree)
        list(_changes(copy))[at][2]()
        yield PythonMutant(f"line {getattr(node, 'lineno', 0)}: {describe}", ast.fix_missing_locations(copy))


Change = tuple[ast.AST, str, Callable[[], None]]


def _changes(tree: ast.Module) -> Iterator[Change]:
    told = _called(tree, inside_text=True) - _called(tree, inside_text=False)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name not in told]
    for function in functions:
        for node in _code(function):
            yield from _of_node(node)


def _called(tree: ast.Module, inside_text: bool) -> set[str]:
    """The functions named inside texts, or outside of them."""
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    inside = {id(part) for text in texts for part in ast.walk(text)}
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return {node.id for node in names if (id(node) in inside) == inside_text}


def _code(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """All parts of a function but its signature, its texts, and `strict=`, which only watches over the code itself."""
    returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    if returned and all(value and _is_text(value) for value in returned):
        return
    todo: list[ast.AST] = list(function.body[1:] if ast.get_docstring(function) else function.body)
    while todo:
        node = todo.pop(0)
        if _is_text(node) or (isinstance(node, ast.keyword) and node.arg == "strict"):
            continue
        yield node
        todo += list(ast.iter_child_nodes(node))


def _is_text(node: ast.AST) -> bool:
    """Whether the expression is a text for readers: one with blanks in it, not the name of something."""
    match node:
        case ast.JoinedStr():
            return True
        case ast.Constant(value=str(text)):
            return " " in text
        case ast.IfExp(body=one, orelse=other):
            return _is_text(one) and _is_text(other)
        case ast.BoolOp(values=[first, *_]):
            return _is_text(first)
        case ast.Call(func=ast.Attribute(value=joint, attr="join")):
            return _is_text(joint)
    return False


def _of_node(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Compare):
        old = node.ops[0]
        new = _SWAPS.get(type(old))
        if new:
            yield node, f"{type(old).__name__} to {new.__name__}", lambda: node.ops.__setitem__(0, new())
    elif isinstance(node, ast.BoolOp):
        other = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield node, f"{type(node.op).__name__} to {other.__name__}", lambda: setattr(node, "op", other())
        for i in range(len(node.values)):
            yield node, f"part {i + 1} dropped", lambda i=i: _drop(node, i)  # type: ignore[misc]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node, "not dropped", lambda: _unwrap(node)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield node, f"{node.value} to {not node.value}", lambda: setattr(node, "value", not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield node, f"{node.value} to {node.value + 1}", lambda: setattr(node, "value", int(node.value) + 1)  # type: ignore[arg-type]
    elif isinstance(node, ast.If):
        yield node, "condition made false", lambda: setattr(node, "test", ast.Constant(False))


def _drop(node: ast.BoolOp, i: int) -> None:
    """Without one of its parts; where only one is left it stands there twice, since it cannot stand alone."""
    del node.values[i]
    if len(node.values) == 1:
        node.values.append(node.values[0])


def _unwrap(node: ast.UnaryOp) -> None:
    """`not x` becomes `bool(x)`: twice not."""
    node.operand = ast.UnaryOp(ast.Not(), node.operand)


def of_guard(game: Game[Any], cases: Sequence[Any], every_: int = 1) -> list[Mutant]:
    """Every `every_`-th mutant of the shipped guard, with the first case or claim that notices it."""
    room = game.room("readings")
    out = []
    for i, (module, mutant) in enumerate((name, made) for name in room.GUARDS for made in of_source(name)):
        if i % every_ == 0:
            noticed = islice(_noticing(game, room, module, mutant, cases), 1)
            out.append(Mutant(f"{module.rpartition('.')[2]}, {mutant.name}", tuple(noticed)))
    return out


def _noticing(game: Game[Any], room: Any, module: str, mutant: PythonMutant, cases: Iterable[Any]) -> Iterator[str]:
    edits = {module: mutant.tree}
    try:
        variant = room.variant(RULE, edits)
    except Exception as error:
        yield f"does not load: {error}"
        return
    yield from failing(variant, cases)
    yield from by_claims(game, module, mutant)


def by_claims(game: Game[Any], module: str, mutant: PythonMutant) -> Iterator[str]:
    """The claims about guards that do not hold of the mutant."""
    from oracle.proof.paths import LiftError
    from oracle.proof.smt import ask

    laws, room = Laws(), game.room("claims")
    try:
        code = room.modules(edits={module: mutant.tree})
        for claim in room.guards(code, laws):
            for part in claim.parts:
                used = laws.used([part.premise, part.goal])
                given = [*claim.domain, part.premise, *(f for fs in used.values() for f in fs)]
                if ask([*given, no(part.goal)]).said == "sat":
                    yield claim.id
                    break
    except (LiftError, Exception) as error:
        yield f"cannot be lifted: {error}"


def table(mutants: Sequence[Mutant]) -> str:
    """The mutants for a terminal: how many are noticed, by what, and each that is not."""
    noticed = [mutant for mutant in mutants if mutant.killed_by]
    by: dict[str, int] = {}
    for mutant in noticed:
        by[mutant.killed_by[0]] = by.get(mutant.killed_by[0], 0) + 1
    lines = [f"{n:5}  {name}" for name, n in sorted(by.items(), key=lambda entry: (-entry[1], entry[0]))]
    lines += [f"alive  {mutant.name}" for mutant in mutants if not mutant.killed_by]
    return "\n".join([*lines, f"{len(noticed)} of {len(mutants)} mutants noticed"])
