"""The fault: a second pass is accepted, though it is not offered."""

from base import Program


class Accepts(Program):
    def accepts(self, player, action):
        passes = "pass" in action and player == self.nim.turn and not self.nim.over()
        return passes or super().accepts(player, action)


if __name__ == "__main__":
    Accepts().run()
