"""From a solver's model to a position of the game, as a case writes it, and what the game itself says there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

from msgspec import Struct

from oracle.game import Action
from oracle.games.station import bridge, theory
from oracle.games.station.bridge import NODE, OTHERS, SITE, Shipped
from oracle.games.station.theory import Cards, Heap, Position
from oracle.proof.claims import Replay
from oracle.proof.laws import Laws
from oracle.proof.readings import demand
from oracle.proof.terms import Bool, Int, both, either, no, pick, same, total

PLAYERS = ("A", "B")
GUILDS = ("blue", "red", "green", "gold", "grey", "pink", "teal", "lime", "rose", "ruby")
STANDING = ("", "Module", "Other", "Third")
"""The modules by their numbers; nothing is 0."""


class Asked(NamedTuple):
    """An action and what the theory says of it.

    `market` is what lies in which berth for it, `paid` and `dealt` are its cards where their numbers are symbols.
    """

    action: Action
    says: Bool
    market: Mapping[str, str] = {}
    paid: Cards | None = None
    dealt: Cards | None = None
    by_chance: bool = False


class Setting(Struct, frozen=True):
    """How a model becomes a position.

    `dock` are the modules docked, by name (left out: those of the view, all alike); `who` acts (None: A). With
    `lying` the first berth holds `Module` where it is taken, and of its guild there is what is in the hand.
    `places` are the nodes that the one looked at may be, 0 is the Core's; `deck` says whether the deck matters;
    `more` is what else a position must meet.
    """

    view: Position
    dock: Mapping[str, Int] = {}
    paid: Heap | None = None
    who: Int | None = None
    lying: bool = False
    places: tuple[int, ...] = (1,)
    deck: bool = False
    more: tuple[Bool, ...] = ()

    def fits(self) -> tuple[Bool, ...]:
        """What a model must meet to be written as a position: every station allowed, the Drift of the parameter."""
        view = self.view
        cards = [
            both(same(view.guild[a], view.guild[b]), same(view.value[a], view.value[b]))
            for a, b in combinations(view.kinds, 2)
        ]
        stations = [theory.valid(theory.put(view.station, node, n)) for node in (0, 1) for n in range(len(STANDING))]
        stands = theory.at(view.station, 1)
        guilds = [*view.guild.values(), *(berth.printed.guild for berth in view.market)]
        acts = [self.who >= 0, self.who < len(PLAYERS)] if self.who is not None else []
        return (
            *self.more,
            *acts,
            same(view.now, 0),
            no(view.over),
            same(OTHERS, 0),
            either(*(same(NODE, place) for place in self.places)),
            same(SITE, 1),
            *(value <= 20 for value in view.value.values()),
            *(no(each) for each in cards),
            *(both(guild >= 0, guild < len(GUILDS)) for guild in guilds),
            *stations,
            stands >= 0,
            stands <= 2,
            *map(_drifts, view.market),
            *self._paid(),
            *self._held(),
        )

    def _paid(self) -> list[Bool]:
        """The cards paid are all different, so that they are worth what they are together."""
        if self.paid is None:
            return []
        few = [n <= 1 for n in self.paid.n.values()]
        return [
            *few,
            *(same(self.paid.worth[kind], pick(n >= 1, self.view.value[kind], 0)) for kind, n in self.paid.n.items()),
        ]

    def _held(self) -> list[Bool]:
        """What there is of the guild of the first berth are the cards of it in the hand, which are all different."""
        if not self.lying:
            return []
        view, guild = self.view, self.view.market[0].printed.guild
        own = [(kind, both(same(view.guild[kind], guild), n >= 1)) for kind, n in view.hand.items()]
        worth = total(pick(is_, view.value[kind], 0) for kind, is_ in own)
        few = [n <= 1 for n in view.hand.values()]
        return [*few, same(view.total(guild), worth), same(view.held(guild), total(pick(is_, 1, 0) for _, is_ in own))]

    def likes(self) -> tuple[Bool, ...]:
        """What such a model had better meet: what is open is allowed, the end not triggered, and no number large."""
        view = self.view
        prices = [price for berth in view.market for price in (berth.printed.cost, berth.discount)]
        low = [n <= 9 for n in (*view.value.values(), *prices)]
        return view.needless, view.free, view.alike, no(view.ended), *low

    def sizes(self) -> tuple[Any, ...]:
        """What is to be small: the cards and modules on the table, then what they are worth."""
        view = self.view
        standing = pick(same(theory.at(view.station, 1), theory.VACANT), 0, 1)
        prices = [price for berth in view.market for price in (berth.printed.cost, berth.discount)]
        lying = pick(view.market[0].taken, 1, 0) if self.lying else 0
        pieces = total((theory.size(view.display), theory.size(view.hand), view.docked, standing, lying))
        return pieces, total((*view.value.values(), *prices))


def _drifts(berth: theory.Berth) -> Bool:
    """A berth has a price and a discount that can be written, and what a module costs is what is left."""
    cost, discount = berth.printed.cost, berth.discount
    return both(
        same(theory.drift(cost, discount), pick(cost >= discount, cost - discount, 0)),
        *(both(n >= 0, n <= 99) for n in (cost, discount)),
        either(berth.taken, both(same(cost, 0), same(discount, 0))),
    )


class Model:
    """A model, read in the words of the game."""

    def __init__(self, setting: Setting, model: Any) -> None:
        self.setting, self.view, self.model = setting, setting.view, model
        view = self.view
        self.names = {
            kind: f"{GUILDS[self.value(view.guild[kind])]} {self.value(view.value[kind])}" for kind in view.kinds
        }
        node = bridge.NODES[1]
        self.words = {**self.names, node: bridge.NODES[self.value(NODE)] if 0 in setting.places else node}

    def value(self, term: Int) -> int:
        """A number in the model."""
        return int(self.model.eval(term, True).as_long())

    def holds(self, term: Bool) -> bool:
        """A truth value in the model."""
        return str(self.model.eval(term, True)) == "True"

    def cards(self, zone: Cards) -> list[str]:
        """Cards by their names."""
        return [self.names[kind] for kind, n in zone.items() for _ in range(self.value(n))]

    def action(self, asked: Asked) -> Action:
        """The action with the names of its cards."""
        rest = {
            word: tuple(sorted(self.words.get(x, x) for x in items))
            for word, items in asked.action.rest
            if word != "pay"
        }
        if asked.paid is not None:
            rest = {"from": rest["from"], "pay": tuple(sorted(self.cards(asked.paid))), "to": rest["to"]}
        if asked.dealt is not None:
            return Action(asked.action.verb, tuple(sorted(self.cards(asked.dealt))))
        items = tuple(sorted(self.words.get(item, item) for item in asked.action.items))
        return Action(asked.action.verb, items, tuple(rest.items()))

    def printed(self, name: str, berth: theory.Berth) -> dict[str, Any]:
        """What is printed on a module: on all the same as on that in the berth."""
        return {"guild": GUILDS[self.value(berth.printed.guild)], "cost": self.value(berth.printed.cost)}

    def discounts(self, market: Mapping[str, str]) -> dict[str, int]:
        """The discounts of the berths that are not empty."""
        found = {place: self.value(self.view.market[int(place) - 1].discount) for place, name in market.items() if name}
        return {place: n for place, n in found.items() if n}

    def given(self, market: Mapping[str, str]) -> dict[str, Any]:
        """The position, with what lies in the berths."""
        view = self.view
        if self.setting.lying and self.holds(view.market[0].taken):
            market = {"1": "Module"}
        berth = view.market[int(next(iter(market), "1")) - 1]
        stands = STANDING[self.value(theory.at(view.station, 1))]
        station = {"n1": stands} if stands else {}
        docked = [name for name, n in self.setting.dock.items() for _ in range(self.value(n))]
        docked = docked if self.setting.dock else ["Other"] * self.value(view.docked)
        lying = {place: name for place, name in market.items() if name}
        names = sorted({*lying.values(), *station.values(), *docked})
        parts = {
            "display": self.cards(view.display),
            "hand": self.owned(self.cards(view.hand)),
            "market": lying,
            "discount": self.discounts(lying),
            "station": self.owned(station),
            "dock": self.owned(docked),
            "modules": {name: self.printed(name, berth) for name in names},
            "ended": self.holds(view.ended),
            "deck": [pile for layer in view.deck if (pile := self.cards(layer))] if self.setting.deck else [],
        }
        out = {"players": list(PLAYERS), **{key: part for key, part in parts.items() if part}}
        out |= {"map": {"nodes": list(bridge.NODES), "links": []}, "placement": "free"}
        open_ = {"needless payment": view.needless, "pay nothing": view.free, "identical exchange": view.alike}
        return out | {name: False for name, term in open_.items() if not self.holds(term)}

    def owned(self, what: Any) -> dict[str, Any]:
        """What the commander has whose turn it is."""
        return {PLAYERS[0]: what} if what else {}


def replay(
    code: Shipped, setting: Setting, law: Laws, said: Sequence[Asked], before: Prelude | None, ours: bool, model: Any
) -> Replay:
    """Whether the game judges an action otherwise than the theory does, in the model's position.

    What the case demands is what the theory says, so that it fails as long as the game has it otherwise; only where
    the claim is about the theory (`ours` is false) it is what the game says.
    """
    game, read = code.game, Model(setting, model)
    edition = game.editions[0]
    player = PLAYERS[read.value(setting.who)] if setting.who is not None else PLAYERS[0]
    given = read.given({})
    for asked in said:
        given, action = read.given(asked.market), read.action(asked)
        given |= before.given(given) if before is not None else {}
        play = (before.action,) if before is not None else ()
        state = game.position(given, edition)
        for text in play:
            state, _ = game.play(state, game.read(text))
        by = None if asked.by_chance else player
        verdict = game.judge(state, by, action)
        legal = read.holds(law.plain(asked.says))
        if verdict.legal != legal:
            word = "legal" if verdict.legal else "illegal"
            note = f"{game.text(action)!r} by {by or 'chance'} is {word} in the game: {', '.join(verdict.rules)}"
            step = demand(game, by, action, legal if ours else verdict.legal)
            return Replay(given, edition, True, note, step, play)
    return Replay(given, edition, False, "every action is judged as in the theory")


class Prelude(NamedTuple):
    """An action that leads to where the claim is about, and what it takes beside the model's position."""

    action: str
    market: Mapping[str, str] = {}
    modules: Mapping[str, Any] = {}
    hand: tuple[str, ...] = ()
    display: tuple[str, ...] = ()

    def given(self, before: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of the position that change."""
        own = before.get("hand", {}).get(PLAYERS[0], ())
        parts: dict[str, Any] = {
            "display": [*before.get("display", ()), *self.display],
            "market": {**before.get("market", {}), **self.market},
            "modules": {**before.get("modules", {}), **self.modules},
            "hand": {PLAYERS[0]: [*own, *self.hand]} if own or self.hand else {},
        }
        return {name: part for name, part in parts.items() if part}


GIFT = {"Gift": {"guild": "blue", "cost": 1}}
EXACT = Prelude("purchase Gift from 5 pay blue 1 to dock", {"5": "Gift"}, GIFT, hand=("blue 1",))
"""An exact payment, after which a reward is taken."""
TAKEN = Prelude("acquire blue 1", display=("blue 1",))
"""An acquired card, after which the display is refilled."""


def replayed(
    code: Shipped,
    setting: Setting,
    law: Laws,
    said: Sequence[Asked],
    before: Prelude | None = None,
    ours: bool = True,
) -> dict[str, Any]:
    """What a claim needs to be replayed: nothing where there is no action to replay it with."""
    if not said:
        return {}
    return {
        "replay": partial(replay, code, setting, law, tuple(said), before, ours),
        "fits": setting.fits(),
        "likes": setting.likes(),
        "sizes": setting.sizes(),
    }
