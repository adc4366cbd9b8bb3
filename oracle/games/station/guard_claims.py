"""That the shipped guards allow exactly what the theory allows: every action of a turn, the pass, rewards, chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from inspect import signature
from itertools import combinations, product
from typing import Any

import z3

from oracle.game import Action, Reason
from oracle.games.station import bridge, theory, theory_effects
from oracle.games.station.bridge import NODES, Shipped, who
from oracle.games.station.clauses import CLAUSES
from oracle.games.station.replay import EXACT, TAKEN, Asked, Prelude, Setting, replayed
from oracle.games.station.state import Step
from oracle.games.station.theory import Berth, Cards, Position, Table
from oracle.proof.claims import Claim, Part
from oracle.proof.laws import Laws
from oracle.proof.lift import Lifted, lift
from oracle.proof.symbols import SymBag, SymBool, SymInt, truth_of
from oracle.proof.terms import FALSE, Bool, both, count, every, no, number, same, some, truth

KINDS = tuple(f"k{i} {i}" for i in range(1, 7))
"""Six kinds of credit cards, of any guild and value."""
PLACE = count("place")
ANY = "any placement rule, any Drift discount, any number of commanders"
NAMES = ("", "Module", "Other")
PLACES = {"core": number(theory.CORE), "n1": bridge.NODE}
"""The nodes that are looked at, as the theory has them."""


@lru_cache(maxsize=1)
def position() -> Position:
    """Any position."""
    return Position(KINDS)


def guard(lifted: Lifted) -> Bool:
    """The condition under which a lifted guard, which gives reasons, allows the action."""
    return some(both(path.condition, *(truth_of(reason.holds) for reason in path.value)) for path in lifted.paths)


def judged(code: Shipped, action: Action, player: Any = None, **about: Any) -> Lifted:
    """The shipped verdict on any position; by default of any commander, `False` is chance."""
    actor = None if player is False else who(PLACE)
    return lift(lambda: code.code.verdicts.judge(bridge.position(position(), **about), actor, action).reasons)


def asked(code: Shipped, action: Action, **about: Any) -> Lifted:
    """What the shipped guard of an action of the turn asks of any position; `guard.turn` says whose turn it is."""
    verdicts, view = code.code.verdicts, about.pop("view", position())
    return lift(lambda: tuple(verdicts.TURN[action.verb](bridge.position(view, **about), action)))


def agree(lifted: Lifted, says: Bool) -> Bool:
    """The guard allows exactly what the theory allows, and never raises."""
    return both(no(lifted.raises), same(guard(lifted), says))


def rows(most: int) -> Iterator[tuple[str, ...]]:
    """All rows of cards up to their names: which of them are of one kind."""
    for n in range(most + 1):
        yield from (tuple(kind for kind, m in zip(KINDS, parts, strict=False) for _ in range(m)) for parts in _parts(n))


def _parts(n: int, most: int | None = None) -> Iterator[tuple[int, ...]]:
    if n == 0:
        yield ()
    for first in range(min(n, most or n), 0, -1):
        yield from ((first, *rest) for rest in _parts(n - first, first))


def claim(
    code: Shipped,
    name: str,
    says: str,
    about: tuple[str, ...],
    scope: str,
    law: Laws,
    *goals: Bool,
    more: Sequence[Bool] = (),
    said: Sequence[Asked] = (),
    setting: Setting | None = None,
    before: Prelude | None = None,
) -> Claim:
    """A claim about guards: all the goals, in any position; `said` are actions to replay a refutation with."""
    setting = setting or Setting(position())
    return Claim(
        id=name,
        says=says,
        about=about,
        scope=f"{scope}; {ANY}",
        laws=law,
        parts=tuple(Part(goal) for goal in goals),
        domain=(*position().domain(), PLACE >= -1, bridge.NODE > theory.CORE, *more),
        **replayed(code, setting, law, said, before),
    )


def promise(
    name: str,
    says: str,
    about: tuple[str, ...],
    law: Laws,
    parts: Sequence[Part],
    domain: Sequence[Bool],
    scope: str = f"{ANY}, any number of nodes",
    **replay: Any,
) -> Claim:
    """A claim about the text itself, or about the whole game."""
    id_, all_ = f"promise.{name}", tuple(parts)
    return Claim(id=id_, says=says, about=about, scope=scope, laws=law, parts=all_, domain=tuple(domain), **replay)


def guard_turn(code: Shipped, law: Laws) -> Iterator[Claim]:
    """Whose turn it is, whatever the action; that nothing else is an action of a turn."""
    table, goals = Table(position(), law), list[Bool]()
    turn, rest = code.code.verdicts.TURN, truth("action.asks")
    shipped = dict(turn)
    try:
        for verb in shipped:
            turn[verb] = lambda state, action: iter([Reason("", SymBool(rest), "")])  # type: ignore[arg-type]
            goals.append(agree(judged(code, Action(verb)), both(table.own_turn(PLACE), rest)))
    finally:
        turn.update(shipped)
    goals += [agree(judged(code, Action(verb)), FALSE) for verb in ("take", "deal", "salvage", "")]
    row = KINDS[:1]
    says = both(table.own_turn(PLACE), table.acquires(row))
    setting = Setting(position(), who=PLACE, more=(same(rest, law.plain(table.acquires(row))),))
    yield claim(
        code,
        "guard.turn",
        "only the commander whose turn it is acts, with one of the actions of a turn, and nobody after the end",
        ("stn.turn.current", "stn.end.over"),
        "every verb; what else the action's own guard asks is any condition",
        law,
        every(goals),
        said=[Asked(Action("acquire", row), says)],
        setting=setting,
    )


def guard_acquire(code: Shipped, law: Laws) -> Iterator[Claim]:
    """Acquiring cards."""
    table, goals, said = Table(position(), law), list[Bool](), list[Asked]()
    for row in rows(6):
        says = table.acquires(row)
        goals.append(agree(asked(code, Action("acquire", row)), says))
        said.append(Asked(Action("acquire", row), says))
    yield claim(
        code,
        "guard.acquire",
        "the guard allows `acquire` exactly where section 7 does",
        ("stn.7.limit", "stn.7.guilds", "stn.7.several", "stn.7.none"),
        "up to six cards of any guilds and values, any number of each displayed",
        law,
        every(goals),
        said=said,
    )


def purchase(berth: str, to: str, cards: Any, module: tuple[str, ...] = ("Module",)) -> Action:
    """A purchase, of `Module` if nothing else is said."""
    return Action("purchase", module, (("from", (berth,)), ("pay", cards), ("to", (to,))))


SPENT = KINDS
PAID = theory.Heap({kind: count(f"paid.{kind}") for kind in SPENT}, {kind: count(f"worth.{kind}") for kind in SPENT})
"""Any number of cards of each kind, and what they are worth."""


def bought(table: Table, berth: Berth, there: str, to: str) -> Bool:
    """What the theory says of a purchase of `Module` from a berth in which `there` lies."""
    lying = berth._replace(module=number(NAMES.index("Module")))
    return table.purchases(lying, there == "Module", PAID, to == "dock", PLACES.get(to))


def guard_purchase(code: Shipped, law: Laws) -> Iterator[Claim]:
    """Purchasing a module."""
    view = position()
    table, cards, goals, said = Table(view, law), bridge.payment(view, PAID), list[Bool](), list[Asked]()

    def ask(action: Action, berth: str, lying: Sequence[str]) -> Lifted:
        prints = {name: view.market[int(berth) - 1].printed for name in NAMES if name}
        about: dict[str, Any] = {"names": NAMES, "berths": lying, "prints": prints, "nodes": bridge.all_nodes()}
        return asked(code, action, **about)

    kinds = [*product("3", NAMES[1:2], ("dock", *NODES, "nowhere", "")), *product("3", ("", "Other"), ("dock", "n1"))]
    kinds += product("1245", NAMES[1:2], ("dock",))
    for berth, there, to in kinds:
        action = purchase(berth, to, cards)
        says = bought(table, view.market[int(berth) - 1], there, to)
        goals.append(agree(ask(action, berth, [there if place == berth else "" for place in bridge.BERTHS]), says))
        said.append(Asked(purchase(berth, to, tuple(SPENT)), says, {berth: there}, PAID.n))
    for berth in ("6", "", "dock"):
        goals.append(agree(ask(purchase(berth, "dock", cards), "1", ["Module"] * 5), FALSE))
    goals.append(agree(ask(purchase("1", "dock", cards, ()), "1", ["", *["Module"] * 4]), FALSE))
    yield claim(
        code,
        "guard.purchase",
        "the guard allows `purchase` exactly where section 8 does",
        ("stn.8.cover", "stn.8.guild", "stn.8.dock", "stn.8.install"),
        "payments of any number of cards of six kinds; any number of nodes",
        law,
        every(goals),
        more=[*PAID.facts(view.value), bridge.OTHERS >= 0],
        said=said,
        setting=Setting(view, paid=PAID),
    )


def guard_reconfigure(code: Shipped, law: Laws) -> Iterator[Claim]:
    """Installing, stowing and exchanging."""
    view = position()
    table = Table(view, law)
    dock = {name: count(f"dock.{name}") for name in ("Module", "Other", "Third")}
    amounts = [*(n >= 0 for n in dock.values()), same(view.docked, sum(dock.values()))]

    def lifted(action: Action) -> Lifted:
        return asked(code, action, names=NAMES, dock=SymBag(dock))

    for verb, about in {"install": "stn.9.install", "stow": "stn.9.stow", "exchange": "stn.9.exchange"}.items():
        goals, said = list[Bool](), list[Asked]()
        for node, module in product((*NODES, "nowhere", ""), ("",) if verb == "stow" else (*NAMES, "Unknown")):
            i, code_of = PLACES.get(node), NAMES.index(module) if module in NAMES else 9
            items, names = (node,) if node else (), (module,) if module else ()
            action = {
                "install": Action("install", names, (("at", items),)),
                "stow": Action("stow", items),
                "exchange": Action("exchange", items, (("for", names),)),
            }[verb]
            there = dock[module] > 0 if module in dock else FALSE
            if i is None or (not module and verb != "stow") or module == "Unknown":
                says = FALSE
            elif verb == "install":
                says = table.reinstalls(there, i, code_of)
            elif verb == "stow":
                says = table.stows(i)
            else:
                says = table.exchanges(there, i, code_of)
            if module == "Unknown" and i is not None:
                continue  # a station with a module that has no name cannot be asked about
            goals.append(agree(lifted(action), says))
            if node and (module or verb == "stow"):
                said.append(Asked(action, says))
        yield claim(
            code,
            f"guard.{verb}",
            f"the guard allows `{verb}` exactly where section 9 does",
            (about, "stn.9.placement"),
            "any dock, any number of nodes, any module at each, or a node that is not on the map",
            law,
            every(goals),
            more=amounts,
            said=said,
            setting=Setting(view, dock=dock),
        )


# -- under way -----------------------------------------------------------------------------------


def guard_reward(code: Shipped, law: Laws) -> Iterator[Claim]:
    """The card for an exact payment."""
    view = position()
    table, goals, said = Table(view, law), list[Bool](), list[Asked]()
    for row in rows(2):
        lifted = judged(code, Action("take", row), stack=(Step("end turn"), Step("deal"), Step("reward")))
        says = both(table.own_turn(PLACE), table.rewarded(row))
        goals.append(agree(lifted, says))
        said.append(Asked(Action("take", row), says))
    for verb in ("acquire", "pass", "deal", "purchase", "stow"):
        goals.append(agree(judged(code, Action(verb, KINDS[:1]), stack=(Step("reward"),)), FALSE))
    yield claim(
        code,
        "guard.take",
        "the guard allows exactly one displayed card of value 3 or less as reward, and no other action then",
        ("stn.8.exact", "stn.8.exact.compulsory"),
        "any display of six kinds of cards",
        law,
        every(goals),
        said=said,
        setting=Setting(view, who=PLACE, more=(view.docked < theory.DOCKED, theory_effects.wants_reward(view))),
        before=EXACT,
    )


COME = {kind: count(f"come.{kind}") for kind in KINDS}


def guard_chance(code: Shipped, law: Laws) -> Iterator[Claim]:
    """What may be dealt and salvaged."""
    view = position()
    table, goals, said = Table(view, law), list[Bool](), list[Asked]()
    cards: Cards = COME
    for verb in ("deal", "salvage"):
        missing = 6 - theory.size(view.display) if verb == "deal" else number(1)
        deck, rule = (view.deck, "stn.7.1.six") if verb == "deal" else (view.salvage, "stn.8.berth")
        for asked, by_chance in product(("deal", "salvage", "pass"), (True, False)):
            action = Action(asked, SymBag(cards))  # type: ignore[arg-type]
            lifted = judged(code, action, player=False if by_chance else None, stack=(Step("end turn"), Step(verb)))
            says = table.comes_up(by_chance, cards, deck, missing, rule) if asked == verb else FALSE
            goals.append(agree(lifted, says))
            if asked == verb == "deal":
                said.append(Asked(Action(asked, KINDS), says, dealt=cards, by_chance=by_chance))
    yield claim(
        code,
        "guard.chance",
        "as many cards as the display lacks, or one module, come up off the top of the deck, and nothing else may",
        ("stn.7.1.six", "stn.8.berth", "stn.chance"),
        "any cards; decks of two parts of known order",
        law,
        every(goals),
        more=[n >= 0 for n in cards.values()],
        said=said,
        setting=Setting(view, deck=True, more=tuple(undecided(view))),
        before=TAKEN,
    )


def undecided(view: Position) -> Iterator[Bool]:
    """A refill that only chance decides: more cards than are missing, of several kinds, in a deck of one part."""
    upper, *lower = view.deck
    missing, left = theory.SHOWN - theory.size(view.display), theory.size(upper)
    yield both(missing >= 1, left > missing, left <= theory.SHOWN + 1, theory.size(COME) <= theory.SHOWN + 1)
    yield some(both(upper[a] >= 1, upper[b] >= 1) for a, b in combinations(view.kinds, 2))
    yield from (same(theory.size(layer), 0) for layer in lower)


# -- clause by clause ----------------------------------------------------------------------------


LONG = 4


def clause_twins(code: Shipped, law: Laws) -> Iterator[tuple[str, Bool]]:
    """For each clause that is one of plain numbers: that it says what its twin does."""
    rules = code.code.rules
    for name, says in CLAUSES.items():
        clause = rules.__dict__[bridge.COST if name == "effective_cost" else name]
        types = [str(p.annotation) for p in signature(clause).parameters.values()]
        for n in range(LONG) if any("..." in t for t in types) else (0,):
            symbols = [_symbols(f"{name}.{i}", t, n) for i, t in enumerate(types)]
            lifted = lift(partial(clause, *map(_lifted, symbols)))
            yield name, both(no(lifted.raises), same(lifted.term, law(f"clause.{name}", says(*symbols))))


def _symbols(name: str, kind: str, n: int) -> Any:
    if "..." in kind:
        return [count(f"{name}.{i}") for i in range(n)]
    return truth(name) if kind == "bool" else count(name)


def _lifted(symbol: Any) -> Any:
    if isinstance(symbol, list):
        return tuple(map(_lifted, symbol))
    return SymBool(symbol) if z3.is_bool(symbol) else SymInt(symbol)


def guard_clauses(code: Shipped, law: Laws) -> Iterator[Claim]:
    """Every clause of the guards by itself."""
    twins = [twin for _, twin in clause_twins(code, law)]
    yield Claim(
        id="guard.clauses",
        says="each clause of the guards says what its rule says, for all plain values",
        about=tuple(f"clause.{name}" for name in CLAUSES),
        scope=f"any numbers; lists of up to {LONG - 1}",
        laws=law,
        parts=(Part(every(twins)),),
    )


def claims(code: Shipped, law: Laws) -> Iterator[Claim]:
    """All claims about guards but that of a pass."""
    groups = (guard_clauses, guard_turn, guard_acquire, guard_reconfigure, guard_reward, guard_chance, guard_purchase)
    for group in groups:
        yield from group(code, law)
