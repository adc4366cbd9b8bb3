"""What is claimed of the sequence of play: the promises of its text, for any number of players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from oracle.games.l5r import bridge, effect_claims, guard_claims, theory, theory_effects
from oracle.games.l5r.effect_claims import COME, any_scene
from oracle.games.l5r.guard_claims import ALL, PROVINCES, UNITS, WAITING, guard, judged, position
from oracle.games.l5r.scene import CARDS, cards_in
from oracle.games.l5r.theory import VERBS, Text
from oracle.games.l5r.theory_effects import Change, Round
from oracle.proof.claims import Claim, Part
from oracle.proof.laws import Laws
from oracle.proof.lift import Modules
from oracle.proof.smt import FALSE, TRUE, Bool, both, count, either, every, no, number, pick, same, some, total, truth, when

__all__ = ["TESTED", "claims", "guards", "modules"]

TESTED = (
    "flow.run: what happens by itself, until somebody must choose",
    "flow._straighten: every card of the active player is straightened but Bamboo Harvesters in their first turn",
    "flow._events: which Province and which card is next",
    "flow._assign and _maneuvers: units leave home for the battlefields named; who has nobody to assign is not asked",
    "flow._return_home: all units are at home again",
    "effects._turn: which card an effect bows or straightens",
    "effects.offer: Reactions are asked for exactly where somebody has one",
    "effects.first: what the others start with, and what is drawn and filled then",
    "moves.decision: who chooses, and from what (the guards are proved, the generator is held against them)",
)
"""What is not lifted, and is tested on drawn positions instead."""


def modules(**how: Any) -> Modules:
    """The shipped code that the claims are about, loaded to be lifted."""
    return bridge.modules(**how)


def guards(code: Modules, law: Laws) -> Iterator[Claim]:
    """The claims about what the shipped guards allow."""
    yield from guard_claims.claims(code, law)
    for promise in (some_action, limited, barred, over, each_phase):
        yield promise(code, law)


def claims(code: Modules, law: Laws) -> Iterator[Claim]:
    """All claims of the game."""
    yield from guards(code, law)
    yield from effect_claims.claims(code, law)
    for promise in (rounds, reopened, endless, budget, turn_order, no_more, hands, battles, conserved):
        yield promise(law)


def _claim(
    name: str,
    says: str,
    about: Sequence[str],
    scope: str,
    law: Laws,
    parts: Sequence[Part],
    domain: Sequence[Bool] = (),
    **more: Any,
) -> Claim:
    return Claim(
        id=f"promise.{name}",
        says=says,
        about=tuple(about),
        scope=scope,
        laws=law,
        parts=tuple(parts),
        domain=tuple(domain),
        **more,
    )


# -- what is legal ---------------------------------------------------------------------------------

TRIED = tuple(verb for verb in VERBS if verb not in ("assign", "end", "fight at", "draw", "fill"))


def _guarded(code: Modules, time: int, verb: str) -> Bool:
    """Where the shipped guard allows an action about any one thing, or about nothing."""
    items = () if verb in (*theory.BARE, "assign") else ("dynasty phase",) if verb == "end" else (position().item,)
    return guard(judged(code, time, bridge.action(verb, *items)))


def some_action(code: Modules, law: Laws) -> Claim:
    """There is always something to do: no dead state."""
    view = position()
    text = Text(view, law)
    parts = []
    goes_on = text.goes_on("pass", 0)

    def part(time: int, able: Bool, premise: Bool = TRUE, rule: Bool = TRUE) -> None:
        # Only what the rules say of the time is needed to know that the shipped guard allows it.
        parts.append(Part(when(both(goes_on, rule), able), both(same(view.time, time), premise)))

    for time in theory.ROUNDS:
        part(time, _guarded(code, time, "pass"), same(view.who, view.now), text.opportunity(time))
    part(theory.OFFER, _guarded(code, theory.OFFER, "no attack"), same(view.who, view.active), text.declines_attack())
    side = pick(view.second_side, view.defender, view.attacker)
    for time in VERBS["assign"]:
        part(time, _guarded(code, time, "assign"), same(view.who, side), text.assigns((), ()))
    named = bridge.action("fight at", "1")
    fights = guard(judged(code, theory.BATTLES, named, fields=1))
    first = both(same(view.item, 0), same(view.fields, 1), no(view.fought(0)))
    part(theory.BATTLES, fights, both(same(view.who, view.attacker), first), text.fights())
    part(theory.DYNASTY, _guarded(code, theory.DYNASTY, "end"), same(view.who, view.active), text.ends(True))
    mine = same(view.who, view.active)
    held = both(view.held > view.most, view.copies >= 1)
    part(theory.END, _guarded(code, theory.END, "discard"), both(mine, held), text.discards(PROVINCES))
    left = some(both(card.left, same(card.card, view.item)) for card in PROVINCES[0])
    part(theory.EVENTS, _guarded(code, theory.EVENTS, "deal with"), both(mine, left), text.deals(PROVINCES))
    one = WAITING[0]
    alone = both(same(one.turn, 0), one.live, same(one.name, view.item), *(t.rank >= one.rank for t in WAITING[:2]))
    part(theory.ORDER, _guarded(code, theory.ORDER, "resolve"), both(mine, alone), text.resolves(ALL.triggers))
    for time in VERBS["decline"]:
        part(time, _guarded(code, time, "decline"), same(view.who, view.owner), text.declines())
    return _claim(
        "some-action",
        "whoever must choose always has a legal action: somebody can always act or pass",
        ("l5r.action.round", "l5r.attack.optional", "l5r.dynasty.discard", "l5r.ruling.owner-declines"),
        "every time at which a player chooses; any number of players, any cards and counts",
        law,
        parts,
        guard_claims.domain(),
    )
