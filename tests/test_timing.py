"""Calendars, turn order and the agenda."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from oracle.timing import Calendar, Moment, Trigger, Unit, next_up, turn_order

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
    ),
    max_size=6,
)


@given(TRIGGERS, st.sampled_from(MOMENTS), st.permutations("ABC"))
def test_the_first_player_in_order_with_something_due_chooses_among_all_of_it(
    agenda: list[Trigger[int]], moment: Moment, order: list[str]
) -> None:
    """The game's own comes first, then the first player who has something due, with all of it and nothing else."""
    due = [t for t in agenda if t.moment == moment and (t.turn_of is None or t.turn_of == order[0])]
    waiting = next_up(agenda, moment, order)
    if waiting is None:
        assert due == []
        return
    owners = [None, *order]
    earlier = owners[: owners.index(waiting.chooser)]
    assert not [t for t in due if t.owner in earlier]
    assert list(waiting.triggers) == [t for t in due if t.owner == waiting.chooser] != []
