"""Dominion: the base game, second edition."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oracle.game import Action, Ahead, Choose, Decision, Event, Game, Outcome, Verb, Verdict
from oracle.games.dominion import consequences, given, kingdom, moves, order, rules, sampling, scoring
from oracle.games.dominion.effects import play, run
from oracle.games.dominion.state import State, observe
from oracle.rulebook import Rulebook, load

if TYPE_CHECKING:
    from oracle.timing.timeline import Timeline

__all__ = ["GAME", "Dominion", "State", "kingdom"]

PHASES = ("action phase", "buy phase", "night phase")
EVENTS = {"drawn": "draw", "turned up": "turn up"}
"""Reported events that say what chance decided, and the chance action each stands for."""


class Dominion(Game[State]):
    """The rooms of this folder behind the interface that all games offer."""

    name = "dominion"
    title = "Dominion (base game, second edition)"
    editions = ("2023", "2016", "2008")
    prefix = "dom"
    derived = frozenset({"hand size", "deck size"})
    bags = frozenset({"hand", "discard", "in play", "trash"})
    chance_events = frozenset(EVENTS)
    perft_start = sampling.PERFT
    guards = rules.GUARDS.names
    verbs: Mapping[str, Verb] = {
        verb.name: verb
        for verb in (
            Verb("play"),
            Verb("buy"),
            Verb("end", fixed=PHASES),
            Verb("discard", many=True),
            Verb("trash", many=True),
            Verb("gain"),
            Verb("topdeck"),
            Verb("reveal"),
            Verb("keep"),
            Verb("set aside"),
            Verb("put back", many=True, ordered=True),
            Verb("resolve"),
            Verb("draw", many=True),
            Verb("turn up", many=True),
        )
    }

    @cached_property
    def rulebook(self) -> Rulebook:
        """Read when first asked for: most commands need it, naming the games does not."""
        return load(Path(__file__).with_name("rulebook.yaml"))

    def position(self, data: Mapping[str, Any], edition: str) -> State:
        return run(given.position(data, edition), [])

    def start(self, setup: Mapping[str, Any], edition: str) -> State:
        return run(given.start(setup, edition), [])

    def sample_setup(
        self, choose: Choose, features: Collection[str] | None = None, edition: str = ""
    ) -> dict[str, Any]:
        return sampling.setup(choose, features, edition)

    def sample_position(self, choose: Choose, edition: str = "") -> dict[str, Any]:
        return sampling.position(choose, edition)

    def observe(self, state: State, player: str | None = None) -> dict[str, Any]:
        return observe(state, player)

    def generate(self, state: State) -> Decision | None:
        return moves.decision(state)

    def judge(self, state: State, player: str | None, action: Action) -> Verdict:
        return rules.judge(state, player, action)

    def play(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        return play(state, action)

    def candidates(self, state: State) -> Iterator[Action]:
        return sampling.candidates(state)

    def chance(self, decision: Decision, event: str, player: str | None, items: Sequence[str]) -> Action | None:
        verb = EVENTS.get(event)
        return None if verb is None else self.action(verb, *items)

    def consequences(self, state: State, action: Action) -> tuple[str, ...]:
        return consequences.consequences(state, action)

    def ahead(self, state: State, player: str | None, action: Action) -> Ahead | None:
        return order.ahead(state, player, action, self.text(action))

    def came_first(self, state: State, happened: Sequence[Event], first: int, then: int) -> Ahead | None:
        return order.came_first(state, happened, first, then)

    def settings(self, field: str) -> tuple[str, ...]:
        return consequences.settings(field)

    def names(self, state: State) -> Collection[str]:
        return state.table.cards

    def outcome(self, state: State) -> Outcome | None:
        return scoring.outcome(state)

    def timeline(self, state: State) -> Timeline:
        from oracle.games.dominion.timeline import timeline  # nothing else pays for it

        return timeline(state)


GAME = Dominion()
