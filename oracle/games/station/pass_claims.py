"""That the shipped guard lets a commander pass exactly where nothing else is legal, or where the end is triggered.

The guard's loops over berths, nodes and docked modules ask each of them by itself (`loops.check` holds
them to that), so each is lifted for one berth, one node and one docked module, any of them. A pass then
forbids every action; and where some action forbids the pass, it is one of the berth, node or module it hangs on.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any

import z3

from oracle.game import Action
from oracle.games.station import bridge, theory
from oracle.games.station.bridge import NODE, OTHERS, SITE, Shipped
from oracle.games.station.guard_claims import (
    ANY,
    NAMES,
    PAID,
    agree,
    asked,
    claim,
    guard,
    position,
    promise,
    rows,
)
from oracle.games.station.replay import Asked, Setting, replayed
from oracle.games.station.theory import Heap, Position, Table
from oracle.proof.claims import Claim, Part
from oracle.proof.laws import Laws
from oracle.proof.lift import Lifted, lift, summary
from oracle.proof.symbols import SymBool, SymText
from oracle.proof.terms import FALSE, Bool, both, either, no, number, same, some, total, truth, when

BOUGHT, CHANGED = truth("nothing.bought"), truth("nothing.changed")
DOCKED = number(NAMES.index("Other"))
"""The module of the dock; the one in the berth is `Module`."""
ONE = (theory.CORE, NODE)
"""The nodes at which operations are looked at."""
WHOLE = f"{ANY}; any berth, any hand, any number of nodes and docked modules; six kinds of cards, any number of each"


def asked_of_pass(code: Shipped) -> Lifted:
    """What the guard of a pass asks, with two unknowns for that nothing can be bought and nothing reconfigured."""
    verdicts = code.code.verdicts
    shipped = {name: verdicts.__dict__[name] for name in bridge.LOOPS}
    verdicts.__dict__["_no_purchase"] = lambda _: (SymBool(BOUGHT), SymText())
    verdicts.__dict__["_no_reconfiguration"] = lambda _: (SymBool(CHANGED), SymText())
    try:
        return asked(code, Action("pass"))
    finally:
        verdicts.__dict__.update(shipped)


def no_purchase(code: Shipped) -> Lifted:
    """That nothing can be bought from one berth, with any hand."""
    view = one_berth()
    about: dict[str, Any] = {"names": NAMES, "hand": bridge.hand(view), "nodes": bridge.all_nodes(), "node": SITE}
    state = bridge.position(view, **about)
    return lift(lambda: summary(lambda: code.code.verdicts._no_purchase(state)[0]))


def no_reconfiguration(code: Shipped) -> Lifted:
    """That nothing can be reconfigured at the Core's node and another, with one module that is docked, if any is."""
    view = position()
    state = bridge.position(view, names=NAMES, dock=bridge.AnyDock("Other", view.docked))
    return lift(lambda: summary(lambda: code.code.verdicts._no_reconfiguration(state)[0]))


def whole_pass(code: Shipped) -> tuple[Bool, Bool]:
    """Where the guard allows a pass, for the berth, nodes and module that are looked at; and where it raises."""
    bought, changed = no_purchase(code), no_reconfiguration(code)
    parts = [(BOUGHT, bought.term), (CHANGED, changed.term)]
    return z3.substitute(guard(asked_of_pass(code)), *parts), either(bought.raises, changed.raises)


def one_berth() -> Position:
    """Any position, of whose berths the first is looked at: module 1 lies there, if any does."""
    view = copy(position())
    first, *others = view.market
    view.market = [first._replace(module=number(1)), *(berth._replace(taken=FALSE) for berth in others)]
    return view


def moves(table: Table, *nodes: Any) -> list[Bool]:
    """The operations at some nodes, with the module of the dock."""
    there, found = table.view.docked >= 1, list[Bool]()
    for node in nodes:
        found += [table.stows(node), table.reinstalls(there, node, DOCKED), table.exchanges(there, node, DOCKED)]
    return found


def found_site(table: Table) -> Bool:
    """The node that is looked at is one that can take the module of the berth, if there is any such node."""
    return when(OTHERS >= 1, table.installs(SITE, 1))


def passed(table: Table) -> Asked:
    """A pass, and what the theory says of it where the table has two nodes."""
    others = either(table.can_acquire(), table.can_purchase(ONE), *moves(table, *ONE))
    return Asked(Action("pass"), table.passes(others))


def setting(view: Position, *more: Bool, paid: Heap | None = None) -> Setting:
    """How a model becomes a position in which a pass is judged."""
    return Setting(view, paid=paid, lying=True, more=more)


def guards(code: Shipped, law: Laws) -> Iterator[Claim]:
    """Passing: what it asks, that nothing can be bought, that nothing can be reconfigured."""
    view = one_berth()
    table = Table(view, law)
    others = either(table.can_acquire(), no(BOUGHT), no(CHANGED))
    bought, changed = table.can_purchase((theory.CORE, SITE)), some(moves(table, *ONE))
    yield claim(
        code,
        "guard.pass",
        "a pass asks for an empty display, no purchase and no reconfiguration, or for the end",
        ("stn.6.pass", "stn.6.pass-ended", "stn.7.display"),
        "any display of six kinds of cards",
        law,
        agree(asked_of_pass(code), table.passes(others)),
        said=[passed(table)],
        setting=setting(view, same(BOUGHT, law.plain(no(bought))), same(CHANGED, law.plain(no(changed)))),
    )
    lifted = no_purchase(code)
    yield claim(
        code,
        "guard.pass.purchase",
        "no purchase, for a pass, is: no module of which section 8 allows the purchase",
        ("stn.8.cover", "stn.8.dock"),
        "any hand, any guilds; any berth, any number of nodes",
        law,
        both(no(lifted.raises), when(lifted.term, no(bought))),
        when(both(no(bought), found_site(table)), lifted.term),
        more=nodes(view),
        said=[passed(table)],
        setting=setting(view),
    )
    lifted = no_reconfiguration(code)
    yield claim(
        code,
        "guard.pass.reconfigure",
        "no reconfiguration, for a pass, is: no operation that section 9 allows",
        ("stn.9.install", "stn.9.room", "stn.9.core"),
        "any number of nodes and docked modules",
        law,
        both(no(lifted.raises), same(lifted.term, no(changed))),
        said=[passed(table)],
        setting=setting(view),
    )


def nodes(view: Position) -> list[Bool]:
    """What is so of the berth's guild and of the nodes: any number, each of them any."""
    return [*view.purse(view.market[0].printed.guild), OTHERS >= 0, SITE > theory.CORE, NODE > theory.CORE]


def promises(code: Shipped, law: Laws) -> Iterator[Claim]:
    """The shipped pass against every other action of the text."""
    view = one_berth()
    table, (may_pass, raises) = Table(view, law), whole_pass(code)
    berth = view.market[0]
    guild = berth.printed.guild
    # What is paid is part of what there is of the guild: `purchase.any-hand` shows it for any hand.
    held = both(total(PAID.worth.values()) <= view.total(guild), theory.size(PAID.n) <= view.held(guild))
    buys = [table.purchases(berth, berth.taken, PAID, node is None, node) for node in (None, theory.CORE, SITE)]
    actions = {
        "acquire": ("stn.7.display", some(table.acquires(row) for row in rows(3) if row)),
        "purchase": ("stn.8.cover", both(held, some(buys))),
        "reconfigure": ("stn.9.placement", some(moves(table, *ONE))),
    }
    domain = [*view.domain(), *nodes(view), *PAID.facts(view.value)]
    for name, (rule, legal) in actions.items():
        yield promise(
            f"pass.no-{name}",
            f"before the end is triggered a pass is legal only where no {name} is",
            (rule,),
            law,
            [Part(no(legal), both(may_pass, no(view.ended)))],
            domain,
            WHOLE,
            **replayed(code, setting(view, paid=PAID if name == "purchase" else None), law, [passed(table)]),
        )
    others = either(table.can_acquire(), table.can_purchase((theory.CORE, SITE)), *moves(table, *ONE))
    yield promise(
        "some-action",
        "the commander whose turn it is always has a legal action: the shipped pass, where nothing else is",
        ("stn.7.display", "stn.8.cover", "stn.9.placement"),
        law,
        [Part(both(no(raises), either(may_pass, others)), found_site(table))],
        domain,
        WHOLE,
        **replayed(code, setting(view), law, [passed(table)]),
    )
