"""L5R: positions that nobody meant, and large ones: an answer or a refusal, at once."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from oracle.cli import cli
from oracle.errors import BadPosition, OracleError
from oracle.game import Action
from oracle.games.l5r import GAME
from tests.test_l5r import EDITION, at, do, texts

JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 10**30, 1.5, float("nan"), "", " ", "Z", "nothing", "a to b", "x" * 5000),
    *("Shiba bowed", "3 Farm", "999 Farm", "0" * 30 + "3 Farm", "Farm down", "destroyed", "\u0663 Farm", "\u00b2"),
    *([], {}, [[]], [None], ["A"], {"A": []}, {"A": {}}, {"1": []}, {1: ["Farm"]}, {"A": [1]}, [["Farm", ["Shiba"]]]),
    *({"A": {"\u00b2": ["Coast"]}}, {"A": {"01": ["Coast"]}}, {"attacker": "A"}, [{"at": "after attack phase"}]),
    *([{"at": "during combat segment"}], ("A",), b"x", {"B": 1}, {None: 1}),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything inside a value."""
    keys: Any = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [place for key in keys for place in ((*path, key), *places(value[key], (*path, key)))]


@pytest.mark.parametrize("seed", range(150))
def test_junk_anywhere_is_refused_or_answered(seed: int) -> None:
    """Something that does not belong, at a place of a position or a setup, or in a field that there is not."""
    random = Random(seed)
    for _ in range(4):
        begins = random.random() < 0.3
        sample = GAME.sample_setup if begins else GAME.sample_position
        data = deepcopy(sample(random.randrange))
        path = random.choice([*places(data), (random.choice((None, 5, "colour", "out", "marks", "interrupted")),)])
        inner: Any = data
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = deepcopy(random.choice(JUNK))
        try:
            state = GAME.start(data, EDITION) if begins else GAME.position(data, EDITION)
        except BadPosition:
            continue
        for _ in range(3):
            decision = GAME.decision(state)
            GAME.observe(state, "A")
            if decision is None:
                break
            state, _ = GAME.play(state, decision.legal[random.randrange(decision.legal.count)])


@pytest.mark.parametrize(
    "action", ["assign Shiba to 0", "assign Shiba to \u00b2", "fight at 01", "discard to", 5, None, {}]
)
def test_odd_actions_are_refused(action: Any) -> None:
    """Before they are judged, or by a rule."""
    state = at(
        phase="attack",
        attack={"defender": "B"},
        provinces={"B": [[]]},
        home={"A": ["Shiba"]},
        cards={"Shiba": {"type": "Personality"}},
    )
    try:
        read = GAME.read(action)
    except OracleError:
        return
    for player in ("A", "B", "Z", None):
        assert not GAME.judge(state, player, read).legal


def test_sixty_units_are_counted_told_and_never_listed() -> None:
    """5 to the power of 60 assignments: the command says the number, and refuses to list them."""
    cards = "\n".join(f"  U{i}: {{type: Personality}}" for i in range(60))
    units = ", ".join(f"U{i}" for i in range(60))
    given = (
        f"phase: attack\nattack: {{defender: B}}\nprovinces: {{B: [[], [], [], []]}}\nhome: {{A: [{units}]}}\ncards:\n"
    )
    told, listed, why = (
        CliRunner().invoke(cli, ["legal", "l5r", "-", *args], input=given + cards)
        for args in ([], ["--all"], ["--why", f"assign {', '.join(f'U{i} to {1 + i % 4}' for i in range(60))}"])
    )
    assert (told.exit_code, why.exit_code) == (0, 0)
    assert f"{5**60:,} legal actions" in told.stdout
    assert listed.exit_code == 2
    assert f"{5**60:,} legal actions are too many to list" in listed.stderr


def test_the_largest_attack_can_still_be_written_out() -> None:
    """The most units at the most Provinces: a number of less than the 4300 digits that can be printed."""
    names = [f"U{i}" for i in range(1000)]
    given: dict[str, Any] = {
        "phase": "attack",
        "attack": {"defender": "B"},
        "provinces": {"B": [[]] * 99},
        "home": {"A": names},
        "cards": {name: {"type": "Personality"} for name in names},
    }
    decision = GAME.decision(at(**given))
    assert decision is not None
    assert decision.legal.count == 100**1000
    assert len(f"{decision.legal.count:,}") < 4300
    last = decision.legal[decision.legal.count - 1]
    assert last in decision.legal
    assert GAME.read(GAME.text(last)) == last
    for field, value in (("provinces", {"B": [[]] * 100}), ("home", {"A": [*names, "U0"]})):
        with pytest.raises(BadPosition):
            at(**{**given, field: value})


def test_twelve_players_each_of_whom_gives_everybody_cards() -> None:
    """All opportunities of a round, all chance of an effect on each player."""
    players = list("ABCDEFGHIJKL")
    state = at(
        players=players,
        abilities={p: [{"name": "Feast", "type": "Open", "effect": {"each": {"draw": 1}}}] for p in players},
        fate={p: [["30 Strike", "30 Block"]] for p in players},
    )
    for player in players:
        decision = GAME.decision(state)
        assert decision is not None
        assert decision.player == player
        state = do(state, "use Feast", *["draw Block"] * 12)
    assert all(len(seat.hand) == 12 for seat in state.seats)
    assert texts(state) == {"pass"}


def test_thirty_triggers_of_one_moment() -> None:
    """Each may be the next, until the last one just happens."""
    triggers = [{"owner": "AB"[i % 2], "name": f"T{i}", "at": "before turn", "effect": {"honor": 1}} for i in range(30)]
    state = at(at="before turn", triggers=triggers)
    for left in range(30, 1, -1):
        decision = GAME.decision(state)
        assert decision is not None
        assert decision.legal.count == left
        state, _ = GAME.play(state, decision.legal[left // 2])
    assert sum(seat.honor for seat in state.seats) == 30


def test_a_thousand_events_that_refill_face_up() -> None:
    """One Province full of them, and a deck: each is dealt with once, and the phase ends."""
    state = at(
        phase="events",
        provinces={"A": [["200 Storm down"]]},
        dynasty={"A": ["200 Storm"] * 4},
        cards={"Storm": {"type": "Event", "effect": {"refill": "up", "honor": 1}}},
    )
    assert (str(state.at), state["A"].honor) == ("during action phase", 1000)


@pytest.mark.parametrize("name", ["O'Hara", "Ide (exp)", "Mirumoto-san", "\u00c9lan", "A1", "Way of the Crane"])
def test_cards_have_odd_names(name: str) -> None:
    """Signs, digits and other letters in them: read, written, judged."""
    state = at(phase="dynasty", provinces={"A": [[name]]}, cards={name: {"type": "Holding"}})
    assert texts(state) == {f"bring {name}", f"discard {name}", "end dynasty phase"}
    for text in texts(state):
        assert GAME.judge(state, "A", GAME.read(text)).legal
    assert do(state, f"bring {name}")["A"].play[0].name == name


def test_cards_declared_twice_are_refused() -> None:
    """With both places."""
    given = "cards:\n  Farm: {type: Holding}\n  Farm: {type: Event}\n"
    answer = CliRunner().invoke(cli, ["legal", "l5r", "-"], input=given)
    assert answer.exit_code == 2
    assert "Farm" in answer.stderr


def test_an_attack_on_nobody_has_no_battle() -> None:
    """A Defender without Provinces, units on both sides: nobody assigns, and the turn goes on."""
    state = at(
        phase="attack",
        home={"A": ["Shiba"], "B": ["Shiba"]},
        cards={"Shiba": {"type": "Personality"}},
    )
    assert GAME.decision(do(state, "attack B")) is not None
    assert str(do(state, "attack B").at) == "during dynasty phase"
    assert not GAME.judge(state, "A", Action("attack", ("A",))).legal
