"""The fault: whoever passes is next again."""

from base import Json, Nim, Program


class Hasty(Nim):
    def play(self, action: Json) -> None:
        player = self.turn
        super().play(action)
        if "pass" in action:
            self.turn = player


class Order(Program):
    game = Hasty


if __name__ == "__main__":
    Order().run()
