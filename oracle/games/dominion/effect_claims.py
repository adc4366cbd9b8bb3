"""That every instruction of a card, and the course of a turn, change what the theory says and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from msgspec.structs import replace

from oracle.game import Action
from oracle.games.dominion import bridge, theory, theory_choices, theory_effects
from oracle.games.dominion.bridge import Seen, Shipped
from oracle.games.dominion.replay import LOOKS_AT, Asked, Done, Setting, done_again
from oracle.games.dominion.state import Effect, State, Step
from oracle.games.dominion.theory import BASE, Cards, Position, Table, any_card
from oracle.games.dominion.theory_choices import Given, rule_of
from oracle.games.dominion.theory_effects import ARISES, DOES, ELSE, TAKES, Change, Next, Scene
from oracle.proof.claims import Claim, Part, together
from oracle.proof.laws import Laws
from oracle.proof.lift import Lifted, lift
from oracle.proof.symbols import SymBag, counts_of, term_of
from oracle.proof.terms import FALSE, TRUE, Bool, both, count, either, every, no, same
from oracle.timing import Trigger

KINDS = {
    **{name: BASE[name] for name in ("Copper", "Silver", "Gold", "Estate", "Curse", "Province", "Moat", "Militia")},
    "Any": any_card("Any"),
    "Stray": any_card("Stray"),
}
"""The cards that the code names, one of each sort, and two of any print."""
PILES = tuple(name for name in KINDS if name != "Stray")
SEATS, ACTOR = 3, 1
CHOSEN = {kind: count(f"chosen.{kind}") for kind in KINDS}
LOOKED = {kind: count(f"looked.{kind}") for kind in KINDS}
ASIDE = {kind: count(f"aside.{kind}") for kind in KINDS}
SCOPE = (
    f"{SEATS} seats, the second one's instructions; any number of each of {len(KINDS)} cards, two of them of any "
    "print; a deck of two parts"
)

CARD_OF = {
    "silver": "Silver",
    "vassal discard": "Vassal",
    "gain silver": "Bureaucrat",
    "gain gold": "Bandit",
    "curse": "Witch",
    "others topdeck": "Bureaucrat",
    "others discard": "Militia",
    "others curse": "Witch",
    "others reveal": "Bandit",
    "others draw": "Council Room",
    "merchant": "Merchant",
    "vassal": "Vassal",
    "library": "Library",
    "sentry": "Sentry",
    "cellar": "Cellar",
    "chapel": "Chapel",
    "harbinger": "Harbinger",
    "bureaucrat": "Bureaucrat",
    "topdeck": "Artisan",
    "militia": "Militia",
    "poacher": "Poacher",
    "moneylender": "Moneylender",
    "remodel": "Remodel",
    "mine": "Mine",
    "bandit": "Bandit",
    "library card": "Library",
    "sentry trash": "Sentry",
    "sentry discard": "Sentry",
    "put back": "Sentry",
    "vassal play": "Vassal",
    "throne room": "Throne Room",
    "moat": "Moat",
}
"""The card whose text each instruction is."""


@lru_cache(maxsize=4)
def before(turn: int | None = None) -> Position:
    """Any position before an instruction, or any in the turn of a seat."""
    return Position(KINDS, PILES, turn=turn)


def domain() -> tuple[Bool, ...]:
    """What the symbols can be."""
    counts = (*CHOSEN.values(), *LOOKED.values(), *ASIDE.values())
    return (*before().domain(*range(SEATS)), *(n >= 0 for n in counts))


def state(view: Position, stack: tuple[Step, ...] = (), **how: Any) -> State:
    """The position as a state with a few seats."""
    return bridge.state(view, stack=stack, seats=bridge.seats(view, SEATS), **how)


def follows(todo: Sequence[Next], steps: Sequence[Step]) -> Bool:
    """The steps put on the stack are the instructions that follow, in order."""
    if not todo:
        return FALSE if steps else TRUE
    first, *rest = todo
    absent = both(no(first.given), follows(rest, steps)) if first.given is not TRUE else FALSE
    if not steps:
        return absent
    return either(absent, both(first.given, _is(first, steps[0]), follows(rest, steps[1:])))


def _is(wanted: Next, step: Step) -> Bool:
    if (wanted.do, wanted.seat, wanted.card, wanted.then) != (step.do, step.seat, step.card, step.then):
        return FALSE
    cards = TRUE if wanted.cards is None else theory.equal(wanted.cards, counts_of(step.cards))
    # Elsewhere the number is the label of the card being played, which no rule speaks of.
    n = same(wanted.n, term_of(step.n)) if wanted.do in ("draw", "turn up") else TRUE
    return both(n, cards)


def refines(
    lifted: Lifted, change: Change, law: Laws, rule: str, base: int = 0, waiting: tuple[Trigger[Effect], ...] = ()
) -> Bool:
    """Every path of the code makes of the position what the change says, and does next what it says.

    What is `waiting` for a later moment still waits, and nothing else does.
    """

    def goal(after: State) -> Bool:
        if after.agenda != waiting:
            return FALSE
        seen = Seen(after, before())
        relation = change.relation(law, rule, seen, seen.held)
        return both(relation, law(rule, follows(change.todo, after.stack[base:][::-1])))

    return lifted.always(goal)


def scene_of(table: Table, do: str, card: str, chosen: Cards, kind: str = "", **about: Any) -> Scene:
    return Scene(table, do, ACTOR, card, chosen, LOOKED, kind, SEATS, **about)


def claim(law: Laws, id: str, says: str, rule: str, parts: Sequence[Part], **again: Any) -> Claim:
    return Claim(
        id=f"effect.{id.replace(' ', '-')}",
        says=says,
        about=(rule,),
        scope=SCOPE,
        laws=law,
        parts=(together(parts),),
        domain=domain(),
        **again,
    )


def instructions(code: Shipped, law: Laws) -> Iterator[Claim]:
    """What happens without a choice."""
    view, do_all = before(), code.code.effects.DO
    table = Table(view, law)
    for do, change in DOES.items():
        card = CARD_OF[do]
        goals = []
        for safe in ((), (2,)) if do.startswith("others") else ((),):
            step = Step(do, ACTOR, card, cards=SymBag(LOOKED), safe=safe)  # type: ignore[arg-type]
            lifted = lift(partial(do_all[do], state(view), step, []))
            said = change(scene_of(table, do, card, {}, safe=safe))
            goals.append(Part(refines(lifted, said, law, rule_of(card))))
        yield claim(law, do, f"what {card} does by itself ({do})", rule_of(card), goals)


def choices(code: Shipped, law: Laws) -> Iterator[Claim]:
    """When a choice arises, what it brings, and what happens where there is none."""
    for do, change in TAKES.items():
        if do == "gain":
            yield from (_kind_by_kind(code, law, do, change, card) for card in GAINERS)
        elif do in ("vassal play", "throne room"):
            yield _kind_by_kind(code, law, do, change, CARD_OF[do])
        else:
            card = CARD_OF[do]
            parts = [_taken(code, law, do, change, CHOSEN), *_arising(code, law, do, card)]
            again = _again(code, law, do, card, {"": CHOSEN})
            yield claim(law, do, f"what {card} brings ({do})", rule_of(card), parts, **again)
    yield from _moat(code, law)
    yield from _put_back(code, law)


def _taken(
    code: Shipped, law: Laws, do: str, change: Callable[[Scene], Change], chosen: Cards, kind: str = "", card: str = ""
) -> Part:
    """That a choice brings what the theory says, where it is a legal one."""
    view, card = before(), card or CARD_OF[do]
    table = Table(view, law)
    aside: Cards = ASIDE if do == "library card" else {}
    below = (Step("library", ACTOR, "Library", cards=SymBag(ASIDE)),) if aside else ()  # type: ignore[arg-type]
    held = (TRASHED,) if do == "gain" and card in ("Remodel", "Mine") else SymBag(LOOKED)
    step = Step(do, ACTOR, card, cards=held)  # type: ignore[arg-type]
    cards = tuple(chosen) if kind or not chosen else SymBag(chosen)
    take = code.code.effects.ASK[do].take
    lifted = lift(lambda: take(state(view, below), step, cards, []))
    given = Given(card, LOOKED, TRASHED, kind)
    legal = theory_choices.ASKS[do][1](table, ACTOR, chosen, given)
    if do == "vassal play":  # where the card turned up was put just before
        legal = both(legal, theory.within(chosen, view.zone("discard", ACTOR)))
    if do == "library card":  # kept is written as nothing chosen
        legal = either(legal, same(theory.size(chosen), 0))
    said = change(scene_of(table, do, card, chosen, kind, aside=aside))
    goal = refines(lifted, said, law, rule_of(card), len(below))
    return Part(goal, legal)


GAINERS = ("Workshop", "Artisan", "Remodel", "Mine")
"""The cards that let a card of one's choice be gained."""
TRASHED = "Any"
"""The card that Remodel and Mine have just trashed: of any print."""


def _arising(code: Shipped, law: Laws, do: str, card: str) -> Iterator[Part]:
    """That a choice arises where the theory says so, and what happens where it does not."""
    view = before()
    scene = scene_of(Table(view, law), do, card, {}, TRASHED)
    held = (TRASHED,) if do == "gain" else SymBag(LOOKED)
    step = Step(do, ACTOR, card, cards=held)  # type: ignore[arg-type]
    ask = code.code.effects.ASK[do]
    arises = law(rule_of(card), ARISES[do](scene))
    lifted = lift(lambda: bool(ask.arises(state(view), step)))
    yield Part(both(no(lifted.raises), same(lifted.term, arises)))
    yield Part(TRUE, arises)
    otherwise = ELSE[do](scene) if do in ELSE else scene.change
    lifted = lift(lambda: ask.otherwise(state(view), step, []))
    quiet = no(arises) if do in theory_effects.HOLDS else both(no(arises), _nothing_held())
    yield Part(refines(lifted, otherwise, law, rule_of(card)), quiet)


def _nothing_held() -> Bool:
    return every(same(n, 0) for n in LOOKED.values())


def _kind_by_kind(code: Shipped, law: Laws, do: str, change: Callable[[Scene], Change], card: str) -> Claim:
    parts = [_taken(code, law, do, change, {kind: 1}, kind, card) for kind in KINDS]
    if do != "gain":
        parts.append(_taken(code, law, do, change, {}, "", card))
    parts += _arising(code, law, do, card)
    name = f"{do}.{card}" if do == "gain" else do
    again = _again(code, law, do, card, {kind: {kind: 1} for kind in KINDS})
    return claim(law, name, f"what {card} brings ({do})", rule_of(card), parts, **again)


QUIET = (
    *("chapel", "harbinger", "bureaucrat", "topdeck", "militia", "poacher", "moneylender", "remodel", "mine", "bandit"),
    *("sentry trash", "gain"),
)
"""The choices after which nothing else happens to what they change: those can be replayed."""


def _again(code: Shipped, law: Laws, do: str, card: str, each: Mapping[str, Cards]) -> dict[str, Any]:
    """How a claim about a choice is replayed: what can be chosen, by the kind of card that it is about, if any."""
    if do not in QUIET:
        return {}
    view, verb = before(), theory_choices.ASKS[do][0][0]
    table, trashed = Table(view, law), TRASHED if do == "gain" and card in ("Remodel", "Mine") else ""
    done = []
    for kind, chosen in each.items():
        says = theory_choices.ASKS[do][1](table, ACTOR, chosen, Given(card, LOOKED, TRASHED, kind))
        asked = Asked(Action(verb, (kind,)), says) if kind else Asked(Action(verb), says, chosen)
        done.append(Done(asked, TAKES[do](scene_of(table, do, card, chosen, kind))))
    arises = ARISES[do](scene_of(table, do, card, {}, TRASHED))
    treasure = view.kinds[TRASHED].types["Treasure"] if trashed and card == "Mine" else TRUE
    looked = LOOKED if do in LOOKS_AT else {}
    legal = [done[0].asked.says] if len(done) == 1 else []
    setting = Setting(view, ACTOR, ACTOR + 1, do, card, looked, trashed, more=(arises, treasure, *legal))
    return done_again(code, setting, law, done)


def _moat(code: Shipped, law: Laws) -> Iterator[Claim]:
    """A Moat that is revealed makes its player safe from the attack, and nothing else happens."""
    view = before()
    attack = Step("text", 0, "Militia")
    step = Step("moat", ACTOR, "Militia")
    parts, rule = [*_arising(code, law, "moat", "Moat")], "dom.card.moat"
    for cards in ((), ("Moat",)):
        lifted = lift(partial(code.code.effects.ASK["moat"].take, state(view, (attack,)), step, cards, []))
        nothing = Change(view, {}, SEATS)

        def goal(after: State, cards: Any = cards, nothing: Change = nothing) -> Bool:
            seen = Seen(after, view)
            safe = after.stack[0].safe == ((ACTOR,) if cards else ())
            return both(nothing.relation(law, rule, seen, seen.held), law(rule, safe and len(after.stack) == 1))

        parts.append(Part(lifted.always(goal)))
    yield claim(law, "moat", "what revealing a Moat brings", rule, parts)


def _put_back(code: Shipped, law: Laws) -> Iterator[Claim]:
    """The card named first is the new top card."""
    view, rule = before(), "dom.card.sentry"
    step = Step("put back", ACTOR, "Sentry", cards=("Copper", "Estate"))
    take = code.code.effects.ASK["put back"].take
    parts = [*_arising(code, law, "put back", "Sentry")]
    for first, second in (("Copper", "Estate"), ("Estate", "Copper")):
        lifted = lift(partial(take, state(view), step, (first, second), []))
        change = Change(view, {}, SEATS)

        def goal(after: State, a: str = first, b: str = second, change: Change = change) -> Bool:
            seen = Seen(after, view)
            old, new = list(view.deck(ACTOR)), list(seen.deck(ACTOR))
            on_top = len(new) == len(old) + 2 and [dict(new[0]), dict(new[1])] == [{a: 1}, {b: 1}]
            seats = list(after.seats)
            seats[ACTOR] = replace(seats[ACTOR], deck=seats[ACTOR].deck[2:])
            rest = Seen(replace(after, seats=tuple(seats)), view)
            return both(law(rule, bool(on_top)), change.relation(law, rule, rest, rest.held))

        parts.append(Part(lifted.always(goal)))
    yield claim(law, "put-back", "Sentry's cards go back in the order named", rule, parts)


def texts(code: Shipped, law: Laws) -> Iterator[Claim]:
    """What each card adds, and the instructions of its text in their order."""
    goals = []
    for card in (*BASE, "Any"):
        kinds = {**KINDS, **({card: BASE[card]} if card in BASE else {})}
        view = Position(kinds, PILES)
        step = Step("text", ACTOR, card, 1)
        lifted = lift(partial(code.code.effects.DO["text"], state(view), step, []))
        change = theory_effects.text(scene_of(Table(view, law), "text", card, {}))

        def goal(after: State, change: Change = change, view: Position = view, card: str = card) -> Bool:
            seen, rule = Seen(after, view), rule_of(card)
            done = both(change.relation(law, rule, seen, seen.held), follows(change.todo, after.stack[::-1]))
            return FALSE if after.agenda else done

        goals.append(Part(lifted.always(goal)))
    says = "what each card adds, and what its text has done in what order"
    yield claim(law, "text", says, "dom.card.village", goals)


TESTED = (
    "scoring.points: it multiplies, which lifting refuses",
    "effects.run: it goes round until somebody must choose",
    "effects.resolve: it looks a trigger up in the agenda",
    "effects._pass_time: whose turn follows, and that the game ends between turns only",
)
"""Effects that are not lifted but tested against the theory on 10,000 states, and why."""


def claims(code: Shipped, law: Laws) -> Iterator[Claim]:
    """All claims about what cards do."""
    for group in (instructions, choices, texts):
        yield from group(code, law)
