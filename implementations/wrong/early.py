"""The fault: the game ends with one stone left."""

from base import Nim, Program


class Short(Nim):
    def over(self) -> bool:
        return self.stones <= 1


class Early(Program):
    game = Short


if __name__ == "__main__":
    Early().run()
