"""Other ways to read L5R's sequence of play: as misread, as it leaves open, as worded otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

import z3
from msgspec.structs import replace

from oracle.games.l5r import GAME, theory
from oracle.games.l5r import changes as do
from oracle.games.l5r.calendar import AFTER_ATTACK, AFTER_BATTLE
from oracle.games.l5r.state import State
from oracle.games.l5r.variant import GUARDS, variant
from oracle.proof.orders import turned
from oracle.proof.readings import Changes, Reading, Verdicts, asked_otherwise
from oracle.proof.smt import TRUE, Bool, either, no, same, some

__all__ = ["GUARDS", "READINGS", "variant"]

Given = Mapping[str, Any]
Parts = Mapping[str, tuple[Given, ...]]

# -- what positions are made of --------------------------------------------------------------------


def ability(player: str, type_: str, name: str = "Scout", **more: Any) -> Given:
    """An ability of a player's."""
    effect = more.pop("effect", {"honor": 1})
    return {"abilities": {player: [{"name": name, "type": type_, "effect": effect, **more}]}}


def trigger(name: str, at: str, owner: str = "A", **more: Any) -> Given:
    """What waits for a moment."""
    effect = more.pop("effect", {"honor": 1})
    return {"triggers": [{"owner": owner, "name": name, "at": at, "effect": effect, **more}]}


def cards(**types: Any) -> Given:
    """Declared cards: a type, or more than that."""
    return {"cards": {name: each if isinstance(each, dict) else {"type": each} for name, each in types.items()}}


def merged(*parts: Given) -> dict[str, Any]:
    """The parts of a position as one: mappings are put together, lists of them follow one another."""
    out: dict[str, Any] = {}
    for part in parts:
        for key, value in part.items():
            known = out.get(key)
            if isinstance(known, dict) and isinstance(value, Mapping):
                out[key] = merged(known, value)
            elif isinstance(known, list) and all(isinstance(each, Mapping) for each in (*known, *value)):
                out[key] = [*known, *value]
            else:
                out[key] = value
    return out


NONE: Given = {}
ATTACK: Given = {"phase": "attack", "attack": {"attacker": "A", "defender": "B"}}
FIELD: Given = merged(ATTACK, {"provinces": {"B": [[]]}})
TWO_FIELDS: Given = merged(ATTACK, {"provinces": {"B": [[], []]}})
COMBAT: Given = {"step": "combat", "attack": {"at": "1"}}
UNITS: Given = cards(Shiba="Personality", Moto={"type": "Personality", "keywords": ["Cavalry"]})
SHIBA, BOWED, MOTO = ({"home": {"A": [unit]}} for unit in ("Shiba", "Shiba bowed", "Moto"))
DYNASTY: Given = {"phase": "dynasty"}
LAST_PASS: Given = {"passed": ["A"], "turn to act": "B"}
EVENTS: Given = {"phase": "events"}
NEW_TURN: Given = merged(DYNASTY, {"active": "B", "turn": 2})
ENDING: Given = {"phase": "end"}
ROUNDS: Parts = {
    "round": (NONE, LAST_PASS),
    "A": (NONE, ability("A", "Open")),
    "B": (NONE, ability("B", "Open", "Parley")),
    "C": (NONE, {"players": ["A", "B", "C"]}),
}
GRANTED: Parts = {
    "action": (merged(ability("A", "Open", effect={"action": "Open"})),),
    "more": (NONE, ability("A", "Open", "Feint")),
    "other": (NONE, ability("B", "Open", "Parley")),
}


def waits(*at: str, owners: str = "AA", **more: Any) -> Given:
    """What waits for each of some moments; the first of it makes the condition of the next no longer true."""
    names = ("Dawn", "Dusk")
    effects = ({"untrigger": "Dusk"}, {"honor": 1})
    each = zip(names, at, owners, effects, strict=True)
    return merged(*(trigger(name, moment, owner, effect=effect, **more) for name, moment, owner, effect in each))


# -- the twins in the theory -----------------------------------------------------------------------


def dropped(says: Any) -> Bool:
    """The clause says nothing."""
    return TRUE


def unless(name: str) -> Callable[[Any], Any]:
    """Of the clauses of a rule the one about something is dropped."""
    return lambda says: TRUE if z3.is_const(says) and str(says).endswith(name) else says


def _attacks_only(says: Any) -> Any:
    """Only of declaring an attack, not of creating one by an effect."""
    return TRUE if z3.is_or(says) else says


READINGS = (
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
        numbers={"round": (NONE,), "A": ROUNDS["A"]},
    ),
    Reading(
        id="passes-not-consecutive",
        says="the passes of a round are counted, whatever is done between them",
        rules=("l5r.action.passes", "l5r.action.end"),
        change=do.counting("passes_after", lambda passes, passed: passes + passed),
        numbers=ROUNDS,
    ),
    Reading(
        id="own-pass-reset",
        says="an action takes back only the own pass: a round ends once everybody's last word was a pass",
        rules=("l5r.action.passes", "l5r.action.end"),
        kind="rule",
        change=do.rounds(do.Flagged),
    ),
    Reading(
        id="cancelled-action-counts",
        says="an action that is cancelled has used up the opportunity",
        rules=("l5r.ruling.cancelled",),
        kind="open",
        change=do.rounds(do.CancelledCounts),
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
        says="other players take neither Limited, Battle nor Reaction actions in an Action Phase (the same in other words)",
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
        question="With whom does a round of Reactions begin: the active player, or whoever's action or trigger is answered?",
    ),
    Reading(
        id="reactions-by-defender",
        says="in a battle a round of Reactions begins with the Defender",
        rules=("l5r.ruling.reaction-first", "l5r.combat.defender-first"),
        kind="open",
        change=do.reactions_begin(do.defender),
        numbers={
            "battle": (merged(FIELD, COMBAT),),
            "action": (NONE, ability("A", "Battle"), ability("B", "Battle")),
            "answer": (NONE, *(ability(each, "Reaction", "Ward", to="Scout") for each in "AB")),
        },
        question="With whom does a round of Reactions begin in a battle: the active player, or the Defender as in combat?",
    ),
    Reading(
        id="ability-any-number",
        says="an ability may be used as often as one likes",
        rules=("l5r.ability.once",),
        change=do.ability_any_number,
        laws={"l5r.ability.once": dropped},
        numbers={"round": (NONE,), "A": (NONE, ability("A", "Open"), ability("A", "Open", used=True))},
    ),
    Reading(
        id="bowed-cards-act",
        says="an ability of a bowed card may be used",
        rules=("l5r.ruling.bowed-card",),
        kind="open",
        change=do.of_bowed_cards,
        laws={"l5r.ruling.bowed-card": dropped},
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
            "battle": (merged(TWO_FIELDS, COMBAT, {"passed": ["B"]}),),
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
        question="Who orders the triggers of one moment: the active player all of them, or each player the own ones in turn?",
    ),
    Reading(
        id="no-classes",
        says="what happens at one moment may be ordered freely, whatever it does",
        rules=("l5r.ruling.classes",),
        kind="open",
        change=do.ordered(do.no_classes),
        laws={"l5r.ruling.classes": dropped},
        numbers={
            "round": (LAST_PASS,),
            "one": (trigger("Dawn", "after action phase"),),
            "two": tuple(trigger("Dusk", "after action phase", **each) for each in ({}, {"class": "A"})),
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
        laws={"l5r.turn.own": dropped},
        numbers={
            "round": (LAST_PASS,),
            "waits": tuple(trigger("Dawn", "after action phase", turn=player) for player in "AB"),
        },
    ),
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
        laws={"l5r.dynasty.no-more": dropped},
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
        change=do.begins(lambda state: state.attack.attacker if state.attack else ""),
        numbers={"battle": (merged(FIELD, {"step": "battles"}),), "more": (NONE, ability("A", "Battle"))},
        question="Who has the first opportunity in a Combat Segment: the Defender, or the Attacker, who is mostly the active player?",
    ),
    Reading(
        id="any-unit-rides",
        says="all units may assign in the Cavalry Maneuvers Segment",
        rules=("l5r.attack.cavalry",),
        change=do.any_unit_rides,
        laws={"l5r.attack.cavalry": unless("cavalry")},
        numbers={
            "segment": (merged(FIELD, {"step": "cavalry"}),),
            "units": (merged(UNITS, MOTO), merged(UNITS, SHIBA)),
        },
    ),
    Reading(
        id="cavalry-waits",
        says="Cavalry units do not assign before their own segment",
        rules=("l5r.attack.infantry",),
        change=do.assigned_otherwise(do.no_cavalry_yet, "l5r.attack.infantry"),
        numbers={
            "segment": (merged(FIELD, {"step": "infantry"}),),
            "units": (merged(UNITS, MOTO), merged(UNITS, SHIBA)),
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
            "units": (merged(UNITS, SHIBA), merged(UNITS, BOWED)),
        },
    ),
    Reading(
        id="battles-declined",
        says="the Attacker may leave battles that are left",
        rules=("l5r.attack.once", "l5r.attack.ends"),
        change=do.battles_declined,
        numbers={"step": ({"step": "battles"},), "fields": (FIELD, TWO_FIELDS)},
    ),
    Reading(
        id="battles-from-the-left",
        says="battles are fought in the order of the Provinces, not of the Attacker's choice",
        rules=("l5r.attack.choose",),
        change=do.battles_from_the_left,
        numbers={"step": ({"step": "battles"},), "fields": (FIELD, TWO_FIELDS)},
    ),
    Reading(
        id="empty-fields-skipped",
        says="no battle is fought where there is no unit",
        rules=("l5r.attack.once", "l5r.ruling.no-units"),
        kind="open",
        change=do.empty_fields_skipped,
        numbers={"step": ({"step": "battles"},), "fields": (FIELD, TWO_FIELDS)},
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
"""Each with what it changes in the code, and in the theory where a clause of that is its twin."""

GUARDS_ONLY = ("limited-for-all", "nothing-but-open", "own-pass-reset", "bring-after-discard", "no-classes", "any-turn")
"""The readings that a solver can compare: those that change what is allowed and nothing else, and how a round ends."""


def forks(one: Changes, other: Changes) -> str:
    """Whether two readings ever allow different things: `sat`, `unsat` or `unknown`."""
    from oracle.games.l5r.guard_claims import PROVINCES, TIED, UNITS, WAITING, domain, position
    from oracle.proof.laws import Laws
    from oracle.proof.smt import ask, count

    sides, sent = [], [each._replace(sent=count(f"sent.{name}")) for name, each in UNITS.items()]
    for changes in (one, other):
        law = Laws(changes)
        text = theory.Text(position(), law)
        says = [text.passes(), text.uses(), text.declines(), text.resolves(WAITING), text.deals(PROVINCES)]
        says += [text.attacks(), text.declines_attack(), text.assigns(sent, (position().item,)), text.fights()]
        says += [text.brings(PROVINCES), text.discards(PROVINCES), text.ends(True), text.goes_first(TIED)]
        sides.append([law.plain(term) for term in says])
    differ = some(no(same(mine, theirs)) for mine, theirs in zip(*sides, strict=True))
    return ask([*domain(), *(each.sent >= 1 for each in sent), differ]).said


def leans(third: Any, found: Verdicts, edition: str) -> bool:
    """Whether a third, open reading answers the question that was found otherwise than the rules do."""
    return asked_otherwise(GAME, third, found, edition)


def positions(one: Reading, other: Reading) -> Iterator[dict[str, Any]]:
    """Positions of the parts that the readings are about: fewest things first."""
    parts = {name: values for reading in (one, other) for name, values in reading.numbers.items()}
    built = [merged({"players": ["A", "B"]}, *chosen) for chosen in product(*parts.values())]
    yield from sorted((given for given in built), key=_weight)


def _weight(given: Any) -> tuple[int, int]:
    """How many things a position names, and then how long it is."""

    def things(value: Any) -> int:
        if isinstance(value, Mapping):
            return sum(map(things, value.values()))
        return sum(map(things, value)) if isinstance(value, list) else 1

    return things(given), len(str(given))


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
