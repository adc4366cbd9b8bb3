"""The guards of choices inside cards: what may be answered to what a card asks for.

Each clause says whether the cards chosen are what the card's text allows, and the fact that decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from oracle.games.dominion.state import State, Step
from oracle.zones import Bag, holds

Clause = Callable[[State, Step, tuple[str, ...]], tuple[bool, str]]


def listed(cards: Iterable[str]) -> str:
    """Cards, in words."""
    return ", ".join(sorted(cards)) or "none"


def _subset(cards: tuple[str, ...], zone: Bag) -> bool:
    return holds(zone, cards)


def _from_hand(state: State, step: Step, cards: tuple[str, ...]) -> bool:
    return _subset(cards, state.seats[step.seat].hand)


def _has_type(state: State, cards: tuple[str, ...], type_: str) -> bool:
    return all(card in state.table and type_ in state.table[card] for card in cards)


def _old(state: State) -> bool:
    return state.edition == "2008"


def _cellar(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    return _from_hand(state, step, cards), "any number of cards of the hand"


def _chapel(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    return _from_hand(state, step, cards) and len(cards) <= 4, "up to 4 cards of the hand"


def _moat(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    return cards in ((), ("Moat",)) and _from_hand(state, step, cards), "a Moat of the hand may be revealed"


def _harbinger(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    pile = state.seats[step.seat].discard
    return len(cards) <= 1 and _subset(cards, pile), f"the discard pile: {listed(pile)}"


def _vassal(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    ok = not cards or (cards == step.cards and _has_type(state, cards, "Action"))
    return ok, f"the discarded card, {listed(step.cards)}, may be played if it is an Action"


def _gain(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    card = cards[0] if len(cards) == 1 else ""
    match step.card:
        case "Workshop":
            most, kind = 4, "card"
        case "Artisan":
            most, kind = 5, "card"
        case "Remodel":
            most, kind = state.table[step.cards[0]].cost + 2, "card"
        case _:
            most, kind = state.table[step.cards[0]].cost + 3, "Treasure"
    left = state.left(card)
    ok = left > 0 and state.table[card].cost <= most and (kind == "card" or kind in state.table[card])
    cost = f", {card} costs {state.table[card].cost}" if card in state.table else ""
    return ok, f"a {kind} costing up to {most} from the Supply{cost}, {left} left"


def _artisan(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    return len(cards) == 1 and _from_hand(state, step, cards), "a card of the hand"


def _bureaucrat(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    ok = len(cards) == 1 and _from_hand(state, step, cards) and _has_type(state, cards, "Victory")
    return ok, "a Victory card of the hand"


def _militia(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    hand = len(state.seats[step.seat].hand)
    ok = _from_hand(state, step, cards) and hand - len(cards) == 3
    return ok, f"3 of {hand} cards stay in hand"


def _moneylender(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    ok = cards == ("Copper",) or (not cards and not _old(state))
    return ok and _from_hand(state, step, cards), "a Copper of the hand" + ("" if _old(state) else ", or none")


def _poacher(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    empty = sum(1 for left in state.supply if left == 0)
    hand = len(state.seats[step.seat].hand)
    ok = _from_hand(state, step, cards) and len(cards) == (empty if empty < hand else hand)
    return ok, f"{empty} empty Supply piles, {hand} cards in hand"


def _remodel(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    return len(cards) == 1 and _from_hand(state, step, cards), "one card of the hand"


def _throne_room(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    fact = "an Action of the hand" + ("" if _old(state) else ", or none")
    if not cards:
        return not _old(state), fact
    return len(cards) == 1 and _from_hand(state, step, cards) and _has_type(state, cards, "Action"), fact


def _bandit(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    ok = len(cards) == 1 and _subset(cards, step.cards) and _has_type(state, cards, "Treasure")
    return ok and cards != ("Copper",), f"a Treasure other than Copper among {listed(step.cards)}"


def _library(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    return cards == step.cards, f"the Action just drawn, {listed(step.cards)}"


def _mine(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    fact = "a Treasure of the hand" + ("" if _old(state) else ", or none")
    if not cards:
        return not _old(state), fact
    return len(cards) == 1 and _from_hand(state, step, cards) and _has_type(state, cards, "Treasure"), fact


def _looked_at(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    return _subset(cards, step.cards), f"any of {listed(step.cards)}"


def _put_back(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    return sorted(cards) == sorted(step.cards), f"both of {listed(step.cards)}, in any order"


CHOICES: dict[str, tuple[tuple[str, ...], Clause]] = {
    "cellar": (("discard",), _cellar),
    "chapel": (("trash",), _chapel),
    "moat": (("reveal",), _moat),
    "harbinger": (("topdeck",), _harbinger),
    "vassal play": (("play",), _vassal),
    "gain": (("gain",), _gain),
    "bureaucrat": (("topdeck",), _bureaucrat),
    "militia": (("discard",), _militia),
    "moneylender": (("trash",), _moneylender),
    "poacher": (("discard",), _poacher),
    "remodel": (("trash",), _remodel),
    "throne room": (("play",), _throne_room),
    "bandit": (("trash",), _bandit),
    "library card": (("keep", "set aside"), _library),
    "mine": (("trash",), _mine),
    "sentry trash": (("trash",), _looked_at),
    "sentry discard": (("discard",), _looked_at),
    "put back": (("put back",), _put_back),
    "topdeck": (("topdeck",), _artisan),
}
