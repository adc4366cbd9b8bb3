"""What things are called, which rules say what a legal action does, and what a starting position is."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from oracle.game import Action
from oracle.games.l5r.assignments import split
from oracle.games.l5r.calendar import COMBAT, END
from oracle.games.l5r.state import MOST_FIELDS, State

DOES: dict[str, tuple[str, ...]] = {
    "pass": ("l5r.action.round", "l5r.action.passes"),
    "use": ("l5r.action.passes", "l5r.ability.once", "l5r.action.round"),
    "decline": ("l5r.ruling.owner-declines",),
    "resolve": ("l5r.ruling.compulsory", "l5r.ruling.active-orders"),
    "deal with": ("l5r.events.several", "l5r.events.order"),
    "attack": ("l5r.attack.sequence", "l5r.attack.battlefields", "l5r.attack.declare"),
    "no attack": ("l5r.turn.sequence", "l5r.attack.optional"),
    "assign": ("l5r.attack.home", "l5r.attack.any"),
    "fight at": ("l5r.attack.once", "l5r.attack.choose", "l5r.combat.defender-first"),
    "bring": ("l5r.dynasty.bring",),
    "discard": ("l5r.dynasty.discard", "l5r.dynasty.no-more"),
    "from": ("l5r.dynasty.bring",),
    "end": ("l5r.turn.next", "l5r.end.discard", "l5r.end.draw"),
    "draw": ("l5r.end.draw",),
    "fill": ("l5r.start.e",),
    "first": ("l5r.start.c", "l5r.start.b", "l5r.start.tie"),
}
SETS: dict[str, tuple[str, ...]] = {
    "honor": ("l5r.start.honor",),
    "in play": ("l5r.start.c", "l5r.start.a"),
    "provinces": ("l5r.ruling.fills", "l5r.start.e"),
    "hand": ("l5r.start.f",),
    "active": ("l5r.start.b", "l5r.start.active"),
}


def consequences(state: State, action: Action) -> tuple[str, ...]:
    """The rules that say what a legal action does, the most particular last."""
    if state.stack:
        step = state.stack[-1]
        if step.do == "additional":
            return ("l5r.additional",)
        if step.do == "reactions":
            return (*DOES[action.verb], "l5r.reaction.round")
        return (step.rule,) if step.rule else DOES[action.verb]
    if state.at == COMBAT:
        return (*DOES[action.verb], "l5r.combat.round")
    return ("l5r.end.discard", "l5r.end.exactly") if state.at == END else DOES[action.verb]


def settings(field: str) -> tuple[str, ...]:
    """The rules that say what a field such as `hand.A` is when a game starts."""
    return SETS.get(field.partition(".")[0], ("l5r.start.g",))


class Names(Collection[str]):
    """What the items of an action can be called: cards, abilities, triggers, players, fields, units sent there."""

    def __init__(self, state: State) -> None:
        fate = {
            card for seat in state.seats for card in (*seat.hand, *seat.discard, *(c for d in seat.fate for c in d))
        }
        triggers = (*(trigger.name for trigger in state.agenda), *(step.name for step in state.stack))
        own = {name for seat in state.seats for name in (seat.name, *(ability.name for ability in seat.abilities))}
        self._cards = state.table.cards.keys() | fate
        self._names = {*self._cards, *own, *filter(None, triggers), *(str(i + 1) for i in range(MOST_FIELDS))}

    def __contains__(self, name: object) -> bool:
        return name in self._names or (isinstance(name, str) and self._sent(*split(name)))

    def _sent(self, unit: str, field: int) -> bool:
        return unit in self._cards and 0 <= field < MOST_FIELDS

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
