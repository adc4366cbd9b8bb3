"""Other ways to read what the text says of the phases of a turn, and of attacks."""

from __future__ import annotations

import z3

from oracle.games.l5r import reading_phase_changes as do
from oracle.games.l5r import reading_twins as twins
from oracle.games.l5r.reading_changes import begins
from oracle.games.l5r.reading_parts import (
    BOTH,
    BOTH_BOWED,
    COMBAT,
    DYNASTY,
    ENDING,
    EVENTS,
    FIELD,
    MANNED,
    MOTO,
    NONE,
    SHIBA,
    UNITS,
    ability,
    cards,
    merged,
)
from oracle.proof.readings import Reading
from oracle.proof.terms import TRUE, truth

PHASE_READINGS = (
    Reading(
        id="harvesters-straighten",
        says="all cards straighten, Bamboo Harvesters in their first turn too",
        rules=("l5r.card.bamboo-harvesters", "l5r.straighten"),
        change=do.everything_straightens,
        numbers={"phase": ({"phase": "straighten"},), "play": (NONE, {"in play": {"A": ["Bamboo Harvesters bowed"]}})},
    ),
    Reading(
        id="rightmost-first",
        says="the Events Phase begins with the rightmost Province",
        rules=("l5r.events.order",),
        change=do.rightmost_first,
        numbers={
            "phase": (EVENTS,),
            "cards": (cards(Storm={"type": "Event", "effect": {"draw": 1}}, Flood={"type": "Event"}),),
            "laid": tuple(
                {"provinces": {"A": laid}}
                for laid in ([["Storm"]], [["Storm"], ["Flood"]], [["Storm", "Flood"], ["Flood"]])
            ),
            "deck": ({"fate": {"A": [["Block", "Strike"]]}},),
        },
    ),
    Reading(
        id="always-revealed",
        says="a card that was face-up already is revealed as well",
        rules=("l5r.events.a",),
        change=do.always_revealed,
        numbers={
            "phase": (EVENTS,),
            "laid": tuple(
                merged(cards(Farm="Holding"), {"provinces": {"A": [[each]]}}) for each in ("Farm", "Farm down")
            ),
            "answer": (ability("A", "Reaction", to="reveal"),),
        },
    ),
    Reading(
        id="only-turned-up",
        says="a card that was face-up already is not dealt with",
        rules=("l5r.events.a", "l5r.events.order"),
        change=do.only_turned_up,
        numbers={
            "phase": (EVENTS,),
            "laid": tuple(
                merged(cards(Storm={"type": "Event"}), {"provinces": {"A": [[each]]}})
                for each in ("Storm", "Storm down")
            ),
        },
    ),
    Reading(
        id="face-down-refills-turned-up",
        says="a card that refills a Province face-down is turned up and dealt with at once",
        rules=("l5r.events.f-b", "l5r.events.f-a"),
        change=do.turned_up,
        numbers={
            "phase": (EVENTS,),
            "laid": tuple(
                merged(cards(Storm={"type": "Event", "effect": {"refill": how}}), {"provinces": {"A": [["Storm"]]}})
                for how in ("down", "up")
            ),
            "deck": (NONE, merged(cards(Farm="Holding"), {"dynasty": {"A": ["Farm"]}})),
        },
    ),
    Reading(
        id="holdings-in-the-events-phase",
        says="Holdings and Personalities come into play in the Events Phase",
        rules=("l5r.events.b",),
        change=do.dealt_into_play,
        numbers={
            "phase": (EVENTS,),
            "laid": (NONE, merged(cards(Farm="Holding"), {"provinces": {"A": [["Farm"]]}})),
        },
    ),
    Reading(
        id="each-counts-those-out",
        says="an effect on each player counts those who have lost as well",
        rules=("l5r.turn.each-player",),
        change=do.also_those_out,
        laws={"l5r.turn.each-player": twins.put(*((truth(f"{player}.playing"), TRUE) for player in "ABCD"))},
        numbers={
            "players": (NONE, {"players": ["A", "B", "C"], "out": ["C"]}),
            "each": (ability("A", "Open", effect={"each": {"honor": 1}}),),
        },
    ),
    Reading(
        id="each-from-the-first-seat",
        says="an effect on each player begins with the first seat, whoever is active",
        rules=("l5r.turn.each-player",),
        change=do.from_the_first_seat,
        numbers={
            "active": (NONE, {"active": "B", "turn": 2}),
            "each": tuple(ability(player, "Open", effect={"each": {"draw": 1}}) for player in "AB"),
            "deck": ({"fate": {player: [["Block", "Strike"]] for player in "AB"}},),
        },
    ),
    Reading(
        id="bring-after-discard",
        says="Holdings and Personalities may be brought in after a discard too",
        rules=("l5r.dynasty.no-more", "l5r.dynasty.steps"),
        change=do.bring_after_discard,
        laws={"l5r.dynasty.no-more": twins.dropped},
        numbers={
            "phase": (DYNASTY, merged(DYNASTY, {"step": "discard"})),
            "laid": (NONE, merged(cards(Farm="Holding"), {"provinces": {"A": [["Farm"]]}})),
        },
    ),
    Reading(
        id="discard-below-the-maximum",
        says="the hand has to be smaller than its maximum size at the end of the turn",
        rules=("l5r.end.exactly", "l5r.end.maximum"),
        change=do.discard_below,
        laws={"l5r.end.exactly": lambda says: says.arg(0) >= says.arg(1)},
        numbers={
            "phase": (ENDING, merged(ENDING, {"step": "discard"})),
            "most": tuple({"max hand": {"A": n}} for n in (0, 1)),
            "hand": (NONE, {"hand": {"A": ["Strike"]}}),
        },
    ),
    Reading(
        id="draw-last",
        says="the card of the End Phase is drawn after the discard",
        rules=("l5r.end.steps", "l5r.end.draw"),
        change=do.draw_last,
        numbers={
            "phase": (ENDING,),
            "most": ({"max hand": {"A": 1}},),
            "hand": ({"hand": {"A": ["Strike"]}}, {"hand": {"A": ["2 Strike"]}}),
            "deck": (NONE, {"fate": {"A": ["Block"]}}),
        },
    ),
    Reading(
        id="late-draws",
        says="cards added to the draw of the End Phase are drawn after the discard",
        rules=("l5r.end.modifiers", "l5r.end.no-late-draw"),
        change=do.late_draws,
        numbers={
            "phase": (ENDING,),
            "most": ({"max hand": {"A": 0}}, {"max hand": {"A": 1}}),
            "more": (NONE, {"draw more": {"A": 1}}),
            "deck": tuple({"fate": {"A": [f"{n} Block"]}} for n in (1, 2)),
        },
    ),
    Reading(
        id="honor-wins-at-once",
        says="Family Honor at the level that wins does so at once",
        rules=("l5r.param.honor",),
        kind="open",
        change=do.honor_wins_at_once,
        numbers={
            "level": ({"win": {"honor": 1}},),
            "A": (ability("A", "Open"), ability("A", "Open", effect={"honor": 2})),
        },
        question="Does reaching the Honor that wins end the game at once, or when one's next turn begins?",
    ),
    Reading(
        id="attacker-first",
        says="the Attacker has the first opportunity in combat",
        rules=("l5r.combat.defender-first", "l5r.combat.round"),
        kind="open",
        change=begins(lambda state: state.attack.attacker if state.attack else ""),
        numbers={"battle": (merged(FIELD, COMBAT),)},
        question="Who has the first opportunity in a Combat Segment: the Defender, or the Attacker?",
    ),
    Reading(
        id="any-unit-rides",
        says="all units may assign in the Cavalry Maneuvers Segment",
        rules=("l5r.attack.cavalry",),
        change=do.any_unit_rides,
        laws={"l5r.attack.cavalry": twins.unless("cavalry")},
        numbers={
            "segment": (merged(FIELD, {"step": "cavalry"}),),
            "units": (merged(UNITS, MOTO), merged(UNITS, BOTH)),
        },
    ),
    Reading(
        id="cavalry-waits",
        says="Cavalry units do not assign before their own segment",
        rules=("l5r.attack.infantry",),
        change=do.assigned_otherwise(do.no_cavalry_yet, "l5r.attack.infantry"),
        numbers={
            "segment": (merged(FIELD, {"step": "infantry"}),),
            "units": (merged(UNITS, MOTO), merged(UNITS, BOTH)),
        },
    ),
    Reading(
        id="bowed-units-assign",
        says="bowed units may assign too",
        rules=("l5r.attack.unbowed",),
        change=do.bowed_units_assign,
        laws={"l5r.attack.unbowed": lambda says: says.arg(0)},
        numbers={
            "segment": (merged(FIELD, {"step": "infantry"}),),
            "units": (merged(UNITS, SHIBA), merged(UNITS, BOTH_BOWED)),
        },
    ),
    Reading(
        id="battles-declined",
        says="the Attacker may leave battles that are left",
        rules=("l5r.attack.once", "l5r.attack.ends"),
        change=do.battles_declined,
        numbers={"step": ({"step": "battles"},), "fields": (FIELD, MANNED)},
    ),
    Reading(
        id="battles-from-the-left",
        says="battles are fought in the order of the Provinces, not of the Attacker's choice",
        rules=("l5r.attack.choose",),
        change=do.battles_from_the_left,
        laws={"l5r.attack.once": twins.those_before},
        numbers={"step": ({"step": "battles"},), "fields": (FIELD, MANNED)},
    ),
    Reading(
        id="empty-fields-skipped",
        says="no battle is fought where there is no unit",
        rules=("l5r.attack.once", "l5r.ruling.no-units"),
        kind="open",
        change=do.empty_fields_skipped,
        numbers={"step": ({"step": "battles"},), "fields": (FIELD, MANNED)},
        question="Is a battle fought at a battlefield without any unit?",
    ),
    Reading(
        id="units-needed",
        says="an attack is declared only by a player with an unbowed unit",
        rules=("l5r.ruling.no-units", "l5r.attack.optional"),
        kind="open",
        change=do.units_needed,
        numbers={"step": ({"phase": "attack"},), "units": (NONE, merged(UNITS, SHIBA))},
        question="May an attack be declared without any unit that could take part?",
    ),
    Reading(
        id="barred-from-declaring-only",
        says="who may not declare attacks may still create an Attack Phase by an effect",
        rules=("l5r.attack.barred", "l5r.attack.effect"),
        change=do.barred_by_declaring_only,
        laws={"l5r.attack.barred": lambda says: TRUE if z3.is_or(says) else says},
        numbers={"barred": (NONE, {"barred": ["A"]}), "A": (ability("A", "Open", effect={"attack": "B"}),)},
    ),
)
