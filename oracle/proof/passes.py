"""Two ways to say when a round of passing ends, shown to be one: as many passes in a row as there are players,
or everybody's last word a pass. For any number of players, by induction over the opportunities of a round.
"""

from __future__ import annotations

from typing import Any

import z3

from oracle.proof.smt import RLIMIT, ask
from oracle.proof.terms import Bool, both, count, either, every, no, pick, same, truth, when

N, TURN, PASSES = count("players"), count("place.to.act"), count("passes.in.a.row")
LAST = z3.Function("last_word_was_a_pass", z3.IntSort(), z3.BoolSort())
"""By place whether the last word was a pass; false of whoever has not spoken yet."""
ALL = truth("every.last.word.was.a.pass")
ROUND = (N >= 1, TURN >= 0, TURN < N, PASSES >= 0, PASSES <= N)


def _ago(place: Any, turn: Any) -> Any:
    """How many opportunities ago the place had its last one, 0 for the one just before this."""
    return pick(place < turn, turn - 1 - place, turn - 1 - place + N)


def _fits(place: Any, turn: Any, passes: Any, last: Any) -> Bool:
    """What joins the two: all places since the last action have passed last, and the place before them has not."""
    ago = _ago(place, turn)
    return both(when(ago < passes, last), when(same(ago, passes), no(last)))


def always(rlimit: int = RLIMIT) -> bool:
    """Whether the two are joined when a round begins, and stay so whatever becomes of an opportunity."""
    place, passed = count("place"), truth("passed")
    there = [*ROUND, place >= 0, place < N, PASSES < N]
    begins = [same(PASSES, 0), no(LAST(place)), no(_fits(place, TURN, PASSES, LAST(place)))]
    following = pick(TURN + 1 < N, TURN + 1, 0)
    last = pick(same(place, TURN), passed, LAST(place))
    goes_on = [_fits(place, TURN, PASSES, LAST(place)), no(_fits(place, following, pick(passed, PASSES + 1, 0), last))]
    return all(ask([*there, *facts], rlimit).said == "unsat" for facts in (begins, goes_on))


def joined() -> Bool:
    """What is so in any round that `always` holds of, as far as it takes to tell the two ways to end it apart.

    Two places are looked at: the one before those that have passed in a row, and any whose last word was no pass.
    """
    before = pick(TURN - 1 - PASSES >= 0, TURN - 1 - PASSES, TURN - 1 - PASSES + N)
    other = count("other.place")
    spoken = when(no(ALL), both(other >= 0, other < N, no(LAST(other))))
    looked_at = when(PASSES < N, both(_fits(before, TURN, PASSES, LAST(before)), either(no(ALL), LAST(before))))
    return every([*ROUND, spoken, looked_at, _fits(other, TURN, PASSES, LAST(other))])
