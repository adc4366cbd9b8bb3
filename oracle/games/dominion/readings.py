"""Other ways to read Dominion's rules: as misread, as in another edition, as worded otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product
from types import SimpleNamespace
from typing import Any

from msgspec.structs import replace

from oracle.game import Event
from oracle.games.dominion.state import State, Step
from oracle.games.dominion.variant import GUARDS, variant
from oracle.proof.readings import Changes, Reading
from oracle.proof.terms import TRUE, no
from oracle.proof.variants import instead
from oracle.zones import add

__all__ = ["GUARDS", "READINGS", "variant"]


# -- what each changes -----------------------------------------------------------------------------


def _treasures_after_a_buy(code: SimpleNamespace) -> None:
    turn = code.moves._turn_decision
    instead(code.rules, "before_buying", lambda bought: True)
    code.moves._turn_decision = lambda state: turn(replace(state, bought=0))


def _draw_first(code: SimpleNamespace) -> None:
    clean_up = code.effects._clean_up
    code.effects._clean_up = lambda state, log: state.push(Step("draw", state.turn, n=5, then="new hand"))

    @code.effects.does("new hand")  # type: ignore[untyped-decorator]
    def new_hand(state: State, step: Step, log: list[Event]) -> State:
        cleaned: State = clean_up(state, log)
        return replace(cleaned, stack=cleaned.stack[:-1]).with_seat(step.seat, hand=step.cards)


def _end_at_once(code: SimpleNamespace) -> None:
    gain = code.effects.gain

    def gain_and_end(state: State, *about: Any, **how: Any) -> State:
        after: State = gain(state, *about, **how)
        return replace(after, over=True) if code.effects.game_ends(after) else after

    code.effects.gain = code.kingdom.gain = gain_and_end


def _discard_on_top(code: SimpleNamespace) -> None:
    code.effects.put_under = lambda deck, cards: (cards, *deck) if cards else deck


def _throne_room_chain(code: SimpleNamespace) -> None:
    ask = code.effects.ASK["throne room"]

    def take(state: State, step: Step, cards: Any, log: list[Event]) -> State:
        waits = state.stack[-1:] and (state.stack[-1].do, state.stack[-1].card) == ("play again", "Throne Room")
        after: State = ask.take(replace(state, stack=state.stack[:-1]) if waits else state, step, cards, log)
        return after.push(*after.stack[-2:]) if waits and cards else after

    code.effects.ASK["throne room"] = ask._replace(take=take)


def _moat_too_late(code: SimpleNamespace) -> None:
    ask = code.effects.ASK["moat"]

    def play_card(state: State, seat: int, card: str, label: int, by: Any, log: list[Event]) -> State:
        log.append(Event("played", state.seats[seat].name, (card,)))
        others = [Step("moat", other, card) for other in state.others(seat)] if "Attack" in state.table[card] else []
        return state.push(Step("text", seat, card, label, by), *others)

    code.effects.play_card = play_card
    code.effects.ASK["moat"] = ask._replace(take=lambda state, step, cards, log: state)


def _library_keeps(code: SimpleNamespace) -> None:
    library = code.effects.DO["library"]

    def keep(state: State, step: Step, log: list[Event]) -> State:
        after: State = library(state, replace(step, cards=()), log)
        if len(after.stack) > len(state.stack):
            going_on: State = library(state, step, log)
            return going_on
        return after.with_seat(step.seat, hand=add(after.seats[step.seat].hand, step.cards))

    code.effects.DO["library"] = keep


def _tie_shared(code: SimpleNamespace) -> None:
    outcome = code.scoring.outcome

    def level(state: State) -> Any:
        return outcome(replace(state, seats=tuple(replace(seat, turns=0) for seat in state.seats)))

    code.scoring.outcome = level


def _compulsory(code: SimpleNamespace) -> None:
    code.choices._old = lambda state: True
    code.moves._may = lambda state: 1


def _buying(code: SimpleNamespace, **kept: Any) -> None:
    buy = code.effects._buy

    def changed(state: State, card: str, log: list[Event]) -> State:
        after: State = buy(state, card, log)
        return replace(after, **{name: value(state) for name, value in kept.items()})

    code.effects._buy = changed


def _every_silver(code: SimpleNamespace) -> None:
    code.effects.DO["silver"] = lambda state, step, log: replace(
        state, silvers=state.silvers + 1, coins=state.coins + state.merchants
    )


def _discard_two(code: SimpleNamespace) -> None:
    ask = code.effects.ASK["militia"]

    def hand(state: State, step: Step) -> Any:
        return state.seats[step.seat].hand

    def guard(state: State, step: Step, cards: Any) -> tuple[bool, str]:
        n = min(2, len(hand(state, step)))
        return code.choices._from_hand(state, step, cards) and len(cards) == n, "two cards"

    def offer(state: State, step: Step) -> Any:
        n = min(2, len(hand(state, step)))
        return code.moves._select(f"discard {n}", "discard", hand(state, step), n, n)

    code.effects.ASK["militia"] = ask._replace(arises=lambda state, step: bool(hand(state, step)))
    code.choices.CHOICES["militia"] = (("discard",), guard)
    code.moves.CHOICES["militia"] = offer


def _cost_below(code: SimpleNamespace) -> None:
    instead(code.rules, "affordable", lambda cost, coins: cost < coins)
    affordable = code.moves._affordable
    turn = code.moves._turn_decision
    code.moves._affordable = lambda state, coins: affordable(state, coins - (not state.stack))
    code.moves._turn_decision = turn


def _not_more(code: SimpleNamespace) -> None:
    instead(code.rules, "affordable", lambda cost, coins: not cost > coins)


def _no_action_needed(code: SimpleNamespace) -> None:
    instead(code.rules, "has_action", lambda actions: True)
    turn = code.moves._turn_decision
    code.moves._turn_decision = lambda state: turn(replace(state, actions=1))


READINGS = (
    Reading(
        id="treasures-after-a-buy",
        says="Treasures may still be played after a card was bought",
        rules=("dom.buy.treasures-first",),
        change=_treasures_after_a_buy,
        laws={"dom.buy.treasures-first": lambda says: TRUE},
        cards=("Copper",),
        numbers={"phase": ("buy",), "bought": (0, 1)},
    ),
    Reading(
        id="draw-before-discard",
        says="in Clean-up the new hand is drawn before hand and play area are discarded",
        rules=("dom.cleanup.order", "dom.cleanup.draw", "dom.cleanup.shuffle"),
        change=_draw_first,
        cards=("Copper",),
        numbers={"phase": ("buy",)},
    ),
    Reading(
        id="end-at-once",
        says="the game ends as soon as the last Province, or the last card of a third pile, is gained",
        rules=("dom.end.when",),
        change=_end_at_once,
        numbers={"phase": ("buy",), "coins": (0, 8), "supply": ({}, {"Province": 1})},
    ),
    Reading(
        id="discard-on-top",
        says="a deck that is too small gets the shuffled discard pile on top of it, not under it",
        rules=("dom.draw.short", "dom.cleanup.shuffle"),
        change=_discard_on_top,
        cards=("Laboratory", "Copper"),
    ),
    Reading(
        id="throne-room-chain",
        says="a Throne Room played twice by another plays one Action four times, not two Actions twice each",
        rules=("dom.card.throne-room",),
        change=_throne_room_chain,
        cards=("Throne Room", "Festival"),
    ),
    Reading(
        id="moat-after-the-attack",
        says="a Moat is revealed once the attack has been carried out",
        rules=("dom.card.moat",),
        change=_moat_too_late,
        cards=("Witch", "Moat"),
    ),
    Reading(
        id="library-keeps-set-aside",
        says="Actions set aside by Library go to the hand in the end",
        rules=("dom.card.library",),
        change=_library_keeps,
        cards=("Library", "Village"),
    ),
    Reading(
        id="tie-always-shared",
        says="equal scores share the victory whatever turns were taken",
        rules=("dom.count.tie", "dom.count.shared"),
        change=_tie_shared,
        laws={"dom.count.tie": lambda says: says.arg(0)},
        numbers={"phase": ("buy",), "supply": ({}, {"Province": 0})},
    ),
    Reading(
        id="compulsory",
        says="Throne Room, Moneylender and Mine must be used where they can be, as in the first edition",
        rules=("dom.card.throne-room", "dom.card.moneylender", "dom.card.mine"),
        kind="edition",
        change=_compulsory,
        cards=("Throne Room", "Moneylender", "Mine", "Copper"),
    ),
    Reading(
        id="buy-refreshes",
        says="each buy may spend all the coins again",
        rules=("dom.buy.pay",),
        change=lambda code: _buying(code, coins=lambda state: state.coins),
        numbers={"phase": ("buy",), "coins": (0, 2), "buys": (1,)},
    ),
    Reading(
        id="extra-buy-lost",
        says="the first buy ends the buying: an extra Buy that is left is lost",
        rules=("dom.buy.extra", "dom.buy.buys"),
        change=lambda code: _buying(code, buys=lambda state: 0),
        numbers={"phase": ("buy",), "buys": (1, 2)},
    ),
    Reading(
        id="merchant-every-silver",
        says="Merchant adds a coin for every Silver, not for the first",
        rules=("dom.card.merchant",),
        change=_every_silver,
        cards=("Silver",),
        numbers={"phase": ("buy",), "merchants": (0, 1), "silvers": (0, 1)},
    ),
    Reading(
        id="militia-two",
        says="Militia makes the others discard two cards, not down to three",
        rules=("dom.card.militia",),
        change=_discard_two,
        cards=("Militia", "Estate"),
    ),
    Reading(
        id="cost-below",
        says="a card must cost less than the coins left, not as much or less",
        rules=("dom.buy.cost",),
        change=_cost_below,
        laws={"dom.buy.cost": lambda says: no(says.arg(0) <= says.arg(1))},
        numbers={"phase": ("buy",), "coins": (0, 1, 2, 3)},
    ),
    Reading(
        id="no-action-needed",
        says="Actions may be played without an Action left",
        rules=("dom.action.actions",),
        change=_no_action_needed,
        laws={"dom.action.actions": lambda says: TRUE},
        cards=("Village",),
        numbers={"actions": (0, 1)},
    ),
    Reading(
        id="cost-not-above",
        says="a card must not cost more than the coins left (the same in other words)",
        rules=("dom.buy.cost",),
        kind="rule",
        change=_not_more,
        laws={"dom.buy.cost": lambda says: no(says.arg(1) > says.arg(0))},
    ),
)

GUARDS_ONLY = ("treasures-after-a-buy", "cost-below", "no-action-needed", "cost-not-above")
"""The readings that change nothing but what is allowed in a player's own turn, so that a solver can compare them."""


def forks(one: Changes, other: Changes) -> str:
    """Whether two readings ever allow different things: `sat`, `unsat` or `unknown`."""
    from oracle.games.dominion.guard_claims import KINDS, PILES, WHO, position
    from oracle.games.dominion.theory import PHASES, Table
    from oracle.proof.laws import Laws
    from oracle.proof.smt import ask
    from oracle.proof.terms import same, some

    view, both_laws = position(), (Laws(one), Laws(other))
    sides = []
    for law in both_laws:
        rules = Table(view, law)
        says = [*(rules.may_play(WHO, card) for card in KINDS), *(rules.may_buy(WHO, card) for card in PILES)]
        sides.append([law.plain(term) for term in (*says, *(rules.may_end(WHO, phase) for phase in PHASES))])
    differ = some(no(same(mine, theirs)) for mine, theirs in zip(*sides, strict=True))
    return ask([*view.domain(view.turn), differ]).said


ZONES = ("hand", "deck", "discard", "in play")
MOST_CARDS = 5


def positions(one: Reading, other: Reading) -> Iterator[dict[str, Any]]:
    """Positions of two players made of what the readings are about: fewest cards first, then smallest numbers."""
    cards = tuple(dict.fromkeys((*one.cards, *other.cards)))
    numbers: dict[str, tuple[Any, ...]] = {"phase": ("action",)}
    for reading in (one, other):
        for name, values in reading.numbers.items():
            numbers[name] = tuple(values)
    places = [("A", zone) for zone in ZONES] + [("B", "hand")]
    amounts = list(product(*numbers.values()))
    for n in range(MOST_CARDS + 1):
        for laid in combinations_with_replacement([(place, card) for place in places for card in cards], n):
            for values in amounts:
                yield _given(laid, dict(zip(numbers, values, strict=True)))


def _given(laid: Any, numbers: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in numbers.items() if value or name in ("actions", "buys")}
    out: dict[str, Any] = {"players": ["A", "B"], **kept}
    for (player, zone), card in laid:
        out.setdefault(zone, {}).setdefault(player, []).append(card)
    return out


# -- where play may stall --------------------------------------------------------------------------

PASSES = ("end",)
"""The actions that are meant to change nothing but whose turn it is."""


def shape(state: State) -> Any:
    """What a position is, apart from how many turns were taken."""
    return replace(state, seats=tuple(replace(seat, turns=0) for seat in state.seats))


def still(state: State) -> Any:
    """The same, apart from whose turn it is as well."""
    return replace(shape(state), turn=0)


def quiet_positions() -> Iterator[dict[str, Any]]:
    """Positions with few cards and with some of the basic piles used up."""
    from oracle.games.dominion.sampling import BASIC

    for n in range(4):
        for empty in combinations(BASIC, n):
            for held in range(2):
                out: dict[str, Any] = {"players": ["A", "B"], "phase": "buy", "supply": dict.fromkeys(empty, 0)}
                if held:
                    out["hand"] = {"A": ["Estate"]}
                yield out
