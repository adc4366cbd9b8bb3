"""Dominion programs for the tests of the command: the model itself behind the protocol, right or with one fault."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any

from msgspec import to_builtins

from oracle import games
from oracle.conformance.objects import Reference

Json = dict[str, Any]

if os.environ.get("LOUD"):
    print("on import")


class Right:
    """The model itself."""

    def __init__(self) -> None:
        self.model = Reference(games.load("dominion"))

    def start(self, request: Json) -> Json:
        return answer(self.model.start())

    def new(self, request: Json) -> Json:
        return answer(self.model.new(request["game"], request["edition"], request["setup"]))

    def decision(self, request: Json) -> Json:
        return answer(self.model.decision())

    def apply(self, request: Json) -> Json:
        return answer(self.model.apply(request["player"], request["action"]))

    def observe(self, request: Json) -> Json:
        return answer(self.model.observe(request["player"]))


class Greedy(Right):
    """Offers no end of the Buy phase while a card can be bought."""

    def decision(self, request: Json) -> Json:
        asked = super().decision(request)
        options = asked.get("options") or []
        if any("buy" in option for option in options):
            asked["options"] = [option for option in options if option != {"end": "buy phase"}]
        return asked


class Misspells(Right):
    """Offers a pile that no game has, beside all that is legal."""

    def decision(self, request: Json) -> Json:
        asked = super().decision(request)
        if any("buy" in option for option in asked.get("options") or []):
            asked["options"] = [*asked["options"], {"buy": "Prvince"}]
        return asked


class Dies(Right):
    """Fails at its fifth decision."""

    def __init__(self) -> None:
        super().__init__()
        self.left = 5

    def decision(self, request: Json) -> Json:
        self.left -= 1
        if not self.left:
            raise RuntimeError("a \x07 bell rang \ud800 <&>")
        return super().decision(request)


class Interrupted(Right):
    """Its user presses Ctrl-C at the fortieth decision, in the middle of a play."""

    asked = 0

    def decision(self, request: Json) -> Json:
        Interrupted.asked += 1
        if Interrupted.asked == 40:
            signal.raise_signal(signal.SIGINT)
        return super().decision(request)


class Wanders(Right):
    """Changes the working directory."""

    def new(self, request: Json) -> Json:
        os.chdir("/")
        return super().new(request)


class Loud(Right):
    """Writes to standard output in every way there is."""

    def new(self, request: Json) -> Json:
        print("in Python")
        os.write(1, b"to the descriptor\n")
        subprocess.run([sys.executable, "-c", "print('from a child')"], check=True)
        print("past the redirection", file=sys.__stdout__)
        return super().new(request)


class Blind(Right):
    """Shows nothing of its state."""

    def observe(self, request: Json) -> Json:
        return {"state": {}}


class Positions(Right):
    """Begins at positions only."""

    def new(self, request: Json) -> Json:
        return super().new(request) if "position" in request["setup"] else {"skipped": "games are too long"}


class Poor(Right):
    """Knows no coins in a position that it is given."""

    def new(self, request: Json) -> Json:
        setup = request["setup"]
        given = setup.get("position")
        changed = setup if given is None else {**setup, "position": {**given, "coins": 0}}
        return super().new({**request, "setup": changed})


class Unable(Right):
    """Plays another edition."""

    def start(self, request: Json) -> Json:
        return {**super().start(request), "games": [{"game": "dominion", "edition": "1999"}]}


class Both(Right):
    """Plays two games: one right, and the other without the acquiring of a single card."""

    def start(self, request: Json) -> Json:
        games_ = [{"game": "dominion", "edition": "2023"}, {"game": "station", "edition": "v3"}]
        return {**super().start(request), "games": games_}

    def new(self, request: Json) -> Json:
        self.model = Reference(games.load(request["game"]))
        return super().new(request)

    def decision(self, request: Json) -> Json:
        asked = super().decision(request)
        if asked.get("options"):
            asked["options"] = [option for option in asked["options"] if len(option.get("acquire", "..")) != 1]
        return asked


def answer(value: Any) -> Json:
    """A typed answer as a harness would give it: without a sequence number, and without what says nothing."""
    return {key: item for key, item in to_builtins(value).items() if key != "seq" and item is not None}
