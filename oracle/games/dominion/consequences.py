"""Which rules say what follows from an action, and what a game starts with: for telling why a program is wrong."""

from __future__ import annotations

from oracle.game import Action
from oracle.games.dominion.cards import BASICS, rule_of
from oracle.games.dominion.state import ACTION, BUY, NIGHT, State


def consequences(state: State, action: Action) -> tuple[str, ...]:
    """The rules that say what a legal action does."""
    if state.stack:
        step = state.stack[-1]
        ids = (rule_of(action.items[0]),) if action.verb == "play" and action.items else ()
        order = ("dom.order.turn-order",) if any(below.seat != step.seat for below in state.stack) else ()
        return (*order, rule_of(step.card), *ids) if step.card else ("dom.draw.top",)
    match action.verb:
        case "play":
            card = state.table[action.items[0]]
            card = state.table[action.items[0]]
            merchant = ("dom.card.merchant",) if "silver" in card.does and state.merchants and not state.silvers else ()
            several = len(state.seats) > 2 and any(do.startswith("others") for do in card.does)
            order = ("dom.order.turn-order",) if several else ()
            return (*(("dom.action.actions",) if state.at == ACTION else ()), rule_of(card.name), *order, *merchant)
        case "buy":
            return ("dom.buy.pay", "dom.buy.gain")
        case "end" if (action.items == (BUY.unit,) and not state.table.night) or action.items == (NIGHT.unit,):
            return ("dom.end.when", "dom.cleanup.fresh", "dom.cleanup.discard", "dom.cleanup.draw")
        case "resolve":
            return ("dom.order.own",)
    return ("dom.turn.phases",)


def settings(field: str) -> tuple[str, ...]:
    """The rules that say what a field is when a game starts."""
    first, _, name = field.partition(".")
    if first != "supply":
        return {"hand": ("dom.setup.deck",), "deck size": ("dom.setup.deck",)}.get(first, ("dom.turn.start",))
    card = next((card for card in BASICS if card.name == name), None)
    kinds = {"Victory": "dom.setup.victory", "Curse": "dom.setup.curses", "Treasure": "dom.setup.treasures"}
    return (next((kinds[type_] for type_ in kinds if card and type_ in card), "dom.setup.kingdom"),)
