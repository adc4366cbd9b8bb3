"""Makes every case below a folder named `cases` a pytest item.

Only files are touched whose top level has both `game:` and `cases:`, so other projects' YAML is
left alone. The oracle itself is imported when the first such file is met.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from oracle.casebook.case import Case, Fault
    from oracle.casebook.result import CaseResult

NAME = "rules-oracle"
"""The name that the plugin is registered under, by its entry point and by `register`."""

_SNIFFED = 65_536
_TOP = re.compile(rb"""(?m)^(?:\{\s*)?["']?game["']?\s*:""")
_CASES = re.compile(rb"""(?m)(?:^|[,{]\s*)["']?cases["']?\s*:""")


def register(manager: pytest.PytestPluginManager) -> None:
    """Registers the plugin where it has not been already, for a `conftest.py` in a checkout.

    To be called from `pytest_addoption(parser, pluginmanager)`.
    """
    if not manager.has_plugin(NAME):
        manager.register(__import__(__name__, fromlist=["_"]), NAME)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> CaseFile | None:
    """Takes the case files; None for all others."""
    if file_path.suffix not in (".yaml", ".yml") or "cases" not in file_path.parts[:-1] or not _is_case_file(file_path):
        return None
    collected: CaseFile = CaseFile.from_parent(parent, path=file_path)
    return collected


def _is_case_file(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            head = stream.read(_SNIFFED).removeprefix(b"\xef\xbb\xbf")
    except OSError:
        return False
    return bool(_TOP.search(head) and _CASES.search(head))


class CaseFile(pytest.File):
    """A file of cases. What cannot be read of it is an item that fails, so that the rest still runs."""

    def collect(self) -> Iterator[CaseItem | FaultItem]:
        """One item a case, one a fault, in the order of the file."""
        from oracle.casebook.case import Case, load_file

        here = Path.cwd()
        book = load_file(self.path.relative_to(here) if self.path.is_relative_to(here) else self.path, _game)
        entries: list[Case | Fault] = [*book.faults, *book.cases]
        for entry in sorted(entries, key=lambda entry: entry.line):
            if isinstance(entry, Case):
                yield CaseItem.from_parent(self, name=entry.id, case=entry)
            else:
                yield FaultItem.from_parent(self, name=entry.case or entry.code, fault=entry)


class _Item(pytest.Item):
    title = ""
    line = 1

    def result(self) -> CaseResult:
        """What became of it."""
        raise NotImplementedError

    def runtest(self) -> None:
        result = self.result()
        if not result.passed:
            raise CaseFailed(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, CaseFailed):
            return excinfo.value.result.describe()
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.line - 1, f"{self.name}: {self.title}" if self.title else self.name


class CaseItem(_Item):
    """One case, run on the reference model."""

    def __init__(self, *, case: Case, **rest: Any) -> None:
        super().__init__(**rest)
        self.case = case
        self.title, self.line = case.title, case.line

    def result(self) -> CaseResult:
        from oracle.casebook.runner import run_case

        return run_case(self.case)


class FaultItem(_Item):
    """A case, or a file, that cannot be read."""

    def __init__(self, *, fault: Fault, **rest: Any) -> None:
        super().__init__(**rest)
        self.fault = fault
        self.line = fault.line

    def result(self) -> CaseResult:
        from oracle.casebook.runner import fault_result

        return fault_result(self.fault)


class CaseFailed(Exception):
    """A case that did not pass."""

    def __init__(self, result: CaseResult) -> None:
        super().__init__(f"{result.where}: {result.message}")
        self.result = result


def _game(name: str) -> Any:
    from importlib import import_module

    return import_module("oracle.games").load(name)
