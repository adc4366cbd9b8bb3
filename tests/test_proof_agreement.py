"""Guard, generator and compiled theory: three voices that say the same of every position."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from oracle import games
from oracle.game import Action, Decision, Game
from tests.rooms import games_with

POSITIONS = int(os.environ.get("ORACLE_POSITIONS", "2000"))
"""How many different positions are judged a game: set ORACLE_POSITIONS=100000 for the full profile."""
PARTS = 4
"""They are drawn in as many parts, so that `pytest -n 2` can share them out."""
WALK, LISTED, TRIED = 25, 8, 10
"""Plays from one drawn position; legal actions and others that are judged in each."""


def _some(decision: Decision, rng: random.Random) -> Any:
    n = len(decision.legal)
    return decision.legal[1 + rng.randrange(n - 1) if n > 1 and rng.randrange(8) else rng.randrange(n)]


def _different(game: Game[Any], rng: random.Random, n: int) -> Iterator[tuple[Any, list[Action]]]:
    """Different states, drawn and reached from drawn ones, with all actions that can be written in the drawn one."""
    seen: set[int] = set()
    while True:
        edition = game.editions[rng.randrange(len(game.editions))]
        state = game.position(game.sample_position(rng.randrange, edition), edition)
        universe = list(game.candidates(state))
        for _ in range(WALK):
            if hash(state) not in seen:
                seen.add(hash(state))
                yield state, universe
                if len(seen) == n:
                    return
            decision = game.decision(state)
            if decision is None:
                break
            state, _ = game.play(state, _some(decision, rng))


def _tried(game: Game[Any], legal: Any, universe: Sequence[Action], rng: random.Random) -> list[Action]:
    """Some legal actions; a choice of several with one too many, another or one too few; and some of all others."""
    n = min(len(legal), LISTED)
    start = rng.randrange(max(1, len(legal) - n))
    actions = [legal[start + i] for i in range(n)]
    others = rng.sample(universe, min(TRIED, len(universe)))
    if actions and game.verbs[(action := rng.choice(actions)).verb].many:
        words = [other.items for other in others if other.verb == action.verb] or [action.items]
        for items in (action.items + words[0], action.items[1:] + words[-1], action.items[1:]):
            others.append(replace(action, items=tuple(sorted(items))))
    return [*actions, *others]


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", games_with("third"))
def test_guard_generator_and_compiled_theory_agree(name: str, part: int) -> None:
    """On drawn positions, unreachable ones included, each action is legal for all three or for none."""
    game, rng = games.load(name), random.Random(20 + part)
    third, n = game.room("third"), POSITIONS // PARTS
    judged = legal_ones = spoken = 0
    for state, universe in _different(game, rng, n):
        decision = game.decision(state)
        legal: Any = decision.legal if decision else ()
        player = decision.player if decision else "A"
        actions = _tried(game, legal, universe, rng)
        theory = third.legal(state, player, actions)
        other = third.legal(state, "B" if player != "B" else "A", actions[:2])
        spoken += theory is not None
        for i, action in enumerate(actions):
            guard = game.judge(state, player, action).legal
            assert guard == (action in legal), (game.text(action), game.observe(state))
            if theory is not None:
                assert theory[i] == guard, (game.text(action), player, game.observe(state), state.stack[-1:])
            judged += 1
            legal_ones += guard
        assert not any(other or ())
    print(f"{name}: {n} positions, {judged} judgments, {legal_ones} legal; the theory speaks of {spoken}")
    assert legal_ones > n
    assert judged - legal_ones > n
    assert spoken > n * 0.8


def test_the_lifted_guard_of_dominion_is_the_guard() -> None:
    """Compiled and run on drawn states, what lifting made of the guard says what the guard says."""
    from oracle.games.dominion import guard_claims, theory, third
    from oracle.proof.compiled import compiled

    game, rng = games.load("dominion"), random.Random(5)
    code = game.room("claims").modules()
    view: Any = third._rules()[0].view
    actions = [game.action(verb, card) for verb in ("play", "buy") for card in ("Copper", "Silver", "Village", "Moat")]
    actions += [game.action("end", f"{phase} phase") for phase in theory.PHASES]
    judges = {}
    for at, phase in zip(third._PHASE, theory.PHASES, strict=True):
        terms = [guard_claims.guard(guard_claims.judged(code, view, action, phase)) for action in actions]
        judges[at] = compiled(terms)
    tried = 0
    for state, _ in _different(game, rng, 300):
        if state.stack or state.at not in judges:
            continue
        for player in ("A", "B", None):
            said = judges[state.at](third._Values(state, player=third._code(state, player)))
            assert [bool(x) for x in said] == [game.judge(state, player, action).legal for action in actions]
            tried += 1
    assert tried > 100
