"""Positions of L5R as lines for the driver, and what of a position L5RServer has no place for."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from oracle.errors import Unsupported
from oracle.given import copies

Json = dict[str, Any]
Line = tuple[str, ...]

HAND = "8"
"""The maximum hand size unless a position says otherwise."""
FIELDS = (
    *("players", "active", "turn", "turns", "phase", "step", "passed", "turn to act", "provinces", "dynasty", "fate"),
    *("hand", "max hand", "honor", "abilities", "barred", "cards", "hand size", "dynasty size", "fate size"),
)
"""Fields that are set, or say nothing that it would have to be told: it counts no turns, and never attacks."""
WIN = {"honor": 40, "dishonor": -20}
"""What wins and loses unless a position says otherwise; it has no end of a game at all."""
REFILL = {"refill": "down"}
"""What it does whenever a card leaves a Province: the only effect that a card may have."""


def lines(position: Json, seed: int) -> list[Line]:
    """The position line by line, shuffled piles in an order drawn by the seed. Raises `Unsupported`."""
    _check(position)
    names = players(position)
    active = position.get("active", names[0])
    phase, chance = position.get("phase", "action"), random.Random(seed)
    passed = position.get("passed", ())
    performs = position.get("turn to act") or (_next(names, passed[-1]) if passed else active)

    def dynasty(player: str, name: str) -> Line:
        card = position.get("cards", {}).get(name, {})
        effects = [card.get(word, {}) for word in ("effect", "on discard")]
        # Out of an empty deck nothing is refilled.
        fitting = (REFILL,) if _of(position, "dynasty", player, ()) else (REFILL, {})
        if card.get("type") not in ("Holding", "Personality") or not all(effect in fitting for effect in effects):
            raise Unsupported(f"a card such as {name}")
        return str(card["type"]), name

    out: list[Line] = []
    for name in (active, _next(names, active)):
        honor, most = _of(position, "honor", name, 0), _of(position, "max hand", name, HAND)
        out.append(("player", name, str(honor), str(most)))
        for province in _of(position, "provinces", name, ()):
            laid = [str(item) for item, _ in copies(province, ())]
            if len(laid) != 1:
                raise Unsupported(f"a Province with {len(laid)} cards")
            out.append(("province", name, *dynasty(name, laid[0].removesuffix(" down")), _face(laid[0])))
        out += [("dynasty", name, *dynasty(name, card)) for card in _deck(_of(position, "dynasty", name, ()), chance)]
        out += [("fate", name, card) for card in _deck(_of(position, "fate", name, ()), chance)]
        out += [("hand", name, str(card)) for card, _ in copies(_of(position, "hand", name, ()), ())]
        out += [("ability", name, *_ability(ability)) for ability in _of(position, "abilities", name, ())]
    out += [("passed", name) for name in passed]
    return [*out, ("now", str(phase), str(performs))]


def players(position: Json) -> list[str]:
    """The two seats. Raises `Unsupported` for more."""
    names = list(position.get("players", ("A", "B")))
    named = {position.get("active", "A")}.union(*(value for value in position.values() if isinstance(value, Mapping)))
    if len(names) > 2 or ("players" not in position and {"C", "D"} & named):
        raise Unsupported("more than two players")
    return names


def _check(position: Json) -> None:
    for field, value in position.items():
        if field not in FIELDS and not (field == "win" and value == WIN) and _says(value):
            raise Unsupported(f"position field {field!r}")
    if position.get("phase", "action") not in ("action", "dynasty"):
        raise Unsupported(f"phase {position['phase']!r}")
    if position.get("step"):
        raise Unsupported(f"step {position['step']!r}")
    for honor in position.get("honor", {}).values():
        if not WIN["dishonor"] < honor < WIN["honor"]:
            raise Unsupported("the end of a game")


def _says(value: object) -> bool:
    """Whether there is anything in it."""
    if isinstance(value, Mapping):
        return any(map(_says, value.values()))
    return any(map(_says, value)) if isinstance(value, list | tuple) else bool(value)


def _ability(ability: Json) -> Line:
    name, kind, effect = ability["name"], ability["type"], ability.get("effect", {})
    if kind == "Reaction" or ability.get("card"):
        raise Unsupported(f"a {kind} ability{' of a card' if ability.get('card') else ''}")
    if set(effect) - {"draw", "honor"}:
        raise Unsupported(f"the effect of {name}")
    used = "used" if ability.get("used") else "unused"
    return name, kind, str(effect.get("draw", 0)), str(effect.get("honor", 0)), used


def _of(position: Json, field: str, player: str, default: Any) -> Any:
    return position.get(field, {}).get(player, default)


def _next(names: list[str], player: str) -> str:
    return names[1 - names.index(player)]


def _face(laid: str) -> str:
    return "down" if laid.endswith(" down") else "up"


def _deck(entries: Iterable[Any], chance: random.Random) -> Iterator[str]:
    for entry in entries:
        if isinstance(entry, str):
            yield from (str(name) for name, _ in copies([entry], ()))
        else:
            pile = [str(name) for name, _ in copies(entry, ())]
            chance.shuffle(pile)
            yield from pile
