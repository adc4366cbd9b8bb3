"""All payments that cover a cost, counted and indexed without listing them.

A payment is a bag of cards of one guild. Cards are taken kind by kind, the highest value first; how
many ways there are from there depends only on the kinds left and on what is still to be paid.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod

from msgspec import Struct

from oracle.game import Action, Counted
from oracle.games.station.state import credit
from oracle.zones import Bag, bag, holds, kinds


@lru_cache(maxsize=1 << 16)
def _ways(left: tuple[tuple[int, int], ...], due: int, needless: bool) -> int:
    """How many bags of the (value, copies) left add up to at least what is due.

    Without `needless` a bag is complete as soon as it covers: its last card, the lowest, is then needed.
    """
    if due <= 0:
        return prod(copies + 1 for _, copies in left) if needless else 1
    if not left:
        return 0
    (value, copies), rest = left[0], left[1:]
    return sum(_ways(rest, due - n * value, needless) for n in _numbers(value, copies, due, needless))


def _numbers(value: int, copies: int, due: int, needless: bool) -> range:
    """How many cards of a kind may be taken."""
    return range(1 + (copies if needless else min(copies, max(0, -(-due // value)))))


class Payments(Counted, Struct, frozen=True):
    """The payments out of a bag of one guild's cards that come to at least `due`."""

    pool: Bag
    due: int
    needless: bool = True

    @property
    def _kinds(self) -> list[tuple[str, int, int]]:
        return sorted(((name, credit(name).value, n) for name, n in kinds(self.pool)), key=lambda kind: -kind[1])

    @property
    def count(self) -> int:
        return _ways(tuple((value, n) for _, value, n in self._kinds), self.due, self.needless)

    def __contains__(self, cards: object, /) -> bool:
        if not isinstance(cards, tuple) or not holds(self.pool, cards):
            return False
        values = [credit(card).value for card in cards]
        spare = sum(values) - self.due
        return spare >= 0 and (self.needless or not values or spare < min(values))

    def nth(self, index: int) -> Bag:
        """The payment at a 0-based index. Raises `IndexError` outside."""
        if not 0 <= index < self.count:
            raise IndexError(index)
        left, due, chosen = self._kinds, self.due, list[str]()
        while left and (due > 0 or self.needless):
            (name, value, copies), *left = left
            rest = tuple((value, n) for _, value, n in left)
            for n in _numbers(value, copies, due, self.needless):
                ways = _ways(rest, due - n * value, self.needless)
                if index < ways:
                    chosen += [name] * n
                    due -= n * value
                    break
                index -= ways
        return bag(chosen)


class Purchases(Counted, Struct, frozen=True):
    """The purchases of the module in one berth: any of the payments, to any of the destinations."""

    module: str
    berth: str
    payments: Payments
    destinations: tuple[str, ...]

    @property
    def count(self) -> int:
        return self.payments.count * len(self.destinations)

    def __contains__(self, action: object, /) -> bool:
        if not isinstance(action, Action) or (action.verb, action.items) != ("purchase", (self.module,)):
            return False
        match action.rest:
            case (("from", (berth,)), ("pay", cards), ("to", (to,))):
                return berth == self.berth and to in self.destinations and cards in self.payments
        return False

    def nth(self, index: int) -> Action:
        payment, to = divmod(index, len(self.destinations))
        return purchase(self.module, self.berth, self.payments.nth(payment), self.destinations[to])


def purchase(module: str, berth: str, cards: Bag, to: str) -> Action:
    """The action `purchase MODULE from BERTH pay CARDS to DESTINATION`."""
    return Action("purchase", (module,), (("from", (berth,)), ("pay", cards), ("to", (to,))))
