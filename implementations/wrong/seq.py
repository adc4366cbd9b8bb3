"""The fault: answers to `apply` carry the number of the request before."""

from base import Json, Program


class Seq(Program):
    def apply(self, request: Json) -> Json:
        return {**super().apply(request), "seq": request["seq"] - 1}


if __name__ == "__main__":
    Seq().run()
