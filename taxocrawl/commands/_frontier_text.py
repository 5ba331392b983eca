"""What `scrapy frontier` prints for people: the same facts as its JSON."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from taxocrawl.frontier.base import State

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_WIDTH = 14


def state_table(found: Mapping[str, Any]) -> str:
    """The answer of ``show``."""
    lines = [_line(state, number) for state, number in found["states"].items()]
    lines.append(
        _line("iteration", "not begun" if found["iteration"] is None else found["iteration"])
    )
    lines += [_line(name, found[name]) for name in ("downloads", "documents")]
    for name in ("refused links", "re-visits"):
        parts = ", ".join(f"{what} {number}" for what, number in found[name].items())
        if parts:
            lines.append(_line(name, parts))
    lines += [_line(f"{e['score']:.4f}", e["url"]) for e in found["best known"]]
    return "\n".join(lines)


def host_table(found: Sequence[Mapping[str, Any]]) -> str:
    """The answer of ``hosts``, a line for each host."""
    names = ("selected so far", *(state.value for state in State))
    lines = ["  ".join((*names, "host"))]
    for row in found:
        cells = [str(row[name]).rjust(len(name)) for name in names]
        rest = f"  rests until {_when(row['rests until'])}" if row["rests until"] else ""
        lines.append("  ".join((*cells, f"{row['host']}{rest}")))
    return "\n".join(lines)


def reason_lines(found: Mapping[str, Any]) -> str:
    """The answer of ``why``."""
    return "\n".join(_reasons(found))


def _reasons(found: Mapping[str, Any]) -> Iterator[str]:
    yield _line("URL", found["url"])
    if found["state"] == "unknown":
        yield _line("state", "unknown")
    else:
        yield from _of_entry(found)
    for sentence in found["kept back by"]:
        yield _line("kept back", sentence)


def _of_entry(found: Mapping[str, Any]) -> Iterator[str]:
    reason = f": {found['reason']}" if found["reason"] else ""
    yield _line("state", f"{found['state']}{reason}, since {_when(found['when'])}")
    found_in = "as a seed" if found["found_in"] < 0 else f"in iteration {found['found_in']}"
    yield _line("found", f"{found_in} ({found['source']}), depth {found['depth']}")
    for referrer in found["referrers"]:
        yield _line("linked from", referrer)
    yield _line("score", f"{found['score']:.6g}")
    for name, value in found["evidence"].items():
        yield _line(f"  {name}", value)
    if found["iteration"] is not None:
        yield _line("selected", f"for iteration {found['iteration']}")
    for fetch in found["fetches"]:
        status = fetch.get("status") or "no answer"
        became = fetch.get("reason") or fetch.get("category") or ""
        yield _line("asked for", f"{fetch.get('time', '')} {status} {became}".rstrip())
    for version in found["versions"]:
        yield _line("document", version)
    for alias in found["aliases"]:
        yield _line("also at", alias)
    for visit in found["revisits"]:
        yield _line("visited again", f"{_when(visit['at'])} {visit['verdict']}")
    if found["visit"] and found["visit"]["next_at"] is not None:
        yield _line("due again", _when(found["visit"]["next_at"]))
    for event in found["events"]:
        rest = " ".join(f"{k}={v}" for k, v in event.items() if k not in ("at", "kind"))
        yield _line("event", f"{_when(event['at'])} {event['kind']} {rest}".rstrip())


def _line(name: str, value: object) -> str:
    # What came from the web must not steer the terminal.
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(value))
    return f"{name:<{_WIDTH}}{text}"


def _when(seconds: float) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return str(seconds)
