"""Turn order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def turn_order(seats: Sequence[T], first: T) -> tuple[T, ...]:
    """The seats from `first` on, to the left and once round. Raises `ValueError` if it is no seat."""
    start = seats.index(first)
    return (*seats[start:], *seats[:start])
