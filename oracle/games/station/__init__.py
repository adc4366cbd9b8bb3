"""The Station: sections 6 to 9 of a Commander's manual (rules v3).

What the manual leaves to sections that we do not have is a parameter of a position or a setup:

| parameter              | default                                                          | else              |
|------------------------|------------------------------------------------------------------|-------------------|
| `players`, `starting`  | A and B; the first of them (2 to 12 commanders)                  |                   |
| `modules`, `deck`, `salvage` | four guilds, see `boxed.py`; one shuffled pile each        | any               |
| `market`               | at the start the first modules of the salvage supply             |                   |
| `hand`                 | empty                                                            | any, public       |
| `map`                  | the Core, a ring of 6 nodes (n1 to n6) and one of 12 (n7 to n18) | nodes and links   |
| `placement`            | `connected`: every module reaches the Core over occupied nodes   | `free`            |
| `drift`                | 1 for each round's end, cumulative; a cost is never below 0      | any number        |
| `end`                  | `salvage empty`: a berth cannot be refilled                      | `counter: N`      |
| `scoring`              | `first install`: a module's Renown when it is first installed    | see `Scoring`     |

Readings of what sections 6 to 9 leave open, true by default, as the text is written: `needless payment`
(cards may be paid that would not be needed), `pay nothing` (what costs nothing may be had for no card, an
exact payment) and `identical exchange` (a module may be exchanged for one just like it).

A game starts with six cards dealt and five modules salvaged, then with the first turn of round 1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oracle.game import Action, Ahead, Choose, Decision, Event, Game, Outcome, Verb, Verdict
from oracle.games.station import given, moves, order, rules, sampling, scoring, verdicts
from oracle.games.station.boxed import MODULES
from oracle.games.station.effects import play, run
from oracle.games.station.state import BERTHS, COMMAND_CORE, State, credit, observe
from oracle.rulebook import Rulebook, load

if TYPE_CHECKING:
    from oracle.timing.timeline import Timeline

__all__ = ["GAME", "State", "Station"]

EVENTS = {"dealt": "deal", "salvaged": "salvage"}
"""Reported events that say what chance decided, and the chance action each stands for."""


class Station(Game[State]):
    """The rooms of this folder behind the interface that all games offer."""

    name = "station"
    title = "Station (Commander's manual, rules v3, sections 6 to 9)"
    editions = ("v3",)
    prefix = "stn"
    bags = frozenset({"display", "discard", "hand", "dock", "scored", "eligible"})
    chance_events = frozenset(EVENTS)
    perft_start = sampling.PERFT
    guards = rules.GUARDS.names
    verbs: Mapping[str, Verb] = {
        verb.name: verb
        for verb in (
            Verb("acquire", many=True),
            Verb("purchase", parts=(Verb("from"), Verb("pay", many=True), Verb("to"))),
            Verb("install", parts=(Verb("at"),)),
            Verb("stow"),
            Verb("exchange", parts=(Verb("for"),)),
            Verb("pass", bare=True),
            Verb("take"),
            Verb("deal", many=True),
            Verb("salvage"),
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
        return sampling.setup(choose)

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

    def ahead(self, state: State, player: str | None, action: Action) -> Ahead | None:
        return order.ahead(state, player, action, self.text(action))

    def came_first(self, state: State, happened: Sequence[Event], first: int, then: int) -> Ahead | None:
        return order.came_first(state, happened, first, then)

    def names(self, state: State) -> Collection[str]:
        """Every card of a guild counts, whatever its value: whether the game has it is for the guard to say."""
        table = state.table
        cards = (*state.display, *state.discard, *chain(*state.deck), *chain(*(seat.hand for seat in state.seats)))
        modules = (*MODULES.values(), *table.modules)
        guilds = {credit(card).guild for card in cards} | {module.guild for module in modules}
        credits = {f"{guild} {value}" for guild in guilds for value in range(1, given.MOST_VALUE + 1)}
        return credits | {module.name for module in modules} | {*table.map.nodes, *BERTHS, "dock", COMMAND_CORE}

    def outcome(self, state: State) -> Outcome | None:
        return scoring.outcome(state)

    def timeline(self, state: State) -> Timeline:
        from oracle.games.station.timeline import timeline  # nothing else pays for it

        return timeline(state)

    def picture(self, state: State) -> str:
        from oracle.games.station.picture import picture  # nothing else pays for drawing

        return picture(state)


GAME = Station()
