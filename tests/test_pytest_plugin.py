"""The pytest plugin: one item a case, failures that can be read, and nothing for everybody else."""

from __future__ import annotations

import subprocess
import sys

# Imported here once, so that no inner run of pytest has to do it again.
import hypothesis  # noqa: F401
import jsonschema  # noqa: F401
import pytest

import oracle.games
from tests.casebooks import case
from tests.casebooks import games as registry

GOOD = case("refuse: {player: A, action: take 4, because: nim.take}")
WRONG = case("refuse: {player: A, action: take 4, because: nim.enough}").replace("nim-x", "nim-wrong")
CONFTEST = """
from oracle.pytest_plugin import register

def pytest_addoption(parser, pluginmanager):
    register(pluginmanager)
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project whose pytest has the plugin, with nim as its only game."""
    monkeypatch.setattr(oracle.games, "load", registry, raising=False)
    pytester.makeconftest(CONFTEST)
    pytester.mkdir("cases")
    return pytester


def _file(project: pytest.Pytester, name: str, text: str) -> None:
    (project.path / name).write_text(text)


def test_each_case_is_an_item(project: pytest.Pytester) -> None:
    """Its id is the item's name, so that one case can be chosen."""
    _file(project, "cases/a.yaml", GOOD)
    _file(project, "cases/b.yml", GOOD.replace("nim-x", "nim-y"))
    project.runpytest().assert_outcomes(passed=2)
    project.runpytest("cases/b.yml::nim-y").assert_outcomes(passed=1)
    listed = project.runpytest("--collect-only", "-q")
    listed.stdout.fnmatch_lines(["cases/a.yaml::nim-x", "cases/b.yml::nim-y"])


def test_a_failure_says_what_is_wrong_without_a_traceback(project: pytest.Pytester) -> None:
    """Message, place, both sides and the position are shown; the program's own lines are not."""
    _file(project, "cases/a.yaml", WRONG)
    ran = project.runpytest()
    ran.assert_outcomes(failed=1)
    ran.stdout.fnmatch_lines(
        [
            "*nim-wrong: x*",
            "cases/a.yaml:10:45: step 1 (refuse): 'take 4' by A is refused, but not because of nim.enough",
            "  expected: refused because of nim.enough",
            "  found:    nim.take (4 stones)",
            "    stones: 5",
        ]
    )
    ran.stdout.no_fnmatch_line("*Traceback*")
    ran.stdout.no_fnmatch_line("*pytest_plugin.py*")


def test_a_faulty_file_fails_and_hides_nothing(project: pytest.Pytester) -> None:
    """What cannot be read is a failing item beside the others, not an end to the collection."""
    _file(project, "cases/a.yaml", 'game: nim\nedition: "1"\ncases: [\n')
    _file(project, "cases/b.yaml", GOOD)
    _file(project, "cases/c.yaml", GOOD.replace("title", "tilte"))
    ran = project.runpytest()
    ran.assert_outcomes(passed=1, failed=2)
    ran.stdout.fnmatch_lines(["cases/a.yaml:4:1: this is not YAML*", "cases/c.yaml:5:5: unknown key 'tilte'*"])


def test_an_unknown_game_is_a_failure(project: pytest.Pytester) -> None:
    """A case file of a game that is not there never counts as no case file."""
    _file(project, "cases/a.yaml", GOOD.replace("game: nim", "game: nmi"))
    ran = project.runpytest()
    ran.assert_outcomes(failed=1)
    ran.stdout.fnmatch_lines(["cases/a.yaml:1:7: there is no game 'nmi'*"])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cases/values.yaml", "game: nim\nplayers: 2\n"),
        ("cases/list.yaml", "- game: nim\n  cases: 1\n"),
        ("cases/broken.yaml", "a: ["),
        ("cases/notes.txt", GOOD),
        ("a.yaml", GOOD),
    ],
)
def test_other_files_are_left_alone(project: pytest.Pytester, name: str, text: str) -> None:
    """Only YAML below a `cases` folder with `game` and `cases` at its top is taken."""
    _file(project, name, text)
    assert project.runpytest().ret == pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.mark.parametrize(
    "text",
    [
        "# first a comment\n" + GOOD,
        "\ufeff" + GOOD,
        GOOD.replace("game:", '"game":').replace("cases:", "'cases':"),
        '{game: nim, edition: "1", cases: [{id: nim-x, rules: [nim.end], given: {stones: 1}, steps: [{end: false}]}]}',
    ],
)
def test_case_files_are_known_however_they_are_written(project: pytest.Pytester, text: str) -> None:
    """No case file is passed over for its style."""
    _file(project, "cases/a.yaml", text)
    project.runpytest().assert_outcomes(passed=1)


def test_registering_twice_does_nothing(project: pytest.Pytester) -> None:
    """A checkout's conftest and an installed package's entry point can both be there."""
    project.makeconftest(CONFTEST + "    register(pluginmanager)\n")
    _file(project, "cases/a.yaml", GOOD)
    project.runpytest().assert_outcomes(passed=1)


def test_the_plugin_is_cheap_to_import() -> None:
    """Every pytest run of every project imports it where the package is installed: it brings in nothing of weight."""
    code = (
        "import sys, pytest; before = set(sys.modules); import oracle.pytest_plugin; "
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["oracle"]
