"""The fault: what waits for the start of Clean-up may be resolved in the Buy phase already."""

from model import Json, Model

from oracle.games.dominion.state import BUY


class Cleanup(Model):
    game = "dominion"

    def decision(self, request: Json) -> Json:
        answer = super().decision(request)
        state = self.reference.state
        if state.at == BUY and not state.stack and answer["options"]:
            waiting = {t.name for t in state.agenda if str(t.moment) == "before clean-up phase"}
            answer["options"] += [{"resolve": name} for name in sorted(waiting)]
        return answer


if __name__ == "__main__":
    Cleanup.run()
