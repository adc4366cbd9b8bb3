"""What comes before what: triggers, effects under way, the players whom an effect concerns."""

from __future__ import annotations

from collections.abc import Sequence

from oracle.game import Action, Ahead, Event, Reason
from oracle.games.dominion.choices import CHOICES
from oracle.games.dominion.effects import CHANCE
from oracle.games.dominion.rules import concerned, judge
from oracle.games.dominion.state import ACTION, BUY, NIGHT, State, Step
from oracle.timing import Clock, Grounds, Moment, Trigger, at, by_owner

GROUNDS = Grounds(owner="dom.order.turn-order", turn="dom.turn.alternate", time="dom.turn.phases")


def clock(state: State) -> Clock:
    """The moment, and who orders what waits for it."""
    return Clock(state.calendar, state.at, state.order(), by_owner, GROUNDS)


def ahead(state: State, player: str | None, action: Action, text: str) -> Ahead | None:
    """See `Game.ahead`; `text` is what players call the action."""
    if state.over or (action.verb not in CHANCE and judge(state, player, action).legal):
        return None
    if state.stack:
        step = state.stack[-1]
        return _chance(state, player, step) if action.verb in CHANCE else _under_way(state, player, action, text, step)
    if action.verb == "resolve" and action.items:
        return clock(state).resolving(state.agenda, player, action.items[0])
    if action.verb not in ("play", "buy", "end") or state.at.edge == "during":
        return None
    if player != state.mover.name:
        return clock(state).going_on(state.agenda, f"{player}'s {text!r}", None)
    phase = _phase(state, action)
    return clock(state).going_on(state.agenda, repr(text), phase) if phase else None


def came_first(state: State, happened: Sequence[Event], first: int, then: int) -> Ahead | None:
    """See `Game.came_first`."""
    return clock(state).resolved(state.agenda, happened, first, then)


def _phase(state: State, action: Action) -> Moment | None:
    """The phase of this turn, still to come, in which the action is taken."""
    phases = [phase for phase in (ACTION, BUY, NIGHT) if phase in state.calendar]
    if action.verb == "end":
        phases = [phase for phase in phases if (phase.unit,) == action.items]
    return next((phase for phase in phases if state.calendar.comes(phase, after=state.at)), None)


def _under_way(state: State, player: str | None, action: Action, text: str, step: Step) -> Ahead | None:
    players = concerned(state, step)
    verbs = (step.do,) if step.do in CHANCE else CHOICES[step.do][0]
    if action.verb in verbs:
        return clock(state).in_order(players[0], str(player), step.card) if player in players[1:] else None
    finished = Reason("dom.resolve.first", False, "what is under way is finished before anything else is done")
    return Ahead(f"{players[0]}'s {step.card or 'draw'}", repr(text), (finished,))


def _chance(state: State, player: str | None, step: Step) -> Ahead | None:
    """What comes before the cards that chance is said to have dealt to a player: those of the step under way."""
    owner, now = state.seats[step.seat].name, clock(state)
    if player == owner or player is None:
        return None
    if player in concerned(state, step):
        return now.in_order(owner, player, step.card)
    under_way = Trigger(owner, state.at, step.card, None)
    for trigger in at(state.agenda, state.at, state.mover.name) if state.at.edge != "during" else ():
        if trigger.owner == player and trigger.effect.plain.cards and (reasons := now.triggers(under_way, trigger)):
            return Ahead(f"{owner}'s {step.card}", f"{player}'s {trigger.name}", reasons)
    return None
