"""The doors to a program under test: what a TARGET on the command line may be.

| target            | what it is                                                                          |
|-------------------|-------------------------------------------------------------------------------------|
| `reference`       | the oracle's own model                                                              |
| `NAME`            | a harness in `implementations/NAME/`: `harness.py` with a class `Harness`, or one in JavaScript |
| `cmd:COMMAND`     | a process that speaks the protocol on its standard input and output                 |
| `py:MODULE:CLASS` | a Python class with the protocol's requests as methods, plain dicts in and out      |

A Python class runs in the oracle's own process. What it raises, and what it prints, is kept apart; but
`os._exit`, a fault in an extension module and an endless loop cannot be: they end or hold the oracle as well.
`cmd:python -m oracle.conformance.serve MODULE:CLASS` runs the same class as a process, with time limits.
"""

from __future__ import annotations

import importlib
import importlib.util
import shlex
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from oracle.conformance import stopping
from oracle.conformance.implementation import STARTUP, TIMEOUT, Implementation
from oracle.conformance.objects import PythonObject, Reference
from oracle.conformance.process import Process
from oracle.errors import BadInput
from oracle.game import Game

Factory = Callable[[], Implementation]
FORMS = "a target is reference, cmd:COMMAND, py:MODULE:CLASS or one of"
LONGEST_TIMEOUT = 3600.0
"""Seconds that a program may be given for an answer at the most."""
RUNNERS = {"harness.js": "node"}
"""What runs a bundled harness that is not a Python class."""


def target(spec: str, game: Game[Any], *, timeout: float = TIMEOUT, startup: float = STARTUP) -> Factory:
    """What a TARGET names, as a maker of implementations (one that failed is replaced by a new one).

    `timeout` and `startup` are seconds. Raises `BadInput` for a target that does not exist or cannot be
    loaded, for one whose `harness.py` says in a function `ready` what it lacks, and for a time-out that is none.
    """
    if not 0 < timeout <= LONGEST_TIMEOUT:
        raise BadInput(f"{timeout:g} s is no time-out", fix=f"more than 0 and at most {LONGEST_TIMEOUT:g} seconds")
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
    module = _module_at(spec, folder / "harness.py")
    harness = _attribute(module, "Harness", str(folder / "harness.py"))
    if (ready := getattr(module, "ready", None)) is not None:
        ready()
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
    with _importing(f"py:{path}", f"module {module!r} cannot be imported"):
        found = importlib.import_module(module)
    return _attribute(found, name, module)


@contextmanager
def _importing(where: str, says: str) -> Iterator[None]:
    """Whatever a module raises while it is imported is told with the place in its file."""
    signals = stopping.signals()
    try:
        yield
    except BaseException as error:
        meant = isinstance(error, KeyboardInterrupt) and not stopping.watched()
        if meant or stopping.signals() > signals:
            raise
        raise BadInput(f"{says}: {_what(error)}", where=_place(error) or where) from None


def _what(error: BaseException) -> str:
    if isinstance(error, ImportError | SyntaxError):
        return error.msg
    return traceback.format_exception_only(error)[-1].strip()


def _place(error: BaseException) -> str:
    """The file and line of the user's that an import came to its end in; of a library's, where there is none."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    ours = (__file__, importlib.__file__)
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith("<frozen ") and frame.filename not in ours
    ]
    own = [frame for frame in frames if not frame.filename.startswith((sys.prefix, sys.base_prefix))]
    return next((f"{frame.filename}:{frame.lineno}" for frame in [*reversed(own), *reversed(frames)]), "")


def _attribute(module: ModuleType, name: str, where: str) -> Callable[[], Any]:
    with _importing(where, f"{name!r} cannot be had"):
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
        with _importing(name, "the harness cannot be loaded"):
            try:
                spec.loader.exec_module(module)
            except ModuleNotFoundError as error:
                fix = f"python -m pip install 'rules-oracle[{name}]'"
                lacks = BadInput(f"the harness for {name} needs the package {error.name!r}", where=name, fix=fix)
            else:
                return module
        raise lacks
    finally:
        if str(file.parent) in sys.path:
            sys.path.remove(str(file.parent))
