"""No fault: always legal."""

from base import Program


class Right(Program):
    pass


if __name__ == "__main__":
    Right().run()
