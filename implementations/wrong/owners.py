"""The fault: of several players' triggers those of the player whose turn it is come last."""

from collections.abc import Sequence
from functools import partial
from typing import TypeVar

from model import Model

from oracle.games.dominion import state
from oracle.timing import Trigger, Waiting, by_owner, next_up

E = TypeVar("E")


def backwards(due: Sequence[Trigger[E]], order: Sequence[str]) -> Waiting[E] | None:
    return by_owner(due, order[::-1])


class Owners(Model):
    game = "dominion"


if __name__ == "__main__":
    vars(state)["next_up"] = partial(next_up, policy=backwards)
    Owners.run()
