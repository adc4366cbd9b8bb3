"""No fault: it says that it cannot begin any play."""

from base import Json, Program


class Without(Program):
    def new(self, request: Json) -> Json:
        return {"unsupported": "stones"}


if __name__ == "__main__":
    Without().run()
