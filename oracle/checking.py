"""What `oracle check` runs: the cases on the reference model, or cases and games on another program."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from oracle import games as modelled
from oracle.casebook import bundled, case, schema
from oracle.casebook.case import Case, Casebook, Do, Refuse
from oracle.conformance.check import Progress, Report, Row, check, exit_code, read_known
from oracle.conformance.implementation import TIMEOUT, Implementation
from oracle.conformance.protocol import About
from oracle.conformance.scripts import Script
from oracle.conformance.targets import target as door
from oracle.errors import BadInput, ImplementationFailed, NothingRun
from oracle.game import Game
from oracle.logs.writing import Writing, write

_UNPRINTABLE = re.compile("[^\t\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
GAMES = 50
"""Games that a program plays, unless told otherwise."""
REFERENCE = "reference"
LOG = "log:"
WORST = (1, 3, 2, 0)
"""Exit codes, the one that says most first."""


class Plan(Struct, frozen=True, kw_only=True):
    """What is to be checked, as the options of `oracle check` say it.

    `game` None: all games that the program says it plays; for the reference the cases of all that are modelled,
    and games of the first. `games` None: `GAMES` for a program, none for the reference. `case` and `only_game`
    leave only that one case or game of the seed. `paths` are the user's case files; empty: the oracle's own.
    `timeout` is in seconds. `log_to` is where the one game is written down. `junit` is where the caller writes a
    JUnit report; here it is only told in the report's `command`.
    """

    target: str = REFERENCE
    game: str | None = None
    games: int | None = None
    seed: int = 0
    cases: bool = True
    paths: tuple[str, ...] = ()
    case: str | None = None
    only_game: int | None = None
    edition: str | None = None
    timeout: float = TIMEOUT
    known: Path | None = None
    junit: Path | None = None
    log_to: Path | None = None


class Checked(Struct, frozen=True):
    """A report with what its readers need beside it: the exit code, the command that runs the whole of it again,
    the one that a finding's `reproduce` completes, and the sentences of the rules that it names. `others` are the
    same for each further game of the program, and the exit code is then that of all together."""

    exit_code: int
    command: tuple[str, ...]
    again: tuple[str, ...]
    report: Report
    rules: dict[str, str]
    others: tuple[Checked, ...] = ()


def run(plan: Plan, progress: Callable[[Progress], None] = lambda _: None) -> Checked:
    """Carries out a plan. What fails is in the report, not raised.

    Raises `BadInput` for a plan that cannot be carried out, `NothingRun` where it names nothing to run.
    Ctrl-C ends it early, at whatever point; the report is then `partial`.
    """
    _check_options(plan)
    try:
        return _run(plan, progress)
    except KeyboardInterrupt:
        report = Report(plan.target, plan.game or "", plan.edition or "", plan.seed, partial=True)
        return _checked(plan, [], report)


def _check_options(plan: Plan) -> None:
    """Raises `BadInput` for options of which one would be passed over in silence."""
    pairs = {
        ("--case", "--only-game"): plan.case is not None and plan.only_game is not None,
        ("--case", "--no-cases"): plan.case is not None and not plan.cases,
        ("--case", "--games"): plan.case is not None and bool(plan.games),
        ("--only-game", "--games"): plan.only_game is not None and plan.games is not None,
        ("--cases-from", "--no-cases"): bool(plan.paths) and not plan.cases,
    }
    if plan.log_to is not None and plan.only_game is None:
        raise BadInput("--log-to writes down one game", fix="say which: --only-game N")
    for (one, other), both in pairs.items():
        if both:
            raise BadInput(f"{one} and {other} contradict each other", fix="leave one of them out")


def _logged(plan: Plan, file: str, progress: Callable[[Progress], None]) -> Checked:
    """A play that a program has written down, and nothing else."""
    from oracle.logs.play import Logged, follow
    from oracle.logs.record import read

    if plan.case is not None or plan.only_game is not None or plan.games or plan.paths:
        raise BadInput("a log is one play: neither cases nor games", where=plan.target, fix="leave these options out")
    record = read(file, modelled.load)
    if plan.game not in (None, record.game.name) or plan.edition not in (None, record.edition):
        fix = f"it is of {record.game.name}@{record.edition}"
        raise BadInput("the log is of another game or edition", where=file, fix=fix)
    report = check(
        record.game,
        lambda: Logged(record),
        target=plan.target,
        games=0,
        edition=record.edition,
        known=read_known(plan.known) if plan.known else {},
        logs={file: partial(follow, record)},
        shrink_seconds=0,
        progress=progress,
    )
    return _checked(plan, [record.game], report)


def _run(plan: Plan, progress: Callable[[Progress], None]) -> Checked:
    if plan.target.startswith(LOG):
        return _logged(plan, plan.target.removeprefix(LOG), progress)
    models = _models(plan)
    known = read_known(plan.known) if plan.known else {}
    games = _games(plan)
    made = door(plan.target, models[0], timeout=plan.timeout)
    written: list[Writing] = []
    factory = partial(_writing, made, written) if plan.log_to else made
    if plan.target != REFERENCE and plan.game is None and plan.case is None:
        models = _played(models, factory)
    book = _book(plan, [model.name for model in models])
    if not len(book) and not games:
        raise NothingRun("neither cases nor games are to be run", fix="leave out --no-cases, or ask for --games")

    def played(model: Game[Any], cases: Sequence[Case]) -> Report:
        return check(
            model,
            factory,
            target=plan.target,
            cases=[script(case) for case in cases],
            games=games,
            first=plan.only_game or 0,
            seed=plan.seed,
            edition=plan.edition,
            known=known,
            progress=progress,
        )

    if plan.target == REFERENCE:
        report = _reference(plan, book, games, progress)
        if games and not report.partial:
            report = _together(report, played(models[0], ()))
        _write(plan.log_to, written)
        return _checked(plan, models, report)
    own = [(model, [case for case in book.cases if case.game.name == model.name]) for model in models]
    reports: list[Report] = []
    for model, cases in [(model, cases) for model, cases in own if cases or games] or [(models[0], [])]:
        reports.append(played(model, cases) if cases or games else Report(plan.target, model.name, "", plan.seed))
        if reports[-1].partial:
            break
    _write(plan.log_to, written)
    _unread(reports[0], book)
    _forget(reports)
    first, *others = (_checked(plan, [modelled.load(report.game)], report) for report in reports)
    codes = [first.exit_code, *(other.exit_code for other in others)]
    return replace(first, exit_code=min(codes, key=WORST.index), others=tuple(others))


def _writing(made: Callable[[], Implementation], written: list[Writing]) -> Implementation:
    written.append(Writing(made()))
    return written[-1]


def _write(file: Path | None, written: Sequence[Writing]) -> None:
    """Writes down the first play that was begun."""
    lines = next((writing.lines for writing in written if writing.lines), None)
    if file is not None and lines is not None:
        write(file, lines)


def _models(plan: Plan) -> list[Game[Any]]:
    """The games that may be meant: of all of them those that have the edition."""
    models = [modelled.load(name) for name in (modelled.names() if plan.game is None else (plan.game,))]
    having = [model for model in models if plan.edition in (None, *model.editions)]
    if not having:
        have = "; ".join(f"{model.name} has: {', '.join(model.editions)}" for model in models)
        raise BadInput(f"edition {plan.edition!r} is unknown", fix=have)
    return having


def _played(models: list[Game[Any]], factory: Callable[[], Implementation]) -> list[Game[Any]]:
    """Those of the games that the program says it plays; the first where it says nothing, so that it is told why."""
    try:
        with factory() as program:
            said = {plays.game for plays in program.start().games}
    except ImplementationFailed:
        said = set()
    return [model for model in models if model.name in said] or models[:1]


def _checked(plan: Plan, models: Sequence[Game[Any]], report: Report) -> Checked:
    report = _readable(report)
    rules = {id: says for model in models for id, says in _sentences(model, report)}
    again = _again(plan, models[0].name if models else plan.game)
    return Checked(exit_code(report), (*again, *_rest(plan)), again, report, rules)


def _forget(reports: Sequence[Report]) -> None:
    """A known failure is gone only if it showed in no game; the first report tells of it."""
    seen = {finding.signature for report in reports for finding in report.findings}
    gone = {signature: reason for signature, reason in reports[0].gone.items() if signature not in seen}
    for report in reports:
        report.gone = gone if report is reports[0] else {}


def script(case: Case) -> Script:
    """What of a case a program can be shown: its beginning, what it does and what its players are refused.

    What is legal at each step is compared anyway, as in every play, and so is what chance does.
    """
    setup = {"position": dict(case.given)} if case.given is not None else dict(case.setup or {})
    steps: list[Any] = []
    for step in case.steps:
        if isinstance(step, Do):
            steps.append(("do", None, step.action))
        elif isinstance(step, Refuse) and step.player is not None:
            steps.append(("refuse", step.player, step.action))
    return Script(case.id, case.edition, setup, tuple(steps))


def _games(plan: Plan) -> int:
    if plan.only_game is not None:
        return 1
    if plan.case is not None:
        return 0
    return plan.games if plan.games is not None else 0 if plan.target == REFERENCE else GAMES


def _book(plan: Plan, names: Sequence[str]) -> Casebook:
    if not plan.cases or plan.only_game is not None:
        return Casebook()
    book = case.load(bundled.paths(plan.paths, names), modelled.load)
    cases = tuple(one for one in book.cases if one.game.name in names and plan.edition in (None, one.edition))
    if plan.case is None:
        return Casebook(cases, book.faults, book.files)
    chosen = tuple(one for one in cases if one.id == plan.case)
    faults = tuple(fault for fault in book.faults if fault.case == plan.case)
    if not chosen and not faults:
        raise BadInput(f"there is no case {plan.case!r}", fix=schema.closest(plan.case, [one.id for one in cases]))
    return Casebook(chosen, faults, book.files)


def _reference(plan: Plan, book: Casebook, games: int, progress: Callable[[Progress], None]) -> Report:
    """The cases on the model itself."""
    from oracle.casebook.runner import run_case

    shown = ", ".join(dict.fromkeys(case.game.name for case in book.cases)) or (plan.game or "")
    report = Report(REFERENCE, shown, plan.edition or "", plan.seed)
    report.implementation = About("the oracle's own model", "", "Python")
    total = len(book.cases) + games
    try:
        for done, one in enumerate(book.cases, 1):
            result = run_case(one)
            row = Row("case", one.id, result.outcome, "" if result.passed else result.describe())
            _add(report, row)
            progress(Progress(done, total, row))
    except KeyboardInterrupt:
        report.partial = True
    report.verdicts["not-run"] = len(book.cases) - len(report.rows)
    _unread(report, book)
    return report


def _add(report: Report, row: Row) -> None:
    report.rows.append(row)
    report.verdicts[row.verdict] += 1


def _unread(report: Report, book: Casebook) -> None:
    """Cases that could not be read were not run, which is never a pass."""
    for fault in book.faults:
        _add(report, Row("case", fault.case or fault.file, "not-run", str(fault.error)))


def _together(cases: Report, played: Report) -> Report:
    """The reference's cases and games in one report."""
    played.rows[:0] = cases.rows
    for verdict, n in cases.verdicts.items():
        played.verdicts[verdict] += n
    played.partial |= cases.partial
    return played


def _readable(report: Report) -> Report:
    """The report without characters that a terminal would obey and XML or UTF-8 cannot hold: programs may send any."""

    def clean(value: Any) -> Any:
        if isinstance(value, str):
            return _UNPRINTABLE.sub("\ufffd", value)
        if isinstance(value, dict):
            return {clean(key): clean(item) for key, item in value.items()}
        return [clean(item) for item in value] if isinstance(value, list | tuple) else value

    return convert(clean(to_builtins(report)), Report)


def _sentences(model: Game[Any], report: Report) -> list[tuple[str, str]]:
    named = chain.from_iterable(finding.shortest.rules for finding in report.findings)
    known = model.rulebook.rules
    return [(id, known[id].wording(report.edition)) for id in dict.fromkeys(named) if id in known]


def _again(plan: Plan, game: str | None) -> tuple[str, ...]:
    """The command that checks the same program in the same way; a finding's `reproduce` completes it."""
    words = ["oracle", "check", plan.target]
    if game:
        words += ["--game", game]
    if plan.edition:
        words += ["--edition", plan.edition]
    if plan.timeout != TIMEOUT:
        words += ["--timeout", f"{plan.timeout:g}"]
    for path in plan.paths:
        words += ["--cases-from", path]
    return tuple(words)


def _rest(plan: Plan) -> Iterator[str]:
    """The other options of the plan, which say how much is run and where the report goes."""
    if not plan.cases:
        yield "--no-cases"
    for option in ("case", "games", "only_game", "known", "junit", "log_to"):
        value = getattr(plan, option)
        if value is not None:
            yield from (f"--{option.replace('_', '-')}", str(value))
    if plan.seed:
        yield from ("--seed", str(plan.seed))
