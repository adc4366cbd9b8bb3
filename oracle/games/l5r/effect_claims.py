"""That the actions and steps of the shipped code change what the theory says, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import product
from typing import Any

from oracle.game import Action
from oracle.games.l5r import calendar, scene, theory_effects
from oracle.games.l5r.cards import Effect, Table
from oracle.games.l5r.scene import FATE, PLAYERS, Scene, any_round, position, seen, table
from oracle.games.l5r.state import Ability, Attack, Laid, State, Step, Waits, begun
from oracle.games.l5r.theory_effects import Change, Round
from oracle.proof.claims import Claim, Part
from oracle.proof.laws import Laws
from oracle.proof.lift import Modules, lift
from oracle.proof.symbols import SymBag, SymBool, SymInt, term_of
from oracle.proof.terms import TRUE, Bool, both, count, either, every, no, number, same, truth, when
from oracle.timing import Trigger

SCOPE = "three players, any numbers of five Dynasty cards and two Fate cards in hands, decks of two parts and discards"
HONOR, HAND, N = count("effect.honor"), count("effect.hand"), count("effect.n")
COME = {card: count(f"come.{card}") for card in FATE}


@lru_cache(maxsize=1)
def any_scene() -> Scene:
    """Any position."""
    return Scene()


def does(law: Laws, before: State, run: Callable[[], Any], change: Change, premise: Bool = TRUE) -> Part:
    """Wherever the premise is met the code makes of the position what the change says."""
    return Part(lift(run).always(lambda after: change.relation(law, seen(after))), premise)


def claim(name: str, says: str, about: Sequence[str], law: Laws, parts: Sequence[Part], scope: str = SCOPE) -> Claim:
    domain = [*any_scene().domain(), *(n >= 0 for n in COME.values())]
    return Claim(
        id=f"effect.{name}",
        says=says,
        about=tuple(about),
        scope=scope,
        laws=law,
        parts=tuple(parts),
        domain=tuple(domain),
    )


# -- rounds ----------------------------------------------------------------------------------------


class Seen(Round):
    """A round as the code has left it."""

    def __init__(self, shipped: Any) -> None:
        super().__init__(".seen")
        self.turn, self.passes = number(term_of(shipped.turn)), number(term_of(shipped.passes))


def rounds(code: Modules, law: Laws) -> Iterator[Claim]:
    """Passing rounds, of any number of players."""
    view = any_scene()
    now, shipped = view.round, any_round(view, code.code)

    def after(did: str, goal: Callable[[Round], Bool]) -> Part:
        return Part(lift(lambda: shipped.after(did)).always(lambda then: goal(Seen(then))))

    yield claim(
        "round",
        "a pass or an action gives the opportunity to the next player; passes are counted in a row, and all end it",
        ("l5r.action.round", "l5r.action.passes", "l5r.action.end", "l5r.ruling.cancelled", "l5r.additional"),
        law,
        [
            after("passed", lambda then: now.moves(law, then, TRUE)),
            after("acted", lambda then: now.moves(law, then, no(TRUE))),
            after("cancelled", lambda then: now.stays(law, then, "l5r.ruling.cancelled")),
            after("declined", lambda then: now.stays(law, then, "l5r.additional")),
            Part(same(lift(lambda: shipped.ended).term, now.ended(law))),
        ],
        "any number of players",
    )
    yield _opportunities(code, law)


def _opportunities(code: Modules, law: Laws) -> Claim:
    """What becomes of the round with a pass, an action, a cancelled one, a declined additional one."""
    view, parts = any_scene(), list[Part]()
    flow, effects, now = code.code.flow, code.code.effects, view.round

    def turned(change: Change, passes: Any, rule: str) -> Change:
        moved = {"turn": now.following(), "passes": passes}
        return change.set("round", moved, rule)

    def part(before: State, run: Callable[[], Any], change: Change) -> None:
        parts.append(does(law, before, run, change))

    about: dict[str, Any] = {"round": any_round(view, code.code), "at": calendar.ACTION}
    before = position(view, code.code, **about)
    passed = turned(Change(seen(before)), now.passes + 1, "l5r.action.passes")
    part(before, lambda before=before: flow.ACTIONS["pass"](before, Action("pass"), []), passed)  # type: ignore[misc]
    acting = Step("carry out", "A", "Scout", opportunity=True)
    before = position(view, code.code, stack=(acting,), **about)
    change = turned(Change(seen(before)).then("l5r.resolve.first", done=1), 0, "l5r.action.round")
    change.set("happened", ("Scout",), "l5r.ruling.reactions-last")
    part(before, lambda before=before: effects.STEPS["carry out"](before, acting, []), change)  # type: ignore[misc]
    reactions = code.code.rounds.Round(PLAYERS, (), 1)
    asked = Step("reactions", names=("Scout",), cancelling=True, round=reactions)
    ward = Ability("Ward", "Reaction", Effect(cancel=True), "Scout")
    before = position(view, code.code, stack=(acting, asked), **about)
    before = before.with_seat("B", abilities=(ward,))
    answered = {"do": "reactions", "names": ("Scout",), "cancelling": True, "round": {"turn": 2}}
    change = theory_effects.used(seen(before), "B", 0)
    change.then("l5r.ruling.cancelled", answered, done=2)
    part(before, lambda before=before: flow.ACTIONS["use"](before, Action("use", ("Ward",)), []), change)  # type: ignore[misc]
    before = position(view, code.code, stack=(Step("additional", "A", "Open"),), **about)
    change = Change(seen(before)).then("l5r.additional", done=1)
    part(before, lambda before=before: flow.ACTIONS["decline"](before, Action("decline"), []), change)  # type: ignore[misc]
    scout = Ability("Scout", "Open")
    before = before.with_seat("A", abilities=(scout,))
    change = theory_effects.used(seen(before), "A", 0)
    change.then("l5r.additional", {"do": "carry out", "player": "A", "name": "Scout"}, done=1)
    part(before, lambda before=before: flow.ACTIONS["use"](before, Action("use", ("Scout",)), []), change)  # type: ignore[misc]
    return claim(
        "opportunity",
        "a pass counts, an action makes all pass anew; cancelled and additional actions, declined or not, do neither",
        ("l5r.action.passes", "l5r.action.round", "l5r.ruling.cancelled", "l5r.additional"),
        law,
        parts,
        "rounds of any number of players; abilities without effect; Reactions of three players",
    )


# -- what effects do -------------------------------------------------------------------------------


def applied(code: Modules, law: Laws) -> Iterator[Claim]:
    """What each part of an effect does, to whoever it belongs."""
    view, parts = any_scene(), list[Part]()
    run = code.code.effects.apply
    waiting = tuple(
        Trigger("B", calendar.AFTER_ACTION, name, Waits(), live=SymBool(truth(f"live.{i}")))  # type: ignore[arg-type]
        for i, name in enumerate(("Dawn", "Dusk", "Dawn"))
    )
    before = position(view, code.code, agenda=waiting, stack=(Step("each", "B"),), active=1)
    parts_before, order = seen(before), ("B", "C", "A")

    def part(effect: Effect, change: Change) -> None:
        parts.append(does(law, before, lambda: run(before, "A", effect, []), change))

    part(Effect(), Change(parts_before))
    part(Effect(honor=SymInt(HONOR)), theory_effects.honor(parts_before, "A", HONOR))  # type: ignore[arg-type]
    part(Effect(hand=SymInt(HAND)), theory_effects.hand_size(parts_before, "A", HAND))  # type: ignore[arg-type]
    part(Effect(draw=2), theory_effects.draws(parts_before, "A", 2, "effect.draw"))
    part(Effect(each=Effect(honor=1)), theory_effects.each_player(parts_before, order, {"honor": 1}))
    part(Effect(action="Open"), theory_effects.granted(parts_before, "A", "Open"))
    part(Effect(attack="B"), theory_effects.to_attack(parts_before, "A", "B"))
    part(Effect(trigger="Dawn"), theory_effects.conditions(parts_before, "Dawn", True))
    part(Effect(untrigger="Dawn"), theory_effects.conditions(parts_before, "Dawn", False))
    part(Effect(win=True, draw=1, action="Open"), theory_effects.won(parts_before, "A", "l5r.over"))
    yield claim(
        "apply",
        "each part of an effect changes what it names; what it grants comes after what is under way",
        ("l5r.turn.each-player", "l5r.additional", "l5r.ruling.created-attack", "l5r.ruling.condition", "l5r.over"),
        law,
        parts,
    )


def ordered(code: Modules, law: Laws) -> Iterator[Claim]:
    """Who does something first, and who after: rounds, and what each player does."""
    playing = [truth(f"{p}.playing") for p in "ABCD"]
    goals = []
    for active, first in ((i, j % 4) for i in range(4) for j in (i, i + 1)):
        seats = tuple(_seat(p, playing[i]) for i, p in enumerate("ABCD"))
        combat = Attack("ABCD"[(first + 1) % 4], "ABCD"[first], fields=())
        at = calendar.ACTION if active == first else calendar.COMBAT
        before = State(table(any_scene()), seats, active, at=at, attack=None if active == first else combat)
        rule = "l5r.combat.defender-first" if at == calendar.COMBAT else "l5r.action.round"
        begins = law(rule, TRUE)

        def goal(order: Sequence[str], start: int, in_it: Sequence[Bool] = playing) -> Bool:
            places = [theory_effects.place(law, seat, start, in_it) for seat in range(4)]
            there = [same("ABCD"[seat] in order, in_it[seat]) for seat in range(4)]
            return both(*there, *(same(places["ABCD".index(name)], i) for i, name in enumerate(order)))

        goals.append(lift(before.order).always(lambda order, goal=goal, a=active: goal(order, a)))  # type: ignore[misc]
        rounds_ = lift(partial(begun, before)).always(
            lambda round, goal=goal, f=first: goal(round.order, f)  # type: ignore[misc]
        )
        goals.append(when(playing[first], both(rounds_, begins)))
    yield Claim(
        id="effect.order",
        says="turn order goes once round from the active player past those who are out; the Defender begins a combat",
        about=("l5r.turn.each-player", "l5r.combat.defender-first", "l5r.action.round"),
        scope="four seats, any of them active, attacking, defending or out",
        laws=law,
        parts=(Part(every(goals)),),
    )


def _seat(name: str, playing: Bool) -> Any:
    from oracle.games.l5r.state import Seat

    return Seat(name, out=SymBool(no(playing)))  # type: ignore[arg-type]


# -- cards ------------------------------------------------------------------------------------------


def cards(code: Modules, law: Laws) -> Iterator[Claim]:
    """Cards come into play, are discarded, drawn, and fill Provinces."""
    view = any_scene()
    flow, effects = code.code.flow, code.code.effects
    dynasty, events, chance = list[Part](), list[Part](), list[Part]()
    for refill, province in product(("", "up", "down"), range(2)):
        does_ = {"effect": Effect(refill=refill), "on_discard": Effect(refill=refill)}
        known = table(view, **dict.fromkeys(scene.CARDS, does_))
        laid = [(Laid("Farm", False), Laid("Farm")), (Laid("Shiba"), Laid("Storm"))]
        seat = {"provinces": tuple(laid), "regions": ((), ())}
        before = position(view, code.code, known, seat)
        parts, card = seen(before), ("Farm", "Shiba")[province]
        change = theory_effects.brought(parts, "A", province, card, ("play", "home")[province], refill)
        dynasty.append(act(code, law, before, Action("bring", (card,)), change))
        change = theory_effects.discarded(parts, "A", province, card, refill)
        dynasty.append(act(code, law, before, Action("discard", (card,)), change))
        dynasty += _from(code, law, known, province, refill)
        for card, type_ in scene.TYPES.items():
            seat = {"provinces": ((Laid(card, True, "new"), Laid("Farm", False)),), "regions": ((),)}
            step = Step("deal on", "A", card)
            before = position(view, code.code, known, seat, at=calendar.EVENTS, stack=(step,))
            parts = seen(before)
            if type_ in ("Holding", "Personality"):
                change = theory_effects.stays(parts, "A", 0, card, "l5r.events.b")
            elif type_ == "Event":
                change = theory_effects.resolves(parts, "A", 0, card, {"refill": refill} if refill else {})
            else:
                change = (theory_effects.attached if type_ == "Region" else theory_effects.entered)(parts, "A", 0, card)
                theory_effects.refilled(change, "A", 0, refill, "new")
            run = partial(effects.STEPS["deal on"], before, step, [])
            events.append(does(law, before, run, change))
        step = Step("resolved", "A", "Storm", Effect(refill=refill))
        seat = {"provinces": ((Laid("Storm", True, "new"),),), "regions": ((),)}
        before = position(view, code.code, known, seat, at=calendar.EVENTS, stack=(step,))
        change = theory_effects.resolved(seen(before), "A", 0, "Storm", refill)
        events.append(does(law, before, partial(effects.STEPS["resolved"], before, step, []), change))
        step = Step("fill", "A", "new" if province else "", n=0, up=refill == "up")
        seat = {"provinces": ((Laid("Farm"),),), "regions": ((),)}
        before = position(view, code.code, known, seat, stack=(step,))
        mark = step.name if step.up or not province else "dealt"
        change = theory_effects.filled(seen(before), "A", 0, "Sun", step.up, mark)
        chance.append(
            does(
                law,
                before,
                partial(flow.ACTIONS["fill"], before, Action("fill", ("Sun",)), []),
                change,
                first_cards(view.decks["A.dynasty"], {"Sun": number(1)}),
            )
        )
    attached: dict[str, Any] = {"provinces": ((Laid("Coast", True, "new"),),), "regions": (("Coast",),)}
    step = Step("deal on", "A", "Coast")
    before = position(view, code.code, None, attached, at=calendar.EVENTS, stack=(step,))
    change = theory_effects.stays(seen(before), "A", 0, "Coast", "l5r.ruling.one-region")
    events.append(does(law, before, partial(effects.STEPS["deal on"], before, step, []), change))
    yield claim(
        "dynasty",
        "a card brought in or discarded leaves its Province, the one named where it lies in several, and step B begins",
        ("l5r.dynasty.bring", "l5r.dynasty.discard", "l5r.dynasty.no-more", "l5r.dynasty.refilled"),
        law,
        dynasty,
        f"two Provinces of two cards, each way to refill; {SCOPE}",
    )
    yield claim(
        "events",
        "Events are resolved and discarded, Regions attached where there is none, Celestials enter, others stay",
        ("l5r.events.b", "l5r.events.c", "l5r.events.d", "l5r.events.e", "l5r.ruling.event-discarded"),
        law,
        events,
        f"each type of card, each way to refill; {SCOPE}",
    )
    before = position(view, code.code, stack=(Step("draw", "A", n=SymInt(N)),))  # type: ignore[arg-type]
    change = theory_effects.drawn(seen(before), "A", COME)
    come = Action("draw", SymBag(COME))  # type: ignore[arg-type]
    chance.append(
        does(
            law,
            before,
            partial(flow.ACTIONS["draw"], before, come, []),
            change,
            first_cards(view.decks["A.fate"], COME),
        )
    )
    yield claim(
        "chance",
        "what is drawn comes off the top of the deck to the hand, what fills a Province comes to it",
        ("l5r.end.draw", "l5r.start.e", "l5r.events.f-b"),
        law,
        chance,
        f"decks of two parts of known order; {SCOPE}",
    )


def _from(code: Modules, law: Laws, known: Table, province: int, refill: str) -> Iterator[Part]:
    """A card that lies face-up in two Provinces: nothing moves before its player has said which one it leaves."""
    laid = ((Laid("Farm", False), Laid("Farm")), (Laid("Farm"), Laid("Farm"), Laid("Storm")))
    before = position(any_scene(), code.code, known, {"provinces": laid, "regions": ((), ())})
    parts = seen(before)
    changes = {
        "bring": theory_effects.brought(parts, "A", province, "Farm", "play", refill),
        "discard": theory_effects.discarded(parts, "A", province, "Farm", refill),
    }
    for verb, change in changes.items():
        rule = f"l5r.dynasty.{verb}"
        yield act(code, law, before, Action(verb, ("Farm",)), theory_effects.asks_where(parts, "A", "Farm", rule))
        asked = before.push(Step("from", "A", "Farm", rule=rule))
        yield act(code, law, asked, Action("from", (str(province + 1),)), change)


def act(code: Modules, law: Laws, before: State, action: Action, change: Change, premise: Bool = TRUE) -> Part:
    return does(law, before, partial(code.code.flow.ACTIONS[action.verb], before, action, []), change, premise)


def first_cards(deck: Sequence[Mapping[str, Any]], cards: Mapping[str, Any]) -> Bool:
    """The cards may be the first ones of a deck of two parts."""
    above, below = deck
    inside = every(n <= above[card] for card, n in cards.items())
    whole = every(number(cards.get(card, 0)) >= n for card, n in above.items())
    return either(inside, both(whole, *(n <= above[card] + below[card] for card, n in cards.items())))


def claims(code: Modules, law: Laws) -> Iterator[Claim]:
    """The claims about rounds, about what effects do, and about cards."""
    for group in (rounds, applied, ordered, cards):
        yield from group(code, law)
