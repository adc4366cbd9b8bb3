"""Answers as plain text: columns and wrapped sentences, without any library that takes time to load."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from click import style

if TYPE_CHECKING:
    from oracle.casebook.lint import Finding
    from oracle.report.answers import Clause, Family, Legal, Modelled, RuleLine, RulePage, Why
    from oracle.rulebook import Covered, Source, Verification

WIDTH = 100
"""Columns that sentences are wrapped to."""


def columns(rows: Sequence[Sequence[str]], indent: str = "") -> Iterator[str]:
    """The rows as lines, all columns but the last padded to the widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        yield indent + "  ".join(cells).rstrip()


def wrapped(text: str, indent: str = "") -> str:
    """A sentence broken to lines of at most `WIDTH`."""
    return "\n".join(wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent))


def hanging(text: str, indent: str = "") -> str:
    """The same, with the lines after the first set in by two; names with hyphens stay whole."""
    return "\n".join(wrap(text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False))


def seat(player: str | None) -> str:
    """A player by name; chance is nobody's."""
    return player or "chance"


def many(n: int, word: str) -> str:
    """`1 case`, `2 cases`, `1,234 cases`."""
    return f"{n:,} {word}{'' if n == 1 else 's'}"


def games(modelled: Sequence[Modelled]) -> str:
    """The list of games."""
    head = ("game", "title", "editions", "rules", "cases")
    rows = [(m.name, m.title, ", ".join(m.editions), str(m.rules), str(m.cases)) for m in modelled]
    return "\n".join(columns([head, *rows]))


# -- what is legal -----------------------------------------------------------------------------------


def why(answer: Why) -> str:
    """One action judged, each deciding clause with the rule's sentence and the fact of the position."""
    verdict = style("legal", fg="green", bold=True) if answer.legal else style("illegal", fg="red", bold=True)
    lines = [f"{answer.action} by {seat(answer.player)}: {verdict}", ""]
    for _, same in groupby(answer.deciding, key=lambda clause: clause.rule):
        lines += _clause(list(same))
    if answer.also:
        lines += [wrapped(f"Met: {', '.join(dict.fromkeys(clause.rule for clause in answer.also))}")]
    return "\n".join(lines).rstrip()


def _clause(same: Sequence[Clause]) -> list[str]:
    """The clauses of one rule: its sentence, then the fact of each."""
    lines = [style(same[0].rule, bold=True)]
    if same[0].says:
        lines.append(wrapped(same[0].says, "  "))
    return [*lines, *(wrapped(f"here: {clause.fact}", "  ") for clause in same), ""]


def legal(answer: Legal) -> str:
    """Who decides, and each legal action with the rules that allow it."""
    if answer.kind is None:
        return _over(answer)
    decides = f"{seat(answer.player)} decides: {answer.about} ({answer.kind})"
    if not answer.count:
        return f"{answer.asked} has nothing to decide.\n{decides}"
    lines = [f"{decides}, {many(answer.count, 'legal action')}", ""]
    if answer.actions:
        lines += columns([(a.action, ", ".join(a.rules)) for a in answer.actions], "  ")
    lines += chain.from_iterable(map(_family, answer.families))
    if answer.common:
        facts = (f"{clause.rule} ({clause.fact})" for clause in _once(answer.common))
        lines += ["", wrapped(f"Each of them: {', '.join(facts)}")]
    if answer.rules:
        lines += [*([] if answer.common else [""]), wrapped(f"Asked by: {', '.join(answer.rules)}")]
    if answer.others and answer.asked is None:
        lines += [f"Nothing to decide: {', '.join(answer.others)}"]
    return "\n".join(lines)


def _once(clauses: Iterable[Clause]) -> Iterator[Clause]:
    return iter({clause.rule: clause for clause in clauses}.values())


def _family(family: Family) -> list[str]:
    rules = f"  {', '.join(family.rules)}" if family.rules else ""
    examples = "; ".join(family.examples)
    return [f"  {family.verb} ... ({family.count:,} actions){rules}", f"    {examples}; ... (--all lists them)"]


def _over(answer: Legal) -> str:
    lines = ["The game is over: nothing is legal for anybody."]
    if answer.outcome:
        scores = ", ".join(f"{player} {points}" for player, points in answer.outcome["scores"].items())
        lines += [f"Scores: {scores}", f"Won by: {', '.join(answer.outcome['winners'])}"]
        lines += [f"May begin the next game: {', '.join(answer.outcome['next first'])}"]
    if answer.rules:
        lines.append(f"Rules: {', '.join(answer.rules)}")
    return "\n".join(lines)


# -- what the rules are ------------------------------------------------------------------------------


def rules(lines: Sequence[RuleLine]) -> str:
    """All rules, one a line."""
    return "\n".join(columns([(line.id, line.kind, line.says) for line in lines]))


def found(lines: Sequence[RuleLine]) -> str:
    """The rules that a search found, each with its sentence, then how many they are."""
    told = [f"{style(line.id, bold=True)} ({line.kind})\n{wrapped(line.says, '  ')}" for line in lines]
    return "\n".join([*told, "", many(len(lines), "rule")])


def rule(page: RulePage) -> str:
    """One rule with all that is known of it."""
    lines = [f"{style(page.id, bold=True)} ({page.kind})", wrapped(page.says, "  ")]
    for edition, says in page.editions.items():
        lines += [f"Edition {edition}", wrapped(says, "  ")]
    lines += ["Sources", *(f"  {line}" for line in _sources(page.sources))]
    lines += [f"Guards: {', '.join(page.guards) or 'none of its own'}"]
    lines += [f"Cases: {len(page.cases) or 'none'}"]
    lines += columns([(case.id, case.title, case.where) for case in page.cases], "  ") if page.cases else []
    return "\n".join(lines)


def _sources(sources: Sequence[Source]) -> Iterator[str]:
    for (document, section), same in groupby(sources, key=lambda source: (source.document, source.section)):
        sentences = sum(1 for source in same if source.fingerprint)
        place = f"{document}, {section}" if section else document
        yield f"{place} ({many(sentences, 'sentence')})" if sentences else place


def verification(found: Verification) -> str:
    """A rulebook held against texts."""
    lines = [f"{sentence.document}:{sentence.line}: unclaimed: {sentence.text}" for sentence in found.unclaimed]
    for stale in found.stale:
        section = f", {stale.source.section}" if stale.source.section else ""
        lines.append(f"{stale.rule}: stale: its sentence is gone from {stale.source.document}{section}")
    kinds = ", ".join(f"{n} {kind}" for kind, n in sorted(found.kinds.items(), key=lambda pair: -pair[1]))
    lines += [f"{match.document}: {match.found} of {match.claimed} sentences found" for match in found.documents]
    lines.append(
        f"{many(found.sentences, 'sentence')} ({kinds or 'none claimed'}): "
        f"{len(found.unclaimed)} unclaimed, {len(found.stale)} stale"
    )
    return "\n".join(lines)


def coverage(rows: Sequence[Covered]) -> str:
    """One row a rule, then how many have what."""
    table = [("rule", "guards", "cases")]
    table += [(row.rule.id, _counted(row.guards), _counted(row.cases)) for row in rows]
    total = len(rows)
    sums = [sum(bool(getattr(row, name)) for row in rows) for name in ("guards", "cases")]
    return "\n".join([*columns(table), "", f"{total} rules: {sums[0]} with a guard, {sums[1]} with a case"])


def _counted(names: Sequence[Any]) -> str:
    return str(len(names)) if names else "-"


# -- cases -------------------------------------------------------------------------------------------


def findings(found: Sequence[Finding], *, advice: bool = True) -> str:
    """The findings of `lint`, errors first in the order of the files, then how many there are of each.

    Without `advice`, what is no error is only counted.
    """
    errors = [finding for finding in found if finding.level == "error"]
    lines = [str(finding) for finding in errors]
    if advice:
        lines += [f"advice: {finding}" for finding in found if finding.level != "error"]
    counts = Counter(finding.code for finding in errors)
    kinds = ", ".join(f"{n} {code}" for code, n in counts.most_common())
    others = len(found) - len(errors)
    more = f"; {many(others, 'piece')} of advice{'' if advice else ' (--advice shows it)'}" if others else ""
    lines.append(f"{many(len(errors), 'finding')}{f' ({kinds})' if kinds else ''}{more}")
    return "\n".join(lines)
