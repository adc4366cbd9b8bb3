"""Dominion: what the cases cannot say one by one."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracle import games
from oracle.errors import BadPosition
from oracle.games.dominion import State
from oracle.games.dominion.cards import BASICS, KINGDOM, rule_of
from oracle.games.dominion.choices import CHOICES as GUARDED
from oracle.games.dominion.effects import ASK, DO
from oracle.games.dominion.moves import CHOICES as OFFERED
from oracle.games.dominion.rules import GUARDS
from tests.strategies import chooses, states

GAME = games.load("dominion")
SLOW = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))


def everything(state: State) -> Counter[str]:
    """All cards of the game, wherever they are."""
    cards = Counter(dict(zip(state.table.piles, state.supply, strict=True)))
    cards.update(state.trash)
    for seat in state.seats:
        cards.update(seat.owned)
    for step in state.stack:
        if step.do in ("library", "library card", "sentry trash", "sentry discard", "put back", "bandit"):
            cards.update(step.cards)
    return +cards


@SLOW
@given(data=st.data())
def test_cards_are_neither_made_nor_lost(data: st.DataObject) -> None:
    """Through any action every card of the game stays somewhere."""
    state: Any = data.draw(states("dominion", 12))
    decision = GAME.decision(state)
    if decision is not None:
        index = data.draw(st.integers(0, len(decision.legal) - 1))
        after, _ = GAME.apply(state, decision.legal[index])
        assert everything(after) == everything(state)


@SLOW
@given(data=st.data())
def test_counters_never_fall_below_zero(data: st.DataObject) -> None:
    """Actions, Buys, coins and piles are never negative."""
    state: Any = data.draw(states("dominion", 12))
    assert min(state.actions, state.buys, state.coins, *state.supply) >= 0


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(choose=chooses())
def test_a_game_that_buys_ends_and_has_a_winner(choose: Any) -> None:
    """A play that takes the last legal action of the turn (the dearest pile last) comes to an end with a winner."""
    state = GAME.start({"players": ["A", "B"], "kingdom": []}, "2023")
    for _ in range(5000):
        decision = GAME.decision(state)
        if decision is None:
            break
        plays = [a for a in decision.legal if a.verb in ("play", "buy") and a.items != ("Curse",)]
        state, _ = GAME.apply(state, plays[choose(len(plays))] if plays else decision.legal[0])
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.winners
    assert max(outcome.scores.values()) == outcome.scores[outcome.winners[0]]


def test_every_card_has_its_rule_and_every_guard_cites_known_ones() -> None:
    """Each card's text is a rule of the rulebook, and so is every id a guard is filed under."""
    for card in (*BASICS, *KINGDOM):
        assert rule_of(card.name) in GAME.rulebook
    assert [id_ for id_ in GUARDS.names if id_ not in GAME.rulebook] == []


def test_every_choice_is_offered_guarded_and_carried_out() -> None:
    """The three tables of choices name the same steps, and every instruction of a card is known."""
    assert set(OFFERED) == set(GUARDED) == set(ASK)
    assert all(step in ASK or step in DO for card in (*BASICS, *KINGDOM) for step in card.does)


@pytest.mark.parametrize(
    ("given", "path", "fix"),
    [
        ({"hand": {"A": ["Cooper"]}}, ("hand", "A", 0), "did you mean 'Copper'?"),
        ({"hnad": {"A": []}}, ("hnad",), "did you mean 'hand'?"),
        ({"hand": {"G": [], "A": []}}, ("hand", "G"), "known: A, B"),
        ({"players": ["A"]}, ("players",), "2 to 6 players"),
        ({"players": ["A", "A"]}, ("players",), "for example [A, B]"),
        ({"players": ["A", "1 B"]}, ("players", 1), "a text that begins with a letter"),
        ({"cards": {"P, Q": {"types": ["Action"]}}}, ("cards", "P, Q"), "a text that begins with a letter"),
        ({"cards": {"3 Copper": {"types": ["Action"]}}}, ("cards", "3 Copper"), "a text that begins with a letter"),
        ({"phase": "clean-up"}, ("phase",), "Clean-up is no decision point"),
        ({"phase": "lunch"}, ("phase",), "known: action, buy, night"),
        ({"phase": "night"}, ("phase",), "declare a card of type Night, or: action, buy"),
        ({"coins": -1}, ("coins",), "a whole number from 0 to 10000"),
        ({"actions": True}, ("actions",), "a whole number from 0 to 10000"),
        ({"supply": {"Curse": -2}}, ("supply", "Curse"), "a whole number from 0 to 200"),
        ({"trash": ["13 Province"]}, (), "take some out, or set its pile with `supply:`"),
        ({"supply": {"Smithy": 10}, "trash": ["Smithy"]}, ("supply", "Smithy"), "take some out"),
        ({"bought": 1}, ("bought",), "phase: buy, or bought: 0"),
        ({"under way": ["militia"]}, ("under way",), "write the position before the card"),
        ({"cards": {"Copper": {"types": ["Treasure"]}}}, ("cards", "Copper"), "declare other cards only"),
        ({"cards": {"Oasis": {"types": ["Actoin"]}}}, ("cards", "Oasis", "types", 0), "did you mean 'Action'?"),
        ({"waiting": [{"player": "A", "card": "Copper", "at": "noon"}]}, ("waiting", 0, "at"), "known: before turn"),
        ({"hand size": {"A": 3}}, ("hand size", "A"), "0, or leave it out"),
        ({"hand": ["Copper"]}, ("hand",), "write `name: value` pairs"),
        ({"hand": {"A": "Copper"}}, ("hand", "A"), "write [item, item]"),
    ],
)
def test_a_position_that_cannot_be_says_where_and_what_would_be_right(
    given: dict[str, Any], path: tuple[str | int, ...], fix: str
) -> None:
    """Each fault is one error with its place and a remedy."""
    with pytest.raises(BadPosition) as bad:
        GAME.position(given, "2023")
    assert bad.value.path == path
    assert bad.value.fix.startswith(fix)


@pytest.mark.parametrize(
    ("players", "provinces", "curses", "coppers"), [(2, 8, 10, 46), (3, 12, 20, 39), (4, 12, 30, 32)]
)
def test_piles_of_a_new_game(players: int, provinces: int, curses: int, coppers: int) -> None:
    """Piles have the printed sizes for the number of players, Provinces 15 and 18 for five and six."""
    setup = {"players": list("ABCDEF"[:players]), "kingdom": ["Gardens", "Smithy"]}
    supply = GAME.observe(GAME.start(setup, "2023"))["supply"]
    assert [supply[name] for name in ("Province", "Curse", "Copper")] == [provinces, curses, coppers]
    assert (supply["Gardens"], supply["Smithy"]) == (provinces, 10)


def test_provinces_for_five_and_six() -> None:
    """Fifteen Provinces for five players, eighteen for six."""
    piles = [GAME.observe(GAME.start({"players": list("ABCDEF"[:n])}, "2023"))["supply"]["Province"] for n in (5, 6)]
    assert piles == [15, 18]


def test_the_loser_begins_the_next_game() -> None:
    """Who had the fewest points in the last game takes the first turn of this one."""
    GAME.start({"players": ["A", "B"], "first": "B", "last game": {"A": 30, "B": 21}}, "2023")
    with pytest.raises(BadPosition, match=r"dom\.turn\.first"):
        GAME.start({"players": ["A", "B"], "first": "A", "last game": {"A": 30, "B": 21}}, "2023")
