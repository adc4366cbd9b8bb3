"""Drawn setups and positions, and the universe of actions that can be written in a position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import Any

from oracle.drawing import one, several
from oracle.game import Action, Choose
from oracle.games.station.payments import purchase
from oracle.games.station.placement import PLACEMENTS, rings
from oracle.games.station.state import BERTHS, COMMAND_CORE, DISPLAY, DOCK, State, credit
from oracle.zones import Bag, bag, count_selections, selection, selections

GUILDS = ("blue", "red", "green", "gold")
MODULES: dict[str, dict[str, Any]] = {
    "Pump": {"guild": "blue", "cost": 0, "renown": 1},
    "Tank": {"guild": "blue", "cost": 4, "renown": 2},
    "Coil": {"guild": "red", "cost": 3, "renown": 0},
    "Grove": {"guild": "green", "cost": 6, "renown": 5},
}
"""Modules cheap enough that most drawn positions have something to purchase."""
SMALL = rings(3)
LINE: dict[str, Any] = {"nodes": ["core", "n1", "n2", "n3"], "links": [["core", "n1"], ["n1", "n2"], ["n2", "n3"]]}
MAPS: tuple[dict[str, Any], ...] = (
    LINE,
    {"nodes": list(SMALL.nodes), "links": [list(link) for link in SMALL.links]},
    {"nodes": ["core"], "links": []},
)


PERFT: dict[str, Any] = {
    "players": ["A", "B"],
    "modules": {name: MODULES[name] for name in ("Tank", "Coil")},
    "map": {"nodes": ["core", "n1"], "links": [["core", "n1"]]},
    "market": {"1": "Tank", "2": "Coil"},
    "salvage": ["Coil"],
    "display": ["blue 2", "red 3"],
    "deck": ["green 6"],
    "hand": {"A": ["blue 4"], "B": ["red 1"]},
    "dock": {"B": ["Coil"]},
}
"""Where published counts of plays begin: every order known, takings, exact payments and moves to choose from."""


def setup(choose: Choose) -> dict[str, Any]:
    """A game of 2 to 6 commanders with what is in the box; 0 is the plainest choice."""
    players = list("ABCDEF"[: 2 + choose(5)])
    given: dict[str, Any] = {"players": players, "starting": one(choose, players)}
    if choose(2):
        given["placement"] = one(choose, list(PLACEMENTS))
    if choose(4) == 1:
        given["end"] = {"salvage empty": True, "counter": 1 + choose(4)}
    return given


def position(choose: Choose) -> dict[str, Any]:
    """A position of 2 to 4 commanders, reachable or not."""
    players = list("ABCD"[: 2 + choose(3)])
    credits = [f"{guild} {value}" for guild in GUILDS for value in (1, 2, 3, 4, 8)]
    names = list(MODULES)
    layout = one(choose, MAPS)
    market = {berth: one(choose, names) for berth in BERTHS if choose(3)}

    def pile(items: list[str], most: int) -> list[Any]:
        known, unknown = several(choose, items, 2), several(choose, items, most)
        return [*known, unknown] if unknown else known

    def stands() -> dict[str, str]:
        return {"core": COMMAND_CORE} | {node: one(choose, names) for node in layout["nodes"][1:] if choose(2)}

    docks = {player: several(choose, names, DOCK) for player in players}
    given: dict[str, Any] = {
        "players": players,
        "starting": one(choose, players),
        "turn": one(choose, players),
        "round": 1 + choose(5),
        "display": several(choose, credits, DISPLAY) if choose(3) else [],
        "deck": pile(credits, 5),
        "discard": several(choose, credits, 4),
        "hand": {player: several(choose, credits, 5) for player in players},
        "market": market,
        "salvage": pile(names, 3),
        "eligible": [berth for berth in market if choose(2)],
        "discount": {berth: choose(4) for berth in market if choose(3) == 1},
        "dock": docks,
        "scored": {player: sorted(set(dock)) for player, dock in docks.items() if choose(2)},
        "station": {player: stands() for player in players},
        "counter": {player: choose(4) for player in players},
        "renown": {player: choose(9) for player in players},
        "ended": choose(4) == 1,
        "modules": MODULES,
        "map": layout,
        "placement": one(choose, list(PLACEMENTS)),
        "drift": choose(3),
        "end": one(choose, [{"salvage empty": True}, {"counter": 3}, {"salvage empty": True, "counter": 2}, {}]),
        "scoring": one(choose, ["first install", "every install", "at the end"]),
    }
    for reading in ("needless payment", "pay nothing", "identical exchange"):
        if choose(3) == 1:
            given[reading] = False
    return given


def candidates(state: State) -> Iterator[Action]:
    """Every action of the turn, of a choice and of chance that can be written with few cards, each once."""
    return iter(dict.fromkeys(_candidates(state)))


def _candidates(state: State) -> Iterator[Action]:
    table, mover = state.table, state.mover
    nodes = [*table.map.nodes, "nowhere"]
    modules = [module.name for module in table.modules]
    yield Action("pass")
    for cards in _credits(state):
        yield Action("acquire", cards)
    shown = dict.fromkeys((*state.display, *mover.hand, *(card for layer in state.deck for card in layer)))
    yield from (Action("take", (card,)) for card in shown)
    yield Action("take")
    yield from (Action("salvage", (module,)) for module in modules)
    deck = bag(card for layer in state.deck for card in layer)
    for n in {0, 1, min(len(deck), DISPLAY - len(state.display))}:
        for i in range(min(100, count_selections(deck, n, n))):
            yield Action("deal", selection(deck, n, n, i))
    for node in nodes:
        yield Action("stow", (node,))
        for module in (*modules, COMMAND_CORE):
            yield Action("install", (module,), (("at", (node,)),))
            yield Action("exchange", (node,), (("for", (module,)),))
    yield from _purchases(state, [*nodes, "dock"])


def _credits(state: State) -> Iterator[Bag]:
    """No card; one, two or three of the displayed ones and some others; more of those that are displayed."""
    others = (*state.mover.hand, *state.discard, *(card for layer in state.deck for card in layer))
    names = [*dict.fromkeys(state.display), *[card for card in dict.fromkeys(others) if card not in state.display][:2]]
    for n in range(4):
        yield from map(bag, combinations_with_replacement(names, n))
    yield from selections(state.display, 4, len(state.display))


def _purchases(state: State, to: Sequence[str]) -> Iterator[Action]:
    """From each berth and one that is none: what lies there with many payments, another module with one."""
    hand = state.mover.hand
    modules = [module.name for module in state.table.modules]
    for berth, module in zip((*BERTHS, "6"), (*state.market, ""), strict=True):
        own = bag(card for card in hand if module and credit(card).guild == state.table[module].guild)
        few = [selection(hand, 0, 2, i) for i in range(min(40, count_selections(hand, 0, 2)))]
        many = [selection(own, 0, len(own), i) for i in range(min(60, count_selections(own, 0, len(own))))]
        payments = list(dict.fromkeys([*many, *few, own, hand, bag((*own, "blue 9"))]))
        for wrong in modules[:2]:
            yield purchase(wrong, berth, own, "dock")
        if module:
            yield from (purchase(module, berth, cards, "dock") for cards in payments)
            spots = [*to[: 4 + len(state.table.map.nodes) // 8], *to[-2:]]
            yield from (purchase(module, berth, cards, node) for cards in payments for node in spots)
            yield from (purchase(module, berth, own, node) for node in to)
