"""The evolvedominion harness, driven as a foreign program would be: by dicts alone, with no model of the rules."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator

import pytest

pytest.importorskip(
    "evolvedominion", reason="evolvedominion 1.0.3 is not installed: pip install 'rules-oracle[evolvedominion]'"
)

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

module = load("evolvedominion")
KINGDOM: list[str] = module.KINGDOM


@pytest.fixture
def driver() -> Iterator[Driver]:
    harness = module.Harness()
    yield Driver(harness)
    harness.stop({})


def same(options: list[Json], *expected: Json) -> bool:
    return sorted(map(str, options)) == sorted(map(str, expected))


@pytest.mark.parametrize("seed", range(8))
def test_random_games_take_every_option_and_keep_every_card(driver: Driver, seed: int) -> None:
    """Every option offered is accepted, and between effects no card comes or goes."""
    assert "action" in play_randomly(driver, setup_for(random.Random(seed), KINGDOM), seed)


def test_a_game_reaches_its_end(driver: Driver) -> None:
    """A game of buying whatever is dearest ends with scores, one winner and no further decision."""
    setup = {"players": ["A", "B"], "first": "B", "kingdom": ["Market", "Village"], "seed": 3}
    assert len(buy_what_is_dear(driver, setup)["winners"]) == 1


@pytest.mark.parametrize("seed", range(3))
def test_what_is_not_offered_is_refused_and_changes_nothing(driver: Driver, seed: int) -> None:
    """What is not among the options is refused, from whomever, and the position stays as it was."""
    refuse_what_is_not_offered(driver, setup_for(random.Random(seed), KINGDOM), seed)


def test_all_the_cards_of_the_base_set_are_known_by_their_printed_names() -> None:
    """The names are those of the 26 kingdom cards and the seven basic ones."""
    assert len(KINGDOM) == 26
    assert {"Throne Room", "Council Room"} <= set(KINGDOM)


def test_the_first_player_begins_and_the_others_follow_in_their_order(driver: Driver) -> None:
    """Opening hands and turns go round from the first player, whom evolvedominion would draw by lot."""
    for seed in range(6):
        created = driver.new({"players": ["A", "B", "C"], "first": "B", "kingdom": ["Smithy"], "seed": seed})
        assert [event["player"] for event in created["events"]] == ["B", "C", "A"]
        turns = []
        for _ in range(4):
            turns.append(driver.state()["turn"])
            driver.do({"end": "action phase"}, {"end": "buy phase"})
        assert turns == ["B", "C", "A", "B"]
        assert driver.state()["players"] == ["A", "B", "C"]


def test_the_same_seed_gives_the_same_game(driver: Driver) -> None:
    """Opening hands depend on the seed alone."""
    setup = {"players": ["A", "B"], "kingdom": ["Smithy"], "seed": 11}
    assert driver.new(setup)["events"] == driver.new(setup)["events"]
    assert driver.new(setup)["events"] != driver.new({**setup, "seed": 12})["events"]


def test_the_same_choices_make_the_same_game(driver: Driver) -> None:
    """What is drawn depends on seed and choices alone, not on where the engine's cards lie in memory."""
    setup = {"players": ["A", "B"], "kingdom": ["Cellar", "Chapel", "Village"], "seed": 5}

    def played() -> list[Json]:
        rng = random.Random(5)
        told: list[Json] = driver.new(setup)["events"]
        for _ in range(150):
            options = driver.options()
            plays = [
                option for option in options if "play" in option or option in ({"buy": "Chapel"}, {"buy": "Cellar"})
            ]
            told += driver.do(rng.choice(plays or options))
        return told

    first = played()
    assert {"Cellar", "Chapel"} <= {card for event in first for card in event["items"]}
    assert all(played() == first for _ in range(4))


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
    driver.harness.session.seen.piles[4].clear()
    driver.harness.session.seen.piles[4].append("no piece at all")
    with pytest.raises(AttributeError):
        driver.apply({"play": "Workshop"})
    with pytest.raises(AttributeError):
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
        ({"over": True}, "over"),
    ],
)
def test_what_evolvedominion_cannot_hold_is_said_to_be_unsupported(driver: Driver, given: Json, word: str) -> None:
    """The answer names the feature, begins nothing, and does not stand in the way of the next play."""
    answer = driver.position(**given)
    assert word in answer["unsupported"]
    assert "ok" not in answer
    assert driver.position(hand={"A": ["Copper"]})["ok"]


def test_other_games_and_editions_are_unsupported(driver: Driver) -> None:
    """Only the games that `start` names are begun."""
    assert "unsupported" in driver.new({"players": ["A", "B"]}, edition="2008")
    assert "unsupported" in driver.ask("new", game="nim", edition="2023", setup={})


def test_a_position_is_observed_as_it_was_given(driver: Driver) -> None:
    """Hands, piles, counts and the turn come back from `observe`; the deck's top card comes first."""
    given: Json = {
        "players": ["A", "B", "C"],
        "turn": "B",
        "phase": "buy",
        "buys": 3,
        "coins": 4,
        "hand": {"B": ["2 Copper", "Moat"], "C": ["Estate", "Gardens"]},
        "deck": {"A": ["Gold"], "B": ["Silver", ["3 Estate"]]},
        "discard": {"B": ["Duchy"]},
        "in play": {"B": ["Merchant", "Silver"]},
        "supply": {"Curse": 1, "Province": 0, "Smithy": 7},
        "trash": ["Curse"],
        "turns": {"A": 3, "B": 3, "C": 2},
    }
    assert driver.new({"position": given})["ok"]
    state = driver.state()
    for field in ("players", "turn", "phase", "buys", "coins", "trash", "turns"):
        assert state[field] == given[field]
    assert state["hand"] == {"A": [], "B": ["Copper", "Copper", "Moat"], "C": ["Estate", "Gardens"]}
    assert state["deck size"] == {"A": 1, "B": 4, "C": 0}
    assert state["discard"]["B"] == ["Duchy"]
    assert state["in play"]["B"] == ["Merchant", "Silver"]
    assert {pile: state["supply"][pile] for pile in given["supply"]} == given["supply"]
    assert [state["supply"][pile] for pile in ("Moat", "Gardens", "Estate", "Duchy", "Gold")] == [9, 11, 12, 11, 29]
    assert list(driver.state("C")["hand"]) == ["C"]
    end = driver.do({"end": "buy phase"})
    assert [(event["event"], event["player"], event["items"][0]) for event in end] == [("drawn", "B", "Silver")]
    assert driver.decision()["over"]


def test_merchants_and_silvers_played_are_counted_apart_from_what_is_in_play(driver: Driver) -> None:
    """The first Silver of a turn earns one more for each Merchant played, which need not lie in play."""
    for silvers, coins in ((0, 4), (1, 2)):
        driver.position(phase="buy", hand={"A": ["Silver"]}, merchants=2, silvers=silvers)
        driver.do({"play": "Silver"})
        assert driver.state()["coins"] == coins


def test_treasures_are_played_all_or_none(driver: Driver) -> None:
    """Each Treasure may be the first of all, but once one is played neither a buy nor the end is offered."""
    driver.position(phase="buy", hand={"A": ["2 Copper", "Gold"]}, kingdom=["Moat"])
    first = driver.options()
    for option in ({"play": "Copper"}, {"play": "Gold"}, {"buy": "Curse"}, {"end": "buy phase"}):
        assert option in first
    driver.do({"play": "Copper"})
    assert same(driver.options(), {"play": "Copper"}, {"play": "Gold"})
    assert "hand" not in driver.state()
    driver.do({"play": "Gold"}, {"play": "Copper"})
    state = driver.state()
    assert (state["coins"], state["in play"]["A"]) == (5, ["Copper", "Copper", "Gold"])
    assert {"buy": "Duchy"} in driver.options()


def test_a_buy_or_the_end_may_come_before_any_treasure(driver: Driver) -> None:
    """What is chosen instead of the Treasures is carried out as the first answer of the buy phase."""
    driver.position(phase="buy", hand={"A": ["Copper"]}, buys=2, coins=3)
    driver.do({"buy": "Silver"})
    assert driver.state()["discard"]["A"] == ["Silver"]
    assert all("play" not in option for option in driver.options())
    driver.do({"buy": "Curse"})
    assert driver.options() == [{"end": "buy phase"}]
    driver.position(phase="buy", hand={"A": ["Copper"]})
    driver.do({"end": "buy phase"})
    assert driver.state()["turn"] == "B"


def test_choices_made_at_once_are_asked_one_after_the_other(driver: Driver) -> None:
    """Mine, Remodel and Artisan: first the one card, then what goes with it."""
    driver.position(hand={"A": ["Mine", "Copper", "Silver"]})
    driver.do({"play": "Mine"})
    assert same(driver.options(), {"trash": []}, {"trash": ["Copper"]}, {"trash": ["Silver"]})
    driver.do({"trash": ["Copper"]})
    assert same(driver.options(), {"gain": "Copper"}, {"gain": "Silver"})
    assert "hand" not in driver.state()
    driver.do({"gain": "Silver"})
    assert driver.state()["hand"]["A"] == ["Silver", "Silver"]
    driver.position(hand={"A": ["Artisan", "Estate"]})
    driver.do({"play": "Artisan"}, {"gain": "Duchy"})
    assert same(driver.options(), {"topdeck": "Estate"}, {"topdeck": "Duchy"})
    driver.do({"topdeck": "Duchy"})
    assert driver.state()["deck size"]["A"] == 1
    driver.position(hand={"A": ["Remodel"]})
    driver.do({"play": "Remodel"})
    assert driver.decision()["kind"] == "action"


def test_militia_is_one_choice(driver: Driver) -> None:
    """evolvedominion asks the victim for card after card; here all that are to go are named at once."""
    driver.position(hand={"A": ["Militia"], "B": ["3 Copper", "2 Estate"]})
    driver.do({"play": "Militia"})
    options = driver.options()
    assert same(options, *({"discard": pair} for pair in (["Copper"] * 2, ["Copper", "Estate"], ["Estate"] * 2)))
    driver.do({"discard": ["Estate", "Copper"]})
    assert driver.state()["hand"]["B"] == ["Copper", "Copper", "Estate"]


def test_a_moat_is_shown_whether_its_owner_wants_or_not(driver: Driver) -> None:
    """With a Moat in hand the only option is to reveal it; without one nobody is asked."""
    driver.position(hand={"A": ["Witch"], "B": ["2 Moat"]})
    driver.do({"play": "Witch"})
    decision = driver.decision()
    assert (decision["player"], decision["options"]) == ("B", [{"reveal": "Moat"}])
    driver.do({"reveal": "Moat"})
    assert driver.state()["discard"]["B"] == []
    driver.position(hand={"A": ["Witch"]})
    driver.do({"play": "Witch"})
    assert driver.state()["discard"]["B"] == ["Curse"]


def test_sentry_asks_for_what_is_left(driver: Driver) -> None:
    """Trash, discard and order follow each other; the first card named is put on top."""
    given: Json = {"hand": {"A": ["Sentry", "Village"]}, "deck": {"A": ["Copper", "Estate", "Gold", "Duchy"]}}
    for top, under in (("Gold", "Estate"), ("Estate", "Gold")):
        driver.position(**given)
        assert driver.do({"play": "Sentry"})[1]["items"] == ["Estate", "Gold"]
        driver.do({"trash": []}, {"discard": []})
        assert driver.decision()["kind"] == "order"
        driver.do({"put back": [top, under]})
        assert driver.do({"play": "Village"})[0]["items"] == [top]
    for trashed, rest in (("Estate", "Gold"), ("Gold", "Estate")):
        driver.position(**given)
        driver.do({"play": "Sentry"}, {"trash": [trashed]})
        assert same(driver.options(), {"discard": []}, {"discard": [rest]})
        driver.do({"discard": [rest]})
        state = driver.state()
        assert (state["trash"], state["discard"]["A"], state["deck size"]["A"]) == ([trashed], [rest], 1)


def test_vassal_and_library_tell_what_they_turn_up(driver: Driver) -> None:
    """The card is reported before the question about it; a card that leaves no choice raises no question."""
    driver.position(hand={"A": ["Vassal"]}, deck={"A": ["Smithy", "4 Copper"]})
    assert driver.do({"play": "Vassal"}) == [{"event": "turned up", "player": "A", "items": ["Smithy"]}]
    assert same(driver.options(), {"play": None}, {"play": "Smithy"})
    assert driver.do({"play": "Smithy"})[0]["items"] == ["Copper"] * 3
    driver.position(hand={"A": ["Library", "5 Copper"]}, deck={"A": ["Gold", "Moat", "Estate", "Duchy"]})
    assert [event["items"] for event in driver.do({"play": "Library"})] == [["Gold"], ["Moat"]]
    assert same(driver.options(), {"keep": "Moat"}, {"set aside": "Moat"})
    assert [event["items"] for event in driver.do({"set aside": "Moat"})] == [["Estate"]]
    assert driver.state()["discard"]["A"] == ["Moat"]


def test_cellar_offers_what_a_person_may_choose(driver: Driver) -> None:
    """All selections of the hand are offered, not only those that the engine gives its computer players."""
    driver.position(hand={"A": ["Cellar", "Copper", "Estate"]}, deck={"A": ["2 Gold"]})
    driver.do({"play": "Cellar"})
    assert same(driver.options(), *({"discard": cards} for cards in ([], ["Copper"], ["Estate"], ["Copper", "Estate"])))


def test_served_over_lines() -> None:
    """As a process it answers one JSON object a line, whatever the engine prints, and ends at `stop`."""
    position = {"hand": {"A": ["Library", "6 Copper"]}, "deck": {"A": ["Gold"]}}
    new = {"request": "new", "seq": 1, "game": "dominion", "edition": "2023", "setup": {"position": position}}
    requests: list[Json] = [
        {"request": "start", "protocol": 1},
        new,
        {"request": "apply", "seq": 2, "player": "A", "action": {"play": "Library"}},
        {"request": "decision", "seq": 3},
        {"request": "stop"},
    ]
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    command = [sys.executable, str(bundled()["evolvedominion"] / "harness.py")]
    run = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=120)
    assert (run.returncode, run.stderr) == (0, "")
    started, created, applied, decided = map(json.loads, run.stdout.splitlines())
    assert started["implementation"]["name"] == "evolvedominion"
    assert created["ok"]
    assert applied["events"] == [{"event": "drawn", "player": "A", "items": ["Gold"]}]
    assert decided["options"] == [{"end": "action phase"}]
