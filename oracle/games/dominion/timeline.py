"""The agenda of a position as a timeline: what waits for which moment of which player's turn."""

from __future__ import annotations

from oracle.games.dominion.cards import Plain
from oracle.games.dominion.moves import decision
from oracle.games.dominion.order import clock
from oracle.games.dominion.state import TURNS, Effect, State, Step
from oracle.timing import Trigger
from oracle.timing import timeline as shared

WORDS = {
    "begin": "the turn begins",
    "text": "what it says",
    "play again": "played once more",
    "moat": "a Moat may be revealed",
    "gain": "gain a card",
    "gain silver": "gain a Silver",
    "gain gold": "gain a Gold",
    "others topdeck": "the others put a Victory card on their decks",
    "others discard": "the others discard",
    "others reveal": "the others turn up two cards",
    "others draw": "the others draw",
    "others curse": "the others gain a Curse",
    "militia": "discard",
    "bureaucrat": "put a Victory card on the deck",
    "curse": "gain a Curse",
    "silver": "a Merchant's coins",
}
"""What the steps are called whose own name does not say it."""


def timeline(state: State) -> shared.Timeline:
    """The moments of the turn, and of those to come for which something waits."""
    asked = decision(state)
    steps = [shared.UnderWay(_words(step), state.seats[step.seat].name) for step in reversed(state.stack)]
    if steps and asked:
        steps[0] = shared.UnderWay(asked.about, steps[0].player)
    return shared.timeline(
        clock(state),
        state.agenda,
        asked,
        _told,
        under_way=steps,
        first_by=("dom.resolve.first",),
        counts=TURNS,
    )


def _told(trigger: Trigger[Effect]) -> shared.Told:
    plain: Plain = trigger.effect.plain
    numbers = ((plain.cards, "Card"), (plain.actions, "Action"), (plain.buys, "Buy"), (plain.coins, "coin"))
    return shared.Told(", ".join(f"+{n} {word}{'' if n == 1 else 's'}" for n, word in numbers if n))


def _words(step: Step) -> str:
    words = f"{step.do} {step.n}" if step.do in ("draw", "turn up") else WORDS.get(step.do, step.do)
    return f"{step.card}: {words}" if step.card and step.card.lower() != words else words
