"""Asking about a position: moves taken first, names that are checked, and positions as reports print them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

import oracle
from oracle import games
from oracle.casebook.bundled import folder
from oracle.cli import cli
from oracle.errors import BadAction, BadInput
from oracle.game import Action
from oracle.report import brief
from tests.nim import Nim, Pile

DOMINION, STATION = games.load("dominion"), games.load("station")
MILITIA = "players: [A, B]\nturn: A\nphase: action\nhand: {A: [Militia, Moat], B: [4 Copper, Estate]}\n"
UNDER_WAY = oracle.play("dominion", yaml.safe_load(MILITIA), "play Militia")[0]


def run(*args: str | Path, input: str | None = None) -> Result:
    """The command's result, run in this process."""
    return CliRunner().invoke(cli, [str(arg) for arg in args], input=input, prog_name="oracle")


def legal(text: str, *args: str) -> Result:
    """`oracle legal dominion` of a position."""
    return run("legal", "dominion", "-", *args, input=text)


# -- after some moves ----------------------------------------------------------------------------------


def test_a_question_in_the_middle_of_a_card() -> None:
    """After the moves it is whoever must choose now that is asked, by the same rules as anywhere."""
    few = legal(MILITIA, "--after", "play Militia", "--why", "discard Copper")
    assert few.exit_code == 0
    assert few.output.startswith("discard Copper by B: illegal\n\ndom.card.militia\n")
    assert legal(MILITIA, "--after", "play Militia", "--why", "discard 2 Copper").output.startswith(
        "discard Copper, Copper by B: legal"
    )
    answer = json.loads(legal(MILITIA, "--after", "play Militia", "--format", "json").output)
    assert (answer["player"], answer["kind"]) == ("B", "choice")
    assert [action["action"] for action in answer["actions"]] == ["discard Copper, Estate", "discard Copper, Copper"]


def test_moves_are_taken_in_order_what_chance_decides_included() -> None:
    """Each move is by whoever must choose after those before it; chance is a move of its own."""
    given = "players: [A, B]\nhand: {A: [Smithy]}\ndeck: {A: [[3 Gold, Copper]]}\n"
    moves = ("--after", "play Smithy", "--after", "draw 3 Gold")
    answer = json.loads(legal(given, *moves, "--after", "end action phase", "--format", "json").output)
    assert {"play": "Gold"} in [action["json"] for action in answer["actions"]]
    assert {"play": "Copper"} not in [action["json"] for action in answer["actions"]]
    wrong = legal(given, *moves[:2], "--after", "draw 2 Gold, Estate")
    assert wrong.exit_code == 2
    assert wrong.stdout.startswith("draw Estate, Gold, Gold by chance: illegal")


def test_an_illegal_move_gets_its_verdict() -> None:
    """It is answered like `--why`, told apart from the question, and ends with exit code 2."""
    wrong = legal(MILITIA, "--after", "play Militia", "--after", "discard Copper", "--why", "play Moat")
    assert wrong.exit_code == 2
    assert wrong.stdout.startswith("discard Copper by B: illegal\n\ndom.card.militia\n")
    assert "--after 'discard Copper' is not legal after play Militia" in wrong.stderr
    assert "B decides: Militia: discard 2" in wrong.stderr
    first = legal(MILITIA, "--after", "buy Gold", "--format", "json")
    assert first.exit_code == 2
    assert json.loads(first.stdout)["legal"] is False
    over = legal("over: true\n", "--after", "buy Gold")
    assert over.exit_code == 2
    assert "the game is over" in over.stderr


# -- names and counts in actions -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "given", "action", "near"),
    [
        (DOMINION, {}, "buy Prvince", "did you mean 'Province'?"),
        (DOMINION, {}, "trash Copper, Estaet", "did you mean 'Estate'?"),
        (DOMINION, {}, {"put back": ["copper"]}, "did you mean 'Copper'"),
        (DOMINION, {}, "resolve Caravan", "known: Artisan, "),
        (STATION, {}, "acquire bleu 3", "did you mean 'blue 3'"),
        (STATION, {}, "install Gardn at n1", "did you mean 'Garden'?"),
        (STATION, {}, "install Garden at n77", "did you mean 'n7'"),
        (STATION, {}, "purchase Airlock from 1 pay blue 2 to dokc", "did you mean 'dock'?"),
    ],
)
def test_a_misspelt_name_is_no_action(model: Any, given: dict[str, Any], action: Any, near: str) -> None:
    """Judging, playing and reading with a state refuse what nothing is called, and say what may have been meant."""
    for ask in (lambda: oracle.judge(model, given, "A", action), lambda: oracle.play(model, given, action)):
        with pytest.raises(BadAction, match="nothing is called") as caught:
            ask()
        assert near in caught.value.fix


def test_what_a_position_declares_is_a_name() -> None:
    """Cards, modules and nodes of one's own can be named, wherever they lie; all printed cards get a ruling."""
    given = {"cards": {"Caravan": {"types": ["Action"]}}}
    assert not oracle.judge("dominion", given, "A", "play Caravan").legal
    assert oracle.judge("dominion", {}, "A", "buy Witch").rules
    own = {"modules": {"Lab": {"guild": "black", "cost": 3}}, "map": {"nodes": ["core", "bow"], "links": []}}
    assert not oracle.judge("station", own, "A", "install Lab at bow").legal
    assert not oracle.judge("station", own, "A", "acquire black 9").legal


def test_the_guard_takes_any_action_and_games_need_not_name() -> None:
    """An `Action` is judged as it is; a game without `names` has nothing checked."""
    wrong = Action("buy", ("Prvince",))
    assert not oracle.judge("dominion", {"phase": "buy"}, "A", wrong).legal
    assert Nim().names(Pile(3, "A")) is None
    assert Nim().read("take 4", Pile(3, "A")).items == ("4",)


def test_misspelt_on_the_command_line_and_in_a_case(tmp_path: Path) -> None:
    """`--why`, `--after` and every step of a case refuse the name, a case with its place."""
    for option in ("--why", "--after"):
        asked = legal(MILITIA, option, "buy Prvince")
        assert (asked.exit_code, asked.stdout) == (2, "")
        assert "did you mean 'Province'?" in asked.stderr
    head = 'game: dominion\nedition: "2023"\ncases:\n  - id: dom-x\n    title: x\n    rules: [dom.buy.cost]\n'
    for step in (
        "refuse: {player: A, action: buy Prvince, because: dom.buy.cost}",
        "legal: {player: A, excludes: [buy Prvince]}",
        "do: buy Prvince",
        "order: {forbidden: [[buy Prvince]]}",
    ):
        file = tmp_path / "x.yaml"
        file.write_text(f"{head}    given: {{phase: buy}}\n    steps:\n      - {step}\n")
        result = run("check", "--cases-from", file)
        assert result.exit_code == 2, result.output
        assert re.search(r"x\.yaml:9:\d+: 'buy Prvince': nothing is called 'Prvince'\s+in dominion", result.output)


def test_a_program_that_offers_what_does_not_exist() -> None:
    """An option with an unknown name is no extra action but an unknown one."""
    result = run("check", "py:tests.cli_programs:Misspells", "--no-cases", "--games", "1", "--format", "json")
    faults = {finding["shortest"]["fault"] for finding in json.loads(result.stdout)["report"]["findings"]}
    assert "unknown action" in faults
    assert "extra" not in faults


@pytest.mark.parametrize("written", ["trash 4 Copper", {"trash": ["4 Copper"]}, {"trash": "3 Copper, Copper"}])
def test_counts_in_actions(written: Any) -> None:
    """A number before a name says how many, in texts and JSON, as in the lists of a position."""
    given = {"hand": {"A": ["Chapel", "4 Copper"]}}
    state, _ = oracle.play("dominion", given, "play Chapel", written)
    assert DOMINION.observe(state)["trash"] == ["Copper"] * 4
    assert DOMINION.read(written) == DOMINION.read("trash Copper, Copper, Copper, Copper")


def test_counts_elsewhere_are_refused() -> None:
    """A verb of one item takes one; a card whose name ends in a number is itself; too many are bad input."""
    with pytest.raises(BadAction, match="'buy' takes one item, not 2"):
        DOMINION.read("buy 2 Silver")
    with pytest.raises(BadAction, match="is no count"):
        DOMINION.read("trash 999 Copper")
    assert STATION.read("acquire 2 red 1, blue 3").items == ("blue 3", "red 1", "red 1")
    assert STATION.read("purchase Airlock from 1 pay 2 blue 2 to dock").rest[1] == ("pay", ("blue 2", "blue 2"))


# -- positions as reports print them ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "position: {hand: {A: [Moat]}}",
        "position: {hand: {A: [Moat]}}\nseed: 4",
        "setup: {position: {hand: {A: [Moat]}}, seed: 4}",
        'edition: "2016"\nsetup: {position: {hand: {A: [Moat]}}}',
        "{position: {hand: {A: [Moat]}}, seed: 4}",
        "   position: {hand: {A:\n     [Moat]}}  # supply: 7 more, with --verbose",
    ],
)
def test_a_position_as_a_report_prints_it_is_read(text: str) -> None:
    """Position lines and set-ups of reports are position files as they are."""
    shown = legal(text)
    assert shown.exit_code == 0, shown.output
    assert "  play Moat " in shown.output


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("position: 3\n", "1:11", "'position' is not a mapping"),
        ("setup: {position: 3}\n", "1:19", "'position' is not a mapping"),
        ("setup: {position: {}, first: A}\n", "1:23", "unknown key 'first'"),
        ("position: {}\nsetup: {}\n", "2:1", "unknown key 'setup'"),
        ("given: {}\nseed: 3\n", "2:1", "unknown key 'seed'"),
        ("setup: {position: {hand: {A: [Glod]}}}\n", "1:31", "unknown card 'Glod'"),
    ],
)
def test_faults_in_such_a_position_have_their_place(text: str, place: str, says: str) -> None:
    """What is wrong is told with line and column, as in any other position."""
    shown = legal(text)
    assert shown.exit_code == 2
    assert f"standard input:{place}: {says}" in shown.stderr


def test_a_position_in_the_middle_of_a_card_is_sent_to_after() -> None:
    """It cannot be written down, and the message says how to get there."""
    text = yaml.safe_dump({"position": DOMINION.observe(UNDER_WAY)})
    shown = legal(text)
    assert shown.exit_code == 2
    assert "--after 'ACTION'" in shown.stderr


def test_brief_positions_are_the_same_position() -> None:
    """What is left out is what the game takes for granted: the rest gives the same state, but for pile counts."""
    given = {"phase": "buy", "coins": 3, "hand": {"A": ["Gold", "2 Estate"]}, "discard": {"B": ["Curse"]}}
    state = DOMINION.position(given, "2023")
    told, note = brief.brief(DOMINION, DOMINION.observe(state), "2023", "buy Gold")
    assert told == {
        "players": ["A", "B"],
        "turn": "A",
        "phase": "buy",
        "coins": 3,
        "hand": {"A": ["2 Estate", "Gold"]},
        "discard": {"B": ["Curse"]},
    }
    assert note == "supply: 6 more, with --verbose"
    assert DOMINION.position(told, "2023") == state


def test_brief_positions_keep_piles_that_matter() -> None:
    """Empty piles, and those that the divergence names, stay."""
    state = DOMINION.position({"supply": {"Curse": 0, "Gold": 2, "Moat": 4, "Smithy": 3}}, "2023")
    told, _ = brief.brief(DOMINION, DOMINION.observe(state), "2023", "legal, but not offered: buy Moat")
    assert told["supply"] == {"Curse": 0, "Moat": 4}


def test_a_divergence_is_told_in_some_ten_lines_that_can_be_pasted(tmp_path: Path) -> None:
    """In brief a finding takes a dozen lines, none too long; its position is a file in which the ruling is the same."""
    args = ("check", "py:tests.cli_programs:Greedy", "--no-cases", "--games", "3")
    text = run(*args).output
    finding = text[text.index("1. missing") : text.index("\n\n1 distinct divergence.")]
    assert len(finding.splitlines()) <= 14
    assert all(len(line) <= 100 for line in finding.splitlines() if "again:" not in line)
    file = tmp_path / "pasted.yaml"
    file.write_text(finding[finding.index("   position:") : finding.index("   after")])
    shown = run("legal", "dominion", file, "--why", "end buy phase")
    assert shown.stdout.startswith("end buy phase by"), shown.output
    assert ": legal" in shown.stdout
    assert len(run(*args, "--verbose").output.splitlines()) > len(text.splitlines()) + 10


# -- rules and games -------------------------------------------------------------------------------------


def test_rules_are_searched_by_words() -> None:
    """Every rule with all the words in id or sentence is listed, none other; what is no word of any is an error."""
    found = json.loads(run("rules", "dominion", "treasure", "buy", "--format", "json").output)
    expected = [
        rule.id
        for rule in DOMINION.rulebook.rules.values()
        if all(word in f"{rule.id} {rule.says}".casefold() for word in ("treasure", "buy"))
    ]
    assert [line["id"] for line in found] == expected != []
    shown = run("rules", "dominion", "throne")
    assert shown.exit_code == 0
    assert "dom.card.throne-room" in shown.output
    assert run("rules", "dominion", "xyzzy").exit_code == 2


def test_a_deciding_rule_is_not_met() -> None:
    """A rule that forbids an action is not named among those that are met, though one clause of it is."""
    given = "phase: action\nhand: {A: [Copper]}\n"
    answer = json.loads(legal(given, "--why", "play Copper", "--format", "json").output)
    deciding, met = ({clause["rule"] for clause in answer[word]} for word in ("deciding", "also"))
    assert deciding
    assert met
    assert not deciding & met


@pytest.mark.parametrize("phase", ["cleanup", "Clean-up", "clean up", "clean-up phase", "end"])
def test_clean_up_is_no_phase_to_ask_about(phase: str) -> None:
    """Nobody chooses in Clean-up: a position that begins there is told so, with what would be right."""
    wrong = legal(f"phase: {phase}\n")
    assert wrong.exit_code == 2
    assert "Clean-up is no decision point" in wrong.stderr


def test_lint_gives_advice_to_those_who_ask(tmp_path: Path) -> None:
    """Advice is counted, shown with `--advice`; rules that no case names are told where all cases are looked at."""
    file = tmp_path / "mine.yaml"
    file.write_text(
        'game: dominion\nedition: "2023"\ncases:\n  - id: dom-x\n    title: too dear\n    rules: [dom.buy.buys]\n'
        "    given: {phase: buy}\n    steps:\n      - refuse: {player: A, action: buy Gold, because: dom.buy.cost}\n"
    )
    shown = run("lint", file)
    assert shown.exit_code == 0
    assert shown.output == "0 findings; 1 piece of advice (--advice shows it)\n"
    assert json.loads(run("lint", file, "--format", "json").output) == []
    asked = run("lint", file, "--advice")
    assert asked.exit_code == 0
    assert "[other-rules]" in asked.output
    assert "[unused-rule]" not in asked.output
    whole = json.loads(run("lint", folder("dominion"), "--advice", "--format", "json").output)
    assert whole == [one for one in json.loads(run("lint", "--advice", "--format", "json").output) if one in whole]


# -- what each game's guide says ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", games.names())
def test_the_guide_names_everything(name: str) -> None:
    """Every field of a position and a setup, every verb and every event of chance stands in the game's README."""
    text, model = games.guide(name), games.load(name)
    module = __import__(f"oracle.games.{name}.given", fromlist=["FIELDS"])
    fields = (*module.FIELDS, *getattr(module, "SETUP", ("players", "first", "kingdom", "last game", "seed")))
    assert [field for field in fields if f"`{field}`" not in text] == []
    assert [verb for verb in model.verbs if not re.search(rf"`{verb}[ `]", text)] == []
    assert [event for event in model.chance_events if f'"event": "{event}"' not in text] == []
    assert run("games", name).output == text
    assert json.loads(run("games", name, "--format", "json").output) == {"name": name, "text": text}


@pytest.mark.parametrize("name", games.names())
def test_examples_of_the_guide_are_right(name: str) -> None:
    """Its positions can be read, and each action is the same as text and as JSON."""
    text, model = games.guide(name), games.load(name)
    positions = re.findall(r"^```yaml\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert positions
    for position in positions:
        assert model.decision(model.position(yaml.safe_load(position), model.editions[0])) is not None
    table = text[text.index("## Actions") : text.index("## Events")]
    actions = re.findall(r"^\| (`.*?) +\| `(\{.*?\})` +\|", table, re.MULTILINE)
    assert len(actions) > 5
    for texts, written in actions:
        meant = [model.read(one) for one in re.findall(r"`([^`]+)`", texts)]
        assert model.read(json.loads(written)) in meant


def test_no_such_game_has_no_guide() -> None:
    """An unknown game is bad input, with one like it."""
    with pytest.raises(BadInput, match="there is no game"):
        games.guide("domino")
    assert run("games", "domnion").exit_code == 2
