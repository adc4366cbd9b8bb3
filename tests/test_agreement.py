"""Every game: guard, generator, text forms and positions agree with one another."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracle import games
from oracle.errors import BadInput, IllegalAction
from oracle.game import Action
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


WORDS = ("", "x", "0", "3 Copper", "Copper", "blue 3", "blue 99", "nothing", "A", "pass", "\ud800", "buy phase")


@pytest.mark.parametrize("name", GAMES)
@SLOW
@given(data=st.data())
def test_the_guard_has_a_verdict_on_any_action_value(name: str, data: st.DataObject) -> None:
    """Whatever an action is made of, `judge` gives reasons and does not raise, and it has a text and a JSON form."""
    game = games.load(name)
    state: Any = data.draw(states(name))
    decision = game.decision(state)
    known = [word for action in (decision.legal.single[:5] if decision else ()) for word in action.items]
    items = st.lists(st.sampled_from([*WORDS, *known]), max_size=4).map(tuple)
    parts = [part.name for verb in game.verbs.values() for part in verb.parts]
    rest = st.lists(st.tuples(st.sampled_from(["x", *parts]), items), max_size=3).map(tuple)
    action = data.draw(st.builds(Action, st.sampled_from(["sing", "", *game.verbs]), items, rest))
    player = data.draw(st.sampled_from([None, "", "Z", decision.player if decision else "A"]))
    verdict = game.judge(state, player, action)
    assert verdict.rules
    assert isinstance(game.text(action), str)
    assert isinstance(game.json(action), dict)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("given", [None, [], 5, "hand"])
def test_what_is_no_mapping_is_no_position(name: str, given: Any) -> None:
    """Neither a position nor a setup can be built from it, and the error is the user's."""
    game = games.load(name)
    for build in (game.position, game.start):
        with pytest.raises(BadInput, match=r"is no (position|setup)"):
            build(given, game.editions[0])


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("edition", ["", "1999", None])
def test_an_unknown_edition_is_refused(name: str, edition: Any) -> None:
    """Neither a position nor a game can be of it, and the error names those there are."""
    game = games.load(name)
    for build in (game.position, game.start):
        with pytest.raises(BadInput, match="is unknown") as refused:
            build({}, edition)
        assert game.editions[0] in refused.value.fix


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("form", ["end", {"end": None}, {"end": []}, "end nothing"])
def test_an_action_of_a_fixed_word_names_it(name: str, form: Any) -> None:
    """A verb that takes one of a few fixed items is no action without one."""
    game = games.load(name)
    with pytest.raises(BadInput):
        game.read(form)
