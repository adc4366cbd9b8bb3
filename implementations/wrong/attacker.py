"""The fault: the Attacker has the first opportunity in a Combat Segment."""

from model import Model

from oracle.games.l5r import flow
from oracle.games.l5r.calendar import COMBAT
from oracle.games.l5r.state import State, action_round, begun
from oracle.timing import Round


def forward(state: State) -> Round:
    if state.at != COMBAT:
        return begun(state)
    assert state.attack is not None
    return action_round(state, state.attack.attacker, {}, ("Battle",))


class Attacker(Model):
    game = "l5r"


if __name__ == "__main__":
    vars(flow)["begun"] = forward
    Attacker.run()
