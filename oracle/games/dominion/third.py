"""The theory as a third judge: compiled, it says of states of the model what is legal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from oracle.game import Action
from oracle.games.dominion import theory, theory_effects
from oracle.games.dominion.sampling import DECLARED
from oracle.games.dominion.state import ACTION, BUY, NIGHT, State
from oracle.games.dominion.theory import BASE, CHANCE, EDITIONS, PHASES, TYPES, Given, Position, Print, Table
from oracle.games.dominion.theory_effects import Scene
from oracle.proof.compiled import compiled
from oracle.proof.laws import Laws
from oracle.proof.smt import count, safe

LAYERS = 6
KINDS = {
    **BASE,
    **{
        name: Print(card["cost"], {type_: type_ in card["types"] for type_ in TYPES}, 0, 0, 0, 0)
        for name, card in DECLARED.items()
    },
}
WHO, SEAT, WANTED = count("player"), count("seat"), count("wanted")
CHOSEN = {kind: count(f"chosen.{kind}") for kind in KINDS}
LOOKED = {kind: count(f"looked.{kind}") for kind in KINDS}
_NAMES = {safe(kind): kind for kind in KINDS}
_PHASE = {ACTION: 0, BUY: 1, NIGHT: 2}
Judge = Callable[[Any], list[Any]]


@lru_cache(maxsize=1)
def _rules() -> tuple[Table, Laws]:
    law = Laws()
    return Table(Position(KINDS, tuple(KINDS), layers=LAYERS), law), law


@lru_cache(maxsize=1)
def _in_turn() -> tuple[dict[tuple[str, str], int], Judge]:
    """Every play, buy and end of a phase: its place among the results, and the judge of them all."""
    rules, law = _rules()
    terms = {("play", kind): rules.may_play(WHO, kind) for kind in KINDS}
    terms |= {("buy", kind): rules.may_buy(WHO, kind) for kind in KINDS}
    terms |= {("end", f"{phase} phase"): rules.may_end(WHO, phase) for phase in PHASES}
    return {key: i for i, key in enumerate(terms)}, compiled([law.plain(term) for term in terms.values()])


@lru_cache(maxsize=2000)
def _choice(do: str, verb: str, given: tuple[str, str, str]) -> Judge:
    rules, law = _rules()
    if do in ("draw", "turn up"):
        return compiled([law.plain(rules.may_come(WHO, SEAT, WANTED, CHOSEN))])
    card, trashed, kind = given
    about = Given(card, LOOKED, trashed, kind)
    return compiled([law.plain(rules.may_choose(WHO, SEAT, do, verb, CHOSEN, about))])


class _Column:
    """How many of a kind lie in a zone of each seat."""

    def __init__(self, count_: Callable[[int], int]) -> None:
        self._count = count_

    def __getitem__(self, seat: int) -> int:
        return self._count(seat)


class _Values(dict[str, Any]):
    """What the theory's symbols are in a state, each looked up when it is asked for."""

    def __init__(self, state: State, **more: Any) -> None:
        super().__init__(more)
        self._state = state
        self._bags: dict[tuple[str, int], Counter[str]] = {}

    def __missing__(self, name: str) -> Any:
        state, (zone, _, kind) = self._state, name.partition(".")
        if zone in ("hand", "discard", "play") or zone.startswith("deck"):
            return _Column(lambda seat: self._bag(zone, seat)[_NAMES[kind]])
        if zone == "supply":
            piles = state.table.piles
            return state.left(_NAMES[kind]) if _NAMES[kind] in piles else -1
        if zone in ("chosen", "looked"):
            return 0
        if name == "night":
            return state.table.night
        if name == "edition":
            return EDITIONS.index(state.edition)
        if name == "phase":
            return _PHASE.get(state.at, -1)
        return getattr(state, name)

    def _bag(self, zone: str, seat: int) -> Counter[str]:
        key = (zone, seat)
        if key not in self._bags:
            place = self._state.seats[seat]
            if zone.startswith("deck"):
                i = int(zone[4:])
                self._bags[key] = Counter(place.deck[i] if i < len(place.deck) else ())
            else:
                self._bags[key] = Counter(getattr(place, zone))
        return self._bags[key]


def _code(state: State, player: str | None) -> int:
    names = [seat.name for seat in state.seats]
    return CHANCE if player is None else names.index(player) + 1 if player in names else -1


def legal(state: State, player: str | None, actions: Sequence[Action]) -> list[bool] | None:
    """What the theory says of each action; None of a state that it does not speak of (triggers that wait)."""
    if not state.stack and state.at not in _PHASE:
        return None
    if not state.stack:
        places, judge = _in_turn()
        said = judge(_Values(state, player=_code(state, player)))
        keys = [places.get((action.verb, action.items[0])) if len(action.items) == 1 else None for action in actions]
        return [key is not None and bool(said[key]) for key in keys]
    step = state.stack[-1]
    if len(state.seats[step.seat].deck) > LAYERS:
        return None
    about = {"player": _code(state, player), "seat": step.seat, "wanted": step.n}
    looked = {f"looked.{safe(kind)}": n for kind, n in Counter(step.cards).items()}
    return [_chosen(state, about | looked, action) for action in actions]


def _chosen(state: State, about: dict[str, Any], action: Action) -> bool:
    step = state.stack[-1]
    words = (step.do,) if step.do in ("draw", "turn up") else theory.ASKS[step.do][0]
    if action.verb not in words or (step.do == "gain" and len(action.items) != 1):
        return False
    trashed = step.cards[0] if step.do == "gain" and step.cards else ""
    given = (step.card, trashed, action.items[0] if step.do == "gain" else "")
    judge = _choice(step.do, action.verb, given)
    chosen = {f"chosen.{safe(kind)}": n for kind, n in Counter(action.items).items()}
    return bool(judge(_Values(state, **about, **chosen))[0])


# -- effects that are not lifted -------------------------------------------------------------------


@lru_cache(maxsize=1)
def _points() -> Judge:
    return compiled([theory_effects.points(CHOSEN)])


def points(state: State, seat: int) -> int:
    """What the theory gives a player for all his cards."""
    owned = {f"chosen.{safe(kind)}": n for kind, n in Counter(state.seats[seat].owned).items()}
    return int(_points()(_Values(state, **owned))[0])


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
    looked = {f"looked.{safe(kind)}": n for kind, n in Counter(step.cards).items()}
    judge = _arises(step.do, step.card, trashed)
    return bool(judge(_Values(state, seat=step.seat, **looked))[0])
