"""A position from a file: bare or wrapped, and every fault of it with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle.casebook.position import load_position
from oracle.errors import BadInput, OracleError
from tests.nim import Nim, Pile


def _write(folder: Path, text: str) -> Path:
    path = folder / "p.yaml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "text",
    [
        "stones: 3\nturn: B\n",
        "given: {stones: 3, turn: B}\n",
        'game: nim\nedition: "1"\ngiven:\n  stones: 3\n  turn: B\n',
    ],
)
def test_a_position_is_read_bare_or_wrapped(tmp_path: Path, text: str) -> None:
    """Both forms give the same state, data and edition."""
    state, data, edition = load_position(_write(tmp_path, text), Nim())
    assert (state, data, edition) == (Pile(3, "B"), {"stones": 3, "turn": "B"}, "1")


def test_the_start_of_a_game_is_read_from_a_setup(tmp_path: Path) -> None:
    """A file may hold the setup of a new game in place of a position."""
    assert load_position(_write(tmp_path, "setup: {stones: 4}"), Nim()).state == Pile(4, None)


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("stones: -3\n", ":1:9", "-3 stones cannot be"),
        ("turn: A\nstnoes: 3\n", ":2:1", "unknown field 'stnoes'"),
        ("given:\n  stones: x\n", ":2:11", "'x' stones cannot be"),
        ("- stones\n", ":1:1", "a position is a mapping"),
        ("given: 3\n", ":1:8", "'given' is not a mapping"),
        ("given: {stones: 1}\ngmae: nim\n", ":2:1", "unknown key 'gmae'"),
        ("given: {stones: 1}\nsetup: {}\n", ":2:1", "a file has 'given' or 'setup', not both"),
        ("game: go\ngiven: {stones: 1}\n", ":1:7", "this is a position of 'go'"),
        ("edition: 1.10\ngiven: {stones: 1}\n", ":1:10", "the edition is not a text"),
        ('edition: "7"\ngiven: {stones: 1}\n', ":1:10", "edition '7' is unknown"),
        ("game: nim\ncases: []\n", ":2:1", "a file of cases, not a position"),
        ("[" * 10_000, ":1:1001", "too deep"),
        ("", ":1:1", "empty"),
    ],
)
def test_a_fault_in_the_file_has_its_place(tmp_path: Path, text: str, place: str, says: str) -> None:
    """Also what the game itself finds wrong is told with line and column."""
    path = _write(tmp_path, text)
    with pytest.raises(BadInput) as caught:
        load_position(path, Nim())
    assert caught.value.where == f"{path}{place}"
    assert says in caught.value.message


def test_an_edition_asked_for_must_be_one_and_must_be_the_files(tmp_path: Path) -> None:
    """An option never silently overrides what the file says, nor an edition what the game has."""
    path = _write(tmp_path, 'edition: "1"\ngiven: {stones: 1}\n')
    assert load_position(path, Nim(), "1").edition == "1"
    with pytest.raises(BadInput, match="a position of edition '1'"):
        load_position(path, Nim(), "2")
    with pytest.raises(BadInput, match="edition '2' is unknown"):
        load_position(_write(tmp_path, "stones: 1"), Nim(), "2")


def test_a_model_that_fails_is_told_from_a_bad_file(tmp_path: Path) -> None:
    """It is our fault, exit code 3, and still one line."""
    with pytest.raises(OracleError, match="the reference model failed: TypeError") as caught:
        load_position(_write(tmp_path, "passed: 5"), Nim())
    assert caught.value.exit_code == 3
