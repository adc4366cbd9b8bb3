"""The theory as a third judge: compiled, it says of states of the model what is legal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from oracle.game import Action
from oracle.games.dominion import theory_choices, theory_effects, theory_turn
from oracle.games.dominion.sampling import DECLARED
from oracle.games.dominion.state import ACTION, BUY, NIGHT, Seat, State
from oracle.games.dominion.theory import BASE, CHANCE, EDITIONS, PHASES, TYPES, Position, Print, Table
from oracle.games.dominion.theory_choices import Given, may_choose
from oracle.games.dominion.theory_effects import Scene
from oracle.proof.compiled import Judge, Values, compiled, staged
from oracle.proof.laws import Laws
from oracle.proof.terms import count, safe
from oracle.zones import Bag

LAYERS = 6
KINDS = {
    **BASE,
    **{
        name: Print(card["cost"], {type_: type_ in card["types"] for type_ in TYPES}, 0, 0, 0, 0)
        for name, card in DECLARED.items()
    },
}
TRASHED = "trashed"
"""The card that Remodel or Mine has just trashed: only its cost is asked for."""
WHO, SEAT, WANTED = count("player"), count("seat"), count("wanted")
CHOSEN = {kind: count(f"chosen.{kind}") for kind in KINDS}
LOOKED = {kind: count(f"looked.{kind}") for kind in KINDS}
LATE = ("player", "chosen.")
"""What differs between the actions of one state."""
_ZONES = ("hand", "discard", "play", *(f"deck{i}" for i in range(LAYERS)))
_PLACES = {safe(f"{zone}.{kind}"): (zone, kind) for zone in (*_ZONES, "supply") for kind in (*KINDS, TRASHED)}
_CHOSEN = {kind: safe(f"chosen.{kind}") for kind in KINDS}
_LOOKED = {kind: safe(f"looked.{kind}") for kind in KINDS}
_NONE = {**dict.fromkeys(_CHOSEN.values(), 0), **dict.fromkeys(_LOOKED.values(), 0)}
_PHASE = {ACTION: 0, BUY: 1, NIGHT: 2}


@lru_cache(maxsize=1)
def _rules() -> tuple[Table, Laws]:
    law = Laws()
    trashed = Print(count(f"{TRASHED}.cost"), dict.fromkeys(TYPES, False), 0, 0, 0, 0)
    return Table(Position({**KINDS, TRASHED: trashed}, tuple(KINDS), layers=LAYERS), law), law


@lru_cache(maxsize=1)
def _in_turn() -> tuple[dict[tuple[str, str], int], Callable[[Values], Judge]]:
    """Every play, buy and end of a phase: its place among the results, and the judge of them all."""
    rules, law = _rules()
    terms = {("play", kind): rules.may_play(WHO, kind) for kind in KINDS}
    terms |= {("buy", kind): rules.may_buy(WHO, kind) for kind in KINDS}
    terms |= {("end", f"{phase} phase"): rules.may_end(WHO, phase) for phase in PHASES}
    return {key: i for i, key in enumerate(terms)}, staged([law.plain(term) for term in terms.values()], LATE)


@lru_cache(maxsize=200)
def _choice(do: str, card: str) -> Callable[[Values], Judge]:
    """The judge of what a card's instruction asks for: one result, or for a gain one for each kind of card."""
    rules, law = _rules()
    if do in ("draw", "turn up"):
        terms = [rules.may_come(WHO, SEAT, WANTED, CHOSEN)]
    else:
        verb, kinds = theory_choices.ASKS[do][0][0], KINDS if do == "gain" else ("",)
        given = [Given(card, LOOKED, TRASHED, kind) for kind in kinds]
        terms = [may_choose(rules, WHO, SEAT, do, verb, CHOSEN, about) for about in given]
    return staged([law.plain(term) for term in terms], LATE)


class _Values(dict[str, Any]):
    """What the theory's symbols are in a state, each looked up when it is asked for."""

    def __init__(self, state: State, **more: Any) -> None:
        super().__init__(_NONE)
        self.update(more)
        self._state = state
        self._counts: dict[str, list[Counter[str]]] = {}

    def __missing__(self, name: str) -> Any:
        state = self._state
        if name in _PLACES:
            zone, kind = _PLACES[name]
            if zone == "supply":
                return state.left(kind) if kind in state.table.piles else -1
            if zone not in self._counts:
                self._counts[zone] = [Counter(_cards(seat, zone)) for seat in state.seats]
            return [counts.get(kind, 0) for counts in self._counts[zone]]
        if name == "night":
            return state.table.night
        if name == "edition":
            return EDITIONS.index(state.edition)
        if name == "phase":
            return _PHASE.get(state.at, -1)
        return getattr(state, name)


def _cards(seat: Seat, zone: str) -> Bag:
    if not zone.startswith("deck"):
        cards: Bag = getattr(seat, zone)
        return cards
    i = int(zone[4:])
    return seat.deck[i] if i < len(seat.deck) else ()


def _code(state: State, player: str | None) -> int:
    names = [seat.name for seat in state.seats]
    return CHANCE if player is None else names.index(player) + 1 if player in names else -1


def _amounts(names: Mapping[str, str], cards: Bag) -> dict[str, int]:
    return {names[kind]: n for kind, n in Counter(cards).items()}


@lru_cache(maxsize=1)
def _prepared(state: State) -> Judge:
    """The judge of all actions in a state."""
    if not state.stack:
        return _in_turn()[1](_Values(state))
    step = state.stack[-1]
    about = {"seat": step.seat, "wanted": step.n, **_amounts(_LOOKED, step.cards)}
    if step.do == "gain" and step.cards:
        about[f"{TRASHED}.cost"] = state.table[step.cards[0]].cost
    return _choice(step.do, step.card)(_Values(state, **about))


def legal(state: State, player: str | None, actions: Sequence[Action]) -> list[bool] | None:
    """What the theory says of each action; None of a state that it does not speak of (triggers that wait)."""
    if not state.stack and state.at not in _PHASE:
        return None
    code = _code(state, player)
    if not state.stack:
        said, places = _prepared(state)({"player": code}), _in_turn()[0]
        keys = [places.get((action.verb, action.items[0])) if len(action.items) == 1 else None for action in actions]
        return [key is not None and bool(said[key]) for key in keys]
    if len(state.seats[state.stack[-1].seat].deck) > LAYERS:
        return None
    return [_chosen(state, code, action) for action in actions]


_KINDS = {kind: i for i, kind in enumerate(KINDS)}


def _chosen(state: State, code: int, action: Action) -> bool:
    do = state.stack[-1].do
    words = (do,) if do in ("draw", "turn up") else theory_choices.ASKS[do][0]
    if action.verb not in words or (do == "gain" and len(action.items) != 1) or not _KINDS.keys() >= {*action.items}:
        return False
    said = _prepared(state)({**_NONE, **_amounts(_CHOSEN, action.items), "player": code})
    return bool(said[_KINDS[action.items[0]] if do == "gain" else 0])


# -- effects that are not lifted -------------------------------------------------------------------


@lru_cache(maxsize=1)
def _points() -> Judge:
    return compiled([theory_turn.points(CHOSEN)])


def points(state: State, seat: int) -> int:
    """What the theory gives a player for all his cards."""
    return int(_points()({**_NONE, **_amounts(_CHOSEN, state.seats[seat].owned)})[0])


@lru_cache(maxsize=200)
def _arises(do: str, card: str, trashed: str) -> Judge:
    rules, law = _rules()
    scene = Scene(rules, do, SEAT, card, {}, LOOKED, trashed, 2)
    return compiled([law.plain(theory_effects.ARISES[do](scene))])


def stops(state: State) -> bool:
    """Whether somebody must choose now, by the theory: a phase, triggers that wait, a choice that arises, a chance."""
    if state.over or not state.stack:
        return True
    step = state.stack[-1]
    if step.do in ("draw", "turn up"):
        left = [layer for layer in state.seats[step.seat].deck if layer]
        return sum(map(len, left)) >= 1 and step.n >= 1
    if step.do not in theory_effects.ARISES:
        return False
    trashed = step.cards[0] if step.do == "gain" and step.cards else ""
    judge = _arises(step.do, step.card, trashed)
    return bool(judge(_Values(state, seat=step.seat, **_amounts(_LOOKED, step.cards)))[0])
