"""The fault: the state it shows forgets that anybody has passed."""

from base import Program


class State(Program):
    def observe(self, request):
        answer = super().observe(request)
        answer["state"]["passed"] = []
        return answer


if __name__ == "__main__":
    State().run()
