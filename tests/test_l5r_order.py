"""The order of moments in L5R, proved: for any length of game, by two voices, and every axiom of it needed."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import pytest
import z3
from msgspec.structs import replace

from oracle.games.l5r import order_claims
from oracle.games.l5r.calendar import ATTACK_PHASE, BATTLE, CALENDAR, GAME_TIME, ORDERING, TURN, TURNS
from oracle.proof.claims import Claim, decide
from oracle.proof.courses import Course, Spot
from oracle.proof.laws import Laws
from oracle.proof.mutants import Switched, _noticed
from oracle.proof.orders import turned
from oracle.proof.smt import RLIMIT
from oracle.timing import Moment, Unit

NAMES = ("consistent", "text", "unique", "needed", "counted")


def claim_of(law: Laws, name: str) -> Claim:
    """The claim of that name; those that come later are not built."""
    return next(claim for claim in order_claims.claims(law) if claim.id == f"order.{name}")


@cache
def shipped() -> dict[str, Claim]:
    """The claims as they are, by the last part of their ids."""
    return {claim.id.removeprefix("order."): claim for claim in order_claims.claims(Laws())}


@pytest.mark.parametrize("name", NAMES)
def test_every_claim_on_the_order_is_proved_and_needs_its_axioms(name: str) -> None:
    """Both solvers agree; the proof rests on every rule that the claim is about, but for those of rulings alone."""
    pytest.importorskip("cvc5")
    assert set(shipped()) == set(NAMES)
    claim = shipped()[name]
    proof = decide(claim)
    assert (proof.outcome, proof.note) == ("proved", "")
    rulings = {axiom.rule for axiom in ORDERING.axioms if axiom.ruling}
    assert set(proof.core) == set(claim.about) - (rulings if name == "text" else set())


def test_every_mutant_of_an_axiom_is_noticed() -> None:
    """An axiom that is dropped, denied or off by one breaks a claim."""
    laws, killed = Switched(), dict[str, list[str]]()
    for claim in order_claims.claims(laws):
        for name in _noticed(claim, laws, RLIMIT):
            killed.setdefault(name, []).append(claim.id)
    assert set(laws.switches) == set(killed)
    assert len(killed) == 3 * (len(order_claims.RULES) + 1)


@pytest.mark.parametrize("axiom", [axiom for axiom in ORDERING.axioms if axiom.rule and axiom.says != "engaging"])
def test_an_axiom_read_the_other_way_round_contradicts_the_others(axiom: Any) -> None:
    """Where what comes first comes last, the order of the keys does not meet the axioms any more."""
    claim = claim_of(Laws({axiom.rule: turned}), "consistent")
    assert decide(claim, second=False).outcome == "refuted"


def test_the_text_alone_does_not_make_the_order_unique() -> None:
    """Without the rulings the induction fails."""
    law = Laws({axiom.rule: lambda says: z3.BoolVal(True) for axiom in ORDERING.axioms if axiom.ruling})
    assert decide(claim_of(law, "unique"), second=False).outcome == "refuted"


# -- any number of parts, against games that are written out ---------------------------------------

Battles = int | None
"""How many battles a turn has; None: no Attack Phase."""
GAMES: tuple[tuple[Battles, ...], ...] = ((None,), (0,), (2,), (None, 1), (2, 0), (1, 2), (1, None, 2))


def written(game: tuple[Battles, ...]) -> Unit:
    """The game written out: the units numbered by turn and battle."""
    turns = []
    for i, battles in enumerate(game, 1):
        fought = tuple(
            replace(BATTLE, repeats=False, optional=False).renamed(f" {j}") for j in range(1, (battles or 0) + 1)
        )
        attack = replace(ATTACK_PHASE, optional=False, parts=(*ATTACK_PHASE.parts[:-1], *fought))
        parts = [attack if part.name == ATTACK_PHASE.name else part for part in TURN.parts]
        kept = tuple(part for part in parts if battles is not None or part.name != ATTACK_PHASE.name)
        turns.append(replace(TURN, repeats=False, parts=kept).renamed(f" {i}"))
    return replace(GAME_TIME, parts=tuple(turns))


def name(spot: Spot) -> Moment:
    """What the moment is called there."""
    numbers = [int(str(z3.simplify(n))) if isinstance(n, z3.ExprRef) else n for n in spot.path]
    del numbers[1:2]  # a turn has one Attack Phase at the most
    mark = ".".join(str(n + 1) for n in numbers)
    return Moment(spot.moment.edge, f"{spot.moment.unit} {mark}" if mark else spot.moment.unit)


def holds(condition: Any, course: Course, game: tuple[Battles, ...]) -> bool:
    """Whether a condition holds in that game."""
    known = [(course.how_many("turn", ()), len(game))]
    for i, battles in enumerate(game):
        known.append((course.how_many("attack phase", (i,)), int(battles is not None)))
        known += [(course.how_many("battle", (i, j)), battles or 0) for j in (0,)]
    said = z3.simplify(z3.substitute(condition, *((term, z3.IntVal(n)) for term, n in known)))
    assert z3.is_true(said) or z3.is_false(said), said
    return bool(z3.is_true(said))


def spots(course: Course, game: tuple[Battles, ...]) -> list[Spot]:
    """All moments of that game."""
    numbers = [[(i, 0, j) for j in range(battles or 0)] or [(i, 0, 0)] for i, battles in enumerate(game)]
    found = [
        Spot(spot.moment, path[: len(spot.path)])
        for paths in numbers
        for path in paths
        for spot in course.spots("x", merged=True)
    ]
    return [spot for spot in dict.fromkeys(found) if holds(course.there(spot), course, game)]


@pytest.mark.parametrize("game", GAMES)
def test_any_number_of_parts_says_what_a_game_written_out_does(game: tuple[Battles, ...]) -> None:
    """Moments, the one that follows, keys and axioms are those of the written game, whose order is the derived one."""
    course, unit = Course(GAME_TIME, ORDERING), written(game)
    order, merged = ORDERING.order(unit), ORDERING.merged(unit)
    every = spots(course, game)
    assert {name(spot) for spot in every} == set(unit.moments())
    for spot in every:
        here = merged[name(spot)]
        follows = [name(after) for condition, after in course.following(spot) if holds(condition, course, game)]
        at = order.index(here)
        assert [merged[moment] for moment in follows] == list(order[at + 1 : at + 2])
    for one, other in combinations(every, 2):
        places = order.index(merged[name(one)]), order.index(merged[name(other)])
        assert holds(course.earlier(one, other), course, game) == (places[0] < places[1])
        assert holds(course.alike(one, other), course, game) == (places[0] == places[1])
    for axiom in ORDERING.axioms:
        said = {
            (name(each.one), name(each.other))
            for spot in every
            if spot.moment.edge == "after"
            for each in course.said(axiom, spot.moment.unit, spot.path)
            if holds(each.condition, course, game)
        }
        pairs = set(axiom.pairs(unit))
        assert said <= pairs
        # The next battle may be many turns away: that one is not named, and the proof does not use it.
        beyond = {pair for pair in pairs if pair[0].unit.split(".")[0] != pair[1].unit.split(".")[0]}
        assert pairs - said <= (beyond if axiom.kinds == ("battle",) else set())


def test_the_game_goes_on_to_the_moment_that_follows_in_the_proof() -> None:
    """The calendar that is played by goes where the proof does, with another battle or turn, or the attack left out."""
    course = Course(GAME_TIME, ORDERING)
    for spot in course.spots("x"):
        unit = next(unit for unit in GAME_TIME.units() if unit.name == spot.moment.unit)
        found = {CALENDAR.canonical(after.moment) for _, after in course.following(spot)}
        played = {CALENDAR.following(spot.moment)}
        played |= (
            {CALENDAR.following(spot.moment, again=True)} if spot.moment.edge == "after" and unit.repeats else set()
        )
        if any(before in played for before in (Moment("before", "attack phase"), Moment("before", "battle"))):
            played |= {CALENDAR.following(spot.moment, skip=True)} if unit.name != "battle" else set()
        assert found == played - {None}, spot


def test_counting_is_claimed_of_the_attribution_that_is_played_by() -> None:
    """The claim needs the rule of the game's own attribution; another first moment breaks it."""
    law = Laws()
    course = Course(GAME_TIME, ORDERING)
    part = course.counted(replace(TURNS, first=Moment("after", "turn")), law)
    claim = Claim(id="c", says="", about=(TURNS.rule,), scope="", laws=law, parts=(part,))
    assert decide(claim, second=False).outcome == "refuted"
