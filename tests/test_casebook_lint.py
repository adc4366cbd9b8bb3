"""Lint: each fault of wording or reach is found, at its place, and a sound casebook has none."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle.casebook.case import load
from oracle.casebook.lint import MAX_TITLE, Finding, lint
from tests.casebooks import HEAD, book, case, games

STEP = "refuse: {player: A, action: take 4, because: nim.take}"
GOOD = case(STEP).replace("title: x", "title: no more than three stones are taken")


def _lint(folder: Path, text: str) -> list[Finding]:
    return [finding for finding in lint(book(folder, text)) if finding.level == "error"]


def test_a_sound_case_has_no_findings(tmp_path: Path) -> None:
    """What is right is left alone."""
    assert _lint(tmp_path, GOOD) == []


BAD = {
    "id-prefix": (GOOD.replace("nim-x", "dom-x"), "4:5", "'dom-x' does not start with 'nim-'"),
    "title-missing": (GOOD.replace("    title: no more than three stones are taken\n", ""), "4:5", "has no title"),
    "title-long": (GOOD.replace("title: no", "title: " + "x" * MAX_TITLE), "5:5", "the title has 113 characters"),
    "title-stop": (GOOD.replace("taken", "taken."), "5:5", "ends in a full stop"),
    "no-refusal": (case("legal: {player: A, includes: [take 1], because: nim.take}"), "9:5", "forbids nothing"),
    "uncited": (case("legal: {player: B, exactly: []}"), "9:5", "has no 'because'"),
    "no-link": (GOOD.replace("seed", "bug-report"), "7:5", "without a link"),
    "unknown-rule": (GOOD.replace("[nim.take]", "[nim.tkae]"), "6:13", "there is no rule 'nim.tkae'"),
    "edition": (GOOD.replace('"1"', '"2"'), "2:10", "edition '2' is unknown"),
    "file": ("a: [", "2:1", "not YAML"),
    "schema": (GOOD.replace("title", "tilte"), "5:5", "unknown key 'tilte'"),
}


@pytest.mark.parametrize("code", BAD)
def test_each_finding_has_its_code_and_place(tmp_path: Path, code: str) -> None:
    """One fault is one finding."""
    text, place, says = BAD[code]
    (finding,) = _lint(tmp_path, text)
    assert finding.code == code
    assert finding.where == f"{tmp_path}/f.yaml:{place}"
    assert says in finding.message
    assert str(finding).startswith(f"{finding.where}: {finding.message} [{code}]")


@pytest.mark.parametrize(
    "step",
    [
        "legal: {player: A, exactly: [take 1, take 2, take 3, pass], because: nim.take}",
        "order: {forbidden: [[take 4]]}\nlegal: {player: A, includes: [take 1], because: nim.take}",
    ],
)
def test_what_forbids_something_counts_as_a_refusal(tmp_path: Path, step: str) -> None:
    """A full list of what is legal and a forbidden order refuse as well as `refuse` does."""
    assert _lint(tmp_path, case(step)) == []


def test_ids_and_titles_are_unique_across_files(tmp_path: Path) -> None:
    """The second of two equal ones is found, and the finding leads to the first."""
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(GOOD)
    findings = [finding for finding in lint(load([tmp_path], games)) if finding.level == "error"]
    assert [(finding.code, finding.where) for finding in findings] == [
        ("duplicate-id", f"{tmp_path}/b.yaml:4:5"),
        ("title-twice", f"{tmp_path}/b.yaml:5:5"),
    ]
    assert all(f"{tmp_path}/a.yaml:4:5" in finding.fix for finding in findings)


def test_rules_that_no_case_names_are_advice(tmp_path: Path) -> None:
    """A rule counts as used where a case lists it or a `because` names it; only all cases of a game can tell."""
    text = GOOD.replace("[nim.take]", "[nim.take, nim.end]")
    steps = "\n      - refuse: {player: B, action: take 1, because: nim.turn}\n"
    cases = book(tmp_path, text.rstrip() + steps)
    assert lint(cases) == []
    advice = [finding for finding in lint(cases, ["nim"]) if finding.level == "advice"]
    assert [(finding.code, finding.where) for finding in advice] == [
        ("unused-rule", rule) for rule in ("nim.coin", "nim.enough", "nim.pass")
    ]


def test_a_case_that_shows_other_rules_than_it_lists_is_advice(tmp_path: Path) -> None:
    """Its list of rules may be right all the same, so the finding is no error."""
    findings = lint(book(tmp_path, GOOD.replace("[nim.take]", "[nim.turn, nim.end]")))
    (finding,) = [finding for finding in findings if finding.code == "other-rules"]
    assert (finding.level, finding.where) == ("advice", f"{tmp_path}/f.yaml:6:5")
    assert finding.fix == "its 'because' name: nim.take"


def test_findings_come_in_the_order_of_the_cases(tmp_path: Path) -> None:
    """Several faults of one case are all told."""
    one = GOOD.removeprefix(HEAD)
    text = HEAD + one.replace("nim-x", "x").replace("taken", "taken.") + one.replace("nim-x", "y").replace("no", "NO")
    assert [(finding.code, finding.case) for finding in _lint(tmp_path, text)] == [
        ("id-prefix", "x"),
        ("title-stop", "x"),
        ("id-prefix", "y"),
    ]
