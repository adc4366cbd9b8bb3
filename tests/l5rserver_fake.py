"""Speaks as `implementations/l5rserver/Driver.cs` does for a small program of its own, with neither Mono nor L5RServer.

It plays the phases that L5RServer has, right as far as the rules go where nobody may attack. Faults are put into it by
name: `sticky` (a pass is never taken back), `dies` (bringing a card into play ends it), `asks` (something unknown).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

Words = list[str]
TEXTS = {
    "PlayerOpenPass": "Open: Pass",
    "PlayerInterruptPass": "Interrupt: Pass",
    "PlayerDynastyPass": "Dynasty: Pass",
    "PlayerDynastyRecruit": "bring something into play",
    "PlayerDynastyRefill": "discard something",
}
ACTION, PROVINCE = "Select Action: ", "Pick Province:"


class GivenUp(Exception):
    """Another position follows."""


class Seat:
    """A player, from the lines of a position."""

    def __init__(self, words: Words, lines: list[Words]) -> None:
        name, honor, self.most = words
        self.name, self.honor = name, int(honor)

        def of(word: str) -> Iterator[Words]:
            return (words[2:] for words in lines if words[:2] == [word, name])

        self.provinces = [[card, face] for _, card, face in of("province")]
        self.dynasty = [card for _, card in of("dynasty")]
        self.fate = [card for (card,) in of("fate")]
        self.hand = [card for (card,) in of("hand")]
        self.abilities = list(of("ability"))
        self.discard: list[str] = []

    def draw(self) -> None:
        """A Fate card, if there is one."""
        if self.fate:
            self.hand.append(self.fate.pop(0))

    def leave(self, i: int) -> str:
        """Takes the card out of a Province, which is refilled if there is a card for it."""
        card = self.provinces[i][0]
        self.provinces[i : i + 1] = [[self.dynasty.pop(0), "down"]] if self.dynasty else []
        return card


class Play:
    """One play: `active` has the turn, `other` does not, `performs` is asked."""

    def __init__(self, lines: list[Words], faults: list[str]) -> None:
        self.faults = faults
        self.active, self.other = (Seat(words[1:], lines) for words in lines if words[0] == "player")
        self.seats = self.active, self.other
        self.passed = {words[1] for words in lines if words[0] == "passed"}
        (now,) = (words for words in lines if words[0] == "now")
        self.phase = now[1]
        self.performs = next(seat for seat in self.seats if seat.name == now[2])

    def run(self) -> None:
        """Plays on until it is given up."""
        while True:
            if self.phase == "action":
                self.actions()
            self.phase, self.performs = "dynasty", self.active
            while self.dynasty():
                pass
            self.active.draw()
            self.active, self.other = self.other, self.active
            self.phase, self.performs, self.passed = "action", self.active, set()
            for seat in self.seats:
                seat.abilities = [[*ability[:-1], "unused"] for ability in seat.abilities]
            for province in self.active.provinces:
                province[1] = "up"

    def actions(self) -> None:
        """An Action Phase."""
        while len(self.passed) < 2:
            seat = self.performs
            takes = ("Limited", "Open") if seat is self.active else ("Open",)
            able = [ability for ability in seat.abilities if ability[1] in takes and ability[-1] == "unused"]
            number = self.choose([("PlayerOpenPass", ""), *(("Declared", ability[0]) for ability in able)])
            self.interrupts()
            if number == 0:
                self.passed.add(seat.name)
            else:
                self.use(seat, able[number - 1])
            self.performs = self.opponent(seat)

    def use(self, seat: Seat, ability: Words) -> None:
        """Does what an ability says."""
        ability[-1] = "used"
        seat.honor += int(ability[3])
        for _ in range(int(ability[2])):
            seat.draw()
        if "sticky" not in self.faults:
            self.passed.clear()

    def dynasty(self) -> bool:
        """One action of a Dynasty Phase: whether it goes on."""
        seat = self.active
        options: list[tuple[str, Callable[[], object]]] = [("PlayerDynastyPass", lambda: None)]
        if seat.provinces and seat.provinces[0][1] == "up":
            options += [("PlayerDynastyRecruit", self.bring), ("PlayerDynastyRefill", self.throw)]
        number = self.choose([(owner, "") for owner, _ in options])
        self.interrupts()
        options[number][1]()
        return number > 0

    def bring(self) -> None:
        """Brings a card into play, where nothing more is heard of it."""
        if "dies" in self.faults:
            sys.exit("Unhandled Exception: a card in play")
        up = [i for i, (_, face) in enumerate(self.active.provinces) if face == "up"]
        self.active.leave(up[self.ask(PROVINCE, [])])

    def throw(self) -> None:
        """Discards the card of the first Province."""
        self.active.discard.append(self.active.leave(0))

    def interrupts(self) -> None:
        """Both players pass."""
        first = self.performs
        for seat in (first, self.opponent(first)):
            self.performs = seat
            self.choose([("PlayerInterruptPass", "")])
        self.performs = first

    def choose(self, options: list[tuple[str, str]]) -> int:
        """Which of the options is chosen."""
        return self.ask("Why? " if "asks" in self.faults else ACTION, options)

    def opponent(self, seat: Seat) -> Seat:
        """The other player."""
        return self.seats[1 - self.seats.index(seat)]

    def ask(self, asked: str, options: list[tuple[str, str]]) -> int:
        """Tells everything, and reads a number."""
        tell("asked", asked)
        tell("now", self.phase, self.active.name, self.performs.name)
        for owner, text in options:
            tell("option", owner, text or TEXTS[owner])
        for i, (card, face) in enumerate(self.active.provinces, 1):
            if face == "up":
                tell("recruit", card, str(i))
        for seat in self.seats:
            tell("player", seat.name, str(seat.honor), seat.most)
            for province in seat.provinces:
                tell("province", seat.name, *province)
            for zone in ("hand", "fate", "dynasty", "discard"):
                for card in getattr(seat, zone):
                    tell(zone, seat.name, card)
        tell("")
        sys.stdout.flush()
        answer = read()
        if answer == "":
            raise GivenUp
        return int(answer)


def tell(*words: str) -> None:
    """Writes a line."""
    print(*words, sep="\t")


def read() -> str:
    """Reads a line; the end of the input is the end."""
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    return line.removesuffix("\n")


def main() -> None:
    """Plays from one position after the other."""
    while True:
        lines = []
        while line := read():
            lines.append(line.split("\t"))
        try:
            Play(lines, sys.argv[1:]).run()
        except GivenUp:
            continue


if __name__ == "__main__":
    main()
