"""Checks: what is counted and reported, when a check ends early, and how short the plays get that it shows."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from oracle.conformance.check import Progress, Report, Row, check, exit_code, read_known
from oracle.conformance.divergence import Divergence
from oracle.conformance.implementation import Implementation
from oracle.conformance.objects import Reference
from oracle.conformance.process import Process
from oracle.conformance.scripts import Script
from oracle.conformance.walks import Given, Source, play, shrink
from oracle.errors import BadInput, BadPosition
from oracle.game import Action
from tests.nim import Nim
from tests.test_conformance import Coins, Stingy, Unknown

GAME = Nim()
WRONG = Path(__file__).resolve().parents[1] / "implementations" / "wrong"


def reference() -> Implementation:
    return Reference(GAME)


def stingy() -> Implementation:
    return Stingy(GAME)


def take(n: int) -> Action:
    return GAME.action("take", str(n))


def script(*steps: Any, stones: int = 3, id: str = "nim-001", edition: str = "1") -> Script:
    return Script(id, edition, {"position": {"stones": stones, "turn": "A"}}, steps)


def test_a_right_program_conforms() -> None:
    """Cases and games pass, are all counted, and something was really compared."""
    cases = [script(("do", "A", take(2)), ("refuse", "B", take(2)), ("do", "B", take(1)))]
    report = check(GAME, reference, cases=cases, games=10)
    assert report.verdicts == dict.fromkeys(report.verdicts, 0) | {"pass": 11}
    assert report.totals.decisions > report.totals.actions > 0
    assert report.totals.states > 0
    assert report.totals.refusals > 0
    assert exit_code(report) == 0


def test_the_same_seed_gives_the_same_report() -> None:
    """A check can be repeated, and each of its games apart, under the arguments that it names."""
    one, other = (check(GAME, stingy, games=30, seed=7, shrink_seconds=0) for _ in range(2))
    assert msgspec.json.encode(one) == msgspec.json.encode(other)
    (finding,) = one.findings
    *_, seed, _, number = finding.reproduce
    again = check(GAME, stingy, games=1, first=int(number), seed=int(seed))
    assert [found.signature for found in again.findings] == [finding.signature]


def test_a_report_survives_json() -> None:
    """A report with divergences is the same after being written and read."""
    report = check(GAME, stingy, games=30)
    assert report.findings
    assert msgspec.json.decode(msgspec.json.encode(report), type=Report) == report


def test_equal_divergences_are_counted_once() -> None:
    """One fault is one finding with its count, and every row that shows it names it."""
    report = check(GAME, stingy, games=60)
    (finding,) = report.findings
    rows = [row for row in report.rows if row.verdict == "fail"]
    assert finding.count >= len(rows) > 1
    assert {found for row in rows for found in row.found} == {finding.signature}
    assert finding.actions == {"take 2": finding.count}
    assert exit_code(report) == 1


def test_known_failures_are_told_apart_and_missed_when_gone() -> None:
    """A listed divergence no longer counts against the program; one that does not show is reported."""
    (finding,) = check(GAME, stingy, games=30).findings
    known = {finding.signature: "too generous otherwise", "missing-00000000": "mended long ago"}
    report = check(GAME, stingy, games=30, known=known)
    assert report.findings[0].known == "too generous otherwise"
    assert report.gone == {"missing-00000000": "mended long ago"}
    assert exit_code(report) == 0


def test_nothing_run_is_no_pass() -> None:
    """No games, another game, another edition: exit code 2 each time, and rows that say why."""
    assert exit_code(check(GAME, reference, games=0)) == 2
    other = check(GAME, reference, games=3, edition="9")
    assert other.verdicts["not-run"] == 3
    assert other.rows[0].verdict == "unsupported"
    assert exit_code(other) == 2
    edition = check(GAME, reference, cases=[script(edition="9")], games=0)
    assert [row.verdict for row in edition.rows] == ["unsupported"]
    assert exit_code(edition) == 2


def test_an_early_end_leaves_a_report_that_says_so() -> None:
    """Asked to stop, or interrupted in the middle of a game, a check keeps what it has and is no pass."""
    done: list[Progress] = []
    stopped = check(GAME, reference, games=10, progress=done.append, stop=lambda: len(done) == 3)
    assert [step.done for step in done] == [1, 2, 3]
    assert stopped.partial
    assert stopped.verdicts["pass"] == 3
    assert stopped.verdicts["not-run"] == 7

    class Interrupted(Reference[Any]):
        def observe(self, player: str | None = None) -> Any:
            if len(done) == 5:
                raise KeyboardInterrupt
            return super().observe(player)

    done.clear()
    broken = check(GAME, lambda: Interrupted(GAME), games=10, progress=done.append)
    assert broken.partial
    assert broken.verdicts["pass"] == 5
    assert exit_code(stopped) == exit_code(broken) == 2
    assert msgspec.json.decode(msgspec.json.encode(broken), type=Report) == broken


def test_a_program_is_replaced_after_a_failure_and_given_up_after_three() -> None:
    """A program that always dies is started three times; the rest is not run."""
    made: list[Implementation] = []

    def make() -> Implementation:
        made.append(Process(shlex.join([sys.executable, "-c", DYING])))
        return made[-1]

    report = check(GAME, make, games=10)
    assert report.verdicts["crash"] == 3
    assert report.verdicts["not-run"] == 7
    assert len(made) == 3
    assert exit_code(report) == 3


DYING = 'input()\nprint(\'{"implementation": {"name": "x"}, "games": [{"game": "nim", "edition": "1"}]}\', flush=True)'


def test_a_setup_that_cannot_be_is_the_users_mistake() -> None:
    """A fixed setup is looked at before anything is run."""

    class Picky(Nim):
        def start(self, setup: Any, edition: str) -> Any:
            raise BadPosition("no such stones", ("stones",))

    with pytest.raises(BadPosition):
        check(Picky(), reference, games=1, setup={"stones": -1})


def test_known_failures_are_read_from_yaml(tmp_path: Path) -> None:
    """A mapping of signatures to reasons is read; anything else is bad input with its place."""
    file = tmp_path / "known.yaml"
    file.write_text("missing-12345678: its author disagrees\nextra-12345678: no\n")
    assert read_known(file) == {"missing-12345678": "its author disagrees", "extra-12345678": "no"}
    bad = {
        "- a": "1:1",
        "a: [b": "2:1",
        "a: {b: c}": "1:4",
        "a: b\nb: 5": "2:4",
        "a:": "1:3",
        "": "1:1",
        "a: b\na: c": "2:1",
        "a: &x b": "1:4",
        "[" * 10_000: "1:1001",
    }
    for text, place in bad.items():
        file.write_text(text)
        with pytest.raises(BadInput) as refused:
            read_known(file)
        assert refused.value.where == f"{file}:{place}", text[:20]


def test_nothing_compared_is_no_pass() -> None:
    """A row that says `pass` without a decision that was compared does not make a program conform."""
    report = Report("cmd:x", "nim", "1", 0, rows=[Row("game", "0", "pass")])
    report.verdicts["pass"] = 1
    assert exit_code(report) == 2
    report.totals.decisions = 1
    assert exit_code(report) == 0


# -- cases ----------------------------------------------------------------------------------------


def test_a_case_shows_a_fault() -> None:
    """A case at the faulty position finds what is missing there, and is named to reproduce it."""
    report = check(GAME, stingy, cases=[script(("do", "A", take(1)))], games=0)
    (finding,) = report.findings
    assert finding.reproduce == ("--case", "nim-001")
    assert finding.shortest.actions == ("take 2",)
    assert finding.shortest.play == ()


def test_a_case_that_is_not_right_by_the_rules_is_an_error() -> None:
    """A case that the oracle cannot play is never held against the program."""
    report = check(GAME, reference, cases=[script(("do", "A", take(1)), ("do", "B", take(3)))], games=0)
    assert [(row.verdict, row.found) for row in report.rows] == [("error", ())]
    assert exit_code(report) == 3


@pytest.mark.parametrize("side", ["heads", "tails"])
def test_a_case_with_chance_is_tried_until_chance_is_as_it_says(side: str) -> None:
    """A program that throws its own coin can still be taken through a case where the coin is given."""
    game = Coins()
    steps: Any = (("do", None, game.action("coin", side)), ("do", "B" if side == "heads" else "A", take(2)))
    case = Script("nim-002", "1", {"stones": 2}, steps)
    report = check(game, lambda: Reference(game), cases=[case], games=0)
    assert [row.verdict for row in report.rows] == ["pass"]


def test_a_case_whose_chance_never_comes_is_skipped() -> None:
    """Where the program's chance cannot be as the case says, nothing is claimed."""

    class Heads(Reference[Any]):
        def new(self, game: str, edition: str, setup: dict[str, Any]) -> Any:
            return super().new(game, edition, {**setup, "seed": 1})

    fell = Heads(GAME).new("nim", "1", {"stones": 2}).events[0].items[0]
    other = "tails" if fell == "heads" else "heads"
    case = Script("nim-003", "1", {"stones": 2}, (("do", None, GAME.action("coin", other)),))
    report = check(GAME, lambda: Heads(GAME), cases=[case], games=0)
    assert [row.verdict for row in report.rows] == ["skip"]
    assert exit_code(report) == 2


# -- how short the shown play is ------------------------------------------------------------------


def shortest(make: Callable[[], Implementation]) -> Divergence:
    (finding,) = check(GAME, make, games=40, shrink_seconds=60).findings
    assert finding.shrunk
    return finding.shortest


def test_the_shortest_play_is_found() -> None:
    """A fault at three stones is shown in a game of three stones, before anybody has moved."""
    found = shortest(stingy)
    assert found.setup == {"stones": 3, "seed": 0}
    assert len(found.play) == 1


def test_a_fault_at_every_decision_is_shown_at_the_first() -> None:
    """Where everything is wrong the smallest game will do."""
    found = shortest(lambda: Unknown(GAME))
    assert found.setup == {"stones": 1, "seed": 0}
    assert len(found.play) == 1


def test_a_rare_fault_is_shortened_from_the_play_that_showed_it() -> None:
    """A fault after both have passed needs both passes and nothing else; it is not looked for anew, but shortened."""

    class Late(Reference[Any]):
        def decision(self) -> Any:
            decided = super().decision()
            if len(self.state.passed) == 2 and decided.options:
                decided.options.remove({"take": "1"})
            return decided

    def attempt(source: Source | Given, until: str | None = None) -> tuple[Divergence, ...]:
        return play(GAME, Late(GAME), "1", source, until=until).found

    sources = [Source(str(seed)) for seed in range(200)]
    first = next((found[0], source.made) for source in sources if (found := attempt(source)))
    known, made = first
    best, _ = shrink(lambda given, _: attempt(given, known.signature), known, made, seconds=60)
    assert best is not None
    assert {key: value for key, value in best.setup.items() if key != "seed"} == {"stones": 1}
    assert [text.split()[0] for text in best.play] == ["coin", "pass", "pass"]
