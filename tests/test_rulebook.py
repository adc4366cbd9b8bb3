"""The catalogue of rules: sentences are found whatever the layout, and no change of a source text goes unseen."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.errors import BadInput, NothingRun
from oracle.rulebook import RULE_ID, Rule, Rulebook, Source, Verification, coverage, fingerprint, load, split, verify

DOMINION = Path(__file__).parents[1] / "oracle" / "games" / "dominion" / "rulebook.yaml"
SEEDS = Path(__file__).parents[2] / "shared" / "seeds"

WIKI = """\
A '''goblet''' is filled by [[Waiter|waiters]].  It holds {{Drink|Wine}}<ref>or so
they say</ref>, i.e. no water.<!-- is
that so? -->

== Filling ==
Fill it in [[turn]]:
* Red first (see {{Rule|7.1|rule 7.1}}).  [[File:red.jpg|30px]]
* Then white, etc. Never both.
{{Navbox Drinks}}
[[Category:Rules]]"""

BOOK = """\
Each guest drinks one goblet in the order of age, the oldest first. A goblet is drunk
by saying "Health." Then it is empty; no. 3 of the house rules tells what is done with goblets that
are left (they stay).
Worth
+1 Goblet
Refill the goblets of all guests (both red and white), also of those who are not at the table
now.
12"""


def texts(source: str) -> list[tuple[int, str]]:
    return [(sentence.line, sentence.text) for sentence in split(source)]


# -- sentences ---------------------------------------------------------------------------------------


def test_wiki_markup_is_read_away() -> None:
    """Links, templates, tags, comments and list marks are no part of a sentence, and lines keep their numbers."""
    assert texts(WIKI) == [
        (1, "A goblet is filled by waiters."),
        (1, "It holds Wine , i.e. no water."),
        (5, "Filling"),
        (6, "Fill it in turn:"),
        (7, "Red first (see rule 7.1)."),
        (8, "Then white, etc."),
        (8, "Never both."),
    ]


def test_wrapped_lines_are_joined_and_stray_labels_are_not() -> None:
    """A sentence goes on over the ends of full lines; a label of a picture stands alone."""
    assert texts(BOOK) == [
        (1, "Each guest drinks one goblet in the order of age, the oldest first."),
        (1, 'A goblet is drunk by saying "Health."'),
        (
            2,
            "Then it is empty; no. 3 of the house rules tells what is done with goblets that are left (they stay).",
        ),
        (4, "Worth"),
        (5, "+1 Goblet"),
        (6, "Refill the goblets of all guests (both red and white), also of those who are not at the table now."),
        (8, "12"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Pay 3. Take 2.", ["Pay 3.", "Take 2."]),
        ("Pay 3.5 coins, i.e. Three and a half.", ["Pay 3.5 coins, i.e. Three and a half."]),
        ("See no. 5. The answer is no. Then stop.", ["See no. 5.", "The answer is no.", "Then stop."]),
        (
            "Stop! Why? (See rule 31.5.b.) [Or not.] Go on.",
            ["Stop!", "Why?", "(See rule 31.5.b.)", "[Or not.]", "Go on."],
        ),
        ("1. First this\n2. Then that\n", ["First this", "Then that"]),
        ("F. a. If so, turn it.\r\n\r\n7 Turning\r\n", ["If so, turn it.", "7 Turning"]),
        ("• One card.\n• Two cards. They differ.", ["One card.", "Two cards.", "They differ."]),
        ("# Heading\nText below it.\n---\n", ["Heading", "Text below it."]),
        (
            "1. A full line without a stop at its end\n2. Another full line without a stop at its end",
            ["A full line without a stop at its end", "Another full line without a stop at its end"],
        ),
        (
            "Take as many cards of your deck as you like\n- three at the most - and go on.",
            ["Take as many cards of your deck as you like - three at the most - and go on."],
        ),
        (
            "== A heading that is as long as the text ==\nunder which a text begins that fills lines",
            ["A heading that is as long as the text", "under which a text begins that fills lines"],
        ),
        ("", []),
        ("*\n== ==\n...", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    """Abbreviations, numbers and brackets do not end a sentence early; list marks are left out."""
    assert [sentence.text for sentence in split(text)] == expected


words = st.sampled_from(
    ["goblet", "+1 Buy", "i.e. wine", '"in play"', "3", "(section 7.1)", "face-up", "guests'", "etc. and"]
)
sentences = st.lists(words, min_size=1, max_size=20).map(lambda parts: f"Take {' '.join(parts)}.")


@given(st.lists(sentences, min_size=1, max_size=8), st.integers(45, 120))
def test_fingerprints_do_not_depend_on_where_lines_are_wrapped(written: list[str], width: int) -> None:
    """However a text is wrapped, the same sentences with the same fingerprints are found in it."""
    wrapped = textwrap.fill(" ".join(written), width, break_long_words=False)
    assert [sentence.fingerprint for sentence in split(wrapped)] == [fingerprint(text) for text in written]


@given(st.lists(st.sampled_from(["the", "Goblet", "is", "42", ".", "!", ",", ".)", '"', ":", "\n", "\n\n", " "])))
def test_no_letter_is_lost_or_moved(parts: list[str]) -> None:
    """The sentences of a text without marks hold all its letters and digits, in order, each on its line."""
    text = " ".join(parts)
    found = split(text)
    assert "".join(re.findall(r"\w", text)) == "".join(re.findall(r"\w", "".join(s.text for s in found)))
    for sentence in found:
        assert re.findall(r"\w+", sentence.text)[0] in text.split("\n")[sentence.line - 1]


@given(st.text(alphabet="aB1 .\n\r\f[]{}|<>='*#-:()\u2028", max_size=200))
def test_any_text_can_be_split(text: str) -> None:
    """Broken mark-up never stops the splitting; lines are numbered upwards and exist."""
    numbers = [sentence.line for sentence in split(text)]
    assert numbers == sorted(numbers)
    assert all(1 <= number <= 1 + text.count("\n") + text.count("\r") for number in numbers)


def test_character_entities_are_read() -> None:
    """An entity is the character it stands for, and moves no line."""
    assert texts("Red &amp; white.&#10;\nNo more.") == [(1, "Red & white."), (2, "No more.")]


@pytest.mark.parametrize("trap", ["{{a|", "[[", "<!--", "<ref>", "....", "((((", "'", "* "])
def test_endless_markup_is_no_trap(trap: str) -> None:
    """Mark-up that is opened again and again hides nothing that follows it."""
    assert "Wine" in split(f"{trap * 20_000} Wine")[-1].text


def test_fingerprint_ignores_layout_but_no_word() -> None:
    """Case, quotes, spaces and ligatures do not count; letters and digits do."""
    assert fingerprint("Take the \ufb01rst “5” coins.") == fingerprint('take  the first\n"5" coins')
    assert fingerprint("Take 5 coins.") != fingerprint("Take 6 coins.")


# -- verification ------------------------------------------------------------------------------------


def claiming(text: str, document: str, start: str = "pub") -> dict[str, Rule]:
    """A rule for each sentence of a text."""
    return {
        f"{start}.r{i}": Rule(f"{start}.r{i}", f"Rule {i}", (Source(document, "", sentence.fingerprint),))
        for i, sentence in enumerate(split(text))
    }


PUB = Rulebook(claiming(WIKI, "wiki") | claiming(BOOK, "book", "pub.book"))


def test_complete_catalogue_verifies() -> None:
    """With every sentence claimed nothing is reported, whatever the texts are called."""
    found = verify(PUB, {"x": WIKI, "y": BOOK})
    assert (found.ok, found.sentences, found.kinds) == (True, 14, {"rule": 14})
    assert {match.document: (match.claimed, match.found) for match in found.documents} == {
        "wiki": (7, 7),
        "book": (7, 7),
    }


@given(st.integers(0, 6))
def test_removed_sentence_makes_its_rule_stale(index: int) -> None:
    """A sentence that is gone makes the rule that rests on it stale, and only that one."""
    sentence = split(BOOK)[index]
    rest = "\n\n".join(other.text for other in split(BOOK) if other != sentence)
    found = verify(PUB, {"book": rest})
    assert [stale.rule for stale in found.stale] == [f"pub.book.r{index}"]
    assert not found.ok
    assert found.unclaimed == ()


def test_changed_sentence_is_seen_from_both_sides() -> None:
    """One changed word: the new sentence is unclaimed, at its line, and the rule of the old one is stale."""
    found = verify(PUB, {"my copy": WIKI.replace("Never both", "Never three")})
    assert [(s.document, s.line, s.text) for s in found.unclaimed] == [("my copy", 8, "Never three.")]
    assert [(stale.rule, stale.source.document) for stale in found.stale] == [("pub.r6", "wiki")]
    assert not found.ok


def test_added_sentence_is_unclaimed() -> None:
    """A sentence that no rule claims is reported even if all else is claimed."""
    found = verify(PUB, {"wiki": f"{WIKI}\n\nA new rule."})
    assert [sentence.text for sentence in found.unclaimed] == ["A new rule."]
    assert found.stale == ()
    assert not found.ok


def test_gone_fingerprint_is_stale() -> None:
    """A rule whose fingerprint stands in no text is stale, if the rest of its document was given."""
    lost = Rule("pub.lost", "Lost", (Source("wiki", "", fingerprint("Nobody wrote this.")),))
    found = verify(Rulebook(PUB.rules | {lost.id: lost}), {"wiki": WIKI})
    assert [stale.rule for stale in found.stale] == ["pub.lost"]


def test_rules_of_texts_not_given_are_not_stale() -> None:
    """Nothing is said of a document that was not given, nor because a few sentences are shared with one that was."""
    assert verify(PUB, {"wiki": WIKI}).ok
    shared = verify(PUB, {"wiki": f"{WIKI}\n\nWorth"})
    assert shared.ok
    assert [match.found for match in shared.documents] == [7, 1]


def test_one_file_may_hold_several_documents() -> None:
    """Documents are known by their sentences, so two in one file are both verified."""
    found = verify(PUB, {"all": f"{WIKI}\n\n{BOOK.replace('Worth', 'Value')}"})
    assert [stale.rule for stale in found.stale] == ["pub.book.r3"]


def test_a_foreign_text_does_not_pass() -> None:
    """A text that has nothing to do with the rulebook is all unclaimed."""
    found = verify(PUB, {"wiki": "Something else. Altogether."})
    assert (len(found.unclaimed), found.stale, found.ok) == (2, (), False)


def test_nothing_verified_is_an_error() -> None:
    """No text, or a text without a sentence, is never a pass."""
    with pytest.raises(NothingRun, match="no source text"):
        verify(PUB, {})
    with pytest.raises(BadInput, match=r"blank\.txt: there is no sentence"):
        verify(PUB, {"wiki": WIKI, "blank.txt": " \n---\n"})
    assert not Verification(0, {}, (), (), ()).ok


def test_claims_are_counted_by_kind() -> None:
    """A sentence claimed by a rule and by an example counts as the rule's."""
    example = Rule("pub.example", "Example", PUB["pub.r0"].sources + PUB["pub.r1"].sources, "example")
    rules = {id: rule for id, rule in PUB.rules.items() if id != "pub.r1"}
    assert verify(Rulebook({example.id: example} | rules), {"w": WIKI}).kinds == {"rule": 6, "example": 1}


# -- coverage ----------------------------------------------------------------------------------------


def test_coverage_has_one_row_a_rule() -> None:
    """Rows are in the rulebook's order, names each once; headings and examples have none."""
    book = Rulebook({r.id: r for r in (Rule("a.one", "1"), Rule("a.head", "h", kind="heading"), Rule("a.two", "2"))})
    rows = coverage(book, cases=[("a.two", "c1"), ("a.two", "c2"), ("a.two", "c1")], guards=iter([("a.one", "guard")]))
    assert [(row.rule.id, row.guards, row.cases, row.claims) for row in rows] == [
        ("a.one", ("guard",), (), ()),
        ("a.two", (), ("c1", "c2"), ()),
    ]


def test_coverage_refuses_unknown_rules() -> None:
    """A case that cites a rule which does not exist is an error that names one like it."""
    with pytest.raises(BadInput, match=r"no rule 'pub\.book\.r99'\n  did you mean pub\.book"):
        coverage(PUB, cases=[("pub.book.r99", "case")])


# -- the file ----------------------------------------------------------------------------------------


def test_load_reads_rules(tmp_path: Path) -> None:
    """A file gives its rules, with sources and the wordings of other editions."""
    file = tmp_path / "rulebook.yaml"
    mark = fingerprint("x")
    sources = f"[{{document: D, section: S, fingerprint: {mark}}}]"
    file.write_text(f"a.b-c:\n  says: Now.\n  editions: {{'2008': Then.}}\n  sources: {sources}\n")
    book = load(file)
    assert book["a.b-c"] == Rule("a.b-c", "Now.", (Source("D", "S", mark),), "rule", {"2008": "Then."})
    assert (book["a.b-c"].wording("2008"), book["a.b-c"].wording("2023")) == ("Then.", "Now.")
    assert "a.b-c" in book
    assert "a.b" not in book


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "rulebook.yaml: there are no rules"),
        ("- a.b\n", "rulebook.yaml: there are no rules"),
        ("a.b: {says: x\n", "rulebook.yaml:2:1: this is not YAML"),
        ("a.b: {says: \0}\n", "rulebook.yaml: this is not YAML"),
        ("a.b: {says: x}\na.b: {says: y}\n", r"rulebook.yaml:2:1: the id 'a.b' is here for the second time"),
        ("a.b: x\n", "rulebook.yaml:1:1: the rule 'a.b' has no fields"),
        ("\nA.b: {says: x}\n", r"rulebook.yaml:2:1: the rule 'A.b' is malformed: .*\$.id"),
        ("a.b: {kind: rule}\n", "malformed: .*`says`"),
        ("a.b: {says: ''}\n", r"malformed: .*\$.says"),
        ("a.b: {says: x, says: y}\n", "may not have 'says' 2 times"),
        ("a.b: {says: x, id: a.c}\n", "may not have 'id'"),
        ("a.b: {says: x, colour: red}\n", "unknown field `colour`"),
        ("a.b: {says: x, kind: joke}\n", r"malformed: .*\$.kind"),
        ("a.b: {says: x, sources: [{document: D, fingerprint: 12ab}]}\n", r"malformed: .*\$.sources\[0\].fingerprint"),
        ("a.b: {says: x, editions: {2008: y}}\n", r"malformed: .*\$.editions"),
        ("a.b: {says: x, 1: 2}\n", "malformed"),
        ("? [a, b]\n: {says: x}\n", "malformed"),
    ],
)
def test_load_says_where_a_file_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    """Each fault of a file is one `BadInput` with its place."""
    file = tmp_path / "rulebook.yaml"
    file.write_text(text)
    with pytest.raises(BadInput, match=message):
        load(file)


def test_load_of_no_file(tmp_path: Path) -> None:
    """A file that is not there is bad input, too."""
    with pytest.raises(BadInput, match=r"absent\.yaml: cannot be read"):
        load(tmp_path / "absent.yaml")


# -- Dominion ----------------------------------------------------------------------------------------

BASICS = "copper silver gold estate duchy province curse"
KINGDOM = """artisan bandit bureaucrat cellar chapel council-room festival gardens harbinger laboratory library market
merchant militia mine moat moneylender poacher remodel sentry smithy throne-room vassal village witch workshop"""


@pytest.fixture(scope="module")
def dominion() -> Rulebook:
    return load(DOMINION)


def test_dominion_ids_are_well_formed(dominion: Rulebook) -> None:
    """Every id is lower-case words under the game's prefix, and the rule knows its own id."""
    assert dominion.rules
    for id, rule in dominion.rules.items():
        assert re.match(RULE_ID, id)
        assert id.startswith("dom.")
        assert id == rule.id


def test_dominion_has_every_base_card(dominion: Rulebook) -> None:
    """The 7 basic and 26 Kingdom cards of the base set have a rule each, and no other card has."""
    cards = {id.removeprefix("dom.card.") for id in dominion.rules if id.startswith("dom.card.")}
    assert cards == {*BASICS.split(), *KINGDOM.split()}


def test_dominion_rules_name_their_source(dominion: Rulebook) -> None:
    """Every entry stands somewhere; what is claimed by fingerprint is no printed card, and each claim is made once."""
    for rule in dominion.rules.values():
        assert rule.sources, rule.id
        assert len(set(rule.sources)) == len(rule.sources), rule.id
        for source in rule.sources:
            assert not (source.fingerprint and source.document.startswith("card text")), rule.id


def test_dominion_is_paraphrased(dominion: Rulebook) -> None:
    """No sentence of a source is repeated in what the rules say."""
    marks = {source.fingerprint for rule in dominion.rules.values() for source in rule.sources}
    for rule in dominion.rules.values():
        for wording in (rule.says, *rule.editions.values()):
            assert not marks & {sentence.fingerprint for sentence in split(wording)}, rule.id


def test_dominion_editions_differ(dominion: Rulebook) -> None:
    """An edition is named where its wording is another one, such as the first edition's cards without a choice."""
    for rule in dominion.rules.values():
        assert set(rule.editions) <= {"2022", "2016", "2008"}, rule.id
        assert rule.says not in rule.editions.values(), rule.id
    for card in ("throne-room", "moneylender", "mine"):
        rule = dominion[f"dom.card.{card}"]
        assert "You may" in rule.wording("2016")
        assert "may" not in rule.wording("2008").split()


def test_seeds_are_claimed_whole(dominion: Rulebook) -> None:
    """Every sentence of the two Dominion texts is claimed, no rule is stale, and the texts of other games split."""
    if not SEEDS.is_dir():
        pytest.skip(
            "the source texts are not shipped: put them into ../shared/seeds beside the checkout to verify them"
        )
    seeds = {file.name: file.read_text(encoding="utf-8") for file in sorted(SEEDS.glob("*.txt"))}
    ours = {name: text for name, text in seeds.items() if name.startswith(("000_", "002_"))}
    assert len(ours) == 2
    found = verify(dominion, ours)
    assert found.unclaimed == ()
    assert found.stale == ()
    assert all(match.found == match.claimed for match in found.documents)
    assert found.sentences > 75
    for name, text in seeds.items():
        assert len(split(text)) > 20, name
