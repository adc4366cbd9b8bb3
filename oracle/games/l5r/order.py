"""What comes before what: triggers, what is under way, opportunities, Provinces, assignments."""

from __future__ import annotations

from collections.abc import Sequence

from oracle.game import Action, Ahead, Event, Reason
from oracle.games.l5r.calendar import (
    ACTION,
    AFTER_ACTION,
    CALENDAR,
    CAVALRY_SEGMENT,
    COMBAT,
    DYNASTY,
    END,
    EVENTS,
    INFANTRY,
    MANEUVERS,
    NEXT_BATTLE,
)
from oracle.games.l5r.state import State, Step
from oracle.games.l5r.verdicts import UNDER_WAY, judge
from oracle.timing import Clock, Grounds, Moment, Trigger, at, by_class

GROUNDS = Grounds(
    rank="l5r.ruling.classes",
    live="l5r.ruling.condition",
    chooser="l5r.ruling.active-orders",
    turn="l5r.turn.own",
    time="l5r.seq.between",
    rulings=frozenset({"l5r.ruling.classes", "l5r.ruling.condition", "l5r.ruling.active-orders"}),
)
CALLED = {"reactions": "Reactions", "additional": "additional action", "from": "choice of a Province"}
"""What is said to come first while a step is under way; of any other, the step itself."""
CHANCE = ("draw", "fill", "first")
TIMES: dict[str, tuple[Moment, ...]] = {
    "deal with": (EVENTS,),
    "use": (ACTION, COMBAT),
    "pass": (ACTION, COMBAT),
    "attack": (AFTER_ACTION,),
    "no attack": (AFTER_ACTION,),
    "assign": (INFANTRY, CAVALRY_SEGMENT),
    "fight at": NEXT_BATTLE,
    "bring": (DYNASTY,),
    "discard": (DYNASTY, END),
    "end": (DYNASTY,),
}
"""When each action is taken."""


def clock(state: State) -> Clock:
    """The moment, and who orders what waits for it."""
    order = state.order()
    return Clock(CALENDAR, state.at, (state.mover.name, *order) if state.mover.out else order, by_class, GROUNDS)


def ahead(state: State, player: str | None, action: Action, text: str) -> Ahead | None:
    """See `Game.ahead`; `text` is what players call the action."""
    if state.over or (action.verb not in CHANCE and judge(state, player, action).legal):
        return None
    if state.stack:
        step = state.stack[-1]
        return _chance(state, player, step) if action.verb in CHANCE else _under_way(player, action, text, step)
    if action.verb == "resolve" and action.items:
        return clock(state).resolving(state.due, player, action.items[0])
    if state.waiting():
        times = TIMES.get(action.verb, ())
        later = next((time for time in times if CALENDAR.comes(time, after=state.at)), None)
        # What is done at this very moment, or goes on once an Attack Phase has interrupted it, is of no later turn.
        if not times or (later is None and (state.at in times or state.interrupted)):
            return None
        return clock(state).going_on(state.due, f"{player}'s {text!r}", later)
    return _in_turn(state, player, action)


def came_first(state: State, happened: Sequence[Event], first: int, then: int) -> Ahead | None:
    """See `Game.came_first`. What an Attack Phase interrupts is in no order that the calendar knows."""
    return None if state.interrupted else clock(state).resolved(state.due, happened, first, then)


def _because(rule: str, fact: str) -> tuple[Reason, ...]:
    return (Reason(rule, False, fact),)


def _under_way(player: str | None, action: Action, text: str, step: Step) -> Ahead | None:
    if step.do == "reactions" and action.verb in ("use", "pass"):
        assert step.round is not None
        if player == step.round.player or step.round.turn:
            return None
        first = _because(
            "l5r.ruling.reaction-first", "by a ruling the active player has the first opportunity to react"
        )
        return Ahead(f"{step.round.player}'s opportunity", f"{player}'s opportunity", first)
    asked = {"additional": ("use", "decline"), "may": ("resolve", "decline"), "from": ("from",)}.get(step.do, ())
    if action.verb in asked or step.do not in UNDER_WAY:
        return None
    finished = _because("l5r.resolve.first", "what is under way is finished before anything else is done")
    whose = f"{step.player}'s " if step.player else ""
    name = step.name if step.do == "may" else CALLED.get(step.do, step.do)
    return Ahead(f"{whose}{name}", f"{player}'s {text!r}", finished)


def _chance(state: State, player: str | None, step: Step) -> Ahead | None:
    """What comes before the cards that chance is said to have dealt to a player: those of the step under way."""
    owner = step.player
    if player in (owner, None):
        return None
    if any(below.do == "each" and below.player == player for below in state.stack):
        turns = f"{owner} comes before {player} in turn order from {state.mover.name}"
        return Ahead(f"{owner}'s {step.do}", f"{player}'s {step.do}", _because("l5r.turn.each-player", turns))
    under_way: Trigger[object] = Trigger(owner, state.at, step.name, None)
    for trigger in at(state.due, state.at, state.mover.name):
        if trigger.owner == player and (reasons := clock(state).triggers(under_way, trigger)):
            return Ahead(f"{owner}'s {step.do}", f"{player}'s {trigger.name}", reasons)
    return None


def _in_turn(state: State, player: str | None, action: Action) -> Ahead | None:
    round, attack = state.round, state.attack
    if state.at == COMBAT and round is not None and action.verb in ("use", "pass"):
        if player == round.player or round.turn:
            return None
        fact = "the Defender has the first opportunity in a Combat Segment"
        defends = _because("l5r.combat.defender-first", fact)
        return Ahead(f"{round.player}'s opportunity", f"{player}'s opportunity", defends)
    if state.at in MANEUVERS and attack is not None and action.verb == "assign":
        if attack.assigned or player != attack.defender:
            return None
        rule = "l5r.attack.cavalry" if state.at == CAVALRY_SEGMENT else "l5r.attack.infantry"
        first = _because(rule, "the Attacker assigns first, then the Defender")
        return Ahead(f"{attack.attacker}'s assignment", f"{player}'s assignment", first)
    if state.at == EVENTS and action.verb == "deal with" and player == state.mover.name:
        left = [[card.name for card in cards if not card.mark] for cards in state.mover.provinces]
        now = next((i for i, names in enumerate(left) if names), len(left))
        if action.items and any(action.items[0] in names for names in left[now + 1 :]):
            leftmost = _because("l5r.events.order", f"Province {now + 1} is further left")
            return Ahead(" or ".join(dict.fromkeys(left[now])), action.items[0], leftmost)
    return None
