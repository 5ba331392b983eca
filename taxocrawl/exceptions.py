"""The errors taxocrawl raises at its edges.

TaxocrawlError
├── ArgumentError          a command's or spider's argument is wrong (before any request)
├── SettingError           a setting has a value that cannot be used (at start-up)
├── InputFileError         a file the user named is missing, unreadable or not of the form expected
├── ModelError             a trained model is missing, broken, or of another feature version
├── TrainingError          a training set from which no classifier can be trained
├── SeedError              a seed provider that cannot answer (costs only itself), or none could
├── ExtractionError        a document from which no text can be had; carries its reason
├── FrontierError          the frontier cannot be opened, or is held by another process
└── StorageError           the run folder cannot be written (read-only, disk full)

Each message is one line that names the file, argument or URL and what was expected.
"""

from __future__ import annotations


class TaxocrawlError(Exception):
    """Base of all errors that taxocrawl raises on purpose."""


class ArgumentError(TaxocrawlError):
    """Raised by spiders and commands for a wrong argument, before the first request."""


class SettingError(TaxocrawlError):
    """Raised at start-up for a setting out of its documented range."""


class InputFileError(TaxocrawlError):
    """Raised where a file named by the user cannot be read as what it should be."""


class ModelError(TaxocrawlError):
    """Raised by `taxocrawl.classify` when a model folder cannot be loaded."""


class TrainingError(TaxocrawlError):
    """Raised by `taxocrawl.classify` for a training set that cannot be learned from."""


class SeedError(TaxocrawlError):
    """Raised by a seed provider that is down, rate-limited or answers nonsense."""


class ExtractionError(TaxocrawlError):
    """Raised by `taxocrawl.documents` when a download yields no usable text.

    `reason` is one of the fixed words listed in docs/reasons.md (such as ``password``,
    ``truncated``, ``malformed``, ``time limit``, ``memory limit``, ``too large``).
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail


class FrontierError(TaxocrawlError):
    """Raised when the frontier cannot be opened or is in use by another process."""


class StorageError(TaxocrawlError):
    """Raised when the run folder cannot be written."""
