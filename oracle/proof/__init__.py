"""Proofs about the code that ships: lifting, claims, mutants, readings and questions.

Nothing here knows a game. A game's folder adds `theory.py` (its text again, in z3), `claims.py` and
`readings.py`. z3 is imported by the functions below when they are called, never before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oracle.errors import BadInput, NothingRun, OracleError
from oracle.game import Game

if TYPE_CHECKING:
    from oracle.proof.claims import Claim
    from oracle.proof.questions import Question
    from oracle.proof.readings import Difference
    from oracle.proof.report import Report


def prove(
    game: Game[Any],
    claims: Collection[str] | None = None,
    second_solver: bool = True,
    rlimit: int = 0,
    smt2: Path | None = None,
    progress: Callable[[str], object] | None = None,
) -> Report:
    """Proves the game's claims, or those named (an id, or the part of ids before a dot).

    `rlimit` is the budget of one question in solver steps, 0 for the default; `smt2` a folder for the
    questions as SMT-LIB text; `progress` is told the id of each claim before it is proved, and which one of how
    many it is. Raises `BadInput` for a claim that there is not, `NothingRun` where the game claims nothing.
    """
    from time import process_time

    from oracle.proof.claims import decide
    from oracle.proof.report import Report
    from oracle.proof.smt import RLIMIT

    began = process_time()
    room = game.room("claims")
    every = _claims(game)
    wanted = [claim for claim in every if claims is None or any(_named(claim.id, name) for name in claims)]
    for name in claims or ():
        if not any(_named(claim.id, name) for claim in every):
            raise BadInput(f"{game.name} has no claim {name!r}", fix=f"one of: {', '.join(c.id for c in every)}")
    if not wanted:
        raise NothingRun(f"{game.name} claims nothing")
    proofs = []
    for i, claim in enumerate(wanted, 1):
        if progress:
            progress(f"{claim.id} ({i} of {len(wanted)})")
        keep = partial(_write, smt2, claim.id, iter(range(1, len(claim.parts) + 1))) if smt2 else None
        proofs.append(decide(claim, second_solver, rlimit or RLIMIT, keep))
    return Report(game.name, tuple(proofs), process_time() - began, tuple(getattr(room, "TESTED", ())))


@cache
def _claims(game: Game[Any]) -> list[Claim]:
    """The claims of a game, which take seconds to build. Raises `OracleError` for code that cannot be lifted."""
    from oracle.proof.laws import Laws
    from oracle.proof.paths import LiftError

    room = game.room("claims")
    try:
        return list(room.claims(room.modules(), Laws()))
    except LiftError as error:
        message = f"the code of {game.name} cannot be lifted: {error}"
        raise OracleError(message, fix="oracle/proof/lift.py says what lifted code may do") from error


def compare_readings(game: Game[Any], one: str, other: str) -> Difference:
    """How two of the game's readings differ: the smallest position, or proved equivalent. Raises `BadInput`."""
    from oracle.proof.readings import difference, named

    return difference(game, named(game, one), named(game, other))


def find_questions(game: Game[Any]) -> list[Question]:
    """What the text of the game's rules leaves open, as far as search and solver find it."""
    from oracle.proof.questions import questions as find

    return find(game)


def save(folder: Path, game: Game[Any], found: Report | Difference | Iterable[Question]) -> list[Path]:
    """Writes a case for each thing found that has a position. Returns the files."""
    from oracle.proof.saving import save as write

    return write(folder, game, found)


def _named(id: str, name: str) -> bool:
    return id == name or id.startswith(f"{name}.")


def _write(folder: Path, id: str, parts: Iterator[int], text: str) -> None:
    keep(folder, f"{id}.{next(parts)}.smt2", text)


def keep(folder: Path, name: str, text: str) -> Path:
    """Writes a file into a folder, which is made if need be. Raises `BadInput` where that cannot be."""
    make(folder)
    file = folder / name
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"this cannot be written: {error.strerror}", where=str(file)) from None
    return file


def make(folder: Path) -> None:
    """Makes a folder if need be. Raises `BadInput` where there can be none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"there can be no such folder: {error.strerror}", where=str(folder)) from None
