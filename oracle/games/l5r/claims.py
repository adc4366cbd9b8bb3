"""What is claimed of the sequence of play: the promises of its text, for any number of players."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from oracle.games.l5r import (
    bridge,
    effect_claims,
    guard_claims,
    order_claims,
    promises,
    reason_claims,
    theory,
    theory_effects,
    turn_claims,
)
from oracle.games.l5r.guard_claims import ALL, FEW, PROVINCES, guard, judged, position, replayed
from oracle.games.l5r.promises import promise
from oracle.games.l5r.replay import WRITTEN, Asked, Table, in_round
from oracle.games.l5r.theory import VERBS, Text
from oracle.games.l5r.theory_effects import Round
from oracle.proof.claims import Claim, Part
from oracle.proof.laws import Laws
from oracle.proof.lift import Modules
from oracle.proof.terms import Bool, both, count, either, no, pick, same, some, truth

__all__ = ["TESTED", "claims", "guards", "modules"]

TESTED = (
    "flow.run: what happens by itself, until somebody must choose",
    "flow._straighten: every card of the active player is straightened but Bamboo Harvesters in their first turn",
    "flow._events: which Province and which card is next",
    "flow._assign and _maneuvers: units leave home for the battlefields named; who has nobody to assign is not asked",
    "losing.return_home: all units are at home again",
    "losing.destroy, and lose in the middle of something: what is over with a player, and what goes on",
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
    yield from reason_claims.claims(code, law)
    yield from guard_claims.claims(code, law)
    for make in (some_action, limited, barred, over):
        yield make(code, law)


def claims(code: Modules, law: Laws) -> Iterator[Claim]:
    """All claims of the game."""
    yield from guards(code, law)
    yield from effect_claims.claims(code, law)
    yield from turn_claims.claims(code, law)
    for make in (rounds, reopened, endless, budget, turn_order):
        yield make(law)
    yield from promises.claims(law)
    yield from order_claims.claims(law)


# -- what is legal ---------------------------------------------------------------------------------


def _guarded(code: Modules, time: int, verb: str, *items: Any, **about: Any) -> Bool:
    """Where the shipped guard allows an action."""
    return guard(judged(code, time, bridge.action(verb, *items), **about))


def some_action(code: Modules, law: Laws) -> Claim:
    """There is always something to do: no dead state."""
    view = position()
    text = Text(view, law)
    item, parts = view.item, list[Part]()
    plays = both(no(view.over), view.playing(view.who))

    said: list[Asked] = []

    def part(time: int, verb: str, says: Bool, premise: Bool, *items: Any, **about: Any) -> None:
        allowed = both(text.goes_on(verb, len(items)), says)
        goal = both(allowed, _guarded(code, time, verb, *items, **about))
        parts.append(Part(goal, both(same(view.time, time), plays, premise)))
        if time in WRITTEN:
            said.append(Asked(time, partial(Table.named, verb=verb), allowed))

    mine, side = same(view.who, view.active), pick(view.second_side, view.defender, view.attacker)
    for time in theory.ROUNDS:
        part(time, "pass", text.passes(), same(view.who, view.now))
    part(theory.OFFER, "no attack", text.declines_attack(), mine)
    for time in VERBS["assign"]:
        part(time, "assign", text.assigns((), ()), same(view.who, side))
    left = both(same(view.item, 0), view.field(0), no(view.fought(0)))
    part(theory.BATTLES, "fight at", text.fights(), both(same(view.who, view.attacker), left), "1", fields=(0,))
    part(theory.DYNASTY, "end", text.ends(True), mine, "dynasty phase")
    above = both(view.held > view.most, view.copies >= 1)
    part(theory.END, "discard", text.discards(PROVINCES), both(mine, above), item)
    named = some(both(card.left, same(card.card, item)) for card in PROVINCES[0])
    part(theory.EVENTS, "deal with", text.deals(PROVINCES), both(mine, named), item)
    first, *others = ALL.triggers
    due = both(same(first.turn, 0), same(first.turns, 0), first.live, same(first.name, item))
    alone = both(due, *(other.rank >= first.rank for other in others), same(view.who, view.ordering))
    part(theory.ORDER, "resolve", text.resolves(ALL.triggers), alone, item)
    for time in VERBS["decline"]:
        part(time, "decline", text.declines(), same(view.who, view.owner))
    shown = some(both(card.up, same(card.card, view.offered)) for card in PROVINCES[0])
    for rule in ("l5r.dynasty.bring", "l5r.dynasty.discard"):
        leaves = both(same(view.who, view.owner), same(item, 0), shown)
        part(theory.FROM, "from", text.leaves(rule, PROVINCES), leaves, "1", rule=rule)
    made = promise(
        "some-action",
        "whoever must choose has a legal action: to act or to pass in a round, and one at every other time",
        ("l5r.action.round", "l5r.attack.optional", "l5r.dynasty.discard", "l5r.ruling.owner-declines"),
        "every time at which a player chooses; any number of players, any cards and counts; three cards in two "
        "Provinces, two triggers, a battle left at the first Province",
        law,
        parts,
        guard_claims.domain(),
    )
    return replayed(made, said)


def limited(code: Modules, law: Laws) -> Claim:
    """Types of actions in action rounds."""
    view = position()
    text, parts = Text(view, law), list[Part]()
    kind = view.ability.type
    allowed = {
        theory.ACTION: either(same(kind, theory.OPEN), both(same(kind, theory.LIMITED), same(view.who, view.active))),
        theory.COMBAT: same(kind, theory.BATTLE),
        theory.REACTIONS: both(same(kind, theory.REACTION), view.ability.answers),
    }
    for time, types in allowed.items():
        shipped = _guarded(code, time, "use", view.item)
        says = both(text.goes_on("use", 1), text.uses())
        premise = both(same(view.time, time), either(shipped, says))
        cases = (no(same(view.who, view.active)),)
        parts.append(Part(both(types, same(view.who, view.now), no(view.ability.used)), premise, cases=cases))
    made = promise(
        "limited",
        "at an opportunity a non-active player never takes a Limited action; Battle actions are for combats only",
        ("l5r.action.limited", "l5r.action.open", "l5r.ruling.battle-actions"),
        "opportunities of action rounds (an additional action is of the type granted); any number of players",
        law,
        parts,
        guard_claims.domain(),
    )
    uses = both(text.goes_on("use", 1), text.uses())
    return replayed(made, [Asked(time, partial(Table.named, verb="use"), uses) for time in allowed if time in WRITTEN])


def barred(code: Modules, law: Laws) -> Claim:
    """Attacks of players who may not declare one."""
    view = position()
    text, parts = Text(view, law), list[Part]()
    attacks = _guarded(code, theory.OFFER, "attack", view.item)
    says = both(text.goes_on("attack", 1), text.attacks())
    barred_ = view.barred(view.who)
    parts.append(Part(no(either(attacks, says)), both(same(view.time, theory.OFFER), barred_)))
    uses_says = both(text.goes_on("use", 1), text.uses())
    for time in VERBS["use"]:
        uses = _guarded(code, time, "use", view.item)
        parts.append(Part(no(either(uses, uses_says)), both(same(view.time, time), barred_, view.ability.attacks)))
    made = promise(
        "barred",
        "a player who may not declare attacks neither attacks nor uses what would create an attack (`effect.attack`: "
        "nor does anything else create one)",
        ("l5r.attack.barred",),
        "any number of players, any of them barred",
        law,
        parts,
        guard_claims.domain(),
    )
    attack = Asked(theory.OFFER, partial(Table.named, verb="attack"), says)
    use = Asked(theory.ACTION, partial(Table.named, verb="use"), uses_says)
    return replayed(made, [attack, use])


def over(code: Modules, law: Laws) -> Claim:
    """After the end."""
    view = position()
    text, parts = Text(view, law), list[Part]()
    for verb, times in VERBS.items():
        if verb not in guard_claims.MAY:
            continue
        things = () if verb in theory.BARE else (view.item,)
        says = both(text.goes_on(verb, len(things)), guard_claims.MAY[verb](text, FEW))
        able = some(_guarded(code, time, verb, *things, around=FEW) for time in times)
        parts.append(Part(both(no(says), no(able)), view.over))
    return promise(
        "over",
        "once the game is over nothing is legal, for anybody",
        ("l5r.over",),
        "every action about nothing or about one thing of any name (others: `guard.*`); any number of players",
        law,
        parts,
        guard_claims.domain(),
    )


# -- action rounds ---------------------------------------------------------------------------------

ROUNDS = "action rounds of any number of players (Action Phase, combats, Reactions), by induction over opportunities"


def _round(law: Laws) -> tuple[Round, Round, Bool, Bool]:
    """A round before and after an opportunity, whether it was a pass, and all that is then so."""
    now, then, passes = Round(), Round(".next"), truth("passes")
    moved = both(now.moves(law, then, passes), now.remembers(then, passes))
    return now, then, passes, both(now.holds(), no(now.ended(law)), moved)


def rounds(law: Laws) -> Claim:
    """When a round ends."""
    now, then, passes, step = _round(law)
    begins = both(same(now.turn, 0), same(now.passes, 0), no(now.passed))
    ended, mine = now.ended(law), same(now.who, now.turn)
    parts = [
        Part(now.holds(), begins),
        Part(then.holds(), step, cases=(both(passes, now.n >= 3), both(no(passes), now.passed))),
        Part(now.passed, both(now.holds(), ended), cases=(now.n >= 3,)),
        Part(no(now.passed), both(now.holds(), no(ended), mine), cases=(now.n >= 3, now.passes >= 1)),
    ]
    return promise(
        "rounds",
        "a round ends exactly when all players have passed consecutively, each since anybody acted",
        ("l5r.action.passes", "l5r.action.end", "l5r.action.round"),
        f"{ROUNDS}; shown for one arbitrary player",
        law,
        parts,
        [*now.domain(), *then.domain()],
    )


def reopened(law: Laws) -> Claim:
    """What an action does to a round."""
    now, then, passes, step = _round(law)
    acts = both(step, no(passes))
    made = promise(
        "reopened",
        "an action by anybody makes all pass anew, those too who had passed; the next player has the opportunity",
        ("l5r.action.passes", "l5r.action.round"),
        f"{ROUNDS}; shown for one arbitrary player",
        law,
        [
            Part(both(no(then.passed), no(then.ended(law))), acts, cases=(now.passed,)),
            Part(same(then.turn, pick(same(now.turn + 1, now.n), 0, now.turn + 1)), acts),
        ],
        [*now.domain(), *then.domain()],
    )
    return in_round(made, now, then, passes)


def endless(law: Laws) -> Claim:
    """Without a budget of actions nothing bounds a round."""
    now, then, passes, step = _round(law)
    made = promise(
        "endless",
        "nothing bounds the length of a round: after any action it goes on, and another may follow",
        ("l5r.action.passes", "l5r.action.end"),
        ROUNDS,
        law,
        [Part(both(then.holds(), no(then.ended(law))), both(step, no(passes)))],
        [*now.domain(), *then.domain()],
    )
    return in_round(made, now, then, passes)


def budget(law: Laws) -> Claim:
    """With a budget of actions a round ends."""
    now, then, passes, step = _round(law)
    left, fewer = count("actions.left"), count("actions.left.next")
    spent = both(left >= pick(passes, 0, 1), same(fewer, pick(passes, left, left - 1)))
    falls = either(fewer < left, both(same(fewer, left), then.n - then.passes < now.n - now.passes))
    made = promise(
        "budget",
        "with any number of actions left a round ends: each opportunity uses up one of them, or a pass of at most n",
        ("l5r.action.passes",),
        f"{ROUNDS}; the measure is (actions left, players less passes)",
        law,
        [
            Part(
                both(falls, fewer >= 0, then.n - then.passes >= 0),
                both(step, spent, left >= 0),
                cases=(passes, no(passes)),
            )
        ],
        [*now.domain(), *then.domain()],
    )
    return in_round(made, now, then, passes)


def turn_order(law: Laws) -> Claim:
    """Each player, once round."""
    n, first, one, other = (count(f"seat.{name}") for name in ("n", "first", "one", "other"))
    at = {seat: theory_effects.distance(law, seat, first, n) for seat in (one, other)}
    seats = [both(seat >= 0, seat < n) for seat in (first, one, other)]
    left = same(other, pick(same(one + 1, n), 0, one + 1))
    return promise(
        "each-player",
        "what each player does goes once round: the active player first, then each next to the left, nobody twice",
        ("l5r.turn.order",),
        "any number of players, shown for two arbitrary ones (who is passed over: `effect.order`)",
        law,
        [
            Part(both(at[one] >= 0, at[one] < n), cases=(n >= 3,)),
            Part(same(at[one], 0), same(one, first)),
            Part(no(same(at[one], at[other])), no(same(one, other)), cases=(n >= 3,)),
            Part(same(at[other], at[one] + 1), both(left, no(same(other, first))), cases=(n >= 3, same(other, 0))),
        ],
        [n >= 2, *seats],
    )
