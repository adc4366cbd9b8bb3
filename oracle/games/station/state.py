"""A position of the Station."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from oracle.games.station.placement import CORE, PLACEMENTS, VACANT, Map, Placement, Station, rings
from oracle.given import written
from oracle.timing import Axiom, Calendar, Moment, Ordering, Trigger, Unit, turn_order
from oracle.zones import Bag, Deck, size

ORDERING = Ordering(
    (
        Axiom("", "span"),
        Axiom("stn.6.seat-order", "next", ("turn",)),
        Axiom("stn.6.round", "outer first"),
        Axiom("stn.6.round", "inner last"),
    )
)
CALENDAR = Calendar(Unit("round", (Unit("turn", repeats=True, kind="turn"),)), ORDERING)
"""A round: a turn for every commander."""
IN_TURN = Moment("during", "turn")
AFTER_TURN, AFTER_ROUND = Moment("after", "turn"), Moment("after", "round")

COMMAND_CORE = "Command Core"
BERTHS = ("1", "2", "3", "4", "5")
DISPLAY = 6
"""How many credit cards the display holds."""
DOCK = 4
"""How many modules a Dry Dock holds."""
REWARD = 3
"""The highest value of the card taken for an exact payment."""

Scoring = Literal["first install", "every install", "at the end"]
"""When a module's Renown is scored: once, each time it is installed, or for those installed when the game ends."""
DEFAULT_MAP = rings(6, 12)


class Credit(NamedTuple):
    """A credit card, named "<guild> <value>"."""

    guild: str
    value: int


@lru_cache(maxsize=4096)
def credit(name: str) -> Credit:
    """The card of that name; a name that is no card's has value 0."""
    guild, _, value = name.rpartition(" ")
    return Credit(guild, int(value)) if value.isdecimal() else Credit(name, 0)


class Module(Struct, frozen=True):
    """A module as printed."""

    name: str
    guild: str
    cost: int
    renown: int = 0


class Table(Struct, frozen=True):
    """What stays the same for a whole game: its modules, sorted by name, and the parameters.

    `counter` is the number of purchases of one commander that triggers the end (0: none does), `unfilled`
    whether a berth that cannot be refilled does. The last three are readings of what the manual leaves open.
    """

    modules: tuple[Module, ...] = ()
    map: Map = DEFAULT_MAP
    placement: str = "connected"
    drift: int = 1
    unfilled: bool = True
    counter: int = 0
    scoring: Scoring = "first install"
    needless_payment: bool = True
    pay_nothing: bool = True
    identical_exchange: bool = True

    def __getitem__(self, name: str) -> Module:
        return next(module for module in self.modules if module.name == name)

    def allows(self, station: Station) -> bool:
        """Whether the station satisfies the placement rules."""
        placement: Placement = PLACEMENTS[self.placement]
        return placement(self.map, station)


class Step(Struct, frozen=True):
    """Something still to be carried out: `do` names it, `berth` is the index of the berth it concerns."""

    do: str
    berth: int = 0


class Seat(Struct, frozen=True):
    """A commander. `scored` are the modules of the dock whose Renown has been scored before."""

    name: str
    station: Station
    hand: Bag = ()
    dock: Bag = ()
    scored: Bag = ()
    counter: int = 0
    renown: int = 0


class State(Struct, frozen=True):
    """A whole position.

    `at` is the moment of the round, `turn` the seat whose turn it is. `market` and `discount` follow `BERTHS`.
    `stack` holds the steps still to be carried out, the next one last; while it is not empty nothing
    else happens. `agenda` is what waits for the end of the turn or of the round.
    """

    table: Table
    seats: tuple[Seat, ...]
    starting: int = 0
    turn: int = 0
    round: int = 1
    at: Moment = IN_TURN
    display: Bag = ()
    deck: Deck = ()
    discard: Bag = ()
    market: tuple[str, ...] = ("",) * len(BERTHS)
    discount: tuple[int, ...] = (0,) * len(BERTHS)
    salvage: Deck = ()
    ended: bool = False
    over: bool = False
    stack: tuple[Step, ...] = ()
    agenda: tuple[Trigger[Step], ...] = ()

    @property
    def mover(self) -> Seat:
        """The commander whose turn it is."""
        return self.seats[self.turn]

    @property
    def following(self) -> int:
        """The seat after the one whose turn it is."""
        return (self.turn + 1) % len(self.seats)

    @property
    def eligible(self) -> tuple[int, ...]:
        """The indices of the berths whose module gets the Drift discount when this round ends."""
        return tuple(trigger.effect.berth for trigger in self.agenda if trigger.moment == AFTER_ROUND)

    def order(self) -> tuple[str, ...]:
        """The commanders' names in seat order from the one whose turn it is."""
        return turn_order([seat.name for seat in self.seats], self.mover.name)

    def place(self, player: str | None) -> int:
        """The player's place in the order of the round, from 0; -1 for nobody in the game."""
        names = [seat.name for seat in self.seats]
        return (names.index(player) - self.starting) % len(names) if player in names else -1

    def with_mover(self, **fields: Any) -> State:
        """The state with fields of the seat whose turn it is replaced."""
        changed = replace(self.mover, **fields)
        return replace(self, seats=(*self.seats[: self.turn], changed, *self.seats[self.turn + 1 :]))

    def push(self, *steps: Step) -> State:
        """The state with steps put on the stack; the first of them is carried out first."""
        return replace(self, stack=self.stack + steps[::-1])


def drifts(berth: int) -> Trigger[Step]:
    """The discount that the module now in a berth waits for."""
    return Trigger(None, AFTER_ROUND, f"Drift of berth {BERTHS[berth]}", Step("drift", berth))


def refills(berth: int) -> Trigger[Step]:
    """The module of the salvage supply that a berth which a purchase has emptied waits for."""
    return Trigger(None, AFTER_TURN, f"refill of berth {BERTHS[berth]}", Step("salvage", berth))


def observe(state: State, player: str | None = None) -> dict[str, Any]:
    """The position in the words of `given:`; with a player, without the order of the decks, which none can see."""
    seats, table = state.seats, state.table
    out: dict[str, Any] = {
        "players": [seat.name for seat in seats],
        "starting": seats[state.starting].name,
        "turn": state.mover.name,
        "round": state.round,
        "display": list(state.display),
        "deck size": size(state.deck),
        "discard": list(state.discard),
        "hand": {seat.name: list(seat.hand) for seat in seats},
        "market": {berth: module for berth, module in zip(BERTHS, state.market, strict=True) if module},
        "salvage size": size(state.salvage),
        "eligible": [BERTHS[i] for i in state.eligible],
        "discount": {berth: n for berth, n in zip(BERTHS, state.discount, strict=True) if n},
        "dock": {seat.name: list(seat.dock) for seat in seats},
        "scored": {seat.name: list(seat.scored) for seat in seats},
        "station": {
            seat.name: {
                node: module for node, module in zip(table.map.nodes, seat.station, strict=True) if module != VACANT
            }
            for seat in seats
        },
        "counter": {seat.name: seat.counter for seat in seats},
        "renown": {seat.name: seat.renown for seat in seats},
        "ended": state.ended,
        "over": state.over,
        "modules": {module.name: _printed(module) for module in table.modules},
        "placement": table.placement,
        "drift": table.drift,
        "end": {"salvage empty": table.unfilled, "counter": table.counter},
        "scoring": table.scoring,
        "needless payment": table.needless_payment,
        "pay nothing": table.pay_nothing,
        "identical exchange": table.identical_exchange,
    }
    if player is None:
        out["deck"], out["salvage"] = written(state.deck), written(state.salvage)
    if table.map != DEFAULT_MAP:
        out["map"] = {"nodes": list(table.map.nodes), "links": [list(link) for link in table.map.links]}
    if state.stack:
        out["under way"] = [step.do for step in reversed(state.stack)]
    return out


def _printed(module: Module) -> dict[str, Any]:
    return {"guild": module.guild, "cost": module.cost, "renown": module.renown}


def core_only(map: Map) -> Station:
    """A station of nothing but the Command Core."""
    return tuple(COMMAND_CORE if node == CORE else VACANT for node in map.nodes)
