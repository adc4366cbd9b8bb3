"""That the course of a turn, the end of a game and its winners are what the theory says."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from oracle.game import Action
from oracle.games.dominion import bridge, theory, theory_turn
from oracle.games.dominion.bridge import Seen, Shipped
from oracle.games.dominion.effect_claims import ACTOR, CHOSEN, KINDS, PILES, before, claim, refines, scene_of, state
from oracle.games.dominion.replay import Asked, Done, Setting, done_again
from oracle.games.dominion.state import State, Step
from oracle.games.dominion.theory import Table
from oracle.proof.claims import Claim, Part
from oracle.proof.laws import Laws
from oracle.proof.lift import lift
from oracle.proof.symbols import SymBag, SymInt
from oracle.proof.terms import TRUE, Bool, both, count, either, every, no, number, same


def turn(code: Shipped, law: Laws) -> Iterator[Claim]:
    """Buying, playing from the hand, drawing, shuffling, Clean-up and the start of a turn."""
    view, effects = before(ACTOR), code.code.effects
    table = Table(view, law)
    parts, bought = [], list[Done]()
    for kind in PILES:
        scene = scene_of(table, "", "", {}, kind)
        legal = table.may_buy(number(ACTOR) + 1, kind)
        here = both(legal, same(view.turn, ACTOR))
        lifted = lift(partial(effects._buy, replace(state(view), turn=ACTOR), kind, []))
        change = theory_turn.buy(scene)
        change.numbers["turn"] = ACTOR
        parts.append(Part(refines(lifted, change, law, "dom.buy.pay"), here))
        bought.append(Done(Asked(Action("buy", (kind,)), legal), change))
    says = "a buy uses a Buy and the cost, and gains the card"
    buying = Setting(view, ACTOR, ACTOR + 1, more=(same(view.phase, 1), same(view.turn, ACTOR)))
    yield claim(law, "buy", says, "dom.buy.pay", parts, **done_again(code, buying, law, bought))
    yield from _played(code, law)
    yield from _chance(code, law)
    scene = scene_of(table, "", "", {})
    lifted = lift(lambda: effects.begin_turn(state(view), ACTOR, []))
    parts = [Part(refines(lifted, theory_turn.fresh(scene), law, "dom.turn.start"))]
    yield claim(law, "begin", "a turn begins with 1 Action, 1 Buy and nothing else", "dom.turn.start", parts)
    parts = []
    for stay in ({}, {ACTOR: {"Any": 1}}, {ACTOR: {"Any": 1}, 2: {"Militia": 1}}):
        there = every(view.zone("play", seat)[kind] >= n for seat, cards in stay.items() for kind, n in cards.items())
        agenda = tuple(bridge.waits(seat, cards) for seat, cards in stay.items())
        began = replace(state(view), turn=ACTOR, agenda=agenda)
        lifted = lift(partial(effects._clean_up, began, []))
        change = theory_turn.clean_up(scene, stay)
        change.numbers["turn"] = ACTOR
        done = refines(lifted, change, law, "dom.cleanup.discard", waiting=agenda)
        parts.append(Part(done, both(there, same(view.turn, ACTOR))))
    yield claim(law, "clean-up", "Clean-up discards what may not stay, then draws", "dom.cleanup.discard", parts)
    parts = []
    for seats in range(2, 7):
        lifted = lift(partial(effects.game_ends, bridge.state(view, seats=bridge.seats(view, seats))))
        parts.append(Part(both(no(lifted.raises), same(lifted.term, theory_turn.ends(table, seats)))))
    yield claim(law, "end", "the game ends when a pile condition is met", "dom.end.piles", parts)


def _played(code: Shipped, law: Laws) -> Iterator[Claim]:
    """Playing from the hand in every phase; what follows by itself is the engine's, and tested."""
    view, effects, parts = before(ACTOR), code.code.effects, []
    run, effects.run = effects.run, lambda state, log: state
    try:
        for phase in theory.PHASES:
            for kind in KINDS:
                began = replace(state(view, phase=phase), turn=ACTOR)
                lifted = lift(lambda began=began, kind=kind: effects.play(began, Action("play", (kind,)))[0])  # type: ignore[misc]
                change = theory_turn.play(scene_of(Table(view, law), "", "", {}, kind), phase)
                held = view.zone("hand", ACTOR)[kind] >= 1
                parts.append(Part(refines(lifted, change, law, "dom.action.play"), held))
    finally:
        effects.run = run
    says = "a card played is in play, its text follows, and in the Action phase, and no other, it uses an Action"
    yield claim(law, "play", says, "dom.action.play", parts)


def _chance(code: Shipped, law: Laws) -> Iterator[Claim]:
    view, effects = before(), code.code.effects
    table, wanted = Table(view, law), count("wanted")
    parts, rule = [], "dom.draw.top"
    for then in ("", "sentry trash"):
        step = Step("draw", ACTOR, "Sentry", SymInt(wanted), then=then)  # type: ignore[arg-type]
        lifted = lift(partial(effects.turned, state(view, (step,)), SymBag(CHOSEN), []))
        legal = table.may_come(theory.CHANCE, ACTOR, wanted, CHOSEN)
        change = theory_turn.drawn(scene_of(table, "", "Sentry", CHOSEN), then)
        parts.append(Part(refines(lifted, change, law, rule), legal))
    yield claim(law, "draw", "cards drawn leave the deck from its top", rule, parts)
    step = Step("draw", ACTOR, "Sentry", SymInt(wanted))  # type: ignore[arg-type]
    lifted = lift(lambda: effects._shuffle(state(view, (step,)), step, []))
    scene = scene_of(table, "", "Sentry", {})
    must = law("dom.cleanup.shuffle", theory_turn.must_shuffle(scene, wanted))

    def goal(after: State) -> Bool:
        seen, rule = Seen(after, view), "dom.cleanup.shuffle"
        done = theory_turn.shuffled(scene).relation(law, rule, seen, seen.held)
        return either(both(must, done), both(no(must), scene.change.relation(law, rule, seen, seen.held)))

    says = "the discard pile is shuffled under a deck that is too small, and only then"
    parts = [Part(lifted.always(goal)), Part(TRUE, must), Part(TRUE, no(must))]
    yield claim(law, "shuffle", says, "dom.cleanup.shuffle", parts)


def winners(code: Shipped, law: Laws) -> Iterator[Claim]:
    """Who wins: most points, then fewest turns."""
    view, scoring = before(), code.code.scoring
    scores = {name: count(f"score.{name}") for name in "ABC"}
    real, scoring.points = scoring.points, lambda state, seat: SymInt(scores[seat.name])
    over = replace(bridge.state(view, seats=bridge.seats(view, 3)), over=True)
    try:
        lifted = lift(lambda: scoring.outcome(over))
    finally:
        scoring.points = real
    turns = [view.turns(seat) for seat in range(3)]
    won = [theory_turn.wins(law, i, list(scores.values()), turns) for i in range(3)]
    goal = lifted.always(lambda end: every(same(name in end.winners, won[i]) for i, name in enumerate("ABC")))
    yield Claim(
        id="effect.winners",
        says="the winners are those with the most points and, among equals, the fewest turns",
        about=("dom.count.tie",),
        scope="3 players, any scores and numbers of turns",
        laws=law,
        parts=(Part(goal),),
        domain=tuple(turn >= 0 for turn in turns),
    )


def claims(code: Shipped, law: Laws) -> Iterator[Claim]:
    """All claims about the course of a turn."""
    yield from turn(code, law)
    yield from winners(code, law)
