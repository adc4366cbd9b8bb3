"""The fault: taking two of exactly three stones is not offered (it would be accepted)."""

from base import Json, Program


class Missing(Program):
    def decision(self, request: Json) -> Json:
        answer = super().decision(request)
        if self.nim.stones == 3:
            answer["options"].remove({"take": "2"})
        return answer


if __name__ == "__main__":
    Missing().run()
