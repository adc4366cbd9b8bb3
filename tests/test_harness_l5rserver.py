"""The L5RServer harness: set-up, positions, mapping. A small program of our own speaks in place of one under Mono."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from oracle import games
from oracle.casebook.bundled import folder
from oracle.casebook.case import load
from oracle.checking import script
from oracle.cli import cli
from oracle.conformance.check import Report, check
from oracle.conformance.divergence import Divergence
from oracle.conformance.objects import PythonObject
from oracle.conformance.scripts import Script
from oracle.conformance.targets import target
from oracle.conformance.walks import Source, play
from oracle.errors import BadInput

Json = dict[str, Any]
GAME = games.load("l5r")
FAKE = Path(__file__).with_name("l5rserver_fake.py")
REFILLED: Json = {"effect": {"refill": "down"}, "on discard": {"refill": "down"}}
CARDS: Json = {"Mine": {"type": "Holding", **REFILLED}, "Shiba": {"type": "Personality", "force": 3, **REFILLED}}
SCOUT: Json = {"name": "Scout", "type": "Limited", "effect": {"draw": 1}}
MARKET: Json = {"name": "Market", "type": "Open", "effect": {"honor": 2}}
PARLEY: Json = {"name": "Parley", "type": "Open"}


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The harness, found as the oracle finds it, which then says that the program is not there."""
    monkeypatch.delenv("L5RSERVER", raising=False)
    with pytest.raises(BadInput, match="L5RSERVER is not set"):
        target("l5rserver", GAME)
    return sys.modules["oracle_harness_l5rserver"]


@pytest.fixture
def make(module: ModuleType) -> Iterator[Callable[..., Any]]:
    """Makes harnesses for the program with faults; they are ended afterwards."""
    made: list[Any] = []

    def harness(*faults: str) -> Any:
        made.append(module.Harness((sys.executable, str(FAKE), *faults)))
        return made[-1]

    yield harness
    for each in made:
        each.stop({})


def begin(harness: Any, **given: Any) -> Json:
    """Begins a play from a position of two players."""
    position = {"players": ["A", "B"], "cards": CARDS, **given}
    request = {"game": "l5r", "edition": "EE", "setup": {"position": position, "seed": 1}}
    answer: Json = harness.new(request)
    return answer


def do(harness: Any, *actions: Json) -> list[Json]:
    """Applies actions that must all be accepted; their events."""
    events: list[Json] = []
    for action in actions:
        applied = harness.apply({"player": harness.decision({})["player"], "action": action})
        assert applied["accepted"], action
        events += applied["events"]
    return events


def checked(make: Callable[..., Any], *faults: str, **options: Any) -> Report:
    """The report of a check of the program with faults."""
    return check(
        GAME, lambda: PythonObject("fake", lambda: make(*faults)), **{"games": 0, "shrink_seconds": 1.0, **options}
    )


# -- what is mapped --------------------------------------------------------------------------------


def test_a_position_is_observed_as_it_was_given(make: Callable[..., Any]) -> None:
    """Provinces with their faces, hands, decks, honor and whose opportunity it is come back."""
    harness = make()
    given: Json = {
        "active": "B",
        "passed": ["B"],
        "honor": {"A": 3, "B": -1},
        "max hand": {"A": 5, "B": 8},
        "provinces": {"A": [["Mine down"], ["Shiba"]], "B": []},
        "hand": {"A": ["2 Strike", "Block"], "B": []},
    }
    decks: Json = {"dynasty": {"A": ["Mine"]}, "fate": {"B": [["3 Strike"], "Block"]}}
    assert begin(harness, **given, **decks) == {"ok": True, "events": []}
    state = harness.observe({})["state"]
    shown = {field: value for field, value in given.items() if field not in ("passed", "hand")}
    assert {field: state[field] for field in shown} == shown
    assert state["hand"] == {"A": ["Block", "Strike", "Strike"], "B": []}
    assert (state["phase"], state["turn to act"]) == ("action", "A")
    assert (state["dynasty size"], state["fate size"]) == ({"A": 1, "B": 0}, {"A": 0, "B": 4})
    assert harness.observe({"player": "B"})["state"]["hand"] == {"B": []}


def test_an_action_round_goes_round_without_interrupts(make: Callable[..., Any]) -> None:
    """Options are the pass and the abilities; both players' passes on interrupts are taken for granted."""
    harness = make()
    begin(harness, abilities={"A": [SCOUT, MARKET], "B": [PARLEY]}, fate={"A": ["Block", "Strike"]})
    first = harness.decision({})
    assert (first["player"], first["kind"]) == ("A", "action")
    assert first["options"] == [{"pass": None}, {"use": "Scout"}, {"use": "Market"}]
    assert do(harness, {"use": "Scout"}) == [{"event": "drawn", "player": "A", "items": ["Block"]}]
    assert harness.decision({})["options"] == [{"pass": None}, {"use": "Parley"}]
    assert do(harness, {"pass": None}, {"use": "Market"}) == []
    assert harness.observe({})["state"]["honor"] == {"A": 2, "B": 0}
    assert harness.decision({})["player"] == "B"


def test_a_dynasty_phase_and_the_next_turn(make: Callable[..., Any]) -> None:
    """A card is brought by its name and its Province filled; the end of the phase brings a card and the next turn."""
    harness = make()
    laid = {"A": [["Mine"]], "B": [["Shiba down"]]}
    begin(harness, phase="dynasty", provinces=laid, dynasty={"A": ["Shiba", "Mine"]}, fate={"A": ["Block"]})
    assert harness.decision({})["options"] == [{"end": "dynasty phase"}, {"bring": "Mine"}, {"discard": "Mine"}]
    assert do(harness, {"bring": "Mine"}) == [{"event": "filled", "player": "A", "items": ["Shiba"]}]
    assert harness.observe({})["state"]["provinces"]["A"] == [["Shiba down"]]
    assert do(harness, {"end": "dynasty phase"}) == [{"event": "drawn", "player": "A", "items": ["Block"]}]
    state = harness.observe({})["state"]
    assert (state["active"], state["phase"], state["provinces"]["B"]) == ("B", "action", [["Shiba"]])


def test_a_card_in_several_provinces_leaves_the_one_that_is_named(make: Callable[..., Any]) -> None:
    """Its name alone moves nothing; the program brings in from any Province, and discards from the first one only."""
    harness = make()
    laid = [["Mine"], ["Shiba"], ["Mine"], ["Mine down"]]
    begin(harness, phase="dynasty", provinces={"A": laid}, dynasty={"A": ["2 Shiba"]})
    assert do(harness, {"bring": "Mine"}) == []
    asked = harness.decision({})
    assert (asked["kind"], asked["options"]) == ("choice", [{"from": "1"}, {"from": "3"}])
    assert harness.observe({})["state"]["provinces"]["A"] == laid
    assert do(harness, {"from": "3"}) == [{"event": "filled", "player": "A", "items": ["Shiba"]}]
    assert harness.observe({})["state"]["provinces"]["A"] == [["Mine"], ["Shiba"], ["Shiba down"], ["Mine down"]]
    begin(harness, phase="dynasty", provinces={"A": laid}, dynasty={"A": ["Shiba"]})
    do(harness, {"discard": "Mine"})
    assert harness.decision({})["options"] == [{"from": "1"}]
    assert do(harness, {"from": "1"}) == [{"event": "filled", "player": "A", "items": ["Shiba"]}]


def test_a_discard_is_seen(make: Callable[..., Any]) -> None:
    """The card of the first Province goes to the discards, and nothing comes where the deck is empty."""
    harness = make()
    begin(harness, phase="dynasty", cards={"Farm": {"type": "Holding"}}, provinces={"A": [["Farm"]]})
    assert do(harness, {"discard": "Farm"}) == []
    assert harness.observe({})["state"]["discard"] == {"A": ["Farm"], "B": []}


def test_what_is_not_offered_is_refused_and_changes_nothing(make: Callable[..., Any]) -> None:
    """An action that is not among the options, or another player's, never reaches the program."""
    harness = make()
    begin(harness, abilities={"A": [SCOUT], "B": [PARLEY]})
    before = harness.decision({}), harness.observe({})
    for player, action in (
        ("A", {"use": "Parley"}),
        ("B", {"pass": None}),
        (None, {"pass": None}),
        ("A", {"bring": "Mine"}),
    ):
        assert harness.apply({"player": player, "action": action}) == {"accepted": False}
    assert (harness.decision({}), harness.observe({})) == before


def test_the_seed_decides_the_order_of_a_shuffled_pile(make: Callable[..., Any]) -> None:
    """The same seed draws the same cards, and another one may draw others."""
    harness = make()
    position = {
        "abilities": {"A": [{**SCOUT, "effect": {"draw": 4}}]},
        "fate": {"A": [["3 Block", "3 Strike", "3 Bluff"]]},
    }

    def drawn(seed: int) -> list[Json]:
        harness.new({"game": "l5r", "edition": "EE", "setup": {"position": position, "seed": seed}})
        return do(harness, {"use": "Scout"})

    assert drawn(1) == drawn(1)
    assert len({str(drawn(seed)) for seed in range(5)}) > 1


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"players": ["A", "B", "C"]}, "more than two players"),
        ({"phase": "attack"}, "phase 'attack'"),
        ({"phase": "dynasty", "step": "discard"}, "step 'discard'"),
        ({"home": {"A": ["Shiba"]}}, "position field 'home'"),
        ({"triggers": [{"owner": "A", "name": "Dawn", "at": "before turn"}]}, "position field 'triggers'"),
        ({"provinces": {"A": [["Mine", "Shiba"]]}}, "a Province with 2 cards"),
        ({"provinces": {"A": [[]]}}, "a Province with 0 cards"),
        ({"cards": {"Farm": {"type": "Holding"}}, "dynasty": {"A": ["2 Farm"]}}, "a card such as Farm"),
        ({"cards": {"Storm": {"type": "Event", **REFILLED}}, "dynasty": {"A": ["Storm"]}}, "a card such as Storm"),
        ({"abilities": {"A": [{"name": "Ward", "type": "Reaction", "to": "Scout"}]}}, "a Reaction ability"),
        ({"abilities": {"A": [{**SCOUT, "card": "Mine"}]}}, "a Limited ability of a card"),
        ({"abilities": {"A": [{**SCOUT, "effect": {"hand": 3}}]}}, "the effect of Scout"),
        ({"honor": {"A": 40}}, "the end of a game"),
        ({"win": {"honor": 12}}, "position field 'win'"),
    ],
)
def test_what_it_has_no_place_for_is_unsupported(make: Callable[..., Any], given: Json, says: str) -> None:
    """The answer names what it is, begins nothing, and does not stand in the way of the next play."""
    harness = make()
    assert begin(harness, **given) == {"unsupported": says}
    assert begin(harness, home={}, regions={"A": {}}, win={"honor": 40, "dishonor": -20})["ok"]


def test_a_game_from_its_start_and_other_games_are_unsupported(make: Callable[..., Any]) -> None:
    """It is never given a setup that it would quietly replace by its own decks."""
    harness = make()
    for game, setup in (("l5r", {"players": ["A", "B"]}), ("dominion", {"position": {}})):
        assert "unsupported" in harness.new({"game": game, "edition": "EE", "setup": setup})


# -- what is found ---------------------------------------------------------------------------------


def test_nothing_is_held_against_a_program_that_is_right(make: Callable[..., Any]) -> None:
    """Games of several turns in which nobody may attack conform, draws, refills, refusals and states included."""
    given = {
        "players": ["A", "B"],
        "cards": CARDS,
        "provinces": {"A": [["Mine"]], "B": [["Shiba down"]]},
        "dynasty": {"A": [["4 Mine", "3 Shiba"]], "B": ["Mine"]},
        "fate": {"A": [["5 Block", "5 Strike"]], "B": [["5 Block", "5 Strike"]]},
        "max hand": {"A": 30, "B": 30},
        "abilities": {"A": [SCOUT], "B": [PARLEY, {**SCOUT, "type": "Open"}]},
        "barred": ["A", "B"],
    }
    for seed in range(3):
        program = PythonObject("fake", make)
        played = play(GAME, program, "EE", Source(f"{seed}"), setup={"position": given, "seed": seed}, longest=60)
        assert played.failure is None
        assert played.found == ()
        assert played.play.count("end dynasty phase") > 2
        assert played.totals.refusals > 0
        assert played.totals.states > 50


def test_the_missing_attack_phase_is_found(make: Callable[..., Any]) -> None:
    """A program that goes from the Action to the Dynasty Phase leaves out one thing, told once, after the passes."""
    report = checked(make, games=6, setup={"position": {"players": ["A", "B"]}})
    (finding,) = report.findings
    assert (finding.shortest.fault, finding.shortest.rules) == ("missing", ("l5r.attack.optional",))
    assert set(finding.shortest.play) == {"pass"}
    assert len(finding.shortest.play) <= 2
    assert "another question is put: end dynasty phase" in finding.shortest.says


def found_in_games(make: Callable[..., Any], *faults: str) -> list[Divergence]:
    """What drawn games show, as far as it is about passes, of the program with faults."""
    program = PythonObject("fake", lambda: make(*faults))
    features = program.start().games[0].features
    found: list[Divergence] = []
    for number in range(20):
        found += play(GAME, program, "EE", Source(f"0/{number}"), features=features, longest=60).found
    assert found
    return [divergence for divergence in found if "l5r.action.passes" in divergence.rules]


def test_a_sticky_pass_is_found_by_play(make: Callable[..., Any]) -> None:
    """A pass that still counts after an action is found in drawn games, by its rule; a pass that does not is not."""
    sticky = found_in_games(make, "sticky")
    assert {divergence.fault for divergence in sticky} <= {"missing", "wrong player"}
    assert sticky
    assert all("end dynasty phase" in divergence.says for divergence in sticky)
    assert found_in_games(make) == []


def test_a_sticky_pass_is_shown_in_a_short_play(make: Callable[..., Any]) -> None:
    """The bundled case about it fails, with four actions, where a pass is sticky and nowhere else."""
    (one,) = (case for case in load([folder("l5r")], games.load).cases if case.id == "l5r-action-027")
    (finding,) = checked(make, "sticky", cases=[script(one)]).findings
    assert finding.shortest.rules == ("l5r.action.round", "l5r.action.passes")
    assert finding.shortest.play == ("pass", "use Parley", "use Scout", "pass")
    assert checked(make, cases=[script(one)]).verdicts["pass"] == 1


def test_a_crash_is_told_with_what_it_wrote_and_the_next_play_goes_on(make: Callable[..., Any]) -> None:
    """The end of the process is a crash, never a refusal, and a new play begins a new process."""
    given = {
        "players": ["A", "B"],
        "phase": "dynasty",
        "cards": CARDS,
        "provinces": {"A": [["Mine"]]},
        "dynasty": {"A": ["Mine"]},
    }
    bring = Script("bring", "EE", {"position": given}, (("do", "A", GAME.read("bring Mine")),))
    report = checked(make, "dies", cases=[bring])
    (row,) = report.rows
    assert row.verdict == "crash"
    assert "Unhandled Exception: a card in play" in row.message
    harness = make("dies")
    begin(harness, phase="dynasty", provinces={"A": [["Mine"]]})
    with pytest.raises(Exception, match="a card in play"):
        do(harness, {"bring": "Mine"})
    assert begin(harness)["ok"]


def test_a_question_that_nobody_knows_is_no_answer(make: Callable[..., Any]) -> None:
    """A question without a mapping ends the play instead of being answered with anything."""
    with pytest.raises(Exception, match="a question that has no answer here: Why"):
        begin(make("asks"))


# -- the program -----------------------------------------------------------------------------------

PROJECT = "ConsoleApplication1/L5R Gamestate.csproj"
XML = '<Project xmlns="http://schemas.microsoft.com/developer/msbuild/2003"><ItemGroup>{}</ItemGroup></Project>'


@pytest.fixture
def checkout(module: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one source, and tools that do nothing but what they say."""
    folder = tmp_path / "a checkout"
    (folder / "ConsoleApplication1" / "Cards").mkdir(parents=True)
    (folder / PROJECT).write_text(XML.format('<Compile Include="Cards\\One.cs" />'))
    (folder / "ConsoleApplication1" / "Cards" / "One.cs").write_text("")
    (folder / "ConsoleApplication1" / "Twice.cs").write_text("")
    tool(tmp_path, "mcs", 'for word; do case $word in -out:*) echo "$@" > "${word#-out:}";; esac; done')
    tool(tmp_path, "mono", "exit 1")
    monkeypatch.setenv("L5RSERVER", str(folder))
    monkeypatch.setenv("PATH", f"{tmp_path / 'tools'}{os.pathsep}{os.defpath}")
    return folder


def tool(folder: Path, name: str, does: str) -> None:
    """Puts a command on the path."""
    (folder / "tools").mkdir(exist_ok=True)
    file = folder / "tools" / name
    file.write_text(f"#!/bin/sh\n{does}\n")
    file.chmod(0o755)


def test_the_sources_that_the_project_names_are_compiled_once(module: ModuleType, checkout: Path) -> None:
    """A file that lies beside them and is not named is left out; the driver and its entry point are put in."""
    runner, program = module.command()
    told = Path(program).read_text()
    assert runner.endswith("mono")
    assert "One.cs" in told
    assert "Driver.cs" in told
    assert "-main:RulesOracle.Driver" in told
    assert "Twice.cs" not in told
    assert module.command() == (runner, program)


def without(name: str) -> Callable[[Path], None]:
    """Takes a tool away, and all others with it that the machine may have of that name."""

    def spoil(checkout: Path) -> None:
        (checkout.parent / "tools" / name).unlink()
        os.environ["PATH"] = str(checkout.parent / "tools")

    return spoil


@pytest.mark.parametrize(
    ("spoil", "says", "fix"),
    [
        (lambda checkout: checkout.rename(checkout.with_name("elsewhere")), "there is no folder", "L5RSERVER names"),
        (lambda checkout: (checkout / PROJECT).unlink(), "it has no ConsoleApplication1", "L5RSERVER names"),
        (lambda checkout: (checkout / PROJECT).write_text("<Project"), "it cannot be read", "again"),
        (lambda checkout: (checkout / PROJECT).write_text(XML.format("")), "it names no sources", "again"),
        (
            lambda checkout: (checkout / "ConsoleApplication1" / "Cards" / "One.cs").unlink(),
            "a source is missing",
            "again",
        ),
        (without("mcs"), "mcs is not installed", "mono-mcs"),
        (without("mono"), "mono is not installed", "mono-runtime"),
        (
            lambda checkout: tool(checkout.parent, "mcs", 'echo "One.cs(1,2): error CS1: no end"; exit 1'),
            "do not compile: One.cs(1,2): error CS1: no end",
            "as published",
        ),
    ],
)
def test_what_is_missing_is_said_with_what_to_do(
    checkout: Path, spoil: Callable[[Path], object], says: str, fix: str
) -> None:
    """Whatever the program needs and does not have is the user's to mend: exit code 2, two lines, no traceback."""
    spoil(checkout)
    result = CliRunner().invoke(cli, ["check", "l5rserver"])
    assert result.exit_code == 2
    assert says in result.output
    assert fix in result.output
    assert "Traceback" not in result.output
