"""The fault: an illegal action is refused, but costs a stone where there are two or more."""

from base import Json, Program


class Refusal(Program):
    def refused(self) -> list[Json]:
        if self.nim.stones > 1:
            self.nim.stones -= 1
        return []


if __name__ == "__main__":
    Refusal().run()
