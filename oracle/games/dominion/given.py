"""Reading a position, or the setup of a game, as a person writes it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from oracle.games.dominion.cards import (
    BASICS,
    KINGDOM,
    NEWER,
    START,
    TYPES,
    Card,
    Later,
    Plain,
    Table,
    box_size,
    pile_size,
)
from oracle.games.dominion.state import DAY_AND_NIGHT, PHASES, Effect, Seat, State, Step
from oracle.given import Path, Read, a_name, bad, cards, count, deck, fields, flag, known, listing, mapping
from oracle.timing import Moment, Trigger, turn_order
from oracle.zones import bag, size

ZONES = ("hand", "deck", "discard", "in play")
PLAIN = ("cards", "actions", "buys", "coins")
COUNTS = ("actions", "buys", "coins", "bought", "merchants", "silvers")
SIZES = ("hand size", "deck size")
FIELDS = (
    *("players", "turn", "phase", *COUNTS, *ZONES, *SIZES, "supply", "kingdom", "trash"),
    *("turns", "cards", "waiting", "over"),
)
MOMENTS = ("before turn", "before buy phase", "before clean-up", "after turn")
SEATS = "ABCDEF"


def _names(edition: str, own: Sequence[Card]) -> dict[str, Card]:
    """The cards that there are in an edition, and those declared."""
    newer = NEWER.get(edition, frozenset())
    return {card.name: card for card in (*BASICS, *KINGDOM, *own) if card.name not in newer}


def _card(names: Collection[str]) -> Read:
    return lambda name, path: known(name, names, "card", path)


def position(given: Mapping[str, Any], edition: str) -> State:
    """The state a `given:` describes. Raises `BadPosition`."""
    if "under way" in given:
        fix = "write the position before the card and play it from there"
        bad("a card's effect is under way", ("under way",), fix)
    fields(given, FIELDS)
    own = tuple(
        _declared(name, mapping(card, ("cards", name)), ("cards", name))
        for name, card in mapping(given.get("cards", {}), ("cards",)).items()
    )
    names = _names(edition, own)
    players = _players(given)
    zones = _zones(given, names, players)
    trash = cards(given.get("trash", ()), ("trash",), _card(names))
    waiting = _waiting(given, names, players)
    for player in players:
        kept = {label: card for t in waiting if t.owner == player for label, card in t.effect.keeps}
        played = Counter(zones["in play"].get(player, ()))
        played |= Counter(kept.values())
        zones["in play"][player] = bag(played.elements())
    seen = Counter(trash)
    for zone in ("hand", "discard", "in play"):
        seen.update(card for cards in zones[zone].values() for card in cards)
    seen.update(card for deck in zones["deck"].values() for layer in deck for card in layer)
    table, supply = _supply(given, own, names, seen, len(players))
    turn = players.index(known(given.get("turn", players[0]), players, "player", ("turn",)))
    phase = _phase(given.get("phase", "action"))
    for i, trigger in enumerate(waiting):
        if trigger.turn_of is None and DAY_AND_NIGHT.comes(PHASES[phase], after=trigger.moment):
            bad(f"'{trigger.moment}' has passed in the {phase} phase", ("waiting", i, "at"), "leave the entry out")
    if phase == "night" and not table.night:
        bad("there is no Night phase without Night cards", ("phase",), "declare a card of type Night, or: action, buy")
    turns = mapping(given.get("turns", {}), ("turns",))
    for player in turns:
        known(player, players, "player", ("turns", player))
    seats = tuple(
        Seat(
            player,
            hand=zones["hand"].get(player, ()),
            deck=zones["deck"].get(player, ()),
            discard=zones["discard"].get(player, ()),
            play=zones["in play"].get(player, ()),
            turns=count(turns.get(player, 1 if i <= turn else 0), ("turns", player)),
        )
        for i, player in enumerate(players)
    )
    _check_sizes(given, seats)
    over = flag(given.get("over", False), ("over",))
    counts = {field: count(given[field], (field,)) for field in COUNTS if field in given}
    state = State(table, edition, seats, supply, turn, PHASES[phase], trash=trash, agenda=waiting, over=over)
    state = replace(state, **counts)
    if state.bought and phase == "action" and not over:
        bad("cards are bought in the Buy phase only", ("bought",), "phase: buy, or bought: 0")
    return state


def _phase(value: object) -> str:
    """One of `PHASES`. Nobody chooses anything in Clean-up, so it is none of them."""
    word = re.sub(r"[\W_]|phase", "", value.casefold()) if isinstance(value, str) else ""
    if word in ("cleanup", "cleaning", "clean", "end", "draw"):
        fix = (
            "Clean-up is no decision point; write phase: buy (or night) and take 'end buy phase': hands are drawn there"
        )
        bad(f"nothing is decided in phase {value!r}", ("phase",), fix)
    return known(value, PHASES, "phase", ("phase",))


def _check_sizes(given: Mapping[str, Any], seats: Sequence[Seat]) -> None:
    for field in SIZES:
        for player, n in mapping(given.get(field, {}), (field,)).items():
            seat = next((seat for seat in seats if seat.name == player), None)
            real = -1 if seat is None else len(seat.hand) if field == "hand size" else size(seat.deck)
            if type(n) is not int or n != real:
                zone = field.removesuffix(" size")
                bad(f"{n!r} does not fit the {zone}", (field, player), f"{real}, or leave it out")


def _players(given: Mapping[str, Any]) -> tuple[str, ...]:
    if "players" in given:
        players = tuple(listing(given["players"], ("players",)))
    else:
        named = {name for zone in ZONES for name in mapping(given.get(zone, {}), (zone,))}
        named |= {given["turn"]} if isinstance(given.get("turn"), str) else set()
        last = max((SEATS.find(str(name)) for name in named), default=1)
        players = tuple(SEATS[: max(2, last + 1)])
    for i, name in enumerate(players):
        a_name(name, "player", ("players", i))
    if len(set(players)) != len(players):
        bad("players are different names", ("players",), "for example [A, B]")
    if not 2 <= len(players) <= 6:
        bad(f"{len(players)} players cannot play", ("players",), "2 to 6 players")
    return players


def _zones(given: Mapping[str, Any], names: Mapping[str, Card], players: Sequence[str]) -> dict[str, dict[str, Any]]:
    zones: dict[str, dict[str, Any]] = {}
    for zone in ZONES:
        zones[zone] = {}
        read = deck if zone == "deck" else cards
        for player, value in mapping(given.get(zone, {}), (zone,)).items():
            known(player, players, "player", (zone, player))
            zones[zone][player] = read(value, (zone, player), _card(names))
    return zones


def _declared(named: str, card: Mapping[str, Any], path: Path) -> Card:
    name = a_name(named, "card", path)
    if any(name == printed.name for printed in (*BASICS, *KINGDOM)):
        bad(f"{name} is a card of the base set", path, "declare other cards only")
    fields(card, ("cost", "types", *PLAIN, "later", "points"), "field of a card", path)
    types = tuple(
        known(type_, TYPES, "type", (*path, "types", i))
        for i, type_ in enumerate(listing(card.get("types", ()), (*path, "types")))
    )
    if not types:
        bad(f"{name} has no type", (*path, "types"), f"one or more of: {', '.join(TYPES)}")
    later = tuple(
        _later(mapping(item, (*path, "later", i)), (*path, "later", i))
        for i, item in enumerate(listing(card.get("later", ()), (*path, "later")))
    )
    points = card.get("points", 0)
    if isinstance(points, bool) or not isinstance(points, int):
        bad(f"{points!r} is no number of points", (*path, "points"), "a whole number")
    return Card(name, count(card.get("cost", 0), (*path, "cost"), 99), types, _plain(card, path), (), points, later)


def _plain(value: Mapping[str, Any], path: Path) -> Plain:
    return Plain(**{word: count(value.get(word, 0), (*path, word), 99) for word in PLAIN})


def _later(value: Mapping[str, Any], path: Path) -> Later:
    fields(value, ("at", *PLAIN), "field of a later effect", path)
    return Later(_moment(value.get("at"), (*path, "at")), _plain(value, path))


def _moment(value: object, path: Path) -> Moment:
    edge, _, unit = known(value, MOMENTS, "moment", path).partition(" ")
    moment = Moment("before" if edge == "before" else "after", "clean-up phase" if unit == "clean-up" else unit)
    assert moment in DAY_AND_NIGHT
    return moment


def _waiting(
    given: Mapping[str, Any], names: Mapping[str, Card], players: Sequence[str]
) -> tuple[Trigger[Effect], ...]:
    triggers: list[Trigger[Effect]] = []
    for i, item in enumerate(listing(given.get("waiting", ()), ("waiting",))):
        path: Path = ("waiting", i)
        value = mapping(item, path)
        fields(value, ("player", "card", "at", *PLAIN, "keeps"), "field of a waiting effect", path)
        owner = known(value.get("player"), players, "player", (*path, "player"))
        card = known(value.get("card"), names, "card", (*path, "card"))
        moment = _moment(value.get("at"), (*path, "at"))
        turn_of = owner if str(moment) == "before turn" else None
        keeps = _keeps(value, card, i, names, path)
        triggers.append(Trigger(owner, moment, card, Effect(_plain(value, path), keeps), turn_of))
    return tuple(triggers)


def _keeps(
    value: Mapping[str, Any], card: str, i: int, names: Mapping[str, Card], path: Path
) -> tuple[tuple[str, str], ...]:
    """What stays in play for an entry: by default a Duration, labelled unlike all others."""
    if "keeps" not in value:
        return ((str(900 + i), card),) if "Duration" in names[card] else ()
    kept = mapping(value["keeps"], (*path, "keeps"))
    for label, name in kept.items():
        if not str(label).isdecimal():
            bad(f"{label!r} is no label", (*path, "keeps", label), "a number for each card: {1: Wharf, 2: Throne Room}")
        known(name, names, "card", (*path, "keeps", label))
    return tuple((str(label), str(name)) for label, name in kept.items())


def _supply(
    given: Mapping[str, Any], own: Sequence[Card], names: Mapping[str, Card], seen: Counter[str], players: int
) -> tuple[Table, tuple[int, ...]]:
    basics = [card.name for card in BASICS]
    declared = mapping(given.get("supply", {}), ("supply",))
    for name, n in declared.items():
        known(name, names, "card", ("supply", name))
        count(n, ("supply", name), 200)
    kingdom = dict.fromkeys(cards(given.get("kingdom", ()), ("kingdom",), _card(names)))
    others = dict.fromkeys([*kingdom, *declared, *sorted(seen)])
    piles = [*basics, *(name for name in others if name not in basics)]
    started = Counter({name: n * players for name, n in Counter(START).items()})
    supply: list[int] = []
    for name in piles:
        full = pile_size(names[name], players)
        n = declared.get(name, min(full, max(0, full - (seen[name] - started[name]))))
        if n + seen[name] > box_size(names[name], players):
            bad(
                f"{n + seen[name]} {name} ({n} in the Supply), but the game has {box_size(names[name], players)}",
                ("supply", name) if name in declared else (),
                "take some out, or set its pile with `supply:`",
            )
        supply.append(n)
    return Table(piles, own), tuple(supply)


def start(setup: Mapping[str, Any], edition: str) -> State:
    """The first position of a game, the opening hands still to be drawn. Raises `BadPosition`."""
    fields(setup, ("players", "first", "kingdom", "last game", "seed"))
    players = _players(setup)
    basics = [card.name for card in BASICS]
    kingdom = cards(setup.get("kingdom", ()), ("kingdom",), _card([n for n in _names(edition, ()) if n not in basics]))
    if len(set(kingdom)) != len(kingdom):
        bad("a kingdom card stands twice", ("kingdom",), "name each pile once")
    first = known(setup.get("first", players[0]), players, "player", ("first",))
    _check_first(setup, players, first)
    names = _names(edition, ())
    piles = [*basics, *kingdom]
    supply = tuple(pile_size(names[name], len(players)) for name in piles)
    seats = tuple(Seat(player, deck=(bag(START),)) for player in players)
    turn = players.index(first)
    state = State(Table(piles), edition, seats, supply, turn)
    order = turn_order(range(len(players)), turn)
    return state.push(*(Step("draw", seat, n=5) for seat in order), Step("begin", turn))


def _check_first(setup: Mapping[str, Any], players: Sequence[str], first: str) -> None:
    scores = mapping(setup.get("last game", {}), ("last game",))
    for player, score in scores.items():
        known(player, players, "player", ("last game", player))
        if isinstance(score, bool) or not isinstance(score, int):
            bad(f"{score!r} is no score", ("last game", player), "a whole number")
    lowest = [player for player in players if scores and scores.get(player) == min(scores.values())]
    if scores and set(scores) != set(players):
        bad("the last game has a score for each player", ("last game",), f"for each of: {', '.join(players)}")
    if lowest and first not in lowest:
        fix = f"{' or '.join(lowest)} had the fewest points and takes the first turn (dom.turn.first)"
        bad(f"{first} may not begin", ("first",) if "first" in setup else (), fix)
