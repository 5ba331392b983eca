"""The ``query=`` argument: one query, a JSON list of them, or a file."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

from taxocrawl.exceptions import ArgumentError, InputFileError, TaxocrawlError
from taxocrawl.text.files import names_file, read_entries, read_text_file

MAX_QUERY_LENGTH = 500
"""Characters of one query; search services cut or refuse longer ones."""
MAX_ARGUMENT_LENGTH = 100_000
"""Characters of the whole argument: Linux hands over 128 KiB at most."""
FILE_ENDINGS = (".txt", ".json")
WHAT = "a file of queries, one a line or a JSON list"


def parse_queries(argument: str) -> list[str]:
    """The distinct queries of a ``query=`` argument, each exactly as written.

    An argument that begins with ``[`` is a JSON list of strings; ``@PATH``, and the path of an
    existing file that has a ``/`` or ends in .txt or .json, is a file with one query a line
    (trimmed; blank lines and ``#`` comments left out) or a JSON list. Anything else is one query.
    Line ends and tabs inside a query are allowed, other control characters are not.

    Raises ArgumentError for an argument without a query or with one that cannot be asked, and
    InputFileError for a file that cannot be read or has no query.
    """
    if len(argument) > MAX_ARGUMENT_LENGTH:
        raise ArgumentError(
            f"query: {len(argument)} characters are too long for an argument "
            f"(at most {MAX_ARGUMENT_LENGTH}); write the queries to a file and give @FILE"
        )
    trimmed = argument.strip()
    if trimmed.startswith("@"):
        return _from_file(Path(trimmed[1:]))
    if _looks_like_file(trimmed):
        return _from_file(Path(trimmed))
    if trimmed.startswith("["):
        return _checked(_json_list(trimmed, "query", ArgumentError), "query", ArgumentError)
    return _checked([argument], "query", ArgumentError)


def _looks_like_file(text: str) -> bool:
    ends_like_one = text.lower().endswith(FILE_ENDINGS)
    if ends_like_one and not any(c.isspace() for c in text):
        return True
    return (ends_like_one or "/" in text) and names_file(text)


def _from_file(path: Path) -> list[str]:
    text = read_text_file(path, WHAT)
    if text.lstrip().startswith("["):
        queries = _json_list(text, str(path), InputFileError)
    else:
        queries = read_entries(path, WHAT)
    return _checked(queries, str(path), InputFileError)


def _json_list(text: str, source: str, error: type[TaxocrawlError]) -> list[str]:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        raise error(
            f'{source}: begins with "[" but is no JSON list of strings such as ["Pteropus", "Bats"]'
        ) from None
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise error(f'{source}: expected a JSON list of strings such as ["Pteropus", "Bats"]')
    return values


def _checked(queries: list[str], source: str, error: type[TaxocrawlError]) -> list[str]:
    """Distinct queries in order; two that differ in case and white space only are one."""
    distinct: dict[str, str] = {}
    for query in queries:
        complaint = _complaint(query)
        if complaint:
            raise error(f"{source}: {complaint}")
        distinct.setdefault(" ".join(query.split()).casefold(), query)
    if not distinct:
        raise error(f"{source}: expected at least one query, got none")
    return list(distinct.values())


def _complaint(query: str) -> str:
    """What is wrong with a query, in words; '' for a good one."""
    if not any(c.isalnum() for c in query):
        shown = query.strip()[:40]
        return f"expected a word to search for, got {shown!r}" if shown else "the query is empty"
    if len(query) > MAX_QUERY_LENGTH:
        return (
            f"a query of {len(query)} characters is too long (at most {MAX_QUERY_LENGTH}); "
            "several queries go into a file (@FILE) or a JSON list"
        )
    for char in query:
        kind = unicodedata.category(char)
        if kind == "Cs":
            return f"a query is no valid UTF-8: {query[:40]!r}"
        if kind == "Cc" and char not in "\n\r\t":
            return f"a query has the control character U+{ord(char):04X}"
    return ""
