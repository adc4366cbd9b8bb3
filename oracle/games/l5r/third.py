"""The theory as a third judge: compiled, it says of states of the model what is legal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from oracle.game import Action
from oracle.games.l5r import theory
from oracle.games.l5r.assignments import split
from oracle.games.l5r.bridge import AT
from oracle.games.l5r.cards import TYPES
from oracle.games.l5r.state import KINDS, Piece, State
from oracle.games.l5r.theory import TIMES, Laid, Position, Text, Trigger, Units
from oracle.proof.compiled import Asked, compiled
from oracle.proof.laws import Laws
from oracle.proof.terms import Bool, both, count, truth

Judge = Callable[[Any], list[Any]]
THINGS, PARTS = count("things"), count("parts")
_TIMES = {moment: time for time, moment in AT.items() if time not in (theory.ORDER, theory.BATTLES)}
STRANGER = 1000
"""Names of things that are no players have numbers from here on."""


def _laid(i: int, j: int) -> Laid:
    return Laid(count(f"card.{i}.{j}"), truth(f"up.{i}.{j}"), truth(f"left.{i}.{j}"))


def _trigger(i: int) -> Trigger:
    name, turn, turns, rank = (count(f"{field}.{i}") for field in ("trigger", "turn", "turns", "rank"))
    return Trigger(name, turn, turns, truth(f"live.{i}"), rank)


def _units(i: int) -> Units:
    sent: Any = count(f"sent.{i}")
    return Units(sent, count(f"unbowed.{i}"), count(f"bowed.{i}"), truth(f"cavalry.{i}"))


@lru_cache(maxsize=2000)
def _judge(verb: str, shape: tuple[int, ...]) -> Judge:
    """An action, by how many things of each kind there are to look at."""
    law, text = Laws(), Text(Position(), Laws())
    text.law = law
    return compiled([law.plain(both(text.goes_on(verb, THINGS, PARTS), _says(verb, text, shape)))])


def _says(verb: str, text: Text, shape: tuple[int, ...]) -> Bool:
    n = shape[0] if shape else 0
    provinces = [[_laid(i, j) for j in range(cards)] for i, cards in enumerate(shape)]
    match verb:
        case "pass":
            return text.passes()
        case "use":
            return text.uses()
        case "decline":
            return text.declines()
        case "resolve":
            return text.resolves([_trigger(i) for i in range(n)])
        case "attack":
            return text.attacks()
        case "no attack":
            return text.declines_attack()
        case "assign":
            fields: list[Any] = [count(f"field.{i}") for i in range(shape[1])]
            return text.assigns([_units(i) for i in range(n)], fields)
        case "fight at":
            return text.fights()
        case "deal with":
            return text.deals(provinces)
        case "bring":
            return text.brings(provinces)
        case "discard":
            return text.discards(provinces)
        case "from":
            return text.leaves("l5r.dynasty.bring", provinces)
        case "end":
            return text.ends(bool(n))
        case "first":
            return text.goes_first([count(f"tied.{i}") for i in range(n)])
    kinds, layers = shape
    time = {"draw": theory.DRAW, "fill": theory.FILL}[verb]
    cards = {f"k{k}": count(f"come.k{k}") for k in range(kinds)}
    deck = [{kind: count(f"deck{i}.{kind}") for kind in cards} for i in range(layers)]
    return text.comes(time, "l5r.end.draw", cards, deck, count("called_for"))


class _Values(dict[str, Any]):
    """What the theory's symbols are in a state; those that no action asks about are nothing."""

    def __init__(self, state: State, player: str | None, action: Action) -> None:
        self.state = state
        self._names: dict[str, int] = {}
        step = state.stack[-1] if state.stack else None
        round = step.round if step else state.round
        item = action.items[0] if len(action.items) == 1 else ""
        super().__init__(
            {
                "time": time_of(state),
                "over": state.over,
                "who": self.seat(player),
                "active": self.seat(state.mover.name),
                "now": self.seat(round.player) if round else 0,
                "owner": self.seat(step.player) if step else 0,
                "item": self.name(item),
                "offered": self.name(step.name) if step else 0,
                "granted": KINDS.index(step.name) if step and step.name in KINDS else 0,
                "cancelling": bool(step and step.cancelling),
                "barred": Asked(lambda who: any(self.seat(name) == who for name in state.barred)),
                "playing": Asked(lambda who: any(self.seat(s.name) == who and not s.out for s in state.seats)),
                "type_of": Asked(self._type),
                "field": Asked(lambda province: False),
                "fought": Asked(lambda province: False),
                "ordering": self.seat(state.order()[0]) if state.order() else 0,
                "discarded": state.second,
                "held": len(state.mover.hand),
                "most": state.mover.most,
                "copies": state.mover.hand.count(item),
                "things": len(action.items),
                "parts": len(action.rest),
            }
        )
        if action.verb == "from":
            self["item"] = next((i for i in range(len(state.mover.provinces)) if item == str(i + 1)), -1)
        if player is not None:
            self._ability(player, item, step.names if step else ())
        if state.attack is not None:
            self._attack(action.verb, item)

    def __missing__(self, name: str) -> Any:
        return 0

    def seat(self, player: str | None) -> int:
        """A player's number; that of nobody for chance."""
        return next((i for i, seat in enumerate(self.state.seats, 1) if seat.name == player), 0)

    def name(self, name: str) -> int:
        """The number of any name: of a player, or of anything else."""
        return self.seat(name) or (self._names.setdefault(name, STRANGER + len(self._names)) if name else 0)

    def _type(self, code: int) -> int:
        name = next((name for name, known in self._names.items() if known == code), "")
        return TYPES.index(self.state.table[name].type) if name in self.state.table else -1

    def _ability(self, player: str, name: str, names: Sequence[str]) -> None:
        ability = self.state[player].ability(name)
        if ability is None:
            return
        ready = Piece(ability.card) in self.state.in_play(player)
        self |= {"known": True, "type": KINDS.index(ability.type), "used": ability.used, "of_card": ability.card != ""}
        self |= {"ready": ready, "attacks": ability.effect.attack != "", "cancels": ability.effect.cancel}
        self["answers"] = ability.to in names

    def _attack(self, verb: str, item: str) -> None:
        attack = self.state.attack
        assert attack is not None
        fields = {field.province: field.fought for field in attack.fields or ()}
        self |= {"attacker": self.seat(attack.attacker), "defender": self.seat(attack.defender)}
        self |= {"second_side": attack.assigned > 0}
        self |= {"field": Asked(fields.__contains__), "fought": Asked(lambda province: fields.get(province, False))}
        if verb == "fight at":
            self["item"] = next((province for province in fields if item == str(province + 1)), -1)

    def put(self, **columns: Iterable[Any]) -> None:
        """The values of symbols with an index, column by column."""
        for word, values in columns.items():
            self |= {f"{word}.{i}": value for i, value in enumerate(values)}


def time_of(state: State) -> int:
    """The time of the theory that a state is at; -1 where nobody chooses."""
    if state.stack:
        return TIMES.index(state.stack[-1].do) if state.stack[-1].do in TIMES else -1
    if state.waiting():
        return theory.ORDER
    return theory.BATTLES if state.battles_left() else _TIMES.get(state.at, -1)


def legal(state: State, player: str | None, actions: Sequence[Action]) -> list[bool]:
    """What the theory says of each action."""
    return [_legal(state, player, action) for action in actions]


def _legal(state: State, player: str | None, action: Action) -> bool:
    values = _Values(state, player, action)
    return bool(_judge(action.verb, _shape(state, player, action, values))(values)[0])


def _shape(state: State, player: str | None, action: Action, values: _Values) -> tuple[int, ...]:
    """Puts what lies around into the values; gives how many things of each kind that is."""
    match action.verb:
        case "resolve":
            here = [t for t in state.agenda if t.moment == state.at]
            values.put(trigger=(values.name(t.name) for t in here), turn=(values.seat(t.turn_of) for t in here))
            values.put(turns=(t.effect.turns for t in here), live=(t.live for t in here), rank=(t.rank for t in here))
            return (len(here),)
        case "deal with" | "bring" | "discard" | "from":
            for i, province in enumerate(state.mover.provinces):
                values.put(**{f"card.{i}": [values.name(card.name) for card in province]})
                values.put(**{f"up.{i}": [card.up for card in province]})
                values.put(**{f"left.{i}": [card.mark == "" for card in province]})
            return tuple(map(len, state.mover.provinces))
        case "assign":
            return _assigned(state, player, action, values)
        case "end":
            return (int(action.items == ("dynasty phase",)),)
        case "first":
            tied = state.stack[-1].names if state.stack else ()
            values.put(tied=map(values.seat, tied))
            return (len(tied),)
        case "draw" | "fill":
            return _drawn(state, action, values)
    return ()


def _assigned(state: State, player: str | None, action: Action, values: _Values) -> tuple[int, ...]:
    sent = [split(each) for each in action.items]
    names = Counter(name for name, _ in sent)
    home = Counter(next((seat.home for seat in state.seats if seat.name == player), ()))
    values.put(sent=names.values(), field=(field for _, field in sent))
    values.put(unbowed=(home[Piece(name)] for name in names), bowed=(home[Piece(name, True)] for name in names))
    values.put(cavalry=(name in state.table and state.table.cavalry(name) for name in names))
    return len(names), len(sent)


def _drawn(state: State, action: Action, values: _Values) -> tuple[int, ...]:
    step = state.stack[-1] if state.stack and state.stack[-1].do in ("draw", "fill") else None
    if step is None:
        return 0, 0
    deck = state[step.player].dynasty if step.do == "fill" else state[step.player].fate
    values["called_for"] = step.n if step.do == "draw" else 1
    kinds = sorted({*action.items, *(card for layer in deck for card in layer)})
    values |= {f"come.k{k}": action.items.count(kind) for k, kind in enumerate(kinds)}
    for i, layer in enumerate(deck):
        values |= {f"deck{i}.k{k}": layer.count(kind) for k, kind in enumerate(kinds)}
    return len(kinds), len(deck)
