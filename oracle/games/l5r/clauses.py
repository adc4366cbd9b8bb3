"""What each clause of the guards says by itself, again in z3: for all plain values, of any size.

So a clause is known to be right whatever asks it; that the right clauses are asked is for `guard_claims.py`.
Names are numbers; a type of ability or of card is a number too, in the order of the theory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oracle.games.l5r.theory import BATTLE, HOLDING, LIMITED, OPEN, PERSONALITY, REACTION
from oracle.proof.terms import TRUE, both, either, least, no, same, some

Clause = Callable[..., Any]

CLAUSES: dict[str, Clause] = {
    "still_playing": lambda over: no(over),
    "chooses": same,
    "asked_for": lambda verb, expected: some(same(verb, each) for each in expected),
    "is_written": lambda things, lowest, most, parts: both(lowest <= things, most >= things, same(parts, 0)),
    "may_be_next": lambda name, names: some(same(name, each) for each in names),
    "of_first_class": lambda rank, first: no(rank > first),
    "condition_met": lambda live: live,
    "may_decline": lambda optional: optional,
    "plays_on": lambda out: no(out),
    "has_opportunity": same,
    "begins": same,
    "may_pass": lambda: TRUE,
    "active_takes": lambda kind: either(same(kind, LIMITED), same(kind, OPEN)),
    "others_take": lambda kind: same(kind, OPEN),
    "for_combat": lambda kind, combat: same(combat, same(kind, BATTLE)),
    "answers": lambda kind, happened, in_time: both(same(kind, REACTION), happened, in_time),
    "of_granted_type": same,
    "has_ability": lambda known: known,
    "still_unused": lambda used: no(used),
    "card_ready": lambda of_card, unbowed: no(both(of_card, no(unbowed))),
    "may_attack": lambda barred: no(barred),
    "creates": same,
    "is_other": lambda defender, attacker, playing: both(playing, no(same(defender, attacker))),
    "has_step": same,
    "is_leader": lambda player, attacker, defender: either(same(player, attacker), same(player, defender)),
    "exists": lambda field, fields: some(same(field, each) for each in fields),
    "at_home": lambda there: there > 0,
    "to_one_field": lambda wanted, there: no(both(wanted > there, no(same(there, 0)))),
    "unbowed": lambda wanted, there, ready: least(wanted, there) <= ready,
    "is_cavalry": lambda cavalry: cavalry,
    "not_fought": lambda fought: no(fought),
    "in_this_province": lambda name, names: some(same(name, each) for each in names),
    "shown": lambda copies: copies > 0,
    "comes_into_play": lambda kind: either(same(kind, HOLDING), same(kind, PERSONALITY)),
    "before_discards": lambda discarded: no(discarded),
    "may_end": lambda: TRUE,
    "in_hand": lambda copies: copies > 0,
    "above_maximum": lambda held, most: no(held <= most),
    "is_tied": lambda name, tied: some(same(name, each) for each in tied),
}
"""What each clause is to say by itself; what may come off a deck is in `guard.chance`."""
