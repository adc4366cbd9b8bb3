"""The Station's text again, in z3: what sections 6 to 9 allow.

Written from the manual alone; nothing here comes from `rules.py`, `verdicts.py`, `moves.py` or
`effects.py`. What the manual leaves to sections that we do not have is an unknown function: which stations
satisfy the placement rules (`valid`), and what a module costs after its discounts (`drift`). So a
proof holds for every choice of the two.

Credit cards are kinds of which a place holds any number; a guild, a node and a module are numbers, and
0 is the module of a vacant node. Whoever acts is a place in the order of the round: -1 for nobody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import z3

from oracle.proof.laws import Laws
from oracle.proof.terms import (
    FALSE,
    TRUE,
    Bool,
    Int,
    both,
    count,
    either,
    every,
    no,
    number,
    pick,
    same,
    some,
    total,
    truth,
    when,
)

Cards = Mapping[str, Any]
"""How many there are of each kind of credit card."""
Row = Sequence[str]
"""Credit cards one by one, by their kinds."""


class Heap(NamedTuple):
    """Any numbers of cards of some kinds, and what those of each kind are worth together."""

    n: Cards
    worth: Cards

    def facts(self, value: Mapping[str, Any]) -> list[Bool]:
        """What is so of any such numbers: no card, one, or more, each of them worth what its kind is."""
        out = []
        for kind, n in self.n.items():
            worth, each = self.worth[kind], value[kind]
            out += [n >= 0, when(same(n, 0), same(worth, 0)), when(same(n, 1), same(worth, each))]
            out.append(when(n >= 2, worth >= n + each - 1))
        return out


def heap(row: Row, value: Mapping[str, Any]) -> Heap:
    """Cards one by one, as how many there are of each kind."""
    n = copies(row)
    return Heap(n, {kind: total([value[kind]] * k) for kind, k in n.items()})


HIGHEST, MOST, TOGETHER = 3, 3, 7
"""The highest value of a reward; how many cards are acquired at the most; what several are worth at the most."""
SHOWN, DOCKED, MARKET = 6, 4, 5
"""What the display, a Dry Dock and the market hold."""
NODE, MODULE = z3.IntSort(), z3.IntSort()
STATION = z3.ArraySort(NODE, MODULE)
VACANT, CORE = 0, 0
"""No module; the node of the Command Core."""
valid = z3.Function("valid", STATION, z3.BoolSort())
"""The placement rules (section 10): any property of a station."""
drift = z3.Function("drift", z3.IntSort(), z3.IntSort(), z3.IntSort())
"""The effective cost (section 12): any function of what is printed and of the discount."""


class Print(NamedTuple):
    """What matters of a module: its guild, what is printed as its cost, its Renown."""

    guild: Int
    cost: Int
    renown: Int


class Berth(NamedTuple):
    """A berth: whether a module lies there, which it is, what is printed on it, its discount."""

    taken: Bool
    module: Int
    printed: Print
    discount: Int


def module(name: str) -> Print:
    """A module of which nothing is known."""
    return Print(*(count(f"{name}.{field}") for field in Print._fields))


class Position:
    """A position of symbols, as the commander whose turn it is has it before him."""

    def __init__(self, kinds: Sequence[str], tag: str = "", layers: int = 2) -> None:
        self.kinds = tuple(kinds)
        self.guild = {kind: count(f"guild.{kind}") for kind in kinds}
        self.value = {kind: count(f"value.{kind}") for kind in kinds}
        self.over, self.ended = truth(f"{tag}over"), truth(f"{tag}ended")
        self.now = count(f"{tag}now")
        self.display, self.hand, self.discard = (self._cards(f"{tag}{at}") for at in ("display", "hand", "discard"))
        self.deck = [self._cards(f"{tag}deck{i}") for i in range(layers)]
        self.salvage = [self._cards(f"{tag}salvage{i}") for i in range(layers)]
        self.market = [
            Berth(
                truth(f"{tag}taken.{i}"), count(f"{tag}module.{i}"), module(f"{tag}m{i}"), count(f"{tag}discount.{i}")
            )
            for i in range(1, MARKET + 1)
        ]
        self.docked = count(f"{tag}docked")
        self.station = z3.Const(f"{tag}station", STATION)
        self.needless, self.free, self.alike = (truth(name) for name in ("needless", "free", "alike"))
        self.total = z3.Function(f"{tag}total", z3.IntSort(), z3.IntSort())
        self.held = z3.Function(f"{tag}held", z3.IntSort(), z3.IntSort())

    def _cards(self, name: str) -> Cards:
        return {kind: count(f"{name}.{kind}") for kind in self.kinds}

    def domain(self) -> list[Bool]:
        """What the symbols can be: a card is worth something, no number of cards is negative, nothing is overfull."""
        zones = (self.display, self.hand, self.discard, *self.deck, *self.salvage)
        counts = [n for zone in zones for n in zone.values()]
        return [
            *(n >= 0 for n in counts),
            *(value >= 1 for value in self.value.values()),
            self.now >= 0,
            self.docked >= 0,
            self.docked <= DOCKED,
            size(self.display) <= SHOWN,
            z3.Select(self.station, CORE) != VACANT,
        ]

    def purse(self, guild: Any) -> list[Bool]:
        """What can be held of a guild: cards that are each worth something, and none is worth nothing."""
        return [
            self.held(guild) >= 0,
            self.total(guild) >= self.held(guild),
            (self.held(guild) > 0) == (self.total(guild) > 0),
        ]


def size(cards: Cards) -> Int:
    """How many cards."""
    return total(cards.values())


def copies(row: Row) -> dict[str, int]:
    """How many there are of each kind in a row."""
    return {kind: list(row).count(kind) for kind in dict.fromkeys(row)}


def within(cards: Cards, zone: Cards) -> Bool:
    """All the cards are there."""
    return every(number(n) <= zone.get(kind, 0) for kind, n in cards.items())


def less(cards: Cards, gone: Cards) -> Cards:
    """The cards without some of them."""
    return {kind: number(n) - gone[kind] if kind in gone else n for kind, n in cards.items()}


def at(station: Any, node: Any) -> Int:
    """What stands at a node."""
    return z3.Select(station, number(node))


def put(station: Any, node: Any, content: Any) -> Any:
    """The station with another module, or none, at a node."""
    return z3.Store(station, number(node), number(content))


class Table:
    """The manual at one position. `law` files what each of its rules says."""

    def __init__(self, view: Position, law: Laws) -> None:
        self.view, self.law = view, law

    # -- section 6 ---------------------------------------------------------------------------------

    def own_turn(self, place: Any) -> Bool:
        """The game goes on, and it is this commander's turn."""
        law, view = self.law, self.view
        return both(law("stn.end.over", no(view.over)), law("stn.turn.current", same(place, view.now)))

    # -- section 7 ---------------------------------------------------------------------------------

    def acquires(self, row: Row) -> Bool:
        """These cards may be acquired: one of any value, or several of different guilds within the limit."""
        view, law = self.view, self.law
        guilds, values = [view.guild[kind] for kind in row], [view.value[kind] for kind in row]
        one = law("stn.7.single", number(len(row)) == 1)
        several = both(
            law("stn.7.several", number(len(row)) <= MOST),
            law("stn.7.guilds", every(no(same(a, b)) for a, b in combinations(guilds, 2))),
            law("stn.7.limit", total(values) <= TOGETHER),
        )
        shown = law("stn.7.display", both(size(view.display) >= 1, within(copies(row), view.display)))
        return both(law("stn.7.none", number(len(row)) >= 1), either(one, several), shown)

    def can_acquire(self) -> Bool:
        """Some cards may be acquired."""
        kinds = self.view.kinds
        return some(self.acquires(row) for n in range(1, MOST + 1) for row in combinations(kinds, n))

    # -- section 8 ---------------------------------------------------------------------------------

    def cost(self, berth: Berth) -> Int:
        """The effective cost."""
        return self.law("stn.8.cost", drift(berth.printed.cost, berth.discount))

    def pays(self, berth: Berth, paid: Heap) -> Bool:
        """The cards are a payment for what lies in the berth."""
        view, law = self.view, self.law
        cost, worth, n = self.cost(berth), total(paid.worth.values()), size(paid.n)
        there = [(kind, k >= 1) for kind, k in paid.n.items()]
        own = law("stn.8.guild", every(when(any_, same(view.guild[k], berth.printed.guild)) for k, any_ in there))
        enough = law("stn.8.cover", worth >= cost)
        something = law("stn.8.free", either(n >= 1, view.free))
        # Without needless cards none may be left out of what then would still be a payment.
        rest = either(n >= 2, view.free)
        spare = some(both(any_, worth - view.value[kind] >= cost, rest) for kind, any_ in there)
        needed = law("stn.8.needless", either(view.needless, no(spare)))
        return both(law("stn.8.discard", within(paid.n, view.hand)), own, enough, something, needed)

    def payable(self, berth: Berth) -> Bool:
        """Some cards are a payment: by what its guild is worth, which `purchase.any-hand` shows to be enough."""
        view, law = self.view, self.law
        guild = berth.printed.guild
        enough = law("stn.8.cover", view.total(guild) >= self.cost(berth))
        return both(enough, law("stn.8.free", either(view.held(guild) >= 1, view.free)))

    def room(self, rule: str) -> Bool:
        """The Dry Dock has room."""
        return self.law(rule, self.view.docked < DOCKED)

    def installs(self, node: Any, content: Any, rule: str = "stn.8.install") -> Bool:
        """A module may be installed at a node of the map."""
        station = self.view.station
        return both(self.law(rule, same(at(station, node), VACANT)), self.placed(node, content))

    def placed(self, node: Any, content: Any) -> Bool:
        """The station that results satisfies every placement rule."""
        return self.law("stn.9.placement", valid(put(self.view.station, node, content)))

    def purchases(self, berth: Berth, lies: Any, cards: Row | Heap, to_dock: bool, node: Any) -> Bool:
        """What lies in the berth may be bought with these cards, to the dock or to a node; no node is None."""
        paid = cards if isinstance(cards, Heap) else heap(cards, self.view.value)
        if to_dock:
            goes = self.room("stn.8.dock")
        else:
            goes = self.law("stn.8.install", FALSE) if node is None else self.installs(node, berth.module)
        return both(self.law("stn.8.module", lies), self.pays(berth, paid), goes)

    def can_purchase(self, nodes: Sequence[Any]) -> Bool:
        """Something can be bought, with these nodes on the map."""
        return some(
            both(
                self.law("stn.8.module", berth.taken),
                self.payable(berth),
                either(self.room("stn.8.dock"), *(self.installs(node, berth.module) for node in nodes)),
            )
            for berth in self.view.market
        )

    def rewarded(self, row: Row) -> Bool:
        """The card for an exact payment: one of those displayed, of a low value."""
        view, law = self.view, self.law
        lowest = every(view.value[kind] <= HIGHEST for kind in row)
        return both(
            law("stn.8.exact.compulsory", number(len(row)) >= 1),
            law("stn.8.exact.no-action", number(len(row)) <= 1),
            law("stn.8.exact", both(within(copies(row), view.display), lowest)),
        )

    # -- section 9 ---------------------------------------------------------------------------------

    def reinstalls(self, there: Any, node: Any, content: Any) -> Bool:
        """A module of the dock (`there`: it is) may be installed at a node."""
        return both(self.law("stn.9.install", there), self.installs(node, content, "stn.9.install"))

    def movable(self, node: Any, rule: str) -> Bool:
        """At the node stands a module other than the Command Core."""
        stands = self.law(rule, no(same(at(self.view.station, node), VACANT)))
        return both(stands, self.law("stn.9.core", no(same(node, CORE))))

    def stows(self, node: Any) -> Bool:
        """The module of a node may go to the dock."""
        return both(self.movable(node, "stn.9.stow"), self.room("stn.9.room"), self.placed(node, VACANT))

    def exchanges(self, there: Any, node: Any, content: Any) -> Bool:
        """The module of a node may be exchanged for one of the dock (`there`: it is in it)."""
        other = no(same(at(self.view.station, node), content))
        return both(
            self.movable(node, "stn.9.exchange"),
            self.law("stn.9.exchange", there),
            self.law("stn.9.identical", either(self.view.alike, other)),
            self.placed(node, content),
        )

    def can_reconfigure(self, nodes: Sequence[Any], dock: Sequence[Any]) -> Bool:
        """Some operation is legal, with these nodes on the map and these modules in the dock."""
        return some(
            either(
                self.stows(node),
                *(either(self.reinstalls(TRUE, node, m), self.exchanges(TRUE, node, m)) for m in dock),
            )
            for node in nodes
        )

    # -- passing -----------------------------------------------------------------------------------

    def passes(self, others: Bool) -> Bool:
        """A pass, where `others` says whether any other action is legal."""
        law = self.law
        return either(law("stn.6.pass-ended", self.view.ended), law("stn.6.pass", no(others)))

    def may_pass(self, place: Any, nodes: Sequence[Any], dock: Sequence[Any]) -> Bool:
        """A commander passes."""
        others = either(self.can_acquire(), self.can_purchase(nodes), self.can_reconfigure(nodes, dock))
        return both(self.own_turn(place), self.passes(others))

    # -- chance ------------------------------------------------------------------------------------

    def comes_up(self, by_chance: Any, cards: Cards, deck: Sequence[Cards], missing: Any, rule: str) -> Bool:
        """Chance: as many as are missing, or all there are, from the top of the deck."""
        law = self.law
        left, n = total(map(size, deck)), size(cards)
        many = either(both(same(n, missing), number(missing) <= left), both(same(n, left), left <= missing))
        return both(
            law("stn.end.over", no(self.view.over)),
            law("stn.chance", by_chance),
            law(rule, many),
            law("stn.chance", first(deck, cards)),
        )


def first(deck: Sequence[Cards], cards: Cards) -> Bool:
    """The cards come off the top: out of the first layer as long as there is any of it, then out of the next."""
    if not deck:
        return same(size(cards), 0)
    upper, *lower = deck
    enough = size(cards) <= size(upper)
    return pick(enough, within(cards, upper), both(within(upper, cards), first(lower, less(cards, upper))))
