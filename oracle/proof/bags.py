"""`oracle.zones` on symbolic bags: a stand-in for lifting, tested against the real one.

A deck stays a tuple of layers; only what lies in them is symbolic. What takes cards one by one out of
several layers is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any

from oracle import zones
from oracle.proof.symbols import SymBag, SymBool, SymInt, counts_of, includes
from oracle.proof.terms import Bool, both, either, least, number, same, total


def _symbolic(*values: Any) -> bool:
    return any(
        isinstance(v, SymBag) or (isinstance(v, tuple) and any(isinstance(x, SymBag) for x in v)) for v in values
    )


def bag(cards: Any) -> Any:
    """As `zones.bag`."""
    return cards if isinstance(cards, SymBag) else zones.bag(cards)


def add(into: Any, cards: Any) -> Any:
    """As `zones.add`."""
    if not _symbolic(into, cards):
        return zones.add(into, cards)
    return SymBag({}) + into + cards


def remove(source: Any, cards: Any) -> Any:
    """As `zones.remove`."""
    if not _symbolic(source, cards):
        return zones.remove(source, cards)
    return SymBag(counts_of(source)).less(cards)


def holds(source: Any, cards: Any) -> Any:
    """As `zones.holds`."""
    if not _symbolic(source, cards):
        return zones.holds(source, cards)
    return SymBool(includes(source, cards))


def size(deck: Any) -> Any:
    """As `zones.size`."""
    return SymInt(total(map(_size, deck))) if _symbolic(deck) else zones.size(deck)


def _size(layer: Any) -> Any:
    return layer.size.term if isinstance(layer, SymBag) else number(len(layer))


def possible(deck: Any, cards: Any) -> Any:
    """As `zones.possible`: every layer is drawn whole before the next one is touched."""
    return SymBool(first(deck, cards)) if _symbolic(deck, cards) else zones.possible(deck, cards)


def first(deck: Iterable[Any], cards: Any) -> Bool:
    """Whether the cards may be the deck's first ones: the layer in which they end holds what the ones above do not."""
    wanted, facts, above = counts_of(cards), [], SymBag({})
    n = _size(cards)
    for layer in deck:
        upper = _size(above)
        inside = both(upper < n, n <= upper + _size(layer))
        facts.append(both(inside, includes(cards, above), includes(above + layer, wanted)))
        above = above + layer
    return either(same(n, 0), *facts)


def top(deck: Any, n: Any) -> Any:
    """As `zones.top`, for plain decks only."""
    return zones.top(deck, n)


def take(deck: Any, cards: Any) -> Any:
    """As `zones.take`: layers are used up from the top. Raises `ValueError` if the cards cannot be the first ones."""
    if not _symbolic(deck, cards):
        return zones.take(deck, cards)
    if not possible(deck, cards):
        raise ValueError("not the first cards of the deck")
    left, wanted = [], dict(counts_of(cards))
    for layer in deck:
        taken = {name: least(wanted.get(name, 0), n) for name, n in counts_of(layer).items()}
        left.append(SymBag({name: number(n) - taken[name] for name, n in counts_of(layer).items()}))
        wanted = {name: number(n) - taken.get(name, number(0)) for name, n in wanted.items()}
    return tuple(left)


def put_on(deck: Any, cards: Any) -> Any:
    """As `zones.put_on`; a symbolic bag becomes one layer, in an order that is not known."""
    return (cards, *deck) if isinstance(cards, SymBag) else zones.put_on(deck, cards)


def put_under(deck: Any, cards: Any) -> Any:
    """As `zones.put_under`."""
    return (*deck, cards) if isinstance(cards, SymBag) else zones.put_under(deck, cards)


def stand_in() -> ModuleType:
    """The module that lifted code gets for `oracle.zones`."""
    module = ModuleType("oracle.zones")
    module.__dict__.update(vars(zones))
    for function in (bag, add, remove, holds, size, possible, top, take, put_on, put_under):
        module.__dict__[function.__name__] = function
    return module
