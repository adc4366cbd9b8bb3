"""Dominion's text again, in z3: the course of a turn, when a game ends, and who wins it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from oracle.games.dominion.theory import Cards, Table, minus, size
from oracle.games.dominion.theory_effects import Change, Next, Scene, gained, played
from oracle.proof.laws import Laws
from oracle.proof.terms import Bool, both, either, every, number, pick, same, total


def buy(scene: Scene) -> Change:
    """A Buy and the card's cost are used up, and the card is gained."""
    cost = number(scene.table.view.kinds[scene.kind].cost)
    return gained(scene, scene.kind, scene.discard).add(buys=-1, coins=-cost, bought=1)


def play(scene: Scene, phase: str) -> Change:
    """A card of the hand is put in play and carried out; in the Action phase it uses an Action."""
    change = scene.change.move(scene.one, scene.hand, ("play", scene.seat)).then(*played(scene, scene.kind))
    return change.add(actions=-1) if phase == "action" else change


def clean_up(scene: Scene, stays: Mapping[int, Cards]) -> Change:
    """What is in play is discarded unless it still has something to do, and the mover's hand; then five are drawn."""
    change = scene.change
    for seat in range(scene.seats):
        stay = stays.get(seat, {})
        change.move(minus(change.cards(("play", seat)), stay), ("play", seat), ("discard", seat))
    change.move(change.cards(scene.hand), scene.hand, scene.discard)
    return change.then(Next("draw", scene.seat, n=5))


def drawn(scene: Scene, then: str) -> Change:
    """Cards come off the deck: to the hand, or held by the instruction that they come for."""
    if not then:
        return scene.change.move(scene.chosen, scene.deck, scene.hand)
    return scene.change.move(scene.chosen, scene.deck, "held").then(scene.next(then, cards=scene.chosen))


def shuffled(scene: Scene) -> Change:
    """The discard pile is shuffled and put under the deck."""
    return scene.change.move(scene.table.view.zone(*scene.discard), scene.discard, ("under", scene.seat))


def must_shuffle(scene: Scene, wanted: Any) -> Bool:
    """The deck has too few cards, and there are others."""
    deck = total(size(layer) for layer in scene.table.view.deck(scene.seat))
    return both(deck < wanted, size(scene.table.view.zone(*scene.discard)) > 0)


def fresh(scene: Scene) -> Change:
    """A turn begins: one Action, one Buy, nothing carried over."""
    change = scene.change
    change.numbers = {"turn": scene.seat, "actions": 1, "buys": 1}
    change.numbers |= dict.fromkeys(("coins", "bought", "merchants", "silvers"), 0)
    change.turns[scene.seat] = scene.table.view.turns(scene.seat) + 1
    return change


def ends(table: Table, seats: Any) -> Bool:
    """The game ends with this turn: no Province, or three piles empty (four with more than four players)."""
    none = table.law("dom.end.provinces", same(table.view.supply["Province"], 0))
    piles = table.law("dom.end.piles", table.empty_piles() >= pick(number(seats) > 4, 4, 3))
    return either(none, piles)


def wins(law: Laws, i: int, scores: Sequence[Any], turns: Sequence[Any]) -> Bool:
    """A player wins who has the most points and, of those with as many, the fewest turns."""
    return every(
        either(
            law("dom.score", scores[i] > scores[j]),
            law("dom.count.tie", both(same(scores[i], scores[j]), turns[i] <= turns[j])),
        )
        for j in range(len(scores))
        if j != i
    )


def in_turn_order(law: Laws, seats: Sequence[int], mover: int, n: int) -> Bool:
    """Each seat comes later, from the mover round to the left, than the one before it; the mover does not come."""
    places = [number(seat) - mover + pick(number(seat) > mover, 0, n) for seat in (mover, *seats)]
    places[0] = number(0)
    return every(law("dom.order.turn-order", one < other) for one, other in pairwise(places))


POINTS: Mapping[str, int] = {"Estate": 1, "Duchy": 3, "Province": 6, "Curse": -1}


def points(cards: Cards) -> Any:
    """Victory points: those printed, and for each Gardens one for every ten cards."""
    printed = total(number(n) * POINTS[kind] for kind, n in cards.items() if kind in POINTS)
    return printed + number(cards.get("Gardens", 0)) * (size(cards) / 10)
