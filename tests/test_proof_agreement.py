"""Guard, generator and compiled theory: three voices that say the same of every position."""

from __future__ import annotations

import os
import random
from itertools import islice
from typing import Any

import pytest

from oracle import games
from oracle.errors import BadInput
from oracle.game import Decision, Game

POSITIONS = int(os.environ.get("ORACLE_POSITIONS", "400"))
"""How many positions are judged a game: set ORACLE_POSITIONS=100000 for the full profile."""


def _with_third() -> list[str]:
    found = []
    for name in games.names():
        try:
            games.load(name).room("third")
        except BadInput:
            continue
        found.append(name)
    return found


def _position(game: Game[Any], rng: random.Random) -> Any:
    edition = game.editions[rng.randrange(len(game.editions))]
    state = game.position(game.sample_position(rng.randrange, edition), edition)
    for _ in range(rng.randrange(6)):
        decision = game.decision(state)
        if decision is None:
            break
        state, _ = game.play(state, _some(decision, rng))
    return state


def _some(decision: Decision, rng: random.Random) -> Any:
    n = len(decision.legal)
    return decision.legal[1 + rng.randrange(n - 1) if n > 1 and rng.randrange(8) else rng.randrange(n)]


@pytest.mark.parametrize("name", _with_third())
def test_guard_generator_and_compiled_theory_agree(name: str) -> None:
    """On drawn positions, unreachable ones included, each action is legal for all three or for none."""
    game, rng = games.load(name), random.Random(20)
    third = game.room("third")
    judged = legal_ones = spoken = 0
    for _ in range(POSITIONS):
        state = _position(game, rng)
        decision = game.decision(state)
        legal = decision.legal if decision else ()
        player = decision.player if decision else "A"
        universe = list(game.candidates(state))
        actions = [*islice(legal, 40), *rng.sample(universe, min(30, len(universe)))]
        theory = third.legal(state, player, actions)
        other = third.legal(state, "B" if player != "B" else "A", actions)
        spoken += theory is not None
        for i, action in enumerate(actions):
            guard = game.judge(state, player, action).legal
            assert guard == (action in legal), (game.text(action), game.observe(state))
            if theory is not None and other is not None:
                assert theory[i] == guard, (game.text(action), player, game.observe(state), state.stack[-1:])
                assert not other[i]
            judged += 1
            legal_ones += guard
    assert legal_ones > POSITIONS
    assert judged - legal_ones > POSITIONS
    assert spoken > POSITIONS * 0.8


def test_the_lifted_guard_of_dominion_is_the_guard() -> None:
    """Compiled and run on drawn states, what lifting made of the guard says what the guard says."""
    from oracle.games.dominion import guard_claims, theory, third
    from oracle.proof.compiled import compiled

    game, rng = games.load("dominion"), random.Random(5)
    code = game.room("claims").modules()
    view: Any = third._rules("2023")[0].view
    actions = [game.action(verb, card) for verb in ("play", "buy") for card in ("Copper", "Silver", "Village", "Moat")]
    actions += [game.action("end", f"{phase} phase") for phase in theory.PHASES]
    judges = {}
    for at, phase in zip(third._PHASE, theory.PHASES, strict=True):
        terms = [guard_claims.guard(guard_claims.judged(code, view, action, phase)) for action in actions]
        judges[at] = compiled(terms)
    tried = 0
    for _ in range(300):
        state = _position(game, rng)
        if state.stack or state.at not in judges:
            continue
        for player in ("A", "B", None):
            said = judges[state.at](third._Values(state, player=third._code(state, player)))
            assert [bool(x) for x in said] == [game.judge(state, player, action).legal for action in actions]
            tried += 1
    assert tried > 100
