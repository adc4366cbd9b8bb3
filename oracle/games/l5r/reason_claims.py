"""That each clause says what its rule does, and that a refusal names a rule exactly where that rule is broken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from inspect import signature
from typing import Any

import z3

from oracle.games.l5r import bridge, theory
from oracle.games.l5r.cards import TYPES
from oracle.games.l5r.clauses import CLAUSES
from oracle.games.l5r.guard_claims import ALL, WAITING, at, domain, judged, position
from oracle.games.l5r.state import KINDS
from oracle.proof.claims import Claim, Part
from oracle.proof.laws import Laws
from oracle.proof.lift import Lifted, Modules, lift
from oracle.proof.symbols import SymAtom, SymBool, SymInt, truth_of
from oracle.proof.terms import TRUE, Bool, both, count, either, every, no, same, some, truth

# -- clause by clause ------------------------------------------------------------------------------

LONG = 4


def clause_twins(code: Modules, law: Laws) -> Iterator[tuple[str, Bool]]:
    """For each clause but the one about decks: that it says what its twin does."""
    for name, says in CLAUSES.items():
        clause = code.code.rules.__dict__[name]
        types = {word: str(p.annotation) for word, p in signature(clause).parameters.items()}
        for n in range(LONG) if any("..." in t for t in types.values()) else (0,):
            symbols = {word: _symbols(f"{name}.{word}", t, n) for word, t in types.items()}
            kinds = TYPES if name == "comes_into_play" else KINDS
            lifted = lift(partial(clause, *(_lifted(word, symbol, kinds) for word, symbol in symbols.items())))
            yield name, both(no(lifted.raises), same(lifted.term, law(f"clause.{name}", says(*symbols.values()))))


def _symbols(name: str, kind: str, n: int) -> Any:
    if "..." in kind:
        return [count(f"{name}.{i}") for i in range(n)]
    return truth(name) if kind == "bool" else count(name)


def _lifted(word: str, symbol: Any, kinds: tuple[str, ...]) -> Any:
    if isinstance(symbol, list):
        return tuple(map(SymInt, symbol))
    if word in ("type_", "granted"):
        return SymAtom(symbol, kinds)
    return SymBool(symbol) if z3.is_bool(symbol) else SymInt(symbol)


def clauses(code: Modules, law: Laws) -> Claim:
    """Every clause of the guards by itself."""
    return Claim(
        id="guard.clauses",
        says="each clause of the guards says what its rule says, for all plain values",
        about=tuple(f"clause.{name}" for name in CLAUSES),
        scope=f"any names and numbers; lists of up to {LONG - 1}",
        laws=law,
        parts=(Part(every(twin for _, twin in clause_twins(code, law))),),
    )


# -- reasons ---------------------------------------------------------------------------------------


def named(lifted: Lifted, rule: str) -> Bool:
    """Where a lifted verdict names a rule as broken."""
    return some(
        both(path.condition, some(no(truth_of(r.holds)) for r in path.value.reasons if r.rule == rule))
        for path in lifted.paths
    )


def reasons(code: Modules, law: Laws) -> Claim:
    """Of refusals in rounds, of abilities used and triggers resolved at another time."""
    view, goals = position(), list[Bool]()
    about, kind = view.ability, view.ability.type
    asked: dict[tuple[int, str], Lifted] = {}

    def told(time: int, verb: str, rule: str, broken: Bool) -> None:
        if (time, verb) not in asked:
            items = () if verb in theory.BARE else (view.item,)
            asked[time, verb] = judged(code, time, bridge.action(verb, *items), ALL)
        goals.append(at(time, same(named(asked[time, verb], rule), both(no(view.over), law(rule, broken)))))

    late = no(same(view.who, view.now))
    for time in (theory.ACTION, theory.COMBAT):
        told(time, "pass", theory.ROUNDS[time], late)
        told(time, "pass", "l5r.combat.defender-first", both(time == theory.COMBAT, view.first, late))
        told(time, "use", theory.ROUNDS[time], either(late, no(about.known)))
        told(time, "use", "l5r.ruling.reaction-trigger", both(about.known, same(kind, theory.REACTION)))
        fits = same(kind, theory.BATTLE)
        told(time, "use", "l5r.ruling.battle-actions", both(about.known, no(fits) if time == theory.COMBAT else fits))
    time = theory.REACTIONS
    answers = both(same(kind, theory.REACTION), about.answers, same(about.cancels, view.cancelling))
    told(time, "pass", "l5r.ruling.reaction-first", both(view.first, late))
    told(time, "use", "l5r.reaction.round", either(late, no(about.known)))
    told(time, "use", "l5r.ruling.reaction-trigger", both(about.known, no(answers)))
    told(theory.DYNASTY, "use", "l5r.ruling.reaction-trigger", both(about.known, same(kind, theory.REACTION)))
    told(theory.DYNASTY, "use", "l5r.ruling.battle-actions", both(about.known, same(kind, theory.BATTLE)))
    granted = both(about.known, same(kind, view.granted), same(view.who, view.owner))
    told(theory.ADDITIONAL, "use", "l5r.additional", no(granted))
    told(theory.ADDITIONAL, "decline", "l5r.additional", no(same(view.who, view.owner)))
    told(theory.END, "pass", "l5r.end.discard", TRUE)
    told(theory.ORDER, "use", "l5r.ruling.reactions-last", both(about.known, about.answers))
    told(theory.ORDER, "decline", "l5r.ruling.compulsory", TRUE)
    told(theory.MAY, "resolve", "l5r.ruling.owner-declines", no(same(view.who, view.owner)))
    told(theory.MAY, "decline", "l5r.ruling.owner-declines", no(same(view.who, view.owner)))
    for rule, broken in _waiting().items():
        told(theory.DYNASTY, "resolve", rule, broken)
    return Claim(
        id="guard.reasons",
        says="a refusal names a rule of rounds, abilities and triggers exactly where that rule is broken",
        about=("l5r.combat.defender-first", "l5r.ruling.reaction-first", "l5r.ruling.reaction-trigger"),
        scope="passes, abilities and triggers; any number of players; up to two triggers",
        laws=law,
        parts=(Part(every(goals)),),
        domain=(*domain(), view.who > theory.NOBODY),
    )


def _waiting() -> dict[str, Bool]:
    """Why a trigger is not next: the rules that are broken, for the first trigger of the name in the action."""
    view = position()
    first, second = WAITING[:2]

    def of_named(broken: Callable[[theory.Trigger], Bool]) -> Bool:
        mine, other = (same(trigger.name, view.item) for trigger in (first, second))
        return either(both(mine, broken(first)), both(no(mine), other, broken(second)))

    def own(trigger: theory.Trigger) -> Bool:
        return either(same(trigger.turn, theory.NOBODY), same(trigger.turn, view.active))

    return {
        "l5r.turn.unit": of_named(lambda t: t.turns > 0),
        "l5r.turn.own": of_named(lambda t: both(same(t.turns, 0), no(own(t)))),
        "l5r.ruling.condition": of_named(lambda t: both(same(t.turns, 0), own(t), no(t.live))),
        "l5r.ruling.active-orders": no(either(same(first.name, view.item), same(second.name, view.item))),
    }


def claims(code: Modules, law: Laws) -> Iterator[Claim]:
    """The claims about single clauses and about reasons."""
    yield clauses(code, law)
    yield reasons(code, law)
