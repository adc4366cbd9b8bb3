"""What actions do: the state after, and the events.

Everything under way lies on `State.stack`; what waits for the end of the turn or the round lies on
`State.agenda`. `run` carries out steps and lets game time pass until somebody must choose.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from oracle.game import Action, Event
from oracle.games.station.placement import VACANT
from oracle.games.station.state import (
    AFTER_ROUND,
    AFTER_TURN,
    BERTHS,
    CALENDAR,
    DISPLAY,
    IN_TURN,
    REWARD,
    Seat,
    State,
    Step,
    credit,
    drifts,
    refills,
)
from oracle.timing import Moment, next_up, without
from oracle.zones import Bag, add, put_under, remove, size, take, top

Log = list[Event]

BEGIN, DEAL, REWARDED, END_TURN = (Step(do) for do in ("begin", "deal", "reward", "end turn"))


def run(state: State, log: Log) -> State:
    """Lets happen what happens without anybody choosing."""
    while not state.over:
        if state.stack:
            step = state.stack[-1]
            moved = STEPS[step.do](state, step, log)
            if moved is None:
                break
            state = moved
        elif state.at == IN_TURN:
            break
        elif state.agenda and (waiting := next_up(state.agenda, state.at, state.order())):
            # None of these has anything to do with another: in which order they resolve does not matter.
            trigger = waiting.triggers[0]
            state = replace(state, agenda=without(state.agenda, trigger)).push(trigger.effect)
        else:
            state = _pass_time(state, log)
    return state


def _pop(state: State) -> State:
    return replace(state, stack=state.stack[:-1])


# -- the course of a round -------------------------------------------------------------------------


def _begin_round(state: State, log: Log) -> State:
    """A round begins with the starting commander; what lies in the market now is eligible for the discount."""
    log.append(Event("round began", note=str(state.round)))
    waiting = tuple(drifts(berth) for berth, module in enumerate(state.market) if module)
    return replace(state, at=CALENDAR.first, turn=state.starting, agenda=waiting)


def _pass_time(state: State, log: Log) -> State:
    if state.at == AFTER_TURN:
        log.append(Event("turn ended", state.mover.name))
    if state.at == AFTER_ROUND:
        log.append(Event("round ended", note=str(state.round)))
        if state.ended:
            log.append(Event("game ended"))
            return replace(state, over=True)
    again = state.at == AFTER_TURN and state.following != state.starting
    following = CALENDAR.following(state.at, again)
    if following is None:
        return _begin_round(replace(state, round=state.round + 1), log)
    if again:
        state = replace(state, turn=state.following)
    if following == Moment("before", "turn"):
        log.append(Event("turn began", state.mover.name))
    return replace(state, at=following)


def _trigger_end(state: State, log: Log) -> State:
    if not state.ended:
        log.append(Event("end triggered"))
    return replace(state, ended=True)


# -- steps -----------------------------------------------------------------------------------------


def _begin(state: State, step: Step, log: Log) -> State:
    return _begin_round(_pop(state), log)


def _end_turn(state: State, step: Step, log: Log) -> State:
    return _pass_time(_pop(state), log)


def _reward(state: State, step: Step, log: Log) -> State | None:
    choice = any(credit(card).value <= REWARD for card in state.display)
    return None if choice else _pop(state)


def _deal(state: State, step: Step, log: Log) -> State | None:
    missing = DISPLAY - len(state.display)
    if size(state.deck) < missing and state.discard:
        log.append(Event("shuffled"))
        return replace(state, deck=put_under(state.deck, state.discard), discard=())
    first = top(state.deck, missing)
    return _dealt(state, first.only, log) if first.forced else None


def _dealt(state: State, cards: Bag, log: Log) -> State:
    if cards:
        log.append(Event("dealt", None, cards))
    return replace(_pop(state), deck=take(state.deck, cards), display=add(state.display, cards))


def _salvage(state: State, step: Step, log: Log) -> State | None:
    if not state.salvage:
        state = _pop(state)
        return _trigger_end(state, log) if state.table.unfilled else state
    first = top(state.salvage, 1)
    return _salvaged(state, first.only, log) if first.forced else None


def _salvaged(state: State, modules: Bag, log: Log) -> State:
    berth = state.stack[-1].berth
    log.append(Event("salvaged", None, modules, f"to {BERTHS[berth]}"))
    return _in_berth(replace(_pop(state), salvage=take(state.salvage, modules)), berth, modules[0])


def _in_berth(state: State, berth: int, module: str) -> State:
    """The state with another module, or none, in a berth: with a module its discount leaves, and its eligibility."""
    return replace(
        state,
        market=(*state.market[:berth], module, *state.market[berth + 1 :]),
        discount=(*state.discount[:berth], 0, *state.discount[berth + 1 :]),
        agenda=tuple(trigger for trigger in state.agenda if trigger != drifts(berth)),
    )


def _drift(state: State, step: Step, log: Log) -> State:
    discount = list(state.discount)
    discount[step.berth] += state.table.drift
    log.append(Event("drifted", None, (state.market[step.berth],), f"in berth {BERTHS[step.berth]}"))
    return replace(_pop(state), discount=tuple(discount))


STEPS: dict[str, Callable[[State, Step, Log], State | None]] = {
    "begin": _begin,
    "deal": _deal,
    "salvage": _salvage,
    "reward": _reward,
    "drift": _drift,
    "end turn": _end_turn,
}
"""What each step does; None where it waits for a choice, or for chance."""


# -- actions ---------------------------------------------------------------------------------------


def play(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state after a legal action, and what happened."""
    log: Log = []
    state = ACTIONS[action.verb](state, action, log)
    return run(state, log), tuple(log)


def _acquire(state: State, action: Action, log: Log) -> State:
    log.append(Event("acquired", state.mover.name, action.items))
    return _taken(state, action.items).push(DEAL, END_TURN)


def _take(state: State, action: Action, log: Log) -> State:
    log.append(Event("took", state.mover.name, action.items))
    return _taken(_pop(state), action.items)


def _taken(state: State, cards: Bag) -> State:
    """Cards go from the display to the mover's hand."""
    state = replace(state, display=remove(state.display, cards))
    return state.with_mover(hand=add(state.mover.hand, cards))


def _purchase(state: State, action: Action, log: Log) -> State:
    (module,), ((_, (berth_name,)), (_, cards), (_, (to,))) = action.items, action.rest
    mover, berth = state.mover, BERTHS.index(berth_name)
    cost = max(0, state.table[module].cost - state.discount[berth])
    log.append(Event("purchased", mover.name, (module,), f"from {berth_name}"))
    if cards:
        log.append(Event("paid", mover.name, cards))
    state = state.with_mover(hand=remove(mover.hand, cards), counter=mover.counter + 1)
    state = _in_berth(replace(state, discard=add(state.discard, cards)), berth, "")
    if to == "dock":
        log.append(Event("docked", mover.name, (module,)))
        state = state.with_mover(dock=add(mover.dock, (module,)))
    else:
        log.append(Event("installed", mover.name, (module,), f"at {to}"))
        state = _stand(state, to, module, scored=False)
    if 0 < state.table.counter <= state.mover.counter:
        state = _trigger_end(state, log)
    state = replace(state, agenda=(*state.agenda, refills(berth)))
    exact = sum(credit(card).value for card in cards) == cost
    return state.push(REWARDED, DEAL, END_TURN) if exact else state.push(END_TURN)


def _stand(state: State, node: str, module: str, scored: bool) -> State:
    """A module is installed: its Renown is scored, once or each time as the parameter says."""
    mover = state.mover
    scores = state.table.scoring == "every install" or (state.table.scoring == "first install" and not scored)
    renown = mover.renown + (state.table[module].renown if scores else 0)
    return state.with_mover(station=state.table.map.with_module(mover.station, node, module), renown=renown)


def _out_of_dock(state: State, module: str) -> tuple[State, bool]:
    """The state with a module taken out of the dock, and whether its Renown has been scored before.

    Of several alike one goes that has not been scored, if there is one: nobody would choose otherwise.
    """
    mover = state.mover
    scored = mover.dock.count(module) == mover.scored.count(module)
    left = remove(mover.scored, (module,)) if scored else mover.scored
    return state.with_mover(dock=remove(mover.dock, (module,)), scored=left), scored


def _into_dock(seat: Seat, module: str) -> dict[str, Bag]:
    """What changes when a module that was installed comes into the dock."""
    return {"dock": add(seat.dock, (module,)), "scored": add(seat.scored, (module,))}


def _at(state: State, node: str) -> str:
    return state.mover.station[state.table.map.index[node]]


def _install(state: State, action: Action, log: Log) -> State:
    (module,), ((_, (node,)),) = action.items, action.rest
    log.append(Event("installed", state.mover.name, (module,), f"at {node}"))
    state, scored = _out_of_dock(state, module)
    return _stand(state, node, module, scored).push(END_TURN)


def _stow(state: State, action: Action, log: Log) -> State:
    (node,) = action.items
    mover, module = state.mover, _at(state, node)
    log.append(Event("stowed", mover.name, (module,), f"from {node}"))
    station = state.table.map.with_module(mover.station, node, VACANT)
    return state.with_mover(station=station, **_into_dock(mover, module)).push(END_TURN)


def _exchange(state: State, action: Action, log: Log) -> State:
    (node,), ((_, (module,)),) = action.items, action.rest
    leaving = _at(state, node)
    log.append(Event("exchanged", state.mover.name, (leaving, module), f"at {node}"))
    state, scored = _out_of_dock(state, module)
    state = _stand(state, node, module, scored)
    return state.with_mover(**_into_dock(state.mover, leaving)).push(END_TURN)


def _pass(state: State, action: Action, log: Log) -> State:
    log.append(Event("passed", state.mover.name))
    return state.push(END_TURN)


ACTIONS: dict[str, Callable[[State, Action, Log], State]] = {
    "acquire": _acquire,
    "purchase": _purchase,
    "install": _install,
    "stow": _stow,
    "exchange": _exchange,
    "pass": _pass,
    "take": _take,
    "deal": lambda state, action, log: _dealt(state, action.items, log),
    "salvage": lambda state, action, log: _salvaged(state, action.items, log),
}
