"""What is claimed of Dominion, and that the shipped guards say what the theory says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from oracle.game import Action
from oracle.games.dominion import bridge, theory
from oracle.games.dominion.state import Step
from oracle.games.dominion.theory import BASE, PHASES, Position, Table
from oracle.proof.claims import Claim
from oracle.proof.laws import Laws
from oracle.proof.lift import Lifted, Modules, lift
from oracle.proof.smt import Bool, both, count, every, no, same, some, when
from oracle.proof.symbols import truth_of

ANY, STRAY = "Any", "Stray"
KINDS = {**BASE, ANY: theory.any_card(ANY), STRAY: theory.any_card(STRAY)}
"""The base set, a card of any print with a pile, and one without."""
PILES = (*BASE, ANY)
WHO = count("player")
SEAT = count("seat")
EVERY = "all positions; any seats; any number of each of the base set and of one card of any print"


def modules(**how: Any) -> Modules:
    """The shipped code that the claims are about, loaded to be lifted."""
    return bridge.modules(**how)


def claims(code: Modules, law: Laws) -> Iterator[Claim]:
    """All claims of the game."""
    yield from guard_in_turn(code, law)


def position(edition: str = "2023", tag: str = "") -> Position:
    """Any position."""
    return Position(KINDS, PILES, edition, tag)


def legal(verdict: Any) -> Bool:
    """What a lifted verdict says."""
    return every(truth_of(reason.holds) for reason in verdict.reasons)


def guard(lifted: Lifted) -> Bool:
    """The condition under which a lifted guard allows the action."""
    return some(both(path.condition, legal(path.value)) for path in lifted.paths)


def judged(
    code: Modules, view: Position, action: Action, phase: str = "action", stack: tuple[Step, ...] = ()
) -> Lifted:
    """The shipped guard on any position."""
    state = bridge.state(view, phase, stack)
    return lift(lambda: code.code.rules.judge(state, bridge.player(WHO), action))


def agree(lifted: Lifted, says: Bool) -> Bool:
    """The guard allows exactly what the theory allows, and never raises."""
    return both(no(lifted.raises), same(guard(lifted), says))


def guard_in_turn(code: Modules, law: Laws) -> Iterator[Claim]:
    """Every play, buy and end of a phase, in every phase."""
    view = position()
    rules = Table(view, law)
    about = {
        "play": ("dom.action.actions", "dom.buy.treasures-first"),
        "buy": ("dom.buy.cost",),
        "end": ("dom.turn.phases",),
    }
    says: dict[str, Callable[[Any, str], Bool]] = {
        "play": rules.may_play,
        "buy": rules.may_buy,
        "end": lambda who, item: rules.may_end(who, item.removesuffix(" phase")),
    }
    for verb, may in says.items():
        items = [f"{phase} phase" for phase in PHASES] if verb == "end" else [*KINDS, ""]
        goals = []
        for phase in PHASES:
            for item in items:
                lifted = judged(code, view, Action(verb, (item,) if item else ()), phase)
                goals.append(when(rules.during(phase), agree(lifted, may(WHO, item))))
        yield Claim(
            id=f"guard.{verb}",
            says=f"the guard allows `{verb}` exactly where the text does",
            about=about[verb],
            scope=EVERY,
            laws=law,
            goal=every(goals),
            domain=(*view.domain(view.turn), WHO >= 0),
        )
