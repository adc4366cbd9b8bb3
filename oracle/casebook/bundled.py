"""The cases that come with the oracle: in the wheel as package data, in a checkout at its top."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from oracle.casebook.yamlfile import files
from oracle.errors import NothingRun

_CASE = re.compile(rb"(?m)^ *- +id:")


def folder(game: str) -> Path:
    """The folder of a game's own cases. Raises `NothingRun` where the installation has none."""
    package = Path(__file__).resolve().parents[1]
    for root in (package / "_data" / "cases", package.parent / "cases"):
        if (found := root / game).is_dir():
            return found.relative_to(Path.cwd()) if found.is_relative_to(Path.cwd()) else found
    raise NothingRun(f"this installation has no cases of {game}", fix="install rules-oracle from a wheel or a checkout")


def paths(named: Sequence[str], games: Iterable[str]) -> list[Path]:
    """The case files that the paths name or, without any, all the oracle's own.

    Raises `BadInput` for a path that does not exist, `NothingRun` where no file is found.
    """
    found = list(files(named or [folder(game) for game in games]))
    if not found:
        raise NothingRun("there is no YAML file", where=", ".join(named), fix="name a case file, or a folder of them")
    return found


def whole(found: Iterable[Path], games: Iterable[str]) -> list[str]:
    """The games of which all the oracle's own case files are among those found."""
    have = {file.resolve() for file in found}
    return [game for game in games if have.issuperset(file.resolve() for file in files([folder(game)]))]


def count(game: str) -> int:
    """How many cases a game has, counted by their ids: reading them properly takes longer than naming the games may."""
    return sum(len(_CASE.findall(file.read_bytes())) for file in folder(game).rglob("*.yaml"))
