"""A game small enough to check by hand, so that the shared code is tested apart from any real game.

Two players take one to three stones in turn; a player who has stones to take may also `pass` once
a game; whoever takes the last stone wins. Before a game a coin falls: `heads` lets B begin.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from oracle.errors import BadPosition
from oracle.game import Action, Choose, Decision, Event, Game, LegalActions, Outcome, Reason, Verb, Verdict
from oracle.rulebook import Rule, Rulebook

RULES = {
    "nim.coin": "The coin says who begins.",
    "nim.turn": "Players take turns.",
    "nim.take": "Take one to three stones.",
    "nim.enough": "Take no more stones than there are.",
    "nim.pass": "Each player may pass once.",
    "nim.end": "Whoever takes the last stone wins.",
}


class Pile(Struct, frozen=True):
    """A position: stones left, whose turn, who has passed already."""

    stones: int
    turn: str | None
    passed: tuple[str, ...] = ()


class Nim(Game[Pile]):
    """See the module."""

    name = "nim"
    title = "Nim"
    editions = ("1",)
    prefix = "nim"
    verbs: Mapping[str, Verb] = {
        "take": Verb("take", fixed=("1", "2", "3", "4")),
        "pass": Verb("pass", bare=True),
        "coin": Verb("coin", fixed=("heads", "tails")),
    }
    rulebook = Rulebook({id: Rule(id, says) for id, says in RULES.items()})
    chance_events = frozenset({"fell"})

    def position(self, given: Mapping[str, Any], edition: str) -> Pile:
        for key in given:
            if key not in ("stones", "turn", "passed"):
                raise BadPosition(f"unknown field {key!r}", (key,), fix="one of: stones, turn, passed")
        stones = given.get("stones", 5)
        if not isinstance(stones, int) or stones < 0:
            raise BadPosition(f"{stones!r} stones cannot be", ("stones",), fix="a whole number from 0")
        return Pile(stones, given.get("turn", "A"), tuple(given.get("passed", ())))

    def start(self, setup: Mapping[str, Any], edition: str) -> Pile:
        return Pile(setup.get("stones", 5), None)

    def sample_setup(
        self, choose: Choose, features: Collection[str] | None = None, edition: str = ""
    ) -> dict[str, Any]:
        return {"stones": 1 + choose(8)}

    def sample_position(self, choose: Choose, edition: str = "") -> dict[str, Any]:
        return {"stones": choose(9), "turn": "AB"[choose(2)], "passed": [[], ["A"], ["B"], ["A", "B"]][choose(4)]}

    def observe(self, state: Pile, player: str | None = None) -> dict[str, Any]:
        return {"stones": state.stones, "turn": state.turn, "passed": list(state.passed)}

    def generate(self, state: Pile) -> Decision | None:
        if state.turn is None:
            coins = [Action("coin", ("heads",)), Action("coin", ("tails",))]
            return Decision(None, "chance", "Coin", LegalActions(coins), ("nim.coin",))
        if state.stones == 0:
            return None
        takes = [Action("take", (str(n),)) for n in range(1, min(3, state.stones) + 1)]
        passes = [] if state.turn in state.passed else [Action("pass")]
        return Decision(state.turn, "action", "Turn", LegalActions(takes + passes), ("nim.turn",))

    def judge(self, state: Pile, player: str | None, action: Action) -> Verdict:
        reasons = [Reason("nim.turn", state.turn == player, f"it is {state.turn}'s turn")]
        if action.verb == "coin":
            reasons.append(Reason("nim.coin", state.turn is None, "the coin falls before the game"))
        else:
            reasons.append(Reason("nim.end", state.stones > 0, f"{state.stones} stones are left"))
            reasons.append(Reason("nim.coin", state.turn is not None, "the coin falls before the game"))
        if action.verb == "take":
            n = int(action.items[0])
            reasons.append(Reason("nim.take", 1 <= n <= 3, f"{n} stones"))
            reasons.append(Reason("nim.enough", n <= state.stones, f"{state.stones} stones are left"))
        if action.verb == "pass":
            reasons.append(Reason("nim.pass", player not in state.passed, f"passed: {', '.join(state.passed)}"))
        return Verdict(player, action, tuple(reasons))

    def play(self, state: Pile, action: Action) -> tuple[Pile, tuple[Event, ...]]:
        if action.verb == "coin":
            turn = "B" if action.items == ("heads",) else "A"
            return Pile(state.stones, turn), (Event("fell", None, action.items),)
        assert state.turn is not None
        other = "B" if state.turn == "A" else "A"
        if action.verb == "pass":
            return Pile(state.stones, other, tuple(sorted((*state.passed, state.turn)))), (Event("passed", state.turn),)
        left = state.stones - int(action.items[0])
        return Pile(left, other, state.passed), (Event("took", state.turn, action.items),)

    def candidates(self, state: Pile) -> Iterator[Action]:
        yield from (Action("take", (str(n),)) for n in range(1, 5))
        yield Action("pass")
        yield from (Action("coin", (side,)) for side in ("heads", "tails"))

    def chance(self, decision: Decision, event: str, player: str | None, items: Sequence[str]) -> Action | None:
        return Action("coin", tuple(items)) if event == "fell" else None

    def outcome(self, state: Pile) -> Outcome | None:
        if state.turn is None or state.stones:
            return None
        winner = "B" if state.turn == "A" else "A"
        return Outcome({winner: 1, state.turn: 0}, (winner,), (state.turn,), ("nim.end",))
