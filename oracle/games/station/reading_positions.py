"""The small positions in which readings are compared, and those in which play may stall."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Any

from oracle.proof.readings import Reading

MAP = {"nodes": ["core", "n1", "n2"], "links": [["core", "n1"], ["n1", "n2"]]}
CORE_ONLY = {"nodes": ["core"], "links": []}


def positions(one: Reading, other: Reading) -> Iterator[dict[str, Any]]:
    """Positions of two commanders of what the readings are about: few pieces first, then small numbers."""
    cards = tuple(dict.fromkeys((*one.cards, *other.cards)))
    parts: dict[str, tuple[Any, ...]] = {}
    for reading in (one, other):
        for name, values in reading.numbers.items():
            parts[name] = tuple(values)
    displays = [list(some_) for n in range(4) for some_ in combinations_with_replacement(cards, n)] if cards else [[]]
    parts = {"display": tuple(displays), **parts}
    built = (_given(dict(zip(parts, values, strict=True))) for values in product(*parts.values()))
    yield from sorted(built, key=_weight)


def _given(parts: dict[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {"players": ["A", "B"], "map": MAP if parts.get("station") else CORE_ONLY}
    modules: dict[str, Any] = {}
    if "cost" in parts:
        modules["Tank"] = {"guild": "blue", "cost": parts["cost"], "renown": 0}
        out["market"] = {"1": "Tank"}
        if parts.get("discount"):
            out["discount"] = {"1": parts["discount"]}
    used = [*parts.get("dock", ()), *parts.get("station", {}).values(), *parts.get("salvage", ())]
    for name, guild in (("Tank", "blue"), ("Coil", "red")):
        if name in used:
            modules.setdefault(name, {"guild": guild, "cost": 1, "renown": 1 if parts.get("renown") else 0})
    if modules:
        out["modules"] = modules
    for name in ("hand", "dock", "station", "renown"):
        if parts.get(name):
            out[name] = {parts.get("turn", "A"): parts[name]}
    for name in ("display", "deck", "salvage", "ended", "turn"):
        if parts.get(name):
            out[name] = parts[name]
    return out


def _weight(position: Any) -> tuple[int, int, str]:
    """How many pieces there are on the table, and then how large their numbers."""
    pieces = [name for zone in ("display", "deck", "salvage") for name in position.get(zone, ())]
    for zone in ("hand", "dock", "station"):
        for held in position.get(zone, {}).values():
            pieces += held.values() if isinstance(held, dict) else held
    numbers = sum(
        map(int, re.findall(r"\d+", f"{pieces} {position.get('modules', '')} {position.get('discount', '')}"))
    )
    return len(pieces) + len(position.get("market", ())), numbers + bool(position.get("ended")), str(position)


def quiet_positions() -> Iterator[dict[str, Any]]:
    """Positions with an empty display and few modules, all of them in the station or the dock."""
    for docked, standing, scored in product(([], ["Tank"]), ({}, {"n1": "Tank"}), (False, True)):
        if scored and not docked:
            continue
        out: dict[str, Any] = {"players": ["A", "B"], "map": {"nodes": ["core", "n1"], "links": [["core", "n1"]]}}
        if docked or standing:
            out["modules"] = {"Tank": {"guild": "blue", "cost": 1, "renown": 1}}
        if docked:
            out["dock"] = {"A": docked}
        if standing:
            out["station"] = {"A": standing}
        if scored:
            out["scored"] = {"A": list(docked)}
        yield out
