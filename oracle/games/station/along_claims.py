"""What is true all along: through every action and step, and through every round."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from oracle.games.station import theory_effects
from oracle.games.station.acts import acts, replayed
from oracle.games.station.bridge import NODE, Shipped
from oracle.games.station.guard_claims import ANY, COME, KINDS, PAID, promise
from oracle.games.station.theory import CORE, SHOWN, VACANT, Heap, Table, at, size
from oracle.games.station.theory_effects import MODULES, Change, Clock, Scene
from oracle.proof.claims import Claim, Part
from oracle.proof.laws import Laws
from oracle.proof.terms import TRUE, Bool, Int, both, either, every, no, pick, same, total, when

# -- what is true all along ----------------------------------------------------------------------


class Happens(NamedTuple):
    """Something that may happen: where, what it changes, and the values after it."""

    name: str
    change: Change
    premise: Bool
    after: Scene


FEW = KINDS[:3]
ALONG = (
    f"{ANY}, any number of nodes; three kinds of cards, any number of each; decks of two parts of known order; two "
    "kinds of modules; the third berth"
)
COMING = {kind: COME[kind] for kind in FEW}
SPENT = Heap({kind: PAID.n[kind] for kind in FEW}, {kind: PAID.worth[kind] for kind in FEW})


@lru_cache(maxsize=1)
def before() -> Scene:
    """Any position with all that can change, and three kinds of cards."""
    return Scene(FEW)


def every_step(law: Laws) -> Iterator[Happens]:
    """Each action and each step, where it is legal, and the position after it."""
    view = before()
    table = Table(view, law)
    out = [(act.action.verb, act.change, act.legal) for act in acts(view, table, SPENT)]
    out.append(("reward", theory_effects.reward(view, KINDS[:1]), table.rewarded(KINDS[:1])))
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


Steps = Sequence[Happens]


def _all_along(
    code: Shipped,
    name: str,
    says: str,
    about: tuple[str, ...],
    law: Laws,
    steps: Steps,
    goal: Callable[[Happens], Bool],
    apart: bool = False,
) -> Claim:
    """A promise that every step keeps, each of which must be possible; `apart` where that is proved sooner."""
    kept, cases = [when(step.premise, goal(step)) for step in steps], tuple(step.premise for step in steps)
    first, *others = kept if apart else [every(kept)]
    parts = [Part(first, cases=cases), *map(Part, others)]
    domain = (*before().domain(), *SPENT.facts(before().value), *(n >= 0 for n in COMING.values()), NODE >= CORE)
    view = before()
    shown = replayed(code, view, law, list(acts(view, Table(view, law), SPENT)), SPENT, ours=False)
    return promise(name, says, about, law, parts, domain, ALONG, **shown)


def bounds(code: Shipped, law: Laws, steps: Steps) -> Claim:
    """How much there is at the most."""

    def goal(step: Happens) -> Bool:
        after = step.after
        refilled = same(after.berths[2], VACANT) if step.name == "purchase" else TRUE
        one_each = every(
            same(a, b) for i, (a, b) in enumerate(zip(after.berths, before().berths, strict=True)) if i != 2
        )
        return both(size(after.display) <= 6, size(after.dock) <= 4, refilled, one_each)

    return _all_along(
        code,
        "bounds",
        "the display holds at most six cards, a dock four modules, each of the five berths one",
        ("stn.7.1.six", "stn.8.dock", "stn.9.room"),
        law,
        steps,
        goal,
    )


def conserved(code: Shipped, law: Laws, steps: Steps) -> Claim:
    """Nothing is lost, and nothing comes from nowhere."""

    def cards(view: Scene, kind: str) -> Int:
        return total((view.display[kind], view.hand[kind], view.discard[kind], *(layer[kind] for layer in view.deck)))

    def modules(view: Scene, i: int, name: str) -> Int:
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
        code,
        "conserved",
        "every card and every module is always somewhere, and only once",
        ("stn.8.discard", "stn.7.1.reshuffle", "stn.7.1.six", "stn.8.berth", "stn.9.node"),
        law,
        steps,
        goal,
        apart=True,
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
    return promise(
        "refill",
        "after a refill the display is full, or neither the deck nor the discard has a card left",
        ("stn.7.1.six",),
        law,
        [
            Part(
                either(same(size(after.display), 6), both(same(left, 0), same(size(after.discard), 0))),
                both(legal, change),
            )
        ],
        (*view.domain(), *(n >= 0 for n in COMING.values())),
        ALONG,
    )


def newcomers(code: Shipped, law: Laws, steps: Steps) -> Claim:
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
        code,
        "newcomers",
        "Drift never covers a newcomer: only what has lain in its berth since the round began; nothing is inherited",
        ("stn.6.drift-newcomer",),
        law,
        steps,
        goal,
    )


def renown(code: Shipped, law: Laws, steps: Steps) -> Claim:
    """Renown."""

    def goal(step: Happens) -> Bool:
        gains = step.after.renown >= before().renown
        return both(gains, same(step.after.renown, before().renown)) if step.name in ("stow", "pass", "deal") else gains

    return _all_along(
        code,
        "renown",
        "Renown never falls, and docking a module does not change it",
        ("stn.param.renown", "stn.9.renown"),
        law,
        steps,
        goal,
    )


def core(code: Shipped, law: Laws, steps: Steps) -> Claim:
    """The Command Core."""

    def goal(step: Happens) -> Bool:
        return same(at(step.after.station, CORE), at(before().station, CORE))

    return _all_along(
        code, "core", "the Command Core never leaves its node", ("stn.9.core", "stn.9.install"), law, steps, goal
    )


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
    return promise(
        "rounds",
        "each round gives each commander exactly one turn, from the starting one in seat order, which never rotates",
        ("stn.6.round", "stn.6.seat-order", "stn.6.one-action", "stn.6.no-rotation"),
        law,
        parts,
        [*now.domain(), *then.domain()],
        "any number of commanders, by induction over turns; shown for one arbitrary commander",
    )


def claims(code: Shipped, law: Laws) -> Iterator[Claim]:
    """All that is true all along."""
    steps = list(every_step(law))
    for kept in (bounds, conserved, newcomers, renown, core):
        yield kept(code, law, steps)
    yield refilled(law)
    yield rounds(law)
