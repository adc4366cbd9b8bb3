"""The doors to a program under test: what a TARGET on the command line may be.

| target            | what it is                                                                          |
|-------------------|-------------------------------------------------------------------------------------|
| `reference`       | the oracle's own model                                                              |
| `NAME`            | a harness in `implementations/NAME/`: `harness.py` with a class `Harness`, or one in JavaScript |
| `cmd:COMMAND`     | a process that speaks the protocol on its standard input and output                 |
| `py:MODULE:CLASS` | a Python class with the protocol's requests as methods, plain dicts in and out      |
"""

from __future__ import annotations

import importlib
import importlib.util
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from oracle.conformance.implementation import STARTUP, TIMEOUT, Implementation
from oracle.conformance.objects import PythonObject, Reference
from oracle.conformance.process import Process
from oracle.errors import BadInput
from oracle.game import Game

Factory = Callable[[], Implementation]
FORMS = "a target is reference, cmd:COMMAND, py:MODULE:CLASS or one of"
RUNNERS = {"harness.js": "node"}
"""What runs a bundled harness that is not a Python class."""


def target(spec: str, game: Game[Any], *, timeout: float = TIMEOUT, startup: float = STARTUP) -> Factory:
    """What a TARGET names, as a maker of implementations (one that failed is replaced by a new one).

    `timeout` and `startup` are seconds. Raises `BadInput` for a target that does not exist or cannot be loaded.
    """
    door, colon, rest = spec.partition(":")
    if spec == "reference":
        return lambda: Reference(game)
    if colon and door == "cmd":
        return lambda: Process(rest, timeout=timeout, startup=startup)
    if colon and door == "py":
        made = load_class(rest)
        return lambda: PythonObject(spec, made)
    folder = bundled().get(spec)
    if folder is None:
        raise BadInput(f"no target {spec!r}", fix=f"{FORMS}: {', '.join(bundled()) or '(no harness is installed)'}")
    for file, runner in RUNNERS.items():
        if (folder / file).is_file():
            command = shlex.join([runner, str(folder / file)])
            return lambda: Process(command, timeout=timeout, startup=startup, name=spec)
    harness = _attribute(_module_at(spec, folder / "harness.py"), "Harness", str(folder / "harness.py"))
    return lambda: PythonObject(spec, harness)


def bundled() -> dict[str, Path]:
    """The folders of the bundled harnesses, by name."""
    package = Path(__file__).resolve().parents[1]
    for root in (package / "_data" / "implementations", package.parent / "implementations"):
        if root.is_dir():
            files = ("harness.py", *RUNNERS)
            return {f.name: f for f in sorted(root.iterdir()) if any((f / file).is_file() for file in files)}
    return {}


def load_class(path: str) -> Callable[[], Any]:
    """The class a `MODULE:CLASS` names. Raises `BadInput`."""
    module, colon, name = path.rpartition(":")
    if not colon or not module or not name:
        raise BadInput(f"{path!r} names no class", fix="py:MODULE:CLASS, for example py:my_game.harness:Harness")
    # A program's author has the module in the working directory, where a console script does not look.
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        found = importlib.import_module(module)
    except ImportError as error:
        raise BadInput(f"module {module!r} cannot be imported: {error}", where=f"py:{path}") from None
    return _attribute(found, name, module)


def _attribute(module: ModuleType, name: str, where: str) -> Callable[[], Any]:
    made = getattr(module, name, None)
    if not callable(made):
        raise BadInput(f"it has no class {name!r}", where=where)
    return made  # type: ignore[no-any-return]


def _module_at(name: str, file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"oracle_harness_{name}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses and pickles in the harness look themselves up there
    sys.path.insert(0, str(file.parent))
    try:
        spec.loader.exec_module(module)
    except ModuleNotFoundError as error:
        fix = f"python -m pip install 'rules-oracle[{name}]'"
        raise BadInput(f"the harness for {name} needs the package {error.name!r}", where=name, fix=fix) from None
    finally:
        sys.path.remove(str(file.parent))
    return module
