"""What became of a case, for people and for files."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from oracle.casebook.writing import as_yaml
from oracle.game import Game

Outcome = Literal["pass", "fail", "error"]


class CaseResult(Struct, frozen=True):
    """What became of a case.

    `where` is the `file:line:column` of what failed, `step` its 1-based number (None: no step),
    `position` the position at that point as YAML, `rules` the ids that bear on it, `expected` and
    `found` one line each. All are empty where they say nothing.
    """

    id: str
    title: str
    game: str
    file: str
    line: int
    outcome: Outcome
    message: str = ""
    where: str = ""
    step: int | None = None
    position: str = ""
    rules: tuple[str, ...] = ()
    expected: str = ""
    found: str = ""

    @property
    def passed(self) -> bool:
        """Whether it passed."""
        return self.outcome == "pass"

    def describe(self) -> str:
        """The result for a terminal, several lines."""
        name = f"{self.id}: {self.title}" if self.title else self.id or self.file
        lines = [f"{self.outcome}  {name}"]
        if self.message:
            lines.append(f"{self.where}: {self.message}" if self.where else self.message)
        for word in ("expected", "found"):
            if text := getattr(self, word):
                lines.append(f"  {word + ':':<10}{text}")
        if self.rules:
            lines.append(f"  {'rules:':<10}{', '.join(self.rules)}")
        if self.position:
            lines.append("  position:")
            lines += [f"    {line}" for line in self.position.splitlines()]
        return "\n".join(lines)


def position_yaml(game: Game[Any], state: Any) -> str:
    """The position as a `given:` could hold it; empty where the game itself cannot say."""
    try:
        seen = game.observe(state)
        return as_yaml(seen).strip()
    except Exception:  # the failure that is being reported matters more than this one
        return ""


class Stopped(Exception):
    """A case that cannot go on; `about` holds the fields of its `CaseResult`."""

    def __init__(self, outcome: Outcome, about: dict[str, Any]) -> None:
        super().__init__(outcome)
        self.outcome = outcome
        self.about = about
