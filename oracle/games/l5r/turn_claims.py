"""That the Attack Phase, the End Phase, the end of a turn and of the game go as the theory says."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from oracle.game import Action
from oracle.games.l5r import calendar, theory_effects
from oracle.games.l5r.effect_claims import SCOPE, act, any_scene, claim, does
from oracle.games.l5r.scene import FATE, PLAYERS, Among, any_round, position, seen
from oracle.games.l5r.state import Ability, Attack, Field, Laid, State, Step, Waits
from oracle.games.l5r.theory_effects import Change
from oracle.proof.claims import Claim, Part
from oracle.proof.laws import Laws
from oracle.proof.lift import Modules, lift
from oracle.proof.symbols import SymBool, SymInt
from oracle.proof.terms import Bool, both, count, either, no, pick, total, truth
from oracle.timing import Trigger

# -- the attack ---------------------------------------------------------------------------------


def attacks(code: Modules, law: Laws) -> Iterator[Claim]:
    """An Attack Phase from its declaration to its end."""
    view, parts = any_scene(), list[Part]()
    flow, effects = code.code.flow, code.code.effects
    barred = Among(view.barred)
    before = position(view, code.code, at=calendar.AFTER_ACTION, barred=barred)
    change = theory_effects.declared(seen(before), "A", "B", True)
    parts.append(act(code, law, before, Action("attack", ("B",)), change))
    for at, second in ((calendar.ACTION, False), (calendar.DYNASTY, True), (calendar.COMBAT, False)):
        step = Step("create attack", "B", "A")
        round = any_round(view, code.code) if at != calendar.DYNASTY else None
        running = Attack("A", "C", fields=(Field(0),), at=0) if at == calendar.COMBAT else None
        about: dict[str, Any] = {"at": at, "second": second, "attack": running, "round": round, "barred": barred}
        before = position(view, code.code, stack=(step,), **about)
        kept = theory_effects.barred(seen(before)).relation
        made = theory_effects.created(seen(before), "B", "A").relation

        def goal(after: State, kept: Any = kept, made: Any = made) -> Bool:
            said = seen(after)
            return pick(view.barred["B"], kept(law, said), made(law, said))

        lifted = lift(partial(effects.STEPS["create attack"], before, step, []))
        parts.append(Part(lifted.always(goal), cases=(view.barred["B"], no(view.barred["B"]))))
        begun_ = Attack("B", "A", False, (Field(0),))
        interrupted = effects.Interrupted(at, round, running, second)
        ending = position(
            view, code.code, at=calendar.AFTER_ATTACK, attack=begun_, interrupted=(interrupted,), barred=barred
        )
        after = theory_effects.over(seen(ending))
        parts.append(does(law, ending, partial(flow.pass_time, ending, []), after))
    yield claim(
        "attack",
        "an attack is declared on another player; one that an effect creates interrupts, and after it all goes on",
        ("l5r.attack.declare", "l5r.attack.effect", "l5r.attack.barred", "l5r.ruling.created-attack"),
        law,
        parts,
        f"attacks of one player on another, in the Action Phase, the Dynasty Phase and a battle; {SCOPE}",
    )
    yield _battles(code, law)


FIELDS = 3
FOUGHT = tuple(truth(f"fought.{i}") for i in range(FIELDS))


def _battles(code: Modules, law: Laws) -> Claim:
    """Battlefields, and the battles one after the other."""
    view, parts = any_scene(), list[Part]()
    flow = code.code.flow
    fields = tuple(Field(i, fought=SymBool(fought)) for i, fought in enumerate(FOUGHT))  # type: ignore[arg-type]
    for n in range(5):
        seat = {"provinces": ((Laid("Farm"),),) * n}
        before = position(view, code.code, None, seat, at=calendar.DECLARATION, attack=Attack("B", "A"))
        change = theory_effects.battlefields(seen(before), n)
        parts.append(does(law, before, partial(flow.TIMES[calendar.DECLARATION], before, []), change))
    for i in range(FIELDS):
        for at in (calendar.AFTER_CAVALRY, calendar.AFTER_BATTLE):
            before = position(view, code.code, at=at, attack=Attack("A", "B", fields=fields))
            change = theory_effects.engaged(seen(before), i)
            parts.append(act(code, law, before, Action("fight at", (str(i + 1),)), change, no(FOUGHT[i])))
        round = any_round(view, code.code)
        before = position(
            view, code.code, at=calendar.COMBAT, attack=Attack("A", "B", fields=fields, at=i), round=round
        )
        change = theory_effects.fought(seen(before), i)

        def ends(after: State | None, change: Change = change) -> Bool:
            if after is None:
                return no(view.round.ended(law))
            return both(view.round.ended(law), change.relation(law, seen(after)))

        parts.append(Part(lift(partial(flow.TIMES[calendar.COMBAT], before, [])).always(ends)))
    left = law("l5r.attack.ends", either(*map(no, FOUGHT)))
    for at in (calendar.AFTER_CAVALRY, calendar.AFTER_BATTLE):
        before = position(view, code.code, at=at, attack=Attack("A", "B", fields=fields))
        change = theory_effects.no_battle_left(seen(before))

        def goes_on(after: State | None, change: Change = change) -> Bool:
            return left if after is None else both(no(left), change.relation(law, seen(after)))

        parts.append(Part(lift(partial(flow.TIMES[at], before, [])).always(goes_on), cases=(left, no(left))))
    return claim(
        "battles",
        "a battlefield at each Province; a battle ends when all have passed; the phase, when all battles have",
        ("l5r.attack.battlefields", "l5r.attack.choose", "l5r.attack.once", "l5r.attack.ends", "l5r.action.end"),
        law,
        parts,
        f"up to four Provinces, three battlefields; combats of any number of players; {SCOPE}",
    )


# -- time -----------------------------------------------------------------------------------------


def time(code: Modules, law: Laws) -> Iterator[Claim]:
    """The End Phase, the end of the game, and the next turn."""
    view, parts = any_scene(), list[Part]()
    flow = code.code.flow
    held = total(view.zones["A.hand"].values())
    most = view.numbers["A.most"]
    before = position(view, code.code, at=calendar.END)
    change = theory_effects.end_draw(seen(before), "A")
    parts.append(does(law, before, partial(flow.TIMES[calendar.END], before, []), change))
    before = position(view, code.code, at=calendar.END, second=True)
    change = theory_effects.passes_to(seen(before), "after end phase", "l5r.end.steps")
    above = law("l5r.end.maximum", held > most)

    def discards(after: State | None, change: Change = change) -> Bool:
        return above if after is None else both(no(above), change.relation(law, seen(after)))

    parts.append(Part(lift(partial(flow.TIMES[calendar.END], before, [])).always(discards), cases=(above, no(above))))
    for card in FATE:
        change = theory_effects.hand_discarded(seen(before), "A", card)
        parts.append(act(code, law, before, Action("discard", (card,)), change, view.zones["A.hand"][card] >= 1))
    yield claim(
        "end-phase",
        "one card is drawn and as many more or fewer as effects say; the phase ends once the hand is not too large",
        ("l5r.end.draw", "l5r.end.modifiers", "l5r.end.maximum", "l5r.end.discard"),
        law,
        parts,
    )
    yield _ends(code, law)


def _ends(code: Modules, law: Laws) -> Claim:
    """The end of the game, and of a turn."""
    view, parts = any_scene(), list[Part]()
    flow = code.code.flow
    before = position(view, code.code, at=calendar.BEFORE_TURN, stack=(Step("each", "A"),), happened=("Scout",))
    wins = law("l5r.param.honor", view.numbers["A.honor"] >= view.win["honor"])
    kept = theory_effects.passes_to(seen(before), "before straighten phase", "l5r.turn.sequence")
    over = theory_effects.won(seen(before), "A", "l5r.param.honor")

    def begins(after: State) -> Bool:
        said = seen(after)
        return pick(wins, over.relation(law, said), kept.relation(law, said))

    parts.append(Part(lift(partial(flow.pass_time, before, [])).always(begins), cases=(wins, no(wins))))
    parts.append(
        does(
            law,
            before,
            partial(code.code.losing.win, before, "A", "l5r.over", []),
            theory_effects.won(seen(before), "A", "l5r.over"),
        )
    )
    out = {p: SymBool(view.out[p]) for p in "BC"}
    agenda = tuple(Trigger(p, calendar.BEFORE_TURN, p, Waits()) for p in PLAYERS)
    before = position(view, code.code, at=calendar.AFTER_END, agenda=agenda)
    for p, gone in out.items():
        before = before.with_seat(p, out=gone)
    loses = law("l5r.param.dishonor", view.numbers["A.honor"] <= view.win["dishonor"])
    parts_before = seen(before)
    on = theory_effects.passes_to(parts_before, "after turn", "l5r.turn.end")
    lost = theory_effects.leaves(theory_effects.passes_to(parts_before, "after turn", "l5r.ruling.lost"), "A")
    alone = {p: theory_effects.alone(parts_before, "A", p) for p in "BC"}

    def ends(after: State) -> Bool:
        said = seen(after)
        left = pick(view.out["B"], alone["C"].relation(law, said), alone["B"].relation(law, said))
        one = either(view.out["B"], view.out["C"])
        return pick(loses, pick(one, left, lost.relation(law, said)), on.relation(law, said))

    some_left = no(both(view.out["B"], view.out["C"]))
    parts.append(Part(lift(partial(flow.pass_time, before, [])).always(ends), some_left, cases=(loses, no(loses))))
    abilities = {p: Ability("Scout", "Open", used=SymBool(truth(f"{p}.used"))) for p in PLAYERS}  # type: ignore[arg-type]
    turns = [count(f"turns.{p}") for p in "BC"]
    agenda = tuple(
        Trigger(p, calendar.BEFORE_TURN, p, Waits(turns=SymInt(n)), p)  # type: ignore[arg-type]
        for p, n in zip("BC", turns, strict=True)
    )
    before = position(view, code.code, at=calendar.AFTER_TURN, agenda=agenda)
    for p, ability in abilities.items():
        before = before.with_seat(p, abilities=(ability,))
    for p, gone in out.items():
        before = before.with_seat(p, out=gone)
    parts_before = seen(before)
    following = {p: theory_effects.next_turn(parts_before, i, p, 1) for i, p in ((1, "B"), (2, "C"))}

    def follows(after: State) -> Bool:
        said = seen(after)
        return pick(view.out["B"], following["C"].relation(law, said), following["B"].relation(law, said))

    parts.append(
        Part(
            lift(partial(flow.pass_time, before, [])).always(follows),
            both(some_left, *(n >= 0 for n in turns)),
            cases=(view.out["B"],),
        )
    )
    return claim(
        "turn",
        "Honor wins when a turn begins, and loses when it ends; the last one left wins; then the next player's turn",
        ("l5r.over", "l5r.param.honor", "l5r.param.dishonor", "l5r.turn.next"),
        law,
        parts,
        f"{SCOPE}; any levels of Honor",
    )


def claims(code: Modules, law: Laws) -> Iterator[Claim]:
    """The claims about attacks and about time."""
    yield from attacks(code, law)
    yield from time(code, law)
