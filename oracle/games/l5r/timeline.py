"""The agenda of a position as a timeline: phases, segments and battles of the turn, and the rounds of passing."""

from __future__ import annotations

from msgspec.structs import replace

from oracle.games.l5r.calendar import BATTLE, COMBAT, TURNS
from oracle.games.l5r.cards import Effect, effect_json
from oracle.games.l5r.moves import decision
from oracle.games.l5r.order import clock
from oracle.games.l5r.state import CLASSES, State, Step, Waits
from oracle.timing import Moment, Round, Trigger
from oracle.timing import timeline as shared

WORDS = {
    "carry out": "{name} takes effect",
    "each": "the same for {player}",
    "may": "{name}, or not",
    "from": "the Province that {name} leaves",
    "additional": "an additional {name} action",
    "create attack": "an attack on {name}",
    "draw": "draw {n}",
    "fill": "Province {n} is filled",
    "deal on": "{name} of Province {n} is dealt with",
    "resolved": "{name} is discarded",
    "first": "who goes first",
}


def timeline(state: State) -> shared.Timeline:
    """The moments of the turn, and of those to come for which something waits."""
    steps = (*reversed(state.stack), *state.pending)
    return shared.timeline(
        clock(state),
        [_now(trigger) for trigger in state.agenda],
        decision(state),
        _told,
        course=shared.Course(again=_again(state), resumes=tuple(outer.at for outer in reversed(state.interrupted))),
        under_way=[shared.UnderWay(_words(step), _whose(step)) for step in steps],
        first_by=("l5r.resolve.first",),
        rounds=_rounds(state),
        counts=TURNS,
    )


def _again(state: State) -> tuple[str, ...]:
    """The battle, if there is another one after it."""
    attack = state.attack
    return (BATTLE.name,) if attack and any(i != attack.at for i in attack.left) else ()


def _rounds(state: State) -> list[shared.Passing]:
    """The rounds of Reactions, the innermost first, then that of the phase or battle, then interrupted ones."""
    reactions = [
        shared.passing(step.round, f"round of Reactions to {', '.join(step.names)}", ("l5r.reaction.round",))
        for step in reversed(state.stack)
        if step.round is not None
    ]
    own = [_round(state.at, state.round)] if state.round else []
    outer = [_round(each.at, each.round) for each in reversed(state.interrupted) if each.round]
    return [*reactions, *own, *outer]


def _round(at: Moment, round: Round) -> shared.Passing:
    rules = ("l5r.combat.round", "l5r.combat.defender-first") if at == COMBAT else ("l5r.action.round",)
    return shared.passing(round, f"action round of the {at.unit}", (*rules, "l5r.action.passes"))


def _now(trigger: Trigger[Waits]) -> Trigger[Waits]:
    """The trigger, whose condition is not met while it waits for further turns."""
    return replace(trigger, live=trigger.live and not trigger.effect.turns)


def _told(trigger: Trigger[Waits]) -> shared.Told:
    waits = trigger.effect
    more = "1 more turn" if waits.turns == 1 else f"{waits.turns} more turns"
    later = f"once {trigger.turn_of} has begun {more}: " if waits.turns else ""
    return shared.Told(later + _does(waits.effect), waits.optional, CLASSES[trigger.rank])


def _does(effect: Effect) -> str:
    """The effect in the words of a position: `honor +1, draw 2`."""
    words = {**effect_json(effect), **({"honor": f"{effect.honor:+}"} if effect.honor else {})}
    if effect.each:
        words["each"] = f"player: {_does(effect.each)}"
    if effect.destroy:
        player, province = effect.destroy
        words["destroy"] = f"Province {province} of {player}" if player else "the Province of the battle"
    return ", ".join(word if value is True else f"{word} {value}" for word, value in words.items())


def _whose(step: Step) -> str | None:
    """Whom the step concerns: in a round whoever has the opportunity."""
    return step.round.player if step.round else step.player or None


def _words(step: Step) -> str:
    if step.do == "reactions":
        return f"Reactions to {', '.join(step.names)}"
    n = step.n + 1 if step.do in ("fill", "deal on") else step.n
    return WORDS[step.do].format(name=step.name, player=step.player, n=n)
