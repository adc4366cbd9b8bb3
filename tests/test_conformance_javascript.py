"""The harness to copy: the small Dominion in JavaScript conforms, and a fault put into it is found."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from oracle import games
from oracle.conformance.check import check, exit_code
from oracle.conformance.scripts import Script
from oracle.conformance.targets import target

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
FOLDER = Path(__file__).resolve().parents[1] / "implementations" / "javascript"
GAME = games.load("dominion")


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
    case = Script("sentry", "2023", {"position": given}, (("do", "A", GAME.read("play Sentry")),))
    report = check(GAME, target("javascript", GAME), cases=[case], games=0)
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
    for file in ("harness.js", "dominion.js"):
        text = (FOLDER / file).read_text()
        assert file == "harness.js" or right in text
        (tmp_path / file).write_text(text.replace(right, wrong))
    report = check(GAME, target(f"cmd:node {tmp_path / 'harness.js'}", GAME), games=2, shrink_seconds=2)
    found = {finding.shortest.fault: finding.shortest for finding in report.findings}
    assert fault in found
    assert not rule or rule in found[fault].rules
    assert len(found[fault].play) <= 12
    assert exit_code(report) == 1
