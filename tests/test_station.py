"""The Station: its two voices agree, nothing is lost, and its legal sets are counted without listing them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice, product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.errors import BadAction, BadPosition, IllegalAction
from oracle.game import Action, Event
from oracle.games import load
from oracle.games.station import GAME, State
from oracle.games.station.payments import Payments
from oracle.games.station.placement import CORE, VACANT, Map, connected, rings
from oracle.games.station.state import IN_TURN, credit
from oracle.timing import Calendar, Moment, Trigger, Unit, next_up
from oracle.zones import Bag, bag

EDITION = "v3"
LISTED = 3000
"""Legal sets up to this size are listed in tests."""


def chooser(data: st.DataObject) -> Callable[[int], int]:
    """Choices made by Hypothesis."""
    return lambda n: data.draw(st.integers(0, n - 1)) if n > 1 else 0


def drawn(data: st.DataObject) -> State:
    """Any position that can be written, sometimes with an action already under way."""
    choose = chooser(data)
    state = GAME.position(GAME.sample_position(choose), EDITION)
    for _ in range(choose(3)):
        decision = GAME.decision(state)
        if decision is None:
            break
        state, _ = GAME.play(state, decision.legal[choose(len(decision.legal))])
    return state


def at(**fields: Any) -> State:
    """A position of A and B with nothing but these fields."""
    return GAME.position({name.replace("_", " "): value for name, value in fields.items()}, EDITION)


def texts(state: State) -> set[str]:
    """The legal actions as texts."""
    decision = GAME.decision(state)
    return {GAME.text(action) for action in decision.legal} if decision else set()


def do(state: State, *actions: str) -> State:
    """The state after some actions."""
    for action in actions:
        state, _ = GAME.apply(state, GAME.read(action))
    return state


def game(seed: int) -> Iterator[tuple[State, Action | None, tuple[Event, ...]]]:
    """The states of a random game, each with the action and the events that led to it."""
    random = Random(seed)
    state = GAME.start(GAME.sample_setup(random.randrange), EDITION)
    yield state, None, ()
    while decision := GAME.decision(state):
        action = decision.legal[random.randrange(len(decision.legal))]
        state, events = GAME.play(state, action)
        yield state, action, events


# -- two voices ------------------------------------------------------------------------------------


def agree(state: State) -> None:
    """Holds the guard against the generator over the whole candidate universe, for each player and chance."""
    decision = GAME.decision(state)
    mover = decision.player if decision else None
    for action in GAME.candidates(state):
        verdict = GAME.judge(state, mover, action)
        offered = decision is not None and action in decision.legal
        assert verdict.legal == offered, (GAME.text(action), verdict.deciding, GAME.observe(state))
    for action in islice(GAME.candidates(state), 0, None, 40):
        for player in (None, *(seat.name for seat in state.seats)):
            if decision is None or player != decision.player:
                assert not GAME.judge(state, player, action).legal


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_guard_and_generator_agree_on_drawn_positions(data: st.DataObject) -> None:
    """What the guard allows of all that can be written is what the generator has; Hypothesis makes a failure small."""
    agree(drawn(data))


@pytest.mark.parametrize("seed", range(4))
def test_guard_and_generator_agree_on_many_positions(seed: int) -> None:
    """The same on positions that are spread more evenly, each with an action after it."""
    random = Random(seed)
    for _ in range(60):
        state = GAME.position(GAME.sample_position(random.randrange), EDITION)
        agree(state)
        if decision := GAME.decision(state):
            agree(GAME.play(state, decision.legal[random.randrange(len(decision.legal))])[0])


@settings(deadline=None, max_examples=100)
@given(st.data())
def test_every_legal_action_is_allowed_and_counted_once(data: st.DataObject) -> None:
    """The guard allows each member; members are distinct, as many as counted, indexed in order and written back."""
    state = drawn(data)
    decision = GAME.decision(state)
    if decision is None or len(decision.legal) > LISTED:
        return
    listed = list(decision.legal)
    assert 1 <= len(listed) == len(decision.legal) == len(set(listed))
    assert [decision.legal[i] for i in range(len(listed))] == listed
    for action in listed:
        assert action in decision.legal
        assert GAME.judge(state, decision.player, action).legal, GAME.text(action)
        assert GAME.read(GAME.text(action)) == action == GAME.read(GAME.json(action))


@pytest.mark.parametrize("seed", range(4))
def test_guard_and_generator_agree_in_games(seed: int) -> None:
    """The same on reachable positions, where all that is in the box is in play."""
    for state, _, _ in islice(game(seed), 0, None, 6):
        decision = GAME.decision(state)
        if decision is not None:
            for action in islice(GAME.candidates(state), seed, None, 3):
                verdict = GAME.judge(state, decision.player, action)
                assert verdict.legal == (action in decision.legal), (GAME.text(action), verdict.deciding)


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_pass_is_legal_where_no_action_is_or_the_end_is_triggered(data: st.DataObject) -> None:
    """The guard's closed form of passing says the same as asking it about every single action."""
    state = GAME.position(GAME.sample_position(chooser(data)), EDITION)
    if state.over:
        return
    player = state.mover.name
    others = (action for action in GAME.candidates(state) if action.verb != "pass")
    acts = any(GAME.judge(state, player, action).legal for action in others)
    assert GAME.judge(state, player, Action("pass")).legal == (state.ended or not acts)


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_every_verdict_and_decision_names_a_rule_of_the_rulebook(data: st.DataObject) -> None:
    """No verdict is without a rule, and no rule is unknown."""
    state = drawn(data)
    decision = GAME.decision(state)
    named = set(decision.rules if decision else GAME.outcome(state).rules)  # type: ignore[union-attr]
    for action in GAME.candidates(state):
        for player in (None, "A", "Z"):
            verdict = GAME.judge(state, player, action)
            assert verdict.rules
            named.update(reason.rule for reason in verdict.reasons)
    assert not [rule for rule in sorted(named) if rule not in GAME.rulebook]


@settings(deadline=None)
@given(st.lists(st.sampled_from([f"{guild} {n}" for guild in ("a", "b", "c", "d") for n in (1, 2, 3, 8)]), max_size=6))
def test_acquires_are_all_bags_that_the_section_allows(display: list[str]) -> None:
    """One card, or two or three of different guilds worth at most 7, and nothing else: by trying every bag."""
    brute: set[Bag] = set()
    for chosen in product((False, True), repeat=len(display)):
        cards = [credit(card) for card, taken in zip(display, chosen, strict=True) if taken]
        several = len(cards) in (2, 3) and len({card.guild for card in cards}) == len(cards)
        if len(cards) == 1 or (several and sum(card.value for card in cards) <= 7):
            brute.add(bag(f"{card.guild} {card.value}" for card in cards))
    legal = at(display=display)
    assert texts(legal) == ({f"acquire {', '.join(cards)}" for cards in brute} or {"pass"})


# -- legal sets ------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.lists(st.integers(1, 9), max_size=8), st.integers(0, 20), st.booleans())
def test_payments_are_all_bags_that_cover(values: list[int], due: int, needless: bool) -> None:
    """Counted, listed and asked, they are what trying every bag gives."""
    purse = bag(f"blue {value}" for value in values)
    brute: set[Bag] = set()
    for chosen in product((False, True), repeat=len(purse)):
        cards = bag(card for card, take in zip(purse, chosen, strict=True) if take)
        worth = [credit(card).value for card in cards]
        if sum(worth) >= due and (needless or all(sum(worth) - value < due for value in worth)):
            brute.add(cards)
    payments = Payments(purse, due, needless)
    assert len(payments) == len(brute)
    assert {payments.nth(i) for i in range(len(payments))} == brute
    assert all(cards in payments for cards in brute)
    assert purse in payments or purse not in brute
    with pytest.raises(IndexError):
        payments.nth(len(payments))


def rich() -> State:
    """A hand of 30 credits, five modules that it can buy, and a station of 40 nodes, 13 of them occupied."""
    map = rings(3, 12, 24)
    guilds = ("blue", "red", "green", "gold", "white")
    names = [f"{guild} {value}" for guild in guilds for value in (1, 2, 3, 5, 6, 8)]
    modules: dict[str, Any] = {f"M{i}": {"guild": guild, "cost": 4} for i, guild in enumerate(guilds)}
    modules["Block"] = {"guild": "blue", "cost": 1}
    return at(
        hand={"A": names},
        modules=modules,
        market={str(i + 1): f"M{i}" for i in range(5)},
        map={"nodes": list(map.nodes), "links": [list(link) for link in map.links]},
        station={"A": dict.fromkeys(map.nodes[1:13], "Block")},
        dock={"A": ["M0", "M1", "Block"]},
        display=["blue 1", "red 1", "green 1", "gold 8", "white 2", "white 3"],
    )


def test_legal_set_of_a_hand_of_thirty_and_a_station_of_forty() -> None:
    """It is counted, asked and indexed without being listed, and the count is what the families come to."""
    state = rich()
    assert len(state.mover.hand) == 30
    assert len(state.mover.station) == 40
    decision = GAME.decision(state)
    assert decision is not None
    legal = decision.legal
    guild = sum(1 for chosen in product((0, 1), repeat=6) if sum(map(int.__mul__, chosen, (1, 2, 3, 5, 6, 8))) >= 4)
    nodes = [node for node in state.table.map.nodes if GAME.judge(state, "A", _install("M0", node)).legal]
    assert len(legal) - len(legal.single) == 5 * guild * (len(nodes) + 1)
    assert len(legal) > 3000
    for index in range(0, len(legal), 997):
        assert legal[index] in legal
        assert GAME.judge(state, "A", legal[index]).legal


def test_legal_set_of_thirty_credits_of_one_guild() -> None:
    """Hundreds of thousands of payments for each destination are counted, not listed."""
    hand = [f"blue {value}" for value in (*range(1, 16), *range(1, 16))]
    state = at(hand={"A": hand}, modules={"M": {"guild": "blue", "cost": 9}}, market={"1": "M"}, placement="free")
    decision = GAME.decision(state)
    assert decision is not None
    short = sum(1 for _ in _bags_below(9))
    assert len(decision.legal) == (3**15 - short) * 19
    last = decision.legal[len(decision.legal) - 1]
    assert last in decision.legal
    assert GAME.judge(state, "A", last).legal


def _bags_below(due: int) -> Iterator[tuple[int, ...]]:
    """The ways to take each value up to twice for less than what is due."""
    yield from (n for n in product((0, 1, 2), repeat=due - 1) if sum(map(int.__mul__, n, range(1, due))) < due)


def _install(module: str, node: str) -> Action:
    return GAME.action("install", module, at=(node,))


# -- what is never lost ----------------------------------------------------------------------------


def credits_of(state: State) -> Counter[str]:
    """All credit cards, wherever they lie."""
    cards = Counter((*state.display, *state.discard, *(card for layer in state.deck for card in layer)))
    cards.update(card for seat in state.seats for card in seat.hand)
    return cards


def modules_of(state: State) -> Counter[str]:
    """All modules, wherever they lie."""
    modules = Counter(module for module in state.market if module)
    modules.update(module for layer in state.salvage for module in layer)
    for seat in state.seats:
        modules.update((*seat.dock, *(module for module in seat.station if module != VACANT)))
    return modules


@pytest.mark.parametrize("seed", range(12))
def test_games_lose_nothing_and_end(seed: int) -> None:
    """Cards and modules stay the same; display, docks and Core are in bounds; each turn is one place on; it ends."""
    states = game(seed)
    first, _, _ = next(states)
    last, turns, purchases = first, 0, 0
    for state, action, events in states:
        assert credits_of(state) == credits_of(first)
        assert modules_of(state) == modules_of(first)
        assert len(state.display) <= 6
        for seat in state.seats:
            assert len(seat.dock) <= 4
            assert not Counter(seat.scored) - Counter(seat.dock)
            assert seat.station[state.table.map.core] == "Command Core"
        ended = [event for event in events if event.event == "turn ended"]
        assert len(ended) <= 1
        turns += len(ended)
        purchases += sum(1 for event in events if event.event == "purchased")
        if ended and not state.over:
            assert state.turn == last.following
            assert (state.round > last.round) == (state.turn == state.starting)
        assert not (action and action.verb == "pass" and not last.ended and last.display)
        last = state
    assert last.over
    assert turns == last.round * len(last.seats)
    outcome = GAME.outcome(last)
    assert outcome is not None
    assert set(outcome.winners) == {name for name, n in outcome.scores.items() if n == max(outcome.scores.values())}
    assert outcome.next_first == ()
    assert sum(seat.counter for seat in last.seats) == purchases > 0


@settings(deadline=None, max_examples=100)
@given(st.data())
def test_a_position_is_read_back_as_it_is_observed(data: st.DataObject) -> None:
    """`position` of `observe` is the same state, wherever nothing is under way."""
    state = drawn(data)
    if state.stack:
        with pytest.raises(BadPosition, match="under way"):
            GAME.position(GAME.observe(state), EDITION)
    else:
        assert GAME.position(GAME.observe(state), EDITION) == state
    seen = GAME.observe(state, "A")
    assert "deck" not in seen
    assert "salvage" not in seen


def test_the_game_is_found_by_name() -> None:
    """It is loaded like any other game."""
    assert load("station") is GAME


# -- readings and parameters -----------------------------------------------------------------------

FREE: dict[str, Any] = {
    "modules": {"Pump": {"guild": "blue", "cost": 1}},
    "market": {"2": "Pump"},
    "discount": {"2": 3},
    "map": {"nodes": ["core"]},
    "hand": {"A": ["blue 1", "blue 2"]},
}


@pytest.mark.parametrize(
    ("readings", "payments"),
    [
        ({}, {"nothing", "blue 1", "blue 2", "blue 1, blue 2"}),
        ({"pay nothing": False}, {"blue 1", "blue 2", "blue 1, blue 2"}),
        ({"needless payment": False}, {"nothing"}),
        ({"needless payment": False, "pay nothing": False}, {"blue 1", "blue 2"}),
    ],
)
def test_what_costs_nothing_is_paid_as_the_reading_says(readings: dict[str, Any], payments: set[str]) -> None:
    """For a cost discounted to 0; guard and generator follow the reading alike."""
    state = at(**FREE, **readings)
    assert texts(state) == {f"purchase Pump from 2 pay {cards} to dock" for cards in payments}
    for action in GAME.candidates(state):
        offered = GAME.decision(state).legal  # type: ignore[union-attr]
        assert GAME.judge(state, "A", action).legal == (action in offered)


def test_paying_nothing_for_nothing_is_exact() -> None:
    """So a card is taken; paying anything is more than exact, and none is."""
    state = at(**FREE, display=["red 3", "red 4"])
    assert texts(do(state, "purchase Pump from 2 pay nothing to dock")) == {"take red 3"}
    assert do(state, "purchase Pump from 2 pay blue 1 to dock").turn == 1


def test_without_the_reading_identical_modules_are_not_exchanged() -> None:
    """Then the commander who can do nothing else passes."""
    fields: dict[str, Any] = {
        "map": {"nodes": ["core", "n1"], "links": [["core", "n1"]]},
        "station": {"A": {"n1": "Scanner"}},
        "dock": {"A": ["Scanner"] * 4},
    }
    assert texts(at(**fields)) == {"exchange n1 for Scanner"}
    assert texts(at(**fields, identical_exchange=False)) == {"pass"}


@pytest.mark.parametrize(
    ("scoring", "renown", "scores"),
    [("first install", [2, 2, 2], 2), ("every install", [2, 2, 4], 4), ("at the end", [0, 0, 0], 2)],
)
def test_renown_is_scored_as_the_parameter_says(scoring: str, renown: list[int], scores: int) -> None:
    """Installed, stowed and installed again: Renown is kept in the dock, and scored again only where it should be."""
    state = at(dock={"A": ["Refinery"]}, scoring=scoring, ended=False)
    seen = []
    for action in ("install Refinery at n1", "stow n1", "install Refinery at n2"):
        state = do(state, action)
        seen.append(state.seats[0].renown)
        state = do(state, "pass")
    assert seen == renown
    over = GAME.observe(state) | {"over": True}
    outcome = GAME.outcome(GAME.position(over, EDITION))
    assert outcome is not None
    assert outcome.scores == {"A": scores, "B": 0}


def test_a_docked_module_does_not_count_at_the_end() -> None:
    """With scoring at the end, a stowed module is worth nothing."""
    state = do(at(station={"A": {"n1": "Refinery"}}, scoring="at the end"), "stow n1")
    outcome = GAME.outcome(GAME.position(GAME.observe(state) | {"over": True}, EDITION))
    assert outcome is not None
    assert outcome.scores["A"] == 0


def test_drift_is_for_what_lay_in_the_market_when_the_round_began() -> None:
    """The discount comes at the round's end, adds up, and leaves with the module."""
    fields: dict[str, Any] = {"hand": {"A": ["blue 5"]}, "salvage": ["Vault", "Torus"], "end": {}, "drift": 2}
    state = at(**fields, market={"1": "Cistern", "2": "Scanner"}, discount={"1": 1}, map={"nodes": ["core"]})
    state = do(state, "purchase Cistern from 1 pay blue 5 to dock")
    assert (state.market[:2], state.discount[:2], state.eligible) == (("Vault", "Scanner"), (0, 0), (1,))
    state = do(state, "pass")
    assert (state.round, state.discount[:2], state.eligible) == (2, (0, 2), (0, 1))
    state = do(state, "pass", "pass")
    assert (state.round, state.discount[:2]) == (3, (2, 4))


def test_a_counter_ends_the_game_after_its_round() -> None:
    """The purchase that brings it to the number triggers the end; one fewer does not."""
    fields: dict[str, Any] = {"hand": {"A": ["gold 4"]}, "market": {"5": "Scanner"}, "end": {"counter": 3}}
    for before, over in ((1, False), (2, True)):
        state = do(at(**fields, counter={"A": before}), "purchase Scanner from 5 pay gold 4 to dock")
        assert (state.ended, state.over, state.turn) == (over, False, 1)
        assert do(state, "pass").over == over


@given(st.integers(0, (1 << 12) - 1))
def test_connected_is_reaching_the_core_step_by_step(occupied: int) -> None:
    """The flood over bit masks finds what walking from node to node finds."""
    map = Map(["n1", CORE, *(f"n{i}" for i in range(2, 13))], rings(4, 8).links)
    station = tuple("X" if node == CORE or occupied >> i & 1 else VACANT for i, node in enumerate(map.nodes))
    full = {node for node, module in zip(map.nodes, station, strict=True) if module}
    reached: set[str] = set()
    todo = [CORE]
    while todo:
        node = todo.pop()
        if node in full and node not in reached:
            reached.add(node)
            todo += [end for link in map.links if node in link for end in link]
    assert connected(map, station) == (reached == full)


# -- input -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "path", "says"),
    [
        ({"displya": []}, "displya", "display"),
        ({"display": ["blue 1"] * 7}, "display", "at most 6"),
        ({"display": ["blue"]}, "display[0]", "GUILD VALUE"),
        ({"deck": ["blue 1", ["blue 0"]]}, "deck[1][0]", "blue 0"),
        ({"hand": {"Q": []}, "players": ["A", "B"]}, "hand.Q", "A, B"),
        ({"hand": {"A": ["2 blue 3", "3"]}}, "hand.A[1]", "no credit card"),
        ({"market": {"6": "Scanner"}}, "market.6", "1, 2, 3, 4, 5"),
        ({"market": {"1": "Scaner"}}, "market.1", "Scanner"),
        ({"discount": {"1": 1}}, "discount.1", "empty"),
        ({"eligible": ["1"]}, "eligible[0]", "empty"),
        ({"dock": {"A": ["5 Scanner"]}}, "dock.A", "at most 4"),
        ({"scored": {"A": ["Scanner"]}}, "scored.A", "dock"),
        ({"station": {"A": {"n99": "Scanner"}}}, "station.A.n99", "n9"),
        ({"station": {"A": {"core": "Scanner"}}}, "station.A.core", "Command Core"),
        ({"station": {"A": {"n1": "Command Core"}}}, "station.A.n1", "Command Core"),
        ({"map": {"nodes": ["n1"]}}, "map.nodes", "core"),
        ({"map": {"nodes": ["core", "n1"], "links": [["core", "core"]]}}, "map.links[0]", "two different"),
        ({"modules": {"Road to Mars": {}}}, "modules.Road to Mars", "'to'"),
        ({"modules": {"X": {"guild": 3}}}, "modules.X.guild", "no credit card"),
        ({"placement": "conected"}, "placement", "connected"),
        ({"end": {"counter": -1}}, "end.counter", "whole number"),
        ({"ended": 1}, "ended", "true"),
        ({"players": ["A"]}, "players", "2 to 12"),
        ({"turn": "Z", "players": ["A", "B"]}, "turn", "A, B"),
        ({"round": 0}, "round", "from 1"),
        ({"deck size": 3}, "deck size", "leave it out"),
        ({"hand": {"A": [f"blue {value}" for value in range(1, 99)]}}, "", "too many different"),
    ],
)
def test_what_cannot_be_is_said_with_its_place(fields: dict[str, Any], path: str, says: str) -> None:
    """Each fault has its path, and the message says what would be right."""
    with pytest.raises(BadPosition) as caught:
        GAME.position(fields, EDITION)
    assert caught.value.where == path
    assert says in str(caught.value)


def test_a_market_that_cannot_be_filled_is_no_setup() -> None:
    """A game needs five modules to begin, unless the setup says what lies in the berths."""
    with pytest.raises(BadPosition, match="cannot fill"):
        GAME.start({"salvage": ["Scanner"]}, EDITION)
    state = GAME.start({"salvage": [], "market": dict.fromkeys("12345", "Scanner"), "deck": ["6 blue 1"]}, EDITION)
    assert (state.at, state.round, state.display) == (IN_TURN, 1, ("blue 1",) * 6)


@pytest.mark.parametrize(
    "text", ["pass Scanner", "purchase Scanner from 1", "install Scanner", "stow n1, n2", "aquire blue 1"]
)
def test_half_an_action_is_none(text: str) -> None:
    """A part that is missing or too much is said when the action is read."""
    with pytest.raises(BadAction):
        GAME.read(text)


def test_an_illegal_action_is_not_carried_out() -> None:
    """`apply` raises with the verdict."""
    with pytest.raises(IllegalAction) as caught:
        do(at(display=["blue 1"]), "pass")
    assert caught.value.verdict.rules == ("stn.6.pass",)
    assert GAME.text(Action("pass")) == "pass"


# -- time ------------------------------------------------------------------------------------------


def test_a_unit_that_repeats_comes_again() -> None:
    """After a turn comes another one, or the end of the round; nothing else repeats."""
    calendar = Calendar(Unit("round", (Unit("turn", repeats=True),)))
    after = Moment("after", "turn")
    assert calendar.following(after) == Moment("after", "round")
    assert calendar.following(after, again=True) == Moment("before", "turn")
    with pytest.raises(KeyError):
        calendar.following(Moment("after", "round"), again=True)


def test_what_the_game_itself_does_comes_before_the_players() -> None:
    """A trigger without owner is next, and nobody chooses."""
    moment = Moment("after", "round")
    own, drift = Trigger("A", moment, "own", 1), Trigger(None, moment, "drift", 2)
    first = next_up((own, drift), moment, ("B", "A"))
    assert first is not None
    assert (first.chooser, first.triggers) == (None, (drift,))
    then = next_up((own,), moment, ("B", "A"))
    assert then is not None
    assert then.chooser == "A"
