"""Comparing positions: mappings in part, lists in full, bags in any order, decks by what is known of them."""

from __future__ import annotations

from typing import Any

import pytest

from oracle.casebook.compare import differences, show

SAME: list[tuple[Any, Any]] = [
    ({"hand": {"A": ["Copper"]}}, {"hand": {"A": ["Copper"], "B": ["Gold"]}, "turn": "A"}),
    ({"hand": {"A": ["Estate", "Copper"]}}, {"hand": {"A": ["Copper", "Estate"]}}),
    ({"hand": {"A": ["2 Copper", "Estate"]}}, {"hand": {"A": ["Copper", "Estate", "Copper"]}}),
    ({"hand": {"A": ["Copper", "Copper"]}}, {"hand": {"A": ["2 Copper"]}}),
    ({"deck": {"A": ["2 Copper", "Gold"]}}, {"deck": {"A": ["Copper", "Copper", "Gold"]}}),
    ({"deck": {"A": [["Gold", "Copper"]]}}, {"deck": {"A": [["Copper", "Gold"]]}}),
    ({"deck": {"A": [["Gold"], ["2 Copper"]]}}, {"deck": {"A": ["Gold", "Copper", "Copper"]}}),
    ({"deck": {"A": ["Gold", []]}}, {"deck": {"A": ["Gold"]}}),
    ({"hand": {}}, {"hand": {}}),
    ({"waiting": [{"player": "A"}]}, {"waiting": [{"player": "A", "card": "Caravan"}]}),
    ({"turn": None, "over": False, "n": 0}, {"turn": None, "over": False, "n": 0}),
]


@pytest.mark.parametrize(("expected", "found"), SAME)
def test_what_agrees_has_no_difference(expected: Any, found: Any) -> None:
    """What is not named is not compared, and one thing may be written in several ways."""
    assert list(differences(expected, found, {"hand"})) == []


OTHER: list[tuple[Any, Any, tuple[str | int, ...]]] = [
    ({"hand": {"A": ["Copper"]}}, {"hand": {"A": ["Copper", "Copper"]}}, ("hand", "A")),
    ({"hand": {"A": []}}, {"hand": {"A": ["Copper"]}}, ("hand", "A")),
    ({"hand": {"A": []}}, {"hand": {"B": []}}, ("hand", "A")),
    ({"hand": {}}, {"hand": {"A": []}}, ("hand",)),
    ({"deck": {"A": ["Gold", "Copper"]}}, {"deck": {"A": ["Copper", "Gold"]}}, ("deck", "A")),
    ({"deck": {"A": ["Copper", "Gold"]}}, {"deck": {"A": [["Copper", "Gold"]]}}, ("deck", "A")),
    ({"deck": {"A": [["Copper", "Gold"], "Gold"]}}, {"deck": {"A": ["Gold", ["Copper", "Gold"]]}}, ("deck", "A")),
    ({"hnad": {"A": []}}, {"hand": {"A": []}}, ("hnad",)),
    ({"waiting": [{"player": "B"}]}, {"waiting": [{"player": "A"}]}, ("waiting", 0, "player")),
    ({"waiting": []}, {"waiting": [{"player": "A"}]}, ("waiting",)),
    ({"n": 1}, {"n": True}, ("n",)),
    ({"n": 0}, {"n": None}, ("n",)),
    ({"n": "1"}, {"n": 1}, ("n",)),
    ({"list": ["1"]}, {"list": [1]}, ("list",)),
    ({"list": [1]}, {"list": [True]}, ("list",)),
    ({"n": {"a": 1}}, {"n": 1}, ("n",)),
]


@pytest.mark.parametrize(("expected", "found", "route"), OTHER)
def test_what_does_not_agree_is_named_by_its_route(expected: Any, found: Any, route: tuple[str | int, ...]) -> None:
    """Neither order, nor type, nor an absent field is passed over."""
    (only,) = differences(expected, found, {"hand"})
    assert only.route == route
    assert only.unknown == (route == ("hnad",))


def test_enormous_counts_are_counted_not_listed() -> None:
    """A count in a case costs nothing but its digits."""
    (only,) = differences({"hand": ["999999999 Copper"]}, {"hand": ["Copper"]}, {"hand"})
    assert only.found == "[Copper] (missing 999999998 Copper)"


def test_values_are_shown_as_a_case_could_hold_them() -> None:
    """Messages speak the language of the file, not that of the program."""
    assert show({"a": [None, True, {"b": 1}], "c": ()}) == "{a: [null, true, {b: 1}], c: []}"
