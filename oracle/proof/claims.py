"""Claims: sentences proved in a theory, with honest outcomes.

`proved` is said only where z3 and cvc5 both find the negation impossible, the premise can be met, and
the proof needed a rule that the claim is about.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

from oracle.proof.laws import Laws
from oracle.proof.smt import RLIMIT, TRUE, Answer, Bool, ask, ask_second, ask_tracked, every, export, has_second, no

Outcome = Literal["proved", "one-solver", "refuted", "unknown", "vacuous", "tautology"]


class Claim(Struct, frozen=True, kw_only=True):
    """A sentence: under `domain` (what the symbols can be) and `premise`, the `goal` holds.

    `about` are the rules of which the proof must need at least one; `scope` says for what it is shown.
    `cases` are the situations that the goal speaks of, each of which must be possible.
    `replay` turns a model into a state of the game, and says whether the game itself breaks the claim there.
    """

    id: str
    says: str
    about: tuple[str, ...]
    scope: str
    laws: Laws
    goal: Bool
    premise: Bool = TRUE
    cases: tuple[Bool, ...] = ()
    domain: tuple[Bool, ...] = ()
    replay: Callable[[Any], Replay] | None = None

    def facts(self) -> tuple[Bool, ...]:
        """What can hold together only if the claim is wrong, the rules apart."""
        return (*self.domain, self.premise, no(self.goal))


class Replay(Struct, frozen=True):
    """A model on the game itself: the position in the words of a case, and whether the claim is broken there."""

    given: dict[str, Any]
    edition: str
    broken: bool
    note: str = ""
    player: str | None = None
    action: Any = None
    legal: bool | None = None


class Proof(Struct, frozen=True, kw_only=True):
    """What became of a claim. Times are seconds, steps are z3's; `core` are the rules that the proof needs."""

    id: str
    says: str
    scope: str
    outcome: Outcome
    core: tuple[str, ...] = ()
    witness: str = ""
    z3_seconds: float = 0.0
    z3_steps: int = 0
    cvc5_seconds: float = 0.0
    cvc5: str = ""
    note: str = ""
    counterexample: dict[str, Any] | None = None
    parts: int = 1

    @property
    def green(self) -> bool:
        """Whether the claim holds beyond doubt."""
        return self.outcome == "proved"


def decide(claim: Claim, second: bool = True, rlimit: int = RLIMIT, keep: Callable[[str], Any] | None = None) -> Proof:
    """The outcome of one claim. `keep` is given the question as SMT-LIB text."""
    laws = claim.laws.used([claim.premise, claim.goal, *claim.domain])
    rules = [fact for facts in laws.values() for fact in facts]
    answer = ask([*claim.facts(), *rules], rlimit)
    text = export([*claim.facts(), *rules]) if second or keep else ""
    if keep:
        keep(text)
    if answer.said != "unsat":
        return _not_proved(claim, answer)
    possible = ask([*claim.domain, claim.premise, *rules], rlimit)
    for case in claim.cases:
        if possible.said == "sat":
            possible = ask([*claim.domain, claim.premise, case, *rules], rlimit)
    about: dict[str, Any] = {"z3_seconds": answer.seconds, "z3_steps": answer.steps}
    if possible.said != "sat":
        outcome: Outcome = "vacuous" if possible.said == "unsat" else "unknown"
        return _proof(claim, outcome, note="no position meets the premise", **about)
    core = ask_tracked(claim.facts(), laws, rlimit).core
    about |= {"core": core, "witness": _witness(claim, possible)}
    if not set(core) & set(claim.about):
        return _proof(claim, "tautology", note="the proof needs none of the rules that the claim is about", **about)
    if not second:
        return _proof(claim, "one-solver", **about)
    if not has_second():
        return _proof(claim, "one-solver", note="cvc5 is not installed: pip install 'rules-oracle[proof]'", **about)
    other = ask_second(text)
    about |= {"cvc5_seconds": other.seconds, "cvc5": other.said}
    if other.said == "sat":
        return _proof(claim, "unknown", note="the solvers disagree: z3 says unsat, cvc5 sat", **about)
    return _proof(claim, "proved" if other.said == "unsat" else "one-solver", note=other.why, **about)


def _proof(claim: Claim, outcome: Outcome, **about: Any) -> Proof:
    return Proof(id=claim.id, says=claim.says, scope=claim.scope, outcome=outcome, **about)


def _witness(claim: Claim, answer: Answer) -> str:
    if claim.replay is None:
        return "a model of the premise"
    return ", ".join(f"{key}: {value}" for key, value in claim.replay(answer.model).given.items())


def _not_proved(claim: Claim, answer: Answer) -> Proof:
    about: dict[str, Any] = {"z3_seconds": answer.seconds, "z3_steps": answer.steps}
    if answer.said == "unknown":
        return _proof(claim, "unknown", note=answer.why, **about)
    if claim.replay is None:
        return _proof(claim, "refuted", note=_short(answer.model), **about)
    seen = claim.replay(answer.model)
    about["counterexample"] = {"edition": seen.edition, "given": seen.given}
    if not seen.broken:
        return _proof(
            claim, "unknown", note=f"the solver's position does not break the game itself: {seen.note}", **about
        )
    return _proof(claim, "refuted", note=seen.note, **about)


def _short(model: Any) -> str:
    return ", ".join(f"{d.name()} = {model[d]}" for d in list(model.decls())[:12] if not d.name().startswith("law!"))


def combined(id: str, says: str, parts: list[Claim]) -> Claim:
    """Several claims as one. Raises `ValueError` for none."""
    if not parts:
        raise ValueError(f"{id} has no parts")
    first = parts[0]
    domain = tuple({fact.get_id(): fact for part in parts for fact in part.domain}.values())
    about = tuple(dict.fromkeys(rule for part in parts for rule in part.about))
    goal = every(part.goal for part in parts)
    return Claim(id=id, says=says, about=about, scope=first.scope, laws=first.laws, goal=goal, domain=domain)
