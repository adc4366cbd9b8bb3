"""The verdict on an action: the clauses of `rules.py` that bear on it, each with the fact that it was decided by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from oracle.game import Action, Reason, Verdict
from oracle.games.station import rules
from oracle.games.station.placement import CORE, VACANT
from oracle.games.station.state import BERTHS, DISPLAY, IN_TURN, Seat, State, Step, credit
from oracle.zones import Bag, size

_reason = rules.GUARDS.reason


def judge(state: State, player: str | None, action: Action) -> Verdict:
    """The verdict on a player's action, with every clause that bears on it."""
    return Verdict(player, action, tuple(_reasons(state, player, action)))


def _reasons(state: State, player: str | None, action: Action) -> Iterator[Reason]:
    yield _reason(rules.still_playing, "the game is over" if state.over else "the game goes on", state.over)
    if state.over:
        return
    if state.stack:
        yield from _under_way(state, player, action, state.stack[-1])
        return
    assert state.at == IN_TURN
    place, now, mover = state.place(player), state.place(state.mover.name), state.mover.name
    yield _reason(rules.own_turn, f"it is {mover}'s turn", place, now)
    if 0 <= place != now:
        yield _reason(rules.still_to_act, f"{player} has had the turn of round {state.round}", place, now)
        yield _reason(rules.due, f"{mover}'s turn comes before {player}'s", place, now)
    yield from TURN.get(action.verb, _no_turn_action)(state, action)


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _only(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else ""


def _part(action: Action, word: str) -> tuple[str, ...]:
    return next((items for part, items in action.rest if part == word), ())


def _counts(have: Bag, wanted: Iterable[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """How many there are of each card wanted, and how many are wanted."""
    want = Counter(wanted)
    return tuple(have.count(card) for card in want), tuple(want.values())


def _values(cards: Iterable[str]) -> tuple[int, ...]:
    return tuple(credit(card).value for card in cards)


def _guilds(cards: Iterable[str]) -> tuple[str, ...]:
    return tuple(credit(card).guild for card in cards)


def _no_turn_action(state: State, action: Action) -> Iterator[Reason]:
    what = "no exact payment was just made" if action.verb == "take" else "nothing is to be dealt"
    yield Reason("stn.8.exact" if action.verb == "take" else "stn.chance", False, what)


def _acquire(state: State, action: Action) -> Iterator[Reason]:
    cards, display = action.items, state.display
    n, values = len(cards), _values(cards)
    yield _reason(rules.some_card, f"{n} cards", n)
    if n == 1:
        yield _reason(rules.alone, f"{cards[0]}, taken alone", n)
    elif n > 1:
        yield _reason(rules.up_to_three, f"{n} cards", n)
        yield _reason(rules.different_guilds, f"guilds: {_list(_guilds(cards))}", _guilds(cards))
        yield _reason(rules.within_limit, f"together worth {sum(values)}", values)
    shown = f"display: {_list(display)}"
    yield _reason(rules.card_displayed, shown, len(display))
    yield _reason(rules.has_all, shown, *_counts(display, cards))


def _purchase(state: State, action: Action) -> Iterator[Reason]:
    module, berth, to = _only(action.items), _only(_part(action, "from")), _only(_part(action, "to"))
    cards, mover, table = _part(action, "pay"), state.mover, state.table
    there = state.market[BERTHS.index(berth)] if berth in BERTHS else ""
    lies = f"berth {berth}: {there or 'no module'}" if berth in BERTHS else f"berths: {_list(BERTHS)}"
    yield Reason("stn.8.module", module != "" and rules.in_berth(there, module), lies)
    yield _reason(rules.has_all, f"hand: {_list(mover.hand)}", *_counts(mover.hand, cards), under="stn.8.discard")
    if there and there == module:
        printed, discount = table[module], state.discount[BERTHS.index(berth)]
        cost, values = rules.effective_cost(printed.cost, discount), _values(cards)
        price = f"{module} costs {cost}" + (f" ({printed.cost} less {discount})" if discount else "")
        yield _reason(rules.of_guild, f"{module} is {printed.guild}", _guilds(cards), printed.guild)
        yield _reason(rules.covers, f"{price}, {sum(values)} is paid", values, cost)
        yield _reason(rules.pays, f"{price}, cards paid: {len(cards)}", len(cards), table.pay_nothing)
        if len(cards) > 1 or table.pay_nothing:
            yield _reason(rules.all_needed, f"{price}, paid: {_list(cards)}", values, cost, table.needless_payment)
        nodes = _nodes_for(state, module)
        full = f"{len(mover.dock)} modules in the dock"
        yield _reason(rules.somewhere, f"{full}, nodes that can take it: {_list(nodes)}", len(mover.dock), len(nodes))
        if to == "dock":
            yield _reason(rules.has_room, full, len(mover.dock))
        else:
            yield from _installed(state, module, to, "stn.8.install", "stn.8.install")


def _standing(state: State, node: str) -> str:
    """The module of the mover at a node; `VACANT` where none stands or there is no such node."""
    nodes = state.table.map.nodes
    return state.mover.station[nodes.index(node)] if node in nodes else VACANT


def _allowed(state: State, node: str, module: str) -> bool:
    """Whether the mover's station may be as it is with this at the node."""
    map = state.table.map
    return node in map.nodes and state.table.allows(map.with_module(state.mover.station, node, module))


def _nodes_for(state: State, module: str) -> list[str]:
    nodes = state.table.map.nodes
    return [node for node in nodes if _standing(state, node) == VACANT and _allowed(state, node, module)]


def _at(state: State, node: str) -> str:
    if node not in state.table.map.nodes:
        return f"there is no node {node!r}"
    return f"{node}: {_standing(state, node) or 'no module'}"


def _placed(state: State, node: str, module: str, under: str = "stn.9.placement") -> Reason:
    fact = f"placement is {state.table.placement}; with {module or 'no module'} at {node}"
    return _reason(rules.placed, fact, _allowed(state, node, module), under=under)


def _installed(state: State, module: str, node: str, vacant: str, placement: str) -> Iterator[Reason]:
    known, occupied = node in state.table.map.nodes, _standing(state, node) != VACANT
    yield _reason(rules.vacant_node, _at(state, node), known, occupied, under=vacant)
    if known and not occupied:
        yield _placed(state, node, module, placement)


def _docked(seat: Seat, module: str, under: str) -> Reason:
    return _reason(rules.docked, f"dock: {_list(seat.dock)}", seat.dock.count(module), under=under)


def _install(state: State, action: Action) -> Iterator[Reason]:
    module, node = _only(action.items), _only(_part(action, "at"))
    yield _docked(state.mover, module, "stn.9.install")
    yield from _installed(state, module, node, "stn.9.install", "stn.9.placement")


def _leaves(state: State, node: str, under: str) -> Iterator[Reason]:
    """That the module at a node may be taken off."""
    known, standing = node in state.table.map.nodes, _standing(state, node)
    yield _reason(rules.stands, _at(state, node), known, standing != VACANT, under=under)
    yield _reason(rules.not_the_core, _at(state, node), node, CORE)


def _stow(state: State, action: Action) -> Iterator[Reason]:
    node, n = _only(action.items), len(state.mover.dock)
    yield from _leaves(state, node, "stn.9.stow")
    yield _reason(rules.has_room, f"{n} modules in the dock", n, under="stn.9.room")
    if node in state.table.map.nodes:
        yield _placed(state, node, VACANT)


def _exchange(state: State, action: Action) -> Iterator[Reason]:
    node, module = _only(action.items), _only(_part(action, "for"))
    yield from _leaves(state, node, "stn.9.exchange")
    yield _reason(rules.vacated, f"the incoming module takes {node}", _standing(state, node) != VACANT)
    yield _docked(state.mover, module, "stn.9.exchange")
    yield _reason(rules.differs, _at(state, node), module, _standing(state, node), state.table.identical_exchange)
    if node in state.table.map.nodes:
        yield _placed(state, node, module)


def _pass(state: State, action: Action) -> Iterator[Reason]:
    if state.ended:
        yield _reason(rules.end_triggered, "the end of the game has been triggered", state.ended)
        return
    display = state.display
    yield _reason(rules.nothing_to_acquire, f"display: {_list(display)}", len(display))
    yield Reason("stn.6.pass", *_no_purchase(state))
    yield Reason("stn.6.pass", *_no_reconfiguration(state))
    yield Reason("stn.6.must-pass", True, "a commander without a legal action passes")


def _no_purchase(state: State) -> tuple[bool, str]:
    """That no module can be purchased, by totals: paying with all cards of a guild covers what any payment covers."""
    mover, table = state.mover, state.table
    for module, discount in zip(state.market, state.discount, strict=True):
        if not module:
            continue
        cost = rules.effective_cost(table[module].cost, discount)
        purse = _values(card for card in mover.hand if credit(card).guild == table[module].guild)
        unpaid = rules.cannot_pay(sum(purse), len(purse), cost, table.pay_nothing)
        if not rules.unbought(unpaid, unpaid or rules.somewhere(len(mover.dock), len(_nodes_for(state, module)))):
            return False, f"{module}, for {cost}, can be purchased"
    return True, "no module can be purchased"


def _no_reconfiguration(state: State) -> tuple[bool, str]:
    """That no operation is legal, by results: what stands at one node is another module of the dock, or none."""
    mover, table = state.mover, state.table
    for node in table.map.nodes:
        standing = _standing(state, node)
        if not rules.not_the_core(node, CORE):
            continue
        for content in dict.fromkeys((VACANT, *mover.dock)):
            leaves, enters = standing != VACANT, content != VACANT
            alike = leaves and enters and not rules.differs(content, standing, table.identical_exchange)
            if not alike and not rules.unchanged(len(mover.dock), leaves, enters, _allowed(state, node, content)):
                return False, f"{node} can get {content or 'no module'} instead of {standing or 'no module'}"
    return True, "the station cannot be reconfigured"


TURN: dict[str, Callable[[State, Action], Iterator[Reason]]] = {
    "acquire": _acquire,
    "purchase": _purchase,
    "install": _install,
    "stow": _stow,
    "exchange": _exchange,
    "pass": _pass,
}
"""The actions of a turn."""


def _under_way(state: State, player: str | None, action: Action, step: Step) -> Iterator[Reason]:
    verb = {"reward": "take", "deal": "deal", "salvage": "salvage"}[step.do]
    if step.do == "reward":
        yield _reason(
            rules.own_turn, f"{state.mover.name} takes a card", state.place(player), state.place(state.mover.name)
        )
        yield _reason(rules.asked_for, "a card for the exact payment is to be taken", action.verb, verb)
        if action.verb == verb:
            yield from _take(state, action)
        elif action.verb == "pass":
            yield Reason("stn.8.exact.compulsory", False, "a card of value 3 or less is displayed")
        elif action.verb in TURN:
            yield Reason("stn.8.exact.no-action", False, "the reward is a card and no further action")
        return
    deck, missing = (state.salvage, 1) if verb == "salvage" else (state.deck, DISPLAY - len(state.display))
    yield _reason(rules.by_chance, "chance decides", player)
    yield _reason(rules.asked_for, f"{'a module' if verb == 'salvage' else 'cards'} are to come up", action.verb, verb)
    if action.verb == verb:
        count, cards = "stn.8.berth" if verb == "salvage" else "stn.7.1.six", tuple(sorted(action.items))
        fact = f"{missing} missing, {size(deck)} in the deck"
        yield _reason(rules.as_many, fact, len(cards), missing, size(deck), under=count)
        if len(cards) <= size(deck):
            yield _reason(rules.may_come, "they are the first of the deck", deck, cards)


def _take(state: State, action: Action) -> Iterator[Reason]:
    shown = f"display: {_list(state.display)}"
    if not action.items:
        yield Reason("stn.8.exact.compulsory", False, f"a card is to be taken; {shown}")
        return
    yield Reason("stn.8.exact", len(action.items) == 1 and action.items[0] in state.display, shown)
    for card, value in zip(action.items, _values(action.items), strict=True):
        yield _reason(rules.low_enough, f"{card} has value {value}", value)
