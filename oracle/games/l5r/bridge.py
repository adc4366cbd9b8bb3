"""From the theory's symbols to what the shipped guards are lifted on."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
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
from oracle.proof.smt import TRUE, Bool, no, pick, same, total
from oracle.proof.symbols import SymAtom, SymBag, SymBool, SymInt, _ask

ROUNDS = "oracle.timing.rounds"
EFFECTS = tuple(f"{PACKAGE}.{name}" for name in ("effects", "flow"))
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
        hooks["__sum__"] = partial(_sum, hooks["__sum__"])
    return Modules(code)


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

    def __bool__(self) -> bool:
        return _ask(no(same(self.code, theory.NOBODY)))

    __hash__ = None  # type: ignore[assignment]


class Some:
    """Things of which it is only asked whether one is among them: as `says` has it."""

    def __init__(self, says: Any) -> None:
        self.says = says

    def __contains__(self, thing: Any) -> bool:
        return _ask(self.says(thing))


class Fake(SimpleNamespace):
    """A part of a position: `at` is what it gives for an index."""

    def __getitem__(self, index: Any) -> Any:
        return self.at_index(index)


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
        name=Name(each.name), moment=at, turn_of=Name(each.turn), live=SymBool(each.live), rank=SymInt(each.rank)
    )


def table(view: Position, known: Bool, units: Mapping[str, Units]) -> Any:
    """The cards of the game: types of any cards, and which units are Cavalry."""

    class Cards(Some):
        def __getitem__(self, card: Name) -> Any:
            return SimpleNamespace(type=SymAtom(view.type(card.code), TYPES))

        def cavalry(self, name: str) -> SymBool:
            return SymBool(units[name].cavalry)

    return Cards(lambda card: TRUE if isinstance(card, str) else known)


def state(
    view: Position,
    time: int,
    provinces: Sequence[Sequence[Laid]] = (),
    triggers: Sequence[Trigger] = (),
    units: Mapping[str, Units] | None = None,
    fields: int | None = None,
    first: Bool = TRUE,
    tied: Sequence[Any] = (),
    deck: Sequence[Mapping[str, Any]] = (),
    n: Any = 0,
    more: Mapping[str, Any] | None = None,
) -> Any:
    """The position at a time, as the guards ask it."""
    at = AT.get(time, calendar.ACTION)
    units = units or {}
    decks = tuple(SymBag(layer) for layer in deck)
    laid = tuple(
        tuple(
            SimpleNamespace(name=Name(c.card), up=SymBool(c.up), mark=_Mark(c.left)) for c in province
        )
        for province in provinces
    )
    hand = SymBag({"item": view.copies, "others": view.held - view.copies})
    mover = Fake(name=Name(view.active), provinces=laid, hand=_Hand(hand), most=SymInt(view.most))
    mine = SimpleNamespace(name=Name(view.who), ability=lambda name: ability(view), home=Home(units), out=False)
    other = SimpleNamespace(name=Name(view.item), out=SymBool(no(view.playing(view.item))))
    round = SimpleNamespace(player=Name(view.now), turn=_First(first))
    battlefields: Any = (
        SymBag({"fields": view.fields})
        if fields is None
        else tuple(SimpleNamespace(fought=SymBool(view.fought(i))) for i in range(fields))
    )
    attack = SimpleNamespace(
        attacker=Name(view.attacker),
        defender=Name(view.defender),
        assigning=Name(pick(view.second_side, view.defender, view.attacker)),
        fields=battlefields,
        optional=True,
    )
    attacking = time in (theory.COMBAT, theory.INFANTRY, theory.CAVALRY, theory.BATTLES)
    about: dict[str, Any] = {
        "over": SymBool(view.over),
        "table": table(view, TRUE, units),
        "stack": (step(view, time, round, tied, n),) if time >= theory.REACTIONS else (),
        "waiting": lambda: time == theory.ORDER,
        "at": at,
        "battles_left": lambda: time == theory.BATTLES,
        "mover": mover,
        "seats": (other,) if time == theory.OFFER else (mine,),
        "round": round,
        "barred": Some(lambda player: view.barred(player.code)),
        "in_play": lambda player: Some(lambda card: view.ability.ready),
        "attack": attack if attacking else None,
        "agenda": tuple(trigger(each, at) for each in triggers),
        "interrupted": (),
        "second": SymBool(view.discarded),
        "at_index": lambda player: SimpleNamespace(name=Name(view.owner), dynasty=decks, fate=decks),
    }
    return Fake(**{**about, **(more or {})})


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


class _Hand(SymBag):
    """A hand of any cards: how many, and how many of the name that the action names."""

    def __init__(self, bag: SymBag) -> None:
        super().__init__(bag.counts)

    def count(self, name: object) -> SymInt:
        return SymInt(self.counts["item"] if isinstance(name, Name) else total(()))

    __hash__ = None  # type: ignore[assignment]


def step(view: Position, time: int, round: Any, tied: Sequence[Any], n: Any) -> Any:
    """What is under way at a time."""
    do = theory.TIMES[time]
    name = SymAtom(view.granted, KINDS) if time == theory.ADDITIONAL else Name(view.offered)
    return SimpleNamespace(
        do=do,
        player=Name(view.owner),
        name=name,
        names=tuple(map(Name, tied)) if time == theory.FIRST else Some(lambda trigger: view.ability.answers),
        cancelling=SymBool(view.cancelling),
        round=round,
        n=SymInt(n) if not isinstance(n, int) else n,
        rule="l5r.end.draw",
    )


def action(verb: str, item: Any = None, *more: str, rest: int = 0) -> Action:
    """An action about any one thing, or about the texts given."""
    items: tuple[Any, ...] = (Name(item), *more) if item is not None else more
    return Action(verb, items, (("more", ()),) * rest)
