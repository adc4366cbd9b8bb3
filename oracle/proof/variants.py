"""A game with some of its code said otherwise: what readings and mutants are played on."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

from oracle.game import Action, Decision, Event, Outcome, Verdict
from oracle.proof.lift import load
from oracle.proof.readings import Reading


def loaded(names: Sequence[str], edits: Mapping[str, ast.Module] | None = None) -> SimpleNamespace:
    """Modules of a game by the last part of their names, loaded anew: what is changed in them changes nothing else.

    List a module after those that it imports, and one of the game's own last; what is not listed is the game's.
    """
    code: dict[str, ModuleType] = {}
    for name in names:
        package = ModuleType(names[-1].rpartition(".")[0])
        package.__dict__.update({known.rpartition(".")[2]: module for known, module in code.items()})
        code |= load([name], {**code, package.__name__: package}, edits, plain=True)
    return SimpleNamespace(**{name.rpartition(".")[2]: module for name, module in code.items()})


def instead(module: Any, name: str, clause: Callable[..., Any]) -> None:
    """Puts another clause in the place of one of a loaded module, under the same rule."""
    module.GUARDS.instead(getattr(module, name), clause)
    setattr(module, name, clause)


class Otherwise:
    """Mixed in before a game's class: the game as a reading has it, or with other syntax trees for some `modules`.

    `modules` are all that decides what may be done and what happens, as `loaded` takes them; `judges` and `plays`
    are the last names of those with the verdicts, and with what actions do. `code.parameters` are for a reading
    that sets a parameter of the game.
    """

    modules: ClassVar[tuple[str, ...]]
    judges: ClassVar[str] = "verdicts"
    plays: ClassVar[str] = "effects"

    def __init__(self, reading: Reading, edits: Mapping[str, ast.Module] | None = None) -> None:
        self.code = loaded(self.modules, edits)
        self.code.parameters = {}
        reading.change(self.code)

    def _module(self, name: str) -> Any:
        """A module as it was loaded for this variant, or else the game's own."""
        known = vars(self.code).get(name)
        return known or import_module(f"{self.modules[-1].rpartition('.')[0]}.{name}")

    def position(self, data: Mapping[str, Any], edition: str) -> Any:
        """As the game's, brought to its next decision by the variant."""
        return self.goes_on(self._module("given").position(data, edition))

    def start(self, setup: Mapping[str, Any], edition: str) -> Any:
        """As the game's, brought to its first decision by the variant."""
        return self.goes_on(self._module("given").start(setup, edition))

    def goes_on(self, state: Any) -> Any:
        """The state after what happens without anybody choosing."""
        return self._module(self.plays).run(state, [])

    def generate(self, state: Any) -> Decision | None:
        """As the game's."""
        decision: Decision | None = self._module("moves").decision(state)
        return decision

    def judge(self, state: Any, player: str | None, action: Action) -> Verdict:
        """As the game's."""
        verdict: Verdict = self._module(self.judges).judge(state, player, action)
        return verdict

    def play(self, state: Any, action: Action) -> tuple[Any, tuple[Event, ...]]:
        """As the game's."""
        after: tuple[Any, tuple[Event, ...]] = self._module(self.plays).play(state, action)
        return after

    def outcome(self, state: Any) -> Outcome | None:
        """As the game's."""
        end: Outcome | None = self._module("scoring").outcome(state)
        return end
