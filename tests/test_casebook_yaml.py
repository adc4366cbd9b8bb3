"""Reading YAML: what passes is plain data with its places; what does not gets one error with its place."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from oracle.casebook import yamlfile
from oracle.casebook.writing import as_yaml
from oracle.casebook.yamlfile import MAX_BYTES, MAX_DEPTH, parse, read
from oracle.errors import BadInput, BadPosition


def _write(folder: Path, content: str | bytes) -> Path:
    path = folder / "f.yaml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def _fault(folder: Path, content: str | bytes) -> BadInput:
    path = _write(folder, content)
    with pytest.raises(BadInput) as caught:
        read(path)
    caught.value.where = caught.value.where.replace(str(path), "f.yaml")
    return caught.value


def test_words_that_yaml_1_1_turns_into_something_else_stay_texts() -> None:
    """Seats, keys and words are never read as truth values, dates or numbers to the base of sixty."""
    text = "on: off\nN: no\norder: [yes, Y, 12:30, 2024-01-01, 0x1F, 010, 1_000, .inf, =, <<]\n"
    words = ["yes", "Y", "12:30", "2024-01-01", "0x1F", "010", "1_000", ".inf", "=", "<<"]
    assert parse(text, "f").data == {"on": "off", "N": "no", "order": words}


def test_plain_scalars_are_numbers_truth_values_and_null_only_where_they_look_so() -> None:
    """The values of YAML 1.2's core schema; in quotes everything is a text."""
    data = parse('[1, -2, 0, 1.5, true, false, null, ~, "1", \'true\', "null"]', "f").data
    assert [type(value).__name__ for value in data] == [
        *("int", "int", "int", "float", "bool", "bool", "NoneType", "NoneType"),
        *("str", "str", "str"),
    ]
    assert data == [1, -2, 0, 1.5, True, False, None, None, "1", "true", "null"]


def test_keys_are_texts_as_they_are_written() -> None:
    """A key that looks like a number names what it names."""
    assert parse("{1: a, true: b, null: c}", "f").data == {"1": "a", "true": "b", "null": "c"}


def test_every_value_has_the_place_where_it_stands() -> None:
    """Lines and columns count from 1, columns in characters; keys have places of their own."""
    document = parse('a:\n  - é: "x"\n  - [p, {q: r}]\n', "f")
    assert document.where(("a", 0, "é")) == "f:2:8"
    assert document.where(("a", 0, "é"), key=True) == "f:2:5"
    assert document.where(("a", 1, 1, "q")) == "f:3:13"
    assert document.where(("a", 1, 0)) == "f:3:6"


def test_a_route_to_nowhere_has_the_place_of_the_nearest_value_above() -> None:
    """An error about something that is missing points at what should hold it."""
    document = parse("a:\n  b: [1]\n", "f")
    assert document.where(("a", "b", 7, "x")) == document.where(("a", "b")) == "f:2:6"
    assert document.where(("z",), key=True) == "f:1:1"


def test_the_path_of_a_bad_position_becomes_a_place() -> None:
    """A value that cannot be is pointed at itself, a key that cannot be at the key."""
    document = parse("given:\n  stones: -1\n  hand:\n    A: [Copper, Gld]\n", "f")
    at = {
        ("stones",): "f:2:11",
        ("hand", "A", 1): "f:4:17",
        ("hand", "A"): "f:4:5",
        ("hand", "B"): "f:4:5",
    }
    for path, place in at.items():
        error = document.locate(BadPosition("no", path, fix="yes"), ("given",))
        assert (error.where, error.message, error.fix) == (place, "no", "yes")


def test_a_number_is_remembered_as_it_was_written() -> None:
    """So that a message about an unquoted edition can repeat 1.10 and does not say 1.1."""
    assert parse("edition: 1.10", "f").written == {("edition",): "1.10"}


@pytest.mark.parametrize(
    ("content", "where", "says"),
    [
        ("", "f.yaml:1:1", "empty"),
        ("# only a comment\n", "f.yaml:1:1", "empty"),
        ("---\n...\n", "f.yaml:1:1", "empty"),
        ("a: 1\n---\nb: 2\n", "f.yaml:2:1", "several documents"),
        ("a: 1\nb: 2\na: 3\n", "f.yaml:3:1", "'a' is there twice"),
        ("x:\n  - {a: 1, a: 2}\n", "f.yaml:2:12", "'a' is there twice"),
        ("a: &x [1]\nb: *x\n", "f.yaml:1:4", "anchors"),
        ("a: &x 1\n", "f.yaml:1:4", "anchors"),
        ("a: *x\n", "f.yaml:1:4", "aliases"),
        ("a: !!python/object:os.system x\n", "f.yaml:1:4", "tags"),
        ("a: !!int '3'\n", "f.yaml:1:4", "tags"),
        ("[1, 2]: x\n", "f.yaml:1:1", "key must be a text"),
        ("a: b: c\n", "f.yaml:1:5", "not YAML"),
        ("a: [1, 2\nb: 3\n", "f.yaml:2:2", "not YAML"),
        ("a:\n\t- b\n", "f.yaml:2:1", "not YAML"),
        ("a: 'b\n", "f.yaml:2:1", "not YAML"),
        ("ab: \x01\n", "f.yaml:1:5", "U+0001"),
        (b"a: 1\nb: \xff\n", "f.yaml:2:4", "not UTF-8"),
        ("a: é".encode("utf-16"), "f.yaml:1:1", "not UTF-8"),
        ("a: 1234567890123456789\n", "f.yaml:1:4", "number is too long"),
        ("[" * 10_000, "f.yaml:1:1001", "too deep"),
        ("[" * 10_000 + "]" * 10_000, "f.yaml:1:1001", "too deep"),
        ("- " * 10_000, "f.yaml:1:101", "too deep"),
        ("[\n" * (MAX_DEPTH + 1), f"f.yaml:{MAX_DEPTH + 1}:1", "too deep"),
    ],
)
def test_bad_input_gets_one_error_with_its_place(tmp_path: Path, content: str | bytes, where: str, says: str) -> None:
    """Whatever the file holds, the error is ours, short, and says where."""
    error = _fault(tmp_path, content)
    assert error.where == where
    assert says in error.message
    assert error.exit_code == 2


def test_nesting_up_to_the_limit_is_read() -> None:
    """The limit refuses what is beyond it and nothing else."""
    data = parse("[" * MAX_DEPTH + "]" * MAX_DEPTH, "f").data
    for _ in range(MAX_DEPTH - 1):
        (data,) = data
    assert data == []


def test_a_file_of_100_mb_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its size is looked at first: it is never even opened."""
    path = tmp_path / "huge.yaml"
    with path.open("wb") as stream:
        stream.truncate(100_000_000)

    def opened(*_: object, **__: object) -> None:
        raise AssertionError("the file was opened")

    monkeypatch.setattr(Path, "open", opened)
    with pytest.raises(BadInput, match="too large") as caught:
        read(path)
    assert caught.value.where == str(path)


def test_the_size_limit_is_exact(tmp_path: Path) -> None:
    """A file of just the largest size is read, one byte more is not."""
    fits = "# " + "x" * (MAX_BYTES - 8) + "\na: 1"
    assert len(fits) + 1 == MAX_BYTES
    assert read(_write(tmp_path, fits + "\n")).data == {"a": 1}
    assert "too large" in _fault(tmp_path, fits + "\n\n").message


def test_a_device_is_no_file() -> None:
    """A device that never ends is not read at all, and a stream no further than the limit."""
    with pytest.raises(BadInput, match="no regular file"):
        read("/dev/zero")
    with Path("/dev/zero").open("rb") as endless, pytest.raises(BadInput, match="too large"):
        yamlfile.read_stream(endless, "standard input")


def test_the_number_of_values_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file of very many values cannot take the memory of a large one."""
    monkeypatch.setattr(yamlfile, "MAX_VALUES", 5)
    assert parse("[1, 2, 3, 4]", "f").data == [1, 2, 3, 4]
    with pytest.raises(BadInput, match="more than 5 values") as caught:
        parse("[1, 2, 3, 4, 5]", "f")
    assert caught.value.where == "f:1:14"


def test_a_byte_order_mark_is_no_part_of_the_file(tmp_path: Path) -> None:
    """Files saved by editors that write one are read, and their places are not shifted."""
    document = read(_write(tmp_path, b"\xef\xbb\xbfa: 1\n"))
    assert document.data == {"a": 1}
    assert document.place(("a",), key=True) == (1, 1)


@pytest.mark.parametrize("name", ["missing.yaml", ".", "a\0b"])
def test_what_is_no_file_is_refused(tmp_path: Path, name: str) -> None:
    """A name that is missing, a folder, or no name at all gives an error, not a traceback."""
    with pytest.raises(BadInput) as caught:
        read(tmp_path / name)
    assert caught.value.where == str(tmp_path / name)


@pytest.mark.parametrize("kind", ["loop", "long", "pipe"])
def test_what_cannot_be_opened_is_refused_and_not_waited_for(tmp_path: Path, kind: str) -> None:
    """A circle of links, a name longer than names may be and a pipe without a writer are one error each."""
    path = tmp_path / ("x" * 5000 if kind == "long" else "f.yaml")
    if kind == "loop":
        path.symlink_to(path)
    if kind == "pipe":
        os.mkfifo(path)
    for what in (read, lambda path: [read(file) for file in yamlfile.files([path])]):
        with pytest.raises(BadInput) as caught:
            what(path)
        assert str(caught.value).count("\n") <= 1
        assert len(str(caught.value)) < 1000


def test_a_file_that_cannot_be_read_leaves_the_rest_of_its_folder(tmp_path: Path) -> None:
    """A broken link in a folder is a fault of its own, and not the folder's."""
    (tmp_path / "a.yaml").symlink_to(tmp_path / "a.yaml")
    (tmp_path / "b.yaml").write_text("x: 1")
    assert list(yamlfile.files([tmp_path])) == [tmp_path / "a.yaml", tmp_path / "b.yaml"]


def test_a_stream_that_cannot_be_read_is_bad_input(tmp_path: Path) -> None:
    """Standard input may be a folder or closed: the name in the message is the stream's."""

    class Broken(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise IsADirectoryError(21, "Is a directory")

    with pytest.raises(BadInput, match="standard input: it cannot be read: Is a directory"):
        yamlfile.read_stream(Broken(), "standard input")


def test_files_below_a_folder_are_found_once_and_in_order(tmp_path: Path) -> None:
    """A file that two paths name is one file; what is not YAML is passed by."""
    for name in ("b.yaml", "a/c.yml", "a/notes.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x: 1")
    found = list(yamlfile.files([tmp_path, tmp_path / "b.yaml"]))
    assert found == [tmp_path / "a/c.yml", tmp_path / "b.yaml"]
    with pytest.raises(BadInput, match="no such file"):
        list(yamlfile.files([tmp_path / "z"]))


def test_what_is_written_can_be_read_again(tmp_path: Path) -> None:
    """A value that stands in two places is written twice, since files of cases have no aliases."""
    pile = ["Copper", "2 Estate"]
    value = {"hand": {"A": pile, "B": pile}, "turn": "A"}
    for flow in (None, True, False):
        assert parse(as_yaml(value, flow=flow), "f.yaml").data == value
