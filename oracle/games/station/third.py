"""The theory as a third judge: compiled, it says of states of the model what is legal."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import z3

from oracle.game import Action
from oracle.games.station import theory
from oracle.games.station.placement import CORE, VACANT
from oracle.games.station.state import BERTHS, DISPLAY, State, credit
from oracle.games.station.theory import Position, Table
from oracle.proof.compiled import Asked, compiled
from oracle.proof.laws import Laws
from oracle.proof.terms import Bool, both, count, number
from oracle.zones import Deck

PLACE, NODE, MODULE, COPIES, BY_CHANCE = (
    count("place"),
    count("node"),
    count("moved"),
    count("copies"),
    z3.Bool("by.chance"),
)
REST = "rest"
"""All cards that an action does not name."""
Judge = Callable[[Any], list[Any]]
_stands = z3.Function("stands", z3.IntSort(), z3.IntSort())
_allowed = z3.Function("allowed", z3.IntSort(), z3.IntSort(), z3.BoolSort())


def _plain(term: Any) -> Any:
    """The term with what stands at a node, and what may, as functions of the node: arrays cannot be compiled."""
    found: list[tuple[Any, Any]] = []
    seen: set[int] = set()
    todo = [term]
    while todo:
        part = todo.pop()
        if part.get_id() in seen:
            continue
        seen.add(part.get_id())
        if z3.is_select(part):
            found.append((part, _stands(part.arg(1))))
        elif z3.is_app(part) and part.decl().eq(theory.valid):
            found.append((part, _allowed(part.arg(0).arg(1), part.arg(0).arg(2))))
        else:
            todo.extend(part.children())
    return z3.substitute(term, *found) if found else term


def _compiled(view: Position, says: Callable[[Table], Bool]) -> Judge:
    law = Laws()
    return compiled([_plain(law.plain(says(Table(view, law))))])


def _kinds(n: int) -> tuple[str, ...]:
    return tuple(f"k{i}" for i in range(n))


@lru_cache(maxsize=1000)
def _cards(verb: str, row: tuple[str, ...], to: str) -> Judge:
    """An action with cards, by which of them are of one kind."""
    view = Position((*dict.fromkeys(row), REST))

    def says(table: Table) -> Bool:
        if verb == "acquire":
            return both(table.own_turn(PLACE), table.acquires(row))
        if verb == "take":
            return both(table.own_turn(PLACE), table.rewarded(row))
        berth = view.market[0]
        return both(table.own_turn(PLACE), table.purchases(berth, berth.taken, row, to == "dock", NODE))

    return _compiled(view, says)


@lru_cache(maxsize=10)
def _moves(verb: str) -> Judge:
    def says(table: Table) -> Bool:
        move = {
            "install": lambda: table.reinstalls(COPIES >= 1, NODE, MODULE),
            "stow": lambda: table.stows(NODE),
            "exchange": lambda: table.exchanges(COPIES >= 1, NODE, MODULE),
        }[verb]()
        return both(table.own_turn(PLACE), move)

    return _compiled(Position((REST,)), says)


@lru_cache(maxsize=200)
def _pass(nodes: int, docked: int) -> Judge:
    dock = [count(f"dock.{i}") for i in range(docked)]
    return _compiled(
        Position(_kinds(DISPLAY)), lambda table: table.may_pass(PLACE, [number(i) for i in range(nodes)], dock)
    )


@lru_cache(maxsize=500)
def _chance(kinds: int, layers: int, verb: str) -> Judge:
    view = Position(_kinds(kinds), layers=layers)
    cards = {kind: count(f"come.{kind}") for kind in view.kinds}
    deck, rule = (view.deck, "stn.7.1.six") if verb == "deal" else (view.salvage, "stn.8.berth")
    return _compiled(view, lambda table: table.comes_up(BY_CHANCE, cards, deck, count("missing"), rule))


class _Values(dict[str, Any]):
    """What the theory's symbols are in a state; those that no action asks about are nothing."""

    def __init__(self, state: State, player: str | None) -> None:
        table, mover = state.table, state.mover
        self.nodes = [CORE, *(node for node in table.map.nodes if node != CORE)]
        self.names = _names(state)
        self._guilds: dict[str, int] = {}
        self._state = state
        index = table.map.index
        super().__init__(
            over=state.over,
            ended=state.ended,
            now=state.place(mover.name),
            place=-1 if player is None else state.place(player),
            docked=len(mover.dock),
            needless=table.needless_payment,
            free=table.pay_nothing,
            alike=table.identical_exchange,
            stands=Asked(lambda i: self.names.index(mover.station[index[self.nodes[i]]])),
            allowed=Asked(lambda i: Asked(lambda m: self._fits(i, m))),
            drift=Asked(lambda cost: Asked(lambda discount: max(0, cost - discount))),
        )

    def _fits(self, node: int, module: int) -> bool:
        table = self._state.table
        return table.allows(table.map.with_module(self._state.mover.station, self.nodes[node], self.names[module]))

    def __missing__(self, name: str) -> Any:
        return 0

    def guild(self, name: str) -> int:
        """A number for a guild."""
        return self._guilds.setdefault(name, len(self._guilds) + 1)

    def berth(self, i: int, place: int) -> None:
        """Puts what lies in a berth as what the theory has in one."""
        state, name = self._state, self._state.market[place]
        self[f"taken.{i}"] = name != ""
        if name:
            printed = state.table[name]
            self[f"module.{i}"], self[f"discount.{i}"] = self.names.index(name), state.discount[place]
            self[f"m{i}.guild"], self[f"m{i}.cost"] = self.guild(printed.guild), printed.cost

    def cards(self, cards: dict[str, str]) -> None:
        """Says of kinds which cards they are, and how many of them lie where; `rest` is all others."""
        state = self._state
        for zone, held in (("display", Counter(state.display)), ("hand", Counter(state.mover.hand))):
            for kind, card in cards.items():
                self[f"{zone}.{kind}"] = held[card]
            self[f"{zone}.{REST}"] = sum(held.values()) - sum(held[card] for card in cards.values())
        for kind, card in cards.items():
            self[f"guild.{kind}"], self[f"value.{kind}"] = self.guild(credit(card).guild), credit(card).value
        self["value.rest"] = 1


def _names(state: State) -> list[str]:
    known = (*state.mover.station, *state.mover.dock, *(module.name for module in state.table.modules))
    return [VACANT, *(name for name in dict.fromkeys(known) if name != VACANT)]


def legal(state: State, player: str | None, actions: Sequence[Action]) -> list[bool]:
    """What the theory says of each action."""
    return [_judged(state, player, action) for action in actions]


def _judged(state: State, player: str | None, action: Action) -> bool:
    values = _Values(state, player)
    wanted = {"reward": "take"}.get(state.stack[-1].do, state.stack[-1].do) if state.stack else ""
    if (state.stack and action.verb != wanted) or (not state.stack and action.verb in ("take", "deal", "salvage")):
        return False
    if action.verb in ("deal", "salvage"):
        return _comes(state, player, action, values)
    if action.verb == "pass":
        return _passes(state, values)
    parts = dict(action.rest)
    if action.verb in ("acquire", "take"):
        row = _row(values, action.items)
        return bool(_cards(action.verb, row, "")(values)[0])
    if action.verb == "purchase":
        return _buys(state, action, parts, values)
    node = (parts["at"] if action.verb == "install" else action.items)[:1]
    module = (parts.get("for", ()) if action.verb == "exchange" else action.items)[:1]
    if not node or node[0] not in values.nodes or (action.verb != "stow" and not module):
        return False
    values["node"] = values.nodes.index(node[0])
    if action.verb != "stow":
        if module[0] not in values.names:
            return False
        values["moved"], values["copies"] = values.names.index(module[0]), state.mover.dock.count(module[0])
    return bool(_moves(action.verb)(values)[0])


def _row(values: _Values, cards: Sequence[str]) -> tuple[str, ...]:
    names = {card: f"k{i}" for i, card in enumerate(dict.fromkeys(cards))}
    values.cards({kind: card for card, kind in names.items()})
    return tuple(names[card] for card in cards)


def _buys(state: State, action: Action, parts: dict[str, tuple[str, ...]], values: _Values) -> bool:
    (berth,), (to,), row = parts["from"] or ("",), parts["to"] or ("",), _row(values, parts["pay"])
    if berth not in BERTHS or action.items != (state.market[BERTHS.index(berth)],):
        return False
    values.berth(1, BERTHS.index(berth))
    if to != "dock" and to not in values.nodes:
        return False
    values["node"] = values.nodes.index(to) if to != "dock" else 0
    return bool(_cards("purchase", row, "dock" if to == "dock" else "node")(values)[0])


def _passes(state: State, values: _Values) -> bool:
    values.cards({})
    for i, card in enumerate(state.display):
        values[f"display.k{i}"], values[f"value.k{i}"] = 1, credit(card).value
        values[f"guild.k{i}"] = values.guild(credit(card).guild)
    worth: dict[int, int] = defaultdict(int)
    held: dict[int, int] = defaultdict(int)
    for card in state.mover.hand:
        worth[values.guild(credit(card).guild)] += credit(card).value
        held[values.guild(credit(card).guild)] += 1
    values["total"], values["held"] = worth, held
    for i in range(len(BERTHS)):
        values.berth(i + 1, i)
    for i, name in enumerate(state.mover.dock):
        values[f"dock.{i}"] = values.names.index(name)
    return bool(_pass(len(values.nodes), len(state.mover.dock))(values)[0])


def _comes(state: State, player: str | None, action: Action, values: _Values) -> bool:
    deck: Deck = state.deck if action.verb == "deal" else state.salvage
    zone, missing = ("deck", DISPLAY - len(state.display)) if action.verb == "deal" else ("salvage", 1)
    kinds = sorted({*action.items, *(card for layer in deck for card in layer)})
    for i, kind in enumerate(kinds):
        values[f"come.k{i}"] = action.items.count(kind)
        for j, layer in enumerate(deck):
            values[f"{zone}{j}.k{i}"] = layer.count(kind)
    values["missing"], values["by.chance"] = missing, player is None
    return bool(_chance(len(kinds), len(deck), action.verb)(values)[0])
