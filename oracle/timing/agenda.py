"""What waits for a moment, and who may resolve which of it next.

What the rules of the game themselves do comes first: nobody owns it, and nobody chooses. Between
players the order is turn order from the player whose turn it is; among a player's own triggers that
player chooses, so each of them is a legal next one and no order is golden.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from oracle.timing.calendar import Moment

E = TypeVar("E")


class Trigger(Struct, Generic[E], frozen=True):
    """Something that waits for a moment.

    `owner` resolves it and chooses among his own (None: it is the game's, and just happens); `name` is
    what players call it; `effect` is the game's own value. With `turn_of` it waits for a turn of that
    player, else for any.
    """

    owner: str | None
    moment: Moment
    name: str
    effect: E
    turn_of: str | None = None


class Waiting(Struct, Generic[E], frozen=True):
    """Who chooses now (None: nobody does), and the triggers that may be next (at least one)."""

    chooser: str | None
    triggers: tuple[Trigger[E], ...]


def next_up(agenda: Iterable[Trigger[E]], moment: Moment, order: Sequence[str]) -> Waiting[E] | None:
    """What may resolve next at a moment; None when nothing waits for it.

    `order` is turn order from the player whose turn it is; the first in it who has a trigger chooses.
    """
    due = [t for t in agenda if t.moment == moment and t.turn_of in (None, order[0])]
    for owner in (None, *order):
        own = tuple(trigger for trigger in due if trigger.owner == owner)
        if own:
            return Waiting(owner, own)
    return None
