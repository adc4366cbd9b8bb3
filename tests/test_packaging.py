"""What the wheel holds: everything that the command needs, tested by installing it somewhere else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout without a network."""
    pytest.importorskip("hatchling", reason="SKIPPED LOUDLY: hatchling is not installed; the extra 'test' has it")
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = out.glob("*.whl")
    return built


def test_wheel_holds_all_data(wheel: Path) -> None:
    """Cases, rulebooks, schemas, harnesses and the typing marker are inside; tests and caches are not."""
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder, inside in (("cases", "oracle/_data/cases"), ("implementations", "oracle/_data/implementations")):
        files = [file for file in (ROOT / folder).rglob("*") if file.is_file() and "__pycache__" not in file.parts]
        assert files
        assert {f"{inside}/{file.relative_to(ROOT / folder).as_posix()}" for file in files} <= names
    data = [file for kind in ("*.yaml", "*.json", "py.typed") for file in (ROOT / "oracle").rglob(kind)]
    assert {file.relative_to(ROOT).as_posix() for file in data} <= names
    assert "oracle/py.typed" in names
    assert not [name for name in names if name.startswith("tests/") or "__pycache__" in name]


def test_installed_wheel_works_away_from_the_checkout(wheel: Path, tmp_path: Path) -> None:
    """Installed in a folder of its own, it finds its cases, its rulebook and its schema there."""
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)  # what an installer does with a wheel of pure Python
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONSAFEPATH": "1"}

    def run(*args: str) -> str:
        command = [sys.executable, "-c", "from oracle.cli import main; main()", *args]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    where = [sys.executable, "-c", "import oracle; print(oracle.__file__)"]
    done = subprocess.run(where, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=True)
    assert Path(done.stdout.strip()).is_relative_to(site)
    found = json.loads(run("games", "--format", "json"))
    checked = json.loads(run("check", "--format", "json"))
    assert len(checked["report"]["rows"]) == sum(game["cases"] for game in found) >= 100 * len(found)
    page = json.loads(run("rules", "dominion", "dom.buy.cost", "--format", "json"))
    assert page["cases"][0]["where"].startswith("site/oracle/_data/cases")
    assert run("--version").strip() == f"oracle {_version()}"


def test_metadata(wheel: Path) -> None:
    """The wheel names its command, its pytest plugin, its licence and the extras of the README."""
    archive = zipfile.ZipFile(wheel)
    texts = {Path(name).name: archive.read(name).decode() for name in archive.namelist() if ".dist-info/" in name}
    assert "oracle = oracle.cli:main" in texts["entry_points.txt"]
    assert "[pytest11]" in texts["entry_points.txt"]
    assert "License-Expression: MIT" in texts["METADATA"]
    for extra in ("pyminion", "evolvedominion", "test"):
        assert f"Provides-Extra: {extra}\n" in texts["METADATA"]


def test_every_dependency_has_its_reason() -> None:
    """CONTRIBUTING.md justifies each dependency, runtime and optional, in a row of its table."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    optional = [name for extra in project["optional-dependencies"].values() for name in extra]
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    rows = [line.split("|")[1] for line in text.partition("## Dependencies")[2].splitlines() if line.startswith("| ")]
    named = {name.strip().lower() for row in rows for name in row.split(",")}
    for requirement in (*project["dependencies"], *optional):
        name = requirement.partition("[")[0].split(">")[0].split("=")[0].lower()
        if name != "rules-oracle":
            assert name in named or (name.startswith("types-") and "types-*" in named), requirement


def _version() -> str:
    version: str = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    return version
