"""L5R: the "Sequence of play" of Legend of the Five Rings, Emperor Edition.

What that text leaves to sections that we do not have is a parameter or declared in a position:

| what                       | here                                                                             |
|----------------------------|----------------------------------------------------------------------------------|
| cards, abilities, triggers | declared with types, keywords and effects as data, see `cards.Effect`            |
| costs                      | none: whatever lies face-up is brought into play, unbowed                        |
| refills of Provinces       | only where an effect says so                                                     |
| the outcome of a battle    | none; at the end of the Attack Phase all units are at home again as they are     |
| winning                    | `win`: Honor 40 when one's turn begins, a loss at -20 when it ends or with one's |
|                            | last Province, and effects                                                       |
| destroying a Province      | only where an effect says so                                                     |

Classes of triggers, Reactions and additional actions follow rulings from other editions, each under its own rule id.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oracle.game import Action, Ahead, Choose, Decision, Event, Game, Outcome, Verb, Verdict
from oracle.games.l5r import explain, featured, given, moves, order, rules, sampling, scoring, verdicts
from oracle.games.l5r.flow import play, run
from oracle.games.l5r.state import State, observe
from oracle.rulebook import Rulebook, load

if TYPE_CHECKING:
    from oracle.timing.timeline import Timeline

__all__ = ["GAME", "L5R", "State"]

EVENTS = {"drawn": "draw", "filled": "fill", "first": "first"}
"""Reported events that say what chance decided, and the chance action each stands for."""


class L5R(Game[State]):
    """The rooms of this folder behind the interface that all games offer."""

    name = "l5r"
    title = "L5R (Emperor Edition, sequence of play)"
    editions = ("EE",)
    prefix = "l5r"
    derived = frozenset({"hand size", "dynasty size", "fate size", "at"})
    bags = frozenset({"hand", "discard", "home", "in play", "barred"})
    chance_events = frozenset(EVENTS)
    perft_start = sampling.PERFT
    guards = rules.GUARDS.names
    verbs: Mapping[str, Verb] = {
        verb.name: verb
        for verb in (
            Verb("pass", bare=True),
            Verb("use"),
            Verb("decline", bare=True),
            Verb("resolve"),
            Verb("deal with"),
            Verb("attack"),
            Verb("no attack", bare=True),
            Verb("assign", many=True),
            Verb("fight at"),
            Verb("bring"),
            Verb("discard"),
            Verb("from"),
            Verb("end", fixed=("dynasty phase",)),
            Verb("draw", many=True),
            Verb("fill"),
            Verb("first"),
        )
    }

    @cached_property
    def rulebook(self) -> Rulebook:
        """Read when first asked for: most commands need it, naming the games does not."""
        return load(Path(__file__).with_name("rulebook.yaml"))

    def position(self, data: Mapping[str, Any], edition: str) -> State:
        return run(given.position(data, edition), [])

    def start(self, setup: Mapping[str, Any], edition: str) -> State:
        return self.opening(setup, edition)[0]

    def opening(self, setup: Mapping[str, Any], edition: str) -> tuple[State, tuple[Event, ...]]:
        log: list[Event] = []
        return run(given.start(setup, edition), log), tuple(log)

    def sample_setup(
        self, choose: Choose, features: Collection[str] | None = None, edition: str = ""
    ) -> dict[str, Any]:
        return sampling.setup(choose) if features is None else featured.setup(choose, features)

    def sample_position(self, choose: Choose, edition: str = "") -> dict[str, Any]:
        return sampling.position(choose)

    def observe(self, state: State, player: str | None = None) -> dict[str, Any]:
        return observe(state, player)

    def generate(self, state: State) -> Decision | None:
        return moves.decision(state)

    def judge(self, state: State, player: str | None, action: Action) -> Verdict:
        return verdicts.judge(state, player, action)

    def play(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        return play(state, action)

    def candidates(self, state: State) -> Iterator[Action]:
        return sampling.candidates(state)

    def chance(self, decision: Decision, event: str, player: str | None, items: Sequence[str]) -> Action | None:
        verb = EVENTS.get(event)
        return None if verb is None else self.action(verb, *items)

    def consequences(self, state: State, action: Action) -> tuple[str, ...]:
        return explain.consequences(state, action)

    def ahead(self, state: State, player: str | None, action: Action) -> Ahead | None:
        return order.ahead(state, player, action, self.text(action))

    def came_first(self, state: State, happened: Sequence[Event], first: int, then: int) -> Ahead | None:
        return order.came_first(state, happened, first, then)

    def settings(self, field: str) -> tuple[str, ...]:
        return explain.settings(field)

    def names(self, state: State) -> Collection[str]:
        return explain.Names(state)

    def outcome(self, state: State) -> Outcome | None:
        return scoring.outcome(state)

    def timeline(self, state: State) -> Timeline:
        from oracle.games.l5r.timeline import timeline  # nothing else pays for it

        return timeline(state)


GAME = L5R()
