"""The answers to questions about a game, as values: what is legal and why, what a rule says.

Each is a plain struct of texts and numbers, so that it can be printed or written as JSON as it is.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct

from oracle.decisions import members
from oracle.errors import BadInput
from oracle.game import Action, Decision, Game, Reason
from oracle.rulebook import Covered, Source, coverage

Json = Any
MOST = 40
"""Actions that are listed at the most, unless all are asked for."""
ALL = 1_000_000
"""Actions that are listed where all are asked for; nobody reads more."""
FEW = 3
"""Actions that stand for a large family."""


class Modelled(Struct, frozen=True):
    """A game as `oracle games` lists it."""

    name: str
    title: str
    editions: tuple[str, ...]
    rules: int
    cases: int


class Clause(Struct, frozen=True):
    """A reason of a verdict, with what its rule says."""

    rule: str
    says: str
    holds: bool
    fact: str


class Why(Struct, frozen=True):
    """The answer to `--why`: one action judged.

    `deciding` are the clauses that decide; `also` are those of other rules, which are met.
    """

    game: str
    edition: str
    player: str | None
    action: str
    json: dict[str, Json]
    legal: bool
    deciding: tuple[Clause, ...]
    also: tuple[Clause, ...]


class Refused(Struct, frozen=True):
    """An action of `--after` that is not legal: the verdict, and which one it is with who was to choose instead."""

    why: Why
    message: str


class Allowed(Struct, frozen=True):
    """A legal action and the rules that allow it, besides those that allow every action here."""

    action: str
    json: dict[str, Json]
    rules: tuple[str, ...]


class Family(Struct, frozen=True):
    """Many legal actions that differ only in the items chosen: how many, a few of them, and their rules."""

    verb: str
    count: int
    examples: tuple[str, ...]
    rules: tuple[str, ...]


class Legal(Struct, frozen=True):
    """The answer to `oracle legal`: who decides, and what is legal for whom.

    `asked` is the player whose actions were asked for (None: whoever decides); `count` is 0 if
    another one decides. `common` are the clauses that bear on every legal action. `others` have
    nothing to decide. `outcome` is set once the game is over.
    """

    game: str
    edition: str
    asked: str | None
    player: str | None
    kind: str | None
    about: str
    rules: tuple[str, ...]
    count: int
    common: tuple[Clause, ...]
    actions: tuple[Allowed, ...]
    families: tuple[Family, ...]
    others: tuple[str, ...]
    outcome: dict[str, Json] | None = None


class Citing(Struct, frozen=True):
    """A case that cites a rule, and where it is."""

    id: str
    title: str
    where: str


class RulePage(Struct, frozen=True):
    """All that is known of one rule."""

    id: str
    kind: str
    says: str
    editions: dict[str, str]
    sources: tuple[Source, ...]
    guards: tuple[str, ...]
    cases: tuple[Citing, ...]


class RuleLine(Struct, frozen=True):
    """A rule in the list of all."""

    id: str
    kind: str
    says: str


# -- what is legal -----------------------------------------------------------------------------------


def decider(game: Game[Any], state: Any) -> str | None:
    """Whoever must choose now; None for chance, and when the game is over."""
    decision = game.decision(state)
    return decision.player if decision else None


def check_seat(game: Game[Any], state: Any, player: str | None) -> None:
    """Raises `BadInput` for a player who is not in the game: everything would be refused to him."""
    seats = [str(seat) for seat in game.observe(state).get("players", ())]
    if player is not None and seats and player not in seats:
        raise BadInput(f"nobody sits at {player!r}", fix=f"one of: {', '.join(seats)}")


def after(game: Game[Any], state: Any, edition: str, actions: Sequence[str]) -> tuple[Any, Refused | None]:
    """The state once the actions have been taken, each by whoever must choose; or the first that is not legal.

    Raises `BadAction` for what is no action of the game or names what is not in it.
    """
    for number, text in enumerate(actions, 1):
        action, decision = game.read(text, state), game.decision(state)
        if decision is None or action not in decision.legal:
            verdict = why(game, state, edition, decision.player if decision else None, action)
            now = "the game is over" if decision is None else _put(game, decision)
            taken = f" after {', '.join(actions[: number - 1])}" if number > 1 else ""
            return state, Refused(verdict, f"--after {shlex.quote(text)} is not legal{taken}\n  {now}")
        state, _ = game.play(state, action)
    return state, None


def _put(game: Game[Any], decision: Decision) -> str:
    """Who must choose about what, and a few of the legal actions."""
    some = "; ".join(game.text(action) for action in islice(decision.legal, FEW))
    return f"{decision.player or 'chance'} decides: {decision.about}, for example: {some}"


def why(game: Game[Any], state: Any, edition: str, player: str | None, action: Action) -> Why:
    """An action judged."""
    verdict = game.judge(state, player, action)
    deciding = tuple(_clause(game, edition, reason) for reason in verdict.deciding)
    met = () if verdict.legal else (reason for reason in verdict.reasons if reason.holds)
    also = tuple(_clause(game, edition, reason) for reason in met if reason.rule not in verdict.rules)
    return Why(game.name, edition, player, game.text(action), game.json(action), verdict.legal, deciding, also)


def legal(game: Game[Any], state: Any, edition: str, asked: str | None = None, *, every: bool = False) -> Legal:
    """Who decides and what is legal; with `every` all of it. Raises `BadInput` for more than could be listed."""
    decision = game.decision(state)
    seats = [str(seat) for seat in game.observe(state).get("players", ())]
    if decision is None:
        outcome = game.outcome(state)
        ended = None
        if outcome is not None:
            ended = {"scores": outcome.scores, "winners": outcome.winners, "next first": outcome.next_first}
        rules = outcome.rules if outcome else ()
        return Legal(
            game.name, edition, asked, None, None, "the game is over", rules, 0, (), (), (), tuple(seats), ended
        )
    others = tuple(seat for seat in seats if seat != decision.player)
    about = (game.name, edition, asked, decision.player, decision.kind, decision.about, decision.rules)
    if asked is not None and asked != decision.player:
        return Legal(*about, 0, (), (), (), others)
    common, listed, families = _listed(game, state, edition, decision, every)
    return Legal(*about, decision.legal.count, common, listed, families, others)


def _listed(
    game: Game[Any], state: Any, edition: str, decision: Decision, every: bool
) -> tuple[tuple[Clause, ...], tuple[Allowed, ...], tuple[Family, ...]]:
    legal = decision.legal
    if every and len(legal) > ALL:
        raise BadInput(f"{legal.count:,} legal actions are too many to list", fix="leave out --all")
    whole = every or len(legal) <= MOST
    single = list(legal) if whole else list(legal.single[:MOST])
    groups = (
        [] if whole else [(family.nth(0).verb, members(family), family.nth) for family in legal.families if len(family)]
    )
    left_out = 0 if whole else len(legal.single) - len(single)
    samples = [*single, *(nth(0) for _, _, nth in groups)]
    verdicts = [game.judge(state, decision.player, action) for action in samples]
    shared = set.intersection(*(set(verdict.rules) for verdict in verdicts)) if len(verdicts) > 1 else set()
    common = tuple(_clause(game, edition, r) for r in (verdicts[0].reasons if verdicts else ()) if r.rule in shared)
    own = [tuple(rule for rule in verdict.rules if rule not in shared) for verdict in verdicts]
    actions = tuple(Allowed(game.text(a), game.json(a), rules) for a, rules in zip(single, own, strict=False))
    families = [
        Family(verb, size, tuple(game.text(nth(i)) for i in range(min(FEW, size))), rules)
        for (verb, size, nth), rules in zip(groups, own[len(single) :], strict=True)
    ]
    if left_out:
        more = legal.single[MOST : MOST + FEW]
        families.append(Family(more[0].verb, left_out, tuple(map(game.text, more)), ()))
    return common, actions, tuple(families)


def _clause(game: Game[Any], edition: str, reason: Reason) -> Clause:
    rule = game.rulebook.rules.get(reason.rule)
    return Clause(reason.rule, rule.wording(edition) if rule else "", reason.holds, reason.fact)


# -- what the rules are ------------------------------------------------------------------------------


def rules(game: Game[Any], words: Sequence[str] = ()) -> tuple[RuleLine, ...]:
    """The rules of a game, in the rulebook's order: those with all the words in their id or their text."""
    sought = [word.casefold() for word in words]
    lines = (RuleLine(rule.id, rule.kind, rule.says) for rule in game.rulebook.rules.values())
    return tuple(line for line in lines if all(word in f"{line.id} {line.says}".casefold() for word in sought))


def search(game: Game[Any], words: Sequence[str]) -> tuple[RuleLine, ...]:
    """The rules with all the words in their id or their text. Raises `BadInput` for none."""
    return rules(game, words) or rules(game, [game.rulebook[" ".join(words)].id])


def rule(game: Game[Any], id: str, cases: Iterable[Any]) -> RulePage:
    """One rule, with those of the cases that cite it. Raises `BadInput`, which names ids like it."""
    found = game.rulebook[id]
    citing = tuple(
        Citing(case.id, case.title, f"{case.file}:{case.line}") for case in cases if id in (*case.rules, *case.cited)
    )
    guards = tuple(game.guards.get(id, ()))
    return RulePage(found.id, found.kind, found.says, found.editions, found.sources, guards, citing)


def covered(game: Game[Any], cases: Sequence[Any]) -> tuple[Covered, ...]:
    """What bears on each rule."""
    guards = [(id, name) for id, names in game.guards.items() for name in names]
    cited = [(id, case.id) for case in cases for id in dict.fromkeys((*case.rules, *case.cited))]
    return coverage(game.rulebook, guards=guards, cases=cited)
