"""Values as YAML that case files may hold."""

from __future__ import annotations

from typing import Any


def as_yaml(value: Any, *, width: int = 100, flow: bool | None = None) -> str:
    """The value as YAML text, mappings in their own order; `flow` is PyYAML's `default_flow_style`.

    Cases have no aliases, so what stands in two places is written twice.
    """
    import yaml

    dumper = type("WrittenOut", (yaml.SafeDumper,), {"ignore_aliases": lambda self, data: True})
    text: str = yaml.dump(
        value, Dumper=dumper, sort_keys=False, default_flow_style=flow, width=width, allow_unicode=True
    )
    return text
