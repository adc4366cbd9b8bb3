"""What is claimed of the sequence of play: the promises of its text, for any number of players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from oracle.games.l5r import bridge, effect_claims, guard_claims, order_claims, reason_claims, theory, theory_effects
from oracle.games.l5r.effect_claims import COME, first_cards
from oracle.games.l5r.guard_claims import ALL, FEW, PROVINCES, guard, judged, position
from oracle.games.l5r.scene import CARDS, cards_in
from oracle.games.l5r.theory import VERBS, Text
from oracle.games.l5r.theory_effects import Change, Round
from oracle.proof.claims import Claim, Part
from oracle.proof.laws import Laws
from oracle.proof.lift import Modules
from oracle.proof.smt import Bool, boolean, both, count, either, no, number, pick, same, some, total, truth, when

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
    yield from reason_claims.claims(code, law)
    yield from guard_claims.claims(code, law)
    for promise in (some_action, limited, barred, over):
        yield promise(code, law)


def claims(code: Modules, law: Laws) -> Iterator[Claim]:
    """All claims of the game."""
    yield from guards(code, law)
    yield from effect_claims.claims(code, law)
    for promise in (rounds, reopened, endless, budget, turn_order, no_more, hands, battles, conserved):
        yield promise(law)
    yield from order_claims.claims(law)


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


def _guarded(code: Modules, time: int, verb: str, *items: Any, **about: Any) -> Bool:
    """Where the shipped guard allows an action."""
    return guard(judged(code, time, bridge.action(verb, *items), **about))


def some_action(code: Modules, law: Laws) -> Claim:
    """There is always something to do: no dead state."""
    view = position()
    text = Text(view, law)
    item, parts = view.item, list[Part]()
    plays = both(no(view.over), view.playing(view.who))

    def part(time: int, verb: str, says: Bool, premise: Bool, *items: Any, **about: Any) -> None:
        goal = both(text.goes_on(verb, len(items)), says, _guarded(code, time, verb, *items, **about))
        parts.append(Part(goal, both(same(view.time, time), plays, premise)))

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
    return _claim(
        "some-action",
        "whoever must choose has a legal action: to act or to pass in a round, and one at every other time",
        ("l5r.action.round", "l5r.attack.optional", "l5r.dynasty.discard", "l5r.ruling.owner-declines"),
        "every time at which a player chooses; any number of players, any cards and counts",
        law,
        parts,
        guard_claims.domain(),
    )


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
    return _claim(
        "limited",
        "at an opportunity a non-active player never takes a Limited action; Battle actions are for combats only",
        ("l5r.action.limited", "l5r.action.open", "l5r.ruling.battle-actions"),
        "opportunities of action rounds (an additional action is of the type granted); any number of players",
        law,
        parts,
        guard_claims.domain(),
    )


def barred(code: Modules, law: Laws) -> Claim:
    """Attacks of players who may not declare one."""
    view = position()
    text, parts = Text(view, law), list[Part]()
    attacks = _guarded(code, theory.OFFER, "attack", view.item)
    says = both(text.goes_on("attack", 1), text.attacks())
    barred_ = view.barred(view.who)
    parts.append(Part(no(either(attacks, says)), both(same(view.time, theory.OFFER), barred_)))
    for time in VERBS["use"]:
        uses = _guarded(code, time, "use", view.item)
        says = both(text.goes_on("use", 1), text.uses())
        parts.append(Part(no(either(uses, says)), both(same(view.time, time), barred_, view.ability.attacks)))
    return _claim(
        "barred",
        "a player who may not declare attacks neither attacks nor uses what would create an attack (`effect.attack`: "
        "nor does anything else create one)",
        ("l5r.attack.barred",),
        "any number of players, any of them barred",
        law,
        parts,
        guard_claims.domain(),
    )


def over(code: Modules, law: Laws) -> Claim:
    """After the end."""
    view = position()
    text, parts = Text(view, law), list[Part]()
    for verb, times in VERBS.items():
        if verb in ("draw", "fill", "assign", "end", "fight at"):
            continue
        things = () if verb in theory.BARE else (view.item,)
        says = both(text.goes_on(verb, len(things)), guard_claims.MAY[verb](text, FEW))
        able = some(_guarded(code, time, verb, *things, around=FEW) for time in times)
        parts.append(Part(both(no(says), no(able)), view.over))
    return _claim(
        "over",
        "once the game is over nothing is legal, for anybody",
        ("l5r.over",),
        "every action about nothing or about one thing; any number of players",
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
    return _claim(
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
    return _claim(
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


def endless(law: Laws) -> Claim:
    """Without a budget of actions nothing bounds a round."""
    now, then, passes, step = _round(law)
    return _claim(
        "endless",
        "nothing bounds the length of a round: after any action it goes on, and another may follow",
        ("l5r.action.passes", "l5r.action.end"),
        ROUNDS,
        law,
        [Part(both(then.holds(), no(then.ended(law))), both(step, no(passes)))],
        [*now.domain(), *then.domain()],
    )


def budget(law: Laws) -> Claim:
    """With a budget of actions a round ends."""
    now, then, passes, step = _round(law)
    left, fewer = count("actions.left"), count("actions.left.next")
    spent = both(left >= pick(passes, 0, 1), same(fewer, pick(passes, left, left - 1)))
    falls = either(fewer < left, both(same(fewer, left), then.n - then.passes < now.n - now.passes))
    return _claim(
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


def turn_order(law: Laws) -> Claim:
    """Each player, once round."""
    n, first, one, other = (count(f"seat.{name}") for name in ("n", "first", "one", "other"))
    at = {seat: theory_effects.distance(law, seat, first, n) for seat in (one, other)}
    seats = [both(seat >= 0, seat < n) for seat in (first, one, other)]
    left = same(other, pick(same(one + 1, n), 0, one + 1))
    return _claim(
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


# -- phases ----------------------------------------------------------------------------------------


def no_more(law: Laws) -> Claim:
    """Dynasty Phase: bringing in and discarding."""
    text, parts = Text(position(), law), list[Part]()
    ever = truth("ever discarded")
    step_b = position().discarded
    before = {"A.provinces.0": {"Farm": number(1)}, "A.discard": {}, "A.play": {}, "stack": (), "second": step_b}
    invariant = when(ever, step_b)
    changes = {
        "bring": theory_effects.brought(before, "A", 0, "Farm", "play", "up"),
        "discard": theory_effects.discarded(before, "A", 0, "Farm", "up"),
    }
    for verb, change in changes.items():
        value, rule = change.now.get("second", (step_b, ""))
        then = law(rule, boolean(value)) if rule else boolean(value)
        parts.append(Part(when(either(ever, boolean(verb == "discard")), then), invariant, cases=(ever, no(ever))))
    outer = {
        "at": "during dynasty phase",
        "round": None,
        "attack": None,
        "interrupted": (),
        "stack": ({},),
        "second": step_b,
    }
    made = theory_effects.created(outer, "A", "B")
    after = {**outer, **{name: value for name, (value, _) in made.now.items()}}
    back, rule = theory_effects.over(after).now["second"]
    parts.append(Part(when(ever, law(rule, boolean(back))), invariant, cases=(ever,)))
    brings = text.brings(PROVINCES)
    parts.append(Part(no(ever), both(invariant, brings), cases=(no(step_b),)))
    return _claim(
        "no-more",
        "nothing is brought into play after a discard of the same Dynasty Phase, not even after an attack meanwhile",
        ("l5r.dynasty.no-more", "l5r.dynasty.discard", "l5r.ruling.created-attack"),
        "any number of actions, by induction; whatever is refilled",
        law,
        parts,
        guard_claims.domain(),
    )


def hands(law: Laws) -> Claim:
    """End Phase: the hand."""
    view = position()
    text = Text(view, law)
    ever = truth("ever discarded")
    held, most = view.held, view.most
    before = {"A.hand": {"Strike": held}, "A.discard": {"Strike": number(0)}}
    hand, rule = theory_effects.hand_discarded(before, "A", "Strike").now["A.hand"]
    after = law(rule, hand["Strike"])
    discards = both(same(view.time, theory.END), text.discards(PROVINCES))
    invariant = when(ever, held >= most)
    done = no(law("l5r.end.maximum", held > most))
    return _claim(
        "hands",
        "the End Phase ends with a hand of at most the maximum, and its own discards never take it below that",
        ("l5r.end.exactly", "l5r.end.maximum", "l5r.end.discard"),
        "any hand and any maximum, any number of discards by induction; effects of Reactions left aside",
        law,
        [
            Part(both(after >= most, same(after, held - 1)), both(invariant, discards), cases=(ever, no(ever))),
            Part(both(held <= most, when(ever, same(held, most))), both(invariant, done), cases=(ever, no(ever))),
        ],
        guard_claims.domain(),
    )


def battles(law: Laws) -> Claim:
    """Battles."""
    view = position()
    text = Text(view, law)
    fought, one = count("battles"), count("one field")
    invariant = both(view.field(one), same(fought, pick(view.fought(one), 1, 0)))
    legal_ = both(same(view.time, theory.BATTLES), text.fights())
    here = same(view.item, one)
    ended = law("l5r.attack.once", either(view.fought(one), here))
    more = pick(here, fought + 1, fought)
    none_left = no(law("l5r.attack.ends", both(view.field(one), no(view.fought(one)))))
    others = [verb for verb in VERBS if verb != "fight at"]
    declined = some(guard_claims.MAY[verb](text, FEW) for verb in others if verb in guard_claims.MAY)
    return _claim(
        "battles",
        "at each battlefield exactly one battle is fought, none can be declined, and there is one for each Province",
        ("l5r.attack.once", "l5r.attack.battlefields", "l5r.attack.ends", "l5r.attack.choose"),
        "any number of battlefields, shown for one arbitrary one, by induction over battles",
        law,
        [
            Part(both(same(more, pick(ended, 1, 0)), more <= 1), both(invariant, legal_), cases=(here, no(here))),
            Part(same(fought, 1), both(invariant, none_left)),
            Part(no(declined), same(view.time, theory.BATTLES)),
            Part(both(view.field(view.item), no(view.fought(view.item))), legal_),
        ],
        guard_claims.domain(),
    )


# -- cards -----------------------------------------------------------------------------------------


LAID = ("", " down", " new", " dealt", " down dealt")
"""How a card lies in a Province: face-up or not, and what the Events Phase keeps of it."""


def conserved(law: Laws) -> Claim:
    """No card is lost or made."""
    before = _places()
    there, amounts = before["A.provinces.0"], [n for card in (*CARDS, *COME) for n in cards_in(before, card)]
    changes = [
        (theory_effects.brought(before, "A", 0, "Farm", "play", "up"), there["Farm"] >= 1),
        (theory_effects.brought(before, "A", 0, "Shiba", "home", "up"), there["Shiba"] >= 1),
        (theory_effects.attached(before, "A", 0, "Coast"), there["Coast new"] >= 1),
        (theory_effects.entered(before, "A", 0, "Sun"), there["Sun new"] >= 1),
        (theory_effects.stays(before, "A", 0, "Farm", "l5r.events.b"), there["Farm new"] >= 1),
        (theory_effects.resolved(before, "A", 0, "Storm", "up"), there["Storm new"] >= 1),
        (theory_effects.hand_discarded(before, "A", "Strike"), before["A.hand"]["Strike"] >= 1),
        (theory_effects.drawn(before, "A", COME), first_cards(before["A.fate"], COME)),
    ]
    for card in ("Farm", "Sun"):
        on_top = first_cards(before["A.dynasty"], {card: number(1)})
        changes.append((theory_effects.discarded(before, "A", 0, card, "down"), there[card] >= 1))
        for up, mark in ((True, ""), (False, ""), (True, "new"), (False, "dealt")):
            changes.append((theory_effects.filled(before, "A", 0, card, up, mark), on_top))
    return _claim(
        "conserved",
        "no card is lost or made: brought in, discarded, attached, resolved, drawn or laid, each is in one place",
        ("l5r.dynasty.bring", "l5r.dynasty.discard", "l5r.end.draw", "l5r.start.e", "l5r.events.d", "l5r.events.e"),
        "any numbers of five kinds of Dynasty cards and two of Fate cards, with one Province",
        law,
        [_kept(law, before, change, premise) for change, premise in changes],
        [n >= 0 for n in (*amounts, *COME.values())],
    )


def _places() -> dict[str, Any]:
    """A player's places, with any number of each card in each."""
    zones = {
        "A.provinces.0": [f"{card}{how}" for card in CARDS for how in LAID],
        **{f"A.{zone}": list(CARDS) for zone in ("regions.0", "play", "home")},
        **{f"A.{zone}": [*CARDS, *COME] for zone in ("hand", "discard")},
    }
    held: dict[str, Any] = {name: {card: count(f"{name}.{card}") for card in cards} for name, cards in zones.items()}
    for name, cards in (("A.fate", COME), ("A.dynasty", CARDS)):
        held[name] = [{card: count(f"{name}{i}.{card}") for card in cards} for i in range(2)]
    return {**held, "stack": ({},), "second": False}


def _kept(law: Laws, before: dict[str, Any], change: Change, premise: Bool) -> Part:
    """What the change says leaves the sum of every card as it was, and no number of cards negative."""
    after = {**before, **change.filed(law)}
    goals = []
    for card in (*CARDS, *COME):
        goals.append(same(total(cards_in(after, card)), total(cards_in(before, card))))
        goals += [number(n) >= 0 for n in cards_in(after, card)]
    return Part(both(*goals), premise)
