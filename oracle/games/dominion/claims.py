"""What is claimed of Dominion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from oracle.game import Action
from oracle.games.dominion import bridge, effect_claims, guard_claims, theory, theory_choices, theory_turn, turn_claims
from oracle.games.dominion.bridge import Shipped
from oracle.games.dominion.effect_claims import ACTOR, CARD_OF, CHOSEN, LOOKED, PILES, SEATS, TESTED, before
from oracle.games.dominion.guard_claims import ASKED, EVERY, SEAT, WHO, position
from oracle.games.dominion.replay import Asked, Setting, replayed
from oracle.games.dominion.state import Step as Instruction
from oracle.games.dominion.theory import PHASES, ZONES, Cards, Position, Table
from oracle.games.dominion.theory_choices import Given, may_choose
from oracle.games.dominion.theory_effects import DOES, ELSE, TAKES, Change, Scene, text
from oracle.proof.claims import Claim, Part, together
from oracle.proof.laws import Laws
from oracle.proof.lift import lift
from oracle.proof.terms import Bool, both, count, either, every, no, number, same, some, total, when

__all__ = ["TESTED", "claims", "guards", "modules"]


modules = bridge.modules
"""The shipped code that the claims are about, loaded to be lifted."""


def claims(code: Shipped, law: Laws) -> Iterator[Claim]:
    """All claims of the game."""
    yield from guard_claims.claims(code, law)
    yield from effect_claims.claims(code, law)
    yield from turn_claims.claims(code, law)
    for promises in (treasures_first, within_coins, ending, one_decides):
        yield from promises(code, law)
    for promise in (counters, conserved, clean_up, tie_break):
        yield promise(law)
    yield turn_order(code, law)


guards = guard_claims.claims
"""The claims that say what the guards allow."""


# -- what may be done ------------------------------------------------------------------------------


def treasures_first(code: Shipped, law: Laws) -> Iterator[Claim]:
    """No Treasure after a buy, and what was bought stays bought."""
    view = position()
    rules = Table(view, law)
    bought = view.bought >= 1
    plays = {card: rules.may_play(WHO, card) for card in view.kinds}
    yield Claim(
        id="promise.treasures-first",
        says="after a buy no Treasure is legal in the same Buy phase",
        about=("dom.buy.treasures-first",),
        scope=EVERY,
        laws=law,
        parts=(Part(every(map(no, plays.values())), both(rules.during("buy"), bought)),),
        domain=tuple(view.domain(view.turn)),
        **in_turn(code, law, view, "play", plays),
    )
    parts = (Part(step.after.bought >= before().bought, step.counts(law)) for step in every_step(law) if not step.over)
    says, about = "whatever comes between in a Buy phase, what was bought stays bought", ("dom.buy.pay",)
    yield _step_claim(law, "stays-bought", says, about, parts)


def in_turn(
    code: Shipped, law: Laws, view: Position, verb: str, may: Mapping[str, Bool], *more: Bool
) -> dict[str, Any]:
    """How a promise about a player's own turn is replayed: what the game says is held against the theory."""
    said = [Asked(Action(verb, (item,)), says) for item, says in may.items()]
    return replayed(code, Setting(view, view.turn, WHO, more=more), law, said, ours=False)


def within_coins(code: Shipped, law: Laws) -> Iterator[Claim]:
    """A buy costs no more than the coins."""
    view = position()
    rules = Table(view, law)
    buys = {card: rules.may_buy(WHO, card) for card in view.piles}
    yield Claim(
        id="promise.within-coins",
        says="a buy never costs more than the coins, and takes a Buy that is there and a card that lies in the Supply",
        about=("dom.buy.cost",),
        scope=EVERY,
        laws=law,
        parts=(
            together(
                Part(both(view.kinds[card].cost <= view.coins, view.buys >= 1, view.supply[card] >= 1), may)
                for card, may in buys.items()
            ),
        ),
        domain=tuple(view.domain(view.turn)),
        **in_turn(code, law, view, "buy", buys),
    )


def ending(code: Shipped, law: Laws) -> Iterator[Claim]:
    """Ending the phase is always legal."""
    view = position()
    rules = Table(view, law)
    on = both(no(view.over), same(WHO, view.turn + 1), when(rules.during("night"), view.night))
    ends = {phase: rules.may_end(WHO, phase) for phase in PHASES}
    yield Claim(
        id="promise.end-phase",
        says="whoever's turn it is may end the phase, whatever else is possible",
        about=("dom.action.end", "dom.buy.optional", "dom.night.play"),
        scope=EVERY,
        laws=law,
        parts=(together(Part(may, both(on, rules.during(phase))) for phase, may in ends.items()),),
        domain=tuple(view.domain(view.turn)),
        **in_turn(code, law, view, "end", {f"{phase} phase": may for phase, may in ends.items()}),
    )


def one_decides(code: Shipped, law: Laws) -> Iterator[Claim]:
    """One player decides at a time."""
    view, other = position(), count("other player")
    rules = Table(view, law)

    ends = {f"{phase} phase": rules.may_end(WHO, phase) for phase in PHASES}
    playable = [card for card, print_ in view.kinds.items() if any(print_.types[FITS[p]] is not False for p in PHASES)]

    def both_may(may: Callable[[Any], Bool]) -> Bool:
        return both(may(WHO), may(other))

    pairs = [
        *(both_may(partial(rules.may_play, card=card)) for card in playable),
        *(both_may(partial(rules.may_buy, card=card)) for card in view.piles),
        *(both_may(partial(rules.may_end, phase=phase)) for phase in PHASES),
    ]
    chosen, looked = guard_claims.CHOSEN, guard_claims.LOOKED
    for do, card in ASKED.items():
        for verb in theory_choices.ASKS[do][0]:
            given = Given(card, looked)
            pairs.append(both_may(partial(may_choose, rules, seat=SEAT, do=do, verb=verb, chosen=chosen, given=given)))
    yield Claim(
        id="promise.one-decides",
        says="what one player may do, no other may do at the same time",
        about=("dom.turn.current", "dom.choice.who"),
        scope=EVERY,
        laws=law,
        parts=(together(Part(same(WHO, other), pair) for pair in pairs),),
        domain=(*view.domain(view.turn, SEAT), WHO >= 0, other >= 0),
        **in_turn(code, law, view, "end", ends, no(same(WHO, view.turn + 1)), some(ends.values())),
    )


# -- what effects do -------------------------------------------------------------------------------


FITS = {"action": "Action", "buy": "Treasure", "night": "Night"}


class After(Position):
    """Any position after a change, with the layers of the decks that it leaves."""

    def __init__(self, change: Change, tag: str) -> None:
        super().__init__(effect_claims.KINDS, PILES, tag)
        self._change = change
        self.held = {kind: count(f"{tag}held.{kind}") for kind in self.kinds}

    def deck(self, seat: Any) -> Sequence[Cards]:
        more = seat in self._change.on_deck or seat in self._change.under_deck
        return [self.zone(f"deck{i}", seat) for i in range(3 if more else 2)]


class Step(NamedTuple):
    """Something that may happen: where it is legal, its change, the rule that says it, the position after."""

    legal: Bool
    change: Change
    rule: str
    after: After
    over: bool = False
    """Whether the Buy phase is over with it."""

    def happens(self, law: Laws) -> Bool:
        """That it is legal and has been carried out."""
        return both(self.legal, self.change.relation(law, self.rule, self.after, self.after.held))

    def counts(self, law: Laws) -> Bool:
        """The same, as far as numbers and piles are concerned."""
        return both(self.legal, self.change.numbers_relation(law, self.rule, self.after))


def every_step(law: Laws) -> Iterator[Step]:
    """Every instruction, choice and event of a turn: where it is legal, its change, its rule, the position after."""
    view = before()
    table = Table(view, law)

    def scene(do: str, card: str, chosen: Cards = CHOSEN, kind: str = "Any") -> Scene:
        return Scene(table, do, ACTOR, card, chosen, LOOKED, kind, SEATS)

    mine = Table(before(ACTOR), law)

    def own(kind: str = "Any") -> Scene:
        return scene("", "", kind=kind)._replace(table=mine)

    steps: list[tuple[Bool, Change, str]] = []
    for do, does in DOES.items():
        steps.append((same(1, 1), does(scene(do, CARD_OF[do])), theory_choices.rule_of(CARD_OF[do])))
    for do, takes in TAKES.items():
        if do == "gain":
            continue
        card, one = CARD_OF[do], {"Any": 1}
        chosen = one if do in ("vassal play", "throne room") else CHOSEN
        legal = theory_choices.ASKS[do][1](table, ACTOR, chosen, Given(card, LOOKED))
        if do == "vassal play":
            legal = both(legal, view.zone("discard", ACTOR)["Any"] >= 1)
        steps.append((legal, takes(scene(do, card, chosen)), theory_choices.rule_of(card)))
    for do, other in ELSE.items():
        steps.append((same(1, 1), other(scene(do, CARD_OF[do])), theory_choices.rule_of(CARD_OF[do])))
    for card in effect_claims.GAINERS:
        legal = theory_choices.ASKS["gain"][1](table, ACTOR, {}, Given(card, LOOKED, "Any", "Silver"))
        steps.append((legal, TAKES["gain"](scene("gain", card, kind="Silver")), theory_choices.rule_of(card)))
    who = number(ACTOR) + 1
    for kind in PILES:
        steps.append((mine.may_buy(who, kind), theory_turn.buy(own(kind)), "dom.buy.pay"))
    for phase in PHASES:
        legal = both(mine.during(phase), mine.may_play(who, "Any"))
        steps.append((legal, theory_turn.play(own(), phase), "dom.action.play"))
    for card in ("Militia", "Moat", "Any"):
        known = every(n >= 0 for n in view.kinds[card][2:])
        steps.append((known, text(scene("text", card)), theory_choices.rule_of(card)))
    steps.append((same(1, 1), theory_turn.clean_up(scene("", ""), {}), "dom.cleanup.discard"))
    steps.append((same(1, 1), theory_turn.shuffled(scene("", "")), "dom.cleanup.shuffle"))
    for then in ("", "sentry trash"):
        legal = table.may_come(theory.CHANCE, ACTOR, count("wanted"), CHOSEN)
        steps.append((legal, theory_turn.drawn(scene("", "", CHOSEN), then), "dom.draw.top"))
    for i, (legal, change, rule) in enumerate(steps):
        yield Step(legal, change, rule, After(change, f"after{i}."), rule == "dom.cleanup.discard")


def _everywhere(view: Position, held: Cards, kind: str) -> Any:
    zones = [view.zone(zone, seat) for seat in range(SEATS) for zone in ZONES]
    decks = [layer for seat in range(SEATS) for layer in view.deck(seat)]
    return total(number(cards.get(kind, 0)) for cards in (*zones, *decks, view.supply, view.trash, held))


def _step_claim(law: Laws, id: str, says: str, about: tuple[str, ...], parts: Iterator[Part]) -> Claim:
    return Claim(
        id=f"promise.{id}",
        says=says,
        about=about,
        scope=f"{effect_claims.SCOPE}; a card of one's choice that is gained is a Silver, one played is of any print",
        laws=law,
        parts=tuple(parts),
        domain=effect_claims.domain(),
    )


def counters(law: Laws) -> Claim:
    """Actions, Buys, coins and every count of cards stay at 0 or more."""

    def holds(after: After) -> Bool:
        return both(*(getattr(after, name) >= 0 for name in theory.NUMBERS), *(n >= 0 for n in after.supply.values()))

    says, about = "no effect makes Actions, Buys, coins or a pile negative", ("dom.action.play", "dom.buy.pay")
    parts = (Part(holds(step.after), step.counts(law)) for step in every_step(law))
    return _step_claim(law, "never-negative", says, about, parts)


def conserved(law: Laws) -> Claim:
    """No card is made or lost."""

    def holds(step: Step) -> Bool:
        old, new = step.change.held, step.after.held
        return every(
            same(_everywhere(step.after, new, kind), _everywhere(before(), old, kind)) for kind in effect_claims.KINDS
        )

    says = "every effect keeps every card somewhere, and makes none"
    about = tuple(dict.fromkeys(theory_choices.rule_of(card) for card in CARD_OF.values()))
    parts = (Part(holds(step), step.happens(law)) for step in every_step(law))
    return _step_claim(law, "conserved", says, about, parts)


def clean_up(law: Laws) -> Claim:
    """Clean-up leaves in play only what may stay."""
    view = before()
    stays: dict[int, Cards] = {ACTOR: {"Any": 1}, 2: {"Militia": 1}}
    scene = Scene(Table(view, law), "", ACTOR, "", {}, {}, "", SEATS)
    change = theory_turn.clean_up(scene, stays)
    after = After(change, "cleaned.")
    there = [view.zone("play", seat)[kind] >= n for seat, cards in stays.items() for kind, n in cards.items()]
    places = [(seat, kind) for seat in range(SEATS) for kind in view.kinds]
    left = [after.zone("play", seat)[kind] <= stays.get(seat, {}).get(kind, 0) for seat, kind in places]
    empty = same(theory.size(after.zone("hand", ACTOR)), 0)
    return Claim(
        id="promise.clean-up",
        says="Clean-up leaves in play only what still has something to do, and then nothing in the mover's hand",
        about=("dom.cleanup.discard",),
        scope=f"{effect_claims.SCOPE}; a card of the mover's and one of another player's stay",
        laws=law,
        parts=(Part(both(*left, empty), both(*there, change.relation(law, "dom.cleanup.discard", after, after.held))),),
        domain=effect_claims.domain(),
    )


def turn_order(code: Shipped, law: Laws) -> Claim:
    """What concerns several players is done by each in turn order."""
    goals = []
    effects = code.code.effects
    for seats in range(2, 7):
        for actor in range(seats):
            for do in ("others discard", "others topdeck", "others curse", "others draw", "others reveal"):
                step = Instruction(do, actor, CARD_OF[do])
                state = bridge.state(before(), seats=bridge.seats(before(), seats))
                lifted = lift(partial(effects.DO[do], state, step, []))

                def goal(after: Any, actor: int = actor, seats: int = seats) -> Bool:
                    order = [step.seat for step in reversed(after.stack)]
                    return both(len(order) == seats - 1, theory_turn.in_turn_order(law, order, actor, seats))

                goals.append(lifted.always(goal))
    return Claim(
        id="promise.turn-order",
        says="what a card does to the others it does in turn order, to each of them once",
        about=("dom.order.turn-order",),
        scope="2 to 6 players, any of them to move",
        laws=law,
        parts=(Part(every(goals)),),
    )


def tie_break(law: Laws) -> Claim:
    """Turns are compared among equal scores only."""
    n = 4
    scores = [count(f"score{i}") for i in range(n)]
    turns, others = ([count(f"{word}{i}") for i in range(n)] for word in ("turns", "other turns"))
    goals = []
    for i in range(n):
        won, wins = (theory_turn.wins(law, i, scores, these) for these in (turns, others))
        level = every(either(no(same(scores[j], scores[i])), same(turns[j], others[j])) for j in range(n))
        best = every(scores[i] > scores[j] for j in range(n) if j != i)
        goals += [when(level, same(won, wins)), when(best, won)]
        goals += [when(both(won, same(scores[i], scores[j])), turns[i] <= turns[j]) for j in range(n) if j != i]
    somebody = [theory_turn.wins(law, i, scores, turns) for i in range(n)]
    return Claim(
        id="promise.tie-break",
        says="turns are compared only among equal scores, and somebody always wins",
        about=("dom.count.tie",),
        scope=f"{n} players, any scores and numbers of turns",
        laws=law,
        parts=(Part(both(*goals, either(*somebody)), cases=(both(*somebody[:2]),)),),
    )
