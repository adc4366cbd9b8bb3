"""Where cards lie: bags, and decks whose order is known only in part.

A bag is a sorted tuple of names, so that equal bags are equal values. A deck is a tuple of bags,
top first: the cards of one bag come before those of the next, in an order nobody knows. A known
card is a bag of one; a shuffled pile is one bag. So a program may shuffle for itself and what it
draws can still be judged: any cards of the first bag are a possible draw, others are not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

Bag = tuple[str, ...]
Deck = tuple[Bag, ...]


def bag(cards: Iterable[str]) -> Bag:
    """The cards as a bag."""
    return tuple(sorted(cards))


def add(into: Bag, cards: Iterable[str]) -> Bag:
    """`into` and the cards together."""
    return tuple(sorted((*into, *cards)))


def remove(source: Bag, cards: Iterable[str]) -> Bag:
    """`source` without the cards. Raises `ValueError` if one of them is not there."""
    left = list(source)
    for card in cards:
        left.remove(card)
    return tuple(left)


def holds(source: Bag, cards: Iterable[str]) -> bool:
    """Whether the bag has all the cards, counting copies."""
    have = Counter(source)
    return all(have[card] >= n for card, n in Counter(cards).items())


def size(deck: Deck) -> int:
    """How many cards the deck has."""
    return sum(map(len, deck))


class Top(NamedTuple):
    """What is known of a deck's first cards: `sure` are among them, with any `take` of `unsure`."""

    sure: Bag
    unsure: Bag
    take: int

    @property
    def forced(self) -> bool:
        """Whether there is only one possibility."""
        return self.take == 0 or self.take == len(self.unsure) or len(set(self.unsure)) == 1

    @property
    def only(self) -> Bag:
        """The one possibility, where `forced`."""
        return add(self.sure, self.unsure[: self.take])


def top(deck: Deck, n: int) -> Top:
    """What may be the deck's first `n` cards (fewer where it is smaller)."""
    sure: list[str] = []
    for layer in deck:
        missing = n - len(sure)
        if missing < len(layer):
            return Top(bag(sure), layer if missing else (), missing)
        sure.extend(layer)
    return Top(bag(sure), (), 0)


def possible(deck: Deck, cards: Bag) -> bool:
    """Whether the cards may be the deck's first ones."""
    first = top(deck, len(cards))
    return (
        len(first.sure) + first.take == len(cards)
        and holds(cards, first.sure)
        and holds(first.unsure, remove(cards, first.sure))
    )


def take(deck: Deck, cards: Bag) -> Deck:
    """The deck without the cards, its first ones. Raises `ValueError` if they cannot be."""
    left = list(cards)
    for i, layer in enumerate(deck):
        if len(left) < len(layer):
            rest = remove(layer, left)
            return ((rest, *deck[i + 1 :])) if rest else deck[i + 1 :]
        for card in layer:
            left.remove(card)
    if left:
        raise ValueError(f"the deck has no {left[0]} there")
    return ()


def put_on(deck: Deck, cards: Iterable[str]) -> Deck:
    """The deck with the cards put on it one after the other: the last one is the top."""
    for card in cards:
        deck = ((card,), *deck)
    return deck


def put_under(deck: Deck, cards: Bag) -> Deck:
    """The deck with a shuffled pile under it."""
    return (*deck, cards) if cards else deck


@lru_cache(maxsize=4096)
def kinds(source: Bag) -> tuple[tuple[str, int], ...]:
    """The bag as (name, copies) pairs, in order."""
    return tuple((name, len(list(same))) for name, same in groupby(source))


@lru_cache(maxsize=1 << 16)
def _ways(copies: tuple[int, ...], low: int, high: int) -> int:
    if high < 0:
        return 0
    if not copies:
        return 1 if low <= 0 else 0
    return sum(_ways(copies[1:], low - n, high - n) for n in range(copies[0] + 1))


def _copies(of: Iterable[tuple[str, int]]) -> tuple[int, ...]:
    # Which card there are how many of does not matter, so bags that differ only in that share their counts.
    return tuple(sorted(n for _, n in of))


def count_selections(source: Bag, low: int, high: int) -> int:
    """How many different selections of `low` to `high` cards the bag allows, without listing them."""
    return _ways(_copies(kinds(source)), low, high)


def selection(source: Bag, low: int, high: int, index: int) -> Bag:
    """The selection at a 0-based place in the order of `selections`. Raises `IndexError` outside it."""
    if index < 0:
        raise IndexError(index)
    chosen: list[str] = []
    left = kinds(source)
    for i, (name, n) in enumerate(left):
        copies = _copies(left[i + 1 :])
        for k in range(n + 1):
            ways = _ways(copies, low - k, high - k)
            if index < ways:
                chosen.extend([name] * k)
                low, high = low - k, high - k
                break
            index -= ways
        else:
            raise IndexError(index)
    if index or low > 0 or high < 0:
        raise IndexError(index)
    return tuple(chosen)


def selections(source: Bag, low: int, high: int) -> Iterator[Bag]:
    """All different selections of `low` to `high` cards, lazily."""
    for index in range(count_selections(source, low, high)):
        yield selection(source, low, high, index)
