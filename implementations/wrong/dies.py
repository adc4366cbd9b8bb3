"""The fault: it ends at the second `apply` it gets."""

import sys

from base import Json, Program


class Dies(Program):
    applied = 0

    def apply(self, request: Json) -> Json:
        self.applied += 1
        if self.applied == 2:
            sys.exit("out of stones")
        return super().apply(request)


if __name__ == "__main__":
    Dies().run()
