"""What is wrong with the wording and the reach of cases, beside whether they pass.

| code            | what it finds                                                              |
|-----------------|----------------------------------------------------------------------------|
| (a fault's)     | whatever keeps a case from being read: see `oracle.casebook.case.Fault`    |
| duplicate-id    | two cases with one id, in any files                                        |
| id-prefix       | an id that does not start with the game's prefix                           |
| title-missing   | no title                                                                   |
| title-long      | a title of more than `MAX_TITLE` characters                                |
| title-stop      | a title that ends in a full stop                                           |
| title-twice     | two cases of a game with one title                                         |
| no-refusal      | a case without `refuse`, `legal: exactly`, `perft` or a forbidden order    |
| uncited         | a case without any `because`, unless it counts plays                       |
| other-rules     | a case whose `because` all name rules that it does not list (advice)       |
| no-link         | a bug report without a link                                                |
| unused-rule     | a rule of the game that no case names, if all its cases are here (advice)  |

Advice is no error: it may be right to leave things so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Literal

from msgspec import Struct

from oracle.casebook.case import Case, Casebook, Legal, Order, Perft, Refuse
from oracle.game import Game

Level = Literal["error", "advice"]
MAX_TITLE = 80
"""The longest title, in characters."""


class Finding(Struct, frozen=True):
    """One finding. `where` is `file:line:column`, or a rule id where no file is at fault."""

    code: str
    message: str
    where: str
    fix: str = ""
    case: str = ""
    level: Level = "error"

    def __str__(self) -> str:
        return f"{self.where}: {self.message} [{self.code}]" + (f"\n  {self.fix}" if self.fix else "")


def lint(book: Casebook, whole: Collection[str] = ()) -> list[Finding]:
    """All findings about the cases, in the order of the files.

    `whole` names the games of which all cases are in the book: the rules that none of them names come last.
    """
    findings = [
        Finding(fault.code, fault.error.message, fault.error.where or fault.file, fault.error.fix, fault.case)
        for fault in book.faults
    ]
    ids: dict[str, Case] = {}
    titles: dict[tuple[str, str], Case] = {}
    for case in book.cases:
        findings += _case(case)
        first = ids.setdefault(case.id, case)
        if first is not case:
            findings.append(_finding(case, "duplicate-id", f"the id {case.id!r} is taken", "id", f"by {_where(first)}"))
        first = titles.setdefault((case.game.name, case.title.casefold()), case)
        if first is not case and case.title:
            message = f"the title is that of {first.id} too"
            findings.append(_finding(case, "title-twice", message, "title", f"see {_where(first)}"))
    return findings + list(_unused(book, whole))


def _case(case: Case) -> Iterator[Finding]:
    prefix = f"{case.game.prefix}-"
    if not case.id.startswith(prefix):
        message = f"the id {case.id!r} does not start with {prefix!r}"
        yield _finding(case, "id-prefix", message, "id", f"for example {prefix}{case.id}")
    if not case.title.strip():
        fix = "say the behaviour in one short sentence"
        yield _finding(case, "title-missing", "the case has no title", "title", fix)
    if len(case.title) > MAX_TITLE:
        message = f"the title has {len(case.title)} characters"
        yield _finding(case, "title-long", message, "title", f"at most {MAX_TITLE}")
    if case.title.rstrip().endswith("."):
        yield _finding(case, "title-stop", "the title ends in a full stop", "title", "leave it out")
    if not any(map(_refuses, case.steps)):
        fix = "add a 'refuse', or a 'legal' with 'exactly': what only allows is passed by a program that allows all"
        yield _finding(case, "no-refusal", "the case forbids nothing", "steps", fix)
    if not case.cited and not any(isinstance(step, Perft) for step in case.steps):
        fix = "name the rule that a step shows in its 'because'"
        yield _finding(case, "uncited", "the case has no 'because'", "steps", fix)
    elif not set(case.rules) & set(case.cited):
        fix = f"its 'because' name: {', '.join(case.cited)}"
        message = "none of the case's rules is named by a 'because'"
        yield _finding(case, "other-rules", message, "rules", fix, level="advice")
    if case.provenance == "bug-report" and not case.link:
        yield _finding(case, "no-link", "a bug report without a link", "provenance", "add link: ADDRESS")


def _refuses(step: object) -> bool:
    return (
        isinstance(step, Refuse | Perft)
        or (isinstance(step, Legal) and step.exactly is not None)
        or (isinstance(step, Order) and bool(step.forbidden))
    )


def _unused(book: Casebook, whole: Collection[str]) -> Iterator[Finding]:
    games: dict[str, Game[Any]] = {case.game.name: case.game for case in book.cases if case.game.name in whole}
    for name, game in games.items():
        named = {id for case in book.cases if case.game.name == name for id in (*case.rules, *case.cited)}
        for id, rule in game.rulebook.rules.items():
            if rule.kind == "rule" and id not in named:
                yield Finding("unused-rule", f"no case names it: {rule.says}", id, level="advice")


def _where(case: Case) -> str:
    return case.document.where(case.route)


def _finding(case: Case, code: str, message: str, key: str, fix: str, *, level: Level = "error") -> Finding:
    return Finding(code, message, case.document.where((*case.route, key), key=True), fix, case.id, level)
