"""The program itself: its sources found, compiled with the driver beside this file, and one play of it as a process."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from threading import Timer
from xml.etree import ElementTree

from oracle.errors import BadInput

FOLDER = "L5RSERVER"
"""The environment variable that names the user's checkout."""
PROJECT = "ConsoleApplication1/L5R Gamestate.csproj"
"""The program's own list of its sources."""
DRIVER = Path(__file__).with_name("Driver.cs")
OURS = "RulesOracle.Driver"
"""The class whose `Main` is run, in place of the program's."""
WHERE = "https://github.com/mikeucc/L5RServer"
ANSWER = 10.0
"""Seconds that the program may take between two questions."""
TAIL = 600
"""Characters kept of what it writes when it ends by itself."""

Line = tuple[str, ...]
COMPILING = 120
"""Seconds that the compiler may take."""


def command() -> tuple[str, ...]:
    """How the compiled program is run. Raises `BadInput` where something for that is missing or does not compile."""
    named = os.environ.get(FOLDER, "")
    if not named:
        raise BadInput(
            f"the environment variable {FOLDER} is not set",
            where="l5rserver",
            fix=f"git clone {WHERE}; {FOLDER}=/path/to/L5RServer oracle check l5rserver",
        )
    folder = Path(named).expanduser()
    if not folder.is_dir():
        fix = f"{FOLDER} names the folder of a checkout of {WHERE}"
        raise BadInput(f"there is no folder {named!r}", where=FOLDER, fix=fix)
    return _compiled(folder.resolve())


@cache
def _compiled(folder: Path) -> tuple[str, ...]:
    files = [*_sources(folder), DRIVER]
    compiler, runner = (_tool(name) for name in ("mcs", "mono"))
    build = Path(tempfile.mkdtemp(prefix="oracle-l5rserver-"))
    atexit.register(shutil.rmtree, build, ignore_errors=True)
    made = build / "l5rserver.exe"
    options = ["-nologo", "-warn:0", f"-main:{OURS}", f"-out:{made}"]
    try:
        compiling = subprocess.run(
            [compiler, *options, *map(str, files)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=COMPILING,
        )
    except subprocess.TimeoutExpired:
        says = f"the sources are not compiled after {COMPILING} s"
        raise BadInput(says, where=compiler, fix=_install("mcs")) from None
    except OSError as error:
        raise BadInput(f"{compiler} cannot be run: {error}", where="l5rserver", fix=_install("mcs")) from None
    if compiling.returncode or not made.is_file():
        said = (compiling.stdout + compiling.stderr).strip().splitlines() or ["it says nothing"]
        first = next((line for line in said if ": error " in line), said[0])
        fix = f"the checkout should be as published: {WHERE}, commit 5e47f2d"
        raise BadInput(f"its sources do not compile: {first}", where=str(folder), fix=fix)
    return runner, str(made)


def _sources(folder: Path) -> list[Path]:
    """The sources that the program's project names. A file of the same class lies beside them, and is none of them."""
    project = folder / PROJECT
    try:
        listed = ElementTree.parse(project).findall(".//{*}Compile")
    except FileNotFoundError:
        fix = f"{FOLDER} names the folder of a checkout of {WHERE}"
        raise BadInput(f"it has no {PROJECT}", where=str(folder), fix=fix) from None
    except (OSError, ElementTree.ParseError) as error:
        raise BadInput(f"it cannot be read: {error}", where=str(project), fix="check it out again") from None
    files = [project.parent / each.get("Include", "").replace("\\", "/") for each in listed]
    if not files:
        raise BadInput("it names no sources", where=str(project), fix="check it out again")
    if lost := [file for file in files if not file.is_file()]:
        raise BadInput(f"a source is missing: {lost[0]}", where=str(project), fix="check it out again")
    return files


def _tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise BadInput(f"{name} is not installed", where="l5rserver", fix=_install(name))
    return found


def _install(name: str) -> str:
    package = {"mcs": "mono-mcs", "mono": "mono-runtime"}[name]
    return f"install Mono; in Debian and Ubuntu: apt-get install --no-install-recommends {package}"


class Ended(Exception):
    """The program has ended, or does not answer; says what it wrote."""


class Table:
    """The running program. At each question it tells what it asks and all that it holds, and is given an answer.

    `lines` is what it told last, each line split into its words. What is under way when it ends is lost.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - for as long as the process
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True, encoding="utf-8"
        )
        self._late = False
        self.lines: list[Line] = []

    def begin(self, position: Iterable[Line]) -> None:
        """Gives up the play under way and begins another. Raises `Ended`."""
        asked = "\n" if self.lines else ""
        self._send(asked + "".join("\t".join(line) + "\n" for line in (*position, ("",))))

    def answer(self, number: int) -> None:
        """Gives the number of an option, and waits for the next question. Raises `Ended`."""
        self._send(f"{number}\n")

    def of(self, *words: str) -> list[Line]:
        """The lines that begin with these words, without them."""
        return [line[len(words) :] for line in self.lines if line[: len(words)] == words]

    def stop(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.communicate()
        self._errors.close()

    def _send(self, text: str) -> None:
        assert self._process.stdin
        assert self._process.stdout
        watch = Timer(ANSWER, self._expire)
        watch.start()
        lines, line = [], ""
        try:
            self._process.stdin.write(text)
            self._process.stdin.flush()
            while (line := self._process.stdout.readline()) not in ("\n", ""):
                lines.append(tuple(line.rstrip("\n").split("\t")))
        except OSError:
            line = ""
        finally:
            watch.cancel()
        if not line:
            raise Ended(self._last_words())
        self.lines = lines

    def _expire(self) -> None:
        self._late = True
        self._process.kill()

    def _last_words(self) -> str:
        code = self._process.wait()
        self._errors.seek(0)
        said = " ".join(self._errors.read().decode("utf-8", "replace").split())
        self.stop()
        if self._late:
            return f"no answer within {ANSWER:g} s"
        return said[:TAIL] or f"it ended with exit code {code}"
