"""Reading what positions are made of: counts that no game has are refused with their place."""

from __future__ import annotations

import sys

import pytest

from oracle import games
from oracle.errors import BadPosition
from oracle.game import Action, LegalActions, Selection
from oracle.given import MOST_COPIES, copies

KINDS = ("Copper", "Silver", "Gold", "Estate", "Duchy", "Chapel", "Moat", "Harbinger", "Merchant", "Vassal", "Village")
MORE = ("Workshop", "Gardens", "Militia", "Moneylender", "Poacher", "Remodel", "Smithy", "Bandit", "Library", "Market")


@pytest.mark.parametrize("number", ["201", "9" * 18, "9" * 5000, "0" * 5000 + "1"])
def test_a_count_in_a_list_has_an_end(number: str) -> None:
    """However many digits it has, it is refused with its place, and nothing is made of it."""
    with pytest.raises(BadPosition) as refused:
        list(copies(["Copper", f"{number} Copper"], ("hand", "A")))
    assert refused.value.path == ("hand", "A", 1)
    assert str(MOST_COPIES) in refused.value.fix
    assert len(str(refused.value)) < 200


def test_a_count_may_have_zeros_before_it() -> None:
    """`007 Copper` are seven."""
    assert len(list(copies(["007 Copper"], ()))) == 7


@pytest.mark.parametrize("size", [True, 1.0, "1", None])
def test_a_size_is_a_whole_number(size: object) -> None:
    """A hand of one card has the size 1, and neither `true` nor 1.0."""
    dominion = games.load("dominion")
    dominion.position({"hand": {"A": ["Copper"]}, "hand size": {"A": 1}}, "2023")
    with pytest.raises(BadPosition, match="does not fit"):
        dominion.position({"hand": {"A": ["Copper"]}, "hand size": {"A": size}}, "2023")


def test_more_actions_than_a_length_can_tell_are_counted() -> None:
    """A legal set larger than `sys.maxsize` has an exact count, can be asked and indexed, and breaks nothing."""
    dominion = games.load("dominion")
    hand = ["Cellar", *(f"9 {name}" for name in (*KINDS, *MORE))]
    state, _ = dominion.apply(dominion.position({"hand": {"A": hand}}, "2023"), dominion.read("play Cellar"))
    decision = dominion.decision(state)
    assert decision is not None
    legal = decision.legal
    assert legal.count > 10**20 > sys.maxsize
    assert len(legal) == sys.maxsize
    assert str(legal.count) in repr(legal)
    assert not decision.forced
    assert legal[0] == Action("discard")
    last = legal[legal.count - 1]
    assert len(last.items) > 90
    assert last in legal
    assert next(iter(legal)) == legal[0]
    with pytest.raises(IndexError):
        legal[legal.count]
    assert dominion.judge(state, "A", last).legal


def test_several_families_are_indexed_beyond_a_length() -> None:
    """The members of a family after a very large one are found at their index."""
    many = Selection("discard", tuple(sorted(f"{i:03}" for i in range(100))), 0, 100)
    legal = LegalActions([Action("pass")], [many, Selection("trash", ("x",), 1, 1)])
    assert legal.count == 1 + 2**100 + 1
    assert legal[2**100 + 1] == Action("trash", ("x",))
