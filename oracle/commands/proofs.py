"""Questions to the solvers: `oracle prove`, `oracle readings`, `oracle questions`."""

from __future__ import annotations

from pathlib import Path

import click

from oracle.commands.frame import answer, form


@click.command(short_help="Prove claims about the code that ships.")
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
    answer(proofs.Proved(found, noticed), form, proofs.text)
    ctx.exit(0 if all(report.green for report in found) else 1)


@click.command(short_help="Show where another reading of the rules differs.")
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
        answer(proofs.known(model), form, proofs.listed)
    else:
        answer(proofs.apart(model, one, other, save), form, proofs.difference)


@click.command(short_help="Ask what the text of the rules leaves open.")
@click.argument("game")
@click.option("--save", type=click.Path(path_type=Path), metavar="DIR", help="Keep each question as a case.")
@form
def questions(game: str, save: Path | None, form: str) -> None:
    """Ask what the text of a game's rules leaves open, as search and solver find it."""
    from oracle import games
    from oracle.report import proofs

    answer(proofs.asked(games.load(game), save), form, proofs.questions)
