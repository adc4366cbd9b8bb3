"""Readings: other ways to understand a rule, and the smallest position in which two of them differ.

Where two readings change only what is allowed, a solver says whether they ever differ; otherwise, and
to find the smallest position, both games are played side by side through positions of growing size.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from oracle.errors import BadInput
from oracle.game import Action, Decision, Game, Verdict

Kind = Literal["rule", "misreading", "edition", "open", "order"]
"""What a reading is: the same in other words, wrong by the text, of another edition, or one that the text leaves open;
`order` for what the text leaves open of the order of moments, which is asked together."""
Changes = Mapping[str, Callable[[Any], Any]]


class Reading(Struct, frozen=True, kw_only=True):
    """A named way to read the rules.

    `change` makes the loaded modules of the game follow it; `laws` is its twin in the theory, by rule id
    (None: the twin is not said). `cards`, `numbers` and `supply` are what positions are made of in which it shows.
    """

    id: str
    says: str
    rules: tuple[str, ...]
    kind: Kind = "misreading"
    change: Callable[[Any], None] = lambda code: None
    laws: Changes | None = None
    cards: tuple[str, ...] = ()
    numbers: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    question: str = ""


RULE = Reading(id="rule", says="the rules as this oracle reads them", rules=(), kind="rule", laws={})


class Verdicts(Struct, frozen=True):
    """What two readings say after a play: each one's answer in words, and the first one's as the step of a case."""

    given: dict[str, Any]
    play: tuple[str, ...]
    what: str
    one: str
    other: str
    step: dict[str, Any]


class Difference(Struct, frozen=True):
    """How two readings relate: `harmless` (proved equivalent), `differ` (with the smallest position) or `unknown`."""

    game: str
    one: Reading
    other: Reading
    outcome: Literal["harmless", "differ", "unknown"]
    found: Verdicts | None = None
    edition: str = ""
    note: str = ""
    searched: int = 0

    @property
    def question(self) -> str:
        """What to ask the author of the rules."""
        either = f"Which is right: {self.one.says}, or {self.other.says}?"
        plain = f"Is it right that {self.other.says}?" if self.one.id == RULE.id else either
        return self.other.question or self.one.question or plain


def named(game: Game[Any], id: str) -> Reading:
    """The game's reading of that id. Raises `BadInput`."""
    known: dict[str, Reading] = {RULE.id: RULE, **{reading.id: reading for reading in game.room("readings").READINGS}}
    if id not in known:
        raise BadInput(f"{game.name} has no reading {id!r}", fix=f"one of: {', '.join(known)}")
    return known[id]


def difference(game: Game[Any], one: Reading, other: Reading) -> Difference:
    """The smallest position in which two readings differ, not leaning on a third that is open."""
    room = game.room("readings")
    guards_only = room.GUARDS_ONLY
    if one.laws is not None and other.laws is not None and {one.id, other.id} <= {RULE.id, *guards_only}:
        differ = room.forks(one.laws, other.laws)
        if differ == "unsat":
            note = "every action is legal under both or under neither, in all positions"
            return Difference(game.name, one, other, "harmless", note=note)
        if differ == "unknown":
            return Difference(game.name, one, other, "unknown", note="the solver's budget does not suffice")
    games = [room.variant(reading) if reading is not RULE else game for reading in (one, other)]
    open_ = [r for r in room.READINGS if r.kind == "open" and r.id not in (one.id, other.id)]
    others = [_third(room, reading) for reading in open_]
    tried = 0
    for given in room.positions(one, other):
        tried += 1
        found = apart(games[0], games[1], given, game.editions[0])
        if found and not any(_leans(game, room, third, found) for third in others):
            return Difference(game.name, one, other, "differ", found, game.editions[0], searched=tried)
    return Difference(
        game.name, one, other, "unknown", note=f"no difference in {tried} small positions", searched=tried
    )


_THIRDS: dict[tuple[str, str], Game[Any]] = {}


def _third(room: Any, reading: Reading) -> Game[Any]:
    """The game as an open reading has it, which every difference is held against."""
    key = (room.__name__, reading.id)
    if key not in _THIRDS:
        _THIRDS[key] = room.variant(reading)
    return _THIRDS[key]


def _leans(game: Game[Any], room: Any, third: Game[Any], found: Verdicts) -> bool:
    """Whether what was found hangs on a third reading as well: by default, whether that differs there in anything."""
    if hasattr(room, "leans"):
        return bool(room.leans(third, found, game.editions[0]))
    return apart(game, third, found.given, game.editions[0]) is not None


def asked_otherwise(game: Game[Any], third: Game[Any], found: Verdicts, edition: str) -> bool:
    """Whether a third reading answers the question that was found otherwise than the game itself does."""
    here, there = game.position(found.given, edition), third.position(found.given, edition)
    for text in found.play:
        action, decision, against = game.read(text), game.decision(here), third.decision(there)
        if decision is None or against is None or action not in decision.legal or action not in against.legal:
            return True
        here, there = game.play(here, action)[0], third.play(there, action)[0]
    asked = re.fullmatch(r"may (\S+) (.*)\?", found.what)
    if asked is None:
        return game.observe(here) != third.observe(there) or game.outcome(here) != third.outcome(there)
    player, action = (None if asked[1] == "chance" else asked[1]), game.read(asked[2])
    return game.judge(here, player, action).legal != third.judge(there, player, action).legal


MOST_NODES, MOST_STEPS, LISTED = 60, 3, 40


def apart(one: Game[Any], other: Game[Any], given: Mapping[str, Any], edition: str) -> Verdicts | None:
    """The shortest play from the position after which the two games say different things."""
    queue: list[tuple[Any, Any, tuple[str, ...]]] = [(one.position(given, edition), other.position(given, edition), ())]
    seen = 0
    while queue and seen < MOST_NODES:
        here, there, play = queue.pop(0)
        seen += 1
        told = _compare(one, other, here, there)
        if told:
            return Verdicts(dict(given), play, *told)
        decision = one.decision(here)
        if decision is None or len(play) >= MOST_STEPS:
            continue
        for action in islice(decision.legal, LISTED):
            after = [game.play(state, action)[0] for game, state in ((one, here), (other, there))]
            queue.append((after[0], after[1], (*play, one.text(action))))
    return None


Told = tuple[str, str, str, dict[str, Any]]


def _compare(one: Game[Any], other: Game[Any], here: Any, there: Any) -> Told | None:
    mine, theirs = one.decision(here), other.decision(there)
    if (mine is None) != (theirs is None):
        said = ["yes" if decision is None else f"no, {decision.about}" for decision in (mine, theirs)]
        end = one.outcome(here)
        return "is the game over?", said[0], said[1], {"end": {"winners": list(end.winners)} if end else False}
    if mine is not None and theirs is not None:
        for decision, against in ((mine, theirs), (theirs, mine)):
            for action in islice(decision.legal, LISTED):
                if decision.player != against.player or action not in against.legal:
                    return _verdicts(one, other, here, there, decision, action)
    seen = one.observe(here), other.observe(there)
    for key in seen[0]:
        if seen[0][key] != seen[1].get(key):
            return f"what is {key}?", str(seen[0][key]), str(seen[1].get(key)), {"state": {key: seen[0][key]}}
    ends = one.outcome(here), other.outcome(there)
    if ends[0] and ends[1] and ends[0].winners != ends[1].winners:
        said = [", ".join(end.winners) for end in ends if end]
        return "who wins?", said[0], said[1], {"end": {"winners": list(ends[0].winners)}}
    return None


def _verdicts(one: Game[Any], other: Game[Any], here: Any, there: Any, decision: Decision, action: Action) -> Told:
    verdicts = [game.judge(state, decision.player, action) for game, state in ((one, here), (other, there))]
    broken = {reason.rule for verdict in verdicts for reason in verdict.reasons if not reason.holds}
    said = []
    for verdict in verdicts:
        why = [f"{r.rule}: {r.fact}" for r in verdict.deciding if r.rule in broken]
        word = "legal" if verdict.legal else "illegal"
        said.append(f"{word} ({'; '.join(why)})" if why else word)
    may = f"may {decision.player or 'chance'} {one.text(action)}?"
    return may, said[0], said[1], verdict_step(one, verdicts[0])


def demand(game: Game[Any], player: str | None, action: Action, legal: bool) -> dict[str, Any]:
    """The step of a case that demands that an action is legal, or that it is not."""
    return {"legal": {"player": player, "includes" if legal else "excludes": [game.text(action)]}}


def verdict_step(game: Game[Any], verdict: Verdict) -> dict[str, Any]:
    """A verdict as the step of a case."""
    player, action = verdict.player, game.text(verdict.action)
    if verdict.legal:
        return {"legal": {"player": player, "includes": [action]}}
    return {"refuse": {"player": player, "action": action, "because": list(verdict.rules)}}


def killers(game: Game[Any], reading: Reading, cases: Iterable[Any]) -> list[str]:
    """The ids of the first few cases that fail where the reading is followed, those about its rules tried first."""
    variant = game.room("readings").variant(reading)
    ordered = sorted(cases, key=lambda case: not set(case.rules) & set(reading.rules))
    return list(islice(failing(variant, ordered), 3))


def failing(variant: Game[Any], cases: Iterable[Any]) -> Iterator[str]:
    """The ids of the cases that a variant of their game fails."""
    from oracle.casebook.runner import run_case

    for case in cases:
        build, data = (variant.position, case.given) if case.given is not None else (variant.start, case.setup)
        try:
            moved = replace(case, game=variant, state=build(data, case.edition))
        except Exception:  # the position itself cannot be played: noticed as well
            yield case.id
            continue
        if not run_case(moved).passed:
            yield case.id
