"""The command: what it answers, the exit codes, and what it says of input that cannot be used."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from oracle import games as modelled
from oracle.casebook import bundled, case
from oracle.cli import cli

POSITION = """\
players: [A, B]
turn: A
phase: buy
coins: 3
bought: 1
hand: {A: [Gold, Estate]}
"""
SEEDS = Path(__file__).resolve().parents[2] / "shared" / "seeds"


def run(*args: str | Path, input: str | bytes | None = None) -> Result:
    """The command's result, run in this process."""
    return CliRunner().invoke(cli, [str(arg) for arg in args], input=input, prog_name="oracle")


def apart(*args: str, code: str = "") -> subprocess.CompletedProcess[str]:
    """The command's result in a process of its own; `code` instead runs Python source."""
    command = [sys.executable, "-c", code] if code else [sys.executable, "-m", "oracle.cli", *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL)


@pytest.fixture
def position(tmp_path: Path) -> Path:
    """A file with a position in the Buy phase, a card bought already."""
    file = tmp_path / "position.yaml"
    file.write_text(POSITION)
    return file


# -- games -------------------------------------------------------------------------------------------


def test_games_counts_what_is_there() -> None:
    """`oracle games` says how many rules and cases there are: as many as loading them all finds."""
    game = next(one for one in json.loads(run("games", "--format", "json").output) if one["name"] == "dominion")
    model = modelled.load("dominion")
    book = case.load([bundled.folder("dominion")], modelled.load)
    assert (game["name"], game["rules"]) == ("dominion", len(model.rulebook.rules))
    assert game["cases"] == len(book.cases) >= 100
    assert game["editions"] == list(model.editions)


def test_games_loads_nothing_heavy() -> None:
    """What only proves, tests or draws is not loaded to name the games."""
    heavy = "z3 hypothesis rich jsonschema pytest oracle.conformance.check"
    code = (
        "import sys; sys.argv = ['oracle', 'games']\n"
        "from oracle.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        f"print('loaded:', *(name for name in {heavy.split()!r} if name in sys.modules))"
    )
    done = apart(code=code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("game ")
    assert done.stdout.endswith("loaded:\n")


# -- rules -------------------------------------------------------------------------------------------


def test_rules_lists_every_rule_once() -> None:
    """The list has one line a rule, in the rulebook's order."""
    lines = run("rules", "dominion").output.splitlines()
    assert [line.split()[0] for line in lines] == list(modelled.load("dominion").rulebook.rules)


def test_one_rule_with_all_that_is_known_of_it() -> None:
    """A rule is shown with its sentence, sources, guards and every case that cites it."""
    page = json.loads(run("rules", "dominion", "dom.buy.cost", "--format", "json").output)
    assert page["says"] == modelled.load("dominion").rulebook["dom.buy.cost"].says
    assert page["guards"] == ["affordable"]
    assert any(source["fingerprint"] for source in page["sources"])
    book = case.load([bundled.folder("dominion")], modelled.load)
    citing = [one.id for one in book.cases if "dom.buy.cost" in (*one.rules, *one.cited)]
    assert [one["id"] for one in page["cases"]] == citing != []
    shown = run("rules", "dominion", "dom.buy.cost")
    assert shown.exit_code == 0
    assert "Guards: affordable" in shown.output
    assert citing[0] in shown.output


def test_options_may_come_before_the_game() -> None:
    """`show` may be left out whatever comes first."""
    before, after = run("rules", "--format", "json", "dominion"), run("rules", "dominion", "--format", "json")
    assert before.exit_code == after.exit_code == 0
    assert before.output == after.output


def test_coverage_has_a_row_for_each_rule() -> None:
    """Coverage names guards and cases rule by rule, and agrees with the rule's own page."""
    rows = json.loads(run("rules", "coverage", "dominion", "--format", "json").output)
    kinds = modelled.load("dominion").rulebook.rules.values()
    assert [row["rule"]["id"] for row in rows] == [rule.id for rule in kinds if rule.kind == "rule"]
    cost = next(row for row in rows if row["rule"]["id"] == "dom.buy.cost")
    page = json.loads(run("rules", "dominion", "dom.buy.cost", "--format", "json").output)
    assert cost["cases"] == [one["id"] for one in page["cases"]]
    assert f"{len(rows)} rules:" in run("rules", "coverage", "dominion").output


def test_verify_names_unclaimed_sentences_with_their_lines(tmp_path: Path) -> None:
    """A sentence that no rule claims is reported with file and line, and the command fails."""
    text = tmp_path / "rules.txt"
    text.write_text("Heading of mine\n\nThe moon is made of cheese. It is eaten on Sundays.\n")
    found = run("rules", "verify", "dominion", "--source", text)
    assert found.exit_code == 1
    assert f"{text}:3: unclaimed: The moon is made of cheese." in found.output
    assert "3 unclaimed" in found.output


@pytest.mark.skipif(not SEEDS.is_dir(), reason="SKIPPED LOUDLY: the source texts (../shared/seeds) are not here")
def test_verify_finds_nothing_wrong_with_the_sources() -> None:
    """Every sentence of both Dominion texts is claimed and no rule is stale."""
    sources = [found for mark in ("000_*", "002_*") for found in SEEDS.glob(mark)]
    assert len(sources) == 2
    found = run("rules", "verify", "dominion", *(word for file in sources for word in ("--source", file)))
    assert found.exit_code == 0, found.output
    assert "0 unclaimed, 0 stale" in found.output


# -- legal -------------------------------------------------------------------------------------------


def test_legal_lists_each_action_with_its_rules(position: Path) -> None:
    """Every legal action of whoever decides is named with rules that allow it; the others have nothing."""
    answer = json.loads(run("legal", "dominion", position, "--format", "json").output)
    assert (answer["player"], answer["kind"], answer["count"]) == ("A", "action", len(answer["actions"]))
    names = [action["action"] for action in answer["actions"]]
    assert names == ["end buy phase", "buy Copper", "buy Silver", "buy Estate", "buy Curse"]
    assert all(action["rules"] for action in answer["actions"])
    assert answer["others"] == ["B"]
    shown = run("legal", "dominion", position)
    assert shown.exit_code == 0
    assert [line for line in shown.output.splitlines() if line.startswith("  buy Silver  ")]
    assert "Nothing to decide: B" in shown.output


def test_another_player_has_nothing(position: Path) -> None:
    """A player who does not decide is offered nothing."""
    shown = run("legal", "dominion", position, "--player", "B")
    assert shown.exit_code == 0
    assert shown.output.startswith("B has nothing to decide")
    assert json.loads(run("legal", "dominion", position, "--player", "B", "--format", "json").output)["actions"] == []


def test_why_gives_the_rule_its_sentence_and_the_fact(position: Path) -> None:
    """A forbidden action is answered with the broken clauses only, an allowed one with all."""
    shown = run("legal", "dominion", position, "--why", "play Gold")
    assert shown.exit_code == 0
    assert shown.output.startswith("play Gold by A: illegal")
    says = modelled.load("dominion").rulebook["dom.buy.treasures-first"].says
    assert " ".join(says.split()) in " ".join(shown.output.split())
    assert "here: 1 card bought" in shown.output
    forbidden = json.loads(run("legal", "dominion", position, "--why", "play Gold", "--format", "json").output)
    assert [clause["rule"] for clause in forbidden["deciding"]] == ["dom.buy.treasures-first"]
    assert not any(clause["holds"] for clause in forbidden["deciding"])
    allowed = json.loads(run("legal", "dominion", position, "--why", "buy Silver", "--format", "json").output)
    assert allowed["legal"]
    assert "dom.buy.cost" in [clause["rule"] for clause in allowed["deciding"]]


def test_why_for_another_player(position: Path) -> None:
    """`--why` with `--player` judges that player's action."""
    shown = run("legal", "dominion", position, "--why", "buy Silver", "--player", "B")
    assert shown.output.startswith("buy Silver by B: illegal")
    assert "dom.turn.current" in shown.output


def test_position_from_standard_input() -> None:
    """`-` reads the position from standard input, and errors say so."""
    assert "buy Silver" in run("legal", "dominion", "-", input=POSITION).output
    wrong = run("legal", "dominion", "-", input="players: [A, B]\nphase: noon\n")
    assert wrong.exit_code == 2
    assert "standard input:2:8: " in wrong.stderr


def test_large_families_are_counted_not_listed(tmp_path: Path) -> None:
    """More than 40 actions are summarised with their number; `--all` lists every one."""
    file = tmp_path / "chapel.yaml"
    file.write_text("setup: {players: [A, B], first: A}\n")
    model = modelled.load("dominion")
    hand = ["Cellar", "Copper", "Estate", "Silver", "Gold", "Moat", "Duchy", "Curse"]
    given = {"players": ["A", "B"], "turn": "A", "phase": "action", "hand": {"A": hand}, "deck": {"A": ["Gold"]}}
    state, _ = model.apply(model.position(given, "2023"), model.read("play Cellar"))
    from oracle.report import answers, text

    few, every = (answers.legal(model, state, "2023", every=all_) for all_ in (False, True))
    assert few.count == every.count == 2**7 == len(every.actions)
    assert len(few.actions) <= answers.MOST
    assert sum(family.count for family in few.families) + len(few.actions) == few.count
    assert "128 actions" in text.legal(few)
    assert len(text.legal(few).splitlines()) < 20


def test_edition_decides(tmp_path: Path) -> None:
    """The edition asked for is in force where the file names none."""
    file = tmp_path / "moneylender.yaml"
    file.write_text("players: [A, B]\nturn: A\nphase: action\nhand: {A: [Copper]}\n")
    for edition in modelled.load("dominion").editions:
        answer = json.loads(run("legal", "dominion", file, "--edition", edition, "--format", "json").output)
        assert answer["edition"] == edition


def test_a_finished_game_has_a_score_and_no_action() -> None:
    """Once the game is over nothing is legal, and the outcome is told."""
    from oracle.report import answers, text

    model = modelled.load("dominion")
    given = {"players": ["A", "B"], "turn": "A", "phase": "buy", "supply": {"Province": 0}, "hand": {"A": ["Estate"]}}
    state, _ = model.apply(model.position(given, "2023"), model.read("end buy phase"))
    answer = answers.legal(model, state, "2023")
    assert (answer.count, answer.actions, answer.kind) == (0, (), None)
    assert answer.outcome is not None
    assert answer.outcome["winners"] == ("A",)
    assert "The game is over" in text.legal(answer)


# -- lint --------------------------------------------------------------------------------------------


def test_lint_fails_on_a_finding_and_passes_without(tmp_path: Path) -> None:
    """A case without a refusal is found with its place; a good case has no finding."""
    good = """\
game: dominion
edition: "2023"
cases:
  - id: dom-mine-001
    title: no Treasure after a buy
    rules: [dom.buy.treasures-first]
    given: {players: [A, B], turn: A, phase: buy, bought: 1, coins: 3, hand: {A: [Gold]}}
    steps:
      - refuse: {player: A, action: play Gold, because: dom.buy.treasures-first}
"""
    file = tmp_path / "mine.yaml"
    file.write_text(good)
    assert run("lint", file).exit_code == 0
    file.write_text(good.replace("title: no Treasure after a buy", "title: No Treasure after a buy."))
    found = run("lint", file)
    assert found.exit_code == 1
    assert f"{file}:5:" in found.output
    assert json.loads(run("lint", file, "--format", "json").output)[0]["code"] == "title-stop"


def test_lint_has_no_finding_about_our_own_cases() -> None:
    """The bundled cases keep the rules that users' cases are held to."""
    result = run("lint")
    assert result.exit_code == 0, result.output


def test_lint_of_nothing_is_no_pass(tmp_path: Path) -> None:
    """An empty folder and a path that is not there are bad input."""
    assert run("lint", tmp_path).exit_code == 2
    assert run("lint", tmp_path / "nowhere.yaml").exit_code == 2


# -- bad input ---------------------------------------------------------------------------------------

BAD: list[tuple[list[str], str]] = [
    (["rules", "domnion"], "did you mean 'dominion'?"),
    (["rules", "dominion", "dom.buy.cots"], "did you mean dom.buy.cost"),
    (["rules", "verify", "dominion"], "no source text was given"),
    (["rules", "verify", "dominion", "--source", "nowhere.txt"], "nowhere.txt: cannot be read"),
    (["rules", "verify", "dominion", "--source", "binary.txt"], "binary.txt:2: the text is not UTF-8"),
    (["rules", "verify", "dominion", "--source", "huge.yaml"], "too large"),
    (["legal", "dominoes", "good.yaml"], "there is no game 'dominoes'"),
    (["legal", "dominion", "nowhere.yaml"], "there is no such file"),
    (["legal", "dominion", "broken.yaml"], "broken.yaml:2:8: this is not YAML"),
    (["legal", "dominion", "binary.txt"], "binary.txt:2:1: the file is not UTF-8"),
    (["legal", "dominion", "huge.yaml"], "huge.yaml: the file is too large"),
    (["legal", "dominion", "deep.yaml"], "too deep"),
    (["legal", "dominion", "alias.yaml"], "aliases (*) are not read"),
    (["legal", "dominion", "empty.yaml"], "the file is empty"),
    (["legal", "dominion", "negative.yaml"], "negative.yaml:4:8: "),
    (["legal", "dominion", "card.yaml"], "card.yaml:4:"),
    (["legal", "dominion", "good.yaml", "--why", "fly home"], "'fly home' is no action of dominion"),
    (["legal", "dominion", "good.yaml", "--player", "Zoe"], "nobody sits at 'Zoe'"),
    (["legal", "dominion", "good.yaml", "--edition", "1999"], "edition '1999' is unknown"),
    (["check", "--edition", "1999"], "edition '1999' is unknown"),
    (["check", "--game", "chess"], "there is no game 'chess'"),
    (["check", "--case", "dom-buy-01"], "there is no case 'dom-buy-01'"),
    (["check", "--no-cases"], "neither cases nor games"),
    (["check", "--cases-from", "nowhere"], "there is no such file"),
    (["check", "--cases-from", "folder"], "there is no YAML file"),
    (["check", "pyminon"], "no target 'pyminon'"),
    (["check", "cmd:no-such-program"], "'no-such-program' cannot be run"),
    (["check", "py:nowhere:Class"], "module 'nowhere' cannot be imported"),
    (["check", "--known", "nowhere.yaml"], "nowhere.yaml"),
    (["check", "--junit", "nowhere/report.xml"], "no file can be written there"),
    (["check", "--games", "many"], "Invalid value for '--games'"),
    (["fly"], "No such command 'fly'"),
]


@pytest.mark.parametrize(("args", "says"), BAD, ids=[" ".join(args) for args, _ in BAD])
def test_bad_input(args: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Input that cannot be used: one clear message on standard error, exit code 2, nothing on standard output."""
    monkeypatch.chdir(tmp_path)
    Path("good.yaml").write_text(POSITION)
    Path("broken.yaml").write_text("hand: {A: [Gold\nplayers: [A, B\n")
    Path("binary.txt").write_bytes(b"fine\n\xff\xfe\n")
    with Path("huge.yaml").open("wb") as huge:
        huge.truncate(100_000_000)
    Path("deep.yaml").write_text("hand: " + "[" * 10_000)
    Path("alias.yaml").write_text("hand: &a [Gold]\ndeck: *a\n")
    Path("empty.yaml").write_text("")
    Path("negative.yaml").write_text("players: [A, B]\nturn: A\nphase: buy\ncoins: -1\n")
    Path("card.yaml").write_text("players: [A, B]\nturn: A\nphase: buy\nhand: {A: [Glod]}\n")
    Path("folder").mkdir()
    before = sorted(Path().iterdir())
    result = run(*args)
    assert result.exit_code == 2, result.output
    assert says in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    assert sorted(Path().iterdir()) == before


def test_a_fault_of_the_oracle_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch, position: Path) -> None:
    """What no user can have caused ends with exit code 3 and one message; `--debug` lets it through."""

    def broken(*args: Any, **named: Any) -> None:
        raise ZeroDivisionError("three of no thing")

    monkeypatch.setattr("oracle.report.answers.legal", broken)
    result = run("legal", "dominion", position)
    assert result.exit_code == 3
    assert "a fault of the oracle itself: ZeroDivisionError: three of no thing" in result.stderr
    assert isinstance(run("--debug", "legal", "dominion", position).exception, ZeroDivisionError)
    monkeypatch.setenv("ORACLE_DEBUG", "1")
    assert isinstance(run("legal", "dominion", position).exception, ZeroDivisionError)


def test_a_reader_that_stops_reading_is_no_error() -> None:
    """A closed pipe is met in silence, and the verdict stays."""
    command = f"{sys.executable} -m oracle.cli rules dominion | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    assert done.stdout == "0\n"


def test_an_answer_that_nobody_can_get_is_an_error() -> None:
    """With standard output closed from the start nothing can be said, so nothing is a pass."""
    command = ["bash", "-c", f"{sys.executable} -m oracle.cli games >&-"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("oracle: standard output: the answer cannot be written")


def test_version_and_help() -> None:
    """Every command explains itself."""
    assert run("--version").exit_code in (0, 1)  # 1: a checkout that is not installed has no version
    for words in ([], ["rules", "verify"], ["rules", "coverage"], *([name] for name in cli.commands)):
        shown = run(*words, "--help")
        assert shown.exit_code == 0
        assert "Usage: oracle" in shown.output
