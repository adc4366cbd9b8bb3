"""A program that calls back is driven by the protocol's requests, and can neither hang nor hide what it does."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("greenlet", reason="greenlet is not installed: pip install 'rules-oracle[callback]'")

from oracle.conformance.callback import ENDINGS, CallbackHarness, selections
from oracle.conformance.check import check
from oracle.conformance.objects import PythonObject
from oracle.errors import BadInput, Skipped, Unsupported
from tests.harness_driver import Driver, Json, set_aside
from tests.nim import Nim


class Engine:
    """A program that plays Nim by itself: it asks `decide` for stones to take, or 0 to pass."""

    def __init__(self, stones: int, turn: str, decide: Callable[[str, list[int]], int]) -> None:
        self.stones, self.turn, self.decide = stones, turn, decide
        self.passed: list[str] = []

    def play(self) -> None:
        while self.stones:
            takes = list(range(1, min(3, self.stones) + 1))
            taken = self.decide(self.turn, takes if self.turn in self.passed else [*takes, 0])
            self.stones -= taken
            if not taken:
                self.passed = sorted([*self.passed, self.turn])
            self.turn = "B" if self.turn == "A" else "A"


class Harness(CallbackHarness):
    """The engine behind the protocol, as its author would write it. The coin falls as the seed says."""

    games = ({"game": "nim", "edition": "1"},)
    engine: Engine

    def about(self) -> Json:
        return {"name": "nimble", "version": "2"}

    def begin(self, setup: Json) -> None:
        given = setup.get("position", setup)
        if given.get("stones", 5) > 100:
            raise Unsupported("more than 100 stones")
        self.engine = Engine(given.get("stones", 5), given.get("turn", "AB"[setup.get("seed", 0) % 2]), self.decide)
        self.engine.passed = sorted(given.get("passed", ()))
        if "position" not in setup:
            self.tell("fell", None, ["heads" if self.engine.turn == "B" else "tails"])

    def run(self) -> None:
        self.engine.play()

    def decide(self, player: str, takes: list[int]) -> int:
        answers: list[tuple[Json, int]] = [({"take": str(n)} if n else {"pass": None}, n) for n in takes]
        return self.choose(player, "action", answers)

    def state(self, player: str | None) -> Json:
        return {"stones": self.engine.stones, "turn": self.engine.turn, "passed": self.engine.passed}


class Scripted(Harness):
    """A harness whose engine does what a test says instead of playing Nim."""

    def __init__(self, work: Callable[[Scripted], Any]) -> None:
        super().__init__()
        self.work = work

    def run(self) -> None:
        self.work(self)


class Nimble(Driver):
    """Drives a harness of Nim."""

    def new(self, setup: Json, edition: str = "1") -> Json:
        return self.ask("new", game="nim", edition=edition, setup=setup)


def scripted(work: Callable[[Scripted], Any]) -> Nimble:
    return Nimble(Scripted(work))


def test_an_engine_that_plays_by_the_rules_conforms() -> None:
    """Games in lockstep find nothing in a harness written with the base class, refusals included."""
    report = check(Nim(), lambda: PythonObject("nimble", Harness), games=30)
    assert report.verdicts["pass"] == 30
    assert report.totals.refusals > 0
    assert report.findings == []


def test_an_engine_that_does_not_is_found_out() -> None:
    """A fault in the engine comes through: one that lets a player pass twice offers what is illegal."""

    class Forgetful(Harness):
        def decide(self, player: str, takes: list[int]) -> int:
            return super().decide(player, sorted({*takes, 0}))

    report = check(Nim(), lambda: PythonObject("forgetful", Forgetful), games=30)
    assert {finding.shortest.fault for finding in report.findings} >= {"extra"}


def test_start_says_who_it_is_and_what_it_plays() -> None:
    """`about` and `games` are the answer to `start`."""
    started = Harness().start({"request": "start", "protocol": 1})
    assert started["implementation"]["name"] == "nimble"
    assert [(game["game"], game["edition"]) for game in started["games"]] == [("nim", "1")]


def test_ask_returns_the_action_as_it_was_given() -> None:
    """The engine gets its own object back, however the other side wrote the action; equal ones are offered once."""
    offered: list[Json] = [{"trash": ["B", "A"]}, {"trash": ["A", "B"]}, {"play": None}]
    got: list[Json] = []
    driver = scripted(lambda harness: got.append(harness.ask("A", "choice", offered)))
    driver.new({})
    assert driver.options() == [{"trash": ["B", "A"]}, {"play": None}]
    driver.do({"trash": ["A", "B"]})
    assert got[0] is offered[0]
    assert driver.decision()["over"]


def test_order_counts_for_the_verbs_and_parts_that_say_so() -> None:
    """What is in `ordered` keeps its order, everything else is the same in any."""

    class Ordered(Scripted):
        ordered = ("put back",)

    driver = Nimble(Ordered(lambda harness: harness.ask("A", "order", [{"put back": ["X", "Y"], "from": ["P", "Q"]}])))
    driver.new({})
    assert driver.apply({"put back": ["Y", "X"], "from": ["P", "Q"]})["accepted"] is False
    assert driver.apply({"put back": ["X", "Y"]})["accepted"] is False
    assert driver.apply({"from": ["Q", "P"], "put back": ["X", "Y"]})["accepted"] is True


@pytest.mark.parametrize("wrong", [None, {}, "take 1", 3, {"take": 1}, {"take": ["1", 2]}, {"take": "4"}, {"take": {}}])
def test_what_was_not_offered_is_refused(wrong: Any) -> None:
    """What is no action, or not one of the options, is refused and the engine stays where it is."""
    driver = Nimble(Harness())
    driver.new({"stones": 5})
    before = driver.decision()["options"]
    assert driver.apply(wrong) == {"seq": driver.seq, "accepted": False, "events": []}
    assert driver.decision()["options"] == before


def test_only_the_player_who_is_asked_can_answer() -> None:
    """An option taken by another player, or by chance, is refused."""
    driver = Nimble(Harness())
    driver.new({"stones": 5, "seed": 0})
    assert driver.ask("apply", player="B", action={"take": "1"})["accepted"] is False
    assert driver.ask("apply", player=None, action={"take": "1"})["accepted"] is False
    assert driver.ask("apply", player="A", action={"take": "1"})["accepted"] is True


def test_events_come_with_the_next_answer_and_only_once() -> None:
    """What the engine tells before a question goes out with the answer that leads there."""

    def work(harness: Scripted) -> None:
        harness.tell("fell", None, ["heads"], note="twice")
        harness.ask("A", "action", [{"take": "1"}])
        harness.tell("fell", "A", iter(["tails"]))
        harness.ask("A", "action", [{"take": "1"}])

    driver = scripted(work)
    heads = {"event": "fell", "player": None, "items": ["heads"], "note": "twice"}
    assert driver.new({"position": {}})["events"] == [heads]
    assert driver.do({"take": "1"}) == [{"event": "fell", "player": "A", "items": ["tails"]}]
    assert driver.do({"take": "1"}) == []
    driver.new({"position": {}})
    assert driver.new({"position": {}})["events"] == [heads]


def test_a_question_without_options_is_put_as_it_is() -> None:
    """A program that wants what is not there is at a decision without options, and nothing is accepted."""
    driver = scripted(lambda harness: harness.ask("A", "choice", []))
    driver.new({})
    assert driver.options() == []
    assert driver.apply({"take": "1"})["accepted"] is False


def test_what_the_engine_raises_is_raised_by_the_request_and_by_all_later_ones() -> None:
    """A crash comes out where it happened and is not forgotten until the next play."""

    def work(harness: Scripted) -> None:
        if harness.ask("A", "action", [{"take": "1"}, {"pass": None}]) == {"take": "1"}:
            raise LookupError("no such stone")

    driver = scripted(work)
    driver.new({})
    with pytest.raises(LookupError, match="no such stone"):
        driver.apply({"take": "1"})
    for request in (driver.decision, driver.state):
        with pytest.raises(LookupError, match="no such stone"):
            request()
    assert driver.new({})["ok"]
    assert driver.do({"pass": None}) == []
    assert driver.decision()["over"]


@pytest.mark.parametrize(("error", "word"), [(Unsupported, "unsupported"), (Skipped, "skipped")])
def test_what_the_program_cannot_do_is_an_answer(error: type[Exception], word: str) -> None:
    """`Unsupported` and `Skipped` in the engine are answers of the protocol, not crashes."""

    def work(harness: Scripted) -> None:
        harness.ask("A", "action", [{"take": "1"}])
        raise error("a third stone")

    driver = scripted(work)
    driver.new({})
    assert driver.apply({"take": "1"})[word] == "a third stone"
    assert driver.decision()[word] == "a third stone"


def test_what_is_not_played_is_unsupported() -> None:
    """Other games and editions, and what `begin` turns down, are unsupported; no play has begun then."""
    driver = Nimble(Harness())
    assert driver.new({}, edition="2")["unsupported"] == "nim 2"
    assert driver.new({"stones": 101})["unsupported"] == "more than 100 stones"
    with pytest.raises(RuntimeError, match="no play has begun"):
        driver.decision()
    assert driver.new({"stones": 1})["ok"]


def test_an_older_play_is_ended_where_it_waits() -> None:
    """`new` and `stop` leave no engine set aside, and the engine can clean up behind itself."""
    ended: list[str] = []

    def work(harness: Scripted) -> None:
        try:
            harness.ask("A", "action", [{"take": "1"}])
        finally:
            ended.append(harness.edition)

    driver, before = scripted(work), set_aside()
    for n in range(5):
        driver.new({})
        assert len(ended) == n
        assert set_aside() == before + 1
    driver.harness.stop({})
    assert set_aside() == before
    assert len(ended) == 5


@pytest.mark.parametrize("failure", [ValueError, SystemExit, BaseException])
def test_what_an_engine_raises_on_its_way_out_concerns_nobody(failure: type[BaseException]) -> None:
    """An exception that the end of a play sets off does not come out of the next play."""

    def work(harness: Scripted) -> None:
        try:
            harness.ask("A", "action", [{"take": "1"}])
        finally:
            harness.tell("fell", None, ["heads"])
            raise failure("on the way out")

    driver = scripted(work)
    driver.new({"position": {}})
    assert driver.new({"position": {}}) == {"seq": driver.seq, "ok": True, "events": []}


def test_an_engine_that_swallows_its_end_does_not_hang_the_next_play() -> None:
    """One that goes on asking is told to end again, until it does or there is no use in it."""
    asked: list[int] = []

    def work(harness: Scripted) -> None:
        for _ in range(patience):
            try:
                harness.ask("A", "action", [{"take": "1"}])
            except BaseException:
                asked.append(0)

    driver, before = scripted(work), set_aside()
    for patience, left in ((3, 0), (10**9, 1)):
        asked.clear()
        driver.new({})
        driver.harness.stop({})
        assert len(asked) == min(patience, ENDINGS)
        assert set_aside() == before + left
    assert driver.new({})["ok"]
    assert driver.options() == [{"take": "1"}]


def test_an_engine_that_swallows_its_end_does_not_hang_the_process() -> None:
    """The interpreter ends although such an engine is still waiting."""
    program = """
from tests.test_conformance_callback import Scripted
def work(harness):
    while True:
        try:
            harness.ask("A", "action", [{"take": "1"}])
        except BaseException:
            pass
harness = Scripted(work)
for seq in range(2):
    assert harness.new({"seq": seq, "game": "nim", "edition": "1", "setup": {}})["ok"]
harness.stop({})
del harness
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_only_the_engine_can_ask() -> None:
    """A question from outside of `run` is the author's mistake, and says so."""
    with pytest.raises(RuntimeError, match="while `run` is under way"):
        Harness().ask("A", "action", [{"take": "1"}])


def test_what_is_no_action_cannot_be_offered() -> None:
    """A wrong option is the author's mistake, and is shown how to write one."""
    with pytest.raises(TypeError, match=r"'take 1' is no action: write \{VERB: NAME\}"):
        scripted(lambda harness: harness.ask("A", "action", ["take 1"])).new({})  # type: ignore[list-item]


def test_without_greenlet_it_says_which_extra_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The missing package is bad input that names the extra, and ends a script without a traceback."""
    monkeypatch.setitem(sys.modules, "greenlet", None)
    with pytest.raises(BadInput, match=r"rules-oracle\[callback\]"):
        Harness()
    with pytest.raises(SystemExit, match=r"rules-oracle\[callback\]"):
        Harness.main()


def test_a_script_serves_the_protocol() -> None:
    """`main` answers a line for a line until `stop`."""
    lines: list[Json] = [
        {"request": "start", "protocol": 1},
        {"request": "new", "seq": 1, "game": "nim", "edition": "1", "setup": {"stones": 1, "seed": 1}},
        {"request": "apply", "seq": 2, "player": "B", "action": {"take": "1"}},
        {"request": "decision", "seq": 3},
        {"request": "stop"},
    ]
    command = [sys.executable, "-c", "from tests.test_conformance_callback import Harness; Harness.main()"]
    sent = "".join(json.dumps(line) + "\n" for line in lines)
    run = subprocess.run(command, input=sent, capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")
    assert [json.loads(line) for line in run.stdout.splitlines()[1:]] == [
        {"seq": 1, "ok": True, "events": [{"event": "fell", "player": None, "items": ["heads"]}]},
        {"seq": 2, "accepted": True, "events": []},
        {"seq": 3, "over": True},
    ]


def test_selections_are_all_the_different_ones() -> None:
    """Each multiset of the pool within the bounds comes once; none where the pool is too small."""
    assert list(selections("BAA", 1, 2)) == [("B",), ("A",), ("A", "B"), ("A", "A")]
    assert list(selections("BAA", 0, 0)) == [()]
    assert list(selections([], 0, 3)) == [()]
    assert list(selections("A", 2, 2)) == []
