"""Every game: guard, generator, text forms and positions agree with one another."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracle import games
from oracle.errors import IllegalAction
from tests.strategies import GAMES, played, states

SLOW = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
LISTED = 500
"""Legal sets up to this size are listed whole."""


@pytest.mark.parametrize("name", GAMES)
@SLOW
@given(data=st.data())
def test_guard_and_generator_agree_on_the_whole_universe(name: str, data: st.DataObject) -> None:
    """An action is in the legal set exactly if the guard allows it to the player who decides."""
    game = games.load(name)
    state: Any = data.draw(states(name))
    decision = game.decision(state)
    legal = decision.legal if decision else ()
    player = decision.player if decision else "A"
    for action in game.candidates(state):
        verdict = game.judge(state, player, action)
        assert verdict.legal == (action in legal), (game.text(action), verdict, game.observe(state))
        assert verdict.rules
    for i in range(min(len(legal), LISTED)):
        assert game.judge(state, player, legal[i]).legal, (game.text(legal[i]), game.observe(state))


@pytest.mark.parametrize("name", GAMES)
@SLOW
@given(data=st.data())
def test_nobody_else_may_act(name: str, data: st.DataObject) -> None:
    """What is legal for the player who decides is refused to every other, chance included."""
    game = games.load(name)
    state: Any = data.draw(states(name))
    decision = game.decision(state)
    if decision is None:
        return
    for other in {*game.observe(state)["players"], None} - {decision.player}:
        verdict = game.judge(state, other, decision.legal[0])
        assert not verdict.legal
        assert all(game.rulebook[rule].id == rule for rule in verdict.rules)


@pytest.mark.parametrize("name", GAMES)
@SLOW
@given(data=st.data())
def test_a_legal_set_is_a_set(name: str, data: st.DataObject) -> None:
    """Members are pairwise different, as many as its length says, indexed in the order they are listed."""
    game = games.load(name)
    decision = game.decision(data.draw(states(name)))
    if decision is None or len(decision.legal) > LISTED:
        return
    listed = list(decision.legal)
    assert len(listed) == len(decision.legal) == len(set(listed)) > 0
    assert [decision.legal[i] for i in range(len(listed))] == listed
    assert all(action in decision.legal for action in listed)


@pytest.mark.parametrize("name", GAMES)
@SLOW
@given(data=st.data())
def test_text_and_json_read_back(name: str, data: st.DataObject) -> None:
    """Every action is read back from its text and its JSON form as itself."""
    game = games.load(name)
    decision = game.decision(data.draw(states(name)))
    if decision is not None:
        index = data.draw(st.integers(0, len(decision.legal) - 1))
        action = decision.legal[index]
        assert game.read(game.text(action)) == action
        assert game.read(game.json(action)) == action


@pytest.mark.parametrize("name", GAMES)
@SLOW
@given(data=st.data())
def test_a_position_reads_back_what_is_observed(name: str, data: st.DataObject) -> None:
    """Where nothing is half done, what `observe` shows describes the position whole."""
    game = games.load(name)
    state, edition = data.draw(played(name))
    decision = game.decision(state)
    if decision is None or decision.kind == "action":
        seen = game.observe(state)
        again = game.position(seen, edition)
        assert game.observe(again) == seen
        twin = game.decision(again)
        assert (decision is None) == (twin is None)
        if decision is not None and twin is not None:
            assert (twin.player, list(twin.legal)[:LISTED]) == (decision.player, list(decision.legal)[:LISTED])


@pytest.mark.parametrize("name", GAMES)
@SLOW
@given(data=st.data())
def test_illegal_actions_are_not_applied(name: str, data: st.DataObject) -> None:
    """`apply` refuses what the generator does not list, with the verdict that says why."""
    game = games.load(name)
    state: Any = data.draw(states(name))
    decision = game.decision(state)
    legal = decision.legal if decision else ()
    illegal = [action for action in game.candidates(state) if action not in legal]
    action = data.draw(st.sampled_from(illegal))
    with pytest.raises(IllegalAction) as refused:
        game.apply(state, action)
    assert not refused.value.verdict.legal
