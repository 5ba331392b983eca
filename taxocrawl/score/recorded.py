"""A link model that outlives its process: what it was told is kept, and told again."""

from __future__ import annotations

import json
from dataclasses import asdict, astuple
from typing import TYPE_CHECKING

from taxocrawl.exceptions import InputFileError, StorageError
from taxocrawl.score.links import LinkScore
from taxocrawl.score.pagetexts import NO_TEXTS, PageTexts
from taxocrawl.text.files import whole_lines

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from taxocrawl.score.linkmodel import LinkModel

_WHAT = "what a link model was told of pages, one a line"


class RecordedModel:
    """Another link model, with a file of the pages it was told of (JSON Lines).

    A model made with the file of an interrupted crawl is told of its pages again, in their order,
    and so knows, and draws at random, what the interrupted one would. A page told twice (its crawl
    was killed before it was settled, or it is fetched again) counts once.

    Args:
        model: knows nothing yet.
        path: made when the first page comes.

    Raises InputFileError for a file of another form.
    """

    def __init__(self, model: LinkModel, path: Path) -> None:
        self._model, self._path = model, path
        self._known: set[str] = set()
        for number, line in enumerate(whole_lines(path, _WHAT), start=1):
            try:
                url, score, links, aliases, *read = json.loads(line)
                told = [(link, host, LinkScore(**parts)) for link, host, parts in links]
                first, nearby = read or ("", ())
                texts = PageTexts(str(first), tuple(map(str, nearby)))
            except (ValueError, TypeError) as error:
                raise InputFileError(f"{path}: line {number}: expected {_WHAT}: {error}") from error
            self._tell(url, score, told, aliases, texts)
            if self._model.due:
                self._model.rescore()

    def add_page(
        self,
        url: str,
        score: float,
        links: Sequence[tuple[str, str, LinkScore]],
        aliases: Sequence[str] = (),
        texts: PageTexts = NO_TEXTS,
    ) -> dict[str, float]:
        """Keep and take in a page, see `LinkModel`; no scores for one that was told before.

        Raises StorageError when the file cannot be written.
        """
        if url in self._known:
            return {}
        told = [(link, host, asdict(parts)) for link, host, parts in links]
        row = [url, score, told, aliases, *(astuple(texts) if self.reads_texts else ())]
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        except OSError as error:
            raise StorageError(f"{self._path}: cannot be written: {error.strerror}") from error
        return self._tell(url, score, links, aliases, texts)

    @property
    def reads_texts(self) -> bool:
        return self._model.reads_texts

    @property
    def due(self) -> bool:
        return self._model.due

    def rescore(self) -> dict[str, float]:
        return self._model.rescore()

    def _tell(
        self,
        url: str,
        score: float,
        links: Sequence[tuple[str, str, LinkScore]],
        aliases: Sequence[str],
        texts: PageTexts,
    ) -> dict[str, float]:
        self._known.add(url)
        return self._model.add_page(url, score, links, aliases, texts)
