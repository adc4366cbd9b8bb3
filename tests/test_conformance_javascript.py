"""The harness to copy: the small games in JavaScript conform, and a fault put into them is found."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from oracle import games
from oracle.casebook import bundled, case
from oracle.checking import script
from oracle.conformance.check import check, exit_code
from oracle.conformance.scripts import Script
from oracle.conformance.targets import target

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
FOLDER = Path(__file__).resolve().parents[1] / "implementations" / "javascript"
GAME = games.load("dominion")
STATION = games.load("station")


def with_fault(folder: Path, file: str, right: str, wrong: str) -> str:
    """The target for a copy of the programs in which one text of a file is another."""
    for source in FOLDER.glob("*.js"):
        text = source.read_text()
        assert source.name != file or right in text
        (folder / source.name).write_text(text.replace(right, wrong) if source.name == file else text)
    return f"cmd:node {folder / 'harness.js'}"


def test_it_conforms() -> None:
    """Whole games with the cards that it has pass, illegal actions and states compared on the way."""
    report = check(GAME, target("javascript", GAME), games=3)
    assert report.verdicts["pass"] == 3, report.findings
    assert report.totals.refusals > 0
    assert report.totals.states > 0
    assert exit_code(report) == 0


def test_it_says_what_it_lacks() -> None:
    """A position with a card that it does not have is unsupported: neither a pass nor a fault."""
    given = {"players": ["A", "B"], "turn": "A", "hand": {"A": ["Sentry"]}}
    sentry = Script("sentry", "2023", {"position": given}, (("do", "A", GAME.read("play Sentry")),))
    report = check(GAME, target("javascript", GAME), cases=[sentry], games=0)
    assert [(row.verdict, "Sentry" in row.message) for row in report.rows] == [("unsupported", True)]


@pytest.mark.parametrize(
    ("right", "wrong", "fault", "rule"),
    [
        ("this.bought === 0 ?", "true ?", "extra", "dom.buy.treasures-first"),
        ("other.hand.length - 3", "other.hand.length - 2", "missing", "dom.card.militia"),
        ("this.actions -= 1", "this.actions -= 0", "state", "dom.action.actions"),
        ('Smithy: card(4, "Action", { cards: 3 })', 'Smithy: card(4, "Action", { cards: 2 })', "drew too little", ""),
    ],
)
def test_a_fault_put_into_it_is_found(tmp_path: Path, right: str, wrong: str, fault: str, rule: str) -> None:
    """One changed expression is called by its name, with the rule, and shown in a short play."""
    program = with_fault(tmp_path, "dominion.js", right, wrong)
    report = check(GAME, target(program, GAME), games=2, shrink_seconds=2)
    found = {finding.shortest.fault: finding.shortest for finding in report.findings}
    assert fault in found
    assert not rule or rule in found[fault].rules
    assert len(found[fault].play) <= 12
    assert exit_code(report) == 1


def test_the_station_conforms() -> None:
    """It takes every bundled case and whole games, and lists what is legal or, where that is much, is probed."""
    cases = [script(one) for one in case.load([bundled.folder("station")], games.load).cases]
    report = check(STATION, target("javascript", STATION), cases=cases, games=4)
    assert report.verdicts["pass"] == len(cases) + 4, (report.findings, report.rows)
    assert report.totals.refusals > 0
    assert report.totals.states > 0
    assert exit_code(report) == 0


@pytest.mark.parametrize(
    ("right", "wrong", "fault", "rule"),
    [
        ("if (mustPass || this.ended)", "if (mustPass || true)", "extra", "stn.6.pass"),
        ("cards.length === 1 || several", "several", "missing", "stn.7.single"),
        ("const REWARD = 3", "const REWARD = 4", "extra", "stn.8.exact"),
        ("eligible: false, discount: 0", "eligible: true, discount: 0", "state", ""),
    ],
)
def test_a_fault_put_into_the_station_is_found(tmp_path: Path, right: str, wrong: str, fault: str, rule: str) -> None:
    """As for Dominion: the fault's name, the rule and a short play."""
    program = with_fault(tmp_path, "station.js", right, wrong)
    report = check(STATION, target(program, STATION), games=3, shrink_seconds=2)
    found = [finding.shortest for finding in report.findings]
    assert any(f.fault == fault and (not rule or rule in f.rules) and len(f.play) <= 12 for f in found), [
        (f.fault, f.rules, f.play) for f in found
    ]
    assert exit_code(report) == 1


def test_what_chance_had_no_choice_in_at_the_start() -> None:
    """A known deck is dealt without a decision, and the program reports the cards all the same."""
    setup = {"players": ["A", "B"], "deck": [f"blue {n}" for n in range(1, 9)]}
    report = check(STATION, target("javascript", STATION), games=1, setup=setup)
    assert report.verdicts["pass"] == 1, report.findings
