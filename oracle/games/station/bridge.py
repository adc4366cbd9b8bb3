"""From the theory's symbols to what the shipped code is lifted on, and from models back to positions."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from types import ModuleType, SimpleNamespace
from typing import Any

import z3

from oracle.games.station import GAME, Station, theory
from oracle.games.station import state as station_state
from oracle.games.station.state import BERTHS, COMMAND_CORE, IN_TURN, Credit, Module, Step
from oracle.games.station.theory import Position
from oracle.games.station.variant import variant
from oracle.proof import loops
from oracle.proof.bags import stand_in
from oracle.proof.lift import Modules, load
from oracle.proof.paths import LiftError
from oracle.proof.readings import RULE
from oracle.proof.rows import Among, Heaps, Lump, Mass, Parted, Worth, rewritten, with_rows
from oracle.proof.symbols import Slots, SymAtom, SymBag, SymBool, SymInt, SymText, term_of
from oracle.proof.terms import TRUE, Int, count, number

PACKAGE = "oracle.games.station"
GUARD = (f"{PACKAGE}.rules", f"{PACKAGE}.verdicts")
EFFECTS = (f"{PACKAGE}.effects",)
GUILDS: tuple[str | None, ...] = ("guild",)
"""Guilds are any numbers: none of them has a name of its own."""
STATE = f"{PACKAGE}.state"
LOOPS = ("_no_purchase", "_no_reconfiguration")
"""Functions of the guards that are lifted with one berth, one node, one docked module: they ask each by itself."""
NODES = ("core", "n1")
"""The nodes of a lifted map that are looked at: the Core's and any other."""
NODE, SITE = count("node"), count("site")
"""Any node but the Core's; another such, where two are spoken of."""
OTHERS = count("other.nodes")
"""How many of the nodes that are not looked at can take a module."""


def symbolic_state(view: Position) -> ModuleType:
    """`state.py` with credit cards of any guild and value."""
    module = ModuleType(STATE)
    module.__dict__.update(vars(station_state))
    printed = {kind: Credit(guild(view.guild[kind]), SymInt(view.value[kind])) for kind in view.kinds}  # type: ignore[arg-type]

    def credit(name: Any) -> Any:
        return name if isinstance(name, Credit) else printed[name] if name in printed else station_state.credit(name)

    module.__dict__["credit"] = credit
    return module


def guild(code: Any) -> Any:
    """A guild of a card or a module."""
    return SymAtom(number(code), GUILDS)


def modules(
    view: Position,
    names: Sequence[str] = (*GUARD, *EFFECTS),
    edits: Mapping[str, ast.Module] | None = None,
) -> Shipped:
    """The shipped modules, loaded to be lifted with the kinds of cards of a position."""
    trees = {name: rewritten(name, (edits or {}).get(name)) for name in names}
    for name in LOOPS if GUARD[1] in trees else ():
        loops.check(trees[GUARD[1]], name)
    stand_ins = {"oracle.zones": stand_in(), STATE: symbolic_state(view)}
    code: dict[str, ModuleType] = {}
    for name in names:
        package = ModuleType(PACKAGE)
        package.__dict__.update({loaded.rpartition(".")[2]: module for loaded, module in code.items()})
        code |= with_rows(load([name], {**stand_ins, PACKAGE: package}, trees))
        if name == f"{PACKAGE}.rules":
            code[name].__dict__[COST], code[name].__dict__["effective_cost"] = code[name].effective_cost, _any_cost
    if EFFECTS[0] in code:
        code[EFFECTS[0]].__dict__["__builtins__"]["str"] = _text
    return Shipped(code, edits)


def _text(value: object) -> Any:
    """The number of a round, written in an event: never looked at."""
    return SymText() if isinstance(value, SymInt) else str(value)


COST = "shipped_effective_cost"
"""Where the shipped clause is kept: the guards are lifted with any other in its place."""


def _any_cost(cost: Any, discount: Any) -> SymInt:
    return SymInt(theory.drift(term_of(cost), term_of(discount)))


class Shipped(Modules):
    """The modules of one game, which is the game itself or one with other syntax trees."""

    def __init__(self, modules: Mapping[str, ModuleType], edits: Mapping[str, ast.Module] | None = None) -> None:
        super().__init__(modules)
        self._edits = edits

    @cached_property
    def game(self) -> Station:
        """What refutations are replayed on."""
        return variant(RULE, self._edits) if self._edits else GAME


class AnyStation:
    """A commander's station: `names` are the modules that are spoken of, `VACANT` the first of them."""

    def __init__(
        self, term: Any, names: Sequence[str], known: Mapping[int, str] | None = None, node: Int = NODE
    ) -> None:
        self.term, self.names, self.known, self.node = term, tuple(names), known or {}, node

    def __getitem__(self, place: int) -> Any:
        node = (number(theory.CORE), self.node)[place]
        return self.known[place] if place in self.known else SymAtom(z3.Select(self.term, node), self.names)


class AnyMap:
    """A map of any number of nodes, two of which are looked at; a station on it is a term."""

    def __init__(self, nodes: Any = NODES) -> None:
        self.nodes = nodes
        self.index = {node: i for i, node in enumerate(NODES)}

    def with_module(self, station: AnyStation, node: str, module: Any) -> AnyStation:
        code, place = station.names.index(module), (theory.CORE, station.node)[self.index[node]]
        return AnyStation(theory.put(station.term, place, code), station.names, node=station.node)


def all_nodes() -> Among:
    """The nodes of a map of which it is asked how many can take a module."""
    return Among(NODES, OTHERS)


class AnyDock(SymBag):
    """Any number of docked modules, one of which is looked at where there is any."""

    __slots__ = ("name", "number")

    def __init__(self, name: str, number: Int) -> None:
        super().__init__({})
        self.name, self.number = name, number

    @property
    def size(self) -> SymInt:
        return SymInt(self.number)

    def __iter__(self) -> Iterator[str]:  # type: ignore[override]
        if SymBool(self.number >= 1):
            yield self.name

    def _refuse(self, *_: object) -> Any:
        raise LiftError("of this dock only its size and one module are known")

    __len__ = None  # type: ignore[assignment]
    count = less = only = of = __contains__ = __bool__ = __eq__ = _refuse  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]


class AnyTable:
    """The parameters of a game: any modules, any placement rules, any reading."""

    placement = "any"

    def __init__(self, view: Position, prints: Mapping[str, theory.Print], nodes: Any = NODES) -> None:
        self.map = AnyMap(nodes)
        self.prints = prints
        self.needless_payment, self.pay_nothing, self.identical_exchange = (
            SymBool(term) for term in (view.needless, view.free, view.alike)
        )

    def __getitem__(self, name: str) -> Module:
        printed = self.prints[name]
        return Module(name, guild(printed.guild), SymInt(printed.cost), SymInt(printed.renown))  # type: ignore[arg-type]

    def allows(self, station: AnyStation) -> SymBool:
        return SymBool(theory.valid(station.term))


def market(view: Position, names: Sequence[str] | None = None) -> Any:
    """The berths: with names what lies there; without any, only the first is looked at, and `Module` lies in it."""
    if names is not None:
        return tuple(names)

    def lying(place: int) -> str:
        if place:
            raise LiftError("one berth is looked at, not several")
        return "Module"

    class Berths(Slots):
        def __getitem__(self, place: int) -> Any:
            return super().__getitem__(place) or ""

    return Berths((berth.taken for berth in view.market), lying)


def hand(view: Position) -> Parted:
    """Any hand: how many cards there are of a guild, and what they are worth together."""

    def lump(part: Any) -> Lump:
        card: Any = Credit(part, Mass(view.total(part.code)))  # type: ignore[arg-type]
        return Lump(TRUE, card, view.held(part.code))

    return Parted(lambda mark: Credit(mark, SymInt(number(0))), lump)  # type: ignore[arg-type]


def payment(view: Position, paid: theory.Heap) -> Heaps:
    """Any number of cards of each kind."""
    return Heaps(paid.n, {kind: Worth(view.value[kind], worth) for kind, worth in paid.worth.items()})


def position(
    view: Position,
    names: Sequence[str] = ("",),
    berths: Sequence[str] | None = None,
    dock: Any = None,
    hand: Any = None,
    stack: tuple[Step, ...] = (),
    prints: Mapping[str, theory.Print] | None = None,
    nodes: Any = NODES,
    node: Int = NODE,
) -> Any:
    """The position as the guards ask it. Players are any objects with a `place`."""
    prints = prints or {"Module": view.market[0].printed}
    mover = SimpleNamespace(
        name=SimpleNamespace(place=view.now),
        hand=SymBag(view.hand) if hand is None else hand,
        dock=SymBag({"docked": view.docked}) if dock is None else dock,
        station=AnyStation(view.station, names, node=node),
    )
    return SimpleNamespace(
        table=AnyTable(view, prints, nodes),
        over=SymBool(view.over),
        ended=SymBool(view.ended),
        stack=stack,
        at=IN_TURN,
        round=SymInt(number(1)),
        mover=mover,
        place=lambda who: SymInt(number(-1 if who is None else who.place)),
        display=SymBag(view.display),
        market=market(view, berths),
        discount=tuple(SymInt(berth.discount) for berth in view.market),
        deck=tuple(SymBag(layer) for layer in view.deck),
        salvage=tuple(SymBag(layer) for layer in view.salvage),
    )


def who(code: Any) -> Any:
    """A commander by his place in the order of the round."""
    return SimpleNamespace(place=code)


__all__ = ["BERTHS", "COMMAND_CORE"]
