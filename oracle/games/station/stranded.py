"""A question that the manual leaves open: credits that no commander can reach any more.

A solver says how few turns lead from a full display to an empty one while spent credits lie in the
discard, counting cards only; a search then plays those turns on the game itself, and looks at everything
that can come after.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from oracle.game import Action, Game
from oracle.games.station.state import IN_TURN, State
from oracle.games.station.theory import MOST, SHOWN
from oracle.proof.questions import Question
from oracle.proof.smt import ask, smallest
from oracle.proof.terms import Bool, both, count, either, every, least, no, pick, same, total

MOST_TURNS, MOST_STATES = 8, 200
START: dict[str, Any] = {
    "players": ["A", "B"],
    "map": {"nodes": ["core"], "links": []},
    "modules": {"Tank": {"guild": "blue", "cost": 1}},
    "market": {"1": "Tank"},
    "end": {"counter": 9},
    "display": ["blue 2", "blue 2", "green 2", "green 2", "red 2", "red 2"],
}
"""A full display, an empty deck, one module that costs less than any card, and an end that is far away."""


class Cards:
    """How many cards lie where when a turn begins."""

    def __init__(self, turn: int) -> None:
        self.display, self.deck, self.discard, self.hands = (
            count(f"{place}.{turn}") for place in ("display", "deck", "discard", "hands")
        )
        self.kind, self.n = count(f"kind.{turn}"), count(f"n.{turn}")
        """What the turn does (0 acquire, 1 pay exactly, 2 pay more, 3 nothing with credits), with how many cards."""

    def turn(self, after: Cards) -> Bool:
        """One turn, as sections 7 and 8 have it."""
        acquired = both(same(self.kind, 0), self.n >= 1, self.n <= MOST, self.n <= self.display)
        exact = both(same(self.kind, 1), self.n >= 0, self.n <= self.hands)
        over = both(same(self.kind, 2), self.n >= 1, self.n <= self.hands)
        spent = pick(either(exact, over), self.n, 0)
        discard, display = self.discard + spent, self.display - pick(acquired, self.n, 0)
        missing = SHOWN - display
        shuffles = self.deck < missing
        pile = self.deck + pick(shuffles, discard, 0)
        come = least(missing, pile)
        refills = either(acquired, exact)
        return both(
            either(acquired, exact, over, same(self.kind, 3)),
            same(after.display, pick(refills, display + come, display)),
            same(after.deck, pick(refills, pile - come, self.deck)),
            same(after.discard, pick(both(refills, shuffles), 0, discard)),
            same(after.hands, self.hands + pick(acquired, self.n, 0) - spent),
        )


def shortest() -> list[tuple[str, int]]:
    """The fewest turns, each with what it does and how many cards, that leave an empty display and a discard."""
    cards = [Cards(0)]
    first = cards[0]
    facts = [same(first.display, SHOWN), *(same(n, 0) for n in (first.discard, first.hands)), first.deck >= 0]
    while len(cards) <= MOST_TURNS:
        last = cards[-1]
        wanted = [*facts, same(last.display, 0), last.discard >= 1]
        if (said := ask(wanted).said) != "unsat":
            if said == "unknown":
                return []
            answer = smallest(wanted, [last.discard, total(c.n for c in cards[:-1])])
            kinds = ("acquire", "pay exactly", "pay more", "other")
            value = answer.model.eval
            return [(kinds[value(c.kind).as_long()], value(c.n).as_long()) for c in cards[:-1]]
        cards.append(Cards(len(cards)))
        facts.append(every([last.turn(cards[-1]), no(same(last.kind, 3))]))
    return []


def fits(action: Action, turn: tuple[str, int]) -> bool:
    """Whether an action is a turn of that kind with that many cards."""
    kind, n = turn
    if action.verb == "acquire":
        return kind == "acquire" and len(action.items) == n
    return action.verb == "purchase" and kind.startswith("pay") and len(dict(action.rest)["pay"]) == n


def plays(game: Game[Any], state: State, turns: list[tuple[str, int]]) -> Iterator[tuple[State, tuple[str, ...]]]:
    """All plays of these turns on the game itself."""
    decision = game.decision(state)
    if not turns:
        yield state, ()
    elif decision is not None:
        for action in decision.legal:
            if fits(action, turns[0]):
                for after, rest in plays(game, game.play(state, action)[0], turns[1:]):
                    yield after, (game.text(action), *rest)


def never_again(game: Game[Any], start: State, shape: Any) -> int:
    """How many positions can be reached, where the display stays empty in all of them and none is the end; else 0."""
    seen, queue = {shape(start)}, deque([start])
    while queue:
        state = queue.popleft()
        decision = game.decision(state)
        if decision is None or state.display or len(seen) > MOST_STATES:
            return 0
        for action in decision.legal:
            after = game.play(state, action)[0]
            if shape(after) not in seen:
                seen.add(shape(after))
                queue.append(after)
    return len(seen)


def question(game: Game[Any], shape: Any) -> Question | None:
    """The question, with the shortest play that leads to it; None if there is none."""
    turns = shortest()
    start = game.position(START, game.editions[0])
    for state, play in plays(game, start, turns):
        if state.at != IN_TURN or state.display or not state.discard:
            continue
        if n := never_again(game, state, shape):
            return Question(
                "stall",
                "When does an empty display get cards again that lie in the discard, where nobody can pay exactly?",
                f"after {len(turns)} turns, and no fewer do, the display is empty while {', '.join(state.discard)} lies"
                " in the discard: acquiring is illegal, only an acquire or an exact payment refills, and in all"
                f" {n} positions that can follow the display stays empty",
                START,
                play,
                game.editions[0],
                {"state": {"display": [], "discard": list(state.discard)}},
                ("stn.8.no-refill", "stn.7.1.reshuffle"),
            )
    return None
