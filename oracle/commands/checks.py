"""Cases and programs: `oracle check`, `oracle lint`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from oracle.commands.frame import answer, complain, edition_option, form, say
from oracle.errors import BadInput


@click.command()
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
    answer(checked, form, partial(checks.check, verbose=verbose))
    if unwritten:
        complain(str(unwritten))
    ctx.exit(checked.exit_code or (2 if unwritten else 0))


@click.command(short_help="Look over the wording and the reach of cases.")
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
        answer(findings if advice else errors, form, str)
    else:
        say(text.findings(findings, advice=advice))
    ctx.exit(1 if errors else 0)
