"""A check's report as JUnit XML, written whole or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as Xml

from oracle.errors import BadInput

if TYPE_CHECKING:
    from oracle.checking import Checked
    from oracle.conformance.check import Finding, Report, Row


def writable(path: Path) -> Path:
    """Where the file really lies, whatever the working directory may become and whatever links lead there.

    Raises `BadInput` where none could be written, so that no check runs in vain, and where something else
    than a file is: a pipe or a device is not replaced.
    """
    fix = "name a file in a folder that exists"
    try:
        real = Path(os.path.realpath(path))
        if real.is_symlink() or real.is_dir() or not real.parent.is_dir():
            raise BadInput("no file can be written there", where=str(path), fix=fix)
        if real.exists() and not real.is_file():
            raise BadInput("this is no regular file, and it will not be replaced", where=str(path), fix=fix)
    except (OSError, ValueError) as error:
        raise BadInput(f"no file can be written there: {_why(error)}", where=_short(path), fix=fix) from None
    if not os.access(real.parent, os.W_OK):
        raise BadInput("the folder cannot be written to", where=str(path))
    return real


def _why(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)


def _short(path: Path) -> str:
    return str(path) if len(str(path)) <= 200 else f"{str(path)[:200]}..."


def write(path: Path, checked: Checked) -> None:
    """Writes the report where `writable` said. A reader sees the old file or the new one, never a part.

    Raises `BadInput`, and leaves nothing behind.
    """
    handle, name = -1, ""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".oracle.")
        with os.fdopen(handle, "wb") as stream:
            stream.write(dumps(checked))
        os.chmod(name, 0o644)
        if path.exists() and not path.is_file():
            raise FileExistsError(errno.EEXIST, "something else than a file has come there")
        os.replace(name, path)
    except OSError as error:
        if name:
            Path(name).unlink(missing_ok=True)
        raise BadInput(f"the file cannot be written: {error.strerror}", where=str(path)) from None


def dumps(checked: Checked) -> bytes:
    """The report as XML, a suite for each game.

    What was not run, and a partial or empty report, count as errors: they are no pass.
    """
    root = Xml.Element("testsuites")
    root.extend(_suite(each.report) for each in (checked, *checked.others))
    Xml.indent(root)
    text: str = Xml.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _suite(report: Report) -> Xml.Element:
    from oracle.conformance.check import compared, exit_code

    suite = Xml.Element("testsuite", name=f"oracle check {report.target}")
    properties = Xml.SubElement(suite, "properties")
    facts = {"game": report.game, "edition": report.edition, "seed": report.seed, "exit code": exit_code(report)}
    for name, value in {**facts, "partial": str(report.partial).lower()}.items():
        Xml.SubElement(properties, "property", name=name, value=str(value))
    findings = {finding.signature: finding for finding in report.findings}
    for row in report.rows:
        test = Xml.SubElement(suite, "testcase", classname=f"{report.target}.{row.kind}", name=row.id)
        _result(test, row, findings)
    ran = report.verdicts["pass"] + report.verdicts["fail"]
    if report.partial or not compared(report):
        test = Xml.SubElement(suite, "testcase", classname=report.target, name="the check as a whole")
        nothing = "nothing was compared" if ran else "nothing was run"
        message = "broken off: this report is partial" if report.partial else nothing
        Xml.SubElement(test, "error", type="not-run", message=message)
    for outcome in ("failure", "error", "skipped"):
        suite.set(
            {"failure": "failures", "error": "errors"}.get(outcome, outcome), str(len(suite.findall(f".//{outcome}")))
        )
    suite.set("tests", str(len(suite.findall("testcase"))))
    return suite


def _result(test: Xml.Element, row: Row, findings: dict[str, Finding]) -> None:
    mine = [findings[signature] for signature in row.found if signature in findings]
    if row.verdict == "pass":
        return
    if row.verdict in ("skip", "unsupported"):
        Xml.SubElement(test, "skipped", message=f"{row.verdict}: {row.message}")
    elif row.verdict == "fail" and mine and all(finding.known is not None for finding in mine):
        reasons = "; ".join(f"{finding.signature}: {finding.known}" for finding in mine)
        Xml.SubElement(test, "skipped", message=f"known: {reasons}")
    else:
        word = "failure" if row.verdict == "fail" else "error"
        told = [f"{f.shortest.fault}: {f.shortest.says} {_rules(f)}[{f.signature}]" for f in mine]
        lines = [line for line in (row.message, *told) if line]
        head = lines[0].splitlines()[0] if lines else row.verdict
        Xml.SubElement(test, word, type=row.verdict, message=head).text = "\n".join(lines)


def _rules(finding: Finding) -> str:
    return f"({', '.join(finding.shortest.rules)}) " if finding.shortest.rules else ""
