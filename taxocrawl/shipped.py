"""Where the files that ship with taxocrawl are: in the source tree, an installed wheel or an egg.

In the source tree `models`, `stopwords` and `goldstandard` lie beside the package, since users
change them; setup.py puts them into the package of a wheel or egg.
"""

from __future__ import annotations

import atexit
import tempfile
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from taxocrawl.exceptions import InputFileError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


@cache
def shipped_path(name: str) -> Path:
    """The real path of a folder or file that ships with taxocrawl.

    `name` is relative to the package (``queries/data``), or one of the folders that lie beside it
    in the source tree. What is inside an egg, which is a zip file, is unpacked to a temporary
    folder that goes when the process ends. Raises InputFileError for a name that is nowhere.
    """
    package = files("taxocrawl")
    if isinstance(package, Path):
        # The package first: site-packages, beside it, may have a `models` of somebody else.
        for path in (package / name, package.parent / name):
            if path.exists():
                return path
    else:
        inside = package.joinpath(name)
        if inside.is_dir() or inside.is_file():
            return _unpack(inside, _temporary_folder() / name)
    raise InputFileError(f"{name}: not among the files of taxocrawl in {package}")


def own_path(name: str) -> Path:
    """Where what users make lies: in the source tree, else in the working directory."""
    package = files("taxocrawl")
    if isinstance(package, Path) and shipped_path("models").parent == package.parent:
        return package.parent / name
    return Path(name)


def _unpack(inside: Traversable, target: Path) -> Path:
    if inside.is_dir():
        target.mkdir(parents=True, exist_ok=True)
        for part in inside.iterdir():
            _unpack(part, target / part.name)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(inside.read_bytes())
    return target


@cache
def _temporary_folder() -> Path:
    folder = tempfile.TemporaryDirectory(prefix="taxocrawl-")
    atexit.register(folder.cleanup)
    return Path(folder.name)
