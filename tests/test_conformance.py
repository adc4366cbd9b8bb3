"""Lockstep: programs that are right conform over all plays, and each fault is called by its name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracle.conformance import protocol as p
from oracle.conformance.divergence import differences
from oracle.conformance.implementation import Implementation
from oracle.conformance.objects import Reference
from oracle.conformance.walks import Given, Played, Source, play
from oracle.errors import ProtocolError
from oracle.game import Action, Decision, Event, LegalActions
from tests.nim import Nim, Pile

QUICK = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))


class Coins(Nim):
    """Nim where a pass throws the coin anew; with one stone left it can only show tails."""

    def play(self, state: Pile, action: Action) -> tuple[Pile, tuple[Event, ...]]:
        after, events = super().play(state, action)
        if action.verb != "pass":
            return after, events
        if state.stones > 1:
            return Pile(state.stones, None, after.passed), events
        return Pile(1, "A", after.passed), (*events, Event("fell", None, ("tails",)))


class Hurried(Reference[Pile]):
    """Passes over every choice without a choice."""

    def _settle(self, state: Pile, events: Any) -> list[p.Reported]:
        reported = super()._settle(state, events)
        while (decision := self.game.decision(self.state)) is not None and decision.forced:
            state, more = self.game.play(self.state, decision.legal[0])
            reported += super()._settle(state, more)
        return reported


class Listless(Reference[Pile]):
    """Has no option list."""

    def decision(self) -> p.Decided:
        return (
            msgspec.structs.replace(super().decision(), options=None) if not self.over else p.Decided(seq=0, over=True)
        )

    @property
    def over(self) -> bool:
        return self.game.decision(self.state) is None


class ListlessHurried(Listless, Hurried):
    """Both."""


class Asking(Reference[Pile]):
    """Lets the oracle throw its coins, where they can fall either way."""

    def _settle(self, state: Pile, events: Any) -> list[p.Reported]:
        self._state = state
        return [p.Reported(event.event, event.player, list(event.items)) for event in events]


RIGHT = (Reference, Hurried, Listless, ListlessHurried, Asking)


@pytest.mark.parametrize("program", RIGHT)
@pytest.mark.parametrize("game", [Nim(), Coins()], ids=["nim", "coins"])
@QUICK
@given(data=st.data())
def test_a_right_program_conforms(game: Nim, program: type[Reference[Pile]], data: st.DataObject) -> None:
    """Whatever is played, and however forced choices and options are handled, no divergence is reported."""
    played = play(game, program(game), "1", Given(lambda n: data.draw(st.integers(0, n - 1))))
    assert played.failure is None
    assert played.found == ()
    assert played.finished
    assert played.totals.decisions > 0


# -- each fault by its name -----------------------------------------------------------------------


class Unknown(Reference[Pile]):
    def decision(self) -> p.Decided:
        decided = super().decision()
        if decided.options:
            decided.options.append({"grab": "1"})
        return decided


class TwoThrows(Reference[Pile]):
    def new(self, game: str, edition: str, setup: dict[str, Any]) -> p.Created:
        created = super().new(game, edition, setup)
        return msgspec.structs.replace(created, events=created.events * 2)


class OneThrow(Reference[Pile]):
    def apply(self, player: str | None, action: dict[str, Any]) -> p.Applied:
        return msgspec.structs.replace(super().apply(player, action), events=[])


class Edge(Reference[Pile]):
    """Every coin after the first is said to stand on its edge."""

    def apply(self, player: str | None, action: dict[str, Any]) -> p.Applied:
        applied = super().apply(player, action)
        for event in applied.events:
            event.items = ["edge"] if event.event == "fell" else event.items
        return applied


class Endless(Reference[Pile]):
    def decision(self) -> p.Decided:
        decided = super().decision()
        return p.Decided(seq=0, player="A", kind="action", options=[{"pass": None}]) if decided.over else decided


class Stingy(Hurried):
    """Does not offer to take two of three stones, and passes over choices without a choice."""

    def decision(self) -> p.Decided:
        decided = super().decision()
        if self.state.stones == 3 and decided.options:
            decided.options.remove({"take": "2"})
        return decided


FAULTS = [
    (Nim(), Unknown, "unknown action"),
    (Nim(), TwoThrows, "drew too much"),
    (Coins(), OneThrow, "drew too little"),
    (Coins(), Edge, "impossible draw"),
    (Nim(), Endless, "over too late"),
    (Coins(), Stingy, "missing"),
]


def seeded(game: Nim, program: type[Reference[Pile]], refusals: bool = True) -> Iterator[Played]:
    for seed in range(60):
        yield play(game, program(game), "1", Source(str(seed)), refusals=refusals)


@pytest.mark.parametrize(("game", "program", "fault"), FAULTS, ids=[fault for *_, fault in FAULTS])
def test_each_fault_has_its_name(game: Nim, program: type[Reference[Pile]], fault: str) -> None:
    """A program with one fault is found out under that fault's name alone."""
    found = [divergence for played in seeded(game, program) for divergence in played.found]
    assert {divergence.fault for divergence in found} == {fault}


def test_a_divergence_tells_the_rule_the_actions_and_the_way_there() -> None:
    """The missing action comes with the rules that allow it, and the play leads to the position."""
    game = Nim()
    found = [divergence for played in seeded(game, Stingy) for divergence in played.found]
    assert found
    for divergence in found:
        assert divergence.actions == ("take 2",)
        assert {"nim.take", "nim.enough"} <= set(divergence.rules)
        state = game.start(divergence.setup, "1")
        for text in divergence.play:
            state, _ = game.apply(state, game.read(text))
        assert game.observe(state) == divergence.position
        assert divergence.position["stones"] == 3


def test_equal_divergences_share_a_signature_whatever_the_numbers() -> None:
    """The signature of one fault is the same wherever it is seen, and another fault has another."""
    stingy = {divergence.signature for played in seeded(Nim(), Stingy) for divergence in played.found}
    unknown = {divergence.signature for played in seeded(Nim(), Unknown) for divergence in played.found}
    assert len(stingy) == 1
    assert len(unknown) == 1
    assert stingy != unknown


def test_chance_must_be_reported() -> None:
    """A program that never says what chance decided breaks the protocol: it is no divergence, and no pass."""

    class Secretive(Reference[Pile]):
        def new(self, game: str, edition: str, setup: dict[str, Any]) -> p.Created:
            return msgspec.structs.replace(super().new(game, edition, setup), events=[])

    for played in seeded(Nim(), Secretive):
        assert isinstance(played.failure, ProtocolError)
        assert "left a chance open" in str(played.failure)
        assert not played.found


def test_a_program_that_goes_its_own_way_is_found_at_the_first_such_point() -> None:
    """Where the offered set is not that of any reachable decision, the play up to there is still legal."""

    class Contrary(Reference[Pile]):
        def decision(self) -> p.Decided:
            decided = super().decision()
            return msgspec.structs.replace(decided, player={"A": "B", "B": "A", None: None}[decided.player])

    for played in seeded(Nim(), Contrary):
        assert [divergence.fault for divergence in played.found] == ["wrong player"]
        assert len(played.found[0].play) == 1


class Sparse(Nim):
    """Nim that can be asked for every decision it has made."""

    def generate(self, state: Pile) -> Decision | None:
        decision = super().generate(state)
        if decision is None or decision.kind == "chance":
            return decision
        return msgspec.structs.replace(decision, legal=LegalActions(decision.legal.single[:1]))


def test_identical_forced_choices_in_a_row_are_told_apart_by_the_state() -> None:
    """Where every choice has one option and the program passes over all of them, both still meet at the end."""
    for played in seeded(Sparse(), Hurried):
        assert played.found == ()
        assert played.finished


@pytest.mark.parametrize(
    ("seen", "ours", "fields"),
    [
        ({"hand": {"A": ["Estate", "Copper"]}}, {"hand": {"A": ["Copper", "Estate"]}}, []),
        ({"hand": {"A": ["2 Copper"]}}, {"hand": {"A": ["Copper", "Copper"]}}, []),
        ({"hand": {"A": ["Copper"]}}, {"hand": {"A": ["Copper", "Copper"]}}, ["hand.A"]),
        ({"hand": {"A": 2}}, {"hand": {"A": ["Copper", "Copper"]}}, []),
        ({"deck": {"A": ["Gold", "Estate", "Copper"]}}, {"deck": {"A": ["Gold", ["Copper", "Estate"]]}}, []),
        ({"deck": {"A": ["Estate", "Gold", "Copper"]}}, {"deck": {"A": ["Gold", ["Copper", "Estate"]]}}, ["deck.A"]),
        ({"coins": 0, "trash": [], "waiting": None}, {}, []),
        ({"coins": 2}, {"coin": 2}, ["coins"]),
        ({}, {"coins": 2}, []),
    ],
)
def test_a_state_is_compared_in_the_fields_given(seen: Any, ours: Any, fields: list[str]) -> None:
    """Bags agree in any order, decks as far as their order is known, absent fields are empty."""
    assert [field for field, _, _ in differences(seen, ours, {"hand", "trash"})] == fields


# -- what is compared, and what is not ------------------------------------------------------------


class Blind(Reference[Pile]):
    """Shows a state in which there is nothing, or nothing but the result."""

    def observe(self, player: str | None = None) -> p.Observed:
        return p.Observed(seq=0, state={})


def played(game: Nim, program: Implementation, setup: dict[str, Any] | None = None, n: int = 0) -> Played:
    """A play in which every choice is the plainest, or the n-th."""
    return play(game, program, "1", Given(lambda most: min(n, most - 1)), setup=setup, refusals=False)


def test_a_position_without_a_field_is_not_compared() -> None:
    """A program that shows nothing of its state is not said to have been compared in it."""
    assert played(Nim(), Reference(Nim())).totals.states > 0
    blind = played(Nim(), Blind(Nim()))
    assert blind.found == ()
    assert blind.totals.decisions > 0
    assert blind.totals.states == 0


class Misnames(Reference[Pile]):
    """Gives every decision one kind."""

    kind: Any = "choice"

    def decision(self) -> p.Decided:
        decided = super().decision()
        return decided if decided.over else msgspec.structs.replace(decided, kind=self.kind)


class MisnamesUnlisted(Misnames):
    """The same, without an option list."""

    def decision(self) -> p.Decided:
        return msgspec.structs.replace(super().decision(), options=None)


@pytest.mark.parametrize("program", [Misnames, MisnamesUnlisted])
@pytest.mark.parametrize("kind", ["choice", "order", "chance"])
def test_a_decision_of_another_kind_is_a_divergence(program: type[Misnames], kind: str) -> None:
    """What is an action is not to be called a choice, an order or chance; it is one finding, and play goes on."""
    wrong = program(Nim())
    wrong.kind = kind
    found = played(Nim(), wrong)
    assert {divergence.fault for divergence in found.found} == {"wrong kind"}
    assert len({divergence.signature for divergence in found.found}) == 1
    assert found.finished


class Choosy(Nim):
    """Nim where taking is a choice."""

    def generate(self, state: Pile) -> Decision | None:
        decision = super().generate(state)
        return msgspec.structs.replace(decision, kind="choice") if decision and decision.player else decision


class AsksElse(Misnames):
    """Puts a choice of its own in place of a turn's actions."""

    def decision(self) -> p.Decided:
        decided = super().decision()
        return decided if decided.over else msgspec.structs.replace(decided, options=[{"pass": None}])


def test_another_question_is_not_told_by_its_kind() -> None:
    """Where no answer is of a kind that is legal, that is the fault, and the only one: none for each answer."""
    (found,) = played(Nim(), AsksElse(Nim()), {"position": {"stones": 6, "turn": "A", "passed": ["A"]}}).found
    assert found.fault == "missing"
    assert "another question is put: pass; what is legal: take 1" in found.says
    assert found.rules


class AsksTheOther(Misnames):
    """Asks the player whose turn it is not; with `else_`, for something else as well."""

    else_ = False

    def decision(self) -> p.Decided:
        decided = super().decision()
        options = [{"pass": None}] if self.else_ else decided.options
        return decided if decided.over else msgspec.structs.replace(decided, player="B", options=options)


def test_another_question_to_another_player_is_a_fault_of_its_own() -> None:
    """A player who is asked out of turn, and one who is asked out of turn for something else, are told apart."""
    setup = {"position": {"stones": 6, "turn": "A", "passed": ["A"]}}
    (same,) = played(Nim(), AsksTheOther(Nim()), setup).found
    program = AsksTheOther(Nim())
    program.else_ = True
    (other,) = played(Nim(), program, setup).found
    assert (same.fault, other.fault) == ("wrong player", "wrong player")
    assert same.says == "A must choose, but B is asked"
    assert other.says == "A must choose, but B is asked: pass"
    assert same.signature != other.signature


@pytest.mark.parametrize("program", [Misnames, MisnamesUnlisted])
def test_choice_and_order_may_be_taken_for_one_another(program: type[Misnames]) -> None:
    """Engines draw the line between the two where they like."""
    other = program(Choosy())
    other.kind = "order"
    assert played(Choosy(), other).found == ()


@pytest.mark.parametrize(
    ("seen", "ours", "same"),
    [
        ({"n": True}, {"n": 1}, False),
        ({"n": 1.0}, {"n": 1}, False),
        ({"n": 0.0}, {"n": 0}, False),
        ({"n": False}, {"n": 0}, False),
        ({"n": ""}, {"n": 0}, False),
        ({"n": 0}, {"n": False}, False),
        ({"n": 0}, {"n": 0}, True),
        ({"n": None}, {"n": 0}, True),
        ({"n": 0}, {}, True),
        ({"n": []}, {"n": {}}, True),
        ({"n": 0}, {"n": []}, True),
        ({"n": False}, {"n": []}, False),
        ({"n": [1]}, {"n": ["1"]}, False),
        ({"n": [True]}, {"n": [1]}, False),
        ({"n": [{"a": 1, "b": 2}]}, {"n": [{"b": 2, "a": 1}]}, True),
        ({"n": {"A": True}}, {"n": {"A": 1}}, False),
    ],
)
def test_values_of_different_types_differ(seen: Any, ours: Any, same: bool) -> None:
    """True is not 1 and 0.0 not 0, in fields, in lists and below; what is left out is empty, of whatever type."""
    assert (differences(seen, ours, ()) == []) is same
    assert (differences(seen, ours, ("n",)) == []) is same


class Elsewhere(Reference[Pile]):
    """Takes up every position otherwise than it is given."""

    turn, stones = "A", 4

    def new(self, game: str, edition: str, setup: dict[str, Any]) -> p.Created:
        if "position" in setup:
            setup = {**setup, "position": {**setup["position"], "turn": self.turn, "stones": self.stones}}
        return super().new(game, edition, setup)


class Turned(Elsewhere):
    """Lets the other player begin."""

    turn, stones = "B", 6


@pytest.mark.parametrize("program", [Elsewhere, Turned])
@pytest.mark.parametrize("stones", [6, 2])
def test_a_position_not_taken_up_is_one_finding(program: type[Elsewhere], stones: int) -> None:
    """Nobody has acted yet, so no rule is accused of it, and what follows from it is not told."""
    found = played(Nim(), program(Nim()), {"position": {"stones": stones, "turn": "A"}}).found
    (divergence,) = found
    assert divergence.fault == "setup"
    assert divergence.reasons == ()
    assert "not set up as given" in divergence.says
    assert divergence.play == ()


def test_all_positions_not_taken_up_have_one_signature() -> None:
    """Whatever it is that the program does not take up, it is one fault: it takes no position as it is given."""
    setups = [{"position": {"stones": 6, "turn": "A"}}, {"position": {"stones": 5, "turn": "B", "passed": ["A"]}}]
    found = [played(Nim(), Elsewhere(Nim()), setup).found[0] for setup in setups]
    assert len({divergence.signature for divergence in found}) == 1


@pytest.mark.parametrize("program", RIGHT)
def test_a_right_program_takes_positions_up(program: type[Reference[Pile]]) -> None:
    """Also where the first choice is none and is passed over, a position that was taken up is found so."""
    for stones, passed in ((3, []), (1, ["A"]), (1, ["A", "B"]), (0, [])):
        setup = {"position": {"stones": stones, "turn": "A", "passed": passed}}
        assert played(Nim(), program(Nim()), setup).found == ()


class Spends(Reference[Pile]):
    """Takes a stone too many, at every turn."""

    def apply(self, player: str | None, action: dict[str, Any]) -> p.Applied:
        applied = super().apply(player, action)
        self._state = msgspec.structs.replace(self.state, stones=max(0, self.state.stones - 1))
        return applied


def test_after_an_action_it_is_the_rules_again() -> None:
    """A difference that shows once somebody has acted is a state divergence with its rules."""
    (divergence,) = played(Nim(), Spends(Nim()), {"position": {"stones": 8, "turn": "A"}}).found
    assert divergence.fault == "state"
    assert divergence.rules
