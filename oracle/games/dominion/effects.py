"""What actions and cards do: the state after, and the events.

Everything under way lies on `State.stack`. `run` carries out steps and lets game time pass until
somebody must choose. A step is automatic (`DO`), a chance (`draw`, `turn up`) or a choice (`ASK`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from oracle.game import Action, Event
from oracle.games.dominion.cards import Plain
from oracle.games.dominion.state import ACTION, BUY, CLEAN_UP, NIGHT, Effect, State, Step
from oracle.timing import Trigger, without
from oracle.zones import Bag, add, put_on, put_under, remove, size, take, top

Log = list[Event]
Do = Callable[[State, Step, Log], State]
Take = Callable[[State, Step, Bag, Log], State]

CHANCE = ("draw", "turn up")


class Ask(NamedTuple):
    """A choice: whether there is anything to choose, what the choice does, and what happens if there is not."""

    arises: Callable[[State, Step], bool]
    take: Take
    otherwise: Do


DO: dict[str, Do] = {}
ASK: dict[str, Ask] = {}


def does(name: str) -> Callable[[Do], Do]:
    """Registers an automatic step."""

    def register(function: Do) -> Do:
        DO[name] = function
        return function

    return register


def _nothing(state: State, step: Step, log: Log) -> State:
    return state


def asks(name: str, arises: Callable[[State, Step], bool], otherwise: Do = _nothing) -> Callable[[Take], Take]:
    """Registers a choice."""

    def register(function: Take) -> Take:
        ASK[name] = Ask(arises, function, otherwise)
        return function

    return register


# -- the engine ----------------------------------------------------------------------------------


def run(state: State, log: Log) -> State:
    """Lets happen what happens without anybody choosing."""
    while not state.over:
        if state.stack:
            step = state.stack[-1]
            if step.do in ASK:
                ask = ASK[step.do]
                if ask.arises(state, step):
                    break
                state = ask.otherwise(_pop(state), step, log)
            elif step.do in CHANCE:
                state = _shuffle(state, step, log)
                first = top(state.seats[step.seat].deck, step.n)
                if not first.forced:
                    break
                state = turned(state, first.only, log)
            else:
                state = DO[step.do](_pop(state), step, log)
            continue
        if state.at in (ACTION, BUY, NIGHT):
            break
        waiting = state.waiting()
        if waiting is None:
            state = _pass_time(state, log)
        elif waiting.forced:
            state = resolve(state, waiting.triggers[0], log)
        else:
            break
    return state


def _pop(state: State) -> State:
    return replace(state, stack=state.stack[:-1])


def _shuffle(state: State, step: Step, log: Log) -> State:
    seat = state.seats[step.seat]
    if size(seat.deck) >= step.n or not seat.discard:
        return state
    log.append(Event("shuffled", seat.name))
    return state.with_seat(step.seat, deck=put_under(seat.deck, seat.discard), discard=())


def turned(state: State, cards: Bag, log: Log) -> State:
    """The chance on top of the stack has come out: these cards leave the deck."""
    step, state = state.stack[-1], _pop(state)
    seat = state.seats[step.seat]
    if cards:
        log.append(Event("drawn" if step.do == "draw" else "turned up", seat.name, cards))
    deck = take(seat.deck, cards)
    if step.then:
        state = state.with_seat(step.seat, deck=deck)
        return state.push(Step(step.then, step.seat, step.card, cards=cards, safe=step.safe))
    return state.with_seat(step.seat, deck=deck, hand=add(seat.hand, cards))


def resolve(state: State, trigger: Trigger[Effect], log: Log) -> State:
    """Carries out a waiting trigger."""
    seat = state.order().index(trigger.owner)
    seat = (state.turn + seat) % len(state.seats)
    log.append(Event("resolved", trigger.owner, (trigger.name,)))
    return _plain(replace(state, agenda=without(state.agenda, trigger)), seat, trigger.name, trigger.effect.plain)


def _plain(state: State, seat: int, card: str, plain: Plain) -> State:
    state = replace(
        state,
        actions=state.actions + plain.actions,
        buys=state.buys + plain.buys,
        coins=state.coins + plain.coins,
    )
    return state.push(Step("draw", seat, card, n=plain.cards)) if plain.cards else state


# -- the course of a turn ------------------------------------------------------------------------


def begin_turn(state: State, seat: int, log: Log) -> State:
    """A player's turn begins: 1 Action, 1 Buy, nothing carried over."""
    log.append(Event("turn began", state.seats[seat].name))
    fresh = replace(
        state, turn=seat, at=state.calendar.first, actions=1, buys=1, coins=0, bought=0, merchants=0, silvers=0
    )
    return fresh.with_seat(seat, turns=state.seats[seat].turns + 1)


@does("begin")
def _begin(state: State, step: Step, log: Log) -> State:
    return begin_turn(state, step.seat, log)


def _pass_time(state: State, log: Log) -> State:
    following = state.calendar.following(state.at)
    if state.at == CLEAN_UP and following:
        return replace(_clean_up(state, log), at=following)
    while following and following.edge != "during" and not state.agenda:
        following = state.calendar.following(following)
    if following is not None:
        return replace(state, at=following)
    log.append(Event("turn ended", state.mover.name))
    if game_ends(state):
        log.append(Event("game ended"))
        return replace(state, over=True)
    return begin_turn(state, (state.turn + 1) % len(state.seats), log)


def _clean_up(state: State, log: Log) -> State:
    for i, seat in enumerate(state.seats):
        stays = staying(state, seat.name)
        gone = remove(seat.play, stays)
        if i == state.turn:
            gone += seat.hand
            state = state.with_seat(i, hand=())
        state = discard(state.with_seat(i, play=stays), add((), gone), i, log)
    return state.push(Step("draw", state.turn, n=5))


def staying(state: State, player: str) -> Bag:
    """The player's cards in play that still have something to do, and those that replayed them."""
    kept = {label: card for t in state.agenda if t.owner == player for label, card in t.effect.keeps}
    return add((), kept.values())


def game_ends(state: State) -> bool:
    """Whether the game is over if a turn ends now: no Province left, or three piles empty (four from 5 players on)."""
    return state.left("Province") == 0 or state.supply.count(0) >= (3 if len(state.seats) <= 4 else 4)


# -- actions -------------------------------------------------------------------------------------


def play(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state after a legal action, and what happened."""
    log: Log = []
    if state.stack:
        step = state.stack[-1]
        if step.do in CHANCE:
            state = turned(state, action.items, log)
        else:
            state = ASK[step.do].take(_pop(state), step, _answer(action), log)
    elif action.verb == "resolve":
        waiting = state.waiting()
        assert waiting is not None
        state = resolve(state, next(t for t in waiting.triggers if t.name == action.items[0]), log)
    elif action.verb == "end":
        state = _pass_time(state, log)
    elif action.verb == "buy":
        state = _buy(state, action.items[0], log)
    else:
        if state.at == ACTION:
            state = replace(state, actions=state.actions - 1)
        state = _play_from_hand(state, state.turn, action.items[0], log)
    return run(state, log), tuple(log)


def _answer(action: Action) -> Bag:
    return () if action.verb == "keep" else action.items


def _buy(state: State, card: str, log: Log) -> State:
    log.append(Event("bought", state.mover.name, (card,)))
    state = replace(state, buys=state.buys - 1, coins=state.coins - state.table[card].cost, bought=state.bought + 1)
    return gain(state, state.turn, card, log)


def gain(state: State, seat: int, card: str, log: Log, to: str = "discard") -> State:
    """Moves a card from its pile to a player's discard pile, hand or deck; nothing if the pile is empty."""
    if not state.left(card):
        return state
    pile = state.table.piles.index(card)
    supply = (*state.supply[:pile], state.supply[pile] - 1, *state.supply[pile + 1 :])
    who = state.seats[seat]
    log.append(Event("gained", who.name, (card,), "" if to == "discard" else f"to {to}"))
    state = replace(state, supply=supply)
    if to == "deck":
        return state.with_seat(seat, deck=put_on(who.deck, (card,)))
    if to == "hand":
        return state.with_seat(seat, hand=add(who.hand, (card,)))
    return state.with_seat(seat, discard=add(who.discard, (card,)))


def trash(state: State, cards: Bag, seat: int, log: Log) -> State:
    """Puts cards, already taken from where they were, into the trash."""
    if not cards:
        return state
    log.append(Event("trashed", state.seats[seat].name, cards))
    return replace(state, trash=add(state.trash, cards))


def discard(state: State, cards: Bag, seat: int, log: Log) -> State:
    """Puts cards, already taken from where they were, on the player's discard pile."""
    if not cards:
        return state
    log.append(Event("discarded", state.seats[seat].name, cards))
    return state.with_seat(seat, discard=add(state.seats[seat].discard, cards))


def topdeck(state: State, cards: Bag, seat: int, log: Log) -> State:
    """Puts cards, already taken from where they were, on the player's deck; the last one is the top."""
    if not cards:
        return state
    log.append(Event("put on deck", state.seats[seat].name, cards))
    return state.with_seat(seat, deck=put_on(state.seats[seat].deck, cards))


def from_hand(state: State, seat: int, cards: Bag) -> State:
    """The state without cards of a player's hand."""
    return state.with_seat(seat, hand=remove(state.seats[seat].hand, cards))


def _play_from_hand(state: State, seat: int, card: str, log: Log) -> State:
    state = from_hand(state, seat, (card,))
    return put_in_play(state, seat, card, log)


def put_in_play(state: State, seat: int, card: str, log: Log) -> State:
    """Plays a card that has just left where it was."""
    state = state.with_seat(seat, play=add(state.seats[seat].play, (card,)))
    return play_card(state, seat, card, next_label(state), (), log)


def play_card(state: State, seat: int, card: str, label: int, by: Bag, log: Log) -> State:
    """A card in play is played: reactions first, then its text.

    `label` tells the card from its like while it is in play; `by` is the label of the card that replays it.
    """
    log.append(Event("played", state.seats[seat].name, (card,)))
    reactions = [Step("moat", other, card) for other in state.others(seat)] if "Attack" in state.table[card] else []
    return state.push(*reactions, Step("text", seat, card, label, by))


def next_label(state: State) -> int:
    """A number that no card has that is kept in play or being played."""
    used = [int(label) for trigger in state.agenda for label, _ in trigger.effect.keeps]
    used += [step.n for step in state.stack if step.do in ("text", "play again", "throne room")]
    return 1 + max(used, default=0)


@does("text")
def _text(state: State, step: Step, log: Log) -> State:
    card = state.table[step.card]
    owner = state.seats[step.seat].name
    replayed = tuple((label, "Throne Room") for label in step.cards)
    keeps = ((str(step.n), card.name), *replayed) if "Duration" in card else ()
    for later in card.later:
        turn_of = owner if str(later.at) == "before turn" else None
        if turn_of or state.calendar.comes(later.at, after=state.at):
            trigger = Trigger(owner, later.at, card.name, Effect(later.plain, keeps), turn_of)
            state = replace(state, agenda=(*state.agenda, trigger))
    state = state.push(*(Step(name, step.seat, step.card, step.n, safe=step.safe) for name in card.does))
    return _plain(state, step.seat, step.card, card.plain)


@does("play again")
def _play_again(state: State, step: Step, log: Log) -> State:
    return play_card(state, step.seat, step.card, step.n, step.cards, log)
