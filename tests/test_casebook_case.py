"""Reading cases: every fault of a file is found, with its place and what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from oracle.casebook import case as casebook
from oracle.casebook import schema
from oracle.casebook.case import Do, Legal, Order, Refuse, load, load_file
from oracle.errors import BadInput, OracleError
from oracle.game import Action, Game
from tests.casebooks import HEAD, book, case, faults, games
from tests.nim import Nim

STEP = "refuse: {player: A, action: take 4, because: nim.take}"


def test_the_schema_is_a_schema() -> None:
    """Editors are given a valid JSON Schema of draft 2020-12."""
    Draft202012Validator.check_schema(schema.schema())


def test_a_case_is_read_into_typed_steps(tmp_path: Path) -> None:
    """Actions are values of the game, whichever form they are written in; provenance is `derived` unless named."""
    steps = "do: {take: '2'}\ndo: {by: B, action: pass}\n" + STEP + "\nlegal: {player: A, exactly: []}\n"
    steps += "order: {allowed: [[take 1, '2']]}"
    (read,) = book(
        tmp_path, case(steps, more="given: {stones: 9}\n    reading: loose").replace("    provenance: seed\n", "")
    ).cases
    assert (read.id, read.title, read.rules, read.reading) == ("nim-x", "x", ("nim.take",), "loose")
    assert (read.provenance, read.link, read.edition, read.given) == ("derived", "", "1", {"stones": 9})
    assert read.cited == ("nim.take",)
    do, by, refuse, legal, order = read.steps
    assert isinstance(do, Do)
    assert do.action == Action("take", ("2",))
    assert isinstance(by, Do)
    assert by.by == "B"
    assert isinstance(refuse, Refuse)
    assert (refuse.player, refuse.because) == ("A", ("nim.take",))
    assert isinstance(legal, Legal)
    assert legal.exactly == ()
    assert isinstance(order, Order)
    assert order.allowed == ((Action("take", ("1",)), "2"),)


FAULTS = {
    "no mapping": ("- a\n- b\n", "1:1", "this is a list", "a mapping with game, edition and cases"),
    "no game": ('edition: "1"\ncases: [{}]\n', "1:1", "'game' is missing", "oracle games"),
    "no edition": ("game: nim\ncases: [{}]\n", "1:1", "'edition' is missing", "an edition"),
    "no cases": ('game: nim\nedition: "1"\n', "1:1", "'cases' is missing", "a list of at least one case"),
    "zero cases": ('game: nim\nedition: "1"\ncases: []\n', "3:8", "'cases' is empty", "at least one case"),
    "cases no list": ('game: nim\nedition: "1"\ncases: x\n', "3:8", "'cases' is a text", "at least one case"),
    "an edition that is a number": (
        "game: nim\nedition: 1.10\ncases: [{}]\n",
        *("2:10", "'edition' is the number 1.10, not a text", 'quote it: edition: "1.10"'),
    ),
    "an unknown edition": ('game: nim\nedition: "2"\ncases: [{}]\n', "2:10", "edition '2' is unknown", "nim has: 1"),
    "an unknown game": ('game: nmi\nedition: "1"\ncases: [{}]\n', "1:7", "there is no game 'nmi'", "one of: nim"),
    "a misspelt key of the file": (case(STEP) + "caess: 1\n", "11:1", "unknown key 'caess'", "did you mean 'cases'?"),
    "a misspelt key of a case": (
        case(STEP).replace("title:", "tilte:"),
        "5:5",
        "unknown key 'tilte'",
        "did you mean 'title'?",
    ),
    "no id": (
        case(STEP).replace("id: nim-x", "title: y").replace("    title: x\n", ""),
        "4:5",
        "'id' is missing",
        "dom-buy-003",
    ),
    "an id that is none": (case(STEP).replace("nim-x", "Nim X"), "4:9", "'id' is not right", "lower-case letters"),
    "rules no list": (case(STEP, rules="nim.take"), "6:12", "'rules' is a text", "a list of at least one rule id"),
    "no rules": (case(STEP, rules="[]"), "6:12", "'rules' is empty", "at least one rule id"),
    "a rule twice": (case(STEP, rules="[nim.take, nim.take]"), "6:12", "'rules' names something twice", "each once"),
    "an unknown rule": (
        case(STEP, rules="[nim.tkae]"),
        "6:13",
        "there is no rule 'nim.tkae'",
        "did you mean 'nim.take'?",
    ),
    "an unknown provenance": (
        case(STEP).replace("seed", "sed"),
        "7:17",
        "'provenance' cannot be 'sed'",
        "did you mean 'seed'?",
    ),
    "given and setup": (
        case(STEP, more="given: {stones: 1}\n    setup: {}"),
        "9:5",
        "'given' or 'setup', not both",
        "",
    ),
    "neither": (case(STEP, more="link: x"), "4:5", "starts nowhere", "'given' describes a position"),
    "a position that cannot be": (
        case(STEP, given="{stones: -1}"),
        "8:21",
        "-1 stones cannot be",
        "a whole number from 0",
    ),
    "a field that is not there": (case(STEP, given="{stnoes: 1}"), "8:13", "unknown field 'stnoes'", "one of: stones"),
    "no steps": (case(STEP).replace("- refuse", "# refuse"), "9:5", "'steps' is nothing", "at least one step"),
    "an unknown step": (case("refsue: {}"), "10:9", "unknown key 'refsue'", "did you mean 'refuse'?"),
    "two steps in one": (
        case("{do: take 1, end: false}"),
        "10:9",
        "a step does one thing, not several (do, end)",
        "exactly one",
    ),
    "an unknown action": (
        case("do: fly"),
        "10:13",
        "'fly' is no action of nim",
        "it starts with one of: take, pass, coin",
    ),
    "an action of numbers": (case("do: {take: 2}"), "10:13", "2 is neither a name nor a list of names", ""),
    "an action that cannot be": (case("do: take 9"), "10:13", "'take' cannot take '9'", "one of: 1, 2, 3, 4"),
    "a key beside by": (case("do: {by: A, action: take 1, x: 1}"), "10:37", "unknown key 'x'", "by, action"),
    "by a number": (case("do: {by: 1, action: take 1}"), "10:18", "'by' is no seat", "a seat"),
    "a refusal without because": (
        case("refuse: {player: A, action: pass}"),
        "10:9",
        "'because' is missing",
        "the id of the rule",
    ),
    "a refusal by an unknown rule": (
        case("refuse: {player: A, action: pass, because: [nim.take, nim.pas]}"),
        *("10:63", "there is no rule 'nim.pas'", "did you mean 'nim.pass'?"),
    ),
    "legal without actions": (case("legal: {player: A}"), "10:9", "'legal' lists no actions", "exactly"),
    "legal without player": (case("legal: {exactly: []}"), "10:9", "'player' is missing", "a seat"),
    "exactly and more": (case("legal: {player: A, exactly: [], includes: [pass]}"), "10:41", "cannot stand beside", ""),
    "an action twice": (
        case("legal: {player: A, exactly: [take 1, {take: '1'}]}"),
        "10:46",
        "'take 1' is there twice",
        "once",
    ),
    "an order of nothing": (case("order: {}"), "10:16", "'order' is empty", "allowed"),
    "an event of nothing": (case("events: [{player: A}]"), "10:18", "'event' is missing", "what happened"),
    "events without a list": (case("events: {}"), "10:9", "'exactly' is missing", "a list of all events"),
    "a state of nothing": (case("state: {}"), "10:16", "'state' is empty", "the fields"),
    "an end of nothing": (case("end: {}"), "10:14", "'end' is empty", "winners"),
    "an end of text": (case("end: no"), "10:14", "'end' is a text", "false (not over)"),
    "a score of text": (case("end: {scores: {A: six}}"), "10:27", "'A' is a text", "a whole number"),
}


@pytest.mark.parametrize(("text", "place", "says", "right"), FAULTS.values(), ids=FAULTS)
def test_a_fault_has_its_place_and_says_what_would_be_right(
    tmp_path: Path, text: str, place: str, says: str, right: str
) -> None:
    """One fault in a file is one message, in our words, with line and column."""
    (fault,) = faults(tmp_path, text)
    assert fault.error.where == f"f.yaml:{place}"
    assert says in fault.error.message
    assert right in fault.error.fix
    assert isinstance(fault.error, BadInput)


def test_all_faults_of_a_case_are_told_at_once(tmp_path: Path) -> None:
    """Whoever mends a file need not run it once a fault."""
    text = case("do: fly\nrefuse: {player: A, action: take 9, because: nim.tke}", rules="[nim.x]", given="{stones: -1}")
    assert [fault.code for fault in faults(tmp_path, text)] == [
        *("unknown-rule", "position", "action", "action", "unknown-rule"),
    ]


def test_faults_do_not_hide_the_other_cases(tmp_path: Path) -> None:
    """A file with one faulty case still gives the others; the fault carries its case's id."""
    good = case(STEP).removeprefix(HEAD)
    read = book(tmp_path, HEAD + good.replace("title", "tilte") + good.replace("nim-x", "nim-y"))
    assert [each.id for each in read.cases] == ["nim-y"]
    assert [(fault.case, fault.line) for fault in read.faults] == [("nim-x", 4)]


def test_deep_nesting_in_a_case_file_is_a_fault(tmp_path: Path) -> None:
    """Ten thousand brackets cost neither stack nor traceback."""
    (fault,) = faults(tmp_path, HEAD + "  - id: " + "[" * 10_000)
    assert fault.code == "file"
    assert "too deep" in fault.error.message


def test_a_model_that_fails_on_a_position_is_a_fault_of_its_own(tmp_path: Path) -> None:
    """It is told apart from a user's mistake by its exit code, and hides nothing."""
    (fault,) = faults(tmp_path, case(STEP, given="{stones: 1, passed: 5}"))
    assert fault.code == "model"
    assert type(fault.error) is OracleError
    assert fault.error.exit_code == 3
    assert "the reference model failed: TypeError" in fault.error.message
    assert fault.error.where == "f.yaml:8:5"


ODD = st.sampled_from(["5", "null", "true", "x", "[]", "{}", "[5]", "{x: 1}", "1.5", '""'])
PARTS = ("given", "setup", "steps", "rules", "do", "refuse", "legal", "order", "events", "state", "perft", "end")


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_stands_in_a_case_is_read_or_told(tmp_path: Path, data: st.DataObject) -> None:
    """Any value in the place of a case, a step or a field gives a case or faults with a place, never an exception."""
    odd = data.draw(ODD)
    fields = data.draw(st.dictionaries(st.sampled_from(PARTS), ODD, max_size=3))
    text = HEAD + data.draw(
        st.sampled_from(
            [
                f"  - {odd}\n",
                "  - {" + ", ".join(f"{key}: {value}" for key, value in {"id": "nim-x", **fields}.items()) + "}\n",
                case("{" + ", ".join(f"{key}: {value}" for key, value in fields.items()) + "}").removeprefix(HEAD),
            ]
        )
    )
    read = book(tmp_path, text)
    assert len(read) == 1 or read.faults, text
    assert all(str(fault.error).startswith(f"{tmp_path}/f.yaml:") for fault in read.faults)


def test_files_and_folders_are_read_in_order(tmp_path: Path) -> None:
    """A casebook knows the files it comes from, also those without a case."""
    for name in ("b.yaml", "a/a.yaml"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(case(STEP).replace("nim-x", f"nim-{path.stem}"))
    read = load([tmp_path], games)
    assert [each.id for each in read.cases] == ["nim-a", "nim-b"]
    assert read.files == (str(tmp_path / "a/a.yaml"), str(tmp_path / "b.yaml"))
    assert len(read) == 2


def test_a_missing_path_is_a_fault(tmp_path: Path) -> None:
    """It never counts as a folder without cases."""
    (fault,) = load([tmp_path / "nowhere"], games).faults
    assert (fault.code, fault.error.where) == ("file", str(tmp_path / "nowhere"))


def test_the_game_is_asked_for_by_its_name(tmp_path: Path) -> None:
    """The casebook knows no game: whoever calls it gives the registry."""
    asked: list[str] = []

    def registry(name: str) -> Game[object]:
        asked.append(name)
        return Nim()  # type: ignore[return-value]

    path = tmp_path / "f.yaml"
    path.write_text(case(STEP).replace("game: nim", "game: other"))
    assert len(load_file(path, registry).cases) == 1
    assert asked == ["other"]


def test_the_line_of_a_failing_model_is_named() -> None:
    """The message leads to the oracle's own code without a traceback."""
    with pytest.raises(KeyError) as caught:
        dict[str, int]()["x"]
    said = casebook.model_failed(caught.value)
    assert said.startswith("the reference model failed: KeyError: 'x' (test_casebook_case.py:")
