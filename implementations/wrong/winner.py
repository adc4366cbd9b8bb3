"""The fault: whoever takes the last stone is said to lose."""

from base import Json, Program


class Winner(Program):
    def observe(self, request: Json) -> Json:
        answer = super().observe(request)
        if "winners" in answer["state"]:
            answer["state"]["winners"] = [self.nim.turn]
        return answer


if __name__ == "__main__":
    Winner().run()
