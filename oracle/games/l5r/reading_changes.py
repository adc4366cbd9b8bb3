"""What each reading changes in the loaded modules of the game: see `readings.py` for what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from msgspec.structs import replace

from oracle.game import Action, Reason
from oracle.games.l5r.calendar import (
    ACTION,
    AFTER_TURN,
    ATTACK_PHASE,
    BATTLE,
    BEFORE_ATTACK,
    BEFORE_GAME,
    BEFORE_TURN,
    COMBAT,
    GAME_TIME,
    ORDERING,
    TURN,
)
from oracle.games.l5r.state import Piece, State, Step
from oracle.proof.variants import instead
from oracle.timing import Attribution, Axiom, Calendar, Moment, Ordering, Round, Trigger, Waiting, by_class, by_owner
from oracle.timing import at as waiting_at

Change = Callable[[SimpleNamespace], None]


def clause(name: str, says: Callable[..., Any]) -> Change:
    """A change of what one clause says, and of nothing else."""
    return lambda code: instead(code.rules, name, says)


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


def reactions_begin(who: Callable[[State, tuple[str, ...]], str]) -> Change:
    """Rounds of Reactions begin with another player; they answer what has one of some names."""

    def change(code: SimpleNamespace) -> None:
        shipped = code.effects.offer

        def offer(state: State, names: tuple[str, ...], *about: Any, **how: Any) -> State:
            after: State = shipped(state, names, *about, **how)
            if len(after.stack) == len(state.stack):
                return after
            *below, step = after.stack
            round = code.effects.action_round(state, who(state, names), {}, ("Reaction",))
            return replace(after, stack=(*below, replace(step, round=round)))

        everywhere(code, "offer", offer)

    return change


def actor(state: State, names: tuple[str, ...]) -> str:
    """Whoever carries out what is answered, or has used it; the active player for what is nobody's."""
    acting = [step.player for step in state.stack if step.do == "carry out" and step.name in names]
    used = [seat.name for seat in state.seats for each in seat.abilities if each.used and each.name in names]
    return next(iter((*acting, *used)), state.mover.name)


def defender(state: State, names: tuple[str, ...]) -> str:
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
        agenda = tuple(code.flow._sooner(trigger, following) for trigger in after.agenda)
        counted: State = replace(renewed, active=after.active, agenda=agenda)
        return counted.with_seat(following, turns=counted[following].turns + 1)

    code.flow.pass_time = pass_time


def engaging_apart(code: SimpleNamespace) -> None:
    """Before a battle and before its Combat Segment are two moments, as with any other units."""
    apart = replace(BATTLE, engages=False)
    attack = replace(ATTACK_PHASE, parts=(*ATTACK_PHASE.parts[:-1], apart))
    turn = replace(TURN, parts=tuple(attack if part == ATTACK_PHASE else part for part in TURN.parts))
    following = Axiom("l5r.seq.after-before-before", "next", ("phase", "segment", "battle"))
    calendar = Calendar(replace(GAME_TIME, parts=(turn,)), Ordering((*ORDERING.axioms, following)))
    everywhere(code, "CALENDAR", calendar)


def ordered(policy: Any) -> Change:
    """Another policy for what waits at one moment."""

    def change(code: SimpleNamespace) -> None:
        def waiting(state: State) -> Waiting[Any] | None:
            due = waiting_at(state.due, state.at, state.mover.name)
            found: Waiting[Any] | None = policy([trigger for trigger in due if trigger.live], state.order())
            return found

        code.state.State.waiting = waiting

        shipped = code.verdicts._order

        def judged(state: State, player: str | None, action: Action) -> Iterator[Reason]:
            chooses, *others = shipped(state, player, action)
            next_ = state.waiting()
            assert next_ is not None
            names = [trigger.name for trigger in next_.triggers]
            fact = f"{next_.chooser} orders: {', '.join(names)}"
            yield Reason(chooses.rule, player == next_.chooser, fact)
            yield from others
            if action.verb == "resolve":
                yield Reason(chooses.rule, action.items in [(name,) for name in names], fact)

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
        before = {replace(trigger, live=True): trigger for trigger in state.agenda if trigger.moment == state.at}
        return replace(after, agenda=tuple(before.get(replace(t, live=True), t) for t in after.agenda))

    everywhere(code, "apply", applied)


def active_declines(code: SimpleNamespace) -> None:
    """Whoever orders the triggers also says whether an optional one happens."""
    moves, judged = code.moves._under_way, code.verdicts.UNDER_WAY["may"]

    def asked(state: State, step: Step) -> Step:
        return replace(step, player=state.mover.name) if step.do == "may" else step

    code.moves._under_way = lambda state, step: moves(state, asked(state, step))
    code.verdicts.UNDER_WAY["may"] = lambda *about: judged(*about[:3], asked(about[0], about[3]))


# -- abilities -------------------------------------------------------------------------------------


def ability_any_number(code: SimpleNamespace) -> None:
    """An ability may be used as often as one likes."""
    usable, ready = code.moves._usable, code.effects.ready
    instead(code.rules, "still_unused", lambda used: True)
    code.moves._usable = lambda state, player, ability: usable(state, player, replace(ability, used=False))
    code.effects.ready = lambda state, player, ability: ready(state, player, replace(ability, used=False))


def of_bowed_cards(code: SimpleNamespace) -> None:
    """An ability of a bowed card in play may be used."""
    usable, ready, use = code.moves._usable, code.effects.ready, code.verdicts._use

    def upright(state: State, player: str) -> State:
        if all(player != seat.name for seat in state.seats):
            return state
        seat = state[player]
        return state.with_seat(player, **{zone: tuple(Piece(p.name) for p in getattr(seat, zone)) for zone in ZONES})

    code.moves._usable = lambda state, player, ability: usable(upright(state, player), player, ability)
    code.effects.ready = lambda state, player, ability: ready(upright(state, player), player, ability)
    code.verdicts._use = lambda state, player, ability: use(upright(state, player), player, ability)


ZONES = ("play", "home")
"""Where cards of a player's lie in play."""


def limited_for_all(code: SimpleNamespace) -> None:
    """All players take Limited actions in the Action Phase."""
    instead(code.rules, "others_take", lambda type_: type_ in ("Limited", "Open"))
    begins(lambda state: state.mover.name, ("Limited", "Open"), ACTION)(code)


BEFORE_STRAIGHTEN, BEFORE_DECLARATION, BEFORE_BATTLE = (
    Moment("before", name) for name in ("straighten phase", "declaration segment", "battle")
)
AFTER_COMBAT = Moment("after", "combat segment")
OUTER_AND_INNER = ((BEFORE_TURN, BEFORE_STRAIGHTEN), (BEFORE_ATTACK, BEFORE_DECLARATION))
"""Moments before a larger unit, and before the first one in it."""
