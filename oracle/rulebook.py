"""The catalogue of a game's rule sentences, and how much of the source they cover."""

from __future__ import annotations

from msgspec import Struct


class Rule(Struct, frozen=True):
    """One rule: where it stands, what it says in our words, and the mark of its sentence."""

    id: str
    says: str
    source: str
    kind: str = "rule"
    fingerprint: str = ""
    editions: tuple[str, ...] = ()


class Rulebook(Struct, frozen=True):
    """All rules of a game, by id."""

    rules: dict[str, Rule]
