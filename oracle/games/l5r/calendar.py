"""The time of a game: its units, and what the text and the rulings say of the order of moments."""

from __future__ import annotations

from oracle.timing import Attribution, Axiom, Calendar, Moment, Ordering, Unit

BATTLE = Unit(
    "battle", (Unit("combat segment", kind="segment"),), repeats=True, optional=True, engages=True, kind="battle"
)
ATTACK_PHASE = Unit(
    "attack phase",
    (
        Unit("declaration segment", kind="segment"),
        Unit("infantry maneuvers segment", kind="segment"),
        Unit("cavalry maneuvers segment", kind="segment"),
        BATTLE,
    ),
    optional=True,
    kind="phase",
)
TURN = Unit(
    "turn",
    (
        Unit("straighten phase", kind="phase"),
        Unit("events phase", kind="phase"),
        Unit("action phase", kind="phase"),
        ATTACK_PHASE,
        Unit("dynasty phase", kind="phase"),
        Unit("end phase", kind="phase"),
    ),
    repeats=True,
    kind="turn",
)
GAME_TIME = Unit("game", (TURN,), kind="game")

ORDERING = Ordering(
    (
        Axiom("", "span"),
        Axiom("l5r.seq.after-before-before", "next", ("phase", "segment")),
        Axiom("l5r.seq.outer-before-first", "outer first"),
        Axiom("l5r.seq.after-turn", "next", ("turn",)),
        Axiom("l5r.seq.engaging", "engaging", ("battle",)),
        Axiom("l5r.turn.end", "inner last", ("turn",)),
        Axiom("l5r.ruling.inner-after-first", "inner last", ("game", "phase", "battle"), ruling=True),
        Axiom("l5r.ruling.battles-in-turn", "next", ("battle",), ruling=True),
    )
)
"""The first axiom is what "before", "during" and "after" mean; the last two are not in the text."""

CALENDAR = Calendar(GAME_TIME, ORDERING)
TURNS = Attribution(Moment("before", "turn"), "l5r.seq.attribution")
"""What waits for after a turn counts to it; what waits for before a turn counts to the one about to begin."""


def _during(name: str) -> Moment:
    return Moment("during", name)


STRAIGHTEN, EVENTS, ACTION, DYNASTY, END = (
    _during(f"{name} phase") for name in ("straighten", "events", "action", "dynasty", "end")
)
DECLARATION, INFANTRY, CAVALRY_SEGMENT, COMBAT = (
    _during(f"{name} segment") for name in ("declaration", "infantry maneuvers", "cavalry maneuvers", "combat")
)
BEFORE_GAME, BEFORE_TURN, BEFORE_ATTACK = (Moment("before", name) for name in ("game", "turn", "attack phase"))
AFTER_ACTION, AFTER_ATTACK, AFTER_END = (Moment("after", f"{name} phase") for name in ("action", "attack", "end"))
AFTER_CAVALRY, AFTER_BATTLE, AFTER_TURN = (
    Moment("after", name) for name in ("cavalry maneuvers segment", "battle", "turn")
)
MANEUVERS = (INFANTRY, CAVALRY_SEGMENT)
NEXT_BATTLE = (AFTER_CAVALRY, AFTER_BATTLE)
"""When the Attacker chooses a battlefield, if there is one left."""

STEPS: dict[Moment, tuple[str, str]] = {
    STRAIGHTEN: ("straighten", ""),
    EVENTS: ("events", ""),
    ACTION: ("action", ""),
    DECLARATION: ("attack", "declaration"),
    INFANTRY: ("attack", "infantry"),
    CAVALRY_SEGMENT: ("attack", "cavalry"),
    COMBAT: ("attack", "combat"),
    DYNASTY: ("dynasty", ""),
    END: ("end", ""),
}
"""How a position calls the times in which something is done: phase and step."""
