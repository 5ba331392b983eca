"""Commands that are put together first, and then carried out by a script with all the rest."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from taxocrawl.frontier.rows import to_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Argument = str | float | bytes


class Commands:
    """Commands on one crawl's keys, none of whose replies is needed."""

    def __init__(self) -> None:
        self._commands: list[tuple[Argument, ...]] = []

    def add(self, command: str, key: str, *arguments: Argument) -> None:
        """Add a command on a key (without prefix)."""
        self._commands.append((command, key, *arguments))

    def event(self, entry_id: int, kind: str, **detail: Any) -> None:
        """Something out of the ordinary happened to an entry."""
        self.add("RPUSH", f"events:{entry_id}", f"{time.time()!r}\n{kind}\n{to_json(detail)}")

    def refused(self, reasons: Mapping[str, int]) -> None:
        """Count URLs that are not followed."""
        for reason, number in reasons.items():
            self.add("HINCRBY", "refusals", reason, number)

    def totals(self, name: str, values: Sequence[float]) -> None:
        """Add to running totals."""
        for place, value in enumerate(values):
            self.add("HINCRBYFLOAT", f"totals:{name}", place, repr(float(value)))

    def arguments(self) -> list[Argument]:
        """For `apply` of common.lua."""
        flat: list[Argument] = [len(self._commands)]
        for command in self._commands:
            flat += (len(command), *command)
        return flat
