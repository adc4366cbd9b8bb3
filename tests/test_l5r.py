"""L5R: its two voices agree, its order of moments is unique, and what its text rules out never happens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice, product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.errors import BadAction, BadPosition, IllegalAction
from oracle.game import Action, Event
from oracle.games import load
from oracle.games.l5r import GAME, State
from oracle.games.l5r.assignments import Assignments, item
from oracle.games.l5r.calendar import (
    ACTION,
    CALENDAR,
    COMBAT,
    DYNASTY,
    END,
    GAME_TIME,
    ORDERING,
    TURNS,
)
from oracle.games.l5r.effects import answers, ready
from oracle.timing import Moment, Ordering
from oracle.zones import bag, size

EDITION = "EE"
LISTED = 2000
"""Legal sets up to this size are listed in tests."""


def chooser(data: st.DataObject) -> Callable[[int], int]:
    """Choices made by Hypothesis."""
    return lambda n: data.draw(st.integers(0, n - 1)) if n > 1 else 0


def drawn(data: st.DataObject) -> State:
    """Any position that can be written, and some steps on."""
    random = Random(data.draw(st.integers(0, 1 << 32)))
    state = GAME.position(GAME.sample_position(random.randrange), EDITION)
    for _ in range(random.randrange(5)):
        decision = GAME.decision(state)
        if decision is None:
            break
        state, _ = GAME.play(state, decision.legal[random.randrange(len(decision.legal))])
    return state


def at(**fields: Any) -> State:
    """A position with nothing but these fields."""
    return GAME.position({name.replace("_", " "): value for name, value in fields.items()}, EDITION)


def texts(state: State) -> set[str]:
    """The legal actions as texts."""
    decision = GAME.decision(state)
    return {GAME.text(action) for action in decision.legal} if decision else set()


def do(state: State, *actions: str) -> State:
    """The state after some actions."""
    for action in actions:
        state, _ = GAME.apply(state, GAME.read(action))
    return state


Played = tuple[State, str | None, Action, State, tuple[Event, ...]]


def game(seed: int, most: int = 600) -> Iterator[Played]:
    """The steps of a random game: the state, who acts and how, the state after, and what happened."""
    random = Random(seed)
    state = GAME.start(GAME.sample_setup(random.randrange), EDITION)
    for _ in range(most):
        decision = GAME.decision(state)
        if decision is None:
            break
        action = decision.legal[random.randrange(len(decision.legal))]
        after, events = GAME.play(state, action)
        yield state, decision.player, action, after, events
        state = after


# -- two voices ------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_guard_and_generator_agree_on_drawn_positions(data: st.DataObject) -> None:
    """What the guard allows of the whole candidate universe is what the generator has, for each player and chance."""
    state = drawn(data)
    decision = GAME.decision(state)
    for action in GAME.candidates(state):
        verdict = GAME.judge(state, decision.player if decision else None, action)
        offered = decision is not None and action in decision.legal
        assert verdict.legal == offered, (GAME.text(action), verdict.deciding, GAME.observe(state))
    for action in islice(GAME.candidates(state), 0, None, 7):
        for player in (None, *(seat.name for seat in state.seats)):
            if decision is None or player != decision.player:
                assert not GAME.judge(state, player, action).legal


@pytest.mark.parametrize("seed", range(6))
def test_guard_and_generator_agree_in_games(seed: int) -> None:
    """The same on positions that games come to."""
    for state, player, _, _, _ in islice(game(seed), seed, None, 9):
        legal = GAME.decision(state).legal  # type: ignore[union-attr]
        for action in islice(GAME.candidates(state), seed % 3, None, 3):
            verdict = GAME.judge(state, player, action)
            assert verdict.legal == (action in legal), (GAME.text(action), verdict.deciding)


@settings(deadline=None, max_examples=100)
@given(st.data())
def test_every_legal_action_is_allowed_and_counted_once(data: st.DataObject) -> None:
    """The guard allows each member; members are distinct, as many as counted, indexed in order and written back."""
    state = drawn(data)
    decision = GAME.decision(state)
    if decision is None or len(decision.legal) > LISTED:
        return
    listed = list(decision.legal)
    assert 1 <= len(listed) == len(decision.legal) == len(set(listed))
    assert [decision.legal[i] for i in range(len(listed))] == listed
    for action in listed:
        assert action in decision.legal
        assert GAME.judge(state, decision.player, action).legal, GAME.text(action)
        assert GAME.read(GAME.text(action)) == action == GAME.read(GAME.json(action))


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_an_action_about_too_much_is_not_legal(data: st.DataObject) -> None:
    """A legal action with a further item, or a part that no action has, is neither offered nor allowed."""
    state = drawn(data)
    decision = GAME.decision(state)
    for action in decision.legal.single if decision else ():
        assert decision is not None
        for wrong in (
            Action(action.verb, (*action.items, "Nothing")),
            Action(action.verb, action.items, (("to", ("A",)),)),
        ):
            assert wrong not in decision.legal
            assert not GAME.judge(state, decision.player, wrong).legal


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_every_verdict_and_decision_names_a_rule_of_the_rulebook(data: st.DataObject) -> None:
    """No verdict is without a rule, and no rule is unknown; so too of what explains actions and set-ups."""
    state = drawn(data)
    decision = GAME.decision(state)
    named = set(decision.rules if decision else GAME.outcome(state).rules)  # type: ignore[union-attr]
    for action in GAME.candidates(state):
        for player in (None, "A", "Z"):
            verdict = GAME.judge(state, player, action)
            assert verdict.rules
            named.update(reason.rule for reason in verdict.reasons)
    for action in decision.legal.single if decision else ():
        assert GAME.consequences(state, action)
        named.update(GAME.consequences(state, action))
    for field in GAME.observe(state):
        named.update(GAME.settings(field))
    assert not [rule for rule in sorted(named) if rule not in GAME.rulebook]


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_a_position_is_read_back_as_it_is_observed(data: st.DataObject) -> None:
    """`position` of `observe` is the same state, wherever nothing is under way."""
    state = drawn(data)
    seen = GAME.observe(state)
    if state.stack:
        with pytest.raises(BadPosition, match="under way"):
            GAME.position(seen, EDITION)
    else:
        assert GAME.position(seen, EDITION) == state


def test_players_see_neither_decks_nor_others_hands_nor_face_down_cards() -> None:
    """What lies face-down in a Province is hidden from its owner too."""
    state = at(
        provinces={"A": [["Farm down", "Mine"]]},
        hand={"A": ["Strike"], "B": ["Block"]},
        dynasty={"A": ["Mine"]},
        cards={"Farm": {"type": "Holding"}, "Mine": {"type": "Holding"}},
    )
    seen = GAME.observe(state, "A")
    assert seen["provinces"]["A"] == [["face-down card", "Mine"]]
    assert seen["hand"] == {"A": ["Strike"]}
    assert seen["hand size"] == {"A": 1, "B": 1}
    assert not {"dynasty", "fate"} & seen.keys()


def test_the_game_is_found_by_name() -> None:
    """It is loaded like any other game."""
    assert load("l5r") is GAME


# -- the order of moments --------------------------------------------------------------------------


@pytest.mark.parametrize("times", [1, 2, 3])
def test_text_and_rulings_order_all_moments_of_a_game(times: int) -> None:
    """With so many turns, each with so many battles, the order is unique; without any one axiom it is not."""
    unit = GAME_TIME.unrolled(times)
    assert ORDERING.undecided(unit) == []
    assert len(ORDERING.order(unit)) == len(set(ORDERING.merged(unit).values()))
    for axiom in ORDERING.axioms:
        rest = Ordering(tuple(other for other in ORDERING.axioms if other != axiom))
        decided = times == 1 and axiom.rule in ("l5r.seq.after-turn", "l5r.ruling.battles-in-turn")
        assert bool(rest.undecided(unit)) != decided, axiom


def test_what_the_text_alone_leaves_open_is_about_inner_and_outer_ends_and_battles() -> None:
    """Every axiom that is not in the text is a ruling with an id that says so, and decides nothing else."""
    rulings = [axiom for axiom in ORDERING.axioms if axiom.ruling]
    assert [axiom.rule for axiom in rulings] == ["l5r.ruling.inner-after-first", "l5r.ruling.battles-in-turn"]
    text = ORDERING - {axiom.rule for axiom in rulings}
    for one, other in text.undecided(GAME_TIME.unrolled(2)):
        units = {moment.unit.rstrip("0123456789. ") for moment in (one, other) if moment.edge == "after"}
        assert units & {"battle", "attack phase", "game"}
    assert {axiom.rule for axiom in ORDERING.axioms if axiom.rule} <= GAME.rulebook.rules.keys()


def test_between_two_phases_it_is_no_phase() -> None:
    """A position says so of every moment that begins or ends one; inside the Attack Phase it says that."""
    for moment in CALENDAR.moments:
        if moment.edge == "during":
            continue
        inside = "attack phase" in CALENDAR.within(moment)
        fields: dict[str, Any] = {"at": str(moment), "provinces": {"B": [[]]}}
        fields["triggers"] = [{"owner": "B", "name": name, "at": str(moment)} for name in ("Dawn", "Dusk")]
        if inside or moment == Moment("before", "attack phase"):
            fields["attack"] = {"defender": "B", **({"at": "1"} if moment == Moment("before", "battle") else {})}
        state = at(**fields)
        assert state.at == moment
        seen = GAME.observe(state)
        assert (seen.get("phase"), seen.get("step")) == ("attack" if inside else None, None)


def test_before_a_battle_and_before_its_combat_segment_is_one_moment() -> None:
    """Engaging: both names stand for one moment, and the segment's own time follows."""
    engaging = CALENDAR.canonical(Moment("before", "combat segment"))
    assert engaging == CALENDAR.canonical(Moment("before", "battle"))
    assert CALENDAR.following(engaging) == COMBAT


def test_counting_passes_on_before_a_turn() -> None:
    """After a turn counts to it, before a turn to the coming one."""
    assert TURNS.begins(Moment("before", "turn"))
    assert not TURNS.begins(Moment("after", "turn"))


def test_time_passes_in_the_order_of_the_calendar() -> None:
    """A trigger at every moment of two turns, an attack in one of them, resolves in the calendar's order."""
    moments = [m for m in CALENDAR.moments if m.edge != "during" and m.unit != "game"]
    state = at(
        phase="end",
        active="B",
        turn=2,
        provinces={"A": [[]], "B": [[]]},
        triggers=[
            {"owner": "A", "name": f"T{i}", "at": str(moment), "effect": {"honor": 1}, "turn": "A"}
            for i, moment in enumerate(moments)
        ],
        win={"honor": 1000},
    )
    resolved: list[str] = []
    for action in ("pass", "pass", "attack B", "fight at 1", "pass", "pass", "end dynasty phase"):
        state, events = GAME.apply(state, GAME.read(action))
        resolved += [event.items[0] for event in events if event.event == "resolved"]
    assert state["A"].honor == len(moments)
    began = moments.index(Moment("after", "action phase"))
    assert resolved == [f"T{i}" for i in range(began, len(moments))]


# -- assignments -----------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.lists(st.sampled_from(["Hida", "Moto", "Shiba"]), max_size=5), st.integers(0, 3))
def test_assignments_are_all_arrangements(units: list[str], fields: int) -> None:
    """Counted, listed and asked, they are what trying every place for every unit gives."""
    brute = {
        Action("assign", bag(item(unit, place) for unit, place in zip(units, places, strict=True) if place >= 0))
        for places in product(range(-1, fields), repeat=len(units))
    }
    family = Assignments(bag(units), tuple(range(fields)))
    assert len(family) == len(brute)
    assert {family.nth(i) for i in range(len(family))} == brute
    assert all(action in family for action in brute)
    for wrong in (["Hida to 0"], ["Hida to 01"], ["Hida"], [f"Moto to {fields + 1}"], ["Shiba to 1"] * 6):
        assert Action("assign", bag(wrong)) not in family
    for outside in (-1, len(family)):
        with pytest.raises(IndexError):
            family.nth(outside)


def test_twenty_units_at_four_battlefields_are_not_listed() -> None:
    """5 to the power of 20 assignments are counted, indexed and asked at once."""
    names = [f"U{i}" for i in range(20)]
    state = at(
        phase="attack",
        step="infantry",
        attack={"attacker": "A", "defender": "B"},
        provinces={"B": [[], [], [], []]},
        home={"A": names},
        cards={name: {"type": "Personality"} for name in names},
    )
    decision = GAME.decision(state)
    assert decision is not None
    assert len(decision.legal) == 5**20
    assert decision.legal[0] == Action("assign")
    for index in range(0, 5**20, 5**20 // 17):
        action = decision.legal[index]
        assert action in decision.legal
        assert GAME.judge(state, "A", action).legal
    assert len(GAME.play(state, decision.legal[5**20 - 1])[0]["A"].home) == 0


# -- what never happens ----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(25))
def test_games_keep_to_the_text(seed: int) -> None:
    """Action rounds, battles, Dynasty and End Phase of random games, judged by what was played alone."""
    fought: Counter[tuple[int, str]] = Counter()
    passes, discarded = 0, False
    for state, player, action, after, events in game(seed):
        main = state.at in (ACTION, COMBAT) and not state.stack
        if main:
            assert state.round is not None
            assert player == state.round.player
        if main and action.verb == "use" and state.at == ACTION:
            type_ = state[str(player)].ability(action.items[0]).type  # type: ignore[union-attr]
            assert type_ == "Open" or (type_ == "Limited" and player == state.mover.name)
        depth, deeper = len(state.interrupted), len(after.interrupted)
        if action.verb == "fight at":
            field = (depth, action.items[0])
            fought[field] += 1
            assert fought[field] == 1
        if state.attack and not after.over and (after.attack is None or deeper < depth):
            assert set(state.attack.left) <= {state.attack.at}
        if any(event.event == "attacked" for event in events):
            fought = Counter({key: n for key, n in fought.items() if key[0] < deeper})
        if main and not after.interrupted and not state.interrupted:
            passes = passes + 1 if action.verb == "pass" else 0
            if after.at != state.at and not after.over:
                assert passes >= len(state.order())
                passes = 0
        if state.at == DYNASTY:
            assert not (action.verb == "bring" and discarded)
            discarded = discarded or action.verb == "discard"
        else:
            discarded = False
        if state.at == END and action.verb == "discard":
            assert len(state.mover.hand) > state.mover.most
            assert len(after[state.mover.name].hand) >= min(state.mover.most, len(state.mover.hand) - 1)


@pytest.mark.parametrize("seed", range(12))
def test_games_lose_no_card(seed: int) -> None:
    """Every card is somewhere: in a deck, a Province, a hand, in play, at a battlefield or discarded."""

    def cards(state: State) -> list[int]:
        return [
            size(seat.dynasty)
            + size(seat.fate)
            + len(seat.hand)
            + len(seat.discard)
            + sum(map(len, seat.provinces))
            + len(state.in_play(seat.name))
            for seat in state.seats
        ]

    steps = [state for state, _, _, _, _ in game(seed) if state.stack == () or state.stack[-1].do != "first"]
    whole = [step for step in steps if not any(waits.do == "resolved" for waits in step.stack)]
    assert len(whole) > 10
    assert all(cards(step) == cards(whole[0]) for step in whole)


@pytest.mark.parametrize("seed", range(12))
def test_turns_go_round_and_abilities_come_back(seed: int) -> None:
    """Each turn is the next player's who has not lost; an ability used is unused again in the next turn only."""
    for state, _, _, after, _ in game(seed):
        assert 0 <= after.turn - state.turn <= 1 or after.over
        if after.turn == state.turn + 1:
            assert after.mover.name == state.order()[1]
        elif after.turn == state.turn:
            for seat, then in zip(state.seats, after.seats, strict=True):
                assert all(b.used >= a.used for a, b in zip(seat.abilities, then.abilities, strict=True))


def test_games_end_in_every_way() -> None:
    """By an effect, Honor as a turn begins, dishonor as one ends, the last Province destroyed; there is one winner."""
    causes: Counter[str] = Counter()
    for seed in range(60):
        for _, _, _, after, _ in game(seed):
            outcome = GAME.outcome(after)
            assert (outcome is not None) == after.over
            if outcome is not None:
                assert len(outcome.winners) == 1
                assert GAME.decision(after) is None
                causes[outcome.rules[0]] += 1
    assert set(causes) == {"l5r.over", "l5r.param.honor", "l5r.param.dishonor", "l5r.param.provinces"}


@settings(deadline=None, max_examples=100)
@given(st.data())
def test_who_has_the_opportunity_can_pass(data: st.DataObject) -> None:
    """In every action round, of Reactions too; and nothing but what chance decides is ever without a legal action."""
    state = drawn(data)
    decision = GAME.decision(state)
    if decision is None:
        return
    assert len(decision.legal) > 0
    in_round = state.stack[-1].do == "reactions" if state.stack else not state.waiting() and state.round is not None
    assert (Action("pass") in decision.legal) == in_round
    if state.stack and state.stack[-1].do == "reactions":
        step = state.stack[-1]
        for ability in state[str(decision.player)].abilities:
            usable = answers(state, str(decision.player), ability, step.names, step.cancelling)
            assert usable == (Action("use", (ability.name,)) in decision.legal)
            assert ready(state, str(decision.player), ability) or not usable


# -- losing a player, and other things that cases do not show ---------------------------------------


def test_a_player_who_has_lost_is_passed_over() -> None:
    """In turn order, in action rounds, as a Defender; and what was waiting of his does not happen."""
    state = at(
        players=["A", "B", "C"],
        active="A",
        phase="dynasty",
        honor={"A": -20},
        triggers=[{"owner": "A", "name": "Ghost", "at": "before action phase", "effect": {"honor": 1}}],
        win={"dishonor": -20},
    )
    state, events = GAME.apply(state, GAME.read("end dynasty phase"))
    assert Event("lost", "A") in events
    assert not [event for event in events if event.event == "resolved"]
    assert (state.mover.name, state.order()) == ("B", ("B", "C"))
    state = do(state, "pass", "pass")
    assert texts(state) == {"attack C", "no attack"}
    state = do(state, "no attack", "end dynasty phase", "pass", "pass", "no attack", "end dynasty phase")
    assert state.mover.name == "B"
    with pytest.raises(IllegalAction):
        do(state, "attack A")


def test_an_attack_created_in_the_events_phase_comes_back_to_it() -> None:
    """The cards dealt with stay so, and the rest of the Province is dealt with after the attack."""
    raid: dict[str, Any] = {"type": "Event", "effect": {"attack": "B"}}
    farm: dict[str, Any] = {"type": "Holding"}
    state = at(
        phase="events",
        provinces={"A": [["Farm", "Raid down"], ["Mine down"]], "B": [[]]},
        cards={"Farm": farm, "Mine": farm, "Raid": raid},
    )
    state = do(state, "deal with Raid")
    assert texts(state) == {"fight at 1"}
    assert state.mover.provinces[1][0].up is False
    again = GAME.position(GAME.observe(state), EDITION)
    assert again == state
    for each in (state, again):
        after = do(each, "fight at 1", "pass", "pass")
        assert after.at == ACTION
        assert [str(card) for province in after.mover.provinces for card in province] == ["Farm", "Mine"]


def test_the_face_up_card_that_refills_is_dealt_with_though_an_attack_comes_between() -> None:
    """An Event that creates an attack and is replaced by another one: the attack, then the other."""
    state = at(
        phase="events",
        provinces={"A": [["Raid down"]], "B": [[]]},
        dynasty={"A": ["Storm"]},
        cards={
            "Raid": {"type": "Event", "effect": {"attack": "B", "refill": "up"}},
            "Storm": {"type": "Event", "effect": {"honor": 3}},
        },
    )
    assert texts(state) == {"fight at 1"}
    assert GAME.position(GAME.observe(state), EDITION) == state
    assert do(state, "fight at 1", "pass", "pass")["A"].honor == 3


def test_attacks_nest() -> None:
    """A Battle action may create another Attack Phase; then the battle goes on where it was."""
    state = at(
        phase="attack",
        step="combat",
        attack={"attacker": "A", "defender": "B", "at": "1"},
        provinces={"A": [[]], "B": [[], []]},
        abilities={"B": [{"name": "Sally", "type": "Battle", "effect": {"attack": "A"}}]},
    )
    state = do(state, "use Sally", "fight at 1")
    assert state.attack is not None
    assert (state.attack.attacker, len(state.interrupted)) == ("B", 1)
    assert GAME.position(GAME.observe(state), EDITION) == state
    state = do(state, "pass", "pass")
    assert state.attack is not None
    assert (state.attack.attacker, state.attack.at, state.interrupted) == ("A", 0, ())
    assert state.round is not None
    assert (state.round.player, state.round.passed) == ("A", ())
    assert texts(do(state, "pass", "pass")) == {"fight at 2"}


def test_an_additional_action_of_an_additional_action() -> None:
    """Each may grant the next; only the first used the opportunity."""
    more: dict[str, Any] = {"type": "Open", "effect": {"action": "Open"}}
    state = at(phase="action", abilities={"A": [{"name": f"More{i}", **more} for i in range(3)]})
    state = do(state, "use More0", "use More1")
    assert texts(state) == {"use More2", "decline"}
    state = do(state, "decline")
    assert state.round is not None
    assert (state.round.player, state.round.passed) == ("B", ())


def test_a_cancelled_additional_action_is_over() -> None:
    """Its player had it, and the round goes on with the next player."""
    state = at(
        phase="action",
        abilities={
            "A": [
                {"name": "Haste", "type": "Open", "effect": {"action": "Open"}},
                {"name": "Gift", "type": "Open", "effect": {"honor": 1}},
            ],
            "B": [{"name": "Ward", "type": "Reaction", "to": "Gift", "effect": {"cancel": True}}],
        },
    )
    state = do(state, "use Haste", "use Gift", "pass", "use Ward", "pass", "pass")
    assert state["A"].honor == 0
    assert state.round is not None
    assert state.round.player == "B"


def test_a_cancelled_event_is_discarded_without_effect() -> None:
    """And the Events Phase goes on."""
    state = at(
        phase="events",
        provinces={"A": [["Storm"], ["Flood"]]},
        cards={
            "Storm": {"type": "Event", "effect": {"honor": 1}},
            "Flood": {"type": "Event", "effect": {"honor": 2}},
        },
        abilities={"B": [{"name": "Ward", "type": "Reaction", "to": "Storm", "effect": {"cancel": True}}]},
    )
    assert texts(state) == {"pass"}
    state = do(state, "pass", "use Ward", "pass", "pass")
    assert state.at == ACTION
    assert state["A"].honor == 2
    assert state["A"].discard == ("Flood", "Storm")


def test_an_order_among_triggers_of_others_still_asks_their_owner() -> None:
    """The active player says which is next; if it is optional its owner says whether it happens."""
    waits: dict[str, Any] = {"at": "before action phase", "effect": {"honor": 1}}
    state = at(
        phase="events",
        triggers=[
            {"owner": "B", "name": "Feast", "optional": True, **waits},
            {"owner": "A", "name": "Fast", **waits},
        ],
    )
    decision = GAME.decision(state)
    assert decision is not None
    assert (decision.player, decision.kind, texts(state)) == ("A", "order", {"resolve Feast", "resolve Fast"})
    state = do(state, "resolve Feast")
    decision = GAME.decision(state)
    assert decision is not None
    assert (decision.player, texts(state)) == ("B", {"resolve Feast", "decline"})
    assert do(state, "decline")["B"].honor == 0
    assert do(state, "resolve Feast")["B"].honor == 1


def test_a_bowed_unit_at_a_battlefield_is_found() -> None:
    """Effects reach units there, on both sides, and units go home as they are."""
    state = at(
        phase="attack",
        step="combat",
        attack={
            "attacker": "A",
            "defender": "B",
            "at": "1",
            "fields": {"1": {"A": ["Shiba"], "B": ["Hida bowed"]}},
        },
        provinces={"B": [[]]},
        cards={"Shiba": {"type": "Personality"}, "Hida": {"type": "Personality"}},
        abilities={
            "B": [
                {"name": "Trip", "type": "Battle", "effect": {"bow": "Shiba"}},
                {"name": "Rise", "type": "Battle", "effect": {"straighten": "Hida"}},
            ]
        },
    )
    state = do(state, "use Trip", "pass", "use Rise", "pass", "pass")
    assert [str(unit) for unit in state["A"].home] == ["Shiba bowed"]
    assert [str(unit) for unit in state["B"].home] == ["Hida"]


# -- positions that cannot be ----------------------------------------------------------------------

SHIBA: dict[str, Any] = {"Shiba": {"type": "Personality"}}
FARM: dict[str, Any] = {"Farm": {"type": "Holding"}}
DAWN: dict[str, Any] = {"owner": "A", "name": "Dawn", "at": "before turn"}


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"colour": 1}, ("colour",)),
        ({"active": "Z"}, ("active",)),
        ({"players": ["A"]}, ("players",)),
        ({"phase": "draw"}, ("phase",)),
        ({"phase": "dynasty", "step": "combat"}, ("step",)),
        ({"at": "before lunch"}, ("at",)),
        ({"at": "before action phase", "phase": "action"}, ("phase",)),
        ({"phase": "dynasty", "passed": ["A"]}, ("passed",)),
        ({"phase": "action", "passed": ["B"], "turn to act": "B"}, ("passed",)),
        ({"phase": "action", "passed": ["A", "B"]}, ("passed",)),
        ({"phase": "attack", "step": "infantry"}, ("attack",)),
        ({"phase": "attack", "step": "battles"}, ("attack",)),
        ({"phase": "action", "attack": {"defender": "B"}}, ("attack",)),
        ({"phase": "attack", "attack": {"attacker": "A"}}, ("attack", "defender")),
        ({"phase": "attack", "attack": {"defender": "A"}}, ("attack", "defender")),
        ({"phase": "attack", "step": "combat", "attack": {"defender": "B"}}, ("attack", "at")),
        ({"phase": "attack", "attack": {"defender": "B", "fields": {"1": {}}}}, ("attack", "fields", "1")),
        ({"phase": "action", "interrupted": [{"at": "during events phase"}]}, ("interrupted",)),
        ({"provinces": {"A": [["Farm"]]}}, ("provinces", "A", 0, 0)),
        ({"home": {"A": ["Farm"]}, "cards": FARM}, ("home", "A", 0)),
        ({"cards": {"Farm": {"type": "Building"}}}, ("cards", "Farm", "type")),
        ({"cards": {"Farm": {"type": "Event", "effect": {"gold": 2}}}}, ("cards", "Farm", "effect", "gold")),
        ({"cards": {"Way to Go": {"type": "Event"}}}, ("cards", "Way to Go")),
        ({"abilities": {"A": [{"name": "Ward", "type": "Reaction"}]}}, ("abilities", "A", 0, "to")),
        ({"abilities": {"A": [{"name": "Ward", "type": "Open", "effect": {"cancel": True}}]}}, None),
        ({"abilities": {"A": [{"name": "W", "type": "Open"}, {"name": "W", "type": "Open"}]}}, None),
        ({"triggers": [{"owner": "A", "name": "Dawn", "at": "before lunch"}]}, ("triggers", 0, "at")),
        ({"triggers": [{"owner": "Z", "name": "Dawn", "at": "before turn"}]}, ("triggers", 0, "owner")),
        ({"triggers": [{**DAWN, "effect": {"attack": "Z"}}]}, ("triggers", 0, "effect", "attack")),
        ({"triggers": [{**DAWN, "effect": {"bow": "Farm"}}]}, ("triggers", 0, "effect", "bow")),
        ({"triggers": [{**DAWN, "effect": {"each": {"attack": "B"}}}]}, ("triggers", 0, "effect", "each", "attack")),
        ({"triggers": [{**DAWN, "turns": -1}]}, ("triggers", 0, "turns")),
        ({"triggers": [DAWN, {**DAWN, "owner": "B"}]}, ("triggers", 1, "name")),
        ({"triggers": [DAWN, {**DAWN, "effect": {"draw": 1}}]}, ("triggers", 1, "name")),
        ({"regions": {"A": {"1": ["Farm"]}}, "cards": FARM}, ("regions", "A", "1")),
        ({"out": ["A"], "active": "A"}, ("out",)),
        ({"out": ["A"], "players": ["A", "B", "C"], "active": "A"}, ("active",)),
        ({"out": ["A", "B"], "at": "after turn", "triggers": [DAWN]}, ("out",)),
        ({"hand": {"A": ["Strike"]}, "hand size": {"A": 2}}, ("hand size", "A")),
        ({"win": {"honor": 0}}, ("win", "honor")),
        ({"under way": ["draw"]}, ("under way",)),
    ],
)
def test_a_position_that_cannot_be_is_refused_where_it_is_wrong(
    fields: dict[str, Any], path: tuple[str | int, ...] | None
) -> None:
    """With the path of the fault and what would be right."""
    with pytest.raises(BadPosition) as refused:
        GAME.position(fields, EDITION)
    assert refused.value.fix
    if path is not None:
        assert refused.value.path == path


def test_more_units_than_len_can_count() -> None:
    """The count stays exact, members are indexed, and `len` says the most that it can."""
    names = [f"U{i}" for i in range(40)]
    state = at(
        phase="attack",
        attack={"attacker": "A", "defender": "B"},
        home={"A": names},
        provinces={"B": [[], [], [], []]},
        cards={name: {"type": "Personality"} for name in names},
    )
    legal = GAME.decision(state).legal  # type: ignore[union-attr]
    assert legal.count == 5**40 > len(legal)
    assert legal[5**40 - 1] in legal


@pytest.mark.parametrize("text", ["assign", "fight 2", "pass now", "end turn", "bring Farm, Mine"])
def test_what_is_no_action_is_refused(text: str) -> None:
    """With what would be right; only `assign` alone, which assigns nothing, is one."""
    if text == "assign":
        assert GAME.read(text) == Action("assign")
    else:
        with pytest.raises(BadAction) as refused:
            GAME.read(text)
        assert str(refused.value)


def test_a_setup_says_whose_turns_are_counted() -> None:
    """There is no active player before the game; with one named, that player's turns are."""
    setup = {"players": ["A", "B"], "honor": {"B": 1}, "triggers": [{**DAWN, "turns": 1, "effect": {"honor": 7}}]}
    with pytest.raises(BadPosition) as refused:
        GAME.start(setup, EDITION)
    assert refused.value.path == ("triggers", 0, "turn")
    setup["triggers"][0]["turn"] = "A"  # type: ignore[index]
    state = do(GAME.start(setup, EDITION), "pass", "pass", "no attack", "end dynasty phase")
    assert (state.mover.name, state["A"].honor) == ("A", 7)


def test_setup_shuffles_every_deck() -> None:
    """However it is listed: what is filled and drawn first is chance."""
    setup = {
        "honor": {"A": 2, "B": 1},
        "dynasty": {"A": ["Farm", "Shiba", "Farm", "Farm"]},
        "cards": {**SHIBA, **FARM},
    }
    state = GAME.start(setup, EDITION)
    assert texts(state) == {"fill Farm", "fill Shiba"}
