"""The pyminion harness, driven as a foreign program would be: by dicts alone, with no model of the rules."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator

import pytest

pytest.importorskip("pyminion", reason="pyminion 0.4.0 is not installed: pip install 'rules-oracle[pyminion]'")

from oracle.conformance.targets import bundled
from tests.harness_driver import (
    Driver,
    Json,
    buy_what_is_dear,
    load,
    play_randomly,
    refuse_what_is_not_offered,
    set_aside,
    setup_for,
)

module = load("pyminion")
KINGDOM: list[str] = module.KINGDOM


@pytest.fixture
def driver() -> Iterator[Driver]:
    harness = module.Harness()
    yield Driver(harness)
    harness.stop({})


@pytest.mark.parametrize("seed", range(8))
def test_random_games_take_every_option_and_keep_every_card(driver: Driver, seed: int) -> None:
    """Every option offered is accepted, and between effects no card comes or goes (Library set apart)."""
    rng = random.Random(seed)
    assert "action" in play_randomly(driver, setup_for(rng, sorted(set(KINGDOM) - {"Library"})), seed)


def test_a_game_reaches_its_end(driver: Driver) -> None:
    """A game of buying whatever is dearest ends with scores, winners and no further decision."""
    setup = {"players": ["A", "B"], "first": "B", "kingdom": ["Market", "Village"], "seed": 3}
    assert buy_what_is_dear(driver, setup)["winners"]


@pytest.mark.parametrize("seed", range(3))
def test_what_is_not_offered_is_refused_and_changes_nothing(driver: Driver, seed: int) -> None:
    """What is not among the options is refused, from whomever, and the position stays as it was."""
    refuse_what_is_not_offered(driver, setup_for(random.Random(seed), KINGDOM), seed)


def test_the_same_seed_gives_the_same_game(driver: Driver) -> None:
    """Opening hands and later draws depend on the seed alone."""
    setup = {"players": ["A", "B", "C"], "kingdom": ["Smithy"], "seed": 11}

    def opening() -> list[Json]:
        events: list[Json] = driver.new(setup)["events"]
        return events + driver.do({"end": "action phase"}, {"end": "buy phase"})

    first = opening()
    assert [event["player"] for event in first] == ["A", "B", "C", "A"]
    assert all(event["event"] == "drawn" and len(event["items"]) == 5 for event in first)
    assert opening() == first


def test_new_and_stop_leave_no_engine_behind(driver: Driver) -> None:
    """A play given up in the middle, even inside a card, is ended there."""
    before = set_aside()
    for seed in range(30):
        driver.position(hand={"A": ["Cellar", "Copper"]}, deck={"A": ["3 Gold"]})
        driver.do({"play": "Cellar"})
        driver.new({"players": ["A", "B"], "kingdom": ["Moat"], "seed": seed})
        assert set_aside() == before + 1
    driver.harness.stop({})
    assert set_aside() == before


def test_what_the_engine_raises_comes_out_of_the_request(driver: Driver) -> None:
    """An exception in the engine is raised by the request that led to it, and by later ones."""
    driver.position(hand={"A": ["Workshop"]})
    decider = driver.harness.decider
    decider.gain_decision = lambda **asked: []
    with pytest.raises(AssertionError):
        driver.apply({"play": "Workshop"})
    with pytest.raises(AssertionError):
        driver.decision()
    assert driver.position(hand={"A": ["Workshop"]})["ok"]


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"turn": "B", "in play": {"A": ["Copper"]}}, "in play"),
        ({"cards": {"Caravan": {"cost": 4, "types": ["Action"]}}}, "cards"),
        ({"waiting": [{"player": "A", "card": "Caravan", "at": "before turn"}]}, "waiting"),
        ({"phase": "night"}, "night"),
        ({"players": list("ABCDE")}, "5 players"),
        ({"hand": {"A": ["Woodcutter"]}}, "Woodcutter"),
        ({"hand": {"A": ["Silver"]}, "merchants": 1}, "Merchants"),
        ({"hand": {"A": ["Merchant"]}, "silvers": 1}, "Silvers"),
        ({"in play": {"A": ["Silver"]}, "kingdom": ["Merchant"]}, "Silvers"),
        ({"in play": {"A": ["Merchant"]}}, "Merchants"),
        ({"over": True}, "over"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_what_pyminion_cannot_hold_is_said_to_be_unsupported(driver: Driver, given: Json, word: str) -> None:
    """The answer names the feature, begins nothing, and does not stand in the way of the next play."""
    answer = driver.position(**given)
    assert word in answer["unsupported"]
    assert "ok" not in answer
    assert driver.position(hand={"A": ["Copper"]})["ok"]


def test_other_games_and_editions_are_unsupported(driver: Driver) -> None:
    """Only the games that `start` names are begun."""
    games = driver.harness.start({"protocol": 1})["games"]
    assert {(game["game"], game["edition"]) for game in games} == {("dominion", "2023"), ("dominion", "2016")}
    assert "unsupported" in driver.new({"players": ["A", "B"]}, edition="2008")
    assert "unsupported" in driver.ask("new", game="nim", edition="2023", setup={})


def test_a_position_is_observed_as_it_was_given(driver: Driver) -> None:
    """Hands, piles, counts and the turn come back from `observe`; the deck's top card comes first."""
    given: Json = {
        "players": ["A", "B", "C"],
        "turn": "B",
        "phase": "buy",
        "actions": 2,
        "buys": 3,
        "coins": 4,
        "hand": {"B": ["2 Copper", "Moat"], "C": ["Estate"]},
        "deck": {"A": ["Gold"], "B": ["Silver", ["3 Estate"]]},
        "discard": {"B": ["Duchy"]},
        "in play": {"B": ["Merchant", "Silver"]},
        "supply": {"Curse": 1, "Province": 0, "Smithy": 7},
        "trash": ["Curse"],
        "merchants": 1,
        "silvers": 1,
        "turns": {"A": 3, "B": 3, "C": 2},
    }
    assert driver.new({"position": given})["ok"]
    state = driver.state()
    for field in ("players", "turn", "phase", "actions", "buys", "coins", "trash", "turns"):
        assert state[field] == given[field]
    assert state["hand"] == {"A": [], "B": ["Copper", "Copper", "Moat"], "C": ["Estate"]}
    assert state["deck size"] == {"A": 1, "B": 4, "C": 0}
    assert state["discard"]["B"] == ["Duchy"]
    assert state["in play"]["B"] == ["Merchant", "Silver"]
    assert {pile: state["supply"][pile] for pile in given["supply"]} == given["supply"]
    assert state["supply"]["Moat"] == 9
    assert state["supply"]["Estate"] == 12
    assert list(driver.state("C")["hand"]) == ["C"]
    end = driver.do({"end": "buy phase"})
    assert end == [{"event": "drawn", "player": "B", "items": end[0]["items"]}]
    assert end[0]["items"][:1] == ["Silver"]
    assert driver.decision()["over"]


def test_the_turn_passes_from_the_seat_of_the_position(driver: Driver) -> None:
    """A turn begun in the middle of the seats goes on with the next seat, and counts the turns begun."""
    driver.position(turn="B", hand={"A": ["Copper"]}, turns={"A": 1, "B": 1})
    driver.do({"end": "action phase"}, {"end": "buy phase"})
    state = driver.state()
    assert (state["turn"], state["turns"]) == ("A", {"A": 2, "B": 1})


def test_the_buy_phase_is_one_decision(driver: Driver) -> None:
    """Treasures, buys and the end stand side by side; after a buy no Treasure is offered."""
    driver.position(phase="buy", hand={"A": ["2 Copper", "Gold"]}, buys=2, kingdom=["Moat"])
    first = driver.options()
    assert {"play": "Copper"} in first
    assert {"play": "Gold"} in first
    assert {"buy": "Curse"} in first
    assert {"buy": "Moat"} not in first
    driver.do({"play": "Gold"})
    assert {"buy": "Silver"} in driver.options()
    driver.do({"buy": "Moat"})
    second = driver.options()
    assert all("play" not in option for option in second)
    assert {"end": "buy phase"} in second
    driver.do({"buy": "Copper"})
    assert driver.options() == [{"end": "buy phase"}]
    state = driver.state()
    assert (state["discard"]["A"], state["coins"], state["buys"]) == (["Copper", "Moat"], 1, 0)


def test_no_treasure_is_offered_where_something_was_bought(driver: Driver) -> None:
    """A position inside the Buy phase after a buy begins with buys alone."""
    driver.position(phase="buy", bought=1, hand={"A": ["Gold"]}, coins=3)
    assert all("play" not in option for option in driver.options())
    assert {"buy": "Silver"} in driver.options()


def test_two_moats_are_one_question(driver: Driver) -> None:
    """A player with two Moats is asked once for an attack; the answer holds for both."""
    for answer, cards in (({"reveal": "Moat"}, 5), ({"reveal": None}, 3)):
        driver.position(hand={"A": ["Militia"], "B": ["2 Moat", "3 Copper"]})
        driver.do({"play": "Militia"})
        decision = driver.decision()
        assert decision["player"] == "B"
        assert sorted(map(str, decision["options"])) == sorted(map(str, ({"reveal": "Moat"}, {"reveal": None})))
        driver.do(answer)
        if cards == 3:
            assert {"discard": ["Copper", "Moat"]} in driver.options()
            driver.do({"discard": ["Copper", "Moat"]})
        assert len(driver.state()["hand"]["B"]) == cards
        assert driver.decision()["player"] == "A"


def test_sentry_asks_for_what_is_left(driver: Driver) -> None:
    """Trash, discard and order follow each other, each about what the last left; equal cards have no order."""
    given: Json = {"hand": {"A": ["Sentry"]}, "deck": {"A": ["Copper", "Estate", "Gold", "Duchy"]}}
    driver.position(**given)
    events = driver.do({"play": "Sentry"})
    assert [event["event"] for event in events] == ["drawn", "turned up"]
    assert events[1]["items"] == ["Estate", "Gold"]
    assert {"trash": ["Estate", "Gold"]} in driver.options()
    driver.do({"trash": []}, {"discard": []})
    decision = driver.decision()
    assert decision["kind"] == "order"
    assert sorted(map(str, decision["options"])) == [
        "{'put back': ['Estate', 'Gold']}",
        "{'put back': ['Gold', 'Estate']}",
    ]
    driver.do({"put back": ["Gold", "Estate"]})
    assert driver.state()["deck size"]["A"] == 3
    for trashed, rest in ((["Estate"], ["Gold"]), (["Gold"], ["Estate"])):
        driver.position(**given)
        driver.do({"play": "Sentry"}, {"trash": trashed})
        assert sorted(map(str, driver.options())) == sorted(map(str, ({"discard": []}, {"discard": rest})))
        driver.do({"discard": rest})
        state = driver.state()
        assert (state["trash"], state["discard"]["A"], state["deck size"]["A"]) == (trashed, rest, 1)
    driver.position(hand={"A": ["Sentry"]}, deck={"A": ["Copper", "2 Estate"]})
    driver.do({"play": "Sentry"}, {"trash": []}, {"discard": []})
    assert driver.decision()["kind"] == "action"


@pytest.mark.parametrize("top", ["Gold", "Estate"])
def test_sentry_puts_back_the_first_named_on_top(driver: Driver, top: str) -> None:
    """After `put back X, Y` the next card drawn is X."""
    under = "Estate" if top == "Gold" else "Gold"
    driver.position(hand={"A": ["Sentry", "Village"]}, deck={"A": ["Copper", "Estate", "Gold"]})
    driver.do({"play": "Sentry"}, {"trash": []}, {"discard": []}, {"put back": [top, under]})
    assert driver.do({"play": "Village"}) == [{"event": "drawn", "player": "A", "items": [top]}]


def test_library_draws_one_card_at_a_time(driver: Driver) -> None:
    """Each card Library takes is a `drawn` event of its own; an Action among them is asked about."""
    driver.position(hand={"A": ["Library", "5 Copper"]}, deck={"A": ["Gold", "Moat", "Estate", "Duchy"]})
    events = driver.do({"play": "Library"})
    assert [event["items"] for event in events] == [["Gold"], ["Moat"]]
    assert sorted(map(str, driver.options())) == ["{'keep': 'Moat'}", "{'set aside': 'Moat'}"]
    assert [event["items"] for event in driver.do({"set aside": "Moat"})] == [["Estate"]]
    assert driver.state()["discard"]["A"] == ["Moat"]


def test_a_question_with_no_answer_is_a_decision_without_options(driver: Driver) -> None:
    """Remodel with an empty hand wants a card that is not there: pyminion offers no way on."""
    driver.position(hand={"A": ["Remodel"]})
    driver.do({"play": "Remodel"})
    decision = driver.decision()
    assert (decision["kind"], decision["options"]) == ("choice", [])
    assert driver.apply({"end": "action phase"})["accepted"] is False


def test_served_over_lines() -> None:
    """As a process it answers one JSON object a line and ends at `stop`."""
    requests: list[Json] = [
        {"request": "start", "protocol": 1},
        {
            "request": "new",
            "seq": 1,
            "game": "dominion",
            "edition": "2023",
            "setup": {"players": ["A", "B"], "seed": 1},
        },
        {"request": "decision", "seq": 2},
        {"request": "stop"},
    ]
    script = bundled()["pyminion"] / "harness.py"
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    run = subprocess.run([sys.executable, str(script)], input=lines, capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")
    started, created, decided = map(json.loads, run.stdout.splitlines())
    assert started["implementation"]["name"] == "pyminion"
    assert created["ok"]
    assert decided["options"] == [{"end": "action phase"}]
