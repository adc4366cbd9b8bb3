"""A single position from a file, for questions about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from oracle.casebook.case import model_failed
from oracle.casebook.schema import closest
from oracle.casebook.yamlfile import Document, Route, read
from oracle.errors import BadInput, BadPosition, OracleError
from oracle.game import Game

Json = Any
_KEYS = ("game", "edition", "given", "position", "setup")


class Loaded(NamedTuple):
    """A position read from a file: the game's state, the data it was built from, the edition in force."""

    state: Any
    data: dict[str, Json]
    edition: str


def load_position(source: str | Path | Document, game: Game[Any], edition: str | None = None) -> Loaded:
    """The position in a file, or in a document that has been read from elsewhere.

    It holds the fields of a `given:` alone, or {game, edition, given} ({..., setup} for a new game). What a
    report prints is read too: {position, seed}, alone or as a setup; the seed is the program's and says nothing here.
    `edition` is in force where the file names none; without both, the game's default. Raises
    `BadInput` with its place for whatever the file has wrong, and for an edition that is not the one asked for.
    """
    document = source if isinstance(source, Document) else read(source)
    data = document.data
    if not isinstance(data, dict):
        raise document.fault("a position is a mapping", fix="FIELD: VALUE, one a line")
    if "cases" in data:
        raise document.fault(
            "this is a file of cases, not a position", ("cases",), fix="oracle check runs it", key=True
        )
    word = next((key for key in ("position", "given", "setup") if key in data), None)
    if word is None:
        return _build(document, game, (), edition or game.editions[0])
    if "given" in data and "setup" in data:
        fix = "'given' describes a position, 'setup' the start of a game"
        raise document.fault("a file has 'given' or 'setup', not both", ("setup",), fix=fix, key=True)
    keys = (word, "seed") if word == "position" else (word,)
    for key in data:
        if key not in ("game", "edition", *keys):
            fix = closest(key, _KEYS) or "a position stands under 'given', with 'game' and 'edition' beside it"
            raise document.fault(f"unknown key {key!r}", (key,), fix=fix, key=True)
    if data.get("game", game.name) != game.name:
        raise document.fault(f"this is a position of {data['game']!r}", ("game",), fix=f"{game.name!r} was asked for")
    named = data.get("edition", edition or game.editions[0])
    if not isinstance(named, str):
        text = document.written.get(("edition",), "EDITION")
        raise document.fault("the edition is not a text", ("edition",), fix=f'quote it: edition: "{text}"')
    if edition is not None and named != edition:
        raise document.fault(f"this is a position of edition {named!r}", ("edition",), fix=f"{edition!r} was asked for")
    if named not in game.editions:
        fix = f"{game.name} has: {', '.join(game.editions)}"
        raise document.fault(f"edition {named!r} is unknown", ("edition",), fix=fix)
    if not isinstance(data[word], dict):
        raise document.fault(f"{word!r} is not a mapping", (word,), fix="FIELD: VALUE, one a line")
    route: Route = (word,)
    if word == "setup" and "position" in data[word]:
        route = (word, "position")
        for key in data[word]:
            if key not in ("position", "seed"):
                fix = "a setup that holds a position holds nothing else but a seed"
                raise document.fault(f"unknown key {key!r}", (word, key), fix=fix, key=True)
        if not isinstance(data[word]["position"], dict):
            raise document.fault("'position' is not a mapping", route, fix="FIELD: VALUE, one a line")
    return _build(document, game, route, named)


def _build(document: Document, game: Game[Any], route: Route, edition: str) -> Loaded:
    data = document.data
    for key in route:
        data = data[key]
    build = game.start if route == ("setup",) else game.position
    if edition not in game.editions:
        raise BadInput(f"edition {edition!r} is unknown", fix=f"{game.name} has: {', '.join(game.editions)}")
    try:
        return Loaded(build(data, edition), data, edition)
    except BadPosition as error:
        if error.path == ("under way",):
            error = BadPosition(error.message, error.path, fix=f"{error.fix}: oracle legal ... --after 'ACTION'")
        raise document.locate(error, route) from None
    except BadInput as error:
        raise document.locate(error, route) from None
    except Exception as error:  # ours, not the user's: said without a traceback all the same
        raise OracleError(model_failed(error), where=document.where(route, key=True)) from error
