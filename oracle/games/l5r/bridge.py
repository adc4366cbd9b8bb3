"""From the theory's symbols to what the shipped guards are lifted on."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import Any

from msgspec import Struct

from oracle.game import Action
from oracle.games.l5r import calendar, theory
from oracle.games.l5r.cards import TYPES
from oracle.games.l5r.state import KINDS, Piece
from oracle.games.l5r.theory import Laid, Position, Trigger, Units
from oracle.games.l5r.variant import GUARDS, PACKAGE
from oracle.proof.bags import stand_in
from oracle.proof.lift import Modules, load
from oracle.proof.paths import branch
from oracle.proof.symbols import SymAtom, SymBag, SymBool, SymInt, SymText, truth_of
from oracle.proof.terms import Bool, boolean, both, no, number, pick, same, total

ROUNDS = "oracle.timing.rounds"
EFFECTS = tuple(f"{PACKAGE}.{name}" for name in ("losing", "effects", "flow"))
AT = {
    theory.ACTION: calendar.ACTION,
    theory.COMBAT: calendar.COMBAT,
    theory.OFFER: calendar.AFTER_ACTION,
    theory.INFANTRY: calendar.INFANTRY,
    theory.CAVALRY: calendar.CAVALRY_SEGMENT,
    theory.BATTLES: calendar.AFTER_BATTLE,
    theory.EVENTS: calendar.EVENTS,
    theory.DYNASTY: calendar.DYNASTY,
    theory.END: calendar.END,
    theory.ORDER: calendar.BEFORE_ATTACK,
}
"""The moment of each time at which nothing is under way; triggers wait for any moment, here for one."""
UNITS = ("Shiba", "Moto")
"""Units of two names."""


def modules(edits: Mapping[str, ast.Module] | None = None) -> Modules:
    """The shipped modules, loaded to be lifted."""
    code: dict[str, ModuleType] = {}
    for name in (ROUNDS, *GUARDS, *EFFECTS):
        package = ModuleType(PACKAGE)
        package.__dict__.update({loaded.rpartition(".")[2]: module for loaded, module in code.items()})
        code |= load([name], {**code, "oracle.zones": stand_in(), PACKAGE: package}, edits)
        hooks = code[name].__dict__["__builtins__"]
        hooks |= {"__sum__": partial(_sum, hooks["__sum__"]), "str": _text}
    return Modules(code)


def _text(value: object) -> Any:
    """The number of a turn, written in an event: never looked at."""
    return SymText() if isinstance(value, SymInt) else str(value)


class Home(Struct, frozen=True):
    """All units at home, however many there are of each name, bowed and not."""

    units: Mapping[str, Units]


def _sum(plain: Callable[..., Any], source: Any, keep: Callable[[Any], Any], value: Callable[[Any], Any]) -> Any:
    """A sum over units at home counts all that are alike; any other is as it was."""
    if not isinstance(source, Home):
        return plain(source, keep, value)
    alike = [(Piece(name, bowed), n) for name, of in source.units.items() for bowed, n in of.by_state()]
    return SymInt(total(n * value(unit) for unit, n in alike if keep(unit)))


class Name(SymAtom):
    """One of any number of things of a kind: a player, a card, an ability, a trigger. 0 is nobody, and nothing."""

    def __init__(self, code: Any) -> None:
        super().__init__(code, (None,))

    def __bool__(self) -> bool:  # type: ignore[override]
        return branch(no(same(self.code, theory.NOBODY)))

    __hash__ = None  # type: ignore[assignment]


class Some:
    """Things of which it is only asked whether one is among them: as `says` has it."""

    def __init__(self, says: Any) -> None:
        self.says = says

    def __contains__(self, thing: Any) -> bool:
        return branch(self.says(thing))


class Seated(Name):
    """The name of somebody who plays: nobody is not he."""

    def __eq__(self, other: object) -> Any:
        return SymBool(both(no(same(self.code, theory.NOBODY)), truth_of(super().__eq__(other))))

    __hash__ = None


class Fake(SimpleNamespace):
    """A position; asked for a player, it gives the one that is concerned."""

    @property
    def due(self) -> tuple[Any, ...]:
        """The triggers that wait for no further turn to begin."""
        return tuple(each for each in self.agenda if not each.effect.turns)

    def __getitem__(self, player: Any) -> Any:
        return self.player


def ability(view: Position) -> Any:
    """The ability that the action names, of whoever acts; None where there is none."""
    about = view.ability
    if not SymBool(about.known):
        return None
    effect = SimpleNamespace(attack=SymBool(about.attacks), cancel=SymBool(about.cancels))
    return SimpleNamespace(
        name=Name(view.item),
        type=SymAtom(about.type, KINDS),
        used=SymBool(about.used),
        card=SymBool(about.of_card),
        effect=effect,
        to="the trigger",
    )


def trigger(each: Trigger, at: Any) -> Any:
    """A trigger that waits for this moment."""
    return SimpleNamespace(
        name=Name(each.name),
        moment=at,
        turn_of=Name(each.turn),
        effect=SimpleNamespace(turns=SymInt(each.turns)),
        live=SymBool(each.live),
        rank=SymInt(each.rank),
    )


def table(view: Position, units: Mapping[str, Units]) -> Any:
    """The cards of the game: types of any cards, and which units are Cavalry."""

    class Cards(Some):
        def __getitem__(self, card: Name) -> Any:
            return SimpleNamespace(type=SymAtom(view.type(card.code), TYPES))

        def cavalry(self, name: str) -> SymBool:
            return SymBool(units[name].cavalry)

    def known(card: Any) -> Bool:
        if not isinstance(card, Name):
            return boolean(card in units)
        return both(view.type(card.code) >= 0, view.type(card.code) < len(TYPES))

    return Cards(known)


def state(
    view: Position,
    time: int,
    provinces: Sequence[Sequence[Laid]] = (),
    triggers: Sequence[Trigger] = (),
    units: Mapping[str, Units] | None = None,
    fields: Sequence[int] | None = None,
    tied: Sequence[Any] = (),
    deck: Sequence[Mapping[str, Any]] = (),
    n: Any = 0,
    lost: bool = False,
    rule: str = "l5r.end.draw",
) -> Any:
    """The position at a time, as the guards ask it; `lost`: whoever acts has lost, `rule`: what asks."""
    at = AT.get(time, calendar.ACTION)
    cards = tuple(tuple(map(laid, province)) for province in provinces)
    hand = Hand({"item": view.copies, "others": view.held - view.copies})
    home = Home(units or {})
    mine = SimpleNamespace(
        name=Seated(view.who),
        ability=lambda name: ability(view),
        home=home,
        out=lost,
    )
    other = SimpleNamespace(
        name=Seated(view.item), ability=lambda name: None, home=Home({}), out=SymBool(no(view.playing(view.item)))
    )
    return Fake(
        over=SymBool(view.over),
        table=table(view, home.units),
        stack=(step(view, time, tied, n, rule),) if time >= theory.REACTIONS else (),
        waiting=lambda: time == theory.ORDER,
        at=at,
        battles_left=lambda: time == theory.BATTLES,
        mover=SimpleNamespace(name=Name(view.active), provinces=cards, hand=hand, most=SymInt(view.most)),
        seats=(mine, other) if time == theory.OFFER else (mine,),
        round=round_of(view),
        barred=Some(lambda player: view.barred(player.code)),
        in_play=lambda player: Some(lambda card: view.ability.ready),
        attack=attack(view, fields) if time in FIGHTING else None,
        order=lambda: (Name(view.ordering),),
        happened=Some(lambda trigger: view.ability.answers),
        agenda=tuple(trigger(each, at) for each in triggers),
        interrupted=(),
        second=SymBool(view.discarded),
        player=SimpleNamespace(name=Name(view.owner), dynasty=_deck(deck), fate=_deck(deck)),
    )


FIGHTING = (theory.COMBAT, theory.INFANTRY, theory.CAVALRY, theory.BATTLES)


def _deck(layers: Sequence[Mapping[str, Any]]) -> tuple[SymBag, ...]:
    return tuple(map(SymBag, layers))


def laid(card: Laid) -> Any:
    """A card in a Province."""
    return SimpleNamespace(name=Name(card.card), up=SymBool(card.up), mark=_Mark(card.left))


def round_of(view: Position) -> Any:
    """An action round: whose opportunity it is, and whether it is the first."""
    return SimpleNamespace(player=Name(view.now), turn=_First(view.first))


class Places(Some):
    """The Provinces that have a battlefield, however many."""

    def __iter__(self) -> Iterator[int]:
        return iter(())


def attack(view: Position, fields: Sequence[int] | None) -> Any:
    """An attack with any battlefields, or with those at certain Provinces."""
    return SimpleNamespace(
        attacker=Name(view.attacker),
        defender=Name(view.defender),
        assigning=Name(pick(view.second_side, view.defender, view.attacker)),
        places=Places(view.field) if fields is None else tuple(fields),
        left=Some(lambda i: no(view.fought(i))),
        optional=True,
    )


class _First:
    """A place in the order of a round, of which it is only asked whether it is the first."""

    def __init__(self, first: Bool) -> None:
        self.first = first

    def __eq__(self, other: object) -> Any:
        assert other == 0
        return SymBool(self.first)

    __hash__ = None  # type: ignore[assignment]


class _Mark:
    """What the Events Phase keeps of a card: nothing while the card is left to deal with."""

    def __init__(self, left: Bool) -> None:
        self.left = left

    def __eq__(self, other: object) -> Any:
        assert other == ""
        return SymBool(self.left)

    __hash__ = None  # type: ignore[assignment]


class Hand(SymBag):
    """A hand of any cards: how many, and how many of the name that the action names."""

    def count(self, name: object) -> SymInt:
        return SymInt(self.counts["item"] if isinstance(name, Name) else number(0))

    __hash__ = None  # type: ignore[assignment]


def step(view: Position, time: int, tied: Sequence[Any], n: Any, rule: str) -> Any:
    """What is under way at a time."""
    first = time == theory.FIRST
    return SimpleNamespace(
        do=theory.TIMES[time],
        player=Name(view.owner),
        name=SymAtom(view.granted, KINDS) if time == theory.ADDITIONAL else Name(view.offered),
        names=tuple(map(Name, tied)) if first else Some(lambda trigger: view.ability.answers),
        cancelling=SymBool(view.cancelling),
        round=round_of(view),
        n=n if isinstance(n, int) else SymInt(n),
        rule=rule,
    )


def action(verb: str, *items: Any, parts: int = 0) -> Action:
    """An action about some things: texts, or numbers that stand for any."""
    named: tuple[Any, ...] = tuple(item if isinstance(item, str) else Name(item) for item in items)
    return Action(verb, named, (("more", ()),) * parts)
