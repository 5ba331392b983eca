"""Text files that users write: lists of words, queries and URLs."""

from __future__ import annotations

import codecs
from pathlib import Path

from taxocrawl.exceptions import InputFileError


def read_text_file(path: Path, what: str) -> str:
    """The text of a file in UTF-8, or in UTF-16 with a byte order mark, which is left out.

    `what` says in the error's line what the file should be, such as "a file of URLs". Raises
    InputFileError, one line that begins with the path, when the file is missing, unreadable,
    no regular file, or not text.
    """
    try:
        if not path.is_file():
            found = "a folder" if path.is_dir() else "no file" if path.exists() else "not there"
            raise InputFileError(f"{path}: expected {what}, but it is {found}")
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputFileError(f"{path}: cannot be read ({reason}); expected {what}") from error
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputFileError(
            f"{path}: expected {what} in UTF-8, got another encoding (byte {error.start})"
        ) from error
    if "\0" in text:
        raise InputFileError(f"{path}: expected {what}, got binary data")
    return text


def read_entries(path: Path, what: str) -> list[str]:
    """The lines of a text file, trimmed; blank lines and lines that begin with ``#`` are none.

    Raises InputFileError as `read_text_file` does.
    """
    lines = (line.strip() for line in read_text_file(path, what).splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def names_file(argument: str) -> bool:
    """Whether an argument is the path of an existing file; False for what can be no path."""
    try:
        return Path(argument).is_file()
    except (OSError, ValueError):
        return False


def whole_lines(path: Path, what: str) -> list[str]:
    """The lines of a file that grows line by line; a last one that was cut off is taken out of it.

    None for a file that is not there. Raises InputFileError, naming the file and `what` was
    expected in it, when it cannot be read or mended.
    """
    try:
        if not path.exists():
            return []
        data = path.read_bytes()
        end = data.rfind(b"\n") + 1
        if end < len(data):
            with path.open("r+b") as file:
                file.truncate(end)
        return data[:end].decode("utf-8").split("\n")[:-1]
    except (OSError, UnicodeDecodeError) as error:
        raise InputFileError(f"{path}: expected {what}: {error}") from error
