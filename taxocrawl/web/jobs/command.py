"""A crawl's arguments and settings as a command line has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def crawl_arguments(arguments: Mapping[str, str], settings: Mapping[str, str]) -> list[str]:
    """``-a NAME=VALUE`` and ``-s NAME=VALUE``, in the order given."""
    found: list[str] = []
    for name, value in arguments.items():
        found += ["-a", f"{name}={value}"]
    for name, value in settings.items():
        found += ["-s", f"{name}={value}"]
    return found
