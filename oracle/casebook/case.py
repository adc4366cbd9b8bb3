"""Cases: one YAML test of one behaviour each, read into typed steps with their places.

A file names its game and edition and holds a list of cases. Whatever is wrong with one case, or
one file, is kept as a `Fault` beside the rest, so that it hides nothing else.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from oracle.casebook import schema
from oracle.casebook.yamlfile import Document, Route, files, read
from oracle.errors import BadAction, BadInput, OracleError
from oracle.game import Action, Game

Json = Any
Games = Callable[[str], Game[Any]]
"""Gives a game by its id; raises `BadInput` for one that it does not know."""


class Step(Struct, frozen=True):
    """One step. `route` leads to it in its document; what it cites as deciding is in `because`."""

    route: Route

    @property
    def kind(self) -> str:
        """The word that the file uses for it."""
        return type(self).__name__.lower()

    @property
    def cites(self) -> tuple[str, ...]:
        """The rule ids of its `because`."""
        return getattr(self, "because", ())


class Do(Step, frozen=True):
    """Takes an action. `by` is who must be the one to choose (None: chance), where the case says so."""

    action: Action
    by: str | UnsetType | None = UNSET


class Refuse(Step, frozen=True):
    """An action that must be illegal, and the rules that must be among those that forbid it."""

    player: str | None
    action: Action
    because: tuple[str, ...]


class Legal(Step, frozen=True):
    """What a player may do: all of it (`exactly`), some of it, and what not."""

    player: str | None
    exactly: tuple[Action, ...] | None = None
    includes: tuple[Action, ...] = ()
    excludes: tuple[Action, ...] = ()
    because: tuple[str, ...] = ()


class Order(Step, frozen=True):
    """Sequences tried from the present position: every step legal, or broken at some step.

    A text that is no action of the game is a short name: it stands for the one legal action that is
    about it when its turn comes (`Caravan` for `resolve Caravan`).
    """

    allowed: tuple[tuple[Action | str, ...], ...] = ()
    forbidden: tuple[tuple[Action | str, ...], ...] = ()


class Events(Step, frozen=True):
    """What the last `do` must have made happen, in order; all of it where `exactly`."""

    listed: tuple[Mapping[str, Json], ...]
    exactly: bool = False


class State(Step, frozen=True):
    """Fields of the position; what is not named is not compared."""

    expected: Mapping[str, Json]


class Perft(Step, frozen=True):
    """How many legal plays there are from here, of 1, 2, 3, ... actions."""

    counts: tuple[int, ...]


class End(Step, frozen=True):
    """Whether the game is over, and how it ended, as far as named."""

    over: bool
    winners: tuple[str, ...] | None = None
    scores: Mapping[str, int] | None = None
    next_first: tuple[str, ...] | None = None
    because: tuple[str, ...] = ()


class Case(Struct, frozen=True, kw_only=True, eq=False):
    """One case. `state` is the position that it starts from, built from `given` or from `setup`."""

    id: str
    title: str
    rules: tuple[str, ...]
    provenance: str = "derived"
    link: str = ""
    reading: str = ""
    game: Game[Any]
    edition: str
    given: Mapping[str, Json] | None
    setup: Mapping[str, Json] | None
    state: Any
    steps: tuple[Step, ...]
    document: Document
    route: Route

    @property
    def file(self) -> str:
        """The path of its file."""
        return self.document.file

    @property
    def line(self) -> int:
        """The line where it begins, from 1."""
        return self.document.place(self.route)[0]

    @property
    def cited(self) -> tuple[str, ...]:
        """The rule ids of all its `because`, each once."""
        return tuple(dict.fromkeys(rule for step in self.steps for rule in step.cites))


class Fault(Struct, frozen=True):
    """What keeps a case, or a whole file (`case` empty), from being run.

    `code` sorts it: file, schema, game, edition, unknown-rule, action, position, or model where the
    oracle's own code failed.
    """

    code: str
    error: OracleError
    file: str
    line: int
    case: str = ""


class Casebook(Struct, frozen=True):
    """The cases of one or more files, in the order of the files, and what could not be read."""

    cases: tuple[Case, ...] = ()
    faults: tuple[Fault, ...] = ()
    files: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.cases) + len(self.faults)


def load(paths: Sequence[str | Path], games: Games) -> Casebook:
    """The cases of all files named, and of all YAML files below the folders named.

    A path that is not there is a fault like any other. Raises nothing for what a user wrote.
    """
    books = []
    for path in paths:
        try:
            books += [load_file(file, games) for file in files([path])]
        except BadInput as error:
            books.append(Casebook((), (Fault("file", error, str(path), 1),), ()))
    return Casebook(
        tuple(case for book in books for case in book.cases),
        tuple(fault for book in books for fault in book.faults),
        tuple(file for book in books for file in book.files),
    )


def load_file(path: str | Path, games: Games) -> Casebook:
    """The cases of one file. Raises nothing for what a user wrote: see `Fault`."""
    name = str(path)
    try:
        document = read(path)
    except BadInput as error:
        return Casebook((), (Fault("file", error, name, 1),), (name,))
    wrong = list(schema.faults(document))
    whole = [fault for route, fault in wrong if route[:1] != ("cases",) or len(route) < 2]
    if whole:
        return Casebook((), tuple(Fault("schema", error, name, 1) for error in whole), (name,))
    try:
        game = games(document.data["game"])
    except BadInput as error:
        return Casebook((), (Fault("game", document.locate(error, ("game",)), name, 1),), (name,))
    edition = document.data["edition"]
    if edition not in game.editions:
        fix = f"{game.name} has: {', '.join(game.editions)}"
        unknown = document.fault(f"edition {edition!r} is unknown", ("edition",), fix=fix)
        return Casebook((), (Fault("edition", unknown, name, document.place(("edition",))[0]),), (name,))
    cases: list[Case] = []
    faults: list[Fault] = []
    for index, data in enumerate(document.data["cases"]):
        reader = _Reader(document, game, edition, ("cases", index))
        mine = [fault for route, fault in wrong if route[1] == index]
        case = None if mine else reader.case(data)
        line = document.place(reader.route)[0]
        id = str(data.get("id", "")) if isinstance(data, dict) else ""
        faults += [Fault("schema", error, name, line, id) for error in mine]
        faults += [Fault(code, error, name, line, id) for code, error in reader.faults]
        if case and not reader.faults:
            cases.append(case)
    return Casebook(tuple(cases), tuple(faults), (name,))


def model_failed(error: Exception) -> str:
    """One line for an error that the oracle's own code raised: what, and where in the code."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"the reference model failed: {type(error).__name__}: {error}{place}"


class _Reader:
    """Reads one case that the schema has passed; `faults` collects what else is wrong."""

    def __init__(self, document: Document, game: Game[Any], edition: str, route: Route) -> None:
        self.document = document
        self.game = game
        self.edition = edition
        self.route = route
        self.start: Any = None
        self.faults: list[tuple[str, OracleError]] = []

    def case(self, data: Mapping[str, Json]) -> Case:
        rules = self.rules(data["rules"], (*self.route, "rules"))
        self.start = self.state(data)
        return Case(
            id=data["id"],
            title=data.get("title", ""),
            rules=rules,
            provenance=data.get("provenance", "derived"),
            link=data.get("link", ""),
            reading=data.get("reading", ""),
            game=self.game,
            edition=self.edition,
            given=data.get("given"),
            setup=data.get("setup"),
            state=self.start,
            steps=tuple(self.step(step, (*self.route, "steps", i)) for i, step in enumerate(data["steps"])),
            document=self.document,
            route=self.route,
        )

    def state(self, data: Mapping[str, Json]) -> Any:
        word = "given" if "given" in data else "setup"
        build = self.game.position if word == "given" else self.game.start
        try:
            return build(data[word], self.edition)
        except BadInput as error:
            self.faults.append(("position", self.document.locate(error, (*self.route, word))))
        except Exception as error:  # the model must not take the other cases down with it
            where = self.document.where((*self.route, word), key=True)
            self.faults.append(("model", OracleError(model_failed(error), where=where)))
        return None

    def rules(self, ids: str | Sequence[str], route: Route) -> tuple[str, ...]:
        known = self.game.rulebook.rules
        for i, id in enumerate([ids] if isinstance(ids, str) else ids):
            if id not in known:
                fix = schema.closest(id, known) or f"`oracle rules {self.game.name}` lists the ids"
                at = route if isinstance(ids, str) else (*route, i)
                self.faults.append(("unknown-rule", self.document.fault(f"there is no rule {id!r}", at, fix=fix)))
        return (ids,) if isinstance(ids, str) else tuple(ids)

    def because(self, data: Json, route: Route) -> tuple[str, ...]:
        return self.rules(data["because"], (*route, "because")) if "because" in data else ()

    def action(self, value: Json, route: Route) -> Action:
        try:
            return self.game.read(value, self.start)
        except BadInput as error:
            self.faults.append(("action", self.document.locate(error, route)))
            return Action("?")

    def actions(self, values: Sequence[Json] | None, route: Route) -> tuple[Action, ...]:
        read: dict[Action, int] = {}
        for i, value in enumerate(values or ()):
            action = self.action(value, (*route, i))
            if action in read and action.verb != "?":
                message = f"{self.game.text(action)!r} is there twice"
                self.faults.append(("action", self.document.fault(message, (*route, i), fix="name each action once")))
            read[action] = i
        return tuple(read)

    def sequences(self, values: Iterable[Sequence[Json]], route: Route) -> tuple[tuple[Action | str, ...], ...]:
        return tuple(
            tuple(self.named(value, (*route, i, j)) for j, value in enumerate(sequence))
            for i, sequence in enumerate(values)
        )

    def named(self, value: Json, route: Route) -> Action | str:
        if isinstance(value, str):
            try:
                self.game.read(value)
            except BadAction:
                return value.strip()
        return self.action(value, route)

    def step(self, data: Mapping[str, Json], route: Route) -> Step:
        ((word, value),) = data.items()
        route = (*route, word)
        match word:
            case "do":
                return self.do(value, route)
            case "refuse":
                action = self.action(value["action"], (*route, "action"))
                return Refuse(route, value["player"], action, self.because(value, route))
            case "legal":
                exactly = self.actions(value.get("exactly"), (*route, "exactly"))
                return Legal(
                    route,
                    value["player"],
                    exactly if "exactly" in value else None,
                    self.actions(value.get("includes"), (*route, "includes")),
                    self.actions(value.get("excludes"), (*route, "excludes")),
                    self.because(value, route),
                )
            case "order":
                return Order(
                    route,
                    self.sequences(value.get("allowed", ()), (*route, "allowed")),
                    self.sequences(value.get("forbidden", ()), (*route, "forbidden")),
                )
            case "events":
                exact = isinstance(value, dict)
                return Events(route, tuple(value["exactly"] if exact else value), exact)
            case "state":
                return State(route, value)
            case "perft":
                return Perft(route, tuple(value))
            case _:
                return self.end(value, route)

    def do(self, value: Json, route: Route) -> Do:
        if not isinstance(value, dict) or "action" not in value:
            return Do(route, self.action(value, route))
        for key in value:
            if key not in ("by", "action"):
                wrong = self.document.fault(f"unknown key {key!r}", (*route, key), fix="one of: by, action", key=True)
                self.faults.append(("schema", wrong))
        by = value.get("by", UNSET)
        if not isinstance(by, str | UnsetType | None):
            wrong = self.document.fault("'by' is no seat", (*route, "by"), fix="a seat, for example A; null for chance")
            self.faults.append(("schema", wrong))
        return Do(route, self.action(value["action"], (*route, "action")), by)

    def end(self, value: Json, route: Route) -> End:
        if isinstance(value, bool):
            return End(route, value)
        winners, first = value.get("winners"), value.get("next first")
        return End(
            route,
            True,
            None if winners is None else tuple(winners),
            value.get("scores"),
            None if first is None else tuple(first),
            self.because(value, route),
        )
