"""A spider's arguments, checked before the first request.

Every argument arrives as a string. `CrawlPlan.parse` turns them into one checked record or raises
ArgumentError (or InputFileError for a file that an argument names) with one line.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taxocrawl.diversify.weights import WEIGHTS
from taxocrawl.exceptions import ArgumentError, SettingError
from taxocrawl.frontier.revisit import POLICIES as REVISITS
from taxocrawl.frontier.selection import make_policy
from taxocrawl.queries.expand import STYLES
from taxocrawl.queries.parse import parse_queries
from taxocrawl.seeds import providers_from_argument

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from taxocrawl.seeds.base import Answer

ARGUMENTS = {
    "query": "what to look for: one query, a JSON list of queries, or @FILE with one a line",
    "expand": "none (default), generic or taxonomic: how queries are expanded",
    "seeds": "provider names and files of URLs, joined by commas (default crossref,europepmc), or"
    " redis: those that are pushed",
    "iterations": "last iteration, the seeds being iteration 0 (default 2)",
    "max_pages": "downloads after which the crawl ends; 0 (default) for no limit",
    "allowed_hosts": "hosts joined by commas; links to others are not followed",
    "out": "the run's folder (default runs/<time>-<query>)",
    "truth": "CSV file url,label: adds precision and recall to the figures",
    "selection": "selection policy: all (default), top, recent-half or best-first",
    "batch": "URLs of an iteration, for every policy but all (default 100)",
    "scorer": "what scores pages and links: a name of docs/scorers.md (default tfidf)",
    "min_score": "links that score less, in [0, 1], are not admitted (default 0)",
    "revisit": "none (default), uniform or proportional: when pages are asked for again",
    "resume": "folder of an interrupted run, which is continued",
}
TOPIC_ARGUMENTS = {
    "topic": "the topic: a folder with gold standards, or its name below GOLDSTANDARD_DIR",
    "goldstandard": "instead of a folder, gold standards: text, HTML or PDF, joined by commas",
    "filter": "page filter: none (default), rocchio, svm or forest, trained for the topic",
}
"""What the spider `topic` has besides."""
ASPECT_ARGUMENTS = {
    "aspects": "on (default) or off: whether the topic's aspects count in the scores",
    "lambda": "share of the aspects in a score, in [0, 1] (default 0.5)",
    "weights": "document (default), inverse, softmax, quotas or equal: how aspects are weighed",
}
"""What the spider `diversified` has besides."""
FILTERS = ("none", "rocchio", "svm", "forest")
DEFAULT_SEEDS = "crossref,europepmc"
PUSHED = "redis"
"""Value of ``seeds=``: only those that are pushed under scrapy-redis' start-URL key."""
CHANGEABLE_ON_RESUME = frozenset(
    {"iterations", "max_pages", "allowed_hosts", "truth", "revisit", "resume"}
)
_HOST = re.compile(r"(?!-)[\w-]{1,63}(\.[\w-]{1,63})*\Z")


@dataclass(frozen=True, slots=True)
class CrawlPlan:
    """The checked arguments of one run."""

    queries: tuple[str, ...] = ()
    expand: str = "none"
    seeds: str = DEFAULT_SEEDS
    iterations: int = 2
    max_pages: int = 0
    allowed_hosts: frozenset[str] = frozenset()
    out: Path | None = None
    truth: Path | None = None
    selection: str = "all"
    resume: Path | None = None
    topic: str = ""
    """Name of the topic's folder; models of that name are its page filters."""
    goldstandards: tuple[Path, ...] = ()
    filter: str = ""
    """Empty: the models of the settings."""
    batch: int = 0
    """0: what SELECTION_PARAMS says."""
    scorer: str = ""
    min_score: float | None = None
    revisit: str = ""
    """Empty: the policy of the settings."""
    aspects: bool = True
    lambda_: float | None = None
    weights: str = ""
    """Empty: the function of the settings."""
    job: str = ""
    """Id of scrapyd's job; empty when nobody scheduled the run."""

    def allows(self, host: str) -> bool:
        """Whether links to a host are followed: it, or a parent domain, is in `allowed_hosts`."""
        if not self.allowed_hosts:
            return True
        parts = host.lower().split(".")
        return any(".".join(parts[n:]) in self.allowed_hosts for n in range(len(parts)))

    @classmethod
    def parse(
        cls,
        arguments: Mapping[str, str],
        *,
        iterations: int,
        max_pages: int,
        names: Sequence[str] = tuple(ARGUMENTS),
        goldstandard_dir: Path = Path(),
    ) -> CrawlPlan:
        """Check a spider's arguments.

        Args:
            arguments: as given with ``-a``; of those that begin with ``_``, which are scrapyd's,
                only ``_job`` is used.
            iterations: used when the argument is not given.
            max_pages: used when the argument is not given.
            names: of the arguments that the spider has.
            goldstandard_dir: where a topic's folder is looked for.
        """
        given = {name: value for name, value in arguments.items() if not name.startswith("_")}
        unknown = sorted(set(given) - set(names))
        if unknown:
            raise ArgumentError(
                f"{unknown[0]}=: no such argument; expected one of {', '.join(names)}"
            )
        seeds = given.get("seeds", DEFAULT_SEEDS)
        queries = tuple(parse_queries(given["query"])) if "query" in given else ()
        providers = [] if seeds == PUSHED else providers_from_argument(seeds, _unused)
        if not queries and any(provider.uses_query for provider in providers):
            raise ArgumentError("query=: missing; give a query, or seeds=FILE with URLs")
        return cls(
            queries=queries,
            seeds=seeds,
            expand=_choice("expand", given.get("expand", "none"), STYLES),
            iterations=_number("iterations", given.get("iterations"), iterations),
            max_pages=_number("max_pages", given.get("max_pages"), max_pages),
            allowed_hosts=_hosts(given.get("allowed_hosts")),
            out=Path(given["out"]) if given.get("out") else None,
            truth=_file("truth", given.get("truth")),
            selection=given.get("selection", "all"),
            resume=Path(given["resume"]) if "resume" in given else None,
            batch=_number("batch", given.get("batch"), 0),
            scorer=given.get("scorer", ""),
            min_score=_share("min_score", given.get("min_score")),
            revisit=_choice("revisit", given["revisit"], REVISITS) if "revisit" in given else "",
            aspects=_choice("aspects", given.get("aspects", "on"), ("on", "off")) == "on",
            lambda_=_share("lambda", given.get("lambda")),
            weights=_choice("weights", given["weights"], WEIGHTS) if "weights" in given else "",
            job=arguments.get("_job", ""),
            **_topic(given, goldstandard_dir),
        )

    def settings(self, selection_params: Mapping[str, Any], models_dir: Path) -> dict[str, Any]:
        """The settings that the arguments stand for.

        Args:
            selection_params: SELECTION_PARAMS without the arguments.
            models_dir: where a topic's page filters are looked for.

        Raises ArgumentError for a selection policy that there is not, or that has no batches.
        """
        params = {**selection_params, **({"size": self.batch} if self.batch else {})}
        try:
            make_policy(self.selection, params)
        except SettingError as error:
            raise ArgumentError(f"selection={self.selection}: {error}") from error
        settings: dict[str, Any] = {
            "CRAWL_ITERATIONS": self.iterations,
            "CRAWL_MAX_PAGES": self.max_pages,
            "SELECTION_POLICY": self.selection,
            "SELECTION_PARAMS": params,
        }
        if self.scorer:
            settings["SCORER_CLASS"] = self.scorer
        if self.revisit:
            settings["REVISIT_POLICY"] = self.revisit
        if self.min_score is not None:
            settings["LINKSCORE_MIN"] = self.min_score
        if self.lambda_ is not None:
            settings["DIVERSIFY_LAMBDA"] = self.lambda_
        if self.weights:
            settings["DIVERSIFY_WEIGHTS"] = self.weights
        if self.filter:
            models = models_dir / self.topic
            html, pdf = f"html-{self.filter}", f"pdf-{self.filter}"
            off = self.filter == "none"
            settings["CLASSIFIER_HTML"] = "" if off else f"{self.topic}/{html}"
            has_pdf = not off and (models / pdf).is_dir()
            settings["CLASSIFIER_PDF"] = f"{self.topic}/{pdf}" if has_pdf else ""
        return settings


def merge_resumed(stored: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """The arguments of a continued run: the stored ones, with those that may change replaced.

    Raises ArgumentError when another argument is given a different value than the run began with.
    """
    for name, value in given.items():
        if name.startswith("_") or name in CHANGEABLE_ON_RESUME:
            continue
        if name == "out" and Path(value).resolve() == Path(given.get("resume", "")).resolve():
            continue
        if stored.get(name) != value:
            raise ArgumentError(
                f"{name}={value}: the resumed run began with {name}={stored.get(name)}; "
                f"only {', '.join(sorted(CHANGEABLE_ON_RESUME - {'resume'}))} may change"
            )
    return {**stored, **given}


async def _unused(url: str) -> Answer:
    raise AssertionError(f"asked for {url} while arguments were checked")


def _choice(name: str, value: str, choices: Collection[str]) -> str:
    if value not in choices:
        raise ArgumentError(f"{name}={value}: expected one of {', '.join(choices)}")
    return value


def _number(name: str, value: str | None, default: int) -> int:
    if value is None:
        return default
    if not re.fullmatch(r"[0-9]{1,9}", value.strip()):
        raise ArgumentError(f"{name}={value}: expected a whole number from 0 on")
    return int(value)


def _share(name: str, value: str | None) -> float | None:
    if value is None:
        return None
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not 0 <= number <= 1:
        raise ArgumentError(f"{name}={value}: expected a number in [0, 1]")
    return number


def topic_folder(topic: str, parent: Path) -> Path | None:
    """The folder that `topic` names, here or in `parent`; None when there is none."""
    folders = (folder for folder in (Path(topic), parent / topic) if folder.is_dir())
    return next(folders, None) if topic.strip() else None


def _topic(given: Mapping[str, str], parent: Path) -> dict[str, Any]:
    """The fields of the plan that `TOPIC_ARGUMENTS` decide."""
    topic, goldstandard = given.get("topic"), given.get("goldstandard")
    if topic is not None and goldstandard is not None:
        raise ArgumentError("topic= and goldstandard=: expected only one of them")
    chosen = _choice("filter", given.get("filter", "none"), FILTERS) if "filter" in given else ""
    if chosen not in ("", "none") and topic is None:
        raise ArgumentError(f"filter={chosen}: needs topic=, the topic that it was trained for")
    found: dict[str, Any] = {"filter": chosen}
    if topic is not None:
        folder = topic_folder(topic, parent)
        if folder is None:
            raise ArgumentError(f"topic={topic}: no such folder, here or in {parent}")
        found |= {"topic": folder.resolve().name, "goldstandards": (folder,)}
    elif goldstandard is not None:
        paths = [Path(name.strip()) for name in goldstandard.split(",")]
        for path in paths:
            if not path.exists() or path == Path():
                raise ArgumentError(f"goldstandard={goldstandard}: no such file {str(path)!r}")
        found["goldstandards"] = tuple(paths)
    return found


def _hosts(value: str | None) -> frozenset[str]:
    if value is None:
        return frozenset()
    hosts = [host.strip().lower() for host in value.split(",")]
    for host in hosts:
        if not _HOST.match(host):
            raise ArgumentError(
                f"allowed_hosts={value}: {host!r} is no host name; expected names like "
                "example.org joined by commas, without http:// or port"
            )
    return frozenset(hosts)


def _file(name: str, value: str | None) -> Path | None:
    if value is None:
        return None
    path = Path(value)
    if not path.is_file():
        what = "a folder; expected a file" if path.is_dir() else "no such file"
        raise ArgumentError(f"{name}={value}: {what}")
    return path
