"""Bags and decks: hidden order without guessing."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import zones

names = st.sampled_from(["Copper", "Estate", "Gold", "Silver"])
bags = st.lists(names, max_size=6).map(zones.bag)
decks = st.lists(st.lists(names, min_size=1, max_size=3).map(zones.bag), max_size=3).map(tuple)


def orders(deck: zones.Deck) -> set[tuple[str, ...]]:
    """Every order that the deck may be in, by brute force."""
    found: set[tuple[str, ...]] = {()}
    for layer in deck:
        found = {(*before, *order) for before in found for order in permutations(layer)}
    return found


@given(decks, st.integers(0, 9))
def test_top_describes_exactly_the_possible_first_cards(deck: zones.Deck, n: int) -> None:
    """`sure` with `take` of `unsure` are just the first cards that some order of the deck has."""
    first = zones.top(deck, n)
    described = {zones.add(first.sure, some) for some in combinations(first.unsure, first.take)}
    assert described == {zones.bag(order[:n]) for order in orders(deck)}
    assert first.forced == (len(described) == 1)
    if first.forced:
        assert first.only in described


@given(decks, bags)
def test_possible_is_membership(deck: zones.Deck, cards: zones.Bag) -> None:
    """Cards may be the first ones exactly if some order of the deck begins with them."""
    assert zones.possible(deck, cards) == (cards in {zones.bag(order[: len(cards)]) for order in orders(deck)})


@given(decks, st.data())
def test_taking_leaves_the_orders_that_began_with_the_cards(deck: zones.Deck, data: st.DataObject) -> None:
    """After taking the first cards the deck may be in just the orders that are left."""
    order = data.draw(st.sampled_from(sorted(orders(deck))))
    cards = zones.bag(order[: data.draw(st.integers(0, len(order)))])
    left = {o[len(cards) :] for o in orders(deck) if zones.bag(o[: len(cards)]) == cards}
    assert orders(zones.take(deck, cards)) == left


def test_taking_what_is_not_there_raises() -> None:
    """Cards that are not the first ones cannot be taken."""
    with pytest.raises(ValueError, match="list"):
        zones.take((("Gold",), ("Copper", "Estate")), ("Estate",))
    with pytest.raises(ValueError, match="no Gold"):
        zones.take((("Copper",),), ("Copper", "Gold"))


@given(bags, st.integers(-1, 4), st.integers(-1, 7))
def test_selections_are_the_different_sub_bags(source: zones.Bag, low: int, high: int) -> None:
    """Counting, indexing and listing agree with brute force."""
    brute = {zones.bag(some) for n in range(max(low, 0), high + 1) for some in combinations(source, n)}
    listed = list(zones.selections(source, low, high))
    assert len(listed) == len(set(listed)) == zones.count_selections(source, low, high)
    assert set(listed) == brute
    with pytest.raises(IndexError):
        zones.selection(source, low, high, len(listed))


@given(bags, bags)
def test_holds_counts_copies(source: zones.Bag, cards: zones.Bag) -> None:
    """A bag holds another exactly if taking it away works."""
    try:
        rest = zones.remove(source, cards)
    except ValueError:
        assert not zones.holds(source, cards)
    else:
        assert zones.holds(source, cards)
        assert zones.add(rest, cards) == source
