"""The answer to `oracle timeline`: a position's timeline with what its rules say, and how it is told as text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from click import style
from msgspec import Struct

from oracle.game import Game
from oracle.report.text import columns, seat, wrapped
from oracle.timing.timeline import TURN, Entry, Mark, Passing, Span, Timeline


class Cited(Struct, frozen=True):
    """A rule that the timeline names. A `ruling` is in no text of the game's rules."""

    rule: str
    says: str
    ruling: bool


class Shown(Struct, frozen=True):
    """A position's timeline, and the rules that it names in the wording of the edition."""

    game: str
    edition: str
    timeline: Timeline
    rules: tuple[Cited, ...]

    def marked(self, rules: Sequence[str]) -> str:
        """The ids of these rules, a star at those that are rulings."""
        return ", ".join(f"{id}*" if self.ruling(id) else id for id in rules)

    def ruling(self, id: str) -> bool:
        """Whether that rule is a ruling."""
        return any(cited.rule == id and cited.ruling for cited in self.rules)


def shown(game: Game[Any], state: Any, edition: str) -> Shown:
    """The timeline of a position. Raises `BadInput` for a game without."""
    timeline, rules = game.timeline(state), game.rulebook.rules
    cited = (rules[id] for id in timeline.rules)
    return Shown(game.name, edition, timeline, tuple(Cited(r.id, r.wording(edition), r.ruling) for r in cited))


# -- in words, for text and picture ------------------------------------------------------------------


def headline(timeline: Timeline) -> str:
    """Whose turn it is, and when."""
    return f"{timeline.turn}'s turn, now {timeline.now}"


def asks(timeline: Timeline) -> str:
    """Who decides what comes next."""
    if timeline.next is None:
        return "The game is over: nothing comes next."
    return f"{seat(timeline.next.player)} decides: {timeline.next.about} ({timeline.next.kind})"


def round_of(passing: Passing, i: int) -> str:
    """What the round is; the first is the one that goes on now."""
    return f"{'Then the' if i else 'The'} {passing.about}"


def opportunity(passing: Passing) -> str:
    """Whose opportunity it is in a round of passing, what for, and who has passed."""
    takes = f" takes {' or '.join(passing.takes)} actions or passes" if passing.takes else " acts or passes"
    passed = f"passed since anybody acted: {', '.join(passing.passed)}" if passing.passed else "nobody has passed"
    return f"{passing.opportunity}{takes}; {passed}; order {', '.join(passing.order)}"


def facts(timeline: Timeline, counts_by: str) -> Iterator[str]:
    """To where time goes back from an interruption, and to which turn moments between turns count."""
    if timeline.resumes:
        yield f"After that, time goes back to {' and then '.join(timeline.resumes)}, which was interrupted."
    if timeline.counts_by:
        coming = f"'{timeline.counts_from}' to the coming one"
        yield f"What waits for 'after {TURN}' counts to the turn that has ended, for {coming}, by {counts_by}."


def moment_of(mark: Mark) -> str:
    """The moment, with the player where it is the edge of a turn, or in a turn to come."""
    named = mark.turn and (mark.later or mark.moment.endswith(f" {TURN}"))
    return f"{mark.moment} of {mark.turn}" if named else mark.moment


def unit_of(span: Span) -> str:
    """The unit, with the player where it is a turn, and with what is particular about it."""
    if span.unit == TURN and span.turn:
        return f"{'next ' if span.later else ''}{span.unit} of {span.turn}"
    said = [word for word, is_so in (("optional", span.optional), ("repeats", span.repeats)) if is_so]
    return f"{span.unit} ({', '.join(said)})" if said else span.unit


def traits(entry: Entry, mark: Mark) -> list[str]:
    """What is particular about what waits, in a few words each."""
    words = ["optional" if entry.optional else "compulsory"]
    words += [f"class {entry.group}"] if entry.group else []
    words += [f"in a turn of {entry.turn_of}"] if entry.turn_of else []
    words += [] if entry.live else ["condition not met"]
    return [*words, "too late"] if mark.status == "past" else words


# -- as text -----------------------------------------------------------------------------------------


def text(answer: Shown) -> str:
    """The timeline as lines: moments from top to bottom, below each what waits for it, beside it why it comes there."""
    blocks = [_head(answer), _under_way(answer), _rounds(answer), _line(answer)]
    told = "\n\n".join("\n".join(block) for block in blocks if block)
    return "\n".join([told, "", *_rules(answer, set(re.findall(r"[\w.-]*\w", told)))])


def _head(answer: Shown) -> list[str]:
    timeline = answer.timeline
    by = f", by {answer.marked(timeline.next.rules)}" if timeline.next and timeline.next.rules else ""
    told = [wrapped(fact) for fact in facts(timeline, answer.marked(timeline.counts_by))]
    return [style(headline(timeline), bold=True), wrapped(asks(timeline) + by), *told]


def _under_way(answer: Shown) -> list[str]:
    timeline = answer.timeline
    if not timeline.under_way:
        return []
    steps = columns([(f"{i}.", each.player or "", each.what) for i, each in enumerate(timeline.under_way, 1)], "  ")
    return [f"To be finished first, by {answer.marked(timeline.first_by)}:", *steps]


def _rounds(answer: Shown) -> list[str]:
    lines: list[str] = []
    for i, each in enumerate(answer.timeline.rounds):
        lines += [wrapped(f"{round_of(each, i)}, by {answer.marked(each.rules)}:")]
        lines += [wrapped(opportunity(each), "  ")]
    return lines


def _line(answer: Shown) -> list[str]:
    """All moments, those of a unit in which nothing waits in one line; below a moment what waits for it."""
    marks, rows, below = answer.timeline.marks, [("", "", "comes after the line above by")], [list[str]()]
    i = 0
    while i < len(marks):
        mark, folded = marks[i], _folded(answer.timeline, i)
        depth = folded.depth if folded else _depth(answer.timeline, mark, i)
        status = "later" if mark.later else "" if mark.status == "to come" else mark.status
        name = unit_of(folded) if folded else moment_of(mark)
        name += f" = {', '.join(mark.also)} ({answer.marked(mark.also_by)})" if mark.also and not folded else ""
        rows.append((status, "  " * depth + name, answer.marked(mark.why)))
        below.append([wrapped(_entry(entry, mark), " " * (2 * depth + 11)) for entry in mark.waiting])
        i = folded.last + 1 if folded else i + 1
    return [line for row, more in zip(columns(rows), below, strict=True) for line in (row, *more)]


def _folded(timeline: Timeline, i: int) -> Span | None:
    """The largest unit that begins at a mark and in which there is nothing to see."""
    for span in timeline.spans:
        inside = timeline.marks[span.first : span.last + 1]
        if span.first == i < span.last and not any(mark.waiting or mark.status == "now" for mark in inside):
            return span
    return None


def _depth(timeline: Timeline, mark: Mark, i: int) -> int:
    """How deep in units the mark is shown."""
    unit = mark.moment.partition(" ")[2]
    return next((s.depth for s in timeline.spans if s.unit == unit and s.first <= i <= s.last), 1)


def _entry(entry: Entry, mark: Mark) -> str:
    when = "next" if entry.next else "waits"
    owner = f" of {entry.owner}" if entry.owner else ""
    does = f": {entry.does}" if entry.does else ""
    return f"{when}: {entry.name}{owner} ({', '.join(traits(entry, mark))}){does}"


def _rules(answer: Shown, named: Collection[str]) -> Iterator[str]:
    for cited in answer.rules:
        if cited.rule not in named:
            continue
        note = "* (a ruling: the text does not say so)" if cited.ruling else ""
        yield f"{style(cited.rule, bold=True)}{note}"
        yield wrapped(cited.says, "  ")
