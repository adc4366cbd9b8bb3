"""Reading a position, or the setup of a game, as a person writes it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from oracle.games.l5r.calendar import (
    ACTION,
    AFTER_ACTION,
    AFTER_ATTACK,
    AFTER_BATTLE,
    AFTER_CAVALRY,
    AFTER_TURN,
    BEFORE_ATTACK,
    BEFORE_GAME,
    CALENDAR,
    COMBAT,
    DECLARATION,
    DYNASTY,
    END,
    MANEUVERS,
    NEXT_BATTLE,
    STEPS,
)
from oracle.games.l5r.cards import KNOWN, Card, Table, Win
from oracle.games.l5r.declared import CARD_FIELDS, Names, abilities, card, name_of, triggers
from oracle.games.l5r.state import (
    DESTROYED,
    HAND,
    MARKS,
    MOST_FIELDS,
    MOST_PIECES,
    Attack,
    Field,
    Interrupted,
    Laid,
    Piece,
    Pieces,
    Seat,
    State,
    Step,
    begun,
    lay,
    place,
)
from oracle.given import Path, bad, cards, copies, count, deck, fields, flag, known, listing, mapping
from oracle.timing import Moment, Round, turn_order
from oracle.zones import Bag, size

SEATED = (
    *("honor", "provinces", "regions", "dynasty", "fate", "hand", "max hand", "draw more"),
    *("home", "in play", "discard", "abilities", "turns"),
)
SIZES = ("hand size", "dynasty size", "fate size")
FIELDS = (
    *(
        "players",
        "active",
        "turn",
        "phase",
        "step",
        "at",
        "passed",
        "turn to act",
        "attack",
        "interrupted",
        "marks",
        "happened",
    ),
    *(*SEATED, *SIZES, "barred", "out", "cards", "triggers", "win", "over", "winner", "cause"),
)
SETUP = ("players", "honor", "dynasty", "fate", "cards", "abilities", "triggers", "win", "seed")
SEATS = "ABCDEFGHIJKL"
PHASES = ("straighten", "events", "action", "attack", "dynasty", "end")
ATTACK_MOMENTS = CALENDAR.moments[CALENDAR.moments.index(BEFORE_ATTACK) : CALENDAR.moments.index(AFTER_ATTACK)]
BEFORE_FIELDS = (Moment("before", "declaration segment"), DECLARATION)
MOMENT = re.compile(r"(before|during|after) (.+)")


def position(given: Mapping[str, Any], edition: str) -> State:
    """The state a `given:` describes. Raises `BadPosition`."""
    if "under way" in given:
        fix = "write the position before the action and take it from there"
        bad("an action is under way", ("under way",), fix)
    fields(given, FIELDS)
    players = _players(given)

    def player(field: str, value: object) -> str:
        return known(value, players, "player", (field,))

    active = players.index(player("active", given.get("active", players[0])))
    names = Names(turn_order(players, players[active]), _card_names(given))
    table = _table(given, names)
    seats = _seats(given, players, table, names)
    barred = _named(given, "barred", players)
    state = State(table, seats, active, turn=count(given.get("turn", 1), ("turn",), least=1), barred=barred)
    state = replace(state, seats=tuple(replace(s, turns=_begun(state, i)) for i, s in enumerate(seats)))
    state = replace(state, agenda=triggers(given.get("triggers", ()), ("triggers",), names))
    state = _outer(given, _marked(given, state))
    if flag(given.get("over", False), ("over",)):
        winner = given.get("winner", "")
        state = _now({**given, "passed": (), "turn to act": None}, state, ())
        state = replace(state, over=True, round=None, winner=player("winner", winner) if winner else "")
        return replace(state, cause=str(given.get("cause", "l5r.over")))
    state = _now(given, state, ())
    _check(given, state)
    happened = enumerate(listing(given.get("happened", ()), ("happened",)))
    return replace(state, happened=tuple(name_of(name, "trigger", ("happened", i)) for i, name in happened))


def start(setup: Mapping[str, Any], edition: str) -> State:
    """The first position of a game: Strongholds shown, nothing else done yet. Raises `BadPosition`."""
    fields(setup, SETUP)
    given = {field: value for field, value in setup.items() if field != "seed"}
    for field in ("dynasty", "fate"):
        # Every deck is shuffled, however a setup lists it.
        decks = mapping(given.get(field, {}), (field,))
        given[field] = {name: [list(listing(cards, (field, name)))] for name, cards in decks.items()}
    given.setdefault("players", ["A", "B"])
    given["provinces"] = {name: [[], [], [], []] for name in _players(given)}
    for i, trigger in enumerate(listing(given.get("triggers", ()), ("triggers",))):
        if isinstance(trigger, Mapping) and trigger.get("turns") and "turn" not in trigger:
            bad("nobody is active yet whose turns could be counted", ("triggers", i, "turn"), "for example `turn: A`")
    state = position(given, edition)
    highest = max(seat.honor for seat in state.seats)
    tied = tuple(seat.name for seat in state.seats if seat.honor == highest)
    seats = tuple(replace(seat, turns=0) for seat in state.seats)
    return replace(state, seats=seats, at=BEFORE_GAME, round=None).push(Step("first", names=tied, rule="l5r.start.tie"))


# -- cards and players -----------------------------------------------------------------------------


def _card_names(given: Mapping[str, Any]) -> frozenset[str]:
    declared = mapping(given.get("cards", {}), ("cards",))
    return frozenset((*(card.name for card in KNOWN), *(name_of(name, "card", ("cards", name)) for name in declared)))


def _table(given: Mapping[str, Any], names: Names) -> Table:
    declared: list[Card] = []
    for name, value in mapping(given.get("cards", {}), ("cards",)).items():
        path: Path = ("cards", name)
        fields(mapping(value, path), CARD_FIELDS, "field of a card", path)
        declared.append(card(name, value, path, names))
    win = mapping(given.get("win", {}), ("win",))
    fields(win, ("honor", "dishonor", "provinces"), "condition", ("win",))
    honor = count(win.get("honor", 40), ("win", "honor"), least=1)
    dishonor = count(win.get("dishonor", -20), ("win", "dishonor"), most=-1, least=-10_000)
    return Table(declared, Win(honor, dishonor, flag(win.get("provinces", True), ("win", "provinces"))))


def _players(given: Mapping[str, Any]) -> tuple[str, ...]:
    if "players" in given:
        players = tuple(listing(given["players"], ("players",)))
    else:
        named = {name for zone in SEATED for name in mapping(given.get(zone, {}), (zone,))}
        named |= {given[field] for field in ("active", "turn to act") if isinstance(given.get(field), str)}
        last = max((SEATS.find(str(name)) for name in named), default=1)
        players = tuple(SEATS[: max(2, last + 1)])
    for i, name in enumerate(players):
        name_of(name, "player", ("players", i))
    if len(set(players)) != len(players):
        bad("players are different names", ("players",), "for example [A, B]")
    if not 2 <= len(players) <= len(SEATS):
        bad(f"{len(players)} players cannot play", ("players",), f"2 to {len(SEATS)} players")
    return players


def _seats(given: Mapping[str, Any], players: tuple[str, ...], table: Table, names: Names) -> tuple[Seat, ...]:
    own: dict[str, Mapping[str, Any]] = {}
    for field in SEATED:
        own[field] = mapping(given.get(field, {}), (field,))
        for player in own[field]:
            known(player, players, "player", (field, player))

    def card(name: object, path: Path) -> str:
        return known(name, table.cards, "card", path)

    def fate(name: object, path: Path) -> str:
        return name_of(name, "card", path)

    out = _named(given, "out", players)
    seats: list[Seat] = []
    for player in players:
        places = listing(own["provinces"].get(player, ()), ("provinces", player))
        if len(places) > MOST_FIELDS:
            bad(f"{len(places)} Provinces", ("provinces", player), f"{MOST_FIELDS} at the most")
        destroyed = frozenset(i for i, laid in enumerate(places) if laid == DESTROYED)
        provinces = tuple(
            tuple(_laid(item, at, table) for item, at in copies(laid, ("provinces", player, i)))
            for i, laid in enumerate(() if i in destroyed else laid for i, laid in enumerate(places))
        )
        regions: list[Bag] = [()] * len(provinces)
        for number, value in mapping(own["regions"].get(player, {}), ("regions", player)).items():
            path: Path = ("regions", player, number)
            known(str(number), [str(i + 1) for i in range(len(provinces)) if i not in destroyed], "Province", path)
            regions[int(number) - 1] = cards([value] if isinstance(value, str) else value, path, card)
        seats.append(
            Seat(
                name=player,
                honor=count(own["honor"].get(player, 0), ("honor", player), least=-10_000),
                provinces=provinces,
                regions=tuple(regions),
                destroyed=destroyed,
                dynasty=deck(own["dynasty"].get(player, ()), ("dynasty", player), card),
                fate=deck(own["fate"].get(player, ()), ("fate", player), fate),
                hand=cards(own["hand"].get(player, ()), ("hand", player), fate),
                most=count(own["max hand"].get(player, HAND), ("max hand", player), 1000),
                more=count(own["draw more"].get(player, 0), ("draw more", player), 100, -100),
                home=_pieces(own["home"].get(player, ()), table, ("home", player), "Personality"),
                play=_pieces(own["in play"].get(player, ()), table, ("in play", player)),
                discard=cards(own["discard"].get(player, ()), ("discard", player), fate),
                abilities=abilities(own["abilities"].get(player, ()), ("abilities", player), names),
                turns=-1 if player not in own["turns"] else count(own["turns"][player], ("turns", player)),
                out=player in out,
            )
        )
    return tuple(seats)


def _named(given: Mapping[str, Any], field: str, players: tuple[str, ...], path: Path = ()) -> tuple[str, ...]:
    """A list of players."""
    names = listing(given.get(field, ()), (*path, field))
    return tuple(known(name, players, "player", (*path, field, i)) for i, name in enumerate(names))


def _laid(value: object, path: Path, table: Table) -> Laid:
    words = value.split(" ") if isinstance(value, str) else [value]
    down = len(words) > 1 and words[-1] == "down"
    name = " ".join(map(str, words[:-1] if down else words))
    return Laid(known(name, table.cards, "card", path), not down)


def _marked(given: Mapping[str, Any], state: State) -> State:
    """The marks of an Events Phase that was interrupted."""
    player = state.mover
    for number, value in mapping(given.get("marks", {}), ("marks",)).items():
        path: Path = ("marks", number)
        known(str(number), [str(i + 1) for i in range(len(player.provinces))], "Province", path)
        cards, marks = player.provinces[int(number) - 1], listing(value, path)
        if len(marks) != len(cards):
            bad(f"{len(marks)} marks for {len(cards)} cards", path, "one for each card of the Province, '' for none")
        words = [known(mark, MARKS, "mark", (*path, i)) for i, mark in enumerate(marks)]
        state = lay(
            state,
            player.name,
            int(number) - 1,
            tuple(card._replace(mark=word) for card, word in zip(cards, words, strict=True)),
        )
    return state


def _pieces(value: object, table: Table, path: Path, type_: str = "") -> Pieces:
    out: list[Piece] = []
    for item, at in copies(value, path):
        bowed = isinstance(item, str) and item.endswith(" bowed")
        name = known(str(item).removesuffix(" bowed") if isinstance(item, str) else item, table.cards, "card", at)
        if type_ and table[name].type != type_:
            bad(f"{name} is no {type_}", at, f"a card of type {type_}")
        out.append(Piece(name, bowed))
    if len(out) > MOST_PIECES:
        bad(f"{len(out)} cards", path, f"{MOST_PIECES} at the most")
    return tuple(sorted(out))


def _begun(state: State, seat: int) -> int:
    """How many turns a player has begun: as it is said, else as it follows if nobody has lost so far."""
    players = len(state.seats)
    last = state.turn - (state.active - seat) % players
    return state.seats[seat].turns if state.seats[seat].turns >= 0 else max(0, (last - 1) // players + 1)


# -- what time it is -------------------------------------------------------------------------------


def _moment(given: Mapping[str, Any], state: State, path: Path = ()) -> Moment:
    """The moment that a position stands at: `at` says it exactly, phase and step for those where something is done."""
    if "at" in given:
        value = given["at"]
        found = MOMENT.fullmatch(value) if isinstance(value, str) else None
        moment = Moment(found[1], found[2]) if found else None  # type: ignore[arg-type]
        if moment is None or moment not in CALENDAR:
            known(str(value), list(map(str, CALENDAR.moments)), "moment", (*path, "at"))
        assert moment is not None
        return CALENDAR.canonical(moment)
    phase = known(given.get("phase", "action"), PHASES, "phase", ("phase",))
    attack = mapping(given.get("attack", {}), ("attack",))
    default = "" if phase != "attack" else "combat" if "at" in attack else "infantry" if attack else "declaration"
    step = given.get("step", default)
    if phase == "attack" and step == "declaration" and not attack:
        return AFTER_ACTION
    if phase == "attack" and step == "battles":
        fields = mapping(attack.get("fields", {}), ("attack", "fields"))
        fought = any(mapping(field, ("attack", "fields", n)).get("fought") for n, field in fields.items())
        return AFTER_BATTLE if fought else AFTER_CAVALRY
    times = {step: moment for moment, (of, step) in STEPS.items() if of == phase}
    if phase in ("dynasty", "end"):
        times["discard"] = times[""]
    return times[
        known(step, [*times, *(["battles"] if phase == "attack" else [])], f"step of the {phase} phase", ("step",))
    ]


def _now(given: Mapping[str, Any], state: State, path: Path) -> State:
    """The state at its moment, with the round and the attack that are running there."""
    at = _moment(given, state, path)
    state = replace(
        state, at=at, round=None, attack=None, second=given.get("step") == "discard" and at in (DYNASTY, END)
    )
    if at in ATTACK_MOMENTS:
        if "attack" not in given:
            bad("who attacks whom is missing", (*path, "attack"), "attack: {attacker: A, defender: B}")
        state = replace(state, attack=_attack(given["attack"], state, (*path, "attack")))
    elif "attack" in given:
        bad(f"there is no attack {at}", (*path, "attack"), "leave it out, or write `phase: attack`")
    if at in (ACTION, COMBAT):
        return replace(state, round=_round(given, begun(state), path))
    if state.attack and at in MANEUVERS:
        sides = (state.attack.attacker, state.attack.defender)
        side = known(given.get("turn to act") or sides[0], sides, "Attacker or Defender", (*path, "turn to act"))
        return replace(state, attack=replace(state.attack, assigned=sides.index(side)))
    for field in ("passed", "turn to act"):
        if given.get(field):
            bad(f"there is no action round {at}", (*path, field), "leave it out")
    return state


def _round(given: Mapping[str, Any], round: Round, path: Path) -> Round:
    if not round.order:
        return round  # nobody plays on: whether that can be is not the round's to say
    passed = _named(given, "passed", round.order, path)
    following = (*round.order, round.order[0])[round.order.index(passed[-1]) + 1] if passed else round.order[0]
    player = known(given.get("turn to act") or following, round.order, "player", (*path, "turn to act"))
    try:
        return round.at(player, passed)
    except ValueError as error:
        return bad(str(error), (*path, "passed"), f"the order is {', '.join(round.order)}")


def _attack(value: object, state: State, path: Path) -> Attack:
    given = mapping(value, path)
    fields(given, ("attacker", "defender", "optional", "fields", "at"), "field of an attack", path)
    players = [seat.name for seat in state.seats]
    attacker = known(given.get("attacker", state.mover.name), players, "player", (*path, "attacker"))
    if "defender" not in given:
        bad("the Defender is missing", (*path, "defender"), "attack: {attacker: A, defender: B}")
    defender = known(given["defender"], players, "player", (*path, "defender"))
    if attacker == defender:
        bad(f"{attacker} cannot attack {attacker}", (*path, "defender"), "another player")
    every = [str(i + 1) for i in range(len(state[defender].provinces))]
    found = {i: Field(i) for i in state[defender].standing}
    for number, item in mapping(given.get("fields", {}), (*path, "fields")).items():
        at: Path = (*path, "fields", number)
        known(str(number), every, "battlefield", at)
        field = mapping(item, at)
        fields(field, (attacker, defender, "fought"), "field of a battlefield", at)
        units = [_pieces(field.get(side, ()), state.table, (*at, side), "Personality") for side in (attacker, defender)]
        fought = flag(field.get("fought", False), (*at, "fought"))
        found[int(number) - 1] = Field(int(number) - 1, units[0], units[1], fought)
    optional = flag(given.get("optional", True), (*path, "optional"))
    undeclared = state.at == BEFORE_ATTACK or (state.at in BEFORE_FIELDS and "fields" not in given)
    attack = Attack(attacker, defender, optional, None if undeclared else tuple(found[i] for i in sorted(found)))
    if state.at == COMBAT or state.at == Moment("before", "battle"):
        names = {str(i + 1): i for i in attack.places}
        index = names[known(str(given.get("at")), names, "battlefield", (*path, "at"))]
        if index not in attack.left:
            bad(f"the battle at {index + 1} has ended", (*path, "at"), "a battlefield that is not `fought`")
        return replace(attack, at=index)
    if "at" in given:
        bad(f"no battle is fought {state.at}", (*path, "at"), "leave it out, or write `step: combat`")
    return attack


def _outer(given: Mapping[str, Any], state: State) -> State:
    """What goes on after an attack created by an effect; the Action Phase where nothing is said."""
    written = listing(given.get("interrupted", ()), ("interrupted",))
    attack = given.get("attack")
    if not written and isinstance(attack, Mapping) and attack.get("optional") is False:
        written = [{"at": str(ACTION)}]
    outer: list[Interrupted] = []
    for i, item in enumerate(written):
        path: Path = ("interrupted", i)
        fields(mapping(item, path), ("at", "step", "passed", "turn to act", "attack"), "field", path)
        then = _now(item, state, path)
        outer.append(Interrupted(then.at, then.round, then.attack, then.second))
    return replace(state, interrupted=tuple(outer))


def _check(given: Mapping[str, Any], state: State) -> None:
    if state.interrupted and state.at not in (*ATTACK_MOMENTS, AFTER_ATTACK):
        bad("nothing interrupts what is said here", ("interrupted",), "leave it out, or write `phase: attack`")
    if state.at in NEXT_BATTLE and state.attack is None:
        bad("who attacks whom is missing", ("attack",), "attack: {attacker: A, defender: B}")
    if "at" in given and "phase" in given and place(state)[0] != given["phase"]:
        bad(f"{state.at} is not in the phase {given['phase']!r}", ("phase",), "leave out `phase` or `at`")
    if sum(not seat.out for seat in state.seats) < 2:
        bad("fewer than two play on", ("out",), "`over: true`, or two players who have not lost")
    if state.mover.out and state.at != AFTER_TURN:
        bad(f"{state.mover.name} has lost", ("active",), "a player who has not lost")
    for seat in state.seats:
        real = {"hand size": len(seat.hand), "dynasty size": size(seat.dynasty), "fate size": size(seat.fate)}
        for field, n in real.items():
            if mapping(given.get(field, {}), (field,)).get(seat.name, n) != n:
                bad(f"{given[field][seat.name]!r} does not fit the cards", (field, seat.name), f"{n}, or leave it out")
