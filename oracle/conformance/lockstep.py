"""One play of the oracle beside a program: who must choose, what is offered, what chance did, the state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from oracle.conformance.comparing import Comparison, Late
from oracle.conformance.divergence import differences
from oracle.conformance.following import Astray, Point
from oracle.conformance.implementation import Implementation
from oracle.errors import ProtocolError
from oracle.game import Action, Choose, Decision, Game, LegalActions

S = TypeVar("S")
Json = Any


class Lockstep(Comparison[S]):
    """A play in both at once.

    `begin` starts it, `meet` brings them to a common decision, `take` goes on from there, `refuse`
    tries there what is illegal. Divergences collect in `found`; after one that leaves nothing to
    compare, `meet` returns None. `passed` holds the actions since the last one taken that nobody was
    asked for: chance, and choices without a choice. Raises what an `Implementation` raises.
    """

    def __init__(self, game: Game[S], program: Implementation, edition: str, setup: Mapping[str, Json]) -> None:
        super().__init__(game, program, edition, setup)
        self.passed: tuple[Action, ...] = ()
        self._looked_at: list[Point[S]] = []

    # -- the moves -------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begins the play in the program."""
        self._follower.report(self.program.new(self.game.name, self.edition, self.setup).events)
        try:
            self.point = self._follower.use(self.point, self._opening)
        except Astray as astray:
            self._astray(astray)

    def meet(self) -> Decision | None:
        """The decision both are at, compared; None at the end, or where there is no use in going on."""
        if self._stopped or self._met is not None:
            return self._met
        self._offer, self._seen = self._ask(), None
        before = len(self.point.play)
        try:
            self.point = self._align()
        except Astray as astray:
            self._astray(astray)
            return None
        self.passed = self.point.play[before:]
        decision = self.game.decision(self.point.state)
        self.totals.decisions += 1
        self.totals.probed += not self._offer.over and self._offer.actions is None
        if not self._set_up():
            return None
        self._compare_order()
        if not self._stopped:
            self._compare_offer(decision)
        # What is logged of a position is all that there is to see of it, also in the middle of something.
        if not self._stopped and (decision is None or decision.kind == "action" or self._offer.taken is not None):
            self._compare_queue()
            self._compare_state(decision)
        if decision is None or self._stopped:
            self._stopped = True
            return None
        if decision.player is not None:
            self._seats.add(decision.player)
        self._met = decision
        return decision

    def take(self, action: Action) -> None:
        """Takes a legal action of the decision met, in both."""
        decision, self._met = self._met, None
        assert decision is not None
        if decision.kind == "action":
            self._passed_over = []
            self._follower.reported.clear()
            self.point, self._since = replace(self.point, happened=()), self.point.state
        because = self._follower.grounds(self.point, decision, action)
        applied = self.program.apply(decision.player, self.game.json(action))
        self.totals.actions += 1
        if not applied.accepted and not self._unseen(decision):
            text, verdict = self.game.text(action), self.game.judge(self.point.state, decision.player, action)
            self._stop("refused", f"{text!r} is legal, but is not accepted", verdict.reasons, [action])
            return
        self._follower.report(applied.events)
        if decision.kind == "chance":
            self._follower.told(self.point, action)
        try:
            self.point = self._follower.step(self.point, action, because)
        except Astray as astray:
            self._astray(astray, action)

    def refuse(self, player: str | None, action: Action) -> bool:
        """Tries an illegal action at the decision met: whether it was refused and changed nothing."""
        met = self._met
        assert met is not None
        before = self._observe()
        applied = self.program.apply(player, self.game.json(action))
        self.totals.refusals += 1
        reasons = self.game.judge(self.point.state, player, action).deciding
        text = repr(self.game.text(action)) + (f" by {player}" if player != met.player else "")
        if applied.accepted:
            ahead = self.game.ahead(self.point.state, player, action)
            if ahead is not None:
                self._out_of_order(ahead, "accepts")
            else:
                self._stop("accepted", f"{text} is illegal, but is accepted", reasons, [action])
            return False
        asked, after = self._ask(), self._observe()
        changed = [field for field, _, _ in differences(after, before, ())] if after != before else []
        if not asked.same(self._offer):
            changed.append("the decision")
        if applied.events:
            changed.append("events")
        if after == before and not changed:
            return True
        says = f"{text} is refused, but has changed: {', '.join(changed) or 'the state'}"
        self._stop("changed by a refusal", says, reasons, [action])
        return False

    # -- what can be chosen ----------------------------------------------------------------------

    def shared(self) -> LegalActions:
        """The legal actions of the decision met that the program offers too (all, if it has no list)."""
        assert self._met is not None
        if self._offer.actions is None or self._offer.agrees(self._met):
            return self._met.legal
        return LegalActions([action for action in self._offer.actions if action in self._met.legal])

    def illegal(self, choose: Choose) -> tuple[str | None, Action] | None:
        """Something illegal at the decision met and the player to try it for: offered, out of turn, or any."""
        decision, state = self._met, self.point.state
        assert decision is not None
        if self._unseen(decision):
            return None
        offered = self._extra(decision)
        if offered and choose(2):
            return decision.player, offered[choose(len(offered))]
        others = sorted(self._seats - {decision.player or ""})
        if others and choose(4) == 3:
            other, action = others[choose(len(others))], decision.legal[choose(decision.legal.count)]
            return None if self.game.judge(state, other, action).legal else (other, action)
        verbs: dict[str, list[Action]] = {}
        for action in self.game.candidates(state):
            verbs.setdefault(action.verb, []).append(action)
        if not verbs:
            return None
        some = verbs[list(verbs)[choose(len(verbs))]]
        start = choose(len(some))
        tried = (action for action in [*some[start:], *some[:start]] if action not in decision.legal)
        return next(((decision.player, action) for action in tried), None)

    def _unseen(self, decision: Decision) -> bool:
        # Without an option list a program that passes over choices without a choice looks as if it were at one.
        return decision.forced and self._offer.actions is None

    # -- where both are --------------------------------------------------------------------------

    def _align(self) -> Point[S]:
        """The point to compare at: the first where both agree, or else the likeliest. Raises `Astray`."""
        self._looked_at = []
        agreed: list[Point[S]] = []
        points: list[tuple[int, Point[S]]] = []
        try:
            for point in self._follower.path(self.point, asked=self._asks_chance()):
                decision = self.game.decision(point.state)
                points.append((self._offer.overlap(decision), point))
                self._looked_at.append(point)
                if self._offer.agrees(decision):
                    # A choice without a choice looks like the next one of its kind: the state tells them apart.
                    if decision is None:
                        return self._ended(point, [seen for _, seen in points])
                    if not decision.forced or (self._offer.calls_it_right(decision) and self._settled(point, decision)):
                        return self._reached(point, points)
                    agreed.append(point)
        except (Astray, ProtocolError):
            # A question without an answer is no chance that was left open: the question is what is wrong.
            if not points or (not agreed and self._offer.actions and all(overlap <= 1 for overlap, _ in points)):
                raise
        return self._reached(agreed[0] if agreed else max(points, key=lambda seen: seen[0])[1], points)

    def _asks_chance(self) -> bool:
        return self._offer.kind == "chance" or (self._offer.player is None and not self._offer.over)

    def _set_up(self) -> bool:
        """Whether the program has taken up the position that it was given: if not, nothing else is worth telling."""
        if "position" not in self.setup or self.point.play:
            return True
        wrong = self._state_differences(self.point)
        # It may have gone on already, past choices without a choice.
        if not wrong or not all(self._state_differences(point) for point in self._looked_at):
            return True
        self.totals.states += 1
        fields = "; ".join(f"{field}: it has {theirs!r}, given was {ours!r}" for field, theirs, ours in wrong)
        self._stop("setup", f"the position was not set up as given: {fields}", ())
        return False

    def _reached(self, point: Point[S], points: list[tuple[int, Point[S]]]) -> Point[S]:
        """Notes whose choices without a choice were passed over on the way to a point."""
        for _, seen in points:
            if seen is point:
                break
            decision = self.game.decision(seen.state)
            if decision is not None and decision.kind != "action":
                self._passed_over.append(Late(seen.state, decision, self._offer.player, self._next(point)))
        return point

    def _next(self, point: Point[S]) -> Action | None:
        """An action of a point that the program offers."""
        decision = self.game.decision(point.state)
        return next((action for action in self._offer.known or () if decision and action in decision.legal), None)

    def _ended(self, point: Point[S], before: list[Point[S]]) -> Point[S]:
        # A program that ends a game too early has not taken the last step: then its state is the one before.
        if len(before) > 1 and self._state_differences(point):
            return next((seen for seen in before if not self._state_differences(seen)), point)
        return point

    def _settled(self, point: Point[S], decision: Decision) -> bool:
        return decision.kind != "action" or not (self._follower.left(point) or self._state_differences(point))
