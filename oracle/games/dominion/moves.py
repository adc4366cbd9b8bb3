"""The generator: who must choose, and every legal action, built from the position.

Written apart from the guards in `rules.py`, each from the rule's text; tests hold one against the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import permutations
from typing import NamedTuple

from oracle.game import Action, Decision, Kind, LegalActions, Selection
from oracle.games.dominion.cards import rule_of
from oracle.games.dominion.effects import ASK, CHANCE
from oracle.games.dominion.state import ACTION, BUY, NIGHT, State, Step
from oracle.zones import Bag, top

END = {phase: Action("end", (phase.unit,)) for phase in (ACTION, BUY, NIGHT)}


def decision(state: State) -> Decision | None:
    """What must be decided now; None when the game is over."""
    if state.over:
        return None
    if not state.stack:
        return _turn_decision(state)
    step = state.stack[-1]
    seat = state.seats[step.seat]
    if step.do in CHANCE:
        first = top(seat.deck, step.n)
        drawn = Selection(step.do, first.unsure, first.take, first.take, first.sure)
        n = len(first.sure) + first.take
        about = f"{seat.name} {'draws' if step.do == 'draw' else 'turns up'} {n} card{'s' if n > 1 else ''}"
        return Decision(None, "chance", about, LegalActions((), (drawn,)), ("dom.draw.top",), seat.name)
    assert step.do in ASK
    choice = CHOICES[step.do](state, step)
    about = f"{step.card}: {choice.about}"
    rules: tuple[str, ...] = (rule_of("Moat" if step.do == "moat" else step.card),)
    if step.seat != state.turn and len(state.seats) > 2:
        rules = ("dom.order.turn-order", *rules)
    return Decision(seat.name, choice.kind, about, choice.legal, rules)


# -- a player's own turn -------------------------------------------------------------------------


def _turn_decision(state: State) -> Decision:
    player, hand = state.mover.name, state.mover.hand
    match state.at:
        case at if at == ACTION:
            cards = _of_type(state, hand, "Action") if state.actions > 0 else ()
            legal = [END[at], *(Action("play", (card,)) for card in cards)]
            rules = ("dom.turn.phases", "dom.action.play")
            return Decision(player, "action", "Action phase", LegalActions(legal), rules)
        case at if at == BUY:
            cards = () if state.bought else _of_type(state, hand, "Treasure")
            plays = (Action("play", (card,)) for card in cards)
            buys = (Action("buy", (pile,)) for pile in _affordable(state, state.coins)) if state.buys > 0 else ()
            legal = [END[at], *plays, *buys]
            return Decision(player, "action", "Buy phase", LegalActions(legal), ("dom.turn.phases", "dom.buy.optional"))
        case at if at == NIGHT:
            legal = [END[at], *(Action("play", (card,)) for card in _of_type(state, hand, "Night"))]
            return Decision(player, "action", "Night phase", LegalActions(legal), ("dom.night.play",))
    waiting = state.waiting()
    assert waiting is not None
    names = sorted({trigger.name for trigger in waiting.triggers})
    resolves = LegalActions([Action("resolve", (name,)) for name in names])
    rules = ("dom.order.own", "dom.order.turn-order")
    return Decision(waiting.chooser, "order", f"Triggers {state.at}", resolves, rules)


def _of_type(state: State, cards: Iterable[str], type_: str) -> tuple[str, ...]:
    known = state.table.cards
    return tuple([card for card in dict.fromkeys(cards) if type_ in known[card].types])


def _affordable(state: State, coins: int) -> tuple[str, ...]:
    table = state.table
    offers = zip(table.piles, table.prices, state.supply, strict=True)
    return tuple([pile for pile, price, left in offers if left > 0 and price <= coins])


# -- choices inside cards ------------------------------------------------------------------------


class Choice(NamedTuple):
    """What a step offers."""

    about: str
    legal: LegalActions
    kind: Kind = "choice"


def _select(about: str, verb: str, pool: Bag, low: int, high: int) -> Choice:
    return Choice(about, LegalActions((), (Selection(verb, pool, low, min(high, len(pool))),)))


def _one(about: str, verb: str, cards: Iterable[str], may: bool = False) -> Choice:
    none = [Action(verb)] if may else []
    return Choice(about, LegalActions([*none, *(Action(verb, (card,)) for card in dict.fromkeys(cards))]))


def _hand(state: State, step: Step) -> Bag:
    return state.seats[step.seat].hand


def _may(state: State) -> int:
    """How few cards a choice may take that the first edition made compulsory."""
    return 1 if state.edition == "2008" else 0


def _cellar(state: State, step: Step) -> Choice:
    hand = _hand(state, step)
    return _select("discard any number", "discard", hand, 0, len(hand))


def _chapel(state: State, step: Step) -> Choice:
    return _select("trash up to 4", "trash", _hand(state, step), 0, 4)


def _moat(state: State, step: Step) -> Choice:
    return _one("reveal Moat?", "reveal", ("Moat",), may=True)


def _harbinger(state: State, step: Step) -> Choice:
    return _one("put a discarded card on the deck?", "topdeck", state.seats[step.seat].discard, may=True)


def _vassal(state: State, step: Step) -> Choice:
    return _one("play the discarded Action?", "play", step.cards, may=True)


def _gain(state: State, step: Step) -> Choice:
    match step.card:
        case "Workshop":
            return _one("gain a card costing up to 4", "gain", _affordable(state, 4))
        case "Artisan":
            return _one("gain a card costing up to 5 to hand", "gain", _affordable(state, 5))
    price = state.table[step.cards[0]].cost
    if step.card == "Remodel":
        return _one(f"gain a card costing up to {price + 2}", "gain", _affordable(state, price + 2))
    treasures = _of_type(state, _affordable(state, price + 3), "Treasure")
    return _one(f"gain a Treasure costing up to {price + 3} to hand", "gain", treasures)


def _artisan(state: State, step: Step) -> Choice:
    return _one("put a card on the deck", "topdeck", _hand(state, step))


def _bureaucrat(state: State, step: Step) -> Choice:
    return _one("put a Victory card on the deck", "topdeck", _of_type(state, _hand(state, step), "Victory"))


def _militia(state: State, step: Step) -> Choice:
    n = len(_hand(state, step)) - 3
    return _select(f"discard {n}", "discard", _hand(state, step), n, n)


def _moneylender(state: State, step: Step) -> Choice:
    return _select("trash a Copper", "trash", ("Copper",), _may(state), 1)


def _poacher(state: State, step: Step) -> Choice:
    n = min(state.supply.count(0), len(_hand(state, step)))
    return _select(f"discard {n}", "discard", _hand(state, step), n, n)


def _remodel(state: State, step: Step) -> Choice:
    return _select("trash a card", "trash", _hand(state, step), 1, 1)


def _throne_room(state: State, step: Step) -> Choice:
    return _one("play an Action twice", "play", _of_type(state, _hand(state, step), "Action"), may=not _may(state))


def _bandit(state: State, step: Step) -> Choice:
    loot = tuple(card for card in _of_type(state, step.cards, "Treasure") if card != "Copper")
    return _select("trash a revealed Treasure", "trash", loot, 1, 1)


def _library(state: State, step: Step) -> Choice:
    card = step.cards
    return Choice("keep or set aside", LegalActions([Action("keep", card), Action("set aside", card)]))


def _mine(state: State, step: Step) -> Choice:
    treasures = tuple(card for card in _hand(state, step) if "Treasure" in state.table[card])
    return _select("trash a Treasure", "trash", treasures, _may(state), 1)


def _sentry_trash(state: State, step: Step) -> Choice:
    return _select("trash any of the two", "trash", step.cards, 0, 2)


def _sentry_discard(state: State, step: Step) -> Choice:
    return _select("discard any of the rest", "discard", step.cards, 0, 2)


def _put_back(state: State, step: Step) -> Choice:
    orders = dict.fromkeys(permutations(step.cards))
    return Choice("put back, top first", LegalActions([Action("put back", cards) for cards in orders]), "order")


CHOICES: dict[str, Callable[[State, Step], Choice]] = {
    "cellar": _cellar,
    "chapel": _chapel,
    "moat": _moat,
    "harbinger": _harbinger,
    "vassal play": _vassal,
    "gain": _gain,
    "bureaucrat": _bureaucrat,
    "militia": _militia,
    "moneylender": _moneylender,
    "poacher": _poacher,
    "remodel": _remodel,
    "throne room": _throne_room,
    "bandit": _bandit,
    "library card": _library,
    "mine": _mine,
    "sentry trash": _sentry_trash,
    "sentry discard": _sentry_discard,
    "put back": _put_back,
    "topdeck": _artisan,
}
