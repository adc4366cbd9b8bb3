"""That every action and step of the shipped code changes what the theory says and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from oracle.game import Action
from oracle.games.station import bridge, theory_effects
from oracle.games.station.acts import Act, acts, replayed
from oracle.games.station.bridge import NODE, Shipped
from oracle.games.station.guard_claims import COME, KINDS, PAID
from oracle.games.station.state import AFTER_ROUND, AFTER_TURN, BERTHS, Seat, State, Step
from oracle.games.station.theory import CORE, Table, at, first, within
from oracle.games.station.theory_effects import MODULES, SCORINGS, Change, Scene
from oracle.proof.claims import Claim, Part
from oracle.proof.laws import Laws
from oracle.proof.lift import Lifted, lift
from oracle.proof.symbols import SymBag, SymBool, SymInt, counts_of, term_of
from oracle.proof.terms import FALSE, TRUE, Bool, both, either, every, no, number, same, some, when
from oracle.timing import Trigger

NAMES = ("", *MODULES)
SCOPE = (
    "any placement rule, any number of nodes; three commanders, the second one's turn; six kinds of cards, any number "
    "of each; decks of two parts of known order; two modules; the third berth"
)
TESTED = (
    "effects.run: that steps and game time go on until somebody must choose",
    "effects._deal and _salvage: that chance with one outcome just happens (`zones.top` is not lifted)",
    "effects.play: that an action is carried out by the function of its verb",
    "state.State.following and State.place: seats around the table, of 2 to 12 commanders",
)
"""What is not lifted, and is tested on drawn positions instead."""
MOVER = 1


@lru_cache(maxsize=2)
def scene(tag: str = "") -> Scene:
    """Any position, with all that can change."""
    return Scene(KINDS, tag)


def state(
    view: Scene,
    stack: tuple[Step, ...] = (),
    scoring: str = SCORINGS[0],
    standing: dict[int, str] | None = None,
    market: Sequence[str] = ("", "", "Module", "", "Other"),
    eligible: Sequence[int] = (2, 4),
    salvage: bool = True,
) -> State:
    """The position as a state: three seats, the second one's turn."""
    from oracle.games.station.state import drifts

    table: Any = bridge.AnyTable(view, view.prints)
    table.scoring, table.counter, table.unfilled = scoring, SymInt(view.limit), SymBool(view.unfilled)
    table.drift = SymInt(view.step)
    fields: dict[str, Any] = {
        "hand": SymBag(view.hand),
        "dock": SymBag(view.dock),
        "scored": SymBag(view.scored),
        "counter": SymInt(view.counter),
        "renown": SymInt(view.renown),
    }
    mover = Seat("B", bridge.AnyStation(view.station, NAMES, standing or {}), **fields)  # type: ignore[arg-type]
    others: list[Any] = [Seat(name, ()) for name in "AC"]
    about: dict[str, Any] = {
        "display": SymBag(view.display),
        "deck": tuple(SymBag(layer) for layer in view.deck),
        "discard": SymBag(view.discard),
        "salvage": tuple(SymBag(layer) for layer in view.stock) if salvage else (),
        "discount": tuple(SymInt(n) for n in view.discounts),
        "ended": SymBool(view.ended),
        "over": SymBool(view.over),
        "round": SymInt(view.round),
        "agenda": tuple(map(drifts, eligible)),
    }
    return State(table, (others[0], mover, others[1]), turn=MOVER, market=tuple(market), stack=stack, **about)


def seen(after: State, view: Scene) -> dict[str, Any]:
    """A state that lifted code made, as the theory sees positions."""
    seat = after.seats[MOVER]
    waits = after.eligible
    return {
        "display": counts_of(after.display),
        "hand": counts_of(seat.hand),
        "discard": counts_of(after.discard),
        "deck": [counts_of(layer) for layer in after.deck],
        "stock": [counts_of(layer) for layer in after.salvage],
        "dock": counts_of(seat.dock),
        "scored": counts_of(seat.scored),
        "station": seat.station.term,  # type: ignore[attr-defined]
        "counter": term_of(seat.counter),
        "renown": term_of(seat.renown),
        "ended": term_of(after.ended),
        "over": term_of(after.over),
        "berths": [number(NAMES.index(name)) for name in after.market],
        "discounts": [number(term_of(n)) for n in after.discount],
        "waits": [TRUE if i in waits else FALSE for i in range(len(BERTHS))],
        "round": term_of(after.round),
        "turn": view.turn,
    }


def follows(todo: Sequence[tuple[str, Any]], steps: Sequence[Step]) -> Bool:
    """The steps on the stack are those that follow, in order."""
    if not todo:
        return FALSE if steps else TRUE
    (do, given), *rest = todo
    absent = both(no(given), follows(rest, steps))
    if not steps or steps[0].do != do:
        return absent
    return either(absent, both(given, follows(rest, steps[1:])))


def same_beside(before: State, after: State, refills: Sequence[int]) -> bool:
    """What the theory does not look at is as it was: other seats, the moment; and only these refills wait."""
    waiting = [t for t in after.agenda if t.moment == AFTER_TURN]
    due = [Trigger(None, AFTER_TURN, f"refill of berth {BERTHS[i]}", Step("salvage", i)) for i in refills]
    named = [t.effect for t in waiting] == [t.effect for t in due] and all(t.owner is None for t in waiting)
    beside = (before.seats[0], before.seats[2], before.turn, before.at, before.starting)
    alike = (after.seats[0], after.seats[2], after.turn, after.at, after.starting) == beside
    only = all(t.moment in (AFTER_TURN, AFTER_ROUND) for t in after.agenda)
    return bool(named and alike and only)


def refines(
    law: Laws, change: Change, before: State, lifted: Lifted, rest: int = 0, refills: Sequence[int] = ()
) -> Bool:
    """Every path of the code makes of the position what the change says, and does next what it says."""

    def goal(after: State) -> Bool:
        steps = after.stack[rest:][::-1]
        next_ = some(both(right, follows(todo, steps)) for right, todo in change.orders(law))
        done = both(change.relation(law, seen(after, change.before)), next_)
        return done if same_beside(before, after, refills) and after.stack[:rest] == before.stack[:rest] else FALSE

    return lifted.always(goal)


def effect(
    name: str,
    says: str,
    about: tuple[str, ...],
    law: Laws,
    parts: Sequence[Part],
    replay: Mapping[str, Any] | None = None,
) -> Claim:
    """A claim about effects: wherever its premise is met, each part holds, and each premise can be met."""
    view = scene()
    domain = (*view.domain(), *PAID.facts(view.value), NODE > CORE, *(n >= 0 for n in COME.values()))
    goal = every(when(part.premise, part.goal) for part in parts)
    whole = Part(goal, cases=tuple(part.premise for part in parts))
    about_ = {"id": f"effect.{name}", "says": says, "about": about, "scope": SCOPE, "laws": law}
    return Claim(**about_, parts=(whole,), domain=domain, **(replay or {}))  # type: ignore[arg-type]


def market_is(view: Scene, market: Sequence[str], eligible: Sequence[int]) -> Bool:
    """The berths hold these modules."""
    lying = [same(berth, NAMES.index(name)) for berth, name in zip(view.berths, market, strict=True)]
    return both(*lying, *(same(wait, i in eligible) for i, wait in enumerate(view.waits)))


STANDARD = ("", "", "Module", "", "Other")
EFFECTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "acquire": (
        "acquired cards come from the display to the hand, and then the display is refilled",
        ("stn.7.refill",),
    ),
    "purchase": (
        "a purchase spends cards, moves the module, counts, empties the berth; an exact one is rewarded and refills",
        ("stn.8.discard", "stn.8.counter", "stn.8.berth"),
    ),
    "install": ("an install moves the module and scores it as the parameter says", ("stn.9.install",)),
    "stow": ("a stowed module comes to the dock, and its Renown is kept", ("stn.9.stow", "stn.9.renown")),
    "exchange": ("an exchange puts the incoming module at the node that is left", ("stn.9.node", "stn.9.renown")),
    "pass": ("a pass ends the turn and changes nothing", ("stn.6.one-action",)),
}
"""What is claimed of each action of a turn, and the rules it is about."""


def actions(code: Shipped, law: Laws) -> Iterator[Claim]:
    """Each action of a turn, and the taking of a reward."""
    view = scene()
    table = Table(view, law)
    lies = market_is(view, STANDARD, (2, 4))

    def done(act: Act, premise: Bool, stack: tuple[Step, ...] = (), rest: int = 0, refills: Sequence[int] = ()) -> Part:
        before = state(view, stack, act.scoring, {1: act.at_node} if act.at_node else None)
        lifted = lift(lambda: code.code.effects.ACTIONS[act.action.verb](before, act.action, []))
        return Part(refines(law, act.change, before, lifted, rest, refills), both(lies, premise))

    there = view.dock["Module"] >= 1
    acted = list(acts(view, table, PAID))
    for verb, (says, about) in EFFECTS.items():
        mine, parts = [act for act in acted if act.action.verb == verb], list[Part]()
        for act in mine:
            node = same(at(view.station, NODE), NAMES.index(act.at_node))
            premise = {
                "acquire": act.legal,
                "purchase": both(
                    within(PAID.n, view.hand), TRUE if dict(act.action.rest).get("to") == ("dock",) else node
                ),
                "install": both(there, node),
                "stow": node,
                "exchange": both(there, node),
                "pass": TRUE,
            }[verb]
            parts.append(done(act, premise, refills=(2,) if verb == "purchase" else ()))
        yield effect(verb, says, about, law, parts, replayed(code, view, law, mine, PAID))
    taken = Act(Action("take", KINDS[:1]), theory_effects.reward(view, KINDS[:1]), table.rewarded(KINDS[:1]))
    yield effect(
        "take",
        "the reward comes from the display to the hand, and what was to follow still does",
        ("stn.8.exact",),
        law,
        [done(taken, taken.legal, (Step("end turn"), Step("deal"), Step("reward")), 2)],
    )
    dealt = Act(Action("deal", SymBag(COME)), theory_effects.dealt(view, COME), first(view.deck, COME))  # type: ignore[arg-type]
    yield effect(
        "dealt",
        "what is dealt comes off the top of the deck into the display",
        ("stn.7.1.six",),
        law,
        [done(dealt, dealt.legal, (Step("end turn"), Step("deal")), 1)],
    )
    come = Act(Action("salvage", ("Module",)), theory_effects.salvaged(view, 2), first(view.stock, {"Module": 1}))
    yield effect(
        "salvaged",
        "what is salvaged comes into the berth: without discount, and not eligible in this round",
        ("stn.8.berth", "stn.6.drift-newcomer"),
        law,
        [done(come, come.legal, (Step("salvage", 2),))],
    )
