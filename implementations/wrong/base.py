"""Nim, played by the rules, as a program that speaks the protocol: the others differ from it in one fault each.

One to three stones are taken in turn, each player may pass once, whoever takes the last stone wins,
and a coin says who begins (heads: B). It stands on its own on purpose: nothing of the oracle is used.
"""

import json
import random
import sys
from typing import Any

Json = dict[str, Any]


class Nim:
    """The game: what a program must know of it."""

    def __init__(self, setup: Json) -> None:
        given = setup.get("position")
        self.stones: int = (setup if given is None else given).get("stones", 5)
        self.passed = list(given.get("passed", [])) if given else []
        self.turn: str | None = given.get("turn", "A") if given else None
        self.coin = random.Random(setup.get("seed", 0)).choice(["heads", "tails"])

    def toss(self) -> list[Json]:
        if self.turn is not None:
            return []
        self.turn = "B" if self.coin == "heads" else "A"
        return [{"event": "fell", "items": [self.coin]}]

    def over(self) -> bool:
        return self.stones == 0

    def options(self) -> list[Json]:
        takes: list[Json] = [{"take": str(n)} for n in (1, 2, 3) if n <= self.stones]
        return takes if self.turn in self.passed else [*takes, {"pass": None}]

    def play(self, action: Json) -> None:
        if "take" in action:
            self.stones -= int(action["take"])
        else:
            self.passed = sorted([*self.passed, self.turn])
        self.turn = self.following()

    def following(self) -> str:
        return "B" if self.turn == "A" else "A"


class Program:
    """The protocol: one method a request, each giving its answer."""

    protocol = 1
    game = Nim

    def start(self, request: Json) -> Json:
        about = {"name": type(self).__name__, "version": "1", "language": "Python"}
        games = [{"game": "nim", "edition": "1"}]
        return {"protocol": self.protocol, "implementation": about, "games": games}

    def new(self, request: Json) -> Json:
        self.nim = self.game(request["setup"])
        return {"ok": True, "events": self.nim.toss()}

    def decision(self, request: Json) -> Json:
        if self.nim.over():
            return {"over": True}
        return {"player": self.nim.turn, "kind": "action", "options": self.nim.options()}

    def apply(self, request: Json) -> Json:
        if not self.accepts(request["player"], request["action"]):
            return {"accepted": False, "events": self.refused()}
        self.nim.play(request["action"])
        return {"accepted": True, "events": []}

    def accepts(self, player: str | None, action: Json) -> bool:
        return not self.nim.over() and player == self.nim.turn and action in self.nim.options()

    def refused(self) -> list[Json]:
        return []

    def observe(self, request: Json) -> Json:
        state = {"stones": self.nim.stones, "turn": self.nim.turn, "passed": self.nim.passed}
        if self.nim.over():
            state["winners"] = [self.nim.following()]
        return {"state": state}

    def answer(self, request: Json) -> str:
        """The line that answers a request."""
        answer = getattr(self, request["request"])(request)
        if "seq" in request:
            answer = {"seq": request["seq"], **answer}
        return json.dumps(answer) + "\n"

    def run(self) -> None:
        for line in sys.stdin:
            request = json.loads(line)
            if request["request"] == "stop":
                return
            sys.stdout.write(self.answer(request))
            sys.stdout.flush()
