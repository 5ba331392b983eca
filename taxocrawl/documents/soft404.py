"""Error pages that answer 200: learned per host from the answer to one address that cannot exist.

After Bar-Yossef, Broder, Kumar and Tomkins, "Sic transit gloria telae" (WWW 2004), section 3.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from taxocrawl.documents.charset import decode
from taxocrawl.documents.main_text import full_text
from taxocrawl.documents.markup import read_markup

if TYPE_CHECKING:
    from taxocrawl.items import Document

SAME_PAGE = 0.85
"""Resemblance, in [0, 1], from which two pages of a host count as the same error page."""
_KEPT_CHARS = 20_000
_READ_BYTES = 512 * 1024
_MIN_ECHO_CHARS = 3
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a host answered to the probe."""

    soft: bool = False
    redirected_to: str = ""
    """Address to which the probe was redirected, empty when it was not."""
    text: str = ""


class SoftNotFound:
    """Knows, per host, what the error page looks like.

    Ask `probe_url` for each host once, and give the answer to `learn`; then `is_soft_404` tells
    the error page from articles. A host that was never probed, or answers with a real error, has
    no soft 404s. The reason for such a page is ``soft 404``; its links are not followed.
    """

    def __init__(self) -> None:
        self._answers: dict[str, _Answer] = {}

    def probe_url(self, url: str) -> str:
        """An address beside `url` that cannot exist.

        It is made of the host's name, so that two runs ask the same.
        """
        parts = urlsplit(url)
        folder = parts.path.rpartition("/")[0]
        name = hashlib.sha256(_host(url).encode()).hexdigest()[:16]
        return f"{parts.scheme}://{parts.netloc}{folder}/zzq{name}"

    def learn(self, url: str, status: int, final_url: str, body: bytes) -> None:
        """Keep the answer to the probe `url`: its status, where its redirects ended, its page."""
        moved = _key(final_url) != _key(url)
        self._answers[_host(url)] = _Answer(
            soft=status == 200,
            redirected_to=_key(final_url) if moved else "",
            text=_page_text(body, url) if status == 200 else "",
        )

    def is_soft_404(self, url: str, final_url: str, document: Document, body: bytes) -> bool:
        """Whether the page that came for `url` is its host's answer to dead addresses.

        Reads the page's bytes again where the host is known to have soft 404s: its main text
        would leave out on one page what it keeps on the next.
        """
        answer = self._answers.get(_host(url))
        if answer is None or not answer.soft or _is_home(url):
            return False
        if _key(final_url) != _key(url):
            if _key(final_url) == answer.redirected_to:
                return True
            if _is_home(final_url):
                return False
        if document.doi or document.authors:
            return False
        return resemblance(_page_text(body, url), answer.text) >= SAME_PAGE

    def state(self, url: str) -> dict[str, Any]:
        """What is known of the URL's host, as JSON has it; empty for no answer."""
        answer = self._answers.get(_host(url))
        return asdict(answer) if answer else {}

    def restore(self, url: str, state: dict[str, Any]) -> None:
        """Know of the URL's host what `state` gave."""
        if state:
            self._answers[_host(url)] = _Answer(**state)


def resemblance(first: str, second: str) -> float:
    """Jaccard coefficient, in [0, 1], of the words and word pairs of two texts, numbers left out.

    Two texts without words resemble each other fully.
    """
    longer = max(len(first), len(second))
    # Texts of too different lengths cannot reach the threshold; saves the sets.
    if longer > 2 * min(len(first), len(second)) + 100:
        return 0.0
    one, other = _features(first), _features(second)
    union = len(one | other)
    return len(one & other) / union if union else 1.0


def _features(text: str) -> set[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return {(word,) for word in words} | set(itertools.pairwise(words))


def _page_text(body: bytes, url: str) -> str:
    """Title and all visible text of a page without the address that was asked for."""
    markup = read_markup(decode(body[:_READ_BYTES]), max_links=0)
    text = f"{markup.title}\n{full_text(markup.blocks)}"[:_KEPT_CHARS].lower()
    parts = urlsplit(url)
    whole = f"{parts.path}?{parts.query}" if parts.query else parts.path
    last = parts.path.rstrip("/").rpartition("/")[2]
    echoes = {url, whole, parts.path, parts.path.lstrip("/"), parts.query, last}
    echoes |= {unquote(echo) for echo in echoes}
    for echo in sorted(echoes, key=lambda echo: (-len(echo), echo)):
        if len(echo) >= _MIN_ECHO_CHARS:
            text = text.replace(echo.lower(), " ")
    return text


def _host(url: str) -> str:
    return urlsplit(url).netloc.lower()


def _key(url: str) -> str:
    parts = urlsplit(url)
    path = parts.path or "/"
    return f"{parts.netloc.lower()}{path}" + (f"?{parts.query}" if parts.query else "")


def _is_home(url: str) -> bool:
    parts = urlsplit(url)
    return parts.path in ("", "/") and not parts.query
