"""What is claimed of the Station: every promise of sections 6 to 9, for every placement rule and every Drift."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from oracle.game import Action
from oracle.games.station import (
    along_claims,
    bridge,
    effect_claims,
    guard_claims,
    pass_claims,
    step_claims,
    theory,
    theory_effects,
)
from oracle.games.station.bridge import NODE, Shipped
from oracle.games.station.effect_claims import TESTED, scene
from oracle.games.station.guard_claims import KINDS, PAID, PLACE, judged, position, promise, rows
from oracle.games.station.replay import EXACT, Asked, Setting, replayed
from oracle.games.station.state import Step
from oracle.games.station.theory import DOCKED, VACANT, Berth, Table, at, size
from oracle.games.station.theory_effects import SCORINGS
from oracle.proof.claims import Claim, Part, together
from oracle.proof.laws import Laws
from oracle.proof.terms import TRUE, Bool, both, count, either, every, no, number, pick, same, some, total, truth, when

__all__ = ["TESTED", "claims", "guards", "modules"]


def modules(**how: Any) -> Shipped:
    """The shipped code that the claims are about, loaded to be lifted."""
    return bridge.modules(position(), **how)


def guards(code: Shipped, law: Laws) -> Iterator[Claim]:
    """The claims about what the shipped guards allow."""
    yield from guard_claims.claims(code, law)
    yield from pass_claims.guards(code, law)
    yield from pass_claims.promises(code, law)
    yield rewarding(code, law)


def claims(code: Shipped, law: Laws) -> Iterator[Claim]:
    """All claims of the game."""
    yield from guards(code, law)
    yield from effect_claims.actions(code, law)
    yield from step_claims.claims(code, law)
    yield acquiring(code, law)
    yield purchasing(code, law)
    yield any_hand(law)
    yield from along_claims.claims(code, law)


# -- what is legal -------------------------------------------------------------------------------


def acquiring(code: Shipped, law: Laws) -> Claim:
    """What an acquire takes."""
    view = position()
    table = Table(view, law)
    taken, refused, said = list[Part](), list[Bool](), list[Asked]()
    for row in rows(6):
        said.append(Asked(Action("acquire", row), table.acquires(row)))
        values, guilds = [view.value[k] for k in row], [view.guild[k] for k in row]
        n = len(row)
        differ = every(a != b for a, b in combinations(guilds, 2))
        limits = both(differ, total(values) <= 7) if n > 1 else TRUE
        if n in (1, 2, 3) and len(set(row)) == n:
            shown = every(view.display[k] >= 1 for k in row)
            taken.append(Part(both(limits, shown), table.acquires(row)))
        else:
            refused.append(no(table.acquires(row)))
    single = Part(table.acquires(KINDS[:1]), view.display[KINDS[0]] >= 1, cases=(view.value[KINDS[0]] > 7,))
    of_two = both(
        *(view.display[k] >= 1 for k in KINDS[:2]),
        total(view.value[k] for k in KINDS[:2]) <= 7,
        view.guild[KINDS[0]] != view.guild[KINDS[1]],
    )
    return promise(
        "acquire",
        "an acquire takes one displayed card of any value, or two or three of different guilds within 7",
        ("stn.7.none", "stn.7.several", "stn.7.guilds", "stn.7.limit"),
        law,
        [together(taken), Part(every(refused)), single, Part(table.acquires(KINDS[:2]), of_two)],
        view.domain(),
        f"{guard_claims.ANY}; up to six cards",
        **replayed(code, Setting(view), law, said, ours=False),
    )


def _lying(view: Any) -> Berth:
    berth: Berth = view.market[0]
    return berth._replace(module=number(1))


def purchasing(code: Shipped, law: Laws) -> Claim:
    """A purchase is legal exactly if payable and placeable."""
    view = position()
    table, berth = Table(view, law), _lying(view)
    guild = berth.printed.guild
    purse = both(*view.purse(guild))
    places = either(
        view.docked < DOCKED,
        both(same(at(view.station, NODE), VACANT), theory.valid(theory.put(view.station, NODE, 1))),
    )
    pays = both(view.total(guild) >= table.cost(berth), either(view.held(guild) >= 1, view.free))
    within = both(purse, total(PAID.worth.values()) <= view.total(guild), size(PAID.n) <= view.held(guild))
    buys = some(table.purchases(berth, berth.taken, PAID, to_dock, NODE) for to_dock in (True, False))
    parts = [Part(both(berth.taken, pays, places), both(within, buys))]
    # The other way round all cards of the guild, as one lump of one kind, are a payment to wherever there is a place.
    kind = KINDS[0]
    lump = both(
        same(view.value[kind], view.total(guild)), same(view.guild[kind], guild), view.hand[kind] >= 1, view.needless
    )
    able = both(purse, berth.taken, pays)
    somewhere = [
        (view.docked < DOCKED, True),
        (both(same(at(view.station, NODE), VACANT), theory.valid(theory.put(view.station, NODE, 1))), False),
    ]
    for place, to_dock in somewhere:
        parts.append(Part(table.purchases(berth, berth.taken, (kind,), to_dock, NODE), both(able, place, lump)))
        free = both(able, place, same(view.held(guild), 0))
        parts.append(Part(table.purchases(berth, berth.taken, (), to_dock, NODE), free))
    sides = {"dock": True, "n1": False}
    said = [
        Asked(
            guard_claims.purchase("1", to, KINDS),
            table.purchases(berth, berth.taken, PAID, dock, NODE),
            {"1": "Module"},
            PAID.n,
        )
        for to, dock in sides.items()
    ]
    return promise(
        "purchase",
        "a module can be bought exactly if its guild's cards cover the cost and it has somewhere to go",
        ("stn.8.cover", "stn.8.dock", "stn.8.install", "stn.9.placement"),
        law,
        parts,
        [*view.domain(), *PAID.facts(view.value)],
        f"{guard_claims.ANY}, any number of nodes; payments of any number of cards of six kinds",
        **replayed(code, Setting(view, paid=PAID, lying=True), law, said, ours=False),
    )


def any_hand(law: Laws) -> Claim:
    """Induction over a hand, card by card."""
    worth, held, paid, n, value = (count(f"hand.{name}") for name in ("worth", "held", "paid", "number", "value"))
    own, chosen, free = truth("hand.own"), truth("hand.chosen"), truth("free")
    cost = count("hand.cost")

    def purse(worth: Any, held: Any, paid: Any, n: Any) -> Bool:
        return both(
            paid <= worth,
            n <= held,
            n >= 0,
            n <= paid,
            (n > 0) == (paid > 0),
            held >= 0,
            held <= worth,
            (held > 0) == (worth > 0),
        )

    step = purse(
        worth + pick(own, value, 0), held + pick(own, 1, 0), paid + pick(chosen, value, 0), n + pick(chosen, 1, 0)
    )
    guild_only = law("stn.8.guild", when(chosen, own))
    covers = law("stn.8.cover", paid >= cost)
    some_card = law("stn.8.free", either(n >= 1, free))
    all_cards = both(same(paid, worth), same(n, held))
    spare = both(chosen, value <= paid, paid - value >= cost, either(n >= 2, free))
    drop = both(paid - value >= cost, either(n - 1 >= 1, free), n - 1 >= 0, paid - value < paid)
    parts = [
        Part(purse(number(0), number(0), number(0), number(0))),
        Part(step, both(purse(worth, held, paid, n), guild_only), cases=(chosen, no(chosen))),
        Part(both(worth >= cost, either(held >= 1, free)), both(purse(worth, held, paid, n), covers, some_card)),
        Part(
            both(covers, some_card),
            both(purse(worth, held, paid, n), all_cards, worth >= cost, either(held >= 1, free)),
        ),
        Part(drop, both(purse(worth, held, paid, n), covers, some_card, spare, value <= paid - n + 1)),
    ]
    return promise(
        "purchase.any-hand",
        "some cards of a hand are a payment exactly if all of the guild are; without a needless one it still is",
        ("stn.8.guild", "stn.8.cover"),
        law,
        parts,
        [value >= 1],
        "any number of cards, by induction over the hand",
    )


def rewarding(code: Shipped, law: Laws) -> Claim:
    """The reward."""
    view = position()
    table, parts = Table(view, law), []
    row = KINDS[:1]
    parts.append(Part(both(len(row) == 1, every(view.value[k] <= 3 for k in row)), table.rewarded(row)))
    parts.append(Part(every(no(table.rewarded(row)) for row in rows(3) if len(row) != 1)))
    waiting = (Step("end turn"), Step("deal"), Step("reward"))
    further = some(
        guard_claims.guard(
            judged(code, Action(verb, KINDS[:1] if verb in ("acquire", "take") else ()), stack=waiting[:n])
        )
        for verb, n in (
            ("acquire", 3),
            ("pass", 3),
            ("purchase", 3),
            ("stow", 3),
            ("install", 3),
            ("exchange", 3),
            ("acquire", 2),
            ("pass", 2),
            ("take", 2),
        )
    )
    change = theory_effects.purchase(scene(), 2, PAID, None, SCORINGS[0])
    steps = [step.do for step in change.then]
    none_more = steps == ["reward", "deal", "end turn"] and not theory_effects.reward(scene(), KINDS[:1]).then
    said = [Asked(Action("take", row), both(table.own_turn(PLACE), table.rewarded(row))) for row in rows(3)]
    rewards = Setting(view, who=PLACE, more=(view.docked < DOCKED, theory_effects.wants_reward(view)))
    return promise(
        "reward",
        "an exact payment brings at most one card, of value 3 or less, and never a further action",
        ("stn.8.exact", "stn.8.exact.compulsory"),
        law,
        [*parts, Part(both(no(further), none_more), table.rewarded(KINDS[:1]))],
        [*scene().domain(), PLACE >= -1],
        f"{guard_claims.ANY}; six kinds of cards, rewards of up to three of them",
        **replayed(code, rewards, law, said, EXACT, ours=False),
    )
