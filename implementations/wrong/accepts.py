"""The fault: a second pass is accepted, though it is not offered."""

from base import Json, Program


class Accepts(Program):
    def accepts(self, player: str | None, action: Json) -> bool:
        passes = "pass" in action and player == self.nim.turn and not self.nim.over()
        return bool(passes) or super().accepts(player, action)


if __name__ == "__main__":
    Accepts().run()
