"""What cannot be lifted of Dominion's effects, held against the theory on drawn states."""

from __future__ import annotations

import random
from typing import Any

import pytest

from oracle import games
from oracle.games.dominion.effects import play, resolve
from oracle.games.dominion.scoring import points
from oracle.games.dominion.state import State

pytest.importorskip("z3")

GAME = games.load("dominion")
STATES = 10_000


@pytest.fixture(scope="module")
def states() -> list[State]:
    """Ten thousand states: drawn positions and what random play makes of them."""
    rng, found = random.Random(7), list[State]()
    while len(found) < STATES:
        edition = GAME.editions[rng.randrange(3)]
        state: Any = GAME.position(GAME.sample_position(rng.randrange, edition), edition)
        for _ in range(12):
            found.append(state)
            decision = GAME.decision(state)
            if decision is None:
                break
            state, _ = play(state, decision.legal[rng.randrange(len(decision.legal))])
    return found


def test_points_are_those_of_the_theory(states: list[State]) -> None:
    """Printed points, and Gardens by all the cards of their owner."""
    third = GAME.room("third")
    for state in states:
        for i, seat in enumerate(state.seats):
            assert points(state, seat) == third.points(state, i), GAME.observe(state)
    assert len({points(state, state.mover) for state in states}) > 5


def test_play_stops_where_somebody_must_choose(states: list[State]) -> None:
    """The engine goes on by itself exactly as long as there is nothing to choose, as the theory sees it."""
    third = GAME.room("third")
    for state in states:
        assert third.stops(state), (state.stack[-1:], GAME.observe(state))
    assert sum(bool(state.stack) for state in states) > STATES / 10


def test_a_trigger_adds_what_it_says(states: list[State]) -> None:
    """Resolving a trigger adds its numbers, has its owner draw, takes it off the agenda, and changes nothing else."""
    resolved = 0
    for state in states:
        for trigger in state.agenda:
            after = resolve(state, trigger, [])
            plain = trigger.effect.plain
            added = (after.actions - state.actions, after.buys - state.buys, after.coins - state.coins)
            assert added == (plain.actions, plain.buys, plain.coins)
            owner = [seat.name for seat in state.seats].index(str(trigger.owner))
            drawn = [("draw", owner, plain.cards)] if plain.cards else []
            assert [(step.do, step.seat, step.n) for step in after.stack[len(state.stack) :]] == drawn
            assert sorted(map(repr, [*after.agenda, trigger])) == sorted(map(repr, state.agenda))
            assert (after.seats, after.supply, after.trash) == (state.seats, state.supply, state.trash)
            resolved += 1
    assert resolved > 100


def test_a_turn_passes_to_the_left_and_the_game_ends_between_turns(states: list[State]) -> None:
    """A turn ends at most once with an action: then the next seat begins its turn, unless a pile condition is met."""
    passed, over = 0, 0
    for state in states[::4]:
        decision = GAME.decision(state)
        if decision is None:
            continue
        ends = [action for action in decision.legal if action.verb == "end"]
        after, events = play(state, ends[0] if ends else decision.legal[0])
        ended, began = (
            [event.player for event in events if event.event == f"turn {word}"] for word in ("ended", "began")
        )
        empty = sum(n == 0 for n in after.supply)
        finished = bool(ended) and (after.left("Province") == 0 or empty >= (4 if len(state.seats) > 4 else 3))
        assert ended in ([], [state.mover.name])
        assert after.over == finished
        left = (state.turn + 1) % len(state.seats)
        if ended and not finished:
            assert (after.turn, began) == (left, [state.seats[left].name])
            passed += len(state.seats) > 2
        over += finished
    assert min(passed, over) > 20
