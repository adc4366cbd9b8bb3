"""The Station's text again, in z3: what each action changes, what follows it, and how rounds go.

A `Change` names what is different afterwards and the rule that says so; everything that it does not
name stays. Its `relation` holds between the position before and any that is what it makes of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import z3

from oracle.games.station.theory import (
    HIGHEST,
    MARKET,
    SHOWN,
    VACANT,
    Cards,
    Heap,
    Position,
    Print,
    Row,
    copies,
    less,
    put,
    size,
)
from oracle.proof.laws import Laws
from oracle.proof.terms import (
    FALSE,
    TRUE,
    Bool,
    both,
    count,
    either,
    every,
    least,
    no,
    number,
    pick,
    same,
    some,
    total,
    truth,
)

MODULES = ("Module", "Other")
"""Two modules of which nothing is known; the first is the one that moves."""
SCORINGS = ("first install", "every install", "at the end")
PLACES = ("display", "hand", "discard")
NUMBERS = ("counter", "renown", "round", "turn")


class Scene(Position):
    """A position with all that an action of its commander can change; `market` is which module lies in each berth."""

    def __init__(self, kinds: Sequence[str], tag: str = "", layers: int = 2) -> None:
        super().__init__(kinds, tag, layers)
        self.tag = tag
        self.dock = {name: count(f"{tag}dock.{name}") for name in MODULES}
        self.scored = {name: count(f"{tag}scored.{name}") for name in MODULES}
        self.counter, self.renown, self.round, self.turn = (count(f"{tag}{name}") for name in NUMBERS)
        self.discounts = [berth.discount for berth in self.market]
        self.berths = [count(f"{tag}berth.{i}") for i in range(1, MARKET + 1)]
        self.waits = [truth(f"{tag}eligible.{i}") for i in range(1, MARKET + 1)]
        self.stock = [{name: count(f"{tag}stock{i}.{name}") for name in MODULES} for i in range(layers)]
        self.limit, self.unfilled, self.step = count("limit"), truth("unfilled"), count("drift.step")
        self.prints = {name: Print(*(count(f"{name}.{field}") for field in Print._fields)) for name in MODULES}

    def state(self) -> dict[str, Any]:
        """All that can change, by name."""
        return {
            "display": self.display,
            "hand": self.hand,
            "discard": self.discard,
            "deck": self.deck,
            "stock": self.stock,
            "dock": self.dock,
            "scored": self.scored,
            "station": self.station,
            "counter": self.counter,
            "renown": self.renown,
            "ended": self.ended,
            "over": self.over,
            "berths": self.berths,
            "discounts": self.discounts,
            "waits": self.waits,
            "round": self.round,
            "turn": self.turn,
        }

    def domain(self) -> list[Bool]:
        """What the symbols can be; of the modules in the dock no more are scored than are there."""
        piles = [*self.stock, self.dock, self.scored]
        amounts = [n for pile in piles for n in pile.values()]
        return [
            *super().domain(),
            *(number(n) >= 0 for n in (*amounts, *self.discounts, self.step, self.limit, self.counter, self.renown)),
            *(self.scored[name] <= self.dock[name] for name in MODULES),
            *(both(berth >= 0, berth <= len(MODULES)) for berth in self.berths),
            *(printed.renown >= 0 for printed in self.prints.values()),
            *(printed.cost >= 0 for printed in self.prints.values()),
            same(self.docked, size(self.dock)),
        ]


def alike(one: Any, other: Any) -> Bool:
    """Two values of one place are the same."""
    if isinstance(one, Mapping):
        return every(same(one.get(key, 0), other.get(key, 0)) for key in {**one, **other})
    if isinstance(one, (list, tuple)):
        if len(one) != len(other):
            return FALSE
        return every(map(alike, one, other))
    return same(one, other)


def filed(law: Laws, rule: str, value: Any) -> Any:
    """A value as a rule says it; what stands at all nodes at once is no number, and is left as it is."""
    if isinstance(value, Mapping):
        return {key: law(rule, n) for key, n in value.items()}
    if isinstance(value, (list, tuple)):
        return [filed(law, rule, part) for part in value]
    return value if z3.is_array(value) else law(rule, value)


class Then(NamedTuple):
    """A step that is carried out next, where a condition holds, and the rule that says so."""

    do: str
    given: Any
    rule: str


class Change:
    """What is different afterwards: by name the value and the rule that says so; and the steps that follow."""

    def __init__(self, before: Scene, *then: Then, order: str = "") -> None:
        self.before = before
        self.now: dict[str, tuple[Any, str]] = {}
        self.then = then
        """What is carried out next, in this order; `order` is the rule that puts the first before the second."""
        self.order = order

    def set(self, name: str, value: Any, rule: str) -> Change:
        """A value changes."""
        self.now[name] = value, rule
        return self

    def value(self, name: str) -> Any:
        """What a value is after what was said so far."""
        return self.now[name][0] if name in self.now else self.before.state()[name]

    def move(self, cards: Cards, source: str, target: str, rule: str) -> Change:
        """Things go from one place to another."""
        self.set(source, less(self.value(source), cards), rule)
        into = self.value(target)
        return self.set(target, {key: total((n, cards.get(key, 0))) for key, n in into.items()}, rule)

    def relation(self, law: Laws, after: Mapping[str, Any]) -> Bool:
        """That the values afterwards are those that this change makes."""
        facts = []
        for name, old in self.before.state().items():
            value = filed(law, self.now[name][1], self.value(name)) if name in self.now else old
            facts.append(alike(after[name], value))
        return every(facts)

    def orders(self, law: Laws) -> list[tuple[Bool, list[tuple[str, Bool]]]]:
        """The orders in which the steps may come, each with the condition that it is the right one."""
        steps = [(do, law(rule, given)) for do, given, rule in self.then]
        if not self.order:
            return [(TRUE, steps)]
        in_order = law(self.order, TRUE)
        first, second, *others = steps
        return [(in_order, steps), (no(in_order), [second, first, *others])]


REFILL = Then("deal", TRUE, "stn.7.refill")
END = Then("end turn", TRUE, "stn.6.one-action")


def acquire(scene: Scene, row: Row) -> Change:
    """Section 7: the cards come to the hand, then the display is refilled."""
    return Change(scene, REFILL, END).move(copies(row), "display", "hand", "stn.7.refill")


def reward(scene: Scene, row: Row) -> Change:
    """Section 8: a card for an exact payment; what follows it was put before."""
    return Change(scene).move(copies(row), "display", "hand", "stn.8.exact")


def price(scene: Scene, berth: int, name: str) -> Any:
    """What is to be paid for a module, with the Drift of the parameter: less its discounts, never below 0."""
    cost, discount = scene.prints[name].cost, scene.discounts[berth]
    return pick(cost >= discount, cost - discount, 0)


def purchase(scene: Scene, berth: int, paid: Heap, node: Any, scoring: str) -> Change:
    """Section 8: the cards are spent, the module goes to a node or (None) to the dock; the berth is empty."""
    exact = same(total(paid.worth.values()), price(scene, berth, "Module"))
    rewarded, refills = Then("reward", exact, "stn.8.exact"), Then("deal", exact, "stn.8.exact.refill")
    change = Change(scene, rewarded, refills, END, order="stn.8.exact.order")
    change.move(paid.n, "hand", "discard", "stn.8.discard")
    _lies(change, berth, VACANT, "stn.8.berth")
    counter = scene.counter + 1
    change.set("counter", counter, "stn.8.counter")
    change.set("ended", either(scene.ended, both(scene.limit >= 1, counter >= scene.limit)), "stn.param.end")
    if node is None:
        return change.set("dock", _more(change.value("dock"), "Module"), "stn.8.dock")
    change.set("station", put(scene.station, node, 1), "stn.8.install")
    scores = scoring != "at the end"
    return change.set("renown", scene.renown + (scene.prints["Module"].renown if scores else 0), "stn.param.renown")


def _lies(change: Change, berth: int, module: Any, eligible: str) -> Change:
    """Another module, or none, lies in a berth: without a discount, and not eligible in the round that has begun."""
    before = change.before
    change.set("berths", _at(before.berths, berth, module), "stn.8.berth")
    change.set("discounts", _at(before.discounts, berth, number(0)), "stn.8.berth")
    return change.set("waits", _at(before.waits, berth, FALSE), eligible)


def _at(values: Sequence[Any], place: int, value: Any) -> list[Any]:
    return [value if i == place else old for i, old in enumerate(values)]


def _more(cards: Cards, name: str, n: int = 1) -> Cards:
    return {key: total((old, n)) if key == name else old for key, old in cards.items()}


def _taken_out(change: Change, scoring: str) -> Any:
    """`Module` leaves the dock; what is scored for it: one that was never scored goes first."""
    before = change.before
    fresh = before.dock["Module"] > before.scored["Module"]
    change.set("dock", _more(before.dock, "Module", -1), "stn.9.install")
    scored = {**before.scored, "Module": pick(fresh, before.scored["Module"], before.scored["Module"] - 1)}
    change.set("scored", scored, "stn.param.renown")
    gained = before.prints["Module"].renown
    return {"first install": pick(fresh, gained, 0), "every install": gained, "at the end": number(0)}[scoring]


def install(scene: Scene, node: Any, scoring: str) -> Change:
    """Section 9: a module of the dock comes to a node."""
    change = Change(scene, END)
    change.set("renown", scene.renown + _taken_out(change, scoring), "stn.param.renown")
    return change.set("station", put(scene.station, node, 1), "stn.9.install")


def _docks(change: Change, name: str) -> Change:
    """A module that stood comes to the dock; the Renown that it scored is kept."""
    change.set("dock", _more(change.value("dock"), name), "stn.9.stow")
    return change.set("scored", _more(change.value("scored"), name), "stn.9.renown")


def stow(scene: Scene, node: Any) -> Change:
    """Section 9: the module of a node, `Module`, comes to the dock."""
    change = Change(scene, END).set("station", put(scene.station, node, VACANT), "stn.9.stow")
    change.set("renown", scene.renown, "stn.9.renown")
    return _docks(change, "Module")


def exchange(scene: Scene, node: Any, leaving: str, scoring: str) -> Change:
    """Section 9: `Module` comes from the dock to the very node that another leaves."""
    change = Change(scene, END)
    change.set("renown", scene.renown + _taken_out(change, scoring), "stn.param.renown")
    change.set("station", put(scene.station, node, 1), "stn.9.node")
    return _docks(change, leaving)


def pass_(scene: Scene) -> Change:
    """Section 6: a pass uses the turn, and nothing else."""
    return Change(scene, END)


def dealt(scene: Scene, cards: Cards) -> Change:
    """Section 7.1: cards come off the deck into the display."""
    change = Change(scene).set("deck", off_top(scene.deck, cards), "stn.7.1.six")
    return change.set("display", {kind: total((n, cards[kind])) for kind, n in scene.display.items()}, "stn.7.1.six")


def off_top(deck: Sequence[Cards], cards: Cards) -> list[Cards]:
    """The deck without cards off its top: each layer is used up before the next."""
    out: list[Cards] = []
    for layer in deck:
        gone = {kind: least(cards.get(kind, 0), n) for kind, n in layer.items()}
        out.append(less(layer, gone))
        cards = {kind: number(n) - gone.get(kind, 0) for kind, n in cards.items()}
    return out


def shuffled(scene: Scene) -> Change:
    """Section 7.1: a card is needed that the deck has not: what was spent is shuffled and lies under the rest of it."""
    change = Change(scene, REFILL).set("deck", [*scene.deck, scene.discard], "stn.7.1.reshuffle")
    return change.set("discard", dict.fromkeys(scene.discard, number(0)), "stn.7.1.reshuffle")


def salvaged(scene: Scene, berth: int) -> Change:
    """Section 8: `Module` comes off the salvage supply into an empty berth."""
    change = Change(scene).set("stock", off_top(scene.stock, {"Module": 1}), "stn.8.berth")
    return _lies(change, berth, number(1), "stn.6.drift-newcomer")


def unfilled(scene: Scene) -> Change:
    """No module is left for an empty berth."""
    return Change(scene).set("ended", either(scene.ended, scene.unfilled), "stn.param.end")


def drifts(scene: Scene, berth: int) -> Change:
    """Section 12, as far as it is a parameter: an eligible module is discounted once more."""
    more = _at(scene.discounts, berth, scene.discounts[berth] + scene.step)
    return Change(scene).set("discounts", more, "stn.param.drift")


def wants_reward(scene: Position) -> Bool:
    """A card is there that can be taken for an exact payment."""
    return some(both(scene.display[kind] >= 1, scene.value[kind] <= HIGHEST) for kind in scene.kinds)


def wants_shuffle(scene: Scene) -> Bool:
    """A card is needed that the deck has not, and cards were spent."""
    lacks = total(map(size, scene.deck)) + size(scene.display) < SHOWN
    return both(lacks, size(scene.discard) >= 1)


# -- rounds --------------------------------------------------------------------------------------

BEFORE_ROUND, BEFORE_TURN, DURING_TURN, AFTER_TURN, AFTER_ROUND = range(5)


class Clock:
    """Where a match of `n` commanders is. `moved` is how many turns one arbitrary commander, `who`, had this round."""

    def __init__(self, tag: str = "") -> None:
        self.n, self.starting, self.who = count("clock.n"), count("clock.starting"), count("clock.who")
        self.turn, self.round, self.at, self.moved, self.passed = (
            count(f"clock.{name}{tag}") for name in ("turn", "round", "at", "moved", "passed")
        )
        self.ended, self.over = truth(f"clock.ended{tag}"), truth(f"clock.over{tag}")

    def domain(self) -> list[Bool]:
        """What the symbols can be."""
        seats = (self.starting, self.who, self.turn)
        return [self.n >= 1, *(both(seat >= 0, seat < self.n) for seat in seats), self.at >= 0, self.at <= AFTER_ROUND]

    def following(self) -> Any:
        """The seat after the one whose turn it is, around the table."""
        return pick(same(self.turn + 1, self.n), 0, self.turn + 1)

    def distance(self, seat: Any) -> Any:
        """How many seats after the starting one a seat is."""
        return pick(seat >= self.starting, seat - self.starting, seat - self.starting + self.n)

    def passes(self, law: Laws, after: Clock) -> Bool:
        """Time passes on: from before the round to its first turn, from turn to turn, to the end of the round."""
        last = law("stn.6.round", same(self.following(), self.starting))
        end_of_turn = same(self.at, AFTER_TURN)
        at = _cases(
            self.at,
            {
                BEFORE_ROUND: BEFORE_TURN,
                BEFORE_TURN: DURING_TURN,
                DURING_TURN: AFTER_TURN,
                AFTER_TURN: pick(last, AFTER_ROUND, BEFORE_TURN),
                AFTER_ROUND: pick(self.ended, AFTER_ROUND, BEFORE_ROUND),
            },
        )
        next_turn = law("stn.6.seat-order", pick(both(end_of_turn, no(last)), self.following(), self.turn))
        again = law(
            "stn.6.no-rotation", pick(both(same(self.at, AFTER_ROUND), no(self.ended)), self.starting, next_turn)
        )
        began = both(same(self.at, AFTER_ROUND), no(self.ended))
        return both(
            same(after.turn, again),
            same(after.at, at),
            same(after.round, pick(began, self.round + 1, self.round)),
            same(after.ended, self.ended),
            same(after.over, law("stn.end.over", either(self.over, both(same(self.at, AFTER_ROUND), self.ended)))),
        )

    def counts(self, law: Laws, after: Clock) -> Bool:
        """How many turns the round has had, and how many of them `who`: one more each time a turn ends."""
        began = both(same(self.at, AFTER_ROUND), no(self.ended))
        acts = law("stn.6.one-action", same(self.at, DURING_TURN))
        mine = both(acts, same(self.turn, self.who))
        return both(
            same(after.passed, pick(began, 0, self.passed + pick(acts, 1, 0))),
            same(after.moved, pick(began, 0, self.moved + pick(mine, 1, 0))),
        )

    def holds(self) -> Bool:
        """What is true all through a round: the seats before the one whose turn it is have had theirs, nobody else."""
        place, mine = self.distance(self.turn), self.distance(self.who)
        done = pick(self.at >= AFTER_TURN, place + 1, place)
        return both(
            same(self.passed, done),
            same(self.moved, pick(mine < done, 1, 0)),
            either(self.at < AFTER_ROUND, same(done, self.n)),
            either(self.at > BEFORE_ROUND, same(self.turn, self.starting)),
        )


def _cases(value: Any, results: Mapping[int, Any]) -> Any:
    out: Any = results[max(results)]
    for key in sorted(results, reverse=True)[1:]:
        out = pick(same(value, key), results[key], out)
    return number(out)
