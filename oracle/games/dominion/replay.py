"""From a solver's model to a position of the game, as a case writes it, and what the game itself says there.

A choice inside a card is reached by playing the card: the position is the one before that, and `play` leads
to where the claim is about. What the case demands is what the theory says, so that it fails as long as the
game has it otherwise; only where a claim is about the theory itself it is what the game says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import z3
from msgspec import Struct

from oracle.game import Action
from oracle.games.dominion import Dominion, theory
from oracle.games.dominion.bridge import Shipped
from oracle.games.dominion.cards import BASICS
from oracle.games.dominion.state import State
from oracle.games.dominion.theory import Cards, Position, size
from oracle.games.dominion.theory_effects import Change
from oracle.proof.claims import Replay
from oracle.proof.laws import Laws
from oracle.proof.readings import demand
from oracle.proof.terms import Bool, boolean, no, number, pick, same, total

PLAYERS = ("A", "B")
MOST_ALIKE = 3
"""How many cards of a kind lie in one zone of a position that is written down."""
BASIC = frozenset(card.name for card in BASICS)


class Asked(NamedTuple):
    """An action and what the theory says of it; the cards of its items are those chosen, where there are `cards`."""

    action: Action
    says: Bool
    cards: Cards | None = None


class Way(NamedTuple):
    """How a card comes to ask: it is played by the one asked or by the `other`, draws first, sees the deck's `top`.

    `before` are the actions after the play that lead to the question, for which the hand gets the cards `gains`.
    """

    other: bool = False
    draws: bool = False
    top: bool = False
    before: tuple[str, ...] = ()
    gains: tuple[str, ...] = ()


WAYS = {
    **dict.fromkeys(("cellar", "chapel", "remodel", "moneylender", "throne room", "mine", "gain"), Way()),
    "topdeck": Way(before=("gain Silver",), gains=("Silver",)),
    **dict.fromkeys(("harbinger", "poacher"), Way(draws=True)),
    **dict.fromkeys(("vassal play", "library card"), Way(top=True)),
    **dict.fromkeys(("militia", "bureaucrat", "moat"), Way(other=True)),
    "bandit": Way(other=True, top=True),
    "sentry trash": Way(draws=True, top=True),
    "sentry discard": Way(draws=True, top=True, before=("trash nothing",)),
    "put back": Way(draws=True, top=True, before=("trash nothing", "discard nothing")),
}
LOOKS_AT = {"vassal play": 1, "library card": 1, "bandit": 2, "sentry trash": 2, "sentry discard": 2, "put back": 2}
"""How many cards an instruction holds when it asks."""


class Setting(Struct, frozen=True):
    """How a model becomes a position: whose cards count (`seat`), who acts, and what asks, if anything does.

    `looked` are the cards that the instruction holds, `trashed` is the one that it refers to, `wanted` how many
    are to be drawn; `more` is what else a position must meet.
    """

    view: Position
    seat: Any
    who: Any
    do: str = ""
    card: str = ""
    looked: Cards = {}
    trashed: str = ""
    wanted: Any = None
    more: tuple[Bool, ...] = ()

    @property
    def zones(self) -> tuple[str, ...]:
        """The zones of the one asked that bear on the question."""
        return ("hand", "discard") if self.do == "harbinger" else ("hand",)

    def fits(self) -> tuple[Bool, ...]:
        """What a model must meet to be written as a position of two players, with the cards of one box."""
        view, way = self.view, WAYS.get(self.do, Way())
        zones = [view.zone(zone, self.seat) for zone in self.zones]
        if self.wanted is not None:
            zones += view.deck(self.seat)
        few = [number(n) <= MOST_ALIKE for cards in (*zones, self.looked) for n in cards.values()]
        hand, held = zones[0], LOOKS_AT.get(self.do)
        own = [number(hand[card]) >= 1 for card in way.gains]
        own += [size(hand) >= 1] if way.draws else []
        own += [same(size(self.looked), held)] if held else []
        own += [size(hand) <= 6] if self.do == "library card" else []
        own += [view.phase <= 1] if not self.do else []
        seats = (number(self.seat) >= 0, number(self.seat) <= 1, number(self.who) <= len(PLAYERS))
        return (*seats, no(view.over), no(view.night), *few, *own, *self.more)

    def sizes(self) -> tuple[Any, ...]:
        """What is to be small: empty piles, cards, what is not as usual, then the numbers."""
        view = self.view
        zones = [view.zone(zone, self.seat) for zone in self.zones]
        if self.wanted is not None:
            zones += view.deck(self.seat)
        usual = ((self.seat, 0), (view.edition, 0), (view.actions, 1), (view.buys, 1))
        numbers = [] if self.do else [getattr(view, name) for name in theory.NUMBERS]
        return (
            total(pick(n <= 0, 1, 0) for n in view.supply.values()),
            total(map(size, zones)),
            total(pick(same(n, plain), 0, 1) for n, plain in usual),
            total([*numbers, *(card.cost for card in view.kinds.values())]),
        )


class Model:
    """A model, read in the words of the game."""

    def __init__(self, setting: Setting, model: Any) -> None:
        self.setting, self.view, self.model = setting, setting.view, model
        self.seat = self.value(setting.seat)
        self.way = WAYS.get(setting.do, Way())

    def value(self, term: Any) -> int:
        """A number in the model."""
        return int(self.model.eval(number(term), True).as_long())

    def holds(self, term: Any) -> bool:
        """A truth value in the model."""
        return str(self.model.eval(boolean(term), True)) == "True"

    def cards(self, zone: Cards) -> list[str]:
        """Cards by their names."""
        return [kind for kind, n in zone.items() for _ in range(self.value(n))]

    @property
    def edition(self) -> str:
        """The edition of the position."""
        return theory.EDITIONS[self.value(self.view.edition)]

    @property
    def player(self) -> str | None:
        """Whoever acts; None is chance."""
        code = self.value(self.setting.who)
        return None if code == theory.CHANCE else PLAYERS[code - 1]

    @property
    def discard(self) -> Cards:
        """The discard pile of the one asked, where it bears on the question."""
        return self.view.zone("discard", self.setting.seat) if "discard" in self.setting.zones else {}

    def action(self, asked: Asked) -> Action:
        """The action with its cards."""
        if asked.cards is None:
            return asked.action
        return Action(asked.action.verb, tuple(sorted(self.cards(asked.cards))))

    def given(self, named: Iterable[str]) -> dict[str, Any]:
        """The position before the card is played, with a pile of each card named where the model has one.

        Only what differs from what a position has by default is written.
        """
        view, setting, way = self.view, self.setting, self.way
        me = PLAYERS[self.seat]
        mover = PLAYERS[1 - self.seat] if way.other else me
        hand = self.cards(view.zone("hand", setting.seat))
        for card in way.gains:
            hand.remove(card)
        deck = [hand.pop(0)] if way.draws else []
        hands = {me: hand, **({} if setting.do else {mover: hand})}
        if setting.card:
            hands.setdefault(mover, []).append(setting.card)
        if setting.trashed:
            hands[me].append(setting.trashed)
        looked = self.cards(setting.looked) if way.top else []
        parts: dict[str, Any] = {
            "turn": mover if mover != PLAYERS[0] else None,
            "hand": {player: cards for player, cards in hands.items() if cards},
            "deck": {me: [*deck, *looked]} if deck or looked else {},
            "discard": {me: pile} if (pile := self.cards(self.discard)) else {},
        }
        if not setting.do:
            parts |= self._numbers()
        layers = [] if setting.wanted is None else [cards for x in view.deck(setting.seat) if (cards := self.cards(x))]
        parts |= self._piles([*hand, *deck, *looked, *pile, *chain.from_iterable(layers), setting.trashed], named)
        if layers:
            drawer = {"cost": 0, "types": ["Action"], "cards": self.value(setting.wanted)}
            parts |= {"deck": {me: layers}, "cards": {**parts["cards"], setting.card: drawer}}
        return {"players": list(PLAYERS), **{name: part for name, part in parts.items() if part not in (None, {}, [])}}

    def _numbers(self) -> dict[str, Any]:
        view, phase = self.view, theory.PHASES[self.value(self.view.phase)]
        plain = {"actions": 1, "buys": 1, "coins": 0, "bought": 0}
        found = {name: n for name, usual in plain.items() if (n := self.value(getattr(view, name))) != usual}
        if phase == "action":
            found.pop("bought", None)
        return {"phase": phase if phase != "action" else None, **found}

    def _piles(self, held: Iterable[str], named: Iterable[str]) -> dict[str, Any]:
        """Piles that are empty or of cards that are declared; kingdom cards seen elsewhere have theirs anyway."""
        left = {kind: self.value(n) for kind, n in self.view.supply.items()}
        strange = {kind for kind in (*held, *named) if kind in self.view.kinds} - theory.BASE.keys()
        supply = {kind: min(n, 1) for kind, n in left.items() if n == 0 or kind in strange}
        there = {*BASIC, *supply, *held}
        kingdom = [kind for kind in dict.fromkeys(named) if kind in theory.BASE and kind in left and kind not in there]
        declared = sorted(strange | supply.keys() - theory.BASE.keys())
        kinds = {kind: self._declared(self.view.kinds[kind]) for kind in declared}
        return {"supply": supply, "kingdom": kingdom, "cards": kinds}

    def _declared(self, kind: theory.Print) -> dict[str, Any]:
        types = [type_ for type_, has in kind.types.items() if self.holds(has) and type_ != "Night"]
        return {"cost": self.value(kind.cost), "types": types or ["Curse"]}


def reached(game: Dominion, read: Model, given: Mapping[str, Any]) -> tuple[State, tuple[str, ...]]:
    """The state where the claim's question is asked, and the play from the position that leads there."""
    setting, play = read.setting, list[str]()
    state = game.position(given, read.edition)
    ahead = [f"play {setting.card}", *read.way.before] if setting.card else []
    ahead += [f"trash {setting.trashed}"] if setting.trashed else []
    while ahead:
        play.append(ahead.pop(0))
        state, _ = game.play(state, game.read(play[-1]))
        if state.stack and state.stack[-1].do == "moat" and setting.do != "moat":
            ahead.insert(0, "reveal nothing")
    return state, tuple(play)


def replay(code: Shipped, setting: Setting, law: Laws, said: Sequence[Asked], ours: bool, model: Any) -> Replay:
    """Whether the game judges an action otherwise than the theory does, in the model's position."""
    game, read = code.game, Model(setting, model)
    for asked in said:
        action = read.action(asked)
        given = read.given(action.items)
        state, play = reached(game, read, given)
        if setting.do and not (state.stack and state.stack[-1].do == setting.do):
            continue
        verdict = game.judge(state, read.player, action)
        legal = read.holds(law.plain(asked.says))
        if verdict.legal != legal:
            word = "legal" if verdict.legal else "illegal"
            who = read.player or "chance"
            note = f"{game.text(action)!r} by {who} is {word} in the game: {', '.join(verdict.rules)}"
            step = demand(game, read.player, action, legal if ours else verdict.legal)
            return Replay(given, read.edition, True, note, step, play)
    return Replay(read.given(()), read.edition, False, "every action is judged as in the theory")


def replay_over(code: Shipped, model: Any) -> Replay:
    """Whether the game allows anything once it is over, or names other rules as well."""
    game, given, edition = code.game, {"phase": "buy", "over": True}, theory.EDITIONS[0]
    for text in ("buy Copper", "end buy phase"):
        verdict = game.judge(game.position(given, edition), PLAYERS[0], game.read(text))
        if verdict.legal or verdict.rules != ("dom.end.over",):
            note = f"{text!r} is {'legal' if verdict.legal else 'illegal'} in the game: {', '.join(verdict.rules)}"
            step = {"refuse": {"player": PLAYERS[0], "action": text, "because": ["dom.end.over"]}}
            return Replay(given, edition, True, note, step)
    return Replay(given, edition, False, "nothing is allowed, and no other rule is named")


def replayed(code: Shipped, setting: Setting, law: Laws, said: Iterable[Asked], ours: bool = True) -> dict[str, Any]:
    """What a claim needs to be replayed."""
    return {
        "replay": partial(replay, code, setting, law, tuple(said), ours),
        "written": lambda model: Model(setting, model).given(()),
        "fits": setting.fits(),
        "sizes": setting.sizes(),
    }


def replay_order(
    code: Shipped,
    law: Laws,
    said: Sequence[Asked],
    turn: Any,
    who: Any,
    triggers: Sequence[tuple[str, Any, Any]],
    model: Any,
) -> Replay:
    """Whether the game lets something else be resolved than the theory does, of what waits in the model."""

    def value(term: Any) -> Any:
        found = model.eval(term, True)
        return str(found) == "True" if isinstance(term, z3.BoolRef) else int(found.as_long())

    game, players, edition = code.game, ["A", "B", "C"], theory.EDITIONS[0]
    names = dict.fromkeys(name for name, _, _ in triggers)
    given: dict[str, Any] = {"players": players, "cards": {name: {"types": ["Action"]} for name in names}}
    given["waiting"] = [
        {"player": players[value(owner) - 1], "card": name, "at": "before buy phase" if value(due) else "before turn"}
        for name, owner, due in triggers
    ]
    player = None if value(who) == theory.CHANCE else players[value(who) - 1]
    given["turn"] = players[value(turn)]
    state, _ = game.play(game.position(given, edition), game.read("end action phase"))
    for each in said:
        verdict, legal = game.judge(state, player, each.action), value(law.plain(each.says))
        if verdict.legal != legal:
            word = "legal" if verdict.legal else "illegal"
            note = f"{game.text(each.action)!r} by {player} is {word} in the game: {', '.join(verdict.rules)}"
            return Replay(given, edition, True, note, demand(game, player, each.action, legal), ("end action phase",))
    return Replay(given, edition, False, "every action is judged as in the theory")


# -- what effects do -------------------------------------------------------------------------------


class Done(NamedTuple):
    """An action, where it is legal, and what it is to change."""

    asked: Asked
    change: Change


def replay_effect(code: Shipped, setting: Setting, law: Laws, done: Sequence[Done], model: Any) -> Replay:
    """Whether the game makes something else of the model's position than the theory does."""
    game, read = code.game, Model(setting, model)
    for each in done:
        action = read.action(each.asked)
        given = read.given(action.items)
        before, play = reached(game, read, given)
        if not read.holds(law.plain(each.asked.says)):
            continue
        if not game.judge(before, read.player, action).legal:
            note = f"{game.text(action)!r} is not asked for"
            return Replay(given, read.edition, True, note, demand(game, read.player, action, True), play)
        after, _ = game.play(before, action)
        seen, wanted = game.observe(after), _wanted(game, read, each.change, before, law)
        wrong = {field: value for field, value in wanted.items() if not _as_wanted(seen[field], value)}
        if wrong:
            note = f"after {game.text(action)!r}: {', '.join(f'{k} {seen[k]}' for k in wrong)}; right: {wrong}"
            return Replay(given, read.edition, True, note, {"state": wrong}, (*play, game.text(action)))
    return Replay(read.given(()), read.edition, False, "it makes of the position what the theory does")


def _as_wanted(seen: Any, wanted: Any) -> bool:
    if isinstance(wanted, dict):
        return all(_as_wanted(seen.get(name), value) for name, value in wanted.items())
    return sorted(seen) == sorted(wanted) if isinstance(wanted, list) else bool(seen == wanted)


def _wanted(game: Dominion, read: Model, change: Change, before: State, law: Laws) -> dict[str, Any]:
    """The fields that the change is about, as they should be after it: those before, and what the model adds."""
    view, me, out = read.view, PLAYERS[read.seat], dict[str, Any]()
    seen = game.observe(before)

    def value(term: Any) -> int:
        return read.value(law.plain(number(term)))

    def more(zone: Cards, old: Cards) -> Counter[str]:
        return Counter({kind: value(n) - value(old.get(kind, 0)) for kind, n in zone.items()})

    def with_more(cards: Iterable[str], added: Counter[str]) -> list[str]:
        together = Counter(cards)
        together.update(added)
        return sorted(together.elements())

    for place, cards in change.places.items():
        if place in (("hand", read.seat), ("discard", read.seat)):
            zone = place[0]
            out[zone] = {me: with_more(seen[zone][me], more(cards, view.zone(zone, read.seat)))}
        elif place == "trash":
            out["trash"] = with_more(seen["trash"], more(cards, view.trash))
        elif place == "supply":
            gone = more(cards, view.supply)
            out["supply"] = {kind: n + gone[kind] for kind, n in seen["supply"].items() if gone[kind]}
    if read.seat in change.on_deck:
        put = sum(value(n) for n in change.on_deck[read.seat].values())
        out["deck size"] = {me: seen["deck size"][me] + put}
    for name, n in change.numbers.items():
        if name != "turn":
            out[name] = seen[name] + value(n) - value(getattr(view, name))
    return out


def done_again(code: Shipped, setting: Setting, law: Laws, done: Sequence[Done]) -> dict[str, Any]:
    """What a claim about an effect needs to be replayed."""
    return {
        "replay": partial(replay_effect, code, setting, law, tuple(done)),
        "written": lambda model: Model(setting, model).given(()),
        "fits": setting.fits(),
        "sizes": setting.sizes(),
    }
