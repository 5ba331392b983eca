"""What the operator of a desk chooses: made by `scrapy desk` from the settings DESK_*."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class DeskOptions:
    """Places, limits and permissions of one desk; see DESK_* in docs/settings.md."""

    folder: Path
    """Of the desk's own: database, secret key, logs of crawls, uploaded files."""
    runs: Path
    project: Path
    """Working directory of the crawls that are started here."""
    goldstandards: Path
    models: Path
    stopwords: Path
    host: str = "127.0.0.1"
    port: int = 8321
    allowed_hosts: tuple[str, ...] = ()
    """Names under which the desk is reached, beside those of this machine's loopback."""
    https: bool = False
    """Whether a proxy in front of the desk speaks https: cookies are then sent over it alone."""
    hsts_seconds: int = 0
    crawls_per_account: int = 1
    private_hosts_allowed: bool = False
    """Whether crawls may ask loopback, private and link-local addresses."""
    scrapyd_url: str = ""
    """Empty: crawls are child processes."""
    scrapyd_project: str = "taxocrawl"
    upload_max: int = 2 * 1024 * 1024
    """Bytes of an uploaded file."""
    crawl_settings: Mapping[str, str] = field(default_factory=dict)
    """Settings given to every crawl with ``-s``."""
    selection_params: Mapping[str, object] = field(default_factory=dict)
    iterations: int = 2
    max_pages: int = 0
    post_sources: Mapping[str, str] = field(default_factory=dict)
    """Other addresses of the searches of `taxocrawl.rerank.sources`, by name."""
    user_agent: str = "taxocrawl"
    """Under which live searches ask."""
    setup_code: str = ""
    """What the form for the first account asks for; it is printed where the desk is started."""

    @property
    def database(self) -> Path:
        return self.folder / "desk.sqlite3"

    @property
    def logs(self) -> Path:
        return self.folder / "logs"

    @property
    def inputs(self) -> Path:
        """Files of seeds and truths that were given in forms."""
        return self.folder / "inputs"
