"""Checks a case file against `case.schema.json`, with messages for people.

The schema is the one that editors use. Its descriptions say what would be right, so they are the
second half of every message here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from oracle.casebook.yamlfile import Document, Route
from oracle.errors import BadInput

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError

Json = Any
_NAMES = {dict: "a mapping", list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number"}


def schema() -> dict[str, Json]:
    """The JSON Schema (draft 2020-12) of case files."""
    read: dict[str, Json] = json.loads(files("oracle.casebook").joinpath("case.schema.json").read_text("utf-8"))
    return read


def faults(document: Document) -> Iterator[tuple[Route, BadInput]]:
    """Everything that the schema finds wrong, in the order of the file, with the route to it; one fault a place."""
    found: dict[Route, BadInput] = {}
    for error in sorted(_validator().iter_errors(document.data), key=lambda e: document.place(list(e.absolute_path))):
        for route, fault in _say(document, error):
            found.setdefault(route, fault)
    yield from found.items()


def closest(name: str, known: Iterable[str]) -> str:
    """`did you mean X?`, or nothing where no known name is near."""
    near = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f"did you mean {near[0]!r}?" if near else ""


@cache
def _validator() -> Draft202012Validator:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema())


def _say(document: Document, error: ValidationError) -> Iterator[tuple[Route, BadInput]]:
    route = tuple(error.absolute_path)
    part: dict[str, Json] = error.schema if isinstance(error.schema, dict) else {}
    name = repr(route[-1]) if route and isinstance(route[-1], str) else "this"
    right = part.get("description", "")
    value: Json = error.instance
    match error.validator:
        case "oneOf" | "anyOf" | "not" | "additionalProperties" | "maxProperties" if not isinstance(value, dict):
            return  # what such a value should have held says less than that it is of the wrong type
        case "additionalProperties":
            for key in sorted(set(value) - set(part.get("properties", {}))):
                near = closest(key, part["properties"]) or f"one of: {', '.join(part['properties'])}"
                yield (*route, key), document.fault(f"unknown key {key!r}", (*route, key), fix=near, key=True)
        case "required":
            for key in (key for key in part["required"] if key not in value):
                what = _description(part, key)
                yield (*route, f"no {key}"), document.fault(f"{key!r} is missing", route, fix=what, key=True)
        case "type":
            yield route, _wrong_type(document, route, value, name, right)
        case "uniqueItems":
            yield route, document.fault(f"{name} names something twice", route, fix=right)
        case "oneOf" if "given" in value:
            yield route, document.fault("a case has 'given' or 'setup', not both", (*route, "setup"), key=True)
        case "oneOf":
            fix = "'given' describes a position, 'setup' the start of a game"
            yield route, document.fault("the case starts nowhere: 'given' is missing", route, fix=fix)
        case "anyOf":
            yield route, document.fault(f"{name} lists no actions", route, fix=f"right is {right}", key=True)
        case "not":
            fix = "'exactly' names all legal actions, so 'includes' and 'excludes' add nothing"
            for key in sorted({"includes", "excludes"} & set(value)):
                message = f"{key!r} cannot stand beside 'exactly'"
                yield (*route, key), document.fault(message, (*route, key), fix=fix, key=True)
        case "enum":
            near = closest(str(value), part["enum"]) or f"one of: {', '.join(part['enum'])}"
            yield route, document.fault(f"{name} cannot be {value!r}", route, fix=near)
        case "maxProperties":
            keys = ", ".join(value)
            yield route, document.fault(f"a step does one thing, not several ({keys})", route, fix=right)
        case "minItems" | "minProperties" | "minLength":
            yield route, document.fault(f"{name} is empty", route, fix=f"right is {right}" if right else "")
        case _:
            yield route, document.fault(f"{name} is not right", route, fix=f"right is {right}" if right else "")


def _wrong_type(document: Document, route: Route, value: Json, name: str, right: str) -> BadInput:
    what = "nothing" if value is None else _NAMES.get(type(value), "something else")
    if route in document.written and "quotes" in right:
        text = document.written[route]
        return document.fault(f"{name} is the number {text}, not a text", route, fix=f'quote it: {route[-1]}: "{text}"')
    fix = f"right is {right}" if right else ""
    return document.fault(f"{name} is {what}", route, fix=fix, key=value is None)


def _description(part: dict[str, Json], key: str) -> str:
    below = part.get("properties", {}).get(key, {})
    if "$ref" in below:
        below = schema()["$defs"][below["$ref"].removeprefix("#/$defs/")]
    what = below.get("description", "")
    return f"right is {what}" if what else ""
