"""evolvedominion 1.0.3 behind the oracle's protocol.

evolvedominion asks an `Agent` to select one of the consequences that it has worked out, so this is a
`CallbackHarness`. A consequence that makes several choices at once is asked for one choice after the
other (`Seat._narrow`). README.md beside this file says how each decision is mapped, and why.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy
from evolvedominion.agents.agent import Agent
from evolvedominion.engine import combinatorics, engine
from evolvedominion_state import (
    CARDS,
    KINGDOM,
    NAMES,
    Dealt,
    Placed,
    Sitting,
    cards,
    check,
    names_of,
    players_of,
    under_way,
)

from oracle.conformance.callback import CallbackHarness, Kind, selections
from oracle.errors import Unsupported

T = TypeVar("T")
Json = dict[str, Any]
Key = tuple[str, tuple[str, ...]]
"""An action as (verb, card names); the names are sorted unless their order matters."""

LISTS = ("discard", "trash", "put back")
"""Verbs whose actions name any number of cards, in a list."""
STAGES: dict[str, tuple[str, ...]] = {
    "ArtisanChoices": ("gain", "topdeck"),
    "BanditProcedure": ("trash",),
    "BureaucratProcedure": ("topdeck",),
    "CellarChoices": ("discard",),
    "ChapelChoices": ("trash",),
    "HarbingerChoices": ("topdeck",),
    "ImmunityProcedure": ("reveal",),
    "LibraryProcedure": ("keep", "set aside"),
    "MineChoices": ("trash", "gain"),
    "MoneylenderChoices": ("trash",),
    "RemodelChoices": ("trash", "gain"),
    "ThroneRoomChoices": ("play",),
    "VassalChoices": ("play",),
    "WorkshopChoices": ("gain",),
}
"""What evolvedominion's decisions are about, in the order in which a player makes up his mind."""
VERBS = {
    "discard": "discard",
    "discard_pieces": "discard",
    "gain": "gain",
    "play_piece": "play",
    "put": "keep",
    "reveal": "reveal",
    "set_aside": "set aside",
    "topdeck": "topdeck",
    "trash": "trash",
    "trash_pieces": "trash",
}
"""evolvedominion's effects on cards as actions."""
LOOKS = {"VassalChoices": 1, "LibraryProcedure": 1, "BanditProcedure": 2, "SentryChoices": 2}
"""Decisions for which evolvedominion leaves the cards on the deck that the player takes off it to see, and how many."""


class Ordered(dict[Any, None]):
    """A set, as far as evolvedominion uses one, that keeps the order in which it was filled."""

    def __init__(self, items: Iterable[Any] = ()) -> None:
        super().__init__(dict.fromkeys(items))

    def add(self, item: Any) -> None:
        """Adds an item at the end, if it is new."""
        self.setdefault(item)


class Harness(CallbackHarness):
    """evolvedominion as the oracle speaks to it. `settled` is false at a question while cards are in mid-air."""

    games = tuple({"game": "dominion", "edition": edition, "features": KINGDOM} for edition in ("2023", "2016"))
    ordered = ("put back",)

    session: Sitting
    names: list[str]
    settled = True

    def __init__(self) -> None:
        super().__init__()
        # Library prints a line for debugging, which is no news to anybody.
        engine.print = lambda *line: None
        # Its sets of cards go by where the cards lie in memory, so the same seed would not give the same game.
        combinatorics.set = Ordered

    def about(self) -> Json:
        return {"name": "evolvedominion", "version": "1.0.3", "language": "Python"}

    def begin(self, setup: Json) -> None:
        numpy.random.seed(setup.get("seed", 0) % 2**32)
        position = setup.get("position")
        self.settled = True
        self.names = players_of(setup if position is None else position)
        if len(self.names) > 4:
            raise Unsupported(f"{len(self.names)} players")
        if position is not None:
            check(position)
            seats = [Seat(name, self) for name in self.names]
            placed = Placed(seats, position)
            self.session = Sitting(lambda: placed, under_way(position))
        else:
            kingdom = [CARDS[name] for name in cards(setup.get("kingdom"))]
            if len(kingdom) > 10:
                raise Unsupported(f"{len(kingdom)} kingdom cards")
            first = self.names.index(setup.get("first", self.names[0]))
            seats = [Seat(name, self) for name in self.names[first:] + self.names[:first]]
            self.session = Sitting(lambda: Dealt(seats, kingdom))
        self.session.players = seats

    def run(self) -> None:
        self.session.play()

    def state(self, player: str | None) -> Json:
        session, state = self.session, self.session.seen
        seats = {seat.pid: seat for seat in session.players}
        seats = {name: seats[name] for name in self.names}
        seen: Json = {
            "players": self.names,
            "turns": {name: seat.n_turns_played for name, seat in seats.items()},
        }
        if self.settled:
            seen["hand"] = {n: sorted(names_of(seat.HAND)) for n, seat in seats.items() if player in (None, n)}
            seen["hand size"] = {name: len(seat.HAND) for name, seat in seats.items()}
            seen["deck size"] = {name: len(seat.DECK) for name, seat in seats.items()}
            seen["discard"] = {name: sorted(names_of(seat.DISCARD)) for name, seat in seats.items()}
            seen["in play"] = {name: sorted(names_of(seat.PLAY)) for name, seat in seats.items()}
            sizes = zip(state.piece_to_pile_size_map, state.piles, strict=False)
            seen["supply"] = {NAMES[piece]: len(pile) for piece, pile in sizes}
            seen["trash"] = sorted(names_of(state.TRASH))
        if self.question is None:
            seen["over"] = True
            seen["scores"] = {name: seat.victory_points for name, seat in seats.items()}
            best = max(seat.score for seat in seats.values())
            seen["winners"] = [name for name, seat in seats.items() if seat.score == best]
            return seen
        seen.update({"turn": state.current_player.pid, "phase": session.phase})
        if self.settled or self.question.kind != "action":
            seen.update({"buys": state.n_buy, "coins": state.n_coin})
            if session.phase == "action":
                seen["actions"] = state.n_action
        return seen


@dataclass(frozen=True)
class Purchase:
    """A buy chosen while evolvedominion was still asking for Treasures, or (None) the end of the phase."""

    card: str | None


class Seat(Agent):  # type: ignore[misc]
    """An agent of evolvedominion that selects what the other side of the protocol chooses."""

    def __init__(self, name: str, harness: Harness) -> None:
        super().__init__(name)
        self.harness = harness
        self.purchase: Purchase | None = None
        self.discards: list[str] = []

    def __repr__(self) -> str:
        # Whoever is not "You" is a computer player, for whom evolvedominion leaves out most of Cellar's choices.
        return "You"

    def peek(self, cards: Any) -> None:
        """Called by evolvedominion with the cards just drawn to the hand."""
        self._report("drawn", cards)

    def select(self, choices: list[Any], decision: Any) -> Any:
        """Called by evolvedominion with everything it allows; returns one of the choices."""
        name = type(decision).__name__
        seen = self.DECK[::-1][: LOOKS.get(name, 0)]
        if seen:
            self._report("drawn" if name == "LibraryProcedure" else "turned up", seen)
        match name:
            case "ActionChoices":
                return self._turn({turn_key(choice, "action phase"): choice for choice in choices})
            case "TreasureChoices":
                return self._treasures(choices)
            case "BuyChoices":
                return self._buy(choices)
            case "MilitiaVictimProcedure":
                return self._militia(choices)
            case "SentryChoices":
                return self._narrow([(sentry_stages(choice, seen), choice) for choice in choices], settled=not seen)
            case _ if name in STAGES:
                return self._narrow(staged(name, choices), settled=not seen)
        if len(choices) != 1:
            raise RuntimeError(f"evolvedominion asks what no card of the base set asks: {name}")
        return choices[0]

    def _report(self, event: str, cards: Iterable[Any]) -> None:
        self.harness.tell(event, self.pid, names_of(cards))

    def _ask(self, kind: Kind, table: Mapping[Key, T], settled: bool = True) -> T:
        self.harness.settled = settled
        answer = self.harness.choose(self.pid, kind, ((write(key), answer) for key, answer in table.items()))
        self.harness.settled = True
        return answer

    def _turn(self, table: Mapping[Key, Any]) -> Any:
        return self._ask("action", table)

    def _treasures(self, choices: list[Any]) -> Any:
        stop = next(choice for choice in choices if isinstance(choice, engine.PassOption))
        buys = engine.BuyChoices().generate_choices(self.state, self)
        table: dict[Key, Any] = {turn_key(choice, "buy phase"): Purchase(bought(choice)) for choice in buys}
        plays = next((choice for choice in choices if choice is not stop), None)
        left = names_of(plays.effects[0].kwargs["pieces"]) if plays else []
        answer = self._turn(table | {("play", (name,)): name for name in left})
        if isinstance(answer, Purchase):
            self.purchase = answer
            return stop
        left.remove(answer)
        while left:
            # The one choice that plays a Treasure plays all of them: evolvedominion knows no way to stop now.
            left.remove(self._ask("action", {("play", (name,)): name for name in left}, settled=False))
        return plays

    def _buy(self, choices: list[Any]) -> Any:
        if self.purchase is None:
            return self._turn({turn_key(choice, "buy phase"): choice for choice in choices})
        card, self.purchase = self.purchase.card, None
        return next(choice for choice in choices if bought(choice) == card)

    def _militia(self, choices: list[Any]) -> Any:
        if not self.discards:
            n = len(self.HAND) - 3
            table = {("discard", some): some for some in selections(names_of(self.HAND), n, n)}
            self.discards = list(self._ask("choice", table))
        card = self.discards.pop()
        return next(choice for choice in choices if effects(choice) == [("discard", (card,))])

    def _narrow(self, staged: list[tuple[tuple[Key, ...], Any]], settled: bool) -> Any:
        """Asks for one stage after the other until a single choice is left."""
        depth = 0
        while any(len(stages) > depth for stages, _ in staged):
            table: dict[Key, Any] = {stages[depth]: stages[depth] for stages, _ in staged}
            kind: Kind = "order" if any(verb == "put back" for verb, _ in table) else "choice"
            chosen = self._ask(kind, table, settled=settled and depth == 0)
            staged = [(stages, choice) for stages, choice in staged if stages[depth] == chosen]
            depth += 1
        return staged[0][1]


def write(key: Key) -> Json:
    """An action in its JSON form."""
    verb, names = key
    return {verb: list(names)} if verb in LISTS else {verb: names[0] if names else None}


def bought(choice: Any) -> str | None:
    """The card that a choice of the buy phase buys; None for its end."""
    return None if isinstance(choice, engine.PassOption) else NAMES[type(choice.gained_piece)]


def turn_key(choice: Any, phase: str) -> Key:
    """The action that a choice of the action or buy phase stands for."""
    if isinstance(choice, engine.PassOption):
        return "end", (phase,)
    if isinstance(choice, engine.Purchase):
        return "buy", (str(bought(choice)),)
    return "play", (NAMES[type(choice.action)],)


def effects(choice: Any) -> list[Key]:
    """What a choice does to the player's cards, in order."""
    found = []
    for effect in choice.effects:
        verb = VERBS.get(getattr(effect.function, "__name__", "")) if isinstance(effect, engine.Effect) else None
        if verb:
            cards = effect.kwargs["pieces"] if "pieces" in effect.kwargs else [effect.kwargs["piece"]]
            found.append((verb, tuple(sorted(names_of(cards)))))
    return found


def staged(name: str, choices: list[Any]) -> list[tuple[tuple[Key, ...], Any]]:
    """Each choice with the actions, one after the other, by which a player arrives at it.

    A single choice that leaves the player nothing to say has no such actions.
    """
    forced = len(choices) == 1 and (name in LOOKS or isinstance(choices[0], engine.NullOption))
    verbs = STAGES[name]
    out: list[tuple[tuple[Key, ...], Any]] = []
    for choice in choices:
        keys = tuple(key for key in effects(choice) if key[0] in verbs)
        nothing = isinstance(choice, engine.NullOption) or name == "VassalChoices"
        out.append((() if forced else keys or (((verbs[0], ()),) if nothing else ()), choice))
    return out


def sentry_stages(choice: Any, seen: list[Any]) -> tuple[Key, ...]:
    """A choice of Sentry's as what to trash, what to discard, and how to put back the rest (top card first)."""
    gone: dict[str, list[Any]] = {"trash": [], "discard": []}
    swapped = False
    for effect in choice.effects:
        if effect.function.__name__ in gone:
            gone[effect.function.__name__].append(effect.kwargs["piece"])
        swapped |= effect.function is engine.swap_top_cards_of_deck
    if not seen:
        return ()
    stages: list[Key] = [("trash", tuple(sorted(names_of(gone["trash"]))))]
    if len(gone["trash"]) < len(seen):
        stages.append(("discard", tuple(sorted(names_of(gone["discard"])))))
    rest = names_of(card for card in seen if not any(card is other for other in gone["trash"] + gone["discard"]))
    if len(set(rest)) > 1:
        stages.append(("put back", tuple(rest[::-1] if swapped else rest)))
    return tuple(stages)


if __name__ == "__main__":
    Harness.main()
