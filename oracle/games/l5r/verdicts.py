"""The verdict on an action: the clauses of `rules.py` that bear on it, each with the fact that it was decided by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from oracle.game import Action, Reason, Verdict
from oracle.games.l5r import rules
from oracle.games.l5r.assignments import split
from oracle.games.l5r.calendar import (
    ACTION,
    AFTER_ACTION,
    CALENDAR,
    CAVALRY_SEGMENT,
    COMBAT,
    DYNASTY,
    END,
    EVENTS,
    MANEUVERS,
    TURNS,
)
from oracle.games.l5r.state import Ability, Attack, Piece, State, Step
from oracle.timing import at as waiting_at

_reason = rules.GUARDS.reason


def judge(state: State, player: str | None, action: Action) -> Verdict:
    """The verdict on a player's action, with every clause that bears on it."""
    return Verdict(player, action, tuple(_reasons(state, player, action)))


def _reasons(state: State, player: str | None, action: Action) -> Iterator[Reason]:
    yield _reason(rules.still_playing, "the game is over" if state.over else "the game goes on", state.over)
    if state.over:
        return
    if any(seat.out for seat in state.seats if seat.name == player):
        yield _reason(rules.plays_on, f"{player} has lost", True)
    n = len(action.items)
    about = (0, 0) if action.verb in BARE else (0, n) if action.verb in MANY else (1, 1)
    yield _reason(rules.is_written, f"things that {action.verb!r} names: {n}", n, *about, len(action.rest))
    if state.stack:
        yield from UNDER_WAY[state.stack[-1].do](state, player, action, state.stack[-1])
    elif state.waiting():
        yield from _order(state, player, action)
    else:
        yield from _time(state)(state, player, action)


BARE, MANY = ("pass", "decline", "no attack"), ("assign", "draw")
"""Actions about nothing, and about any number of things; all others are about one."""


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _only(action: Action) -> str:
    return action.items[0] if len(action.items) == 1 else ""


Judge = Callable[[State, str | None, Action], Iterator[Reason]]


def _time(state: State) -> Judge:
    """What is judged at a time when nothing is under way and nothing waits."""
    if state.at in MANEUVERS:
        return _assign
    if state.battles_left():
        return _choose_field
    return {ACTION: _round, COMBAT: _round, AFTER_ACTION: _offer, EVENTS: _deal, DYNASTY: _dynasty, END: _end}[state.at]


def _elsewhere(state: State, player: str | None, action: Action) -> Iterator[Reason]:
    """Why an action is not one of this time: the rule that says when it is taken."""
    now = f"it is {state.at}"
    match action.verb:
        case "use":
            ability = _ability(state, player, _only(action))
            if ability is not None:
                combat = state.at == COMBAT
                if ability.type == "Reaction":
                    yield _reason(rules.answers, f"{ability.to} has not just happened", ability.type, False, True)
                elif ability.type == "Battle":
                    yield _reason(rules.for_combat, now, ability.type, combat)
            yield Reason("l5r.action.round", False, f"{now}, no action round")
        case "pass":
            yield Reason(
                "l5r.attack.once" if state.battles_left() else "l5r.action.round", False, f"{now}, no action round"
            )
        case "resolve":
            yield from _waits(state, _only(action))
        case "assign" if state.attack is not None:
            yield Reason("l5r.attack.sequence", False, f"{now}, no maneuvers segment")
            yield from _leader(state, player, state.attack)
            yield from _units(state, player, action, state.attack, cavalry=True)
        case "attack":
            yield _reason(rules.creates, f"{now}; the attack is offered after the Action Phase", None, state.mover.name)
        case "no attack":
            created = state.attack is not None and not state.attack.optional
            declared = "l5r.attack.effect" if created else "l5r.attack.once" if state.attack else "l5r.attack.optional"
            yield Reason(declared, False, now)
        case "discard":
            yield from (Reason(rule, False, now) for rule in DISCARDS)
        case _:
            yield Reason(HOMES.get(action.verb, "l5r.turn.sequence"), False, now)


HOMES = {
    "decline": "l5r.additional",
    "deal with": "l5r.events.order",
    "assign": "l5r.attack.sequence",
    "fight at": "l5r.attack.choose",
    "bring": "l5r.dynasty.bring",
    "from": "l5r.dynasty.bring",
    "end": "l5r.turn.sequence",
    "draw": "l5r.end.draw",
    "fill": "l5r.start.e",
    "first": "l5r.start.tie",
}
"""The rule that says when an action of each kind is taken."""


DISCARDS = ("l5r.dynasty.discard", "l5r.end.discard", "l5r.end.exactly", "l5r.ruling.active-discards")
"""The rules by which cards are discarded: in two phases, by the active player, from the hand no more than needed."""


# -- triggers --------------------------------------------------------------------------------------


def _order(state: State, player: str | None, action: Action) -> Iterator[Reason]:
    chooser, name = state.order()[0], _only(action)
    yield _reason(
        rules.chooses, f"{chooser} orders what waits {state.at}", player, chooser, under="l5r.ruling.active-orders"
    )
    yield _reason(rules.asked_for, f"something waits {state.at}", action.verb, ("resolve",))
    if action.verb == "use":
        ability = _ability(state, player, name)
        if ability is not None and ability.to in state.happened:
            fact = f"something waits {state.at}"
            yield _reason(rules.asked_for, fact, action.verb, ("resolve",), under="l5r.ruling.reactions-last")
    if action.verb == "decline":
        yield _reason(rules.may_decline, "what waits happens", False, under="l5r.ruling.compulsory")
    if action.verb != "resolve":
        return
    due = waiting_at(state.due, state.at, state.mover.name)
    first = min(trigger.rank for trigger in due if trigger.live)
    named = [trigger for trigger in due if trigger.name == name]
    for trigger in sorted(named, key=lambda t: (not t.live, t.rank))[:1]:
        yield _reason(rules.condition_met, f"{name}: its condition is {_true(trigger.live)}", trigger.live)
        yield _reason(rules.of_first_class, f"{name} is of class {'ABC'[trigger.rank]}", trigger.rank, first)
    if not named:
        yield from _waits(state, name)
    yield _reason(rules.may_be_next, f"waiting: {_list(t.name for t in due)}", name, tuple(t.name for t in due))


def _true(value: bool) -> str:
    return "true" if value else "not true"


def _waits(state: State, name: str) -> Iterator[Reason]:
    """Why a trigger is not next at this moment: by the order of moments it comes later, or for another turn."""
    trigger = next((trigger for trigger in state.agenda if trigger.name == name), None)
    if trigger is None:
        yield Reason("l5r.ruling.active-orders", False, f"no {name or 'nothing'} is waiting")
        return
    fact = f"{name} waits for {trigger.moment}; it is {state.at}"
    if any(outer.at == trigger.moment for outer in state.interrupted):
        yield Reason("l5r.resolve.first", False, f"{name} waits until the Attack Phase created meanwhile is over")
    if trigger.effect.turns:
        yield Reason(
            "l5r.turn.unit", False, f"{name} waits for {trigger.effect.turns} more of {trigger.turn_of}'s turns"
        )
    elif trigger.turn_of not in (None, state.mover.name):
        yield Reason("l5r.turn.own", False, f"{name} waits for a turn of {trigger.turn_of}'s")
    elif not trigger.live:
        yield _reason(rules.condition_met, f"{name}: its condition is not true", trigger.live)
    rules_ = CALENDAR.why(state.at, trigger.moment) or (TURNS.rule,)
    yield from (Reason(rule, False, fact) for rule in rules_)


# -- rounds ----------------------------------------------------------------------------------------


def _ability(state: State, player: str | None, name: str) -> Ability | None:
    return next((seat.ability(name) for seat in state.seats if seat.name == player), None)


def _use(state: State, player: str | None, ability: Ability) -> Iterator[Reason]:
    """What every use of an ability needs."""
    yield _reason(rules.still_unused, f"{ability.name} is {'used' if ability.used else 'unused'}", ability.used)
    if ability.card:
        ready = Piece(ability.card) in state.in_play(player) if player else False
        fact = f"{ability.card} is {'unbowed' if ready else 'bowed or not in play'}"
        yield _reason(rules.card_ready, fact, True, ready)
    if ability.effect.attack:
        barred = player in state.barred
        yield _reason(rules.may_attack, f"{player} {'may not' if barred else 'may'} declare attacks", barred)


def _round(state: State, player: str | None, action: Action) -> Iterator[Reason]:
    round, combat = state.round, state.at == COMBAT
    assert round is not None
    rule = "l5r.combat.round" if combat else "l5r.action.round"
    yield _reason(rules.has_opportunity, f"it is {round.player}'s opportunity", player, round.player, under=rule)
    if combat and round.turn == 0:
        yield _reason(rules.begins, f"{round.player} is the Defender", player, round.player)
    ability = _ability(state, player, _only(action))
    if action.verb == "pass":
        yield _reason(rules.may_pass, f"{player} may pass")
    elif action.verb != "use":
        yield from _elsewhere(state, player, action)
    elif ability is None:
        yield _reason(rules.has_ability, f"{player} has no ability {_only(action)!r}", False, under=rule)
    else:
        yield from _use(state, player, ability)
        fact = f"{ability.name} is {ability.type}"
        if ability.type == "Reaction":
            yield _reason(rules.answers, f"{ability.to} has not just happened", ability.type, False, True)
        if combat or ability.type == "Battle":
            yield _reason(rules.for_combat, f"{fact}; it is {state.at}", ability.type, combat)
        if not combat:
            yield _reason(rules.active_takes if player == state.mover.name else rules.others_take, fact, ability.type)


def _reactions(state: State, player: str | None, action: Action, step: Step) -> Iterator[Reason]:
    round = step.round
    assert round is not None
    now, rule = f"it is {round.player}'s opportunity to react", "l5r.reaction.round"
    yield _reason(rules.has_opportunity, now, player, round.player, under=rule)
    if round.turn == 0:
        fact = f"{round.player} is the active player"
        yield _reason(rules.begins, fact, player, round.player, under="l5r.ruling.reaction-first")
    yield _reason(rules.asked_for, f"Reactions to {_list(step.names)} are asked for", action.verb, ("pass", "use"))
    ability = _ability(state, player, _only(action))
    if action.verb == "use" and ability is None:
        yield _reason(rules.has_ability, f"{player} has no ability {_only(action)!r}", False, under=rule)
    elif action.verb == "use" and ability is not None:
        yield from _use(state, player, ability)
        fact = f"{ability.name} is {ability.type} to {ability.to or 'nothing'}"
        in_time = ability.effect.cancel == step.cancelling
        yield _reason(rules.answers, fact, ability.type, ability.to in step.names, in_time)


def _additional(state: State, player: str | None, action: Action, step: Step) -> Iterator[Reason]:
    fact, rule = f"{step.player} may take an additional {step.name} action", "l5r.additional"
    yield _reason(rules.chooses, fact, player, step.player, under=rule)
    yield _reason(rules.asked_for, fact, action.verb, ("use", "decline"), under=rule)
    ability = _ability(state, player, _only(action))
    if action.verb == "use" and ability is None:
        yield _reason(rules.has_ability, f"{player} has no ability {_only(action)!r}", False, under=rule)
    elif action.verb == "use" and ability is not None:
        yield from _use(state, player, ability)
        yield _reason(rules.of_granted_type, f"{ability.name} is {ability.type}", ability.type, step.name)


def _may(state: State, player: str | None, action: Action, step: Step) -> Iterator[Reason]:
    fact = f"{step.player} says whether {step.name} happens"
    yield _reason(rules.chooses, fact, player, step.player, under="l5r.ruling.owner-declines")
    yield _reason(rules.asked_for, fact, action.verb, ("resolve", "decline"))
    if action.verb == "resolve":
        yield _reason(rules.may_be_next, fact, _only(action), (step.name,))
    elif action.verb == "decline":
        yield _reason(rules.may_decline, f"{step.name} is optional", True)


# -- the attack ------------------------------------------------------------------------------------


def _offer(state: State, player: str | None, action: Action) -> Iterator[Reason]:
    active = state.mover.name
    fact = f"{active} may create an Attack Phase"
    if action.verb not in ("attack", "no attack"):
        yield _reason(rules.chooses, fact, player, active)
        yield from _elsewhere(state, player, action)
        return
    yield _reason(rules.creates, fact, player, active)
    if action.verb == "attack":
        barred, other = active in state.barred, _only(action)
        playing = any(seat.name == other and not seat.out for seat in state.seats)
        yield _reason(rules.may_attack, f"{active} {'may not' if barred else 'may'} declare attacks", barred)
        yield _reason(rules.is_other, f"{active} attacks {other or 'nobody'}", other, active, playing)


def _leader(state: State, player: str | None, attack: Attack) -> Iterator[Reason]:
    fact = f"{attack.attacker} attacks {attack.defender}"
    yield _reason(rules.is_leader, fact, player, attack.attacker, attack.defender)


def _assign(state: State, player: str | None, action: Action) -> Iterator[Reason]:
    attack = state.attack
    assert attack is not None
    cavalry = state.at == CAVALRY_SEGMENT
    rule = "l5r.attack.cavalry" if cavalry else "l5r.attack.infantry"
    if action.verb != "assign":
        yield _reason(rules.chooses, f"{attack.assigning} assigns", player, attack.assigning)
        yield from _elsewhere(state, player, action)
        return
    yield _reason(rules.has_step, f"{attack.assigning} assigns", player, attack.assigning, under=rule)
    yield from _leader(state, player, attack)
    yield from _units(state, player, action, attack, cavalry)


def _units(state: State, player: str | None, action: Action, attack: Attack, cavalry: bool) -> Iterator[Reason]:
    home = next((seat.home for seat in state.seats if seat.name == player), ())
    for name, wanted in Counter(split(each)[0] for each in action.items).items():
        there = sum(1 for unit in home if unit.name == name)
        ready = sum(1 for unit in home if unit == Piece(name))
        fact = f"{name}: {there} at home, {ready} of them unbowed"
        yield _reason(rules.at_home, fact, there)
        yield _reason(rules.to_one_field, fact, wanted, there)
        yield _reason(rules.unbowed, fact, wanted, there, ready)
        if cavalry and name in state.table:
            yield _reason(rules.is_cavalry, f"{name} is of the Cavalry or not", state.table.cavalry(name))
    for each in action.items:
        fact = f"battlefields: {_list(str(i + 1) for i in attack.places)}"
        yield _reason(rules.exists, fact, split(each)[1], attack.places)


def _choose_field(state: State, player: str | None, action: Action) -> Iterator[Reason]:
    attack = state.attack
    assert attack is not None
    fact = f"{attack.attacker} chooses the next battlefield"
    yield _reason(rules.chooses, fact, player, attack.attacker, under="l5r.attack.choose")
    if action.verb != "fight at":
        yield from _elsewhere(state, player, action)
        return
    names = {str(i + 1): i for i in attack.places}
    index = names.get(_only(action), -1)
    yield _reason(rules.exists, f"battlefields: {_list(names)}", index, attack.places)
    if index >= 0:
        fought = index not in attack.left
        fact = f"battlefield {index + 1}: {'fought' if fought else 'not yet fought'}"
        yield _reason(rules.not_fought, fact, fought)


# -- Provinces and hands ---------------------------------------------------------------------------


def _deal(state: State, player: str | None, action: Action) -> Iterator[Reason]:
    active, name = state.mover.name, _only(action)
    yield _reason(rules.chooses, f"{active} deals with the cards of a Province", player, active)
    if action.verb != "deal with":
        yield _reason(rules.asked_for, "a card of a Province is to be dealt with", action.verb, ("deal with",))
        return
    provinces = [[card.name for card in province if card.mark == ""] for province in state.mover.provinces]
    now = next(i for i, names in enumerate(provinces) if names)
    fact = f"Province {now + 1}: {_list(provinces[now])}"
    for rule in ("l5r.events.order", "l5r.events.several"):
        yield _reason(rules.in_this_province, fact, name, tuple(provinces[now]), under=rule)


def _faced(state: State, name: str, rule: str) -> Reason:
    up = [card.name for province in state.mover.provinces for card in province if card.up]
    return _reason(rules.shown, f"face-up in {state.mover.name}'s Provinces: {_list(up)}", up.count(name), under=rule)


def _dynasty(state: State, player: str | None, action: Action) -> Iterator[Reason]:
    active, name = state.mover.name, _only(action)
    yield _reason(rules.chooses, f"it is {active}'s Dynasty Phase", player, active)
    match action.verb:
        case "bring":
            yield _faced(state, name, "l5r.dynasty.bring")
            type_ = state.table[name].type if name in state.table else "no card of this game"
            yield _reason(rules.comes_into_play, f"{name or 'nothing'} is a {type_}", type_)
            discarded = "a card has" if state.second else "no card has"
            yield _reason(rules.before_discards, f"{discarded} been discarded in this phase", state.second)
        case "discard":
            yield _reason(rules.chooses, f"{active} discards", player, active, under="l5r.ruling.active-discards")
            yield _faced(state, name, "l5r.dynasty.discard")
        case "end":
            yield Reason("l5r.turn.sequence", name == state.at.unit, f"it is {state.at}")
            yield _reason(rules.may_end, "nothing in it is compulsory")
        case _:
            yield from _elsewhere(state, player, action)


def _from(state: State, player: str | None, action: Action, step: Step) -> Iterator[Reason]:
    fact = f"{step.player} says which Province {step.name} leaves"
    yield _reason(rules.chooses, fact, player, step.player)
    yield _reason(rules.asked_for, fact, action.verb, ("from",))
    if action.verb == "from":
        named = [cards for i, cards in enumerate(state.mover.provinces, 1) if str(i) == _only(action)]
        up = [card.name for cards in named for card in cards if card.up]
        fact = f"face-up in Province {_only(action)}: {_list(up)}"
        yield _reason(rules.shown, fact, up.count(step.name), under=step.rule)


def _end(state: State, player: str | None, action: Action) -> Iterator[Reason]:
    seat = state.mover
    yield _reason(rules.chooses, f"{seat.name} discards", player, seat.name, under="l5r.ruling.active-discards")
    if action.verb != "discard":
        yield Reason("l5r.end.discard", False, f"{seat.name} is to discard a card")
        yield from _elsewhere(state, player, action)
        return
    fact = f"{len(seat.hand)} cards in hand, at most {seat.most}"
    yield _reason(rules.above_maximum, fact, len(seat.hand), seat.most)
    yield _reason(rules.in_hand, f"hand: {_list(seat.hand)}", seat.hand.count(_only(action)))


# -- chance ----------------------------------------------------------------------------------------


def _chance(state: State, player: str | None, action: Action, step: Step) -> Iterator[Reason]:
    yield _reason(rules.chooses, "chance decides", player, None)
    yield _reason(rules.asked_for, f"chance is to decide: {step.do}", action.verb, (step.do,))
    if action.verb != step.do:
        yield Reason(step.rule, False, f"{step.do} is to be decided")
        return
    if step.do == "first":
        fact = f"the highest Family Honor: {_list(step.names)}"
        yield _reason(rules.is_tied, fact, _only(action), step.names)
        return
    seat = state[step.player]
    deck, n = (seat.dynasty, 1) if step.do == "fill" else (seat.fate, step.n)
    fact = f"{n} from the top of {seat.name}'s deck"
    yield _reason(rules.may_come, fact, deck, tuple(sorted(action.items)), n, under=step.rule)


UNDER_WAY: dict[str, Callable[[State, str | None, Action, Step], Iterator[Reason]]] = {
    "reactions": _reactions,
    "additional": _additional,
    "may": _may,
    "from": _from,
    "draw": _chance,
    "fill": _chance,
    "first": _chance,
}
"""The verdict while something is under way."""
