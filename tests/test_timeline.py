"""`oracle timeline`: what it shows as next is legal, everything that waits is shown once, in the calendar's order."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
import yaml
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracle import games
from oracle.cli import cli
from oracle.errors import BadInput
from oracle.games.dominion import state as dominion
from oracle.games.l5r import calendar as l5r
from oracle.games.station import state as station
from oracle.report.svg import EM
from oracle.report.timeline import shown, text
from oracle.report.timeline_picture import picture
from oracle.timing import Calendar, Trigger, at
from oracle.timing.timeline import Entry, Mark, Timeline
from tests.nim import Nim, Pile
from tests.strategies import states

MODELS = [games.load(name) for name in games.names()]
EVERY = st.sampled_from(MODELS).flatmap(lambda model: st.tuples(st.just(model), states(model.name)))
DRAWN = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
BATTLE = """
players: [A, B, C]
phase: attack
step: cavalry
attack: {attacker: A, defender: B}
provinces: {B: [[], []]}
triggers:
  - {owner: B, name: Drums, at: before battle, effect: {honor: 1}}
  - {owner: A, name: Horns, at: before combat segment, effect: {draw: 2}}
  - {owner: A, name: Feast, at: after attack phase, optional: true, when: false, class: B}
  - {owner: C, name: Dawn, at: before turn, turn: C}
  - {owner: C, name: Rite, at: before action phase}
"""
DURATIONS = """
players: [A, B]
phase: buy
in play: {A: [Wharf], B: [Caravan]}
cards:
  Caravan: {cost: 4, types: [Action, Duration]}
  Wharf: {cost: 5, types: [Action, Duration]}
waiting:
  - {player: B, card: Caravan, at: before turn, cards: 1}
  - {player: B, card: Wharf, at: before turn, cards: 2, buys: 1}
  - {player: A, card: Wharf, at: before turn, cards: 2, buys: 1}
  - {player: A, card: Wharf, at: before clean-up, coins: 1}
"""


def run(*args: str, input: str = "") -> Result:
    """The command's result, run in this process."""
    return CliRunner().invoke(cli, ["timeline", *args], input=input, prog_name="oracle")


def after(name: str, given: str, *actions: str) -> Timeline:
    """The timeline of a position after some actions."""
    model = games.load(name)
    state = model.position(yaml.safe_load(given), model.editions[0])
    for action in actions:
        state, _ = model.apply(state, model.read(action))
    return model.timeline(state)


def waiting(timeline: Timeline) -> list[tuple[Mark, Entry]]:
    """All that waits, each with its mark."""
    return [(mark, entry) for mark in timeline.marks for entry in mark.waiting]


def where(timeline: Timeline) -> dict[str, tuple[str, str | None, str]]:
    """For the name of what waits its moment, whose turn that is in, and whether it is to come."""
    return {entry.name: (mark.moment, mark.turn, mark.status) for mark, entry in waiting(timeline)}


def calendar_of(state: Any) -> Calendar:
    """The calendar of the state's game."""
    if isinstance(state, dominion.State):
        return state.calendar
    return station.CALENDAR if isinstance(state, station.State) else l5r.CALENDAR


def key(trigger: Trigger[Any]) -> tuple[object, ...]:
    """What an entry keeps of a trigger; while further turns of its player are to come it is not live."""
    return trigger.name, trigger.owner, trigger.turn_of, trigger.live and not getattr(trigger.effect, "turns", 0)


# -- what is shown -----------------------------------------------------------------------------------


@DRAWN
@given(EVERY)
def test_what_is_next_is_what_may_be_resolved(drawn: tuple[Any, Any]) -> None:
    """The names marked as next are those that the decision can resolve, now and by its player; else there are none."""
    model, state = drawn
    timeline, decision = model.timeline(state), model.decision(state)
    marked = {entry.name for mark, entry in waiting(timeline) if entry.next}
    ordering = decision is not None and decision.kind == "order" and not state.stack
    resolves = {action.items[0] for action in decision.legal if action.verb == "resolve"} if ordering else set()
    assert marked == resolves
    assert all(mark.status == "now" for mark, entry in waiting(timeline) if entry.next)
    assert (timeline.next is None) == (decision is None)
    if decision is not None and timeline.next is not None:
        asked = (decision.player, decision.kind, decision.about, decision.rules)
        assert (timeline.next.player, timeline.next.kind, timeline.next.about, timeline.next.rules) == asked


@DRAWN
@given(EVERY)
def test_all_that_waits_is_shown_once_where_it_waits(drawn: tuple[Any, Any]) -> None:
    """The entries are the agenda; each stands at its moment, at now exactly if it waits for now, never in the past."""
    model, state = drawn
    timeline = model.timeline(state)
    told = waiting(timeline)
    assert Counter((e.name, e.owner, e.turn_of, e.live) for _, e in told) == Counter(map(key, state.agenda))
    moments = Counter((key(trigger), str(calendar_of(state).canonical(trigger.moment))) for trigger in state.agenda)
    assert Counter(((e.name, e.owner, e.turn_of, e.live), mark.moment) for mark, e in told) == moments
    now = [(e.name, e.owner, e.turn_of, e.live) for mark, e in told if mark.status == "now"]
    assert Counter(now) == Counter(map(key, at(state.agenda, state.at, timeline.turn)))
    assert all(entry.turn_of in (None, mark.turn) for mark, entry in told if mark.turn)
    assert all(mark.turn is None for mark, _ in told if mark.status == "past")


@DRAWN
@given(EVERY)
def test_the_order_shown_is_the_calendars(drawn: tuple[Any, Any]) -> None:
    """Every turn shown has all its moments in order, with what is around turns: the calendar's moments; one is now."""
    model, state = drawn
    timeline, calendar = model.timeline(state), calendar_of(state)
    line = [mark for mark in timeline.marks if not mark.later]
    for player in dict.fromkeys(mark.turn for mark in line if mark.turn):
        seen = [mark.moment for mark in line if mark.turn in (None, player)]
        assert seen == [str(moment) for moment in calendar.moments]
    here = [mark for mark in timeline.marks if mark.status == "now"]
    assert [(mark.moment, mark.turn in (None, timeline.turn)) for mark in here] == [(str(state.at), True)]
    assert timeline.now == str(state.at)
    later = [mark for mark in timeline.marks if mark.later]
    assert all(mark.waiting and mark.status == "to come" for mark in later)


@DRAWN
@given(EVERY)
def test_units_enclose_their_moments(drawn: tuple[Any, Any]) -> None:
    """A unit goes from the mark before it to the mark after it; two units lie apart or one in the other, deeper."""
    model, state = drawn
    timeline, calendar = model.timeline(state), calendar_of(state)
    for span in timeline.spans:
        first, last = timeline.marks[span.first], timeline.marks[span.last]
        assert span.later or f"before {span.unit}" in (first.moment, *first.also)
        assert span.later or last.moment == f"after {span.unit}"
    for one, other in combinations(timeline.spans, 2):
        ones, others = set(range(one.first, one.last + 1)), set(range(other.first, other.last + 1))
        assert not ones & others or (others <= ones and other.depth > one.depth)
    assert {span.unit for span in timeline.spans} == {unit.name for unit in calendar.unit.units()}


@DRAWN
@given(EVERY)
def test_reasons_are_rules(drawn: tuple[Any, Any]) -> None:
    """Every rule that is named is in the game's rulebook and explained with its sentence, a ruling as a ruling."""
    model, state = drawn
    answer = shown(model, state, model.editions[0])
    assert [cited.rule for cited in answer.rules] == list(answer.timeline.rules)
    for cited in answer.rules:
        rule = model.rulebook[cited.rule]
        assert (cited.says, cited.ruling) == (rule.wording(answer.edition), rule.ruling)
        told = " ".join(text(answer).split())
        assert (cited.says in told) == (re.search(rf"{re.escape(cited.rule)}(?![\w.-]*\w)", told) is not None)
    stars = {id for id in answer.timeline.rules if answer.marked([id]).endswith("*")}
    assert stars == {cited.rule for cited in answer.rules if cited.ruling}


def test_what_the_axioms_call_a_ruling_the_rulebook_does() -> None:
    """In L5R an axiom is marked as a ruling exactly where its rule's source says so, and `l5r.ruling` rules all are."""
    rulebook = games.load("l5r").rulebook
    named = [axiom for axiom in l5r.ORDERING.axioms if axiom.rule]
    assert {axiom.rule: axiom.ruling for axiom in named} == {a.rule: rulebook[a.rule].ruling for a in named}
    assert {axiom.ruling for axiom in named} == {True, False}
    assert all(rule.ruling for id, rule in rulebook.rules.items() if id.startswith("l5r.ruling."))


# -- each game ---------------------------------------------------------------------------------------


def test_l5r_nests_and_engaging_is_one_moment() -> None:
    """Before a battle and before its combat segment is one mark; what is optional and what repeats is said."""
    timeline = after("l5r", BATTLE, "fight at 1")
    battle = next(mark for mark in timeline.marks if mark.moment == "before battle")
    assert (battle.also, battle.also_by) == (("before combat segment",), ("l5r.seq.engaging",))
    assert {entry.name for entry in battle.waiting if entry.next} == {"Drums", "Horns"}
    units = {span.unit: span for span in timeline.spans}
    assert (units["battle"].optional, units["battle"].repeats, units["battle"].engages) == (True, True, True)
    assert units["attack phase"].optional
    assert units["combat segment"].first == units["battle"].first
    depths = ("game", "turn", "attack phase", "battle", "combat segment")
    assert [units[unit].depth for unit in depths] == [0, 1, 2, 3, 4]
    ends = next(mark for mark in timeline.marks if mark.moment == "after battle")
    assert ends.why == ("l5r.ruling.inner-after-first",)
    assert timeline.counts_by == ("l5r.seq.attribution",)


def test_what_has_passed_waits_for_another_turn_or_battle() -> None:
    """A passed moment of a phase comes in the next player's turn, of a battle that repeats in this one."""
    timeline = after("l5r", BATTLE, "fight at 1")
    assert where(timeline)["Rite"] == ("before action phase", "B", "to come")
    assert where(timeline)["Dawn"] == ("before turn", "C", "to come")
    unmet = BATTLE.replace("effect: {honor: 1}", "when: false")
    assert where(after("l5r", unmet, "fight at 1"))["Drums"] == ("before battle", "A", "again")
    last = after("l5r", unmet, "fight at 1", *["pass"] * 3, "fight at 2")
    assert where(last)["Drums"] == ("before battle", "B", "to come")
    feast = next(entry for _, entry in waiting(timeline) if entry.name == "Feast")
    assert (feast.optional, feast.live, feast.group) == (True, False, "B")


def test_an_interrupted_phase_comes_again() -> None:
    """During an attack that an effect has created the Action Phase is still to end, and both rounds are shown."""
    given = """
    players: [A, B, C]
    passed: [A]
    abilities: {B: [{name: Raid, type: Open, effect: {attack: C}}]}
    provinces: {C: [[]]}
    triggers: [{owner: C, name: Fog, at: after action phase}]
    """
    timeline = after("l5r", given, "use Raid", "fight at 1")
    assert timeline.resumes == ("during action phase",)
    assert where(timeline)["Fog"] == ("after action phase", "A", "again")
    assert [(each.about, each.opportunity, each.order) for each in timeline.rounds] == [
        ("action round of the combat segment", "C", ("C", "A", "B")),
        ("action round of the action phase", "C", ("A", "B", "C")),
    ]


def test_rounds_say_who_has_passed() -> None:
    """The opportunity is the decision's player; those who have passed since anybody acted are named in order."""
    timeline = after("l5r", "players: [A, B, C]\n", "pass", "pass")
    (round,) = timeline.rounds
    assert (round.opportunity, round.passed, round.takes) == ("C", ("A", "B"), ("Open",))
    assert timeline.next is not None
    assert timeline.next.player == "C"


def test_what_is_under_way_comes_first() -> None:
    """While a card is being carried out nothing that waits is next; the steps are told from the first on."""
    given = "hand: {A: [Militia], B: [Moat, 4 Copper]}\nphase: action\n"
    timeline = after("dominion", given, "play Militia")
    assert [(step.player, step.what) for step in timeline.under_way] == [
        ("B", "Militia: reveal Moat?"),
        ("A", "Militia: what it says"),
    ]
    assert timeline.first_by == ("dom.resolve.first",)
    assert not after("dominion", given).first_by


def test_dominion_between_turns() -> None:
    """What waits for a turn stands in the next turn of its player; between turns counts to the turn that has ended."""
    timeline = after("dominion", DURATIONS)
    later = [(mark.moment, mark.turn, [entry.name for entry in mark.waiting]) for mark in timeline.marks if mark.later]
    assert later == [("before turn", "B", ["Caravan", "Wharf"]), ("before turn", "A", ["Wharf"])]
    assert next(mark.why for mark in timeline.marks if mark.later) == ("dom.turn.alternate",)
    assert (timeline.counts_from, timeline.counts_by) == ("before turn", ("dom.between.last",))
    begun = after("dominion", DURATIONS, "end buy phase")
    assert [entry.name for mark, entry in waiting(begun) if entry.next] == ["Caravan", "Wharf"]
    assert begun.turn == "B"
    assert begun.next is not None
    assert (begun.next.player, begun.next.rules) == ("B", ("dom.order.own", "dom.order.turn-order"))


def test_the_round_of_the_station_has_a_turn_for_everybody() -> None:
    """The round begins with the starting commander; the discounts wait for its end, a refill for that of the turn."""
    given = "players: [A, B, C]\nstarting: B\nturn: C\nmarket: {1: Airlock, 2: Cistern}\neligible: [1, 2]\n"
    given += "hand: {C: [blue 2]}\nsalvage: [[Lagoon, Vault]]\n"
    timeline = after("station", given, "purchase Airlock from 1 pay blue 2 to dock")
    assert [span.turn for span in timeline.spans if span.unit == "turn"] == ["B", "C", "A"]
    assert timeline.marks[0].moment == "before round"
    assert where(timeline) == {"Drift of berth 2": ("after round", None, "to come")}
    assert [step.what for step in timeline.under_way] == ["refill of berth 1"]
    assert [mark.why for mark in timeline.marks if mark.moment == "before turn"] == [
        ("stn.6.round",),
        ("stn.6.seat-order",),
        ("stn.6.seat-order",),
    ]


def test_a_finished_game_has_no_next() -> None:
    """Once the game is over nothing is next, whatever still waits."""
    timeline = after("dominion", DURATIONS + "over: true\n")
    assert timeline.next is None
    assert not any(entry.next for _, entry in waiting(timeline))


# -- the picture -------------------------------------------------------------------------------------


class Box(NamedTuple):
    """Where a text stands, as far as its width can be told."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


def boxes(root: ElementTree.Element) -> Iterator[Box]:
    """All texts of a picture."""
    for element in root.iter("{http://www.w3.org/2000/svg}text"):
        x, y, size = (float(element.get(name, "")) for name in ("x", "y", "font-size"))
        wide = len(element.text or "") * size * EM
        left = x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[element.get("text-anchor", "start")]
        if element.text:
            yield Box(element.text, left, y - size * 0.75, left + wide, y + size * 0.2)


def check_picture(model: Any, state: Any) -> str:
    """The picture of a state, once its texts lie on it and not on each other."""
    svg = picture(shown(model, state, model.editions[0]))
    root = ElementTree.fromstring(svg)
    wide, high = float(root.get("width", "")), float(root.get("height", ""))
    found = list(boxes(root))
    for box in found:
        assert box.left >= 0, box
        assert box.top >= 0, box
        assert box.right <= wide, box
        assert box.bottom <= high, box
    for one, other in combinations(found, 2):
        apart = one.right <= other.left or other.right <= one.left or one.bottom <= other.top or other.bottom <= one.top
        assert apart, (one, other)
    return svg


@settings(DRAWN, max_examples=40)
@given(EVERY)
def test_pictures_can_be_read(drawn: tuple[Any, Any]) -> None:
    """A picture is well-formed, has a title and a description, and no text lies outside of it or over another."""
    model, state = drawn
    root = ElementTree.fromstring(check_picture(model, state))
    assert [child.tag.rpartition("}")[2] for child in root[:2]] == ["title", "desc"]
    timeline = model.timeline(state)
    assert timeline.now in (root[0].text or "")
    assert all(entry.name in (root[1].text or "") for _, entry in waiting(timeline))


def test_a_crowd_can_be_read() -> None:
    """Long names, and dozens of triggers at two moments of one phase and some at every other: nothing overlaps."""
    players = ["Bartholomew the Younger of Ravenna" * 5, *"BCDEFGHIJKL"]
    moments = [str(moment) for moment in l5r.CALENDAR.moments if moment.edge != "during"]
    name = "Drums and trumpets and what else can be heard from far away"
    effect = {"honor": 3, "draw": 2, "bow": "Shiba the unbowed", "straighten": "Moto of the western plains", "hand": 9}
    edges = ("before end phase", "after end phase")
    crowd = [{"owner": "C", "name": f"{name} {i}", "at": edges[i % 2], "effect": effect} for i in range(50)]
    more = [{"owner": "B", "name": f"Fog {moment}", "at": moment, "turn": "B"} for moment in moments]
    given: dict[str, Any] = {"players": players, "phase": "action", "passed": players[:11]}
    given["triggers"] = [*crowd, *more, *more]
    given["cards"] = {card: {"type": "Personality"} for card in ("Shiba the unbowed", "Moto of the western plains")}
    model = games.load("l5r")
    check_picture(model, model.position(given, "EE"))


def test_names_are_text_and_never_markup() -> None:
    """Whatever a name holds stands in the picture as it is."""
    given = {"players": ["A<script>", "B"], "hand": {"A<script>": ["Moat"]}}
    model = games.load("dominion")
    svg = check_picture(model, model.position(given, "2023"))
    assert "<script>" not in svg
    assert "A&lt;script&gt;" in svg


# -- the command -------------------------------------------------------------------------------------


def test_the_formats_of_the_command() -> None:
    """JSON is the answer as data, text names all that waits with its rules, svg is the picture."""
    data = json.loads(run("dominion", "-", "--after", "end buy phase", "--format", "json", input=DURATIONS).stdout)
    assert (data["game"], data["edition"], data["timeline"]["turn"]) == ("dominion", "2023", "B")
    names = [entry["name"] for mark in data["timeline"]["marks"] for entry in mark["waiting"]]
    assert names == ["Caravan", "Wharf", "Wharf"]
    told = run("dominion", "-", "--after", "end buy phase", input=DURATIONS).stdout
    assert "now    before turn of B\n           next: Caravan of B (compulsory, in a turn of B): +1 Card\n" in told
    drawn = run("l5r", "-", "--format", "svg", input=BATTLE).stdout
    assert ElementTree.fromstring(drawn).tag.endswith("svg")
    starred = run("l5r", "-", input=BATTLE).stdout
    assert "l5r.ruling.inner-after-first* (a ruling: the text does not say so)\n" in starred


def test_the_edition_says_how_a_rule_is_worded() -> None:
    """Sentences are those of the edition asked for."""
    given = "hand: {A: [Moneylender, Copper]}\n"
    texts = [
        run("dominion", "-", "--after", "play Moneylender", "--edition", edition, input=given).stdout
        for edition in ("2023", "2008")
    ]
    rule = games.load("dominion").rulebook["dom.card.moneylender"]
    assert [
        rule.wording(edition).split(". ")[0] in " ".join(told.split())
        for edition, told in zip(("2023", "2008"), texts, strict=True)
    ] == [True, True]
    assert texts[0] != texts[1]


@pytest.mark.parametrize(
    ("args", "given", "says"),
    [
        (("dominion", "-"), "phase: action\nhand: {A: [Glod]}\n", "standard input:2:12: unknown card 'Glod'"),
        (("dominion", "-", "--after", "buy Gold"), "phase: action\n", "--after 'buy Gold' is not legal"),
        (("dominion", "-", "--edition", "1999"), "phase: action\n", "edition '1999' is unknown"),
        (("domino", "-"), "", "there is no game"),
        (("l5r", "nowhere.yaml"), "", "nowhere.yaml: there is no such file"),
        (("l5r", "-", "--format", "png"), "", "'png' is not one of"),
    ],
)
def test_errors(args: tuple[str, ...], given: str, says: str) -> None:
    """What cannot be answered is told with its place, and the exit code is 2."""
    wrong = run(*args, input=given)
    assert wrong.exit_code == 2, wrong.output
    assert says in wrong.stderr


def test_a_game_without_timeline_says_so() -> None:
    """As with pictures, a game need not have one."""
    with pytest.raises(BadInput, match="nim has no timeline"):
        Nim().timeline(Pile(3, "A"))


def test_positions_of_reports_are_read() -> None:
    """The command reads what `oracle legal` reads."""
    assert run("dominion", "-", input=f"position: {json.dumps(yaml.safe_load(DURATIONS))}\nseed: 3\n").exit_code == 0
