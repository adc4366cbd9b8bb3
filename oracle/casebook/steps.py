"""Carries out the steps of a case on the reference model.

A choice must be legal and the chooser's own, and a refusal must be for the rule that the case names.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from msgspec import UNSET

from oracle import perft
from oracle.casebook.case import Do, End, Events, Legal, Order, Perft, Refuse, State
from oracle.casebook.compare import differences, same_list, show
from oracle.casebook.orders import try_orders
from oracle.casebook.play import MOST, Play, reasons_of, seat_of
from oracle.casebook.result import Outcome
from oracle.errors import dotted
from oracle.game import Action, Decision


class Steps(Play):
    """A case under way, step by step."""

    def all(self) -> None:
        for number, step in enumerate(self.case.steps, 1):
            self.number, self.step = number, step
            match step:
                case Do():
                    self.do(step)
                case Refuse():
                    self.refuse(step)
                case Legal():
                    self.legal(step)
                case Order():
                    try_orders(self, step)
                case Events():
                    self.happened(step)
                case State():
                    self.observed(step)
                case End():
                    self.end(step)
                case Perft():
                    self.perft(step)
                case _:
                    raise TypeError(f"no step: {step!r}")
            self.checks += not isinstance(step, Do)
        self.number, self.step = 0, None
        if not self.checks:
            message = "the case checks nothing: it has no step but 'do'"
            self.stop(message, outcome="error", expected="a step of another kind: refuse, legal, order, ...")

    def do(self, step: Do) -> None:
        decision = self.game.decision(self.state)
        if decision is None:
            self.stop(f"the game is over, so {self.game.text(step.action)!r} cannot be done")
        if step.by is not UNSET:
            self.seat(step.by)
            if step.by != decision.player:
                message = f"{seat_of(step.by)} is not the one to choose"
                self.stop(message, expected=seat_of(step.by), found=self.choices(decision), rules=decision.rules)
        verdict = self.agreed(decision, decision.player, step.action)
        if not verdict.legal:
            self.illegal(verdict, decision)
        self.state, self.events = self.game.play(self.state, step.action)

    def refuse(self, step: Refuse) -> None:
        self.seat(step.player)
        self.forbidden(step.player, step.action, step.because)

    def forbidden(self, player: str | None, action: Action, because: Sequence[str], *route: str | int) -> None:
        verdict = self.agreed(self.game.decision(self.state), player, action, *route)
        name = self.name(action, player)
        wanted = "refused" + (f" because of {', '.join(because)}" if because else "")
        if verdict.legal:
            self.stop(f"{name} is legal here", *route, expected=wanted, found=reasons_of(verdict), rules=verdict.rules)
        if missing := [rule for rule in because if rule not in verdict.rules]:
            message = f"{name} is refused, but not because of {', '.join(missing)}"
            at = route or ("because",)
            self.stop(message, *at, expected=wanted, found=reasons_of(verdict), rules=(*missing, *verdict.rules))

    def legal(self, step: Legal) -> None:
        self.seat(step.player)
        decision = self.game.decision(self.state)
        if step.exactly is not None:
            self.exactly(step, step.exactly, decision)
        for word, actions in (("exactly", step.exactly or ()), ("includes", step.includes)):
            for i, action in enumerate(actions):
                verdict = self.agreed(decision, step.player, action, word, i)
                if not verdict.legal:
                    self.illegal(verdict, decision, word, i)
        for i, action in enumerate(step.excludes):
            self.forbidden(step.player, action, step.because, "excludes", i)
        if step.because and (step.exactly is not None or step.includes):
            self.because(step, decision)

    def exactly(self, step: Legal, listed: Sequence[Action], decision: Decision | None) -> None:
        mine = decision if decision and decision.player == step.player else None
        legal = mine.legal if mine else ()
        missing = [action for action in listed if action not in legal]
        if len(legal) == len(listed) and not missing:
            return
        wanted = set(listed)
        # The set may be huge: among MOST more than are listed, MOST unlisted ones are found, if there are so many.
        extra = [action for action in islice(legal, len(listed) + MOST) if action not in wanted]
        surplus = (mine.legal.count if mine else 0) - (len(listed) - len(missing))
        parts = []
        if extra:
            more = f"; and {surplus - MOST} more" if surplus > MOST else ""
            parts.append(f"legal but not listed: {self.listed(extra[:MOST])}{more}")
        if missing:
            parts.append(f"listed but not legal: {self.listed(missing)}")
        if not parts:
            parts.append("the generator names an action twice")
        verdicts = [self.judge(step.player, action) for action in missing[:1]]
        found = [self.choices(decision), *(f"{self.game.text(v.action)!r}: {reasons_of(v)}" for v in verdicts)]
        count = f"{mine.legal.count if mine else 0} legal action{'' if len(legal) == 1 else 's'}"
        self.stop(
            f"{seat_of(step.player)} has {count}, {len(listed)} listed: {'; '.join(parts)}",
            "exactly",
            expected=self.listed(listed) or "no legal action",
            found=". ".join(found),
            rules=(*step.because, *(rule for verdict in verdicts for rule in verdict.rules)),
        )

    def because(self, step: Legal, decision: Decision | None) -> None:
        """The rules of a `legal` step: those that put the decision, or that decide an action named.

        Where a player has nothing to choose, those that keep the others' choices from this one.
        """
        mine = decision is not None and decision.player == step.player
        named = [*(step.exactly or ()), *step.includes]
        asked = named or list(islice(decision.legal, MOST) if decision else ())
        rules = dict.fromkeys(decision.rules if decision and mine else ())
        rules |= dict.fromkeys(rule for action in asked for rule in self.judge(step.player, action).rules)
        if missing := [rule for rule in step.because if rule not in rules]:
            message = f"{', '.join(missing)} does not decide this"
            found = ", ".join(rules) or "no rule at all"
            self.stop(message, "because", expected=", ".join(step.because), found=found, rules=step.because)

    def happened(self, step: Events) -> None:
        if self.events is None:
            self.stop("no 'do' came before, so nothing has happened", outcome="error")
        found = [event.json() for event in self.events]
        shown = "; ".join(map(show, found)) or "nothing"
        left = list(found)
        for i, wanted in enumerate(step.listed):
            route = ("exactly", i) if step.exactly else (i,)
            while left and not _is(wanted, left[0]) and not step.exactly:
                left.pop(0)
            if not left or not _is(wanted, left[0]):
                after = f" after {show(step.listed[i - 1])}" if i else ""
                message = f"this event did not happen{' next' if step.exactly and i else after}: {show(wanted)}"
                self.stop(message, *route, expected=show(wanted), found=shown)
            left.pop(0)
        if step.exactly and left:
            self.stop(f"this event is not listed: {show(left[0])}", "exactly", expected="no more events", found=shown)

    def observed(self, step: State) -> None:
        found = list(differences(step.expected, self.game.observe(self.state), self.game.bags))
        if not found:
            return
        first, *more = found
        also = f" (and in {', '.join(dotted(other.route) for other in more)})" if more else ""
        message = f"the position differs in {dotted(first.route)}{also}"
        outcome: Outcome = "error" if first.unknown else "fail"
        self.stop(message, *first.route, expected=first.expected, found=first.found, outcome=outcome)

    def perft(self, step: Perft) -> None:
        for depth, expected in enumerate(step.counts, 1):
            found = perft.count(self.game, self.state, depth)
            if found != expected:
                message = f"there are {found:,} legal plays of {depth} actions, not {expected:,}"
                self.stop(message, depth - 1, expected=f"{expected:,}", found=f"{found:,}")

    def end(self, step: End) -> None:
        outcome = self.game.outcome(self.state)
        decision = self.game.decision(self.state)
        if (outcome is None) != (decision is not None):
            both = "over, but somebody is to choose" if outcome else "not over, but nobody is to choose"
            self.stop(f"the reference model contradicts itself: the game is {both}", outcome="error")
        if outcome is None:
            if step.over:
                self.stop("the game is not over", expected="over", found=self.choices(decision), rules=step.because)
            return
        if not step.over:
            found = f"over: {show(outcome.scores)}"
            self.stop("the game is over", expected="not over", found=found, rules=outcome.rules)
        wanted = {"winners": step.winners, "scores": step.scores, "next first": step.next_first}
        have = {"winners": outcome.winners, "scores": outcome.scores, "next first": outcome.next_first}
        named = {key: value for key, value in wanted.items() if value is not None}
        for other in differences(named, have, {"winners", "next first"}):
            message = f"the end differs in {dotted(other.route)}"
            self.stop(message, *other.route, expected=other.expected, found=other.found, rules=outcome.rules)
        if missing := [rule for rule in step.because if rule not in outcome.rules]:
            message = f"{', '.join(missing)} does not decide the end"
            found_rules = ", ".join(outcome.rules) or "no rule at all"
            self.stop(message, "because", expected=", ".join(step.because), found=found_rules, rules=step.because)


def _is(wanted: Any, found: dict[str, Any]) -> bool:
    """Whether an event is the one wanted, in the fields that are named."""
    blank: dict[str, Any] = {"player": None, "items": [], "note": ""}
    for key, value in wanted.items():
        have = found.get(key, blank.get(key))
        if not (same_list(value, have) if isinstance(value, list) and isinstance(have, list) else value == have):
            return False
    return True
