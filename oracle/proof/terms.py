"""Terms, built by z3 directly: lifting makes hundreds of thousands of them.

z3's own builders in Python check and convert every argument anew, which takes most of the time of a proof;
those below leave the checking of sorts to z3 itself. They never make a node of no or one argument, which
z3 prints in a way that other solvers refuse, nor one whose value is already known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from ctypes import CFUNCTYPE, c_uint, c_void_p, cast
from functools import cache, lru_cache, reduce
from typing import Any, TypeAlias

import z3

Bool: TypeAlias = z3.BoolRef
Int: TypeAlias = z3.ArithRef
Term: TypeAlias = z3.ExprRef


def _z3(name: str, *arguments: Any, gives: Any = z3.Ast) -> Any:
    """A function of z3's library that takes plain pointers, by the address of the one that z3 wraps."""
    wrapped = getattr(z3, name).__defaults__[0].f
    return CFUNCTYPE(gives, c_void_p, *arguments)(cast(wrapped, c_void_p).value or 0)


_CTX = z3.main_ctx()
_CONTEXT = _CTX.ref()
_inc_ref, _dec_ref = _z3("Z3_inc_ref", c_void_p, gives=None), _z3("Z3_dec_ref", c_void_p, gives=None)
_and, _or, _add = (_z3(f"Z3_mk_{name}", c_uint, c_void_p) for name in ("and", "or", "add"))
_sub = _z3("Z3_mk_sub", c_uint, c_void_p)
_eq, _le, _lt, _ge, _gt = (_z3(f"Z3_mk_{name}", c_void_p, c_void_p) for name in ("eq", "le", "lt", "ge", "gt"))
_not, _ite = _z3("Z3_mk_not", c_void_p), _z3("Z3_mk_ite", c_void_p, c_void_p, c_void_p)
_simplify = _z3("Z3_simplify", c_void_p)
_decl, _kind = _z3("Z3_get_app_decl", c_void_p, gives=c_void_p), _z3("Z3_get_decl_kind", c_void_p, gives=c_uint)
_argument, _part = (_z3("Z3_get_app_arg", c_void_p, c_uint, gives=gives) for gives in (z3.Ast, c_void_p))
_parts, _is_app = (_z3(f"Z3_{name}", c_void_p, gives=c_uint) for name in ("get_app_num_args", "is_app"))
_id = _z3("Z3_get_ast_id", c_void_p, gives=c_uint)


class _Held:
    """A term that z3 keeps while this value lives."""

    ast: Any = None
    ctx: Any = _CTX

    def __init__(self, ast: z3.Ast, inc_ref: Any = _inc_ref) -> None:
        if ast.value is None:
            raise TypeError("z3 makes no term of these parts: they are of sorts that do not go together")
        inc_ref(_CONTEXT, ast)
        self.ast = ast

    def __del__(self, dec_ref: Any = _dec_ref, context: Any = _CONTEXT) -> None:
        # At the end of the process z3 may be gone before its terms.
        if self.ast is not None and self.ctx.ctx is not None:
            dec_ref(context, self.ast)
            self.ast = None


class Truth(_Held, z3.BoolRef):  # type: ignore[misc]
    """A truth value."""


class Number(_Held, z3.ArithRef):  # type: ignore[misc]
    """A whole number."""

    def __add__(self, other: Any) -> Number:
        return Number(_of_many(_add, (self, number(other))))

    def __radd__(self, other: Any) -> Number:
        return Number(_of_many(_add, (number(other), self)))

    def __sub__(self, other: Any) -> Number:
        return Number(_of_many(_sub, (self, number(other))))

    def __rsub__(self, other: Any) -> Number:
        return Number(_of_many(_sub, (number(other), self)))

    def __le__(self, other: Any) -> Truth:
        return Truth(_le(_CONTEXT, self.ast, number(other).ast))

    def __lt__(self, other: Any) -> Truth:
        return Truth(_lt(_CONTEXT, self.ast, number(other).ast))

    def __ge__(self, other: Any) -> Truth:
        return Truth(_ge(_CONTEXT, self.ast, number(other).ast))

    def __gt__(self, other: Any) -> Truth:
        return Truth(_gt(_CONTEXT, self.ast, number(other).ast))


class Numeral(Number, z3.IntNumRef):  # type: ignore[misc]
    """A number that is known."""


def _of_many(make: Any, terms: Sequence[Term]) -> z3.Ast:
    return make(_CONTEXT, len(terms), (z3.Ast * len(terms))(*[term.ast for term in terms]))


TRUE, FALSE = z3.BoolVal(True), z3.BoolVal(False)


@cache
def _known(value: int) -> Numeral:
    return Numeral(z3.IntVal(value).ast)


ZERO = _known(0)


def is_same(left: Term, right: Term) -> bool:
    """Whether the two are one and the same term, which z3 keeps only once."""
    return bool(left.ast.value == right.ast.value)


def is_literal(term: Bool) -> bool:
    """Whether the truth value is already known."""
    return term.ast.value in _LITERAL


_LITERAL = {TRUE.ast.value, FALSE.ast.value}


def key_of(term: Term) -> int:
    """What tells a term from all others, as long as it is kept."""
    key: int = _id(_CONTEXT, term.ast)
    return key


def simplified(term: Bool) -> Bool:
    """The truth value, simplified as far as that is cheap."""
    return term if is_literal(term) else Truth(_simplify(_CONTEXT, term.ast))


def unknowns(term: Term) -> frozenset[int]:
    """What the term speaks of: a key for each unknown and each unknown function in it."""
    made_of, seen, todo = set[int](), set[int](), [term.ast.value]
    while todo:
        ast = todo.pop()
        if ast in seen:
            continue
        seen.add(ast)
        if _is_app(_CONTEXT, ast):
            made_of.add(_decl(_CONTEXT, ast))
            todo += [_part(_CONTEXT, ast, i) for i in range(_parts(_CONTEXT, ast))]
        else:
            raise TypeError("a term with variables of its own")
    return frozenset(decl for decl in made_of if _kind(_CONTEXT, decl) == z3.Z3_OP_UNINTERPRETED)


def boolean(value: Any) -> Bool:
    """A truth value as a term."""
    return (TRUE if value else FALSE) if isinstance(value, bool) else value


def number(value: Any) -> Int:
    """A whole number as a term."""
    return _known(int(value)) if isinstance(value, int) else value


def both(*terms: Any) -> Bool:
    """All of the terms hold."""
    return every(terms)


def either(*terms: Any) -> Bool:
    """At least one of the terms holds."""
    return some(terms)


def every(terms: Iterable[Any]) -> Bool:
    """All of the terms hold; true of none."""
    return _joined(_and, terms, TRUE, FALSE)


def some(terms: Iterable[Any]) -> Bool:
    """At least one of the terms holds; false of none."""
    return _joined(_or, terms, FALSE, TRUE)


def _joined(make: Any, terms: Iterable[Any], nothing: Bool, all_of_it: Bool) -> Bool:
    idle, decided = nothing.ast.value, all_of_it.ast.value
    kept = []
    for term in terms:
        term = boolean(term)
        at = term.ast.value
        if at == decided:
            return all_of_it
        if at != idle:
            kept.append(term)
    return nothing if not kept else kept[0] if len(kept) == 1 else Truth(_of_many(make, kept))


def no(term: Any) -> Bool:
    """The term does not hold."""
    term = boolean(term)
    if is_literal(term):
        return FALSE if is_same(term, TRUE) else TRUE
    if _kind(_CONTEXT, _decl(_CONTEXT, term.ast)) == z3.Z3_OP_NOT:
        return Truth(_argument(_CONTEXT, term.ast, 0))
    return Truth(_not(_CONTEXT, term.ast))


def when(condition: Any, then: Any) -> Bool:
    """If the condition holds, so does the other term."""
    return either(no(condition), then)


def same(left: Any, right: Any) -> Bool:
    """The two are equal."""
    left, right = (boolean(x) if isinstance(x, bool) else number(x) for x in (left, right))
    return TRUE if is_same(left, right) else Truth(_eq(_CONTEXT, left.ast, right.ast))


def total(terms: Iterable[Any]) -> Int:
    """The sum; 0 of none."""
    kept = [term for term in map(number, terms) if not is_same(term, ZERO)]
    return ZERO if not kept else kept[0] if len(kept) == 1 else Number(_of_many(_add, kept))


def pick(condition: Any, then: Any, otherwise: Any) -> Any:
    """One of two values of the same kind."""
    condition = boolean(condition)
    if is_literal(condition):
        return then if is_same(condition, TRUE) else otherwise
    truths = isinstance(then, (bool, z3.BoolRef))
    then, otherwise = (boolean(x) if truths else number(x) for x in (then, otherwise))
    if is_same(then, otherwise):
        return then
    if not truths and not isinstance(then, z3.ArithRef):
        return z3.If(condition, then, otherwise)
    return (Truth if truths else Number)(_ite(_CONTEXT, condition.ast, then.ast, otherwise.ast))


def least(first: Any, *others: Any) -> Int:
    """The smallest of the numbers."""
    return reduce(lambda a, b: pick(number(a) <= number(b), a, b), others, number(first))


def safe(name: str) -> str:
    """A symbol that every solver reads unquoted."""
    return re.sub(r"[^A-Za-z0-9_.!-]", "_", name)


def truth(name: str) -> Bool:
    """An unknown truth value."""
    return Truth(z3.Bool(safe(name)).ast)


@lru_cache(maxsize=100_000)
def count(name: str) -> Int:
    """An unknown whole number."""
    return Number(z3.Int(safe(name)).ast)


@cache
def _function(name: str) -> z3.FuncDeclRef:
    return z3.Function(safe(name), z3.IntSort(), z3.IntSort())


def count_of(name: str, where: Any) -> Int:
    """An unknown whole number for each place."""
    return Number(_function(name)(number(where)).ast)
