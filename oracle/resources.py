"""Where the bundled folders are: inside an installed package, or at the top of a checkout."""

from __future__ import annotations

from pathlib import Path

from oracle.errors import BadInput

_PACKAGE = Path(__file__).resolve().parent


def cases() -> Path:
    """The folder of bundled cases, one folder a game in it. Raises `BadInput` if it is missing."""
    return _folder("cases")


def implementations() -> Path:
    """The folder of bundled harnesses. Raises `BadInput` if it is missing."""
    return _folder("implementations")


def _folder(name: str) -> Path:
    installed = _PACKAGE / "_data" / name
    checkout = _PACKAGE.parent / name
    if installed.is_dir():
        return installed
    # Beside an installed package lie other people's folders, which may have the same name.
    if (_PACKAGE.parent / "pyproject.toml").is_file() and checkout.is_dir():
        return checkout
    raise BadInput(f"the bundled {name} are missing", where=str(installed), fix="install rules-oracle again")
