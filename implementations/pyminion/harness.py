"""pyminion 0.4.0 behind the oracle's protocol.

pyminion plays a whole game by itself and calls back when it wants a decision, so this is a
`CallbackHarness`. What its callbacks allow becomes the options of the question (`Decider`), and what
its decks give becomes events (`Seat`). README.md beside this file says how each card is mapped, and why.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pyminion.player import Player
from pyminion_table import CARDS, KINGDOM, Given, Table, cards, check, names_in, place, players_of

from oracle.conformance.callback import CallbackHarness, Kind, selections
from oracle.errors import Unsupported

Json = dict[str, Any]
Answer = tuple[Json, Any]
"""An action, and what pyminion wants to be answered for it."""

LISTS = ("discard", "trash")
"""Verbs whose actions name any number of cards, in a list."""
UNSETTLED = {("Remodel", "gain"), ("Mine", "gain"), ("Sentry", "discard")}
"""Selections (card, verb) that pyminion asks for before it has put the last ones where they belong."""


class Harness(CallbackHarness):
    """pyminion as the oracle speaks to it."""

    games = tuple({"game": "dominion", "edition": edition, "features": KINGDOM} for edition in ("2023", "2016"))
    ordered = ("put back",)

    decider: Decider
    table: Table
    names: list[str]

    def about(self) -> Json:
        return {"name": "pyminion", "version": "0.4.0", "language": "Python"}

    def begin(self, setup: Json) -> None:
        random.seed(setup.get("seed", 0))
        position = setup.get("position")
        self.decider = Decider(self)
        self.names = players_of(setup if position is None else position)
        if len(self.names) > 4:
            raise Unsupported(f"{len(self.names)} players")
        if position is not None:
            check(position)
            turn, phase = position.get("turn", self.names[0]), position.get("phase", "action")
            given = Given(turn, phase, position.get("bought", 0))
            self.table = Table([Seat(name, self.decider) for name in self.names], (), given)
            place(self.table, position, turn)
            return
        kingdom = cards(setup.get("kingdom", []))
        if len(kingdom) > 10:
            raise Unsupported(f"{len(kingdom)} kingdom cards")
        first = self.names.index(setup.get("first", self.names[0]))
        order = self.names[first:] + self.names[:first]
        self.table = Table([Seat(name, self.decider) for name in order], kingdom)

    def run(self) -> None:
        self.table.play()

    def state(self, player: str | None) -> Json:
        table, seats = self.table, {seat.player_id: seat for seat in self.table.players}
        seats = {name: seats[name] for name in self.names}
        state: Json = {
            "players": list(seats),
            "supply": {pile.name: len(pile) for pile in table.supply.piles},
            "turns": {name: seat.turns for name, seat in seats.items()},
        }
        if self.decider.settled:
            state["hand"] = {name: names_in(seat.hand) for name, seat in seats.items() if player in (None, name)}
            state["hand size"] = {name: len(seat.hand) for name, seat in seats.items()}
            state["deck size"] = {name: len(seat.deck) for name, seat in seats.items()}
            state["discard"] = {name: names_in(seat.discard_pile) for name, seat in seats.items()}
            state["trash"] = names_in(table.trash)
        state["in play"] = {name: names_in(seat.playmat) for name, seat in seats.items()}
        if self.question is None:
            state["over"] = True
            state["scores"] = {name: seat.get_victory_points() for name, seat in seats.items()}
            winners = {seat.player_id for seat in table.get_winners()}
            state["winners"] = [name for name in seats if name in winners]
        elif table.current is not None:
            now = table.current
            state.update({"turn": now.player_id, "phase": now.phase, "actions": now.state.actions})
            state.update({"buys": now.state.buys, "coins": now.state.money})
        return state


class Decider:
    """Answers every callback of pyminion with what the other side of the protocol chooses.

    `settled` is false at a question that pyminion asks while it holds cards that it has not yet put where they belong.
    """

    def __init__(self, harness: Harness) -> None:
        self.harness = harness
        self.settled = True
        self.looked: list[Any] = []

    def action_phase_decision(self, valid_actions: list[Any], player: Seat, game: Any) -> Any:
        return self._turn(player, [*_each("play", valid_actions), ({"end": "action phase"}, None)])

    def treasure_phase_decision(self, valid_treasures: list[Any], player: Seat, game: Any) -> list[Any]:
        buys = [(action, Purchase(card)) for action, card in _each("buy", affordable(player, game))]
        answer = self._turn(player, [*_each("play", valid_treasures), *buys, ({"end": "buy phase"}, None)])
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
        return self._turn(player, [*_each("buy", valid_cards), ({"end": "buy phase"}, None)])

    def go_on(self, player: Seat, phase: str) -> None:
        """Puts the one thing that can be done in a phase about which pyminion asks nothing more."""
        self._turn(player, [({"end": phase}, None)])

    def _turn(self, player: Seat, answers: list[Answer]) -> Any:
        answer = self._choose(player, answers, kind="action")
        player.ended = answer is None
        return answer

    def binary_decision(self, card: Any, player: Seat, **asked: Any) -> bool:
        match card.name:
            case "Moneylender":
                return bool(self._choose(player, [({"trash": ["Copper"]}, True), ({"trash": []}, False)]))
            case "Vassal":
                found = player.discard_pile.cards[-1].name
                return bool(self._choose(player, [({"play": found}, True), ({"play": None}, False)]))
            case "Library":
                found = asked["relevant_cards"][0].name
                return bool(self._choose(player, [({"set aside": found}, True), ({"keep": found}, False)]))
            case "Moat":
                if player.revealed is None:
                    player.revealed = bool(
                        self._choose(player, [({"reveal": "Moat"}, True), ({"reveal": None}, False)])
                    )
                return player.revealed
            case "Sentry":
                top, under = (found.name for found in self.looked)
                answers = [({"put back": [top, under]}, False), ({"put back": [under, top]}, True)]
                return top != under and bool(self._choose(player, answers, kind="order", settled=False))
        raise RuntimeError(f"pyminion asks what no card of the base set asks: {card}: {asked}")

    def multi_play_decision(self, valid_cards: list[Any], player: Seat, required: bool = True, **asked: Any) -> Any:
        declined = [] if required else [({"play": None}, None)]
        return self._choose(player, [*_each("play", valid_cards), *declined])

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
        pool = [found.name for found in valid_cards]
        chosen = selections(pool, low, len(pool) if high < 0 else high)
        answers = [({verb: list(some) if verb in LISTS else next(iter(some), None)}, some) for some in chosen]
        settled = (card.name, verb) not in UNSETTLED
        return [CARDS[name] for name in self._choose(player, answers, settled=settled)]

    def _choose(self, player: Seat, answers: list[Answer], *, kind: Kind = "choice", settled: bool = True) -> Any:
        self.settled = settled
        answer = self.harness.choose(player.player_id, kind, answers)
        self.settled = True
        return answer


def _each(verb: str, found: Iterable[Any]) -> list[Answer]:
    return [({verb: card.name}, card) for card in found]


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
            self.decider.harness.tell(what, self.player_id, [card.name for card in where.cards[-came:]])

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


if __name__ == "__main__":
    Harness.main()
