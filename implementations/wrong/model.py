"""The oracle's own model as a program that speaks the protocol: some programs here make one thing in it wrong.

A wrong order shows only in a whole game, and a whole game on its own would be a program of many faults.
"""

from typing import Any

from msgspec import Struct, to_builtins

from oracle import games
from oracle.conformance.objects import Reference
from oracle.conformance.serve import serve

Json = dict[str, Any]


class Model:
    """The protocol: one method a request, each giving its answer."""

    game = ""

    def __init__(self) -> None:
        self.reference: Reference[Any] = Reference(games.load(self.game))

    def start(self, request: Json) -> Json:
        return self.answer(self.reference.start())

    def new(self, request: Json) -> Json:
        return self.answer(self.reference.new(request["game"], request["edition"], request["setup"]))

    def decision(self, request: Json) -> Json:
        return self.answer(self.reference.decision())

    def apply(self, request: Json) -> Json:
        return self.answer(self.reference.apply(request["player"], request["action"]))

    def observe(self, request: Json) -> Json:
        return self.answer(self.reference.observe(request["player"]))

    @staticmethod
    def answer(said: Struct) -> Json:
        """An answer without its number, which is that of the request."""
        answer: Json = to_builtins(said)
        answer.pop("seq", None)
        return answer

    @classmethod
    def run(cls) -> None:
        """Answers what is asked on the standard input."""
        serve(cls())
