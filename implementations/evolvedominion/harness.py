"""evolvedominion 1.0.3 behind the oracle's protocol, one JSON object a line.

evolvedominion asks an `Agent` to select one of the consequences that it has worked out. Here it runs
in a thread of its own, which stops at every question until the answer has come (`Play`). A consequence
that makes several choices at once is asked for one choice after the other (`Seat._narrow`). Nothing is
taken from the oracle's own code, so this is also an example to copy. README.md beside this file says
how each decision is mapped, and why.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from queue import SimpleQueue
from threading import Thread
from typing import Any

import numpy
from evolvedominion.agents.agent import Agent
from evolvedominion.engine import engine, pieces
from evolvedominion.engine.session import Session
from evolvedominion.engine.state import State

Json = dict[str, Any]
Key = tuple[str, tuple[str, ...]]
"""An action as (verb, card names); the names are sorted unless their order matters."""

EDITIONS = ("2023", "2016")
CARDS: dict[str, Any] = {
    re.sub(r"(?<=[a-z])(?=[A-Z])", " ", piece.__name__): piece
    for piece in vars(pieces).values()
    if isinstance(piece, type) and issubclass(piece, pieces.Piece) and piece is not pieces.Piece
}
NAMES = {piece: name for name, piece in CARDS.items()}
BASICS = ("Curse", "Estate", "Duchy", "Province", "Copper", "Silver", "Gold")

LISTS = ("discard", "trash", "put back")
MISSING = object()
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


class Unsupported(Exception):
    """Something that evolvedominion cannot play or hold."""


class Abandoned(BaseException):
    """Ends a play that waits for an answer which will not come."""


# -- questions -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Listed:
    """Choices as a table: each action with the answer that it stands for."""

    table: Mapping[Key, Any]

    def __iter__(self) -> Iterator[Key]:
        return iter(self.table)

    def answer(self, key: Key) -> Any:
        """What the action stands for, or MISSING if it is not allowed."""
        return self.table.get(key, MISSING)


@dataclass(frozen=True)
class Selection:
    """Choices of `low` to `high` cards out of a pool; each stands for the names chosen."""

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
        return names if allowed and Counter(names) <= Counter(self.pool) else MISSING


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
    """What evolvedominion wants to know, from whom. `settled`: no card is in mid-air."""

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
        self._thread = Thread(target=self._work, args=(engine,), name="evolvedominion", daemon=True)
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


# -- evolvedominion's questions --------------------------------------------------------------------


@dataclass(frozen=True)
class Purchase:
    """A buy chosen while evolvedominion was still asking for Treasures, or (None) the end of the phase."""

    card: str | None


class Seat(Agent):  # type: ignore[misc]
    """An agent of evolvedominion that selects what the other side of the protocol chooses."""

    def __init__(self, name: str, desk: Desk) -> None:
        super().__init__(name)
        self.desk = desk
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
        self.desk.events.append({"event": event, "player": self.pid, "items": names_of(cards)})

    def _ask(self, kind: str, choices: Listed | Selection, settled: bool = True) -> Any:
        return self.desk.play.ask(Question(self.pid, kind, choices, settled))

    def _turn(self, table: Mapping[Key, Any]) -> Any:
        return self._ask("action", Listed(table))

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
            left.remove(self._ask("action", Listed({("play", (name,)): name for name in left}), settled=False))
        return plays

    def _buy(self, choices: list[Any]) -> Any:
        if self.purchase is None:
            return self._turn({turn_key(choice, "buy phase"): choice for choice in choices})
        card, self.purchase = self.purchase.card, None
        return next(choice for choice in choices if bought(choice) == card)

    def _militia(self, choices: list[Any]) -> Any:
        if not self.discards:
            n = len(self.HAND) - 3
            pool = tuple(sorted(names_of(self.HAND)))
            self.discards = list(self._ask("choice", Selection("discard", pool, n, n)))
        card = self.discards.pop()
        return next(choice for choice in choices if effects(choice) == [("discard", (card,))])

    def _narrow(self, staged: list[tuple[tuple[Key, ...], Any]], settled: bool) -> Any:
        """Asks for one stage after the other until a single choice is left."""
        depth = 0
        while any(len(stages) > depth for stages, _ in staged):
            table: dict[Key, Any] = {stages[depth]: stages[depth] for stages, _ in staged}
            kind = "order" if any(verb == "put back" for verb, _ in table) else "choice"
            chosen = self._ask(kind, Listed(table), settled=settled and depth == 0)
            staged = [(stages, choice) for stages, choice in staged if stages[depth] == chosen]
            depth += 1
        return staged[0][1]


def names_of(cards: Iterable[Any]) -> list[str]:
    """The printed names of evolvedominion's pieces."""
    return [NAMES[type(card)] for card in cards]


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


# -- games and positions -----------------------------------------------------------------------------


class Dealt(State):  # type: ignore[misc]
    """A game of evolvedominion in which the players keep the order they were given."""

    def _update_player_based_state_variables(self, players: list[Any]) -> None:
        order = list(players)
        super()._update_player_based_state_variables(players)
        self.players[:] = order


class Placed(Dealt):
    """A game that begins in a given position."""

    def __init__(self, seats: list[Seat], position: Json) -> None:
        self.position = position
        super().__init__(seats, [CARDS[name] for name in kingdom_of(position)])
        turn = position.get("turn", seats[0].pid)
        self.current_player_index = [seat.pid for seat in seats].index(turn)
        self.current_player = seats[self.current_player_index]
        self.n_total_turns_played = sum(seat.n_turns_played for seat in seats)
        self.n_empty_piles = sum(size == 0 for size in self.piece_to_pile_size_map.values())
        self.province_pile_empty = not self.piece_to_pile_size_map[CARDS["Province"]]
        self.n_action, self.n_buy = position.get("actions", 1), position.get("buys", 1)
        self.n_coin = position.get("coins", 0)
        self.merchant_silver_bonus = position.get("merchants", 0)
        self.n_silver_played_this_turn = position.get("silvers", 0)
        self.TRASH.extend(self._pieces(position.get("trash")))

    def _initialize_empty_piles(self) -> None:
        self.piles: list[list[Any]] = [[] for _ in range(len(BASICS) + len(self.kingdom))]

    def _solve_pile_sizes(self) -> None:
        super()._solve_pile_sizes()
        sizes, seen = self.piece_to_pile_size_map, Counter(seen_in(self.position))
        dealt = {"Copper": 7 * self.n_players, "Estate": 3 * self.n_players}
        for piece, size in sizes.items():
            name = NAMES[piece]
            if name == "Gardens":
                # Where no count is given a pile has what the rules say; evolvedominion would put ten Gardens there.
                size = 12 if self.n_players > 2 else 8
            full = size - dealt.get(name, 0)
            sizes[piece] = self.position.get("supply", {}).get(name, min(full, max(0, size - seen[name])))

    def _setup_player(self, player: Seat) -> None:
        player.refresh()
        player.state = self
        zones = {"hand": player.HAND, "deck": player.DECK, "discard": player.DISCARD, "in play": player.PLAY}
        for field, zone in zones.items():
            zone.extend(self._pieces(self.position.get(field, {}).get(player.pid)))
        player.DECK.reverse()
        order = [seat.pid for seat in self.players]
        begun = order.index(player.pid) <= order.index(self.position.get("turn", order[0]))
        player.n_turns_played = self.position.get("turns", {}).get(player.pid, 1 if begun else 0)

    def _pieces(self, entries: Any) -> list[Any]:
        places = {piece: i for i, piece in enumerate(self.piece_to_pile_size_map)}
        made = [CARDS[name]() for name in cards(entries)]
        for piece in made:
            piece.total_order_index = places[type(piece)]
        return made


class Sitting(Session):  # type: ignore[misc]
    """A session of evolvedominion that keeps its last state, and can begin inside a turn."""

    def __init__(self, state: Callable[[], State], begin: Callable[[Sitting], None] | None = None) -> None:
        super().__init__()
        self.make, self.begin = state, begin
        self.phase = ""
        self.seen: Any = None

    def initialize_state(self) -> None:
        self.state = self.seen = self.make()
        if self.begin:
            self.begin(self)

    def action_phase(self) -> None:
        self.phase = "action"
        super().action_phase()

    def treasure_phase(self) -> None:
        self.phase = "buy"
        super().treasure_phase()

    def buy_phase(self) -> None:
        self.phase = "buy"
        super().buy_phase()


FIELDS = {
    *("players", "turn", "phase", "actions", "buys", "coins", "bought", "hand", "deck", "discard", "in play"),
    *("supply", "kingdom", "trash", "turns", "merchants", "silvers", "hand size", "deck size"),
}
ZONES = ("hand", "deck", "discard", "in play")
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
            numpy.random.shuffle(bag)
            names += bag
            continue
        found = re.fullmatch(r"(?:(\d+) )?(.+)", entry)
        assert found is not None
        if found[2] not in CARDS:
            raise Unsupported(f"card {found[2]}")
        names += [found[2]] * int(found[1] or 1)
    return names


def seen_in(position: Json) -> list[str]:
    """Every card that lies somewhere in a position outside the Supply."""
    piles = [position.get("trash")] + [pile for zone in ZONES for pile in position.get(zone, {}).values()]
    return [card for pile in piles for card in sorted(cards(pile))]


def kingdom_of(position: Json) -> list[str]:
    """The kingdom piles of a position: those named, and those of every card seen in it."""
    named = cards([*position.get("kingdom", ()), *position.get("supply", ()), *seen_in(position)])
    return [name for name in dict.fromkeys(named) if name not in BASICS]


def check(position: Json) -> None:
    """Raises `Unsupported` for what evolvedominion has no place for."""
    for field, value in position.items():
        if field not in FIELDS and value:
            raise Unsupported(f"position field {field!r}")
    if position.get("phase", "action") not in ("action", "buy"):
        raise Unsupported(f"phase {position['phase']!r}")
    turn = position.get("turn", players_of(position)[0])
    if any(pile for name, pile in position.get("in play", {}).items() if name != turn):
        # No card of the base set is in play in another player's turn, and the engine does not look for any.
        raise Unsupported("cards in play in another player's turn")


def under_way(position: Json) -> Callable[[Sitting], None]:
    """How to finish the turn in which a position lies."""

    def finish(session: Sitting) -> None:
        if position.get("phase", "action") == "action":
            session.action_phase()
        if not position.get("bought"):
            session.treasure_phase()
        session.buy_phase()
        session.end_turn()

    return finish


# -- the protocol ----------------------------------------------------------------------------------


class Desk:
    """What the seats of one play share: the play, and the events that nobody has been told of yet."""

    def __init__(self) -> None:
        self.play = Play()
        self.events: list[Json] = []

    def take(self) -> list[Json]:
        """The events since the last time."""
        events, self.events = self.events, []
        return events


class Harness:
    """Answers the protocol's requests; each method takes and returns one JSON object as a dict."""

    def __init__(self) -> None:
        self.desk = Desk()
        self.session: Sitting | None = None
        self.names: list[str] = []
        # Library prints a line for debugging, which would fall among the answers.
        engine.print = lambda *line: None

    def start(self, request: Json) -> Json:
        """Says which program this is, and what it plays."""
        kingdom = sorted(set(CARDS) - set(BASICS))
        games = [{"game": "dominion", "edition": edition, "features": kingdom} for edition in EDITIONS]
        about = {"name": "evolvedominion", "version": "1.0.3", "language": "Python"}
        return {"implementation": about, "games": games, "protocol": 1}

    def new(self, request: Json) -> Json:
        """Begins a play, after ending the one before."""
        self.desk.play.end()
        self.desk, self.session = Desk(), None
        try:
            self.session = self._session(request)
        except Unsupported as why:
            return {"seq": request["seq"], "unsupported": str(why)}
        self.desk.play.run(self.session.play)
        return {"seq": request["seq"], "ok": True, "events": self.desk.take()}

    def _session(self, request: Json) -> Sitting:
        if request["game"] != "dominion" or request["edition"] not in EDITIONS:
            raise Unsupported(f"{request['game']} {request['edition']}")
        setup = request["setup"]
        numpy.random.seed(setup.get("seed", 0) % 2**32)
        position = setup.get("position")
        self.names = players_of(setup if position is None else position)
        if len(self.names) > 4:
            raise Unsupported(f"{len(self.names)} players")
        if position is not None:
            check(position)
            seats = [Seat(name, self.desk) for name in self.names]
            state = Placed(seats, position)
            session = Sitting(lambda: state, under_way(position))
        else:
            kingdom = [CARDS[name] for name in cards(setup.get("kingdom"))]
            if len(kingdom) > 10:
                raise Unsupported(f"{len(kingdom)} kingdom cards")
            first = self.names.index(setup.get("first", self.names[0]))
            seats = [Seat(name, self.desk) for name in self.names[first:] + self.names[:first]]
            session = Sitting(lambda: Dealt(seats, kingdom))
        session.players = seats
        return session

    def decision(self, request: Json) -> Json:
        """What evolvedominion asks now, of whom, and everything it allows as an answer."""
        question = self._question()
        if question is None:
            return {"seq": request["seq"], "over": True}
        options = [write(key) for key in question.choices]
        return {"seq": request["seq"], "player": question.player, "kind": question.kind, "options": options}

    def apply(self, request: Json) -> Json:
        """Selects what the action stands for, if evolvedominion allows it; refuses it otherwise."""
        question, key = self._question(), read(request["action"])
        answer = MISSING
        if question is not None and key is not None and request["player"] == question.player:
            answer = question.choices.answer(key)
        if answer is MISSING:
            return {"seq": request["seq"], "accepted": False, "events": []}
        self.desk.play.answer(answer)
        return {"seq": request["seq"], "accepted": True, "events": self.desk.take()}

    def observe(self, request: Json) -> Json:
        """The state, in the words of positions; with a player, only that player's hand."""
        question, session = self._question(), self.session
        assert session is not None
        state, viewer = session.seen, request.get("player")
        seats = {seat.pid: seat for seat in session.players}
        seats = {name: seats[name] for name in self.names}
        seen: Json = {
            "players": self.names,
            "turns": {name: seat.n_turns_played for name, seat in seats.items()},
        }
        if question is None or question.settled:
            seen["hand"] = {n: sorted(names_of(seat.HAND)) for n, seat in seats.items() if viewer in (None, n)}
            seen["hand size"] = {name: len(seat.HAND) for name, seat in seats.items()}
            seen["deck size"] = {name: len(seat.DECK) for name, seat in seats.items()}
            seen["discard"] = {name: sorted(names_of(seat.DISCARD)) for name, seat in seats.items()}
            seen["in play"] = {name: sorted(names_of(seat.PLAY)) for name, seat in seats.items()}
            sizes = zip(state.piece_to_pile_size_map, state.piles, strict=False)
            seen["supply"] = {NAMES[piece]: len(pile) for piece, pile in sizes}
            seen["trash"] = sorted(names_of(state.TRASH))
        if question is None:
            seen["over"] = True
            seen["scores"] = {name: seat.victory_points for name, seat in seats.items()}
            best = max(seat.score for seat in seats.values())
            seen["winners"] = [name for name, seat in seats.items() if seat.score == best]
            return {"seq": request["seq"], "state": seen}
        seen.update({"turn": state.current_player.pid, "phase": session.phase})
        if question.settled or question.kind != "action":
            seen.update({"buys": state.n_buy, "coins": state.n_coin})
            if session.phase == "action":
                seen["actions"] = state.n_action
        return {"seq": request["seq"], "state": seen}

    def stop(self, request: Json) -> None:
        """Ends the play."""
        self.desk.play.end()

    def _question(self) -> Question | None:
        play = self.desk.play
        if play.failure is not None:
            raise play.failure
        if self.session is None:
            raise RuntimeError("no play has begun")
        return play.question


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
