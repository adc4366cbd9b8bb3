"""The protocol that a program under test speaks: one JSON object a line, asked on its standard
input and answered on its standard output.

| request                                   | answer                                              |
|-------------------------------------------|-----------------------------------------------------|
| `start {protocol}`                        | `{implementation, games}`                           |
| `new {seq, game, edition, setup}`         | `{seq, ok, events}`                                 |
| `decision {seq}`                          | `{seq, player, kind, options}` or `{seq, over}`     |
| `apply {seq, player, action}`             | `{seq, accepted, events}`                           |
| `observe {seq, player}`                   | `{seq, state}`                                      |
| `stop`                                    | none                                                |

Each request is an object with `request` and the fields above. Any answer but that to `start` may
instead be `{seq, skipped: MESSAGE}`, `{seq, unsupported: FEATURE}` or `{seq, errored: MESSAGE}`.
`events` carry what chance decided since the last answer, in order, so that the oracle can follow.
Options and actions are the game's JSON actions. `kind` is `chance` where the program leaves to the oracle
what chance decides (`player` is then null), `action` where a player may do any of what a turn allows, and
`choice` or `order` where something under way asks: of these two either will do. Expected answers are
never sent. A field that the protocol does not have is an error, so that a misspelt one is noticed.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

PROTOCOL = 1
"""The version of this protocol."""

Json = Any


class Start(Struct, tag_field="request", tag="start"):
    """Opens the conversation."""

    protocol: int = PROTOCOL


class New(Struct, tag_field="request", tag="new"):
    """Begins a play. `setup` is a game's `start` setup, or `{"position": GIVEN}`; it may hold a `seed`."""

    seq: int
    game: str
    edition: str
    setup: dict[str, Json]


class AskDecision(Struct, tag_field="request", tag="decision"):
    """Asks who must choose and what is offered."""

    seq: int


class Apply(Struct, tag_field="request", tag="apply"):
    """Takes an action for a player, or tries to: the oracle sends illegal ones on purpose."""

    seq: int
    player: str | None
    action: dict[str, Json]


class Observe(Struct, tag_field="request", tag="observe"):
    """Asks for the state: all of it (player null), or what one player sees."""

    seq: int
    player: str | None = None


class Stop(Struct, tag_field="request", tag="stop"):
    """Ends the conversation; the process should exit."""


class About(Struct, forbid_unknown_fields=True):
    """Who the program is."""

    name: str
    version: str = ""
    language: str = ""


class Plays(Struct, forbid_unknown_fields=True):
    """A game the program plays. `features` are words of the game's own, such as the cards it has; null means all."""

    game: str
    edition: str
    features: list[str] | None = None


class Started(Struct, forbid_unknown_fields=True):
    """The answer to `start`."""

    implementation: About
    games: list[Plays]
    protocol: int = PROTOCOL


class Reported(Struct, forbid_unknown_fields=True):
    """One event: what happened, to whom, with what."""

    event: str
    player: str | None = None
    items: list[str] = field(default_factory=list)
    note: str = ""


class _Answer(Struct, kw_only=True, forbid_unknown_fields=True):
    seq: int
    skipped: str | None = None
    unsupported: str | None = None
    errored: str | None = None


class Created(_Answer, kw_only=True, forbid_unknown_fields=True):
    """The answer to `new`."""

    ok: bool = False
    events: list[Reported] = field(default_factory=list)


class Decided(_Answer, kw_only=True, forbid_unknown_fields=True):
    """The answer to `decision`. `options` null: the program has no list, so it is probed instead."""

    player: str | None = None
    kind: Literal["action", "choice", "order", "chance"] | None = None
    options: list[dict[str, Json]] | None = None
    over: bool = False


class Applied(_Answer, kw_only=True, forbid_unknown_fields=True):
    """The answer to `apply`. Only `accepted: false` is a refusal."""

    accepted: bool | None = None
    events: list[Reported] = field(default_factory=list)


class Observed(_Answer, kw_only=True, forbid_unknown_fields=True):
    """The answer to `observe`: any of the fields of the game's own `observe`; only those given are compared."""

    state: dict[str, Json] = field(default_factory=dict)


Request = Start | New | AskDecision | Apply | Observe | Stop
Answer = Created | Decided | Applied | Observed
