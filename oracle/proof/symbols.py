"""Values that stand for all values at once: what lifted code is run on.

Whoever asks a symbolic truth value for its `bool` makes the code take both ways, one after the other
(see `paths`). Whatever these values cannot carry faithfully they refuse with `LiftError`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NoReturn

from oracle.proof.paths import LiftError, branch
from oracle.proof.terms import FALSE, ZERO, Bool, Int, boolean, both, every, no, number, pick, same, some, total


def _refused(what: str) -> Callable[..., NoReturn]:
    def refuse(self: object, *_: object) -> NoReturn:
        raise LiftError(f"{what} cannot be lifted ({type(self).__name__})")

    return refuse


def term_of(value: Any) -> Any:
    """The term behind a symbolic value; other values as they are."""
    return value.term if isinstance(value, (SymBool, SymInt)) else value


class SymBool:
    """A truth value."""

    __slots__ = ("term",)

    def __init__(self, term: Bool) -> None:
        self.term = term

    def __bool__(self) -> bool:
        return branch(self.term)

    def __eq__(self, other: object) -> Any:
        return SymBool(same(self.term, truth_of(other)))

    def __ne__(self, other: object) -> Any:
        return SymBool(no(same(self.term, truth_of(other))))

    def __add__(self, other: object) -> SymInt:
        return SymInt(pick(self.term, 1, 0)) + other

    __radd__ = __add__
    __hash__ = _refused("hashing a truth value")
    __str__ = __repr__ = __format__ = _refused("writing a truth value as text")
    __int__ = __index__ = _refused("a truth value as a number")
    __invert__ = __and__ = __or__ = __xor__ = _refused("bit operations on a truth value")


def truth_of(value: object) -> Bool:
    if isinstance(value, SymBool):
        return value.term
    if isinstance(value, bool):
        return boolean(value)
    raise LiftError(f"a truth value compared with {type(value).__name__} cannot be lifted")


class SymInt:
    """A whole number."""

    __slots__ = ("term",)

    def __init__(self, term: Int) -> None:
        self.term = term

    def __bool__(self) -> bool:
        return branch(no(same(self.term, 0)))

    def __eq__(self, other: object) -> Any:
        return SymBool(same(self.term, _number(other)))

    def __ne__(self, other: object) -> Any:
        return SymBool(no(same(self.term, _number(other))))

    def __lt__(self, other: object) -> SymBool:
        return SymBool(self.term < _number(other))

    def __le__(self, other: object) -> SymBool:
        return SymBool(self.term <= _number(other))

    def __gt__(self, other: object) -> SymBool:
        return SymBool(self.term > _number(other))

    def __ge__(self, other: object) -> SymBool:
        return SymBool(self.term >= _number(other))

    def __add__(self, other: object) -> SymInt:
        return SymInt(total((self.term, _number(other))))

    __radd__ = __add__

    def __sub__(self, other: object) -> SymInt:
        return SymInt(self.term - _number(other))

    def __rsub__(self, other: object) -> SymInt:
        return SymInt(_number(other) - self.term)

    __hash__ = _refused("hashing a number")
    __str__ = __repr__ = __format__ = _refused("writing a number as text")
    __index__ = __int__ = __float__ = _refused("indexing or counting with a number")
    __mul__ = __rmul__ = __floordiv__ = __truediv__ = __mod__ = __neg__ = _refused("arithmetic other than + and -")


def _number(value: object) -> Int:
    if isinstance(value, SymInt):
        return value.term
    if isinstance(value, SymBool):
        return pick(value.term, 1, 0)
    if isinstance(value, int):
        return number(value)
    raise LiftError(f"a number compared or added with {type(value).__name__} cannot be lifted")


class SymAtom:
    """One of several names (or None); `code` is the index of the name among all of its kind."""

    __slots__ = ("code", "names")

    def __init__(self, code: Int, names: tuple[str | None, ...]) -> None:
        self.code = code
        self.names = names

    def __eq__(self, other: object) -> Any:
        if isinstance(other, SymAtom):
            if other.names != self.names:
                raise LiftError("names of different kinds compared")
            return SymBool(same(self.code, other.code))
        return SymBool(same(self.code, self.names.index(other)) if other in self.names else FALSE)

    def __ne__(self, other: object) -> Any:
        return SymBool(no((self == other).term))

    __hash__ = _refused("hashing a name")
    __str__ = __repr__ = __format__ = _refused("writing a name as text")
    __bool__ = _refused("the truth of a name")


class SymText:
    """A text that is never written: it may be handed on and joined with others, and looked at by nobody."""

    def __add__(self, other: object) -> SymText:
        return self

    __radd__ = __add__
    __hash__ = __eq__ = __bool__ = __len__ = _refused("looking at a text")
    __iter__ = __contains__ = __getitem__ = __str__ = _refused("looking at a text")


class SymSet:
    """A set of names of which it is not known which are in it: it only answers `in`."""

    __slots__ = ("has",)

    def __init__(self, has: Mapping[str, Bool]) -> None:
        self.has = dict(has)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self.has and branch(self.has[name])

    __iter__ = __bool__ = __len__ = __eq__ = __hash__ = _refused("anything but `in`")


class SymBag:
    """A bag as a count for each known name; how many of each is not known."""

    __slots__ = ("counts",)

    def __init__(self, counts: Mapping[str, Any]) -> None:
        self.counts: dict[str, Int] = {name: number(n) for name, n in counts.items()}

    def of(self, name: str) -> Int:
        """How many there are of a name."""
        return self.counts.get(name, ZERO)

    @property
    def size(self) -> SymInt:
        """How many there are in all: what `len` gives in lifted code."""
        return SymInt(total(self.counts.values()))

    def count(self, name: str) -> SymInt:
        return SymInt(self.of(name))

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            raise LiftError(f"a {type(name).__name__} looked for in a bag")
        return branch(self.of(name) > 0) if name in self.counts else False

    def __bool__(self) -> bool:
        return branch(some(n > 0 for n in self.counts.values()))

    def __eq__(self, other: object) -> Any:
        mine, others = self.counts, counts_of(other)
        return SymBool(every(same(mine.get(name, 0), others.get(name, 0)) for name in {**mine, **others}))

    def __ne__(self, other: object) -> Any:
        return SymBool(no((self == other).term))

    def __add__(self, other: object) -> SymBag:
        mine, others = self.counts, counts_of(other)
        return SymBag({name: total((mine.get(name, 0), others.get(name, 0))) for name in {**mine, **others}})

    __radd__ = __add__

    def less(self, other: object) -> SymBag:
        """The bag without another. Raises `ValueError`, as `oracle.zones.remove` does, where that is not in it."""
        others = counts_of(other)
        if not SymBool(includes(self, others)):
            raise ValueError("not in the bag")
        return SymBag({name: n - others[name] if name in others else n for name, n in self.counts.items()})

    def only(self, keep: Callable[[str], Any]) -> SymBag:
        """The cards of the names for which `keep` says so."""
        return SymBag({name: pick(truth_of(keep(name)), n, 0) for name, n in self.counts.items()})

    __iter__ = _refused("going through a bag one by one")
    __len__ = _refused("`len` outside lifted code")
    __getitem__ = _refused("a place in a bag")
    __hash__ = _refused("hashing a bag")
    __repr__ = __str__ = _refused("writing a bag as text")


def counts_of(cards: object) -> Mapping[str, Any]:
    """Cards, symbolic or not, as a count for each name."""
    if isinstance(cards, SymBag):
        return cards.counts
    if isinstance(cards, Iterable) and not isinstance(cards, str):
        return Counter(cards)
    raise LiftError(f"a bag compared or joined with {type(cards).__name__}")


def includes(bag: object, cards: object) -> Bool:
    """Whether a bag holds all the cards, counting copies."""
    have = counts_of(bag)
    return every(number(have.get(name, 0)) >= number(n) for name, n in counts_of(cards).items())


class SymRow(tuple[Any, ...]):
    """A row of known length whose members are symbolic: counting in it does not branch."""

    def count(self, value: object, /) -> Any:
        return SymInt(total(pick(truth_of(each == value), 1, 0) for each in self))

    def __contains__(self, value: object) -> bool:
        return branch(some(truth_of(each == value) for each in self))


class Slots:
    """A row of places, each taken or free: a place is asked for only when it is looked at."""

    def __init__(self, taken: Iterable[Bool], make: Callable[[int], Any]) -> None:
        self.taken = tuple(taken)
        self.make = make

    def __len__(self) -> int:
        return len(self.taken)

    def __getitem__(self, place: int) -> Any:
        return self.make(place) if branch(self.taken[place]) else None

    def __iter__(self) -> Iterator[Any]:
        return (self[place] for place in range(len(self)))

    def __contains__(self, value: object) -> bool:
        if value is None:
            return branch(some(map(no, self.taken)))
        return branch(some(both(t, truth_of(self.make(i) == value)) for i, t in enumerate(self.taken)))

    __bool__ = __hash__ = _refused("the truth of a row of places")


def joined(condition: Bool, then: Any, otherwise: Any) -> Any:
    """One of two results, as one value. Raises `LiftError` where there is no such value."""
    if then is otherwise:
        return then
    if isinstance(then, (bool, SymBool)) and isinstance(otherwise, (bool, SymBool)):
        return SymBool(pick(condition, truth_of(then), truth_of(otherwise)))
    if isinstance(then, (int, SymInt)) and isinstance(otherwise, (int, SymInt)):
        return SymInt(pick(condition, _number(then), _number(otherwise)))
    if isinstance(then, SymBag) or isinstance(otherwise, SymBag):
        one, two = counts_of(then), counts_of(otherwise)
        return SymBag({name: pick(condition, one.get(name, 0), two.get(name, 0)) for name in {**one, **two}})
    if isinstance(then, (str, SymText)) and isinstance(otherwise, (str, SymText)):
        return SymText()
    if type(then) is type(otherwise) is tuple and len(then) == len(otherwise):
        return tuple(joined(condition, one, other) for one, other in zip(then, otherwise, strict=True))
    if type(then) is type(otherwise) and then == otherwise:
        return then
    raise LiftError(f"results {type(then).__name__} and {type(otherwise).__name__} cannot be joined")
