"""z3 and, as second opinion, cvc5: questions with a budget, honest answers.

Budgets are solver steps, not time, so that an answer is the same on every machine. Only the answer
`unsat` proves anything.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import z3
from msgspec import Struct

from oracle.proof.terms import (
    Bool,
    Int,
    every,
    no,
    safe,
    same,
    truth,
    when,
)

Said = Literal["unsat", "sat", "unknown"]

RLIMIT = 20_000_000
"""Solver steps that one question may take by default."""


class Answer(Struct, frozen=True):
    """What a solver said: steps and seconds it took, the model where `sat` if it is of use, why where `unknown`."""

    said: Said
    steps: int = 0
    seconds: float = 0.0
    model: Any = None
    why: str = ""
    core: tuple[str, ...] = ()


def ask(facts: Iterable[Bool], rlimit: int = RLIMIT) -> Answer:
    """Whether the facts can hold together."""
    return _checked(_solver(facts, rlimit), model=True)


class Question:
    """Whether a goal follows from facts and laws: one solver, which keeps what it has learned between its answers."""

    def __init__(
        self, facts: Iterable[Bool], laws: Mapping[str, Sequence[Bool]], goal: Bool, rlimit: int = RLIMIT
    ) -> None:
        self._solver = _solver(facts, rlimit)
        self._solver.set("core.minimize", True)
        self._rules = {f"rule!{name}": name for name in map(safe, laws)}
        self._flags = [truth(flag) for flag in self._rules]
        self._denied = truth("denied!")
        said = (when(flag, every(law)) for flag, law in zip(self._flags, laws.values(), strict=True))
        self._solver.add(every((*said, when(self._denied, no(goal)))))

    def fails(self) -> Answer:
        """Whether the goal can fail; where it cannot, `core` is a minimal set of names of the laws that it needs."""
        answer = _checked(self._solver, self._denied, *self._flags, model=True)
        if answer.said != "unsat":
            return answer
        needed = {str(flag) for flag in self._solver.unsat_core()}
        core = tuple(sorted(rule for flag, rule in self._rules.items() if flag in needed))
        return Answer("unsat", answer.steps, answer.seconds, core=core)

    def possible(self, cases: Iterable[Bool] = ()) -> Answer:
        """Whether facts and laws can hold, and in each case too: the first answer that is not `sat`, or the last."""
        answer = _checked(self._solver, *self._flags)
        for i, case in enumerate(cases):
            if answer.said != "sat":
                break
            here = truth(f"case!{i}")
            self._solver.add(when(here, case))
            answer = _checked(self._solver, here, *self._flags)
        return answer


def smallest(facts: Sequence[Bool], sizes: Sequence[Int], rlimit: int = RLIMIT) -> Answer:
    """A model in which the sizes, none of them negative, are as small as can be, the first one first.

    Models start out with huge numbers, and going down one by one takes forever.
    """
    solver = _solver(facts, rlimit)
    answer = _checked(solver, model=True)
    for size in sizes:
        if answer.said != "sat":
            return answer
        low, best, at = 0, answer.model.eval(size, True).as_long(), 0
        while low < best:
            # Most are small in the end: from below by doubling, then by halving what is left.
            middle, at = min(at, (low + best) // 2), 2 * at + 1
            solver.push()
            solver.add(size <= middle)
            smaller = _checked(solver, model=True)
            solver.pop()
            if smaller.said == "sat":
                answer, best = smaller, smaller.model.eval(size, True).as_long()
            elif smaller.said == "unsat":
                low = middle + 1
            else:
                return smaller
        solver.add(same(size, best))
    return answer


def _solver(facts: Iterable[Bool], rlimit: int) -> z3.Solver:
    solver = z3.Solver()
    solver.set("rlimit", rlimit)
    # As one fact: z3's wrapper takes its time over each.
    solver.add(every(facts))
    return solver


def _checked(solver: z3.Solver, *assumptions: Bool, model: bool = False) -> Answer:
    before, began = _steps(), time.perf_counter()
    said = solver.check(*assumptions)
    seconds = time.perf_counter() - began
    steps = _steps() - before
    if said == z3.unsat:
        return Answer("unsat", steps, seconds)
    if said == z3.sat:
        return Answer("sat", steps, seconds, solver.model() if model else None)
    return Answer("unknown", steps, seconds, why=solver.reason_unknown())


def _steps() -> int:
    """The steps that z3 has taken in this process so far."""
    _IDLE.check()
    return int(_IDLE.statistics().get_key_value("rlimit count"))


_IDLE = z3.Solver()


def export(facts: Iterable[Bool]) -> str:
    """The question as SMT-LIB text, for any solver."""
    solver = z3.Solver()
    solver.add(every(facts))
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
