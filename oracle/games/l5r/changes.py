"""What each reading changes in the loaded modules of the game: see `readings.py` for what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from msgspec.structs import replace

from oracle.game import Action, Decision, Event, Reason
from oracle.games.l5r.calendar import (
    ACTION,
    AFTER_BATTLE,
    AFTER_CAVALRY,
    AFTER_TURN,
    BEFORE_ATTACK,
    BEFORE_GAME,
    BEFORE_TURN,
    COMBAT,
    INFANTRY,
)
from oracle.games.l5r.state import Piece, State, Step
from oracle.timing import Attribution, Moment, Round, Trigger, Waiting, by_class, by_owner

Change = Callable[[SimpleNamespace], None]


def instead(code: SimpleNamespace, name: str, clause: Callable[..., Any]) -> None:
    """Puts another clause in the place of one, under the same rules."""
    known = code.rules.GUARDS._rule
    known[clause] = known[getattr(code.rules, name)]
    setattr(code.rules, name, clause)


def clause(name: str, says: Callable[..., Any]) -> Change:
    """A change of what one clause says, and of nothing else."""
    return lambda code: instead(code, name, says)


def everywhere(code: SimpleNamespace, name: str, value: Any) -> None:
    """Another value for a name in every module that knows it."""
    for module in vars(code).values():
        if hasattr(module, name):
            setattr(module, name, value)


def all_of(*changes: Change) -> Change:
    """Several changes."""

    def change(code: SimpleNamespace) -> None:
        for each in changes:
            each(code)

    return change


# -- action rounds ---------------------------------------------------------------------------------


class Remembering(Round, frozen=True):
    """A round that remembers who has passed."""

    gone: tuple[str, ...] = ()


class Sticky(Remembering, frozen=True):
    """A round that goes past whoever has passed once."""

    @property
    def passed(self) -> tuple[str, ...]:
        return self.gone

    @property
    def ended(self) -> bool:
        return len(self.gone) >= len(self.order)

    def after(self, did: Any) -> Round:
        if did in ("cancelled", "declined"):
            return self
        gone = (*self.gone, self.player) if did == "passed" else self.gone
        n = len(self.order)
        places = ((self.turn + i) % n for i in range(1, n + 1))
        turn = next((place for place in places if self.order[place] not in gone), self.turn)
        return replace(self, turn=turn, gone=gone)

    def at(self, player: str, passed: Any = ()) -> Round:
        return replace(self, turn=self.order.index(player), gone=tuple(passed))


class Flagged(Remembering, frozen=True):
    """A round that ends when everybody's last opportunity was a pass."""

    @property
    def ended(self) -> bool:
        return set(self.order) <= set(self.gone)

    def after(self, did: Any) -> Round:
        moved = super().after(did)
        if did in ("cancelled", "declined"):
            return moved
        others = tuple(player for player in self.gone if player != self.player)
        return replace(moved, gone=(*others, self.player) if did == "passed" else others)

    def at(self, player: str, passed: Any = ()) -> Round:
        return replace(super().at(player, passed), gone=tuple(passed))


class CancelledCounts(Round, frozen=True):
    """A round in which a cancelled action was an opportunity like any other."""

    def after(self, did: Any) -> Round:
        return super().after("acted" if did == "cancelled" else did)


class DeclinedIsPass(Round, frozen=True):
    """A round in which an additional action that is declined counts as a pass."""

    def after(self, did: Any) -> Round:
        return replace(self, passes=self.passes + 1) if did == "declined" else super().after(did)


def rounds(kind: type[Round]) -> Change:
    """Rounds of another kind."""
    return lambda code: everywhere(code, "Round", kind)


def counting(name: str, says: Callable[..., Any]) -> Change:
    """Another way to count the passes of a round."""
    return lambda code: setattr(code.rounds, name, says)


def begins(who: Callable[[State], str], takes: tuple[str, ...] = ("Battle",), at: Moment = COMBAT) -> Change:
    """Rounds of a phase or segment begin with another player, and all may take these kinds of action."""

    def change(code: SimpleNamespace) -> None:
        shipped = code.state.begun

        def begun(state: State) -> Any:
            return code.state.action_round(state, who(state), {}, takes) if state.at == at else shipped(state)

        everywhere(code, "begun", begun)

    return change


def reactions_begin(who: Callable[[State], str]) -> Change:
    """Rounds of Reactions begin with another player."""

    def change(code: SimpleNamespace) -> None:
        shipped = code.effects.action_round
        code.effects.action_round = lambda state, player, *takes: shipped(state, who(state), *takes)

    return change


def actor(state: State) -> str:
    """Whose ability or trigger is about to happen; the active player where it has happened."""
    steps = [step for step in state.stack if step.do == "carry out"]
    return steps[-1].player if steps else state.mover.name


def defender(state: State) -> str:
    """The Defender in a battle, else the active player."""
    return state.attack.defender if state.attack is not None and state.at == COMBAT else state.mover.name


# -- triggers and moments --------------------------------------------------------------------------


def turned(*pairs: tuple[Moment, Moment]) -> Change:
    """What waits for either moment of a pair happens at the other one."""
    other = {one: two for pair in pairs for one, two in (pair, pair[::-1])}

    def change(code: SimpleNamespace) -> None:
        read, shown = code.given.triggers, code.state._trigger

        def moved(trigger: Trigger[Any]) -> Trigger[Any]:
            return replace(trigger, moment=other.get(trigger.moment, trigger.moment))

        code.given.triggers = lambda *about: tuple(map(moved, read(*about)))
        code.state._trigger = lambda trigger: shown(moved(trigger))

    return change


def counted_late(code: SimpleNamespace) -> None:
    """The moment before a turn counts to the turn that has ended."""
    _counted(code, lambda before, after: before == BEFORE_TURN)


def counted_early(code: SimpleNamespace) -> None:
    """The moment after a turn counts to the coming one."""
    _counted(code, lambda before, after: after == AFTER_TURN or before == BEFORE_GAME)


def _counted(code: SimpleNamespace, begins: Callable[[Moment, Moment], bool]) -> None:
    """Turns are counted, and what is once a turn begins anew, as time passes on from one moment to another."""
    shipped, renew = code.flow.pass_time, code.flow._next_turn
    code.flow.TURNS = Attribution(BEFORE_GAME)  # where time never passes on to: the shipped code counts nothing

    def pass_time(state: State, *about: Any, **how: Any) -> State:
        after: State = shipped(state, *about, **how)
        if after.over:
            return after
        if state.at == AFTER_TURN:
            after = replace(after, active=renew(after).active)
        if not begins(state.at, after.at):
            return after
        if not any(seat.turns for seat in after.seats):
            return after.with_seat(after.mover.name, turns=1)
        renewed = renew(after)
        following = renewed.mover.name if after.at == AFTER_TURN else after.mover.name
        counted: State = replace(renewed, active=after.active)
        return counted.with_seat(following, turns=counted[following].turns + 1)

    code.flow.pass_time = pass_time


def ordered(policy: Any) -> Change:
    """Another policy for what waits at one moment."""

    def change(code: SimpleNamespace) -> None:
        code.state.by_class = policy

        def judged(state: State, player: str | None, action: Action) -> Iterator[Reason]:
            waiting = state.waiting()
            assert waiting is not None
            names = [trigger.name for trigger in waiting.triggers]
            fact = f"{waiting.chooser} orders: {', '.join(names)}"
            yield Reason("l5r.ruling.active-orders", player == waiting.chooser, fact)
            named = action.items in [(name,) for name in names]
            yield Reason("l5r.resolve.first", action.verb == "resolve" and named, fact)

        code.verdicts._order = judged

    return change


def each_owner(due: Sequence[Trigger[Any]], order: Sequence[str]) -> Waiting[Any] | None:
    """Class after class, each owner orders the own triggers, in turn order."""
    first = by_class(due, order)
    return by_owner(first.triggers, order) if first else None


def no_classes(due: Sequence[Trigger[Any]], order: Sequence[str]) -> Waiting[Any] | None:
    """The active player orders all, whatever class they are of."""
    return Waiting(order[0], tuple(due)) if due else None


def any_turn(code: SimpleNamespace) -> None:
    """A trigger that waits for a turn of one player's happens in anybody's."""

    def next_up(agenda: Any, moment: Moment, order: Any, policy: Any) -> Any:
        return policy([trigger for trigger in agenda if trigger.moment == moment and trigger.live], order)

    code.state.next_up = next_up
    at = code.verdicts.waiting_at
    code.verdicts.waiting_at = lambda agenda, moment, player: at(
        [replace(trigger, turn_of=None) for trigger in agenda], moment, player
    )


def looked_at_once(code: SimpleNamespace) -> None:
    """Conditions are looked at when the moment begins: what waits for it is not changed by what happens at it."""
    apply = code.effects.apply

    def applied(state: State, *about: Any) -> State:
        after: State = apply(state, *about)
        pairs = zip(state.agenda, after.agenda, strict=True)
        return replace(after, agenda=tuple(old if old.moment == state.at else new for old, new in pairs))

    everywhere(code, "apply", applied)


def active_declines(code: SimpleNamespace) -> None:
    """Whoever orders the triggers also says whether an optional one happens."""
    moves, judged = code.moves._under_way, code.verdicts.UNDER_WAY["may"]

    def asked(state: State, step: Step) -> Step:
        return replace(step, player=state.mover.name) if step.do == "may" else step

    code.moves._under_way = lambda state, step: moves(state, asked(state, step))
    code.verdicts.UNDER_WAY["may"] = lambda *about: judged(*about[:3], asked(about[0], about[3]))


# -- phases ----------------------------------------------------------------------------------------


def everything_straightens(code: SimpleNamespace) -> None:
    """No card's own text keeps it bowed."""
    everywhere(code, "stays_bowed", lambda seat, name: False)


def mirrored(state: State) -> State:
    """The active player's Provinces from right to left."""
    return state.with_seat(state.mover.name, provinces=state.mover.provinces[::-1])


def rightmost_first(code: SimpleNamespace) -> None:
    """The Events Phase goes through the Provinces from the right."""
    events, deal, province, judged = code.flow._events, code.flow.deal, code.moves._province, code.verdicts._deal

    def run(state: State, log: list[Event]) -> State | None:
        """The shipped code on the mirrored Provinces; the Province it is about is the other one."""
        after: State | None = events(mirrored(state), log)
        if after is None:
            return None
        last = len(state.mover.provinces) - 1
        steps = after.stack[len(state.stack) :]
        moved = tuple(replace(step, n=last - step.n) if step.do == "deal on" else step for step in steps)
        return mirrored(replace(after, stack=(*state.stack, *moved)))

    def chosen(state: State, action: Action, log: list[Event]) -> State:
        last = len(state.mover.provinces) - 1
        now = next(i for i in range(last, -1, -1) if any(not card.mark for card in state.mover.provinces[i]))
        named = next(c for c in state.mover.provinces[now] if not c.mark and c.name == action.items[0])
        dealt: State = deal(state, now, named, log)
        return dealt

    code.flow.TIMES[code.flow.EVENTS] = run
    code.flow.ACTIONS["deal with"] = chosen
    code.moves._province = lambda state: province(mirrored(state))
    code.verdicts._deal = lambda state, player, action: judged(mirrored(state), player, action)


def always_revealed(code: SimpleNamespace) -> None:
    """A card that was face-up already is revealed as well."""
    deal = code.flow.deal

    def dealt(state: State, province: int, card: Any, log: list[Event]) -> State:
        after: State = deal(state, province, card, log)
        if card.up:
            log.append(Event("revealed", state.mover.name, (card.name,)))
            after = code.effects.offer(after, ("reveal",))
        return after

    code.flow.deal = dealt


def only_turned_up(code: SimpleNamespace) -> None:
    """A card that was face-up already is not dealt with."""
    deal = code.flow.deal

    def dealt(state: State, province: int, card: Any, log: list[Event]) -> State:
        if not card.up:
            after: State = deal(state, province, card, log)
            return after
        cards = code.flow.marked(state.mover.provinces[province], card, "dealt")
        passed_over: State = code.flow.lay(state, state.mover.name, province, cards)
        return passed_over

    code.flow.deal = dealt


def turned_up(code: SimpleNamespace) -> None:
    """A card that refills a Province in the Events Phase is dealt with at once, also a face-down one."""
    filled = code.effects.filled

    def fill(state: State, cards: Any, log: list[Event]) -> State:
        *below, step = state.stack
        step = replace(step, up=step.up or bool(step.name))
        done: State = filled(replace(state, stack=(*below, step)), cards, log)
        return done

    everywhere(code, "filled", fill)


def dealt_into_play(code: SimpleNamespace) -> None:
    """Holdings and Personalities come into play in the Events Phase."""
    deal_on = code.effects.STEPS["deal on"]

    def dealt(state: State, step: Step, log: list[Event]) -> State:
        cards = state[step.player].provinces[step.n]
        card = next((card for card in cards if card.name == step.name and card.mark == "new"), None)
        if card is None or state.table[step.name].type not in ("Holding", "Personality"):
            after: State = deal_on(state, step, log)
            return after
        left = code.effects.leave(code.effects.pop(state), step.player, step.n, card, "")
        entered: State = code.effects.enter(left, step.player, step.name)
        return entered

    code.effects.STEPS["deal on"] = dealt


def also_those_out(code: SimpleNamespace) -> None:
    """An effect on each player does not skip those who have lost."""
    _each(code, lambda state: (*state.seats[state.active :], *state.seats[: state.active]))


def from_the_first_seat(code: SimpleNamespace) -> None:
    """An effect on each player begins with the first seat, whoever is active."""
    _each(code, lambda state: tuple(seat for seat in state.seats if not seat.out))


def _each(code: SimpleNamespace, seats: Callable[[State], Any]) -> None:
    apply = code.effects.apply

    def applied(state: State, player: str, effect: Any, log: list[Event]) -> State:
        if effect.each is None:
            after: State = apply(state, player, effect, log)
            return after
        done: State = apply(state, player, replace(effect, each=None), log)
        return done.push(*(Step("each", seat.name, effect=effect.each) for seat in seats(state)))

    everywhere(code, "apply", applied)


def bring_after_discard(code: SimpleNamespace) -> None:
    """Cards are brought into play after a discard too."""
    instead(code, "before_discards", lambda discarded: True)
    dynasty = code.moves._dynasty
    code.moves._dynasty = lambda state: dynasty(replace(state, second=False))


def discard_below(code: SimpleNamespace) -> None:
    """The hand has to be smaller than the maximum."""
    instead(code, "above_maximum", lambda held, most: held >= most)
    shipped = code.flow.TIMES[code.flow.END]

    def end_phase(state: State, log: list[Event]) -> State | None:
        if state.second and state.mover.hand and len(state.mover.hand) == state.mover.most:
            return None
        after: State | None = shipped(state, log)
        return after

    code.flow.TIMES[code.flow.END] = end_phase


def draw_last(code: SimpleNamespace) -> None:
    """The card is drawn after the discard."""
    shipped = code.flow.TIMES[code.flow.END]

    def end_phase(state: State, log: list[Event]) -> State | None:
        if not state.second:
            above = len(state.mover.hand) > state.mover.most
            drawing: State | None = None if above else shipped(state, log)
            return drawing
        passed: State = code.flow.pass_time(state, log)
        return passed

    code.flow.TIMES[code.flow.END] = end_phase


def late_draws(code: SimpleNamespace) -> None:
    """One card is drawn before the discard, and what is added to that after it."""
    shipped = code.flow.TIMES[code.flow.END]

    def end_phase(state: State, log: list[Event]) -> State | None:
        more = max(0, state.mover.more)
        player = state.mover.name
        if not state.second:
            begun: State = shipped(state.with_seat(player, more=state.mover.more - more), log)
            return begun.with_seat(player, more=state.mover.more)
        after: State | None = shipped(state, log)
        return after.push(Step("draw", player, n=more, rule="l5r.end.draw")) if after is not None and more else after

    code.flow.TIMES[code.flow.END] = end_phase


def honor_wins_at_once(code: SimpleNamespace) -> None:
    """Family Honor at the level that wins does so at any time."""
    apply = code.effects.apply

    def applied(state: State, player: str, effect: Any, log: list[Event]) -> State:
        after: State = apply(state, player, effect, log)
        if effect.honor and not after.over and after[player].honor >= after.table.win.honor:
            after = code.effects.win(after, player, "l5r.param.honor", log)
        return after

    everywhere(code, "apply", applied)


# -- the attack ------------------------------------------------------------------------------------


def at_home(state: State, of: Callable[[Any], bool]) -> State:
    """The state with only some units of whoever assigns."""
    attack = state.attack
    if attack is None:
        return state
    return state.with_seat(attack.assigning, home=tuple(filter(of, state[attack.assigning].home)))


def assigned_otherwise(who: Callable[[State, Any], bool], rule: str) -> Change:
    """Only some of the units may be assigned, by a further test that is filed under a rule."""

    def change(code: SimpleNamespace) -> None:
        moves, judged, shipped = code.moves._attack, code.verdicts._assign, code.flow._maneuvers

        def only(state: State) -> State:
            return at_home(state, lambda unit: who(state, unit))

        def verdict(state: State, player: str | None, action: Action) -> Iterator[Reason]:
            yield from judged(state, player, action)
            if action.verb == "assign":
                names = [item.rpartition(" to ")[0] for item in action.items]
                fit = all(who(state, Piece(name)) for name in names if name in state.table)
                yield Reason(rule, fit, f"{', '.join(names) or 'nobody'} in this segment")

        def maneuvers(state: State, log: list[Event]) -> State | None:
            attack = state.attack
            assert attack is not None
            if attack.assigned < 2 and shipped(only(state), log) is not None:
                return replace(state, attack=replace(attack, assigned=attack.assigned + 1))
            after: State | None = shipped(state, log)
            return after

        code.moves._attack = lambda state: moves(only(state) if state.at in code.moves.MANEUVERS else state)
        code.verdicts._assign = verdict
        for moment in code.moves.MANEUVERS:
            code.flow.TIMES[moment] = maneuvers

    return change


def no_cavalry_yet(state: State, unit: Any) -> bool:
    """Cavalry units wait for their own segment."""
    return not (state.at == INFANTRY and state.table.cavalry(unit.name))


def any_unit_rides(code: SimpleNamespace) -> None:
    """All units may assign in the Cavalry Maneuvers Segment."""
    for module in (code.flow, code.moves):
        module.CAVALRY_SEGMENT = None
    instead(code, "is_cavalry", lambda cavalry: True)


def bowed_units_assign(code: SimpleNamespace) -> None:
    """Bowed units may be assigned as well; they stay bowed."""
    instead(code, "unbowed", lambda wanted, there, ready: True)
    moves, shipped, assign = code.moves._attack, code.flow._maneuvers, code.flow.ACTIONS["assign"]

    def upright(state: State) -> State:
        attack = state.attack
        if attack is None or state.at not in code.moves.MANEUVERS:
            return state
        home = tuple(sorted(Piece(unit.name) for unit in state[attack.assigning].home))
        return state.with_seat(attack.assigning, home=home)

    def maneuvers(state: State, log: list[Event]) -> State | None:
        after: State | None = shipped(upright(state), log)
        if after is None or state.attack is None:
            return None
        return after.with_seat(state.attack.assigning, home=state[state.attack.assigning].home)

    def assigned(state: State, action: Action, log: list[Event]) -> State:
        attack = state.attack
        assert attack is not None
        player, home = attack.assigning, list(state[attack.assigning].home)
        after: State = assign(upright(state), action, log)
        bowed = []
        for item in action.items:
            name = item.rpartition(" to ")[0]
            unit = Piece(name) if Piece(name) in home else Piece(name, True)
            home.remove(unit)
            bowed += [name] if unit.bowed else []
        side = "attacking" if attack.assigned == 0 else "defending"
        assert after.attack is not None
        fields = []
        for field in after.attack.fields or ():
            units = list(getattr(field, side))
            for name in [name for name in bowed if Piece(name) in units]:
                units[units.index(Piece(name))] = Piece(name, True)
                bowed.remove(name)
            fields.append(replace(field, **{side: tuple(sorted(units))}))
        moved = replace(after, attack=replace(after.attack, fields=tuple(fields)))
        return moved.with_seat(player, home=tuple(home))

    code.moves._attack = lambda state: moves(upright(state))
    code.flow.ACTIONS["assign"] = assigned
    for moment in code.moves.MANEUVERS:
        code.flow.TIMES[moment] = maneuvers


def battles_from_the_left(code: SimpleNamespace) -> None:
    """The battles are fought in the order of the Provinces."""
    judged = code.verdicts._choose_field

    def verdict(state: State, player: str | None, action: Action) -> Iterator[Reason]:
        yield from judged(state, player, action)
        assert state.attack is not None
        next_ = str(state.attack.left[0] + 1)
        if action.verb == "fight at":
            yield Reason("l5r.attack.choose", action.items == (next_,), f"the next battlefield is {next_}")

    code.verdicts._choose_field = verdict
    _offers(code, lambda state, single: single[:1])


def battles_declined(code: SimpleNamespace) -> None:
    """The Attacker may pass instead of choosing another battlefield, which ends the attack."""
    judged, passed = code.verdicts._choose_field, code.flow.ACTIONS["pass"]

    def verdict(state: State, player: str | None, action: Action) -> Iterator[Reason]:
        if action.verb != "pass":
            yield from judged(state, player, action)
            return
        assert state.attack is not None
        attacker = state.attack.attacker
        yield Reason("l5r.attack.choose", player == attacker, f"{attacker} may leave the other battles")

    def ends(state: State, action: Action, log: list[Event]) -> State:
        if state.stack or not state.battles_left():
            after: State = passed(state, action, log)
            return after
        done: State = code.flow.pass_time(state, log, skip=state.at == AFTER_CAVALRY)
        return done

    code.verdicts._choose_field = verdict
    code.flow.ACTIONS["pass"] = ends
    _offers(code, lambda state, single: [*single, Action("pass")])


def _offers(code: SimpleNamespace, change: Callable[[State, list[Action]], list[Action]]) -> None:
    """Other choices among battlefields."""
    moves = code.moves._attack

    def offer(state: State) -> Decision:
        asked: Decision = moves(state)
        if state.at in code.moves.MANEUVERS:
            return asked
        return replace(asked, legal=type(asked.legal)(tuple(change(state, list(asked.legal.single)))))

    code.moves._attack = offer


def empty_fields_skipped(code: SimpleNamespace) -> None:
    """No battle is fought where there is no unit."""
    shipped = code.flow.TIMES[AFTER_CAVALRY]

    def next_battle(state: State, log: list[Event]) -> State | None:
        attack = state.attack
        if attack is not None and attack.fields is not None:
            fields = tuple(
                replace(field, fought=field.fought or not (field.attacking or field.defending))
                for field in attack.fields
            )
            if fields != attack.fields:
                return replace(state, attack=replace(attack, fields=fields))
        after: State | None = shipped(state, log)
        return after

    for moment in (AFTER_CAVALRY, AFTER_BATTLE):
        code.flow.TIMES[moment] = next_battle


def barred_by_declaring_only(code: SimpleNamespace) -> None:
    """Who may not declare attacks may still create one by an effect."""
    usable, ready, use, create = code.moves._usable, code.effects.ready, code.verdicts._use, code.effects.STEPS

    def free(state: State) -> State:
        return replace(state, barred=())

    created = create["create attack"]

    def creates(state: State, step: Step, log: list[Event]) -> State:
        return replace(created(free(state), step, log), barred=state.barred)

    code.moves._usable = lambda state, *about: usable(free(state), *about)
    code.effects.ready = lambda state, *about: ready(free(state), *about)
    code.verdicts._use = lambda state, *about: use(free(state), *about)
    create["create attack"] = creates


def units_needed(code: SimpleNamespace) -> None:
    """An attack is declared only by a player with a unit that could take part."""
    moves, judged = code.moves.decision, code.verdicts._offer

    def able(state: State) -> bool:
        return any(not unit.bowed for unit in state.mover.home)

    def decision(state: State) -> Decision | None:
        if state.at == code.moves.AFTER_ACTION and not state.stack and not state.waiting() and not able(state):
            state = replace(state, barred=(*state.barred, state.mover.name))
        asked: Decision | None = moves(state)
        return asked

    def verdict(state: State, player: str | None, action: Action) -> Iterator[Reason]:
        yield from judged(state, player, action)
        if action.verb == "attack":
            yield Reason("l5r.ruling.no-units", able(state), f"{state.mover.name} has an unbowed unit, or none")

    code.moves.decision, code.verdicts._offer = decision, verdict


# -- abilities -------------------------------------------------------------------------------------


def ability_any_number(code: SimpleNamespace) -> None:
    """An ability may be used as often as one likes."""
    instead(code, "still_unused", lambda used: True)
    _unasked(code, lambda ability: replace(ability, used=False))


def of_bowed_cards(code: SimpleNamespace) -> None:
    """An ability of a bowed card may be used."""
    instead(code, "card_ready", lambda of_card, unbowed: True)
    _unasked(code, lambda ability: replace(ability, card=""))


def _unasked(code: SimpleNamespace, seen: Callable[[Any], Any]) -> None:
    """Something about an ability is not looked at."""
    usable, ready = code.moves._usable, code.effects.ready
    code.moves._usable = lambda state, player, ability: usable(state, player, seen(ability))
    code.effects.ready = lambda state, player, ability: ready(state, player, seen(ability))


def limited_for_all(code: SimpleNamespace) -> None:
    """All players take Limited actions in the Action Phase."""
    instead(code, "others_take", lambda type_: type_ in ("Limited", "Open"))
    begins(lambda state: state.mover.name, ("Limited", "Open"), ACTION)(code)


BEFORE_STRAIGHTEN, BEFORE_DECLARATION, BEFORE_BATTLE = (
    Moment("before", name) for name in ("straighten phase", "declaration segment", "battle")
)
AFTER_COMBAT = Moment("after", "combat segment")
OUTER_AND_INNER = ((BEFORE_TURN, BEFORE_STRAIGHTEN), (BEFORE_ATTACK, BEFORE_DECLARATION))
"""Moments before a larger unit, and before the first one in it."""
