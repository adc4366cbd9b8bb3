"""Dominion's text again, in z3: what each instruction changes, and what it has done next.

A `Change` says where cards go and which numbers change; everything that it does not mention stays. Its
`relation` between the positions before and after files each part under the rule that says it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from oracle.games.dominion.theory import (
    NUMBERS,
    ZONES,
    Cards,
    Table,
    View,
    equal,
    minus,
    of_type,
    plus,
    size,
    within,
)
from oracle.games.dominion.theory_choices import Given, gainable
from oracle.proof.laws import Laws
from oracle.proof.terms import FALSE, TRUE, Bool, both, either, every, no, number, pick, same, some, total, when

Place = tuple[str, int] | str
"""A zone of a seat, or `supply`, `trash`, `held` (cards that an instruction under way holds)."""


class Next(NamedTuple):
    """An instruction that follows: of which it is true that it follows where `given` holds."""

    do: str
    seat: int
    card: str = ""
    n: Any = 0
    cards: Cards | None = None
    then: str = ""
    given: Bool = TRUE


class Change:
    """What one instruction changes."""

    def __init__(self, view: View, held: Cards, seats: int) -> None:
        self.view, self.seats = view, seats
        self.places: dict[Place, Cards] = {}
        self.on_deck: dict[int, Cards] = {}
        self.off_deck: dict[int, Cards] = {}
        self.under_deck: dict[int, Cards] = {}
        self.numbers: dict[str, Any] = {}
        self.turns: dict[int, Any] = {}
        self.todo: list[Next] = []
        self.held = held

    def cards(self, place: Place) -> Cards:
        """What lies in a place after what was said so far."""
        if place in self.places:
            return self.places[place]
        if isinstance(place, tuple):
            return self.view.zone(*place)
        return {"supply": self.view.supply, "trash": self.view.trash, "held": self.held}[place]

    def move(self, cards: Cards, source: Place, target: Place) -> Change:
        """Cards go from one place to another: from the top of a deck, and to its top (`deck`) or bottom (`under`)."""
        if isinstance(source, tuple) and source[0] == "deck":
            self.off_deck[source[1]] = cards
        else:
            self.places[source] = minus(self.cards(source), cards)
        if isinstance(target, tuple) and target[0] in ("deck", "under"):
            (self.on_deck if target[0] == "deck" else self.under_deck)[target[1]] = cards
        else:
            self.places[target] = plus(self.cards(target), cards)
        return self

    def add(self, **amounts: Any) -> Change:
        """Numbers change by amounts."""
        for name, amount in amounts.items():
            self.numbers[name] = number(self.numbers.get(name, getattr(self.view, name))) + amount
        return self

    def then(self, *todo: Next) -> Change:
        """What follows, in order."""
        self.todo += todo
        return self

    def numbers_relation(self, law: Laws, rule: str, after: View) -> Bool:
        """The part of the relation that is about numbers and piles."""
        supply = equal(after.supply, self.cards("supply"))
        facts = [law(rule, supply) if "supply" in self.places else supply]
        for name in NUMBERS:
            now, old = getattr(after, name), getattr(self.view, name)
            facts.append(same(now, law(rule, self.numbers[name]) if name in self.numbers else old))
        return every(facts)

    def relation(self, law: Laws, rule: str, after: View, held: Cards) -> Bool:
        """That the position after is what this change makes of the one before."""
        facts = [self.numbers_relation(law, rule, after)]
        places: list[Place] = [(zone, seat) for seat in range(self.seats) for zone in ZONES]
        for place in (*places, "trash", "held"):
            now = held if place == "held" else after.zone(*place) if isinstance(place, tuple) else getattr(after, place)
            fact = equal(now, self.cards(place))
            facts.append(law(rule, fact) if place in self.places else fact)
        for seat in range(self.seats):
            old, new = list(self.view.deck(seat)), list(after.deck(seat))
            if seat in self.on_deck:
                facts.append(law(rule, _put_on(old, self.on_deck[seat], new)))
            elif seat in self.off_deck:
                facts.append(law(rule, _taken_off(old, self.off_deck[seat], new)))
            elif seat in self.under_deck:
                facts.append(law(rule, _layers([*old, self.under_deck[seat]], new)))
            else:
                facts.append(_layers(old, new))
        for seat in range(self.seats):
            fact = same(after.turns(seat), self.turns.get(seat, self.view.turns(seat)))
            facts.append(law(rule, fact) if seat in self.turns else fact)
        return every(facts)


def _layers(old: Sequence[Cards], new: Sequence[Cards]) -> Bool:
    return every(map(equal, old, new)) if len(old) == len(new) else FALSE


def _put_on(old: Sequence[Cards], cards: Cards, new: Sequence[Cards]) -> Bool:
    """The cards lie on the old deck: as a layer of their own, or, where there are none, not at all."""
    if len(new) == len(old):
        return both(same(size(cards), 0), _layers(old, new))
    return both(equal(new[0], cards), _layers(old, new[1:])) if len(new) == len(old) + 1 else FALSE


def _taken_off(old: Sequence[Cards], cards: Cards, new: Sequence[Cards]) -> Bool:
    """The cards have left the deck from its top: no layer is touched before those above it are used up."""
    if len(old) != len(new):
        return FALSE
    less = every(within(layer, before) for before, layer in zip(old, new, strict=True))
    order = [when(no(equal(new[i + 1], old[i + 1])), same(size(new[i]), 0)) for i in range(len(old) - 1)]
    return every([equal(plus(*new, cards), plus(*old)), less, *order])


HOLDS = ("vassal discard", "library", "library card", "bandit", "sentry trash", "sentry discard", "put back")
"""The instructions that hold cards, which so long are in no zone."""


# -- what cards do ---------------------------------------------------------------------------------


class Scene(NamedTuple):
    """An instruction at work: whose it is, whose text, the cards chosen and those it holds or refers to."""

    table: Table
    do: str
    seat: int
    card: str
    chosen: Cards
    looked: Cards
    kind: str
    seats: int
    safe: Sequence[int] = ()
    aside: Cards = MappingProxyType({})

    @property
    def change(self) -> Change:
        """A change that changes nothing yet."""
        return Change(self.table.view, plus(self.aside, self.looked if self.do in HOLDS else {}), self.seats)

    @property
    def hand(self) -> tuple[str, int]:
        return ("hand", self.seat)

    @property
    def discard(self) -> tuple[str, int]:
        return ("discard", self.seat)

    @property
    def deck(self) -> tuple[str, int]:
        return ("deck", self.seat)

    @property
    def one(self) -> Cards:
        """One card of the kind that the scene is about."""
        return {self.kind: 1}

    def others(self) -> list[int]:
        """The other seats that an attack reaches, in turn order."""
        around = [(self.seat + i) % self.seats for i in range(1, self.seats)]
        return [seat for seat in around if seat not in self.safe]

    def next(self, do: str, seat: int | None = None, **about: Any) -> Next:
        """An instruction of the same card."""
        return Next(do, self.seat if seat is None else seat, self.card, **about)


def gained(scene: Scene, kind: str, target: Place) -> Change:
    """One of a pile goes to its new owner; none if the pile is empty."""
    left = scene.table.view.supply.get(kind, 0)
    return scene.change.move({kind: pick(number(left) > 0, 1, 0)}, "supply", target)


def _drawn_for(scene: Scene) -> Next:
    return scene.next("draw", n=size(scene.chosen))


def _played(scene: Scene, change: Change, times: int = 1) -> Change:
    """A card that was chosen is played, or none was."""
    chosen = size(scene.chosen) >= 1
    if times > 1:
        again = Next("play again", scene.seat, scene.kind, given=chosen)
        return change.then(*[again] * times)
    return change.then(*(step._replace(given=both(chosen, step.given)) for step in played(scene, scene.kind)))


def played(scene: Scene, card: str) -> list[Next]:
    """What playing a card brings: reactions of the others to an Attack, then its text."""
    if not card:
        return []
    attack = number(pick(scene.table.view.kinds[card].types["Attack"], 1, 0)) > 0
    others = Scene.others(scene._replace(safe=()))
    return [*(Next("moat", seat, card, given=attack) for seat in others), Next("text", scene.seat, card)]


def _victims(scene: Scene, do: str) -> Change:
    return scene.change.then(*(scene.next(do, seat) for seat in scene.others()))


def _library(scene: Scene) -> Change:
    view = scene.table.view
    hand = size(view.zone(*scene.hand))
    cards = total([*(size(layer) for layer in view.deck(scene.seat)), size(view.zone(*scene.discard))])
    full = either(hand >= 7, same(cards, 0))
    done = {kind: pick(full, n, 0) for kind, n in scene.looked.items()}
    draw = scene.next("draw", n=1, then="library card", given=no(full))
    again = scene.next("library", cards=scene.looked, given=no(full))
    return scene.change.move(done, "held", scene.discard).then(draw, again)


def _sentry_rest(scene: Scene, do: str) -> Change:
    return scene.change.move(scene.chosen, "held", "trash" if do == "sentry discard" else scene.discard).then(
        scene.next(do, cards=minus(scene.looked, scene.chosen))
    )


def _lost(scene: Scene) -> Change:
    """Of the cards revealed the chosen one is trashed, the rest is discarded."""
    rest = minus(scene.looked, scene.chosen)
    return scene.change.move(scene.chosen, "held", "trash").move(rest, "held", scene.discard)


DOES: dict[str, Callable[[Scene], Change]] = {
    "silver": lambda s: s.change.add(silvers=1, coins=pick(same(s.table.view.silvers, 0), s.table.view.merchants, 0)),
    "merchant": lambda s: s.change.add(merchants=1),
    "vassal": lambda s: s.change.then(s.next("turn up", n=1, then="vassal discard")),
    "vassal discard": lambda s: s.change.move(s.looked, "held", s.discard).then(s.next("vassal play", cards=s.looked)),
    "gain silver": lambda s: gained(s, "Silver", s.deck),
    "gain gold": lambda s: gained(s, "Gold", s.discard),
    "curse": lambda s: gained(s, "Curse", s.discard),
    "others topdeck": lambda s: _victims(s, "bureaucrat"),
    "others discard": lambda s: _victims(s, "militia"),
    "others curse": lambda s: _victims(s, "curse"),
    "others reveal": lambda s: s.change.then(*(s.next("turn up", o, n=2, then="bandit") for o in s.others())),
    "others draw": lambda s: s.change.then(*(s.next("draw", o, n=1) for o in s._replace(safe=()).others())),
    "library": _library,
    "sentry": lambda s: s.change.then(s.next("turn up", n=2, then="sentry trash")),
}
"""What happens without a choice."""

TAKES: dict[str, Callable[[Scene], Change]] = {
    "cellar": lambda s: s.change.move(s.chosen, s.hand, s.discard).then(_drawn_for(s)),
    "chapel": lambda s: s.change.move(s.chosen, s.hand, "trash"),
    "harbinger": lambda s: s.change.move(s.chosen, s.discard, s.deck),
    "bureaucrat": lambda s: s.change.move(s.chosen, s.hand, s.deck),
    "topdeck": lambda s: s.change.move(s.chosen, s.hand, s.deck),
    "militia": lambda s: s.change.move(s.chosen, s.hand, s.discard),
    "poacher": lambda s: s.change.move(s.chosen, s.hand, s.discard),
    "moneylender": lambda s: s.change.move(s.chosen, s.hand, "trash").add(coins=pick(size(s.chosen) >= 1, 3, 0)),
    "remodel": lambda s: s.change.move(s.chosen, s.hand, "trash").then(s.next("gain", cards=s.chosen)),
    "mine": lambda s: s.change.move(s.chosen, s.hand, "trash").then(
        s.next("gain", cards=s.chosen, given=size(s.chosen) >= 1)
    ),
    "bandit": _lost,
    "library card": lambda s: s.change.move(minus(s.looked, s.chosen), "held", s.hand),
    "sentry trash": lambda s: _sentry_rest(s, "sentry discard"),
    "sentry discard": lambda s: _sentry_rest(s, "put back"),
    "vassal play": lambda s: _played(s, s.change.move(s.chosen, s.discard, ("play", s.seat))),
    "throne room": lambda s: _played(s, s.change.move(s.chosen, s.hand, ("play", s.seat)), 2),
    "gain": lambda s: gained(s, s.kind, s.hand if s.card in ("Mine", "Artisan") else s.discard),
}
"""What a choice brings."""

ELSE: dict[str, Callable[[Scene], Change]] = {
    "bandit": lambda s: _lost(s._replace(chosen=loot(s))),
    "library card": lambda s: s.change.move(s.looked, "held", s.hand),
    "put back": lambda s: s.change.move(s.looked, "held", s.deck),
}
"""What happens where there is nothing to choose, if anything does."""


def loot(scene: Scene) -> Cards:
    """One of each kind of Treasure other than Copper among the cards revealed."""
    treasures = of_type(scene.table.view, scene.looked, "Treasure")
    return {kind: pick(number(n) > 0, 1, 0) for kind, n in treasures.items() if kind != "Copper"}


def _has(cards: Cards) -> Bool:
    return size(cards) >= 1


def _typed(scene: Scene, type_: str) -> Bool:
    return _has(of_type(scene.table.view, scene.table.hand(scene.seat), type_))


def _gainable(scene: Scene) -> Bool:
    table, card = scene.table, scene.card
    return some(gainable(table, scene.seat, {}, Given(card, {}, scene.kind, pile)) for pile in table.view.piles)


def _several(cards: Cards) -> Bool:
    return total(pick(number(n) > 0, 1, 0) for n in cards.values()) >= 2


ARISES: dict[str, Callable[[Scene], Bool]] = {
    **dict.fromkeys(("cellar", "chapel", "remodel", "topdeck"), lambda s: _has(s.table.hand(s.seat))),
    "moat": lambda s: s.table.hand(s.seat)["Moat"] >= 1,
    "harbinger": lambda s: _has(s.table.view.zone(*s.discard)),
    "vassal play": lambda s: _has(of_type(s.table.view, s.looked, "Action")),
    "gain": _gainable,
    "bureaucrat": lambda s: _typed(s, "Victory"),
    "militia": lambda s: size(s.table.hand(s.seat)) >= 4,
    "moneylender": lambda s: s.table.hand(s.seat)["Copper"] >= 1,
    "poacher": lambda s: both(s.table.empty_piles() >= 1, _has(s.table.hand(s.seat))),
    "throne room": lambda s: _typed(s, "Action"),
    "bandit": lambda s: _several(loot(s)),
    "library card": lambda s: _has(of_type(s.table.view, s.looked, "Action")),
    "mine": lambda s: _typed(s, "Treasure"),
    "sentry trash": lambda s: _has(s.looked),
    "sentry discard": lambda s: _has(s.looked),
    "put back": lambda s: _several(s.looked),
}
"""When there is something to choose."""

TEXT: Mapping[str, tuple[str, ...]] = {
    "Silver": ("silver",),
    "Bureaucrat": ("gain silver", "others topdeck"),
    "Militia": ("others discard",),
    "Bandit": ("gain gold", "others reveal"),
    "Council Room": ("others draw",),
    "Witch": ("others curse",),
    "Workshop": ("gain",),
    "Artisan": ("gain", "topdeck"),
    **{
        card: (card.lower(),)
        for card in (
            *("Cellar", "Chapel", "Harbinger", "Merchant", "Vassal", "Moneylender", "Poacher", "Remodel"),
            *("Throne Room", "Library", "Mine", "Sentry"),
        )
    },
}
"""The instructions in each card's text, after what it adds."""


def text(scene: Scene) -> Change:
    """A card is carried out: what it adds, its cards drawn first, then its instructions."""
    card = scene.table.view.kinds[scene.card]
    draw = scene.next("draw", n=card.cards, given=no(same(card.cards, 0)))
    change = scene.change.add(actions=card.actions, buys=card.buys, coins=card.coins)
    return change.then(draw, *(scene.next(do) for do in TEXT.get(scene.card, ())))
