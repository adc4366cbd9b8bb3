"""No fault of the protocol: it writes a great deal to standard error, which must not hold it up."""

import sys

from base import Json, Program


class Noisy(Program):
    def answer(self, request: Json) -> str:
        sys.stderr.write("stones " * 20_000)
        return super().answer(request)


if __name__ == "__main__":
    Noisy().run()
