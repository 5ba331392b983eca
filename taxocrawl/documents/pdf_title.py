"""The title of a paper: the largest type on the upper part of its first page."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from taxocrawl.documents.pdf_accents import with_accents
from taxocrawl.documents.pdf_lines import rows
from taxocrawl.text.normalise import fold_whitespace, join_hyphenated, normalise_text

if TYPE_CHECKING:
    from taxocrawl.documents.pdf_lines import Line

_LONGEST_TITLE = 400
_MOST_LINES = 400
"""Lines from the top of the page on among which the title is."""
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_FILE_NAME = re.compile(
    r"\.(?:fm|dvi|docx?|qxp|qxd|indd|pdf|tex|ps|rtf|pmd|p65|html?)\b|^(?:untitled|microsoft word)"
    r"|\d+\.\.\d+",
    re.IGNORECASE,
)
_VOLUME = re.compile(r"[\s,(]*\d")
# What stands above a title in type as large, or larger.
_NO_TITLE = re.compile(
    r"(?:open access|(?:original |short |research |review )?(?:articles?|papers?|notes?|letters?)"
    r"|(?:short )?communications?|reviews?|study protocol|digest|correspondence|editorial"
    r"|retraction|(?:clinical|case) (?:study|report)|supplement\w*|systematics|issn.*|volume .*"
    r"|.*\bvol\. \d+.*"
    r"|.*https?://.*|.*\bwww\..*|.*©.*|.*\bpublishing corporation|received:?.*|.*\bdoi:? ?10\..*"
    r"|.*\bpress$|contents(?: lists)?.*|abstract|summary|keywords.*|page \d+ of \d+)",
    re.IGNORECASE,
)


def title_lines(page: list[Line]) -> list[Line]:
    """The lines of the title: the largest type on the page that can be one, from the top down."""
    upright = [line for row in rows([line for line in page if line.angle == 0]) for line in row]
    upright = upright[:_MOST_LINES]
    best: list[Line] = []
    for block in _blocks(upright):
        wording = set_title(block)
        if len(_LETTERS.findall(wording)) < 3 or len(wording) > _LONGEST_TITLE:
            continue
        if any(_names_journal(block[0].text, line.text) for line in upright):
            continue
        if not best or block[0].size > best[0].size + 0.3:
            best = block
    body = sorted(line.size for line in upright)
    if best and best[0].size > body[len(body) // 4] + 0.3:
        return best
    return _capitals(upright)


def _names_journal(name: str, line: str) -> bool:
    """Whether a line gives the volume of a journal of that name (`Name 2014, 14:277`)."""
    return line.startswith(name) and bool(_VOLUME.match(line, len(name)))


def _capitals(lines: list[Line]) -> list[Line]:
    """A title set in capitals of the text's own size: the first such block of three words."""
    blocks = _blocks([line for line in lines if line.text.isupper()])
    return next((block for block in blocks if len(_LETTERS.findall(set_title(block))) >= 3), [])


def _blocks(lines: list[Line]) -> list[list[Line]]:
    """Lines of one size that stand below one another, without those that are no title."""
    blocks: list[list[Line]] = []
    for line in lines:
        if _NO_TITLE.fullmatch(line.text.strip()) or not _LETTERS.search(line.text):
            continue
        block = next((block for block in reversed(blocks) if _goes_on(block[-1], line)), None)
        if block is None:
            blocks.append([line])
        else:
            block.append(line)
    return blocks


def _goes_on(above: Line, below: Line) -> bool:
    step = above.middle - below.middle
    beside = step < 0.5 * below.size
    overlapping = above.x0 < below.x1 and below.x0 < above.x1
    return (
        abs(above.size - below.size) < 0.05 * above.size + 0.2
        and step < 2 * below.size
        and (beside or overlapping)
    )


def set_title(lines: list[Line]) -> str:
    """The title that the lines make up."""
    return clean_title("\n".join(line.text for line in lines))


def is_believable(title: str, page: list[Line], printed: str) -> bool:
    """Whether a title from the metadata is the paper's: not a file name, and on the first page."""
    own = [word.lower() for word in _LETTERS.findall(title)]
    if len(own) < 3 or len(title) > _LONGEST_TITLE or _FILE_NAME.search(title):
        return False
    if len(own) < 0.7 * len(_LETTERS.findall(printed)):
        return False
    words = {word.lower() for line in page for word in _LETTERS.findall(line.text)}
    return sum(word in words for word in own) >= 0.8 * len(own)


def clean_title(text: str) -> str:
    """A title on one line, without entities and footnote marks."""
    # Some packets are escaped twice.
    plain = with_accents(normalise_text(html.unescape(html.unescape(text))))
    folded = fold_whitespace(join_hyphenated(plain))
    # A footnote's mark after the last word.
    return re.sub(r"(?<=[^\W\d_)])[\d*†‡§]{1,2}$|(?<=\))[\d*†‡§]{1,2}$", "", folded).strip(" .*†")
