"""Drawn setups and positions, and the universe of actions that can be written in a position."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement, product
from typing import Any

from oracle.drawing import one, several
from oracle.game import Action, Choose
from oracle.games.l5r.assignments import item
from oracle.games.l5r.calendar import CALENDAR
from oracle.games.l5r.state import State
from oracle.zones import Bag, bag, count_selections, selection

CARDS: dict[str, dict[str, Any]] = {
    "Farm": {"type": "Holding"},
    "Shrine": {"type": "Holding", "effect": {"honor": 1, "refill": "up"}, "on discard": {"refill": "up"}},
    "Shiba": {"type": "Personality", "force": 3, "effect": {"refill": "down"}},
    "Moto": {"type": "Personality", "force": 2, "keywords": ["Cavalry"], "on discard": {"refill": "down"}},
    "Storm": {"type": "Event", "effect": {"refill": "up", "honor": -1}},
    "Flood": {"type": "Event", "effect": {"draw": 1, "refill": "down"}},
    "Raiders": {"type": "Event", "effect": {"attack": "B"}},
    "Coast": {"type": "Region", "effect": {"refill": "up"}},
    "Sun": {"type": "Celestial", "effect": {"hand": 3, "refill": "up"}},
}
PERFT: dict[str, Any] = {
    "players": ["A", "B"],
    "phase": "action",
    "turn to act": "B",
    "passed": ["A"],
    "cards": {
        "Farm": {"type": "Holding"},
        "Shiba": {"type": "Personality"},
        "Moto": {"type": "Personality", "keywords": ["Cavalry"]},
    },
    "provinces": {"A": [["Farm"]], "B": [[], []]},
    "home": {"A": ["Shiba"], "B": ["Moto"]},
    "abilities": {
        "A": [{"name": "Scout", "type": "Limited", "effect": {"action": "Open"}}],
        "B": [
            {"name": "Parley", "type": "Open", "effect": {"honor": 1}},
            {"name": "Ward", "type": "Reaction", "to": "Scout", "effect": {"cancel": True}},
        ],
    },
    "triggers": [
        {"owner": "A", "name": "Dawn", "at": "before attack phase", "effect": {"honor": 1}},
        {"owner": "B", "name": "Dusk", "at": "before attack phase", "effect": {"untrigger": "Dawn"}},
    ],
}
"""An Action Phase about to end, with an attack to come."""
FATE = ("Block", "Strike", "Bluff")
EFFECTS: tuple[dict[str, Any], ...] = (
    *({}, {"honor": 1}, {"honor": -2}, {"draw": 1}, {"draw": 2}, {"hand": 1}, {"bow": "Shiba"}, {"bow": "Farm"}),
    *({"straighten": "Moto"}, {"attack": "A"}, {"attack": "B"}, {"action": "Open"}, {"action": "Limited"}),
    *({"action": "Battle"}, {"trigger": "Dawn"}, {"untrigger": "Dusk"}, {"win": True}, {"draw": 1, "action": "Open"}),
    *({"each": {"draw": 1}}, {"each": {"honor": 1}}, {"destroy": True}, {"destroy": {"A": 1}}, {"destroy": {"B": 1}}),
)
ABILITIES = ("Scout", "Parley", "Charge", "Ward", "Omen")
INTERRUPTED: tuple[dict[str, str], ...] = (
    {"at": "during action phase"},
    {"at": "after events phase"},
    {"at": "during dynasty phase", "step": "discard"},
)
TRIGGERS = ("Dawn", "Dusk", "Festival", "Night")
ANSWERED = ("reveal", "Storm", *ABILITIES[:3], *TRIGGERS[:3])


def setup(choose: Choose) -> dict[str, Any]:
    """A game of 2 to 4 players; 0 is the plainest choice."""
    players = list("ABCD"[: 2 + choose(3)])
    names = [name for name in CARDS if name != "Raiders"]
    return {
        "players": players,
        "honor": {player: choose(8) for player in players},
        "dynasty": {player: [f"3 {name}" for name in names] for player in players},
        "fate": {player: [f"{4 + choose(3)} {name}" for name in FATE] for player in players},
        "cards": CARDS,
        "abilities": {player: _abilities(choose, 4) for player in players},
        "triggers": _triggers(choose, players, 4),
        "win": {"honor": 9 + choose(4), "dishonor": -3, "provinces": choose(4) != 1},
    }


def _abilities(choose: Choose, most: int) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    for name in ABILITIES[: choose(most + 1)]:
        type_ = one(choose, ("Open", "Limited", "Battle", "Reaction"))
        ability: dict[str, Any] = {"name": name, "type": type_, "used": choose(4) == 1}
        if type_ == "Reaction":
            ability["to"] = one(choose, ANSWERED)
        cancels = type_ == "Reaction" and choose(3) == 1
        ability["effect"] = {"cancel": True} if cancels else one(choose, EFFECTS)
        if choose(3) == 1:
            ability["card"] = one(choose, ("Farm", "Shiba", "Moto"))
        out.append(ability)
    return out


def _triggers(choose: Choose, players: list[str], most: int) -> list[dict[str, Any]]:
    every = [str(moment) for moment in CALENDAR.moments if moment.edge != "during" and moment.unit != "game"]
    moments = [one(choose, every) for _ in range(2)]
    out: list[dict[str, Any]] = []
    for name in TRIGGERS[: choose(most + 1)]:
        trigger: dict[str, Any] = {"owner": one(choose, players), "name": name}
        trigger |= {"at": one(choose, moments), "effect": one(choose, EFFECTS), "optional": choose(3) == 1}
        trigger |= {"when": choose(4) != 1, "class": one(choose, ("C", "A", "B"))}
        trigger |= {"turn": one(choose, players), "turns": choose(3)} if choose(4) == 1 else {}
        out += [trigger] * (2 if choose(5) == 1 else 1)
    return out


def position(choose: Choose) -> dict[str, Any]:
    """A position of 2 to 4 players, reachable or not."""
    players = list("ABCD"[: 2 + choose(3)])
    dynasty = list(CARDS)

    def pile(items: Sequence[str], most: int) -> list[Any]:
        known, unknown = several(choose, items, 2), several(choose, items, most)
        return [*known, unknown] if unknown else known

    def units() -> list[str]:
        return several(choose, ("Shiba", "Moto", "Shiba bowed", "Moto bowed"), 3)

    def provinces() -> list[Any]:
        laid = [*dynasty, *(f"{name} down" for name in dynasty)]
        out = ["destroyed" if choose(6) == 1 else several(choose, laid, 2) for _ in range(choose(4))]
        return [*out, out[0]] if out and choose(4) == 1 else out

    active = one(choose, players)
    laid = {player: provinces() for player in players}
    standing = [player for player in players if laid[player][:1] not in ([], ["destroyed"])]
    given: dict[str, Any] = {
        "players": players,
        "active": active,
        "turn": 1 + choose(7),
        "phase": one(choose, ("action", "action", "attack", "dynasty", "end", "straighten", "events")),
        "honor": {player: choose(12) - 4 for player in players},
        "provinces": laid,
        "regions": {player: {"1": ["Coast"]} for player in standing if choose(4) == 1},
        "dynasty": {player: pile(dynasty, 4) for player in players},
        "fate": {player: pile(FATE, 4) for player in players},
        "hand": {player: several(choose, FATE, 4) for player in players},
        "max hand": {player: choose(9) for player in players},
        "draw more": {player: choose(3) - 1 for player in players},
        "home": {player: units() for player in players},
        "in play": {player: several(choose, ("Farm", "Farm bowed", "Shrine"), 2) for player in players},
        "discard": {player: several(choose, [*dynasty, *FATE], 2) for player in players},
        "abilities": {player: _abilities(choose, 5) for player in players},
        "triggers": _triggers(choose, players, 4),
        "barred": [player for player in players if choose(5) == 1],
        "cards": CARDS,
        "win": {"honor": 7, "dishonor": -3, "provinces": choose(4) != 1},
    }
    if given["phase"] in ("dynasty", "end") and choose(3) == 1:
        given["step"] = "discard"
    if given["phase"] == "attack" and choose(4):
        given |= _attack(choose, players, active, laid, units)
    elif given["phase"] in ("action", "attack") and choose(3) == 1:
        given |= {"phase": "action", **_passes(choose, players, active)}
    return given


def _passes(choose: Choose, players: list[str], first: str) -> dict[str, Any]:
    """How far an action round has come."""
    start = players.index(first)
    order = [*players[start:], *players[:start]]
    turn, passes = choose(len(order)), choose(len(order))
    passed = [order[(turn - i) % len(order)] for i in range(passes, 0, -1)]
    return {"turn to act": order[turn], "passed": passed}


def _attack(
    choose: Choose, players: list[str], active: str, laid: dict[str, list[Any]], units: Callable[[], list[str]]
) -> dict[str, Any]:
    sides = [active, one(choose, [player for player in players if player != active])]
    created = choose(4) == 1
    if created and choose(2):
        sides.reverse()
    attacker, defender = sides
    numbers = [str(i + 1) for i in range(len(laid[defender]))]
    fields = {n: {attacker: units(), defender: units(), "fought": choose(3) == 1} for n in numbers if choose(2)}
    attack: dict[str, Any] = {"attacker": attacker, "defender": defender, "optional": not created, "fields": fields}
    step = one(choose, ("infantry", "cavalry", "battles", "combat"))
    out: dict[str, Any] = {"step": step, "attack": attack}
    if step in ("infantry", "cavalry"):
        out["turn to act"] = one(choose, sides)
    stand = [n for n in numbers if n in fields or laid[defender][int(n) - 1] != "destroyed"]
    left = [n for n in stand if not fields.get(n, {}).get("fought")]
    if step == "combat":
        if not left:
            return {**out, "step": "battles"}
        attack["at"] = one(choose, left)
        out |= _passes(choose, players, defender)
    if created:
        out["interrupted"] = [dict(one(choose, INTERRUPTED))]
    return out


# -- actions ---------------------------------------------------------------------------------------


def candidates(state: State) -> Iterator[Action]:
    """Every action about one thing, selections of cards that may be drawn, and assignments of up to two units."""
    players = [seat.name for seat in state.seats]
    cards = list(dict.fromkeys((*state.table.cards, *(card for seat in state.seats for card in seat.hand), *FATE)))
    abilities = dict.fromkeys(ability.name for seat in state.seats for ability in seat.abilities)
    triggers = dict.fromkeys(
        (*(trigger.name for trigger in state.agenda), *(step.name for step in state.stack), "Festival")
    )
    for verb in ("pass", "decline", "no attack"):
        yield Action(verb)
    yield Action("end", ("dynasty phase",))
    about: dict[str, Sequence[str]] = {
        "use": [*abilities, "Nothing"],
        "resolve": [name for name in triggers if name],
        "deal with": cards,
        "attack": [*players, "Z"],
        "fight at": [str(i) for i in range(7)],
        "bring": cards,
        "discard": cards,
        "from": [str(i) for i in range(7)],
        "fill": cards,
        "first": [*players, "Z"],
    }
    for verb, names in about.items():
        yield Action(verb)
        yield from (Action(verb, (name,)) for name in names)
    for group in _groups(state):
        yield Action("draw", group)
    yield from _assignments(state)


def _groups(state: State) -> list[Bag]:
    """Bags of Fate cards, small ones and those of the size that is to be drawn."""
    groups = {bag(pair) for n in range(3) for pair in combinations_with_replacement(FATE, n)}
    for step in state.stack:
        if step.do == "draw":
            pool = bag(card for layer in state[step.player].fate for card in layer)
            groups |= {
                selection(pool, step.n, step.n, i) for i in range(min(60, count_selections(pool, step.n, step.n)))
            }
    return sorted(groups)


def _assignments(state: State) -> Iterator[Action]:
    units = list(dict.fromkeys(unit.name for seat in state.seats for unit in seat.home)) or ["Shiba"]
    places = 1 + max(len(seat.provinces) for seat in state.seats)
    sent = [item(unit, field) for unit, field in product([*units, "Nobody"], range(min(places, 4)))]
    for n in range(3):
        yield from (Action("assign", bag(some)) for some in combinations_with_replacement(sent, n))
    yield Action("assign", (units[0],))
