"""Games drawn for a program that has only some of L5R, and says what."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from oracle.errors import BadInput
from oracle.game import Choose
from oracle.games.l5r.cards import TYPES, Effect
from oracle.games.l5r.sampling import ABILITIES, ANSWERED, CARDS, EFFECTS, FATE
from oracle.games.l5r.state import HAND, KINDS

PLAYERS = ("A", "B")
REFILLED: dict[str, dict[str, Any]] = {
    "Mine": {"type": "Holding", "effect": {"refill": "down"}, "on discard": {"refill": "down"}},
    "Mirumoto": {"type": "Personality", "force": 2, "effect": {"refill": "down"}, "on discard": {"refill": "down"}},
    "Market": {"type": "Holding", "effect": {"refill": "up"}, "on discard": {"refill": "up"}},
}
"""Cards that never leave a Province empty."""
EMPTY, BARRED = "empty Provinces", "barred"
FEATURES = (
    *(*TYPES, *KINDS, "refill up", "refill down", EMPTY, BARRED),
    *(word for word in Effect.__struct_fields__ if word != "refill"),
)
"""What a program may say it has: types of cards, types of abilities, words of effects, and the rest."""


def setup(choose: Choose, features: Collection[str]) -> dict[str, Any]:
    """A position of two players in an Action Phase, made of these features alone; 0 is the plainest choice.

    Raises `BadInput` for a feature that L5R does not have.
    """
    if unknown := [name for name in features if name not in FEATURES]:
        raise BadInput(f"unknown feature {unknown[0]!r} of l5r", fix=f"features are: {', '.join(FEATURES)}")
    cards = {name: card for name, card in {**CARDS, **REFILLED}.items() if set(_needs(card)) <= set(features)}
    kinds = [kind for kind in KINDS if kind in features]
    names = ABILITIES if kinds else ()
    effects = [effect for effect in EFFECTS if set(_words(effect)) <= set(features) and _known(effect, cards)]

    def laid(most: int, face: str) -> list[list[str]]:
        shown = list(cards)
        return [[shown[choose(len(shown))] + face] for _ in range(choose(most + 1))] if shown else []

    def ability(name: str) -> dict[str, Any]:
        # Open actions are those that go back and forth.
        kind = "Open" if "Open" in kinds and choose(2) else kinds[choose(len(kinds))]
        to = {"to": ANSWERED[choose(len(ANSWERED))]} if kind == "Reaction" else {}
        return {"name": name, "type": kind, **to, "effect": effects[choose(len(effects))]}

    return {
        "position": {
            "players": list(PLAYERS),
            "honor": {player: choose(8) for player in PLAYERS},
            "provinces": {"A": laid(4, ""), "B": laid(4, " down")},
            "dynasty": {player: [[f"2 {name}" for name in cards]] if cards else [] for player in PLAYERS},
            "fate": {player: [[f"3 {name}" for name in FATE]] for player in PLAYERS},
            "hand": {player: [FATE[choose(len(FATE))] for _ in range(choose(4))] for player in PLAYERS},
            "max hand": {player: HAND - choose(HAND) for player in PLAYERS},
            "abilities": {player: [ability(name) for name in names[: choose(len(names) + 1)]] for player in PLAYERS},
            "passed": ["A"] if choose(3) == 2 else [],
            "barred": [player for player in PLAYERS if BARRED in features and choose(2)],
            "cards": cards,
        }
    }


def _needs(card: Mapping[str, Any]) -> Iterator[str]:
    """What a program needs to have for a card."""
    effects = [card.get("effect", {}), card.get("on discard", {})]
    yield card["type"]
    for effect in effects:
        yield from _words(effect)
    if not all("refill" in effect for effect in effects):
        yield EMPTY


def _known(effect: Mapping[str, Any], cards: Collection[str]) -> bool:
    """Whether the cards are there that the effect bows or straightens."""
    return all(effect[word] in cards for word in ("bow", "straighten") if word in effect)


def _words(effect: Mapping[str, Any]) -> Iterator[str]:
    for word, value in effect.items():
        yield f"refill {value}" if word == "refill" else word
        if word == "each":
            yield from _words(value)
