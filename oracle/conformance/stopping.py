"""How a run is ended from outside: by Ctrl-C, or by what a system sends to programs that are to end.

The first signal raises `Stopped` wherever the run is, so that it ends in order and what it has is still
reported. A second one ends the processes of the programs under test at once, whatever the oracle is busy with.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
"""What ends a run, where the system has it and whoever started the oracle has not had it ignored."""


class Stopped(KeyboardInterrupt):
    """The run is to end. A class of its own, since a program under test may raise `KeyboardInterrupt` itself."""


class _Watch:
    """What is known of the run under way. `signals` counts those that came; `children` leads process groups."""

    on = False
    signals = 0
    held = 0
    waiting = False
    children: set[int]

    def __init__(self) -> None:
        self.children = set()


_watch = _Watch()


@contextmanager
def orderly(*, last: bool = False) -> Iterator[None]:
    """While it lasts, signals end the run in order; when it is left, no process of a program is.

    `last`: nothing comes after it but the end, so that further signals have nothing to interrupt.
    """
    if _watch.on or threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    heeded = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, _told) for number in heeded}
    _watch.on, _watch.signals = True, 0
    try:
        yield
    finally:
        end_children()
        _watch.on = False
        for number, handler in before.items():
            signal.signal(number, signal.SIG_IGN if last and _watch.signals else handler or signal.SIG_DFL)


@contextmanager
def held() -> Iterator[None]:
    """Puts a signal off until a few steps that belong together are done."""
    _watch.held += 1
    try:
        yield
    finally:
        _watch.held -= 1
        if _watch.waiting and not _watch.held:
            _watch.waiting = False
            raise Stopped


def watched() -> bool:
    """Whether signals arrive as `Stopped`, so that any other `KeyboardInterrupt` is a program's own."""
    return _watch.on


def signals() -> int:
    """How many signals have come: a program under test may have caught what one of them raised."""
    return _watch.signals


def adopt(pid: int) -> None:
    """Notes a process, the leader of its group, that must not outlive the run."""
    _watch.children.add(pid)


def release(pid: int) -> None:
    """Notes that a process has ended."""
    _watch.children.discard(pid)


def end_children() -> None:
    """Ends all processes noted, each with its group."""
    for pid in list(_watch.children):
        with suppress(ProcessLookupError, PermissionError):
            (os.killpg if hasattr(os, "killpg") else os.kill)(pid, getattr(signal, "SIGKILL", signal.SIGTERM))


def _told(number: int, frame: FrameType | None) -> None:
    _watch.signals += 1
    if _watch.signals > 1:
        end_children()
    if _watch.held:
        _watch.waiting = True
        return
    raise Stopped
