"""Runs cases on the reference model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from oracle.casebook.case import Case, Casebook, Fault, model_failed
from oracle.casebook.result import CaseResult, Outcome, Stopped
from oracle.casebook.steps import Steps
from oracle.errors import NothingRun


def run(book: Casebook) -> Iterator[CaseResult]:
    """The result of each case and each fault, file by file. Raises `NothingRun` where there is none."""
    if not len(book):
        where = ", ".join(book.files)
        raise NothingRun("there is no case to run", where=where, fix="name a case file, or a folder that holds some")
    return _run(book)


def _run(book: Casebook) -> Iterator[CaseResult]:
    order = {file: i for i, file in enumerate(book.files)}
    entries: list[Case | Fault] = [*book.faults, *book.cases]
    for entry in sorted(entries, key=lambda e: (order.get(e.file, -1), e.line)):
        yield run_case(entry) if isinstance(entry, Case) else fault_result(entry)


def fault_result(fault: Fault) -> CaseResult:
    """The result of what could not be read: an error."""
    message = fault.error.message + (f"; {fault.error.fix}" if fault.error.fix else "")
    return CaseResult(fault.case, "", "", fault.file, fault.line, "error", message, fault.error.where or fault.file)


def run_case(case: Case) -> CaseResult:
    """Runs one case on the reference model. Raises nothing."""
    play = Steps(case)
    about: dict[str, Any] = {}
    outcome: Outcome = "pass"
    try:
        play.all()
    except Stopped as stopped:
        outcome, about = stopped.outcome, stopped.about
    except Exception as error:  # a fault of the oracle's own is a result as well, and never a pass
        outcome, about = "error", {"message": model_failed(error), "where": play.where()}
    return CaseResult(case.id, case.title, case.game.name, case.file, case.line, outcome, **about)
