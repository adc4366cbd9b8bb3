"""README.md says what is true: its commands run and print what it shows (its Python examples are doctests)."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from oracle.cli import cli

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")
SETUP = ["python -m pip install '.[pyminion]' && oracle check pyminion", "python -m pip install '.[test]' && pytest"]


def blocks(language: str) -> list[str]:
    """The code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


@pytest.fixture
def beside_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the README shows, each named in its first line."""
    for text in (*blocks("yaml"), *blocks("jsonl")):
        file = tmp_path / text.splitlines()[0].removeprefix("# ")
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_set_up_is_two_commands() -> None:
    """There are exactly the two set-up commands, each in a block of its own."""
    assert [block.strip() for block in blocks("sh")] == SETUP


def test_ci_runs_the_commands_of_the_readme() -> None:
    """What `.ci/run` takes from the README are these two commands, and it has no copy of its own."""
    ci = (ROOT / ".ci" / "run").read_text("utf-8")
    pattern = re.search(r"grep -E '(.*)' README\.md", ci)
    assert pattern is not None
    assert [line for line in README.splitlines() if re.match(pattern[1], line)] == SETUP
    assert all(command not in ci for command in SETUP)


@pytest.mark.usefixtures("beside_its_files")
@pytest.mark.parametrize("block", blocks("console"), ids=lambda block: str(block).partition("\n")[0])
def test_commands_print_what_is_shown(block: str) -> None:
    """Each command shown with `$` prints the lines that follow it, those about another program too."""
    first, _, expected = block.partition("\n")
    program, *args = shlex.split(first.removeprefix("$ "))
    assert program == "oracle"
    if args[:2] == ["check", "pyminion"]:
        pytest.importorskip("pyminion", reason="pyminion 0.4.0 is not installed: pip install 'rules-oracle[pyminion]'")
    assert CliRunner().invoke(cli, args, prog_name="oracle").stdout == expected


def test_questions_of_each_kind_are_shown() -> None:
    """The README shows a legal action, an illegal one, one in the middle of a card, and a report."""
    shown = blocks("console")
    assert [
        sum(mark in block for block in shown) > 0 for mark in (": legal\n", ": illegal\n", "--after", "again:")
    ] == [True] * 4


def test_the_case_shown_is_a_good_case(beside_its_files: Path) -> None:
    """The example of a case passes, and lint has no finding about it."""
    for command in ("check", "lint"):
        words = [command, *(["--cases-from"] if command == "check" else []), str(beside_its_files / "my-cases")]
        result = CliRunner().invoke(cli, words, prog_name="oracle")
        assert result.exit_code == 0, result.output


def test_links_lead_somewhere() -> None:
    """Every relative link is a file or folder of the repository."""
    targets = [target for target in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in target]
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_options_named_exist() -> None:
    """Every option that the README names is one of some command."""
    known = {"--help", "--version"}
    for command in cli.commands.values():
        for each in (command, *getattr(command, "commands", {}).values()):
            known |= {name for parameter in each.params for name in (*parameter.opts, *parameter.secondary_opts)}
    known |= {name for parameter in cli.params for name in parameter.opts}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README)) <= known
