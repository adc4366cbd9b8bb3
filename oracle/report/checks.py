"""A check's report as text: a summary, what failed, and each distinct divergence once."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

from click import style

from oracle import games
from oracle.casebook.writing import as_yaml
from oracle.report import brief
from oracle.report.text import WIDTH, columns, many, wrapped

if TYPE_CHECKING:
    from oracle.checking import Checked
    from oracle.conformance.check import Finding, Report, Row
    from oracle.conformance.divergence import Divergence
    from oracle.game import Reason

Json = Any
SHOWN, FEW = 8, 3
"""Actions of a divergence, and rows of one kind, that are listed at the most: in full, and in brief."""
LAST = 10
"""Actions of a long play that are told; JSON has them all."""
LINES = 3
"""Lines that one sentence takes at the most in a report in brief."""
UNSHOWN = ("skip", "unsupported")
"""Verdicts of what the program did not take."""
WORDS = {"skip": "skipped", "not-run": "not run", "protocol-error": "protocol", "pass": "passed", "fail": "failed"}
"""How a summary says a verdict."""


def check(checked: Checked, *, verbose: bool = False) -> str:
    """The whole report, one part a game: each divergence in some ten lines or, if `verbose`, with all that is known."""
    return "\n\n".join(_one(each, verbose=verbose) for each in (checked, *checked.others))


def _one(checked: Checked, *, verbose: bool) -> str:
    report = checked.report
    model = games.load(report.game) if report.findings else None
    lines = [*_head(report), "", *_summary(report), *_compared(report)]
    for rows in _alike([row for row in report.rows if row.verdict not in UNSHOWN]):
        lines += ["", *_rows(rows, checked.again)]
    for number, finding in enumerate(report.findings, 1):
        lines += ["", *(_finding(number, finding, checked) if verbose else _in_brief(model, number, finding, checked))]
    for signature, reason in report.gone.items():
        lines += ["", wrapped(f"Known, but not seen this time: {signature} ({reason})")]
    if unshown := _alike([row for row in report.rows if row.verdict in UNSHOWN]):
        lines += ["", "Not shown to the program:", *(_unshown(rows, SHOWN if verbose else FEW) for rows in unshown)]
    return "\n".join([*lines, "", _verdict(checked)])


def _head(report: Report) -> Iterator[str]:
    about = report.implementation
    name = " ".join(word for word in (about.name or report.target, about.version) if word)
    rules = "@".join(word for word in (report.game, report.edition) if word)
    yield f"{style(name, bold=True)}{f' ({about.language})' if about.language else ''}: {rules}, seed {report.seed}"


def _summary(report: Report) -> Iterator[str]:
    kinds = [kind for kind in ("case", "game", "log") if any(row.kind == kind for row in report.rows)]
    counts = {kind: _verdicts([row for row in report.rows if row.kind == kind]) for kind in kinds}
    seen = [verdict for verdict in report.verdicts if any(counts[kind].get(verdict) for kind in kinds)]
    left = report.verdicts["not-run"] - sum(counts[kind].get("not-run", 0) for kind in kinds)
    if seen:
        head = ["", *(WORDS.get(verdict, verdict) for verdict in seen)]
        yield from columns([head, *([f"{kind}s", *(_number(counts[kind].get(v, 0)) for v in seen)] for kind in kinds)])
    if left > 0:
        yield f"Not run: {left:,} cases and games"


def _number(n: int) -> str:
    return f"{n:,}" if n else "-"


def _verdicts(rows: Sequence[Row]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.verdict] = counts.get(row.verdict, 0) + 1
    return counts


def _compared(report: Report) -> Iterator[str]:
    totals = report.totals
    if totals.decisions:
        probed = f" ({totals.probed:,} probed, without a list)" if totals.probed else ""
        yield (
            f"Compared: {totals.decisions:,} decisions{probed}, {totals.actions:,} actions taken, "
            f"{totals.refusals:,} illegal ones tried, {totals.states:,} positions"
        )
        if not totals.states:
            who = "log" if any(row.kind == "log" for row in report.rows) else "program"
            yield f"No position was compared: the {who} shows nothing of its state."


def _alike(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows that say something of their own, those with one message together."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.message:
            groups.setdefault((row.verdict, row.message), []).append(row)
    return list(groups.values())


def _unshown(rows: Sequence[Row], most: int) -> str:
    verdict = WORDS.get(rows[0].verdict, rows[0].verdict)
    return wrapped(f"{verdict}, {_named(rows, most)}: {' '.join(rows[0].message.split())}", "  ")


def _named(rows: Sequence[Row], most: int = SHOWN) -> str:
    if rows[0].kind == "start":
        return "all of it"
    names = ", ".join(f"game {row.id}" if row.kind == "game" else row.id for row in rows[:most])
    return names if len(rows) <= most else f"{names} and {len(rows) - most} more"


def _rows(rows: Sequence[Row], command: Sequence[str]) -> Iterator[str]:
    first = rows[0]
    yield wrapped(f"{WORDS.get(first.verdict, first.verdict)}: {_named(rows)}")
    yield from (f"  {line}" for line in first.message.splitlines())
    if first.play:
        yield from _play(first.play)
    if first.verdict not in ("fail", "not-run") and first.kind in ("case", "game"):
        again = ("--case", first.id) if first.kind == "case" else ("--only-game", first.id)
        yield f"  again: {shlex.join([*command, *again])}"


def _headline(number: int, finding: Finding) -> Iterator[str]:
    times = f"{finding.count:,} times" if finding.count > 1 else "once"
    yield style(f"{number}. {finding.shortest.fault}, {times}", bold=True) + f"  [{finding.signature}]"
    if finding.known is not None:
        yield wrapped(f"known: {finding.known}", "   ")


def _in_brief(model: Any, number: int, finding: Finding, checked: Checked) -> Iterator[str]:
    """A divergence in some ten lines: what, the rule, the position, the moves that lead there, how to see it again."""
    shown = finding.shortest
    yield from _headline(number, finding)
    yield _cut(f"{_where(shown)}{shown.says}", "   ")
    if len(finding.actions) > 1:
        yield _cut(_all_seen(finding), "   ", 1)
    told = list(_told(shown.reasons).items())
    for rule, facts in told[:1]:
        sentence = checked.rules.get(rule, "")
        yield _cut(f"{rule}: {sentence}" if sentence else rule, "   ")
        yield _cut(f"here: {'; '.join(facts)}", "     ", 1)
    if told[1:]:
        yield _cut(f"also: {', '.join(rule for rule, _ in told[1:])}", "   ", 1)
    about = " ".join((shown.says, *shown.actions, *(reason.fact for reason in shown.reasons)))
    position, note = brief.brief(model, shown.position, shown.edition, about)
    yield brief.flow("position", position, "   ", note)
    if "under way" in position:  # such a position is reached by a play, and cannot be written down
        yield brief.flow("setup", shown.setup, "   ")
    moves = [brief.action(model, action) for action in shown.play[-LAST:]]
    if moves:
        which = "after: " if len(shown.play) <= LAST else f"after {len(shown.play):,} moves, the last: "
        yield _cut(which + "; ".join(moves), "   ")
    yield f"   again: {shlex.join([*checked.again, *finding.reproduce])}"


def _cut(text: str, left: str, lines: int = LINES) -> str:
    """A sentence of at most so many lines, with "..." for the rest."""
    return fill(text, WIDTH, initial_indent=left, subsequent_indent=f"{left}  ", max_lines=lines, placeholder=" ...")


def _all_seen(finding: Finding) -> str:
    most = sorted(finding.actions.items(), key=lambda pair: (-pair[1], pair[0]))
    more = f" and {len(most) - SHOWN} more" if len(most) > SHOWN else ""
    return f"all seen: {', '.join(f'{action} ({n})' for action, n in most[:SHOWN])}{more}"


def _finding(number: int, finding: Finding, checked: Checked) -> Iterator[str]:
    shown = finding.shortest
    yield from _headline(number, finding)
    yield from _said(shown, checked.rules)
    if len(finding.actions) > 1:
        yield wrapped(_all_seen(finding), "   ")
    yield from _place(shown)
    yield f"   again: {shlex.join([*checked.again, *finding.reproduce])}"


def divergence(shown: Divergence, sentences: Mapping[str, str]) -> Iterator[str]:
    """One divergence by itself."""
    yield style(shown.fault, bold=True)
    yield from _said(shown, sentences)
    yield from _place(shown)


def _where(shown: Divergence) -> str:
    return "" if shown.fault == "setup" else f"{shown.player or 'chance'}, {shown.about}: "


def _said(shown: Divergence, sentences: Mapping[str, str]) -> Iterator[str]:
    yield wrapped(f"{_where(shown)}{shown.says}", "   ")
    yield from _decided(shown.reasons, sentences)


def _place(shown: Divergence) -> Iterator[str]:
    yield "   position:"
    yield from (f"     {line}" for line in _yaml(brief.telling(shown.position)))
    yield brief.flow("setup", shown.setup, "   ")
    yield from (f" {line}" for line in _play(shown.play))


def _decided(reasons: Sequence[Reason], sentences: Mapping[str, str]) -> Iterator[str]:
    """The clauses that decide, each rule with its sentence; of clauses that are all met, the last says most."""
    told = _told(reasons)
    for rule, facts in told.items():
        yield f"   {style(rule, bold=True)}"
        if rule in sentences:
            yield wrapped(sentences[rule], "     ")
        yield wrapped(f"here: {'; '.join(facts)}", "     ")
    if also := [rule for rule in dict.fromkeys(reason.rule for reason in reasons) if rule not in told]:
        yield wrapped(f"also: {', '.join(also)}", "   ")


def _told(reasons: Sequence[Reason]) -> dict[str, list[str]]:
    broken = [reason for reason in reasons if not reason.holds] or list(reasons[-1:])
    told: dict[str, list[str]] = {}
    for reason in broken:
        told.setdefault(reason.rule, []).append(reason.fact)
    return told


def _play(play: Sequence[str]) -> Iterator[str]:
    if play:
        cut = len(play) - LAST if len(play) > 2 * LAST else 0
        earlier = f", the last {LAST} of them" if cut else ""
        yield f"  {many(len(play), 'action')} lead{'s' if len(play) == 1 else ''} there{earlier}:"
        yield wrapped("; ".join(play[cut:]), "    ")
    else:
        yield "  no action leads there: it is the first decision"


def _yaml(value: Json) -> list[str]:
    return as_yaml(value, width=WIDTH).rstrip().splitlines()


def _verdict(checked: Checked) -> str:
    from oracle.conformance.check import compared, exit_code

    report = checked.report
    code = exit_code(report)
    known = sum(finding.known is not None for finding in report.findings)
    parts = []
    if report.partial:
        parts.append("broken off: this report is partial")
    if new := len(report.findings) - known:
        parts.append(many(new, "distinct divergence"))
    if known:
        parts.append(f"{known} known")
    if failed := sum(row.verdict == "fail" and not row.found for row in report.rows):
        parts.append(f"{many(failed, 'case')} failed")
    if code == 3:
        parts.append("the program or the oracle failed")
    if any(row.kind == "log" and row.verdict == "not-run" for row in report.rows):
        parts.append("the log breaks off")
    elif not report.verdicts["pass"] + report.verdicts["fail"]:
        parts.append("nothing was run")
    elif not compared(report):
        parts.append("nothing was compared")
    elif not report.partial and report.verdicts["not-run"]:
        parts.append(f"{report.verdicts['not-run']:,} not run")
    games = [row.verdict for row in report.rows if row.kind == "game"]
    if games and not {"pass", "fail"} & set(games):
        parts.append("no game was played")
    words = "; ".join(parts)
    if code == 0:
        return style(f"Conforms{f' ({words})' if words else ''}.", fg="green", bold=True)
    return style(f"{words[:1].upper()}{words[1:]}.", fg="red", bold=True)
