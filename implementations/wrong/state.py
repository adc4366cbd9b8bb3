"""The fault: the state it shows forgets that anybody has passed."""

from base import Json, Program


class State(Program):
    def observe(self, request: Json) -> Json:
        answer = super().observe(request)
        answer["state"]["passed"] = []
        return answer


if __name__ == "__main__":
    State().run()
