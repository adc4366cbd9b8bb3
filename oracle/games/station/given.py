"""Reading a position, or the setup of a game, as a person writes it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from math import prod
from typing import Any, get_args

from msgspec.structs import replace

from oracle.games.station.boxed import CREDITS, MODULES, SALVAGE
from oracle.games.station.placement import CORE, PLACEMENTS, Map, Station
from oracle.games.station.state import (
    AFTER_ROUND,
    BERTHS,
    CALENDAR,
    COMMAND_CORE,
    DEFAULT_MAP,
    DISPLAY,
    DOCK,
    IN_TURN,
    Module,
    Scoring,
    Seat,
    State,
    Step,
    Table,
    core_only,
    credit,
    drifts,
)
from oracle.given import Path, bad, cards, count, deck, fields, flag, known, listing, mapping
from oracle.zones import Bag, holds, size

PARAMETERS = (
    *("modules", "map", "placement", "drift", "end", "scoring"),
    *("needless payment", "pay nothing", "identical exchange"),
)
SEATED = ("hand", "dock", "scored", "station", "counter", "renown")
SIZES = ("deck size", "salvage size")
FIELDS = (
    *("players", "starting", "turn", "round", "display", "deck", "discard", "market", "salvage"),
    *("eligible", "discount", *SEATED, "ended", "over", *PARAMETERS, *SIZES),
)
SETUP = ("players", "starting", "deck", "salvage", "market", "hand", *PARAMETERS, "seed")
SEATS = "ABCDEFGHIJKL"
MOST_VALUE = 99

_CREDIT = re.compile(r"[^\W\d][^,]* [1-9]\d?")
_NAME = re.compile(r"[^\W_][^,]*")
_WORDS = ("at", "for", "from", "pay", "to")


def position(given: Mapping[str, Any], edition: str) -> State:
    """The state a `given:` describes. Raises `BadPosition`."""
    if "under way" in given:
        fix = "write the position before the action and take it from there"
        bad("an action is under way", ("under way",), fix)
    fields(given, FIELDS)
    declared = _modules(given)
    printed = {**MODULES, **declared}

    def module(name: object, path: Path) -> str:
        return known(name, printed, "module", path)

    players = _players(given)
    salvage = deck(given.get("salvage", ()), ("salvage",), module)
    market, discount = _market(given, module)
    map = _map(given)
    seats = _seats(given, players, map, module)
    used = {*market, *_names(seats, map), *(name for layer in salvage for name in layer)}
    table = _table(given, (printed[name] for name in sorted((used | declared.keys()) & printed.keys())), map)
    starting = players.index(known(given.get("starting", players[0]), players, "player", ("starting",)))
    state = State(
        table=table,
        seats=seats,
        starting=starting,
        turn=players.index(known(given.get("turn", players[starting]), players, "player", ("turn",))),
        round=count(given.get("round", 1), ("round",), least=1),
        display=cards(given.get("display", ()), ("display",), _credit),
        deck=deck(given.get("deck", ()), ("deck",), _credit),
        discard=cards(given.get("discard", ()), ("discard",), _credit),
        market=market,
        discount=discount,
        salvage=salvage,
        agenda=tuple(drifts(berth) for berth in _eligible(given, market)),
        ended=flag(given.get("ended", False), ("ended",)),
        over=flag(given.get("over", False), ("over",)),
    )
    _check(given, state)
    return replace(state, at=AFTER_ROUND if state.over else IN_TURN)


def start(setup: Mapping[str, Any], edition: str) -> State:
    """The first position of a game, the display and the market still to be filled. Raises `BadPosition`."""
    fields(setup, SETUP)
    given = {field: value for field, value in setup.items() if field != "seed"}
    given.setdefault("deck", [list(CREDITS)])
    if "salvage" not in given:
        own = [name for name in _modules(given) if name not in MODULES]
        given["salvage"] = [[*SALVAGE, *own]]
    state = position(given, edition)
    empty = [Step("salvage", berth) for berth, module in enumerate(state.market) if not module]
    if size(state.salvage) < len(empty):
        bad(f"{size(state.salvage)} modules cannot fill the market", ("salvage",), f"at least {len(empty)}")
    return replace(state, at=CALENDAR.first, agenda=()).push(Step("deal"), *empty, Step("begin"))


# -- names -----------------------------------------------------------------------------------------


def _credit(value: object, path: Path) -> str:
    if not isinstance(value, str) or not _CREDIT.fullmatch(value):
        bad(f"{value!r} is no credit card", path, f"write GUILD VALUE, for example 'blue 3' (1 to {MOST_VALUE})")
    return value


def _name(value: object, what: str, path: Path) -> str:
    """A name that can stand in the text of an action."""
    if not isinstance(value, str) or not _NAME.fullmatch(value) or value in ("nothing", "dock"):
        bad(f"{value!r} cannot name a {what}", path, "letters and digits, the first of them no sign, without commas")
    if taken := [word for word in value.split() if word in _WORDS]:
        bad(f"{value!r} cannot name a {what}", path, f"a name without the word {taken[0]!r}, which actions use")
    return value


def _players(given: Mapping[str, Any]) -> tuple[str, ...]:
    if "players" in given:
        players = tuple(listing(given["players"], ("players",)))
    else:
        named = {name for zone in SEATED for name in mapping(given.get(zone, {}), (zone,))}
        named |= {given[field] for field in ("turn", "starting") if isinstance(given.get(field), str)}
        last = max((SEATS.find(str(name)) for name in named), default=1)
        players = tuple(SEATS[: max(2, last + 1)])
    if not all(isinstance(name, str) and name for name in players) or len(set(players)) != len(players):
        bad("players are different names", ("players",), "for example [A, B]")
    if not 2 <= len(players) <= len(SEATS):
        bad(f"{len(players)} commanders cannot play", ("players",), f"2 to {len(SEATS)} commanders")
    return players


def _berth(value: object, path: Path) -> int:
    name = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    return BERTHS.index(known(name, BERTHS, "berth", path))


# -- parameters ------------------------------------------------------------------------------------


def _modules(given: Mapping[str, Any]) -> dict[str, Module]:
    found: dict[str, Module] = {}
    for name, value in mapping(given.get("modules", {}), ("modules",)).items():
        path: Path = ("modules", name)
        _name(name, "module", path)
        if name == COMMAND_CORE:
            bad(f"the {COMMAND_CORE} is no module to be bought", path, "another name")
        printed = mapping(value, path)
        fields(printed, ("guild", "cost", "renown"), "field of a module", path)
        guild = printed.get("guild")
        _credit(f"{guild} 1" if isinstance(guild, str) else guild, (*path, "guild"))
        cost = count(printed.get("cost", 0), (*path, "cost"), 999)
        renown = count(printed.get("renown", 0), (*path, "renown"), 999)
        found[name] = Module(name, str(guild), cost, renown)
    return found


def _map(given: Mapping[str, Any]) -> Map:
    if "map" not in given:
        return DEFAULT_MAP
    value = mapping(given["map"], ("map",))
    fields(value, ("nodes", "links"), "field of a map", ("map",))
    nodes = listing(value.get("nodes", ()), ("map", "nodes"))
    for i, node in enumerate(nodes):
        _name(node, "node", ("map", "nodes", i))
    if CORE not in nodes or len(set(nodes)) != len(nodes):
        bad(f"the nodes are different names, {CORE!r} among them", ("map", "nodes"), f"[{CORE}, n1, n2]")
    if len(nodes) > 1000:
        bad(f"{len(nodes)} nodes are too many", ("map", "nodes"), "at most 1000")
    links: list[tuple[str, str]] = []
    for i, link in enumerate(listing(value.get("links", ()), ("map", "links"))):
        path: Path = ("map", "links", i)
        ends = [known(end, nodes, "node", path) for end in listing(link, path)]
        if len(set(ends)) != 2 or len(ends) != 2:
            bad(f"{link!r} is no link", path, "two different nodes, for example [core, n1]")
        links.append((ends[0], ends[1]))
    return Map(nodes, links)


def _table(given: Mapping[str, Any], modules: Iterable[Module], map: Map) -> Table:
    end = mapping(given.get("end", {"salvage empty": True}), ("end",))
    fields(end, ("salvage empty", "counter"), "end", ("end",))
    scoring: Scoring = known(  # type: ignore[assignment]
        given.get("scoring", get_args(Scoring)[0]), get_args(Scoring), "scoring", ("scoring",)
    )
    return Table(
        modules=tuple(modules),
        map=map,
        placement=known(given.get("placement", next(iter(PLACEMENTS))), PLACEMENTS, "placement", ("placement",)),
        drift=count(given.get("drift", 1), ("drift",), 99),
        unfilled=flag(end.get("salvage empty", False), ("end", "salvage empty")),
        counter=count(end.get("counter", 0), ("end", "counter")),
        scoring=scoring,
        needless_payment=flag(given.get("needless payment", True), ("needless payment",)),
        pay_nothing=flag(given.get("pay nothing", True), ("pay nothing",)),
        identical_exchange=flag(given.get("identical exchange", True), ("identical exchange",)),
    )


# -- what lies where -------------------------------------------------------------------------------


def _market(given: Mapping[str, Any], module: Any) -> tuple[tuple[str, ...], tuple[int, ...]]:
    market, discount = [""] * len(BERTHS), [0] * len(BERTHS)
    for berth, name in mapping(given.get("market", {}), ("market",)).items():
        market[_berth(berth, ("market", berth))] = module(name, ("market", berth))
    for berth, n in mapping(given.get("discount", {}), ("discount",)).items():
        i = _berth(berth, ("discount", berth))
        discount[i] = count(n, ("discount", berth), 999)
        if not market[i]:
            bad(f"berth {berth} is empty", ("discount", berth), "a discount belongs to the module in a berth")
    return tuple(market), tuple(discount)


def _eligible(given: Mapping[str, Any], market: tuple[str, ...]) -> list[int]:
    if "eligible" not in given:
        return [i for i, module in enumerate(market) if module]
    berths: set[int] = set()
    for i, value in enumerate(listing(given["eligible"], ("eligible",))):
        berth = _berth(value, ("eligible", i))
        if not market[berth]:
            bad(f"berth {value} is empty", ("eligible", i), "modules in the market are eligible")
        berths.add(berth)
    return sorted(berths)


def _seats(given: Mapping[str, Any], players: tuple[str, ...], map: Map, module: Any) -> tuple[Seat, ...]:
    own: dict[str, Mapping[str, Any]] = {}
    for field in SEATED:
        own[field] = mapping(given.get(field, {}), (field,))
        for player in own[field]:
            known(player, players, "player", (field, player))

    def counted(field: str, player: str) -> int:
        return count(own[field].get(player, 0), (field, player))

    def several(field: str, player: str) -> Bag:
        return cards(own[field].get(player, ()), (field, player), _credit if field == "hand" else module)

    seats: list[Seat] = []
    for player in players:
        dock, scored = several("dock", player), several("scored", player)
        if len(dock) > DOCK:
            bad(f"{len(dock)} modules are too many for a Dry Dock", ("dock", player), f"at most {DOCK}")
        if not holds(dock, scored):
            bad("only modules of the dock are listed as scored", ("scored", player), f"of: {', '.join(dock) or 'none'}")
        station = _station(own["station"].get(player, {}), map, module, ("station", player))
        renown, counter = counted("renown", player), counted("counter", player)
        seats.append(Seat(player, station, several("hand", player), dock, scored, counter, renown))
    return tuple(seats)


def _station(value: object, map: Map, module: Any, path: Path) -> Station:
    station = core_only(map)
    for node, name in mapping(value, path).items():
        known(node, map.nodes, "node", (*path, node))
        if (node == CORE) != (name == COMMAND_CORE):
            bad(f"{name} cannot stand at {node}", (*path, node), f"the {COMMAND_CORE}, and it alone, stands at {CORE}")
        station = map.with_module(station, node, name if node == CORE else module(name, (*path, node)))
    return station


def _names(seats: Iterable[Seat], map: Map) -> set[str]:
    return {name for seat in seats for name in (*seat.station, *seat.dock)}


def _check(given: Mapping[str, Any], state: State) -> None:
    if len(state.display) > DISPLAY:
        bad(f"{len(state.display)} cards are too many for the display", ("display",), f"at most {DISPLAY}")
    for field, real in (("deck size", size(state.deck)), ("salvage size", size(state.salvage))):
        if type(given.get(field, real)) is not int or given.get(field, real) != real:
            bad(
                f"{given[field]!r} does not fit the {field.removesuffix(' size')}", (field,), f"{real}, or leave it out"
            )
    # A legal set is counted by `len`, which must fit into 63 bits whatever hand these cards may come to form.
    held = Counter(card for seat in state.seats for card in seat.hand)
    held.update((*state.display, *state.discard, *(card for layer in state.deck for card in layer)))
    for guild in {credit(card).guild for card in held}:
        ways = prod(n + 1 for card, n in held.items() if credit(card).guild == guild)
        if ways * len(BERTHS) * (len(state.table.map.nodes) + 1) >= 1 << 62:
            bad(f"{guild} has too many different credit cards to count all payments", (), "at most 50 or so")
