"""The fault: passing is offered, but never accepted."""

from base import Program


class Refuses(Program):
    def accepts(self, player, action):
        return "pass" not in action and super().accepts(player, action)


if __name__ == "__main__":
    Refuses().run()
