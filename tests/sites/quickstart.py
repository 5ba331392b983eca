"""`make crawl`: the main job on the small web, which is served for the time of the crawl."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.sites.content import hosts
from tests.sites.expected import QUERY, write_truth
from tests.sites.server import ROOT, SmallWeb, SmallWebError


def crawl_command(web: SmallWeb, truth: Path, *arguments: str) -> list[str]:
    """The command that crawls the small web as the live web is crawled, only faster."""
    return [
        *(sys.executable, "-m", "scrapy", "crawl", "taxonomic"),
        *("-a", f"query={QUERY}", "-a", "seeds=crossref", "-a", f"truth={truth}"),
        # Its DOIs are invented: the resolver on the live web is not to be asked for them.
        *("-a", f"allowed_hosts={','.join(host.address for host in hosts().values())}"),
        *("-s", f"CROSSREF_URL={web.url('search', '/works')}"),
        # The small web is ours: no need to spare it as other people's servers are.
        *("-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False"),
        *arguments,
    ]


def main() -> int:
    """Crawl, and return the crawl's exit code."""
    try:
        with SmallWeb() as web, tempfile.TemporaryDirectory() as folder:
            truth = Path(folder) / "truth.csv"
            write_truth(truth, web.port)
            return subprocess.run(crawl_command(web, truth), cwd=ROOT, check=False).returncode
    except SmallWebError as error:
        print(f"make crawl: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
