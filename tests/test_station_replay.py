"""A rule altered in the station's code refutes a claim, on a position that is kept as a case for the rule."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from oracle import games
from oracle.casebook import case as casebook
from oracle.casebook.runner import run
from oracle.games.station import GAME, effect_claims
from oracle.games.station.reading_list import READINGS
from oracle.proof import save
from oracle.proof.claims import decide
from oracle.proof.laws import Laws
from oracle.proof.lift import source_of
from oracle.proof.readings import RULE, failing
from oracle.proof.report import Report

pytest.importorskip("z3")

ROOM_ASKED = 'return docked < DOCK\n\n\n@rule("stn.8.install"'
ASKED_WHO = 'yield _reason(rules.own_turn, f"it is {mover}\'s turn", place, now)\n    if 0 <= place != now:'
PASSED = 'Event("passed", state.mover.name))\n'

ALTERED = {
    "guard.turn": ("verdicts", ASKED_WHO, "if False:"),
    "guard.acquire": ("rules", "return taken <= 3", "return taken <= 2"),
    "guard.purchase": ("rules", "return sum(values) >= cost", "return sum(values) > cost"),
    "guard.install": ("rules", "return known and not occupied", "return known"),
    "guard.stow": ("rules", ROOM_ASKED, ROOM_ASKED.replace("docked < DOCK", "True")),
    "guard.exchange": ("rules", "return node != core", "return True"),
    "guard.take": ("rules", "return value <= REWARD", "return value < REWARD"),
    "guard.chance": ("rules", "return dealt == (missing", "return dealt <= (missing"),
    "guard.pass promise.pass.no-acquire": ("rules", "return displayed == 0", "return displayed <= 1"),
    "guard.pass.purchase promise.some-action": ("rules", "return total < cost or", "return total + 1 < cost or"),
    "promise.pass.no-purchase": ("rules", "return total < cost or", "return total <= cost or"),
    "guard.pass.reconfigure promise.pass.no-reconfigure": ("rules", "or after > DOCK", "or after >= DOCK"),
    "effect.acquire": ("effects", "hand=add(state.mover.hand, cards)", "hand=state.mover.hand"),
    "effect.purchase": ("effects", "counter=mover.counter + 1", "counter=mover.counter + 2"),
    "effect.install": ("effects", "remove(mover.scored, (module,)) if scored", "mover.scored if scored"),
    "effect.stow": ("effects", '"scored": add(seat.scored, (module,))', '"scored": seat.scored'),
    "effect.exchange": ("effects", "**_into_dock(state.mover, leaving)", "**_into_dock(state.mover, module)"),
    "effect.pass": ("effects", PASSED, f"{PASSED}    state = state.with_mover(counter=state.mover.counter + 1)\n"),
}
"""For the claims that can be replayed, and that speak of the code, a change of the code that they notice."""


@pytest.mark.parametrize("ids", ALTERED)
def test_a_refuted_claim_is_kept_as_a_case(ids: str, tmp_path: Path) -> None:
    """The case fails where the rule is altered, and passes where it is not."""
    module, old, new = ALTERED[ids]
    name = f"oracle.games.station.{module}"
    source = source_of(name)
    assert old in source
    edits = {name: ast.parse(source.replace(old, new, 1))}
    room = GAME.room("claims")
    build, wanted = room.guards if module != "effects" else effect_claims.actions, ids.split()
    claims = [claim for claim in build(room.modules(edits=edits), Laws()) if claim.id in wanted]
    assert len(claims) == len(wanted)
    proofs = tuple(decide(claim, second=False) for claim in claims)
    assert all(proof.outcome == "refuted" and proof.counterexample for proof in proofs), proofs
    book = casebook.load(save(tmp_path, GAME, Report("station", proofs, 0.0)), games.load)
    assert [result.outcome for result in run(book)] == ["pass"] * len(wanted), proofs
    assert set(failing(GAME.room("readings").variant(RULE, edits), book.cases)) == {case.id for case in book.cases}


BROKEN = {
    "no-limit": "promise.acquire",
    "reward-of-any-value": "promise.reward",
    "core-may-move": "promise.core",
    "docking-takes-renown-back": "promise.renown",
}
"""Readings whose theory breaks a promise that the game keeps."""


@pytest.mark.parametrize("id_", BROKEN)
def test_a_promise_that_a_reading_breaks_is_kept_as_a_case(id_: str, tmp_path: Path) -> None:
    """The case passes on the game, which keeps the promise, and fails where the reading is followed."""
    reading = next(reading for reading in READINGS if reading.id == id_)
    room = GAME.room("claims")
    claim = next(c for c in room.claims(room.modules(), Laws(reading.laws)) if c.id == BROKEN[id_])
    proof = decide(claim, second=False)
    assert (proof.outcome, proof.counterexample is not None) == ("refuted", True), proof
    book = casebook.load(save(tmp_path, GAME, Report("station", (proof,), 0.0)), games.load)
    assert [result.outcome for result in run(book)] == ["pass"], proof
    assert len(list(failing(GAME.room("readings").variant(reading), book.cases))) == 1
