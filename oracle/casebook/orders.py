"""The `order` step: sets of sequences, each allowed or forbidden, tried from one position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oracle.casebook.case import Order
from oracle.errors import BadAction
from oracle.game import Action

if TYPE_CHECKING:
    from oracle.casebook.steps import Play


def try_orders(play: Play, step: Order) -> None:
    """Goes through every sequence; the position is afterwards what it was. Raises `Stopped`."""
    start = play.state
    seen = [start]
    for i, sequence in enumerate(step.allowed):
        play.state = start
        for j, entry in enumerate(sequence):
            _allowed(play, entry, i, j)
            seen.append(play.state)
    misspelt: list[tuple[int, int, str]] = []
    for i, sequence in enumerate(step.forbidden):
        play.state = start
        for j, entry in enumerate(sequence):
            action = _named(play, entry, "forbidden", i, j)
            if action is None:
                misspelt.append((i, j, str(entry)))
                break
            decision = play.game.decision(play.state)
            if not play.agreed(decision, decision.player if decision else None, action, "forbidden", i, j).legal:
                break
            play.state, _ = play.game.play(play.state, action)
            seen.append(play.state)
        else:
            names = ", ".join(entry if isinstance(entry, str) else play.game.text(entry) for entry in sequence)
            play.state = start
            message = f"every step of this sequence is legal: {names}"
            play.stop(message, "forbidden", i, expected="broken at some step", found="legal to its end")
    play.state = start
    for i, j, name in misspelt:
        # A misspelt name would be forbidden for ever, so it must be the name of something here.
        if not any(_called(play, name, state) for state in seen):
            message = f"nothing is called {name!r} at any step of these sequences"
            found = play.choices(play.game.decision(start))
            play.stop(message, "forbidden", i, j, expected="a name or an action", found=found, outcome="error")


def _allowed(play: Play, entry: Action | str, i: int, j: int) -> None:
    action = _named(play, entry, "allowed", i, j)
    decision = play.game.decision(play.state)
    if action is None:
        message = f"nothing legal is called {entry!r} when its turn comes (place {j + 1} of the sequence)"
        play.stop(message, "allowed", i, j, expected=str(entry), found=play.choices(decision))
    verdict = play.agreed(decision, decision.player if decision else None, action, "allowed", i, j)
    if not verdict.legal:
        play.illegal(verdict, decision, "allowed", i, j)
    play.state, _ = play.game.play(play.state, action)


def _named(play: Play, entry: Action | str, *route: str | int) -> Action | None:
    if isinstance(entry, Action):
        return entry
    found = _called(play, entry, play.state)
    if len(found) > 1:
        fix = "write the whole action"
        play.stop(
            f"{entry!r} is the name of several actions", *route, expected=fix, found=play.listed(found), outcome="error"
        )
    return found[0] if found else None


def _called(play: Play, name: str, state: Any) -> list[Action]:
    """The legal actions that are about the name."""
    decision = play.game.decision(state)
    if decision is None:
        return []
    verbs = dict.fromkeys(action.verb for action in decision.legal.single)
    verbs |= dict.fromkeys(family.nth(0).verb for family in decision.legal.families if len(family))
    found = []
    for verb in verbs:
        try:
            action = play.game.read(f"{verb} {name}")
        except BadAction:
            continue
        if action in decision.legal:
            found.append(action)
    return found
