"""What is claimed of the order of moments in L5R: what the text decides, what rulings add, for games of any length."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from oracle.games.l5r.calendar import GAME_TIME, ORDERING, TURNS
from oracle.proof.claims import Claim
from oracle.proof.courses import Course
from oracle.proof.laws import Laws
from oracle.proof.orders import Moments
from oracle.proof.terms import every
from oracle.timing import Axiom, Ordering

TEXT = Ordering(tuple(axiom for axiom in ORDERING.axioms if not axiom.ruling))
"""The order without what is only a ruling."""
TWICE = GAME_TIME.unrolled(2)
"""Two turns, each with two battles: enough for every axiom to say something."""
RULES = tuple(axiom.rule for axiom in ORDERING.axioms if axiom.rule)
ANY = "any number of turns, with or without an Attack Phase of any number of battles; no Attack Phase of an effect"
FINITE = "two turns with two battles each"


def claims(law: Laws) -> Iterator[Claim]:
    """The claims on the order of moments."""
    course = Course(GAME_TIME, ORDERING)
    yield _claim(
        "consistent",
        "no axiom on the order of moments contradicts the others",
        RULES,
        law,
        [course.consistent(law)],
        ANY,
    )
    moments = Moments(TWICE, ORDERING, law)
    text = moments.decided(TEXT, combinations(ORDERING.order(TWICE), 2))
    yield _claim(
        "text",
        f"the text alone decides all pairs but the {len(TEXT.undecided(TWICE))} that are asked about",
        RULES,
        law,
        [text],
        FINITE,
    )
    unique = list(course.unique(law))
    yield _claim("unique", "with the rulings there is one order of all moments", RULES, law, unique, ANY, domain=course)
    needed = [moments.decided(_without(axiom), moments.adjacent()) for axiom in ORDERING.axioms]
    yield _claim("needed", "without any one axiom some pair is undecided", RULES, law, needed, FINITE)
    counted = course.counted(TURNS, law)
    yield _claim(
        "counted",
        "what waits after a turn counts to it, what waits before the next one to that one",
        (TURNS.rule, "l5r.seq.after-turn"),
        law,
        [counted],
        ANY,
        domain=course,
    )


def _without(axiom: Axiom) -> Ordering:
    return Ordering(tuple(other for other in ORDERING.axioms if other != axiom))


def _claim(name: str, says: str, about: Any, law: Laws, parts: Any, scope: str, domain: Course | None = None) -> Claim:
    bounds = (every(domain.bounds.values()),) if domain else ()
    return Claim(
        id=f"order.{name}", says=says, about=tuple(about), scope=scope, laws=law, parts=tuple(parts), domain=bounds
    )
