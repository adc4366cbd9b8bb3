"""Why one thing that waits comes before another: reasons in words, made of a game's axioms, policy and rule ids."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from msgspec import Struct

from oracle.decisions import Ahead, Event, Reason
from oracle.timing.agenda import Policy, Trigger, Waiting, at, next_up
from oracle.timing.calendar import Calendar
from oracle.timing.ordering import Axiom, Says
from oracle.timing.units import Moment

WORDS: dict[Says, str] = {
    "span": "before, during and after a unit of time follow one another",
    "next": "what is after one unit of time comes before what is before the next",
    "outer first": "what is before a larger unit of time comes before what is before a smaller one in it",
    "inner last": "what is after a unit of time comes before what is after the larger one around it",
    "engaging": "the two begin together",
}
"""What each kind of axiom says."""


class Grounds(Struct, frozen=True):
    """The rules of a game that put one trigger before another, by what it is that differs; empty: no such rule.

    `owner`: their owners; `rank`: their classes; `live`: only one has its condition met; `chooser`: who chooses among
    them; `turn`: the turns that they wait for; `time`: their moments, where these follow from what units of time are.
    `rulings` are those of them that are rulings.
    """

    owner: str = ""
    rank: str = ""
    live: str = ""
    chooser: str = ""
    turn: str = ""
    time: str = ""
    rulings: frozenset[str] = frozenset()

    def reason(self, rule: str, fact: str) -> Reason:
        """The rule as what makes an order wrong."""
        return Reason(rule, False, f"by a ruling {fact}" if rule in self.rulings else fact)


class Clock(Struct, frozen=True):
    """A moment of a game as its agenda sees it: `order` is turn order from whose turn it is."""

    calendar: Calendar
    now: Moment
    order: tuple[str, ...]
    policy: Policy
    grounds: Grounds

    def waiting(self, agenda: Iterable[Trigger[Any]]) -> Waiting[Any] | None:
        """What may resolve next."""
        return next_up(agenda, self.now, self.order, self.policy)

    def moments(self, earlier: Moment, later: Moment) -> tuple[Reason, ...]:
        """Why one moment comes before another, or before its next occurrence."""
        where = f"the one is {earlier}, the other {later}"
        axioms = self.calendar.axioms(earlier, later)
        if not axioms:
            return (self.grounds.reason(self.grounds.turn, f"{where} of a later turn"),)
        stated = list({axiom.rule: axiom for axiom in reversed(axioms) if axiom.rule}.values())[::-1]
        if not stated:
            return (self.grounds.reason(self.grounds.time, f"{where}, and {_most(axioms)}"),)
        words = [f"{'by a ruling ' if axiom.ruling else ''}{WORDS[axiom.says]}" for axiom in stated]
        facts = [f"{where}, and {words[0]}", *words[1:]]
        return tuple(Reason(axiom.rule, False, fact) for axiom, fact in zip(stated, facts, strict=True))

    def triggers(self, first: Trigger[Any], then: Trigger[Any]) -> tuple[Reason, ...]:
        """Why a trigger that is due comes before another; empty where the other may be first."""
        if then.turn_of not in (None, self.order[0]) and then.turn_of != first.turn_of:
            return (self.grounds.reason(self.grounds.turn, f"{label(then)} waits for a turn of {then.turn_of}'s"),)
        if first.moment != then.moment:
            return self.moments(first.moment, then.moment)
        allowed = self.policy([first, then], self.order)
        if allowed is None or then in allowed.triggers:
            return ()
        if first.rank != then.rank:
            classes = f"what is of class {_class(first)} comes before what is of class {_class(then)}"
            return (self.grounds.reason(self.grounds.rank, classes),)
        owners = f"{first.owner or 'the game'} comes before {then.owner} in turn order from {self.order[0]}"
        return (self.grounds.reason(self.grounds.owner, owners),)

    def resolving(self, agenda: Sequence[Trigger[Any]], player: str | None, name: str) -> Ahead | None:
        """What comes before a trigger that a player would resolve now; None where it may be next, or does not wait."""
        then = self._meant(agenda, player, name)
        if then is None:
            return None
        waiting = self.waiting(agenda)
        if waiting is None:
            due = then.moment == self.now and then.turn_of in (None, self.order[0])
            return None if due else Ahead(f"the {self.now.unit}", label(then), self._later(then))
        if then in waiting.triggers:
            return None if player == waiting.chooser else self._choosing(agenda, waiting, player)
        reasons = self.triggers(waiting.triggers[0], then)
        if not reasons and not then.live:
            unmet = f"the condition of {label(then)} is not met"
            reasons = (self.grounds.reason(self.grounds.live, unmet),)
        return Ahead(_labels(waiting.triggers), label(then), reasons) if reasons else None

    def going_on(self, agenda: Sequence[Trigger[Any]], then: str, later: Moment | None) -> Ahead | None:
        """What still waits for this moment, before something that is done at a later one (None: of a later turn)."""
        waiting = self.waiting(agenda)
        if waiting is None:
            return None
        turn = self.grounds.reason(self.grounds.turn, f"{then} is of a later turn")
        return Ahead(_labels(waiting.triggers), then, self.moments(self.now, later) if later else (turn,))

    def in_order(self, first: str, then: str, what: str) -> Ahead:
        """That something comes to one player before it comes to another, by turn order."""
        owners = f"{first} comes before {then} in turn order from {self.order[0]}"
        return Ahead(f"{first}'s {what}", f"{then}'s {what}", (self.grounds.reason(self.grounds.owner, owners),))

    def resolved(
        self, agenda: Sequence[Trigger[Any]], happened: Sequence[Event], first: int, then: int
    ) -> Ahead | None:
        """Why one of two events comes before the other, by the triggers that they come from; see `Game.came_first`."""
        one, other = (self._source(agenda, happened[: place + 1]) for place in (first, then))
        if one is None or other is None or one == other:
            return None
        reasons = self.triggers(one, other)
        return Ahead(label(one), label(other), reasons) if reasons else None

    def _later(self, then: Trigger[Any]) -> tuple[Reason, ...]:
        if then.turn_of not in (None, self.order[0]):
            return (self.grounds.reason(self.grounds.turn, f"{label(then)} waits for a turn of {then.turn_of}'s"),)
        return self.moments(self.now, then.moment)

    def _meant(self, agenda: Sequence[Trigger[Any]], player: str | None, name: str) -> Trigger[Any] | None:
        """The trigger of that name: the player's own and one of this moment rather than others."""
        due = at(agenda, self.now, self.order[0])
        named = [trigger for trigger in agenda if trigger.name == name]
        return min(named, key=lambda t: (t.owner != player, t not in due, not t.live), default=None)

    def _choosing(self, agenda: Sequence[Trigger[Any]], waiting: Waiting[Any], player: str | None) -> Ahead | None:
        concerned: Collection[str | None] = {trigger.owner for trigger in at(agenda, self.now, self.order[0])}
        if player is None or player not in concerned or not self.grounds.chooser:
            return None
        chooses = f"{waiting.chooser} chooses what is next {self.now}"
        reason = self.grounds.reason(self.grounds.chooser, chooses)
        return Ahead(f"{waiting.chooser}'s choice", f"{player}'s choice", (reason,))

    def _source(self, agenda: Sequence[Trigger[Any]], happened: Sequence[Event]) -> Trigger[Any] | None:
        """The trigger that the last of these events comes from: it was resolved, and then nothing of anybody else's."""
        last = happened[-1]
        start = next((event for event in reversed(happened) if event.event == "resolved"), None)
        if start is None or start.player != last.player:
            return None
        return next((t for t in agenda if (t.owner, (t.name,)) == (start.player, start.items)), None)


def label(trigger: Trigger[Any]) -> str:
    """What players call a trigger."""
    return f"{trigger.owner}'s {trigger.name}" if trigger.owner else trigger.name


def _labels(triggers: Iterable[Trigger[Any]]) -> str:
    return " or ".join(dict.fromkeys(map(label, triggers)))


def _class(trigger: Trigger[Any]) -> str:
    return "ABC"[trigger.rank] if trigger.rank < len("ABC") else str(trigger.rank)


def _most(axioms: Sequence[Axiom]) -> str:
    """The words of the axiom that says most: of what a unit of time is, whether it is before or after another."""
    return WORDS[next((axiom.says for axiom in axioms if axiom.says != "span"), "span")]
