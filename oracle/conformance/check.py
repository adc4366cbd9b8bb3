"""Judging a program: its cases, then drawn games in lockstep, and the report of both."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Struct, field

from oracle.casebook import yamlfile
from oracle.conformance import scripts
from oracle.conformance.comparing import Totals
from oracle.conformance.divergence import Divergence
from oracle.conformance.implementation import Implementation
from oracle.conformance.objects import last_line
from oracle.conformance.protocol import About, Plays
from oracle.conformance.scripts import OtherChance, Script
from oracle.conformance.shorten import from_position, replay
from oracle.conformance.walks import LONGEST, Given, Played, Source, play, shrink
from oracle.errors import BadInput, ImplementationFailed, OracleError, Skipped, Unsupported
from oracle.game import Action, Game

S = TypeVar("S")
Json = Any
Result = Literal["pass", "fail", "error", "crash", "timeout", "protocol-error", "skip", "unsupported", "not-run"]
RESULTS: tuple[Result, ...] = Result.__args__  # type: ignore[attr-defined]
FAILED = ("error", "crash", "timeout", "protocol-error")
"""Verdicts that say the program, or the oracle, failed."""
SEEDS_TRIED = 30
"""Seeds that a case is tried with until the program's chance decides as the case has it."""
PLAIN = 8
"""Moves up to which a play from the start of a game is plainer than one from a position on the way."""
GIVE_UP = 3
"""Failures in a row after which the rest is not run."""


class Row(Struct):
    """One case or game. `found` are signatures; `play` is what led to a failure of the program."""

    kind: Literal["start", "case", "game"]
    id: str
    verdict: Result
    message: str = ""
    found: tuple[str, ...] = ()
    play: tuple[str, ...] = ()


class Finding(Struct):
    """Divergences with one signature: how many, which actions how often, and the shortest of them.

    `reproduce` are arguments for `oracle check TARGET` that show the shortest one that was met; `shrunk`
    says whether a shorter one was looked for. `known` is the reason that a known failure is listed with.
    """

    signature: str
    count: int
    actions: dict[str, int]
    reproduce: tuple[str, ...]
    shortest: Divergence
    shrunk: bool = False
    known: str | None = None


class Report(Struct):
    """What a check found. `gone` are known failures that did not show."""

    target: str
    game: str
    edition: str
    seed: int
    report: int = 1
    implementation: About = field(default_factory=lambda: About(""))
    verdicts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(RESULTS, 0))
    rows: list[Row] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    gone: dict[str, str] = field(default_factory=dict)
    totals: Totals = field(default_factory=Totals)
    partial: bool = False


class Progress(Struct, frozen=True):
    """How far a check is: `done` of `total` cases and games, and the latest row."""

    done: int
    total: int
    row: Row


def check(
    game: Game[S],
    factory: Callable[[], Implementation],
    *,
    target: str = "",
    cases: Iterable[Script] = (),
    games: int = 50,
    first: int = 0,
    seed: int = 0,
    edition: str | None = None,
    setup: Mapping[str, Json] | None = None,
    refusals: bool = True,
    known: Mapping[str, str] | None = None,
    shrink_seconds: float = 20.0,
    progress: Callable[[Progress], None] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
) -> Report:
    """Runs the cases that the program can take, then games `first` to `first + games - 1` of the seed.

    `edition` and `setup` of the games are the program's first edition and drawn, unless given; a `setup` may
    be `{"position": GIVEN}`. A new program is made by `factory` after each failure. `known` gives reasons for
    known failures by signature. All shortening of plays together takes about `shrink_seconds`. Ctrl-C, and `stop`
    once it says true, end the check early; the report is then `partial`. What fails is in the report, not
    raised; but a `setup` that cannot be, and a target that cannot be started at all, raise `BadInput`.
    """
    scripted = list(cases)
    if setup is not None:
        given = {key: value for key, value in setup.items() if key != "seed"}
        begin, told = (game.position, given["position"]) if "position" in given else (game.start, given)
        begin(told, edition or game.editions[0])
    run = _Run(game, factory, target, seed, setup, refusals, shrink_seconds)
    work: list[Callable[[], Row]] = []
    try:
        plays = run.start(edition)
        if plays is not None:
            work += [lambda script=script: run.case(script) for script in scripted]  # type: ignore[misc]
            work += [lambda number=number: run.game_number(number) for number in range(first, first + games)]  # type: ignore[misc]
        for done, job in enumerate(work, 1):
            if stop():
                run.report.partial = True
                break
            if run.failures >= GIVE_UP:
                break
            row = job()
            run.add(row)
            progress(Progress(done, len(work), row))
        run.shorten(stop)
    except KeyboardInterrupt:
        run.report.partial = True
    finally:
        # Whoever will not wait for the program's end still gets the report; its process is ended all the same.
        with suppress(KeyboardInterrupt):
            run.drop()
    return run.finish(len(scripted) + games, known or {})


def exit_code(report: Report) -> int:
    """What the command line exits with.

    0: conforms; 1: a failed case, or a divergence that is not known; 3: the program or the oracle failed;
    2: nothing was run or compared, or not all of it.
    """
    if any(finding.known is None for finding in report.findings):
        return 1
    if any(row.verdict == "fail" and not row.found for row in report.rows):
        return 1
    if any(report.verdicts[verdict] for verdict in FAILED):
        return 3
    return 0 if compared(report) and not report.partial and not report.verdicts["not-run"] else 2


def compared(report: Report) -> bool:
    """Whether any case or game ran that compared something: the model's own cases, or a program's decision."""
    ran = [row for row in report.rows if row.verdict in ("pass", "fail")]
    return bool(ran) and (report.target == "reference" or report.totals.decisions > 0)


def read_known(file: Path) -> dict[str, str]:
    """A file of known failures, `{SIGNATURE: REASON}` in YAML. Raises `BadInput`."""
    document = yamlfile.read(file)
    fix = "a mapping of signatures to reasons, each a text"
    if not isinstance(document.data, dict):
        raise document.fault("these are no known failures", fix=fix)
    for signature, reason in document.data.items():
        if not isinstance(reason, str):
            raise document.fault(f"{signature!r} has no reason", (signature,), fix=fix)
    known: dict[str, str] = document.data
    return known


class _Run(Generic[S]):
    """The state of one check."""

    def __init__(
        self,
        game: Game[S],
        factory: Callable[[], Implementation],
        target: str,
        seed: int,
        setup: Mapping[str, Json] | None,
        refusals: bool,
        seconds: float,
    ) -> None:
        self.game = game
        self.factory = factory
        self.setup = setup
        self.refusals = refusals
        self.seconds = seconds
        self.report = Report(target, game.name, "", seed)
        self.failures = 0
        self._program: Implementation | None = None
        self._plays: list[Plays] = []
        self._findings: dict[str, Finding] = {}
        self._made: dict[str, Sequence[int]] = {}

    # -- the program -----------------------------------------------------------------------------

    def start(self, edition: str | None) -> Plays | None:
        """What the program plays of this game; None, and a row that says why, where that is nothing."""
        try:
            self.program()
        except OracleError as failure:
            if isinstance(failure, BadInput):
                raise
            self.add(Row("start", "start", _result(failure), str(failure)))
            return None
        theirs = [plays for plays in self._plays if plays.edition in self.game.editions]
        chosen = next((plays for plays in theirs if edition in (None, plays.edition)), None)
        if chosen is None:
            have = ", ".join(f"{plays.game}@{plays.edition}" for plays in self._plays) or "nothing"
            wanted = f"{self.game.name}@{edition or ' or '.join(self.game.editions)}"
            self.add(Row("start", "start", "unsupported", f"it plays {have}, not {wanted}"))
            return None
        self.report.edition = chosen.edition
        return chosen

    def program(self) -> Implementation:
        """The running program, or a new one after a failure."""
        if self._program is None:
            self._program = self.factory()
            try:
                started = self._program.start()
            except OracleError:
                self.drop()
                raise
            self.report.target = self.report.target or self._program.name
            self.report.implementation = started.implementation
            self._plays = [plays for plays in started.games if plays.game == self.game.name]
        return self._program

    def drop(self) -> None:
        """Ends the program."""
        program, self._program = self._program, None
        if program is not None:
            program.stop()

    # -- one case, one game ----------------------------------------------------------------------

    def case(self, script: Script) -> Row:
        """Runs one case."""
        if script.edition not in {plays.edition for plays in self._plays}:
            return Row("case", script.id, "unsupported", f"edition {script.edition}")
        for seed in range(SEEDS_TRIED):
            seeded = msgspec.structs.replace(script, setup={**script.setup, "seed": seed})
            work = self._guarded(lambda seeded=seeded: scripts.run(self.game, self.program(), seeded))  # type: ignore[misc]
            if isinstance(work, Exception) or not isinstance(work.failure, OtherChance):
                break
        return self._row("case", script.id, work, ("--case", script.id), None)

    def game_number(self, number: int) -> Row:
        """Plays one game."""
        source = Source(f"{self.report.seed}/{number}")
        work = self._guarded(lambda: self._play(source))
        again = ("--seed", str(self.report.seed), "--only-game", str(number))
        return self._row("game", str(number), work, again, source.made)

    def _play(self, source: Source | Given, until: str | None = None, longest: int = LONGEST) -> Played:
        edition = self.report.edition
        features = next((plays.features for plays in self._plays if plays.edition == edition), None)
        return play(
            self.game,
            self.program(),
            edition,
            source,
            features=features,
            setup=self.setup,
            refusals=self.refusals,
            until=until,
            longest=longest,
        )

    def _guarded(self, work: Callable[[], Played]) -> Played | Exception:
        try:
            played = work()
        except Exception as error:
            self.drop()
            return error
        if played.failure is not None and not isinstance(played.failure, Unsupported | Skipped):
            self.drop()
        return played

    def _row(
        self,
        kind: Literal["case", "game"],
        id: str,
        work: Played | Exception,
        again: tuple[str, ...],
        made: Sequence[int] | None,
    ) -> Row:
        if isinstance(work, Exception):
            says = str(work) if isinstance(work, OracleError) else f"the oracle failed: {last_line(work)}"
            return Row(kind, id, _result(work), says)
        self.report.totals.add(work.totals)
        for divergence in work.found:
            self._count(divergence, again, made)
        signatures = tuple(dict.fromkeys(divergence.signature for divergence in work.found))
        if work.failure is None or (signatures and isinstance(work.failure, Unsupported | Skipped)):
            cut = kind == "game" and not (work.finished or signatures)
            message = f"broken off after {work.totals.decisions} decisions" if cut else ""
            return Row(kind, id, "fail" if signatures else "pass", message, signatures)
        return Row(kind, id, _result(work.failure), str(work.failure), signatures, work.play)

    def _count(self, divergence: Divergence, again: tuple[str, ...], made: Sequence[int] | None) -> None:
        found = self._findings.get(divergence.signature)
        if found is None:
            found = Finding(divergence.signature, 0, {}, again, divergence)
            self._findings[divergence.signature] = found
            if made is not None:
                self._made[divergence.signature] = made
        elif divergence.size < found.shortest.size:
            found.shortest, found.reproduce = divergence, again
            if made is not None:
                self._made[divergence.signature] = made
        found.count += 1
        for action in divergence.actions:
            found.actions[action] = found.actions.get(action, 0) + 1

    # -- the end ---------------------------------------------------------------------------------

    def add(self, row: Row) -> None:
        """Counts a row."""
        self.report.rows.append(row)
        self.report.verdicts[row.verdict] += 1
        self.failures = self.failures + 1 if row.verdict in FAILED else 0

    def shorten(self, stop: Callable[[], bool]) -> None:
        """Looks for a short play of each finding from a drawn game, the time shared evenly."""
        for left, (signature, made) in zip(range(len(self._made), 0, -1), self._made.items(), strict=True):
            if stop() or self.seconds <= 0:
                return
            finding = self._findings[signature]

            def attempt(given: Given, longest: int, signature: str = signature) -> Sequence[Divergence]:
                played = self._guarded(lambda: self._play(given, signature, longest))
                return played.found if isinstance(played, Played) else ()

            share, began = self.seconds / left, time.monotonic()
            if len(finding.shortest.play) > PLAIN or "position" in finding.shortest.setup:
                # A position is found in a moment where the program takes one; a short play from the start takes long.
                elsewhere = from_position(self.game, self._replay, finding.shortest, seconds=share / 2)
                finding.shortest = elsewhere or finding.shortest
                finding.shrunk = elsewhere is not None
            if not finding.shrunk:
                best, _ = shrink(attempt, finding.shortest, made, seconds=share - (time.monotonic() - began))
                finding.shrunk = best is not None
                if best is not None and best.size < finding.shortest.size:
                    finding.shortest = best
            self.seconds -= time.monotonic() - began

    def _replay(self, setup: Mapping[str, Json], actions: Sequence[Action]) -> Sequence[Divergence]:
        try:
            return replay(self.game, self.program(), self.report.edition, setup, actions)
        except (Unsupported, Skipped):
            raise
        except OracleError:
            self.drop()
            raise

    def finish(self, asked: int, known: Mapping[str, str]) -> Report:
        """The report, with what was not run and what was known."""
        report = self.report
        ran = sum(row.kind != "start" for row in report.rows)
        report.verdicts["not-run"] = asked - ran
        for finding in self._findings.values():
            finding.known = known.get(finding.signature)
        report.findings = sorted(self._findings.values(), key=lambda f: (f.known is not None, -f.count, f.signature))
        report.gone = {signature: reason for signature, reason in known.items() if signature not in self._findings}
        return report


def _result(error: Exception) -> Result:
    outcome: Result = getattr(error, "outcome", "error") if isinstance(error, ImplementationFailed) else "error"
    return outcome
