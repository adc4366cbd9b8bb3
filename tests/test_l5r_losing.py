"""L5R: Provinces destroyed and players lost, in the middle of anything."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from oracle.errors import BadPosition
from oracle.games.l5r import GAME
from oracle.timing import Round
from tests.test_l5r import EDITION, at, do, game, texts

SHIBA = {"Shiba": {"type": "Personality"}}


@pytest.mark.parametrize(
    ("player", "left"),
    [
        ("A", Round(("B", "C", "D"), turn=1, passes=1)),
        ("B", Round(("A", "C", "D"), turn=1, passes=1)),
        ("C", Round(("A", "B", "D"), turn=2, passes=2)),
        ("D", Round(("A", "B", "C"), turn=2, passes=2)),
        ("E", Round(("A", "B", "C", "D"), turn=2, passes=2)),
    ],
)
def test_a_round_goes_on_without_a_player(player: str, left: Round) -> None:
    """The opportunity stays where it is or is the next player's, and the passes of the others count on."""
    assert Round(tuple("ABCD"), turn=2, passes=2).without(player) == left


def test_a_round_of_passes_ends_when_the_last_who_could_speak_leaves() -> None:
    """All that are left have passed one after the other."""
    round = Round(tuple("ABC"), (("Open",), ("Limited",), ("Open",)), turn=2, passes=2).without("C")
    assert round.ended
    assert (round.player, round.kinds) == ("A", ("Open",))


@pytest.mark.parametrize("seed", range(40))
def test_who_has_lost_is_asked_nothing_and_has_nothing_waiting(seed: int) -> None:
    """In games with Provinces destroyed at any time: no decision, no trigger, no step of a lost player's."""
    for state, player, _, after, _ in game(seed, 200):
        out = {seat.name for seat in state.seats if seat.out}
        assert player not in out
        lost = {seat.name for seat in after.seats if seat.out}
        assert not lost & {trigger.owner for trigger in after.agenda}
        assert not lost & {step.player for step in after.stack}
        assert after.over or len(lost) < len(after.seats) - 1
        if after.round is not None:
            assert not lost & set(after.round.order)


def test_random_games_lose_players_in_the_middle_of_turns() -> None:
    """The property above is about something: players are lost while others play on, in turns and in attacks."""
    found = 0
    for seed in range(40):
        for state, _, _, after, _ in game(seed, 200):
            found += sum(seat.out for seat in after.seats) > sum(seat.out for seat in state.seats)
    assert found


def test_an_attack_of_a_lost_player_is_over_when_what_interrupted_it_is() -> None:
    """A battle of A against B, interrupted by an attack of C's against A: B loses meanwhile."""
    state = at(
        players=["A", "B", "C"],
        phase="attack",
        step="combat",
        attack={"attacker": "C", "defender": "A", "at": "1", "optional": False, "fields": {"1": {"C": ["Shiba"]}}},
        interrupted=[
            {
                "at": "during combat segment",
                "attack": {"attacker": "A", "defender": "B", "at": "1", "fields": {"1": {"A": ["Shiba"]}}},
            }
        ],
        provinces={"A": [[]], "B": [[]], "C": [[]]},
        cards=SHIBA,
        abilities={"A": [{"name": "Fire", "type": "Battle", "effect": {"destroy": {"B": 1}}}]},
    )
    state = do(state, "use Fire")
    assert (str(state.at), state["B"].out) == ("during combat segment", True)
    state = do(state, "pass", "pass")
    assert str(state.at) == "during dynasty phase"
    assert [len(seat.home) for seat in state.seats] == [1, 0, 1]


def test_a_position_with_destroyed_provinces_is_read_back() -> None:
    """Its battlefields too, those that have outlived their Provinces among them."""
    given: dict[str, Any] = {
        "provinces": {"A": [[]], "B": ["destroyed", [], "destroyed", []]},
        "phase": "attack",
        "attack": {"defender": "B", "fields": {"3": {"A": ["Shiba"]}}},
        "cards": SHIBA,
        "abilities": {"A": [{"name": "Fire", "type": "Open", "effect": {"destroy": {"B": 4}}}]},
        "triggers": [{"owner": "B", "name": "Dusk", "at": "after turn", "effect": {"destroy": True}}],
    }
    state = at(**given)
    assert state.attack is not None
    assert state.attack.places == (1, 2, 3)
    assert GAME.position(GAME.observe(state), EDITION) == state


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"provinces": {"A": ["gone"]}}, ("provinces", "A", 0)),
        ({"provinces": {"A": ["destroyed"]}, "regions": {"A": {"1": ["Border Keep"]}}}, ("regions", "A", "1")),
        ({"win": {"provinces": 1}}, ("win", "provinces")),
        ({"triggers": [{"owner": "A", "name": "Dusk", "at": "after turn", "effect": {"destroy": False}}]}, None),
        ({"triggers": [{"owner": "A", "name": "Dusk", "at": "after turn", "effect": {"destroy": {"B": 0}}}]}, None),
        (
            {"triggers": [{"owner": "A", "name": "D", "at": "after turn", "effect": {"destroy": {"A": 1, "B": 1}}}]},
            None,
        ),
        ({"triggers": [{"owner": "A", "name": "Dusk", "at": "after turn", "effect": {"destroy": {"Z": 1}}}]}, None),
        ({"players": ["A", "B", "C"], "out": ["A"], "at": "after end phase"}, ("active",)),
    ],
)
def test_what_cannot_be_destroyed_is_refused(fields: dict[str, Any], path: tuple[str | int, ...] | None) -> None:
    """With its place and what would be right."""
    with pytest.raises(BadPosition) as refused:
        GAME.position(fields, EDITION)
    assert refused.value.fix
    assert path in (None, refused.value.path)


def test_positions_drawn_have_destroyed_provinces_and_attacks_at_them() -> None:
    """What sampling shows the other properties."""
    random = Random(3)
    drawn = [GAME.sample_position(random.randrange) for _ in range(400)]
    assert any("destroyed" in laid for given in drawn for laid in given["provinces"].values())
    stayed = 0
    for given in drawn:
        attack = given.get("attack")
        if attack:
            laid = given["provinces"][attack["defender"]]
            stayed += any(laid[int(number) - 1] == "destroyed" for number in attack["fields"])
    assert stayed


def test_after_the_turn_of_a_lost_player_orders_are_judged_by_it() -> None:
    """Whose turn it is still says what waits; the timeline and the order of resolutions know it."""
    state = at(
        players=["A", "B", "C"],
        at="after turn",
        out=["A"],
        triggers=[
            {"owner": "B", "name": "Dusk", "at": "after turn", "turn": "A", "effect": {"destroy": {"B": 1}}},
            {"owner": "C", "name": "Night", "at": "after turn"},
            {"owner": "C", "name": "Dawn", "at": "before turn", "turn": "A", "turns": 2},
        ],
    )
    assert texts(state) == {"resolve Dusk", "resolve Night"}
    decision = GAME.decision(state)
    assert decision is not None
    assert decision.player == "B"
    assert GAME.ahead(state, "B", GAME.read("resolve Dawn")) is None
    told = {entry.name: entry for mark in GAME.timeline(state).marks for entry in mark.waiting}
    assert [name for name, entry in told.items() if entry.next] == ["Dusk", "Night"]
    assert told["Dusk"].does == "destroy Province 1 of B"
    assert told["Dawn"].does.startswith("once A has begun 2 more turns: ")


def test_who_loses_before_the_first_turn_does_not_take_it() -> None:
    """The next player takes turn two, and the game goes on."""
    state = at(
        players=["A", "B", "C"],
        provinces={"A": [[]]},
        at="before turn",
        triggers=[{"owner": "B", "name": "Quake", "at": "before turn", "effect": {"destroy": {"A": 1}}}],
    )
    assert (state.mover.name, state.turn, texts(state)) == ("B", 2, {"pass"})


@pytest.mark.parametrize("moment", ["before turn", "during action phase", "after turn"])
def test_where_nobody_plays_on_the_game_is_over(moment: str) -> None:
    """A position in which all have lost is one of a game that has ended, and otherwise refused."""
    lost = {"players": ["A", "B"], "out": ["A", "B"], "at": moment}
    assert GAME.decision(at(**lost, over=True)) is None
    with pytest.raises(BadPosition, match="fewer than two play on"):
        at(**lost)
