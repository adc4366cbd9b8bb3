"""What each reading changes in the code of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from types import SimpleNamespace
from typing import Any

from msgspec.structs import replace

from oracle.game import Action, Decision, Event, Reason
from oracle.games.station.placement import VACANT
from oracle.games.station.state import State, Step, credit, drifts
from oracle.proof.variants import instead
from oracle.zones import Bag, bag


def _instead(code: SimpleNamespace, name: str, clause: Callable[..., Any]) -> None:
    instead(code.rules, name, clause)


def _acquires(code: SimpleNamespace, offer: Callable[[Bag], Iterator[tuple[str, ...]]]) -> None:
    code.moves._acquires = lambda display: (Action("acquire", bag(cards)) for cards in offer(display))


def _some_of(display: Bag, most: int = 3) -> Iterator[Bag]:
    yield from dict.fromkeys(cards for n in range(1, most + 1) for cards in combinations(display, n))


def _together(cards: Bag, limit: int = 7) -> bool:
    guilds = [credit(card).guild for card in cards]
    return len(cards) == 1 or (len(set(guilds)) == len(guilds) and sum(credit(card).value for card in cards) <= limit)


def none_is_an_acquire(code: SimpleNamespace) -> None:
    _instead(code, "some_card", lambda taken: True)
    shipped = code.moves._acquires
    code.moves._acquires = lambda display: iter([*shipped(display), *([Action("acquire")] if display else [])])


def limit_binds_one(code: SimpleNamespace) -> None:
    shipped, may_pass, turn = code.verdicts._acquire, code.verdicts._pass, code.moves._acquires

    def low(display: Bag) -> Bag:
        return tuple(card for card in display if credit(card).value <= 7)

    def acquire(state: State, action: Action) -> Iterator[Reason]:
        yield from shipped(state, action)
        if len(action.items) == 1:
            yield Reason("stn.7.limit", credit(action.items[0]).value <= 7, "one card is worth at most 7 as well")

    code.verdicts.TURN["acquire"] = acquire
    code.verdicts.TURN["pass"] = lambda state, action: may_pass(replace(state, display=low(state.display)), action)
    code.moves._acquires = lambda display: (a for a in turn(display) if len(a.items) > 1 or low(a.items))


def limit(limit: int) -> Callable[[SimpleNamespace], None]:
    def change(code: SimpleNamespace) -> None:
        _instead(code, "within_limit", lambda values: sum(values) <= limit)
        code.moves.LIMIT = limit

    return change


def at_most_two(code: SimpleNamespace) -> None:
    _instead(code, "up_to_three", lambda taken: taken <= 2)
    _acquires(code, lambda display: (cards for cards in _some_of(display, 2) if _together(cards)))


def guilds(differ: Callable[[list[str]], bool]) -> Callable[[SimpleNamespace], None]:
    def change(code: SimpleNamespace) -> None:
        _instead(code, "different_guilds", lambda guilds: differ(list(guilds)))

        def fits(cards: Bag) -> bool:
            parts = [credit(card) for card in cards]
            return len(cards) == 1 or (differ([c.guild for c in parts]) and sum(c.value for c in parts) <= 7)

        _acquires(code, lambda display: (cards for cards in _some_of(display) if fits(cards)))

    return change


def _offered(code: SimpleNamespace, change: Callable[[State, list[Action]], list[Action]]) -> None:
    """Another list of single actions in a turn."""
    turn = code.moves._turn

    def offer(state: State) -> Any:
        legal = turn(state)
        return type(legal)(change(state, list(legal.single)), legal.families)

    code.moves._turn = offer


def exchange_needs_room(code: SimpleNamespace) -> None:
    shipped, unchanged = code.verdicts._exchange, code.rules.unchanged

    def exchange(state: State, action: Action) -> Iterator[Reason]:
        yield from shipped(state, action)
        yield Reason("stn.9.room", len(state.mover.dock) < 4, "an exchange needs room in the dock")

    code.verdicts.TURN["exchange"] = exchange
    _instead(
        code,
        "unchanged",
        lambda dock, leaves, enters, valid: (leaves and dock >= 4) or unchanged(dock, leaves, enters, valid),
    )
    moves = code.moves._reconfigurations
    code.moves._reconfigurations = lambda state: (
        action for action in moves(state) if action.verb != "exchange" or len(state.mover.dock) < 4
    )


def between_halves(code: SimpleNamespace) -> None:
    shipped, allowed = code.verdicts._exchange, code.verdicts._allowed

    def exchange(state: State, action: Action) -> Iterator[Reason]:
        yield from shipped(state, action)
        node = next(iter(action.items), "")
        yield Reason("stn.9.placement", allowed(state, node, VACANT), "the station is checked between the two halves")

    def both_halves(state: State, node: str, content: str) -> bool:
        stands = code.verdicts._standing(state, node) != VACANT
        return bool(allowed(state, node, content) and (not stands or allowed(state, node, VACANT)))

    code.verdicts.TURN["exchange"] = exchange
    code.verdicts._allowed = both_halves
    moves = code.moves._reconfigurations
    code.moves._reconfigurations = lambda state: (
        a for a in moves(state) if a.verb != "exchange" or allowed(state, a.items[0], VACANT)
    )


def always_pass(code: SimpleNamespace) -> None:
    code.verdicts.TURN["pass"] = lambda state, action: iter([Reason("stn.6.pass", True, "a pass is always allowed")])
    _offered(code, lambda state, single: [*(a for a in single if a.verb != "pass"), Action("pass")])


def pass_as_before(code: SimpleNamespace) -> None:
    shipped, turn = code.verdicts._pass, code.moves._turn
    code.verdicts.TURN["pass"] = lambda state, action: shipped(replace(state, ended=False), action)
    code.moves._turn = lambda state: turn(replace(state, ended=False))


def parameter(**table: Any) -> Callable[[SimpleNamespace], None]:
    return lambda code: code.parameters.update(table)


def reward_of_any_value(code: SimpleNamespace) -> None:
    _instead(code, "low_enough", lambda value: True)
    code.effects.REWARD = code.moves.REWARD = 999


def reward_declined(code: SimpleNamespace) -> None:
    take, offer = code.verdicts._take, code.moves.decision

    def may_take(state: State, action: Action) -> Iterator[Reason]:
        yield from take(state, action) if action.items else [Reason("stn.8.exact", True, "the card may be declined")]

    def decision(state: State) -> Decision | None:
        asked: Decision | None = offer(state)
        if asked is None or asked.kind != "choice":
            return asked
        return replace(asked, legal=type(asked.legal)([*asked.legal.single, Action("take")]))

    code.verdicts._take, code.moves.decision = may_take, decision


def _after_purchase(code: SimpleNamespace, change: Callable[[State, State, Action], tuple[Step, ...]]) -> None:
    """Other steps follow a purchase; the last of them is carried out first."""
    shipped = code.effects.ACTIONS["purchase"]

    def purchase(state: State, action: Action, log: list[Event]) -> State:
        after: State = shipped(state, action, log)
        return replace(after, stack=change(state, after, action))

    code.effects.ACTIONS["purchase"] = purchase


END, DEAL, REWARDED = Step("end turn"), Step("deal"), Step("reward")


def reward_last(code: SimpleNamespace) -> None:
    """The refill comes before the reward."""

    def steps(before: State, after: State, action: Action) -> tuple[Step, ...]:
        return (END, REWARDED, DEAL) if len(after.stack) == 3 else after.stack

    _after_purchase(code, steps)


def printed_cost_exact(code: SimpleNamespace) -> None:
    """A payment is exact when it equals the printed cost."""

    def steps(before: State, after: State, action: Action) -> tuple[Step, ...]:
        paid = sum(credit(card).value for card in dict(action.rest)["pay"])
        return (END, DEAL, REWARDED) if paid == before.table[action.items[0]].cost else (END,)

    _after_purchase(code, steps)


def every_purchase_rewarded(code: SimpleNamespace) -> None:
    """Any payment is rewarded."""
    _after_purchase(code, lambda before, after, action: (END, DEAL, REWARDED))


def printed_cost_covered(code: SimpleNamespace) -> None:
    purchases = code.moves._purchases
    _instead(code, "effective_cost", lambda cost, discount: cost)
    code.moves._purchases = lambda state: purchases(replace(state, discount=(0,) * 5))


def newcomers_too(code: SimpleNamespace) -> None:
    salvaged = code.effects._salvaged

    def salvaging(state: State, modules: Bag, log: list[Event]) -> State:
        berth, after = state.stack[-1].berth, salvaged(state, modules, log)
        drifting: State = replace(after, agenda=(*after.agenda, drifts(berth)))
        return drifting

    code.effects._salvaged = salvaging


def order_rotates(code: SimpleNamespace) -> None:
    begin = code.effects._begin_round

    def rotated(state: State, log: list[Event]) -> State:
        first = (state.starting + 1) % len(state.seats) if state.round > 1 else state.starting
        after: State = begin(replace(state, starting=first), log)
        return after

    code.effects._begin_round = rotated


def core_moves(code: SimpleNamespace) -> None:
    _instead(code, "not_the_core", lambda node, core: True)
    code.moves.CORE = "none"


def renown_goes(code: SimpleNamespace) -> None:
    stow = code.effects.ACTIONS["stow"]

    def stowed(state: State, action: Action, log: list[Event]) -> State:
        module = state.mover.station[state.table.map.index[action.items[0]]]
        after: State = stow(state, action, log)
        return after.with_mover(renown=after.mover.renown - state.table[module].renown)

    code.effects.ACTIONS["stow"] = stowed


def below_four(code: SimpleNamespace) -> None:
    """The limit of a reward in other words."""
    _instead(code, "low_enough", lambda value: value < 4)


def any_display(code: SimpleNamespace) -> None:
    """Acquiring does not ask for a display with a card in it."""
    _instead(code, "card_displayed", lambda displayed: True)
