"""The ways through lifted code: each answer that a symbolic truth value can give is followed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from oracle.proof.terms import TRUE, Bool, every, is_literal, is_same, key_of, no, simplified


class LiftError(BaseException):
    """The code does something that cannot be lifted. No `Exception`, so that no rule can swallow it."""


class Path(Struct, frozen=True):
    """One way through the code: under the condition it gives the value, or raises."""

    condition: Bool
    value: Any = None
    raised: Exception | None = None


class _Run:
    """One run of the code: `ahead` are the answers that it is made to take first."""

    def __init__(self, ahead: Sequence[bool], todo: list[list[bool]], given: Bool = TRUE) -> None:
        self.ahead = ahead
        self.todo = todo
        self.given = given
        self.answers: list[bool] = []
        self.terms: list[Bool] = []
        self.known: dict[int, bool] = {}

    @property
    def condition(self) -> Bool:
        return every(t if a else no(t) for t, a in zip(self.terms, self.answers, strict=True))


RUNS: list[_Run] = []
"""The runs under way, one inside the other; none outside lifted code."""


def branch(term: Bool) -> bool:
    """The answer that this run takes to a question; raises `LiftError` where nothing is being lifted."""
    if not RUNS:
        raise LiftError("a symbolic value was asked for its truth outside lifted code")
    term = simplified(term)
    if is_literal(term):
        return is_same(term, TRUE)
    key = key_of(term)
    for outer in RUNS:
        if (known := outer.known.get(key)) is not None:
            return known
    run = RUNS[-1]
    at = len(run.answers)
    answer = run.ahead[at] if at < len(run.ahead) else True
    if at >= len(run.ahead):
        run.todo.append([*run.answers, False])
    run.answers.append(answer)
    run.terms.append(term)
    run.known[key] = answer
    return answer


MOST_PATHS = 50_000
"""Ways through one piece of code that are followed at the most."""


def paths(code: Callable[[], Any], given: Bool = TRUE) -> Iterator[Path]:
    """Every way through the code. Raises `LiftError` where they are too many."""
    todo: list[list[bool]] = [[]]
    ran = 0
    while todo:
        if (ran := ran + 1) > MOST_PATHS:
            raise LiftError(f"more than {MOST_PATHS} paths")
        run = _Run(todo.pop(), todo, given)
        RUNS.append(run)
        try:
            value, raised = code(), None
        except Exception as error:
            value, raised = None, error
        finally:
            RUNS.pop()
        yield Path(run.condition, value, raised)
