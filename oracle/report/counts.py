"""Counts of plays, and the way down to where a program differs: what `oracle perft` answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from oracle import perft
from oracle.casebook.position import load_position
from oracle.conformance.descent import descend
from oracle.conformance.divergence import Divergence
from oracle.conformance.targets import target as door
from oracle.errors import Unsupported
from oracle.game import Game
from oracle.report import checks
from oracle.report.text import columns, many, wrapped

Json = Any


class Compared(Struct, frozen=True):
    """How far a program was compared, and where it first differs. `rules` are the sentences of the deciding rules."""

    game: str
    edition: str
    target: str
    compared: tuple[int, ...]
    cut: bool
    divergence: Divergence | None
    rules: dict[str, str]


def counted(game: Game[Any], file: str | None, edition: str | None, depth: int, *, divide: bool) -> perft.Perft:
    """The counts from a position file, or from the published start. Raises `BadInput`."""
    given, edition = _beginning(game, file, edition)
    found = perft.perft(game, game.position(given, edition), edition, depth)
    return found if divide else perft.Perft(found.game, found.edition, found.counts, {})


def compared(game: Game[Any], target: str, file: str | None, edition: str | None, depth: int) -> Compared:
    """Goes down all plays beside a program. Raises `BadInput`, and `ImplementationFailed` where the program fails."""
    given, edition = _beginning(game, file, edition)
    program = door(target, game)()
    try:
        plays = program.start().games
        if not any(play.game == game.name and play.edition == edition for play in plays):
            raise Unsupported(f"{target} does not play {game.name}@{edition}")
        found = descend(game, program, edition, given, depth)
    finally:
        program.stop()
    named = found.divergence.rules if found.divergence else ()
    says = {rule: game.rulebook[rule].wording(edition) for rule in named if rule in game.rulebook}
    return Compared(game.name, edition, target, found.compared, found.cut, found.divergence, says)


def _beginning(game: Game[Any], file: str | None, edition: str | None) -> tuple[Mapping[str, Json], str]:
    if file is None:
        return perft.published(game), edition or game.editions[0]
    loaded = load_position(file, game, edition)
    return {key: value for key, value in game.observe(loaded.state).items() if key not in game.derived}, loaded.edition


def text(found: perft.Perft) -> str:
    """A row a depth, then one for each first action of the last depth."""
    rows = [("depth", "plays"), *((str(depth), f"{n:,}") for depth, n in enumerate(found.counts, 1))]
    lines = [f"{found.game}@{found.edition}", *columns(rows)]
    if found.divided:
        last = len(found.counts)
        lines += ["", f"Of the plays of {many(last, 'action')}:"]
        lines += columns([(action, f"{n:,}") for action, n in found.divided.items()], "  ")
    return "\n".join(lines)


def difference(found: Compared) -> str:
    """What was compared, and the first divergence if there is one."""
    levels = ", ".join(f"{n:,} at depth {depth}" for depth, n in enumerate(found.compared, 1))
    head = f"{found.target}: {found.game}@{found.edition}; positions compared: {levels}"
    if found.divergence is None:
        cut = "; the next depth is too wide to go through" if found.cut else ""
        return wrapped(f"{head}. No difference{cut}.")
    return "\n".join([wrapped(head), "", *checks.divergence(found.divergence, found.rules)])
