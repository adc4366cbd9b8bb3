"""What all commands share: how an answer is printed, how an error is told, and common options."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import click

from oracle.errors import BadInput


def complain(message: str) -> None:
    click.echo(f"oracle: {message}", err=True)


def say(text: str) -> None:
    """Prints to standard output. Whoever has stopped reading it wants no complaint, and the verdict stays.

    Raises `BadInput` where it cannot be written, as on a full disk or where standard output is closed.
    """
    if sys.stdout is None:
        raise BadInput("the answer cannot be written: it is closed", where="standard output")
    try:
        click.echo(text)
    except OSError as error:
        # What is left in the buffer would be tried, and complained of, once more at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            why = error.strerror or str(error)
            raise BadInput(f"the answer cannot be written: {why}", where="standard output") from None


def answer(value: Any, form: str, text: Callable[[Any], str]) -> None:
    from oracle.report.jsonform import dumps

    say(dumps(value) if form == "json" else text(value))


form = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to answer."
)


def named(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value == "":
        raise click.BadParameter("it is empty; leave the option out for the newest edition")
    return value


edition_option = click.option(
    "--edition", metavar="E", callback=named, help="The edition of the rules; the game's newest by default."
)
