"""What the text promises of its phases and of the cards: by induction over any number of actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from oracle.games.l5r import guard_claims, theory, theory_effects
from oracle.games.l5r.effect_claims import COME, first_cards
from oracle.games.l5r.guard_claims import FEW, PROVINCES, position
from oracle.games.l5r.scene import CARDS, cards_in
from oracle.games.l5r.theory import VERBS, Text
from oracle.games.l5r.theory_effects import Change
from oracle.proof.claims import Claim, Part
from oracle.proof.laws import Laws
from oracle.proof.terms import Bool, boolean, both, count, either, no, number, pick, same, some, total, truth, when


def promise(
    name: str,
    says: str,
    about: Sequence[str],
    scope: str,
    law: Laws,
    parts: Sequence[Part],
    domain: Sequence[Bool] = (),
) -> Claim:
    """A claim on what the text promises."""
    return Claim(
        id=f"promise.{name}",
        says=says,
        about=tuple(about),
        scope=scope,
        laws=law,
        parts=tuple(parts),
        domain=tuple(domain),
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
    return promise(
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
    return promise(
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
    return promise(
        "battles",
        "at each battlefield exactly one battle is fought, and none can be declined (battlefields: `effect.battles`)",
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
    return promise(
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


def claims(law: Laws) -> Iterator[Claim]:
    """The claims about phases and cards."""
    for make in (no_more, hands, battles, conserved):
        yield make(law)
