"""A position of L5R."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import asdict, replace

from oracle.games.l5r.calendar import ACTION, AFTER_ACTION, CALENDAR, DYNASTY, END, MANEUVERS, NEXT_BATTLE, STEPS
from oracle.games.l5r.cards import NOTHING, Card, Effect, Table, effect_json
from oracle.given import written
from oracle.timing import Moment, Round, Trigger, Waiting, by_class, next_up, turn_order
from oracle.zones import Bag, Deck, size

KINDS = ("Limited", "Open", "Battle", "Reaction")
HAND = 8
"""The maximum hand size unless an effect says otherwise."""
OPENING = 6
"""How many Fate cards a player starts with."""
PROVINCES = 4
MOST_FIELDS = 99
"""Provinces of a player, whose battlefields actions can name."""
MOST_PIECES = 1000
"""Cards in play in one place; with more the number of assignments could not be written out."""
CLASSES = "ABC"
"""What happens at one moment goes class by class; the rank of a trigger is its place here."""


DESTROYED = "destroyed"
"""What a position writes for a Province that is no more."""
FACE_DOWN = "face-down card"
"""What a player sees of a card that lies face-down in a Province."""


class Piece(NamedTuple):
    """A card in play."""

    name: str
    bowed: bool = False

    def __str__(self) -> str:
        return f"{self.name} bowed" if self.bowed else self.name


Pieces = tuple[Piece, ...]
"""Sorted, so that equal groups are equal values."""


MARKS = ("", "dealt", "new")
"""What the Events Phase keeps of a card in a Province: nothing, dealt with, or to be dealt with next."""


class Laid(NamedTuple):
    """A card in a Province, with its mark of the Events Phase."""

    name: str
    up: bool = True
    mark: str = ""

    def __str__(self) -> str:
        return self.name if self.up else f"{self.name} down"


class Ability(Struct, frozen=True):
    """Something a player can use once a turn: `to` is what a Reaction answers, `card` the card it belongs to."""

    name: str
    type: str
    effect: Effect = NOTHING
    to: str = ""
    card: str = ""
    used: bool = False


class Seat(Struct, frozen=True):
    """A player. `regions` has for each Province the Regions attached to it, `destroyed` the indices of the Provinces
    that are no more; `turns` is the number of turns begun; `out`: this player has lost."""

    name: str
    honor: int = 0
    provinces: tuple[tuple[Laid, ...], ...] = ()
    regions: tuple[Bag, ...] = ()
    destroyed: frozenset[int] = frozenset()
    dynasty: Deck = ()
    fate: Deck = ()
    hand: Bag = ()
    most: int = HAND
    more: int = 0
    home: Pieces = ()
    play: Pieces = ()
    discard: Bag = ()
    abilities: tuple[Ability, ...] = ()
    turns: int = 0
    out: bool = False

    @property
    def standing(self) -> tuple[int, ...]:
        """The indices of the Provinces that are not destroyed."""
        return tuple(i for i in range(len(self.provinces)) if i not in self.destroyed)

    def ability(self, name: str) -> Ability | None:
        """The ability of that name."""
        return next((ability for ability in self.abilities if ability.name == name), None)


class Field(Struct, frozen=True):
    """A battlefield: the index of the Province it is at, the units there, and whether its battle has ended."""

    province: int
    attacking: Pieces = ()
    defending: Pieces = ()
    fought: bool = False


class Attack(Struct, frozen=True):
    """An Attack Phase: `at` is the index of the Province where a battle is fought (-1: none), `assigned` how many sides
    have had their step of the maneuvers segment that is running."""

    attacker: str
    defender: str
    optional: bool = True
    fields: tuple[Field, ...] | None = None
    at: int = -1
    assigned: int = 0

    @property
    def assigning(self) -> str:
        """Who has the running step of a maneuvers segment."""
        return self.attacker if self.assigned == 0 else self.defender

    @property
    def places(self) -> tuple[int, ...]:
        """The indices of the Provinces that have a battlefield."""
        return tuple(field.province for field in self.fields or ())

    @property
    def left(self) -> tuple[int, ...]:
        """Those of them where no battle has ended."""
        return tuple(field.province for field in self.fields or () if not field.fought)


class Interrupted(Struct, frozen=True):
    """What goes on after an Attack Phase that an effect created: fields as those of a state."""

    at: Moment
    round: Round | None = None
    attack: Attack | None = None
    second: bool = False


class Waits(Struct, frozen=True):
    """What a waiting trigger does; an optional one only if its owner wants it. `turns` of the player for whose turn it
    waits must begin before its moment can come."""

    effect: Effect = NOTHING
    optional: bool = False
    turns: int = 0


class Step(Struct, frozen=True):
    """Something under way: `do` names it, `player` it concerns; the other fields are what it needs.

    `name` is the ability, trigger or card whose effect it is, `opportunity` whether it is a player's action of a
    round; `names` are what Reactions may answer, and `round` their round; `n` counts cards or is a Province.
    """

    do: str
    player: str = ""
    name: str = ""
    effect: Effect = NOTHING
    opportunity: bool = False
    names: tuple[str, ...] = ()
    cancelling: bool = False
    round: Round | None = None
    n: int = 0
    up: bool = False
    rule: str = ""


class State(Struct, frozen=True):
    """A whole position.

    `at` is the moment; `round` the action round of an Action Phase or a Combat Segment; `second` whether the
    second step of a Dynasty or End Phase has begun. `stack` holds what is under way, the next one last; while it
    is not empty nothing else happens. `happened` are the names that Reactions may soon answer, `pending` what
    follows after those Reactions.
    """

    table: Table
    seats: tuple[Seat, ...]
    active: int = 0
    turn: int = 1
    at: Moment = ACTION
    round: Round | None = None
    attack: Attack | None = None
    second: bool = False
    barred: tuple[str, ...] = ()
    interrupted: tuple[Interrupted, ...] = ()
    stack: tuple[Step, ...] = ()
    agenda: tuple[Trigger[Waits], ...] = ()
    happened: tuple[str, ...] = ()
    pending: tuple[Step, ...] = ()
    over: bool = False
    winner: str = ""
    cause: str = ""

    @property
    def mover(self) -> Seat:
        """The active player."""
        return self.seats[self.active]

    def __getitem__(self, player: str) -> Seat:
        return self.seats[self.index(player)]

    def index(self, player: str) -> int:
        """The player's seat."""
        return next(i for i, seat in enumerate(self.seats) if seat.name == player)

    def order(self) -> tuple[str, ...]:
        """The players in turn order from the active one; those who have lost are passed over."""
        return tuple(seat.name for seat in turn_order(self.seats, self.mover) if not seat.out)

    def waiting(self) -> Waiting[Waits] | None:
        """What may resolve next at this moment."""
        waiting = next_up(self.due, self.at, (self.mover.name,), by_class) if self.agenda else None
        return waiting and replace(waiting, chooser=self.order()[0])

    @property
    def due(self) -> tuple[Trigger[Waits], ...]:
        """The triggers that wait for no further turn to begin."""
        return tuple(trigger for trigger in self.agenda if not trigger.effect.turns)

    def battles_left(self) -> bool:
        """Whether the Attacker has a battlefield to choose now."""
        return self.at in NEXT_BATTLE and self.attack is not None and bool(self.attack.left)

    def in_play(self, player: str) -> Pieces:
        """All cards that the player has in play, at battlefields too."""
        seat = self[player]
        attacks = (self.attack, *(outer.attack for outer in self.interrupted))
        fields = [field for attack in attacks if attack for field in attack.fields or () if attack.attacker == player]
        mine = [unit for field in fields for unit in field.attacking]
        fields = [field for attack in attacks if attack for field in attack.fields or () if attack.defender == player]
        mine += [unit for field in fields for unit in field.defending]
        return (*seat.play, *seat.home, *mine, *(Piece(name) for region in seat.regions for name in region))

    def with_seat(self, player: str, **fields: Any) -> State:
        """The state with fields of one player replaced."""
        i = self.index(player)
        return replace(self, seats=(*self.seats[:i], replace(self.seats[i], **fields), *self.seats[i + 1 :]))

    def push(self, *steps: Step) -> State:
        """The state with steps put on the stack; the first of them is carried out first."""
        return replace(self, stack=self.stack + steps[::-1])


def lay(state: State, player: str, province: int, cards: tuple[Laid, ...]) -> State:
    """The state with other cards in a Province."""
    provinces = state[player].provinces
    return state.with_seat(player, provinces=(*provinces[:province], cards, *provinces[province + 1 :]))


def action_round(state: State, player: str, takes: dict[str, tuple[str, ...]], others: tuple[str, ...] = ()) -> Round:
    """A round of all players in turn order from one of them; `takes` are the kinds that single players may take."""
    order = state.order()
    order = turn_order(order, player) if player in order else order
    return Round(order, tuple(takes.get(name, others) for name in order))


def begun(state: State) -> Round:
    """The round of the running Action Phase or Combat Segment as it begins."""
    if state.at == ACTION:
        return action_round(state, state.mover.name, {state.mover.name: ("Limited", "Open")}, ("Open",))
    assert state.attack is not None
    return action_round(state, state.attack.defender, {}, ("Battle",))


def place(state: State) -> tuple[str, str]:
    """Phase and step as a position calls them; both empty at a moment that is in no phase."""
    idle = not state.stack and not state.waiting()
    if state.at == AFTER_ACTION and idle:
        return "attack", "declaration"
    if state.battles_left() and idle:
        return "attack", "battles"
    inside = "attack" if "attack phase" in CALENDAR.within(state.at) else ""
    phase, step = STEPS.get(state.at, (inside, ""))
    return phase, "discard" if state.second and state.at in (DYNASTY, END) else step


def observe(state: State, player: str | None = None) -> dict[str, Any]:
    """The position in the words of `given:`; with a player, without what that player cannot see."""
    seats = state.seats
    phase, step = place(state)
    own = {seat.name for seat in seats if player in (None, seat.name)}
    out: dict[str, Any] = {
        "players": [seat.name for seat in seats],
        "active": state.mover.name,
        "turn": state.turn,
        "turns": {seat.name: seat.turns for seat in seats},
        "at": str(state.at),
        "honor": {seat.name: seat.honor for seat in seats},
        "provinces": {seat.name: _provinces(seat, player) for seat in seats},
        "regions": {
            seat.name: {str(i + 1): list(regions) for i, regions in enumerate(seat.regions) if regions}
            for seat in seats
        },
        "home": {seat.name: list(map(str, seat.home)) for seat in seats},
        "in play": {seat.name: list(map(str, seat.play)) for seat in seats},
        "discard": {seat.name: list(seat.discard) for seat in seats},
        "hand": {seat.name: list(seat.hand) for seat in seats if seat.name in own},
        "hand size": {seat.name: len(seat.hand) for seat in seats},
        "dynasty size": {seat.name: size(seat.dynasty) for seat in seats},
        "fate size": {seat.name: size(seat.fate) for seat in seats},
        "max hand": {seat.name: seat.most for seat in seats},
        "draw more": {seat.name: seat.more for seat in seats},
        "abilities": {seat.name: [_ability(ability) for ability in seat.abilities] for seat in seats},
        "barred": list(state.barred),
        "out": [seat.name for seat in seats if seat.out],
        "cards": {card.name: _declared(card) for card in state.table.declared},
        "triggers": [_trigger(trigger) for trigger in state.agenda],
        "win": asdict(state.table.win),
    }
    out |= {word: value for word, value in (("phase", phase), ("step", step)) if value}
    out |= _running(state.at, state.round, state.attack)
    if player is None:
        out["dynasty"] = {seat.name: written(seat.dynasty) for seat in seats}
        out["fate"] = {seat.name: written(seat.fate) for seat in seats}
    marks = [[card.mark for card in cards] for cards in state.mover.provinces]
    if state.happened:
        out["happened"] = list(state.happened)
    if any(map(any, marks)):
        out["marks"] = {str(i + 1): words for i, words in enumerate(marks) if any(words)}
    if state.interrupted:
        out["interrupted"] = [
            {
                "at": str(outer.at),
                **({"step": "discard"} if outer.second else {}),
                **_running(outer.at, outer.round, outer.attack),
            }
            for outer in state.interrupted
        ]
    if state.stack:
        out["under way"] = [step.do for step in reversed(state.stack)]
    if state.over:
        out |= {"over": True, "winner": state.winner, "cause": state.cause}
    return out


def _running(at: Moment, round: Round | None, attack: Attack | None) -> dict[str, Any]:
    """An action round and an attack."""
    out: dict[str, Any] = {}
    if round is not None:
        out |= {"passed": list(round.passed), "turn to act": round.player}
    elif attack is not None and at in MANEUVERS:
        out["turn to act"] = attack.assigning
    if attack is not None:
        seen: dict[str, Any] = {"attacker": attack.attacker, "defender": attack.defender, "optional": attack.optional}
        if attack.fields is not None:
            seen["fields"] = {
                str(field.province + 1): {
                    attack.attacker: list(map(str, field.attacking)),
                    attack.defender: list(map(str, field.defending)),
                    "fought": field.fought,
                }
                for field in attack.fields
            }
        if attack.at >= 0:
            seen["at"] = str(attack.at + 1)
        out["attack"] = seen
    return out


def _provinces(seat: Seat, player: str | None) -> list[list[str] | str]:
    """The cards of each Province; nobody sees a face-down one."""
    seen = ([str(card) if card.up or player is None else FACE_DOWN for card in cards] for cards in seat.provinces)
    return [DESTROYED if i in seat.destroyed else cards for i, cards in enumerate(seen)]


def _ability(ability: Ability) -> dict[str, Any]:
    out: dict[str, Any] = {"name": ability.name, "type": ability.type, "effect": effect_json(ability.effect)}
    out |= {word: value for word, value in (("to", ability.to), ("card", ability.card)) if value}
    return {**out, "used": ability.used}


def _declared(card: Card) -> dict[str, Any]:
    out: dict[str, Any] = {"type": card.type, "keywords": list(card.keywords), "force": card.force}
    out |= {"effect": effect_json(card.effect), "on discard": effect_json(card.on_discard)}
    return {word: value for word, value in out.items() if value or word == "type"}


def _trigger(trigger: Trigger[Waits]) -> dict[str, Any]:
    out: dict[str, Any] = {"owner": trigger.owner, "name": trigger.name, "at": str(trigger.moment)}
    out |= {"effect": effect_json(trigger.effect.effect), "optional": trigger.effect.optional}
    out |= {"when": trigger.live, "class": CLASSES[trigger.rank]}
    of = {"turn": trigger.turn_of, "turns": trigger.effect.turns}
    return out | {word: value for word, value in of.items() if value}
