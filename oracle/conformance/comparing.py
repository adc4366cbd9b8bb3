"""What a program shows at a decision held against the rules, and each difference written down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from oracle.conformance import order
from oracle.conformance.divergence import Divergence, Fault, differences, generalised, signature
from oracle.conformance.following import Astray, Follower, Point, told
from oracle.conformance.implementation import Implementation
from oracle.conformance.offer import Offer, read
from oracle.errors import BadPosition, Skipped, Unsupported
from oracle.game import Action, Ahead, Decision, Game, Outcome, Reason

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


class Late(Struct, Generic[S], frozen=True):
    """A choice without a choice that a program had not put yet when it put another question: to whom, and with what."""

    state: S
    put: Decision
    asked: str | None
    action: Action | None


class Comparison(Generic[S]):
    """The oracle's point of a play beside what the program shows there. Divergences collect in `found`.

    `setup` is a game's start setup or `{"position": GIVEN}`, and may hold a `seed` for the program.
    """

    def __init__(self, game: Game[S], program: Implementation, edition: str, setup: Mapping[str, Json]) -> None:
        self.game = game
        self.program = program
        self.edition = edition
        self.setup = dict(setup)
        self.found: list[Divergence] = []
        self.totals = Totals()
        given = {key: value for key, value in setup.items() if key != "seed"}
        position = given.get("position")
        state, self._opening = (
            game.opening(given, edition) if position is None else (game.position(position, edition), ())
        )
        self.point: Point[S] = Point(state, happened=self._opening)
        self._seats = {str(seat) for seat in (given if position is None else position).get("players", ())}
        self._follower = Follower(game, program.name, starts=position is None)
        self._since = state
        self._observable = True
        self._stopped = False
        self._met: Decision | None = None
        self._passed_over: list[Late[S]] = []
        self._offer = Offer(False, None, None, None)
        self._seen: dict[str, Json] | None = None

    # -- what is offered ---------------------------------------------------------------------------

    def _compare_offer(self, decision: Decision | None) -> None:
        offer = self._offer
        if decision is None:
            if not offer.over:
                outcome = self.game.outcome(self.point.state)
                reasons = [Reason(rule, True, "the game is over") for rule in outcome.rules] if outcome else []
                self._stop("over too late", f"the game is over, but {self.program.does('')[0]} goes on", reasons)
        elif offer.over:
            says = f"the game is not over, but {self.program.does('')[0]} has ended it"
            self._stop("over too early", says, _put(decision))
        elif offer.player != decision.player:
            self._compare_player(decision)
        else:
            # Where the answers differ too it is another question, and that is told by them.
            if not offer.calls_it_right(decision) and (offer.actions is None or offer.agrees(decision)):
                says = f"{decision.about} is of the kind {decision.kind!r}, but is said to be {offer.kind!r}"
                self._diverge("wrong kind", says, _put(decision), general=[decision.kind, str(offer.kind)])
            for text in dict.fromkeys(offer.unreadable):
                self._diverge("unknown action", f"offered, but: {text}", _put(decision))
            self._compare_actions(decision)
            self._compare_taken(decision)

    def _compare_player(self, decision: Decision) -> None:
        """Where another player is asked than must choose: a matter of order if his time is yet to come, or past."""
        asked = self._offer.player
        late = next((late for late in self._passed_over if late.put.player == asked), None)
        if late is None:
            if not self._goes_on(decision, "asks for"):
                says = f"{decision.player or 'chance'} must choose, but {asked or 'chance'} is asked"
                otherwise = self._asks_otherwise(decision)
                says += f": {self._some(self._offer.actions or ())}" if otherwise else ""
                self._stop("wrong player", says, _put(decision), general=["another question"] if otherwise else [])
            return
        ahead = self.game.ahead(late.state, late.asked, late.action) if late.action else None
        if ahead is not None and not self._elsewhere:
            self._out_of_order(ahead, "asked for")
        else:
            self._stop("wrong player", f"{asked} is asked only now, but came before: {late.put.about}", _put(late.put))

    def _goes_on(self, decision: Decision, does: str) -> bool:
        """Tells, where it is so, that all that is offered comes after something that is not done yet.

        A turn that goes on where a single effect should ask leaves a choice out: that is told by what is missing.
        """
        offer, actions = self._offer, self._offer.known
        if decision.kind == "choice" and offer.kind == "action":
            return False
        if actions is None and decision.kind != "action":
            actions = (decision.legal[0],)
        ahead = order.offered(self.game, self.point.state, offer.player, actions or ())
        if ahead is None or self._chosen_unasked(decision):
            return False
        self._out_of_order(ahead, does)
        return True

    def _chosen_unasked(self, decision: Decision) -> bool:
        """Whether a program may have answered the question itself; not if its log has an answer later."""
        if self._elsewhere:
            return True
        later = (action for player, action in self._offer.coming[1:] if player == decision.player)
        if any(action in decision.legal for action in later):
            return False
        return self._follower.elsewhere(self.point, self._is_at)

    @property
    def _elsewhere(self) -> bool:
        """Whether the program has once called a question of another kind: then it may be at another one ever since."""
        return any(divergence.fault == "wrong kind" for divergence in self.found)

    def _compare_taken(self, decision: Decision) -> None:
        """Of a play that is over: whether what was taken is legal."""
        taken = self._offer.taken
        if taken is None or taken in decision.legal or self._stopped:
            return
        ahead = self.game.ahead(self.point.state, decision.player, taken)
        if ahead is not None and not self._chosen_unasked(decision):
            self._out_of_order(ahead, "has")
        elif ahead is not None:
            self._stop("missing", f"a choice is left out: {self._some(decision.legal)}", _put(decision))
        else:
            verdict = self.game.judge(self.point.state, decision.player, taken)
            fault: Fault = "impossible draw" if decision.kind == "chance" else "accepted"
            self._stop(fault, f"{self.game.text(taken)!r} is illegal, but was taken", verdict.deciding, [taken])

    def _is_at(self, point: Point[S]) -> bool:
        left = self._follower.left(point) or self._state_differences(point)
        return not left and self._offer.agrees(self.game.decision(point.state))

    def _compare_actions(self, decision: Decision) -> None:
        if self._offer.actions is None or self._offer.agrees(decision):
            return
        if not self._offer.actions and not self._offer.calls_it_right(decision):
            says = f"a question is put that has no answer; what is legal: {self._some(decision.legal)}"
            self._stop("missing", says, self.point.because or _put(decision))
            return
        shared = self._offer.overlap(decision) > 1
        if not shared and self._goes_on(decision, "offers"):
            return
        if self._asks_otherwise(decision):
            put, legal = self._some(self._offer.actions), self._some(decision.legal)
            says = f"another question is put: {put}; what is legal: {legal}"
            self._stop("missing", says, _put(decision) or self.point.because)
            return
        offered = set(self._offer.actions)
        missing = [action for action in islice(decision.legal, LOOKED_AT) if action not in offered]
        extra = self._extra(decision)
        judged = shared and not self._chosen_unasked(decision)
        early = {
            action: self.game.ahead(self.point.state, decision.player, action) if judged else None for action in extra
        }
        self._group("missing", missing, decision)
        self._group("extra", [action for action, ahead in early.items() if ahead is None], decision)
        for ahead in dict.fromkeys(ahead for ahead in early.values() if ahead is not None):
            self._diverge("order", ahead.says(*self.program.does("offers")), ahead.reasons)

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

    def _compare_order(self) -> None:
        """Whether what the program reports has happened in an order that can be."""
        ahead = order.reported(self.game, self._since, self.point.happened, self._follower.reported)
        if ahead is not None:
            self._out_of_order(ahead, "resolved")

    def _out_of_order(self, ahead: Ahead, did: str) -> None:
        self._stop("order", ahead.says(*self.program.does(did)), ahead.reasons)

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

    def _ask(self) -> Offer:
        return read(self.game, self.program.decision(), self.point.state, self.program.coming())

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

    def _astray(self, astray: Astray, action: Action | None = None) -> None:
        """Tells of chance that does not fit; `action` is what was taken at the point where both were last."""
        ahead = order.astray(self._follower, self._since, self.point, action)
        self.point = astray.point
        if ahead is not None:
            self._out_of_order(ahead, "resolved")
            return
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
