"""What headers and addresses say of a download's kind."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from taxocrawl.items import Kind

_LABELS = {
    "text/html": Kind.HTML,
    "application/xhtml+xml": Kind.HTML,
    "application/vnd.wap.xhtml+xml": Kind.HTML,
    "application/pdf": Kind.PDF,
    "application/x-pdf": Kind.PDF,
    "application/acrobat": Kind.PDF,
    "applications/vnd.pdf": Kind.PDF,
    "text/pdf": Kind.PDF,
    "text/x-pdf": Kind.PDF,
    "text/plain": Kind.TEXT,
    "text/markdown": Kind.TEXT,
}
# Labels that servers give to anything: they say nothing about the kind.
_EMPTY_LABELS = frozenset(
    {
        "application/octet-stream",
        "application/binary",
        "application/download",
        "application/force-download",
        "application/gzip",
        "application/unknown",
        "application/x-download",
        "application/x-gzip",
        "application/xml",
        "binary/octet-stream",
        "text/xml",
        "unknown/unknown",
    }
)
_ENDINGS = {
    Kind.PDF: frozenset({"pdf"}),
    Kind.HTML: frozenset(
        "html htm xhtml xht shtml shtm php php3 asp aspx jsp jspx cfm cgi pl do".split()
    ),
    Kind.TEXT: frozenset({"txt", "text", "md"}),
    Kind.OTHER: frozenset(
        "json xml rss atom css js mjs csv tsv bib ris tex ps eps rtf doc docx odt xls xlsx ppt "
        "pptx zip gz tgz bz2 xz 7z rar tar epub mobi djvu jpg jpeg png gif webp svg bmp tif tiff "
        "ico mp3 mp4 avi mov mpg mpeg ogg wav webm exe dmg iso woff woff2 ttf kml kmz".split()
    ),
}
_KIND_OF_ENDING = {ending: kind for kind, endings in _ENDINGS.items() for ending in endings}

_FILE_NAME = re.compile(
    r"filename\*\s*=\s*[\w-]*'[^']*'([^;]+)|filename\s*=\s*(?:\"([^\"]*)\"|([^;]+))", re.IGNORECASE
)


def kinds_of_label(value: str) -> list[Kind]:
    """The kinds that one Content-Type header names; several when headers were joined by commas."""
    kinds = []
    for part in value.split(","):
        essence = part.split(";", 1)[0].strip().lower()
        if "/" not in essence or " " in essence or "*" in essence or essence in _EMPTY_LABELS:
            continue
        kinds.append(_LABELS.get(essence, Kind.OTHER))
    return kinds


def kind_of_disposition(disposition: str) -> Kind | None:
    """The kind that the file name of a Content-Disposition header tells."""
    match = _FILE_NAME.search(disposition)
    name = next((group for group in match.groups() if group), "") if match else ""
    return _kind_of_name(unquote(name))


def kind_of_url(url: str) -> Kind | None:
    """The kind that the ending of a URL's path tells."""
    try:
        return _kind_of_name(urlsplit(url).path)
    except ValueError:
        return None


def _kind_of_name(name: str) -> Kind | None:
    last = name.rsplit("/", 1)[-1].strip()
    return _KIND_OF_ENDING.get(last.rsplit(".", 1)[1].lower()) if "." in last else None
