"""How the game is won and lost, and what becomes of a player who has lost."""

from __future__ import annotations

from msgspec.structs import replace

from oracle.game import Event
from oracle.games.l5r.calendar import AFTER_ATTACK, AFTER_TURN
from oracle.games.l5r.cards import Target
from oracle.games.l5r.state import Attack, Interrupted, State, Step, lay
from oracle.timing import Round
from oracle.zones import add

Log = list[Event]


def win(state: State, player: str, cause: str, log: Log) -> State:
    """The game ends at once, with all that was waiting; `cause` is the rule by which the player has won."""
    log.append(Event("won", player))
    ended = replace(state, over=True, winner=player, cause=cause)
    return replace(ended, stack=(), happened=(), pending=(), round=None)


def honor_won(state: State) -> bool:
    """Whether the active player, whose turn is beginning, has the Honor that wins."""
    return state.mover.honor >= state.table.win.honor


def honor_lost(state: State) -> bool:
    """Whether the active player, whose turn is ending, has so little Honor that he loses."""
    return state.mover.honor <= state.table.win.dishonor


def provinces_lost(state: State, player: str) -> bool:
    """Whether a player, one of whose Provinces was destroyed just now, has none left and loses by that."""
    return state.table.win.provinces and not state[player].standing


def lose(state: State, player: str, cause: str, log: Log) -> State:
    """A player is out of the game, with all of his that was waiting or under way; the last one left wins.

    An attack in which he leads a side is over, and so is his turn, if it is his.
    """
    log.append(Event("lost", player))
    agenda = tuple(trigger for trigger in state.agenda if trigger.owner != player)
    provinces = tuple(tuple(card._replace(mark="") for card in cards) for cards in state[player].provinces)
    state = replace(state, agenda=agenda).with_seat(player, out=True, provinces=provinces)
    left = state.order()
    if len(left) == 1:
        return win(state, left[0], cause, log)
    for outer in state.interrupted:
        state = return_home(state, outer.attack) if _leads(outer.attack, player) else state
    state = replace(
        state,
        stack=_others(state.stack, player),
        pending=_others(state.pending, player),
        round=_round(state.round, player),
        interrupted=tuple(_interrupted(outer, player) for outer in state.interrupted),
    )
    if state.mover.name == player:
        return end_turn(state, log)
    if _leads(state.attack, player):
        return replace(return_home(state, state.attack), at=AFTER_ATTACK, round=None, attack=None)
    return state


def end_turn(state: State, log: Log) -> State:
    """The active player has lost and takes no more of this turn."""
    log.append(Event("turn ended", state.mover.name))
    for attack in (state.attack, *(outer.attack for outer in state.interrupted)):
        state = return_home(state, attack)
    return replace(state, at=AFTER_TURN, round=None, attack=None, interrupted=(), second=False)


def return_home(state: State, attack: Attack | None) -> State:
    """The units of an attack are at home again, as they are."""
    for field in attack.fields or () if attack else ():
        assert attack is not None
        for player, units in ((attack.attacker, field.attacking), (attack.defender, field.defending)):
            state = state.with_seat(player, home=tuple(sorted((*state[player].home, *units))))
    return state


def destroy(state: State, target: Target, log: Log) -> State:
    """A Province is destroyed, if it stands, and what lies there is discarded.

    Without a player it is the Province of the current battle, if there is a battle. A battlefield that is there stays.
    """
    player, i = target.player, target.province - 1
    if not player:
        if state.attack is None or state.attack.at < 0:
            return state
        player, i = state.attack.defender, state.attack.at
    if all(seat.name != player for seat in state.seats) or i not in state[player].standing:
        return state
    seat = state[player]
    gone = (*(card.name for card in seat.provinces[i]), *seat.regions[i])
    log.append(Event("destroyed", player, gone, f"Province {i + 1}"))
    regions = (*seat.regions[:i], (), *seat.regions[i + 1 :])
    state = lay(state, player, i, ()).with_seat(
        player, regions=regions, destroyed=seat.destroyed | {i}, discard=add(seat.discard, gone)
    )
    lost = not seat.out and provinces_lost(state, player)
    return lose(state, player, "l5r.param.provinces", log) if lost else state


def _others(steps: tuple[Step, ...], player: str) -> tuple[Step, ...]:
    """The steps that do not concern the player, whose Reactions are not awaited either."""
    return tuple(replace(step, round=_round(step.round, player)) for step in steps if step.player != player)


def _round(round: Round | None, player: str) -> Round | None:
    return None if round is None else round.without(player)


def _interrupted(outer: Interrupted, player: str) -> Interrupted:
    """What goes on later, without the player."""
    if _leads(outer.attack, player):
        return replace(outer, at=AFTER_ATTACK, round=None, attack=None)
    return replace(outer, round=_round(outer.round, player))


def _leads(attack: Attack | None, player: str) -> bool:
    return attack is not None and player in (attack.attacker, attack.defender)
