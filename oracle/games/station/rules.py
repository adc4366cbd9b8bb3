"""The guards: may this action be taken now, and which rule says so.

Each clause is a small function of plain values, filed under the id of its rule; `judge` looks up the
clauses that bear on an action and states the fact each was decided by. Names are only compared, so a
clause may as well be asked about numbers that stand for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from oracle.game import Action, Reason, Verdict
from oracle.games.station.placement import CORE, VACANT
from oracle.games.station.state import BERTHS, DOCK, IN_TURN, REWARD, Seat, State, Step, credit
from oracle.guards import Guards
from oracle.zones import Bag, Deck, possible, size

GUARDS = Guards()
rule, _reason = GUARDS.rule, GUARDS.reason

# -- whose turn ------------------------------------------------------------------------------------


@rule("stn.end.over")
def still_playing(over: bool) -> bool:
    """Nothing may be done once the game is over."""
    return not over


@rule("stn.turn.current")
def own_turn(place: int, now: int) -> bool:
    """Only the commander whose turn it is acts; both are places in the order of the round."""
    return place == now


@rule("stn.6.one-action", "stn.6.round")
def still_to_act(place: int, now: int) -> bool:
    """A commander who has had his turn of the round has none left."""
    return place >= now


@rule("stn.6.seat-order", "stn.6.no-rotation")
def due(place: int, now: int) -> bool:
    """A commander whose seat comes later in the round waits for his turn."""
    return place <= now


@rule("stn.resolve.first", "stn.7.refill", "stn.8.exact.order")
def asked_for(verb: str, expected: str) -> bool:
    """What is under way is finished before anything else is done."""
    return verb == expected


# -- acquiring -------------------------------------------------------------------------------------


@rule("stn.7.none")
def some_card(taken: int) -> bool:
    """To take no card is not to acquire."""
    return taken >= 1


@rule("stn.7.several")
def up_to_three(taken: int) -> bool:
    """At most three cards together."""
    return taken <= 3


@rule("stn.7.guilds")
def different_guilds(guilds: tuple[str, ...]) -> bool:
    """No two of the cards are of one guild."""
    return all(one != other for i, one in enumerate(guilds) for other in guilds[i + 1 :])


@rule("stn.7.limit")
def within_limit(values: tuple[int, ...]) -> bool:
    """Several cards are worth at most 7 together."""
    return sum(values) <= 7


@rule("stn.7.single")
def alone(taken: int) -> bool:
    """One card may be of any value."""
    return taken == 1


@rule("stn.7.display")
def card_displayed(displayed: int) -> bool:
    """Acquiring needs a display with a card in it."""
    return displayed >= 1


@rule("stn.7.display")
def has_all(have: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """Of each kind of card there are as many as are wanted."""
    return all(n <= there for there, n in zip(have, wanted, strict=True))


# -- purchasing ------------------------------------------------------------------------------------


@rule("stn.8.module")
def in_berth(there: str, module: str) -> bool:
    """The module lies in the berth that it is taken from."""
    return there == module


@rule("stn.8.cost")
def effective_cost(cost: int, discount: int) -> int:
    """What the module costs after its Drift discounts; never less than nothing."""
    return cost - discount if cost > discount else 0


@rule("stn.8.guild")
def of_guild(guilds: tuple[str, ...], guild: str) -> bool:
    """Every card paid is of the module's guild."""
    return all(each == guild for each in guilds)


@rule("stn.8.cover", "stn.8.excess", "stn.8.cost")
def covers(values: tuple[int, ...], cost: int) -> bool:
    """The cards paid are worth at least the effective cost."""
    return sum(values) >= cost


@rule("stn.8.free")
def pays(paid: int, may_be_free: bool) -> bool:
    """Whether something that costs nothing may be had for no card."""
    return paid >= 1 or may_be_free


@rule("stn.8.needless")
def all_needed(values: tuple[int, ...], cost: int, may_be_needless: bool) -> bool:
    """Whether cards may be paid that could be left out; a payment keeps its last card in any case."""
    return may_be_needless or all(sum(values) - value < cost for value in values)


@rule("stn.8.dock", "stn.9.room")
def has_room(docked: int) -> bool:
    """A Dry Dock holds four modules."""
    return docked < DOCK


@rule("stn.8.install", "stn.9.install")
def vacant_node(known: bool, occupied: bool) -> bool:
    """A module is installed at a node of the map where none stands."""
    return known and not occupied


@rule("stn.9.placement", "stn.8.install", "stn.param.placement")
def placed(valid: bool) -> bool:
    """The resulting station satisfies the placement rules."""
    return valid


@rule("stn.8.destination")
def somewhere(docked: int, nodes: int) -> bool:
    """The dock or a node can take the module."""
    return docked < DOCK or nodes >= 1


@rule("stn.8.exact", "stn.8.exact.compulsory")
def low_enough(value: int) -> bool:
    """The card for an exact payment has a value of 3 or less."""
    return value <= REWARD


# -- reconfiguring ---------------------------------------------------------------------------------


@rule("stn.9.install", "stn.9.exchange")
def docked(copies: int) -> bool:
    """The module that comes out of the dock is there."""
    return copies >= 1


@rule("stn.9.stow", "stn.9.node")
def stands(known: bool, occupied: bool) -> bool:
    """A module stands at the node."""
    return known and occupied


@rule("stn.9.core")
def not_the_core(node: str, core: str) -> bool:
    """The Command Core is neither removed nor exchanged."""
    return node != core


@rule("stn.9.identical")
def differs(incoming: str, leaving: str, may_be_alike: bool) -> bool:
    """Whether a module may be exchanged for one just like it."""
    return may_be_alike or incoming != leaving


# -- passing ---------------------------------------------------------------------------------------
# Not "the list of actions is empty": each clause asks in a closed form whether the section allows any.


@rule("stn.6.pass", "stn.6.must-pass")
def nothing_to_acquire(displayed: int) -> bool:
    """With any card displayed, that card alone may be acquired."""
    return displayed == 0


@rule("stn.6.pass", "stn.6.must-pass")
def cannot_pay(total: int, held: int, cost: int, may_be_free: bool) -> bool:
    """Whether the whole of a guild's cards in hand does not buy a module."""
    return total < cost or (held == 0 and not may_be_free)


@rule("stn.6.pass", "stn.6.must-pass")
def unbought(unpaid: bool, destination: bool) -> bool:
    """No purchase of one module: it cannot be paid, or it has nowhere to go."""
    return unpaid or not destination


@rule("stn.6.pass", "stn.6.must-pass")
def unchanged(dock: int, leaves: bool, enters: bool, valid: bool) -> bool:
    """No reconfiguration gives a node this content: too many modules would be docked, or the station is not allowed."""
    after = dock + (1 if leaves else 0) - (1 if enters else 0)
    return not (leaves or enters) or after > DOCK or not valid


@rule("stn.6.pass-ended")
def end_triggered(ended: bool) -> bool:
    """After the end is triggered a commander may pass whatever else is legal."""
    return ended


# -- chance ----------------------------------------------------------------------------------------


@rule("stn.chance")
def by_chance(player: str | None) -> bool:
    """No commander decides what is dealt."""
    return player is None


@rule("stn.7.1.six", "stn.7.1.short", "stn.7.1.reshuffle", "stn.8.berth")
def as_many(dealt: int, missing: int, left: int) -> bool:
    """As many come up as are missing, or all that are left where those are fewer."""
    return dealt == (missing if missing < left else left)


@rule("stn.chance")
def may_come(deck: Deck, cards: Bag) -> bool:
    """What comes up are the first of the deck."""
    return possible(deck, cards)


# -- the verdict -----------------------------------------------------------------------------------


def judge(state: State, player: str | None, action: Action) -> Verdict:
    """The verdict on a player's action, with every clause that bears on it."""
    return Verdict(player, action, tuple(_reasons(state, player, action)))


def _reasons(state: State, player: str | None, action: Action) -> Iterator[Reason]:
    yield _reason(still_playing, "the game is over" if state.over else "the game goes on", state.over)
    if state.over:
        return
    if state.stack:
        yield from _under_way(state, player, action, state.stack[-1])
        return
    assert state.at == IN_TURN
    place, now, mover = state.place(player), state.place(state.mover.name), state.mover.name
    yield _reason(own_turn, f"it is {mover}'s turn", place, now)
    if 0 <= place != now:
        yield _reason(still_to_act, f"{player} has had the turn of round {state.round}", place, now)
        yield _reason(due, f"{mover}'s turn comes before {player}'s", place, now)
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
    yield _reason(some_card, f"{n} cards", n)
    if n == 1:
        yield _reason(alone, f"{cards[0]}, taken alone", n)
    elif n > 1:
        yield _reason(up_to_three, f"{n} cards", n)
        yield _reason(different_guilds, f"guilds: {_list(_guilds(cards))}", _guilds(cards))
        yield _reason(within_limit, f"together worth {sum(values)}", values)
    shown = f"display: {_list(display)}"
    yield _reason(card_displayed, shown, len(display))
    yield _reason(has_all, shown, *_counts(display, cards))


def _purchase(state: State, action: Action) -> Iterator[Reason]:
    module, berth, to = _only(action.items), _only(_part(action, "from")), _only(_part(action, "to"))
    cards, mover, table = _part(action, "pay"), state.mover, state.table
    there = state.market[BERTHS.index(berth)] if berth in BERTHS else ""
    lies = f"berth {berth}: {there or 'no module'}" if berth in BERTHS else f"berths: {_list(BERTHS)}"
    yield Reason("stn.8.module", module != "" and in_berth(there, module), lies)
    yield _reason(has_all, f"hand: {_list(mover.hand)}", *_counts(mover.hand, cards), under="stn.8.discard")
    if there and there == module:
        printed, discount = table[module], state.discount[BERTHS.index(berth)]
        cost, values = effective_cost(printed.cost, discount), _values(cards)
        price = f"{module} costs {cost}" + (f" ({printed.cost} less {discount})" if discount else "")
        yield _reason(of_guild, f"{module} is {printed.guild}", _guilds(cards), printed.guild)
        yield _reason(covers, f"{price}, {sum(values)} is paid", values, cost)
        yield _reason(pays, f"{price}, {len(cards)} cards are paid", len(cards), table.pay_nothing)
        if len(cards) > 1 or table.pay_nothing:
            yield _reason(all_needed, f"{price}, paid: {_list(cards)}", values, cost, table.needless_payment)
        nodes = _nodes_for(state, module)
        full = f"{len(mover.dock)} modules in the dock"
        yield _reason(somewhere, f"{full}, nodes that can take it: {_list(nodes)}", len(mover.dock), len(nodes))
        if to == "dock":
            yield _reason(has_room, full, len(mover.dock))
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
    return _reason(placed, fact, _allowed(state, node, module), under=under)


def _installed(state: State, module: str, node: str, vacant: str, placement: str) -> Iterator[Reason]:
    known, occupied = node in state.table.map.nodes, _standing(state, node) != VACANT
    yield _reason(vacant_node, _at(state, node), known, occupied, under=vacant)
    if known and not occupied:
        yield _placed(state, node, module, placement)


def _docked(seat: Seat, module: str, under: str) -> Reason:
    return _reason(docked, f"dock: {_list(seat.dock)}", seat.dock.count(module), under=under)


def _install(state: State, action: Action) -> Iterator[Reason]:
    module, node = _only(action.items), _only(_part(action, "at"))
    yield _docked(state.mover, module, "stn.9.install")
    yield from _installed(state, module, node, "stn.9.install", "stn.9.placement")


def _leaves(state: State, node: str, under: str) -> Iterator[Reason]:
    """That the module at a node may be taken off."""
    known, standing = node in state.table.map.nodes, _standing(state, node)
    yield _reason(stands, _at(state, node), known, standing != VACANT, under=under)
    yield _reason(not_the_core, _at(state, node), node, CORE)


def _stow(state: State, action: Action) -> Iterator[Reason]:
    node, n = _only(action.items), len(state.mover.dock)
    yield from _leaves(state, node, "stn.9.stow")
    yield _reason(has_room, f"{n} modules in the dock", n, under="stn.9.room")
    if node in state.table.map.nodes:
        yield _placed(state, node, VACANT)


def _exchange(state: State, action: Action) -> Iterator[Reason]:
    node, module = _only(action.items), _only(_part(action, "for"))
    yield from _leaves(state, node, "stn.9.exchange")
    vacated = _standing(state, node) != VACANT
    yield _reason(
        stands, f"the incoming module takes {node}", node in state.table.map.nodes, vacated, under="stn.9.node"
    )
    yield _docked(state.mover, module, "stn.9.exchange")
    yield _reason(differs, _at(state, node), module, _standing(state, node), state.table.identical_exchange)
    if node in state.table.map.nodes:
        yield _placed(state, node, module)


def _pass(state: State, action: Action) -> Iterator[Reason]:
    if state.ended:
        yield _reason(end_triggered, "the end of the game has been triggered", state.ended)
        return
    display = state.display
    yield _reason(nothing_to_acquire, f"display: {_list(display)}", len(display))
    yield Reason("stn.6.pass", *_no_purchase(state))
    yield Reason("stn.6.pass", *_no_reconfiguration(state))
    yield Reason("stn.6.must-pass", True, "a commander without a legal action passes")


def _no_purchase(state: State) -> tuple[bool, str]:
    """That no module can be purchased, by totals: paying with all cards of a guild covers what any payment covers."""
    mover, table = state.mover, state.table
    for module, discount in zip(state.market, state.discount, strict=True):
        if not module:
            continue
        cost = effective_cost(table[module].cost, discount)
        purse = _values(card for card in mover.hand if credit(card).guild == table[module].guild)
        unpaid = cannot_pay(sum(purse), len(purse), cost, table.pay_nothing)
        if not unbought(unpaid, unpaid or somewhere(len(mover.dock), len(_nodes_for(state, module)))):
            return False, f"{module}, for {cost}, can be purchased"
    return True, "no module can be purchased"


def _no_reconfiguration(state: State) -> tuple[bool, str]:
    """That no operation is legal, by results: what stands at one node is another module of the dock, or none."""
    mover, table = state.mover, state.table
    for node in table.map.nodes:
        standing = _standing(state, node)
        if not not_the_core(node, CORE):
            continue
        for content in dict.fromkeys((VACANT, *mover.dock)):
            leaves, enters = standing != VACANT, content != VACANT
            alike = leaves and enters and not differs(content, standing, table.identical_exchange)
            if not alike and not unchanged(len(mover.dock), leaves, enters, _allowed(state, node, content)):
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
        yield _reason(own_turn, f"{state.mover.name} takes a card", state.place(player), state.place(state.mover.name))
        yield _reason(asked_for, "a card for the exact payment is to be taken", action.verb, verb)
        if action.verb == verb:
            yield from _take(state, action)
        elif action.verb == "pass":
            yield Reason("stn.8.exact.compulsory", False, "a card of value 3 or less is displayed")
        elif action.verb in TURN:
            yield Reason("stn.8.exact.no-action", False, "the reward is a card and no further action")
        return
    deck, missing = (state.salvage, 1) if verb == "salvage" else (state.deck, 6 - len(state.display))
    yield _reason(by_chance, "chance decides", player)
    yield _reason(asked_for, f"{'a module' if verb == 'salvage' else 'cards'} are to come up", action.verb, verb)
    if action.verb == verb:
        count, cards = "stn.8.berth" if verb == "salvage" else "stn.7.1.six", tuple(sorted(action.items))
        fact = f"{missing} missing, {size(deck)} in the deck"
        yield _reason(as_many, fact, len(cards), missing, size(deck), under=count)
        if len(cards) <= size(deck):
            yield _reason(may_come, "they are the first of the deck", deck, cards)


def _take(state: State, action: Action) -> Iterator[Reason]:
    shown = f"display: {_list(state.display)}"
    if not action.items:
        yield Reason("stn.8.exact.compulsory", False, f"a card is to be taken; {shown}")
        return
    yield Reason("stn.8.exact", len(action.items) == 1 and action.items[0] in state.display, shown)
    for card, value in zip(action.items, _values(action.items), strict=True):
        yield _reason(low_enough, f"{card} has value {value}", value)
