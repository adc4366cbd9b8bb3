"""How a game goes on: what happens in each phase, and what each action does."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from oracle.game import Action, Event
from oracle.games.l5r.assignments import arrangement
from oracle.games.l5r.calendar import (
    ACTION,
    AFTER_ACTION,
    AFTER_ATTACK,
    AFTER_BATTLE,
    AFTER_CAVALRY,
    AFTER_END,
    AFTER_TURN,
    BEFORE_TURN,
    CALENDAR,
    CAVALRY_SEGMENT,
    COMBAT,
    DECLARATION,
    DYNASTY,
    END,
    EVENTS,
    INFANTRY,
    STRAIGHTEN,
    TURNS,
)
from oracle.games.l5r.effects import (
    STEPS,
    announce,
    apply,
    begin,
    declare,
    drawn,
    enter,
    filled,
    first,
    leave,
    marked,
    offer,
    pop,
    react,
    stays_bowed,
    use,
)
from oracle.games.l5r.losing import Log, honor_lost, honor_won, lose, return_home, win
from oracle.games.l5r.state import Attack, Field, Laid, Piece, Pieces, State, Step, Waits, begun, lay
from oracle.timing import Trigger, turn_order
from oracle.zones import add, remove


def run(state: State, log: Log) -> State:
    """Lets happen what happens without anybody choosing."""
    while not state.over:
        if state.stack:
            moved = STEPS[state.stack[-1].do](state, state.stack[-1], log)
        elif state.pending and not state.happened:
            moved = replace(state, pending=state.pending[1:]).push(state.pending[0])
        elif not state.pending and (waiting := state.waiting()):
            moved = announce(state, waiting.triggers[0], log) if waiting.forced else None
        elif state.happened:
            moved = offer(replace(state, happened=state.happened[1:]), state.happened[:1])
        else:
            moved = TIMES.get(state.at, pass_time)(state, log)
        if moved is None:
            break
        state = moved
    return state


# -- the course of a turn --------------------------------------------------------------------------


def pass_time(state: State, log: Log, again: bool = False, skip: bool = False) -> State:
    """Goes on to the next moment, or back to what an Attack Phase interrupted."""
    state = replace(state, round=None, second=False)
    if state.at == AFTER_ATTACK and state.interrupted:
        *outer, back = state.interrupted
        state = replace(state, at=back.at, round=back.round, attack=back.attack, second=back.second)
        return replace(state, interrupted=tuple(outer))
    if state.at == BEFORE_TURN and honor_won(state):
        return win(state, state.mover.name, "l5r.param.honor", log)
    if state.at == AFTER_END and honor_lost(state):
        return lose(state, state.mover.name, "l5r.param.dishonor", log)
    following = CALENDAR.following(state.at, again or state.at == AFTER_TURN, skip)
    assert following is not None
    if TURNS.begins(following):
        state = _next_turn(state) if state.at == AFTER_TURN else state
        state = state.with_seat(state.mover.name, turns=state.mover.turns + 1)
        state = replace(state, agenda=tuple(_sooner(trigger, state.mover.name) for trigger in state.agenda))
    if following == AFTER_ATTACK:
        state = replace(return_home(state, state.attack), attack=None)
    if following == BEFORE_TURN:
        log.append(Event("turn began", state.mover.name, note=str(state.turn)))
    if following == AFTER_TURN:
        log.append(Event("turn ended", state.mover.name))
    return replace(state, at=following)


def _sooner(trigger: Trigger[Waits], player: str) -> Trigger[Waits]:
    """The trigger after a turn of the player has begun."""
    if trigger.turn_of != player or not trigger.effect.turns:
        return trigger
    return replace(trigger, effect=replace(trigger.effect, turns=trigger.effect.turns - 1))


def _next_turn(state: State) -> State:
    """The next player becomes the active one; what may be used once a turn may be used again."""
    seats = tuple(
        replace(seat, abilities=tuple(replace(ability, used=False) for ability in seat.abilities))
        for seat in state.seats
    )
    following = next(seat.name for seat in turn_order(state.seats, state.mover)[1:] if not seat.out)
    return replace(state, seats=seats, active=state.index(following), turn=state.turn + 1)


def _straighten(state: State, log: Log) -> State:
    player = state.mover

    def straight(pieces: Pieces) -> Pieces:
        return tuple(sorted(Piece(piece.name, piece.bowed and stays_bowed(player, piece.name)) for piece in pieces))

    state = state.with_seat(player.name, play=straight(player.play), home=straight(player.home))
    if state.mover != player:
        log.append(Event("straightened", player.name, note="all cards"))
    return pass_time(state, log)


def _events(state: State, log: Log) -> State | None:
    """The leftmost Province with a card not yet dealt with; a card that refilled it face-up is dealt with at once."""
    provinces = state.mover.provinces
    for i, cards in enumerate(provinces):
        new = [card for card in cards if card.mark == "new"]
        rest = [card for card in cards if card.mark == ""]
        if new:
            return state.push(Step("deal on", state.mover.name, new[0].name, n=i))
        if rest:
            return deal(state, i, rest[0], log) if len(set(rest)) == 1 else None
    cleared = tuple(tuple(Laid(card.name, card.up) for card in cards) for cards in provinces)
    return pass_time(state.with_seat(state.mover.name, provinces=cleared), log)


def deal(state: State, province: int, card: Laid, log: Log) -> State:
    """Step A for a card, and then the others; a card that was face-down is revealed, which Reactions may answer."""
    player = state.mover.name
    state = lay(state, player, province, marked(state.mover.provinces[province], card, "new"))
    state = state.push(Step("deal on", player, card.name, n=province))
    if card.up:
        return state
    log.append(Event("revealed", player, (card.name,)))
    return offer(state, ("reveal",))


def _round(state: State, log: Log) -> State | None:
    """An action round goes on until all have passed consecutively."""
    if state.round is None:
        return replace(state, round=begun(state))
    if not state.round.ended:
        return None
    if state.at == COMBAT:
        attack = state.attack
        assert attack is not None
        assert attack.fields is not None
        fields = tuple(replace(f, fought=f.fought or f.province == attack.at) for f in attack.fields)
        state = replace(state, attack=replace(attack, fields=fields, at=-1))
    return pass_time(state, log)


def _declaration(state: State, log: Log) -> State:
    attack = state.attack
    assert attack is not None
    if attack.fields is None:
        fields = tuple(map(Field, state[attack.defender].standing))
        state = replace(state, attack=replace(attack, fields=fields))
    return pass_time(state, log)


def _maneuvers(state: State, log: Log) -> State | None:
    attack = state.attack
    assert attack is not None
    if attack.assigned == 2:
        return pass_time(replace(state, attack=replace(attack, assigned=0)), log)
    units = [unit for unit in state[attack.assigning].home if not unit.bowed]
    if state.at == CAVALRY_SEGMENT:
        units = [unit for unit in units if state.table.cavalry(unit.name)]
    if units and attack.fields:
        return None
    return replace(state, attack=replace(attack, assigned=attack.assigned + 1))


def _next_battle(state: State, log: Log) -> State | None:
    if state.battles_left():
        return None
    return pass_time(state, log, skip=state.at == AFTER_CAVALRY)


def _end_phase(state: State, log: Log) -> State | None:
    seat = state.mover
    if not state.second:
        draw = Step("draw", seat.name, n=max(0, 1 + seat.more), rule="l5r.end.draw")
        return replace(state, second=True).push(draw)
    return None if len(seat.hand) > seat.most else pass_time(state, log)


def _wait(state: State, log: Log) -> None:
    return None


TIMES: dict[object, Callable[[State, Log], State | None]] = {
    STRAIGHTEN: _straighten,
    EVENTS: _events,
    ACTION: _round,
    AFTER_ACTION: _wait,
    DECLARATION: _declaration,
    INFANTRY: _maneuvers,
    CAVALRY_SEGMENT: _maneuvers,
    AFTER_CAVALRY: _next_battle,
    AFTER_BATTLE: _next_battle,
    COMBAT: _round,
    DYNASTY: _wait,
    END: _end_phase,
}
"""What happens at each time once nothing waits for it; None where somebody must choose."""


# -- actions ---------------------------------------------------------------------------------------


def play(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state after a legal action, and what happened."""
    log: Log = []
    state = ACTIONS[action.verb](state, action, log)
    return run(state, log), tuple(log)


def _pass(state: State, action: Action, log: Log) -> State:
    if state.stack:
        step = state.stack[-1]
        assert step.round is not None
        log.append(Event("passed", step.round.player))
        return pop(state).push(replace(step, round=step.round.after("passed")))
    assert state.round is not None
    log.append(Event("passed", state.round.player))
    return replace(state, round=state.round.after("passed"))


def _use(state: State, action: Action, log: Log) -> State:
    (name,) = action.items
    if state.stack:
        step = state.stack[-1]
        if step.round is not None:
            return react(state, step.round.player, name, log)
        state, ability = use(pop(state), step.player, name, log)
        return begin(state, step.player, name, ability.effect)
    assert state.round is not None
    player = state.round.player
    state, ability = use(state, player, name, log)
    return begin(state, player, name, ability.effect, opportunity=True)


def _decline(state: State, action: Action, log: Log) -> State:
    step, state = state.stack[-1], pop(state)
    log.append(Event("declined", step.player, (step.name,)))
    if step.do == "additional" and state.round is not None:
        state = replace(state, round=state.round.after("declined"))
    return state


def _resolve(state: State, action: Action, log: Log) -> State:
    if state.stack:
        step = state.stack[-1]
        return begin(pop(state), step.player, step.name, step.effect)
    waiting = state.waiting()
    assert waiting is not None
    return announce(state, next(t for t in waiting.triggers if t.name == action.items[0]), log)


def _deal_with(state: State, action: Action, log: Log) -> State:
    for i, cards in enumerate(state.mover.provinces):
        for card in cards:
            if card.mark == "" and card.name == action.items[0]:
                return deal(state, i, card, log)
    raise AssertionError(action)


def _attack(state: State, action: Action, log: Log) -> State:
    return declare(state, Attack(state.mover.name, action.items[0]), log)


def _no_attack(state: State, action: Action, log: Log) -> State:
    return pass_time(state, log, skip=True)


def _assign(state: State, action: Action, log: Log) -> State:
    attack = state.attack
    assert attack is not None
    assert attack.fields is not None
    player, fields, home = attack.assigning, list(attack.fields), list(state[attack.assigning].home)
    log.append(Event("assigned", player, action.items))
    side = "attacking" if attack.assigned == 0 else "defending"
    for province, units in arrangement(action).items():
        i = attack.places.index(province)
        pieces = [Piece(name) for name in units]
        for piece in pieces:
            home.remove(piece)
        fields[i] = replace(fields[i], **{side: tuple(sorted((*getattr(fields[i], side), *pieces)))})
    attack = replace(attack, fields=tuple(fields), assigned=attack.assigned + 1)
    return replace(state.with_seat(player, home=tuple(home)), attack=attack)


def _fight_at(state: State, action: Action, log: Log) -> State:
    attack = state.attack
    assert attack is not None
    log.append(Event("engaged", attack.attacker, action.items))
    state = replace(state, attack=replace(attack, at=int(action.items[0]) - 1))
    return pass_time(state, log, again=state.at == AFTER_BATTLE)


def _bring(state: State, action: Action, log: Log) -> State:
    return _out(state, action.items[0], "l5r.dynasty.bring", log)


def _discard(state: State, action: Action, log: Log) -> State:
    if state.at == DYNASTY:
        return _out(state, action.items[0], "l5r.dynasty.discard", log)
    seat = state.mover
    log.append(Event("discarded", seat.name, action.items))
    return state.with_seat(seat.name, hand=remove(seat.hand, action.items), discard=add(seat.discard, action.items))


def _out(state: State, name: str, rule: str, log: Log) -> State:
    """A face-up card comes out of its Province; where it lies in several the player says of which."""
    shown = [[card for card in province if card.up and card.name == name] for province in state.mover.provinces]
    places = [i for i, cards in enumerate(shown) if cards]
    if len(places) > 1:
        return state.push(Step("from", state.mover.name, name, rule=rule))
    return OUT[rule](state, places[0], shown[places[0]][0], log)


def _from(state: State, action: Action, log: Log) -> State:
    step, province = state.stack[-1], int(action.items[0]) - 1
    cards = state[step.player].provinces[province]
    card = next(card for card in cards if card.up and card.name == step.name)
    return OUT[step.rule](pop(state), province, card, log)


def _brought(state: State, province: int, card: Laid, log: Log) -> State:
    player, effect = state.mover.name, state.table[card.name].effect
    log.append(Event("brought", player, (card.name,)))
    state = enter(leave(state, player, province, card, effect.refill), player, card.name)
    return apply(state, player, effect, log)


def _discarded(state: State, province: int, card: Laid, log: Log) -> State:
    seat, effect = state.mover, state.table[card.name].on_discard
    log.append(Event("discarded", seat.name, (card.name,)))
    state = replace(state.with_seat(seat.name, discard=add(seat.discard, (card.name,))), second=True)
    return apply(leave(state, seat.name, province, card, effect.refill), seat.name, effect, log)


OUT: dict[str, Callable[[State, int, Laid, Log], State]] = {
    "l5r.dynasty.bring": _brought,
    "l5r.dynasty.discard": _discarded,
}
"""How a card comes out of a Province in the Dynasty Phase, by the rule that lets it."""


def _end(state: State, action: Action, log: Log) -> State:
    return pass_time(state, log)


def _draw(state: State, action: Action, log: Log) -> State:
    return drawn(state, action.items, log)


def _fill(state: State, action: Action, log: Log) -> State:
    return filled(state, action.items, log)


def _first(state: State, action: Action, log: Log) -> State:
    return first(state, action.items[0], log)


ACTIONS: dict[str, Callable[[State, Action, Log], State]] = {
    "pass": _pass,
    "use": _use,
    "decline": _decline,
    "resolve": _resolve,
    "deal with": _deal_with,
    "attack": _attack,
    "no attack": _no_attack,
    "assign": _assign,
    "fight at": _fight_at,
    "bring": _bring,
    "discard": _discard,
    "from": _from,
    "end": _end,
    "draw": _draw,
    "fill": _fill,
    "first": _first,
}
"""What each action does."""
