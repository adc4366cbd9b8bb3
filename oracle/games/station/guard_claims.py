"""That the shipped guards allow exactly what the theory allows: every action of a turn, the pass, rewards, chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from copy import copy
from functools import lru_cache, partial
from inspect import signature
from itertools import product
from typing import Any

import z3

from oracle.game import Action, Reason
from oracle.games.station import bridge, theory
from oracle.games.station.bridge import NODES, who
from oracle.games.station.clauses import CLAUSES
from oracle.games.station.replay import Asked, fits, likes, replay, sizes
from oracle.games.station.state import Step
from oracle.games.station.theory import Berth, Cards, Position, Table
from oracle.proof.claims import Claim, Part
from oracle.proof.laws import Laws
from oracle.proof.lift import Lifted, Modules, lift, summary
from oracle.proof.smt import FALSE, Bool, both, count, either, every, no, number, same, some, truth, when
from oracle.proof.symbols import SymBag, SymBool, SymInt, SymText, term_of, truth_of

KINDS = tuple(f"k{i} {i}" for i in range(1, 7))
"""Six kinds of credit cards, of any guild and value."""
PLACE = count("place")
ANY = "any placement rule, any Drift discount, any number of commanders"
NAMES = ("", "Module", "Other")


@lru_cache(maxsize=1)
def position() -> Position:
    """Any position."""
    return Position(KINDS)


def legal(verdict: Any) -> Bool:
    """What a lifted verdict says."""
    return every(truth_of(reason.holds) for reason in verdict.reasons)


def guard(lifted: Lifted) -> Bool:
    """The condition under which a lifted guard allows the action."""
    return some(both(path.condition, legal(path.value)) for path in lifted.paths)


def judged(code: Modules, action: Action, player: Any = None, **about: Any) -> Lifted:
    """The shipped guard on any position; by default of any commander, `False` is chance."""
    actor = None if player is False else who(PLACE)
    return lift(lambda: code.code.verdicts.judge(bridge.position(position(), **about), actor, action))


def agree(lifted: Lifted, says: Bool) -> Bool:
    """The guard allows exactly what the theory allows, and never raises."""
    return both(no(lifted.raises), same(guard(lifted), says))


def rows(most: int) -> Iterator[tuple[str, ...]]:
    """All rows of cards up to their names: which of them are of one kind."""
    for n in range(most + 1):
        yield from (tuple(kind for kind, m in zip(KINDS, parts, strict=False) for _ in range(m)) for parts in _parts(n))


def _parts(n: int, most: int | None = None) -> Iterator[tuple[int, ...]]:
    if n == 0:
        yield ()
    for first in range(min(n, most or n), 0, -1):
        yield from ((first, *rest) for rest in _parts(n - first, first))


def claim(
    name: str,
    says: str,
    about: tuple[str, ...],
    scope: str,
    law: Laws,
    *goals: Bool,
    more: Any = (),
    said: Sequence[Asked] = (),
    dock: dict[str, Any] | None = None,
) -> Claim:
    """A claim about guards: all the goals, in any position; `said` are actions to replay a refutation with."""
    view = position()
    plain = [(action, law.plain(says), market) for action, says, market in said]
    return Claim(
        id=name,
        says=says,
        about=about,
        scope=f"{scope}; {ANY}",
        laws=law,
        parts=tuple(Part(goal) for goal in goals),
        domain=(*view.domain(), PLACE >= -1, *more),
        replay=partial(replay, view, PLACE, plain, dock or {}),
        fits=fits(view, PLACE),
        likes=likes(view),
        sizes=sizes(view),
    )


def in_turn(table: Table, says: Bool) -> Bool:
    """An action of the turn."""
    return both(table.own_turn(PLACE), says)


def guard_acquire(code: Modules, law: Laws) -> Iterator[Claim]:
    """Acquiring cards."""
    table, goals, said = Table(position(), law), list[Bool](), list[Asked]()
    for row in rows(6):
        says = in_turn(table, table.acquires(row))
        goals.append(agree(judged(code, Action("acquire", row), berths=[""] * 5), says))
        said.append((Action("acquire", row), says, {}))
    yield claim(
        "guard.acquire",
        "the guard allows `acquire` exactly where section 7 does",
        ("stn.7.limit", "stn.7.guilds", "stn.7.several", "stn.7.none"),
        "up to six cards of any guilds and values, any number of each displayed",
        law,
        every(goals),
        said=said,
    )


def purchase(there: str, berth: str, to: str, row: Sequence[str]) -> Action:
    """A purchase of `Module`."""
    return Action(
        "purchase", ("Module",) if there is not None else (), (("from", (berth,)), ("pay", tuple(row)), ("to", (to,)))
    )


def bought(table: Table, berth: Berth, there: str, row: Sequence[str], to: str) -> Bool:
    """What the theory says of a purchase of `Module` from a berth in which `there` lies."""
    lying = berth._replace(module=number(NAMES.index("Module")))
    node = NODES.index(to) if to in NODES else None
    return table.purchases(lying, there == "Module", row, to == "dock", node)


def guard_purchase(code: Modules, law: Laws) -> Iterator[Claim]:
    """Purchasing a module."""
    view = position()
    table, berths, goals, said = Table(view, law), view.market, list[Bool](), list[Asked]()
    asked = [*product(("3",), NAMES, rows(3), ("dock",)), *product(("3",), NAMES, rows(3), ("n1", "core", "nowhere"))]
    asked += [*product(("1", "2", "4", "5"), NAMES, (KINDS[:1],), ("dock", "n2"))]
    prints = {name: berths[0].printed for name in NAMES if name}
    state = bridge.position(view, names=NAMES, prints=prints)
    for berth, there, row, to in asked:
        i = int(berth) - 1
        lying = [there if j == i else "" for j in range(5)]
        prints = {name: berths[i].printed for name in NAMES if name}
        with sites(code, {"Module": state}) if there == "Module" else nullcontext():
            lifted = judged(code, purchase(there, berth, to, row), names=NAMES, berths=lying, prints=prints)
        says = in_turn(table, bought(table, berths[i], there, row, to))
        goals.append(agree(lifted, says))
        said.append((purchase(there, berth, to, row), says, {berth: there}))
    for berth in ("6", "", "dock"):
        lifted = judged(code, purchase("", berth, "dock", KINDS[:1]), names=NAMES, berths=["Module"] * 5, prints=prints)
        goals.append(agree(lifted, FALSE))
    nothing = Action("purchase", (), (("from", ("1",)), ("pay", KINDS[:1]), ("to", ("dock",))))
    goals.append(agree(judged(code, nothing, names=NAMES, berths=["", *["Module"] * 4], prints=prints), FALSE))
    yield claim(
        "guard.purchase",
        "the guard allows `purchase` exactly where section 8 does",
        ("stn.8.cover", "stn.8.guild", "stn.8.dock", "stn.8.install"),
        "payments of up to three cards (longer ones: `purchase.any-hand`) from any hand; stations on a map of 3 nodes",
        law,
        every(goals),
        said=said,
    )


def guard_reconfigure(code: Modules, law: Laws) -> Iterator[Claim]:
    """Installing, stowing and exchanging."""
    view = position()
    table = Table(view, law)
    dock = {name: count(f"dock.{name}") for name in ("Module", "Other", "Third")}
    amounts = [*(n >= 0 for n in dock.values()), same(view.docked, sum(dock.values()))]

    def lifted(action: Action) -> Lifted:
        return judged(code, action, names=NAMES, berths=[""] * 5, dock=SymBag(dock))

    for verb, about in {"install": "stn.9.install", "stow": "stn.9.stow", "exchange": "stn.9.exchange"}.items():
        goals, said = list[Bool](), list[Asked]()
        for node, module in product((*NODES, "nowhere", ""), ("",) if verb == "stow" else (*NAMES, "Unknown")):
            i, code_of = NODES.index(node) if node in NODES else None, NAMES.index(module) if module in NAMES else 9
            items, names = (node,) if node else (), (module,) if module else ()
            action = {
                "install": Action("install", names, (("at", items),)),
                "stow": Action("stow", items),
                "exchange": Action("exchange", items, (("for", names),)),
            }[verb]
            there = dock[module] > 0 if module in dock else FALSE
            if i is None or (not module and verb != "stow") or module == "Unknown":
                says = FALSE
            elif verb == "install":
                says = table.reinstalls(there, i, code_of)
            elif verb == "stow":
                says = table.stows(i)
            else:
                says = table.exchanges(there, i, code_of)
            if module == "Unknown" and i is not None:
                continue  # a station with a module that has no name cannot be asked about
            goals.append(agree(lifted(action), in_turn(table, says)))
            if node and (module or verb == "stow"):
                said.append((action, in_turn(table, says), {}))
        yield claim(
            f"guard.{verb}",
            f"the guard allows `{verb}` exactly where section 9 does",
            (about, "stn.9.placement"),
            "any dock, any module at each of 3 nodes or at none that is on the map",
            law,
            every(goals),
            more=amounts,
            said=said,
            dock=dock,
        )


# -- the pass ------------------------------------------------------------------------------------


@contextmanager
def sites(code: Modules, states: dict[str, Any]) -> Iterator[None]:
    """Asks only once, and not on every path, which nodes can take each module: what it is asked of stays the same."""
    verdicts = code.code.verdicts
    shipped = verdicts.__dict__["_nodes_for"]
    found = {name: shipped(state, name) for name, state in states.items()}
    verdicts.__dict__["_nodes_for"] = lambda _, name: found[name]
    try:
        yield
    finally:
        verdicts.__dict__["_nodes_for"] = shipped


BOUGHT, CHANGED = truth("nothing.bought"), truth("nothing.changed")
MARKET = ("", *(f"M{i}" for i in range(1, 6)))


def asked_of_pass(code: Modules) -> Lifted:
    """What the guard of a pass asks, with two unknowns for that nothing can be bought and nothing reconfigured."""
    verdicts = code.code.verdicts
    shipped = {name: verdicts.__dict__[name] for name in ("_no_purchase", "_no_reconfiguration")}
    verdicts.__dict__["_no_purchase"] = lambda _: (SymBool(BOUGHT), SymText())
    verdicts.__dict__["_no_reconfiguration"] = lambda _: (SymBool(CHANGED), SymText())
    try:
        return judged(code, Action("pass"))
    finally:
        verdicts.__dict__.update(shipped)


def no_purchase(code: Modules, berths: int = 5) -> Lifted:
    """That nothing can be bought: from so many berths, with any hand, to one of three nodes."""
    view = few_berths(berths)
    about: dict[str, Any] = {"names": MARKET, "hand": bridge.hand(view)}
    with sites(code, {name: bridge.position(view, **about) for name in MARKET[1:]}):
        state = bridge.position(view, **about)
        return lift(lambda: summary(lambda: code.code.verdicts._no_purchase(state)[0]))


def no_reconfiguration(code: Modules, dock: tuple[str, ...], nodes: Sequence[str]) -> Lifted:
    """That nothing can be reconfigured, with these modules in the dock."""
    state = bridge.position(position(), names=("", *dict.fromkeys(dock)), dock=dock)
    state.table.map = bridge.AnyMap(nodes)
    return lift(lambda: summary(lambda: code.code.verdicts._no_reconfiguration(state)[0]))


def whole_pass(code: Modules, berths: int) -> Bool:
    """Where the shipped guard allows a pass to a commander with one module in the dock."""
    bought, changed = no_purchase(code, berths), no_reconfiguration(code, MARKET[1:2], NODES)
    parts = [(BOUGHT, bought.term), (CHANGED, changed.term)]
    return both(z3.substitute(guard(asked_of_pass(code)), *parts), no(bought.raises), no(changed.raises))


def few_berths(n: int) -> Position:
    """Any position with modules in the first berths only."""
    view = copy(position())
    view.market = [b if i < n else b._replace(taken=FALSE) for i, b in enumerate(view.market)]
    return view


def numbered(table: Table) -> Table:
    """The rules of a position whose market holds the modules 1 to 5."""
    view = copy(table.view)
    view.market = [berth._replace(module=number(i)) for i, berth in enumerate(view.market, 1)]
    return Table(view, table.law)


def guard_pass(code: Modules, law: Laws) -> Iterator[Claim]:
    """Passing: what it asks, that nothing can be bought, that nothing can be reconfigured."""
    view = position()
    table = Table(view, law)
    others = either(table.can_acquire(), no(BOUGHT), no(CHANGED))
    yield claim(
        "guard.pass",
        "a pass asks for an empty display, no purchase and no reconfiguration, or for the end",
        ("stn.6.pass", "stn.6.pass-ended", "stn.7.display"),
        "any display of six kinds of cards",
        law,
        agree(asked_of_pass(code), both(table.own_turn(PLACE), table.passes(others))),
    )
    lifted = no_purchase(code)
    purses = every(fact for berth in view.market for fact in view.purse(berth.printed.guild))
    says = no(numbered(table).can_purchase(range(len(NODES))))
    yield claim(
        "guard.pass.purchase",
        "no purchase, for a pass, is: no module of which section 8 allows the purchase",
        ("stn.8.cover", "stn.8.dock"),
        "any hand, any guilds; stations on a map of 3 nodes",
        law,
        when(purses, both(no(lifted.raises), same(lifted.term, says))),
    )
    goals = []
    for parts in (p for n in range(5) for p in _parts(n)):
        dock = tuple(f"D{i}" for i, n in enumerate(parts, 1) for _ in range(n))
        nodes = NODES if len(dock) < 3 else NODES[:2]
        lifted = no_reconfiguration(code, dock, nodes)
        codes = range(1, len(parts) + 1)
        says = no(table.can_reconfigure(range(len(nodes)), codes))
        goals.append(when(same(view.docked, len(dock)), both(no(lifted.raises), same(lifted.term, says))))
    yield claim(
        "guard.pass.reconfigure",
        "no reconfiguration, for a pass, is: no operation that section 9 allows",
        ("stn.9.install", "stn.9.room", "stn.9.core"),
        "any dock; the Core and one node, or two with at most 2 modules docked",
        law,
        every(goals),
    )


# -- under way -----------------------------------------------------------------------------------


def guard_reward(code: Modules, law: Laws) -> Iterator[Claim]:
    """The card for an exact payment."""
    table, goals = Table(position(), law), []
    for row in rows(2):
        lifted = judged(code, Action("take", row), stack=(Step("end turn"), Step("deal"), Step("reward")))
        goals.append(agree(lifted, in_turn(table, table.rewarded(row))))
    for verb in ("acquire", "pass", "deal", "purchase", "stow"):
        goals.append(agree(judged(code, Action(verb, KINDS[:1]), stack=(Step("reward"),)), FALSE))
    goals.append(agree(judged(code, Action("take", KINDS[:1])), FALSE))
    yield claim(
        "guard.take",
        "the guard allows exactly one displayed card of value 3 or less as reward, and no other action then",
        ("stn.8.exact", "stn.8.exact.compulsory"),
        "any display of six kinds of cards",
        law,
        every(goals),
    )


COME = {kind: count(f"come.{kind}") for kind in KINDS}


def guard_chance(code: Modules, law: Laws) -> Iterator[Claim]:
    """What may be dealt and salvaged."""
    view = position()
    table, goals = Table(view, law), []
    cards: Cards = COME
    for verb in ("deal", "salvage"):
        missing = 6 - theory.size(view.display) if verb == "deal" else number(1)
        deck, rule = (view.deck, "stn.7.1.six") if verb == "deal" else (view.salvage, "stn.8.berth")
        for asked, by_chance in product(("deal", "salvage", "pass"), (True, False)):
            action = Action(asked, SymBag(cards))  # type: ignore[arg-type]
            lifted = judged(code, action, player=False if by_chance else None, stack=(Step("end turn"), Step(verb)))
            says = table.comes_up(by_chance, cards, deck, missing, rule) if asked == verb else FALSE
            goals.append(agree(lifted, says))
    yield claim(
        "guard.chance",
        "as many cards as the display lacks, or one module, come up off the top of the deck, and nothing else may",
        ("stn.7.1.six", "stn.8.berth", "stn.chance"),
        "any cards; decks of two parts of known order",
        law,
        every(goals),
        more=[n >= 0 for n in cards.values()],
    )


# -- clause by clause ----------------------------------------------------------------------------


LONG = 4


def clause_twins(code: Modules, law: Laws) -> Iterator[tuple[str, Bool]]:
    """For each clause that is one of plain numbers: that it says what its twin does."""
    rules = code.code.rules
    for name, says in CLAUSES.items():
        clause = rules.__dict__[bridge.COST if name == "effective_cost" else name]
        types = [str(p.annotation) for p in signature(clause).parameters.values()]
        for n in range(LONG) if any("..." in t for t in types) else (0,):
            symbols = [_symbols(f"{name}.{i}", t, n) for i, t in enumerate(types)]
            lifted = lift(partial(clause, *map(_lifted, symbols)))
            yield name, both(no(lifted.raises), same(lifted.term, law(f"clause.{name}", says(*symbols))))


def _symbols(name: str, kind: str, n: int) -> Any:
    if "..." in kind:
        return [count(f"{name}.{i}") for i in range(n)]
    return truth(name) if kind == "bool" else count(name)


def _lifted(symbol: Any) -> Any:
    if isinstance(symbol, list):
        return tuple(map(_lifted, symbol))
    return SymBool(symbol) if z3.is_bool(symbol) else SymInt(symbol)


def guard_clauses(code: Modules, law: Laws) -> Iterator[Claim]:
    """Every clause of the guards by itself."""
    twins = [twin for _, twin in clause_twins(code, law)]
    yield Claim(
        id="guard.clauses",
        says="each clause of the guards says what its rule says, for all plain values",
        about=tuple(f"clause.{name}" for name in CLAUSES),
        scope=f"any numbers; lists of up to {LONG - 1}",
        laws=law,
        parts=(Part(every(twins)),),
    )


def claims(code: Modules, law: Laws) -> Iterator[Claim]:
    """All claims about guards."""
    groups = (guard_clauses, guard_acquire, guard_reconfigure, guard_reward, guard_chance, guard_purchase, guard_pass)
    for group in groups:
        yield from group(code, law)


__all__ = ["Reason", "claims", "term_of"]
