"""What a disagreement is: where it was seen, what it consists of, and which others are the same."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from oracle.game import Action, Game, Reason

Json = Any
Fault = Literal[
    "setup",  # the position to begin with is not the one given
    "missing",  # a legal action is not offered
    "extra",  # an illegal action is offered
    "unknown action",  # what is offered is no action of the game
    "wrong player",  # another player is asked
    "order",  # what the rules put later is offered, asked for, taken or reported first
    "wrong kind",  # what is asked is called an action, a choice or chance, and is another of these
    "refused",  # a legal action is not accepted
    "accepted",  # an illegal action is
    "changed by a refusal",  # an illegal action is not accepted, but has changed something
    "impossible draw",  # chance decided what it cannot
    "drew too much",  # chance decided more than the rules let it
    "drew too little",  # or less
    "state",  # the positions differ
    "over too early",  # the game is over, but not by the rules
    "over too late",  # and the other way round
    "outcome",  # scores or winners differ
]


class Divergence(Struct, frozen=True):
    """The first point where an implementation and the oracle disagree.

    `says` is the fault in a sentence. `reasons` are the clauses that decide, `actions` the actions
    concerned as text (what is missing, extra, refused, ...). `position` is the oracle's position
    there; `setup` and then `play`, the actions so far (chance included), lead to it.
    """

    fault: Fault
    player: str | None
    about: str
    says: str
    reasons: tuple[Reason, ...]
    actions: tuple[str, ...]
    position: dict[str, Json]
    edition: str
    setup: dict[str, Json]
    play: tuple[str, ...]
    signature: str

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the rules that decide, each once."""
        return tuple(dict.fromkeys(reason.rule for reason in self.reasons))

    @property
    def size(self) -> tuple[int, int]:
        """How long it takes to tell: moves of the play, then the length of its setup."""
        return len(self.play), len(repr(self.setup))


def signature(fault: Fault, about: str, rules: Iterable[str], general: Iterable[str]) -> str:
    """The id that equal divergences share, short enough to be typed: the fault and a mark of the rest.

    `general` are the actions or fields concerned, in general form; digits in `about` do not count.
    """
    parts = [fault, re.sub(r"\d+", "", about), *sorted(set(rules)), "/", *sorted(set(general))]
    mark = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:8]
    return f"{fault.replace(' ', '-')}-{mark}"


def generalised(game: Game[Any], action: Action) -> str:
    """The action without the cards it names: `buy`, `discard`, but `end buy phase`."""
    fixed = game.verbs[action.verb].fixed
    named = action.items and all(item in fixed for item in action.items)
    return f"{action.verb} {' '.join(action.items)}" if named else action.verb


def differences(seen: Json, ours: Json, bags: Collection[str], field: str = "") -> list[tuple[str, Json, Json]]:
    """Where a state given by a program is not ours: (field, theirs, ours), only for fields they give.

    A field that we leave out is empty (none, zero, no items). Values of different types are different: true
    is not 1, and neither is 1.0. A list of a field in `bags` has no order;
    "3 Estate" in a list means three, and a number in its place is how many items it has. A list within
    our list is a pile of unknown order, which any order of the same items agrees with.
    """
    if _both_empty(seen, ours):
        return []
    if isinstance(seen, Mapping):
        mine = ours if isinstance(ours, Mapping) else {}
        each = ((f"{field}.{key}" if field else str(key), value, mine.get(key)) for key, value in seen.items())
        return [found for name, value, own in each for found in differences(value, own, bags, name)]
    if type(seen) is int and isinstance(ours, list | tuple):
        return [] if seen == len(_flat(ours)) else [(field, seen, ours)]
    if isinstance(seen, list | tuple) and isinstance(ours, list | tuple):
        agree = _flat(seen) == _flat(ours) if field.split(".")[0] in bags else _fits(seen, ours)
        return [] if agree else [(field, seen, ours)]
    return [] if type(seen) is type(ours) and seen == ours else [(field, seen, ours)]


def _both_empty(seen: Json, ours: Json) -> bool:
    if seen or ours:
        return False
    plain = not isinstance(seen, _SCALAR) and not isinstance(ours, _SCALAR)
    return seen is None or ours is None or plain or type(seen) is type(ours)


_SCALAR = (bool, int, float, str)


def _expanded(items: Iterable[Json]) -> list[Json]:
    out: list[Json] = []
    for item in items:
        counted = re.fullmatch(r"(\d+) (.+)", item) if isinstance(item, str) and item[:1].isdigit() else None
        out += [counted[2]] * int(counted[1]) if counted else [item]
    return out


def _flat(items: Iterable[Json]) -> list[str]:
    flat: list[str] = []
    for item in _expanded(items):
        flat += _flat(item) if isinstance(item, list | tuple) else [_mark(item)]
    return sorted(flat)


def _mark(item: Json) -> str:
    """A text that equal items share and no others: mappings in any order, numbers and texts apart."""
    return item if isinstance(item, str) else f"\0{msgspec.json.encode(item, order='sorted').decode()}"


def _fits(seen: Sequence[Json], ours: Sequence[Json]) -> bool:
    layers = [_flat(item) if isinstance(item, list | tuple) else [_mark(item)] for item in _expanded(ours)]
    left = [item for part in _expanded(seen) for item in (_flat(part) if isinstance(part, list | tuple) else [part])]
    for layer in layers:
        if sorted(map(_mark, left[: len(layer)])) != layer:
            return False
        left = left[len(layer) :]
    return not left
