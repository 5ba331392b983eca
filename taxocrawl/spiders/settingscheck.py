"""Settings out of range end a run at start-up, with one line each."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from scrapy.settings import SETTINGS_PRIORITIES, default_settings

from taxocrawl import settings as our_settings
from taxocrawl.exceptions import SettingError
from taxocrawl.scheduler import revisit_policy_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from scrapy.settings import BaseSettings

# How alike a name must be to a known one to be taken for a slip of the hand (difflib's ratio).
_SLIP = 0.85

# name, lowest, highest (None: no bound)
_RANGES: tuple[tuple[str, float, float | None], ...] = (
    ("CONCURRENT_REQUESTS", 1, 1000),
    ("CONCURRENT_REQUESTS_PER_DOMAIN", 1, 100),
    ("DOWNLOAD_DELAY", 0, None),
    ("DOWNLOAD_TIMEOUT", 1, None),
    ("DOWNLOAD_MAXSIZE", 1024, None),
    ("CRAWL_MAX_PAGES", 0, None),
    ("CRAWL_ITERATIONS", 0, None),
    ("LINKSCORE_MIN", 0, 1),
    ("LINKSCORE_PAGE_WEIGHT", 0, 1),
    ("DIVERSIFY_LAMBDA", 0, 1),
    ("DIVERSIFY_SPECIFICITY", 0, 10),
    ("DIVERSIFY_TOTALS_ABOVE", 0, 1),
    ("DIVERSIFY_TOTALS_POWER", 1, 10),
    ("ASPECT_RELEVANT_ABOVE", 0, 1),
    ("PDF_WORKERS", 1, 64),
    ("PDF_TIME_LIMIT", 0.1, None),
    ("PDF_MEMORY_LIMIT", 128, None),
    ("PDF_MAX_PAGES", 1, None),
    ("SEED_LIMIT", 1, 100_000),
    ("ROBOTSTXT_MAX_AGE", 1, None),
    ("ROBOTSTXT_TIMEOUT", 1, None),
    ("ROBOTSTXT_CACHE_SIZE", 0.1, None),
    ("CRAWL_DELAY_MAX", 0, None),
    ("RETRY_AFTER_MAX", 0, None),
    ("HOST_BACKOFF_START", 0, None),
    ("HOST_BACKOFF_MAX", 0, None),
    ("HOST_FAILURES_MAX", 1, None),
    ("HOST_SILENCES_MAX", 1, None),
    ("REVISIT_INTERVAL", 0, None),
    ("REVISIT_MIN", 0, None),
    ("REVISIT_MAX", 0, None),
    ("REDIS_LEASE", 3, None),
    ("REDIS_TIMEOUT", 0.1, None),
    ("REDIS_PATIENCE", 0, None),
)


_MAPPINGS = (
    "DIVERSIFY_WEIGHTS_PARAMS",
    "FRONTIER_PARAMS",
    "LINKSCORE_MODEL_PARAMS",
    "LINKSCORE_PARTS",
    "REDIS_PARAMS",
    "SCORER_PARAMS",
    "SELECTION_PARAMS",
)


def check_settings(settings: BaseSettings) -> None:
    """Raise SettingError for the first setting that cannot be used."""
    _check_names(settings)
    for name in _MAPPINGS:
        _check_mapping(settings, name)
    for name, lowest, highest in _RANGES:
        _check_range(settings, name, lowest, highest)
    revisit_policy_of(settings)


def check_consent(settings: BaseSettings, allowed_hosts: Collection[str]) -> None:
    """Raise SettingError for a crawl without robots.txt that may leave hosts that agreed to it."""
    if settings.getbool("ROBOTSTXT_OBEY"):
        return
    consent = {host.strip().lower() for host in settings.getlist("ROBOTSTXT_IGNORE_CONSENT")}
    if not consent or not allowed_hosts:
        raise SettingError(
            "ROBOTSTXT_OBEY=False: refused; name the hosts whose owners agreed in "
            "ROBOTSTXT_IGNORE_CONSENT and restrict the crawl to them with allowed_hosts="
        )
    for host in sorted(allowed_hosts):
        if not any(host == agreed or host.endswith(f".{agreed}") for agreed in consent):
            raise SettingError(
                f"ROBOTSTXT_OBEY=False: refused; {host} of allowed_hosts= is not named in "
                "ROBOTSTXT_IGNORE_CONSENT"
            )


def _check_names(settings: BaseSettings) -> None:
    """Refuse a name given for this run that no one reads but that is nearly one that is read.

    A name that is like no known one is left alone: an add-on may read it.
    """
    given = SETTINGS_PRIORITIES["cmdline"]
    known = {name for name in (*dir(default_settings), *dir(our_settings)) if name.isupper()}
    known |= {name for name in settings if (settings.getpriority(name) or 0) < given}
    for name in sorted(set(settings) - known):
        likely = difflib.get_close_matches(name, sorted(known), n=1, cutoff=_SLIP)
        if likely:
            raise SettingError(f"{name}: no such setting; did you mean {likely[0]}?")


def _check_mapping(settings: BaseSettings, name: str) -> None:
    value = settings.get(name)
    try:
        settings.getdict(name)
    except (TypeError, ValueError):
        raise SettingError(f"{name}={value}: expected a JSON object") from None


def _check_range(settings: BaseSettings, name: str, lowest: float, highest: float | None) -> None:
    value = settings.get(name)
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise SettingError(f"{name}={value}: expected a number") from None
    if not (lowest <= number and (highest is None or number <= highest)):
        bound = f"from {lowest} to {highest}" if highest is not None else f"of at least {lowest}"
        raise SettingError(f"{name}={value}: expected a number {bound}")
