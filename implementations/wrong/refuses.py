"""The fault: passing is offered, but never accepted."""

from base import Json, Program


class Refuses(Program):
    def accepts(self, player: str | None, action: Json) -> bool:
        return "pass" not in action and super().accepts(player, action)


if __name__ == "__main__":
    Refuses().run()
