"""The readings of the Station, and what tells them apart."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from oracle.games.station import theory
from oracle.games.station.reading_list import READINGS
from oracle.games.station.reading_positions import positions, quiet_positions
from oracle.games.station.state import State
from oracle.games.station.variant import GUARDS, Variant, variant
from oracle.proof.readings import Changes, Verdicts, asked_otherwise
from oracle.proof.terms import TRUE, some

__all__ = ["GUARDS", "READINGS", "positions", "quiet_positions", "variant"]


GUARDS_ONLY = (
    *("none-is-an-acquire", "needless-payment-forbidden", "nothing-is-no-payment", "identical-exchange-forbidden"),
    *("limit-binds-one", "limit-five", "no-limit", "at-most-two", "guilds-not-all-alike", "any-guilds"),
    *("pass-always", "no-pass-after-the-end", "exchange-needs-room", "core-may-move", "less-than-four", "any-display"),
    "legal-between-the-halves",
)
"""The readings that change nothing but what is allowed, so that a solver can compare them."""


def forks(one: Changes, other: Changes) -> str:
    """Whether two readings ever allow different things, for any placement and discount: `sat`, `unsat`, `unknown`."""
    from oracle.games.station.guard_claims import PLACE, position, rows
    from oracle.proof.laws import Laws
    from oracle.proof.smt import ask
    from oracle.proof.terms import no, same

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
    return ask([*view.domain(), *purse, *as_written, differ]).said


def leans(other: Variant, found: Verdicts, edition: str) -> bool:
    """Whether a third, open reading answers the question that was found otherwise than the rules do."""
    from oracle.games.station import GAME

    return asked_otherwise(GAME, other, found, edition)


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
