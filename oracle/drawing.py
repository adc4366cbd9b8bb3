"""Drawing for samples: choices among items, each made by a `Choose`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from oracle.decisions import Choose

T = TypeVar("T")


def one(choose: Choose, items: Sequence[T]) -> T:
    """One of the items."""
    return items[choose(len(items))]


def several(choose: Choose, items: Sequence[T], most: int) -> list[T]:
    """None to `most` of the items, each as often as it comes."""
    return [one(choose, items) for _ in range(choose(most + 1))]
