"""Calendars and the order of moments, turn order, the agenda, and rounds of passing."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.timing import (
    NESTED,
    Attribution,
    Axiom,
    Calendar,
    Moment,
    Ordering,
    Round,
    Trigger,
    Unit,
    at,
    by_class,
    conditioned,
    next_up,
    turn_order,
    without,
)

UNITS = st.recursive(st.just(()), lambda parts: st.lists(parts, min_size=1, max_size=3).map(tuple), max_leaves=8)


def named(shape: object, name: str = "unit") -> Unit:
    """A unit of that shape, its parts named by their place."""
    assert isinstance(shape, tuple)
    return Unit(name, tuple(named(part, f"{name}.{i}") for i, part in enumerate(shape)))


@given(UNITS)
def test_outer_moments_enclose_inner_ones(shape: object) -> None:
    """A unit's before comes before all of its parts and its after behind them; each moment has one place."""
    calendar = Calendar(named(shape))
    place = {moment: i for i, moment in enumerate(calendar.moments)}
    assert len(place) == len(calendar.moments)
    for moment in calendar.moments:
        outer = moment.unit.rpartition(".")[0]
        if outer:
            assert place[Moment("before", outer)] < place[moment] < place[Moment("after", outer)]


@given(UNITS)
def test_following_walks_all_moments_once(shape: object) -> None:
    """From the first moment on, `following` passes every moment in order and then ends."""
    calendar = Calendar(named(shape))
    walked, moment = [], calendar.first
    while moment is not None:
        walked.append(moment)
        following = calendar.following(moment)
        if following is None:
            break
        moment = following
    assert tuple(walked) == calendar.moments


# -- the order of moments --------------------------------------------------------------------------

DAY = Unit(
    "day",
    (Unit("morning"), Unit("meal", (Unit("course", repeats=True),), repeats=True, optional=True), Unit("night")),
    repeats=True,
)
WEEK = Unit("week", (DAY,))
FIGHT = Unit("war", (Unit("battle", (Unit("combat"), Unit("peace")), engages=True),))


@given(UNITS)
def test_the_nested_order_is_the_one_that_units_are_written_in(shape: object) -> None:
    """Its axioms leave nothing open, and each of them, but for engaging, is needed wherever it says anything."""
    unit = named(shape)
    assert NESTED.order(unit) == tuple(unit.moments())
    assert NESTED.undecided(unit) == []
    for axiom in NESTED.axioms:
        rest = Ordering(tuple(other for other in NESTED.axioms if other != axiom))
        assert bool(rest.undecided(unit)) == any(axiom.pairs(unit))


@given(UNITS)
def test_order_and_undecided_agree(shape: object) -> None:
    """There is one order exactly if no pair is undecided, whatever axiom is missing."""
    unit = named(shape)
    for axiom in NESTED.axioms:
        rest = Ordering(tuple(other for other in NESTED.axioms if other != axiom))
        if rest.undecided(unit):
            with pytest.raises(ValueError, match="nothing says which comes first"):
                rest.order(unit)
        else:
            assert rest.order(unit) == tuple(unit.moments())


@given(UNITS, st.data())
def test_why_says_by_which_axioms_one_moment_comes_before_another(shape: object, data: st.DataObject) -> None:
    """There is a reason in one direction only, and without all the axioms that it names there is none."""
    ordering = Ordering(tuple(Axiom(f"t.{i}", axiom.says) for i, axiom in enumerate(NESTED.axioms)))
    calendar = Calendar(named(shape), ordering)
    i, j = sorted(data.draw(st.lists(st.integers(0, len(calendar.moments) - 1), min_size=2, max_size=2, unique=True)))
    earlier, later = calendar.moments[i], calendar.moments[j]
    rules = calendar.why(earlier, later)
    assert rules
    assert calendar.why(later, earlier) == ()
    assert not (ordering - ordering_rules(ordering)).why(calendar.unit, earlier, later)
    assert (ordering - {rule for rule in ordering_rules(ordering) if rule not in rules}).why(
        calendar.unit, earlier, later
    )


def ordering_rules(ordering: Ordering) -> set[str]:
    """All its rules."""
    return {axiom.rule for axiom in ordering.axioms}


def test_units_that_start_together_have_one_moment() -> None:
    """What waits for before the first part of a unit that engages waits for before the unit."""
    calendar = Calendar(FIGHT)
    one, other = Moment("before", "battle"), Moment("before", "combat")
    assert calendar.canonical(other) == one == calendar.canonical(one)
    assert one in calendar.moments
    assert other not in calendar.moments
    assert other in calendar
    assert calendar.following(one) == Moment("during", "combat")
    assert Moment("before", "peace") in calendar.moments


def test_units_of_one_name_contradict_one_another() -> None:
    """Moments are told apart by name, so that a name stands for one unit."""
    with pytest.raises(ValueError, match="contradict"):
        Calendar(Unit("day", (Unit("day"),)))
    with pytest.raises(ValueError, match="contradict"):
        NESTED.undecided(Unit("day", (Unit("day"),)))


def test_repeating_and_optional_units() -> None:
    """A unit that ends may come again, one that would begin may be left out; the order says where time goes on."""
    calendar = Calendar(WEEK)
    after = Moment("after", "meal")
    assert calendar.following(after) == Moment("before", "night")
    assert calendar.following(after, again=True) == Moment("before", "meal")
    assert calendar.following(Moment("after", "morning")) == Moment("before", "meal")
    assert calendar.following(Moment("after", "morning"), skip=True) == Moment("before", "night")
    assert calendar.following(Moment("after", "day"), again=True) == Moment("before", "day")
    assert calendar.following(Moment("after", "week")) is None
    for wrong in ({"again": True}, {"skip": True}):
        with pytest.raises(KeyError):
            calendar.following(Moment("before", "night"), **wrong)


def test_a_moment_belongs_to_the_units_around_it() -> None:
    """The edge of a unit lies between units, in the larger one; what is done in a unit lies in it."""
    calendar = Calendar(WEEK)
    assert calendar.within(Moment("after", "morning")) == ("week", "day")
    assert calendar.within(Moment("during", "course")) == ("week", "day", "meal", "course")
    assert calendar.within(Moment("before", "week")) == ()


def test_why_reaches_into_the_next_of_a_repeating_unit() -> None:
    """What comes earlier in a unit comes later than its end in the next one."""
    calendar = Calendar(WEEK, Ordering(tuple(Axiom(f"t.{axiom.says}", axiom.says) for axiom in NESTED.axioms)))
    assert calendar.why(Moment("after", "day"), Moment("before", "day")) == ("t.next",)
    assert calendar.why(Moment("after", "day"), Moment("before", "morning")) == ("t.next", "t.outer first")


@pytest.mark.parametrize("times", [1, 2, 3])
def test_unrolled_units_are_numbered_and_ordered(times: int) -> None:
    """Every repetition has names of its own, and the order of a whole week is unique."""
    week = WEEK.unrolled(times)
    names = [unit.name for unit in week.units()]
    assert len(set(names)) == len(names)
    assert f"course {times}.{times}.{times}" in names
    assert len(NESTED.order(week)) == len(list(week.moments()))
    assert not any(unit.repeats for unit in week.units())


def test_axioms_about_kinds_say_nothing_of_other_units() -> None:
    """An axiom on turns leaves open what only an axiom on phases decides."""
    unit = Unit("game", tuple(Unit(f"turn {i}", (Unit(f"phase {i}", kind="phase"),), kind="turn") for i in (1, 2)))
    turns = Ordering((*(NESTED.axioms[0],), *NESTED.axioms[2:4], Axiom("t.turns", "next", ("turn",))))
    assert turns.undecided(unit) == []
    phases = Ordering((*(NESTED.axioms[0],), *NESTED.axioms[2:4], Axiom("t.phases", "next", ("phase",))))
    assert (Moment("after", "turn 1"), Moment("before", "turn 2")) in phases.undecided(unit)


def test_attribution_is_the_games() -> None:
    """Counting passes on to the coming turn at a moment that each game names."""
    between = [Moment("after", "turn"), Moment("before", "turn"), Moment("before", "upkeep")]
    for first in between:
        assert [Attribution(first).begins(moment) for moment in between].index(True) == between.index(first)


# -- turn order and the agenda ---------------------------------------------------------------------


@given(st.lists(st.sampled_from("ABCDEF"), min_size=1, unique=True), st.data())
def test_turn_order_goes_once_round(seats: list[str], data: st.DataObject) -> None:
    """Turn order starts with the given seat, keeps the seating, and has each seat once."""
    first = data.draw(st.sampled_from(seats))
    order = turn_order(seats, first)
    assert order[0] == first
    assert sorted(order) == sorted(seats)
    for here, there in pairwise(order):
        assert (seats.index(here) + 1) % len(seats) == seats.index(there)


MOMENTS = [Moment("before", "turn"), Moment("after", "turn")]
TRIGGERS = st.lists(
    st.builds(
        Trigger,
        owner=st.sampled_from(["A", "B", "C", None]),
        moment=st.sampled_from(MOMENTS),
        name=st.sampled_from(["x", "y"]),
        effect=st.just(0),
        turn_of=st.sampled_from([None, "A", "B"]),
        rank=st.integers(0, 2),
        live=st.booleans(),
    ),
    max_size=6,
)


@given(TRIGGERS, st.sampled_from(MOMENTS), st.permutations("ABC"))
def test_the_first_player_in_order_with_something_due_chooses_among_all_of_it(
    agenda: list[Trigger[int]], moment: Moment, order: list[str]
) -> None:
    """The game's own comes first, then the first player who has something due, with all of it and nothing else."""
    due = [t for t in agenda if t.live and t.moment == moment and (t.turn_of is None or t.turn_of == order[0])]
    waiting = next_up(agenda, moment, order)
    if waiting is None:
        assert due == []
        return
    owners = [None, *order]
    earlier = owners[: owners.index(waiting.chooser)]
    assert not [t for t in due if t.owner in earlier]
    assert list(waiting.triggers) == [t for t in due if t.owner == waiting.chooser] != []
    assert waiting.forced == (len({trigger.name for trigger in waiting.triggers}) == 1)


@given(TRIGGERS, st.sampled_from(MOMENTS), st.permutations("ABC"))
def test_by_class_the_active_player_orders_the_first_class(
    agenda: list[Trigger[int]], moment: Moment, order: list[str]
) -> None:
    """All that is due of the lowest rank may be next, whoever owns it, and nothing of a higher one."""
    due = [trigger for trigger in at(agenda, moment, order[0]) if trigger.live]
    waiting = next_up(agenda, moment, order, by_class)
    if waiting is None:
        assert due == []
        return
    assert waiting.chooser == order[0]
    first = min(trigger.rank for trigger in due)
    assert list(waiting.triggers) == [trigger for trigger in due if trigger.rank == first]


@given(TRIGGERS, st.sampled_from(MOMENTS), st.permutations("ABC"), st.booleans())
def test_a_condition_that_changes_changes_what_may_be_next(
    agenda: list[Trigger[int]], moment: Moment, order: list[str], live: bool
) -> None:
    """A trigger whose condition becomes true may be next, one whose condition is true no longer never is."""
    changed = conditioned(agenda, "x", live)
    assert [t for t in changed if t.name != "x"] == [t for t in agenda if t.name != "x"]
    for policy in ({}, {"policy": by_class}):
        waiting = next_up(changed, moment, order, **policy)
        up = waiting.triggers if waiting else ()
        assert all(trigger.live for trigger in up)
        if live and any(t.name == "x" for t in at(changed, moment, order[0])):
            assert waiting is not None


@given(TRIGGERS.filter(bool), st.data())
def test_without_takes_one_trigger_once(agenda: list[Trigger[int]], data: st.DataObject) -> None:
    """The others stay, also one that is just like it."""
    trigger = data.draw(st.sampled_from(agenda))
    left = without(agenda, trigger)
    assert len(left) == len(agenda) - 1
    assert left.count(trigger) == agenda.count(trigger) - 1
    with pytest.raises(ValueError, match="not in list"):
        without(left.__class__(), trigger)


# -- rounds of passing -----------------------------------------------------------------------------

DIDS = st.lists(st.sampled_from(["passed", "passed", "acted", "cancelled", "declined"]), max_size=30)


@given(st.integers(1, 6), DIDS)
def test_a_round_ends_when_all_have_passed_one_after_the_other(players: int, dids: list[str]) -> None:
    """Exactly then: an action reopens it for all, a cancelled action and a declined additional one change nothing."""
    round = Round(tuple("ABCDEF"[:players]))
    opportunities: list[str] = []
    for did in dids:
        if round.ended:
            break
        before = round
        round = round.after(did)  # type: ignore[arg-type]
        if did in ("cancelled", "declined"):
            assert round == before
            continue
        opportunities.append(did)
        assert before.player == "ABCDEF"[(len(opportunities) - 1) % players]
        last = opportunities[-players:]
        assert round.ended == (last == ["passed"] * players)
        passes = len(opportunities) - max((i + 1 for i, one in enumerate(opportunities) if one != "passed"), default=0)
        assert len(round.passed) == passes
        if did == "passed":
            assert round.passed[-1] == before.player


@given(st.integers(1, 6), DIDS)
def test_a_round_is_found_again_by_who_is_next_and_who_has_passed(players: int, dids: list[str]) -> None:
    """These two say how far a round that goes on has come."""
    start = round = Round(tuple("ABCDEF"[:players]))
    for did in dids:
        round = round.after(did)  # type: ignore[arg-type]
        if round.ended:
            break
        assert start.at(round.player, round.passed) == round


@pytest.mark.parametrize(("player", "passed"), [("A", "B"), ("B", "BA"), ("B", "CBA"), ("C", "ABC")])
def test_passes_that_cannot_have_been(player: str, passed: str) -> None:
    """Who has passed stands just before the next player, and not all have."""
    with pytest.raises(ValueError, match="cannot have passed"):
        Round(tuple("ABC")).at(player, passed)


def test_a_round_knows_what_each_player_may_take() -> None:
    """The kinds follow the order of the round."""
    round = Round(("B", "A"), (("Limited", "Open"), ("Open",)))
    assert round.kinds == ("Limited", "Open")
    assert round.after("acted").kinds == ("Open",)
    assert Round(("A",)).kinds == ()
