"""A log as a program that answers from what is written, so that the checker of programs judges it."""

from __future__ import annotations

from typing import Any

from oracle.conformance import protocol as p
from oracle.conformance.implementation import Implementation
from oracle.conformance.lockstep import Lockstep
from oracle.conformance.walks import Played
from oracle.errors import ImplementationFailed, Truncated
from oracle.game import Action
from oracle.logs.record import Record

Json = Any


LOOKED_AHEAD = 1000
"""Actions of a log that are looked at beyond the next one at the most."""


class Logged(Implementation):
    """What is written in a record, asked for in the order in which it was written."""

    def __init__(self, record: Record) -> None:
        super().__init__(record.file)
        self.record = record
        self._at = 0

    def does(self, what: str) -> tuple[str, str]:
        return "the log", "has"

    def start(self) -> p.Started:
        plays = p.Plays(self.record.game.name, self.record.edition)
        return p.Started(p.About(self.record.file), [plays])

    def new(self, game: str, edition: str, setup: dict[str, Json]) -> p.Created:
        self._at = 0
        return p.Created(seq=0, ok=True, events=list(self.record.events))

    def decision(self) -> p.Decided:
        stop = self.record.stops[self._at]
        if stop.asked is not None:
            options = stop.asked.options
            listed = None if options is None else list(map(self._json, options))
            return p.Decided(seq=0, player=stop.asked.player, kind=stop.asked.kind, options=listed)
        if stop.taken is not None:
            return p.Decided(seq=0, player=stop.taken.player)
        if self.record.over is not None:
            return p.Decided(seq=0, over=True)
        raise self.truncated()

    def _json(self, option: dict[str, Json] | str) -> dict[str, Json]:
        game = self.record.game
        return game.json(game.read(option)) if isinstance(option, str) else option

    def coming(self) -> list[tuple[str | None, Action]]:
        left = self.record.stops[self._at : self._at + LOOKED_AHEAD]
        return [(stop.taken.player, stop.action) for stop in left if stop.taken is not None and stop.action is not None]

    def apply(self, player: str | None, action: dict[str, Json]) -> p.Applied:
        stop = self.record.stops[self._at]
        self._at += 1
        return p.Applied(seq=0, accepted=True, events=list(stop.events))

    def observe(self, player: str | None = None) -> p.Observed:
        stop, over = self.record.stops[self._at], self.record.over
        state = dict(stop.state)
        if over is not None and stop.taken is None:
            state |= {field: value for field, value in (("winners", over.winners), ("scores", over.scores)) if value}
        return p.Observed(seq=0, state=state)

    def stop(self) -> None:
        """Nothing runs."""

    def truncated(self) -> Truncated:
        """The failure of a log that has no end."""
        last = max(stop.line for stop in self.record.stops)
        says = f"the log breaks off after {self.record.actions} actions"
        return Truncated(says, where=f"{self.record.file}:{last}", fix='a whole log ends with a line {"over": true}')


def follow(record: Record, program: Implementation) -> Played:
    """Plays what a record has in lockstep, up to the first divergence that leaves nothing to compare."""
    step = Lockstep(record.game, program, record.edition, record.setup)
    played = Played((), step.totals, (), step.setup)
    try:
        step.begin()
        while (decision := step.meet()) is not None:
            coming = program.coming()
            if not coming:
                raise Logged(record).truncated()
            if coming[0][1] not in decision.legal:
                break
            step.take(coming[0][1])
        played.finished = True
    except ImplementationFailed as failure:
        played.failure = failure
    played.found = tuple(step.found)
    played.play = tuple(map(record.game.text, step.point.play))
    return played
