"""The sequence of play again, in z3: what each action and each step changes, and how rounds, phases and turns go.

A position is what it is made of, by name: numbers, truth values, and zones as counts of cards. A `Change`
names what is different afterwards and the rule that says so; everything that it does not name stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import z3

from oracle.proof.laws import Laws
from oracle.proof.terms import TRUE, Bool, boolean, both, count, either, every, least, number, pick, same, total, truth

Parts = Mapping[str, Any]
"""A position, by the names of its parts."""
Step = Mapping[str, Any]
"""Something that is carried out later: what, by whom, about what."""


def alike(one: Any, other: Any) -> Bool:
    """Two values of one part are the same; what a structure or a zone does not name is nothing there."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        pairs = ((one.get(key), other.get(key)) for key in {**one, **other})
        return every(alike(_nothing(b) if a is None else a, _nothing(a) if b is None else b) for a, b in pairs)
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return every(map(alike, one, other)) if len(one) == len(other) else boolean(False)
    if all(isinstance(each, (bool, z3.BoolRef)) for each in (one, other)):
        return same(one, other)
    if all(isinstance(each, (int, z3.ArithRef)) and not isinstance(each, bool) for each in (one, other)):
        return same(one, other)
    return boolean(type(one) is type(other) and bool(one == other))


def _nothing(like: Any) -> Any:
    """The value that says nothing, of the kind of another."""
    return False if isinstance(like, (bool, z3.BoolRef)) else 0 if isinstance(like, (int, z3.ArithRef)) else None


def _filed(law: Laws, rule: str, value: Any, old: Any) -> Any:
    """A value as a rule says it: every number and truth value in it that was not so before."""
    if value is old:
        return value
    if isinstance(value, Mapping):
        known = old if isinstance(old, Mapping) else {}
        return {key: _filed(law, rule, part, known.get(key)) for key, part in value.items()}
    if isinstance(value, (tuple, list)):
        were = [*old, *([None] * len(value))] if isinstance(old, (tuple, list)) else [None] * len(value)
        return [_filed(law, rule, part, was) for part, was in zip(value, were, strict=False)]
    return law(rule, value) if isinstance(value, (bool, int, z3.ExprRef)) else value


class Change:
    """What is different after a position: by name the value, and the rule that says so."""

    def __init__(self, before: Parts) -> None:
        self.before = before
        self.now: dict[str, tuple[Any, str]] = {}

    def value(self, name: str) -> Any:
        """What a part is after what was said so far."""
        return self.now[name][0] if name in self.now else self.before[name]

    def set(self, name: str, value: Any, rule: str) -> Change:
        """A part has another value."""
        self.now[name] = value, rule
        return self

    def put(self, zone: str, cards: Parts, rule: str, sign: int = 1) -> Change:
        """Cards come to a zone, or with the sign -1 leave it."""
        old = self.value(zone)
        new = {card: total((old.get(card, 0), sign * number(cards.get(card, 0)))) for card in {**old, **cards}}
        return self.set(zone, new, rule)

    def move(self, cards: Parts, source: str, target: str, rule: str) -> Change:
        """Cards go from one zone to another."""
        return self.put(source, cards, rule, -1).put(target, cards, rule)

    def then(self, rule: str, *steps: Step, done: int = 0, what: str = "stack") -> Change:
        """Steps are carried out next, the first of them first; `done` of those that waited are done."""
        waiting = self.value(what)
        return self.set(what, (*waiting[: len(waiting) - done], *reversed(steps)), rule)

    def relation(self, law: Laws, after: Parts) -> Bool:
        """That the parts afterwards are those that this change makes."""
        names = {**self.before, **after, **self.now}
        kept = (alike(after.get(name), self.before.get(name)) for name in names if name not in self.now)
        made = (alike(after.get(name), value) for name, value in self.filed(law).items())
        # A value in words has no clause of its own: that it is this one is what the rule says.
        said = (law(rule, TRUE) for _, rule in self.now.values())
        return both(*kept, *made, *said)

    def filed(self, law: Laws) -> dict[str, Any]:
        """The values that are different, as their rules say them."""
        return {name: _filed(law, rule, value, self.before.get(name)) for name, (value, rule) in self.now.items()}


# -- action rounds ---------------------------------------------------------------------------------


class Round:
    """An action round of any number of players, by their places in its order.

    `passes` is how many there were in a row, `turn` the place with the opportunity. `who` is one arbitrary
    player, `passed` whether that player has passed since anybody acted.
    """

    def __init__(self, tag: str = "") -> None:
        self.n, self.who = count("round.n"), count("round.who")
        self.turn, self.passes = count(f"round.turn{tag}"), count(f"round.passes{tag}")
        self.passed = truth(f"round.passed{tag}")

    def domain(self) -> list[Bool]:
        """What the symbols can be."""
        return [self.n >= 1, *(both(x >= 0, x < self.n) for x in (self.who, self.turn)), self.passes >= 0]

    def following(self) -> Any:
        """The next place of the order, which goes around."""
        return pick(same(self.turn + 1, self.n), 0, self.turn + 1)

    def moves(self, law: Laws, then: Round, passes: Bool) -> Bool:
        """An opportunity was used: for a pass, or for an action, after which all must pass anew."""
        return both(
            same(then.turn, law("l5r.action.round", self.following())),
            same(then.passes, law("l5r.action.passes", pick(passes, self.passes + 1, 0))),
        )

    def remembers(self, then: Round, passes: Bool) -> Bool:
        """What `passed` means."""
        mine = same(self.turn, self.who)
        return same(then.passed, both(passes, either(mine, self.passed)))

    def stays(self, law: Laws, then: Round, rule: str) -> Bool:
        """An action that was cancelled, or an additional one that is declined: nothing has happened."""
        return both(same(then.turn, law(rule, self.turn)), same(then.passes, law(rule, self.passes)))

    def ended(self, law: Laws) -> Bool:
        """All have passed consecutively."""
        return law("l5r.action.end", self.passes >= self.n)

    def holds(self) -> Bool:
        """What is true all through a round: `who` has passed exactly if his place is one of the last `passes`."""
        back = pick(self.turn > self.who, self.turn - self.who, self.turn - self.who + self.n)
        return both(self.passes <= self.n, same(self.passed, back <= self.passes))


# -- turn order ------------------------------------------------------------------------------------


def distance(law: Laws, seat: Any, first: Any, n: Any) -> Any:
    """How many seats after the first one a seat is, to the left and once round."""
    return law("l5r.turn.order", pick(number(seat) >= first, number(seat) - first, number(seat) - first + n))


def place(law: Laws, seat: int, first: int, playing: Sequence[Bool]) -> Any:
    """The place of a seat when each player in turn does something: those who cannot are passed over."""
    n = len(playing)
    before = [other for other in range(n) if (other - first) % n < (seat - first) % n]
    return law("l5r.turn.each-player", total(pick(playing[other], 1, 0) for other in before))


# -- effects ---------------------------------------------------------------------------------------


def used(before: Parts, player: str, ability: int) -> Change:
    """An ability is used, for this turn."""
    return Change(before).set(f"{player}.used.{ability}", True, "l5r.ability.once")


def honor(before: Parts, player: str, n: Any) -> Change:
    """An effect on Family Honor."""
    return Change(before).set(f"{player}.honor", before[f"{player}.honor"] + n, "effect.honor")


def hand_size(before: Parts, player: str, n: Any) -> Change:
    """An effect on the maximum hand size, negative where it has none."""
    return Change(before).set(f"{player}.most", pick(n >= 0, n, before[f"{player}.most"]), "l5r.end.maximum")


def draws(before: Parts, player: str, n: Any, rule: str) -> Change:
    """Fate cards are to be drawn."""
    return Change(before).then(rule, {"do": "draw", "player": player, "n": n, "rule": "l5r.resolve.first"})


def each_player(before: Parts, order: Sequence[str], effect: Parts) -> Change:
    """An effect on each player, from the active one once round."""
    each = ({"do": "each", "player": player, "effect": effect} for player in order)
    return Change(before).then("l5r.turn.each-player", *each)


def granted(before: Parts, player: str, kind: str) -> Change:
    """An additional action is taken after the present one."""
    extra = {"do": "additional", "player": player, "name": kind}
    return Change(before).set("pending", (*before["pending"], extra), "l5r.additional")


def to_attack(before: Parts, player: str, defender: str) -> Change:
    """An effect creates an Attack Phase once what is under way is over."""
    attack = {"do": "create attack", "player": player, "name": defender}
    return Change(before).set("pending", (*before["pending"], attack), "l5r.ruling.created-attack")


def conditions(before: Parts, name: str, live: Bool) -> Change:
    """The condition of all triggers of a name becomes true, or true no longer."""
    rule = "l5r.ruling.condition"
    agenda = tuple({**each, "live": live} if each["name"] == name else each for each in before["agenda"])
    return Change(before).set("agenda", agenda, rule)


def won(before: Parts, player: str, rule: str) -> Change:
    """The game ends at once, with all that was under way and all that was to follow."""
    change = (
        Change(before).set("over", True, "l5r.over").set("winner", player, "l5r.over").set("cause", rule, "l5r.over")
    )
    for name in ("stack", "pending", "happened"):
        change.set(name, (), "l5r.over")
    return change.set("round", None, "l5r.over")


# -- cards ---------------------------------------------------------------------------------------


def refilled(change: Change, player: str, province: int, refill: str, mark: str = "") -> Change:
    """The Province that a card has left is filled anew, where its effect says so."""
    if not refill:
        return change
    rule = "l5r.events.f-a" if mark else "l5r.dynasty.refilled"
    step = {"do": "fill", "player": player, "name": mark, "n": province, "up": refill == "up", "rule": rule}
    return change.then(rule, {field: value for field, value in step.items() if value})


def brought(before: Parts, player: str, province: int, card: str, zone: str, refill: str) -> Change:
    """Dynasty Phase: a face-up card comes into play, unbowed."""
    change = Change(before).move({card: 1}, f"{player}.provinces.{province}", f"{player}.{zone}", "l5r.dynasty.bring")
    return refilled(change, player, province, refill)


def discarded(before: Parts, player: str, province: int, card: str, refill: str) -> Change:
    """Dynasty Phase: a face-up card is discarded; step B has begun."""
    rule = "l5r.dynasty.discard"
    change = Change(before).move({card: 1}, f"{player}.provinces.{province}", f"{player}.discard", rule)
    return refilled(change.set("second", True, "l5r.dynasty.no-more"), player, province, refill)


def asks_where(before: Parts, player: str, card: str, rule: str) -> Change:
    """Dynasty Phase: a card lies face-up in several Provinces; before it moves its player says which one it leaves."""
    return Change(before).then(rule, {"do": "from", "player": player, "name": card, "rule": rule})


def hand_discarded(before: Parts, player: str, card: str) -> Change:
    """End Phase: a Fate card is discarded."""
    return Change(before).move({card: 1}, f"{player}.hand", f"{player}.discard", "l5r.end.discard")


def off_top(deck: Sequence[Parts], cards: Parts) -> list[Parts]:
    """The deck without cards off its top: each layer is used up before the next."""
    out: list[Parts] = []
    for layer in deck:
        gone = {card: least(cards.get(card, 0), n) for card, n in layer.items()}
        out.append({card: number(n) - gone[card] for card, n in layer.items()})
        cards = {card: number(n) - gone.get(card, number(0)) for card, n in cards.items()}
    return out


def drawn(before: Parts, player: str, cards: Parts, done: int = 1) -> Change:
    """Fate cards come off the top of the deck to the hand."""
    rule = "l5r.end.draw"
    change = Change(before).then(rule, done=done).put(f"{player}.hand", cards, rule)
    return change.set(f"{player}.fate", off_top(before[f"{player}.fate"], cards), rule)


def filled(before: Parts, player: str, province: int, card: str, up: bool, mark: str) -> Change:
    """The top card of the Dynasty deck comes to a Province: `mark` is what the Events Phase keeps of it."""
    change = Change(before).then("l5r.start.e", done=1)
    words = " ".join((card, *(() if up else ("down",)), *((mark,) if mark else ())))
    change.put(f"{player}.provinces.{province}", {words: 1}, "l5r.events.f-b" if mark == "dealt" else "l5r.start.e")
    return change.set(f"{player}.dynasty", off_top(before[f"{player}.dynasty"], {card: 1}), "l5r.start.e")


def attached(before: Parts, player: str, province: int, card: str) -> Change:
    """Events Phase D: a Region comes into play attached to its Province."""
    rule = "l5r.events.d"
    change = Change(before).put(f"{player}.provinces.{province}", {f"{card} new": 1}, rule, -1)
    return change.then(rule, done=1).put(f"{player}.regions.{province}", {card: 1}, rule)


def entered(before: Parts, player: str, province: int, card: str) -> Change:
    """Events Phase E: a Celestial comes into play."""
    rule = "l5r.events.e"
    change = Change(before).put(f"{player}.provinces.{province}", {f"{card} new": 1}, rule, -1)
    return change.then(rule, done=1).put(f"{player}.play", {card: 1}, rule)


def stays(before: Parts, player: str, province: int, card: str, rule: str) -> Change:
    """Events Phase: nothing happens to a card, which is dealt with."""
    zone = f"{player}.provinces.{province}"
    return (
        Change(before).then(rule, done=1).put(zone, {f"{card} new": 1}, rule, -1).put(zone, {f"{card} dealt": 1}, rule)
    )


def resolves(before: Parts, player: str, province: int, card: str, effect: Parts) -> Change:
    """Events Phase C: an Event takes effect, and then it has been resolved."""
    about = {"player": player, "name": card, **({"effect": effect} if effect else {})}
    after = {"do": "resolved", **about, **({"n": province} if province else {})}
    return Change(before).then("l5r.events.c", {"do": "carry out", **about}, after, done=1)


def resolved(before: Parts, player: str, province: int, card: str, refill: str) -> Change:
    """Events Phase C: an Event that has been resolved is discarded; a refill comes after that."""
    rule = "l5r.ruling.event-discarded"
    change = Change(before).put(f"{player}.provinces.{province}", {f"{card} new": 1}, rule, -1)
    change.then(rule, done=1).put(f"{player}.discard", {card: 1}, rule)
    return refilled(change, player, province, refill, "new")


# -- the attack ------------------------------------------------------------------------------------


def declared(before: Parts, attacker: str, defender: str, optional: bool) -> Change:
    """A player declares an attack on another."""
    rule = "l5r.attack.declare"
    change = Change(before).set("at", "before attack phase", "l5r.attack.sequence")
    return change.set("attack", {"attacker": attacker, "defender": defender, "optional": optional}, rule)


def created(before: Parts, attacker: str, defender: str) -> Change:
    """An effect creates an Attack Phase; what was going on is interrupted, and goes on afterwards as it was."""
    change = declared(before, attacker, defender, False).then("l5r.attack.effect", done=1)
    rule = "l5r.ruling.created-attack"
    outer = {name: before[name] for name in ("at", "round", "attack", "second") if before[name] not in (None, False)}
    change.set("interrupted", (*before["interrupted"], outer), rule)
    return change.set("round", None, rule).set("second", False, rule)


def barred(before: Parts) -> Change:
    """Nothing comes of an attack by a player who may not declare one."""
    return Change(before).then("l5r.attack.barred", done=1)


def over(before: Parts) -> Change:
    """An Attack Phase that an effect created is over: what it interrupted goes on as it was."""
    *outer, back = before["interrupted"]
    change = Change(before).set("interrupted", tuple(outer), "l5r.ruling.created-attack")
    for name, otherwise in (("at", ""), ("round", None), ("attack", None), ("second", False)):
        change.set(name, back.get(name, otherwise), "l5r.ruling.created-attack")
    return change


def passes_to(before: Parts, moment: str, rule: str) -> Change:
    """Nothing is left to do: time goes on."""
    return Change(before).set("at", moment, rule).set("round", None, rule).set("second", False, rule)


def battlefields(before: Parts, n: int) -> Change:
    """Declaration Segment B: a battlefield at each Province of the Defender."""
    change = passes_to(before, "after declaration segment", "l5r.attack.sequence")
    return change.set(
        "attack", {**before["attack"], "fields": tuple({"province": i} for i in range(n))}, "l5r.attack.battlefields"
    )


def engaged(before: Parts, field: int) -> Change:
    """A battle begins at the battlefield that the Attacker has chosen."""
    change = passes_to(before, "before battle", "l5r.seq.engaging")
    return change.set("attack", {**before["attack"], "at": field}, "l5r.attack.choose")


def fought(before: Parts, field: int) -> Change:
    """All have passed: the battle has ended, and is not fought again."""
    fields = tuple(
        {**each, "fought": True} if i == field else each for i, each in enumerate(before["attack"]["fields"])
    )
    attack = {name: value for name, value in before["attack"].items() if name != "at"}
    change = passes_to(before, "after combat segment", "l5r.action.end")
    return change.set("attack", {**attack, "fields": fields}, "l5r.attack.once")


def no_battle_left(before: Parts) -> Change:
    """Battles have ended at all battlefields."""
    return passes_to(before, "after attack phase", "l5r.attack.ends").set("attack", None, "l5r.ruling.home-again")


# -- the end of a turn, and of the game ------------------------------------------------------------


def end_draw(before: Parts, player: str) -> Change:
    """End Phase A: one card, and what effects add or take away; then step B."""
    n = before[f"{player}.more"] + 1
    change = draws(before, player, pick(n > 0, n, 0), "l5r.end.modifiers")
    *below, draw = change.value("stack")
    change.set("stack", (*below, {**draw, "rule": "l5r.end.draw"}), "l5r.end.modifiers")
    return change.set("second", True, "l5r.end.steps")


def leaves(change: Change, player: str) -> Change:
    """A player who has lost is out, and nothing of that player's waits any longer."""
    agenda = tuple(each for each in change.value("agenda") if each["owner"] != player)
    return change.set(f"{player}.out", True, "l5r.param.dishonor").set("agenda", agenda, "l5r.ruling.lost")


def alone(before: Parts, player: str, left: str) -> Change:
    """A player has lost and one is left, who wins."""
    change = won(before, left, "l5r.param.dishonor").set("second", False, "l5r.over")
    return leaves(change, player)


def sooner(trigger: Step) -> Step:
    """A trigger that waits for turns of the player whose turn begins waits for one turn less."""
    turns = trigger["effect"]["turns"]
    return {**trigger, "effect": {**trigger["effect"], "turns": pick(turns > 0, turns - 1, turns)}}


def next_turn(before: Parts, seat: int, player: str, abilities: int) -> Change:
    """The next player takes a turn; what may be used once a turn may be used again, by all of three players."""
    rule = "l5r.turn.next"
    change = passes_to(before, "before turn", rule).set("active", seat, rule)
    change.set("turn", before["turn"] + 1, rule)
    change.set(f"{player}.turns", before[f"{player}.turns"] + 1, rule)
    agenda = tuple(sooner(each) if each.get("turn_of") == player else each for each in before["agenda"])
    change.set("agenda", agenda, "l5r.turn.unit")
    for p, i in product("ABC", range(abilities)):
        change.set(f"{p}.used.{i}", False, "l5r.ability.once")
    return change
