"""A timeline as a picture: moments from left to right, units above them, below each moment what waits for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from oracle.report.svg import ACCENT, EM, INK, PAPER, QUIET, WHITE, Canvas, fit, lines
from oracle.report.timeline import Shown, asks, facts, headline, moment_of, opportunity, round_of, traits, unit_of
from oracle.timing.timeline import Entry, Mark, Span

WIDTH, MARGIN, GAP = 1200.0, 32.0, 14.0
INNER = WIDTH - 2 * MARGIN
NARROW, CARD = 52.0, 208.0
"""How wide the column of a moment is, and a card of something that waits."""
NAME = 300.0
"""The room that names of moments and units are given at the most."""
STACK, ACROSS = 4, 5
"""How many cards lie below one another before others are put beside them, and how many beside one another at most."""
LEVEL = 25.0
"""The height of one level of units."""
LEGEND = (
    ("past", "has passed"),
    ("now", "now"),
    ("to come", "to come"),
    ("again", "has passed, comes once more this turn"),
)


def picture(answer: Shown) -> str:
    """The timeline as an SVG document."""
    return _Picture(answer).drawn()


class _Column(NamedTuple):
    """Where a mark is drawn: its index, and from where to where its column reaches."""

    i: int
    left: float
    right: float

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2


def _wide(text: str, size: float) -> float:
    return len(text) * EM * size


class _Picture:
    """One picture being drawn; each part starts at a height and returns the one where the next may start."""

    def __init__(self, answer: Shown) -> None:
        self.answer, self.timeline = answer, answer.timeline
        self.marks, self.spans = self.timeline.marks, self.timeline.spans
        self.numbers = {cited.rule: i for i, cited in enumerate(answer.rules, 1)}
        self.notes = [self._note(mark.why) for mark in self.marks]
        self.title = f"{answer.game}: {headline(self.timeline)}"
        self.canvas = Canvas(WIDTH, self.title, self._description())

    def drawn(self) -> str:
        """The document."""
        y = self._head()
        y = self._under_way(y)
        y = self._rounds(y)
        for row in self._rows():
            y = self._row(row, y)
        y = self._legend(y)
        return self.canvas.dumps(self._rules(y) + MARGIN - GAP)

    def _description(self) -> str:
        full = [mark for mark in self.marks if mark.waiting]
        told = [f"{moment_of(mark)}: {', '.join(_said(entry, mark) for entry in mark.waiting)}" for mark in full]
        first = [f"To be finished first: {', '.join(step.what for step in self.timeline.under_way)}"]
        parts = [asks(self.timeline), *(first if self.timeline.under_way else []), *told]
        return f"{'. '.join(parts)}."

    def _note(self, rules: Iterable[str]) -> str:
        """The numbers of the rules, a star at those that are rulings."""
        return ",".join(f"{self.numbers[id]}{'*' if self.answer.ruling(id) else ''}" for id in rules)

    # -- above the line ----------------------------------------------------------------------------

    def _heading(self, y: float, text: str, aside: str = "") -> float:
        self.canvas.text(MARGIN, y, text, 13, bold=True, fill=QUIET)
        self.canvas.text(MARGIN + len(text) * 8.4 + 14, y, aside, 12, fill=QUIET)
        return y + 12

    def _head(self) -> float:
        self.canvas.text(MARGIN, 50, fit(self.title, INNER, 24), 24, bold=True)
        y = 80.0
        for line in lines(asks(self.timeline), INNER, 15, 3):
            self.canvas.text(MARGIN, y, line, 15, fill=ACCENT if self.timeline.next else INK, bold=True)
            y += 21
        if self.timeline.next and self.timeline.next.rules:
            self.canvas.text(MARGIN, y, fit(f"rules {self._note(self.timeline.next.rules)}", INNER, 12), 12, fill=QUIET)
            y += 18
        for line in facts(self.timeline, f"rule {self._note(self.timeline.counts_by)}"):
            self.canvas.text(MARGIN, y, fit(line, INNER, 12), 12, fill=QUIET)
            y += 18
        return y + 18

    def _under_way(self, y: float) -> float:
        """What is under way, as steps from left to right."""
        steps = self.timeline.under_way
        if not steps:
            return y
        y = self._heading(y, "To be finished first", f"rules {self._note(self.timeline.first_by)}")
        x, wide, high = MARGIN, 176.0, 56.0
        for i, step in enumerate(steps):
            if x + wide > WIDTH - MARGIN:
                x, y = MARGIN, y + high + GAP
            self.canvas.box(x, y, wide, high, stroke=INK if i else ACCENT, thick=1 if i else 2.5)
            self.canvas.text(x + 12, y + 18, f"{i + 1}. {fit(step.player or '', wide - 40, 12)}", 12, bold=True)
            for k, line in enumerate(lines(step.what, wide - 24, 11, 2)):
                self.canvas.text(x + 12, y + 34 + k * 14, line, 11)
            x += wide + GAP
        return y + high + 34

    def _rounds(self, y: float) -> float:
        """The rounds of passing: the players in order, whose opportunity it is, who has passed."""
        for i, each in enumerate(self.timeline.rounds):
            y = self._heading(y, round_of(each, i), f"rules {self._note(each.rules)}")
            tint = QUIET if i else ACCENT
            x = MARGIN
            for player in each.order:
                name, here = fit(player, 150, 13), player == each.opportunity
                wide = max(54.0, _wide(name, 13) + 28)
                if x + wide > WIDTH - MARGIN:
                    x, y = MARGIN, y + 44
                gone = player in each.passed
                fill, ink = (tint, WHITE) if here else (PAPER if gone else WHITE, QUIET if gone else INK)
                self.canvas.box(x, y, wide, 28, fill=fill, stroke=tint if here else INK, dashed=gone, round=14)
                self.canvas.text(x + wide / 2, y + 19, name, 13, fill=ink, bold=here, anchor="middle")
                if gone:
                    self.canvas.text(x + wide / 2, y + 41, "passed", 10, fill=QUIET, anchor="middle")
                x += wide + 10
            y += 58 if each.passed else 46
            for line in lines(opportunity(each), INNER, 12, 2):
                self.canvas.text(MARGIN, y, line, 12)
                y += 16
            y += 20
        return y

    # -- the line ----------------------------------------------------------------------------------

    def _widths(self) -> list[float]:
        """How wide the columns are: for what waits there, for the rules between two, and for the names of units."""
        wide = [max(NARROW, CARD * _across(mark)) for mark in self.marks]
        for i, mark in enumerate(self.marks):
            if mark.status == "now":
                wide[i] = max(wide[i], min(NAME, _wide(moment_of(mark), 13)) + 24)
        for i, (one, other) in enumerate(pairwise(wide), 1):
            short = _wide(self.notes[i], 10) + 30 - (one + other) / 2
            wide[i] += max(0.0, short * 2)
        for span in reversed(self.spans):
            inside = range(span.first, span.last + 1)
            short = min(NAME, _wide(unit_of(span), 12)) + 24 - sum(wide[i] for i in inside)
            for i in inside:
                wide[i] += max(0.0, short) / len(inside)
        return wide

    def _rows(self) -> Iterator[list[_Column]]:
        """The columns row by row; a unit without parts is not broken."""
        wide = self._widths()
        row: list[int] = []
        for block in self._blocks(wide):
            left = INNER - sum(wide[i] for i in row)
            if row and sum(wide[i] for i in block) > left:
                yield self._columns(row, wide, left / len(row))
                row = []
            row += block
        yield self._columns(row, wide, 0.0)

    def _columns(self, row: Sequence[int], wide: Sequence[float], more: float) -> list[_Column]:
        rights = list(accumulate((wide[i] + more for i in row), initial=MARGIN))
        return [_Column(i, left, right) for i, (left, right) in zip(row, pairwise(rights), strict=True)]

    def _blocks(self, wide: Sequence[float]) -> Iterator[list[int]]:
        """The marks that stand in one row: of a unit without parts all of them, if there is room."""
        whole = {(span.first, span.last) for span in self.spans if not span.later}
        small = [a for a in whole if not any(b != a and a[0] <= b[0] and b[1] <= a[1] for b in whole)]
        ends = dict(small)
        i = 0
        while i < len(self.marks):
            last = ends.get(i, i)
            last = last if sum(wide[i : last + 1]) <= INNER else i
            yield list(range(i, last + 1))
            i = last + 1

    def _row(self, row: Sequence[_Column], y: float) -> float:
        here = [span for span in self.spans if span.first <= row[-1].i and span.last >= row[0].i]
        levels = {depth: k for k, depth in enumerate(sorted({span.depth for span in here}))}
        for span in here:
            self._bracket(span, row, y + levels[span.depth] * LEVEL)
        line = y + len(levels) * LEVEL + 34
        begins, ends = row[0].i == 0, row[-1].i == len(self.marks) - 1
        start, stop = (row[0].middle if begins else row[0].left - 8), (row[-1].middle if ends else row[-1].right + 8)
        self.canvas.line(start, line, stop, line, stroke=INK, thick=1.5)
        bottoms = [self._mark(column, line) for column in row]
        for k, column in enumerate(row):
            middle = (row[k - 1].middle + column.middle) / 2 if k else (row[0].left + column.middle) / 2 - 4
            self.canvas.text(middle, line - 7, self.notes[column.i], 10, fill=QUIET, anchor="middle")
        return max(bottoms) + 34

    def _bracket(self, span: Span, row: Sequence[_Column], y: float) -> None:
        """A unit over its moments; an end that lies in another row is left open."""
        inside = [column for column in row if span.first <= column.i <= span.last]
        begins, ends = inside[0].i == span.first, inside[-1].i == span.last
        left, right = inside[0].left + 3, inside[-1].right - 3
        here = span.first <= self._now <= span.last
        stroke, thick = (ACCENT, 2.0) if here else (QUIET, 1.2)
        with self.canvas.group(unit_of(span)):
            if span.optional:
                for x in _dashes(left, right):
                    self.canvas.line(x, y + 18, min(x + 6, right), y + 18, stroke=stroke, thick=thick)
            else:
                self.canvas.line(left, y + 18, right, y + 18, stroke=stroke, thick=thick)
            for is_end, x in ((begins, left), (ends, right)):
                if is_end:
                    self.canvas.line(x, y + 18, x, y + 24, stroke=stroke, thick=thick)
            name = unit_of(span) if begins else f"\u2026 {unit_of(span)}"
            self.canvas.text(left + 4, y + 13, fit(name, right - left - 8, 12), 12, bold=here)

    @property
    def _now(self) -> int:
        return next(i for i, mark in enumerate(self.marks) if mark.status == "now")

    def _mark(self, column: _Column, y: float) -> float:
        """A moment with its name, and cards for what waits there; returns where they end."""
        mark, x = self.marks[column.i], column.middle
        with self.canvas.group(moment_of(mark)):
            self._dot(x, y, mark.status)
            said = moment_of(mark) if mark.waiting or mark.status == "now" else mark.moment.partition(" ")[0]
            room, bottom = column.right - column.left - 6, y + 24
            for line in lines(said, room, 12, 3):
                bold = mark.status == "now"
                ink = ACCENT if bold else INK if mark.waiting else QUIET
                self.canvas.text(x, bottom, line, 12, bold=bold, fill=ink, anchor="middle")
                bottom += 15
            if mark.also:
                for line in lines(f"= {', '.join(mark.also)} {self._note(mark.also_by)}", room, 10, 3):
                    self.canvas.text(x, bottom - 2, line, 10, fill=QUIET, anchor="middle")
                    bottom += 13
        across = _across(mark)
        tops = [bottom] * across
        for k, entry in enumerate(mark.waiting):
            left = x + (k % across - across / 2) * CARD + 6
            tops[k % across] = self._card(left, tops[k % across], entry, mark)
        return max(tops, default=bottom)

    def _dot(self, x: float, y: float, status: str) -> None:
        match status:
            case "now":
                self.canvas.box(x - 10, y - 10, 20, 20, fill=WHITE, stroke=ACCENT, thick=2, round=10)
                self.canvas.box(x - 6, y - 6, 12, 12, fill=ACCENT, stroke=ACCENT, round=6)
            case "past":
                self.canvas.box(x - 5, y - 5, 10, 10, fill=QUIET, stroke=QUIET, round=5)
            case "again":
                self.canvas.box(x - 6, y - 6, 12, 12, fill=WHITE, stroke=QUIET, thick=1.5, round=6)
                self.canvas.box(x - 3, y - 3, 6, 6, fill=QUIET, stroke=QUIET, round=3)
            case _:
                self.canvas.box(x - 6, y - 6, 12, 12, fill=WHITE, stroke=INK, thick=1.5, round=6)

    def _card(self, left: float, y: float, entry: Entry, mark: Mark) -> float:
        """What waits: its name and owner, what is particular about it, what it does."""
        wide, room = CARD - 12, CARD - 36
        owner = f"of {entry.owner}" if entry.owner else "by itself"
        name = lines(entry.name, room - (46 if entry.next else 0), 13, 2)
        rest = [*lines(", ".join([owner, *traits(entry, mark)]), room, 11, 3), *lines(entry.does, room, 11, 4)]
        rest = [line for line in rest if line]
        high = 12 + len(name) * 17 + len(rest) * 14 + 6
        stroke, thick = (ACCENT, 2.5) if entry.next else (INK, 1.0)
        waits = entry.live and mark.status != "past"
        with self.canvas.group(_said(entry, mark)):
            self.canvas.box(left, y, wide, high, stroke=stroke, thick=thick, dashed=not waits)
            if entry.next:
                self.canvas.badge(left + wide - 48, y + 8, "next", size=11)
            for i, line in enumerate(name):
                self.canvas.text(left + 12, y + 20 + i * 17, line, 13, bold=True, fill=INK if waits else QUIET)
            for i, line in enumerate(rest):
                self.canvas.text(left + 12, y + 20 + len(name) * 17 + i * 14 - 1, line, 11, fill=INK)
        return y + high + 8

    # -- below the line ----------------------------------------------------------------------------

    def _legend(self, y: float) -> float:
        x = MARGIN
        for status, says in LEGEND:
            self._dot(x + 10, y, status)
            self.canvas.text(x + 26, y + 4, says, 12)
            x += 26 + _wide(says, 12) + 22
        self.canvas.text(x, y + 4, "5: by rule 5 after the moment before", 12)
        x += _wide("5: by rule 5 after the moment before", 12) + 22
        self.canvas.text(x, y + 4, "5*: by a ruling, which no text says", 12)
        return y + 44

    def _rules(self, y: float) -> float:
        """Every rule that is named, in two columns."""
        if not self.answer.rules:
            return y
        y = self._heading(y, "Rules", "in the order of their numbers") + 10
        wide = (INNER - 2 * GAP) / 2
        heights = [y, y]
        half = -(-len(self.answer.rules) // 2)
        for i, cited in enumerate(self.answer.rules):
            side = i // half
            x, top = MARGIN + side * (wide + 2 * GAP), heights[side] + 10
            title = f"{i + 1}{'*' if cited.ruling else ''}  {cited.rule}"
            self.canvas.text(x, top, fit(title, wide, 12), 12, bold=True)
            said = lines(f"A ruling: {cited.says}" if cited.ruling else cited.says, wide - 24, 12, 12)
            for k, line in enumerate(said):
                self.canvas.text(x + 24, top + 16 + k * 15, line, 12)
            heights[side] = top + 16 + len(said) * 15 + 2
        return max(heights) + GAP


def _across(mark: Mark) -> int:
    """How many columns of cards a moment has."""
    return min(ACROSS, -(-len(mark.waiting) // STACK))


def _said(entry: Entry, mark: Mark) -> str:
    """What waits, in one line for those who hear it."""
    words = [f"of {entry.owner}"] if entry.owner else []
    words += [*traits(entry, mark), *(["may be next"] if entry.next else []), *([entry.does] if entry.does else [])]
    return f"{entry.name} ({', '.join(words)})"


def _dashes(left: float, right: float) -> Iterator[float]:
    x = left
    while x < right:
        yield x
        x += 10
