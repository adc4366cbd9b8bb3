"""How actions are written, as text and as JSON, given the verbs that a game has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from oracle.decisions import Action, Json
from oracle.errors import BadAction, BadPosition
from oracle.given import copies
from oracle.zones import bag


class Verb(Struct, frozen=True):
    """How one verb of a game is written.

    `many`: it takes any number of items and its JSON form is a list; `ordered`: their order matters;
    `bare`: it takes no item at all. `parts` are the further words that follow, each with its own
    items. `fixed` lists the only items the verb can take, where that does not depend on the game's cards.
    """

    name: str
    many: bool = False
    ordered: bool = False
    bare: bool = False
    parts: tuple[Verb, ...] = ()
    fixed: tuple[str, ...] = ()


class Notation(Struct, frozen=True):
    """How the actions of one game are written: `verbs` by name; `game` is its name."""

    game: str
    verbs: Mapping[str, Verb]

    def action(self, verb: str, items: Sequence[str], parts: Mapping[str, Sequence[str]]) -> Action:
        """A canonical action. Raises `BadAction` for a verb, an item or a part that there is not."""
        spec = self.verbs.get(verb)
        if spec is None:
            raise BadAction(f"{verb!r} is no action of {self.game}", fix=f"one of: {', '.join(self.verbs)}")
        known = {part.name: part for part in spec.parts}
        for word in parts:
            if word not in known:
                raise BadAction(
                    f"{spec.name!r} takes no {word!r}", fix=f"it takes: {', '.join(known) or 'nothing more'}"
                )
        if missing := [word for word in known if word not in parts]:
            form = " ".join([spec.name, "...", *(f"{word} ..." for word in known)])
            raise BadAction(f"{spec.name!r} lacks {missing[0]!r}", fix=f"it is written: {form}")
        rest = tuple((p.name, _canonical(p, parts[p.name])) for p in spec.parts)
        return Action(spec.name, _canonical(spec, items), rest)

    def text(self, action: Action) -> str:
        """The canonical text form; a verb that there is not is written as if it took many items."""
        words, spec = [action.verb], self.verbs.get(action.verb)
        if action.items or spec is None or not spec.bare:
            words.append(", ".join(action.items) or "nothing")
        for word, items in action.rest:
            words += [word, ", ".join(items) or "nothing"]
        return " ".join(words)

    def json(self, action: Action) -> dict[str, Json]:
        """The canonical JSON form; a verb that there is not is written as if it took many items."""
        spec = self.verbs.get(action.verb, Verb(action.verb, many=True))
        out: dict[str, Json] = {action.verb: list(action.items) if spec.many else next(iter(action.items), None)}
        for part in spec.parts:
            for word, items in action.rest:
                if word == part.name:
                    out[word] = list(items) if part.many else next(iter(items), None)
        return out

    def read(self, value: Json) -> Action:
        """An action from its text or JSON form. Raises `BadAction`."""
        if isinstance(value, str):
            return self._read_text(value)
        if not isinstance(value, Mapping) or not value:
            raise BadAction(f"{value!r} is no action", fix="a text such as 'VERB ITEM', or a mapping {VERB: ITEM}")
        verb, *parts = value
        if not isinstance(verb, str):
            raise BadAction(f"{verb!r} is no verb", fix=f"one of: {', '.join(self.verbs)}")
        return self.action(verb, _items(value[verb]), {str(word): _items(value[word]) for word in parts})

    def _read_text(self, written: str) -> Action:
        written = written.strip()
        verb = max((v for v in self.verbs if f"{written} ".startswith(f"{v} ")), key=len, default=None)
        if verb is None:
            raise BadAction(
                f"{written!r} is no action of {self.game}", fix=f"it starts with one of: {', '.join(self.verbs)}"
            )
        tail = written[len(verb) :]
        parts: dict[str, list[str]] = {}
        for part in reversed(self.verbs[verb].parts):
            tail, found, rest = tail.partition(f" {part.name} ")
            if found:
                parts[part.name] = _split(rest)
        return self.action(verb, _split(tail), parts)


def _items(value: Json) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return tuple(_split(value))
    if isinstance(value, Sequence) and all(isinstance(item, str) for item in value):
        return tuple(_several(value))
    raise BadAction(f"{value!r} is neither a name nor a list of names")


def _split(text: str) -> list[str]:
    text = text.strip()
    return [] if text in ("", "nothing") else _several(item.strip() for item in text.split(","))


def _several(items: Iterable[str]) -> list[str]:
    """The items as the lists of a position are read: "3 Estate" is three of them."""
    try:
        return [name for name, _ in copies(list(items), ())]
    except BadPosition as error:
        raise BadAction(error.message, fix=error.fix) from None


def _canonical(spec: Verb, items: Sequence[str]) -> tuple[str, ...]:
    if spec.bare and items:
        raise BadAction(f"{spec.name!r} stands alone, without {', '.join(items)!r}")
    if not spec.many and len(items) > 1:
        raise BadAction(f"{spec.name!r} takes one item, not {len(items)}")
    if spec.fixed and not items and not spec.many:
        raise BadAction(f"{spec.name!r} lacks its item", fix=f"one of: {', '.join(spec.fixed)}")
    if spec.fixed and any(item not in spec.fixed for item in items):
        raise BadAction(f"{spec.name!r} cannot take {', '.join(items)!r}", fix=f"one of: {', '.join(spec.fixed)}")
    return tuple(items) if spec.ordered else bag(items)
