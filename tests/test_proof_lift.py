"""Lifting carries code faithfully or refuses it: on small inputs the lifted term is the function."""

from __future__ import annotations

import ast
from collections.abc import Callable
from importlib import import_module
from itertools import product
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

import pytest

from oracle import games, zones
from oracle.proof import paths
from oracle.proof.bags import stand_in
from oracle.proof.lift import Modules, lift, load, source_of
from oracle.proof.paths import LiftError
from oracle.proof.symbols import SymBag, SymBool, SymInt
from oracle.proof.terms import count
from tests.rooms import games_with

z3 = pytest.importorskip("z3")

SOURCE = """
from oracle.zones import add, holds, remove, size, possible

def both_and_not(x, y): return (x > 0 and y > 0) or not (x == y)
def chained(x, y): return 0 < x < y
def truthy(x, y): return True if x else y > 1
def member(x, y): return x in (1, 2)
def loops(x, y): return any(v > 1 for v in (x, y)) and all(v < 3 for v in (x, y) if v)
def pairs(x, y): return any(a > 1 and b for a, b in ((x, y), (y, x)))
def sums(x, y): return sum([x, y]) <= 3 and sum(1 for v in (x, y) if v > 0) == 2
def extremes(x, y): return max(x, y) > 1 and sorted([x, y])[0] == min(x, y)
def ternary(x, y): return (x if x > y else y) > 2
def equal_truths(x, y): return (x > 0) == (y > 0)
def added_truths(x, y): return sum(v > 0 for v in (x, y)) == 1
def differences(x, y): return 3 - x > y - 1
def number(x, y) -> int:
    if x > y:
        return x
    return y + 1
def called(x, y): return number(x, y) == 3
def text(x, y): return (f"{x} is {y}", x > y)[1]

def bag_size(bag): return len(bag) == 3
def bag_member(bag): return "a" in bag and "c" not in bag
def bag_equal(bag): return bag == ("a", "b")
def bag_any(bag): return any(card > "a" for card in bag)
def bag_all(bag): return all(card > "a" for card in bag)
def bag_holds(bag): return holds(bag, ("a", "a"))
def bag_kinds(bag): return len({card for card in bag if card != "b"}) == 1 and len(set(bag)) == 2
def bag_after(bag): return len(remove(add(bag, ("b",)), ("b",))) > 1
def bag_count(bag): return bag.count("a") > 1 or not bag
"""
NUMBERS = [
    name for name in ast.parse(SOURCE).body if isinstance(name, ast.FunctionDef) and name.args.args[0].arg == "x"
]
BAGS = [name for name in ast.parse(SOURCE).body if isinstance(name, ast.FunctionDef) and name.args.args[0].arg == "bag"]


@pytest.fixture(scope="module")
def modules() -> tuple[ModuleType, ModuleType]:
    """The functions above, to be lifted and plain."""
    edits = {"sample": ast.parse(SOURCE)}
    to_lift = load(["sample"], {"oracle.zones": stand_in()}, edits)["sample"]
    return to_lift, load(["sample"], edits=edits, plain=True)["sample"]


@pytest.mark.parametrize("name", [node.name for node in NUMBERS])
def test_numbers_are_carried_faithfully(name: str, modules: tuple[ModuleType, ModuleType]) -> None:
    """The lifted term has the value of the function on every pair of small numbers."""
    symbolic, plain = (getattr(module, name) for module in modules)
    x, y = count("x"), count("y")
    lifted = lift(lambda: symbolic(SymInt(x), SymInt(y)))
    term = lifted.term
    for a, b in product(range(4), repeat=2):
        put = [(x, z3.IntVal(a)), (y, z3.IntVal(b))]
        assert str(z3.simplify(z3.substitute(term, *put))) == str(plain(a, b)), (name, a, b)
        assert z3.is_false(z3.simplify(z3.substitute(lifted.raises, *put)))


@pytest.mark.parametrize("name", [node.name for node in BAGS])
def test_bags_are_carried_faithfully(name: str, modules: tuple[ModuleType, ModuleType]) -> None:
    """The lifted term has the value of the function on every bag of up to nine cards of three kinds."""
    symbolic, plain = (getattr(module, name) for module in modules)
    counts = {kind: count(f"n.{kind}") for kind in "abc"}
    term = lift(lambda: symbolic(SymBag(counts))).term
    for amounts in product(range(4), repeat=3):
        bag = tuple(kind for kind, n in zip("abc", amounts, strict=True) for _ in range(n))
        put = [(counts[kind], z3.IntVal(n)) for kind, n in zip("abc", amounts, strict=True)]
        assert str(z3.simplify(z3.substitute(term, *put))) == str(bool(plain(bag))), (name, bag)


REFUSED: dict[str, Callable[[Any, Any], Any]] = {
    "product": lambda x, y: x * y > 2,
    "division": lambda x, y: x // 2 == y,
    "index": lambda x, y: [5, 6, 7, 8][x] > 6,
    "range": lambda x, y: len(range(x)) > y,
    "text": lambda x, y: str(x) == "2",
    "hash": lambda x, y: len({x, y}) == 2,
    "other kind": lambda x, y: x == "2",
    "bag one by one": lambda x, y: list(SymBag({"a": x.term})),
    "bag place": lambda x, y: SymBag({"a": x.term})[0],
    "whole number": lambda x, y: int(x) > 1,
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_carried_is_refused(name: str) -> None:
    """No value is made up, and no handler of exceptions can hide it."""

    def swallowing() -> Any:
        try:
            return REFUSED[name](SymInt(count("x")), SymInt(count("y")))
        except Exception:
            return True

    with pytest.raises(LiftError):
        lift(swallowing)


def test_an_error_of_the_code_is_part_of_what_it_does() -> None:
    """The condition under which the code raises is exact."""
    x = count("x")

    def code() -> bool:
        if SymInt(x) > 3:
            raise ValueError("too many")
        return SymBool(x > 1)  # type: ignore[return-value]

    raises = lift(code).raises
    for n in range(6):
        assert z3.is_true(z3.simplify(z3.substitute(raises, (x, z3.IntVal(n))))) == (n > 3)


def test_a_symbol_outside_lifted_code_is_refused() -> None:
    """A symbolic truth value has no truth of its own."""
    with pytest.raises(LiftError):
        bool(SymInt(count("x")) > 1)


def test_too_many_paths_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code that does not stop branching is given up with an error."""
    monkeypatch.setattr(paths, "MOST_PATHS", 50)

    def code() -> int:
        return sum(1 for i in range(10) if SymInt(count(f"x{i}")) > 0)

    with pytest.raises(LiftError, match="paths"):
        lift(code)


@pytest.mark.parametrize("name", ["add", "remove", "holds", "size", "possible", "take"])
def test_the_stand_ins_do_what_zones_does(name: str) -> None:
    """On every small bag or deck the symbolic operation has the value of the real one, and raises where it does."""
    kinds = "ab"
    symbols = [{kind: count(f"{place}.{kind}") for kind in kinds} for place in ("one", "two", "cards")]
    one, two, cards = (SymBag(symbol) for symbol in symbols)
    inputs = {
        "add": (one, cards),
        "remove": (one, cards),
        "holds": (one, cards),
        "size": ((one, two),),
        "possible": ((one, two), cards),
        "take": ((one, two), cards),
    }[name]
    lifted = lift(lambda: getattr(stand_in(), name)(*inputs))
    for amounts in product(range(3), repeat=6):
        put = [(symbols[i // 2][kinds[i % 2]], z3.IntVal(n)) for i, n in enumerate(amounts)]
        bags = [tuple("a" * amounts[i] + "b" * amounts[i + 1]) for i in (0, 2, 4)]
        deck = tuple(layer for layer in bags[:2] if layer)
        real = {
            "size": (deck,),
            "possible": (deck, bags[2]),
            "take": (deck, bags[2]),
        }.get(name, (bags[0], bags[2]))
        try:
            want = getattr(zones, name)(*real)
        except ValueError:
            assert z3.is_true(z3.simplify(z3.substitute(lifted.raises, *put))), (name, bags)
            continue
        assert z3.is_false(z3.simplify(z3.substitute(lifted.raises, *put)))
        taken = [p.value for p in lifted.paths if z3.is_true(z3.simplify(z3.substitute(p.condition, *put)))]
        assert [_plain(value, put) for value in taken] == [want], (name, bags)


def _plain(value: Any, put: list[Any]) -> Any:
    """A symbolic value where the symbols are known."""
    if isinstance(value, tuple):
        return tuple(layer for layer in (_plain(layer, put) for layer in value) if layer)
    if isinstance(value, SymBag):
        known = {kind: z3.simplify(z3.substitute(n, *put)).as_long() for kind, n in value.counts.items()}
        return tuple(kind for kind in sorted(known) for _ in range(known[kind]))
    if isinstance(value, SymBool):
        return z3.is_true(z3.simplify(z3.substitute(value.term, *put)))
    return z3.simplify(z3.substitute(value.term, *put)).as_long() if isinstance(value, SymInt) else value


@pytest.mark.parametrize("name", games_with("claims"))
def test_no_lifted_clause_does_what_lifting_carries_wrongly(name: str) -> None:
    """No `is` on anything but None and truth values, no `isinstance`, no handler that swallows errors."""
    code: Modules = games.load(name).room("claims").modules()
    for module in code:
        for node in ast.walk(ast.parse(source_of(module))):
            if isinstance(node, ast.Compare) and any(isinstance(op, ast.Is | ast.IsNot) for op in node.ops):
                against = [node.left, *node.comparators]
                assert any(isinstance(side, ast.Constant) and side.value is None for side in against), ast.unparse(node)
            assert not isinstance(node, ast.ExceptHandler), f"{module}:{getattr(node, 'lineno', 0)}"
        texts = {"_list"}  # written in texts only, which lifting never makes
        for function in ast.walk(ast.parse(source_of(module))):
            if isinstance(function, ast.FunctionDef) and function.name not in texts:
                called = [
                    n.func.id for n in ast.walk(function) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
                ]
                assert "isinstance" not in called, f"{module}.{function.name}"


@pytest.mark.parametrize("name", games_with("claims"))
def test_the_theory_is_written_apart(name: str) -> None:
    """What says the text again in z3 imports nothing of the guards, the generator or the effects."""
    package = games.load(name).room("claims").__package__ or ""
    rooms = (room.name for room in iter_modules(import_module(package).__path__))
    theories = [room for room in rooms if room.startswith("theory")]
    assert "theory" in theories
    for module in theories:
        for node in ast.walk(ast.parse(source_of(f"{package}.{module}"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("oracle.games"):
                assert node.module.rpartition(".")[2] in theories, node.module
            if isinstance(node, ast.Import):
                assert not any(alias.name.startswith("oracle.games") for alias in node.names)
