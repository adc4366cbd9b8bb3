"""The picture of a station position: well-formed, and marked with what is legal and nothing else."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from oracle.cli import cli
from oracle.game import Action
from oracle.games import load
from oracle.games.station import GAME, State
from oracle.games.station.layout import circles, fitted
from oracle.games.station.placement import Map, rings
from oracle.report.svg import Canvas, fit, lines

EDITION = "v3"
SVG = "{http://www.w3.org/2000/svg}"


def marked(svg: str) -> set[str]:
    """The actions that the picture marks."""
    found = (element.get("data-legal", "") for element in ElementTree.fromstring(svg).iter())
    return {mark for marks in found if marks for mark in marks.split("; ")}


def expected(state: State) -> set[str]:
    """The same from the legal set, action by action."""
    decision = GAME.decision(state)
    if decision is None or decision.player is None:
        return set()
    return {mark for action in decision.legal for mark in written(action)}


def written(action: Action) -> list[str]:
    """How the picture writes an action: without its payment; a purchase to a node at the node as well."""
    parts = dict(action.rest)
    match action.verb:
        case "purchase":
            (berth,), (to,) = parts["from"], parts["to"]
            at_node = [] if to == "dock" else [f"purchase {berth} at {to}"]
            return [f"purchase {berth} to {to}", *at_node]
        case "install":
            return [f"install {action.items[0]} at {parts['at'][0]}"]
        case "stow":
            return [f"stow at {action.items[0]}"]
        case "exchange":
            return [f"exchange for {parts['for'][0]} at {action.items[0]}"]
        case _:
            return [GAME.text(action)]


@pytest.mark.parametrize("seed", range(60))
def test_every_mark_is_legal_and_every_legal_action_is_marked(seed: int) -> None:
    """Drawn positions, with choices and chance under way: the marks are the legal set without the payments."""
    random = Random(seed)
    state = GAME.position(GAME.sample_position(random.randrange), EDITION)
    for _ in range(3):
        assert marked(GAME.picture(state)) == expected(state)
        decision = GAME.decision(state)
        if decision is None:
            break
        state, _ = GAME.play(state, decision.legal[random.randrange(len(decision.legal))])


@pytest.mark.parametrize("seed", range(4))
def test_games_from_the_box(seed: int) -> None:
    """From the first decision to the end every position has a picture with a title and a description."""
    random = Random(seed)
    state = GAME.start(GAME.sample_setup(random.randrange), EDITION)
    drawn = 0
    while decision := GAME.decision(state):
        if random.randrange(12) == 0:
            root = ElementTree.fromstring(GAME.picture(state))
            assert [root[0].tag, root[1].tag] == [f"{SVG}title", f"{SVG}desc"]
            assert decision.about in (root[1].text or "")
            drawn += 1
        state, _ = GAME.play(state, decision.legal[random.randrange(len(decision.legal))])
    over = ElementTree.fromstring(GAME.picture(state))
    assert drawn
    assert "Won by" in (over[1].text or "")
    assert not marked(GAME.picture(state))


def test_names_are_text_and_never_markup() -> None:
    """Whatever a name holds, a picture is well-formed and shows it; what XML cannot hold is replaced."""
    name = 'Pump <b>&amp;"\u0007'
    given = {"players": ["<script>", "B"], "modules": {name: {"guild": "ice & fire", "cost": 0}}, "market": {"1": name}}
    svg = GAME.picture(GAME.position(given, EDITION))
    root = ElementTree.fromstring(svg)
    assert not {element.tag for element in root.iter()} & {f"{SVG}script", f"{SVG}b"}
    texts = [element.text or "" for element in root.iter()]
    assert any("<script>" in text for text in texts)
    assert any('Pump <b>&amp;"\ufffd' in text for text in texts)
    assert "\u0007" not in svg


@pytest.mark.parametrize(
    "map", [rings(6, 12), rings(3), rings(3, 6, 12, 18), Map(["core"], []), Map(["core", "x"], [])]
)
def test_no_two_nodes_lie_on_each_other(map: Map) -> None:
    """Every node has a place of its own, inside the frame."""
    places, scale = fitted(circles(map), 400, 300)
    assert len(places) == len(map.nodes)
    assert all(0 <= x <= 400 and 0 <= y <= 300 for x, y in places)
    apart = [abs(complex(*one) - complex(*two)) for i, one in enumerate(places) for two in places[:i]]
    assert all(distance > 0.5 * scale for distance in apart)


def test_lines_that_are_too_long() -> None:
    """Text that does not fit ends in dots, on one line or on the last of several."""
    assert fit("Scanner", 1000, 12) == "Scanner"
    assert fit("Observatory", 40, 12).endswith("\u2026")
    assert len(lines("a word " * 50, 100, 12, 3)) == 3
    assert lines("a word " * 50, 100, 12, 3)[-1].endswith("\u2026")
    assert ElementTree.fromstring(Canvas(10, "<", "&").dumps(10))[0].text == "<"


def test_the_command() -> None:
    """`--format svg` prints the picture; with a question about one action, or a game without pictures, it says no."""

    def run(*args: str) -> tuple[int, str, str]:
        result = CliRunner().invoke(cli, ["legal", *args, "--format", "svg"], input="players: [A, B]\n")
        return result.exit_code, result.stdout, result.stderr

    code, svg, _ = run("station", "-")
    assert code == 0
    assert marked(svg) == {"pass"}
    assert run("station", "-", "--why", "pass")[:2] == (2, "")
    code, _, said = run("dominion", "-")
    assert code == 2
    assert "dominion has no picture" in said
    assert load("station") is GAME
