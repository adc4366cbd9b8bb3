"""Questions about a position: `oracle legal`, `oracle timeline`, `oracle perft`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from oracle.commands.frame import answer, complain, edition_option, form, say
from oracle.errors import BadInput

F = TypeVar("F", bound=Callable[..., Any])

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
        answer(refused.why, form, text.why)
        complain(refused.message)
        ctx.exit(2)
    return state, loaded.edition


@click.command()
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
        say(model.picture(state))
        return
    if action is None:
        answer(answers.legal(model, state, known, player, every=every), form, text.legal)
    else:
        chosen = model.read(action, state)
        by = player if player is not None else answers.decider(model, state)
        answer(answers.why(model, state, known, by, chosen), form, text.why)


@click.command(short_help="Show what waits for which moment, and what is next.")
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
    told = report.shown(model, state, known)
    if form == "svg":
        from oracle.report.timeline_picture import picture

        say(picture(told))
    else:
        answer(told, form, report.text)


@click.command(short_help="Count the legal plays of N actions.")
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
        answer(counts.counted(model, position, edition, depth, divide=divide), form, counts.text)
        return
    with terminal.output_kept():
        compared = counts.compared(model, target, position, edition, depth)
    answer(compared, form, counts.difference)
    ctx.exit(1 if compared.divergence is not None else 0)
