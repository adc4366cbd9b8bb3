"""What waits for a moment, and who may resolve which of it next.

Who chooses among several is the game's policy. Whatever may be next is a legal next one, so that no
order is golden; and it is asked anew after each, since one trigger may make the condition of another
true or no longer true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from oracle.timing.units import Moment

E = TypeVar("E")


class Trigger(Struct, Generic[E], frozen=True):
    """Something that waits for a moment.

    `owner` resolves it (None: it is the game's, and just happens); `name` is what players call it; `effect`
    is the game's own value. With `turn_of` it waits for a turn of that player, else for any. `rank` is the
    class it belongs to, lower ones first; while its condition is not met, `live` is false and it does not happen.
    """

    owner: str | None
    moment: Moment
    name: str
    effect: E
    turn_of: str | None = None
    rank: int = 0
    live: bool = True


class Waiting(Struct, Generic[E], frozen=True):
    """Who chooses now (None: nobody does), and the triggers that may be next (at least one)."""

    chooser: str | None
    triggers: tuple[Trigger[E], ...]

    @property
    def forced(self) -> bool:
        """Whether there is nothing to choose: those that may be next go by one name."""
        return len({(trigger.owner, trigger.name) for trigger in self.triggers}) == 1


class Policy(Protocol):
    """Who chooses among triggers that are due, and which of them may be next; `order` is turn order from now on."""

    def __call__(self, due: Sequence[Trigger[E]], order: Sequence[str]) -> Waiting[E] | None: ...


def by_owner(due: Sequence[Trigger[E]], order: Sequence[str]) -> Waiting[E] | None:
    """What the game itself does comes first; then in turn order each player does all of his, in an order he likes."""
    for owner in (None, *order):
        own = tuple(trigger for trigger in due if trigger.owner == owner)
        if own:
            return Waiting(owner, own)
    return None


def by_class(due: Sequence[Trigger[E]], order: Sequence[str]) -> Waiting[E] | None:
    """Class after class, whoever owns them; within a class the player whose turn it is orders them all."""
    if not due:
        return None
    first = min(trigger.rank for trigger in due)
    return Waiting(order[0], tuple(trigger for trigger in due if trigger.rank == first))


def at(agenda: Iterable[Trigger[E]], moment: Moment, player: str) -> list[Trigger[E]]:
    """The triggers that wait for this moment of the player's turn, whether their condition is met or not."""
    return [t for t in agenda if t.moment == moment and t.turn_of in (None, player)]


def next_up(
    agenda: Iterable[Trigger[E]], moment: Moment, order: Sequence[str], policy: Policy = by_owner
) -> Waiting[E] | None:
    """What may resolve next at a moment; None when nothing does. `order` is turn order from whose turn it is."""
    return policy([trigger for trigger in at(agenda, moment, order[0]) if trigger.live], order)


def without(agenda: Iterable[Trigger[E]], trigger: Trigger[E]) -> tuple[Trigger[E], ...]:
    """The agenda without one trigger, once even where there are several alike. Raises `ValueError` for none."""
    left = list(agenda)
    left.remove(trigger)
    return tuple(left)


def conditioned(agenda: Iterable[Trigger[E]], name: str, live: bool) -> tuple[Trigger[E], ...]:
    """The agenda after the condition of every trigger of that name has become true, or no longer true."""
    return tuple(replace(trigger, live=live) if trigger.name == name else trigger for trigger in agenda)
