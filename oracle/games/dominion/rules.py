"""The guards: may this action be taken now, and which rule says so.

Each clause is a small function of plain values, filed under the id of its rule; `judge` looks up the
clauses that bear on an action and states the fact each was decided by.
"""

from __future__ import annotations

from collections.abc import Iterator

from oracle.game import Action, Reason, Verdict
from oracle.games.dominion.cards import Card, rule_of
from oracle.games.dominion.choices import CHOICES, listed
from oracle.games.dominion.state import ACTION, BUY, NIGHT, State, Step
from oracle.guards import Guards
from oracle.timing import Moment
from oracle.zones import Bag, bag, possible, size

GUARDS = Guards()
rule, _reason = GUARDS.rule, GUARDS.reason


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
            yield _reason(waits, f"waiting: {listed(names)}", names, _only(action))


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
            held = f"{mover.name}'s hand: {listed(mover.hand)}"
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
                nights = f"Night cards in this game: {listed(_nights(state))}"
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
