"""The station's proofs: its readings break claims, what is not lifted keeps the promises, no altered guard passes."""

from __future__ import annotations

import ast
import os
import random
from collections import Counter
from itertools import product
from typing import Any

import pytest
import z3

from oracle.game import Action
from oracle.games.station import GAME, State, bridge, claims, clauses, readings, stranded
from oracle.games.station.state import AFTER_TURN, BERTHS, DISPLAY, IN_TURN
from oracle.proof.laws import Laws
from oracle.proof.lift import lift, source_of
from oracle.proof.paths import LiftError
from oracle.proof.questions import questions
from oracle.proof.readings import RULE, difference
from oracle.proof.rows import Among, Heaps, Lump, Mass, Parted, Row, Worth, rewritten, with_rows
from oracle.proof.symbols import SymBag, SymInt
from oracle.proof.terms import TRUE, count, every, no, pick, truth

POSITIONS = int(os.environ.get("ORACLE_POSITIONS", "400"))
FULL = POSITIONS >= 10_000


# -- readings and questions ------------------------------------------------------------------------


class ByReading(Laws):
    """The manual with every reading behind a switch."""

    def __init__(self) -> None:
        super().__init__()
        self.switches = {r.id: truth(f"reading!{r.id}") for r in readings.READINGS if r.laws and r.kind != "rule"}

    def altered(self, rule: str, says: Any) -> Any:
        out = says
        for reading in readings.READINGS:
            if reading.id in self.switches and reading.laws and rule in reading.laws:
                out = pick(self.switches[reading.id], reading.laws[rule](says), out)
        return out


def test_every_reading_breaks_a_claim() -> None:
    """A theory that follows a reading is refuted by the shipped guards and effects, or breaks a promise."""
    assert [reading.id for reading in readings.READINGS if not reading.laws] == []
    laws = ByReading()
    left = set(laws.switches)
    for claim in claims.claims(claims.modules(), laws):
        for part in claim.parts:
            used = laws.used([part.premise, part.goal])
            solver = z3.Solver()
            as_written = [z3.Bool(name) for name in ("needless", "free", "alike")]
            solver.add(*claim.domain, part.premise, no(part.goal), every(f for fs in used.values() for f in fs))
            if not left:
                return
            solver.add(every(no(laws.switches[other]) for other in laws.switches.keys() - left))
            for id_ in list(left):
                others = [no(s) for other, s in laws.switches.items() if other != id_]
                if solver.check(laws.switches[id_], *as_written, *others) == z3.sat:
                    left.discard(id_)
    assert left == set()


@pytest.mark.parametrize("id_", ["less-than-four", "any-display"])
def test_other_words_for_the_same_are_harmless(id_: str) -> None:
    """A clause in other words is proved equivalent, not merely not told apart."""
    found = difference(GAME, RULE, next(r for r in readings.READINGS if r.id == id_))
    assert found.outcome == "harmless"


def test_stranded_credits_are_found_with_the_shortest_play() -> None:
    """Three turns leave an empty display and a discard that nobody gets back; no two do."""
    assert [turn for turn, _ in stranded.shortest()] == ["acquire", "acquire", "pay more"]
    asked = {question.kind: question for question in reversed(questions(GAME))}
    assert asked["stall"].play[-1] == "purchase Tank from 1 pay blue 2 to dock"
    assert asked["disguised pass"].play == ("exchange n1 for Tank",)
    state = GAME.position(stranded.START, "v3")
    for text in asked["stall"].play:
        state, _ = GAME.apply(state, GAME.read(text))
    assert (state.display, state.discard) == ((), ("blue 2",))
    for _ in range(6):
        assert [GAME.text(action) for action in GAME.decision(state).legal] == ["pass"]  # type: ignore[union-attr]
        state, _ = GAME.apply(state, GAME.read("pass"))
    assert state.discard == ("blue 2",)


# -- the theory ------------------------------------------------------------------------------------


def test_the_twins_of_the_clauses_are_written_apart() -> None:
    """What a clause is to say imports nothing of the game, and there is a twin for every clause of plain numbers."""
    for node in ast.walk(ast.parse(source_of("oracle.games.station.clauses"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            assert not node.module.startswith("oracle.games")
    names = {name for found in GAME.guards.values() for name in found}
    assert names - clauses.CLAUSES.keys() == {"asked_for", "by_chance", "may_come"}


def test_an_effective_cost_of_any_kind_is_what_the_guards_ask() -> None:
    """The guards are lifted with an unknown discount rule, and the shipped one is proved by itself."""
    code = claims.modules()
    lifted = lift(lambda: code.code.rules.effective_cost(SymInt(count("x")), SymInt(count("y"))))
    assert "drift" in str(lifted.term)
    assert bridge.COST in vars(code.code.rules)


# -- rows ------------------------------------------------------------------------------------------

SOURCE = """
def large(values, least):
    return [value for value in values if value > least]

def many(values, least) -> int:
    return len(large(values, least))

def worth(values, least) -> int:
    return sum(tuple(value + 1 for value in values if value > least))
"""


@pytest.mark.parametrize("name", ["many", "worth"])
def test_rows_are_carried_faithfully(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Length and sum of a list with a test are what they are for plain values, whatever these are."""
    from oracle.proof import lift as lifting
    from oracle.proof import rows as drawing

    for module in (lifting, drawing):
        monkeypatch.setattr(module, "source_of", lambda name: SOURCE)
    code = with_rows(lifting.load(["rows"], edits={"rows": rewritten("rows")})).code.rows
    plain = lifting.load(["rows"], plain=True).code.rows
    symbols = [count(f"v{i}") for i in range(3)]
    least = count("least")
    term = lift(lambda: getattr(code, name)(tuple(map(SymInt, symbols)), SymInt(least))).term
    for values in product(range(3), repeat=3):
        for bound in range(3):
            put = [(s, z3.IntVal(v)) for s, v in zip((*symbols, least), (*values, bound), strict=True)]
            assert z3.simplify(z3.substitute(term, *put)).as_long() == getattr(plain, name)(values, bound)


HEAPS = """
from collections import Counter

def values(cards):
    return tuple(VALUE[card] for card in cards)

def worth(cards) -> int:
    return sum(VALUE[card] for card in cards) + len(cards)

def all_low(cards) -> bool:
    return all(sum(values(cards)) - value < 3 for value in values(cards))

def any_low(cards) -> bool:
    return any(value < 2 for value in values(cards))

def counted(have, wanted):
    want = Counter(wanted)
    return tuple(have.count(card) for card in want), tuple(want.values())

def within(cards) -> bool:
    have, wanted = counted(HAVE, cards)
    return all(n <= there for there, n in zip(have, wanted, strict=True))
"""


@pytest.mark.parametrize("name", ["worth", "all_low", "any_low", "within"])
def test_heaps_are_carried_faithfully(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of any numbers of cards of two kinds, what is asked of all of them is what it is for plain cards."""
    from oracle.proof import lift as lifting
    from oracle.proof import rows as drawing

    for module in (lifting, drawing):
        monkeypatch.setattr(module, "source_of", lambda name: HEAPS)
    code = with_rows(lifting.load(["heaps"], edits={"heaps": rewritten("heaps")})).code.heaps
    plain = lifting.load(["heaps"], plain=True).code.heaps
    n, worth, have = ({kind: count(f"{what}.{kind}") for kind in "ab"} for what in ("n", "worth", "have"))
    code.VALUE = {"a": SymInt(count("value.a")), "b": SymInt(count("value.b"))}
    code.HAVE = SymBag(have)
    each = {kind: Worth(count(f"value.{kind}"), worth[kind]) for kind in "ab"}
    lifted = lift(lambda: getattr(code, name)(Heaps(n, each)))
    for a, b, x, y in product(range(3), range(3), (1, 2), (1, 3)):
        for held in range(3):
            plain.VALUE, plain.HAVE = {"a": x, "b": y}, ("a",) * held + ("b",)
            pairs = [(n["a"], a), (n["b"], b), (worth["a"], a * x), (worth["b"], b * y)]
            pairs += [(count("value.a"), x), (count("value.b"), y), (have["a"], held), (have["b"], 1)]
            put = [(symbol, z3.IntVal(value)) for symbol, value in pairs]
            cards = ("a",) * a + ("b",) * b
            assert str(z3.simplify(z3.substitute(lifted.term, *put))) == str(getattr(plain, name)(cards)), cards


def test_what_rows_cannot_carry_is_refused() -> None:
    """Other worth than that of the cards, other questions about what is not looked at, going through it one by one."""
    heaps = Heaps({"a": count("n")}, {"a": Worth(count("v"), count("w"))})
    assert "w" in str(heaps.part(lambda card: True, lambda card: SymInt(count("v"))).sum.term)
    among = Among(("a", "b"), count("others"))
    assert "others" in str(among.part(lambda card: card == "a", lambda card: card).size.term)
    many = Parted(lambda mark: mark, lambda part: Lump(TRUE, Mass(count("w")), count("n")))
    mass = many.part(lambda mark: mark == 1, lambda value: value)
    assert str(mass.sum.term) == "w"
    asks: tuple[Any, ...] = (
        lambda: among.part(lambda card: card == "b", lambda card: card),
        lambda: list(among),
        lambda: heaps.part(lambda card: True, lambda card: SymInt(count("v")) + 1).sum,
        lambda: mass.lumps[0].value > 3,
        lambda: mass.lumps[0].value + 1,
        lambda: len(many),
    )
    for ask in asks:
        with pytest.raises(LiftError):
            ask()


def test_a_row_has_a_length_and_a_sum_only() -> None:
    """Whatever else is asked of a row is refused, and so is another part of things than one."""
    row = Row([Lump(TRUE, SymInt(count("x")), count("n"), Worth(count("x"), count("w")))])
    asks: tuple[Any, ...] = (
        lambda: 1 in row,
        lambda: bool(row),
        lambda: row == row,
        lambda: list(row),
        lambda: row.count("x"),
    )
    for ask in asks:
        with pytest.raises(LiftError):
            ask()
    things = Parted(lambda mark: mark, lambda part: Lump(TRUE, part, count("n")))
    for keep in (
        lambda mark: True,
        lambda mark: mark != 1,
        lambda mark: mark == 1 and mark == 2,
        lambda mark: mark == 1 and mark != 2,
    ):
        with pytest.raises(LiftError):
            things.part(keep, lambda value: value)
    assert str(things.part(lambda mark: mark == 1, lambda value: value).size.term) == "n"


# -- what is not lifted ----------------------------------------------------------------------------


def drawn(rng: random.Random) -> State:
    state = GAME.position(GAME.sample_position(rng.randrange), "v3")
    for _ in range(rng.randrange(4)):
        decision = GAME.decision(state)
        if decision is None:
            break
        state, _ = GAME.play(state, decision.legal[rng.randrange(len(decision.legal))])
    return state


def cards(state: State) -> Counter[str]:
    """All credit cards."""
    out = Counter((*state.display, *state.discard))
    for zone in (*state.deck, *(seat.hand for seat in state.seats)):
        out.update(zone)
    return out


def modules(state: State) -> Counter[str]:
    """All modules."""
    out = Counter(name for name in state.market if name)
    for zone in (*state.salvage, *(seat.dock for seat in state.seats), *(seat.station for seat in state.seats)):
        out.update(name for name in zone if name)
    return out


def test_what_is_not_lifted_keeps_the_promises() -> None:
    """Steps and game time, run together: the same turns, rounds, refills and Drift as the theory's single steps."""
    rng, acted, rounds = random.Random(7), 0, 0
    for _ in range(min(POSITIONS, 10_000)):
        before = drawn(rng)
        decision = GAME.decision(before)
        if decision is None:
            continue
        action = decision.legal[rng.randrange(len(decision.legal))]
        after, events = GAME.play(before, action)
        assert cards(after) == cards(before)
        assert modules(after) == modules(before)
        names = [event.event for event in events]
        last = before.following == before.starting
        ended = names.count("turn ended")
        assert ended <= 1
        assert names.count("round ended") == (1 if ended and last else 0)
        assert names.count("game ended") == (1 if ended and last and after.ended else 0)
        assert after.over == before.over or "game ended" in names
        if "round began" in names:
            rounds += 1
            assert (after.turn, after.round) == (before.starting, before.round + 1)
            assert after.eligible == tuple(i for i, name in enumerate(after.market) if name)
            grown = [
                after.discount[i] - (before.discount[i] if kept(before, after, action, i) else 0) for i in range(5)
            ]
            assert grown == [
                before.table.drift if i in before.eligible and kept(before, after, action, i) else 0 for i in range(5)
            ]
        elif ended and not after.over:
            assert (after.turn, after.round) == (before.following, before.round)
        if "deal" not in {step.do for step in after.stack} and "acquired" in names:
            assert len(after.display) == DISPLAY or not (after.deck or after.discard)
        if after.stack:
            asked = GAME.decision(after)
            assert asked is not None
            assert len(asked.legal) > 1 or asked.kind == "choice"
        else:
            assert after.over or after.at == IN_TURN
            assert after.over or not [t for t in after.agenda if t.moment == AFTER_TURN]
        acted += 1
    assert acted > POSITIONS * 0.8 or acted > 8_000
    assert rounds > acted / 20


def kept(before: State, after: State, action: Action, berth: int) -> bool:
    """Whether a berth still has the module that it had: none was bought or salvaged there, nor is one awaited."""
    if dict(action.rest).get("from") == (BERTHS[berth],):
        return False
    refills = [t.effect.berth for t in before.agenda if t.moment == AFTER_TURN]
    refills += [step.berth for step in before.stack if step.do == "salvage"]
    return before.market[berth] != "" and after.market[berth] == before.market[berth] and berth not in refills


@pytest.mark.parametrize("n", range(2, 13))
def test_seats_follow_one_another_around_the_table(n: int) -> None:
    """The seat after the last is the first; places count from the seat that begins the round."""
    names = list("ABCDEFGHIJKL"[:n])
    for starting, turn in product(range(n), range(n)):
        state = GAME.position({"players": names, "starting": names[starting], "turn": names[turn]}, "v3")
        assert state.following == (turn + 1 if turn + 1 < n else 0)
        order = [*names[starting:], *names[:starting]]
        assert [state.place(name) for name in order] == list(range(n))


@pytest.mark.parametrize("n", range(2, 13))
def test_a_round_is_one_turn_of_each(n: int) -> None:
    """However many commanders there are, a round ends after the turn of the seat before the starting one."""
    names = list("ABCDEFGHIJKL"[:n])
    state = GAME.position({"players": names, "starting": "B", "turn": "B", "round": 1}, "v3")
    for name in [*names[1:], *names[:1]]:
        assert (state.round, state.mover.name) == (1, name)
        state, _ = GAME.play(state, Action("pass"))
    assert (state.round, state.mover.name) == (2, "B")
