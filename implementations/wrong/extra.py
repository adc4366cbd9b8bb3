"""The fault: taking four stones is offered where there are four or more (it would be refused)."""

from base import Json, Program


class Extra(Program):
    def decision(self, request: Json) -> Json:
        answer = super().decision(request)
        if self.nim.stones >= 4:
            answer["options"].append({"take": "4"})
        return answer


if __name__ == "__main__":
    Extra().run()
