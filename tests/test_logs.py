"""Plays written down: true ones are accepted, altered ones exactly where the rules allow them, broken ones refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracle import games
from oracle.cli import cli
from oracle.conformance.objects import Reference
from oracle.conformance.walks import Given, Played, play
from oracle.errors import BadInput, Truncated
from oracle.logs.play import Logged, follow
from oracle.logs.record import Record, read
from oracle.logs.writing import Writing, write
from tests.strategies import GAMES, chooses

SLOW = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
Line = dict[str, Any]
LONGEST = 40
"""Decisions of a drawn play."""


class Brief(Reference[Any]):
    """The model, which does not list many options."""

    MOST = 60


def recorded(tmp_path: Path, lines: Sequence[Line]) -> Record:
    """The record of these lines."""
    file = tmp_path / "play.jsonl"
    write(file, lines)
    return read(str(file), games.load)


def judged(tmp_path: Path, lines: Sequence[Line]) -> Played:
    """What comes of these lines."""
    record = recorded(tmp_path, lines)
    return follow(record, Logged(record))


def told(played: Played) -> list[str]:
    """The faults of a play."""
    return [divergence.fault for divergence in played.found]


def position(player: str, card: str) -> dict[str, Any]:
    """An effect of Dominion that waits for the start of Clean-up."""
    return {"player": player, "card": card, "at": "before clean-up", "coins": 1}


CARDS = {name: {"cost": 2, "types": ["Action"]} for name in ("Tide", "Dam", "Ebb", "Weir")}
HEAD: Line = {
    "game": "dominion",
    "edition": "2023",
    "setup": {
        "position": {
            "players": ["A", "B"],
            "turn": "A",
            "phase": "buy",
            "coins": 3,
            "deck": {"A": ["6 Copper"], "B": ["6 Silver"]},
            "cards": CARDS,
            "waiting": [position(player, card) for player in "AB" for card in ("Tide", "Dam", "Ebb")],
        }
    },
}
DRAWN: Line = {"events": [{"event": "drawn", "player": "A", "items": ["Copper"] * 5}]}


def act(player: str | None, action: Any) -> Line:
    """A line of an action."""
    return {"player": player, "action": action}


# -- true logs -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
@SLOW
@given(choose=chooses(), left_out=st.sets(st.sampled_from(["decision", "state"])), forced=st.booleans())
def test_a_play_of_the_model_is_accepted(
    name: str, choose: Any, left_out: set[str], forced: bool, tmp_path: Path
) -> None:
    """Whatever is left out of it that may be left out: decisions, positions, choices without a choice."""
    game = games.load(name)
    program = Writing(Brief(game))
    refusals = name != "station"  # whose universe of actions takes long to list
    whole = play(game, program, game.editions[0], Given(choose), longest=LONGEST, refusals=refusals)
    assert whole.found == ()
    lines = [line for line in program.lines if not left_out & line.keys()]
    if not any("action" in line for line in lines):
        return
    again = judged(tmp_path, lines)
    assert again.found == ()
    if any("over" in line for line in lines):
        assert again.failure is None
        assert again.finished
    else:
        assert isinstance(again.failure, Truncated)
    assert again.totals.actions == sum("action" in line for line in lines)
    assert again.totals.states > 0 or "state" in left_out


@pytest.mark.parametrize("name", GAMES)
def test_one_command_writes_a_game_and_another_accepts_it(name: str, tmp_path: Path) -> None:
    """What `--log-to` writes of a whole game conforms."""
    file = tmp_path / "game.jsonl"
    whole = {"dominion": "1", "station": "0", "l5r": "0"}[name]
    words = ["check", "reference", "--game", name, "--only-game", whole, "--log-to", str(file)]
    assert CliRunner().invoke(cli, words).exit_code == 0
    result = CliRunner().invoke(cli, ["check", f"log:{file}"])
    assert result.exit_code == 0, result.output
    assert "Conforms." in result.stdout


def test_a_log_of_more_than_one_game_is_none(tmp_path: Path) -> None:
    """`--log-to` wants one game."""
    result = CliRunner().invoke(cli, ["check", "reference", "--log-to", str(tmp_path / "game.jsonl")])
    assert result.exit_code == 2
    assert "--only-game" in result.stderr


# -- altered logs ----------------------------------------------------------------------------------

CHOSEN = [act("A", "resolve Tide"), act("A", "resolve Dam"), act("B", "resolve Tide"), act("B", "resolve Dam")]


@given(st.permutations(range(4)))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_swapped_entries_are_accepted_where_both_orders_are_legal(tmp_path: Path, places: list[int]) -> None:
    """An order of triggers is accepted exactly if every step of it is legal, and else told as a wrong order."""
    lines = [CHOSEN[i] for i in places]
    game = games.load("dominion")
    state = game.position(HEAD["setup"]["position"], "2023")
    state, _ = game.apply(state, game.read("end buy phase"))
    legal = True
    for line in lines:
        decision = game.decision(state)
        assert decision is not None
        action = game.read(line["action"])
        legal = decision.player == line["player"] and action in decision.legal
        if not legal:
            break
        state, _ = game.play(state, action)
    played = judged(tmp_path, [HEAD, act("A", "end buy phase"), *lines, DRAWN])
    assert told(played) == ([] if legal else ["order"])
    for divergence in played.found:
        assert divergence.says.startswith("A's ")
        assert "because A comes before B in turn order from A (dom.order.turn-order)" in divergence.says
        assert "; the log has B's " in divergence.says


@pytest.mark.parametrize("name", ["l5r", "dominion"])
@SLOW
@given(choose=chooses(), data=st.data())
def test_swapped_actions_of_a_play_are_accepted_only_if_legal(
    name: str, choose: Any, data: st.DataObject, tmp_path: Path
) -> None:
    """Two actions of a drawn play change places: what is accepted then is legal step by step."""
    game = games.load(name)
    program = Writing(Brief(game))
    play(game, program, game.editions[0], Given(choose), longest=LONGEST, refusals=False)
    lines = [line for line in program.lines if not {"decision", "state"} & line.keys()]
    places = [i for i, line in enumerate(lines) if "action" in line]
    if len(places) < 2:
        return
    i = data.draw(st.integers(0, len(places) - 2))
    one, other = places[i], places[i + 1]
    lines[one], lines[other] = lines[other], lines[one]
    played = judged(tmp_path, lines)
    state = game.start({k: v for k, v in lines[0]["setup"].items() if k != "seed"}, game.editions[0])
    for text in played.play:
        state, _ = game.apply(state, game.read(text))
    if not played.found:
        taken = [text for text in played.play if game.read(text).verb not in ("draw", "turn up", "fill", "first")]
        assert taken == [game.text(game.read(lines[place]["action"])) for place in places]


OTHER = {"decision": {"player": "A", "kind": "action", "options": ["end buy phase", "buy Silver"]}}


@pytest.mark.parametrize(
    ("lines", "fault", "rule"),
    [
        ([act("A", "buy Duchy")], "accepted", "dom.buy.cost"),
        ([act("B", "buy Silver")], "wrong player", "dom.turn.phases"),
        ([act("A", "resolve Tide")], "order", "dom.turn.phases"),
        ([act("A", "end buy phase"), DRAWN, act("B", "end action phase")], "wrong player", "dom.order.own"),
        ([act("A", "end buy phase"), act("B", "end action phase")], "order", "dom.turn.alternate"),
        ([act("A", "buy Silver"), {"state": {"coins": 3}}, act("A", "end buy phase")], "state", "dom.buy.pay"),
        ([act("A", "buy Silver"), {"over": True}], "over too early", ""),
        ([OTHER, act("A", "buy Silver")], "missing", "dom.buy.cost"),
        (
            [
                act("A", "end buy phase"),
                *CHOSEN,
                {"events": [{"event": "drawn", "player": "A", "items": ["Gold"] * 5}]},
                act("B", "end action phase"),
            ],
            "impossible draw",
            "dom",
        ),
        (
            [
                act("A", "end buy phase"),
                *CHOSEN,
                {"events": [{"event": "drawn", "player": "B", "items": ["Silver"] * 5}]},
                act("B", "end action phase"),
            ],
            "wrong player",
            "dom",
        ),
    ],
)
def test_each_fault_of_a_log_is_told_as_a_program_s(lines: list[Line], fault: str, rule: str, tmp_path: Path) -> None:
    """Illegal actions, wrong players, orders, draws and positions, and ends too early, each with its rule."""
    played = judged(tmp_path, [HEAD, *lines])
    assert fault in told(played)
    assert any(id.startswith(rule) for divergence in played.found for id in divergence.rules)


def test_a_program_s_report_and_a_log_s_are_one(tmp_path: Path) -> None:
    """The order of events is looked at in a log as beside a program."""
    setup = {"position": {**HEAD["setup"]["position"], "waiting": [position("A", "Tide"), position("B", "Ebb")]}}
    events = [
        {"event": "resolved", "player": player, "items": [card]} for player, card in (("B", "Ebb"), ("A", "Tide"))
    ]
    lines = [{**HEAD, "setup": setup}, act("A", "end buy phase"), {"events": events + DRAWN["events"]}]
    played = judged(tmp_path, [*lines, act("B", "end action phase")])
    assert told(played) == ["order"]
    straight = [*lines[:2], {"events": events[::-1] + DRAWN["events"]}, act("B", "end action phase")]
    assert told(judged(tmp_path, straight)) == []


# -- broken logs -----------------------------------------------------------------------------------


def answer(file: Path) -> Result:
    """What the command says of a file."""
    return CliRunner().invoke(cli, ["check", f"log:{file}"])


def test_a_log_that_breaks_off_is_no_pass(tmp_path: Path) -> None:
    """It is told with the line at which it ends, and the exit code says that not all was run."""
    file = tmp_path / "play.jsonl"
    write(file, [HEAD, act("A", "buy Silver")])
    result = answer(file)
    assert result.exit_code == 2
    assert f"{file}:2: the log breaks off after 1 actions" in result.stdout
    assert "Conforms" not in result.stdout
    write(file, [HEAD, act("A", "buy Duchy")])
    assert answer(file).exit_code == 1


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("", "", "there is nothing in this log"),
        ("\n\n", "", "there is nothing in this log"),
        (json.dumps(HEAD), "", "nothing was done in this log"),
        ("@@\n{", ":2:2", "this is no JSON"),
        ('@@\n{"player": "A", "action"', ":2:25", "this is no JSON"),
        ('@@\n["A"]', ":2:1", "this is no line of a log"),
        ('@@\n{"player": "A", "action": "buy Silver", "when": 3}', ":2:41", "`when`"),
        ('@@\n{"decision": {"player": "A", "kind": "whim"}}', ":2:30", "Invalid enum value"),
        ('@@\n{"player": "A", "action": "sell Silver"}', ":2:1", "is no action of dominion"),
        ('@@\n{"player": "A", "action": "buy Silver"}\n@@', ":3:1", "a log has one first line"),
        ('@@\n{"over": true}\n{"over": true}', ":3:1", "the log goes on after its end"),
        ('@@\n{"over": false}', ":2:2", "'over'"),
        ('@@\n{"decision": {"player": "A"}}\n{"player": "B", "action": "buy Silver"}', ":3:1", "but A was asked"),
        ('@@\n{"decision": {"player": "A"}}\n{"events": []}', ":3:1", "before the decision is answered"),
        ('@@\n{"decision": {"player": "A"}}\n{"decision": {"player": "A"}}', ":3:1", "nobody has answered"),
        ('{"player": "A", "action": "buy Silver"}', ":1:1", "a log begins with what is played"),
        ('{"game": "chess"}', ":1:1", "there is no game 'chess'"),
        ('{"game": "dominion", "edition": "1066"}', ":1:1", "edition '1066' is unknown"),
        ('{"game": "dominion", "setup": {"position": {"turn": "Z"}}}', ":1:1", "cannot begin so: turn"),
        ('{"game": "dominion", "setup": {"positoin": {}}}', ":1:1", "cannot begin so"),
    ],
)
def test_what_is_no_log_is_an_error_with_its_place(text: str, place: str, says: str, tmp_path: Path) -> None:
    """Nothing in it, half a line, a misspelt field, no action, no game: exit code 2, with file, line and column."""
    file = tmp_path / "play.jsonl"
    file.write_text(text.replace("@@", json.dumps(HEAD)))
    result = answer(file)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"oracle: {file}{place}: ")
    assert says in result.stderr


def test_a_file_that_is_not_there_and_options_that_do_not_fit(tmp_path: Path) -> None:
    """A log is judged by itself, with no games and cases, and in its own game."""
    assert "cannot be read" in answer(tmp_path / "none.jsonl").stderr
    file = tmp_path / "play.jsonl"
    write(file, [HEAD, act("A", "buy Silver")])
    for words in (["--games", "3"], ["--case", "dom-buy-001"], ["--game", "station"], ["--edition", "2008"]):
        assert CliRunner().invoke(cli, ["check", f"log:{file}", *words]).exit_code == 2
    other = CliRunner().invoke(cli, ["perft", "dominion", f"log:{file}", "--depth", "2"])
    assert other.exit_code == 2
    assert f"oracle check log:{file}" in other.stderr


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    """A line that is not UTF-8 is named."""
    file = tmp_path / "play.jsonl"
    file.write_bytes(json.dumps(HEAD).encode() + b'\n{"player": "\xff"}')
    with pytest.raises(BadInput) as raised:
        read(str(file), games.load)
    assert raised.value.where == f"{file}:2:13"


def test_a_line_nested_too_deeply_is_the_users_mistake(tmp_path: Path) -> None:
    """However deep the brackets of a line go, it is refused with its place."""
    file = tmp_path / "deep.jsonl"
    file.write_text('{"game": "dominion", "setup": ' + "[" * 100_000 + "]" * 100_000 + "}\n")
    with pytest.raises(BadInput, match="nested too deeply") as refused:
        read(str(file), games.load)
    assert refused.value.where == f"{file}:1:1"
