"""Progress on a terminal, on standard error so that reports can be piped."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oracle.conformance.check import Progress


@contextmanager
def progress() -> Iterator[Callable[[Progress], None]]:
    """A function to be told how far a check is. Without a terminal it says nothing."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    look = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*look, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=None)
        failed = 0

        def told(at: Progress) -> None:
            nonlocal failed
            failed += at.row.verdict not in ("pass", "skip", "unsupported")
            done = at.done == at.total
            what = "shortening the plays found" if done and failed else f"{at.row.kind} {at.row.id}"
            bar.update(task, completed=at.done, total=at.total, description=f"{what} ({failed} failed)")

        yield told
