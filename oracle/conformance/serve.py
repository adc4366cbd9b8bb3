"""Runs a Python object with the protocol's methods as a process on standard input and output.

A harness file ends with `serve(Harness())` under `if __name__ == "__main__":`, or is started with
`python -m oracle.conformance.serve MODULE:CLASS`. So one class can be checked either way.
"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import Any, BinaryIO

import msgspec

from oracle.conformance.objects import last_line, reply_of


def serve(held: Any, requests: BinaryIO | None = None, answers: BinaryIO | None = None) -> None:
    """Answers requests with the object's methods until `stop` or the end of the input.

    An exception in a method ends the process with its traceback, which the oracle reports as a
    crash. What the object prints goes to standard error, so that it cannot spoil the protocol.
    """
    requests = requests or sys.stdin.buffer
    answers = answers or sys.stdout.buffer
    with redirect_stdout(sys.stderr):
        for line in requests:
            request = msgspec.json.decode(line)
            if request["request"] == "stop":
                if hasattr(held, "stop"):
                    held.stop(request)
                return
            answers.write(msgspec.json.encode(reply_of(held, request)) + b"\n")
            answers.flush()


def main() -> None:
    """The command `python -m oracle.conformance.serve MODULE:CLASS`."""
    from oracle.conformance.targets import load_class
    from oracle.errors import OracleError

    try:
        made = load_class(sys.argv[1] if len(sys.argv) == 2 else "")
    except OracleError as error:
        sys.exit(str(error))
    try:
        serve(made())
    except Exception as error:
        sys.exit(last_line(error))


if __name__ == "__main__":
    main()
