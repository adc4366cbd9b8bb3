"""A program under test as a process: JSON lines, time limits, and an end that always comes.

Three threads keep the two sides from waiting on each other: one writes requests, one reads answers
line by line, one drains standard error. The caller waits for answers only, and never longer than the
time allowed, whatever the process does or leaves undone.
"""

from __future__ import annotations

import os
import queue
import shlex
import signal
import subprocess
import time
from contextlib import suppress
from threading import Thread
from typing import IO, TypeVar

import msgspec

from oracle.conformance import protocol as p
from oracle.conformance import stopping
from oracle.conformance.implementation import STARTUP, TAIL, TIMEOUT, Conversation, misshapen
from oracle.errors import BadInput, Crashed, ProtocolError, TimedOut

T = TypeVar("T")
LONGEST = 1_000_000
"""Bytes an answer may have."""
GRACE = 0.5
"""Seconds a process gets to end by itself after `stop`, and to say why after it closed its output."""


class Process(Conversation):
    """A command that speaks the protocol on its standard input and output.

    `timeout` and `startup` are the seconds allowed for an answer and for the first one. Raises
    `BadInput` where the command cannot be run at all.
    """

    def __init__(self, command: str, *, timeout: float = TIMEOUT, startup: float = STARTUP, name: str = "") -> None:
        super().__init__(name or f"cmd:{command}")
        self.timeout = timeout
        self._allowed = max(startup, timeout)
        self._errors = b""
        self._unsent: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        # Bounded, so that a process which writes without end is held back by its full pipe.
        self._answers: queue.Queue[bytes | None] = queue.Queue(maxsize=8)
        try:
            words = shlex.split(command)
            with stopping.held():
                self._process: subprocess.Popen[bytes] | None = subprocess.Popen(
                    words,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    start_new_session=True,
                )
                stopping.adopt(self._process.pid)
        except (OSError, ValueError, IndexError) as error:
            raise BadInput(f"{command!r} cannot be run: {error}", fix="cmd:COMMAND, as typed in a shell") from None
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        streams = self._process.stdin, self._process.stdout, self._process.stderr
        work = zip((self._write, self._read, self._drain), streams, strict=True)
        self._threads = [Thread(target=job, args=(stream,), daemon=True) for job, stream in work]
        for thread in self._threads:
            thread.start()

    def exchange(self, request: p.Request, answer: type[T]) -> T:
        if self._process is None:
            raise Crashed("it has ended already", where=self.name)
        self._unsent.put(msgspec.json.encode(request) + b"\n")
        asked = type(request).__struct_config__.tag
        try:
            line = self._answers.get(timeout=self._allowed)
        except queue.Empty:
            raise TimedOut(f"no answer to `{asked}` within {self._allowed:g} s", where=self.name) from None
        self._allowed = self.timeout
        if line is None:
            raise self._ended(f"it ended without an answer to `{asked}`")
        if len(line) > LONGEST:
            fix = "every answer is one line, and one line is one answer"
            raise ProtocolError(f"its answer to `{asked}` has more than {LONGEST:,} bytes", where=self.name, fix=fix)
        try:
            return msgspec.json.decode(line, type=answer)
        except (msgspec.MsgspecError, ValueError, RecursionError) as wrong:
            raise misshapen(self.name, request, line.decode("utf-8", "backslashreplace"), wrong) from None

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        try:
            self._unsent.put(msgspec.json.encode(p.Stop()) + b"\n")
            self._unsent.put(None)
            end = time.monotonic() + min(GRACE, self.timeout)
            while process.poll() is None and time.monotonic() < end:
                with suppress(queue.Empty):
                    self._answers.get(timeout=0.005)
        finally:  # also where the user is tired of waiting
            self._kill(process)

    def _kill(self, process: subprocess.Popen[bytes]) -> None:
        # The whole group: a harness may have started processes of its own.
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        with suppress(OSError):
            process.kill()
        process.wait()
        stopping.release(process.pid)
        self._unsent.put(None)
        end = time.monotonic() + GRACE
        while any(thread.is_alive() for thread in self._threads):
            if time.monotonic() > end:  # a process that left the group still holds the pipes
                return
            with suppress(queue.Empty):
                self._answers.get(timeout=0.005)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def _ended(self, message: str) -> Crashed:
        process, self._process = self._process, None
        assert process is not None
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
        code = process.poll()
        self._kill(process)
        if code is None:
            how = "closed its output"
        elif code < 0:
            how = f"was ended by signal {-code}"
        else:
            how = f"exit code {code}"
        said = self._errors.decode("utf-8", "backslashreplace").strip()
        return Crashed(f"{message} ({how})", where=self.name, fix=f"it wrote: {said}" if said else "")

    def _write(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError):
            while (line := self._unsent.get()) is not None:
                stream.write(line)
            stream.close()

    def _read(self, stream: IO[bytes]) -> None:
        held = b""
        with suppress(OSError, ValueError):
            while data := os.read(stream.fileno(), 65536):
                *lines, held = (held + data).split(b"\n")
                for line in lines:
                    self._answers.put(line)
                if len(held) > LONGEST:
                    self._answers.put(held)
                    return
        self._answers.put(None)

    def _drain(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError):
            while data := os.read(stream.fileno(), 65536):
                self._errors = (self._errors + data)[-TAIL:]
