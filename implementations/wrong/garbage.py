"""The fault: its second decision in a play is no JSON."""

from base import Json, Program


class Garbage(Program):
    asked = 0

    def answer(self, request: Json) -> str:
        self.asked += request["request"] == "decision"
        line = super().answer(request)
        return line[: len(line) // 2] + "\n" if self.asked == 2 else line


if __name__ == "__main__":
    Garbage().run()
