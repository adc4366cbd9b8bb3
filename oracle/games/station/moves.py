"""The generator: who must choose, and every legal action, built from the position.

Written apart from the guards in `rules.py`, each from the rule's text; tests hold one against the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, product

from oracle.game import Action, Decision, LegalActions, Selection
from oracle.games.station.payments import Payments, Purchases
from oracle.games.station.placement import CORE, VACANT
from oracle.games.station.state import BERTHS, DISPLAY, DOCK, REWARD, State, credit
from oracle.zones import Bag, Deck, bag, top

PASS = Action("pass")
LIMIT = 7


def decision(state: State) -> Decision | None:
    """What must be decided now; None when the game is over."""
    if state.over:
        return None
    if not state.stack:
        about = f"turn of round {state.round}"
        return Decision(state.mover.name, "action", about, _turn(state), ("stn.6.seat-order", "stn.6.one-action"))
    match state.stack[-1].do:
        case "reward":
            cards = [card for card in dict.fromkeys(state.display) if credit(card).value <= REWARD]
            takes = LegalActions([Action("take", (card,)) for card in cards])
            rules = ("stn.8.exact", "stn.8.exact.order", "stn.8.exact.compulsory")
            return Decision(state.mover.name, "choice", "a card for the exact payment", takes, rules)
        case "deal":
            n = DISPLAY - len(state.display)
            rules = ("stn.7.refill", "stn.7.1.six", "stn.chance")
            return Decision(None, "chance", f"{n} cards for the display", _come_up("deal", state.deck, n), rules)
        case _:
            about = f"a module for berth {BERTHS[state.stack[-1].berth]}"
            return Decision(None, "chance", about, _come_up("salvage", state.salvage, 1), ("stn.8.berth", "stn.chance"))


def _come_up(verb: str, deck: Deck, n: int) -> LegalActions:
    first = top(deck, n)
    return LegalActions((), (Selection(verb, first.unsure, first.take, first.take, first.sure),))


def _turn(state: State) -> LegalActions:
    single = [*_acquires(state.display), *_reconfigurations(state)]
    purchases = tuple(_purchases(state))
    if state.ended or not (single or purchases):
        single.append(PASS)
    return LegalActions(single, purchases)


def _acquires(display: Bag) -> Iterator[Action]:
    """Any card alone, then two or three of different guilds within the limit: at most one value from each guild."""
    guilds: dict[str, list[str]] = defaultdict(list)
    for card in dict.fromkeys(display):
        yield Action("acquire", (card,))
        guilds[credit(card).guild].append(card)
    for n in (2, 3):
        for some in combinations(guilds.values(), n):
            for cards in product(*some):
                if sum(credit(card).value for card in cards) <= LIMIT:
                    yield Action("acquire", bag(cards))


def _purchases(state: State) -> Iterator[Purchases]:
    """For each berth what can be paid and placed: never an empty family."""
    mover, table = state.mover, state.table
    room = ("dock",) if len(mover.dock) < DOCK else ()
    for berth, name, discount in zip(BERTHS, state.market, state.discount, strict=True):
        if name == "":
            continue
        module = table[name]
        purse = tuple(card for card in mover.hand if credit(card).guild == module.guild)
        due = max(0 if table.pay_nothing else 1, module.cost - discount)
        if sum(credit(card).value for card in purse) < due:
            continue
        if to := (*room, *_sites(state, name)):
            yield Purchases(name, berth, Payments(purse, due, table.needless_payment), to)


def _sites(state: State, module: str) -> Iterator[str]:
    """The vacant nodes where the module may be installed."""
    map, station = state.table.map, state.mover.station
    for node, standing in zip(map.nodes, station, strict=True):
        if standing == VACANT and state.table.allows(map.with_module(station, node, module)):
            yield node


def _reconfigurations(state: State) -> Iterator[Action]:
    map, mover, table = state.table.map, state.mover, state.table
    docked = tuple(dict.fromkeys(mover.dock))
    for module in docked:
        yield from (Action("install", (module,), (("at", (node,)),)) for node in _sites(state, module))
    for node, standing in zip(map.nodes, mover.station, strict=True):
        if standing == VACANT or node == CORE:
            continue
        if len(mover.dock) < DOCK and table.allows(map.with_module(mover.station, node, VACANT)):
            yield Action("stow", (node,))
        for module in docked:
            alike = module == standing and not table.identical_exchange
            if not alike and table.allows(map.with_module(mover.station, node, module)):
                yield Action("exchange", (node,), (("for", (module,)),))
