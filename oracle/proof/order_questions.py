"""What a text leaves open of the order of moments, found by solver: each question once, and what settles it.

Finer than the moments that things wait for: every unit also starts and ends at some time, and the moment before
its first part may be thought of as inside it or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise, product
from typing import NamedTuple

import z3

from oracle.proof.smt import RLIMIT
from oracle.proof.terms import Bool, Int, count, no, same
from oracle.timing import Moment, Ordering, Unit


class Edge(NamedTuple):
    """A point in the time of a unit: before it, where it starts, where it ends, after it."""

    edge: str
    unit: str

    def __str__(self) -> str:
        return f"{self.edge} {self.unit}"

    @property
    def kind(self) -> Edge:
        """The same without numbers of turns and battles."""
        return Edge(self.edge, self.unit.rstrip("0123456789. "))


Pair = tuple[Moment, Moment]
START, STOP = "start of", "end of"


class Open(NamedTuple):
    """One question: two points of which the text says nothing (the first comes first here, or they are one), the
    rule of ours that settles it, and how many pairs of moments it settles by itself."""

    one: Edge
    other: Edge
    together: bool
    rule: str
    settles: tuple[Pair, ...]

    def asks(self) -> str:
        """The question in words."""
        one, other = self.one, self.other
        if self.together:
            return f"Is the moment '{one}' also the moment '{other}', since both start together?"
        if one.edge == START:
            return f"Is the moment '{other}' in the {one.unit} that begins with it, or outside?"
        if other.edge == STOP:
            return f"Is the moment '{one}' in the {other.unit} that ends with it, or outside?"
        return f"Does what waits for '{one}' happen earlier than what waits for '{other.edge} the next {other.unit}'?"


class _Fact(NamedTuple):
    one: Edge
    other: Edge
    relation: str
    rule: str
    ruling: bool = False

    @property
    def term(self) -> Bool:
        one, other = _at(self.one), _at(self.other)
        return same(one, other) if self.relation == "=" else one < other if self.relation == "<" else one <= other


def _at(edge: Edge) -> Int:
    return count(str(edge))


def _facts(unit: Unit, ordering: Ordering, inside: str, together: str) -> Iterator[_Fact]:
    for each in unit.units():
        before, start, stop, after = (Edge(edge, each.name) for edge in ("before", START, STOP, "after"))
        yield from (_Fact(*pair, "<", "") for pair in pairwise((before, start, stop, after)))
        for i, part in enumerate(each.parts):
            yield _Fact(start, Edge(START, part.name), "<=", "")
            yield _Fact(Edge(STOP, part.name), stop, "<=", "")
            if not (each.engages and i == 0):
                yield _Fact(start, Edge("before", part.name), "<", inside, i == 0)
            yield _Fact(Edge("after", part.name), stop, "<", inside, i == len(each.parts) - 1)
        if each.engages and each.parts:
            yield _Fact(start, Edge(START, each.parts[0].name), "=", "")
            yield _Fact(before, Edge("before", each.parts[0].name), "=", together, True)
    for axiom in ordering.axioms:
        if axiom.says not in ("span", "engaging"):
            for one, other in axiom.pairs(unit):
                yield _Fact(Edge(one.edge, one.unit), Edge(other.edge, other.unit), "<", axiom.rule, axiom.ruling)


def open_orders(unit: Unit, ordering: Ordering, inside: str, together: str) -> list[Open]:
    """The distinct questions. `inside` is the ruling that edges of parts lie in the whole (of those between two parts
    the text says so), `together` the one that units which start together also have one moment before them.

    Raises `ValueError` where text and rulings leave anything undecided.
    """
    facts = list(_facts(unit, ordering, inside, together))
    text = _solver(fact.term for fact in facts if not fact.ruling)
    found: dict[tuple[Edge, Edge], list[_Fact]] = {}
    for fact in _chain(facts):
        if not _entails(text, fact.term):
            found.setdefault((fact.one.kind, fact.other.kind), []).append(fact)
    waits = [moment for moment in ordering.order(unit) if moment.edge != "during"]
    known = _earlier(fact for fact in facts if not fact.ruling)
    undecided = [pair for pair in combinations(waits, 2) if _edges(pair) not in known]
    return [_question(facts, alike, undecided) for alike in found.values()]


def _edges(pair: Pair) -> tuple[Edge, Edge]:
    one, other = (Edge(moment.edge, moment.unit) for moment in pair)
    return one, other


def _question(facts: list[_Fact], alike: list[_Fact], undecided: Iterable[Pair]) -> Open:
    decided = _earlier(fact for fact in facts if not fact.ruling or fact in alike)
    settles = tuple(pair for pair in undecided if _edges(pair) in decided)
    first = alike[0]
    return Open(first.one.kind, first.other.kind, first.relation == "=", first.rule, settles)


def _earlier(facts: Iterable[_Fact]) -> set[tuple[Edge, Edge]]:
    """The pairs of points of which the facts say that one comes before the other, directly or through others."""
    after: dict[Edge, list[tuple[Edge, bool]]] = {}
    for fact in facts:
        after.setdefault(fact.one, []).append((fact.other, fact.relation == "<"))
        if fact.relation == "=":
            after.setdefault(fact.other, []).append((fact.one, False))
    out = set()
    for start in after:
        reached, queue = {(start, False)}, [(start, False)]
        for point, later in queue:
            new = {(other, later or strict) for other, strict in after.get(point, ())} - reached
            reached |= new
            queue += new
        out |= {(start, point) for point, later in reached if later}
    return out


def _chain(facts: list[_Fact]) -> list[_Fact]:
    """All points in order, each with the fact by which it comes before the next one, or is it."""
    every = _solver(fact.term for fact in facts)
    if every.check() != z3.sat:
        raise ValueError("the rulings contradict the text")
    model = every.model()
    times: dict[int, list[Edge]] = {}
    for point in dict.fromkeys(edge for fact in facts for edge in (fact.one, fact.other)):
        times.setdefault(model.eval(_at(point), True).as_long(), []).append(point)
    known = {frozenset((fact.one, fact.other)): fact for fact in facts if fact.relation != "<="}
    out = []
    order = [times[time] for time in sorted(times)]
    alike = [[pair] for points in order for pair in pairwise(points)]
    for pairs in (*alike, *(list(product(*each)) for each in pairwise(order))):
        between = [known[frozenset(pair)] for pair in pairs if frozenset(pair) in known]
        if not any(_entails(every, fact.term) for fact in between):
            raise ValueError("text and rulings leave the order of some moments open")
        out += between[:1]
    return out


def _solver(terms: Iterable[Bool]) -> z3.Solver:
    solver = z3.Solver()
    solver.set("rlimit", RLIMIT)
    solver.add(*terms)
    return solver


def _entails(solver: z3.Solver, term: Bool) -> bool:
    """Whether what is known entails the term. Raises `ValueError` where the solver does not know."""
    solver.push()
    solver.add(no(term))
    said = solver.check()
    solver.pop()
    if said == z3.unknown:
        raise ValueError(f"the solver does not know whether {term}")
    return bool(said == z3.unsat)
