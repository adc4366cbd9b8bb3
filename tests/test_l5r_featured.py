"""Games drawn for a program that has only some of L5R."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import games
from oracle.errors import BadInput
from oracle.games.l5r.featured import FEATURES

GAME = games.load("l5r")


def words(effect: Mapping[str, Any]) -> set[str]:
    """The features that an effect is made of."""
    inner = words(effect["each"]) if "each" in effect else set()
    return inner | {f"refill {value}" if word == "refill" else word for word, value in effect.items()}


@settings(deadline=None, max_examples=80)
@given(st.sets(st.sampled_from(FEATURES)), st.integers(0, 10_000))
def test_a_drawn_game_is_made_of_the_features_alone(features: set[str], seed: int) -> None:
    """The position can be, asks for something, and has no card, ability, effect or ban that was not named."""
    given = GAME.sample_setup(Random(seed).randrange, sorted(features))["position"]
    assert GAME.decision(GAME.position(given, "EE")) is not None
    used = {card["type"] for card in given["cards"].values()} | ({"barred"} if given["barred"] else set())
    for card in given["cards"].values():
        effects = [card.get("effect", {}), card.get("on discard", {})]
        used |= words(effects[0]) | words(effects[1])
        used |= set() if all("refill" in effect for effect in effects) else {"empty Provinces"}
    for ability in (ability for abilities in given["abilities"].values() for ability in abilities):
        used |= {ability["type"], *words(ability["effect"])}
    assert used <= features


def test_the_features_are_used() -> None:
    """Abilities of every named type, cards of every named type and a pass already made are all drawn at some time."""
    features = ["Holding", "Personality", "refill down", "Limited", "Open", "Battle", "draw", "honor", "barred"]
    drawn = [GAME.sample_setup(Random(seed).randrange, features)["position"] for seed in range(30)]
    abilities = [ability for given in drawn for player in "AB" for ability in given["abilities"][player]]
    assert {ability["type"] for ability in abilities} == {"Limited", "Open", "Battle"}
    assert {card["type"] for given in drawn for card in given["cards"].values()} == {"Holding", "Personality"}
    assert {tuple(given["passed"]) for given in drawn} == {(), ("A",)}
    assert {len(given["barred"]) for given in drawn} == {0, 1, 2}


def test_a_feature_that_there_is_not_is_a_mistake() -> None:
    """A misspelt feature is named, with those that there are."""
    with pytest.raises(BadInput, match="unknown feature 'Holdings' of l5r") as caught:
        GAME.sample_setup(Random(0).randrange, ["Holdings"])
    assert "Holding, " in caught.value.fix
