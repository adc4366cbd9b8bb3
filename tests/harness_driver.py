"""Drives a harness as the oracle does, by dicts alone, and checks what must hold of every harness of Dominion."""

from __future__ import annotations

import gc
import json
import random
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oracle.conformance.targets import target
from tests.nim import Nim

Json = dict[str, Any]
BASICS = ("Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse")
ZONES = ("hand", "discard", "in play")


def load(name: str) -> ModuleType:
    """The module of a bundled harness, found as the oracle finds it."""
    target(name, Nim())
    return sys.modules[f"oracle_harness_{name}"]


def set_aside() -> int:
    """How many greenlets are in the middle of their work, the main one included."""
    from greenlet import greenlet

    return sum(bool(held) for held in gc.get_objects() if isinstance(held, greenlet))


class Driver:
    """Speaks to a harness and keeps count of the requests."""

    def __init__(self, harness: Any) -> None:
        self.harness = harness
        self.seq = 0

    def ask(self, method: str, **fields: Any) -> Json:
        self.seq += 1
        answer: Json = getattr(self.harness, method)({"request": method, "seq": self.seq, **fields})
        assert json.loads(json.dumps(answer)) == answer
        assert answer["seq"] == self.seq
        return answer

    def new(self, setup: Json, edition: str = "2023") -> Json:
        return self.ask("new", game="dominion", edition=edition, setup=setup)

    def position(self, **given: Any) -> Json:
        return self.new({"position": {"players": ["A", "B"], **given}, "seed": 1})

    def decision(self) -> Json:
        return self.ask("decision")

    def options(self) -> list[Json]:
        options: list[Json] = self.decision()["options"]
        return options

    def apply(self, action: Any, player: str | None = None) -> Json:
        return self.ask("apply", player=player or self.decision()["player"], action=action)

    def do(self, *actions: Json) -> list[Json]:
        """Applies actions that must all be accepted; returns their events."""
        events = []
        for action in actions:
            answer = self.apply(action)
            assert answer["accepted"], (action, self.decision())
            events += answer["events"]
        return events

    def state(self, player: str | None = None) -> Json:
        state: Json = self.ask("observe", player=player)["state"]
        return state


def setup_for(rng: random.Random, kingdom: Sequence[str]) -> Json:
    players = list("ABCD")[: rng.choice((2, 3, 4))]
    return {
        "players": players,
        "first": rng.choice(players),
        "kingdom": rng.sample(kingdom, 10),
        "seed": rng.randrange(1000),
    }


def cards_in(state: Json) -> int:
    owned = sum(len(cards) for zone in ZONES for cards in state[zone].values())
    return int(owned + sum(state["deck size"].values()) + sum(state["supply"].values()) + len(state["trash"]))


def play_randomly(driver: Driver, setup: Json, seed: int, decisions: int = 400) -> set[str]:
    """Takes any option at each decision: all are accepted, and no card comes or goes between effects.

    Returns the kinds of decision that came up.
    """
    rng = random.Random(seed)
    assert driver.new(setup)["ok"]
    before: int | None = None
    kinds = set()
    for _ in range(decisions):
        decision = driver.decision()
        if decision.get("over") or not decision["options"]:
            break
        kinds.add(decision["kind"])
        state = driver.state()
        if decision["kind"] == "action" and "hand" in state:
            before = before or cards_in(state)
            assert cards_in(state) == before
        assert len({json.dumps(option) for option in decision["options"]}) == len(decision["options"])
        assert driver.apply(rng.choice(decision["options"]))["accepted"]
    return kinds


WRONG: list[Any] = [{}, {"buy": "Colony"}, {"sing": None}, {"play": 3}, {"play": "Estate", "x": 1}, None, "buy Gold"]
WRONG += [{verb: card} for verb in ("play", "buy", "gain", "topdeck", "set aside") for card in (*BASICS, "Moat")]
WRONG += [{verb: ["Copper"] * 30} for verb in ("trash", "discard", "put back")]


def refuse_what_is_not_offered(driver: Driver, setup: Json, seed: int) -> None:
    """At each decision of a random play, whatever is not an option is refused, and nothing changes."""
    rng = random.Random(seed)
    driver.new(setup)
    for _ in range(60):
        decision, state = driver.decision(), driver.state()
        if decision.get("over") or not decision["options"]:
            break
        other = next(name for name in state["players"] if name != decision["player"])
        for action in WRONG:
            if action not in decision["options"]:
                assert driver.apply(action)["accepted"] is False
        for player in (other, "Z", None):
            refused = driver.ask("apply", player=player, action=decision["options"][0])
            assert refused["accepted"] is False
        after = driver.decision()
        assert {**after, "seq": 0} == {**decision, "seq": 0}
        assert driver.state() == state
        driver.do(rng.choice(decision["options"]))


def buy_what_is_dear(driver: Driver, setup: Json) -> Json:
    """Plays all Treasures and buys the dearest Treasure or Province until the game is over; the last state."""
    assert driver.new(setup)["ok"]
    while not (decision := driver.decision()).get("over"):
        options = decision["options"]
        plays = [option for option in options if "play" in option]
        buys = [{"buy": card} for card in ("Province", "Gold", "Silver") if {"buy": card} in options]
        driver.do((plays or buys or options)[0])
    state = driver.state()
    assert state["over"]
    assert set(state["scores"]) == set(setup["players"])
    assert all(state["scores"][name] == max(state["scores"].values()) for name in state["winners"])
    assert driver.ask("apply", player="A", action={"end": "buy phase"})["accepted"] is False
    return state
