"""What run.json says of a run, and where a run's folder is."""

from __future__ import annotations

import hashlib
import logging
import platform
import re
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taxocrawl import __version__
from taxocrawl.exceptions import FrontierError
from taxocrawl.frontier.sqlite import SqliteFrontier
from taxocrawl.runs.folder import RunFolder

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from taxocrawl.spiders.focused import FocusedSpider
    from taxocrawl.spiders.plan import CrawlPlan

logger = logging.getLogger(__name__)

_PACKAGES = ("Scrapy", "Twisted", "lxml", "selectolax", "pypdfium2", "pdfminer.six")
_JUDGES = ("CLASSIFIER_", "COSINE_", "DIVERSIFY_", "LINKSCORE_", "SCORER_", "SCORING_")
"""Settings that decide what is exported, and in which order links are followed."""
_PREFIXES = (
    "ASPECT_",
    "AUTOTHROTTLE_",
    "CLASSIFIER_",
    "CONCURRENT_",
    "CONTACT_",
    "COSINE_GOLDSTANDARD_FILE",
    "CRAWL_",
    "DIVERSIFY_",
    "DOWNLOAD_",
    "EXPORT_NOINDEX",
    "FRONTIER_BACKEND",
    "FRONTIER_CLASS",
    "HOST_",
    "LINKSCORE_",
    "PDF_",
    "RETRY_",
    "REVISIT_",
    "ROBOTS",
    "SCORER_",
    "SCORING_",
    "SEED_",
    "SELECTION_",
    "SENTENCE_MODEL_DIR",
    "USER_AGENT",
    "VECTORS_FILE",
)


def new_run_folder(crawler: Crawler, plan: CrawlPlan) -> RunFolder:
    """The folder of a new run: `out`, or one of its own below RUNS_DIR.

    That one is named by time and query, and by scrapyd's job when there is one.
    """
    if plan.out:
        return RunFolder(plan.out)
    subject = plan.queries[0] if plan.queries else Path(plan.seeds).stem
    parts = (f"{datetime.now(UTC):%Y%m%d-%H%M%S}", slug(subject), plan.job and slug(plan.job))
    return RunFolder.claim_below(
        Path(crawler.settings["RUNS_DIR"]), "-".join(part for part in parts if part)
    )


def check_resumable(folder: RunFolder) -> None:
    """Raise FrontierError for a run whose frontier is lost or broken.

    To begin anew in its folder would put what comes then in the place of what it had.
    """
    path = folder.frontier
    if path.exists() and path.stat().st_size:
        SqliteFrontier(path).close()
    elif folder.has_lines():
        raise FrontierError(
            f"{path}: missing or empty; without it the run cannot go on from its documents"
        )


def slug(text: str) -> str:
    """A folder name made of a query: lower case, ASCII letters, digits and hyphens, at most 40."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:40].strip("-") or "run"


def run_info(spider: FocusedSpider, arguments: dict[str, str]) -> dict[str, Any]:
    """The description of a run at its start."""
    plan, settings = spider.plan, spider.crawler.settings
    earlier = spider.folder.read_info() if plan.resume else {}
    starts = [*earlier.get("starts", ()), spider.now()]
    shown = shown_settings(settings)
    models = {
        name: model_hash(Path(settings["MODELS_DIR"]) / settings[name])
        for name in ("CLASSIFIER_HTML", "CLASSIFIER_PDF")
        if settings[name]
    }
    changes = list(earlier.get("changes", ()))
    if changed := _changed(earlier, shown, models):
        changes.append({"at": starts[-1], "before": changed})
        judged_by = [name for name in changed if name.startswith(_JUDGES)]
        if judged_by:
            logger.warning(
                "resumed with other settings or models than before (%s): pages fetched until now "
                "were judged by the old ones; run.json keeps both",
                ", ".join(judged_by),
            )
    return {
        "id": spider.folder.path.resolve().name,
        "spider": spider.name,
        "job": plan.job or None,
        "arguments": arguments,
        "queries": list(plan.queries),
        **({"aspects": list(spider.aspect_names)} if spider.aspect_names else {}),
        "starts": starts,
        "ended": None,
        "outcome": "running",
        "settings": shown,
        "models": models,
        **({"changes": changes} if changes else {}),
        "versions": {
            "taxocrawl": __version__,
            "Python": platform.python_version(),
            **{package: version(package) for package in _PACKAGES},
        },
    }


def _changed(
    earlier: Mapping[str, Any], settings: Mapping[str, Any], models: Mapping[str, str]
) -> dict[str, Any]:
    """What was another one at the last start of a run, with what it was; models by their hash."""
    changed: dict[str, Any] = {}
    for was, now, mark in (
        (earlier.get("settings", {}), settings, ""),
        (earlier.get("models", {}), models, " (model)"),
    ):
        changed |= {f"{n}{mark}": was[n] for n in sorted(was) if was[n] != now.get(n)}
    return changed


def shown_settings(settings: BaseSettings) -> dict[str, Any]:
    """The settings that shape a crawl; none that could hold a secret."""
    names = sorted(str(name) for name in settings if str(name).startswith(_PREFIXES))
    return {name: _plain(settings[name]) for name in names}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def model_hash(folder: Path) -> str:
    """SHA-256 over a model folder's file names and bytes, in the order of their names."""
    digest = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
