"""One case under way on the reference model: what its steps ask, and how a step that fails is told.

Nothing is lenient here: generator and guard must say the same of every action a case names.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NoReturn

from oracle.casebook.case import Case, Step
from oracle.casebook.result import Outcome, Stopped, position_yaml
from oracle.casebook.yamlfile import Route
from oracle.game import Action, Decision, Event, Verdict

MOST = 20
"""How many actions a message lists at the most."""


class Play:
    """One case under way: where it is, what is wrong there, and what the model says of it."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.game = case.game
        self.state = case.state
        self.events: tuple[Event, ...] | None = None
        self.number = 0
        self.step: Step | None = None
        self.checks = 0

    # -- telling -----------------------------------------------------------------------------------

    def where(self, route: Route | None = None) -> str:
        return self.case.document.where(route or (self.step.route if self.step else self.case.route), key=True)

    def stop(
        self,
        message: str,
        *route: str | int,
        expected: str = "",
        found: str = "",
        rules: Sequence[str] = (),
        outcome: Outcome = "fail",
    ) -> NoReturn:
        at = (*self.step.route, *route) if self.step else self.case.route
        head = f"step {self.number} ({self.step.kind}): " if self.step else ""
        about = {
            "message": head + message,
            "where": self.where(at),
            "step": self.number or None,
            "position": position_yaml(self.game, self.state),
            "rules": tuple(dict.fromkeys(rules)),
            "expected": expected,
            "found": found,
        }
        raise Stopped(outcome, about)

    def name(self, action: Action, player: str | None) -> str:
        return f"{self.game.text(action)!r} by {seat_of(player)}"

    def listed(self, actions: Sequence[Action]) -> str:
        texts = [self.game.text(action) for action in actions[:MOST]]
        return "; ".join(texts) + (f"; and {len(actions) - MOST} more" if len(actions) > MOST else "")

    def choices(self, decision: Decision | None) -> str:
        if decision is None:
            return "the game is over"
        some = list(islice(decision.legal, MOST))
        more = f"; and {decision.legal.count - MOST} more" if len(decision.legal) > MOST else ""
        return f"{seat_of(decision.player)} decides ({decision.about}): {self.listed(some)}{more}"

    # -- asking the model --------------------------------------------------------------------------

    def judge(self, player: str | None, action: Action) -> Verdict:
        verdict = self.game.judge(self.state, player, action)
        if not verdict.reasons:
            self.stop(f"the guard gives no reason for {self.name(action, player)}", outcome="error")
        return verdict

    def agreed(self, decision: Decision | None, player: str | None, action: Action, *route: str | int) -> Verdict:
        """The guard's verdict, once the generator has been found to say the same."""
        verdict = self.judge(player, action)
        offered = decision is not None and decision.player == player and action in decision.legal
        if verdict.legal != offered:
            self.stop(
                f"the reference model contradicts itself: {self.name(action, player)} is "
                f"{'' if offered else 'not '}among the legal actions, but its guard says "
                f"{'legal' if verdict.legal else 'illegal'}",
                *route,
                expected="generator and guard agree",
                found=reasons_of(verdict),
                rules=verdict.rules,
                outcome="error",
            )
        return verdict

    def seat(self, player: str | None) -> None:
        """A seat that is not in the game would be refused everything, so it is an error."""
        seats = self.game.observe(self.state).get("players")
        if player is not None and isinstance(seats, list | tuple) and player not in seats:
            self.stop(f"nobody sits at {player!r}", expected=f"one of: {', '.join(map(str, seats))}", outcome="error")

    def illegal(self, verdict: Verdict, decision: Decision | None, *route: str | int) -> NoReturn:
        self.stop(
            f"{self.name(verdict.action, verdict.player)} is not legal here: {reasons_of(verdict)}",
            *route,
            expected="legal",
            found=self.choices(decision),
            rules=verdict.rules,
        )


def seat_of(player: str | None) -> str:
    """Who that is, in a message."""
    return "chance" if player is None else player


def reasons_of(verdict: Verdict) -> str:
    """The clauses that decide a verdict, in a message."""
    says = "; ".join(f"{reason.rule} ({reason.fact})" for reason in verdict.deciding)
    return says if not verdict.legal else f"legal by {says}"
