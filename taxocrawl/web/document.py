"""One document as the desk shows it: its text with names and acts marked, and why it is here."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from taxocrawl.text.acts import find_acts
from taxocrawl.text.names import find_names
from taxocrawl.text.normalise import normalise_text
from taxocrawl.web.folders import reader_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from taxocrawl.runs.folder import RunFolder

SHOWN = 60_000
"""Characters of the text that are shown; the whole of it is a link away."""
_NAMES = 60


class Segment(NamedTuple):
    """A piece of text; `mark` is ``act``, ``name`` or empty, `label` says what was found."""

    text: str
    mark: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in a text."""

    paragraphs: Sequence[Sequence[Segment]]
    names: Sequence[tuple[str, int]]
    """Scientific names with the number of their mentions, most first."""
    acts: Sequence[tuple[str, int]]
    """Kinds of nomenclatural acts, likewise."""
    cut: bool
    """Whether more text follows."""


def read_document(folder: RunFolder, digest: str) -> Found:
    """A document's text with its names and acts."""
    whole = text_of(folder, digest, SHOWN + 1)
    text = normalise_text(whole[:SHOWN])
    names, acts = find_names(text), find_acts(text)
    # A PDF's text has lines within its paragraphs, an HTML page's has not.
    end = "\n\n" if "\n\n" in text else "\n"
    spans = [(act.start, act.end, "act", act.kind) for act in acts]
    spans += [(name.start, name.end, "name", name.canonical) for name in names]
    return Found(
        paragraphs=[
            pieces
            for pieces in _paragraphs(_segments(text, spans), end)
            if any(piece.text.strip() for piece in pieces)
        ],
        names=_most_first(Counter(name.canonical for name in names))[:_NAMES],
        acts=_most_first(Counter(act.kind for act in acts)),
        cut=len(whole) > SHOWN,
    )


def origin_of(folder: RunFolder, url: str) -> dict[str, Any]:
    """What the frontier knows of a URL: see `FrontierReader.why`; empty when it knows nothing."""
    reader = reader_of(folder)
    if reader is None:
        return {}
    with closing(reader):
        return reader.why(url) or {}


def _segments(text: str, spans: list[tuple[int, int, str, str]]) -> Iterator[Segment]:
    """The text in pieces; of spans that overlap, the one that begins first (and is longer)."""
    at = 0
    for start, end, mark, label in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start < at:
            continue
        if start > at:
            yield Segment(text[at:start])
        yield Segment(text[start:end], mark, label)
        at = end
    if at < len(text):
        yield Segment(text[at:])


def _paragraphs(segments: Iterable[Segment], end: str) -> Iterator[list[Segment]]:
    """The pieces of each paragraph that is not blank; `end` parts paragraphs."""
    current: list[Segment] = []
    for segment in segments:
        first, *others = segment.text.split(end) if not segment.mark else [segment.text]
        current.append(segment._replace(text=first))
        for paragraph in others:
            yield current
            current = [segment._replace(text=paragraph)]
    yield current


def _most_first(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
