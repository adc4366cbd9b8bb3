"""Dominion's text again, in z3: what may be answered to what a card asks."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, NamedTuple

from oracle.games.dominion.theory import Cards, Table, equal, minus, of_type, size, within
from oracle.proof.terms import FALSE, TRUE, Bool, both, either, every, least, no, number, same


class Given(NamedTuple):
    """What a choice refers to: the card that asks, cards looked at, the kind just trashed, the kind chosen."""

    card: str
    looked: Cards = MappingProxyType({})
    trashed: str = ""
    kind: str = ""


Says = Callable[[Table, Any, Cards, Given], Bool]


def rule_of(card: str) -> str:
    """The id of the rule that is a card's text."""
    return f"dom.card.{card.lower().replace(' ', '-')}"


def _one_of(table: Table, cards: Cards, zone: Cards, type_: str) -> Bool:
    """Exactly one card, of the type, out of the zone."""
    fit = of_type(table.view, cards, type_)
    return both(same(size(cards), 1), same(size(fit), 1), within(cards, zone))


def _any_of_hand(table: Table, seat: Any, chosen: Cards, given: Given) -> Bool:
    return within(chosen, table.hand(seat))


def _up_to_four(table: Table, seat: Any, chosen: Cards, given: Given) -> Bool:
    return both(within(chosen, table.hand(seat)), size(chosen) < 5)


def _a_moat(table: Table, seat: Any, chosen: Cards, given: Given) -> Bool:
    moats = chosen.get("Moat", 0)
    return both(same(size(chosen), moats), moats <= least(1, table.hand(seat).get("Moat", 0)))


def _discarded(table: Table, seat: Any, chosen: Cards, given: Given) -> Bool:
    return both(size(chosen) <= 1, within(chosen, table.view.zone("discard", seat)))


def _the_action(table: Table, seat: Any, chosen: Cards, given: Given) -> Bool:
    actions = of_type(table.view, chosen, "Action")
    return either(same(size(chosen), 0), both(equal(chosen, given.looked), equal(chosen, actions)))


def _in_supply(table: Table, card: str, most: Any, type_: str = "") -> Bool:
    view = table.view
    if card not in view.piles:
        return FALSE
    kind = view.kinds[card].types[type_] if type_ else TRUE
    return both(view.supply[card] >= 1, number(view.kinds[card].cost) <= most, kind)


def gainable(table: Table, seat: Any, chosen: Cards, given: Given) -> Bool:
    kinds = table.view.kinds
    match given.card:
        case "Workshop":
            return _in_supply(table, given.kind, 4)
        case "Artisan":
            return _in_supply(table, given.kind, 5)
        case "Remodel":
            return _in_supply(table, given.kind, number(kinds[given.trashed].cost) + 2)
    return _in_supply(table, given.kind, number(kinds[given.trashed].cost) + 3, "Treasure")


def _one_card(table: Table, seat: Any, chosen: Cards, given: Given) -> Bool:
    return both(within(chosen, table.hand(seat)), same(size(chosen), 1))


def _a_victory(table: Table, seat: Any, chosen: Cards, given: Given) -> Bool:
    return _one_of(table, chosen, table.hand(seat), "Victory")


def _down_to_three(table: Table, seat: Any, chosen: Cards, given: Given) -> Bool:
    left = minus(table.hand(seat), chosen)
    return both(same(size(left), 3), every(number(n) >= 0 for n in left.values()))


def _a_copper(table: Table, seat: Any, chosen: Cards, given: Given) -> Bool:
    coppers = chosen.get("Copper", 0)
    none = both(table.may_decline(), same(size(chosen), 0))
    one = both(same(coppers, 1), same(size(chosen), 1), table.hand(seat).get("Copper", 0) >= 1)
    return either(none, one)


def _for_empty_piles(table: Table, seat: Any, chosen: Cards, given: Given) -> Bool:
    hand = table.hand(seat)
    return both(within(chosen, hand), same(size(chosen), least(size(hand), table.empty_piles())))


def _an_action(table: Table, seat: Any, chosen: Cards, given: Given) -> Bool:
    none = both(table.may_decline(), same(size(chosen), 0))
    return either(none, _one_of(table, chosen, table.hand(seat), "Action"))


def _loot(table: Table, seat: Any, chosen: Cards, given: Given) -> Bool:
    return both(_one_of(table, chosen, given.looked, "Treasure"), same(chosen.get("Copper", 0), 0))


def _it(table: Table, seat: Any, chosen: Cards, given: Given) -> Bool:
    return equal(chosen, given.looked)


def _a_treasure(table: Table, seat: Any, chosen: Cards, given: Given) -> Bool:
    none = both(table.may_decline(), same(size(chosen), 0))
    return either(none, _one_of(table, chosen, table.hand(seat), "Treasure"))


def _looked_at(table: Table, seat: Any, chosen: Cards, given: Given) -> Bool:
    return within(chosen, given.looked)


ASKS: dict[str, tuple[tuple[str, ...], Says]] = {
    "cellar": (("discard",), _any_of_hand),
    "chapel": (("trash",), _up_to_four),
    "moat": (("reveal",), _a_moat),
    "harbinger": (("topdeck",), _discarded),
    "vassal play": (("play",), _the_action),
    "gain": (("gain",), gainable),
    "topdeck": (("topdeck",), _one_card),
    "bureaucrat": (("topdeck",), _a_victory),
    "militia": (("discard",), _down_to_three),
    "moneylender": (("trash",), _a_copper),
    "poacher": (("discard",), _for_empty_piles),
    "remodel": (("trash",), _one_card),
    "throne room": (("play",), _an_action),
    "bandit": (("trash",), _loot),
    "library card": (("keep", "set aside"), _it),
    "mine": (("trash",), _a_treasure),
    "sentry trash": (("trash",), _looked_at),
    "sentry discard": (("discard",), _looked_at),
    "put back": (("put back",), _it),
}
"""What each choice of a card is answered with, and what may be answered."""


def may_choose(table: Table, player: Any, seat: Any, do: str, verb: str, chosen: Cards, given: Given) -> Bool:
    """Answering what a card asks: the one it concerns, in the word it asks for, within what it says."""
    word, says = ASKS[do]
    rule = rule_of("Moat" if do == "moat" else given.card)
    return both(
        table.law("dom.end.over", no(table.view.over)),
        table.law("dom.choice.who", same(player, number(seat) + 1)),
        table.law("dom.resolve.first", verb in word),
        table.law(rule, says(table, seat, chosen, given)) if verb in word else TRUE,
    )
