"""What the commands about proofs answer: claims, readings and questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from oracle import games, proof
from oracle.errors import BadInput, NothingRun
from oracle.game import Game
from oracle.proof.mutants import Mutant, of_theory
from oracle.proof.questions import Question
from oracle.proof.readings import Difference, Reading
from oracle.proof.report import Report
from oracle.proof.smt import has_second
from oracle.report.brief import flow
from oracle.report.text import columns, hanging, many

Tell = Callable[[str], object]


class Proved(Struct, frozen=True):
    """The reports of one game or of several, and the mutants of each theory where they were asked for."""

    reports: tuple[Report, ...]
    mutants: tuple[tuple[Mutant, ...], ...] = ()


def prove(
    game: str | None,
    claims: Sequence[str],
    *,
    second_solver: bool,
    rlimit: int | None,
    smt2: Path | None,
    save: Path | None,
    tell: Tell,
) -> tuple[Report, ...]:
    """Proves a game's claims, or those of every game that has any. Raises `BadInput`, `NothingRun`."""
    if second_solver and not has_second():
        fix = "python -m pip install 'rules-oracle[proof]', or --no-second-solver, with which nothing is `proved`"
        raise BadInput("the second solver, cvc5, is not installed", fix=fix)
    for folder in filter(None, (save, smt2)):
        proof.make(folder)  # to prove takes long, and what is found would have nowhere to go
    models = [games.load(game)] if game else [model for model in map(games.load, games.names()) if _claims(model)]
    if not models:
        raise NothingRun("no game claims anything")
    found = []
    for model in models:
        told = lambda id, name=model.name: tell(f"{name}: {id}")  # noqa: E731
        found.append(proof.prove(model, claims or None, second_solver, rlimit or 0, smt2, told))
        if save:
            proof.save(save, model, found[-1])
    return tuple(found)


def noticed(reports: Sequence[Report], tell: Tell) -> tuple[tuple[Mutant, ...], ...]:
    """The mutants of each report's theory, and the claims that notice them."""
    out = []
    for report in reports:
        tell(f"{report.game}: mutants")
        out.append(tuple(of_theory(games.load(report.game))))
    return tuple(out)


def _claims(model: Game[Any]) -> bool:
    try:
        model.room("claims")
    except BadInput:
        return False
    return True


def text(found: Proved) -> str:
    """A table a game, with the mutants that each claim notices, and below it how many are noticed and which are not."""
    parts = []
    for i, report in enumerate(found.reports):
        mutants = found.mutants[i] if found.mutants else ()
        kills = Counter(id for mutant in mutants for id in mutant.killed_by)
        parts.append(f"{report.game}\n{table(report, kills if mutants else None)}")
        if mutants:
            left = [mutant.name for mutant in mutants if not mutant.killed_by]
            told = f": {', '.join(left)}" if left else ""
            kept = f"{len(mutants) - len(left)} of {many(len(mutants), 'mutant')} noticed, {len(left)} not{told}"
            parts.append(hanging(kept))
    return "\n\n".join(parts)


def table(report: Report, kills: Mapping[str, int] | None = None) -> str:
    """A line a claim, and below it what it says and rests on, or why it is not proved.

    `kills` tells how many mutants of the theory each claim notices.
    """
    width = max((len(each.id) for each in report.proofs), default=0)
    left = " " * 12
    lines = []
    for each in report.proofs:
        times = f"z3 {each.z3_seconds * 1000:6.0f} ms  cvc5 {each.cvc5_seconds * 1000:6.0f} ms"
        times += f"  {kills.get(each.id, 0):3} mutants" if kills is not None else ""
        lines.append(f"{each.outcome:<10}  {each.id:<{width}}  {times}")
        core, seen = ", ".join(each.core), each.witness
        told = (each.says, f"scope: {each.scope}", core and f"needs: {core}", each.note, seen and f"witness: {seen}")
        lines += [hanging(line, left) for line in told if line]
    if report.tested:
        lines += ["Not lifted, but tested against the theory on drawn positions:"]
        lines += [hanging(name, "  ") for name in report.tested]
    done = sum(each.green for each in report.proofs)
    lines.append(f"{done} of {len(report.proofs)} claims proved by both solvers, {report.seconds:.1f} s CPU")
    return "\n".join(lines)


class Known(Struct, frozen=True):
    """A reading by its id, what it says, and the rules that it reads otherwise."""

    id: str
    kind: str
    says: str
    rules: tuple[str, ...]


def known(model: Game[Any]) -> tuple[Known, ...]:
    """The readings of a game. Raises `BadInput` where it has none."""
    read: Sequence[Reading] = model.room("readings").READINGS
    return tuple(Known(reading.id, reading.kind, reading.says, reading.rules) for reading in read)


def listed(read: Sequence[Known]) -> str:
    """A line a reading."""
    return "\n".join(columns([(one.id, one.kind, one.says) for one in read]))


class Apart(Struct, frozen=True):
    """A difference as data: the readings by id, the outcome, and the position where they differ."""

    game: str
    one: str
    other: str
    outcome: str
    text: str
    given: dict[str, Any] | None
    play: tuple[str, ...]


def apart(model: Game[Any], one: str, other: str | None, save: Path | None) -> Apart:
    """How two readings differ; a single one is held against the rules. Raises `BadInput`."""
    first, second = ("rule", one) if other is None else (one, other)
    found: Difference = proof.compare_readings(model, first, second)
    if save:
        proof.save(save, model, found)
    shown = found.found
    given, play = (shown.given, shown.play) if shown else (None, ())
    return Apart(found.game, first, second, found.outcome, _told(found), given, play)


def _told(found: Difference) -> str:
    lines = [hanging(f"{reading.id}: {reading.says}") for reading in (found.one, found.other)]
    if (seen := found.found) is None:
        proved = "harmless: proved equivalent" if found.outcome == "harmless" else found.outcome
        return "\n".join([*lines, hanging(f"{proved} ({found.note})")])
    lines += ["smallest position:", *_position(seen.given, seen.play)]
    lines += [f"  {seen.what}", hanging(f"{found.one.id}: {seen.one}", "    ")]
    lines += [hanging(f"{found.other.id}: {seen.other}", "    ")]
    return "\n".join([*lines, hanging(f"question: {found.question}")])


def _position(given: Mapping[str, Any], play: Sequence[str]) -> list[str]:
    lines = [flow(field, value, "  ") for field, value in given.items()]
    return [*lines, hanging(f"after: {'; '.join(play)}", "  ")] if play else lines


def difference(found: Apart) -> str:
    """The answer in words."""
    return found.text


def asked(model: Game[Any], save: Path | None) -> tuple[Question, ...]:
    """The questions to the author of a game's rules."""
    found = tuple(proof.find_questions(model))
    if save:
        proof.save(save, model, found)
    return found


def questions(found: Sequence[Question]) -> str:
    """Each question with a position that shows it and what was found."""
    told = []
    for each in found:
        lines = [hanging(f"{each.kind}: {each.asks}"), *_position(each.given or {}, each.play)]
        lines += [hanging(line.lstrip(), "    " if line.startswith(" ") else "  ") for line in each.found.splitlines()]
        told.append("\n".join(lines))
    return "\n\n".join([*told, f"{many(len(found), 'question')} to the author of the rules."])
