"""Lets `pytest` in a checkout run the cases, whether or not the package is installed."""

from __future__ import annotations

import pytest

from oracle.pytest_plugin import register

pytest_plugins = ["pytester"]


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Registers the case plugin, unless its entry point has done so."""
    register(pluginmanager)
