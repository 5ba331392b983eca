"""What a run's topic is, from its arguments and settings, and the scorer made for it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.utils.misc import load_object

from taxocrawl.classify.reading import read_documents
from taxocrawl.exceptions import ArgumentError, InputFileError, SettingError
from taxocrawl.items import Document, Kind
from taxocrawl.score.background import DocumentFrequencies
from taxocrawl.score.choice import TopicTexts, make_scorer, page_reader
from taxocrawl.score.pages import checked_fields, page_text
from taxocrawl.text.stopwords import load_stopwords
from taxocrawl.topic import SEEDS_FILE, GoldStandard, read_goldstandard

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scrapy.settings import BaseSettings

    from taxocrawl.score.base import Scorer

_TEXT_SUFFIXES = frozenset({"", ".txt", ".md"})
_GOLDSTANDARD_FIELDS = ("text", "keywords", "description")


def topic_of(sources: Sequence[Path], query: str, settings: BaseSettings) -> TopicTexts:
    """The topic of gold-standard files and folders (their files, not those of subfolders).

    Raises InputFileError for a file that cannot be read or holds no text.
    """
    files = [file for source in sources for file in _files(source)]
    plain = [file for file in files if file.suffix.lower() in _TEXT_SUFFIXES]
    others = [file for file in files if file not in plain]
    documents: dict[Path, Document | InputFileError] = {}
    if others:
        # Reads PDFs in processes, by an event loop of its own; Scrapy's is running here.
        with ThreadPoolExecutor(1) as thread:
            documents = dict(
                zip(others, thread.submit(read_documents, others).result(), strict=True)
            )
    texts = [
        GoldStandard(str(file), read_goldstandard(file))
        if file in plain
        else _goldstandard(str(file), documents[file])
        for file in files
    ]
    return _topic(texts, query, settings)


def topic_of_documents(
    found: Sequence[tuple[str, Document | InputFileError]], query: str, settings: BaseSettings
) -> TopicTexts:
    """The topic of documents that were read already; raises the first error among them."""
    texts = [
        GoldStandard(name, read_goldstandard(Path(name)))
        if _is_text(document) and Path(name).is_file()
        else _goldstandard(name, document)
        for name, document in found
    ]
    return _topic(texts, query, settings)


def scoring_of(
    topic: TopicTexts, settings: BaseSettings
) -> tuple[Scorer, Callable[[Document], str]]:
    """The scorer that the settings choose, and what it reads of a page.

    SCORER_CLASS is a name of docs/scorers.md, or the dotted path of a class that is called with
    the topic (`TopicTexts`) and SCORER_PARAMS. Raises SettingError for what there is not.
    """
    name, params = str(settings["SCORER_CLASS"]), settings.getdict("SCORER_PARAMS")
    try:
        fields = checked_fields(settings.getlist("SCORER_PAGE_FIELDS") or ("title", "text"))
        read = page_reader(name, fields if settings.getlist("SCORER_PAGE_FIELDS") else ())
        if "." not in name:
            return make_scorer(name, topic, params), read
    except ArgumentError as error:
        raise SettingError(str(error)) from error
    try:
        return load_object(name)(topic, **params), read
    except (ImportError, NameError, TypeError, ValueError) as error:
        raise SettingError(f"SCORER_CLASS={name}: cannot be made: {error}") from error


def _topic(texts: Sequence[GoldStandard], query: str, settings: BaseSettings) -> TopicTexts:
    frequencies = settings["SCORER_BACKGROUND_FILE"]
    vectors, model = settings["VECTORS_FILE"], settings["SENTENCE_MODEL_DIR"]
    return TopicTexts(
        tuple(texts),
        query,
        load_stopwords(Path(settings["SCORING_STOPWORD_FILE"])),
        DocumentFrequencies.read(Path(frequencies)) if frequencies else None,
        Path(vectors) if vectors else None,
        Path(model) if model else None,
    )


def _files(source: Path) -> list[Path]:
    if not source.is_dir():
        return [source]
    files = sorted(
        f
        for f in source.iterdir()
        if f.is_file() and not f.name.startswith(".") and f.name != SEEDS_FILE
    )
    if not files:
        raise InputFileError(f"{source}: expected a folder with a gold standard, found no file")
    return files


def _is_text(document: Document | InputFileError) -> bool:
    return isinstance(document, InputFileError) or document.kind is Kind.TEXT


def _goldstandard(name: str, document: Document | InputFileError) -> GoldStandard:
    if isinstance(document, InputFileError):
        raise document
    return GoldStandard(name, page_text(document, _GOLDSTANDARD_FIELDS))
