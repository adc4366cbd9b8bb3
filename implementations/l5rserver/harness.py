"""L5RServer behind the oracle's protocol.

L5RServer is a console program that writes numbered options and reads a number. It is compiled together with
`Driver.cs`, which sets a position out and tells at each question what the program holds. README.md beside this
file says how each question is mapped, and why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from l5rserver_position import lines, players
from l5rserver_program import Ended, Line, Table, command

from oracle.errors import Unsupported

Json = dict[str, Any]
Ways = Mapping[str, tuple[int, ...]]
"""The numbers that choose an option: of the option, then of what is asked about it; by the Province that is left."""

GAME, EDITION = "l5r", "EE"
FEATURES = ["Holding", "Personality", "refill down", "Limited", "Open", "Battle", "draw", "honor", "barred"]
"""What of L5R it can be set up with: see oracle/games/l5r/README.md."""
ASKS_ACTION, ASKS_PROVINCE = "Select Action:", "Pick Province:"
PASS, PASS_INTERRUPT, END = "PlayerOpenPass", "PlayerInterruptPass", "PlayerDynastyPass"
RECRUIT, REFILL, DECLARED = "PlayerDynastyRecruit", "PlayerDynastyRefill", "Declared"
UNASKED = ""
"""In place of a Province, where an option needs none."""
EVENTS = {"fate": "drawn", "dynasty": "filled"}
"""What has happened when a deck has become smaller."""


def ready() -> None:
    """Sees to it that the program is there to be run. Raises `BadInput`."""
    command()


class Harness:
    """L5RServer as the oracle speaks to it, or whatever else a command runs that speaks like `Driver.cs`."""

    def __init__(self, run: Sequence[str] = ()) -> None:
        self._run = run or command()
        self._table: Table | None = None
        self._names: list[str] = []
        self._ways: Ways = {}

    def start(self, request: Json) -> Json:
        """Who it is, and what it can be set up with."""
        return {
            "protocol": 1,
            "implementation": {"name": "L5RServer", "version": "", "language": "C#"},
            "games": [{"game": GAME, "edition": EDITION, "features": FEATURES}],
        }

    def new(self, request: Json) -> Json:
        """Begins a play in a position; its own games begin with decks of the Ivory edition that nothing can change."""
        setup = request["setup"]
        try:
            if (request["game"], request["edition"]) != (GAME, EDITION):
                raise Unsupported(f"{request['game']}@{request['edition']}")
            if "position" not in setup:
                raise Unsupported("a game from its start: its decks are its own")
            self._names = players(setup["position"])
            given = lines(setup["position"], setup.get("seed", 0))
            self._ways = {}
        except Unsupported as lacking:
            return {"unsupported": lacking.message}
        if self._table is None:
            self._table = Table(self._run)
        self._guarded(lambda table: table.begin(given))
        return {"ok": True, "events": self._interrupts()}

    def decision(self, request: Json) -> Json:
        """Who performs an action, and what can be made of the options."""
        kind = "choice" if self._ways else "action"
        return {"player": self._performs, "kind": kind, "options": [option for option, _ in self._options()]}

    def apply(self, request: Json) -> Json:
        """Chooses an option; what is not among them is refused here, and the program never sees it.

        Where a card lies in several Provinces, nothing is chosen before its Province is known.
        """
        found = [ways for option, ways in self._options() if option == request["action"]]
        if not found or request["player"] != self._performs:
            return {"accepted": False}
        self._ways = {} if UNASKED in found[0] else found[0]
        if self._ways:
            return {"accepted": True, "events": []}
        number, *more = found[0][UNASKED]
        return {"accepted": True, "events": self._answer(number) + self._interrupts(more)}

    def observe(self, request: Json) -> Json:
        """The position as far as it holds one."""
        table, player = self.table, request.get("player")
        (phase, active, performs), *_ = table.of("now")
        seats = {name: (int(honor), int(most)) for name, honor, most in table.of("player")}

        def zone(name: str) -> dict[str, list[str]]:
            return {seat: [card for (card,) in table.of(name, seat)] for seat in self._names}

        hand = zone("hand")
        state: Json = {
            "players": self._names,
            "active": active,
            "phase": phase,
            "honor": {name: seats[name][0] for name in self._names},
            "max hand": {name: seats[name][1] for name in self._names},
            "provinces": {name: [[_laid(card)] for card in table.of("province", name)] for name in self._names},
            "hand": {name: sorted(cards) for name, cards in hand.items() if player in (None, name)},
            "hand size": {name: len(cards) for name, cards in hand.items()},
            "discard": {name: sorted(cards) for name, cards in zone("discard").items()},
            "dynasty size": {name: len(cards) for name, cards in zone("dynasty").items()},
            "fate size": {name: len(cards) for name, cards in zone("fate").items()},
        }
        if phase == "action":
            state["turn to act"] = performs
        return {"state": state}

    def stop(self, request: Json) -> None:
        """Ends the program."""
        table, self._table = self._table, None
        if table is not None:
            table.stop()

    @property
    def table(self) -> Table:
        """The play that has begun."""
        if self._table is None:
            raise Ended("no play has begun")
        return self._table

    @property
    def _performs(self) -> str:
        return str(self.table.of("now")[0][2])

    def _options(self) -> list[tuple[Json, Ways]]:
        """Each option as an action, with the ways to choose it."""
        if self._ways:
            return [({"from": province}, {UNASKED: numbers}) for province, numbers in self._ways.items()]
        out: list[tuple[Json, Ways]] = []
        for number, (owner, text) in enumerate(self.table.of("option")):
            if owner == PASS:
                out.append(({"pass": None}, {UNASKED: (number,)}))
            elif owner == END:
                out.append(({"end": "dynasty phase"}, {UNASKED: (number,)}))
            elif owner == DECLARED:
                out.append(({"use": text}, {UNASKED: (number,)}))
            elif owner == RECRUIT:
                shown = self.table.of("recruit")
                for card in dict.fromkeys(card for card, _ in shown):
                    ways = {province: (number, i) for i, (name, province) in enumerate(shown) if name == card}
                    out.append(({"bring": card}, ways if len(ways) > 1 else {UNASKED: next(iter(ways.values()))}))
            elif owner == REFILL:
                # It discards the card of the first Province, without asking.
                laid = self.table.of("province", self._performs)
                for card, _ in laid[:1]:
                    out.append(({"discard": card}, {"1" if laid.count((card, "up")) > 1 else UNASKED: (number,)}))
            else:
                raise Ended(f"an option that nobody has declared: {text}")
        return out

    def _interrupts(self, answers: Sequence[int] = ()) -> list[Json]:
        """Goes on to the next question about an action: those about interrupts have one answer, for both players."""
        events: list[Json] = []
        left = list(answers)
        while True:
            asked, options = self.table.of("asked")[0][0].strip(), self.table.of("option")
            if asked == ASKS_PROVINCE and left:
                events += self._answer(left.pop(0))
            elif asked == ASKS_ACTION and [owner for owner, _ in options] == [PASS_INTERRUPT]:
                events += self._answer(0)
            elif asked == ASKS_ACTION and not left:
                return events
            else:
                raise Ended(f"a question that has no answer here: {asked}")

    def _answer(self, number: int) -> list[Json]:
        """Gives one answer; the events are what the decks have lost meanwhile."""
        before = self.table.lines
        self._guarded(lambda table: table.answer(number))
        return [event for name in self._names for event in _lost(before, self.table.lines, name)]

    def _guarded(self, work: Callable[[Table], None]) -> None:
        try:
            work(self.table)
        except Ended:
            self._table = None
            raise


def _laid(card: Line) -> str:
    name, face = card
    return name if face == "up" else f"{name} down"


def _lost(before: Sequence[Line], after: Sequence[Line], player: str) -> list[Json]:
    """The cards that are gone from the top of a player's decks, as events."""
    out: list[Json] = []
    for deck, event in EVENTS.items():
        was, left = ([line[2] for line in lines if line[:2] == (deck, player)] for lines in (before, after))
        if len(left) < len(was):
            out.append({"event": event, "player": player, "items": was[: len(was) - len(left)]})
    return out
