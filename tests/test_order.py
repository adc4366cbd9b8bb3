"""Which order is wrong, why, and that no order is called wrong which some rule allows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from oracle import games
from oracle.casebook.case import load_file
from oracle.casebook.runner import run_case
from oracle.cli import cli
from oracle.conformance import order
from oracle.conformance import protocol as p
from oracle.conformance.lockstep import Lockstep
from oracle.conformance.objects import Reference
from oracle.conformance.walks import Source, play
from oracle.decisions import Event
from oracle.game import Game
from oracle.games.dominion import state as dominion
from oracle.games.l5r.calendar import CALENDAR
from oracle.games.l5r.order import GROUNDS as L5R
from oracle.timing import Clock, Trigger, by_class, by_owner, next_up

GAMES = games.names()
MOMENTS = [moment for moment in CALENDAR.moments if moment.edge != "during"]

TRIGGERS = st.builds(
    Trigger,
    owner=st.sampled_from("ABC"),
    moment=st.sampled_from(MOMENTS[:6]),
    name=st.sampled_from(["Dawn", "Dusk", "Noon"]),
    effect=st.none(),
    rank=st.integers(0, 2),
)

CARDS = {
    "Tide": {"cost": 2, "types": ["Action", "Duration"]},
    "Caravan": {"cost": 2, "types": ["Action", "Duration"]},
}


def waiting(*entries: tuple[str, str, str]) -> dict[str, Any]:
    """A position of Dominion at the end of A's Buy phase, with effects (player, card, moment) that draw a card."""
    return {
        "players": ["A", "B"],
        "turn": "A",
        "phase": "buy",
        "deck": {"A": ["9 Copper"], "B": ["9 Silver"]},
        "cards": CARDS,
        "waiting": [{"player": player, "card": card, "at": at, "cards": 1} for player, card, at in entries],
    }


def sentence(game: Game[Any], position: dict[str, Any], done: Sequence[str], player: str, action: str) -> str:
    """What `ahead` says, after some actions, of an action; empty where it says nothing."""
    state = game.position(position, game.editions[0])
    for text in done:
        state, _ = game.apply(state, game.read(text))
    ahead = game.ahead(state, player, game.read(action))
    return ahead.says("this order", "has") if ahead else ""


# -- the sentences -------------------------------------------------------------------------------

AT_ONCE = waiting(
    ("A", "Tide", "before clean-up"), ("A", "Caravan", "before clean-up"), ("B", "Tide", "before clean-up")
)


@pytest.mark.parametrize(
    ("done", "player", "action", "says"),
    [
        (
            ["end buy phase"],
            "B",
            "resolve Tide",
            "A's Tide or A's Caravan comes before B's Tide, because A comes before B in turn order from A "
            "(dom.order.turn-order); this order has B's Tide first",
        ),
        (
            [],
            "A",
            "resolve Tide",
            "the buy phase comes before A's Tide, because the one is due during the buy phase, the other before the "
            "clean-up phase, and what is after one unit of time comes before what is before the next "
            "(dom.turn.phases); this order has A's Tide first",
        ),
        (["end buy phase"], "A", "resolve Tide", ""),
        (["end buy phase"], "A", "buy Copper", ""),
        ([], "A", "play Gold", ""),
        ([], "A", "buy Province", ""),
        ([], "B", "end action phase", ""),
    ],
)
def test_dominion_says_what_comes_first(done: list[str], player: str, action: str, says: str) -> None:
    """The owner and the moment decide, each with its rule; what is illegal otherwise is no matter of order."""
    assert sentence(games.load("dominion"), AT_ONCE, done, player, action) == says


def test_a_turn_waits_for_what_is_before_it() -> None:
    """What waits for a moment comes before all that is done at a later one, in this turn or the next."""
    game = games.load("dominion")
    last = waiting(("A", "Tide", "after turn"), ("A", "Caravan", "after turn"))
    assert "is of a later turn (dom.turn.alternate)" in sentence(game, last, ["end buy phase"], "B", "end action phase")
    first = waiting(("B", "Tide", "before turn"), ("B", "Caravan", "before turn"))
    assert (
        "B's Tide or B's Caravan comes before 'end action phase', because the one is due before the turn"
        in sentence(game, first, ["end buy phase"], "B", "end action phase")
    )


def test_an_effect_under_way_is_finished_first_and_goes_round_in_turn_order() -> None:
    """Militia asks B before C, and both before A goes on."""
    game = games.load("dominion")
    hands = {player: ["3 Copper", "2 Estate"] for player in "BC"}
    attack = {"players": ["A", "B", "C"], "turn": "A", "hand": {"A": ["Militia"], **hands}}
    says = partial(sentence, game, attack, ["play Militia"])
    assert says("C", "discard 2 Copper").startswith("B's Militia comes before C's Militia, because B comes before C")
    assert says("A", "end action phase").startswith(
        "B's Militia comes before 'end action phase', because what is under"
    )
    assert says("B", "discard Copper") == ""


BATTLE = {
    "players": ["A", "B"],
    "phase": "attack",
    "step": "battles",
    "provinces": {"B": [["Farm"]]},
    "cards": {"Farm": {"type": "Holding"}, "Mine": {"type": "Holding"}},
    "attack": {"attacker": "A", "defender": "B"},
    "abilities": {player: [{"name": f"Charge {player}", "type": "Battle"}] for player in "AB"},
}
EVENTS = {
    "phase": "events",
    "provinces": {"A": [["Farm", "Mine"], ["Shrine"]]},
    "cards": {name: {"type": "Holding"} for name in ("Farm", "Mine", "Shrine")},
}
MOMENT = {
    "at": "before action phase",
    "triggers": [
        {"owner": "A", "name": "Dawn", "at": "before action phase", "class": "A"},
        {"owner": "B", "name": "Noon", "at": "before action phase", "class": "A"},
        {"owner": "B", "name": "Dusk", "at": "before action phase", "class": "B"},
        {"owner": "A", "name": "Night", "at": "before action phase", "class": "A", "when": False},
        {"owner": "A", "name": "Rain", "at": "after action phase"},
        {"owner": "B", "name": "Snow", "at": "before action phase", "turn": "B"},
        {"owner": "A", "name": "Hail", "at": "after turn"},
    ],
}


@pytest.mark.parametrize(
    ("position", "player", "action", "because"),
    [
        (BATTLE | {"at": "during combat segment"}, "A", "pass", "l5r.combat.defender-first"),
        (EVENTS, "A", "deal with Shrine", "Province 1 is further left (l5r.events.order)"),
        (
            MOMENT,
            "A",
            "resolve Dusk",
            "by a ruling what is of class A comes before what is of class B (",
        ),
        (MOMENT, "A", "resolve Night", "the condition of A's Night is not met (l5r.ruling.condition)"),
        (MOMENT, "A", "resolve Rain", "l5r.seq.between"),
        (MOMENT, "A", "resolve Hail", "l5r.turn.end"),
        (MOMENT, "A", "resolve Snow", "waits for a turn of B's (l5r.turn.own)"),
        (
            MOMENT,
            "B",
            "resolve Noon",
            "by a ruling A chooses what is next before action phase (",
        ),
        (MOMENT, "A", "bring Farm", "A's Dawn or B's Noon comes before A's 'bring Farm'"),
    ],
)
def test_l5r_says_what_comes_first(position: dict[str, Any], player: str, action: str, because: str) -> None:
    """Each rule that orders things gives its reason in words, and a ruling is called one."""
    if "attack" in position and "at" in position:
        position = position | {"attack": {"attacker": "A", "defender": "B", "at": "1"}}
        position.pop("phase"), position.pop("step")
    assert because in sentence(games.load("l5r"), position, [], player, action)


def test_the_station_settles_an_action_and_then_the_round() -> None:
    """A reward is taken before the next turn, and the last turn's refill comes before Drift."""
    game = games.load("station")
    position = {
        "display": ["red 1", "blue 2"],
        "hand": {"A": ["red 4"]},
        "market": {"1": "Garden"},
        "deck": ["9 red 5"],
    }
    state = game.position(position, "v3")
    happened = (Event("salvaged", None, ("Torus",), "to 1"), Event("drifted", None, ("Garden",), "in berth 2"))
    ahead = game.came_first(state, happened, 0, 1)
    assert ahead is not None
    assert ahead.says("the program", "resolved").startswith("refill of berth 1 comes before Drift of berth 2, because")
    assert game.came_first(state, happened, 1, 1) is None


# -- what holds for all ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
@given(st.data())
@settings(deadline=None, max_examples=40)
def test_only_what_is_illegal_has_something_ahead_of_it(name: str, data: st.DataObject) -> None:
    """Whatever is legal has nothing ahead of it, and a reason is a rule of the game's rulebook that is not met."""
    game = games.load(name)
    draw = lambda n: data.draw(st.integers(0, n - 1))  # noqa: E731
    state = game.position(game.sample_position(draw), game.editions[0])
    decision = game.decision(state)
    seats = game.observe(state)["players"]
    actions = list(game.candidates(state))
    for action in data.draw(st.lists(st.sampled_from(actions), max_size=30)) if actions else ():
        for player in seats:
            ahead = game.ahead(state, player, action)
            if ahead is None:
                continue
            assert decision is None or player != decision.player or action not in decision.legal
            assert ahead.reasons
            assert ahead.first
            assert ahead.then
            for reason in ahead.reasons:
                assert not reason.holds
                assert reason.rule in game.rulebook.rules


@given(st.lists(TRIGGERS, min_size=2, max_size=5), st.sampled_from([by_owner, by_class]), st.permutations("ABC"))
def test_a_trigger_comes_first_where_it_alone_may_be_next(
    triggers: list[Trigger[None]], policy: Any, seats: list[str]
) -> None:
    """Of two triggers of one moment the one comes first exactly if, beside it, the other may not be next."""
    moment = triggers[0].moment
    clock = Clock(CALENDAR, moment, tuple(seats), policy, L5R)
    for one in triggers:
        for other in triggers:
            if one.moment == other.moment == moment:
                allowed = next_up([one, other], moment, seats, policy)
                assert allowed is not None
                assert bool(clock.triggers(one, other)) == (other not in allowed.triggers)


@given(st.permutations(range(4)))
def test_reported_order_is_wrong_only_where_owners_differ(places: list[int]) -> None:
    """Of A's and B's two effects each, A's in either order come before B's in either order."""
    game = games.load("dominion")
    entries = [("A", "Tide"), ("A", "Caravan"), ("B", "Tide"), ("B", "Caravan")]
    before = game.position(waiting(*((*entry, "before clean-up") for entry in entries)), "2023")
    happened = [Event("resolved", player, (card,)) for player, card in entries]
    told = [p.Reported("resolved", entries[i][0], [entries[i][1]]) for i in places]
    wrong = order.reported(game, before, happened, told)
    assert (wrong is None) == ({entries[i][0] for i in places[:2]} == {"A"})


def test_which_of_several_alike_was_reported_is_not_guessed() -> None:
    """Of A's effects before B's and after, alike in name, one reported after B's is no wrong order."""
    game = games.load("dominion")
    entries = [("A", "Tide", "before clean-up"), ("B", "Caravan", "before clean-up")]
    before = game.position(waiting(*entries), "2023")
    happened = [Event("resolved", player, (card,)) for player, card in (("A", "Tide"), ("B", "Caravan"), ("A", "Tide"))]
    told = [p.Reported("resolved", "B", ["Caravan"]), p.Reported("resolved", "A", ["Tide"])]
    assert order.reported(game, before, happened, told) is None
    assert order.reported(game, before, happened[:2], told) is not None


# -- beside a program ------------------------------------------------------------------------------


def found(program: Reference[Any], position: dict[str, Any], *actions: str) -> list[tuple[str, str]]:
    """Faults and what they say, where a program plays these actions from a position."""
    game = program.game
    step = Lockstep(game, program, game.editions[0], {"position": position})
    step.begin()
    for text in actions:
        if step.meet() is None:
            break
        step.take(game.read(text))
    step.meet()
    return [(divergence.fault, divergence.says) for divergence in step.found]


class Ordered(Reference[Any]):
    """Resolves what waits for a moment by itself, in the order in which it was written down."""

    def _settle(self, state: Any, events: Any) -> Any:
        happened = list(super()._settle(state, events))
        while (decision := self.game.decision(self.state)) and decision.kind == "order":
            state, more = self.game.play(self.state, decision.legal[0])
            happened += super()._settle(state, more)
        return happened


def test_whoever_chooses_for_the_players_has_left_out_a_choice() -> None:
    """An order that is allowed is not called wrong, though nobody was asked for it."""
    program = Ordered(games.load("dominion"))
    faults = found(program, AT_ONCE, "end buy phase")
    assert {fault for fault, _ in faults} == {"wrong player"}


class GoesOn(Reference[Any]):
    """Goes on to the next turn, and still has what waits for the end of this one."""

    left: tuple[Any, ...] = ()

    def apply(self, player: str | None, action: dict[str, Any]) -> p.Applied:
        self.left = self.state.agenda
        self._state = replace(self.state, agenda=())
        return super().apply(player, action)

    def observe(self, player: str | None = None) -> p.Observed:
        held = replace(self.state, agenda=self.left or self.state.agenda)
        return p.Observed(seq=0, state=self.game.observe(held, player))


def test_the_one_who_goes_on_too_early_is_told_what_waits() -> None:
    """A program in whose own state something still waits has gone on to the next turn before its time."""
    position = waiting(("A", "Tide", "after turn"), ("A", "Caravan", "after turn"))
    ((fault, says),) = found(GoesOn(games.load("dominion")), position, "end buy phase")
    assert fault == "order"
    assert says.startswith("A's Tide or A's Caravan comes before B's 'end action phase', because")
    assert says.endswith("the program asks for B's 'end action phase' first")


def test_draws_in_the_wrong_order_are_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only the cards drawn are reported, they show which effect came first."""

    class Silent(Reference[Any]):
        def _settle(self, state: Any, events: Any) -> Any:
            return [event for event in super()._settle(state, events) if event.event == "drawn"]

        def apply(self, player: str | None, action: dict[str, Any]) -> p.Applied:
            with monkeypatch.context() as patched:
                turned = partial(next_up, policy=lambda due, order: by_owner(due, order[::-1]))
                patched.setattr(dominion, "next_up", turned)
                return super().apply(player, action)

    position = waiting(("A", "Tide", "before clean-up"), ("B", "Caravan", "before clean-up"))
    ((fault, says),) = found(Silent(games.load("dominion")), position, "end buy phase")
    assert fault == "order"
    assert says.startswith("A's Tide comes before B's Caravan, because A comes before B in turn order")
    assert says.endswith("the program resolved B's Caravan first")
    assert found(Reference(games.load("dominion")), position, "end buy phase") == []


class Free(Reference[Any]):
    """Does all that a right program may do in its own way; what waits for a moment it may order without asking."""

    def __init__(self, game: Game[Any], seed: int, *, orders: bool) -> None:
        super().__init__(game)
        self._own = Random(seed)
        self._passes_over, self._silent, self._splits = (self._own.random() < 0.5 for _ in range(3))
        self._orders = orders

    def decision(self) -> p.Decided:
        decided = super().decision()
        self._own.shuffle(decided.options or [])
        return decided

    def _settle(self, state: Any, events: Any) -> list[p.Reported]:
        told = super()._settle(state, events)
        while decision := self.game.decision(self.state):
            unasked = self._passes_over and decision.forced and decision.kind != "action"
            if not unasked and not (self._orders and decision.kind == "order"):
                break
            told += super()._settle(*self.game.play(self.state, self._own.choice(list(decision.legal))))
        told = [event for event in told if not self._silent or event.event in self.game.chance_events]
        return [p.Reported(e.event, e.player, [i]) for e in told for i in e.items] if self._splits else told


@pytest.mark.parametrize("orders", [False, True])
@pytest.mark.parametrize("name", GAMES)
def test_no_right_program_is_accused(name: str, orders: bool) -> None:
    """Nothing is wrong with what a program may do as it likes; and whoever leaves a choice out breaks no order."""
    game = games.load(name)
    for seed in range(12):
        random = Random(f"{name}/{seed}")
        setup = {"position": game.sample_position(random.randrange, game.editions[0])}
        program, source = Free(game, seed, orders=orders), Source(f"{seed}")
        played = play(game, program, game.editions[0], source, setup=setup, longest=25, refusals=name != "station")
        faults = [(divergence.fault, divergence.says) for divergence in played.found]
        assert played.failure is None
        assert [fault for fault in faults if not orders or fault[0] == "order"] == []


def test_what_is_no_action_of_a_later_time_is_not_said_to_be_one() -> None:
    """To decline, or to attack after the Action Phase, belongs to this very moment: no sentence calls it later."""
    game = games.load("l5r")
    names = ("Dawn", "Noon")
    triggers = [{"owner": "A", "name": name, "at": "after action phase", "optional": True} for name in names]
    position = {"at": "after action phase", "triggers": triggers}
    for action in ("decline", "attack B", "no attack"):
        assert sentence(game, position, [], "A", action) == ""


# -- in cases --------------------------------------------------------------------------------------

CASE = """
game: dominion
edition: "2023"
cases:
  - id: dom-mine-001
    title: whose turn it is comes first
    rules: [dom.order.turn-order]
    given:
      players: [A, B]
      turn: A
      phase: buy
      deck: {A: [7 Copper]}
      cards: {Tide: {cost: 2, types: [Action]}, Dam: {cost: 2, types: [Action]}, Ebb: {cost: 2, types: [Action]}}
      waiting:
        - {player: A, card: Tide, at: before clean-up, coins: 1}
        - {player: A, card: Dam, at: before clean-up, coins: 1}
        - {player: B, card: Ebb, at: before clean-up, coins: 1}
    steps:
      - do: end buy phase
      - order: {@@@}
"""


@pytest.mark.parametrize(
    ("orders", "says"),
    [
        ("allowed: [[Tide], [Ebb]]", "A's Tide or A's Dam comes before B's Ebb, because A comes before B"),
        ("allowed: [[resolve Tide], [resolve Ebb]]", "(dom.order.turn-order); this order has B's Ebb first"),
        ("forbidden: [[Ebb], [Dam]]", "nothing comes before 'resolve Dam' in 'Triggers before clean-up phase'"),
    ],
)
def test_a_case_says_why_an_order_is_wrong(orders: str, says: str, tmp_path: Path) -> None:
    """An allowed order that is illegal, and a forbidden one that is legal: in the result, on the terminal, for CI."""
    file = tmp_path / "cases" / "orders.yaml"
    file.parent.mkdir()
    file.write_text(CASE.replace("@@@", orders))
    (case,) = load_file(file, games.load).cases
    result = run_case(case)
    assert result.outcome == "fail"
    assert says in result.message
    assert "dom.order.turn-order" in result.rules
    junit = tmp_path / "junit.xml"
    shown = CliRunner().invoke(cli, ["check", "--cases-from", str(file), "--junit", str(junit)])
    assert shown.exit_code == 1
    assert says in shown.stdout
    assert says.replace("'", "&apos;") in junit.read_text() or says in junit.read_text()
