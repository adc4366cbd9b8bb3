"""The fault: it claims another version of the protocol."""

from base import Program


class Version(Program):
    protocol = 999


if __name__ == "__main__":
    Version().run()
