"""Claims: sentences proved in a theory, with honest outcomes.

`proved` is said only where z3 and cvc5 both find the negation impossible, the premise can be met, and
the proof needed a rule that the claim is about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, Literal

from msgspec import Struct

from oracle.proof.laws import Domain, Laws
from oracle.proof.smt import RLIMIT, Answer, Question, ask, ask_second, export, has_second, smallest
from oracle.proof.terms import FALSE, TRUE, Bool, every, is_same, no, simplified, when

Outcome = Literal["proved", "one-solver", "refuted", "unknown", "vacuous", "tautology"]


class Part(Struct, frozen=True):
    """What is proved by itself: wherever the premise is met the goal holds.

    `cases` are situations that the goal speaks of; each of them must be possible.
    """

    goal: Bool
    premise: Bool = TRUE
    cases: tuple[Bool, ...] = ()


def together(parts: Iterable[Part]) -> Part:
    """The parts as one; those that can never arise, such as gaining a Gold with a Workshop, are left out."""
    kept = [part for part in parts if not is_same(simplified(part.premise), FALSE)]
    return Part(every(when(part.premise, part.goal) for part in kept), cases=tuple(part.premise for part in kept))


class Claim(Struct, frozen=True, kw_only=True):
    """A sentence: within `domain` (what the symbols can be) every part holds.

    `about` are the rules of which the proof must need at least one; `scope` says for what it is shown.
    `replay` turns a model into a position, and says whether the game itself breaks the claim there (`written` gives
    the mere position); `fits` is what such a model must meet to be written as a position, `likes` what it meets if
    it can, `sizes` what is to be small in it.
    """

    id: str
    says: str
    about: tuple[str, ...]
    scope: str
    laws: Laws
    parts: tuple[Part, ...]
    domain: tuple[Bool, ...] = ()
    replay: Callable[[Any], Replay] | None = None
    written: Callable[[Any], dict[str, Any]] | None = None
    fits: tuple[Bool, ...] = ()
    likes: tuple[Bool, ...] = ()
    sizes: tuple[Any, ...] = ()


class Replay(Struct, frozen=True):
    """A model on the game itself: the position in the words of a case, and whether the claim is broken there.

    `step` is what a case then demands, after the actions of `play`.
    """

    given: dict[str, Any]
    edition: str
    broken: bool
    note: str = ""
    step: dict[str, Any] | None = None
    play: tuple[str, ...] = ()


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
    """The outcome of one claim. `keep` is given each question as SMT-LIB text."""
    if not claim.parts:
        return _proof(claim, "vacuous", note="the claim says nothing")
    z3_seconds = cvc5_seconds = 0.0
    steps, core, witness, notes = 0, set[str](), "", list[str]()
    agreed = second and has_second()
    domain = Domain(claim.domain)
    if ask(claim.domain, rlimit).said != "sat":
        return _proof(claim, "vacuous", note="nothing is in the domain")
    for part in claim.parts:
        spoken = claim.laws.spoken([part.premise, part.goal, *part.cases])
        laws = claim.laws.definitions(spoken.laws)
        facts = [*domain.concerning(spoken.unknowns), part.premise]
        given = [*facts, *chain.from_iterable(laws.values())]
        question = Question(facts, laws, part.goal, rlimit)
        answer = question.fails()
        z3_seconds, steps = z3_seconds + answer.seconds, steps + answer.steps
        if keep or agreed:
            text = export([*given, no(part.goal)])
        if keep:
            keep(text)
        if answer.said != "unsat":
            if answer.said == "sat" and claim.replay:
                broken = [*claim.domain, *given, no(part.goal), *claim.fits]
                answer = smallest([*broken, *claim.likes], claim.sizes, rlimit)
                if answer.said != "sat":
                    answer = smallest(broken, claim.sizes, rlimit)
                if answer.said == "unsat":
                    note = "in no position of the game, but where what is any here is something else"
                    return _proof(claim, "refuted", note=note, z3_seconds=z3_seconds, z3_steps=steps)
            return _not_proved(claim, answer, z3_seconds=z3_seconds, z3_steps=steps)
        possible = question.possible(part.cases)
        if possible.said != "sat":
            outcome: Outcome = "vacuous" if possible.said == "unsat" else "unknown"
            return _proof(claim, outcome, note="no position meets a premise", z3_seconds=z3_seconds, z3_steps=steps)
        witness = witness or _witness(claim, part, rlimit)
        core |= set(answer.core)
        if agreed:
            other = ask_second(text)
            cvc5_seconds += other.seconds
            notes += [] if other.said == "unsat" else [f"cvc5 says {other.said} {other.why}"]
            if other.said == "sat":
                return _proof(claim, "unknown", note="the solvers disagree: z3 says unsat, cvc5 sat", z3_steps=steps)
    if not set(claim.about) & core:
        return _proof(claim, "tautology", core=tuple(sorted(core)), note="none of the rules it is about is needed")
    if second and not agreed:
        notes.append("cvc5 is not installed: pip install 'rules-oracle[proof]'")
    return _proof(
        claim,
        "proved" if agreed and not notes else "one-solver",
        core=tuple(sorted(core)),
        witness=witness,
        note="; ".join(dict.fromkeys(notes)),
        z3_seconds=z3_seconds,
        z3_steps=steps,
        cvc5_seconds=cvc5_seconds,
        parts=len(claim.parts),
    )


def _proof(claim: Claim, outcome: Outcome, **about: Any) -> Proof:
    return Proof(id=claim.id, says=claim.says, scope=claim.scope, outcome=outcome, **about)


def _witness(claim: Claim, part: Part, rlimit: int) -> str:
    """A position that meets the premise, as small as can be where positions are written."""
    if claim.replay is None:
        return "a model of the premise"
    for wanted in ((*claim.fits, *claim.likes), claim.fits):
        facts = [*claim.domain, part.premise, *wanted]
        laws = chain.from_iterable(claim.laws.used(facts).values())
        answer = smallest([*facts, *laws], claim.sizes, rlimit)
        if answer.said == "sat":
            given = claim.written(answer.model) if claim.written else claim.replay(answer.model).given
            return ", ".join(f"{key}: {value}" for key, value in given.items())
    return "a model of the premise, but none that is a position of the game"


def _not_proved(claim: Claim, answer: Answer, **about: Any) -> Proof:
    if answer.said == "unknown":
        return _proof(claim, "unknown", note=answer.why, **about)
    if claim.replay is None:
        return _proof(claim, "refuted", note=_short(answer.model), **about)
    seen = claim.replay(answer.model)
    about["counterexample"] = {
        "edition": seen.edition,
        "given": seen.given,
        "play": seen.play,
        "step": seen.step,
        "rules": list(claim.about),
    }
    if not seen.broken:
        return _proof(claim, "unknown", note=f"the game itself does not break there: {seen.note}", **about)
    return _proof(claim, "refuted", note=seen.note, **about)


def _short(model: Any) -> str:
    return ", ".join(f"{d.name()} = {model[d]}" for d in list(model.decls())[:12] if not d.name().startswith("law!"))
