"""Makes docs/settings.md from taxocrawl/settings.py: ``python docs/make_settings.py``."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "taxocrawl" / "settings.py"
TARGET = ROOT / "docs" / "settings.md"


def made() -> str:
    """The text of docs/settings.md as settings.py stands."""
    text = SOURCE.read_text(encoding="utf-8")
    lines = text.splitlines()
    body = ast.parse(text).body
    out = [
        "# Settings",
        "",
        "Every setting that differs from Scrapy's default, and all of our own. Change one for a",
        "run with `-s NAME=VALUE`. Made from `taxocrawl/settings.py` by",
        "`python docs/make_settings.py`.",
    ]
    for number, node in enumerate(body):
        if not isinstance(node, ast.Assign | ast.AnnAssign):
            continue
        out += _headings(lines, body[number - 1].end_lineno or 0, node.lineno)
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        assert isinstance(target, ast.Name)
        following = body[number + 1] if number + 1 < len(body) else None
        value = ast.get_source_segment(text, node.value) or "" if node.value else ""
        out += _entry(target.id, value, _meaning(lines, node, following))
    return "\n".join(out).rstrip() + "\n"


def _headings(lines: list[str], start: int, end: int) -> list[str]:
    found = [re.match(r"# --- (.+?) -+$", line) for line in lines[start : end - 1]]
    return [line for match in found if match for line in ("", f"## {match[1].capitalize()}")]


def _meaning(lines: list[str], node: ast.stmt, following: ast.stmt | None) -> str:
    """The text after a setting, else the comment on its line or above it."""
    if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
        return " ".join(str(following.value.value).split())
    tail = lines[(node.end_lineno or node.lineno) - 1].partition("  # ")[2]
    if tail:
        return tail.split(" # ")[-1]
    above: list[str] = []
    at = node.lineno - 2
    while at >= 0 and lines[at].startswith("# ") and not lines[at].startswith("# ---"):
        above.insert(0, lines[at][2:])
        at -= 1
    return " ".join(above)


def _entry(name: str, value: str, meaning: str) -> list[str]:
    shown = value if "\n" not in value else "(see settings.py)"
    return ["", f"**`{name}`** = `{shown}`  ", meaning or "Differs from Scrapy's default."]


if __name__ == "__main__":
    TARGET.write_text(made(), encoding="utf-8")
    sys.stdout.write(f"{TARGET.relative_to(ROOT)} written\n")
