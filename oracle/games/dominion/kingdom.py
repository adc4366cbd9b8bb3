"""What the kingdom cards' instructions do, in the order of the cards' cost. Registers itself with `effects`."""

from __future__ import annotations

from msgspec.structs import replace

from oracle.game import Event
from oracle.games.dominion.effects import (
    Log,
    asks,
    discard,
    does,
    from_hand,
    gain,
    next_label,
    put_in_play,
    topdeck,
    trash,
)
from oracle.games.dominion.state import State, Step
from oracle.zones import Bag, add, remove, size


def _hand(state: State, step: Step) -> Bag:
    return state.seats[step.seat].hand


def _in_hand(state: State, step: Step, type_: str) -> bool:
    hand = _hand(state, step)
    return any(name in hand for name in state.table.names if type_ in state.table[name])


def _any_hand(state: State, step: Step) -> bool:
    return bool(_hand(state, step))


def _each_other(state: State, step: Step, do: str) -> State:
    return state.push(*(Step(do, other, step.card) for other in state.others(step.seat) if other not in step.safe))


@does("silver")
def _silver(state: State, step: Step, log: Log) -> State:
    first = state.silvers == 0
    return replace(state, silvers=state.silvers + 1, coins=state.coins + (state.merchants if first else 0))


# -- 2 -------------------------------------------------------------------------------------------


@asks("cellar", _any_hand)
def _cellar(state: State, step: Step, cards: Bag, log: Log) -> State:
    state = discard(from_hand(state, step.seat, cards), cards, step.seat, log)
    return state.push(Step("draw", step.seat, step.card, n=len(cards)))


@asks("chapel", _any_hand)
def _chapel(state: State, step: Step, cards: Bag, log: Log) -> State:
    return trash(from_hand(state, step.seat, cards), cards, step.seat, log)


@asks("moat", lambda state, step: "Moat" in _hand(state, step))
def _moat(state: State, step: Step, cards: Bag, log: Log) -> State:
    if not cards:
        return state
    log.append(Event("revealed", state.seats[step.seat].name, cards))
    at = max(i for i, below in enumerate(state.stack) if below.do == "text")
    attack = replace(state.stack[at], safe=(*state.stack[at].safe, step.seat))
    return replace(state, stack=(*state.stack[:at], attack, *state.stack[at + 1 :]))


# -- 3 -------------------------------------------------------------------------------------------


@asks("harbinger", lambda state, step: bool(state.seats[step.seat].discard))
def _harbinger(state: State, step: Step, cards: Bag, log: Log) -> State:
    state = state.with_seat(step.seat, discard=remove(state.seats[step.seat].discard, cards))
    return topdeck(state, cards, step.seat, log)


@does("merchant")
def _merchant(state: State, step: Step, log: Log) -> State:
    return replace(state, merchants=state.merchants + 1)


@does("vassal")
def _vassal(state: State, step: Step, log: Log) -> State:
    return state.push(Step("turn up", step.seat, step.card, n=1, then="vassal discard"))


@does("vassal discard")
def _vassal_discard(state: State, step: Step, log: Log) -> State:
    state = discard(state, step.cards, step.seat, log)
    return state.push(replace(step, do="vassal play"))


@asks("vassal play", lambda state, step: any("Action" in state.table[card] for card in step.cards))
def _vassal_play(state: State, step: Step, cards: Bag, log: Log) -> State:
    if not cards:
        return state
    state = state.with_seat(step.seat, discard=remove(state.seats[step.seat].discard, cards))
    return put_in_play(state, step.seat, cards[0], log)


def _gainable(state: State, step: Step) -> bool:
    price = {"Workshop": 4, "Artisan": 5}.get(step.card, 0)
    if step.card in ("Remodel", "Mine"):
        price = state.table[step.cards[0]].cost + (2 if step.card == "Remodel" else 3)
    return any(
        left and state.table[pile].cost <= price and (step.card != "Mine" or "Treasure" in state.table[pile])
        for pile, left in zip(state.table.piles, state.supply, strict=True)
    )


@asks("gain", _gainable)
def _gain(state: State, step: Step, cards: Bag, log: Log) -> State:
    to = "hand" if step.card in ("Mine", "Artisan") else "discard"
    return gain(state, step.seat, cards[0], log, to)


# -- 4 -------------------------------------------------------------------------------------------


@does("gain silver")
def _gain_silver(state: State, step: Step, log: Log) -> State:
    return gain(state, step.seat, "Silver", log, "deck")


@does("others topdeck")
def _others_topdeck(state: State, step: Step, log: Log) -> State:
    return _each_other(state, step, "bureaucrat")


def _reveal_hand(state: State, step: Step, log: Log) -> State:
    log.append(Event("revealed", state.seats[step.seat].name, _hand(state, step)))
    return state


@asks("bureaucrat", lambda state, step: _in_hand(state, step, "Victory"), _reveal_hand)
def _bureaucrat(state: State, step: Step, cards: Bag, log: Log) -> State:
    log.append(Event("revealed", state.seats[step.seat].name, cards))
    return topdeck(from_hand(state, step.seat, cards), cards, step.seat, log)


@does("others discard")
def _others_discard(state: State, step: Step, log: Log) -> State:
    return _each_other(state, step, "militia")


@asks("militia", lambda state, step: len(_hand(state, step)) > 3)
def _militia(state: State, step: Step, cards: Bag, log: Log) -> State:
    return discard(from_hand(state, step.seat, cards), cards, step.seat, log)


@asks("moneylender", lambda state, step: "Copper" in _hand(state, step))
def _moneylender(state: State, step: Step, cards: Bag, log: Log) -> State:
    state = trash(from_hand(state, step.seat, cards), cards, step.seat, log)
    return replace(state, coins=state.coins + 3) if cards else state


@asks("poacher", lambda state, step: 0 in state.supply and bool(_hand(state, step)))
def _poacher(state: State, step: Step, cards: Bag, log: Log) -> State:
    return discard(from_hand(state, step.seat, cards), cards, step.seat, log)


@asks("remodel", _any_hand)
def _remodel(state: State, step: Step, cards: Bag, log: Log) -> State:
    state = trash(from_hand(state, step.seat, cards), cards, step.seat, log)
    return state.push(Step("gain", step.seat, step.card, cards=cards))


@asks("throne room", lambda state, step: _in_hand(state, step, "Action"))
def _throne_room(state: State, step: Step, cards: Bag, log: Log) -> State:
    if not cards:
        return state
    state = from_hand(state, step.seat, cards)
    state = state.with_seat(step.seat, play=add(state.seats[step.seat].play, cards))
    again = Step(
        "play again", step.seat, cards[0], next_label(replace(state, stack=(*state.stack, step))), (str(step.n),)
    )
    return state.push(again, again)


# -- 5 -------------------------------------------------------------------------------------------


@does("gain gold")
def _gain_gold(state: State, step: Step, log: Log) -> State:
    return gain(state, step.seat, "Gold", log)


@does("others reveal")
def _others_reveal(state: State, step: Step, log: Log) -> State:
    return state.push(
        *(
            Step("turn up", other, step.card, n=2, then="bandit")
            for other in state.others(step.seat)
            if other not in step.safe
        )
    )


def _loot(state: State, step: Step) -> set[str]:
    return {card for card in step.cards if "Treasure" in state.table[card] and card != "Copper"}


def _lose(state: State, step: Step, log: Log) -> State:
    return _bandit(state, step, tuple(_loot(state, step)), log)


@asks("bandit", lambda state, step: len(_loot(state, step)) > 1, _lose)
def _bandit(state: State, step: Step, cards: Bag, log: Log) -> State:
    state = trash(state, cards, step.seat, log)
    return discard(state, remove(step.cards, cards), step.seat, log)


@does("others draw")
def _others_draw(state: State, step: Step, log: Log) -> State:
    return state.push(*(Step("draw", other, step.card, n=1) for other in state.others(step.seat)))


@does("library")
def _library(state: State, step: Step, log: Log) -> State:
    seat = state.seats[step.seat]
    if len(seat.hand) >= 7 or not (size(seat.deck) or seat.discard):
        return discard(state, step.cards, step.seat, log)
    return state.push(Step("draw", step.seat, step.card, n=1, then="library card"), step)


def _keep(state: State, step: Step, log: Log) -> State:
    return state.with_seat(step.seat, hand=add(_hand(state, step), step.cards))


@asks("library card", lambda state, step: any("Action" in state.table[card] for card in step.cards), _keep)
def _library_card(state: State, step: Step, cards: Bag, log: Log) -> State:
    if not cards:
        return _keep(state, step, log)
    log.append(Event("set aside", state.seats[step.seat].name, cards))
    library = state.stack[-1]
    return replace(state, stack=(*state.stack[:-1], replace(library, cards=add(library.cards, cards))))


@asks("mine", lambda state, step: _in_hand(state, step, "Treasure"))
def _mine(state: State, step: Step, cards: Bag, log: Log) -> State:
    if not cards:
        return state
    state = trash(from_hand(state, step.seat, cards), cards, step.seat, log)
    return state.push(Step("gain", step.seat, step.card, cards=cards))


@does("sentry")
def _sentry(state: State, step: Step, log: Log) -> State:
    return state.push(Step("turn up", step.seat, step.card, n=2, then="sentry trash"))


def _looked(state: State, step: Step) -> bool:
    return bool(step.cards)


@asks("sentry trash", _looked)
def _sentry_trash(state: State, step: Step, cards: Bag, log: Log) -> State:
    state = trash(state, cards, step.seat, log)
    return state.push(replace(step, do="sentry discard", cards=remove(step.cards, cards)))


@asks("sentry discard", _looked)
def _sentry_discard(state: State, step: Step, cards: Bag, log: Log) -> State:
    state = discard(state, cards, step.seat, log)
    return state.push(replace(step, do="put back", cards=remove(step.cards, cards)))


def _same(state: State, step: Step, log: Log) -> State:
    return topdeck(state, step.cards, step.seat, log)


@asks("put back", lambda state, step: len(set(step.cards)) > 1, _same)
def _put_back(state: State, step: Step, cards: tuple[str, ...], log: Log) -> State:
    return topdeck(state, cards[::-1], step.seat, log)


@does("others curse")
def _others_curse(state: State, step: Step, log: Log) -> State:
    return _each_other(state, step, "curse")


@does("curse")
def _curse(state: State, step: Step, log: Log) -> State:
    return gain(state, step.seat, "Curse", log)


# -- 6 -------------------------------------------------------------------------------------------


@asks("topdeck", _any_hand)
def _topdeck(state: State, step: Step, cards: Bag, log: Log) -> State:
    return topdeck(from_hand(state, step.seat, cards), cards, step.seat, log)
