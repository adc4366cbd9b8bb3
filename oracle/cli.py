"""The command `oracle`: one function a command, each a question put to the rest of the package.

Exit codes: 0 conforms, 1 a divergence, a failed case or a finding, 2 input that cannot be used or
nothing run, 3 the implementation or the oracle itself failed, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from oracle.errors import BadInput, OracleError

F = TypeVar("F", bound=Callable[..., Any])
LARGEST = 20_000_000
"""Bytes of a source text that are read at the most."""


class Oracle(click.Group):
    """The group of all commands, which turns errors into messages and exit codes."""

    def invoke(self, ctx: click.Context) -> Any:
        from oracle.conformance import stopping

        debug = ctx.params.get("debug") or os.environ.get("ORACLE_DEBUG", "") not in ("", "0")
        if sys.stdin is None:  # closed: whoever reads it finds nothing there
            sys.stdin = open(os.devnull)  # noqa: SIM115
        try:
            with stopping.orderly():
                return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            _complain("interrupted")
            ctx.exit(130)
        except OracleError as error:
            if debug:
                raise
            _complain(str(error))
            ctx.exit(error.exit_code)
        except Exception as error:
            if debug:
                raise
            _complain(
                f"this is a fault of the oracle itself: {type(error).__name__}: {error}\n"
                "  --debug shows where; please report it"
            )
            ctx.exit(3)


class Rules(click.Group):
    """A group whose commands may be left out: what is no command is the name of a game."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in self.get_help_option_names(ctx):
            args = ["show", *args]
        return super().parse_args(ctx, args)


def _complain(message: str) -> None:
    click.echo(f"oracle: {message}", err=True)


def _say(text: str) -> None:
    """Prints to standard output. Whoever has stopped reading it wants no complaint, and the verdict stays.

    Raises `BadInput` where it cannot be written, as on a full disk.
    """
    try:
        click.echo(text)
    except OSError as error:
        # What is left in the buffer would be tried, and complained of, once more at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            why = error.strerror or str(error)
            raise BadInput(f"the answer cannot be written: {why}", where="standard output") from None


def _answer(value: Any, form: str, text: Callable[[Any], str]) -> None:
    from oracle.report.jsonform import dumps

    _say(dumps(value) if form == "json" else text(value))


form = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to answer."
)


def _named(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value == "":
        raise click.BadParameter("it is empty; leave the option out for the newest edition")
    return value


edition_option = click.option(
    "--edition", metavar="E", callback=_named, help="The edition of the rules; the game's newest by default."
)


@click.group(cls=Oracle, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--debug", is_flag=True, help="Show where in the code an error comes from. [env: ORACLE_DEBUG]")
@click.version_option(None, "-V", "--version", package_name="rules-oracle", message="%(prog)s %(version)s")
def cli(debug: bool) -> None:
    """Says what the rules of a tabletop game allow, and what a program that plays it gets wrong."""


# -- what is modelled, and by which rules ------------------------------------------------------------


@cli.command(short_help="List the games; with GAME, how its positions are written.")
@click.argument("game", required=False)
@form
def games(game: str | None, form: str) -> None:
    """List the games that are modelled; with GAME, how its positions, setups and actions are written."""
    from oracle import games
    from oracle.casebook import bundled
    from oracle.report import text
    from oracle.report.answers import Modelled

    if game is not None:
        _answer({"name": game, "text": games.guide(game)}, form, lambda page: page["text"].rstrip())
        return
    found = [games.load(name) for name in games.names()]
    _answer(
        [Modelled(g.name, g.title, g.editions, len(g.rulebook.rules), bundled.count(g.name)) for g in found],
        form,
        text.games,
    )


@cli.group(
    cls=Rules,
    short_help="Show the rules, their sources and what covers them.",
    subcommand_metavar="GAME [ID|WORD...] | verify GAME --source FILE | coverage GAME",
)
def rules() -> None:
    """Show a game's rules, or those with some words; hold them against their sources; see what covers them."""


@rules.command("show", hidden=True)
@click.argument("game")
@click.argument("words", metavar="[ID|WORD...]", nargs=-1)
@form
def show_rules(game: str, words: tuple[str, ...], form: str) -> None:
    """List a game's rules, or those with all the words; show one with its sources, guards and citing cases."""
    from oracle import games
    from oracle.report import answers, text

    model = games.load(game)
    if not words:
        _answer(answers.rules(model), form, text.rules)
    elif words[1:] or words[0] not in model.rulebook.rules:
        _answer(answers.search(model, words), form, text.found)
    else:
        _answer(answers.rule(model, words[0], _bundled_cases(game)), form, text.rule)


@rules.command("verify")
@click.argument("game")
@click.option("--source", "sources", metavar="FILE", multiple=True, help="Your copy of a source text; repeatable.")
@form
@click.pass_context
def verify_rules(ctx: click.Context, game: str, sources: tuple[str, ...], form: str) -> None:
    """Report the sentences of the sources that no rule claims, and the rules whose sentence is gone."""
    from oracle import games
    from oracle.report import text
    from oracle.rulebook import verify

    rulebook = games.load(game).rulebook
    found = verify(rulebook, {source: _source(source) for source in sources})
    _answer(found, form, text.verification)
    ctx.exit(0 if found.ok else 1)


@rules.command("coverage")
@click.argument("game")
@form
def rule_coverage(game: str, form: str) -> None:
    """Show, rule by rule, what guards it and which cases cite it."""
    from oracle import games
    from oracle.report import answers, text

    _answer(answers.covered(games.load(game), _bundled_cases(game)), form, text.coverage)


def _bundled_cases(game: str) -> tuple[Any, ...]:
    from oracle import games
    from oracle.casebook import bundled, case

    return case.load([bundled.folder(game)], games.load).cases


def _source(path: str) -> str:
    file = Path(path)
    try:
        with file.open("rb") as stream:
            raw = stream.read(LARGEST + 1)
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", where=path) from None
    if len(raw) > LARGEST:
        raise BadInput(f"the text is too large: at most {LARGEST // 1_000_000} MB are read", where=path)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise BadInput("the text is not UTF-8", where=f"{path}:{line}", fix="save it as UTF-8") from None


# -- a position --------------------------------------------------------------------------------------


position_argument = click.argument("position", metavar="POSITION.yaml|-")
after_option = click.option(
    "--after",
    metavar="ACTION",
    multiple=True,
    help="Take this action first, for example 'play Militia'; repeatable, what chance decides included.",
)


def _drawn_too(help: str) -> Callable[[F], F]:
    forms = click.Choice(["text", "json", "svg"])
    return click.option("--format", "form", type=forms, default="text", show_default=True, help=help)


def _position(
    ctx: click.Context, model: Any, position: str, edition: str | None, after: tuple[str, ...], form: str
) -> tuple[Any, str]:
    """The state of a position once the actions have been taken, and the edition; one that is not legal ends it all."""
    from oracle.casebook.position import load_position
    from oracle.casebook.yamlfile import read_stream
    from oracle.report import answers, text

    source = read_stream(sys.stdin.buffer, "standard input") if position == "-" else position
    loaded = load_position(source, model, edition)
    state, refused = answers.after(model, loaded.state, loaded.edition, after)
    if refused is not None:
        _answer(refused.why, form, text.why)
        _complain(refused.message)
        ctx.exit(2)
    return state, loaded.edition


@cli.command()
@click.argument("game")
@position_argument
@after_option
@click.option("--why", "action", metavar="ACTION", help="Judge one action, for example 'play Gold' (legal or not).")
@click.option("--player", metavar="P", help="The player asked about; whoever decides by default.")
@edition_option
@click.option("--all", "every", is_flag=True, help="List every action, however many.")
@_drawn_too("How to answer; svg: a picture of the position with what is legal marked.")
@click.pass_context
def legal(
    ctx: click.Context,
    game: str,
    position: str,
    after: tuple[str, ...],
    action: str | None,
    player: str | None,
    edition: str | None,
    every: bool,
    form: str,
) -> None:
    """Say who may do what in a position, and why. The position `-` is read from standard input.

    `oracle games GAME` says how positions and actions are written.
    """
    from oracle import games
    from oracle.report import answers, text

    model = games.load(game)
    state, known = _position(ctx, model, position, edition, after, form)
    answers.check_seat(model, state, player)
    if form == "svg":
        if action is not None or player is not None or every:
            raise BadInput("a picture shows the whole position", fix="leave out --why, --player and --all")
        _say(model.picture(state))
        return
    if action is None:
        _answer(answers.legal(model, state, known, player, every=every), form, text.legal)
    else:
        chosen = model.read(action, state)
        by = player if player is not None else answers.decider(model, state)
        _answer(answers.why(model, state, known, by, chosen), form, text.why)


@cli.command(short_help="Show what waits for which moment, and what is next.")
@click.argument("game")
@position_argument
@after_option
@edition_option
@_drawn_too("How to answer; svg: the timeline as a picture.")
@click.pass_context
def timeline(
    ctx: click.Context, game: str, position: str, after: tuple[str, ...], edition: str | None, form: str
) -> None:
    """Show the moments of the turn in order, what waits for each, and what may be next. `-` is standard input.

    Beside each moment stand the rules by which it comes there; a star marks a ruling.
    """
    from oracle import games
    from oracle.report import timeline as report

    model = games.load(game)
    state, known = _position(ctx, model, position, edition, after, form)
    answer = report.shown(model, state, known)
    if form == "svg":
        from oracle.report.timeline_picture import picture

        _say(picture(answer))
    else:
        _answer(answer, form, report.text)


@cli.command(short_help="Count the legal plays of N actions.")
@click.argument("game")
@click.argument("target", required=False)
@click.option("--depth", type=click.IntRange(1, 20), required=True, metavar="N", help="Actions of a play.")
@click.option("--divide", is_flag=True, help="Count the plays of the last depth by their first action, too.")
@click.option("--position", metavar="FILE", help="Begin there instead of at the game's published start.")
@edition_option
@form
@click.pass_context
def perft(
    ctx: click.Context,
    game: str,
    target: str | None,
    depth: int,
    divide: bool,
    position: str | None,
    edition: str | None,
    form: str,
) -> None:
    """Count the legal plays of N actions, to be compared with your own program's count.

    With a TARGET (see `oracle check`), go down all plays to the first position where it differs.
    """
    from oracle import games
    from oracle.report import counts, terminal

    model = games.load(game)
    if target is None:
        _answer(counts.counted(model, position, edition, depth, divide=divide), form, counts.text)
        return
    with terminal.output_kept():
        compared = counts.compared(model, target, position, edition, depth)
    _answer(compared, form, counts.difference)
    ctx.exit(1 if compared.divergence is not None else 0)


# -- proofs ------------------------------------------------------------------------------------------


@cli.command(short_help="Prove claims about the code that ships.")
@click.argument("game", required=False)
@click.argument("claims", nargs=-1, metavar="[CLAIM]...")
@click.option("--second-solver/--no-second-solver", default=True, help="Ask cvc5 as well. [default: yes]")
@click.option("--rlimit", type=click.IntRange(1), metavar="N", help="The budget of one question, in z3's steps.")
@click.option("--smt2", type=click.Path(path_type=Path), metavar="DIR", help="Keep each question as SMT-LIB text.")
@click.option("--save", type=click.Path(path_type=Path), metavar="DIR", help="Keep each refuted claim as a case.")
@click.option("--mutants", is_flag=True, help="See, too, which claim notices each clause said wrongly. Takes longer.")
@form
@click.pass_context
def prove(
    ctx: click.Context,
    game: str | None,
    claims: tuple[str, ...],
    second_solver: bool,
    rlimit: int | None,
    smt2: Path | None,
    save: Path | None,
    mutants: bool,
    form: str,
) -> None:
    """Prove the claims of a game, or of all that claim something, about the code that ships.

    CLAIM is how its name begins. Below each stand its scope, the rules that the proof needs, and a position
    (`witness`) which shows that it speaks of something. Only `proved` is green: both solvers, and neither a
    vacuous claim nor a tautology. A claim that is refuted has a position, which --save keeps.
    """
    from oracle.report import proofs, terminal

    with terminal.telling() as tell:
        found = proofs.prove(game, claims, second_solver=second_solver, rlimit=rlimit, smt2=smt2, save=save, tell=tell)
        noticed = proofs.noticed(found, tell) if mutants else ()
    _answer(proofs.Proved(found, noticed), form, proofs.text)
    ctx.exit(0 if all(report.green for report in found) else 1)


@cli.command(short_help="Show where another reading of the rules differs.")
@click.argument("game")
@click.argument("one", required=False)
@click.argument("other", required=False)
@click.option("--save", type=click.Path(path_type=Path), metavar="DIR", help="Keep the difference as a case.")
@form
def readings(game: str, one: str | None, other: str | None, save: Path | None, form: str) -> None:
    """List the readings of a game's rules, or show the smallest position where two of them differ.

    With ONE reading it is held against the rules as they are read here. Kinds: `misreading` is wrong by the
    text, `open` and `order` are left open by it, `edition` is right by another printing, `rule` is the same.
    """
    from oracle import games
    from oracle.report import proofs

    model = games.load(game)
    if one is None:
        _answer(proofs.known(model), form, proofs.listed)
    else:
        _answer(proofs.apart(model, one, other, save), form, proofs.difference)


@cli.command(short_help="Ask what the text of the rules leaves open.")
@click.argument("game")
@click.option("--save", type=click.Path(path_type=Path), metavar="DIR", help="Keep each question as a case.")
@form
def questions(game: str, save: Path | None, form: str) -> None:
    """Ask what the text of a game's rules leaves open, as search and solver find it."""
    from oracle import games
    from oracle.report import proofs

    _answer(proofs.asked(games.load(game), save), form, proofs.questions)


# -- cases -------------------------------------------------------------------------------------------


@cli.command()
@click.argument("target", default="reference")
@click.option("--game", metavar="G", help="The game; by default all that the program says it plays.")
@click.option("--games", type=click.IntRange(0), metavar="N", help="Games to play in lockstep. [default: 50]")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Which games are played.")
@click.option("--only-game", type=click.IntRange(0), metavar="N", help="Play this one game of the seed, no cases.")
@click.option("--cases/--no-cases", default=True, show_default=True, help="Whether cases are run too.")
@click.option("--cases-from", "paths", metavar="PATH", multiple=True, help="Your own case files instead; repeatable.")
@click.option("--case", metavar="ID", help="Run this one case, no games.")
@edition_option
@click.option(
    "--timeout", type=click.FloatRange(0, 3600, min_open=True), metavar="S", help="Seconds for an answer. [default: 2]"
)
@click.option("--known", type=click.Path(path_type=Path), metavar="FILE", help="Known divergences: {mark: reason}.")
@click.option("--verbose", is_flag=True, help="Tell all that is known of each divergence, not some ten lines.")
@click.option("--log-to", type=click.Path(path_type=Path), metavar="FILE", help="Write the one game down as a log.")
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write a JUnit report as well.")
@form
@click.pass_context
def check(
    ctx: click.Context, /, form: str, junit: Path | None, timeout: float | None, verbose: bool, **options: Any
) -> None:
    """Check a program: by cases, and by games in lockstep. Without TARGET, the oracle's own model by its cases.

    TARGET is `reference`, a bundled harness (`pyminion`, `evolvedominion`, `javascript`, `l5rserver`),
    `cmd:COMMAND`, `py:MODULE:CLASS`, or `log:FILE`, one play that a program has written down.
    """
    from oracle import checking
    from oracle.conformance import stopping
    from oracle.conformance.implementation import TIMEOUT
    from oracle.report import checks, terminal
    from oracle.report import junit as xml

    plan = checking.Plan(**options, timeout=timeout or TIMEOUT, junit=junit)
    file = xml.writable(junit) if junit else None
    with terminal.output_kept(), terminal.progress() as progress:
        checked = checking.run(plan, progress)
    unwritten: BadInput | None = None
    if file:
        try:
            with stopping.held():
                xml.write(file, checked)
        except BadInput as error:
            unwritten = error
    _answer(checked, form, partial(checks.check, verbose=verbose))
    if unwritten:
        _complain(str(unwritten))
    ctx.exit(checked.exit_code or (2 if unwritten else 0))


@cli.command(short_help="Look over the wording and the reach of cases.")
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--advice", is_flag=True, help="Show advice as well, which is no error; never fails the command.")
@form
@click.pass_context
def lint(ctx: click.Context, paths: tuple[str, ...], advice: bool, form: str) -> None:
    """Find what is wrong with the wording and the reach of cases: the given files and folders, or the oracle's own."""
    from oracle import games
    from oracle.casebook import bundled, case
    from oracle.casebook.lint import lint as examine
    from oracle.report import text

    files = bundled.paths(paths, games.names())
    findings = examine(case.load(files, games.load), bundled.whole(files, games.names()))
    errors = [finding for finding in findings if finding.level == "error"]
    if form == "json":
        _answer(findings if advice else errors, form, str)
    else:
        _say(text.findings(findings, advice=advice))
    ctx.exit(1 if errors else 0)


def main() -> None:
    """The entry point."""
    from oracle.conformance import stopping

    with stopping.orderly(last=True):
        cli.main(prog_name="oracle")


if __name__ == "__main__":
    main()
