"""Other ways to read L5R's sequence of play: as misread, as it leaves open, as worded otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from msgspec.structs import replace

from oracle.games.l5r import GAME, theory
from oracle.games.l5r.calendar import ORDERING
from oracle.games.l5r.order_claims import TWICE
from oracle.games.l5r.reading_parts import ability, merged
from oracle.games.l5r.reading_phases import PHASE_READINGS
from oracle.games.l5r.reading_rounds import ROUND_READINGS
from oracle.games.l5r.state import State
from oracle.games.l5r.variant import GUARDS, variant
from oracle.proof import passes
from oracle.proof.order_questions import Open, open_orders
from oracle.proof.questions import Question
from oracle.proof.readings import RULE, Changes, Reading, Verdicts, asked_otherwise, difference, named
from oracle.proof.terms import no, same, some

__all__ = ["GUARDS", "READINGS", "variant"]

READINGS = (*ROUND_READINGS, *PHASE_READINGS)
"""Each with what it changes in the code, and in the theory where a clause of that is its twin."""

GUARDS_ONLY = ("limited-for-all", "nothing-but-open", "own-pass-reset", "bring-after-discard", "no-classes", "any-turn")
"""The readings that a solver can compare: those that change what is allowed and nothing else, and how a round ends."""


def forks(one: Changes, other: Changes) -> str:
    """Whether two readings ever allow different things: `sat`, `unsat` or `unknown`."""
    from oracle.games.l5r.guard_claims import PROVINCES, TIED, UNITS, WAITING, domain, position
    from oracle.games.l5r.theory_effects import Round
    from oracle.proof.laws import Laws
    from oracle.proof.smt import ask
    from oracle.proof.terms import count

    if not passes.always():
        return "unknown"
    round_ = Round()
    sides, sent = [], [each._replace(sent=count(f"sent.{name}")) for name, each in UNITS.items()]
    for changes in (one, other):
        law = Laws(changes)
        text = theory.Text(position(), law)
        says = [text.passes(), text.uses(), text.declines(), text.resolves(WAITING), text.deals(PROVINCES)]
        says += [text.attacks(), text.declines_attack(), text.assigns(sent, (position().item,)), text.fights()]
        says += [text.brings(PROVINCES), text.discards(PROVINCES), text.ends(True), text.goes_first(TIED)]
        says.append(round_.ended(law))
        sides.append([law.plain(term) for term in says])
    differ = some(no(same(mine, theirs)) for mine, theirs in zip(*sides, strict=True))
    a_round = [passes.joined(), same(passes.N, round_.n), same(passes.PASSES, round_.passes)]
    return ask([*domain(), *(each.sent >= 1 for each in sent), *a_round, differ]).said


def leans(third: Any, found: Verdicts, edition: str) -> bool:
    """Whether a third, open reading answers the question that was found otherwise than the rules do."""
    return asked_otherwise(GAME, third, found, edition)


def positions(one: Reading, other: Reading) -> Iterator[dict[str, Any]]:
    """Positions of the parts that the readings are about: fewest things first."""
    parts = {name: values for reading in (one, other) for name, values in reading.numbers.items()}
    built = [merged({"players": ["A", "B"]}, *chosen) for chosen in product(*parts.values())]
    yield from sorted(built, key=_weight)


def _weight(given: Any) -> tuple[int, int]:
    """How many things a position names, and then how long it is."""

    def things(value: Any) -> int:
        if isinstance(value, Mapping):
            return sum(map(things, value.values()))
        return sum(map(things, value)) if isinstance(value, list) else 1

    return things(given), len(str(given))


# -- the order of moments --------------------------------------------------------------------------

SHOWN = {
    ("before battle", "before combat segment"): "battle-before-combat",
    ("after combat segment", "end of battle"): "outer-after-first",
    ("after battle", "end of attack phase"): "attack-ends-first",
    ("after battle", "before battle"): "next-battle-first",
}
"""The readings that answer what is open of the order of moments otherwise, where a position can show it."""


def found(game: Any) -> list[Question]:
    """What the text leaves open of the order of moments: each question once, with the ruling that settles it here."""
    asked = []
    for open_ in open_orders(TWICE, ORDERING, "l5r.ruling.inside", "l5r.ruling.engaging-together"):
        ruled = f"{open_.rule}, as ruled here: {game.rulebook.rules[open_.rule].says.strip()}"
        ruled += _decides(open_)
        reading = SHOWN.get((str(open_.one), str(open_.other)))
        apart = difference(game, RULE, named(game, reading)) if reading else None
        seen = apart.found if apart else None
        if seen is None:
            no_position = "nothing waits for a time inside that shows it, so that it changes no play"
            asked.append(Question("order", open_.asks(), f"{ruled}\n{no_position}", rules=(open_.rule,)))
            continue
        said = f"{seen.what} {seen.one}; if {named(game, str(reading)).says}: {seen.other}"
        shown = (seen.given, seen.play, game.editions[0], seen.step, (open_.rule,))
        asked.append(Question("order", open_.asks(), f"{ruled}\n{said}", *shown))
    return asked


def _decides(open_: Open) -> str:
    """The pairs of moments that the ruling decides by itself: how many, and the two that are next to each other."""
    if not open_.settles:
        return ""
    order = ORDERING.order(TWICE)
    one, other = min(open_.settles, key=lambda pair: order.index(pair[1]) - order.index(pair[0]))
    n = f"{len(open_.settles)} pairs, such as" if len(open_.settles) > 1 else "one pair,"
    by = ", ".join(dict.fromkeys(axiom.rule for axiom in ORDERING.why(TWICE, one, other) if axiom.ruling))
    rule = f" ({by})" if by else ""
    return f"\nof the moments of two turns it decides {n} '{one}' before '{other}'{rule}"


# -- where play may stall --------------------------------------------------------------------------

PASSES = ("pass", "no attack", "end", "decline")
"""The actions that are meant to change nothing but whose opportunity it is."""


def shape(state: State) -> Any:
    """What a position is, apart from how many turns were taken."""
    seats = tuple(replace(seat, turns=min(seat.turns, 2)) for seat in state.seats)
    return replace(state, seats=seats, turn=0)


def still(state: State) -> Any:
    """The same, apart from whose opportunity it is and which ability was used for it as well."""
    seats = tuple(
        replace(seat, abilities=tuple(replace(ability, used=False) for ability in seat.abilities))
        for seat in shape(state).seats
    )
    return replace(shape(state), seats=seats, round=None, happened=())


def quiet_positions() -> Iterator[dict[str, Any]]:
    """Positions in which little is left to do."""
    yield merged({"players": ["A", "B"]})
    for effect in ({}, {"honor": 1}):
        yield merged({"players": ["A", "B"]}, ability("A", "Open", effect=effect))
