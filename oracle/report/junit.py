"""A check's report as JUnit XML, written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as Xml

from oracle.errors import BadInput

if TYPE_CHECKING:
    from oracle.checking import Checked
    from oracle.conformance.check import Finding, Report, Row


def writable(path: Path) -> None:
    """Raises `BadInput` where a file could not be written there, so that no check runs in vain."""
    if path.is_dir() or not path.resolve().parent.is_dir():
        raise BadInput("no file can be written there", where=str(path), fix="name a file in a folder that exists")
    if not os.access(path.resolve().parent, os.W_OK):
        raise BadInput("the folder cannot be written to", where=str(path))


def write(path: Path, checked: Checked) -> None:
    """Writes the report. A reader sees the old file or the new one, never a part. Raises `BadInput`."""
    handle, name = -1, ""
    try:
        handle, name = tempfile.mkstemp(dir=path.resolve().parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as stream:
            stream.write(dumps(checked))
        os.chmod(name, 0o644)
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
    from oracle.conformance.check import exit_code

    suite = Xml.Element("testsuite", name=f"oracle check {report.target}")
    properties = Xml.SubElement(suite, "properties")
    facts = {"game": report.game, "edition": report.edition, "seed": report.seed, "exit code": exit_code(report)}
    for name, value in {**facts, "partial": str(report.partial).lower()}.items():
        Xml.SubElement(properties, "property", name=name, value=str(value))
    findings = {finding.signature: finding for finding in report.findings}
    for row in report.rows:
        test = Xml.SubElement(suite, "testcase", classname=f"{report.target}.{row.kind}", name=row.id)
        _result(test, row, findings)
    if report.partial or not report.verdicts["pass"] + report.verdicts["fail"]:
        test = Xml.SubElement(suite, "testcase", classname=report.target, name="the check as a whole")
        message = "broken off: this report is partial" if report.partial else "nothing was run"
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
        told = [f"{f.shortest.fault}: {f.shortest.says} ({', '.join(f.shortest.rules)}) [{f.signature}]" for f in mine]
        lines = [line for line in (row.message, *told) if line]
        head = lines[0].splitlines()[0] if lines else row.verdict
        Xml.SubElement(test, word, type=row.verdict, message=head).text = "\n".join(lines)
