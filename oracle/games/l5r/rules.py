"""The guards: each clause of the rules, a small function of plain values filed under the id of its rule.

Names are only compared, so a clause may as well be asked about numbers, or symbols, that stand for
them. `verdicts.py` looks up the clauses that bear on an action.
"""

from __future__ import annotations

from oracle.guards import Guards
from oracle.zones import Bag, Deck, possible

GUARDS = Guards()
rule = GUARDS.rule

# -- who chooses, and what is under way ------------------------------------------------------------


@rule("l5r.over")
def still_playing(over: bool) -> bool:
    """Nothing may be done once the game is over."""
    return not over


@rule(
    *("l5r.turn.current", "l5r.ruling.active-orders", "l5r.ruling.owner-declines", "l5r.attack.choose"),
    *("l5r.ruling.active-discards", "l5r.additional"),
)
def chooses(player: str | None, chooser: str | None) -> bool:
    """Only the player whose choice it is makes it."""
    return player == chooser


@rule("l5r.resolve.first", "l5r.turn.sequence", "l5r.ruling.reactions-last", "l5r.additional")
def asked_for(verb: str, expected: tuple[str, ...]) -> bool:
    """What is under way is finished before anything else is done, and every phase has its own actions."""
    return verb in expected


@rule("l5r.turn.sequence")
def is_written(things: int, least: int, most: int, parts: int) -> bool:
    """An action names as many things as it is about, and has no further parts."""
    return least <= things <= most and parts == 0


@rule("l5r.ruling.active-orders")
def may_be_next(name: str, names: tuple[str, ...]) -> bool:
    """What happens next is one of the triggers that wait for this moment."""
    return name in names


@rule("l5r.ruling.classes")
def of_first_class(rank: int, first: int) -> bool:
    """Nothing happens while something of an earlier class waits for the same moment."""
    return rank <= first


@rule("l5r.ruling.condition")
def condition_met(live: bool) -> bool:
    """A trigger whose condition is not true does not happen."""
    return live


@rule("l5r.ruling.owner-declines", "l5r.ruling.compulsory")
def may_decline(optional: bool) -> bool:
    """Only what is optional may be declined."""
    return optional


@rule("l5r.ruling.lost")
def plays_on(out: bool) -> bool:
    """Who has lost does nothing any more."""
    return not out


# -- action rounds ---------------------------------------------------------------------------------


@rule("l5r.action.round", "l5r.combat.round", "l5r.reaction.round")
def has_opportunity(player: str | None, now: str) -> bool:
    """In an action round only the player with the opportunity acts or passes."""
    return player == now


@rule("l5r.combat.defender-first", "l5r.ruling.reaction-first")
def begins(player: str | None, first: str) -> bool:
    """The first opportunity of a round has a player of its own."""
    return player == first


@rule("l5r.action.passes", "l5r.action.end")
def may_pass() -> bool:
    """A pass is open to whoever has the opportunity, and binds nobody."""
    return True


@rule("l5r.action.limited")
def active_takes(type_: str) -> bool:
    """In the Action Phase the active player takes Limited and Open actions."""
    return type_ in ("Limited", "Open")


@rule("l5r.action.open")
def others_take(type_: str) -> bool:
    """In the Action Phase all others take Open actions only."""
    return type_ == "Open"


@rule("l5r.ruling.battle-actions")
def for_combat(type_: str, combat: bool) -> bool:
    """Battle actions are for Combat Segments, where no others are taken."""
    return (type_ == "Battle") == combat


@rule("l5r.ruling.reaction-trigger")
def answers(type_: str, happened: bool, in_time: bool) -> bool:
    """A Reaction answers what has just happened; one that cancels, what is about to."""
    return type_ == "Reaction" and happened and in_time


@rule("l5r.additional")
def of_granted_type(type_: str, granted: str) -> bool:
    """An additional action is of the type granted."""
    return type_ == granted


@rule("l5r.action.round", "l5r.reaction.round", "l5r.additional")
def has_ability(known: bool) -> bool:
    """Only an ability of one's own can be used."""
    return known


@rule("l5r.ability.once")
def still_unused(used: bool) -> bool:
    """An ability is used once a turn."""
    return not used


@rule("l5r.ruling.bowed-card")
def card_ready(of_card: bool, unbowed: bool) -> bool:
    """An ability of a card is used while the card is in play and unbowed."""
    return unbowed or not of_card


# -- the attack ------------------------------------------------------------------------------------


@rule("l5r.attack.barred")
def may_attack(barred: bool) -> bool:
    """Who may not declare attacks creates no Attack Phase by any means."""
    return not barred


@rule("l5r.attack.optional")
def creates(player: str | None, active: str) -> bool:
    """The normal Attack Phase is the active player's to create, or not."""
    return player == active


@rule("l5r.attack.declare")
def is_other(defender: str, attacker: str, playing: bool) -> bool:
    """The Defender is another player of the game."""
    return defender != attacker and playing


@rule("l5r.attack.infantry", "l5r.attack.cavalry")
def has_step(player: str | None, assigning: str) -> bool:
    """In each maneuvers segment the Attacker assigns, then the Defender."""
    return player == assigning


@rule("l5r.ruling.two-steps")
def is_leader(player: str | None, attacker: str, defender: str) -> bool:
    """Only Attacker and Defender assign."""
    return player in (attacker, defender)


@rule("l5r.attack.battlefields")
def exists(field: int, fields: tuple[int, ...]) -> bool:
    """There is a battlefield at each of the Defender's Provinces, and nowhere else."""
    return field in fields


@rule("l5r.attack.home")
def at_home(there: int) -> bool:
    """Units assign from home."""
    return there >= 1


@rule("l5r.attack.any")
def to_one_field(wanted: int, there: int) -> bool:
    """Each unit goes to one battlefield."""
    return wanted <= there or there == 0


@rule("l5r.attack.unbowed")
def unbowed(wanted: int, there: int, ready: int) -> bool:
    """As many units of the name are unbowed as are assigned."""
    return (wanted if wanted < there else there) <= ready


@rule("l5r.attack.cavalry")
def is_cavalry(cavalry: bool) -> bool:
    """In the Cavalry Maneuvers Segment only Cavalry units are assigned."""
    return cavalry


@rule("l5r.attack.once")
def not_fought(fought: bool) -> bool:
    """At each battlefield one battle is fought."""
    return not fought


# -- Provinces and hands ---------------------------------------------------------------------------


@rule("l5r.events.order", "l5r.events.several")
def in_this_province(name: str, names: tuple[str, ...]) -> bool:
    """The next card is one of the leftmost Province that is not done with."""
    return name in names


@rule("l5r.dynasty.bring", "l5r.dynasty.discard")
def shown(copies: int) -> bool:
    """The card lies face-up in a Province of one's own."""
    return copies >= 1


@rule("l5r.dynasty.bring")
def comes_into_play(type_: str) -> bool:
    """Holdings and Personalities are brought into play."""
    return type_ in ("Holding", "Personality")


@rule("l5r.dynasty.no-more", "l5r.dynasty.steps")
def before_discards(discarded: bool) -> bool:
    """Nothing is brought into play after the first discard of the phase."""
    return not discarded


@rule("l5r.dynasty.discard")
def may_end() -> bool:
    """Bringing in and discarding are optional."""
    return True


@rule("l5r.end.discard")
def in_hand(copies: int) -> bool:
    """Fate cards are discarded from the hand."""
    return copies >= 1


@rule("l5r.end.exactly", "l5r.end.maximum")
def above_maximum(held: int, most: int) -> bool:
    """A card is discarded only while there are more in hand than the maximum."""
    return held > most


# -- chance ----------------------------------------------------------------------------------------


@rule("l5r.start.tie", "l5r.start.b")
def is_tied(name: str, tied: tuple[str, ...]) -> bool:
    """Chance decides among those with the highest Family Honor."""
    return name in tied


@rule("l5r.end.draw", "l5r.start.f", "l5r.start.e")
def may_come(deck: Deck, cards: Bag, n: int) -> bool:
    """What is drawn are the first cards of the deck, as many as are called for or as there are."""
    left = sum(len(layer) for layer in deck)
    return len(cards) == (n if n < left else left) and possible(deck, cards)
