"""What happens without anybody choosing, as the theory has it: refills, the end, Drift, the course of a round."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from types import SimpleNamespace
from typing import Any

from oracle.games.station import theory_effects
from oracle.games.station.bridge import Shipped
from oracle.games.station.effect_claims import STANDARD, effect, market_is, same_beside, scene, seen, state
from oracle.games.station.guard_claims import COME
from oracle.games.station.state import AFTER_ROUND, AFTER_TURN, IN_TURN, Seat, State, Step
from oracle.games.station.theory import first
from oracle.games.station.theory_effects import Change, Clock
from oracle.proof.claims import Claim, Part
from oracle.proof.laws import Laws
from oracle.proof.lift import Lifted, lift
from oracle.proof.paths import LiftError
from oracle.proof.symbols import SymBag, SymBool, SymInt, term_of
from oracle.proof.terms import FALSE, TRUE, Bool, both, every, no, number, same, truth, when
from oracle.timing import Moment


def steps(code: Shipped, law: Laws) -> Iterator[Claim]:
    """What happens without anybody choosing: refills, the end, Drift."""
    view = scene()
    effects = code.code.effects
    lies = market_is(view, STANDARD, (2, 4))
    forced = truth("forced")
    ahead = SimpleNamespace(forced=SymBool(forced), only=SymBag(COME))

    def lifted(before: State) -> Lifted:
        shipped = effects.__dict__["top"]
        effects.__dict__["top"] = lambda deck, n: ahead
        try:
            return lift(lambda: effects.STEPS[before.stack[-1].do](before, before.stack[-1], []))
        finally:
            effects.__dict__["top"] = shipped

    def part(before: State, goal: Callable[[State | None], Bool], premise: Bool = TRUE) -> Part:
        return Part(lifted(before).always(goal), both(lies, premise))

    before = state(view, (Step("end turn"), Step("deal")))
    shuffles = law("stn.7.1.when-needed", theory_effects.wants_shuffle(view))

    def deals(after: State | None) -> Bool:
        if after is None:
            return both(no(shuffles), no(forced))
        change = theory_effects.shuffled(view) if len(after.stack) == 2 else theory_effects.dealt(view, COME)
        todo = shuffles if len(after.stack) == 2 else both(no(shuffles), forced)
        return both(todo, change.relation(law, seen(after, view)), same_beside(before, after, ()))

    yield effect(
        "deal",
        "the discard is shuffled under the deck exactly when a card is needed that the deck has not",
        ("stn.7.1.reshuffle", "stn.7.1.when-needed"),
        law,
        [part(before, deals, first(view.deck, COME))],
    )

    def rewards(after: State | None) -> Bool:
        wanted = law("stn.8.exact.none", theory_effects.wants_reward(view))
        if after is None:
            return wanted
        change = Change(view)
        return both(no(wanted), change.relation(law, seen(after, view)), after.stack == rewarding.stack[:-1])

    rewarding = state(view, (Step("end turn"), Step("deal"), Step("reward")))
    yield effect(
        "reward",
        "a reward waits for its commander exactly if a card of value 3 or less is displayed",
        ("stn.8.exact.none",),
        law,
        [part(rewarding, rewards)],
    )

    def unfilled(after: State | None) -> Bool:
        return (
            FALSE
            if after is None
            else theory_effects.unfilled(view).relation(law, {**seen(after, view), "stock": view.stock})
        )

    yield effect(
        "unfilled",
        "a berth that nothing is left for ends the game, where the parameter says so",
        ("stn.param.end",),
        law,
        [part(state(view, (Step("salvage", 2),), salvage=False), unfilled)],
    )

    def drifted(after: State | None) -> Bool:
        return FALSE if after is None else theory_effects.drifts(view, 2).relation(law, seen(after, view))

    yield effect(
        "drift",
        "Drift adds the parameter to the discount of the berth, and to nothing else",
        ("stn.param.drift",),
        law,
        [part(state(view, (Step("drift", 2),)), drifted)],
    )


# -- game time -----------------------------------------------------------------------------------

MOMENTS = (Moment("before", "round"), Moment("before", "turn"), IN_TURN, AFTER_TURN, AFTER_ROUND)


class AnySeats:
    """The seats of any number of commanders: code that counts them or looks at one is refused."""

    def __len__(self) -> int:
        raise LiftError("the seats are any number: a turn may only ask which one follows")

    def __getitem__(self, seat: int) -> Seat:
        raise LiftError("whose seat it is is not known: a turn may only ask which one follows")


class Timed(State, frozen=True):
    """A state whose seats are any number: whose turn it is is a symbol."""

    @property
    def mover(self) -> Any:
        return SimpleNamespace(name="A")

    @property
    def following(self) -> Any:
        return SymInt(_clock().following())


@lru_cache(maxsize=1)
def _clock() -> Clock:
    return Clock()


def time(code: Shipped, law: Laws) -> Iterator[Claim]:
    """How turns and rounds follow one another, whoever and however many the commanders are."""
    clock, goals = _clock(), []
    effects = code.code.effects
    taken = ("Module", "", "Other", "", "")
    for i, moment in enumerate(MOMENTS):
        about: dict[str, Any] = {
            "starting": SymInt(clock.starting),
            "turn": SymInt(clock.turn),
            "round": SymInt(clock.round),
            "ended": SymBool(clock.ended),
            "market": taken,
        }
        before = Timed(None, AnySeats(), at=moment, **about)  # type: ignore[arg-type]
        lifted = lift(partial(effects._pass_time, before, []))

        def goal(after: State, i: int = i) -> Bool:
            now = _Now(after)
            begun = after.at == MOMENTS[0]
            due = (0, 2) if begun else ()
            fresh = law("stn.6.drift-eligible", TRUE if after.eligible == due else FALSE)
            kept = (after.market, after.display, after.stack) == (taken, (), ())
            return both(clock.passes(law, now), fresh, kept) if kept else FALSE

        goals.append(when(both(same(clock.at, i), no(clock.over)), lifted.always(goal)))
    yield Claim(
        id="effect.time",
        says="turns follow in seat order, rounds one another; what lies in the market when one begins is eligible",
        about=("stn.6.seat-order", "stn.6.round", "stn.6.no-rotation", "stn.6.drift-eligible"),
        scope="any number of commanders, any of them starting",
        laws=law,
        parts=(Part(every(goals)),),
        domain=tuple(clock.domain()),
    )


class _Now(Clock):
    """A clock that shows what a state says."""

    def __init__(self, state: State) -> None:
        super().__init__(".now")
        self.turn, self.round = term_of(state.turn), term_of(state.round)
        self.at, self.ended = number(MOMENTS.index(state.at)), term_of(state.ended)
        self.over = TRUE if state.over is True else FALSE if state.over is False else term_of(state.over)


def claims(code: Shipped, law: Laws) -> Iterator[Claim]:
    """All claims about what happens by itself."""
    yield from steps(code, law)
    yield from time(code, law)
