"""One play of the oracle beside a program: who must choose, what is offered, what chance did, the state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from oracle.conformance.divergence import Divergence, Fault, differences, generalised, signature
from oracle.conformance.following import Astray, Follower, Point, told
from oracle.conformance.implementation import Implementation
from oracle.conformance.offer import Offer, read
from oracle.errors import BadPosition, ProtocolError, Skipped, Unsupported
from oracle.game import Action, Choose, Decision, Game, LegalActions, Outcome, Reason

S = TypeVar("S")
Json = Any

SHOWN = 20
"""Actions that a divergence lists at most."""
RESULT = ("winners", "scores")
"""Fields of a program's state that are its outcome."""
LOOKED_AT = 20_000
"""Actions of a legal set that are looked at for missing ones at most, where its size differs."""


class Totals(Struct):
    """How much was compared: nothing passes by comparing nothing. `states` are positions with at least one field."""

    decisions: int = 0
    actions: int = 0
    refusals: int = 0
    states: int = 0
    probed: int = 0

    def add(self, other: Totals) -> None:
        """Counts another's in."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class Lockstep(Generic[S]):
    """A play in both at once.

    `begin` starts it, `meet` brings them to a common decision, `take` goes on from there, `refuse`
    tries there what is illegal. Divergences collect in `found`; after one that leaves nothing to
    compare, `meet` returns None. `passed` holds the actions since the last one taken that nobody was
    asked for: chance, and choices without a choice. `setup` is a game's start setup or
    `{"position": GIVEN}`, and may hold a `seed` for the program. Raises what an `Implementation` raises.
    """

    def __init__(self, game: Game[S], program: Implementation, edition: str, setup: Mapping[str, Json]) -> None:
        self.game = game
        self.program = program
        self.edition = edition
        self.setup = dict(setup)
        self.found: list[Divergence] = []
        self.passed: tuple[Action, ...] = ()
        self.totals = Totals()
        given = {key: value for key, value in setup.items() if key != "seed"}
        position = given.get("position")
        state, self._opening = (
            game.opening(given, edition) if position is None else (game.position(position, edition), ())
        )
        self.point: Point[S] = Point(state)
        self._seats = {str(seat) for seat in (given if position is None else position).get("players", ())}
        self._follower = Follower(game, program.name, starts=position is None)
        self._observable = True
        self._stopped = False
        self._met: Decision | None = None
        self._passed_over: list[Decision] = []
        self._looked_at: list[Point[S]] = []
        self._offer = Offer(False, None, None, None)
        self._seen: dict[str, Json] | None = None

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
        self._offer, self._seen = read(self.game, self.program.decision(), self.point.state), None
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
        self._compare_offer(decision)
        if not self._stopped and (decision is None or decision.kind == "action"):
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
            self._astray(astray)

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
            self._stop("accepted", f"{text} is illegal, but is accepted", reasons, [action])
            return False
        asked, after = read(self.game, self.program.decision(), self.point.state), self._observe()
        changed = [field for field, _, _ in differences(after, before, ())] if after != before else []
        if asked != self._offer:
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

    # -- comparing -------------------------------------------------------------------------------

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
                    if not decision.forced or self._settled(point, decision):
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
                self._passed_over.append(decision)
        return point

    def _ended(self, point: Point[S], before: list[Point[S]]) -> Point[S]:
        # A program that ends a game too early has not taken the last step: then its state is the one before.
        if len(before) > 1 and self._state_differences(point):
            return next((seen for seen in before if not self._state_differences(seen)), point)
        return point

    def _settled(self, point: Point[S], decision: Decision) -> bool:
        return decision.kind != "action" or not (self._follower.left(point) or self._state_differences(point))

    def _compare_offer(self, decision: Decision | None) -> None:
        offer = self._offer
        if decision is None:
            if not offer.over:
                outcome = self.game.outcome(self.point.state)
                reasons = [Reason(rule, True, "the game is over") for rule in outcome.rules] if outcome else []
                self._stop("over too late", "the game is over, but the program goes on", reasons)
        elif offer.over:
            self._stop("over too early", "the game is not over, but the program has ended it", _put(decision))
        elif offer.player != decision.player:
            says = f"{decision.player or 'chance'} must choose, but {offer.player or 'chance'} is asked"
            late = next((put for put in self._passed_over if put.player == offer.player), None)
            if late is not None:
                says = f"{offer.player} is asked only now, but came before: {late.about}"
            otherwise = self._asks_otherwise(decision)
            says += f": {self._some(offer.actions or ())}" if otherwise else ""
            self._stop("wrong player", says, _put(late or decision), general=["another question"] if otherwise else [])
        else:
            # Where the answers differ too it is another question, and that is told by them.
            if not offer.calls_it_right(decision) and (offer.actions is None or offer.agrees(decision)):
                says = f"{decision.about} is of the kind {decision.kind!r}, but is said to be {offer.kind!r}"
                self._diverge("wrong kind", says, _put(decision), general=[decision.kind, str(offer.kind)])
            for text in dict.fromkeys(offer.unreadable):
                self._diverge("unknown action", f"offered, but: {text}", _put(decision))
            self._compare_actions(decision)

    def _compare_actions(self, decision: Decision) -> None:
        if self._offer.actions is None or self._offer.agrees(decision):
            return
        if not self._offer.actions and not self._offer.calls_it_right(decision):
            says = f"a question is put that has no answer; what is legal: {self._some(decision.legal)}"
            self._stop("missing", says, self.point.because or _put(decision))
            return
        if self._asks_otherwise(decision):
            put, legal = self._some(self._offer.actions), self._some(decision.legal)
            self._stop(
                "missing",
                f"another question is put: {put}; what is legal: {legal}",
                _put(decision) or self.point.because,
            )
            return
        offered = set(self._offer.actions)
        missing = [action for action in islice(decision.legal, LOOKED_AT) if action not in offered]
        self._group("missing", missing, decision)
        self._group("extra", self._extra(decision), decision)

    def _asks_otherwise(self, decision: Decision) -> bool:
        """Whether nothing that is offered is even of a kind that is legal: then it is one fault, not one for each."""
        offered = {action.verb for action in self._offer.actions or ()}
        return bool(offered) and offered.isdisjoint(action.verb for action in islice(decision.legal, LOOKED_AT))

    def _some(self, actions: Iterable[Action]) -> str:
        return "; ".join(self.game.text(action) for action in islice(actions, 5))

    def _extra(self, decision: Decision) -> list[Action]:
        return [action for action in self._offer.actions or () if action not in decision.legal]

    def _group(self, fault: Fault, actions: Iterable[Action], decision: Decision) -> None:
        """One divergence for all the actions of one kind for which the same rules decide."""
        groups: dict[tuple[str, tuple[str, ...]], list[tuple[Action, tuple[Reason, ...]]]] = {}
        for action in islice(actions, LOOKED_AT // 100):
            verdict = self.game.judge(self.point.state, decision.player, action)
            key = generalised(self.game, action), verdict.rules
            groups.setdefault(key, []).append((action, verdict.deciding))
        for members in groups.values():
            texts = [self.game.text(action) for action, _ in members]
            shown = "; ".join(texts[:5]) + (f" and {len(texts) - 5} more" if len(texts) > 5 else "")
            is_not = "legal, but not offered" if fault == "missing" else "offered, but illegal"
            self._diverge(fault, f"{is_not}: {shown}", members[0][1], [action for action, _ in members])

    def _compare_queue(self) -> None:
        left = self._follower.left(self.point)
        if left:
            same = [item[2] for item in left if item[:2] == left[0][:2]]
            says = f"reported beyond what the rules let chance decide: {told(*left[0][:2], same)}"
            self._stop("drew too much", says, self.point.because, general=[left[0][0]])

    def _compare_state(self, decision: Decision | None) -> None:
        seen = self._observed()
        if seen is None or self._stopped:
            return
        wrong = self._state_differences(self.point)
        known = self.game.observe(self.point.state).keys() - set(RESULT)
        self.totals.states += bool(wrong or known & seen.keys())
        if wrong:
            says = "; ".join(f"{field}: it has {theirs!r}, the rules make {ours!r}" for field, theirs, ours in wrong)
            starts = "position" not in self.setup
            set_up = [self.game.settings(field) for field, _, _ in wrong] if starts else []
            reasons = self.point.because or [Reason(rule, True, "a game starts") for rules in set_up for rule in rules]
            self._diverge("state", says, reasons, (), [field.split(".")[0] for field, _, _ in wrong])
            if self.point.because or not starts or not all(set_up):
                self._stopped, self._met = True, None
            else:
                self._adopt(seen, decision)
        elif decision is None and (outcome := self.game.outcome(self.point.state)) is not None:
            self._compare_outcome({key: seen[key] for key in RESULT if seen.get(key) is not None}, outcome)

    def _adopt(self, seen: Mapping[str, Json], decision: Decision | None) -> None:
        """Goes on from the program's own set-up, so that what is wrong in it hides nothing else; else stops."""
        theirs = {key: value for key, value in seen.items() if key not in (*RESULT, *self.game.derived)}
        ours = {
            key: value for key, value in self.game.observe(self.point.state).items() if key not in self.game.derived
        }
        try:
            point = replace(self.point, state=self.game.position(_merged(ours, theirs), self.edition))
        except BadPosition:
            self._stopped, self._met = True, None
            return
        if self._state_differences(point) or not self._offer.agrees(self.game.decision(point.state)):
            self._stopped, self._met = True, None
        elif decision is not None:
            self.point = point

    def _state_differences(self, point: Point[S]) -> list[tuple[str, Json, Json]]:
        seen = {key: value for key, value in (self._observed() or {}).items() if key not in RESULT}
        return differences(seen, self.game.observe(point.state), self.game.bags)

    def _compare_outcome(self, result: dict[str, Json], outcome: Outcome) -> None:
        ours = {"scores": outcome.scores, "winners": list(outcome.winners)}
        wrong = differences(result, ours, ("winners",))
        if wrong:
            says = "; ".join(f"{field}: it says {theirs!r}, the rules say {mine!r}" for field, theirs, mine in wrong)
            reasons = [Reason(rule, True, "the game is over") for rule in outcome.rules]
            self._stop("outcome", says, reasons, general=[field.split(".")[0] for field, _, _ in wrong])

    # -- asking, and writing down ----------------------------------------------------------------

    def _observed(self) -> dict[str, Json] | None:
        """The program's state at the decision met, asked for once."""
        if self._seen is None:
            self._seen = self._observe()
        return self._seen

    def _observe(self) -> dict[str, Json] | None:
        if not self._observable:
            return None
        try:
            return self.program.observe().state
        except (Unsupported, Skipped):
            self._observable = False
            return None

    def _astray(self, astray: Astray) -> None:
        self.point = astray.point
        self._stop(astray.fault, astray.says, astray.reasons, general=astray.general)

    def _stop(
        self,
        fault: Fault,
        says: str,
        reasons: Iterable[Reason],
        actions: Iterable[Action] = (),
        general: Iterable[str] = (),
    ) -> None:
        self._diverge(fault, says, reasons, actions, general)
        self._stopped, self._met = True, None

    def _diverge(
        self,
        fault: Fault,
        says: str,
        reasons: Iterable[Reason],
        actions: Iterable[Action] = (),
        general: Iterable[str] = (),
    ) -> None:
        decision, actions, reasons = self.game.decision(self.point.state), list(actions), tuple(reasons)
        about = decision.about if decision else "the end of the game"
        kinds = [*general, *(generalised(self.game, action) for action in actions)]
        self.found.append(
            Divergence(
                fault=fault,
                player=decision.player if decision else None,
                about=about,
                says=says,
                reasons=reasons,
                actions=tuple(self.game.text(action) for action in actions[:SHOWN]),
                position=self.game.observe(self.point.state),
                edition=self.edition,
                setup=self.setup,
                play=tuple(self.game.text(action) for action in self.point.play),
                signature=signature(fault, *self._alike(fault, about, reasons), kinds),
            )
        )

    def _alike(self, fault: Fault, about: str, reasons: Iterable[Reason]) -> tuple[str, list[str]]:
        """What else than fault and actions makes divergences the same: these two are the same wherever they show."""
        return ("", []) if fault in ("setup", "wrong kind") else (about, [reason.rule for reason in reasons])


def _merged(ours: Mapping[str, Json], theirs: Mapping[str, Json]) -> dict[str, Json]:
    both = dict(ours)
    for key, value in theirs.items():
        mine = both.get(key)
        both[key] = _merged(mine, value) if isinstance(mine, Mapping) and isinstance(value, Mapping) else value
    return both


def _put(decision: Decision) -> list[Reason]:
    return [Reason(rule, True, decision.about) for rule in decision.rules]
