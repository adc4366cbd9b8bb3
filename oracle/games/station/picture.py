"""A picture of a position, with what is legal marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from oracle.games.station.layout import circles, fitted
from oracle.games.station.marks import Marks, letters, marks
from oracle.games.station.moves import decision
from oracle.games.station.placement import CORE, VACANT
from oracle.games.station.rules import effective_cost
from oracle.games.station.scoring import outcome
from oracle.games.station.state import BERTHS, DISPLAY, DOCK, Seat, State, credit
from oracle.report.svg import ACCENT, INK, PALE, QUIET, TINTS, WHITE, Canvas, fit, lines
from oracle.zones import Bag, size

WIDTH, MARGIN, GAP = 1200.0, 32.0, 14.0
INNER = WIDTH - 2 * MARGIN
USUAL = {"blue": 0, "red": 1, "green": 2, "gold": 3}
"""The guilds of the box and the tints that look like their names."""
LEGEND = (
    ("A", "can be acquired alone"),
    ("T", "can be taken for the exact payment"),
    ("P", "can be purchased; at a node: from these berths"),
    ("I", "a module of the dock can be installed here"),
    ("S", "can be stowed in the dock"),
    ("X", "can be exchanged for a module of the dock"),
)


def picture(state: State) -> str:
    """The position as an SVG document: display, market, the station whose turn it is, the others, a legend."""
    return _Picture(state).drawn()


def _counted(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


class _Picture:
    """One picture being drawn; each part starts at a height and returns the one where the next may start."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.decision = decision(state)
        self.marks: Marks = marks(self.decision)
        guilds = {module.guild for module in state.table.modules} | {credit(card).guild for card in _all_credits(state)}
        self.tints = {guild: TINTS[USUAL[guild]] for guild in sorted(guilds) if guild in USUAL}
        free = [tint for tint in TINTS if tint not in self.tints.values()] or list(TINTS)
        others = (guild for guild in sorted(guilds) if guild not in USUAL)
        self.tints |= {guild: free[i % len(free)] for i, guild in enumerate(others)}
        self.letters = {guild: _letters(guild, self.tints) for guild in self.tints}
        self.places = circles(state.table.map)
        self.canvas = Canvas(WIDTH, self._title(), self._description())

    def drawn(self) -> str:
        """The document."""
        y = self._head()
        y = self._display(y)
        y = self._market(y)
        y = self._mover(y)
        y = self._others(y)
        return self.canvas.dumps(self._legend(y))

    # -- in words ----------------------------------------------------------------------------------

    def _title(self) -> str:
        state = self.state
        if state.over:
            return f"Station: the game is over after round {state.round}"
        return f"Station: round {state.round}, {state.mover.name}'s turn"

    def _asks(self) -> str:
        asked = self.decision
        if asked is None:
            ended = outcome(self.state)
            scores = ", ".join(f"{name} {points}" for name, points in ended.scores.items()) if ended else ""
            return f"Won by {_counted(ended.winners)} (Renown: {scores})" if ended else ""
        many = f"{len(asked.legal):,} legal action{'' if len(asked.legal) == 1 else 's'}"
        return f"{asked.player or 'Chance'} decides: {asked.about}, {many}"

    def _description(self) -> str:
        state, found = self.state, self.marks
        market = [f"{berth} {module}" for berth, module in zip(BERTHS, state.market, strict=True) if module]
        alone = [f"{verbs[0]} {card}" for card, verbs in found.cards.items()]
        together = [" and ".join(cards) for cards in found.together]
        berths = [f"from {berth} to {' or '.join(to)}" for berth, to in found.berths.items()]
        nodes = [f"{node} ({', '.join(actions)})" for node, actions in found.nodes.items()]
        parts = [
            f"Display: {_counted(state.display)}",
            f"Market: {_counted(market)}",
            f"{state.mover.name}'s hand: {_counted(state.mover.hand)}; dock: {_counted(state.mover.dock)}",
            f"Legal: {_counted(alone)}; together: {_counted(together)}",
            f"Purchase: {_counted(berths)}",
            f"Nodes: {_counted(nodes)}",
            f"Pass: {'allowed' if found.passing else 'not allowed'}",
        ]
        return f"{self._asks()}. {'. '.join(parts)}."

    # -- shared pieces -----------------------------------------------------------------------------

    def _heading(self, x: float, y: float, text: str, aside: str = "") -> None:
        self.canvas.text(x, y, text, 13, bold=True, fill=QUIET)
        self.canvas.text(x + len(text) * 8 + 14, y, aside, 12, fill=QUIET)

    def _card(self, x: float, y: float, card: str, width: float, height: float) -> None:
        guild, value = credit(card)
        self.canvas.box(x, y, width, height, fill=WHITE, stroke=self.tints[guild], thick=1.5, round=7)
        self.canvas.box(x, y, width, height * 0.16, fill=self.tints[guild], stroke=self.tints[guild], round=5)
        self.canvas.text(x + width / 2, y + height * 0.63, str(value), height * 0.38, bold=True, anchor="middle")
        self.canvas.text(x + width / 2, y + height * 0.88, fit(guild, width, 13), 13, fill=QUIET, anchor="middle")

    def _module(
        self, x: float, y: float, name: str, width: float, height: float, size: float, *, low: float = 0
    ) -> None:
        """A module: its guild as a bar at the left, and its name, so much below the middle."""
        guild = self._guilds.get(name, "")
        tint = self.tints.get(guild, INK)
        self.canvas.box(x, y, width, height, fill=WHITE, stroke=tint, thick=1.5, round=5)
        bar = 5.0 if width > 50 else 3.0
        self.canvas.box(x, y, bar, height, fill=tint, stroke=tint, round=2)
        self.canvas.text(x + bar + 5, y + height / 2 + size * 0.36 + low, fit(name, width - bar - 6, size), size)

    @property
    def _guilds(self) -> dict[str, str]:
        return {module.name: module.guild for module in self.state.table.modules}

    # -- the parts ---------------------------------------------------------------------------------

    def _head(self) -> float:
        canvas, state = self.canvas, self.state
        canvas.text(MARGIN, 52, fit(self._title(), INNER - 260, 26), 26, bold=True)
        canvas.text(MARGIN, 78, fit(self._asks(), INNER - 260, 15), 15, fill=QUIET)
        words = "pass allowed" if self.marks.passing else "pass not allowed"
        fill, ink = (ACCENT, WHITE) if self.marks.passing else (WHITE, QUIET)
        with canvas.group(legal=["pass"] if self.marks.passing else []):
            canvas.box(WIDTH - MARGIN - 160, 28, 160, 34, fill=fill, stroke=fill if fill == ACCENT else PALE, round=17)
            canvas.text(WIDTH - MARGIN - 80, 50, words, 14, fill=ink, bold=True, anchor="middle")
        if state.ended and not state.over:
            canvas.text(WIDTH - MARGIN, 80, "the end is triggered: last round", 13, anchor="end", bold=True)
        return 116

    def _display(self, y: float) -> float:
        canvas, state, wide, high = self.canvas, self.state, 92.0, 112.0
        piles = f"deck {size(state.deck)}, spent {len(state.discard)}"
        self._heading(MARGIN, y, "Display", f"{len(state.display)} of {DISPLAY} cards; {piles}")
        for i in range(DISPLAY):
            x = MARGIN + i * (wide + GAP)
            if i >= len(state.display):
                canvas.box(x, y + 14, wide, high, fill="none", dashed=True, round=7)
                canvas.text(x + wide / 2, y + 14 + high / 2 + 4, "empty", 12, fill=QUIET, anchor="middle")
                continue
            card = state.display[i]
            verbs = self.marks.cards.get(card, [])
            with canvas.group(f"{card}: {_counted(verbs)}", [f"{verb} {card}" for verb in verbs]):
                self._card(x, y + 14, card, wide, high)
                for verb in verbs:
                    canvas.badge(x + wide - 24, y + 38, verb[0].upper(), size=12)
        x = MARGIN + DISPLAY * (wide + GAP) + 10
        self._together(x, y + 14, WIDTH - MARGIN - x)
        return y + 14 + high + 40

    def _together(self, x: float, y: float, width: float) -> None:
        """The cards that can be acquired two or three at a time."""
        combos = self.marks.together
        if not combos:
            return
        legal = [f"acquire {', '.join(cards)}" for cards in combos]
        said = [" + ".join(cards).replace(" ", "\u00a0") for cards in combos]
        with self.canvas.group("; ".join(said), legal):
            self.canvas.badge(x, y, "A", size=12)
            self.canvas.text(
                x + 26,
                y + 13,
                f"{len(said)} way{'' if len(said) == 1 else 's'} to acquire two or three together:",
                13,
                bold=True,
            )
            for i, line in enumerate(lines(";  ".join(said), width - 26, 12, 5)):
                self.canvas.text(x + 26, y + 33 + i * 18, line, 12, fill=QUIET)

    def _market(self, y: float) -> float:
        canvas, state = self.canvas, self.state
        wide, high = (INNER - (len(BERTHS) - 1) * GAP) / len(BERTHS), 124.0
        self._heading(MARGIN, y, "Market", f"{size(state.salvage)} modules in the salvage supply")
        for i, (berth, name) in enumerate(zip(BERTHS, state.market, strict=True)):
            x, top = MARGIN + i * (wide + GAP), y + 14
            if not name:
                canvas.box(x, top, wide, high, fill="none", dashed=True, round=7)
                canvas.text(
                    x + wide / 2, top + high / 2 + 4, f"berth {berth} is empty", 12, fill=QUIET, anchor="middle"
                )
                continue
            to = self.marks.berths.get(berth, [])
            with canvas.group(
                f"berth {berth}, {name}: to {_counted(to)}", [f"purchase {berth} to {where}" for where in to]
            ):
                self._berth(x, top, wide, high, i, to)
        return y + 14 + high + 40

    def _berth(self, x: float, y: float, wide: float, high: float, i: int, to: Sequence[str]) -> None:
        canvas, state, berth = self.canvas, self.state, BERTHS[i]
        module = state.table[state.market[i]]
        tint, cost = self.tints[module.guild], effective_cost(module.cost, state.discount[i])
        printed_as = f"{fit(module.guild, wide - 156, 12)}, Renown {module.renown}"
        canvas.box(x, y, wide, high, stroke=ACCENT if to else PALE, thick=2 if to else 1, round=7)
        canvas.box(x + 10, y + 12, 6, 46, fill=tint, stroke=tint, round=3)
        canvas.text(x + 24, y + 29, fit(f"{berth}  {module.name}", wide - 84, 16), 16, bold=True)
        canvas.text(x + 24, y + 50, printed_as, 12, fill=QUIET)
        canvas.text(x + wide - 14, y + 36, str(cost), 28, bold=True, anchor="end")
        printed = f"printed {module.cost}" if cost != module.cost else "cost"
        canvas.text(x + wide - 14, y + 54, printed, 11, fill=QUIET, anchor="end")
        if i in state.eligible:
            canvas.text(x + 24, y + 72, f"\u2193 {state.table.drift} at the end of the round", 12, fill=QUIET)
        if not to:
            canvas.text(x + 24, y + 98, "not purchasable now" if self.decision else "", 12, fill=QUIET)
            return
        ways = self.marks.payments[berth]
        used = canvas.badge(x + 10, y + 83, "P", size=12)
        canvas.text(x + 16 + used, y + 97, f"{ways:,} way{'' if ways == 1 else 's'} to pay", 12, bold=True)
        nodes = [node for node in to if node != "dock"]
        where = ["dock"] * ("dock" in to) + [f"{len(nodes)} nodes" if len(nodes) > 4 else ", ".join(nodes)] * bool(
            nodes
        )
        canvas.text(x + 16 + used, y + 114, fit(f"to {' or '.join(where)}", wide - 50, 12), 12, fill=QUIET)

    def _mover(self, y: float) -> float:
        canvas, seat = self.canvas, self.state.mover
        wide, x = 690.0, MARGIN + 690 + 26
        points, scale = fitted(self.places, wide - 20, 520)
        high = max(py for _, py in points) - min(py for _, py in points) + scale * 0.6 + 40
        shift = min(py for _, py in points) - scale * 0.3 - 20
        standing = sum(1 for name in seat.station if name != VACANT)
        counts = f"{standing} of {len(points)} nodes occupied; placement {self.state.table.placement}"
        self._heading(MARGIN, y, f"Station of {fit(seat.name, 200, 13)}", counts)
        canvas.box(MARGIN, y + 14, wide, max(high, 230))
        lift = max(0.0, (230 - high) / 2)
        self._station(
            MARGIN + 10, y + 14 - shift + lift, points, scale, seat, {} if self.decision is None else self.marks.nodes
        )
        self._heading(x, y, "Dry Dock", f"{len(seat.dock)} of {DOCK} modules")
        slot = (WIDTH - MARGIN - x - 10) / 2
        for i in range(DOCK):
            left, top = x + i % 2 * (slot + 10), y + 14 + i // 2 * 46
            if i < len(seat.dock):
                self._module(left, top, seat.dock[i], slot, 38, 13)
                guild = fit(self._guilds[seat.dock[i]], slot * 0.3, 11)
                canvas.text(left + slot - 8, top + 23, guild, 11, fill=QUIET, anchor="end")
            else:
                canvas.box(left, top, slot, 38, fill="none", dashed=True)
        below = self._hand(x, y + 140, seat)
        facts = f"Renown {seat.renown}, purchases {seat.counter}"
        canvas.text(x, below + 8, facts, 14, bold=True)
        return max(y + 14 + max(high, 230), below + 20) + 40

    def _hand(self, x: float, y: float, seat: Seat) -> float:
        """The hand, a row for each guild; all of it in words where there are too many cards for a row."""
        held = f"{len(seat.hand)} card{'' if len(seat.hand) == 1 else 's'}"
        self._heading(x, y, "Hand", held)
        y += 14
        for guild, values in _by_guild(seat.hand).items():
            self.canvas.box(x, y, 6, 30, fill=self.tints[guild], stroke=self.tints[guild], round=3)
            self.canvas.text(x + 14, y + 20, fit(guild, 72, 13), 13)
            room = int((WIDTH - MARGIN - x - 88 - 56) / 30)
            shown = values if len(values) <= room else values[: room - 1]
            for i, value in enumerate(shown):
                self.canvas.box(x + 88 + i * 30, y + 1, 26, 28, stroke=self.tints[guild], round=4)
                self.canvas.text(x + 101 + i * 30, y + 20, str(value), 14, bold=True, anchor="middle")
            if len(shown) < len(values):
                more = f"+{len(values) - len(shown)}"
                self.canvas.text(x + 92 + len(shown) * 30, y + 20, more, 13, fill=QUIET)
            self.canvas.text(WIDTH - MARGIN, y + 20, f"= {sum(values)}", 13, fill=QUIET, anchor="end")
            y += 38
        return y + 14

    def _station(
        self,
        x: float,
        y: float,
        points: Sequence[tuple[float, float]],
        scale: float,
        seat: Seat,
        legal: dict[str, list[str]] | None = None,
    ) -> None:
        """Nodes and links; `legal` are the actions at each node, None for a station that is not to move."""
        canvas, map = self.canvas, self.state.table.map
        for i, near in enumerate(map.near):
            for j in range(i):
                if near >> j & 1:
                    both = seat.station[i] != VACANT and seat.station[j] != VACANT
                    (x1, y1), (x2, y2) = points[i], points[j]
                    stroke, thick = (QUIET, 2.5) if both else (PALE, 1.5)
                    canvas.line(x + x1, y + y1, x + x2, y + y2, stroke=stroke, thick=thick)
        for node, name, (px, py) in zip(map.nodes, seat.station, points, strict=True):
            actions = [] if legal is None else legal.get(node, [])
            says = f"{node}: {name or 'vacant'}"
            with canvas.group(
                f"{says}; {_counted(actions)}" if legal is not None else says, [f"{a} at {node}" for a in actions]
            ):
                self._node(x + px, y + py, node, name, scale, actions, small=legal is None)

    def _node(self, x: float, y: float, node: str, name: str, scale: float, actions: list[str], *, small: bool) -> None:
        canvas, wide, high = self.canvas, scale * 0.82, scale * 0.44
        left, top, text = x - wide / 2, y - high / 2, max(5.0, min(12.0, scale * 0.115))
        if node == CORE:
            canvas.box(left, top, wide, high, fill=INK, stroke=INK, round=high / 2)
            words = "Core"
            canvas.text(x, y + text * 0.36, words, text, fill=WHITE, bold=True, anchor="middle")
        elif small and name != VACANT:
            self._blot(left, top, name, wide, high)
        elif name != VACANT:
            self._module(left, top, name, wide, high, text, low=text * 0.25)
        else:
            canvas.box(
                left, top, wide, high, stroke=ACCENT if actions else PALE, dashed=bool(actions), thick=1.5, round=5
            )
        if small:
            return
        if node != CORE:
            inset = 5 if name == VACANT else 10
            canvas.text(left + inset, top + text * 1.1, fit(node, wide * 0.6, text * 0.85), text * 0.85, fill=QUIET)
            if guild := self._guilds.get(name):
                letter = self.letters[guild]
                canvas.text(left + wide - 5, top + text * 1.1, letter, text * 0.85, bold=True, anchor="end")
        at = left + wide
        for badge in reversed(list(letters(actions))):
            size = max(6.0, min(11.0, scale * 0.105))
            at -= max(size * 1.5, len(badge) * size * 0.66 + size * 0.7) + 2
            canvas.badge(at, top + high - size * (1.1 if name == VACANT else 0.6), badge, size=size)

    def _blot(self, x: float, y: float, name: str, wide: float, high: float) -> None:
        """A module too small for its name: the tint and the first letters of its guild."""
        guild = self._guilds[name]
        self.canvas.box(x, y, wide, high, stroke=self.tints[guild], thick=2.5, round=3)
        self.canvas.text(x + wide / 2, y + high * 0.74, self.letters[guild], high * 0.68, bold=True, anchor="middle")

    def _others(self, y: float) -> float:
        state = self.state
        seats = [*state.seats[state.turn + 1 :], *state.seats[: state.turn]]
        wide = (INNER - 2 * GAP) / 3
        points, scale = fitted(self.places, wide * 0.44, 170)
        high = 204.0
        self._heading(MARGIN, y, "The others", "in the order of their turns")
        for k, seat in enumerate(seats):
            x, top = MARGIN + k % 3 * (wide + GAP), y + 14 + k // 3 * (high + GAP)
            self.canvas.box(x, top, wide, high)
            self._station(x + 6, top + 17, points, scale, seat)
            left, room = x + wide * 0.44 + 18, wide * 0.56 - 28
            self.canvas.text(left, top + 26, fit(seat.name, room, 16), 16, bold=True)
            self.canvas.text(left, top + 46, f"Renown {seat.renown}, purchases {seat.counter}", 12, fill=QUIET)
            hand = [f"{guild} {_several(values)}" for guild, values in _by_guild(seat.hand).items()]
            stands = [f"{node}\u00a0{name}" for node, name in self._installed(seat)]
            told = [
                *lines(f"Hand: {_counted(hand)}", room, 12, 3),
                *lines(f"Dock: {_counted(seat.dock)}", room, 12, 2),
                *lines(f"Installed: {_counted(stands)}", room, 12, 4),
            ]
            for i, line in enumerate(told[:8]):
                self.canvas.text(left, top + 68 + i * 16.5, line, 12)
        return y + 14 + -(-len(seats) // 3) * (high + GAP) + 26

    def _installed(self, seat: Seat) -> list[tuple[str, str]]:
        standing = zip(self.state.table.map.nodes, seat.station, strict=True)
        return [(node, name) for node, name in standing if name != VACANT and node != CORE]

    def _legend(self, y: float) -> float:
        self._heading(MARGIN, y, "Legend", "a blue letter marks what is legal; a dashed blue node is free for a module")
        for i, (letter, says) in enumerate(LEGEND):
            x, top = MARGIN + i % 3 * (INNER / 3), y + 16 + i // 3 * 26
            used = self.canvas.badge(x, top, letter, size=12)
            self.canvas.text(x + used + 8, top + 13.5, says, 13)
        x, y = MARGIN, y + 16 + 2 * 26 + 6
        for guild, tint in self.tints.items():
            if x + 40 + len(guild) * 8 > WIDTH - MARGIN:
                break
            self.canvas.box(x, y, 30, 18, stroke=tint, thick=2.5, round=4)
            self.canvas.text(x + 15, y + 13.5, self.letters[guild], 12, bold=True, anchor="middle")
            self.canvas.text(x + 38, y + 14, guild, 13)
            x += 62 + len(guild) * 8
        return y + 18 + MARGIN


def _letters(guild: str, guilds: Iterable[str]) -> str:
    """The first letters of a guild, as many as tell it from the others, at most three."""
    few = next((n for n in (1, 2) if sum(other[:n] == guild[:n] for other in guilds) == 1), 3)
    return guild[:few].capitalize()


def _by_guild(cards: Bag) -> dict[str, list[int]]:
    """The values held of each guild, low to high."""
    found: dict[str, list[int]] = {}
    for guild, value in sorted(map(credit, cards)):
        found.setdefault(guild, []).append(value)
    return found


def _several(values: Sequence[int]) -> str:
    """Sorted values as `1 3\u00d72 8`."""
    counts = Counter(values)
    return "\u00a0".join(f"{value}\u00d7{n}" if n > 1 else str(value) for value, n in counts.items())


def _all_credits(state: State) -> Iterable[str]:
    yield from (*state.display, *state.discard)
    for seat in state.seats:
        yield from seat.hand
    for layer in state.deck:
        yield from layer
