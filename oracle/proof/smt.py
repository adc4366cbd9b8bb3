"""z3 and, as second opinion, cvc5: terms that both can read, questions with a budget, honest answers.

The builders below never make a node of no or one argument, which z3 prints in a way that other solvers
refuse. Budgets are solver steps, not time, so that an answer is the same on every machine. Only the
answer `unsat` proves anything.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, Literal, TypeAlias

import z3
from msgspec import Struct

Bool: TypeAlias = z3.BoolRef
Int: TypeAlias = z3.ArithRef
Term: TypeAlias = z3.ExprRef
Said = Literal["unsat", "sat", "unknown"]

_CONTEXT = z3.main_ctx().ref()
TRUE, FALSE, ZERO = z3.BoolVal(True), z3.BoolVal(False), z3.IntVal(0)
RLIMIT = 20_000_000
"""Solver steps that one question may take by default."""


def boolean(value: Any) -> Bool:
    """A truth value as a term."""
    return (TRUE if value else FALSE) if isinstance(value, bool) else value


def number(value: Any) -> Int:
    """A whole number as a term."""
    return z3.IntVal(value) if isinstance(value, int) else value


def both(*terms: Any) -> Bool:
    """All of the terms hold."""
    return every(terms)


def either(*terms: Any) -> Bool:
    """At least one of the terms holds."""
    return some(terms)


def _many(make: Callable[..., Any], terms: Sequence[Term]) -> Any:
    """One node of several terms. z3's own builders check every argument anew, which takes most of their time."""
    return make(_CONTEXT, len(terms), (z3.Ast * len(terms))(*(term.ast for term in terms)))


def is_same(left: Term, right: Term) -> bool:
    """Whether the two are one and the same term, which z3 keeps only once."""
    return bool(left.ast.value == right.ast.value)


def is_literal(term: Bool) -> bool:
    """Whether the truth value is already known."""
    return is_same(term, TRUE) or is_same(term, FALSE)


def every(terms: Iterable[Any]) -> Bool:
    """All of the terms hold; true of none."""
    kept = [term for term in map(boolean, terms) if not is_same(term, TRUE)]
    if any(is_same(term, FALSE) for term in kept):
        return FALSE
    return TRUE if not kept else kept[0] if len(kept) == 1 else z3.BoolRef(_many(z3.Z3_mk_and, kept))


def some(terms: Iterable[Any]) -> Bool:
    """At least one of the terms holds; false of none."""
    kept = [term for term in map(boolean, terms) if not is_same(term, FALSE)]
    if any(is_same(term, TRUE) for term in kept):
        return TRUE
    return FALSE if not kept else kept[0] if len(kept) == 1 else z3.BoolRef(_many(z3.Z3_mk_or, kept))


def no(term: Any) -> Bool:
    """The term does not hold."""
    term = boolean(term)
    if is_literal(term):
        return FALSE if is_same(term, TRUE) else TRUE
    return term.arg(0) if z3.is_not(term) else z3.Not(term)


def when(condition: Any, then: Any) -> Bool:
    """If the condition holds, so does the other term."""
    return either(no(condition), then)


def same(left: Any, right: Any) -> Bool:
    """The two are equal."""
    left, right = (boolean(x) if isinstance(x, bool) else number(x) for x in (left, right))
    return TRUE if is_same(left, right) else z3.BoolRef(z3.Z3_mk_eq(_CONTEXT, left.ast, right.ast))


def total(terms: Iterable[Any]) -> Int:
    """The sum; 0 of none."""
    kept = [term for term in map(number, terms) if not is_same(term, ZERO)]
    return ZERO if not kept else kept[0] if len(kept) == 1 else z3.ArithRef(_many(z3.Z3_mk_add, kept))


def pick(condition: Any, then: Any, otherwise: Any) -> Any:
    """One of two values of the same kind."""
    condition = boolean(condition)
    if is_literal(condition):
        return then if is_same(condition, TRUE) else otherwise
    as_term = boolean if isinstance(then, (bool, z3.BoolRef)) else number
    then, otherwise = as_term(then), as_term(otherwise)
    return then if is_same(then, otherwise) else z3.If(condition, then, otherwise)


def least(first: Any, *others: Any) -> Int:
    """The smallest of the numbers."""
    return reduce(lambda a, b: pick(number(a) <= number(b), a, b), others, number(first))


def safe(name: str) -> str:
    """A symbol that every solver reads unquoted."""
    return re.sub(r"[^A-Za-z0-9_.!-]", "_", name)


def truth(name: str) -> Bool:
    """An unknown truth value."""
    return z3.Bool(safe(name))


def count(name: str) -> Int:
    """An unknown whole number."""
    return z3.Int(safe(name))


class Answer(Struct, frozen=True):
    """What a solver said: steps and seconds it took, the model where `sat`, its reason where `unknown`."""

    said: Said
    steps: int = 0
    seconds: float = 0.0
    model: Any = None
    why: str = ""
    core: tuple[str, ...] = ()


def ask(facts: Iterable[Bool], rlimit: int = RLIMIT) -> Answer:
    """Whether the facts can hold together."""
    return _checked(_solver(facts, rlimit))


def ask_tracked(facts: Iterable[Bool], tracked: Mapping[str, Sequence[Bool]], rlimit: int = RLIMIT) -> Answer:
    """The same with further facts in named groups; where `unsat`, `core` is a minimal set of group names."""
    solver = _solver(facts, rlimit)
    solver.set("core.minimize", True)
    flags = {truth(f"rule!{name}"): name for name in tracked}
    for flag, name in flags.items():
        solver.add(when(flag, every(tracked[name])))
    answer = _checked(solver, *flags)
    if answer.said != "unsat":
        return answer
    names = {str(flag): name for flag, name in flags.items()}
    core = tuple(sorted(names[str(flag)] for flag in solver.unsat_core()))
    return Answer("unsat", answer.steps, answer.seconds, core=core)


def ask_each(facts: Iterable[Bool], cases: Iterable[Bool], rlimit: int = RLIMIT) -> Answer:
    """Whether the facts can hold with each of the cases in turn: the first answer that is not `sat`, or the last."""
    solver = _solver(facts, rlimit)
    answer = Answer("unknown", why="no case")
    for case in cases:
        # After a push z3 keeps what it has learned, and does not simplify everything again for each case.
        solver.push()
        solver.add(case)
        answer = _checked(solver)
        solver.pop()
        if answer.said != "sat":
            break
    return answer


def smallest(facts: Sequence[Bool], sizes: Sequence[Int], rlimit: int = RLIMIT) -> Answer:
    """A model in which the sizes, none of them negative, are as small as can be, the first one first.

    By halving: models start out with huge numbers, and going down one by one takes forever.
    """
    answer, fixed = ask(facts, rlimit), list(facts)
    for size in sizes:
        if answer.said != "sat":
            return answer
        low, best = 0, answer.model.eval(size, True).as_long()
        while low < best:
            middle = (low + best) // 2
            smaller = ask([*fixed, size <= middle], rlimit)
            if smaller.said == "sat":
                answer, best = smaller, smaller.model.eval(size, True).as_long()
            elif smaller.said == "unsat":
                low = middle + 1
            else:
                return smaller
        fixed.append(same(size, best))
    return answer


def _solver(facts: Iterable[Bool], rlimit: int) -> z3.Solver:
    solver = z3.Solver()
    solver.set("rlimit", rlimit)
    solver.add(*facts)
    return solver


def _checked(solver: z3.Solver, *assumptions: Bool) -> Answer:
    before, began = _steps(), time.perf_counter()
    said = solver.check(*assumptions)
    seconds = time.perf_counter() - began
    steps = _steps() - before
    if said == z3.unsat:
        return Answer("unsat", steps, seconds)
    if said == z3.sat:
        return Answer("sat", steps, seconds, solver.model())
    return Answer("unknown", steps, seconds, why=solver.reason_unknown())


def _steps() -> int:
    """The steps that z3 has taken in this process so far."""
    _IDLE.check()
    return int(_IDLE.statistics().get_key_value("rlimit count"))


_IDLE = z3.Solver()


def export(facts: Iterable[Bool]) -> str:
    """The question as SMT-LIB text, for any solver."""
    solver = z3.Solver()
    solver.add(*facts)
    return f"(set-logic ALL)\n{solver.to_smt2()}"


SECOND_OPTIONS: tuple[dict[str, str], ...] = ({}, {"decision": "internal"})
"""The settings of the second solver that are tried in turn until one of them knows."""


def has_second() -> bool:
    """Whether cvc5 is installed."""
    from importlib.util import find_spec

    return find_spec("cvc5") is not None


def ask_second(text: str, rlimit: int = 400_000) -> Answer:
    """What cvc5 says to the same question, read from SMT-LIB text. A text that it cannot read raises."""
    began = time.perf_counter()
    said = why = ""
    for options in SECOND_OPTIONS:
        said = _cvc5(text, rlimit, options)
        if said in ("sat", "unsat"):
            break
        said, why = "unknown", said
    return Answer(said, 0, time.perf_counter() - began, why=why if said == "unknown" else "")  # type: ignore[arg-type]


def _cvc5(text: str, rlimit: int, options: Mapping[str, str]) -> str:
    import cvc5

    terms = cvc5.TermManager()
    solver = cvc5.Solver(terms)
    for name, value in {"rlimit-per": str(rlimit), **options}.items():
        solver.setOption(name, value)
    symbols = cvc5.SymbolManager(terms)
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "claim")
    out = []
    while not (command := parser.nextCommand()).isNull():
        out.append(command.invoke(solver, symbols))
    return "".join(out).strip()
