"""`taxocrawl …`, or `python -m taxocrawl …`: the scrapy command line with taxocrawl's settings.

Works in any folder. In a folder of a Scrapy project it is `scrapy`, with that project's settings.
"""

from __future__ import annotations

import os

from scrapy.cmdline import execute
from scrapy.utils.conf import closest_scrapy_cfg
from scrapy.utils.project import ENVVAR


def main() -> None:
    """Run one command; exits with its exit code."""
    if not closest_scrapy_cfg():
        os.environ.setdefault(ENVVAR, "taxocrawl.settings")
    execute()


if __name__ == "__main__":
    main()
