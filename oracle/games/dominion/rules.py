"""The guards: may this action be taken now, and which rule says so.

Each clause is a small function of plain values, filed under the id of its rule; `judge` looks up the
clauses that bear on an action and states the fact each was decided by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from oracle.game import Action, Reason, Verdict
from oracle.games.dominion.cards import Card, rule_of
from oracle.games.dominion.state import ACTION, BUY, NIGHT, State, Step
from oracle.timing import Moment
from oracle.zones import Bag, bag, holds, possible, size

F = TypeVar("F", bound=Callable[..., bool])
GUARDS: dict[str, list[str]] = {}
"""The names of the clauses by rule id."""
_RULE: dict[Callable[..., bool], str] = {}


def rule(*ids: str) -> Callable[[F], F]:
    """Files a clause under its rules; the first id is the one that verdicts give."""

    def register(clause: F) -> F:
        for id_ in ids:
            GUARDS.setdefault(id_, []).append(clause.__name__)
        _RULE[clause] = ids[0]
        return clause

    return register


def _reason(clause: Callable[..., bool], fact: str, *values: object, under: str = "") -> Reason:
    return Reason(under or _RULE[clause], clause(*values), fact)


# -- whose turn, which phase ---------------------------------------------------------------------


@rule("dom.end.over")
def still_playing(over: bool) -> bool:
    """Nothing may be done once the game is over."""
    return not over


@rule("dom.turn.current", "dom.turn.alternate")
def own_turn(player: str | None, mover: str) -> bool:
    """Only the player whose turn it is plays and buys cards."""
    return player == mover


@rule("dom.choice.who")
def asked(player: str | None, chooser: str | None) -> bool:
    """The player an effect concerns decides."""
    return player == chooser


@rule("dom.resolve.first")
def asked_for(verb: str, expected: tuple[str, ...]) -> bool:
    """What is under way is finished before anything else is done."""
    return verb in expected


@rule("dom.turn.phases")
def in_phase(at: Moment, phase: Moment) -> bool:
    """A phase allows its own actions only."""
    return at == phase


@rule("dom.action.play", "dom.buy.treasures", "dom.night.play")
def in_hand(hand: Bag, card: str) -> bool:
    """Cards are played from one's own hand."""
    return card in hand


@rule("dom.action.play", "dom.buy.treasures", "dom.night.play")
def fits_phase(types: tuple[str, ...], type_: str) -> bool:
    """The Action phase is for Actions, the Buy phase for Treasures, the Night phase for Night cards."""
    return type_ in types


@rule("dom.action.actions", "dom.turn.start")
def has_action(actions: int) -> bool:
    """Each play in the Action phase uses an Action."""
    return actions >= 1


@rule("dom.buy.treasures-first")
def before_buying(bought: int) -> bool:
    """No Treasure after a card was bought."""
    return bought == 0


@rule("dom.night.absent")
def has_night(night: bool) -> bool:
    """Only a game with Night cards has a Night phase."""
    return night


@rule("dom.buy.buys", "dom.buy.extra")
def has_buy(buys: int) -> bool:
    """Each buy uses a Buy."""
    return buys >= 1


@rule("dom.buy.cost", "dom.buy.free")
def affordable(cost: int, coins: int) -> bool:
    """A card costs at most the coins left."""
    return cost <= coins


@rule("dom.buy.supply")
def in_supply(left: int) -> bool:
    """What is bought comes from a pile that is not empty."""
    return left >= 1


@rule("dom.action.end", "dom.buy.optional", "dom.buy.treasures-optional", "dom.night.play")
def may_stop() -> bool:
    """A player may end his phase whatever he could still do."""
    return True


@rule("dom.order.turn-order")
def own_place(player: str | None, concerned: tuple[str, ...]) -> bool:
    """Of several players concerned, each acts in turn order from the one whose turn it is."""
    return player == concerned[0] or player not in concerned[1:]


@rule("dom.order.own", "dom.order.turn-order")
def waits(names: set[str], name: str) -> bool:
    """What resolves next is one of the chooser's triggers that wait for this moment."""
    return name in names


@rule("dom.draw.top", "dom.draw.short")
def may_come(deck: tuple[Bag, ...], cards: Bag, n: int) -> bool:
    """What is drawn are the first cards of the deck, as many as are called for or as there are."""
    return len(cards) == min(n, size(deck)) and possible(deck, cards)


PLAYS = {ACTION: "dom.action.play", BUY: "dom.buy.treasures", NIGHT: "dom.night.play"}
"""The rule that lets cards be played from the hand in each phase."""
FITS = {ACTION: "Action", BUY: "Treasure", NIGHT: "Night"}
"""The type of card that each phase is for."""
STOPS = {"action phase": "dom.action.end", "buy phase": "dom.buy.optional", "night phase": "dom.night.play"}
"""The rule that lets each phase be ended."""


def judge(state: State, player: str | None, action: Action) -> Verdict:
    """The verdict on a player's action, with every clause that bears on it."""
    return Verdict(player, action, tuple(_reasons(state, player, action)))


def _reasons(state: State, player: str | None, action: Action) -> Iterator[Reason]:
    yield _reason(still_playing, "the game is over" if state.over else "the game goes on", state.over)
    if state.over:
        return
    if state.stack:
        yield from _under_way(state, player, action, state.stack[-1])
    elif state.at in (ACTION, BUY, NIGHT):
        yield from _in_turn(state, player, action)
    else:
        waiting = state.waiting()
        chooser = waiting.chooser if waiting else None
        names = {trigger.name for trigger in waiting.triggers} if waiting else set()
        yield _reason(asked, f"{chooser} orders what waits {state.at}", player, chooser)
        yield _reason(asked_for, "simultaneous effects are to be resolved", action.verb, ("resolve",))
        if action.verb == "resolve":
            yield _reason(waits, f"waiting: {_list(names)}", names, _only(action))


def _list(cards: object) -> str:
    return ", ".join(sorted(cards)) or "none" if isinstance(cards, (set, tuple, list)) else str(cards)


def _only(action: Action) -> str:
    return action.items[0] if len(action.items) == 1 else ""


def _in_turn(state: State, player: str | None, action: Action) -> Iterator[Reason]:
    mover, item = state.mover, _only(action)
    if action.verb == "reveal":
        yield Reason(rule_of("Moat"), False, "no other player has just played an Attack card")
        return
    yield _reason(own_turn, f"it is {mover.name}'s turn", player, mover.name)
    phase = f"it is {mover.name}'s {state.at.unit}"
    match action.verb:
        case "play":
            card = state.table[item] if item in state.table else Card(item, 0, ())
            held = f"{mover.name}'s hand: {_list(mover.hand)}"
            yield _reason(in_hand, held, mover.hand, item, under=PLAYS[state.at])
            types, fit = f"{item or 'nothing'} is {_types(card)}", FITS[state.at]
            yield _reason(fits_phase, f"{types}; {phase}", card.types, fit, under=PLAYS[state.at])
            for home in FITS if fit not in card else ():
                if FITS[home] in card:
                    yield _reason(in_phase, f"{types}; {phase}", state.at, home, under=PLAYS[home])
            if state.at == ACTION:
                yield _reason(has_action, f"{_many(state.actions, 'Action')} left", state.actions)
            if state.at == BUY:
                yield _reason(before_buying, f"{_many(state.bought, 'card')} bought in this Buy phase", state.bought)
        case "buy":
            left = state.left(item)
            yield _reason(in_phase, phase, state.at, BUY)
            yield _reason(in_supply, f"{left} {item} in the Supply", left)
            yield _reason(has_buy, f"{_many(state.buys, 'Buy')} left", state.buys)
            if left:
                cost = state.table[item].cost
                yield _reason(affordable, f"{item} costs {cost}, {_many(state.coins, 'coin')} left", cost, state.coins)
        case "end":
            if item == NIGHT.unit:
                nights = f"Night cards in this game: {_list(_nights(state))}"
                yield _reason(has_night, nights, state.table.night)
            yield Reason("dom.turn.phases", state.at.unit == item, phase)
            yield _reason(may_stop, "ending a phase is optional and always open", under=STOPS.get(item, ""))
        case _:
            yield _reason(asked_for, "no effect asks for a choice", action.verb, ("play", "buy", "end"))


def _nights(state: State) -> tuple[str, ...]:
    return tuple(name for name in state.table.names if "Night" in state.table[name])


def _many(n: int, word: str) -> str:
    return f"{n} {word}{'' if n == 1 else 's'}"


def concerned(state: State, step: Step) -> tuple[str, ...]:
    """The player that a step under way is about, and then all others that the same card will concern."""
    pending = (below for below in reversed(state.stack) if below.card == step.card and below.seat != step.seat)
    players = (state.seats[below.seat].name for below in pending if _concerns(state, below))
    return (state.seats[step.seat].name, *players)


def _concerns(state: State, step: Step) -> bool:
    """Whether a step under way will ask its player, or take cards off his deck."""
    hand = state.seats[step.seat].hand
    match step.do:
        case "moat":
            return "Moat" in hand
        case "militia":
            return len(hand) > 3
        case "bureaucrat":
            return any(name in hand for name in state.table.names if "Victory" in state.table[name])
    return step.do in ("draw", "turn up")


def _types(card: Card) -> str:
    return " - ".join(card.types) or "no card of this game"


# -- choices inside cards ------------------------------------------------------------------------


def _under_way(state: State, player: str | None, action: Action, step: Step) -> Iterator[Reason]:
    seat = state.seats[step.seat]
    if step.do in ("draw", "turn up"):
        yield _reason(asked, "chance decides", player, None)
        yield _reason(asked_for, f"{seat.name}'s cards are to be drawn", action.verb, (step.do,))
        if action.verb == step.do:
            fact = f"{step.n} from the top of {seat.name}'s deck"
            yield _reason(may_come, fact, seat.deck, bag(action.items), step.n)
        return
    verbs, clause = CHOICES[step.do]
    yield _reason(asked, f"{seat.name} decides for {step.card}", player, seat.name)
    if player != seat.name:
        players = concerned(state, step)
        yield _reason(own_place, f"{step.card}, in turn order: {', '.join(dict.fromkeys(players))}", player, players)
    yield _reason(asked_for, f"{step.card} asks {seat.name} to {' or '.join(verbs)}", action.verb, verbs)
    if action.verb in verbs:
        met, fact = clause(state, step, action.items)
        yield Reason(rule_of("Moat" if step.do == "moat" else step.card), met, fact)


Clause = Callable[[State, Step, tuple[str, ...]], tuple[bool, str]]


def _subset(cards: tuple[str, ...], zone: Bag) -> bool:
    return holds(zone, cards)


def _from_hand(state: State, step: Step, cards: tuple[str, ...]) -> bool:
    return _subset(cards, state.seats[step.seat].hand)


def _has_type(state: State, cards: tuple[str, ...], type_: str) -> bool:
    return all(card in state.table and type_ in state.table[card] for card in cards)


def _old(state: State) -> bool:
    return state.edition == "2008"


def _cellar(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    return _from_hand(state, step, cards), "any number of cards of the hand"


def _chapel(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    return _from_hand(state, step, cards) and len(cards) <= 4, "up to 4 cards of the hand"


def _moat(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    return cards in ((), ("Moat",)) and _from_hand(state, step, cards), "a Moat of the hand may be revealed"


def _harbinger(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    pile = state.seats[step.seat].discard
    return len(cards) <= 1 and _subset(cards, pile), f"the discard pile: {_list(pile)}"


def _vassal(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    ok = not cards or (cards == step.cards and _has_type(state, cards, "Action"))
    return ok, f"the discarded card, {_list(step.cards)}, may be played if it is an Action"


def _gain(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    card = cards[0] if len(cards) == 1 else ""
    match step.card:
        case "Workshop":
            most, kind = 4, "card"
        case "Artisan":
            most, kind = 5, "card"
        case "Remodel":
            most, kind = state.table[step.cards[0]].cost + 2, "card"
        case _:
            most, kind = state.table[step.cards[0]].cost + 3, "Treasure"
    left = state.left(card)
    ok = left > 0 and state.table[card].cost <= most and (kind == "card" or kind in state.table[card])
    cost = f", {card} costs {state.table[card].cost}" if card in state.table else ""
    return ok, f"a {kind} costing up to {most} from the Supply{cost}, {left} left"


def _artisan(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    return len(cards) == 1 and _from_hand(state, step, cards), "a card of the hand"


def _bureaucrat(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    ok = len(cards) == 1 and _from_hand(state, step, cards) and _has_type(state, cards, "Victory")
    return ok, "a Victory card of the hand"


def _militia(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    hand = len(state.seats[step.seat].hand)
    ok = _from_hand(state, step, cards) and hand - len(cards) == 3
    return ok, f"3 of {hand} cards stay in hand"


def _moneylender(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    ok = cards == ("Copper",) or (not cards and not _old(state))
    return ok and _from_hand(state, step, cards), "a Copper of the hand" + ("" if _old(state) else ", or none")


def _poacher(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    empty = sum(1 for left in state.supply if left == 0)
    hand = len(state.seats[step.seat].hand)
    ok = _from_hand(state, step, cards) and len(cards) == (empty if empty < hand else hand)
    return ok, f"{empty} empty Supply piles, {hand} cards in hand"


def _remodel(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    return len(cards) == 1 and _from_hand(state, step, cards), "one card of the hand"


def _throne_room(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    fact = "an Action of the hand" + ("" if _old(state) else ", or none")
    if not cards:
        return not _old(state), fact
    return len(cards) == 1 and _from_hand(state, step, cards) and _has_type(state, cards, "Action"), fact


def _bandit(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    ok = len(cards) == 1 and _subset(cards, step.cards) and _has_type(state, cards, "Treasure")
    return ok and cards != ("Copper",), f"a Treasure other than Copper among {_list(step.cards)}"


def _library(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    return cards == step.cards, f"the Action just drawn, {_list(step.cards)}"


def _mine(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    fact = "a Treasure of the hand" + ("" if _old(state) else ", or none")
    if not cards:
        return not _old(state), fact
    return len(cards) == 1 and _from_hand(state, step, cards) and _has_type(state, cards, "Treasure"), fact


def _looked_at(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    return _subset(cards, step.cards), f"any of {_list(step.cards)}"


def _put_back(state: State, step: Step, cards: tuple[str, ...]) -> tuple[bool, str]:
    return sorted(cards) == sorted(step.cards), f"both of {_list(step.cards)}, in any order"


CHOICES: dict[str, tuple[tuple[str, ...], Clause]] = {
    "cellar": (("discard",), _cellar),
    "chapel": (("trash",), _chapel),
    "moat": (("reveal",), _moat),
    "harbinger": (("topdeck",), _harbinger),
    "vassal play": (("play",), _vassal),
    "gain": (("gain",), _gain),
    "bureaucrat": (("topdeck",), _bureaucrat),
    "militia": (("discard",), _militia),
    "moneylender": (("trash",), _moneylender),
    "poacher": (("discard",), _poacher),
    "remodel": (("trash",), _remodel),
    "throne room": (("play",), _throne_room),
    "bandit": (("trash",), _bandit),
    "library card": (("keep", "set aside"), _library),
    "mine": (("trash",), _mine),
    "sentry trash": (("trash",), _looked_at),
    "sentry discard": (("discard",), _looked_at),
    "put back": (("put back",), _put_back),
    "topdeck": (("topdeck",), _artisan),
}
