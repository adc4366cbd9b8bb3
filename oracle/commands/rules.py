"""What is modelled, and by which rules: `oracle games`, `oracle rules`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from oracle.commands.frame import answer, form
from oracle.errors import BadInput

LARGEST = 20_000_000
"""Bytes of a source text that are read at the most."""


class Rules(click.Group):
    """A group whose commands may be left out: what is no command is the name of a game."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in self.get_help_option_names(ctx):
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.command(short_help="List the games; with GAME, how its positions are written.")
@click.argument("game", required=False)
@form
def games(game: str | None, form: str) -> None:
    """List the games that are modelled; with GAME, how its positions, setups and actions are written."""
    from oracle import games
    from oracle.casebook import bundled
    from oracle.report import text
    from oracle.report.answers import Modelled

    if game is not None:
        answer({"name": game, "text": games.guide(game)}, form, lambda page: page["text"].rstrip())
        return
    found = [games.load(name) for name in games.names()]
    answer(
        [Modelled(g.name, g.title, g.editions, len(g.rulebook.rules), bundled.count(g.name)) for g in found],
        form,
        text.games,
    )


@click.group(
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
        answer(answers.rules(model), form, text.rules)
    elif words[1:] or words[0] not in model.rulebook.rules:
        answer(answers.search(model, words), form, text.found)
    else:
        answer(answers.rule(model, words[0], _bundled_cases(game)), form, text.rule)


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
    answer(found, form, text.verification)
    ctx.exit(0 if found.ok else 1)


@rules.command("coverage")
@click.argument("game")
@form
def rule_coverage(game: str, form: str) -> None:
    """Show, rule by rule, what guards it and which cases cite it."""
    from oracle import games
    from oracle.report import answers, text

    answer(answers.covered(games.load(game), _bundled_cases(game)), form, text.coverage)


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
