"""From a solver's model to a position of the game, as a case writes it, and what the game itself says there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from oracle.game import Action
from oracle.games.station import GAME, theory
from oracle.games.station.bridge import NODES
from oracle.games.station.theory import Position
from oracle.proof.claims import Replay
from oracle.proof.readings import verdict_step
from oracle.proof.smt import Bool, both, either, no, pick, same, total

PLAYERS = ("A", "B")
GUILDS = ("blue", "red", "green", "gold", "grey", "pink", "teal", "lime", "rose", "ruby")
EDITION = GAME.editions[0]
Asked = tuple[Action, Bool, dict[str, str]]
"""An action, what the theory says of it, and which module lies in which berth for it."""


def fits(view: Position, who: Any) -> tuple[Bool, ...]:
    """What a model must meet to be written as a position: every station allowed, the Drift of the parameter."""
    cards = [
        both(same(view.guild[a], view.guild[b]), same(view.value[a], view.value[b]))
        for a, b in combinations(view.kinds, 2)
    ]
    stations = [theory.valid(theory.put(view.station, node, n)) for node in range(len(NODES)) for n in range(4)]
    standing = [both(theory.at(view.station, n) >= 0, theory.at(view.station, n) <= 2) for n in range(1, len(NODES))]
    drifts = [
        both(
            same(
                theory.drift(b.printed.cost, b.discount),
                pick(b.printed.cost >= b.discount, b.printed.cost - b.discount, 0),
            ),
            b.printed.cost >= 0,
            b.printed.cost <= 99,
            b.discount <= 99,
            b.discount >= 0,
            either(b.taken, same(b.discount, 0)),
        )
        for b in view.market
    ]
    guilds = [
        both(guild >= 0, guild < len(GUILDS))
        for guild in (*view.guild.values(), *(b.printed.guild for b in view.market))
    ]
    return (
        same(view.now, 0),
        who >= 0,
        who < len(PLAYERS),
        no(view.over),
        *(value <= 20 for value in view.value.values()),
        *(no(each) for each in cards),
        *guilds,
        *stations,
        *standing,
        *drifts,
    )


def sizes(view: Position) -> tuple[Any, ...]:
    """What is to be small: the cards on the table, then what they are worth."""
    standing = [pick(same(theory.at(view.station, n), theory.VACANT), 0, 1) for n in range(1, len(NODES))]
    prices = [price for berth in view.market for price in (berth.printed.cost, berth.discount)]
    pieces = total((theory.size(view.display), theory.size(view.hand), view.docked, *standing))
    return pieces, total((*view.value.values(), *prices))


def likes(view: Position) -> tuple[Bool, ...]:
    """What such a model had better meet: what the manual leaves open is allowed, and the end is not triggered."""
    return view.needless, view.free, view.alike, no(view.ended)


def given(view: Position, model: Any, market: dict[str, str], dock: dict[str, Any]) -> dict[str, Any]:
    """The position of a model, with what lies in the berths and in the dock."""

    def value(term: Any) -> int:
        return int(model.eval(term, True).as_long())

    def cards(zone: theory.Cards) -> list[str]:
        names = {kind: f"{GUILDS[value(view.guild[kind])]} {value(view.value[kind])}" for kind in view.kinds}
        return [names[kind] for kind, n in zone.items() for _ in range(value(n))]

    berth = view.market[int(next(iter(market), "1")) - 1]
    printed = {"guild": GUILDS[value(berth.printed.guild)], "cost": value(berth.printed.cost)}
    names = ("", "Module", "Other", "Third")
    station = {node: names[value(theory.at(view.station, i))] for i, node in enumerate(NODES) if i}
    docked = [name for name, n in dock.items() for _ in range(value(n))]
    if not dock:
        docked = ["Other"] * value(view.docked)
    out: dict[str, Any] = {
        "players": list(PLAYERS),
        "display": cards(view.display),
        "hand": {"A": cards(view.hand)},
        "ended": str(model.eval(view.ended, True)) == "True",
        "market": {place: name for place, name in market.items() if name},
        "station": {"A": {node: name for node, name in station.items() if name}},
        "dock": {"A": docked},
        "modules": dict.fromkeys(sorted({*market.values(), *station.values(), *docked} - {""}), printed),
        "map": {"nodes": list(NODES), "links": []},
        "placement": "free",
    }
    for place, name in market.items():
        if name and value(berth.discount):
            out["discount"] = {place: value(berth.discount)}
    for parameter, term in (
        ("needless payment", view.needless),
        ("pay nothing", view.free),
        ("identical exchange", view.alike),
    ):
        if str(model.eval(term, True)) == "False":
            out[parameter] = False
    kept = ("players", "map", "placement")
    return {
        key: what
        for key, what in out.items()
        if key in kept or what is False or (what and what != {"A": []} and what != {"A": {}})
    }


def replay(view: Position, who: Any, said: Sequence[Asked], dock: dict[str, Any], model: Any) -> Replay:
    """Whether the shipped game judges an action otherwise than the model's theory does, in the model's position."""
    player = PLAYERS[int(model.eval(who, True).as_long()) % len(PLAYERS)]
    position = given(view, model, {}, dock)
    for action, says, market in said:
        position = given(view, model, market, dock)
        names = _names(view, model)
        named = Action(
            action.verb,
            tuple(sorted(names.get(item, item) for item in action.items)),
            tuple((word, tuple(sorted(names.get(item, item) for item in items))) for word, items in action.rest),
        )
        state = GAME.position(position, EDITION)
        verdict = GAME.judge(state, player, named)
        if verdict.legal != (str(model.eval(says, True)) == "True"):
            word = "legal" if verdict.legal else "illegal"
            note = f"{GAME.text(named)!r} by {player} is {word} in the game: {', '.join(verdict.rules)}"
            return Replay(position, EDITION, True, note, verdict_step(GAME, verdict))
    return Replay(position, EDITION, False, "every action is judged as in the theory")


def _names(view: Position, model: Any) -> dict[str, str]:
    values = [
        (kind, model.eval(view.guild[kind], True).as_long(), model.eval(view.value[kind], True)) for kind in view.kinds
    ]
    return {kind: f"{GUILDS[guild]} {value}" for kind, guild, value in values}
