"""Bytes to characters, by the HTML standard's order, without believing a charset that cannot be."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from resiliparse.parse.encoding import detect_encoding
from w3lib.encoding import html_body_declared_encoding, resolve_encoding

if TYPE_CHECKING:
    from collections.abc import Iterator

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_BARE_UTF16 = (
    (b"<\x00", "utf-16-le"),
    (b"\x00<", "utf-16-be"),
)
_FALLBACK = "cp1252"
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
_MULTIBYTE = re.compile(rb"[\xc2-\xf4][\x80-\xbf]+")
# In 7-bit encodings every body is valid UTF-8, so the label must be believed.
_SEVEN_BIT = frozenset({"iso2022_jp", "iso2022_kr", "hz"})
# The legacy encodings of the web (WHATWG Encoding 4.2) in Python's spelling: other codecs that a
# label may name (utf-7, hex, idna, …) are no charsets of pages, some are dangerous.
_OF_THE_WEB = frozenset(
    "utf-8 cp866 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 "
    "iso8859-13 iso8859-14 iso8859-15 iso8859-16 koi8-r koi8-u mac-roman mac-cyrillic cp874 cp1250 "
    "cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 gb18030 gbk big5 big5hkscs euc_jp "
    "iso2022_jp iso2022_kr hz shift_jis cp932 euc_kr cp949 tis-620".split()
)
_BELIEVED_UTF8_RUNS = 4
"""So many UTF-8 sequences do not come about by chance in another encoding."""
_DETECTION_BYTES = 16 * 1024


def decode(body: bytes, charset: str | None = None) -> str:
    """Text of a page's bytes; `charset` is the one of the Content-Type header.

    Byte order mark, then header, then meta element or XML declaration, then detection
    (HTML standard 13.2.3). A declared encoding that the bytes contradict is passed over: valid
    UTF-8 is read as such whatever the label says, and bytes that are not UTF-8 are never read as
    UTF-8 but for a few stray ones, which then count as windows-1252. Never raises.
    """
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    for mark, encoding in _BARE_UTF16:
        if body.startswith(mark):
            return body.decode(encoding, "replace")
    declared = list(_declared(body, charset))
    utf8 = _decode_strict(body, "utf-8")
    if utf8 is not None:
        return _valid_utf8(body, utf8, declared)
    for name in declared:
        if name != "utf-8":
            text = _decode_strict(body, name)
            if text is not None or not _mostly_utf8(body):
                return text if text is not None else body.decode(name, "replace")
    if _mostly_utf8(body):
        return body.decode("utf-8", "taxocrawl.stray1252")
    return body.decode(_detected(body), "replace")


def charset_of(content_type: str) -> str | None:
    """The charset parameter of a Content-Type header's value, if it names one."""
    match = re.search(r"charset\s*=\s*[\"']?\s*([\w.:+-]+)", content_type, re.IGNORECASE)
    return match[1] if match else None


def _declared(body: bytes, charset: str | None) -> Iterator[str]:
    header = resolve_encoding(charset) if charset else None
    for name in (header, html_body_declared_encoding(body)):
        if name in _OF_THE_WEB:
            yield name


def _decode_strict(body: bytes, name: str) -> str | None:
    try:
        return body.decode(name)
    except (UnicodeDecodeError, LookupError):
        return None


def _valid_utf8(body: bytes, utf8: str, declared: list[str]) -> str:
    """The text of a body that is valid UTF-8: that, unless a label has the better claim.

    Two Chinese characters in GBK may look like UTF-8 by chance, a whole page does not.
    """
    other = next((name for name in declared if name != "utf-8"), None)
    if other is None or declared[0] == "utf-8":
        return utf8
    if body.isascii() and other not in _SEVEN_BIT:
        return utf8
    runs = sum(
        1 for _, _ in zip(_MULTIBYTE.finditer(body), range(_BELIEVED_UTF8_RUNS), strict=False)
    )
    if runs >= _BELIEVED_UTF8_RUNS and other not in _SEVEN_BIT:
        return utf8
    text = _decode_strict(body, other)
    single_byte = text is not None and len(text) == len(body)
    return utf8 if text is None or single_byte else text


def _mostly_utf8(body: bytes) -> bool:
    """Whether nearly all bytes beyond ASCII stand in valid UTF-8 sequences."""
    sample = body[: 64 * _DETECTION_BYTES]
    good = sum(len(match) for match in _MULTIBYTE.findall(sample))
    high = sum(len(match) for match in _HIGH_RUN.findall(sample))
    return good > 0.9 * high


def _detected(body: bytes) -> str:
    """The encoding that the bytes beyond ASCII and the words around them speak for."""
    pieces: list[bytes] = []
    size = end = 0
    for match in _HIGH_RUN.finditer(body):
        if match.start() < end:
            continue
        end = match.end() + 24
        pieces.append(body[max(0, match.start() - 24) : end])
        size += len(pieces[-1])
        if size > _DETECTION_BYTES:
            break
    name = resolve_encoding(detect_encoding(b" ".join(pieces), from_html_meta=False) or _FALLBACK)
    return name if name in _OF_THE_WEB and name != "utf-8" else _FALLBACK


def _stray_bytes(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    stray = error.object[error.start : error.end]
    return stray.decode(_FALLBACK, "replace"), error.end


codecs.register_error("taxocrawl.stray1252", _stray_bytes)
