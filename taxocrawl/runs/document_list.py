"""The part of a report that lists the best documents, each with why it is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from taxocrawl.runs.markup import file_link, section, shown, web_link
from taxocrawl.runs.reading_list import reading_list

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Record = Mapping[str, Any]

_AUTHORS = 4
_PARTS = 12


def document_list(best: Sequence[Record], total: int, details: Callable[[Record], Record]) -> str:
    """The documents in the order given; `details` adds `snippet` and `evidence` to each."""
    if not best:
        return section("documents", "Documents", "<p>No document was exported.</p>")
    items = "\n".join(f"<li>{_document(record, details(record))}</li>" for record in best)
    return section(
        "documents",
        "Documents",
        f"<p>The best {len(best)} of {total} by their score for the topic.</p>",
        f'<ol class="documents">\n{items}\n</ol>',
        reading_list(best),
    )


def _document(record: Record, details: Record) -> str:
    url = str(record.get("final_url") or record.get("url") or "")
    lines = [
        f"<p><strong>{web_link(url, str(record.get('title') or ''))}</strong></p>",
        f'<p class="soft">{" · ".join(_about(record))}</p>',
    ]
    if snippet := str(details.get("snippet") or ""):
        lines.append(f"<blockquote>{shown(snippet, 400)}</blockquote>")
    lines.append(f"<details><summary>Why</summary>{_why(record, details)}</details>")
    return "\n".join(lines)


def _about(record: Record) -> Iterator[str]:
    authors = [str(author) for author in record.get("authors") or ()]
    if authors:
        more = " et al." if len(authors) > _AUTHORS else ""
        yield shown("; ".join(authors[:_AUTHORS]), 200) + more
    for name in ("year", "kind", "language"):
        if record.get(name):
            yield shown(record[name], 20)
    if record.get("doi"):
        yield f"DOI {shown(record['doi'], 120)}"
    path = str(record.get("path") or "")
    if path:
        yield file_link(path, "stored copy")


def _why(record: Record, details: Record) -> str:
    confidence = f"{100 * float(record.get('confidence') or 0):.0f} %"
    lines = [
        f"{shown(record.get('category') or 'not classified')}, {confidence} sure",
        *(
            f"{label} {float(record[name]):.3f}"
            for name, label in (("page_score", "page score"), ("score", "link score"))
            if record.get(name) is not None
        ),
        f"iteration {shown(record.get('iteration', ''), 9)}, "
        f"depth {shown(record.get('depth', ''), 9)}",
    ]
    if referrer := str(record.get("referrer") or ""):
        lines.append(f"found on {web_link(referrer)}")
    parts = score_parts(details.get("evidence"))[:_PARTS]
    lines += [f"{shown(name, 60)}: {shown(value, 200)}" for name, value in parts]
    return "<ul>" + "".join(f"<li>{line}</li>" for line in lines) + "</ul>"


def score_parts(evidence: object, prefix: str = "") -> list[tuple[str, str]]:
    """The parts of a score as (name, value) in words, nested ones under joined names."""
    if not isinstance(evidence, Mapping):
        return []
    parts: list[tuple[str, str]] = []
    for name, value in evidence.items():
        if isinstance(value, Mapping):
            parts += score_parts(value, f"{prefix}{name} ")
        elif isinstance(value, float):
            parts.append((f"{prefix}{name}", f"{value:.3f}"))
        elif isinstance(value, list | tuple):
            parts.append((f"{prefix}{name}", ", ".join(map(str, value))))
        else:
            parts.append((f"{prefix}{name}", str(value)))
    return parts
