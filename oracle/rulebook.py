"""The catalogue of a game's rules, and how much of the source texts they cover.

The texts themselves are not shipped. A rule carries the fingerprints of the sentences it restates,
so that `verify` can hold the catalogue against a reader's own copy: every sentence must be claimed
by a rule, or marked as example, advice or heading, and no rule may rest on a sentence that is gone.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from hashlib import sha256
from html import unescape
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Literal
from unicodedata import normalize

from msgspec import Meta, Struct, ValidationError, convert

from oracle.errors import BadInput, NothingRun

if TYPE_CHECKING:
    from pathlib import Path

RULE_ID = r"^[a-z0-9]+(\.[a-z0-9]+(-[a-z0-9]+)*)+$"
"""What a rule id looks like: lower-case words joined by dots and hyphens, the game's prefix first."""


class Source(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a rule stands. Without a fingerprint the source is named only, and never held against a text."""

    document: Annotated[str, Meta(min_length=1)]
    section: str = ""
    fingerprint: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """One rule, or one passage that is none (an example, advice, a heading) and is claimed as such.

    `says` is our paraphrase of the current wording; `editions` has what other editions say instead.
    """

    id: Annotated[str, Meta(pattern=RULE_ID)]
    says: Annotated[str, Meta(min_length=1)]
    sources: tuple[Source, ...] = ()
    kind: Literal["rule", "example", "advice", "heading"] = "rule"
    editions: dict[str, str] = {}

    def wording(self, edition: str) -> str:
        """What the rule says in an edition."""
        return self.editions.get(edition, self.says)

    @property
    def ruling(self) -> bool:
        """Whether it is a ruling, which no text says: one of its sources calls it so."""
        return any("ruling" in source.document.split() for source in self.sources)


class Rulebook(Struct, frozen=True):
    """All rules of a game, by id."""

    rules: dict[str, Rule]

    def __contains__(self, id: object) -> bool:
        return id in self.rules

    def __getitem__(self, id: str) -> Rule:
        """The rule. Raises `BadInput`, which names ids like it."""
        if rule := self.rules.get(id):
            return rule
        near = get_close_matches(id, self.rules, n=3)
        raise BadInput(f"there is no rule {id!r}", fix=f"did you mean {' or '.join(near)}?" if near else "")


def load(file: Path) -> Rulebook:
    """The rulebook in a YAML file: a mapping of rule id to the other fields of `Rule`.

    Raises `BadInput` with file, line and column.
    """
    import yaml

    def wrong(message: str, mark: yaml.error.Mark | None = None, fix: str = "") -> BadInput:
        where = f"{file.name}:{mark.line + 1}:{mark.column + 1}" if mark else file.name
        return BadInput(message, where=where, fix=fix)

    try:
        loader = yaml.CSafeLoader(file.read_bytes())
        root = loader.get_single_node()
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", where=str(file)) from None
    except yaml.MarkedYAMLError as error:
        raise wrong(f"this is not YAML: {error.problem}", error.problem_mark) from None
    except yaml.YAMLError as error:
        raise wrong(f"this is not YAML: {error}") from None
    if not isinstance(root, yaml.MappingNode) or not root.value:
        raise wrong("there are no rules in it", fix="a mapping of rule id to rule")
    rules: dict[str, Rule] = {}
    for key, node in root.value:
        id = str(key.value)
        if id in rules:
            raise wrong(f"the id {id!r} is here for the second time", key.start_mark, "each rule has an id of its own")
        if not isinstance(node, yaml.MappingNode):
            raise wrong(f"the rule {id!r} has no fields", key.start_mark, "a mapping with at least `says`")
        fields = Counter(field.value for field, _ in node.value if isinstance(field, yaml.ScalarNode))
        for field, times in fields.items():
            if times > 1 or field == "id":
                raise wrong(f"the rule {id!r} may not have {field!r} {times} times", key.start_mark)
        try:
            rules[id] = convert({**loader.construct_object(node, deep=True), "id": id}, Rule)
        except (ValidationError, yaml.YAMLError, TypeError) as error:
            raise wrong(f"the rule {id!r} is malformed: {error}", key.start_mark) from None
    return Rulebook(rules)


# -- sentences ---------------------------------------------------------------------------------------


class Sentence(Struct, frozen=True):
    """A sentence, heading or list item of a text, without mark-up; `line` is where it begins, from 1."""

    document: str
    line: int
    text: str

    @property
    def fingerprint(self) -> str:
        """See `fingerprint`."""
        return fingerprint(self.text)


def fingerprint(text: str) -> str:
    """The sha256 (hex) of the letters and digits, lower-cased: layout, quotes and mark-up do not count."""
    return sha256(_letters(text).encode()).hexdigest()


def _letters(text: str) -> str:
    # NFKC undoes the ligatures that PDF readers leave in copied text.
    return "".join(filter(str.isalnum, normalize("NFKC", text).lower()))


def split(text: str, document: str = "") -> list[Sentence]:
    """The sentences of a text: wiki source, hard-wrapped book text, or one paragraph a line."""
    return [
        Sentence(document, line, sentence)
        for block in _blocks(_plain(text))
        for line, sentence in _sentences(block)
        if _letters(sentence)
    ]


_TAGS = "b|big|br|center|code|del|div|em|font|i|ins|li|nowiki|ol|p|s|small|span|strong|su[bp]|table|t[dhr]|u|ul"
_REMOVED = re.compile(
    r"<!--(?:(?!<!--).)*?-->|<ref\b[^<>]*/>|<ref\b[^<>]*>(?:(?!<ref\b).)*?</ref>"
    rf"|</?(?:{_TAGS})\b[^<>\n]*>",
    re.DOTALL | re.IGNORECASE,
)
_BRACED = re.compile(r"\[\[([^\[\]]*)\]\]|\{\{([^{}]*)\}\}")
_FILED = re.compile(r"\s*(?:file|image|category)\s*:", re.IGNORECASE)
_DEPTH = 20


def _plain(text: str) -> str:
    """The text without wiki mark-up and tags, every line on its old number."""

    def kept(match: re.Match[str], content: str = "") -> str:
        return content + "\n" * (match[0].count("\n") - content.count("\n"))

    def shown(match: re.Match[str]) -> str:
        if match[1] is not None:
            target, *labels = match[1].split("|")
            return kept(match, "" if _FILED.match(target) else (labels and labels[-1]) or target.lstrip(":"))
        return kept(match, next((part for part in reversed(match[2].split("|")[1:]) if "=" not in part), ""))

    text = _REMOVED.sub(kept, text.replace("\r\n", "\n").replace("\r", "\n"))
    for _ in range(_DEPTH):
        inner = _BRACED.sub(shown, text)
        if inner == text:
            break
        text = inner
    return re.sub(r"'{2,5}", "", text)


Block = list[tuple[int, str]]
"""Pieces of lines that belong together, each with its line number."""

_HEADING = re.compile(r"(={2,6})\s*(.+?)\s*\1$|#{1,6}\s+(.+)")
_BULLET = re.compile(r"[*•·▪◦‣|!;:]+\s*")
_NUMBER = re.compile(r"(?:[-–—]|\(?(?:\d{1,3}|[A-Za-z])[.)])\s+")
_WRAPPED = range(30, 161)
_FULL = 0.8


def _blocks(text: str) -> Iterator[Block]:
    numbered = [(number, unescape(line).strip()) for number, line in enumerate(text.split("\n"), 1)]
    for blank, group in groupby(numbered, key=lambda pair: not pair[1]):
        if not blank:
            yield from _paragraphs(list(group))


def _paragraphs(lines: Block) -> Iterator[Block]:
    """Lines without a blank one between them, put together where the typesetter broke them."""
    width = max(len(line) for _, line in lines)
    block: Block = []
    previous, listed = "", False
    for number, line in lines:
        if block and not _goes_on(previous, line, width, listed):
            yield block
            block = []
        previous = line
        if not block:
            line, listed = _unmarked(line)
        block.append((number, line))
    yield block


def _goes_on(previous: str, line: str, width: int, listed: bool) -> bool:
    """Whether a line continues the one before it, which was broken because the next word did not fit."""
    if _HEADING.match(previous) or _HEADING.match(line) or _BULLET.match(line) or width not in _WRAPPED:
        return False
    if len(previous) + 1 + len(line.split(maxsplit=1)[0]) < _FULL * width:
        return False
    return not _NUMBER.match(line) or not (listed or re.search(r"[.:;!?]\W*$", previous))


def _unmarked(line: str) -> tuple[str, bool]:
    """The line without heading and list marks, and whether it was numbered or dashed."""
    if heading := _HEADING.match(line):
        return heading[2] or heading[3], False
    line = _BULLET.sub("", line, count=1) if _BULLET.match(line) else line
    listed = False
    while mark := _NUMBER.match(line):
        line, listed = line[mark.end() :], True
    return line, listed


_STOP = re.compile(r"(?<![.!?…])[.!?…]+[\"'”’»)\]]*\s+")
_NEVER_LAST = {"i.e", "e.g", "cf", "vs", "approx", "resp", "mr", "mrs", "ms", "dr"}
_BEFORE_NUMBERS = {"no", "nr", "p", "pp", "fig", "ch", "sec", "art", "vol"}


def _sentences(block: Block) -> Iterator[tuple[int, str]]:
    starts, text = [], ""
    for _, line in block:
        starts.append(len(text))
        text += f"{line} "
    begin = 0
    for stop in _STOP.finditer(text):
        if _ends(text, stop):
            yield block[bisect_right(starts, begin) - 1][0], text[begin : stop.end()].strip()
            begin = stop.end()
    if begin < len(text):
        yield block[bisect_right(starts, begin) - 1][0], text[begin:].strip()


def _ends(text: str, stop: re.Match[str]) -> bool:
    """Whether a full stop, with what closes after it, ends a sentence."""
    follows = next(filter(str.isalnum, text[stop.end() : stop.end() + 12]), "")
    word = re.split(r"[\s(\[\"'“‘]", text[max(0, stop.start() - 12) : stop.start()])[-1].lower()
    if word in _NEVER_LAST or (word in _BEFORE_NUMBERS and follows.isdigit()):
        return False
    return bool(follows) and not follows.islower()


# -- verification and coverage -----------------------------------------------------------------------


class Stale(Struct, frozen=True):
    """A rule that rests on a sentence which the given document no longer has."""

    rule: str
    source: Source


class Match(Struct, frozen=True):
    """How much of a document of the rulebook was found in the given texts, in sentences."""

    document: str
    claimed: int
    found: int

    @property
    def given(self) -> bool:
        """Whether the document counts as given: a few sentences in common do not make it the same text."""
        return self.found > 0 and 4 * self.found >= self.claimed


class Verification(Struct, frozen=True):
    """A rulebook held against texts. `kinds` counts the claimed sentences by the kind of who claims them
    (a rule's claim goes before others); `sentences` counts all."""

    sentences: int
    kinds: dict[str, int]
    unclaimed: tuple[Sentence, ...]
    stale: tuple[Stale, ...]
    documents: tuple[Match, ...]

    @property
    def ok(self) -> bool:
        """Whether every sentence is claimed and no rule is stale."""
        return self.sentences > 0 and not self.unclaimed and not self.stale


def verify(rulebook: Rulebook, sources: Mapping[str, str]) -> Verification:
    """Holds a rulebook against texts, given by name (any name: it is only repeated in the answer).

    Which documents of the rulebook the texts are is told by the sentences found in them. Raises
    `NothingRun` without texts, `BadInput` for a text without a sentence.
    """
    if not sources:
        raise NothingRun("no source text was given, so nothing was verified")
    claims: dict[str, str] = {}
    documents: dict[str, set[str]] = defaultdict(set)
    for rule in rulebook.rules.values():
        for source in rule.sources:
            if source.fingerprint:
                documents[source.document].add(source.fingerprint)
                if rule.kind == "rule" or source.fingerprint not in claims:
                    claims[source.fingerprint] = rule.kind
    marked: list[tuple[str, Sentence]] = []
    for name, text in sources.items():
        sentences = split(text, name)
        if not sentences:
            raise BadInput("there is no sentence in it", where=name, fix="the text of the rules, as plain text")
        marked += [(sentence.fingerprint, sentence) for sentence in sentences]
    seen = {mark for mark, _ in marked}
    matches = {name: Match(name, len(marks), len(marks & seen)) for name, marks in documents.items()}
    return Verification(
        sentences=len(marked),
        kinds=dict(Counter(claims[mark] for mark, _ in marked if mark in claims)),
        unclaimed=tuple(sentence for mark, sentence in marked if mark not in claims),
        stale=tuple(
            Stale(rule.id, source)
            for rule in rulebook.rules.values()
            for source in rule.sources
            if source.fingerprint and matches[source.document].given and source.fingerprint not in seen
        ),
        documents=tuple(matches.values()),
    )


class Covered(Struct, frozen=True):
    """What bears on one rule: names of guards, cases, claims, misreadings that are told from it, and
    implementations that have exercised it; each once, in the order given."""

    rule: Rule
    guards: tuple[str, ...]
    cases: tuple[str, ...]
    claims: tuple[str, ...]
    misreadings: tuple[str, ...]
    implementations: tuple[str, ...]


Pairs = Iterable[tuple[str, str]]
"""Pairs of a rule id and the name of what bears on that rule."""


def coverage(
    rulebook: Rulebook,
    *,
    guards: Pairs = (),
    cases: Pairs = (),
    claims: Pairs = (),
    misreadings: Pairs = (),
    implementations: Pairs = (),
) -> tuple[Covered, ...]:
    """One row for each entry of kind `rule`, in the rulebook's order. Raises `BadInput` for an unknown id."""

    def by_rule(pairs: Pairs) -> dict[str, tuple[str, ...]]:
        names: dict[str, dict[str, None]] = {}
        for id, name in pairs:
            names.setdefault(rulebook[id].id, {})[name] = None
        return {id: tuple(found) for id, found in names.items()}

    columns = [by_rule(pairs) for pairs in (guards, cases, claims, misreadings, implementations)]
    return tuple(
        Covered(rule, *(column.get(rule.id, ()) for column in columns))
        for rule in rulebook.rules.values()
        if rule.kind == "rule"
    )
