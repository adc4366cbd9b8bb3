"""The `order` step: sets of sequences, each allowed or forbidden, tried from one position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from oracle.casebook.case import Order
from oracle.casebook.play import Play
from oracle.errors import BadAction
from oracle.game import Action, Ahead, Decision


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
            says, rules = _free(play, sequence[0], names)
            play.stop(says, "forbidden", i, expected="broken at some step", found="legal to its end", rules=rules)
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
        ahead = _ahead(play, decision, _meant(play, str(entry)))
        says, rules = (f"{_because(ahead)}: {message}", _rules(ahead)) if ahead else (message, ())
        play.stop(says, "allowed", i, j, expected=str(entry), found=play.choices(decision), rules=rules)
    verdict = play.agreed(decision, decision.player if decision else None, action, "allowed", i, j)
    if not verdict.legal:
        ahead = _ahead(play, decision, [action])
        if ahead is None:
            play.illegal(verdict, decision, "allowed", i, j)
        found, rules = play.choices(decision), (*_rules(ahead), *verdict.rules)
        play.stop(_because(ahead), "allowed", i, j, expected="legal", found=found, rules=rules)
    play.state, _ = play.game.play(play.state, action)


def _ahead(play: Play, decision: Decision | None, actions: Iterable[Action]) -> Ahead | None:
    """What the rules put before one of the actions, for whoever must choose."""
    player = decision.player if decision else None
    found = (play.game.ahead(play.state, player, action) for action in actions)
    return next((ahead for ahead in found if ahead is not None), None)


def _meant(play: Play, name: str) -> Iterator[Action]:
    """What a name that is no legal action's may have been meant for."""
    for verb in play.game.verbs:
        try:
            yield play.game.read(f"{verb} {name}")
        except BadAction:
            continue


def _because(ahead: Ahead) -> str:
    return ahead.says("this order", "has")


def _rules(ahead: Ahead) -> tuple[str, ...]:
    return tuple(reason.rule for reason in ahead.reasons)


def _free(play: Play, first: Action | str, names: str) -> tuple[str, tuple[str, ...]]:
    """Why a sequence that is said to be forbidden is allowed, and by which rules: nothing comes before it."""
    action = _named(play, first, "forbidden")
    decision = play.game.decision(play.state)
    assert action is not None
    assert decision is not None
    rules = decision.rules or play.judge(decision.player, action).rules
    says = f"nothing comes before {play.game.text(action)!r} in {decision.about!r} ({', '.join(rules)})"
    return f"{says}; every step of this sequence is legal: {names}", rules


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
