"""How fast the reference model plays Dominion, beside pyminion, in one interleaved run.

Run `python bench/dominion.py [ROUNDS]`. Prints CPU seconds' medians and the ratio round by round; it
fails if a play does not end, and judges nothing else.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

from oracle import games
from oracle.game import Action, LegalActions

GAME = games.load("dominion")
MONEY = [Action("play", (card,)) for card in ("Gold", "Silver", "Copper")]
BUYS = [Action("buy", (card,)) for card in ("Province", "Gold", "Silver")]


def big_money(legal: LegalActions) -> Action:
    """All Treasures, then the dearest of Province, Gold and Silver."""
    return next((action for action in (*MONEY, *BUYS) if action in legal), legal[0])


def money_game(rng: random.Random) -> int:
    """One money-only game of two players with the complete legal set at each decision; returns the decisions."""
    state: Any = GAME.start({"players": ["A", "B"], "kingdom": []}, "2023")
    steps = 0
    while (decision := GAME.decision(state)) is not None:
        chance = decision.player is None
        action = decision.legal[rng.randrange(len(decision.legal))] if chance else big_money(decision.legal)
        state, _ = GAME.apply(state, action)
        steps += 1
    assert GAME.outcome(state) is not None
    return steps


def random_steps(rng: random.Random, steps: int) -> int:
    """That many steps of uniformly random play over drawn kingdoms: `decision` and `apply` at each."""
    done = 0
    while done < steps:
        state: Any = GAME.start(GAME.sample_setup(rng.randrange), "2023")
        for _ in range(1000):
            decision = GAME.decision(state)
            if decision is None or done == steps:
                break
            state, _ = GAME.apply(state, decision.legal[rng.randrange(len(decision.legal))])
            done += 1
    return done


def pyminion_game(rng: random.Random) -> int:
    """One money-only game of pyminion's own big-money bots."""
    from pyminion.bots.examples import BigMoney
    from pyminion.expansions.base import base_set
    from pyminion.game import Game

    random.seed(rng.random())
    game = Game([BigMoney("A"), BigMoney("B")], [base_set], random_order=False, log_stdout=False)
    game.play()
    return 1


def timed(play: Callable[[random.Random], int], rng: random.Random, times: int) -> tuple[float, int]:
    """CPU seconds of playing that many times, and what the plays counted."""
    began = process_time()
    count = sum(play(rng) for _ in range(times))
    return process_time() - began, count


def main(rounds: int = 7, plays: int = 60) -> None:
    """Interleaves the three and prints the table."""
    rng = random.Random(2023)
    ours, theirs, steps, ratios, decisions = [], [], [], [], []
    for _ in range(rounds):
        a, n = timed(money_game, rng, plays)
        b, _ = timed(pyminion_game, rng, plays)
        c, done = timed(lambda rng: random_steps(rng, 4000), rng, 1)
        ours.append(plays / a)
        theirs.append(plays / b)
        ratios.append(b / a)
        steps.append(done / c)
        decisions.append(n / a)
    print(f"{rounds} rounds of {plays} games each, interleaved; medians (min to max) of CPU figures")
    for name, values, unit in (
        ("reference, money-only", ours, "games/s"),
        ("reference, money-only", decisions, "decisions/s with the legal set"),
        ("pyminion, money-only", theirs, "games/s"),
        ("ratio, round by round", ratios, "times pyminion's games/s"),
        ("reference, random play", steps, "steps/s of legal plus apply"),
    ):
        print(f"{name:24} {median(values):10.2f}  ({min(values):.2f} to {max(values):.2f})  {unit}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
