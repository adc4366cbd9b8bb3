"""Other ways to read the Station's manual: as misread, as it leaves open, as worded otherwise."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, combinations_with_replacement, product
from types import ModuleType, SimpleNamespace
from typing import Any

import z3
from msgspec.structs import replace

from oracle.game import Action, Decision, Event, Outcome, Reason, Verdict
from oracle.games.station import Station, given, theory
from oracle.games.station.placement import VACANT
from oracle.games.station.state import DISPLAY, State, Step, credit, drifts
from oracle.proof.lift import load
from oracle.proof.readings import Changes, Reading, Verdicts
from oracle.proof.smt import FALSE, TRUE, both, count, every, some, truth
from oracle.zones import Bag, bag

PACKAGE = "oracle.games.station"
GUARD = f"{PACKAGE}.rules"
GUARDS = (GUARD, f"{PACKAGE}.verdicts")
"""The modules of the guards, whose mutants must all be noticed."""
MODULES = tuple(f"{PACKAGE}.{name}" for name in ("rules", "verdicts", "effects", "payments", "moves", "scoring"))


def loaded(edits: Mapping[str, ast.Module] | None = None) -> SimpleNamespace:
    """The modules of the game, loaded anew: what is changed in them changes nothing else."""
    code: dict[str, ModuleType] = {}
    for name in MODULES:
        package = ModuleType(PACKAGE)
        package.__dict__.update({known.rpartition(".")[2]: module for known, module in code.items()})
        code |= load([name], {**code, PACKAGE: package}, edits, plain=True)
    return SimpleNamespace(**{name.rpartition(".")[2]: module for name, module in code.items()})


class Variant(Station):
    """The game as a reading has it."""

    def __init__(self, reading: Reading, edits: Mapping[str, ast.Module] | None = None) -> None:
        self.code = loaded(edits)
        self.table: dict[str, Any] = {}
        self.code.parameters = self.table
        reading.change(self.code)

    def position(self, data: Mapping[str, Any], edition: str) -> State:
        return self._run(given.position(data, edition))

    def start(self, setup: Mapping[str, Any], edition: str) -> State:
        return self._run(given.start(setup, edition))

    def _run(self, state: State) -> State:
        after: State = self.code.effects.run(replace(state, table=replace(state.table, **self.table)), [])
        return after

    def generate(self, state: State) -> Decision | None:
        decision: Decision | None = self.code.moves.decision(state)
        return decision

    def judge(self, state: State, player: str | None, action: Action) -> Verdict:
        verdict: Verdict = self.code.verdicts.judge(state, player, action)
        return verdict

    def play(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        after: tuple[State, tuple[Event, ...]] = self.code.effects.play(state, action)
        return after

    def observe(self, state: State, player: str | None = None) -> dict[str, Any]:
        """A parameter that the reading sets is not shown: only what follows from it tells readings apart."""
        table = replace(state.table, **dict.fromkeys(self.table, True))
        return super().observe(replace(state, table=table), player)

    def outcome(self, state: State) -> Outcome | None:
        end: Outcome | None = self.code.scoring.outcome(state)
        return end


def variant(reading: Reading, edits: Mapping[str, ast.Module] | None = None) -> Variant:
    """The game as the reading has it, or with other syntax trees for some of its modules."""
    return Variant(reading, edits)


# -- what each changes -----------------------------------------------------------------------------


def _instead(code: SimpleNamespace, name: str, clause: Callable[..., Any]) -> None:
    """Puts another clause in the place of one, under the same rules."""
    known = code.rules.GUARDS._rule
    known[clause] = known.get(getattr(code.rules, name), "")
    setattr(code.rules, name, clause)


def _acquires(code: SimpleNamespace, offer: Callable[[Bag], Iterator[tuple[str, ...]]]) -> None:
    code.moves._acquires = lambda display: (Action("acquire", bag(cards)) for cards in offer(display))


def _some_of(display: Bag, most: int = 3) -> Iterator[Bag]:
    yield from dict.fromkeys(cards for n in range(1, most + 1) for cards in combinations(display, n))


def _together(cards: Bag, limit: int = 7) -> bool:
    guilds = [credit(card).guild for card in cards]
    return len(cards) == 1 or (len(set(guilds)) == len(guilds) and sum(credit(card).value for card in cards) <= limit)


def _none_is_an_acquire(code: SimpleNamespace) -> None:
    _instead(code, "some_card", lambda taken: True)
    shipped = code.moves._acquires
    code.moves._acquires = lambda display: iter([*shipped(display), *([Action("acquire")] if display else [])])


def _limit_binds_one(code: SimpleNamespace) -> None:
    shipped, may_pass, turn = code.verdicts._acquire, code.verdicts._pass, code.moves._acquires

    def low(display: Bag) -> Bag:
        return tuple(card for card in display if credit(card).value <= 7)

    def acquire(state: State, action: Action) -> Iterator[Reason]:
        yield from shipped(state, action)
        if len(action.items) == 1:
            yield Reason("stn.7.limit", credit(action.items[0]).value <= 7, "one card is worth at most 7 as well")

    code.verdicts.TURN["acquire"] = acquire
    code.verdicts.TURN["pass"] = lambda state, action: may_pass(replace(state, display=low(state.display)), action)
    code.moves._acquires = lambda display: (a for a in turn(display) if len(a.items) > 1 or low(a.items))


def _limit(limit: int) -> Callable[[SimpleNamespace], None]:
    def change(code: SimpleNamespace) -> None:
        _instead(code, "within_limit", lambda values: sum(values) <= limit)
        code.moves.LIMIT = limit

    return change


def _at_most_two(code: SimpleNamespace) -> None:
    _instead(code, "up_to_three", lambda taken: taken <= 2)
    _acquires(code, lambda display: (cards for cards in _some_of(display, 2) if _together(cards)))


def _guilds(differ: Callable[[list[str]], bool]) -> Callable[[SimpleNamespace], None]:
    def change(code: SimpleNamespace) -> None:
        _instead(code, "different_guilds", lambda guilds: differ(list(guilds)))

        def fits(cards: Bag) -> bool:
            parts = [credit(card) for card in cards]
            return len(cards) == 1 or (differ([c.guild for c in parts]) and sum(c.value for c in parts) <= 7)

        _acquires(code, lambda display: (cards for cards in _some_of(display) if fits(cards)))

    return change


def _offered(code: SimpleNamespace, change: Callable[[State, list[Action]], list[Action]]) -> None:
    """Another list of single actions in a turn."""
    turn = code.moves._turn

    def offer(state: State) -> Any:
        legal = turn(state)
        return type(legal)(change(state, list(legal.single)), legal.families)

    code.moves._turn = offer


def _exchange_needs_room(code: SimpleNamespace) -> None:
    shipped, unchanged = code.verdicts._exchange, code.rules.unchanged

    def exchange(state: State, action: Action) -> Iterator[Reason]:
        yield from shipped(state, action)
        yield Reason("stn.9.room", len(state.mover.dock) < 4, "an exchange needs room in the dock")

    code.verdicts.TURN["exchange"] = exchange
    _instead(
        code,
        "unchanged",
        lambda dock, leaves, enters, valid: (leaves and dock >= 4) or unchanged(dock, leaves, enters, valid),
    )
    moves = code.moves._reconfigurations
    code.moves._reconfigurations = lambda state: (
        action for action in moves(state) if action.verb != "exchange" or len(state.mover.dock) < 4
    )


def _between_halves(code: SimpleNamespace) -> None:
    shipped, allowed = code.verdicts._exchange, code.verdicts._allowed

    def exchange(state: State, action: Action) -> Iterator[Reason]:
        yield from shipped(state, action)
        node = next(iter(action.items), "")
        yield Reason("stn.9.placement", allowed(state, node, VACANT), "the station is checked between the two halves")

    def both_halves(state: State, node: str, content: str) -> bool:
        stands = code.verdicts._standing(state, node) != VACANT
        return bool(allowed(state, node, content) and (not stands or allowed(state, node, VACANT)))

    code.verdicts.TURN["exchange"] = exchange
    code.verdicts._allowed = both_halves
    moves = code.moves._reconfigurations
    code.moves._reconfigurations = lambda state: (
        a for a in moves(state) if a.verb != "exchange" or allowed(state, a.items[0], VACANT)
    )


def _always_pass(code: SimpleNamespace) -> None:
    code.verdicts.TURN["pass"] = lambda state, action: iter([Reason("stn.6.pass", True, "a pass is always allowed")])
    _offered(code, lambda state, single: [*(a for a in single if a.verb != "pass"), Action("pass")])


def _pass_as_before(code: SimpleNamespace) -> None:
    shipped, turn = code.verdicts._pass, code.moves._turn
    code.verdicts.TURN["pass"] = lambda state, action: shipped(replace(state, ended=False), action)
    code.moves._turn = lambda state: turn(replace(state, ended=False))


def _parameter(**table: Any) -> Callable[[SimpleNamespace], None]:
    return lambda code: code.parameters.update(table)


def _reward_of_any_value(code: SimpleNamespace) -> None:
    _instead(code, "low_enough", lambda value: True)
    code.effects.REWARD = code.moves.REWARD = 999


def _reward_declined(code: SimpleNamespace) -> None:
    take, offer = code.verdicts._take, code.moves.decision

    def may_take(state: State, action: Action) -> Iterator[Reason]:
        yield from take(state, action) if action.items else [Reason("stn.8.exact", True, "the card may be declined")]

    def decision(state: State) -> Decision | None:
        asked: Decision | None = offer(state)
        if asked is None or asked.kind != "choice":
            return asked
        return replace(asked, legal=type(asked.legal)([*asked.legal.single, Action("take")]))

    code.verdicts._take, code.moves.decision = may_take, decision


def _after_purchase(code: SimpleNamespace, change: Callable[[State, State, Action], tuple[Step, ...]]) -> None:
    """Other steps follow a purchase; the last of them is carried out first."""
    shipped = code.effects.ACTIONS["purchase"]

    def purchase(state: State, action: Action, log: list[Event]) -> State:
        after: State = shipped(state, action, log)
        return replace(after, stack=change(state, after, action))

    code.effects.ACTIONS["purchase"] = purchase


END, DEAL, REWARDED = Step("end turn"), Step("deal"), Step("reward")


def _reward_last(before: State, after: State, action: Action) -> tuple[Step, ...]:
    return (END, REWARDED, DEAL) if len(after.stack) == 3 else after.stack


def _printed_cost_exact(before: State, after: State, action: Action) -> tuple[Step, ...]:
    paid = sum(credit(card).value for card in dict(action.rest)["pay"])
    return (END, DEAL, REWARDED) if paid == before.table[action.items[0]].cost else (END,)


def _printed_cost_covered(code: SimpleNamespace) -> None:
    purchases = code.moves._purchases
    _instead(code, "effective_cost", lambda cost, discount: cost)
    code.moves._purchases = lambda state: purchases(replace(state, discount=(0,) * 5))


def _newcomers_too(code: SimpleNamespace) -> None:
    salvaged = code.effects._salvaged

    def salvaging(state: State, modules: Bag, log: list[Event]) -> State:
        berth, after = state.stack[-1].berth, salvaged(state, modules, log)
        drifting: State = replace(after, agenda=(*after.agenda, drifts(berth)))
        return drifting

    code.effects._salvaged = salvaging


def _order_rotates(code: SimpleNamespace) -> None:
    begin = code.effects._begin_round

    def rotated(state: State, log: list[Event]) -> State:
        first = (state.starting + 1) % len(state.seats) if state.round > 1 else state.starting
        after: State = begin(replace(state, starting=first), log)
        return after

    code.effects._begin_round = rotated


def _core_moves(code: SimpleNamespace) -> None:
    _instead(code, "not_the_core", lambda node, core: True)
    code.moves.CORE = "none"


def _renown_goes(code: SimpleNamespace) -> None:
    stow = code.effects.ACTIONS["stow"]

    def stowed(state: State, action: Action, log: list[Event]) -> State:
        module = state.mover.station[state.table.map.index[action.items[0]]]
        after: State = stow(state, action, log)
        return after.with_mover(renown=after.mover.renown - state.table[module].renown)

    code.effects.ACTIONS["stow"] = stowed


def _without(name: str) -> Callable[[Any], Any]:
    """The clause without the freedom that a parameter gives."""
    return lambda says: z3.simplify(z3.substitute(says, (truth(name), FALSE)))


def _rest(says: Any) -> Any:
    return every(says.children()[1:]) if z3.is_and(says) else TRUE


BLUES = tuple(f"blue {n}" for n in range(1, 10))
HANDS = ([], *([f"blue {n}"] for n in (1, 2, 3)), ["blue 1", "blue 1"], ["blue 1", "blue 2"])

READINGS = (
    Reading(
        id="none-is-an-acquire",
        says="`up to three` cards may be none, which is then a pass in disguise",
        rules=("stn.7.none",),
        kind="open",
        change=_none_is_an_acquire,
        laws={"stn.7.none": lambda says: TRUE},
        cards=("blue 1",),
        question="May an acquire take no card at all? We say no: that would be a pass in disguise.",
    ),
    Reading(
        id="needless-payment-forbidden",
        says="no card may be paid that could be left out",
        rules=("stn.8.needless",),
        kind="open",
        change=_parameter(needless_payment=False),
        laws={"stn.8.needless": _without("needless")},
        numbers={"cost": (1, 2), "hand": HANDS},
        question="May cards be paid that are not needed to cover the cost?",
    ),
    Reading(
        id="nothing-is-no-payment",
        says="a module that costs nothing needs a card all the same",
        rules=("stn.8.free",),
        kind="open",
        change=_parameter(pay_nothing=False),
        laws={"stn.8.free": _without("free")},
        numbers={"cost": (0, 1), "hand": HANDS},
        question="May a module with an effective cost of 0 be bought for no card, and is that an exact payment?",
    ),
    Reading(
        id="identical-exchange-forbidden",
        says="a module may not be exchanged for one just like it",
        rules=("stn.9.identical",),
        kind="open",
        change=_parameter(identical_exchange=False),
        laws={"stn.9.identical": _without("alike")},
        numbers={"dock": ([], ["Tank"]), "station": ({}, {"n1": "Tank"})},
        question="May a module be exchanged for one just like it, which changes nothing?",
    ),
    Reading(
        id="limit-binds-one",
        says="the limit of 7 binds a single card too",
        rules=("stn.7.single", "stn.7.limit"),
        change=_limit_binds_one,
        laws={"stn.7.single": lambda says: FALSE},
        cards=BLUES,
    ),
    Reading(
        id="limit-five",
        says="several cards may be worth at most 5 together",
        rules=("stn.7.limit",),
        change=_limit(5),
        laws={"stn.7.limit": lambda says: says.arg(0) <= 5},
        cards=("blue 1", "blue 5", "red 1", "red 5"),
    ),
    Reading(
        id="no-limit",
        says="several cards may be worth any amount",
        rules=("stn.7.limit",),
        change=_limit(10**9),
        laws={"stn.7.limit": lambda says: TRUE},
        cards=("blue 1", "blue 7", "red 1", "red 7"),
    ),
    Reading(
        id="at-most-two",
        says="at most two cards may be taken together",
        rules=("stn.7.several",),
        change=_at_most_two,
        laws={"stn.7.several": lambda says: says.arg(0) <= 2},
        cards=("blue 1", "red 1", "green 1"),
    ),
    Reading(
        id="guilds-not-all-alike",
        says="the guilds of several cards need only not be all alike",
        rules=("stn.7.guilds",),
        change=_guilds(lambda guilds: len(set(guilds)) > 1),
        laws={"stn.7.guilds": lambda says: some(says.children()) if z3.is_and(says) else says},
        cards=("blue 1", "red 1", "blue 2"),
    ),
    Reading(
        id="any-guilds",
        says="several cards may be of any guilds",
        rules=("stn.7.guilds",),
        change=_guilds(lambda guilds: True),
        laws={"stn.7.guilds": lambda says: TRUE},
        cards=("blue 1", "red 1"),
    ),
    Reading(
        id="pass-always",
        says="a pass is always allowed",
        rules=("stn.6.pass",),
        change=_always_pass,
        laws={"stn.6.pass": lambda says: TRUE},
        cards=("blue 1",),
    ),
    Reading(
        id="no-pass-after-the-end",
        says="passing is forbidden after the end is triggered as well, while another action is legal",
        rules=("stn.6.pass-ended",),
        change=_pass_as_before,
        laws={"stn.6.pass-ended": lambda says: FALSE},
        cards=("blue 1",),
        numbers={"ended": (False, True)},
    ),
    Reading(
        id="reward-of-any-value",
        says="the card for an exact payment may be of any value",
        rules=("stn.8.exact", "stn.8.exact.compulsory"),
        change=_reward_of_any_value,
        laws={"stn.8.exact.compulsory": lambda says: TRUE},
        cards=("blue 3", "blue 4"),
        numbers={"cost": (1,), "hand": HANDS[:2]},
    ),
    Reading(
        id="reward-may-be-declined",
        says="the card for an exact payment may be declined",
        rules=("stn.8.exact.compulsory",),
        change=_reward_declined,
        cards=("blue 3",),
        numbers={"cost": (1,), "hand": HANDS[:2]},
    ),
    Reading(
        id="reward-after-refill",
        says="the display is refilled first, and the card for an exact payment taken then",
        rules=("stn.8.exact.order",),
        change=lambda code: _after_purchase(code, _reward_last),
        cards=("blue 4",),
        numbers={"cost": (1,), "hand": HANDS[:2], "deck": ([], ["red 1"])},
    ),
    Reading(
        id="exact-on-printed-cost",
        says="a payment is exact when it equals the printed cost",
        rules=("stn.8.exact", "stn.8.cost"),
        change=lambda code: _after_purchase(code, _printed_cost_exact),
        cards=("red 1",),
        numbers={"cost": (1, 2), "discount": (0, 1), "hand": HANDS[:3]},
    ),
    Reading(
        id="every-purchase-rewarded",
        says="every purchase is rewarded and refills the display",
        rules=("stn.8.exact", "stn.8.no-refill"),
        change=lambda code: _after_purchase(code, lambda before, after, action: (END, DEAL, REWARDED)),
        cards=("red 1",),
        numbers={"cost": (1,), "hand": HANDS[:3]},
    ),
    Reading(
        id="printed-cost-covered",
        says="the printed cost has to be covered, whatever the discount",
        rules=("stn.8.cost", "stn.8.cover"),
        change=_printed_cost_covered,
        laws={"stn.8.cost": lambda says: says.arg(0)},
        numbers={"cost": (1, 2), "discount": (0, 1), "hand": HANDS[:3]},
    ),
    Reading(
        id="exchange-needs-room",
        says="an exchange needs room in the Dry Dock",
        rules=("stn.9.exchange", "stn.9.room"),
        change=_exchange_needs_room,
        laws={"stn.9.exchange": lambda says: both(says, count("docked") < theory.DOCKED)},
        numbers={"dock": ([], *(["Coil"] * n for n in range(1, 5))), "station": ({}, {"n1": "Tank"})},
    ),
    Reading(
        id="legal-between-the-halves",
        says="the station has to be legal between the two halves of an exchange",
        rules=("stn.9.placement", "stn.9.exchange"),
        change=_between_halves,
        numbers={"dock": ([], ["Coil"]), "station": ({}, {"n1": "Tank"}, {"n1": "Tank", "n2": "Tank"})},
    ),
    Reading(
        id="core-may-move",
        says="the Command Core may be stowed or exchanged like any module",
        rules=("stn.9.core",),
        change=_core_moves,
        laws={"stn.9.core": lambda says: TRUE},
        numbers={"dock": ([], ["Coil"])},
    ),
    Reading(
        id="newcomers-drift",
        says="a module that enters during a round gets its discount as well",
        rules=("stn.6.drift-newcomer",),
        change=_newcomers_too,
        numbers={"cost": (1,), "hand": HANDS[:2], "salvage": ([], ["Coil"]), "turn": ("B",)},
    ),
    Reading(
        id="order-rotates",
        says="another seat begins each round",
        rules=("stn.6.no-rotation",),
        change=_order_rotates,
        numbers={"turn": ("B",)},
    ),
    Reading(
        id="docking-takes-renown-back",
        says="docking a module gives its Renown back",
        rules=("stn.9.renown",),
        change=_renown_goes,
        numbers={"station": ({}, {"n1": "Tank"}), "renown": (0, 1)},
    ),
    Reading(
        id="less-than-four",
        says="the card for an exact payment has a value less than 4 (the same in other words)",
        rules=("stn.8.exact",),
        kind="rule",
        change=lambda code: _instead(code, "low_enough", lambda value: value < 4),
        laws={"stn.8.exact.compulsory": lambda says: z3.substitute(says, *_below_four(says))},
    ),
    Reading(
        id="any-display",
        says="acquiring does not ask that the display holds a card (the cards taken are there anyway)",
        rules=("stn.7.display",),
        kind="rule",
        change=lambda code: _instead(code, "card_displayed", lambda displayed: True),
        laws={"stn.7.display": _rest},
    ),
)


def _below_four(says: Any) -> list[tuple[Any, Any]]:
    parts = [part for part in (says, *says.children()) if z3.is_le(part)]
    return [(part, part.arg(0) < part.arg(1) + 1) for part in parts]


GUARDS_ONLY = (
    *("none-is-an-acquire", "needless-payment-forbidden", "nothing-is-no-payment", "identical-exchange-forbidden"),
    *("limit-binds-one", "limit-five", "no-limit", "at-most-two", "guilds-not-all-alike", "any-guilds"),
    *("pass-always", "no-pass-after-the-end", "exchange-needs-room", "core-may-move", "less-than-four", "any-display"),
)
"""The readings that change nothing but what is allowed, so that a solver can compare them."""


def forks(one: Changes, other: Changes) -> str:
    """Whether two readings ever allow different things, for any placement and discount: `sat`, `unsat`, `unknown`."""
    from oracle.games.station.guard_claims import KINDS, PLACE, position, rows
    from oracle.proof.laws import Laws
    from oracle.proof.smt import ask, no, same

    view, sides = position(), []
    for changes in (one, other):
        law = Laws(changes)
        table = theory.Table(view, law)
        berth = view.market[0]
        says = [table.acquires(row) for row in rows(4)]
        says += [table.purchases(berth, berth.taken, row, dock, 1) for row in rows(2) for dock in (True, False)]
        says += [table.rewarded(row) for row in rows(2)]
        for node in (0, 1):
            says += [table.reinstalls(TRUE, node, 1), table.stows(node), table.exchanges(TRUE, node, 1)]
        says.append(table.may_pass(PLACE, (0, 1), (1,)))
        sides.append([law.plain(term) for term in says])
    differ = some(no(same(mine, theirs)) for mine, theirs in zip(*sides, strict=True))
    purse = view.purse(view.market[0].printed.guild)
    as_written = (view.needless, view.free, view.alike)
    assert KINDS
    return ask([*view.domain(), *purse, *as_written, differ]).said


# -- small positions -------------------------------------------------------------------------------

MAP = {"nodes": ["core", "n1", "n2"], "links": [["core", "n1"], ["n1", "n2"]]}
CORE_ONLY = {"nodes": ["core"], "links": []}


def positions(one: Reading, other: Reading) -> Iterator[dict[str, Any]]:
    """Positions of two commanders of what the readings are about: few pieces first, then small numbers."""
    cards = tuple(dict.fromkeys((*one.cards, *other.cards)))
    parts: dict[str, tuple[Any, ...]] = {}
    for reading in (one, other):
        for name, values in reading.numbers.items():
            parts[name] = tuple(values)
    displays = [list(some_) for n in range(4) for some_ in combinations_with_replacement(cards, n)] if cards else [[]]
    parts = {"display": tuple(displays), **parts}
    built = (_given(dict(zip(parts, values, strict=True))) for values in product(*parts.values()))
    yield from sorted(built, key=_weight)


def _given(parts: dict[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {"players": ["A", "B"], "map": MAP if parts.get("station") else CORE_ONLY}
    modules: dict[str, Any] = {}
    if "cost" in parts:
        modules["Tank"] = {"guild": "blue", "cost": parts["cost"], "renown": 0}
        out["market"] = {"1": "Tank"}
        if parts.get("discount"):
            out["discount"] = {"1": parts["discount"]}
    used = [*parts.get("dock", ()), *parts.get("station", {}).values(), *parts.get("salvage", ())]
    for name, guild in (("Tank", "blue"), ("Coil", "red")):
        if name in used:
            modules.setdefault(name, {"guild": guild, "cost": 1, "renown": 1 if parts.get("renown") else 0})
    if modules:
        out["modules"] = modules
    for name in ("hand", "dock", "station", "renown"):
        if parts.get(name):
            out[name] = {parts.get("turn", "A"): parts[name]}
    for name in ("display", "deck", "salvage", "ended", "turn"):
        if parts.get(name):
            out[name] = parts[name]
    return out


def _weight(position: Any) -> tuple[int, int, str]:
    """How many pieces there are on the table, and then how large their numbers."""
    pieces = [name for zone in ("display", "deck", "salvage") for name in position.get(zone, ())]
    for zone in ("hand", "dock", "station"):
        for held in position.get(zone, {}).values():
            pieces += held.values() if isinstance(held, dict) else held
    numbers = sum(
        map(int, re.findall(r"\d+", f"{pieces} {position.get('modules', '')} {position.get('discount', '')}"))
    )
    return len(pieces) + len(position.get("market", ())), numbers + bool(position.get("ended")), str(position)


def leans(other: Variant, found: Verdicts, edition: str) -> bool:
    """Whether a third, open reading answers the question that was found otherwise than the rules do."""
    from oracle.games.station import GAME

    here, there = GAME.position(found.given, edition), other.position(found.given, edition)
    for text in found.play:
        action, decision, against = GAME.read(text), GAME.decision(here), other.decision(there)
        if decision is None or against is None or action not in decision.legal or action not in against.legal:
            return True
        here, there = GAME.play(here, action)[0], other.play(there, action)[0]
    asked = re.fullmatch(r"may (\S+) (.*)\?", found.what)
    if asked is None:
        return GAME.observe(here) != other.observe(there)
    player, action = (None if asked[1] == "chance" else asked[1]), GAME.read(asked[2])
    return GAME.judge(here, player, action).legal != other.judge(there, player, action).legal


def found(game: Any) -> list[Any]:
    """The questions that are the station's own."""
    from oracle.games.station.stranded import question

    asked = question(game, shape)
    return [asked] if asked else []


# -- where play may stall --------------------------------------------------------------------------

PASSES = ("pass",)
"""The action that is meant to change nothing but whose turn it is."""


def shape(state: State) -> Any:
    """What a position is, apart from how many rounds were played."""
    return replace(state, round=1)


def still(state: State) -> Any:
    """The same, apart from whose turn it is and what waits for the end of the round as well."""
    return replace(shape(state), turn=0, agenda=(), discount=(0,) * 5)


def quiet_positions() -> Iterator[dict[str, Any]]:
    """Positions with an empty display and few modules, all of them in the station or the dock."""
    for docked, standing, scored in product(([], ["Tank"]), ({}, {"n1": "Tank"}), (False, True)):
        if scored and not docked:
            continue
        out: dict[str, Any] = {"players": ["A", "B"], "map": {"nodes": ["core", "n1"], "links": [["core", "n1"]]}}
        if docked or standing:
            out["modules"] = {"Tank": {"guild": "blue", "cost": 1, "renown": 1}}
        if docked:
            out["dock"] = {"A": docked}
        if standing:
            out["station"] = {"A": standing}
        if scored:
            out["scored"] = {"A": list(docked)}
        yield out


assert DISPLAY == theory.SHOWN
