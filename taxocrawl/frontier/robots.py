"""What a robots.txt allows (RFC 9309), by Protego."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes

from protego import Protego

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 512_000
"""Bytes of a robots.txt that are read; RFC 9309 (2.5) asks for at least 500 kibibytes."""

# What no editor shows at the start of a line: marks of files that were joined (U+FEFF, and what its
# UTF-8 form becomes when it is read as Latin-1), and of text that was pasted.
_INVISIBLE = re.compile(
    "(?:^|(?<=[\r\n]))(?:[\ufeff\u200b-\u200f\u2060\u00ad]|\u00ef\u00bb\u00bf)+"
)
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class RobotsRules:
    """The rules of one robots.txt for one robot.

    Args:
        content: the file, of which `MAX_BYTES` are read; anything that is no rule is passed over,
            so a page of HTML allows everything.
        user_agent: the product token by which groups are chosen, such as ``taxocrawl``.
    """

    def __init__(self, content: str | bytes, user_agent: str) -> None:
        text = read_robots(content)
        self._rules = Protego.parse(text)
        self._user_agent = user_agent
        self.size = len(text)
        """Characters that were read: a measure of the memory that the rules take."""

    def allows(self, url: str) -> bool:
        """Whether a URL may be asked for."""
        return bool(self._rules.can_fetch(url, self._user_agent))

    @property
    def crawl_delay(self) -> float:
        """Seconds from 0 between two requests, by Crawl-delay or Request-rate, the longer one.

        Neither is in RFC 9309. The hours for which a Request-rate is meant are not looked at.
        """
        delay = self._rules.crawl_delay(self._user_agent) or 0.0
        rate = self._rules.request_rate(self._user_agent)
        return max(delay, rate.seconds / rate.requests) if rate else delay


def read_robots(content: str | bytes) -> str:
    """The text of a robots.txt, without byte order marks and cut after a whole line.

    A line that is not UTF-8 is read twice, with its bytes percent-encoded as they are (RFC 9309,
    2.2.2) and as Windows-1252: a link to that path may be written either way.
    """
    if isinstance(content, bytes):
        if content.startswith(_UTF16_MARKS):
            text = _whole_lines(content, MAX_BYTES * 2).decode("utf-16", "replace")
        else:
            whole = _whole_lines(content.removeprefix(codecs.BOM_UTF8), MAX_BYTES)
            text = "\n".join(_read_lines(whole))
    else:
        text = content[:MAX_BYTES]
        if len(content) > MAX_BYTES:
            text = text.rpartition("\n")[0]
    return _INVISIBLE.sub("", text.replace("\0", ""))


def _whole_lines(content: bytes, limit: int) -> bytes:
    """At most `limit` bytes; half a rule would forbid more, or less, than the whole one."""
    if len(content) <= limit:
        return content
    end = max(content.rfind(b"\n", 0, limit), content.rfind(b"\r", 0, limit))
    return content[: max(end, 0)]


def _read_lines(content: bytes) -> Iterator[str]:
    for line in content.splitlines():
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError:
            yield quote_from_bytes(line, safe=_ASCII)
            yield line.decode("cp1252", "replace")


_ASCII = bytes(range(128))
