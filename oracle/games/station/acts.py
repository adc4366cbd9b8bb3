"""Each action of a turn with all that the theory says of it, and how its effect is replayed on the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from oracle.game import Action
from oracle.games.station import bridge, theory_effects
from oracle.games.station.bridge import NODE, Shipped
from oracle.games.station.guard_claims import purchase
from oracle.games.station.replay import GUILDS, PLAYERS, STANDING, Asked, Model, Setting
from oracle.games.station.state import BERTHS, COMMAND_CORE
from oracle.games.station.theory import Berth, Cards, Heap, Table, at, drift, size
from oracle.games.station.theory_effects import MODULES, SCORINGS, Change, Scene, filed, wants_reward
from oracle.proof.claims import Replay
from oracle.proof.laws import Laws
from oracle.proof.readings import demand
from oracle.proof.terms import FALSE, TRUE, Bool, both, either, no, number, pick, same, when

LYING = {"3": "Module", "5": "Other"}
"""The modules of the market, where a position is written."""
HIGH = 9
"""The highest number of anything, where a position is written."""


class Act(NamedTuple):
    """An action, what it changes, where it is legal; `at_node` is what stands at its node."""

    action: Action
    change: Change
    legal: Bool
    scoring: str = SCORINGS[0]
    at_node: str = ""
    paid: Cards | None = None
    playable: Bool = TRUE


def acts(view: Scene, table: Table, paid: Heap) -> Iterator[Act]:
    """The actions of a turn: cards by their names, `Module` from the third berth or the dock, at any node."""
    for row in (view.kinds[:n] for n in (1, 2, 3)):
        yield Act(Action("acquire", row), theory_effects.acquire(view, row), table.acquires(row))
    berth = Berth(same(view.berths[2], 1), number(1), view.prints["Module"], view.discounts[2])
    there, cards = view.dock["Module"] >= 1, bridge.payment(view, paid)
    for scoring in SCORINGS:
        for to, node in (("dock", None), ("n1", NODE)):
            change = theory_effects.purchase(view, 2, paid, node, scoring)
            legal = table.purchases(berth, berth.taken, paid, node is None, node)
            yield Act(purchase("3", to, cards), change, legal, scoring, paid=paid.n)
        install = Action("install", ("Module",), (("at", ("n1",)),))
        yield Act(install, theory_effects.install(view, NODE, scoring), table.reinstalls(there, NODE, 1), scoring)
        for i, leaving in enumerate(MODULES, 1):
            exchange = Action("exchange", ("n1",), (("for", ("Module",)),))
            legal = both(table.exchanges(there, NODE, 1), same(at(view.station, NODE), i))
            yield Act(exchange, theory_effects.exchange(view, NODE, leaving, scoring), legal, scoring, leaving)
        legal = both(table.stows(NODE), same(at(view.station, NODE), 1))
        yield Act(Action("stow", ("n1",)), theory_effects.stow(view, NODE), legal, scoring, "Module")
    yield Act(Action("pass"), theory_effects.pass_(view), table.passes(FALSE), playable=view.ended)


def replayed(
    code: Shipped, view: Scene, law: Laws, said: Sequence[Act], paid: Heap, ours: bool = True
) -> dict[str, Any]:
    """What a claim about effects needs to be replayed."""
    places = (1,) if ours else (0, 1)
    setting = Setting(view, view.dock, paid=paid, places=places, more=tuple(_written(view)))
    legal = [(law.plain(act.legal), act.playable) for act in said]
    return {
        "replay": partial(replay, code, setting, law, tuple(said), ours),
        "fits": (*setting.fits(), either(*(both(*each) for each in legal))),
        "likes": (*setting.likes(), *(when(may, done) for may, done in legal)),
        "sizes": setting.sizes(),
    }


def _written(view: Scene) -> Iterator[Bool]:
    """What of a scene can be written: no card or module comes up afterwards, and its numbers are small."""
    yield no(view.unfilled)
    for pile in (*view.deck, *view.stock, view.discard):
        yield same(size(pile), 0)
    for n in (view.counter, view.renown, view.step, view.limit):
        yield n <= HIGH
    for printed in view.prints.values():
        yield both(printed.guild >= 0, printed.guild < len(GUILDS), printed.cost <= HIGH, printed.renown <= HIGH)
    for place, name in LYING.items():
        i = int(place) - 1
        cost, discount = view.prints[name].cost, view.discounts[i]
        yield both(same(view.berths[i], MODULES.index(name) + 1), view.market[i].taken, view.waits[i], discount <= HIGH)
        yield same(drift(cost, discount), pick(cost >= discount, cost - discount, 0))


class SceneModel(Model):
    """A model of a scene, read in the words of the game."""

    view: Scene

    def printed(self, name: str, berth: Berth) -> dict[str, Any]:
        """What is printed on a module."""
        own = self.view.prints[name]
        return {
            "guild": GUILDS[self.value(own.guild)],
            "cost": self.value(own.cost),
            "renown": self.value(own.renown),
        }

    def scene(self, scoring: str) -> dict[str, Any]:
        """The position."""
        view = self.view
        more = {
            "scored": self.owned(self.pile(view.scored)),
            "counter": self.owned(self.value(view.counter)),
            "renown": self.owned(self.value(view.renown)),
        }
        out = self.given(LYING) | {key: part for key, part in more.items() if part}
        return out | {
            "drift": self.value(view.step),
            "end": {"salvage empty": False, "counter": self.value(view.limit)},
            "scoring": scoring,
        }

    def pile(self, modules: Cards) -> list[str]:
        """Modules by their names."""
        return [name for name, n in modules.items() for _ in range(self.value(n))]

    def after(self, law: Laws, act: Act) -> dict[str, Any]:
        """What the theory says that is seen after an action, as far as the steps behind it leave it alone."""
        change = act.change

        def of(name: str) -> Any:
            value = change.value(name)
            return filed(law, change.now[name][1], value) if name in change.now else value

        def number_(term: Any) -> int:
            return self.value(law.plain(number(term)))

        def names(pile: Cards) -> list[str]:
            known = self.names if next(iter(pile)) in self.names else {name: name for name in pile}
            return sorted(known[name] for name, n in pile.items() for _ in range(number_(n)))

        steps = {do: self.holds(law.plain(given)) for do, given in change.orders(law)[0][1]}
        stands = STANDING[number_(at(of("station"), 1))]
        mine = PLAYERS[0]
        seen: dict[str, Any] = {
            "hand": {mine: names(of("hand"))},
            "dock": {mine: names(of("dock"))},
            "scored": {mine: names(of("scored"))},
            "station": {mine: {"core": COMMAND_CORE, **({"n1": stands} if stands else {})}},
            "counter": {mine: number_(of("counter"))},
            "renown": {mine: number_(of("renown"))},
            "ended": self.holds(law.plain(of("ended"))),
            "market": {
                place: name for place, n in zip(BERTHS, of("berths"), strict=True) if (name := STANDING[number_(n)])
            },
            "discount": {place: n for place, term in zip(BERTHS, of("discounts"), strict=True) if (n := number_(term))},
            "eligible": [
                place for place, waits in zip(BERTHS, of("waits"), strict=True) if self.holds(law.plain(waits))
            ],
        }
        if not (steps.get("deal") and names(of("discard"))):
            seen |= {"display": names(of("display")), "discard": names(of("discard"))}
        chooses = steps.get("reward") and self.holds(wants_reward(self.view))
        return seen | {"turn": PLAYERS[0] if chooses else PLAYERS[1]}


def replay(code: Shipped, setting: Setting, law: Laws, said: Sequence[Act], ours: bool, model: Any) -> Replay:
    """Whether an action of the game leads to something else than the theory says, in the model's position."""
    game, read = code.game, SceneModel(setting, model)
    edition, given = game.editions[0], read.scene(SCORINGS[0])
    for act in said:
        if not (read.holds(law.plain(act.legal)) and read.holds(act.playable)):
            continue
        given, action = read.scene(act.scoring), read.action(Asked(act.action, TRUE, paid=act.paid))
        state, text = game.position(given, edition), game.text(action)
        if not (verdict := game.judge(state, PLAYERS[0], action)).legal:
            if ours:
                continue  # what is legal is another claim's
            note = f"{text!r} is illegal in the game: {', '.join(verdict.rules)}"
            return Replay(given, edition, True, note, demand(game, PLAYERS[0], action, False))
        seen = game.observe(game.play(state, action)[0])
        for field, wanted in read.after(law, act).items():
            shown = (
                {PLAYERS[0]: seen[field][PLAYERS[0]]}
                if isinstance(seen[field], dict) and PLAYERS[0] in seen[field]
                else seen[field]
            )
            if _alike(shown, wanted):
                continue
            note = f"after {text!r} {field} is {shown} in the game, and {wanted} by the theory"
            step = {"state": {field: wanted if ours else shown}}
            return Replay(given, edition, True, note, step, (text,))
    return Replay(given, edition, False, "every action leads to what the theory says")


def _alike(one: Any, other: Any) -> bool:
    """Two values of a position are the same, lists of cards in any order."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_alike(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return Counter(one) == Counter(other)
    return bool(one == other)
