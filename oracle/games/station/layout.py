"""Where the nodes of a map are drawn: the Core in the middle, all others around it by their distance from it."""

from __future__ import annotations

from cmath import phase, rect
from math import atan2, cos, pi, sin, tau

from oracle.games.station.placement import Map

Point = tuple[float, float]


def circles(map: Map) -> list[Point]:
    """A place for each node, in the order of `Map.nodes`, one unit from circle to circle.

    Nodes of one distance from the Core stand evenly on a circle, turned so that each is near those it is
    linked with further in. Nodes without a link stand on the first one, others that do not reach the Core on the last.
    """
    places: dict[int, Point] = {map.core: (0.0, 0.0)}
    left = [i for i in range(len(map.nodes)) if i != map.core]
    inner, radius = [map.core], 0.0
    while left:
        ring = [i for i in left if not map.near[i] or any(map.near[i] >> j & 1 for j in inner)] or left
        toward = {i: _toward(i, map, places) for i in ring}
        ring.sort(key=lambda i: (round(toward[i] % tau, 6), i))
        pull = sum(rect(1, toward[i] - tau * k / len(ring)) for k, i in enumerate(ring))
        turn = phase(pull) if abs(pull) > 1e-6 else -pi / 2
        radius = max(radius + 1, len(ring) / tau)
        for k, i in enumerate(ring):
            angle = turn + tau * k / len(ring)
            places[i] = (radius * cos(angle), radius * sin(angle))
        inner, left = ring, [i for i in left if i not in places]
    return [places[i] for i in range(len(map.nodes))]


def _toward(node: int, map: Map, places: dict[int, Point]) -> float:
    """The direction from the Core in which those lie that the node is linked with further in."""
    near = [places[i] for i in places if map.near[node] >> i & 1 and i != map.core]
    x, y = sum(x for x, _ in near), sum(y for _, y in near)
    if (x, y) != (0, 0):
        return atan2(y, x)
    return -pi / 2 if map.near[node] else pi / 2


def fitted(points: list[Point], width: float, height: float) -> tuple[list[Point], float]:
    """The places moved and scaled into a frame, and how many pixels a unit has (at most 104)."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    scale = min(104.0, width / (wide + 0.9), height / (high + 0.6))
    mid_x, mid_y = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    return [(width / 2 + (x - mid_x) * scale, height / 2 + (y - mid_y) * scale) for x, y in points], scale
