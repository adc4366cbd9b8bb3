"""pyminion 0.4.0 behind the oracle's protocol, one JSON object a line.

pyminion plays a whole game by itself and calls back when it wants a decision. Here it runs in a
thread of its own, which stops at every question until the answer has come (`Play`). What its
callbacks allow becomes the options of the question (`Decider`), and what its decks give becomes
events (`Seat`). Nothing is taken from the oracle's own code, so this is also an example to copy.
README.md beside this file says how each card is mapped, and why.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from queue import SimpleQueue
from threading import Thread
from typing import Any

from pyminion.core import CardType, Pile, Supply
from pyminion.expansions.base import base_set, copper, curse, duchy, estate, gold, province, silver
from pyminion.game import Game
from pyminion.player import Player

Json = dict[str, Any]
Key = tuple[str, tuple[str, ...]]
"""An action as (verb, card names); the names are sorted unless their order matters."""

EDITIONS = ("2023", "2016")
BASICS = {card.name: card for card in (copper, silver, gold, estate, duchy, province, curse)}
CARDS = {**BASICS, **{card.name: card for card in base_set}}

LISTS = ("discard", "trash", "put back")
MISSING = object()
UNSETTLED = {("Remodel", "gain"), ("Mine", "gain"), ("Sentry", "discard")}
"""Questions (card, verb) that pyminion asks while it holds cards that it has not yet put where they belong."""


class Unsupported(Exception):
    """Something that pyminion cannot play or hold."""


class Abandoned(BaseException):
    """Ends a play that waits for an answer which will not come."""


# -- questions -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Listed:
    """Choices as a table: each action with the answer that pyminion wants for it."""

    table: Mapping[Key, Any]

    def __iter__(self) -> Iterator[Key]:
        return iter(self.table)

    def answer(self, key: Key) -> Any:
        """What to answer pyminion for the action, or MISSING if it is not allowed."""
        return self.table.get(key, MISSING)


@dataclass(frozen=True)
class Selection:
    """Choices of `low` to `high` cards out of a pool; answered with the list of them."""

    verb: str
    pool: tuple[str, ...]
    low: int
    high: int

    def __iter__(self) -> Iterator[Key]:
        kinds = [(name, len(list(same))) for name, same in groupby(self.pool)]
        return ((self.verb, chosen) for chosen in _multisets(kinds, self.low, self.high))

    def answer(self, key: Key) -> Any:
        verb, names = key
        allowed = verb == self.verb and self.low <= len(names) <= self.high
        return [CARDS[name] for name in names] if allowed and Counter(names) <= Counter(self.pool) else MISSING


def _multisets(kinds: list[tuple[str, int]], low: int, high: int) -> Iterator[tuple[str, ...]]:
    """Every different choice of `low` to `high` cards, each once."""
    if high < 0 or sum(n for _, n in kinds) < low:
        return
    if not kinds:
        yield ()
        return
    (name, copies), *rest = kinds
    for n in range(min(copies, high) + 1):
        for more in _multisets(rest, low - n, high - n):
            yield (name,) * n + more


@dataclass(frozen=True)
class Question:
    """What pyminion wants to know, from whom. `settled`: no card is in mid-air."""

    player: str
    kind: str
    choices: Listed | Selection
    settled: bool = True


def read(action: Any) -> Key | None:
    """An action from its JSON form; None for what is no action at all."""
    if not isinstance(action, dict) or len(action) != 1:
        return None
    ((verb, value),) = action.items()
    names = [] if value is None else [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return None
    return verb, tuple(names) if verb == "put back" else tuple(sorted(names))


def write(key: Key) -> Json:
    """An action in its JSON form."""
    verb, names = key
    return {verb: list(names)} if verb in LISTS else {verb: names[0] if names else None}


# -- the engine turned inside out ------------------------------------------------------------------


class Play:
    """One play: the engine in its thread, and the question at which it waits (None at the end)."""

    def __init__(self) -> None:
        self.question: Question | None = None
        self.failure: BaseException | None = None
        self._asked: SimpleQueue[Question | BaseException | None] = SimpleQueue()
        self._answers: SimpleQueue[Any] = SimpleQueue()
        self._thread: Thread | None = None

    def run(self, engine: Callable[[], Any]) -> None:
        """Lets the engine run to its first question."""
        self._thread = Thread(target=self._work, args=(engine,), name="pyminion", daemon=True)
        self._thread.start()
        self._wait()

    def answer(self, value: Any) -> None:
        """Answers the question and lets the engine run to its next."""
        self._answers.put(value)
        self._wait()

    def end(self) -> None:
        """Stops the engine where it waits; returns when its thread has ended."""
        if self.question is not None:
            self._answers.put(Abandoned())
        if self._thread is not None:
            self._thread.join()
        self.question = self._thread = None

    def ask(self, question: Question) -> Any:
        """Called in the engine's thread: hands the question over and returns its answer."""
        self._asked.put(question)
        answer = self._answers.get()
        if isinstance(answer, Abandoned):
            raise answer
        return answer

    def _work(self, engine: Callable[[], Any]) -> None:
        try:
            engine()
        except Abandoned:
            return
        except BaseException as failure:
            self._asked.put(failure)
        else:
            self._asked.put(None)

    def _wait(self) -> None:
        asked = self._asked.get()
        self.question = asked if isinstance(asked, Question) else None
        if isinstance(asked, BaseException):
            self.failure = asked
            raise asked


# -- pyminion's callbacks --------------------------------------------------------------------------


class Decider:
    """Answers every callback of pyminion with what the other side of the protocol chooses."""

    def __init__(self) -> None:
        self.play = Play()
        self.events: list[Json] = []
        self.looked: list[Any] = []

    def action_phase_decision(self, valid_actions: list[Any], player: Seat, game: Any) -> Any:
        table: dict[Key, Any] = {("play", (card.name,)): card for card in valid_actions}
        return self._turn(player, table | {("end", ("action phase",)): None})

    def treasure_phase_decision(self, valid_treasures: list[Any], player: Seat, game: Any) -> list[Any]:
        table: dict[Key, Any] = {("play", (card.name,)): card for card in valid_treasures}
        table |= {("buy", (card.name,)): Purchase(card) for card in affordable(player, game)}
        answer = self._turn(player, table | {("end", ("buy phase",)): None})
        if answer is None or isinstance(answer, Purchase):
            player.purchase = answer
            return []
        return [answer]

    def buy_phase_decision(self, valid_cards: list[Any], player: Seat, game: Any) -> Any:
        if player.ended:
            return None
        if player.purchase is not None:
            chosen, player.purchase = player.purchase.card, None
            if chosen not in valid_cards:
                raise RuntimeError(f"pyminion no longer offers {chosen}, which it could have sold")
            return chosen
        table: dict[Key, Any] = {("buy", (card.name,)): card for card in valid_cards}
        return self._turn(player, table | {("end", ("buy phase",)): None})

    def go_on(self, player: Seat, phase: str) -> None:
        """Puts the one thing that can be done in a phase about which pyminion asks nothing more."""
        self._turn(player, {("end", (phase,)): None})

    def _turn(self, player: Seat, table: Mapping[Key, Any]) -> Any:
        answer = self.play.ask(Question(player.player_id, "action", Listed(table)))
        player.ended = answer is None
        return answer

    def binary_decision(self, card: Any, player: Seat, **asked: Any) -> bool:
        match card.name:
            case "Moneylender":
                return self._choose(player, {("trash", ("Copper",)): True, ("trash", ()): False})
            case "Vassal":
                found = player.discard_pile.cards[-1].name
                return self._choose(player, {("play", (found,)): True, ("play", ()): False})
            case "Library":
                found = asked["relevant_cards"][0].name
                return self._choose(player, {("set aside", (found,)): True, ("keep", (found,)): False})
            case "Moat":
                if player.revealed is None:
                    player.revealed = self._choose(player, {("reveal", ("Moat",)): True, ("reveal", ()): False})
                return player.revealed
            case "Sentry":
                top, under = (found.name for found in self.looked)
                table: dict[Key, bool] = {("put back", (top, under)): False, ("put back", (under, top)): True}
                return top != under and self._choose(player, table, kind="order", settled=False)
        raise RuntimeError(f"pyminion asks what no card of the base set asks: {card}: {asked}")

    def _choose(self, player: Seat, table: Mapping[Key, bool], kind: str = "choice", settled: bool = True) -> bool:
        return bool(self.play.ask(Question(player.player_id, kind, Listed(table), settled)))

    def multi_play_decision(self, valid_cards: list[Any], player: Seat, required: bool = True, **asked: Any) -> Any:
        table: dict[Key, Any] = {("play", (card.name,)): card for card in valid_cards}
        if not required:
            table["play", ()] = None
        return self.play.ask(Question(player.player_id, "choice", Listed(table)))

    def discard_decision(self, **asked: Any) -> list[Any]:
        return self._select("discard", **asked)

    def trash_decision(self, valid_cards: list[Any], **asked: Any) -> list[Any]:
        # Sentry goes on to change this very list, so it still tells what is left when the order is asked for.
        self.looked = valid_cards
        return self._select("trash", valid_cards=valid_cards, **asked)

    def gain_decision(self, **asked: Any) -> list[Any]:
        return self._select("gain", **asked)

    def topdeck_decision(self, **asked: Any) -> list[Any]:
        return self._select("topdeck", **asked)

    def _select(self, verb: str, card: Any, valid_cards: list[Any], player: Seat, **asked: Any) -> list[Any]:
        low, high = asked.get(f"min_num_{verb}", 0), asked.get(f"max_num_{verb}", -1)
        if not valid_cards and low == 0:
            return []
        pool = tuple(sorted(found.name for found in valid_cards))
        choices = Selection(verb, pool, low, len(pool) if high < 0 else high)
        settled = (card.name, verb) not in UNSETTLED
        return list(self.play.ask(Question(player.player_id, "choice", choices, settled)))


@dataclass(frozen=True)
class Purchase:
    """A buy that was chosen while pyminion was still asking for Treasures."""

    card: Any


def affordable(player: Seat, game: Any) -> list[Any]:
    """What pyminion's buy phase would offer if the player stopped playing Treasures now (see `start_buy_phase`)."""
    if player.state.buys <= 0:
        return []
    return [card for card in game.supply.avaliable_cards() if card.get_cost(player, game) <= player.state.money]


class Seat(Player):  # type: ignore[misc]
    """A pyminion player whose decks report what they give, and whose phases all end by a decision."""

    def __init__(self, name: str, decider: Decider) -> None:
        super().__init__(decider, player_id=name)
        self.phase = ""
        self.ended = False
        self.purchase: Purchase | None = None
        self.revealed: bool | None = None

    def draw(self, num_cards: int = 1, destination: Any = None, silent: bool = False) -> None:
        came = min(num_cards, len(self.deck) + len(self.discard_pile))
        super().draw(num_cards, destination, silent)
        if came > 0:
            where = self.hand if destination is None else destination
            # `silent` is how pyminion marks cards that are looked at, revealed or discarded instead of drawn.
            what = "turned up" if silent else "drawn"
            names = [card.name for card in where.cards[-came:]]
            self.decider.events.append({"event": what, "player": self.player_id, "items": names})

    def is_attacked(self, player: Any, attack_card: Any, game: Any) -> bool:
        self.revealed = None
        return bool(super().is_attacked(player, attack_card, game))

    def start_action_phase(self, game: Any) -> None:
        self.phase, self.ended = "action", False
        super().start_action_phase(game)
        if not self.ended:
            self.decider.go_on(self, "action phase")

    def start_treasure_phase(self, game: Any) -> None:
        self.phase, self.ended, self.purchase = "buy", False, None
        super().start_treasure_phase(game)

    def start_buy_phase(self, game: Any) -> None:
        self.phase = "buy"
        super().start_buy_phase(game)
        if not self.ended:
            self.decider.go_on(self, "buy phase")

    def take_turn(self, game: Table) -> None:
        if game.given is not None and game.given.turn != self.player_id:
            return
        game.current = self
        if game.given is None:
            super().take_turn(game)
            return
        given, game.given = game.given, None
        if given.phase == "action":
            self.start_action_phase(game)
        if not given.bought:
            self.start_treasure_phase(game)
        self.start_buy_phase(game)
        self.start_cleanup_phase()


@dataclass(frozen=True)
class Given:
    """Where in a turn a play begins that does not begin with a game."""

    turn: str
    phase: str
    bought: int


class Table(Game):  # type: ignore[misc]
    """A pyminion game with just the piles asked for, which can begin in any position."""

    def __init__(self, seats: list[Seat], kingdom: Iterable[str], given: Given | None = None) -> None:
        cards = [CARDS[name] for name in kingdom]
        super().__init__(seats, [base_set], kingdom_cards=cards, random_order=False, log_stdout=False)
        self.given = given
        self.current: Seat | None = None

    def start(self) -> None:
        if self.given is None:
            super().start()

    def is_over(self) -> bool:
        # Seats before the one whose turn it is are passed over without a turn, so no turn has ended there.
        return self.given is None and bool(super().is_over())

    def _create_kingdom_piles(self) -> list[Any]:
        # pyminion puts the chosen piles first and fills up to ten at random.
        chosen = len(self.kingdom_cards)
        return list(super()._create_kingdom_piles()[:chosen]) if chosen else []


# -- positions -------------------------------------------------------------------------------------

FIELDS = {
    *("players", "turn", "phase", "actions", "buys", "coins", "bought", "hand", "deck", "discard", "in play"),
    *("supply", "kingdom", "trash", "turns", "merchants", "silvers", "hand size", "deck size"),
}
ZONES = {"hand": "hand", "deck": "deck", "discard": "discard_pile", "in play": "playmat"}
SEATS = "ABCDEF"


def players_of(position: Json) -> list[str]:
    """The seats of a position: those listed, or as many from A on as it speaks of."""
    if "players" in position:
        return list(position["players"])
    named = {position.get("turn", "A")}.union(*(position.get(zone, {}) for zone in ZONES))
    return list(SEATS[: max(2, *(SEATS.index(name) + 1 for name in named))])


def cards(entries: Any) -> list[str]:
    """The names in a pile as positions write it; `3 Estate` is three. Nested lists are shuffled."""
    names: list[str] = []
    for entry in entries or ():
        if isinstance(entry, list):
            bag = cards(entry)
            random.shuffle(bag)
            names += bag
            continue
        found = re.fullmatch(r"(?:(\d+) )?(.+)", entry)
        assert found is not None
        if found[2] not in CARDS:
            raise Unsupported(f"card {found[2]}")
        names += [found[2]] * int(found[1] or 1)
    return names


def check(position: Json) -> None:
    """Raises `Unsupported` for what pyminion has no place for."""
    for field, value in position.items():
        if field not in FIELDS and value:
            raise Unsupported(f"position field {field!r}")
    if position.get("phase", "action") not in ("action", "buy"):
        raise Unsupported(f"phase {position['phase']!r}")
    turn = position.get("turn", players_of(position)[0])
    if any(pile for name, pile in position.get("in play", {}).items() if name != turn):
        # No card of the base set is in play in another player's turn, and the engine does not look for any.
        raise Unsupported("cards in play in another player's turn")


def place(table: Table, position: Json, turn: str) -> None:
    """Sets a table out as the position says."""
    seats = {seat.player_id: seat for seat in table.players}
    for field, pile in ZONES.items():
        for name, entries in position.get(field, {}).items():
            getattr(seats[name], pile).cards = [CARDS[card] for card in cards(entries)]
    for i, seat in enumerate(table.players):
        seat.deck.cards.reverse()
        begun = i <= list(seats).index(turn)
        seat.turns = position.get("turns", {}).get(seat.player_id, int(begun))
    table.trash.cards = [CARDS[card] for card in cards(position.get("trash"))]
    seen = Counter(_names(table.trash))
    for seat in table.players:
        seen.update(card.name for card in seat.get_all_cards())
    table.supply = Supply(table._create_basic_piles() + _kingdom(position, seen, len(table.players)))
    dealt = Counter({"Copper": 7 * len(seats), "Estate": 3 * len(seats)})
    for pile in table.supply.piles:
        full, out = len(pile), seen[pile.name] - dealt[pile.name]
        left = position.get("supply", {}).get(pile.name, min(full, max(0, full - out)))
        pile.cards = pile.cards[:1] * left
    state, played = seats[turn].state, Counter(_names(seats[turn].playmat))
    state.actions, state.buys = position.get("actions", 1), position.get("buys", 1)
    state.money = position.get("coins", 0)
    # pyminion keeps no count of Merchants and Silvers played: it looks at what is in play.
    if any(pile.name == "Merchant" for pile in table.supply.piles):
        if position.get("merchants", 0) != played["Merchant"]:
            raise Unsupported("Merchants played are not those in play")
        if bool(position.get("silvers", 0)) != bool(played["Silver"]):
            raise Unsupported("Silvers played are not those in play")
    elif position.get("merchants"):
        raise Unsupported("Merchants played are not those in play")


def _kingdom(position: Json, seen: Mapping[str, int], players: int) -> list[Any]:
    """The kingdom piles of a position, full: those named, and those of every card seen in it."""
    named = cards([*position.get("kingdom", ()), *position.get("supply", ()), *seen])
    victory = 8 if players <= 2 else 12
    sizes = {name: victory if CardType.Victory in CARDS[name].type else 10 for name in named if name not in BASICS}
    return [Pile([CARDS[name]] * size) for name, size in sizes.items()]


# -- the protocol ----------------------------------------------------------------------------------


class Harness:
    """Answers the protocol's requests; each method takes and returns one JSON object as a dict."""

    def __init__(self) -> None:
        self.decider = Decider()
        self.table: Table | None = None
        self.names: list[str] = []

    def start(self, request: Json) -> Json:
        """Says which program this is, and what it plays."""
        kingdom = sorted(set(CARDS) - set(BASICS))
        games = [{"game": "dominion", "edition": edition, "features": kingdom} for edition in EDITIONS]
        about = {"name": "pyminion", "version": "0.4.0", "language": "Python"}
        return {"implementation": about, "games": games, "protocol": 1}

    def new(self, request: Json) -> Json:
        """Begins a play, after ending the one before."""
        self.decider.play.end()
        self.decider, self.table = Decider(), None
        try:
            self.table = self._table(request)
        except Unsupported as why:
            return {"seq": request["seq"], "unsupported": str(why)}
        self.decider.play.run(self.table.play)
        return {"seq": request["seq"], "ok": True, "events": self._events()}

    def _table(self, request: Json) -> Table:
        if request["game"] != "dominion" or request["edition"] not in EDITIONS:
            raise Unsupported(f"{request['game']} {request['edition']}")
        setup = request["setup"]
        random.seed(setup.get("seed", 0))
        position = setup.get("position")
        names = self.names = players_of(setup if position is None else position)
        if len(names) > 4:
            raise Unsupported(f"{len(names)} players")
        if position is not None:
            check(position)
            phase = position.get("phase", "action")
            given = Given(position.get("turn", names[0]), phase, position.get("bought", 0))
            table = Table([Seat(name, self.decider) for name in names], (), given)
            place(table, position, given.turn)
            return table
        kingdom = cards(setup.get("kingdom", []))
        if len(kingdom) > 10:
            raise Unsupported(f"{len(kingdom)} kingdom cards")
        first = names.index(setup.get("first", names[0]))
        return Table([Seat(name, self.decider) for name in names[first:] + names[:first]], kingdom)

    def decision(self, request: Json) -> Json:
        """What pyminion asks now, of whom, and everything it allows as an answer."""
        question = self._question()
        if question is None:
            return {"seq": request["seq"], "over": True}
        options = [write(key) for key in question.choices]
        return {"seq": request["seq"], "player": question.player, "kind": question.kind, "options": options}

    def apply(self, request: Json) -> Json:
        """Answers pyminion with the action, if the question allows it; refuses it otherwise."""
        question, key = self._question(), read(request["action"])
        answer = MISSING
        if question is not None and key is not None and request["player"] == question.player:
            answer = question.choices.answer(key)
        if answer is MISSING:
            return {"seq": request["seq"], "accepted": False, "events": []}
        self.decider.play.answer(answer)
        return {"seq": request["seq"], "accepted": True, "events": self._events()}

    def observe(self, request: Json) -> Json:
        """The state, in the words of positions; with a player, only that player's hand."""
        question, table = self._question(), self.table
        assert table is not None
        viewer = request.get("player")
        seats = {seat.player_id: seat for seat in table.players}
        seats = {name: seats[name] for name in self.names}
        state: Json = {
            "players": list(seats),
            "supply": {pile.name: len(pile) for pile in table.supply.piles},
            "turns": {name: seat.turns for name, seat in seats.items()},
        }
        if question is None or question.settled:
            seen = {name: seat for name, seat in seats.items() if viewer in (None, name)}
            state["hand"] = {name: _names(seat.hand) for name, seat in seen.items()}
            state["hand size"] = {name: len(seat.hand) for name, seat in seats.items()}
            state["deck size"] = {name: len(seat.deck) for name, seat in seats.items()}
            state["discard"] = {name: _names(seat.discard_pile) for name, seat in seats.items()}
            state["trash"] = _names(table.trash)
        state["in play"] = {name: _names(seat.playmat) for name, seat in seats.items()}
        if question is None:
            state["over"] = True
            state["scores"] = {name: seat.get_victory_points() for name, seat in seats.items()}
            winners = {seat.player_id for seat in table.get_winners()}
            state["winners"] = [name for name in seats if name in winners]
        elif table.current is not None:
            now = table.current
            state.update({"turn": now.player_id, "phase": now.phase, "actions": now.state.actions})
            state.update({"buys": now.state.buys, "coins": now.state.money})
        return {"seq": request["seq"], "state": state}

    def stop(self, request: Json) -> None:
        """Ends the play."""
        self.decider.play.end()

    def _question(self) -> Question | None:
        play = self.decider.play
        if play.failure is not None:
            raise play.failure
        if self.table is None:
            raise RuntimeError("no play has begun")
        return play.question

    def _events(self) -> list[Json]:
        events, self.decider.events = self.decider.events, []
        return events


def _names(pile: Any) -> list[str]:
    return sorted(card.name for card in pile.cards)


def main() -> None:
    """Answers requests from standard input until `stop`. An exception of pyminion ends the process: it crashed."""
    harness = Harness()
    for line in sys.stdin:
        request = json.loads(line)
        if request["request"] == "stop":
            harness.stop(request)
            return
        answer = {
            "start": harness.start,
            "new": harness.new,
            "decision": harness.decision,
            "apply": harness.apply,
            "observe": harness.observe,
        }[request["request"]](request)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
