"""What is claimed of the Station: every promise of sections 6 to 9, for every placement rule and every Drift."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from oracle.game import Action
from oracle.games.station import bridge, effect_claims, guard_claims, pass_claims, theory, theory_effects
from oracle.games.station.bridge import NODE, Shipped
from oracle.games.station.effect_claims import TESTED, scene
from oracle.games.station.guard_claims import COME, KINDS, PLACE, judged, position, rows
from oracle.games.station.state import Step
from oracle.games.station.theory import CORE, DOCKED, HIGHEST, SHOWN, VACANT, Berth, Table, at, size
from oracle.games.station.theory_effects import MODULES, SCORINGS, Change, Clock, Scene
from oracle.proof.claims import Claim, Part, together
from oracle.proof.laws import Laws
from oracle.proof.smt import (
    FALSE,
    TRUE,
    Bool,
    both,
    count,
    either,
    every,
    no,
    number,
    pick,
    same,
    some,
    total,
    truth,
    when,
)

__all__ = ["TESTED", "claims", "guards", "modules"]

ANY = "any placement rule, any Drift discount, any number of nodes and commanders"


def modules(**how: Any) -> Modules:
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
    yield from effect_claims.claims(code, law)
    promises = (acquiring, purchasing, any_hand, bounds, conserved, refilled, newcomers, renown, core, rounds)
    for promise in promises:
        yield promise(law)


# -- what is legal -------------------------------------------------------------------------------


def _claim(
    name: str,
    says: str,
    about: tuple[str, ...],
    law: Laws,
    parts: Sequence[Part],
    domain: Sequence[Bool],
    scope: str = ANY,
) -> Claim:
    return Claim(
        id=f"promise.{name}", says=says, about=about, scope=scope, laws=law, parts=tuple(parts), domain=tuple(domain)
    )


def acquiring(law: Laws) -> Claim:
    """What an acquire takes."""
    view = position()
    table = Table(view, law)
    taken, refused = [], []
    for row in rows(6):
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
    return _claim(
        "acquire",
        "an acquire takes one displayed card of any value, or two or three of different guilds within 7",
        ("stn.7.none", "stn.7.several", "stn.7.guilds", "stn.7.limit"),
        law,
        [together(taken), Part(every(refused)), single, Part(table.acquires(KINDS[:2]), of_two)],
        view.domain(),
        f"{ANY}; up to six cards",
    )


def _lying(view: Any) -> Berth:
    berth: Berth = view.market[0]
    return berth._replace(module=number(1))


def purchasing(law: Laws) -> Claim:
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
    parts = []
    for row in rows(3):
        within = both(purse, total(view.value[k] for k in row) <= view.total(guild), len(row) <= view.held(guild))
        for to_dock in (True, False):
            buys = table.purchases(berth, berth.taken, row, to_dock, NODE)
            parts.append(Part(both(berth.taken, pays, places), both(within, buys)))
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
    return _claim(
        "purchase",
        "a module can be bought exactly if its guild's cards cover the cost and it has somewhere to go",
        ("stn.8.cover", "stn.8.dock", "stn.8.install", "stn.9.placement"),
        law,
        [together(parts[:14]), *parts[14:]],
        view.domain(),
        f"{ANY}; one berth; payments of up to three cards (with `purchase.any-hand`: any hand)",
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
    return _claim(
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
    parts.append(Part(both(len(row) == 1, every(view.value[k] <= HIGHEST for k in row)), table.rewarded(row)))
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
    change = theory_effects.purchase(scene(), 2, KINDS[:1], None, SCORINGS[0])
    steps = [do for do, _ in change.then]
    none_more = steps == ["reward", "deal", "end turn"] and not theory_effects.reward(scene(), KINDS[:1]).then
    return _claim(
        "reward",
        "an exact payment brings at most one card, of value 3 or less, and never a further action",
        ("stn.8.exact", "stn.8.exact.compulsory"),
        law,
        [*parts, Part(both(no(further), none_more), table.rewarded(KINDS[:1]))],
        [*scene().domain(), PLACE >= -1],
    )


# -- what is true all along ----------------------------------------------------------------------


class Happens(NamedTuple):
    """Something that may happen: where, what it changes, and the values after it."""

    name: str
    change: Change
    premise: Bool
    after: Scene


FEW = KINDS[:3]
ALONG = f"{ANY}; three kinds of cards, two of modules, payments of up to two cards, purchases from the third berth"
COMING = {kind: COME[kind] for kind in FEW}


@lru_cache(maxsize=1)
def before() -> Scene:
    """Any position with all that can change, and three kinds of cards."""
    return Scene(FEW)


def every_step(law: Laws) -> Iterator[Happens]:
    """Each action and each step, where it is legal, and the position after it."""
    view = before()
    table = Table(view, law)
    out: list[tuple[str, Change, Bool]] = []
    for row in ((KINDS[0],), KINDS[:2], KINDS[:3]):
        out.append(("acquire", theory_effects.acquire(view, row), table.acquires(row)))
    out.append(("reward", theory_effects.reward(view, KINDS[:1]), table.rewarded(KINDS[:1])))
    berth = Berth(same(view.berths[2], 1), number(1), view.prints["Module"], view.discounts[2])
    there = view.dock["Module"] >= 1
    for scoring in SCORINGS:
        for to_dock in (True, False):
            for row in ((), KINDS[:1], KINDS[:2]) if scoring == SCORINGS[0] else (KINDS[:1],):
                change = theory_effects.purchase(view, 2, row, None if to_dock else NODE, scoring)
                out.append(("purchase", change, table.purchases(berth, berth.taken, row, to_dock, NODE)))
        out.append(("install", theory_effects.install(view, NODE, scoring), table.reinstalls(there, NODE, 1)))
        for i, leaving in enumerate(MODULES, 1):
            legal = both(table.exchanges(there, NODE, 1), same(at(view.station, NODE), i))
            out.append(("exchange", theory_effects.exchange(view, NODE, leaving, scoring), legal))
    out.append(("stow", theory_effects.stow(view, NODE), both(table.stows(NODE), same(at(view.station, NODE), 1))))
    out.append(("pass", theory_effects.pass_(view), table.passes(FALSE)))
    missing = SHOWN - size(view.display)
    out.append(
        ("deal", theory_effects.dealt(view, COMING), table.comes_up(TRUE, COMING, view.deck, missing, "stn.7.1.six"))
    )
    out.append(("shuffle", theory_effects.shuffled(view), theory_effects.wants_shuffle(view)))
    one = table.comes_up(TRUE, {"Module": 1}, view.stock, 1, "stn.8.berth")
    out.append(("salvage", theory_effects.salvaged(view, 2), both(one, same(view.berths[2], VACANT))))
    out.append(("unfilled", theory_effects.unfilled(view), TRUE))
    out.append(("drift", theory_effects.drifts(view, 2), view.waits[2]))
    for name, change, legal in out:
        after = _after(3 if name == "shuffle" else 2)
        yield Happens(name, change, both(legal, change.relation(law, after.state())), after)


def _after(layers: int) -> Scene:
    after = Scene(FEW, f"next{layers}.", layers)
    after.stock = after.stock[:2]
    return after


def _all_along(name: str, says: str, about: tuple[str, ...], law: Laws, goal: Any, scope: str = ALONG) -> Claim:
    parts = [Part(goal(step), step.premise) for step in every_step(law)]
    domain = (*before().domain(), *(n >= 0 for n in COMING.values()), NODE >= 0)
    return _claim(name, says, about, law, parts, domain, scope)


def bounds(law: Laws) -> Claim:
    """How much there is at the most."""

    def goal(step: Happens) -> Bool:
        after = step.after
        refilled = same(after.berths[2], VACANT) if step.name == "purchase" else TRUE
        one_each = every(
            same(a, b) for i, (a, b) in enumerate(zip(after.berths, before().berths, strict=True)) if i != 2
        )
        return both(size(after.display) <= SHOWN, size(after.dock) <= DOCKED, refilled, one_each)

    return _all_along(
        "bounds",
        "the display holds at most six cards, a dock four modules, each of the five berths one",
        ("stn.7.1.six", "stn.8.dock", "stn.9.room"),
        law,
        goal,
    )


def conserved(law: Laws) -> Claim:
    """Nothing is lost, and nothing comes from nowhere."""

    def cards(view: Scene, kind: str) -> Any:
        return total((view.display[kind], view.hand[kind], view.discard[kind], *(layer[kind] for layer in view.deck)))

    def modules(view: Scene, i: int, name: str) -> Any:
        lying = [pick(same(berth, i), 1, 0) for berth in view.berths]
        return total((*lying, view.dock[name], *(layer[name] for layer in view.stock)))

    def goal(step: Happens) -> Bool:
        old, after = before(), step.after
        kept = [same(cards(old, kind), cards(after, kind)) for kind in FEW]
        for i, name in enumerate(MODULES, 1):
            was, now = (pick(same(at(view.station, NODE), i), 1, 0) for view in (old, after))
            kept.append(same(modules(old, i, name) + was, modules(after, i, name) + now))
        return every(kept)

    return _all_along(
        "conserved",
        "every card and every module is always somewhere, and only once",
        ("stn.8.discard", "stn.7.1.reshuffle", "stn.7.1.six", "stn.8.berth", "stn.9.node"),
        law,
        goal,
    )


def refilled(law: Laws) -> Claim:
    """When the display is not full."""
    view = before()
    table = Table(view, law)
    missing = SHOWN - size(view.display)
    after = _after(2)
    change = theory_effects.dealt(view, COMING).relation(law, after.state())
    legal = both(
        table.comes_up(TRUE, COMING, view.deck, missing, "stn.7.1.six"), no(theory_effects.wants_shuffle(view))
    )
    left = total(map(size, after.deck))
    return _claim(
        "refill",
        "after a refill the display is full, or neither the deck nor the discard has a card left",
        ("stn.7.1.six",),
        law,
        [
            Part(
                either(same(size(after.display), SHOWN), both(same(left, 0), same(size(after.discard), 0))),
                both(legal, change),
            )
        ],
        (*view.domain(), *(n >= 0 for n in COMING.values())),
    )


def newcomers(law: Laws) -> Claim:
    """Drift and newcomers."""

    def goal(step: Happens) -> Bool:
        old, after = before(), step.after
        stays = [
            when(now, both(was, same(a, b)))
            for was, now, a, b in zip(old.waits, after.waits, old.berths, after.berths, strict=True)
        ]
        fresh = TRUE if step.name != "salvage" else both(no(after.waits[2]), same(after.discounts[2], 0))
        return both(*stays, fresh)

    return _all_along(
        "newcomers",
        "Drift never covers a newcomer: only what has lain in its berth since the round began; nothing is inherited",
        ("stn.6.drift-newcomer",),
        law,
        goal,
    )


def renown(law: Laws) -> Claim:
    """Renown."""

    def goal(step: Happens) -> Bool:
        gains = step.after.renown >= before().renown
        return both(gains, same(step.after.renown, before().renown)) if step.name in ("stow", "pass", "deal") else gains

    return _all_along(
        "renown",
        "Renown never falls, and docking a module does not change it",
        ("stn.param.renown", "stn.9.renown"),
        law,
        goal,
    )


def core(law: Laws) -> Claim:
    """The Command Core."""

    def goal(step: Happens) -> Bool:
        return same(at(step.after.station, CORE), at(before().station, CORE))

    return _all_along("core", "the Command Core never leaves its node", ("stn.9.core", "stn.9.install"), law, goal)


def rounds(law: Laws) -> Claim:
    """Turns and rounds."""
    now, then = Clock(), Clock(".next")
    step = both(now.passes(law, then), now.counts(law, then), no(now.over))
    begins = both(
        same(now.at, theory_effects.BEFORE_ROUND), same(now.turn, now.starting), same(now.passed, 0), same(now.moved, 0)
    )
    done = same(now.at, theory_effects.AFTER_ROUND)
    new = same(then.at, theory_effects.BEFORE_ROUND)
    parts = [
        Part(now.holds(), begins),
        Part(then.holds(), both(now.holds(), step), cases=(done, new, no(same(now.turn, now.who)))),
        Part(both(same(now.moved, 1), same(now.passed, now.n)), both(now.holds(), done, step), cases=(now.n >= 3,)),
        Part(same(then.turn, now.starting), both(now.holds(), step, new), cases=(now.n >= 3,)),
        Part(
            same(then.turn, now.following()),
            both(step, same(now.at, theory_effects.AFTER_TURN), no(same(now.following(), now.starting))),
        ),
        Part(
            when(both(then.over, no(now.over)), both(done, same(now.moved, 1))),
            both(now.holds(), step),
            cases=(then.over,),
        ),
    ]
    return _claim(
        "rounds",
        "each round gives each commander exactly one turn, from the starting one in seat order, which never rotates",
        ("stn.6.round", "stn.6.seat-order", "stn.6.one-action", "stn.6.no-rotation"),
        law,
        parts,
        [*now.domain(), *then.domain()],
        "any number of commanders, by induction over turns; shown for one arbitrary commander",
    )
