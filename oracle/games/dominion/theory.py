"""Dominion's text again, in z3: what is legal, and what each instruction changes.

Written from the rules and the cards alone; nothing here comes from `rules.py`, `moves.py`, `effects.py`
or `kingdom.py`. Cards are kinds of which a zone holds any number; players are seats 0, 1, 2, ... and
whoever acts is a number: 0 for chance, seat + 1 for a player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from oracle.proof.laws import Laws
from oracle.proof.terms import (
    FALSE,
    TRUE,
    Bool,
    Int,
    Numeral,
    both,
    count,
    count_of,
    every,
    key_of,
    least,
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
"""How many there are of each kind."""
PHASES = ("action", "buy", "night")
CHANCE = 0
EDITIONS = ("2023", "2016", "2008")

PRINTED = """
Copper 0 Treasure $1
Silver 3 Treasure $2
Gold 6 Treasure $3
Estate 2 Victory
Duchy 5 Victory
Province 8 Victory
Curse 0 Curse
Cellar 2 Action +1A
Chapel 2 Action
Moat 2 Action,Reaction +2C
Harbinger 3 Action +1C +1A
Merchant 3 Action +1C +1A
Vassal 3 Action $2
Village 3 Action +1C +2A
Workshop 3 Action
Bureaucrat 4 Action,Attack
Gardens 4 Victory
Militia 4 Action,Attack $2
Moneylender 4 Action
Poacher 4 Action +1C +1A $1
Remodel 4 Action
Smithy 4 Action +3C
Throne_Room 4 Action
Bandit 5 Action,Attack
Council_Room 5 Action +4C +1B
Festival 5 Action +2A +1B $2
Laboratory 5 Action +2C +1A
Library 5 Action
Market 5 Action +1C +1A +1B $1
Mine 5 Action
Sentry 5 Action +1C +1A
Witch 5 Action,Attack +2C
Artisan 6 Action
"""
"""Every card of the base set as printed: cost, types, and what it adds in Cards, Actions, Buys and coins."""


class Print(NamedTuple):
    """What is printed on a card."""

    cost: Any
    types: Mapping[str, Any]
    cards: Any
    actions: Any
    buys: Any
    coins: Any


TYPES = ("Action", "Treasure", "Victory", "Curse", "Night", "Attack", "Reaction", "Duration")


def _printed(line: str) -> tuple[str, Print]:
    name, cost, types, *adds = line.split()
    plus = {add[-1] if add[0] == "+" else "$": int(add.strip("+$CAB")) for add in adds}
    kinds = {type_: type_ in types.split(",") for type_ in TYPES}
    return name.replace("_", " "), Print(int(cost), kinds, *(plus.get(word, 0) for word in "CAB$"))


BASE = dict(_printed(line) for line in PRINTED.strip().splitlines())


def any_card(name: str) -> Print:
    """A card of which nothing is known: any cost, any types, any plain effects."""
    types = {type_: truth(f"{name}.is.{type_}") for type_ in TYPES}
    return Print(
        count(f"{name}.cost"), types, *(count(f"{name}.{word}") for word in ("cards", "actions", "buys", "coins"))
    )


class View(Protocol):
    """A position as the rules see it: of symbols, or of what lifted code made."""

    @property
    def kinds(self) -> Mapping[str, Print]: ...
    @property
    def piles(self) -> Sequence[str]: ...
    @property
    def supply(self) -> Cards: ...
    @property
    def trash(self) -> Cards: ...

    turn: Any
    phase: Any
    actions: Any
    buys: Any
    coins: Any
    bought: Any
    merchants: Any
    silvers: Any
    over: Any
    night: Any
    edition: Any

    def zone(self, name: str, seat: Any) -> Cards:
        """A player's hand, discard pile or cards in play."""

    def deck(self, seat: Any) -> Sequence[Cards]:
        """A player's deck, layer by layer from the top; the order within a layer is not known."""

    def turns(self, seat: Any) -> Any:
        """How many turns a player has begun."""


NUMBERS = ("turn", "actions", "buys", "coins", "bought", "merchants", "silvers")
ZONES = ("hand", "discard", "play")


class Position:
    """A position of symbols. `tag` tells two positions of one question apart; layers are those of every deck.

    What lies before a seat of unknown number is a function of that number; a question speaks either of such
    seats or of seats of known number (`turn` is the mover's, if it is known).
    """

    def __init__(
        self,
        kinds: Mapping[str, Print],
        piles: Sequence[str],
        tag: str = "",
        layers: int = 2,
        turn: int | None = None,
    ) -> None:
        self.kinds, self.piles = kinds, tuple(piles)
        self._tag, self._layers = tag, layers
        self._zones: dict[tuple[str, int], Cards] = {}
        self.turn, self.phase, self.actions, self.buys, self.coins, self.bought, self.merchants, self.silvers = (
            count(f"{tag}{name}") for name in ("turn", "phase", *NUMBERS[1:])
        )
        if turn is not None:
            self.turn = number(turn)
        self.over, self.night = truth(f"{tag}over"), truth(f"{tag}night")
        self.edition = count(f"{tag}edition")
        self.supply = {name: count(f"{tag}supply.{name}") for name in piles}
        self.trash = {name: count(f"{tag}trash.{name}") for name in kinds}

    def zone(self, name: str, seat: Any) -> Cards:
        key = (name, key_of(number(seat)))
        if key not in self._zones:
            self._zones[key] = {kind: self._of(f"{name}.{kind}", seat) for kind in self.kinds}
        return self._zones[key]

    def deck(self, seat: Any) -> Sequence[Cards]:
        return [self.zone(f"deck{i}", seat) for i in range(self._layers)]

    def turns(self, seat: Any) -> Int:
        return self._of("turns", seat)

    def _of(self, name: str, seat: Any) -> Int:
        where = number(seat)
        if isinstance(where, Numeral):
            return count(f"{self._tag}{name}.{where.as_long()}")
        return count_of(f"{self._tag}{name}", where)

    def domain(self, *seats: Any) -> list[Bool]:
        """What the symbols can be: no count is negative."""
        counts: list[Any] = [*self.supply.values(), *self.trash.values()]
        counts += [getattr(self, name) for name in NUMBERS]
        for seat in seats:
            counts += [n for zone in ZONES for n in self.zone(zone, seat).values()]
            counts += [n for layer in self.deck(seat) for n in layer.values()]
            counts.append(self.turns(seat))
        costs = [card.cost for card in self.kinds.values() if not isinstance(card.cost, int)]
        chosen = ((self.phase, PHASES), (self.edition, EDITIONS))
        return [
            *(n >= 0 for n in (*counts, *costs)),
            *(both(n >= 0, n < len(names)) for n, names in chosen),
        ]


def size(cards: Cards) -> Int:
    """How many cards."""
    return total(cards.values())


def within(cards: Cards, zone: Cards) -> Bool:
    """All the cards are in the zone."""
    return every(number(n) <= zone.get(kind, 0) for kind, n in cards.items())


def equal(one: Cards, other: Cards) -> Bool:
    """The same cards."""
    return every(same(one.get(kind, 0), other.get(kind, 0)) for kind in {**one, **other})


def plus(*parts: Cards) -> Cards:
    """All the cards together."""
    return {kind: total(part[kind] for part in parts if kind in part) for kind in {k: 0 for p in parts for k in p}}


def minus(cards: Cards, gone: Cards) -> Cards:
    """The cards without some of them."""
    return {kind: number(n) - gone[kind] if kind in gone else n for kind, n in cards.items()}


def of_type(view: View, cards: Cards, type_: str) -> Cards:
    """Those of the cards that have a type."""
    return {kind: pick(view.kinds[kind].types[type_], n, 0) for kind, n in cards.items()}


class Table:
    """The rules at one position. `law` files what each says; `seat` and `player` may be symbols."""

    def __init__(self, view: View, law: Laws) -> None:
        self.view, self.law = view, law

    # -- a player's own turn -----------------------------------------------------------------------

    def own_turn(self, player: Any) -> Bool:
        """The game goes on, and it is this player's turn."""
        view = self.view
        return both(self.law("dom.end.over", no(view.over)), self.law("dom.turn.current", same(player, view.turn + 1)))

    def may_play(self, player: Any, card: str) -> Bool:
        """Playing a card from the hand."""
        view, law = self.view, self.law
        held = view.zone("hand", view.turn).get(card, 0)
        types = view.kinds[card].types if card in view.kinds else dict.fromkeys(TYPES, False)
        action = (
            both(law("dom.action.play", both(held > 0, types["Action"])), law("dom.action.actions", view.actions > 0))
            if card in view.kinds
            else FALSE
        )
        treasure = (
            both(
                law("dom.buy.treasures", both(held > 0, types["Treasure"])),
                law("dom.buy.treasures-first", same(view.bought, 0)),
            )
            if card in view.kinds
            else FALSE
        )
        night = law("dom.night.play", both(held > 0, types["Night"])) if card in view.kinds else FALSE
        phases = zip(PHASES, (action, treasure, night), strict=True)
        return both(self.own_turn(player), *(when(self.during(phase), allowed) for phase, allowed in phases))

    def during(self, phase: str) -> Bool:
        """It is this phase."""
        return same(self.view.phase, PHASES.index(phase))

    def may_buy(self, player: Any, card: str) -> Bool:
        """Buying a card."""
        view, law = self.view, self.law
        if card not in view.piles:
            return both(self.own_turn(player), law("dom.buy.supply", FALSE))
        return both(
            self.own_turn(player),
            law("dom.turn.phases", self.during("buy")),
            law("dom.buy.supply", view.supply[card] > 0),
            law("dom.buy.buys", view.buys > 0),
            law("dom.buy.cost", view.coins >= view.kinds[card].cost),
        )

    def may_end(self, player: Any, phase: str) -> Bool:
        """Ending a phase: always, once it is that phase."""
        here = self.law("dom.turn.phases", self.during(phase)) if phase in PHASES else FALSE
        there = self.law("dom.night.absent", self.view.night) if phase == "night" else TRUE
        free = {"action": "dom.action.end", "buy": "dom.buy.optional", "night": "dom.night.play"}
        return both(self.own_turn(player), here, there, self.law(free.get(phase, "dom.turn.phases"), TRUE))

    # -- what an effect asks -----------------------------------------------------------------------

    def may_come(self, player: Any, seat: Any, wanted: Any, cards: Cards) -> Bool:
        """Chance: as many cards as are wanted or there are, each layer used up before the next is touched."""
        facts: list[Bool] = []
        above: Cards = {}
        deck = self.view.deck(seat)
        n = size(cards)
        for layer in deck:
            below = plus(above, layer)
            facts += [when(size(above) <= n, within(above, cards)), when(n <= size(below), within(cards, below))]
            above = below
        facts.append(when(same(n, size(above)), within(above, cards)))
        return both(
            self.law("dom.end.over", no(self.view.over)),
            self.law("dom.choice.who", same(player, CHANCE)),
            self.law("dom.draw.short", same(n, least(wanted, size(above)))),
            self.law("dom.draw.top", every(facts)),
        )

    def may_resolve(
        self,
        player: Any,
        name: str,
        turn: int,
        seats: int,
        names: Sequence[str],
        owners: Sequence[Any],
        due: Sequence[Any],
    ) -> Bool:
        """Resolving something that waits: nobody who sits nearer to the player of the turn has something to resolve."""
        order = [(turn + i) % seats + 1 for i in range(seats)]
        has = {who: some(both(now, same(owner, who)) for owner, now in zip(owners, due, strict=True)) for who in order}
        first = some(both(same(player, who), *(no(has[near]) for near in order[:i])) for i, who in enumerate(order))
        own = some(both(w, same(o, player), n == name) for n, o, w in zip(names, owners, due, strict=True))
        return both(
            self.law("dom.end.over", no(self.view.over)),
            self.law("dom.order.turn-order", first),
            self.law("dom.order.own", own),
        )

    def hand(self, seat: Any) -> Cards:
        """A player's hand."""
        return self.view.zone("hand", seat)

    def may_decline(self) -> Bool:
        """Throne Room, Moneylender and Mine say "may", but for the first edition."""
        return no(same(self.view.edition, EDITIONS.index("2008")))

    def empty_piles(self) -> Int:
        """How many Supply piles are empty."""
        return total(pick(same(n, 0), 1, 0) for n in self.view.supply.values())
