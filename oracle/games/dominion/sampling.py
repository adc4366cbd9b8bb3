"""Drawn setups and positions, and the universe of actions that can be written in a position."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations_with_replacement, permutations
from typing import Any

from oracle.drawing import several
from oracle.errors import BadInput
from oracle.game import Action, Choose
from oracle.games.dominion.cards import BASICS, KINGDOM, NEWER, box_size, pile_size
from oracle.games.dominion.effects import CHANCE
from oracle.games.dominion.state import State
from oracle.zones import bag, count_selections, selection

BASIC = [card.name for card in BASICS]
OWN = [card.name for card in KINGDOM]

DECLARED: dict[str, dict[str, Any]] = {
    "Caravan": {"cost": 4, "types": ["Action", "Duration"], "actions": 1, "later": [{"at": "before turn", "cards": 1}]},
    "Lantern": {"cost": 3, "types": ["Night"], "later": [{"at": "before turn", "coins": 1}]},
    "Broom": {"cost": 2, "types": ["Action"], "later": [{"at": "before clean-up", "cards": 1}]},
}
"""Cards of no printed set that exercise what a position can declare."""


PERFT: dict[str, Any] = {
    "players": ["A", "B"],
    "hand": {
        "A": ["Cellar", "Copper", "Copper", "Estate", "Village"],
        "B": ["Copper", "Copper", "Estate", "Moat", "Silver"],
    },
    "deck": {
        "A": ["Militia", "Copper", "Silver", "Estate", "Copper"],
        "B": ["Smithy", "Copper", "Copper", "Estate", "Copper"],
    },
    "turns": {"A": 1},
}
"""Where published counts of plays begin: every order known, cards that draw, discard, react and attack."""


def _distinct(choose: Choose, names: Sequence[str], n: int) -> list[str]:
    left = list(names)
    return [left.pop(choose(len(left))) for _ in range(n)]


def _printed(edition: str) -> list[str]:
    return [name for name in OWN if name not in NEWER.get(edition, ())]


def setup(choose: Choose, features: Collection[str] | None = None, edition: str = "") -> dict[str, Any]:
    """A game of 2 to 4 players with ten kingdom cards, or as many as the features name.

    Raises `BadInput` for a feature that is no kingdom card.
    """
    if unknown := [name for name in features or () if name not in OWN]:
        raise BadInput(f"unknown feature {unknown[0]!r} of dominion", fix="features are names of kingdom cards")
    players = list("ABCD"[: 2 + choose(3)])
    known = [name for name in _printed(edition) if features is None or name in features]
    return {"players": players, "first": players[0], "kingdom": sorted(_distinct(choose, known, min(10, len(known))))}


def position(choose: Choose, edition: str = "") -> dict[str, Any]:
    """A position of 2 to 4 players, reachable or not, at the start of no particular thing."""
    players = list("ABCD"[: 2 + choose(3)])
    kingdom = _distinct(choose, _printed(edition), 2 + choose(5))
    extra = _distinct(choose, sorted(DECLARED), choose(4)) if choose(3) == 0 else []
    declared = {name: DECLARED[name] for name in extra}
    left = {card.name: box_size(card, len(players)) for card in (*BASICS, *KINGDOM)} | dict.fromkeys(declared, 10)

    def some(most: int) -> list[str]:
        cards = several(choose, [*BASIC[:4], *kingdom, *kingdom, *declared], most)
        kept = []
        for card in cards + several(choose, [*BASIC, *kingdom], most // 3):
            if left[card]:
                left[card] -= 1
                kept.append(card)
        return kept

    def deck() -> list[Any]:
        known, unknown = some(2), some(7)
        return [*known, unknown] if unknown else known

    given: dict[str, Any] = {
        "players": players,
        "turn": players[choose(len(players))],
        "phase": ["action", "action", "action", "buy", "night"][choose(5 if "Lantern" in declared else 4)],
        "actions": choose(4),
        "buys": choose(4),
        "coins": choose(12),
        "hand": {player: some(6) for player in players},
        "deck": {player: deck() for player in players},
        "discard": {player: some(4) for player in players},
        "in play": {player: some(2) for player in players},
        "trash": some(2),
        "turns": {player: choose(9) for player in players},
    }
    if given["phase"] != "action":
        given["bought"] = choose(2)
    given["supply"] = {
        card.name: min(left[card.name], pile_size(card, len(players)) if choose(3) else choose(2))
        for card in (*BASICS, *KINGDOM)
        if card.name in BASIC or card.name in kingdom
    }
    if declared:
        given["cards"] = declared
        for name in sorted(declared):
            if "Duration" in declared[name]["types"] and left[name]:
                left[name] -= 1
                owner = players[choose(len(players))]
                given["in play"][owner].append(name)
                waits = {"player": owner, "card": name, **declared[name]["later"][0]}
                given["waiting"] = [*given.get("waiting", []), waits]
        given["supply"] |= {name: choose(left[name] + 1) for name in declared}
    return given


def candidates(state: State) -> Iterator[Action]:
    """Every action of one card, every selection of two, and those that the hand of whoever chooses allows."""
    names = list(dict.fromkeys((*state.table.names, *(name for seat in state.seats for name in seat.owned))))
    for verb in ("play", "buy", "gain", "topdeck", "reveal", "keep", "set aside", "resolve"):
        yield from (Action(verb, (name,)) for name in names)
    for verb in ("play", "topdeck", "reveal", "gain"):
        yield Action(verb)
    for phase in ("action phase", "buy phase", "night phase"):
        yield Action("end", (phase,))
    step = state.stack[-1] if state.stack else None
    seat = state.seats[step.seat] if step else state.mover
    pools = {(seat.hand, 0, 7), (step.cards if step else (), 0, 7)}
    if step and step.do in CHANCE:
        pools.add((bag(card for layer in seat.deck for card in layer), step.n, step.n))
    groups = {()} | {bag(pair) for n in (1, 2) for pair in combinations_with_replacement(names, n)}
    for pool, low, high in pools:
        groups |= {selection(pool, low, high, i) for i in range(min(200, count_selections(pool, low, high)))}
    for verb in ("discard", "trash", "draw", "turn up"):
        yield from (Action(verb, group) for group in sorted(groups))
    orders = {order for group in groups if len(group) == 2 for order in permutations(group)}
    yield from (Action("put back", order) for order in sorted(orders))
