"""Reading what a position declares: cards, effects, abilities and waiting triggers."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from oracle.games.l5r.calendar import CALENDAR
from oracle.games.l5r.cards import NOTHING, TYPES, Card, Effect, Target
from oracle.games.l5r.state import CLASSES, KINDS, MOST_FIELDS, Ability, Waits
from oracle.given import Path, bad, count, fields, flag, known, listing, mapping
from oracle.timing import Moment, Trigger

CARD_FIELDS = ("type", "keywords", "force", "effect", "on discard")
ABILITY_FIELDS = ("name", "type", "to", "effect", "card", "used")
TRIGGER_FIELDS = ("owner", "name", "at", "effect", "optional", "when", "class", "turn", "turns")

_NAME = re.compile(r"[^\W_][^,]*")
_ENDINGS = ("bowed", "down", "dealt", "new")


def name_of(value: object, what: str, path: Path) -> str:
    """A name that can stand in the text of an action."""
    if not isinstance(value, str) or not _NAME.fullmatch(value) or value == "nothing":
        bad(f"{value!r} cannot name a {what}", path, "letters and digits, the first of them no sign, without commas")
    words = value.split(" ")
    if "to" in words or words[-1] in _ENDINGS or words[0].isdecimal() or value != value.strip():
        bad(
            f"{value!r} cannot name a {what}",
            path,
            f"no number first, no word 'to', no {' or '.join(_ENDINGS)} at the end",
        )
    return value


class Names(NamedTuple):
    """What there is in a position: players, the active one first, and cards."""

    players: tuple[str, ...]
    cards: Collection[str]


def _text(value: object, path: Path, names: Names) -> str:
    return name_of(value, "trigger", path)


def _card(value: object, path: Path, names: Names) -> str:
    return known(value, names.cards, "card", path)


def _player(value: object, path: Path, names: Names) -> str:
    return known(value, names.players, "player", path)


def _flag(value: object, path: Path, names: Names) -> bool:
    return flag(value, path)


def _count(most: int, least: int = 0) -> Callable[[object, Path, Names], int]:
    return lambda value, path, names: count(value, path, most, least)


def _among(*words: str) -> Callable[[object, Path, Names], str]:
    return lambda value, path, names: known(value, words, "value", path)


def _each(value: object, path: Path, names: Names) -> Effect:
    return effect(value, path, names, ("refill", "cancel", "each", "attack"))


def _target(value: object, path: Path, names: Names) -> Target:
    if value is True:
        return Target()
    if not isinstance(value, Mapping) or len(value) != 1:
        bad(f"{value!r} is no Province", path, "true for that of the current battle, or such as {B: 2}")
    ((player, number),) = value.items()
    return Target(_player(player, (*path, player), names), count(number, (*path, player), MOST_FIELDS, least=1))


_EFFECTS: dict[str, Callable[[object, Path, Names], Any]] = {
    "draw": _count(100),
    "honor": _count(1000, -1000),
    "hand": _count(1000),
    "refill": _among("up", "down"),
    "bow": _card,
    "straighten": _card,
    "attack": _player,
    "action": _among("Open", "Limited", "Battle"),
    "cancel": _flag,
    "trigger": _text,
    "untrigger": _text,
    "win": _flag,
    "each": _each,
    "destroy": _target,
}


def effect(value: object, path: Path, names: Names, without: tuple[str, ...] = ()) -> Effect:
    """An effect; `without` are the words that make no sense where it stands."""
    given = mapping(value, path)
    words = [word for word in _EFFECTS if word not in without]
    fields(given, words, "effect", path)
    found = {word: _EFFECTS[word](item, (*path, word), names) for word, item in given.items()}
    return Effect(**found) if found else NOTHING


def card(name: str, value: Mapping[str, Any], path: Path, names: Names) -> Card:
    """A declared card."""
    keywords = listing(value.get("keywords", ()), (*path, "keywords"))
    return Card(
        name=name,
        type=known(value.get("type"), TYPES, "type of card", (*path, "type")),
        keywords=tuple(name_of(word, "keyword", (*path, "keywords", i)) for i, word in enumerate(keywords)),
        force=count(value.get("force", 0), (*path, "force"), 1000),
        effect=effect(value.get("effect", {}), (*path, "effect"), names, ("cancel",)),
        on_discard=effect(value.get("on discard", {}), (*path, "on discard"), names, ("cancel",)),
    )


def abilities(value: object, path: Path, names: Names) -> tuple[Ability, ...]:
    """A player's abilities, whose names differ."""
    found: list[Ability] = []
    for i, item in enumerate(listing(value, path)):
        at: Path = (*path, i)
        given = mapping(item, at)
        fields(given, ABILITY_FIELDS, "field of an ability", at)
        name = name_of(given.get("name"), "ability", (*at, "name"))
        if any(name == ability.name for ability in found):
            bad(
                f"there is another ability {name!r}",
                (*at, "name"),
                "a name of its own for each of a player's abilities",
            )
        type_ = known(given.get("type"), KINDS, "type of ability", (*at, "type"))
        if ("to" in given) != (type_ == "Reaction"):
            bad("`to` is what a Reaction answers", (*at, "to"), "a Reaction has it, no other ability does")
        without = ("refill",) if type_ == "Reaction" else ("refill", "cancel")
        found.append(
            Ability(
                name=name,
                type=type_,
                effect=effect(given.get("effect", {}), (*at, "effect"), names, without),
                to=name_of(given["to"], "card or trigger", (*at, "to")) if "to" in given else "",
                card=_card(given["card"], (*at, "card"), names) if "card" in given else "",
                used=flag(given.get("used", False), (*at, "used")),
            )
        )
    return tuple(found)


def triggers(value: object, path: Path, names: Names) -> tuple[Trigger[Waits], ...]:
    """What waits for a moment. Those of one name at one moment must be alike, since actions tell them apart by name."""
    found: list[Trigger[Waits]] = []
    moments = {str(moment): moment for unit in CALENDAR.unit.units() for moment in _edges(unit.name)}
    for i, item in enumerate(listing(value, path)):
        at: Path = (*path, i)
        given = mapping(item, at)
        fields(given, TRIGGER_FIELDS, "field of a trigger", at)
        moment = CALENDAR.canonical(moments[known(given.get("at"), moments, "moment", (*at, "at"))])
        turns = count(given.get("turns", 0), (*at, "turns"), 1000)
        turn = given.get("turn", names.players[0] if turns else None)
        trigger = Trigger(
            owner=_player(given.get("owner"), (*at, "owner"), names),
            moment=moment,
            name=name_of(given.get("name"), "trigger", (*at, "name")),
            effect=Waits(
                effect(given.get("effect", {}), (*at, "effect"), names, ("refill", "cancel")),
                flag(given.get("optional", False), (*at, "optional")),
                turns,
            ),
            turn_of=None if turn is None else _player(turn, (*at, "turn"), names),
            rank=CLASSES.index(known(given.get("class", "C"), CLASSES, "class", (*at, "class"))),
            live=flag(given.get("when", True), (*at, "when")),
        )
        if any(_confused(trigger, other) for other in found):
            bad(f"another {trigger.name!r} waits {moment}", (*at, "name"), "a name of its own")
        found.append(trigger)
    return tuple(found)


def _confused(one: Trigger[Waits], other: Trigger[Waits]) -> bool:
    """Whether two triggers of one name can be due together and are not alike."""
    if (one.name, one.moment) != (other.name, other.moment) or one.effect.turns != other.effect.turns:
        return False
    together = None in (one.turn_of, other.turn_of) or one.turn_of == other.turn_of
    return together and (one.owner, one.effect, one.rank) != (other.owner, other.effect, other.rank)


def _edges(unit: str) -> tuple[Moment, Moment]:
    return Moment("before", unit), Moment("after", unit)
