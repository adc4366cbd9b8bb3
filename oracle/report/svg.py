"""A small canvas for pictures of positions: SVG without scripts, style sheets or fonts of its own.

Lengths are in pixels, y grows downwards, and text is placed by its baseline. Widths of text are estimates,
as nobody knows the reader's font.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from textwrap import wrap
from typing import Literal
from xml.etree import ElementTree as Xml

INK, QUIET, PALE, PAPER, WHITE = "#1f2933", "#52606d", "#d5dbe1", "#f6f7f9", "#ffffff"
ACCENT = "#1d4ed8"
"""What marks something that may be done."""
TINTS = ("#0072b2", "#d55e00", "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#f0e442", "#7f7f7f")
"""The colours of Okabe and Ito, which the colour-blind tell apart."""
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif"
EM = 0.61
"""The average width of a letter, in sizes of its font."""

_UNWRITABLE = re.compile("[^\t\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Anchor = Literal["start", "middle", "end"]


def fit(text: str, width: float, size: float) -> str:
    """The text, or its beginning and three dots where it is wider than that."""
    room = max(1, int(width / (EM * size)))
    return text if len(text) <= room else f"{text[: max(1, room - 1)]}\u2026"


def lines(text: str, width: float, size: float, most: int) -> list[str]:
    """The text broken into at most so many lines; the last one ends in three dots where some is left."""
    room = max(4, int(width / (EM * size)))
    found = wrap(text, room) or [""]
    return found if len(found) <= most else [*found[: most - 1], fit(" ".join(found[most - 1 :]), width, size)]


class Canvas:
    """A picture being drawn. `title` and `desc` are what those hear who cannot see it."""

    def __init__(self, width: float, title: str, desc: str) -> None:
        self.width = width
        self._root = Xml.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img"})
        self._root.set("aria-labelledby", "title desc")
        self._root.set("font-family", FONT)
        Xml.SubElement(self._root, "title", id="title").text = _writable(title)
        Xml.SubElement(self._root, "desc", id="desc").text = _writable(desc)
        self._paper = self._put("rect", x=0, y=0, width=width, fill=PAPER)
        self._here = self._root

    def dumps(self, height: float) -> str:
        """The picture as a document of that height."""
        size = {"width": _number(self.width), "height": _number(height)}
        self._root.attrib.update({**size, "viewBox": f"0 0 {size['width']} {size['height']}"})
        self._paper.set("height", size["height"])
        Xml.indent(self._root)
        text: str = Xml.tostring(self._root, encoding="unicode")
        return text

    @contextmanager
    def group(self, tooltip: str = "", legal: Iterable[str] = ()) -> Iterator[None]:
        """What is drawn inside belongs together; `legal` are the actions that it marks, `data-legal` in the file."""
        outer, marks = self._here, "; ".join(legal)
        self._here = Xml.SubElement(outer, "g", {"data-legal": _writable(marks)} if marks else {})
        if tooltip:
            Xml.SubElement(self._here, "title").text = _writable(tooltip)
        yield
        self._here = outer

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 13,
        *,
        fill: str = INK,
        bold: bool = False,
        anchor: Anchor = "start",
    ) -> None:
        """One line of text."""
        weight = {"font_weight": "600"} if bold else {}
        at = {} if anchor == "start" else {"text_anchor": anchor}
        self._put("text", x=x, y=y, font_size=size, fill=fill, **weight, **at).text = _writable(text)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str = WHITE,
        stroke: str = PALE,
        thick: float = 1,
        round: float = 6,
        dashed: bool = False,
    ) -> None:
        """A rectangle, its corners rounded."""
        dash = {"stroke_dasharray": "4 3"} if dashed else {}
        sides = {"x": x, "y": y, "width": width, "height": height, "rx": round}
        self._put("rect", **sides, fill=fill, stroke=stroke, stroke_width=thick, **dash)

    def line(self, x: float, y: float, to_x: float, to_y: float, *, stroke: str = PALE, thick: float = 2) -> None:
        """A straight line."""
        self._put("line", x1=x, y1=y, x2=to_x, y2=to_y, stroke=stroke, stroke_width=thick)

    def badge(self, x: float, y: float, text: str, *, size: float = 11, fill: str = ACCENT) -> float:
        """White letters on a dark ground, (x, y) its upper left corner; returns its width."""
        width = max(size * 1.5, len(text) * size * 0.66 + size * 0.7)
        self.box(x, y, width, size * 1.5, fill=fill, stroke=fill, round=size * 0.4)
        self.text(x + width / 2, y + size * 1.12, text, size, fill=WHITE, bold=True, anchor="middle")
        return width

    def _put(self, tag: str, **attributes: float | str) -> Xml.Element:
        here = getattr(self, "_here", self._root)
        written = {name.replace("_", "-"): _attribute(value) for name, value in attributes.items()}
        return Xml.SubElement(here, tag, written)


def _attribute(value: float | str) -> str:
    return value if isinstance(value, str) else _number(value)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _writable(text: str) -> str:
    """The text without characters that XML cannot hold."""
    return _UNWRITABLE.sub("\ufffd", text)
