"""L5R's proofs: what is not lifted keeps to the text on drawn states, and a wrong theory is refuted by a position."""

from __future__ import annotations

import ast
import os
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

pytest.importorskip("z3")

from oracle import games
from oracle.casebook import case as casebook
from oracle.casebook.runner import run
from oracle.game import Decision
from oracle.games.l5r import GAME, State, claims, clauses, flow, guard_claims, theory, third
from oracle.games.l5r.calendar import ACTION, CAVALRY_SEGMENT, EVENTS, INFANTRY, MANEUVERS, STRAIGHTEN
from oracle.games.l5r.cards import HARVESTERS, NOTHING
from oracle.games.l5r.effects import STEPS, apply, offer
from oracle.games.l5r.losing import return_home
from oracle.games.l5r.state import Attack, Field, Piece, Step, begun
from oracle.proof import save
from oracle.proof.claims import decide
from oracle.proof.laws import Laws
from oracle.proof.lift import source_of
from oracle.proof.report import Report
from oracle.proof.terms import TRUE

STATES = min(int(os.environ.get("ORACLE_POSITIONS", "400")), 10_000)
"""How many states what is not lifted is tried on: 10,000 in the full profile."""


def _played(rng: random.Random) -> State:
    state = GAME.position(GAME.sample_position(rng.randrange), "EE")
    for _ in range(rng.randrange(5)):
        decision = GAME.decision(state)
        if decision is None:
            break
        state, _ = GAME.play(state, _some(decision, rng))
    return state


def _some(decision: Decision, rng: random.Random) -> Any:
    """A legal action: seldom the first one, which is often a pass."""
    n = len(decision.legal)
    return decision.legal[1 + rng.randrange(n - 1) if n > 1 and rng.randrange(6) else rng.randrange(n)]


@pytest.fixture(scope="module")
def states() -> list[State]:
    """Drawn positions and what a few random actions make of them."""
    rng = random.Random(11)
    return [_played(rng) for _ in range(STATES)]


# -- theory and claims -----------------------------------------------------------------------------


def test_every_clause_of_the_guards_has_a_twin_written_apart() -> None:
    """What a clause is to say by itself imports nothing of the game but its theory; only decks have no twin."""
    for node in ast.walk(ast.parse(source_of("oracle.games.l5r.clauses"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("oracle.games"):
            assert node.module == "oracle.games.l5r.theory"
    names = {name for found in GAME.guards.values() for name in found}
    assert names - clauses.CLAUSES.keys() == {"may_come"}
    assert clauses.CLAUSES.keys() <= names


def test_claims_are_about_rules_of_the_rulebook() -> None:
    """A claim names rules that the rulebook has; a clause, or an effect of a card, is no rule of the text."""
    for claim in claims.claims(claims.modules(), Laws()):
        about = [rule for rule in claim.about if not rule.startswith(("clause.", "effect."))]
        assert [rule for rule in about if rule not in GAME.rulebook] == []
        assert claim.scope


WRONG = (
    ("guard.use", "l5r.action.limited", "l5r.action.limited"),
    ("guard.use", "l5r.ability.once", "l5r.ability.once"),
    ("guard.attack", "l5r.attack.barred", "l5r.attack.barred"),
    ("guard.bring", "l5r.dynasty.no-more", "l5r.dynasty.no-more"),
    ("guard.fight-at", "l5r.attack.once", "l5r.attack.once"),
    ("guard.assign", "l5r.attack.any", "l5r.attack.home"),
)
"""A claim, the rule that is left out of the theory, and the rule by which the game then refuses an action."""


@pytest.mark.parametrize(("id_", "rule", "named"), WRONG)
def test_a_wrong_theory_is_refuted_with_a_position_that_becomes_a_case(
    id_: str, rule: str, named: str, tmp_path: Path
) -> None:
    """Where a clause is left out of the theory, the game says otherwise in a small position, and fails its case."""
    law = Laws({rule: lambda says: TRUE})
    claim = next(claim for claim in guard_claims.claims(claims.modules(), law) if claim.id == id_)
    proof = decide(claim, second=False)
    assert proof.outcome == "refuted"
    assert named in proof.note
    files = save(tmp_path, GAME, Report("l5r", (proof,), 0.0))
    results = list(run(casebook.load(files, games.load)))
    assert [result.outcome for result in results] == ["fail"], [result.describe() for result in results]


# -- what is not lifted ----------------------------------------------------------------------------


def cards(state: State) -> Counter[str]:
    """Every card wherever it is; each is somewhere only once."""
    out: Counter[str] = Counter()
    for seat in state.seats:
        out.update(card.name for province in seat.provinces for card in province)
        out.update(piece.name for piece in state.in_play(seat.name))
        out.update((*seat.hand, *seat.discard))
        out.update(card for deck in (seat.fate, seat.dynasty) for layer in deck for card in layer)
    return out


def test_play_goes_on_until_somebody_must_choose(states: list[State]) -> None:
    """`flow.run` stops where there is a choice, as the theory sees it, and nowhere else; no card is lost or made."""
    rng, asked = random.Random(3), Counter[int]()
    for before in states:
        decision = GAME.decision(before)
        if decision is None:
            continue
        state, events = GAME.play(before, _some(decision, rng))
        assert cards(state) == cards(before)
        after = GAME.decision(state)
        assert (after is None) == state.over
        if after is None:
            assert "won" in [event.event for event in events]
            continue
        time = third.time_of(state)
        asked[time] += 1
        assert time >= 0, state.at
        assert (after.player is None) == (time in (theory.DRAW, theory.FILL, theory.FIRST))
        if time in (theory.ORDER, theory.DRAW, theory.FILL, theory.FIRST):
            assert len(after.legal) > 1
        if time == theory.EVENTS:
            # Of two cards of one name one may lie face-up: they are not alike, though they are called alike.
            assert any(len({card for card in laid if not card.mark}) > 1 for laid in state.mover.provinces)
        if time == theory.END:
            assert len(state.mover.hand) > state.mover.most
        if time in (theory.INFANTRY, theory.CAVALRY):
            assert len(after.legal) > 1
        if time in theory.ROUNDS:
            now = state.stack[-1].round if state.stack else state.round
            assert now is not None
            assert now.passes < len(now.order)
    assert sum(asked.values()) > STATES / 2
    assert len(asked) > 8


def test_the_active_player_straightens_everything(states: list[State]) -> None:
    """All own cards but Bamboo Harvesters before their second turn; nobody else's, and nothing else changes."""
    straightened = 0
    for state in states:
        before = replace(state, at=STRAIGHTEN, stack=(), pending=(), happened=())
        after = flow.TIMES[STRAIGHTEN](before, [])
        assert after is not None
        for old, new in zip(before.seats, after.seats, strict=True):
            mine = old is before.mover
            for was, now in ((old.home, new.home), (old.play, new.play)):
                stays = [p for p in was if not mine or (p.name == HARVESTERS and old.turns < 2)]
                assert now == tuple(sorted([*stays, *(Piece(p.name) for p in was if p not in stays)]))
                straightened += now != was
            assert replace(new, home=old.home, play=old.play) == old
    assert straightened > STATES / 20


def test_the_leftmost_card_is_dealt_with(states: list[State]) -> None:
    """Provinces from the left, all cards of one before the next; a card that refilled face-up comes at once."""
    dealt = 0
    for state in states:
        before = replace(state, at=EVENTS, stack=(), pending=(), happened=())
        after = flow.TIMES[EVENTS](before, [])
        marks = [[card.mark for card in province] for province in before.mover.provinces]
        i = next((i for i, words in enumerate(marks) if "new" in words or "" in words), -1)
        if i < 0:
            assert after is not None
            assert after.at != EVENTS
            continue
        left = {card for card in before.mover.provinces[i] if card.mark == ""}
        if "new" not in marks[i] and len(left) > 1:
            assert after is None
            continue
        dealt += 1
        assert after is not None
        step = next(step for step in after.stack if step.do == "deal on")
        assert (step.player, step.n) == (before.mover.name, i)
        (card,) = [card for card in after.mover.provinces[i] if card.mark == "new"][:1]
        assert (step.name, card.up) == (card.name, True)
        for j, (old, new) in enumerate(zip(before.mover.provinces, after.mover.provinces, strict=True)):
            assert j == i or old == new
    assert dealt > STATES / 20


def _units(state: State, player: str) -> Counter[str]:
    return Counter(piece.name for piece in (*state[player].home, *_sent(state.attack, player)))


def _sent(attack: Attack | None, player: str) -> list[Piece]:
    fields: tuple[Field, ...] = (attack.fields or ()) if attack else ()
    assert attack is not None
    return [p for f in fields for p in (f.attacking if player == attack.attacker else f.defending)]


def test_units_go_where_they_are_sent(states: list[State]) -> None:
    """An assignment takes units from home to the battlefields named; a side without a unit to send is not asked."""
    rng, sent = random.Random(5), 0
    for state in states:
        if state.at not in MANEUVERS or state.attack is None or state.stack or state.waiting():
            continue
        side = state.attack.assigning
        able = [p for p in state[side].home if not p.bowed]
        if state.at == CAVALRY_SEGMENT:
            able = [p for p in able if state.table.cavalry(p.name)]
        waits = flow.TIMES[state.at](state, []) is None
        assert waits == bool(able and state.attack.fields)
        decision = GAME.decision(state)
        if not waits or decision is None:
            continue
        action = _some(decision, rng)
        after = flow.ACTIONS["assign"](state, action, [])
        assert after.attack is not None
        assert _units(after, side) == _units(state, side)
        assert Counter(state[side].home) - Counter(after[side].home) == Counter(
            Piece(each.rpartition(" to ")[0]) for each in action.items
        )
        assert after.attack.assigned == state.attack.assigned + 1
        for old, new in zip(state.attack.fields or (), after.attack.fields or (), strict=True):
            here = [each.rpartition(" to ")[0] for each in action.items if each.endswith(f" to {old.province + 1}")]
            added = {"attacking": new.attacking, "defending": new.defending}
            word = "attacking" if side == state.attack.attacker else "defending"
            assert Counter(added[word]) - Counter(getattr(old, word)) == Counter(map(Piece, here))
        sent += bool(action.items)
        for moment in (INFANTRY, CAVALRY_SEGMENT):
            home = return_home(replace(after, at=moment), after.attack)
            assert sorted(home[side].home) == sorted([*after[side].home, *_sent(after.attack, side)])
    assert sent > STATES / 100


def test_the_first_card_of_a_name_is_turned(states: list[State]) -> None:
    """An effect bows or straightens one card: of its player, else of the next one who has it in play."""
    turned = 0
    for state in states:
        for name, bowed in (("Shiba", True), ("Farm", True), ("Moto", False)):
            if state.over or state.mover.out:
                continue
            effect = replace(NOTHING, **{"bow" if bowed else "straighten": name})
            after = apply(state, state.mover.name, effect, [])
            owners = [p for p in state.order() if any(card.name == name for card in state.in_play(p))]
            changed = [p for p in state.order() if Counter(after.in_play(p)) != Counter(state.in_play(p))]
            was = Piece(name, not bowed)
            there = owners[:1] if owners and was in state.in_play(owners[0]) else []
            assert changed == there
            for player in changed:
                one = Counter(state.in_play(player)) - Counter(after.in_play(player))
                assert (one, Counter(after.in_play(player)) - Counter(state.in_play(player))) == (
                    Counter([was]),
                    Counter([Piece(name, bowed)]),
                )
                turned += 1
    assert turned > STATES / 20


def test_reactions_are_asked_for_where_there_are_some(states: list[State]) -> None:
    """A round of Reactions begins, with the active player, exactly if the theory lets somebody use one in it."""
    asked = 0
    for state in states:
        if state.over or state.mover.out:
            continue
        for names, cancelling in ((("Scout",), False), (("Dawn",), False), (("Scout",), True), (("reveal",), False)):
            idle = replace(state, stack=())
            after = offer(idle, names, cancelling)
            round = begun(replace(idle, at=ACTION)) if not after.stack else after.stack[-1].round
            assert round is not None
            able = []
            for i, player in enumerate(round.order):
                step = Step("reactions", names=names, cancelling=cancelling, round=replace(round, turn=i))
                there = replace(idle, stack=(step,))
                actions = [GAME.action("use", ability.name) for ability in state[player].abilities]
                able += third.legal(there, player, actions)
            assert bool(after.stack) == any(able)
            assert not after.stack or round.order[0] == state.mover.name
            asked += bool(after.stack)
    assert asked > STATES / 100


def test_whoever_goes_first_has_no_harvesters() -> None:
    """All have a Stronghold and a Border Keep; the others a bowed Bamboo Harvesters; Provinces and hands come then."""
    rng = random.Random(1)
    for _ in range(STATES // 4):
        setup = GAME.sample_setup(rng.randrange)
        state = GAME.start(setup, "EE")
        if state.stack and state.stack[-1].do == "first":
            tied = state.stack[-1].names
            assert set(tied) == {s.name for s in state.seats if s.honor == max(t.honor for t in state.seats)}
            state = flow.ACTIONS["first"](state, GAME.action("first", tied[0]), [])
        for seat in state.seats:
            others = [] if seat is state.mover else [Piece(HARVESTERS, True)]
            assert sorted(seat.play) == sorted([Piece("Stronghold"), Piece("Border Keep"), *others])
        steps = [(step.do, step.player) for step in reversed(state.stack)]
        order = state.order()
        fills = [("fill", player) for player in order for _ in range(4)]
        whole = [*fills, *(("draw", player) for player in order)]
        assert steps == whole[len(whole) - len(steps) :]
    assert set(STEPS) >= {"first", "fill", "draw"}
