"""Every error a user can meet, in the order of the stages it can come from.

A file is read (`BadInput`, with its place), a position is built from it (`BadPosition`), an
action is tried in that position (`IllegalAction`), a program under test is started and spoken to
(`ImplementationFailed` and its kinds), and at the end something must really have been run
(`NothingRun`). Each carries the exit code that the command line gives for it: 2 for input that
cannot be used, 3 for a program, or the oracle itself, that failed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.decisions import Verdict


class OracleError(Exception):
    """Base of all: what was wrong, where, and what would be right.

    `message`, `where` and `fix` are sentences or empty; `str()` joins them as the user sees them.
    """

    exit_code = 3

    def __init__(self, message: str, *, where: str = "", fix: str = "") -> None:
        super().__init__(message, where, fix)
        self.message = message
        self.where = where
        self.fix = fix

    def __str__(self) -> str:
        head = f"{self.where}: {self.message}" if self.where else self.message
        return f"{head}\n  {self.fix}" if self.fix else head


class BadInput(OracleError):
    """A file, name or option that cannot be used. `where` is `file:line:column` when it is known."""

    exit_code = 2


class BadPosition(BadInput):
    """A position that cannot be.

    `path` leads from the top of the position to the fault, as keys and 0-based indices, for
    example `("hand", "A", 2)`; a loader that knows lines turns it into one.
    """

    def __init__(self, message: str, path: Sequence[str | int] = (), *, fix: str = "", where: str = "") -> None:
        self.path: tuple[str | int, ...] = tuple(path)
        super().__init__(message, where=where or dotted(self.path), fix=fix)


class BadAction(BadInput):
    """A text or JSON value that is no action of the game."""


class IllegalAction(OracleError):
    """An action that the rules do not allow was to be applied. `verdict` says which rule."""

    exit_code = 2

    def __init__(self, message: str, verdict: Verdict, *, where: str = "", fix: str = "") -> None:
        super().__init__(message, where=where, fix=fix)
        self.verdict = verdict


class ImplementationFailed(OracleError):
    """The program under test failed in a way that says nothing about the rules."""

    exit_code = 3
    outcome = "error"


class Crashed(ImplementationFailed):
    """Its process ended, or its Python object raised, in the middle of a play."""

    outcome = "crash"


class TimedOut(ImplementationFailed):
    """It gave no answer within the time allowed (seconds)."""

    outcome = "timeout"


class ProtocolError(ImplementationFailed):
    """It answered, but not in the protocol."""

    outcome = "protocol-error"


class Unsupported(ImplementationFailed):
    """It says itself that it lacks a feature: no fault, but nothing was shown either."""

    outcome = "unsupported"


class Skipped(ImplementationFailed):
    """It says itself that it will not answer this request."""

    outcome = "skip"


class NothingRun(OracleError):
    """There was nothing to run, so there is nothing to report: never a pass."""

    exit_code = 2


def dotted(path: Sequence[str | int]) -> str:
    """`("hand", "A", 2)` as `hand.A[2]`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text
