"""The fault: it takes a minute over its answer to the first `apply`."""

import time

from base import Json, Program


class Slow(Program):
    def apply(self, request: Json) -> Json:
        time.sleep(60)
        return super().apply(request)


if __name__ == "__main__":
    Slow().run()
