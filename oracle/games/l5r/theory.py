"""The sequence of play again, in z3: who may do what, and when.

Written from the text alone; nothing here comes from `rules.py`, `verdicts.py`, `moves.py`, `effects.py`
or `flow.py`. Players, cards and abilities are numbers, so there may be any number of them; player 0 is
nobody, who acts for chance. What is being asked is `time`: one of the times below.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import z3

from oracle.proof.laws import Laws
from oracle.proof.terms import (
    Bool,
    Int,
    both,
    count,
    either,
    every,
    least,
    no,
    number,
    pick,
    same,
    some,
    total,
    truth,
    when,
)

TIMES = (
    *("action", "combat", "offer", "infantry", "cavalry", "battles", "events", "dynasty", "end"),
    *("order", "reactions", "additional", "may", "draw", "fill", "first", "from"),
)
"""When somebody chooses: in the phases and segments, among triggers, and while something is under way."""
ACTION, COMBAT, OFFER, INFANTRY, CAVALRY, BATTLES, EVENTS, DYNASTY, END = range(9)
ORDER, REACTIONS, ADDITIONAL, MAY, DRAW, FILL, FIRST, FROM = range(9, 17)
ROUNDS = {ACTION: "l5r.action.round", COMBAT: "l5r.combat.round", REACTIONS: "l5r.reaction.round"}
"""The times that are action rounds."""
LIMITED, OPEN, BATTLE, REACTION = KINDS = range(4)
PERSONALITY, HOLDING, EVENT, REGION, CELESTIAL, STRONGHOLD = range(6)
NOBODY = 0
VERBS: Mapping[str, tuple[int, ...]] = {
    "pass": (ACTION, COMBAT, REACTIONS),
    "use": (ACTION, COMBAT, REACTIONS, ADDITIONAL),
    "decline": (ADDITIONAL, MAY),
    "resolve": (ORDER, MAY),
    "deal with": (EVENTS,),
    "attack": (OFFER,),
    "no attack": (OFFER,),
    "assign": (INFANTRY, CAVALRY),
    "fight at": (BATTLES,),
    "bring": (DYNASTY,),
    "discard": (DYNASTY, END),
    "from": (FROM,),
    "end": (DYNASTY,),
    "draw": (DRAW,),
    "fill": (FILL,),
    "first": (FIRST,),
}
"""Each action and its times."""
BARE, MANY = ("pass", "decline", "no attack"), ("assign", "draw")
"""Actions about nothing, and about any number of things; all others are about one."""


class Laid(NamedTuple):
    """A card in a Province: which it is, whether it lies face-up, whether the Events Phase is not done with it."""

    card: Int
    up: Bool
    left: Bool


class Trigger(NamedTuple):
    """What waits for this moment: of any player's turn (0), or of one's, of which `turns` must begin before.

    `live`: its condition is true; `rank`: the class it belongs to.
    """

    name: Int
    turn: Int
    turns: Int
    live: Bool
    rank: Int


class Units(NamedTuple):
    """Units of one name: how many an action assigns, how many are at home bowed and unbowed, whether Cavalry."""

    sent: int
    unbowed: Int
    bowed: Int
    cavalry: Bool

    def by_state(self) -> tuple[tuple[bool, Int], ...]:
        """How many are unbowed, and how many bowed."""
        return (False, self.unbowed), (True, self.bowed)


class Ability(NamedTuple):
    """The ability that an action names: whether the player has one of that name, and what is to be known of it.

    `attacks`: it creates an Attack Phase; `answers`: it answers what Reactions are asked to; `cancels` that.
    """

    known: Bool
    type: Int
    used: Bool
    of_card: Bool
    ready: Bool
    attacks: Bool
    answers: Bool
    cancels: Bool


class Position:
    """A position of symbols. `who` is whoever acts, `item` what the action is about, `now` who has the opportunity.

    `ordering` is the first player in turn order from the active one who has not lost; `field` says of a Province
    whether there is a battlefield, `fought` whether its battle has ended.
    """

    def __init__(self, tag: str = "") -> None:
        self.time = count(f"{tag}time")
        self.over = truth(f"{tag}over")
        self.who, self.active, self.now, self.owner = (count(f"{tag}{x}") for x in ("who", "active", "now", "owner"))
        self.ordering = count(f"{tag}ordering")
        self.item, self.first = count(f"{tag}item"), truth(f"{tag}first")
        self.ability = Ability(
            truth(f"{tag}known"),
            count(f"{tag}type"),
            *(truth(f"{tag}{x}") for x in ("used", "of_card", "ready", "attacks", "answers", "cancels")),
        )
        self.granted, self.offered = count(f"{tag}granted"), count(f"{tag}offered")
        self.cancelling = truth(f"{tag}cancelling")
        self.barred = z3.Function(f"{tag}barred", z3.IntSort(), z3.BoolSort())
        self.playing = z3.Function(f"{tag}playing", z3.IntSort(), z3.BoolSort())
        self.attacker, self.defender = count(f"{tag}attacker"), count(f"{tag}defender")
        self.second_side = truth(f"{tag}second_side")
        self.field = z3.Function(f"{tag}field", z3.IntSort(), z3.BoolSort())
        self.fought = z3.Function(f"{tag}fought", z3.IntSort(), z3.BoolSort())
        self.type = z3.Function("type_of", z3.IntSort(), z3.IntSort())
        self.discarded = truth(f"{tag}discarded")
        self.held, self.most, self.copies = (count(f"{tag}{x}") for x in ("held", "most", "copies"))

    def domain(self) -> list[Bool]:
        """What the symbols can be: players have numbers from 1 on, no number of cards is negative."""
        players = (self.active, self.now, self.owner, self.attacker, self.defender, self.ordering)
        return [
            self.who >= NOBODY,
            *(player >= 1 for player in players),
            *(both(kind >= LIMITED, kind <= REACTION) for kind in (self.ability.type, self.granted)),
            no(same(self.attacker, self.defender)),
            no(self.playing(NOBODY)),
            when(self.playing(self.active), same(self.ordering, self.active)),
            self.held >= self.copies,
            self.copies >= 0,
            self.most >= 0,
        ]


class Text:
    """The text at one position. `law` files what each of its rules says."""

    def __init__(self, view: Position, law: Laws) -> None:
        self.view, self.law = view, law

    # -- what every action needs -------------------------------------------------------------------

    def goes_on(self, verb: str, things: Any, parts: int = 0) -> Bool:
        """The game goes on, and the action names as many things as it is about."""
        lowest, most = (0, 0) if verb in BARE else (0, None) if verb in MANY else (1, 1)
        fits = both(number(things) >= lowest, number(things) <= most if most is not None else number(things) >= 0)
        form = self.law("l5r.turn.sequence", both(fits, same(number(parts), 0)))
        plays = self.law("l5r.ruling.lost", either(same(self.view.who, NOBODY), self.view.playing(self.view.who)))
        return both(self.law("l5r.over", no(self.view.over)), form, plays)

    def when(self, rule: str, *times: int) -> Bool:
        """It is one of the times."""
        return self.law(rule, some(same(self.view.time, time) for time in times))

    def by(self, rule: str, player: Int) -> Bool:
        """It is that player who acts."""
        return self.law(rule, same(self.view.who, player))

    # -- action rounds -----------------------------------------------------------------------------

    def opportunity(self, time: int) -> Bool:
        """The time is an action round, and whoever acts has the opportunity."""
        rule = ROUNDS[time]
        return both(self.when(rule, time), self.by(rule, self.view.now))

    def passes(self) -> Bool:
        """A pass: whoever has the opportunity may."""
        return some(map(self.opportunity, ROUNDS))

    def can_use(self) -> Bool:
        """What every use of an ability needs: an own one, unused, its card ready, and no attack that is barred."""
        view, law = self.view, self.law
        own, once = law("l5r.action.round", view.ability.known), law("l5r.ability.once", no(view.ability.used))
        ready = law("l5r.ruling.bowed-card", either(no(view.ability.of_card), view.ability.ready))
        free = law("l5r.attack.barred", either(no(view.ability.attacks), no(view.barred(view.who))))
        return both(own, once, ready, free)

    def in_action_phase(self) -> Bool:
        """The type of an action of the Action Phase: Limited and Open for the active player, Open for all others."""
        view, law = self.view, self.law
        kind = view.ability.type
        limited = law("l5r.action.limited", either(same(kind, LIMITED), same(kind, OPEN)))
        return pick(same(view.who, view.active), limited, law("l5r.action.open", same(kind, OPEN)))

    def uses(self) -> Bool:
        """The use of an ability, at whatever time."""
        view, law = self.view, self.law
        kind = view.ability.type
        in_combat = law("l5r.ruling.battle-actions", same(kind, BATTLE))
        answers = both(same(kind, REACTION), view.ability.answers, same(view.ability.cancels, view.cancelling))
        in_time = law("l5r.ruling.reaction-trigger", answers)
        granted = law("l5r.additional", same(kind, view.granted))
        return both(
            self.can_use(),
            either(
                both(self.opportunity(ACTION), self.in_action_phase()),
                both(self.opportunity(COMBAT), in_combat),
                both(self.opportunity(REACTIONS), in_time),
                both(self.when("l5r.additional", ADDITIONAL), self.by("l5r.additional", view.owner), granted),
            ),
        )

    def declines(self) -> Bool:
        """An additional action, or an optional trigger, is declined by the player who has it."""
        extra = both(self.when("l5r.additional", ADDITIONAL), self.by("l5r.additional", self.view.owner))
        return either(extra, self.has_option())

    def has_option(self) -> Bool:
        """The owner of an optional trigger is asked."""
        rule = "l5r.ruling.owner-declines"
        return both(self.when(rule, MAY), self.by(rule, self.view.owner))

    # -- triggers ----------------------------------------------------------------------------------

    def resolves(self, triggers: Sequence[Trigger]) -> Bool:
        """A trigger is next: the active player orders those of the first class whose condition is true."""
        view, law = self.view, self.law
        next_ = []
        own = [law("l5r.turn.own", either(same(t.turn, NOBODY), same(t.turn, view.active))) for t in triggers]
        due = [both(mine, law("l5r.turn.unit", same(t.turns, 0))) for t, mine in zip(triggers, own, strict=True)]
        live = [law("l5r.ruling.condition", t.live) for t in triggers]
        for i, trigger in enumerate(triggers):
            earlier = [both(due[j], live[j], other.rank < trigger.rank) for j, other in enumerate(triggers) if j != i]
            first = law("l5r.ruling.classes", no(some(earlier)))
            next_.append(both(due[i], live[i], first, same(trigger.name, view.item)))
        rule = "l5r.ruling.active-orders"
        orders = both(self.when(rule, ORDER), self.by(rule, view.ordering), some(next_))
        offered = law("l5r.ruling.owner-declines", same(view.item, view.offered))
        return either(orders, both(self.has_option(), offered))

    # -- the attack --------------------------------------------------------------------------------

    def attacks(self) -> Bool:
        """The active player creates the Attack Phase and chooses another player as Defender."""
        view, law = self.view, self.law
        other = both(no(same(view.item, view.active)), view.playing(view.item))
        return both(
            self.declines_attack(),
            law("l5r.attack.barred", no(view.barred(view.who))),
            law("l5r.attack.declare", other),
        )

    def declines_attack(self) -> Bool:
        """The Attack Phase is optional."""
        return both(self.when("l5r.attack.optional", OFFER), self.by("l5r.attack.optional", self.view.active))

    def assigns(self, units: Iterable[Units], fields: Iterable[int]) -> Bool:
        """Units go from home to battlefields: unbowed ones, and only Cavalry in the second segment."""
        view, law = self.view, self.law
        side = pick(view.second_side, view.defender, view.attacker)
        infantry = both(self.when("l5r.attack.infantry", INFANTRY), self.by("l5r.attack.infantry", side))
        rule, goals = "l5r.attack.cavalry", []
        cavalry = both(self.when(rule, CAVALRY), self.by(rule, side))
        for each in units:
            at_home = law("l5r.attack.home", each.unbowed + each.bowed)
            eligible = law("l5r.attack.unbowed", at_home - each.bowed)
            goals.append(law("l5r.attack.any", number(each.sent) <= eligible))
            goals.append(either(infantry, law(rule, each.cavalry)))
        there = [law("l5r.attack.battlefields", view.field(f)) for f in fields]
        return both(either(infantry, cavalry), *goals, *there)

    def fights(self) -> Bool:
        """The Attacker chooses a battlefield where no battle has ended."""
        view, law, rule = self.view, self.law, "l5r.attack.choose"
        field = law("l5r.attack.battlefields", view.field(view.item))
        return both(
            self.when(rule, BATTLES),
            self.by(rule, view.attacker),
            field,
            law("l5r.attack.once", no(view.fought(view.item))),
        )

    # -- Provinces and hands -----------------------------------------------------------------------

    def deals(self, provinces: Sequence[Sequence[Laid]]) -> Bool:
        """A card of the leftmost Province that is not done with."""
        view, law, rule = self.view, self.law, "l5r.events.order"
        done = [law(rule, no(some(card.left for card in province))) for province in provinces]
        names = [some(both(card.left, same(card.card, view.item)) for card in province) for province in provinces]
        dealt = [both(*done[:i], law("l5r.events.several", named)) for i, named in enumerate(names)]
        return both(self.when(rule, EVENTS), self.by(rule, view.active), some(dealt))

    def faced(self, rule: str, provinces: Sequence[Sequence[Laid]]) -> Bool:
        """In the Dynasty Phase: the card lies face-up in a Province of the active player."""
        cards = [card for province in provinces for card in province]
        shown = some(both(card.up, same(card.card, self.view.item)) for card in cards)
        return both(self.when(rule, DYNASTY), self.law(rule, shown))

    def brings(self, provinces: Sequence[Sequence[Laid]]) -> Bool:
        """A face-up Holding or Personality is brought into play, before anything is discarded."""
        view, law, rule = self.view, self.law, "l5r.dynasty.bring"
        kind = view.type(view.item)
        comes = law(rule, either(same(kind, HOLDING), same(kind, PERSONALITY)))
        first = law("l5r.dynasty.no-more", no(view.discarded))
        return both(self.faced(rule, provinces), self.by(rule, view.active), comes, first)

    def discards(self, provinces: Sequence[Sequence[Laid]]) -> Bool:
        """A face-up card in the Dynasty Phase; a card of the hand while it is above the maximum in the End Phase."""
        view, law, rule = self.view, self.law, "l5r.end.discard"
        held = both(self.when(rule, END), law(rule, view.copies >= 1), law("l5r.end.exactly", view.held > view.most))
        mine = self.by("l5r.ruling.active-discards", view.active)
        return both(mine, either(self.faced("l5r.dynasty.discard", provinces), held))

    def leaves(self, rule: str, provinces: Sequence[Sequence[Laid]]) -> Bool:
        """A card that lies face-up in several Provinces leaves one of them: its player says which."""
        view = self.view
        shown = [some(both(card.up, same(card.card, view.offered)) for card in province) for province in provinces]
        there = some(both(same(view.item, i), here) for i, here in enumerate(shown))
        return both(
            self.when("l5r.resolve.first", FROM), self.by("l5r.turn.current", view.owner), self.law(rule, there)
        )

    def ends(self, named: bool) -> Bool:
        """The Dynasty Phase, named as such, is ended: nothing in it is compulsory."""
        rule = "l5r.dynasty.discard"
        return both(
            self.when(rule, DYNASTY), self.by(rule, self.view.active), self.law("l5r.turn.sequence", same(named, True))
        )

    # -- chance ------------------------------------------------------------------------------------

    def comes(self, time: int, rule: str, cards: Mapping[str, Any], deck: Sequence[Mapping[str, Any]], n: Any) -> Bool:
        """Chance: the cards are the first ones of the deck, as many as are called for or as there are."""
        law, size = self.law, total(cards.values())
        sizes = [total(layer.values()) for layer in deck]
        asked = law(rule, same(size, least(n, total(sizes))))
        kinds = [*dict.fromkeys([*cards, *(kind for layer in deck for kind in layer)])]
        ends = list(accumulate(sizes, lambda a, b: total((a, b))))
        first = []
        for i, (start, end) in enumerate(zip([number(0), *ends], ends, strict=False)):
            above = {kind: total(layer.get(kind, 0) for layer in deck[:i]) for kind in kinds}
            whole = every(number(cards.get(kind, 0)) >= above[kind] for kind in kinds)
            rest = every(number(cards.get(k, 0)) <= total((above[k], deck[i].get(k, 0))) for k in kinds)
            first.append(when(both(start < size, size <= end), both(whole, rest)))
        return both(self.when(rule, time), self.by(rule, number(NOBODY)), asked, law(rule, every(first)))

    def goes_first(self, tied: Sequence[Any]) -> Bool:
        """Chance decides among the tied."""
        rule = "l5r.start.tie"
        named = self.law(rule, some(same(self.view.item, player) for player in tied))
        return both(self.when(rule, FIRST), self.by(rule, number(NOBODY)), named)
