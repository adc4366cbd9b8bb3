"""What of a legal set a picture marks: which actions each thing on the table can be used for."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from oracle.game import Action, Decision
from oracle.games.station.payments import Purchases

Named = dict[str, list[str]]


class Marks(Struct):
    """The marks by what they are at. Each is an action without the cards it is paid with.

    `cards` are credits of the display, `together` what is acquired as two or three; `berths` and `nodes`
    go by name. `payments` says for a berth how many ways there are to pay.
    """

    cards: Named = field(default_factory=dict)
    together: list[tuple[str, ...]] = field(default_factory=list)
    berths: dict[str, list[str]] = field(default_factory=dict)
    payments: dict[str, int] = field(default_factory=dict)
    nodes: Named = field(default_factory=dict)
    passing: bool = False


def marks(decision: Decision | None) -> Marks:
    """The marks of a decision; none where nobody, or chance, decides."""
    found = Marks()
    if decision is None or decision.player is None:
        return found
    for action in decision.legal.single:
        _mark(found, action)
    for family in decision.legal.families:
        if isinstance(family, Purchases):
            found.berths[family.berth] = list(family.destinations)
            found.payments[family.berth] = len(family.payments)
            for to in family.destinations:
                if to != "dock":
                    found.nodes.setdefault(to, []).append(f"purchase {family.berth}")
    return found


def _mark(found: Marks, action: Action) -> None:
    match action.verb, action.items, action.rest:
        case "acquire" | "take", (card,), _:
            found.cards.setdefault(card, []).append(action.verb)
        case "acquire", cards, _:
            found.together.append(cards)
        case "install", (module,), ((_, (node,)),):
            found.nodes.setdefault(node, []).append(f"install {module}")
        case "stow", (node,), _:
            found.nodes.setdefault(node, []).append("stow")
        case "exchange", (node,), ((_, (module,)),):
            found.nodes.setdefault(node, []).append(f"exchange for {module}")
        case "pass", _, _:
            found.passing = True


def letters(actions: list[str]) -> Iterator[str]:
    """The badges of a node: P and the berths, I, S, X, each once."""
    berths = [action.split()[1] for action in actions if action.startswith("purchase ")]
    if berths:
        yield f"P{','.join(berths)}" if len(berths) < 5 else "P1-5"
    verbs = {action.split()[0] for action in actions}
    yield from (letter for verb, letter in (("install", "I"), ("stow", "S"), ("exchange", "X")) if verb in verbs)
