"""The fault: at the end of a round Drift comes before the refill of the berth that the last turn has emptied."""

from model import Model
from msgspec.structs import replace

from oracle.game import Event
from oracle.games.station import effects
from oracle.games.station.state import AFTER_ROUND, AFTER_TURN, State, Step

shipped = effects.STEPS["end turn"]


def late(state: State, step: Step, log: list[Event]) -> State | None:
    if state.following == state.starting:
        agenda = tuple(replace(t, moment=AFTER_ROUND) if t.moment == AFTER_TURN else t for t in state.agenda)
        state = replace(state, agenda=agenda)
    return shipped(state, step, log)


class Drift(Model):
    game = "station"


if __name__ == "__main__":
    effects.STEPS["end turn"] = late
    Drift.run()
