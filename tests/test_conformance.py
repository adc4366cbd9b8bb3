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
