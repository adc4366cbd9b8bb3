"""Where modules may stand. The manual's placement rules are in a section that we do not have.

So they are a parameter: anything with the interface of `Placement`. Two are given: `free` (anywhere on
the map) and `connected` (every module reaches the Command Core over links between occupied nodes).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import compress
from typing import Protocol

CORE = "core"
"""The node of the Command Core."""
VACANT = ""
"""What stands at a node where no module is."""

Station = tuple[str, ...]
"""The name of the module at each node, in the order of `Map.nodes`; `VACANT` where there is none."""


class Map:
    """The nodes of a station and the links between them; `near` has each node's neighbours as a bit mask."""

    __slots__ = ("_bits", "_hash", "core", "index", "links", "near", "nodes")

    def __init__(self, nodes: Iterable[str], links: Iterable[tuple[str, str]]) -> None:
        self.nodes = tuple(nodes)
        self.links = tuple(links)
        self.index = {node: i for i, node in enumerate(self.nodes)}
        self.core = self.index[CORE]
        near = [0] * len(self.nodes)
        for one, other in self.links:
            near[self.index[one]] |= 1 << self.index[other]
            near[self.index[other]] |= 1 << self.index[one]
        self.near = tuple(near)
        self._bits = tuple(1 << i for i in range(len(near)))
        self._hash = hash((self.nodes, self.links))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Map) and (self.nodes, self.links) == (other.nodes, other.links)

    def __hash__(self) -> int:
        return self._hash

    def occupied(self, station: Station) -> int:
        """The nodes where a module stands, as a bit mask."""
        return sum(compress(self._bits, station))  # `VACANT` is the one name that counts as false

    def with_module(self, station: Station, node: str, module: str) -> Station:
        """The station with what stands at one node replaced."""
        i = self.index[node]
        return (*station[:i], module, *station[i + 1 :])


def rings(*sizes: int) -> Map:
    """A Core in rings of nodes n1, n2, ... that are each linked all around and with the ring within.

    Each ring has at least three nodes and a multiple of what the one within it has.
    """
    nodes, links = [CORE], list[tuple[str, str]]()
    inner = [CORE]
    for size in sizes:
        ring = [f"n{len(nodes) + i}" for i in range(size)]
        nodes += ring
        links += [(inner[i * len(inner) // size], node) for i, node in enumerate(ring)]
        links += [(node, ring[(i + 1) % size]) for i, node in enumerate(ring)]
        inner = ring
    return Map(nodes, links)


class Placement(Protocol):
    """Which stations may be: asked of the whole resulting station, never of a step on the way there."""

    def __call__(self, map: Map, station: Station, /) -> bool: ...


def free(map: Map, station: Station) -> bool:
    """Any module may stand at any node."""
    return True


def connected(map: Map, station: Station) -> bool:
    """Every module reaches the Command Core over links, through occupied nodes only."""
    return _reached(map, map.occupied(station))


@lru_cache(maxsize=1 << 16)
def _reached(map: Map, occupied: int) -> bool:
    """Whether the occupied nodes, a bit mask, are all reached from the Core's."""
    seen = fresh = 1 << map.core
    while fresh:
        beside = 0
        for i, near in enumerate(map.near):
            if fresh >> i & 1:
                beside |= near
        fresh = beside & occupied & ~seen
        seen |= fresh
    return occupied & ~seen == 0


PLACEMENTS: dict[str, Placement] = {"connected": connected, "free": free}
"""The placements that a position can name, the default first."""
