"""L5R read otherwise: what each reading changes is noticed, harmless ones are proved so, and what is open is found."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

import pytest
import z3

from oracle import games, resources
from oracle.casebook import case as casebook
from oracle.errors import BadPosition
from oracle.games.l5r import GAME, claims, readings
from oracle.games.l5r import reading_changes as changes
from oracle.games.l5r.calendar import BEFORE_GAME, CALENDAR, GAME_TIME, ORDERING, TURN
from oracle.proof import find_questions, order_questions, passes
from oracle.proof.laws import Laws
from oracle.proof.order_questions import Edge, Open, open_orders
from oracle.proof.questions import Question
from oracle.proof.readings import RULE, difference, killers, named
from oracle.proof.smt import RLIMIT, ask
from oracle.proof.terms import count, every, no, pick, same, truth
from oracle.timing import Moment, Ordering, Round

HARMLESS = {"own-pass-reset", "nothing-but-open"}
OPEN = [reading for reading in readings.READINGS if reading.kind in ("open", "order")]


@pytest.fixture(scope="module")
def book() -> Sequence[Any]:
    """The bundled cases."""
    return casebook.load([resources.cases() / "l5r"], games.load).cases


@pytest.fixture(scope="module")
def asked() -> list[Question]:
    """All questions."""
    return find_questions(GAME)


@pytest.mark.parametrize("reading", OPEN, ids=lambda reading: reading.id)
def test_what_is_open_is_ruled_here_by_a_case_too(reading: Any, book: Sequence[Any]) -> None:
    """Of readings that the text does not exclude, a case shows which one is played here, as of those that it does."""
    assert killers(GAME, reading, book)
    assert all("ruling" in rule or rule in GAME.rulebook.rules for rule in reading.rules)


@pytest.mark.parametrize("id_", sorted(HARMLESS))
def test_other_words_for_the_same_are_proved_equivalent(id_: str) -> None:
    """A clause in other words, and another way to remember passes, change nothing in any position."""
    assert difference(GAME, RULE, named(GAME, id_)).outcome == "harmless"
    assert {reading.id for reading in readings.READINGS if reading.kind == "rule"} == HARMLESS


@pytest.mark.parametrize("id_", sorted(set(readings.GUARDS_ONLY) - HARMLESS))
def test_the_solver_tells_apart_what_plays_differently(id_: str) -> None:
    """A reading that only changes what is allowed differs from the rules by the theory as well."""
    laws = named(GAME, id_).laws
    assert laws
    assert readings.forks({}, laws) == "sat"
    assert readings.forks({}, {}) == "unsat"


def test_last_words_and_passes_in_a_row_end_a_round_together() -> None:
    """Proved for any number of players, and the same in all short rounds of up to four."""
    assert passes.always()
    ends = passes.PASSES >= passes.N
    assert ask([passes.joined(), no(same(passes.ALL, ends))]).said == "unsat"
    assert ask([passes.joined(), passes.ALL]).said == ask([passes.joined(), no(ends)]).said == "sat"
    for n, dids in product((1, 2, 3, 4), product(("passed", "acted", "cancelled"), repeat=6)):
        order = tuple("ABCD"[:n])
        plain, flagged = Round(order), changes.Flagged(order)
        for did in dids:
            if plain.ended:
                break
            plain, flagged = plain.after(did), flagged.after(did)  # type: ignore[arg-type, assignment]
            assert (plain.ended, plain.player, plain.passed) == (flagged.ended, flagged.player, flagged.passed)


class ByReading(Laws):
    """The theory with every reading that has a twin in it behind a switch."""

    def __init__(self) -> None:
        super().__init__()
        twins = [reading for reading in readings.READINGS if reading.laws and reading.kind != "rule"]
        self.laws = {reading.id: dict(reading.laws or {}) for reading in twins}
        self.switches = {reading.id: truth(f"reading!{reading.id}") for reading in twins}

    def altered(self, rule: str, says: Any) -> Any:
        out = says
        for id_, laws in self.laws.items():
            if rule in laws:
                out = pick(self.switches[id_], laws[rule](says), out)
        return out


def test_every_reading_with_a_twin_in_the_theory_breaks_a_claim() -> None:
    """The theory that follows a reading is refuted by the shipped code, or breaks a promise of the text."""
    laws = ByReading()
    left = set(laws.switches)
    assert len(left) >= 20
    for claim in claims.claims(claims.modules(), laws):
        for part in claim.parts:
            used = laws.used([part.premise, part.goal])
            here = {id_ for id_ in left if set(laws.laws[id_]) & set(used)}
            solver = z3.Solver()
            solver.set("rlimit", RLIMIT)
            solver.add(*claim.domain, part.premise, no(part.goal), every(f for fs in used.values() for f in fs))
            for id_ in here:
                chosen = (s if other == id_ else no(s) for other, s in laws.switches.items())
                if solver.check(*chosen) == z3.sat:
                    left.discard(id_)
        if not left:
            return
    assert left == set()


# -- questions -------------------------------------------------------------------------------------

INSIDE, TOGETHER, NEXT = "l5r.ruling.inside", "l5r.ruling.engaging-together", "l5r.ruling.battles-in-turn"
ORDERS = {
    # The text says of moments between two parts that they are in the larger unit, of the outermost ones nothing.
    ("start of game", "before turn"): INSIDE,
    ("start of turn", "before straighten phase"): INSIDE,
    ("start of attack phase", "before declaration segment"): INSIDE,
    ("after combat segment", "end of battle"): INSIDE,
    ("after battle", "end of attack phase"): INSIDE,
    ("after end phase", "end of turn"): INSIDE,
    ("after turn", "end of game"): INSIDE,
    # It says that the two start together, not that what waits before them does.
    ("before battle", "before combat segment"): TOGETHER,
    # It orders phases, segments and turns one after the other; a battle is none of them.
    ("after battle", "before battle"): NEXT,
}


def open_here(ordering: Ordering = ORDERING, times: int = 2) -> list[Open]:
    """The questions on the order of moments of a game with so many turns and battles."""
    return open_orders(GAME_TIME.unrolled(times), ordering, INSIDE, TOGETHER)


def test_nine_orders_are_open_and_each_is_settled_by_a_ruling() -> None:
    """Eight at the edges of larger units, and the one between two battles; more turns and battles add no other."""
    found = {(str(each.one), str(each.other)): each.rule for each in open_here()}
    assert found == ORDERS
    assert set(found.values()) <= GAME.rulebook.rules.keys()
    assert {(str(each.one), str(each.other)) for each in open_here(times=3)} == set(ORDERS)
    assert set(ORDERS) - {(str(each.one), str(each.other)) for each in open_here(times=1)} == {
        ("after battle", "before battle")
    }


def test_an_open_order_settles_what_waits_at_its_edges() -> None:
    """By itself each of them decides the pairs of moments that hang on it alone."""
    settled = {each.rule: each.settles for each in open_here() if (each.one, each.other) in PAIRS}
    for rule, (one, other) in EXAMPLES.items():
        assert (Moment(*one), Moment(*other)) in settled[rule], rule  # type: ignore[arg-type]


PAIRS = {
    (Edge("after", "combat segment"), Edge("end of", "battle")),
    (Edge("before", "battle"), Edge("before", "combat segment")),
    (Edge("after", "battle"), Edge("before", "battle")),
}
EXAMPLES = {
    INSIDE: (("after", "combat segment 1.1"), ("after", "battle 1.1")),
    TOGETHER: (("after", "cavalry maneuvers segment 1"), ("before", "battle 1.1")),
    NEXT: (("after", "battle 1.1"), ("before", "battle 1.2")),
}


def test_what_is_decided_by_way_of_others_is_what_a_solver_finds() -> None:
    """The pairs that facts decide, directly or through others, are those that they entail."""
    facts = [f for f in order_questions._facts(GAME_TIME.unrolled(1), ORDERING, INSIDE, TOGETHER) if not f.ruling]
    solver = z3.Solver()
    solver.add(*(fact.term for fact in facts))
    earlier = order_questions._earlier(facts)
    for one, other in combinations(sorted({fact.one for fact in facts}), 2):
        term = count(str(one)) < count(str(other))
        assert (solver.check(no(term)) == z3.unsat) == ((one, other) in earlier), (one, other)


def test_without_a_ruling_for_it_an_order_stays_open() -> None:
    """Where rulings do not settle all of it there is no list of questions, but an error."""
    with pytest.raises(ValueError, match="leave the order of some moments open"):
        open_here(ORDERING - {NEXT})


def test_the_orders_are_asked_with_the_smallest_position_that_shows_them(asked: list[Question]) -> None:
    """Where something can wait on both sides a play shows it; elsewhere the question says that none does."""
    orders = [question for question in asked if question.kind == "order"]
    assert len(orders) == len(ORDERS)
    shown = {question.rules[0] for question in orders if question.given is not None}
    assert shown == {INSIDE, TOGETHER, NEXT}
    assert sum(question.given is not None for question in orders) == len(readings.SHOWN) == 4
    for question in orders:
        assert question.rules[0] in question.found
        assert (question.given is None) == ("changes no play" in question.found)


def test_what_else_is_open_is_asked(asked: list[Question]) -> None:
    """Every open reading that differs, a game that cannot end any more, and an action that changes nothing."""
    kinds = [question.kind for question in asked]
    assert kinds.count("reading") == sum(reading.kind == "open" for reading in readings.READINGS) == 14
    assert "harmless" not in kinds
    by_kind = {question.kind: question for question in asked}
    assert by_kind["stall"].play == ("pass", "pass", "no attack")
    assert by_kind["disguised pass"].play == ("use Scout",)


# -- what readings change --------------------------------------------------------------------------


@pytest.mark.parametrize("reading", readings.READINGS, ids=lambda reading: reading.id)
def test_a_reading_changes_nothing_of_the_game_itself(reading: Any) -> None:
    """What is loaded for a reading is its own: the rules play on as before, and the reading is about known rules."""
    position = {"players": ["A", "B"], "phase": "action"}
    readings.variant(reading).position(position, "EE")
    state = GAME.position(position, "EE")
    assert GAME.text(GAME.decision(state).legal[0]) == "pass"  # type: ignore[union-attr]
    assert set(reading.rules) <= GAME.rulebook.rules.keys()
    assert CALENDAR.unit.parts == (TURN,)
    assert CALENDAR.first == BEFORE_GAME


@pytest.mark.parametrize("reading", readings.READINGS, ids=lambda reading: reading.id)
def test_a_game_read_otherwise_is_a_game(reading: Any) -> None:
    """On drawn positions, generator and guard of each reading allow the same actions, and play goes on with any."""
    game, judged = readings.variant(reading), 0
    for seed in range(6):
        draw = random.Random(seed)
        try:
            state = game.position(GAME.sample_position(draw.randrange), "EE")
        except BadPosition:
            continue  # passes that would have ended the round
        for _ in range(3):
            decision = game.decision(state)
            if decision is None:
                break
            for action in game.candidates(state):
                legal = game.judge(state, decision.player, action).legal
                assert legal == (action in decision.legal), (game.text(action), seed)
                judged += 1
            state, _ = game.play(state, decision.legal[draw.randrange(len(decision.legal))])
    assert judged > 1000


@pytest.mark.parametrize("id_", ["after-turn-counts-late", "before-turn-counts-early"])
def test_turns_are_counted_at_another_moment_and_are_as_many(id_: str) -> None:
    """Both misreadings of counting go through whole turns, and count each of them once in the end."""
    game = readings.variant(named(GAME, id_))
    state = game.position({"players": ["A", "B", "C"], "phase": "dynasty"}, "EE")
    for turn in range(2, 9):
        for text in ("end dynasty phase", "pass", "pass", "pass", "no attack"):
            state, _ = game.apply(state, game.read(text))
        assert (state.turn, state.mover.name) == (turn, "ABC"[(turn - 1) % 3])
        assert sum(seat.turns for seat in state.seats) == turn
