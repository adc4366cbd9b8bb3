"""The bundled folders are found in an installed package and in a checkout, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle import resources
from oracle.errors import BadInput


@pytest.mark.parametrize("name", ["cases", "implementations"])
def test_an_installed_package_uses_its_own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Its data lies inside the package and goes before a folder beside it."""
    package = tmp_path / "oracle"
    (package / "_data" / name).mkdir(parents=True)
    (tmp_path / name).mkdir()
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.setattr(resources, "_PACKAGE", package)
    assert getattr(resources, name)() == package / "_data" / name


def test_a_checkout_uses_its_top_level_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without data in the package the folders of the project are meant."""
    (tmp_path / "cases").mkdir()
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "oracle")
    assert resources.cases() == tmp_path / "cases"


def test_a_stranger_s_folder_is_never_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder `cases` beside an installed package belongs to somebody else."""
    (tmp_path / "cases").mkdir()
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "oracle")
    with pytest.raises(BadInput, match="the bundled cases are missing"):
        resources.cases()
