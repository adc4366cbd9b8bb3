"""Published counts of plays: true by two ways of counting, and a way down to the first difference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from oracle import games, perft, resources
from oracle.casebook.yamlfile import read
from oracle.cli import cli
from oracle.conformance.descent import descend
from oracle.conformance.objects import Reference
from oracle.errors import BadInput
from oracle.game import Action, Decision, LegalActions
from tests.nim import Nim, Pile
from tests.strategies import GAMES


def case(name: str) -> dict[str, Any]:
    """The game's published case."""
    data: Any = read(resources.cases() / name / "perft.yaml").data
    return data["cases"][0]  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", GAMES)
def test_the_published_case_begins_where_the_command_does(name: str) -> None:
    """The case's position is the game's published start, and its counts go to depth 5."""
    game, told = games.load(name), case(name)
    assert told["given"] == perft.published(game)
    assert len(told["steps"][0]["perft"]) == 5


@pytest.mark.parametrize("name", GAMES)
def test_a_brute_force_without_the_generator_counts_the_same(name: str) -> None:
    """Trying every action of the candidate universe on the guard gives the published counts."""
    game, told = games.load(name), case(name)
    state = game.position(told["given"], game.editions[0])
    brute = [perft.count(game, state, depth, perft.judged(game)) for depth in range(1, 6)]
    assert brute == told["steps"][0]["perft"]


def test_nim_counted_by_hand() -> None:
    """From two stones: take 1 or 2 or pass; then 2 + 0 + 3 plays of two actions (nobody plays on at no stones)."""
    assert perft.count(Nim(), Pile(2, "A"), 1) == 3
    assert perft.count(Nim(), Pile(2, "A"), 2) == 2 + 0 + 3
    divided = perft.perft(Nim(), Pile(2, "A"), "1", 2).divided
    assert divided == {"take 1": 2, "take 2": 0, "pass": 3}


def test_a_count_that_would_take_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit there is an error that says so and no number."""
    monkeypatch.setattr(perft, "MOST", 10)
    with pytest.raises(BadInput, match="more than 10 steps"):
        perft.count(Nim(), Pile(9, "A"), 6)


class Narrow(Nim):
    """A program that never lets the last stone of three be taken with two others."""

    def generate(self, state: Pile) -> Decision | None:
        decision = super().generate(state)
        if decision is None or state.stones != 3 or state.turn != "B":
            return decision
        kept = [action for action in decision.legal if action != Action("take", ("3",))]
        return Decision(decision.player, decision.kind, decision.about, LegalActions(kept), decision.rules)


def test_a_descent_ends_at_the_shortest_play_that_differs() -> None:
    """The first difference is found at its depth, with the play that leads there and what is missing."""
    found = descend(Nim(), Reference(Narrow()), "1", {"stones": 5, "turn": "A"}, 4)
    assert found.divergence is not None
    assert found.divergence.actions == ("take 3",)
    assert found.divergence.play == ("take 2",)
    assert found.compared == (1, 4)


def test_a_descent_beside_an_equal_program_sees_every_play() -> None:
    """Plays compared at each depth are the published counts, shifted by one."""
    found = descend(Nim(), Reference(Nim()), "1", {"stones": 3, "turn": "A"}, 3)
    counts = [perft.count(Nim(), Pile(3, "A"), depth) for depth in (1, 2)]
    assert found.divergence is None
    assert list(found.compared) == [1, *counts]


def test_without_a_published_start_a_position_is_asked_for(tmp_path: Path) -> None:
    """A game without one says so, and what to give instead."""
    with pytest.raises(BadInput, match="nim has no published start") as bad:
        perft.published(Nim())
    assert "--position FILE" in bad.value.fix


def test_the_command_counts_divides_and_goes_down(tmp_path: Path) -> None:
    """`oracle perft` prints the published counts, the last one by first action; beside a program it compares."""
    runner = CliRunner()
    shown = runner.invoke(cli, ["perft", "dominion", "--depth", "3", "--divide"])
    counts = case("dominion")["steps"][0]["perft"]
    assert shown.exit_code == 0
    assert [line.split() for line in shown.output.splitlines()[2:5]] == [[str(i + 1), str(counts[i])] for i in range(3)]
    divided = [int(line.split()[-1]) for line in shown.output.splitlines()[7:]]
    assert sum(divided) == counts[2]
    same = runner.invoke(cli, ["perft", "dominion", "reference", "--depth", "3"])
    assert (same.exit_code, "No difference." in " ".join(same.output.split())) == (0, True)
    other = runner.invoke(cli, ["perft", "dominion", "pyminion", "--depth", "1", "--position", str(_throne(tmp_path))])
    assert other.exit_code == 0
    deeper = runner.invoke(cli, ["perft", "dominion", "pyminion", "--depth", "2", "--position", str(_throne(tmp_path))])
    assert (deeper.exit_code, "play nothing" in deeper.output) == (1, True)


def _throne(folder: Path) -> Path:
    path = folder / "throne.yaml"
    path.write_text("players: [A, B]\nhand: {A: [Throne Room, Village]}\n")
    return path
