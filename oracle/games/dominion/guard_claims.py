"""That the shipped guards allow exactly what the theory allows: every play, buy, end of a phase, choice and draw."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any

import z3
from msgspec.structs import replace

from oracle.game import Action
from oracle.games.dominion import GAME, bridge, theory, theory_choices
from oracle.games.dominion.bridge import Shipped
from oracle.games.dominion.replay import LOOKS_AT, Asked, Setting, replay_order, replay_over, replayed
from oracle.games.dominion.state import Step
from oracle.games.dominion.theory import BASE, PHASES, Position, Table
from oracle.games.dominion.theory_choices import Given, may_choose
from oracle.games.dominion.theory_effects import ARISES, Scene
from oracle.proof.claims import Claim, Part
from oracle.proof.laws import Laws
from oracle.proof.lift import Lifted, lift
from oracle.proof.symbols import SymAtom, SymBag, SymInt, truth_of
from oracle.proof.terms import TRUE, Bool, both, count, either, every, no, pick, same, some, total, truth, when
from oracle.timing import Moment, Trigger

ANY, STRAY = "Any", "Stray"
KINDS = {**BASE, ANY: theory.any_card(ANY), STRAY: theory.any_card(STRAY)}
"""The base set, a card of any print with a pile, and one without."""
PILES = (*BASE, ANY)
WHO = count("player")
SEAT = count("seat")
EVERY = "all positions; any seats; any number of each of the base set and of one card of any print"


@lru_cache(maxsize=16)
def position(layers: int = 2) -> Position:
    """Any position."""
    return Position(KINDS, PILES, layers=layers)


def legal(verdict: Any) -> Bool:
    """What a lifted verdict says."""
    return every(truth_of(reason.holds) for reason in verdict.reasons)


def guard(lifted: Lifted) -> Bool:
    """The condition under which a lifted guard allows the action."""
    return some(both(path.condition, legal(path.value)) for path in lifted.paths)


def judged(
    code: Shipped, view: Position, action: Action, phase: str = "action", stack: tuple[Step, ...] = ()
) -> Lifted:
    """The shipped guard on any position."""
    state = bridge.state(view, phase, stack)
    return lift(lambda: code.code.rules.judge(state, bridge.player(WHO), action))


def agree(lifted: Lifted, says: Bool) -> Bool:
    """The guard allows exactly what the theory allows, and never raises."""
    return both(no(lifted.raises), same(guard(lifted), says))


def guard_in_turn(code: Shipped, law: Laws) -> Iterator[Claim]:
    """Every play, buy and end of a phase, in every phase."""
    view = position()
    rules = Table(view, law)
    about = {
        "play": ("dom.action.actions", "dom.buy.treasures-first"),
        "buy": ("dom.buy.cost",),
        "end": ("dom.turn.phases",),
    }
    says: dict[str, Callable[[Any, str], Bool]] = {
        "play": rules.may_play,
        "buy": rules.may_buy,
        "end": lambda who, item: rules.may_end(who, item.removesuffix(" phase")),
    }
    for verb, may in says.items():
        items = [f"{phase} phase" for phase in PHASES] if verb == "end" else [*KINDS, ""]
        said = [Asked(Action(verb, (item,) if item else ()), may(WHO, item)) for item in items]
        goals = [
            when(rules.during(phase), agree(judged(code, view, asked.action, phase), asked.says))
            for phase in PHASES
            for asked in said
        ]
        yield Claim(
            id=f"guard.{verb}",
            says=f"the guard allows `{verb}` exactly where the text does",
            about=about[verb],
            scope=EVERY,
            laws=law,
            parts=(Part(every(goals)),),
            domain=(*view.domain(view.turn), WHO >= 0),
            **replayed(code, Setting(view, view.turn, WHO), law, [asked for asked in said if asked.action.items]),
        )


ASKED = {
    "cellar": "Cellar",
    "chapel": "Chapel",
    "moat": "Militia",
    "harbinger": "Harbinger",
    "vassal play": "Vassal",
    "topdeck": "Artisan",
    "bureaucrat": "Bureaucrat",
    "militia": "Militia",
    "moneylender": "Moneylender",
    "poacher": "Poacher",
    "remodel": "Remodel",
    "throne room": "Throne Room",
    "bandit": "Bandit",
    "library card": "Library",
    "mine": "Mine",
    "sentry trash": "Sentry",
    "sentry discard": "Sentry",
    "put back": "Sentry",
}
"""Each choice of some cards, and a card that asks for it."""
GAINERS = ("Workshop", "Artisan", "Remodel", "Mine")
CHOSEN = {kind: count(f"chosen.{kind}") for kind in KINDS}
LOOKED = {kind: count(f"looked.{kind}") for kind in KINDS}
AMOUNTS = tuple(n >= 0 for n in (*CHOSEN.values(), *LOOKED.values()))


def guard_choices(code: Shipped, law: Laws) -> Iterator[Claim]:
    """Every choice that a card asks for, whatever cards are chosen, in every edition."""
    view = position()
    rules = Table(view, law)
    for do, card in ASKED.items():
        goals, said, given = [], list[Asked](), Given(card, LOOKED)
        step = Step(do, SymInt(SEAT), card, cards=SymBag(LOOKED))  # type: ignore[arg-type]
        below = tuple(Step(do, SymInt(count(f"later{i}")), card) for i in (2, 1))  # type: ignore[arg-type]
        for verb in (*theory_choices.ASKS[do][0], "buy"):
            action = Action(verb, SymBag(CHOSEN))  # type: ignore[arg-type]
            lifted = judged(code, view, action, stack=(*below, step))
            says = may_choose(rules, WHO, SEAT, do, verb, CHOSEN, given)
            goals.append(agree(lifted, says))
            said.append(Asked(Action(verb), says, CHOSEN))
        rule = "dom.card.moat" if do == "moat" else theory_choices.rule_of(card)
        yield Claim(
            id=f"guard.{do.replace(' ', '-')}",
            says=f"the guard allows what {card} asks for ({do}) exactly where the text does",
            about=(rule,),
            scope=EVERY,
            laws=law,
            parts=(Part(every(goals)),),
            domain=(*view.domain(view.turn, SEAT), WHO >= 0, *AMOUNTS),
            **replayed(code, asking(view, do, card), law, [asked for asked in said if asked.action.verb != "buy"]),
        )


def asking(view: Position, do: str, card: str, trashed: str = "") -> Setting:
    """How a model becomes a position from which the card asks that."""
    scene = Scene(Table(view, Laws()), do, SEAT, card, {}, LOOKED, ANY, 2)
    arises = both(ARISES[do](scene), view.kinds[ANY].types["Treasure"] if card == "Mine" and trashed else TRUE)
    several = GAME.verbs[theory_choices.ASKS[do][0][0]].many
    few = () if several else (theory.size(CHOSEN) <= 1,)
    looked = LOOKED if do in LOOKS_AT else {}
    return Setting(view, SEAT, WHO, do, card, looked, trashed, more=(arises, *few))


def guard_gain(code: Shipped, law: Laws) -> Iterator[Claim]:
    """What the cards that gain a card of one's choice allow."""
    view = position()
    rules = Table(view, law)
    for card in GAINERS:
        goals, said = [], list[Asked]()
        trashed = ANY if card in ("Remodel", "Mine") else ""
        step = Step("gain", SymInt(SEAT), card, cards=(trashed,) if trashed else ())  # type: ignore[arg-type]
        for kind in (*KINDS, ""):
            lifted = judged(code, view, Action("gain", (kind,) if kind else ()), stack=(step,))
            says = may_choose(rules, WHO, SEAT, "gain", "gain", {}, Given(card, trashed=ANY, kind=kind))
            goals.append(agree(lifted, says))
            said += [Asked(Action("gain", (kind,)), says)] if kind else []
        two = judged(code, view, Action("gain", ("Copper", "Copper")), stack=(step,))
        yield Claim(
            id=f"guard.gain.{card}",
            says=f"{card} lets one card be gained, exactly those that its text names",
            about=(theory_choices.rule_of(card),),
            scope=EVERY,
            laws=law,
            parts=(Part(both(*goals, agree(two, z3.BoolVal(False)))),),
            domain=(*view.domain(view.turn, SEAT), WHO >= 0),
            **replayed(code, asking(view, "gain", card, trashed), law, said),
        )


def guard_chance(code: Shipped, law: Laws) -> Iterator[Claim]:
    """What may be drawn or turned up."""
    view = position(layers=3)
    wanted = count("wanted")
    goals, said = [], list[Asked]()
    for do in ("draw", "turn up"):
        step = Step(do, SymInt(SEAT), "Smithy", SymInt(wanted))  # type: ignore[arg-type]
        for verb in ("draw", "turn up"):
            lifted = judged(code, view, Action(verb, SymBag(CHOSEN)), stack=(step,))  # type: ignore[arg-type]
            says = Table(view, law).may_come(WHO, SEAT, wanted, CHOSEN) if verb == do else z3.BoolVal(False)
            goals.append(agree(lifted, says))
            said += [Asked(Action(verb), says, CHOSEN)] if verb == do == "draw" else []
    top = view.deck(SEAT)[0]
    different = total(pick(n >= 1, 1, 0) for n in top.values()) >= 2
    open_ = (wanted >= 1, wanted <= 4, wanted < theory.size(top), theory.size(CHOSEN) <= 6, different)
    setting = Setting(view, SEAT, WHO, "draw", "Windfall", wanted=wanted, more=open_)
    yield Claim(
        id="guard.chance",
        says="the guard allows chance to bring exactly the first cards of the deck",
        about=("dom.draw.top",),
        scope=f"{EVERY}; a deck of up to three parts of known order",
        laws=law,
        parts=(Part(every(goals)),),
        domain=(*view.domain(view.turn, SEAT), WHO >= 0, wanted >= 0, *AMOUNTS),
        **replayed(code, setting, law, said),
    )


def guard_order(code: Shipped, law: Laws) -> Iterator[Claim]:
    """Which of several waiting triggers may be resolved next, whoever they belong to."""
    view = position()
    owners = tuple(count(f"owner{i}") for i in range(3))
    due = tuple(truth(f"due{i}") for i in range(3))
    names = ("Caravan", "Wharf", "Caravan")
    places = (None, *"ABC")
    triggers = tuple(
        Trigger(SymAtom(owner, places), Moment("before", SymAtom(pick(now, 0, 1), ("buy phase", "turn"))), name, None)  # type: ignore[arg-type]
        for owner, now, name in zip(owners, due, names, strict=True)
    )
    # How many seats to the left of the player of the turn each owner sits: the first of several must have a choice.
    places_ = tuple(owner - 1 - view.turn + pick(owner <= view.turn, 3, 0) for owner in owners)
    seats, goals, said = bridge.seats(view, 3), [], list[Asked]()
    for turn in range(3):
        state = replace(bridge.state(view, seats=seats), turn=turn, at=Moment("before", "buy phase"), agenda=triggers)
        for item in ("Caravan", "Wharf", "Smithy", ""):
            action = Action("resolve", (item,) if item else ())
            lifted = lift(partial(code.code.rules.judge, state, SymAtom(WHO, places), action))
            says = Table(view, law).may_resolve(WHO, item, turn, 3, names, owners, due)
            goals.append(when(same(view.turn, turn), agree(lifted, says)))
            said += [Asked(action, says)] if item else []
    yield Claim(
        id="guard.resolve",
        says="of what waits for a moment, the first player in turn order who has something resolves one of his own",
        about=("dom.order.turn-order", "dom.order.own"),
        scope="3 seats, 3 waiting triggers, two of them of one name; any owners, any of them due",
        laws=law,
        parts=(Part(every(goals)),),
        domain=(WHO >= 0, WHO <= 3, view.turn >= 0, view.turn < 3, *(both(n >= 1, n <= 3) for n in owners)),
        replay=partial(replay_order, code, law, said, view.turn, WHO, tuple(zip(names, owners, due, strict=True))),
        fits=(due[0], due[1], same(owners[0], owners[1]), either(no(due[2]), places_[0] <= places_[2])),
    )


def guard_over(code: Shipped, law: Laws) -> Iterator[Claim]:
    """What a refusal says once the game is over, and whose place in turn order it says has not come."""
    view = position()
    goals = []
    for action in (Action("buy", ("Copper",)), Action("end", ("buy phase",))):
        lifted = judged(code, view, action, "buy")
        alone = (no(both(view.over, path.condition)) for path in lifted.paths if len(path.value.reasons) != 1)
        goals.append(both(*alone, no(guard(lifted))))
    yield Claim(
        id="guard.over",
        says="once the game is over nothing is legal, and no other rule is named",
        about=("dom.end.over",),
        scope=EVERY,
        laws=law,
        parts=(Part(every(goals), law("dom.end.over", view.over)),),
        domain=tuple(view.domain(view.turn)),
        replay=partial(replay_over, code),
    )
    places = tuple(count(f"place{i}") for i in range(3))
    queue = tuple(bridge.player(place) for place in places)
    lifted = lift(lambda: code.code.rules.own_place(bridge.player(WHO), queue))
    first = same(WHO, places[0])
    later = some(same(WHO, place) for place in places[1:])
    waits = law("dom.order.turn-order", either(first, no(later)))
    yield Claim(
        id="guard.place",
        says="of several players concerned, who comes later in turn order waits",
        about=("dom.order.turn-order",),
        scope="three instructions under way, of any players",
        laws=law,
        parts=(Part(both(no(lifted.raises), same(lifted.term, waits))),),
    )


def guard_waits(code: Shipped, law: Laws) -> Iterator[Claim]:
    """Whom a refusal tells that his turn comes later: those whom the same effect will ask something."""
    view, goals = position(), []
    rules = Table(view, law)
    later, decoy = (count("later1"), count("later2")), count("decoy")
    asks: tuple[tuple[str, str, Callable[[Any], Bool]], ...] = (
        ("militia", "Militia", lambda seat: theory.size(rules.hand(seat)) > 3),
        ("bureaucrat", "Bureaucrat", lambda seat: theory.size(theory.of_type(view, rules.hand(seat), "Victory")) > 0),
        ("moat", "Witch", lambda seat: rules.hand(seat)["Moat"] > 0),
    )
    for do, card, concerned in asks:
        below = (Step(do, SymInt(decoy), "Smithy"), *(Step(do, SymInt(seat), card) for seat in reversed(later)))  # type: ignore[arg-type]
        stack = (*below, Step(do, SymInt(SEAT), card))  # type: ignore[arg-type]
        lifted = judged(code, view, Action("end", ("action phase",)), stack=stack)
        waits = some(both(same(WHO, seat + 1), no(same(seat, SEAT)), concerned(seat)) for seat in later)
        waits = law("dom.order.turn-order", waits)
        goals += [both(no(lifted.raises), *(_tells(path, waits) for path in lifted.paths))]
    yield Claim(
        id="guard.waits",
        says="a refusal names turn order exactly to those whom the same effect will ask later",
        about=("dom.order.turn-order",),
        scope=f"{EVERY}; two players asked later, and an instruction of another card below",
        laws=law,
        parts=(Part(every(goals), both(no(view.over), no(same(WHO, SEAT + 1)))),),
        domain=(*view.domain(view.turn, SEAT, *later, decoy), WHO >= 1),
    )


def _tells(path: Any, waits: Bool) -> Bool:
    told = some(no(truth_of(r.holds)) for r in path.value.reasons if r.rule == "dom.order.turn-order")
    return when(path.condition, same(told, waits))


def claims(code: Shipped, law: Laws) -> Iterator[Claim]:
    """All claims about guards."""
    for group in (guard_in_turn, guard_choices, guard_gain, guard_chance, guard_order, guard_over, guard_waits):
        yield from group(code, law)
