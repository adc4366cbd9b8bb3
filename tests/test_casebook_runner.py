"""Running cases: what holds passes, what does not fails with the step, its place and what was found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from oracle.casebook.case import Casebook, load
from oracle.casebook.runner import run, run_case
from oracle.errors import NothingRun
from oracle.game import Action, Decision, Event, LegalActions, Reason, Selection, Verdict
from tests.casebooks import HEAD, book, case, games, result
from tests.nim import Nim, Pile

PASSING = {
    "all that is legal": "legal: {player: A, exactly: [pass, take 1, {take: '2'}, {take: '3'}]}",
    "all that is legal, by the rule of the decision": (
        "legal: {player: A, exactly: [pass, take 1, take 2, take 3], because: nim.turn}"
    ),
    "some of what is legal": "legal: {player: A, includes: [take 2], excludes: [take 4], because: nim.take}",
    "nothing for who does not choose": "legal: {player: B, exactly: []}",
    "nothing for who does not choose, by its rule": "legal: {player: B, exactly: [], because: nim.turn}",
    "a refusal": "refuse: {player: A, action: take 4, because: nim.take}",
    "a refusal of whom it is not the turn": "refuse: {player: B, action: take 1, because: nim.turn}",
    "a refusal for two rules": "do: take 3\nrefuse: {player: B, action: take 4, because: [nim.take, nim.enough]}",
    "orders by short names": "order: {allowed: [['1', '2'], [pass, '3']], forbidden: [['3', '3']]}",
    "orders by actions": "order: {allowed: [[take 1, {take: '3'}]], forbidden: [[take 4], [take 3, take 3]]}",
    "orders leave the position alone": "order: {allowed: [['3', '2']]}\nstate: {stones: 5}",
    "events": "do: take 2\nevents: [{event: took}]",
    "events in full": "do: take 2\nevents: {exactly: [{event: took, player: A, items: ['2']}]}",
    "the position in part": "do: {by: A, action: take 2}\nstate: {stones: 3}\nstate: {turn: B, passed: []}",
    "lists": "do: pass\ndo: {by: B, action: {pass: null}}\nstate: {passed: [A, B]}",
    "not over": "end: false",
    "over": "do: take 3\ndo: take 2\nend: true\nlegal: {player: A, exactly: []}",
    "how it ended": "do: take 3\ndo: take 2\nend: {winners: [B], scores: {A: 0}, next first: [A], because: nim.end}",
}


@pytest.mark.parametrize("steps", PASSING.values(), ids=PASSING)
def test_a_case_that_holds_passes(tmp_path: Path, steps: str) -> None:
    """Every kind of step is met by a position in which it is true."""
    found = result(tmp_path, steps)
    assert found.passed, found.describe()
    assert (found.id, found.game, found.line, found.message) == ("nim-x", "nim", 4, "")


FAILING = {
    "an action missing in exactly": (
        "legal: {player: A, exactly: [pass, take 1, take 3]}",
        *("10:28", "A has 4 legal actions, 3 listed: legal but not listed: take 2"),
    ),
    "an extra action in exactly": (
        "legal: {player: A, exactly: [pass, take 1, take 2, take 3, take 4]}",
        *("10:28", "A has 4 legal actions, 5 listed: listed but not legal: take 4"),
    ),
    "one missing and one extra": (
        "legal: {player: A, exactly: [pass, take 1, take 2, take 4]}",
        *("10:28", "legal but not listed: take 3; listed but not legal: take 4"),
    ),
    "nothing listed for who chooses": (
        "legal: {player: A, exactly: []}",
        *("10:28", "legal but not listed: take 1; take 2; take 3; pass"),
    ),
    "something listed for who does not": (
        "legal: {player: B, exactly: [take 1]}",
        *("10:28", "B has 0 legal actions, 1 listed: listed but not legal: take 1"),
    ),
    "includes what is illegal": (
        "legal: {player: A, includes: [take 1, take 4]}",
        *("10:47", "'take 4' by A is not legal here: nim.take (4 stones)"),
    ),
    "excludes what is legal": (
        "legal: {player: A, excludes: [take 4, take 1]}",
        "10:47",
        "'take 1' by A is legal here",
    ),
    "excludes for another rule": (
        "legal: {player: A, excludes: [take 4], because: nim.enough}",
        *("10:39", "'take 4' by A is refused, but not because of nim.enough"),
    ),
    "legal for another rule": (
        "legal: {player: A, includes: [take 1], because: nim.pass}",
        *("10:48", "nim.pass does not decide this"),
    ),
    "a refusal of what is legal": (
        "refuse: {player: A, action: take 1, because: nim.take}",
        *("10:9", "'take 1' by A is legal here"),
    ),
    "a refusal for another rule": (
        "refuse: {player: A, action: take 4, because: nim.enough}",
        *("10:45", "'take 4' by A is refused, but not because of nim.enough"),
    ),
    "a refusal for one rule of two": (
        "refuse: {player: A, action: take 4, because: [nim.take, nim.turn]}",
        *("10:45", "'take 4' by A is refused, but not because of nim.turn"),
    ),
    "doing what is illegal": (
        "legal: {player: A, includes: [pass]}\ndo: {take: '4'}",
        *("11:9", "'take 4' by A is not legal here: nim.take (4 stones)"),
    ),
    "doing by another": ("do: {by: B, action: take 1}", "10:9", "B is not the one to choose"),
    "doing by chance": ("do: {by: null, action: take 1}", "10:9", "chance is not the one to choose"),
    "doing after the end": (
        "do: take 3\ndo: take 2\ndo: take 1",
        "12:9",
        "the game is over, so 'take 1' cannot be done",
    ),
    "an allowed order that is not": (
        "order: {allowed: [['1', '3'], ['3', '3']]}",
        *("10:45", "nothing legal is called '3' when its turn comes (place 2 of the sequence)"),
    ),
    "an allowed order of actions that is not": (
        "order: {allowed: [[take 3, take 3]]}",
        *("10:36", "'take 3' by B is not legal here: nim.enough (2 stones are left)"),
    ),
    "a forbidden order that is allowed": (
        "order: {forbidden: [['3', '3'], ['3', '2']]}",
        *("10:41", "every step of this sequence is legal: 3, 2"),
    ),
    "an event that did not happen": (
        "do: take 2\nevents: [{event: took}, {event: passed}]",
        *("11:33", "this event did not happen after {event: took}: {event: passed}"),
    ),
    "an event with other items": (
        "do: take 2\nevents: [{event: took, items: ['1']}]",
        *("11:18", "this event did not happen: {event: took, items: [1]}"),
    ),
    "an event that is not listed": (
        "do: take 2\nevents: {exactly: []}",
        *("11:18", "this event is not listed: {event: took, player: A, items: [2]}"),
    ),
    "another position": ("do: take 2\nstate: {turn: B, stones: 2}", "11:26", "the position differs in stones"),
    "another position in two fields": (
        "state: {turn: B, stones: 2}",
        *("10:17", "the position differs in turn (and in stones)"),
    ),
    "another type": ("state: {stones: '5'}", "10:17", "the position differs in stones"),
    "another order in a list": (
        "do: pass\ndo: pass\nstate: {passed: [B, A]}",
        "12:17",
        "the position differs in passed",
    ),
    "over before it is": ("end: true", "10:9", "the game is not over"),
    "winners before the end": ("end: {winners: [A]}", "10:9", "the game is not over"),
    "not over when it is": ("do: take 3\ndo: take 2\nend: false", "12:9", "the game is over"),
    "another winner": ("do: take 3\ndo: take 2\nend: {winners: [A]}", "12:15", "the end differs in winners"),
    "another score": ("do: take 3\ndo: take 2\nend: {scores: {A: 0, B: 2}}", "12:30", "the end differs in scores.B"),
    "another first": ("do: take 3\ndo: take 2\nend: {next first: [A, B]}", "12:15", "the end differs in next first"),
    "an end by another rule": (
        "do: take 3\ndo: take 2\nend: {winners: [B], because: nim.take}",
        *("12:29", "nim.take does not decide the end"),
    ),
}


@pytest.mark.parametrize(("steps", "place", "says"), FAILING.values(), ids=FAILING)
def test_a_case_that_does_not_hold_fails_where_it_does_not(tmp_path: Path, steps: str, place: str, says: str) -> None:
    """The message names the step and the fault, and comes with place, position, what was expected and found."""
    found = result(tmp_path, steps)
    assert found.outcome == "fail", found.describe()
    assert says in found.message
    assert found.where == f"f.yaml:{place}"
    line = int(place.partition(":")[0])
    assert found.step == line - 9
    assert found.message.startswith(f"step {found.step} (")
    assert found.position.startswith("stones: ")
    assert found.expected or "cannot be done" in says


WRONG = {
    "nothing checked": ("do: take 1", "4:5", "the case checks nothing"),
    "events before anything happened": ("events: [{event: took}]", "10:9", "no 'do' came before"),
    "a field that is not there": ("state: {stonse: 5}", "10:17", "the position differs in stonse"),
    "a name that nothing has": ("order: {forbidden: [['17']]}", "10:30", "nothing is called '17'"),
}


@pytest.mark.parametrize(("steps", "place", "says"), WRONG.values(), ids=WRONG)
def test_a_case_that_says_nothing_is_an_error(tmp_path: Path, steps: str, place: str, says: str) -> None:
    """A mistake in the case is told apart from a position that is not as the case says, and never passes."""
    found = result(tmp_path, steps)
    assert (found.outcome, found.where) == ("error", f"f.yaml:{place}")
    assert says in found.message


def test_what_was_found_says_who_may_do_what_instead(tmp_path: Path) -> None:
    """A wrong `do` comes with the legal actions, a wrong `because` with the reasons that there are."""
    found = result(tmp_path, "do: take 4")
    assert found.found == "A decides (Turn): take 1; take 2; take 3; pass"
    assert found.rules == ("nim.take",)
    found = result(tmp_path, "refuse: {player: A, action: take 4, because: nim.enough}")
    assert found.expected == "refused because of nim.enough"
    assert found.found == "nim.take (4 stones)"


def test_chance_is_a_choice_like_any_other(tmp_path: Path) -> None:
    """From a setup the coin is named by the case: by nobody, and only as it can fall."""
    steps = (
        "legal: {player: null, exactly: [coin heads, coin tails]}\ndo: {by: null, action: coin heads}\nstate: {turn: B}"
    )
    assert result(tmp_path, steps, more="setup: {stones: 4}").passed
    found = result(tmp_path, "do: {by: A, action: coin heads}", more="setup: {stones: 4}")
    assert (found.outcome, "A is not the one to choose" in found.message) == ("fail", True)


def test_a_description_tells_all_in_a_few_lines(tmp_path: Path) -> None:
    """What a terminal shows: case, place, message, both sides, rules, position."""
    found = result(tmp_path, "refuse: {player: A, action: take 1, because: nim.take}")
    assert found.describe() == (
        "fail  nim-x: x\n"
        "f.yaml:10:9: step 1 (refuse): 'take 1' by A is legal here\n"
        "  expected: refused because of nim.take\n"
        "  found:    legal by nim.turn (it is A's turn); nim.end (5 stones are left); nim.coin (the coin falls "
        "before the game); nim.take (1 stones); nim.enough (5 stones are left)\n"
        "  rules:    nim.turn, nim.end, nim.coin, nim.take, nim.enough\n"
        "  position:\n"
        "    stones: 5\n"
        "    turn: A\n"
        "    passed: []"
    )


def test_a_faulty_file_hides_nothing(tmp_path: Path) -> None:
    """Each file, and each case of a file, is read for itself; what cannot be read is an error in its place."""
    (tmp_path / "a.yaml").write_text("game: [")
    (tmp_path / "b.yaml").write_text(case("end: false").replace("title: x", "tilte: x"))
    (tmp_path / "c.yaml").write_text(case("end: false"))
    results = list(run(load([tmp_path, tmp_path / "missing"], games)))
    assert sorted(found.outcome for found in results) == ["error", "error", "error", "pass"]
    assert {Path(found.file).name for found in results} == {"a.yaml", "b.yaml", "c.yaml", "missing"}
    assert all(found.message and found.where for found in results if not found.passed)


def test_results_come_in_the_order_of_the_files(tmp_path: Path) -> None:
    """Faults stand among the cases, where they are in the file."""
    one = case("end: false").removeprefix(HEAD)
    text = HEAD + one + one.replace("nim-x", "nim-y").replace("title", "tilte") + one.replace("nim-x", "nim-z")
    assert [(found.id, found.outcome) for found in run(book(tmp_path, text))] == [
        ("nim-x", "pass"),
        ("nim-y", "error"),
        ("nim-z", "pass"),
    ]


def test_no_case_at_all_is_an_error(tmp_path: Path) -> None:
    """An empty run is never a pass."""
    with pytest.raises(NothingRun):
        run(load([tmp_path], games))
    with pytest.raises(NothingRun):
        run(Casebook())


class _Lenient(Nim):
    """A model whose guard forgets that three stones are the most, so that it contradicts its generator."""

    def judge(self, state: Pile, player: str | None, action: Action) -> Verdict:
        return Verdict(player, action, (Reason("nim.turn", True, "anything goes"),))


class _Broken(Nim):
    """A model that fails when a stone is taken."""

    def play(self, state: Pile, action: Action) -> tuple[Pile, tuple[Event, ...]]:
        raise KeyError(action.verb)


class _Seated(Nim):
    """A model that says who plays, and whose list of those who passed is in no order."""

    bags = frozenset({"passed"})

    def observe(self, state: Pile, player: str | None = None) -> dict[str, Any]:
        return {**super().observe(state, player), "players": ["A", "B"]}


class _Crowded(Nim):
    """A model with a choice of millions of actions that nobody may list."""

    def generate(self, state: Pile) -> Decision | None:
        pool = tuple(sorted(f"card {i:02}" for i in range(40)))
        return Decision("A", "choice", "Discard", LegalActions((), (Selection("take", pool, 0, 20),)))

    def judge(self, state: Pile, player: str | None, action: Action) -> Verdict:
        return Verdict(player, action, (Reason("nim.turn", player == "A" and "9" not in action.items, "a fact"),))

    verbs: Mapping[str, Any] = {**Nim.verbs, "take": Nim.verbs["take"].__class__("take", many=True)}


def _with(folder: Path, model: Nim, steps: str) -> Any:
    path = folder / "f.yaml"
    path.write_text(case(steps))
    (only,) = run(load([path], lambda _: model))
    return only


@pytest.mark.parametrize(
    "steps",
    [
        "do: take 4",
        "refuse: {player: A, action: take 4, because: nim.turn}",
        "legal: {player: A, includes: [take 4]}",
        "legal: {player: A, excludes: [take 4]}",
        "order: {allowed: [[take 4]]}",
        "order: {forbidden: [[take 4]]}",
    ],
)
def test_a_model_that_contradicts_itself_is_an_error(tmp_path: Path, steps: str) -> None:
    """Whatever a step wants, guard and generator must say the same of the action."""
    found = _with(tmp_path, _Lenient(), steps)
    assert found.outcome == "error"
    assert "the reference model contradicts itself: 'take 4' by A is not among the legal actions" in found.message


def test_a_model_that_fails_is_an_error(tmp_path: Path) -> None:
    """The result names the error and its line, without a traceback, and the next case can run."""
    found = _with(tmp_path, _Broken(), "do: take 1\nend: false")
    assert (found.outcome, found.where) == ("error", f"{tmp_path}/f.yaml:10:9")
    assert "the reference model failed: KeyError: 'take' (test_casebook_runner.py:" in found.message


@pytest.mark.parametrize(
    "step",
    [
        "legal: {player: Z, exactly: []}",
        "refuse: {player: Z, action: take 1, because: nim.turn}",
        "do: {by: Z, action: take 1}",
    ],
)
def test_a_seat_that_is_not_there_is_an_error(tmp_path: Path, step: str) -> None:
    """Nobody at all would be refused everything, so a misspelt seat must not pass for a refusal."""
    found = _with(tmp_path, _Seated(), step)
    assert (found.outcome, "nobody sits at 'Z'" in found.message) == ("error", True)


def test_fields_that_are_bags_are_compared_in_any_order(tmp_path: Path) -> None:
    """Only where the game says that order means nothing."""
    steps = "do: pass\ndo: pass\nstate: {passed: [B, A]}"
    assert _with(tmp_path, _Seated(), steps).passed
    found = _with(tmp_path, _Seated(), steps.replace("[B, A]", "[B, B]"))
    assert (found.outcome, found.found) == ("fail", "[A, B] (missing B; extra A)")


def test_huge_choices_are_counted_and_asked_but_not_listed(tmp_path: Path) -> None:
    """An `exactly` that is far from it ends at once, with the first twenty of the rest."""
    found = _with(tmp_path, _Crowded(), "legal: {player: A, exactly: [take nothing, take card 00]}")
    assert found.outcome == "fail"
    total = len(_Crowded().decision(Pile(1, "A")).legal)  # type: ignore[union-attr]
    assert total > 10**11
    assert f"A has {total} legal actions, 2 listed" in found.message
    assert f"; and {total - 2 - 20} more" in found.message
    assert _with(tmp_path, _Crowded(), "legal: {player: A, includes: [{take: [card 03, card 07]}]}").passed


def test_running_a_case_changes_nothing_in_it(tmp_path: Path) -> None:
    """A case run twice gives one result."""
    (only,) = book(tmp_path, case("do: take 1\nend: true")).cases
    assert run_case(only) == run_case(only)
