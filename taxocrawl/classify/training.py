"""Training sets: labelled texts with the articles they belong to, and what is made of them."""

from __future__ import annotations

import json
import lzma
from dataclasses import dataclass, replace
from random import Random
from typing import IO, TYPE_CHECKING

from taxocrawl.classify import text_of
from taxocrawl.classify.index import article_groups, is_of_kind
from taxocrawl.classify.reading import read_documents
from taxocrawl.exceptions import InputFileError
from taxocrawl.items import Category

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from taxocrawl.classify.index import IndexRow

BEGINNINGS = (120, 300, 1000)
"""Lengths, in words, of the beginnings of a long text that also serve as training texts."""

MIDDLE_WORDS = 300
"""Length of the passage from a long text's middle that does, too."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One labelled text."""

    text: str
    category: Category
    group: str
    """Name of the article; rows of one article never stand on both sides of a test."""
    source: str = ""
    kind: str = ""
    path: str = ""

    def is_of(self, kind: str) -> bool:
        """Whether the sample counts as of this kind (html_rendered is html)."""
        return is_of_kind(self.kind, kind)


def read_samples(rows: Sequence[IndexRow]) -> tuple[list[Sample], list[InputFileError]]:
    """The texts of an index's rows, borderline ones left out, and what could not be read."""
    wanted = [row for row in rows if row.category is not None]
    samples: list[Sample] = []
    problems: list[InputFileError] = []
    documents = read_documents([row.path for row in wanted])
    for row, group, document in zip(wanted, article_groups(wanted), documents, strict=True):
        if isinstance(document, InputFileError):
            problems.append(document)
        elif row.category is not None:
            text = text_of(document)
            samples.append(Sample(text, row.category, group, row.source, row.kind, str(row.path)))
    return samples, problems


def read_background(path: Path, limit: int, *, matching: str = "", seed: int = 0) -> list[Sample]:
    """Texts of no taxonomic content from a file of JSON lines with `title` and `text`.

    The file may be compressed by xz. With `matching`, only lines whose `categories` hold it in one
    of their names. At most `limit` of them are drawn by `seed`. Raises InputFileError.
    """
    samples: list[Sample] = []
    try:
        with _opened(path) as lines:
            for number, line in enumerate(lines, start=1):
                record = json.loads(line)
                if any(matching in name for name in record.get("categories", [""])):
                    group = f"background {number}"
                    text = f"{record['title']}\n{record['text']}"
                    samples.append(
                        Sample(text, Category.NON_TAXONOMIC, group, "background", "background")
                    )
    except (OSError, lzma.LZMAError, EOFError) as error:
        raise InputFileError(f"background {path}: cannot be read ({error})") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputFileError(
            f"background {path}: expected JSON lines with title and text ({error})"
        ) from error
    Random(seed).shuffle(samples)
    return samples[:limit]


def _opened(path: Path) -> IO[str]:
    if path.suffix == ".xz":
        return lzma.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def with_views(samples: Iterable[Sample]) -> list[Sample]:
    """Samples with passages of the long ones added: beginnings, and one from the middle.

    What a crawl meets is often an abstract, a preview or a single treatment cut out of its paper:
    the article must be recognised by each. Passages belong to their article's group.
    """
    views: list[Sample] = []
    for sample in samples:
        views.append(sample)
        words = sample.text.split()
        passages = [words[:length] for length in BEGINNINGS if len(words) > 1.5 * length]
        if len(words) > 3 * MIDDLE_WORDS:
            start = 2 * len(words) // 5
            passages.append(words[start : start + MIDDLE_WORDS])
        views += [replace(sample, text=" ".join(passage)) for passage in passages]
    return views


def draw_per_category(samples: Sequence[Sample], number: int, *, seed: int = 0) -> list[Sample]:
    """`number` samples of each category, drawn by `seed`; all of a category that has fewer."""
    drawn: list[Sample] = []
    for category in Category:
        own = sorted(
            (sample for sample in samples if sample.category is category),
            key=lambda sample: (sample.path, sample.text),
        )
        Random(f"{seed} {category}").shuffle(own)
        drawn += own[:number]
    return drawn
