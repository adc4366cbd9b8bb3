"""Progress on a terminal, on standard error so that reports can be piped; and standard output kept for them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
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


@contextmanager
def telling() -> Iterator[Callable[[str], object]]:
    """A function to be told what is being worked on. Without a terminal it says nothing."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("starting") as status:
        yield status.update


@contextmanager
def output_kept() -> Iterator[None]:
    """Keeps standard output for the report: what a program in this process writes there goes to standard error,
    also where it writes to the file descriptor itself or starts a process that does."""
    try:
        kept = os.dup(1)
    except OSError:  # it is closed
        yield
        return
    try:
        _flush()
        _lead(1, 2)
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _flush()
        os.dup2(kept, 1)
        os.close(kept)


def _lead(stream: int, elsewhere: int) -> None:
    try:
        os.dup2(elsewhere, stream)
    except OSError:  # standard error is closed
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream)
        os.close(nowhere)


def _flush() -> None:
    for stream in (sys.stdout, sys.__stdout__):
        if stream is not None:
            with suppress(OSError, ValueError):
                stream.flush()
