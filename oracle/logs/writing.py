"""Writing down what a program plays, as a log that `record.read` reads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from oracle.conformance import protocol as p
from oracle.conformance.implementation import Implementation
from oracle.errors import BadInput

Json = Any


class Writing(Implementation):
    """A program whose first play is written down in `lines`; what it refuses is no part of it."""

    def __init__(self, program: Implementation) -> None:
        super().__init__(program.name)
        self.program = program
        self.lines: list[dict[str, Json]] = []
        self._begun = 0
        self._decided: p.Decided | None = None
        self._state: dict[str, Json] = {}

    def start(self) -> p.Started:
        return self.program.start()

    def new(self, game: str, edition: str, setup: dict[str, Json]) -> p.Created:
        created = self.program.new(game, edition, setup)
        self._begun += 1
        self._write({"game": game, "edition": edition, "setup": setup})
        self._tell(created.events)
        return created

    def decision(self) -> p.Decided:
        decided = self.program.decision()
        if decided.over and not (self.lines and "over" in self.lines[-1]):
            result = self.program.observe().state
            found: dict[str, Json] = {field: result[field] for field in ("winners", "scores") if field in result}
            self._write({"state": {key: value for key, value in result.items() if key not in found}})
            self._write({"over": True, **found})
        self._decided = decided
        return decided

    def apply(self, player: str | None, action: dict[str, Json]) -> p.Applied:
        applied = self.program.apply(player, action)
        if applied.accepted:
            if self._decided is not None and self._decided.options is not None:
                asked = {"player": player, "kind": self._decided.kind, "options": self._decided.options}
                self._write({"decision": asked})
            if self._state:
                self._write({"state": self._state})
            self._write({"player": player, "action": action})
            self._tell(applied.events)
            self._decided, self._state = None, {}
        return applied

    def observe(self, player: str | None = None) -> p.Observed:
        seen = self.program.observe(player)
        self._state = seen.state if player is None else self._state
        return seen

    def stop(self) -> None:
        self.program.stop()

    def _tell(self, events: Sequence[p.Reported]) -> None:
        if events:
            self._write({"events": msgspec.to_builtins(events)})

    def _write(self, line: dict[str, Json]) -> None:
        if self._begun == 1:
            self.lines.append(line)


def write(file: Path, lines: Sequence[dict[str, Json]]) -> None:
    """Writes a log. Raises `BadInput` where that cannot be."""
    try:
        file.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    except OSError as error:
        raise BadInput(f"the log cannot be written: {error.strerror}", where=str(file)) from None
