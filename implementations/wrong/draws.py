"""The fault: the coin may stand on its edge."""

from base import Json, Nim, Program


class Edgy(Nim):
    def __init__(self, setup: Json) -> None:
        super().__init__(setup)
        if setup.get("seed", 0) % 2:
            self.coin = "edge"


class Draws(Program):
    game = Edgy


if __name__ == "__main__":
    Draws().run()
