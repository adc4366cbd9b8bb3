"""The guards: each clause of the rules, a small function of plain values filed under the id of its rule.

Names are only compared, so a clause may as well be asked about numbers, or symbols, that stand for
them. `verdicts.py` looks up the clauses that bear on an action.
"""

from __future__ import annotations

from oracle.games.station.state import DOCK, REWARD
from oracle.guards import Guards
from oracle.zones import Bag, Deck, possible

GUARDS = Guards()
rule = GUARDS.rule

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


@rule("stn.9.stow", "stn.9.exchange")
def stands(known: bool, occupied: bool) -> bool:
    """A module stands at the node."""
    return known and occupied


@rule("stn.9.node")
def vacated(occupied: bool) -> bool:
    """The module that comes in takes a node that another one leaves."""
    return occupied


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
