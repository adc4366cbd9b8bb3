"""That the shipped guards allow exactly what the theory allows: every action, at every time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple

from msgspec.structs import replace

from oracle.game import Action
from oracle.games.l5r import bridge, theory
from oracle.games.l5r.replay import WRITTEN, Asked, Table, fits, replay, sizes
from oracle.games.l5r.theory import TIMES, VERBS, Laid, Position, Text, Trigger, Units
from oracle.proof.claims import Claim, Part
from oracle.proof.laws import Laws
from oracle.proof.lift import Lifted, Modules, lift
from oracle.proof.symbols import SymBag, truth_of
from oracle.proof.terms import TRUE, Bool, both, count, either, every, no, number, same, some, total, truth, when

ANY = "any number of players, any cards, abilities and counts"


@lru_cache(maxsize=1)
def position() -> Position:
    """Any position."""
    return Position()


def _laid(at: str) -> Laid:
    return Laid(count(f"{at}.card"), truth(f"{at}.up"), truth(f"{at}.left"))


PROVINCES = tuple(tuple(_laid(f"province.{i}.{j}") for j in range(n)) for i, n in enumerate((2, 1)))
"""Two Provinces, with two cards and with one."""


def _waiting(i: int) -> Trigger:
    name, turn, turns, rank = (count(f"{field}.{i}") for field in ("trigger", "turn", "turns", "rank"))
    return Trigger(name, turn, turns, truth(f"live.{i}"), rank)


WAITING = tuple(map(_waiting, range(3)))
UNITS = {
    name: Units(0, count(f"{name}.unbowed"), count(f"{name}.bowed"), truth(f"{name}.cavalry")) for name in bridge.UNITS
}
TIED = tuple(count(f"tied.{i}") for i in range(3))
CARDS = ("named", "other")
DECK = tuple({card: count(f"deck{i}.{card}") for card in CARDS} for i in range(2))
COME = {card: count(f"come.{card}") for card in CARDS}
N = count("called_for")


def domain() -> list[Bool]:
    """What all these symbols can be."""
    view = position()
    amounts = [n for of in UNITS.values() for _, n in of.by_state()]
    amounts += [n for cards in (*DECK, COME) for n in cards.values()]
    ranks = [both(each.rank >= 0, each.rank <= 2) for each in WAITING]
    return [
        *view.domain(),
        *(n >= 0 for n in (*amounts, N)),
        *ranks,
        *(n >= 0 for each in WAITING for n in (each.turn, each.turns)),
    ]


def legal(verdict: Any) -> Bool:
    """What a lifted verdict says."""
    return every(truth_of(reason.holds) for reason in verdict.reasons)


def guard(lifted: Lifted) -> Bool:
    """The condition under which a lifted guard allows the action."""
    return some(both(path.condition, legal(path.value)) for path in lifted.paths)


class Around(NamedTuple):
    """What lies in the Provinces, and what waits for this moment."""

    provinces: Sequence[Sequence[Laid]] = PROVINCES
    triggers: Sequence[Trigger] = WAITING[:2]

    def possible(self, time: int) -> Bool:
        """What is so whenever there is something to choose at a time."""
        if time == theory.EVENTS:
            return some(card.left for province in self.provinces for card in province)
        if time == theory.ORDER:
            own = (either(same(t.turn, theory.NOBODY), same(t.turn, position().active)) for t in self.triggers)
            return some(both(t.live, same(t.turns, 0), mine) for t, mine in zip(self.triggers, own, strict=True))
        return TRUE


ALL = Around()
FEW = Around(PROVINCES[:1], WAITING[:1])
ANY_TURN = Around(triggers=[each._replace(turn=number(theory.NOBODY), turns=number(0)) for each in WAITING])


def judged(code: Modules, time: int, action: Action, around: Around = ALL, **about: Any) -> Lifted:
    """The shipped guard at a time, on any position."""
    view = position()
    about = {**around._asdict(), "units": UNITS, "tied": TIED, **about}
    state, who = bridge.state(view, time, **about), bridge.Name(view.who)
    return lift(lambda: code.code.verdicts.judge(state, who, action))


def agree(lifted: Lifted, says: Bool) -> Bool:
    """The guard allows exactly what the theory allows, and never raises."""
    return both(no(lifted.raises), same(guard(lifted), says))


def at(time: int, says: Bool, around: Around = ALL, lost: bool = False) -> Bool:
    """What is so at a time at which there is something to choose, for whoever has lost or has not."""
    view = position()
    plays = either(same(view.who, theory.NOBODY), view.playing(view.who))
    return when(both(same(view.time, time), around.possible(time), no(plays) if lost else plays), says)


def claim(
    name: str, says: str, about: Sequence[str], scope: str, law: Laws, *goals: Bool, said: Sequence[Asked] = ()
) -> Claim:
    """A claim about guards: all the goals, in any position; `said` are actions to replay a refutation with."""
    made = Claim(
        id=f"guard.{name}",
        says=says,
        about=tuple(about),
        scope=f"{scope}; {ANY}" if scope else ANY,
        laws=law,
        parts=(Part(every(goals)),),
        domain=tuple(domain()),
    )
    return replayed(made, said) if said else made


def replayed(made: Claim, said: Sequence[Asked]) -> Claim:
    """The claim, whose models are written as positions at the times of some actions, and replayed with these."""
    view, times = position(), {each.time for each in said}
    plain = [asked._replace(says=made.laws.plain(asked.says)) for asked in said]
    return replace(
        made,
        replay=partial(replay, view, PROVINCES, UNITS, plain),
        fits=(*fits(view, PROVINCES, UNITS), some(same(view.time, time) for time in times)),
        sizes=sizes(view, UNITS),
    )


Says = Callable[[Text, Around], Bool]


def everywhere(code: Modules, verb: str, says: Says, law: Laws, *items: Any) -> Iterator[Bool]:
    """The action at every time; at its own times also with too few things, too many, and further parts."""
    text, item = Text(position(), law), position().item
    for time in range(len(TIMES)):
        asked: list[tuple[tuple[Any, ...], int, Around]] = [(items, 0, ALL)]
        if time == theory.ORDER:
            asked.append((items, 0, ANY_TURN))
        if time in VERBS[verb]:
            asked += [(items[:-1], 0, FEW)] if items else []
            asked += [((*items, item), 0, FEW), (items, 1, FEW)]
        for things, parts, around in asked:
            lifted = judged(code, time, bridge.action(verb, *things, parts=parts), around)
            allowed = both(text.goes_on(verb, len(things), parts), says(text, around))
            yield at(time, agree(lifted, allowed), around)


SAYS: Mapping[str, tuple[str, tuple[str, ...], str]] = {
    "pass": (
        "a pass is legal exactly for whoever has the opportunity in an action round",
        ("l5r.action.round", "l5r.combat.round", "l5r.reaction.round"),
        "",
    ),
    "use": (
        "an ability may be used exactly where the text allows its type: Limited by the active player only",
        ("l5r.action.limited", "l5r.action.open", "l5r.ruling.battle-actions", "l5r.additional"),
        "",
    ),
    "decline": (
        "exactly additional actions and optional triggers may be declined, by their owner",
        ("l5r.additional", "l5r.ruling.owner-declines"),
        "",
    ),
    "resolve": (
        "the active player orders the triggers of the first class whose condition is true; options are their owner's",
        ("l5r.ruling.active-orders", "l5r.ruling.classes", "l5r.ruling.condition", "l5r.turn.own"),
        "up to three triggers at one moment",
    ),
    "deal with": (
        "the next card is one of the leftmost Province that is not done with",
        ("l5r.events.order", "l5r.events.several"),
        "two Provinces of two cards and one",
    ),
    "attack": (
        "the active player may attack any other player, unless barred",
        ("l5r.attack.optional", "l5r.attack.barred", "l5r.attack.declare"),
        "",
    ),
    "no attack": ("the Attack Phase may be left out", ("l5r.attack.optional",), ""),
    "bring": (
        "face-up Holdings and Personalities are brought in, by the active player, before the first discard",
        ("l5r.dynasty.bring", "l5r.dynasty.no-more"),
        "two Provinces of two cards and one",
    ),
    "discard": (
        "face-up cards are discarded in the Dynasty Phase, Fate cards above the maximum in the End Phase",
        ("l5r.dynasty.discard", "l5r.end.discard", "l5r.end.exactly"),
        "two Provinces of two cards and one",
    ),
    "first": ("chance decides who goes first among the tied", ("l5r.start.tie",), "up to three tied players"),
}


MAY: Mapping[str, Says] = {
    "pass": lambda text, _: text.passes(),
    "use": lambda text, _: text.uses(),
    "decline": lambda text, _: text.declines(),
    "resolve": lambda text, around: text.resolves(around.triggers),
    "deal with": lambda text, around: text.deals(around.provinces),
    "attack": lambda text, _: text.attacks(),
    "no attack": lambda text, _: text.declines_attack(),
    "bring": lambda text, around: text.brings(around.provinces),
    "discard": lambda text, around: text.discards(around.provinces),
    "first": lambda text, _: text.goes_first(TIED),
}
"""What the text says of each action about nothing, or about one thing of any name."""


def actions(code: Modules, law: Laws) -> Iterator[Claim]:
    """The actions about nothing or about one thing of any name."""
    text = Text(position(), law)
    for verb, says in MAY.items():
        items = () if verb in theory.BARE else (position().item,)
        what, about, scope = SAYS[verb]
        goals = everywhere(code, verb, says, law, *items)
        allowed = both(text.goes_on(verb, len(items)), says(text, ALL))
        said = [Asked(time, partial(Table.named, verb=verb), allowed) for time in VERBS[verb] if time in WRITTEN]
        yield claim(verb.replace(" ", "-"), what, about, scope, law, *goals, said=said)


def ending(code: Modules, law: Laws) -> Iterator[Claim]:
    """The end of the Dynasty Phase."""
    goals: list[Bool] = []
    for word in ("dynasty phase", "end phase"):
        goals += everywhere(code, "end", lambda text, _, word=word: text.ends(word == "dynasty phase"), law, word)  # type: ignore[misc]
    what = "the active player may end the Dynasty Phase at any opportunity, and no other phase"
    yield claim("end", what, ("l5r.dynasty.discard", "l5r.turn.sequence"), "", law, *goals)


def losing(code: Modules, law: Laws) -> Iterator[Claim]:
    """Whoever has lost does nothing."""
    text, goals = Text(position(), law), list[Bool]()
    for verb, says in MAY.items():
        things = () if verb in theory.BARE else (position().item,)
        for time in VERBS[verb]:
            lifted = judged(code, time, bridge.action(verb, *things), FEW, lost=True)
            allowed = both(text.goes_on(verb, len(things)), says(text, FEW))
            goals.append(at(time, both(agree(lifted, allowed), no(allowed)), FEW, lost=True))
    what = "whoever has lost while others play on may do nothing any more"
    yield claim("lost", what, ("l5r.ruling.lost",), "", law, *goals)


SENT = ("Shiba to 1", "Shiba to 2", "Moto to 1", "Moto to 3", "Shiba to 0", "Moto")


def sent(items: Sequence[str]) -> tuple[list[Units], list[int]]:
    """What an assignment says: how many units of each name it sends, and to which battlefields."""
    read = [(name, int(field) - 1) for name, _, field in (each.partition(" to ") for each in items if " to " in each)]
    odd = [each for each in items if " to " not in each or each.endswith(" to 0")]
    known = [(name, field) for name, field in read if field >= 0]
    names = Counter([*(name for name, _ in known), *odd])
    none = Units(0, count("none") * 0, count("none") * 0, TRUE)
    return [UNITS.get(name, none)._replace(sent=n) for name, n in names.items()], [
        *(field for _, field in known),
        *(-1 for _ in odd),
    ]


def assigning(code: Modules, law: Laws) -> Iterator[Claim]:
    """Assignments in both maneuvers segments."""
    view = position()
    text, goals, said = Text(view, law), list[Bool](), list[Asked]()
    for time in range(len(TIMES)):
        groups: list[tuple[str, ...]] = [(), SENT[:1]]
        if time in VERBS["assign"]:
            groups = [group for n in range(3) for group in combinations_with_replacement(SENT, n)]
            groups.append((*SENT[:2], SENT[0]))
        for group in groups:
            says = both(text.goes_on("assign", len(group)), text.assigns(*sent(group)))
            goals.append(at(time, agree(judged(code, time, bridge.action("assign", *group)), says)))
            said.append(Asked(time, partial(_assign, group), says))
    yield claim(
        "assign",
        "units go from home to battlefields at the Defender's Provinces, unbowed, in the second segment only Cavalry",
        ("l5r.attack.infantry", "l5r.attack.cavalry", "l5r.attack.unbowed", "l5r.attack.home", "l5r.attack.any"),
        "assignments of up to three units of two names",
        law,
        *goals,
        said=[asked for asked in said if asked.time in VERBS["assign"]],
    )


def _assign(group: Sequence[str], table: Table) -> Action:
    return Action("assign", tuple(group))


def fighting(code: Modules, law: Laws) -> Iterator[Claim]:
    """The choice of the next battlefield."""
    view = position()
    text, goals = Text(view, law), list[Bool]()
    for time in range(len(TIMES)):
        for fields in ((), (0,), (0, 2)) if time == theory.BATTLES else ((0,),):
            there = every(same(view.field(i), i in fields) for i in range(-1, 4))
            for i in range(5):
                lifted = judged(code, time, bridge.action("fight at", str(i)), fields=fields)
                says = both(text.goes_on("fight at", 1), text.fights())
                goals.append(at(time, when(both(same(view.item, i - 1), there), agree(lifted, says))))
    yield claim(
        "fight-at",
        "the Attacker fights at any battlefield where no battle has ended, and nowhere else",
        ("l5r.attack.choose", "l5r.attack.once", "l5r.attack.battlefields"),
        "battlefields at up to three Provinces",
        law,
        *goals,
        said=[
            Asked(
                theory.BATTLES, partial(Table.named, verb="fight at"), both(text.goes_on("fight at", 1), text.fights())
            )
        ],
    )


def leaving(code: Modules, law: Laws) -> Iterator[Claim]:
    """The choice of the Province that a card leaves."""
    view = position()
    text, goals = Text(view, law), list[Bool]()
    for time, rule in product(range(len(TIMES)), ("l5r.dynasty.bring", "l5r.dynasty.discard")):
        says = both(text.goes_on("from", 1), text.leaves(rule, PROVINCES))
        for i in range(len(PROVINCES) + 2) if time == theory.FROM else (1,):
            lifted = judged(code, time, bridge.action("from", str(i)), rule=rule)
            goals.append(at(time, when(same(view.item, i - 1), agree(lifted, says))))
    yield claim(
        "from",
        "a card that lies face-up in several Provinces leaves the one that the active player names",
        ("l5r.dynasty.bring", "l5r.dynasty.discard", "l5r.turn.current", "l5r.resolve.first"),
        "two Provinces of two cards and one",
        law,
        *goals,
    )


def chance(code: Modules, law: Laws) -> Iterator[Claim]:
    """Draws and refills."""
    text, goals = Text(position(), law), list[Bool]()
    size = total(COME.values())
    for verb, time, n in (("draw", theory.DRAW, N), ("fill", theory.FILL, 1)):
        come = Action(verb, SymBag(COME))  # type: ignore[arg-type]
        rule = "l5r.end.draw" if verb == "draw" else "l5r.start.e"
        for when_ in range(len(TIMES)):
            says = both(text.goes_on(verb, size), text.comes(time, rule, COME, DECK, n))
            if when_ in (theory.DRAW, theory.FILL):
                lifted = judged(code, when_, come, deck=DECK, n=n)
            else:
                says = both(text.goes_on(verb, 1), text.comes(time, rule, {}, (), 0))
                lifted = judged(code, when_, bridge.action(verb, position().item))
            goals.append(at(when_, agree(lifted, says)))
    yield claim(
        "chance",
        "what is drawn and what fills a Province comes off the top of the deck, by chance only",
        ("l5r.end.draw", "l5r.start.e"),
        "decks of two parts of known order",
        law,
        *goals,
    )


def claims(code: Modules, law: Laws) -> Iterator[Claim]:
    """All claims about guards."""
    for group in (actions, ending, losing, assigning, fighting, leaving, chance):
        yield from group(code, law)
