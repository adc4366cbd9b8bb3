"""What each clause of the guards says by itself, again in z3: for all plain values, of any size.

So a clause is known to be right whatever asks it; that the right clauses are asked is for `guard_claims.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

from oracle.proof.terms import both, either, every, no, pick, same, total, when

Clause = Callable[..., Any]

CLAUSES: dict[str, Clause] = {
    "still_playing": lambda over: no(over),
    "own_turn": same,
    "still_to_act": lambda place, now: place >= now,
    "due": lambda place, now: now >= place,
    "some_card": lambda taken: taken > 0,
    "up_to_three": lambda taken: taken < 4,
    "different_guilds": lambda guilds: every(no(same(a, b)) for a, b in combinations(guilds, 2)),
    "within_limit": lambda values: total(values) <= 7,
    "alone": lambda taken: same(taken, 1),
    "card_displayed": lambda displayed: displayed > 0,
    "has_all": lambda have, wanted: every(a >= b for a, b in zip(have, wanted, strict=True)),
    "in_berth": same,
    "effective_cost": lambda cost, discount: pick(discount >= cost, 0, cost - discount),
    "of_guild": lambda guilds, guild: every(same(g, guild) for g in guilds),
    "covers": lambda values, cost: no(total(values) < cost),
    "pays": lambda paid, free: either(free, paid > 0),
    "all_needed": lambda values, cost, needless: either(
        needless, every(total([*values[:i], *values[i + 1 :]]) < cost for i in range(len(values)))
    ),
    "has_room": lambda docked: docked <= 3,
    "vacant_node": lambda known, occupied: no(either(no(known), occupied)),
    "placed": lambda allowed: allowed,
    "somewhere": lambda docked, nodes: either(docked < 4, nodes > 0),
    "low_enough": lambda value: value <= 3,
    "docked": lambda copies: copies > 0,
    "stands": lambda known, occupied: no(either(no(known), no(occupied))),
    "vacated": lambda occupied: occupied,
    "not_the_core": lambda node, core: no(same(node, core)),
    "differs": lambda incoming, leaving, alike: when(same(incoming, leaving), alike),
    "nothing_to_acquire": lambda displayed: same(displayed, 0),
    "cannot_pay": lambda worth, held, cost, free: no(both(worth >= cost, either(free, no(same(held, 0))))),
    "unbought": lambda unpaid, destination: no(both(no(unpaid), destination)),
    "unchanged": lambda dock, leaves, enters, allowed: no(
        both(
            either(
                both(leaves, no(enters), dock <= 3),
                both(enters, no(leaves), dock <= 5),
                both(leaves, enters, dock <= 4),
            ),
            allowed,
        )
    ),
    "end_triggered": lambda ended: ended,
    "as_many": lambda dealt, missing, left: pick(missing <= left, same(dealt, missing), same(dealt, left)),
}
"""What each clause is to say by itself, for plain values of any size."""
