"""Keeps what was found as cases that reproduce it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from oracle.casebook.writing import as_yaml
from oracle.game import Game
from oracle.proof import keep, make
from oracle.proof.questions import Question
from oracle.proof.readings import Difference
from oracle.proof.report import Report


def save(folder: Path, game: Game[Any], found: Report | Difference | Iterable[Question]) -> list[Path]:
    """Writes a case for each refuted claim, difference or question that has a position. Returns the files."""
    if isinstance(found, Report):
        cases = [
            _case(proof.id, proof.says, seen["rules"], seen["edition"], seen["given"], seen["play"], seen["step"])
            for proof in found.proofs
            if (seen := proof.counterexample) and seen["step"]
        ]
    elif isinstance(found, Difference):
        cases = _of_difference(found)
    else:
        cases = [
            _case(each.kind, each.asks, each.rules, each.edition, each.given, each.play, each.step)
            for each in found
            if each.given is not None and each.step is not None
        ]
    make(folder)
    return [_write(folder, game, i, *case) for i, case in enumerate(cases, 1)]


def _of_difference(found: Difference) -> list[tuple[str, dict[str, Any]]]:
    if found.found is None:
        return []
    name = f"{found.one.id}-{found.other.id}"
    rules = (*found.one.rules, *found.other.rules)
    seen = found.found
    return [_case(name, found.other.says, rules, found.edition, seen.given, seen.play, seen.step)]


def _case(
    name: str,
    title: str,
    rules: Sequence[str],
    edition: str,
    given: Mapping[str, Any],
    play: Sequence[str],
    step: Mapping[str, Any],
) -> tuple[str, dict[str, Any]]:
    case: dict[str, Any] = {"id": re.sub(r"[^a-z0-9]+", "-", f"found {name}".lower()).strip("-"), "title": title}
    case |= {"rules": list(dict.fromkeys(rules)), "provenance": "derived", "given": dict(given)}
    return edition, {**case, "steps": [*({"do": action} for action in play), dict(step)]}


def _write(folder: Path, game: Game[Any], i: int, edition: str, case: dict[str, Any]) -> Path:
    id = f"{case['id']}-{i}"
    data = {"game": game.name, "edition": edition, "cases": [{**case, "id": id}]}
    text = as_yaml(data, width=110, flow=False)
    return keep(folder, f"{id}.yaml", text)
