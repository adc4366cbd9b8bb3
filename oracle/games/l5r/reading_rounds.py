"""Other ways to read what the text says of action rounds, abilities, triggers and the order of moments."""

from __future__ import annotations

import z3

from oracle.games.l5r import reading_changes as do
from oracle.games.l5r import reading_twins as twins
from oracle.games.l5r import theory
from oracle.games.l5r.calendar import AFTER_ATTACK, AFTER_BATTLE
from oracle.games.l5r.reading_parts import (
    COMBAT,
    ENDING,
    FIELD,
    GRANTED,
    LAST_PASS,
    MANNED,
    NEW_TURN,
    NONE,
    ROUNDS,
    ability,
    cards,
    merged,
    trigger,
    waits,
)
from oracle.proof import passes
from oracle.proof.orders import turned
from oracle.proof.readings import Reading
from oracle.proof.terms import count, either, no, same, some

ROUND_READINGS = (
    Reading(
        id="sticky-pass",
        says="whoever has passed is out of the round, even where others act after it",
        rules=("l5r.action.passes", "l5r.action.round"),
        change=do.rounds(do.Sticky),
        numbers=ROUNDS,
    ),
    Reading(
        id="one-pass-ends",
        says="the first pass ends an action round",
        rules=("l5r.action.passes", "l5r.action.end"),
        change=do.counting("ends", lambda passes, players: passes >= 1),
        laws={"l5r.action.end": lambda says: says.arg(0) >= 1 if z3.is_ge(says) else says},
        numbers={"round": (NONE,), "A": ROUNDS["A"]},
    ),
    Reading(
        id="passes-not-consecutive",
        says="the passes of a round are counted, whatever is done between them",
        rules=("l5r.action.passes", "l5r.action.end"),
        change=do.counting("passes_after", lambda passes, passed: passes + passed),
        laws={"l5r.action.passes": twins.counted_on},
        numbers=ROUNDS,
    ),
    Reading(
        id="own-pass-reset",
        says="an action takes back only the own pass: a round ends once everybody's last word was a pass",
        rules=("l5r.action.passes", "l5r.action.end"),
        kind="rule",
        change=do.rounds(do.Flagged),
        laws={"l5r.action.end": lambda says: passes.ALL if z3.is_ge(says) else says},
    ),
    Reading(
        id="cancelled-action-counts",
        says="an action that is cancelled has used up the opportunity",
        rules=("l5r.ruling.cancelled",),
        kind="open",
        change=do.rounds(do.CancelledCounts),
        laws={"l5r.ruling.cancelled": twins.instead_of(twins.ROUND.turn, twins.ROUND.following())},
        numbers={
            "action": (ability("A", "Open"),),
            "other": (merged(ability("B", "Reaction", "Ward", to="Scout", effect={"cancel": True})),),
        },
        question="Does an action that is cancelled use up the opportunity to act?",
    ),
    Reading(
        id="declined-is-a-pass",
        says="an additional action that is declined counts as a pass",
        rules=("l5r.additional",),
        kind="open",
        change=do.rounds(do.DeclinedIsPass),
        laws={"l5r.additional": twins.instead_of(twins.ROUND.passes, twins.ROUND.passes + 1)},
        numbers=GRANTED,
        question="Is an additional action that is declined a pass, so that the passes of all others end the round?",
    ),
    Reading(
        id="limited-for-all",
        says="all players may take Limited actions in an Action Phase",
        rules=("l5r.action.open", "l5r.action.limited"),
        change=do.limited_for_all,
        laws={"l5r.action.open": lambda says: either(says, same(says.arg(0), theory.LIMITED))},
        numbers={"round": (NONE, LAST_PASS), "B": (NONE, ability("B", "Limited"))},
    ),
    Reading(
        id="nothing-but-open",
        says="other players take neither Limited, Battle nor Reaction actions (the same in other words)",
        rules=("l5r.action.open",),
        kind="rule",
        change=do.clause("others_take", lambda type_: type_ not in ("Limited", "Battle", "Reaction")),
        laws={
            "l5r.action.open": lambda says: no(
                some(same(says.arg(0), kind) for kind in (theory.LIMITED, theory.BATTLE, theory.REACTION))
            )
        },
    ),
    Reading(
        id="reactions-by-owner",
        says="a round of Reactions begins with whoever's action or trigger it is",
        rules=("l5r.ruling.reaction-first", "l5r.reaction.round"),
        kind="open",
        change=do.reactions_begin(do.actor),
        numbers={
            "round": (NONE, LAST_PASS),
            "action": (NONE, ability("A", "Open"), ability("B", "Open")),
            "answer": (
                NONE,
                *(ability(each, "Reaction", "Ward", to="Scout", effect={"cancel": True}) for each in "AB"),
            ),
        },
        question="Does a round of Reactions begin with the active player, or with whoever's action is answered?",
    ),
    Reading(
        id="reactions-by-defender",
        says="in a battle a round of Reactions begins with the Defender",
        rules=("l5r.ruling.reaction-first", "l5r.combat.defender-first"),
        kind="open",
        change=do.reactions_begin(do.defender),
        numbers={
            "battle": (merged(FIELD, COMBAT, {"passed": ["B"]}),),
            "action": (NONE, ability("A", "Battle")),
            "answer": (NONE, *(ability(each, "Reaction", "Ward", to="Scout") for each in "AB")),
        },
        question="Does a round of Reactions in a battle begin with the active player, or with the Defender?",
    ),
    Reading(
        id="ability-any-number",
        says="an ability may be used as often as one likes",
        rules=("l5r.ability.once",),
        kind="open",
        change=do.ability_any_number,
        laws={"l5r.ability.once": twins.dropped},
        numbers={"round": (NONE,), "A": (NONE, ability("A", "Open"), ability("A", "Open", used=True))},
        question="May an ability be used more than once in a turn?",
    ),
    Reading(
        id="bowed-cards-act",
        says="an ability of a bowed card may be used",
        rules=("l5r.ruling.bowed-card",),
        kind="open",
        change=do.of_bowed_cards,
        laws={"l5r.ruling.bowed-card": twins.dropped},
        numbers={
            "card": (merged(cards(Farm="Holding"), ability("A", "Open", card="Farm")),),
            "state": (NONE, {"in play": {"A": ["Farm"]}}, {"in play": {"A": ["Farm bowed"]}}),
        },
        question="May an ability of a bowed card be used?",
    ),
    Reading(
        id="inner-before-outer",
        says="before a smaller unit comes earlier than before the larger one that begins with it",
        rules=("l5r.seq.outer-before-first",),
        change=do.turned(*do.OUTER_AND_INNER),
        laws={"l5r.seq.outer-before-first": turned},
        numbers={"turn": (NEW_TURN,), "waits": (waits("before turn", "before straighten phase"),)},
    ),
    Reading(
        id="outer-after-first",
        says="after a battle comes earlier than after its Combat Segment",
        rules=("l5r.ruling.inner-after-first",),
        kind="order",
        change=do.turned((do.AFTER_COMBAT, AFTER_BATTLE)),
        laws={"l5r.ruling.inner-after-first": turned},
        numbers={
            "battle": (merged(FIELD, COMBAT, {"passed": ["B"]}),),
            "waits": (waits("after combat segment", "after battle"),),
        },
    ),
    Reading(
        id="battle-before-combat",
        says="before a battle comes earlier than before its Combat Segment, as with any larger unit",
        rules=("l5r.seq.engaging", "l5r.ruling.engaging-together"),
        kind="order",
        change=do.engaging_apart,
        laws={"l5r.seq.engaging": lambda says: turned(says, same_too=True)},
        numbers={
            "battle": (merged(MANNED, {"step": "battles"}), merged(FIELD, {"at": "before battle"}, COMBAT)),
            "waits": (waits("before battle", "before combat segment"),),
        },
    ),
    Reading(
        id="attack-ends-first",
        says="after an attack comes earlier than after its last battle",
        rules=("l5r.ruling.inner-after-first",),
        kind="order",
        change=do.turned((AFTER_BATTLE, AFTER_ATTACK)),
        laws={"l5r.ruling.inner-after-first": turned},
        numbers={
            "battle": (merged(FIELD, COMBAT, {"passed": ["B"]}),),
            "waits": (waits("after battle", "after attack phase"),),
        },
    ),
    Reading(
        id="next-battle-first",
        says="before the next battle comes earlier than after the last one",
        rules=("l5r.ruling.battles-in-turn",),
        kind="order",
        change=do.turned((AFTER_BATTLE, do.BEFORE_BATTLE)),
        laws={"l5r.ruling.battles-in-turn": turned},
        numbers={
            "battle": (merged(MANNED, COMBAT, {"passed": ["B"]}),),
            "waits": (waits("after battle", "before battle"),),
        },
    ),
    Reading(
        id="after-turn-counts-late",
        says="what waits after a turn counts to the coming turn",
        rules=("l5r.seq.attribution",),
        change=do.counted_early,
        laws={"l5r.seq.attribution": no},
        numbers={
            "turn": (NEW_TURN,),
            "waits": (waits("after turn", "after turn", optional=True), trigger("Dawn", "after turn", optional=True)),
        },
    ),
    Reading(
        id="before-turn-counts-early",
        says="what waits before a turn counts to the turn that has ended",
        rules=("l5r.seq.attribution",),
        change=do.counted_late,
        laws={"l5r.seq.attribution": no},
        numbers={"turn": (NEW_TURN,), "waits": (trigger("Dawn", "before turn", optional=True),)},
    ),
    Reading(
        id="owners-order",
        says="each player orders only the own triggers, in turn order",
        rules=("l5r.ruling.active-orders",),
        kind="open",
        change=do.ordered(do.each_owner),
        numbers={
            "round": (LAST_PASS,),
            "waits": tuple(
                waits("after action phase", "after action phase", owners=each) for each in ("AA", "AB", "BA")
            ),
        },
        question="Does the active player order all triggers of one moment, or each player the own ones in turn order?",
    ),
    Reading(
        id="no-classes",
        says="what happens at one moment may be ordered freely, whatever it does",
        rules=("l5r.ruling.classes",),
        kind="open",
        change=do.all_of(do.ordered(do.no_classes), do.clause("of_first_class", lambda rank, first: True)),
        laws={"l5r.ruling.classes": twins.dropped},
        numbers={
            "phase": (ENDING,),
            "one": (trigger("Dawn", "after end phase"),),
            "two": tuple(trigger("Dusk", "after end phase", **each) for each in ({}, {"class": "A"})),
        },
        question="Does what prevents or replaces something come before what is triggered by the same moment?",
    ),
    Reading(
        id="looked-at-once",
        says="the conditions of triggers are looked at when their moment begins, and not again",
        rules=("l5r.ruling.condition",),
        kind="open",
        change=do.looked_at_once,
        numbers={
            "round": (LAST_PASS,),
            "waits": (waits("after action phase", "after action phase"),),
        },
        question="Is the condition of a trigger looked at again once others of the same moment have happened?",
    ),
    Reading(
        id="active-declines",
        says="whoever orders the triggers also says whether an optional one of another player happens",
        rules=("l5r.ruling.owner-declines",),
        kind="open",
        change=do.active_declines,
        laws={"l5r.ruling.owner-declines": twins.put((count("owner"), count("active")))},
        numbers={
            "round": (LAST_PASS,),
            "waits": tuple(trigger("Dawn", "after action phase", owner, optional=True) for owner in "AB"),
        },
        question="Who may decline an optional trigger: its owner, or the active player who orders all?",
    ),
    Reading(
        id="any-turn",
        says="`your turn` is any turn",
        rules=("l5r.turn.own",),
        change=do.any_turn,
        laws={"l5r.turn.own": twins.dropped},
        numbers={
            "round": (LAST_PASS,),
            "waits": tuple(trigger("Dawn", "after action phase", turn=player) for player in "AB"),
        },
    ),
)
