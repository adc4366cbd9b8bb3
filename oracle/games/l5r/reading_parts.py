"""What the small positions are made of in which readings show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Given = Mapping[str, Any]
Parts = Mapping[str, tuple[Given, ...]]


def ability(player: str, type_: str, name: str = "Scout", **more: Any) -> Given:
    """An ability of a player's."""
    effect = more.pop("effect", {"honor": 1})
    return {"abilities": {player: [{"name": name, "type": type_, "effect": effect, **more}]}}


def trigger(name: str, at: str, owner: str = "A", **more: Any) -> Given:
    """What waits for a moment."""
    effect = more.pop("effect", {"honor": 1})
    return {"triggers": [{"owner": owner, "name": name, "at": at, "effect": effect, **more}]}


def cards(**types: Any) -> Given:
    """Declared cards: a type, or more than that."""
    return {"cards": {name: each if isinstance(each, dict) else {"type": each} for name, each in types.items()}}


def merged(*parts: Given) -> dict[str, Any]:
    """The parts of a position as one: mappings are put together, lists of them follow one another."""
    out: dict[str, Any] = {}
    for part in parts:
        for key, value in part.items():
            known = out.get(key)
            if isinstance(known, dict) and isinstance(value, Mapping):
                out[key] = merged(known, value)
            elif isinstance(known, list) and all(isinstance(each, Mapping) for each in (*known, *value)):
                out[key] = [*known, *value]
            else:
                out[key] = value
    return out


NONE: Given = {}
ATTACK: Given = {"phase": "attack", "attack": {"attacker": "A", "defender": "B"}}
FIELD: Given = merged(ATTACK, {"provinces": {"B": [[]]}})
COMBAT: Given = {"step": "combat", "attack": {"at": "1"}}
ONE_CARD: Given = cards(Shiba="Personality")
UNITS: Given = cards(Shiba="Personality", Moto={"type": "Personality", "keywords": ["Cavalry"]})
SENT: Given = {"A": ["Shiba"]}
MANNED: Given = merged(ATTACK, {"provinces": {"B": [[], []]}, "attack": {"fields": {"1": SENT, "2": SENT}}}, ONE_CARD)
"""Two battlefields, each with a unit."""
SHIBA, MOTO, BOTH, BOTH_BOWED = (
    {"home": {"A": units}} for units in (["Shiba"], ["Moto"], ["Shiba", "Moto"], ["Shiba bowed", "Moto"])
)
DYNASTY: Given = {"phase": "dynasty"}
LAST_PASS: Given = {"passed": ["A"], "turn to act": "B"}
EVENTS: Given = {"phase": "events"}
NEW_TURN: Given = merged(DYNASTY, {"active": "B", "turn": 2})
ENDING: Given = {"phase": "end"}
ROUNDS: Parts = {
    "round": (NONE, LAST_PASS),
    "A": (NONE, ability("A", "Open")),
    "B": (NONE, ability("B", "Open", "Parley")),
    "C": (NONE, {"players": ["A", "B", "C"]}),
}
GRANTED: Parts = {
    "action": (merged(ability("A", "Open", effect={"action": "Open"})),),
    "more": (NONE, ability("A", "Open", "Feint")),
    "other": (NONE, ability("B", "Open", "Parley")),
}


def waits(*at: str, owners: str = "AA", **more: Any) -> Given:
    """What waits for each of some moments; the first of it makes the condition of the next no longer true."""
    names = ("Dawn", "Dusk")
    effects = ({"untrigger": "Dusk"}, {"honor": 1})
    each = zip(names, at, owners, effects, strict=True)
    return merged(*(trigger(name, moment, owner, effect=effect, **more) for name, moment, owner, effect in each))
