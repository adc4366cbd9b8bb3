"""Answers as JSON: one document, keys in a fixed order, so that two runs can be compared line by line."""

from __future__ import annotations

from typing import Any

import msgspec


def dumps(value: Any) -> str:
    """The value, structs included, as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
