"""Which blocks of a page are its main text.

After Kohlschütter, Fankhauser and Nejdl, "Boilerplate detection using shallow text features"
(WSDM 2010): text length and link density of a block and of its neighbours, helped by the markup's
own words (`main`, `article`, `nav`, `footer`, class names).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taxocrawl.documents.blocks import Block

LONG_BLOCK_CHARS = 80
"""A block of so many characters outside links is running text by itself."""
LINKED_TITLE_CHARS = 40
"""A linked text of this length is an entry of a list of contents rather than of a menu."""
MIN_MAIN_CHARS = 250
"""Below this the choice is not trusted and everything but the boilerplate is kept."""
NEAR_BLOCKS = 3
"""How far from running text short blocks without links still belong to it."""
_MAX_LINK_DENSITY = 0.5
_MIN_SHARE_OF_MARKED = 0.3


def main_text(blocks: Sequence[Block]) -> str:
    """The page's main text, one block a line; all its text where nothing else can be told.

    Empty only for a page without any visible text.
    """
    plain = [block for block in blocks if not block.boilerplate]
    chosen = _chosen(_marked(plain))
    if _size(chosen) < MIN_MAIN_CHARS:
        chosen = plain
    if _size(chosen) < min(MIN_MAIN_CHARS, _size(blocks) // 4):
        chosen = list(blocks)
    return "\n".join(block.text for block in chosen)


def full_text(blocks: Sequence[Block]) -> str:
    """All visible text of a page, one block a line."""
    return "\n".join(block.text for block in blocks)


def _size(blocks: Sequence[Block]) -> int:
    return sum(len(block.text) for block in blocks)


def _running(block: Block) -> bool:
    """Whether a block is running text by its own length and link density."""
    return len(block.text) - block.link_chars >= max(
        LONG_BLOCK_CHARS, _MAX_LINK_DENSITY * len(block.text)
    )


def _marked(blocks: list[Block]) -> list[Block]:
    """The blocks inside `main` and `article` if these hold a fair share of the running text."""
    marked = [block for block in blocks if block.main]
    inside = sum(len(block.text) for block in marked if _running(block))
    in_all = sum(len(block.text) for block in blocks if _running(block))
    trusted = inside >= MIN_MAIN_CHARS and inside >= _MIN_SHARE_OF_MARKED * in_all
    return marked if trusted else blocks


def _chosen(blocks: list[Block]) -> list[Block]:
    """Running text, what stands near it, and lists of linked titles where these are the page."""
    running = [_running(block) for block in blocks]
    titles = [_is_linked_title(block) for block in blocks]
    is_list = _size([b for b, title in zip(blocks, titles, strict=True) if title]) > _size(
        [b for b, run in zip(blocks, running, strict=True) if run]
    )
    core = [run or (is_list and title) for run, title in zip(running, titles, strict=True)]
    near = _near(core)
    return [
        block
        for block, is_core, is_near in zip(blocks, core, near, strict=True)
        if is_core or (is_near and _belongs(block))
    ]


def _belongs(block: Block) -> bool:
    """Whether a block beside running text is part of it: few links, or a long item of `main`."""
    few_links = block.link_chars <= _MAX_LINK_DENSITY * len(block.text)
    return few_links or (block.main and len(block.text) >= LINKED_TITLE_CHARS)


def _is_linked_title(block: Block) -> bool:
    return len(block.text) >= LINKED_TITLE_CHARS and not _running(block)


def _near(core: list[bool]) -> list[bool]:
    """For each block, whether a block of the core stands within `NEAR_BLOCKS` of it."""
    near = [False] * len(core)
    for indexes in (range(len(core)), range(len(core) - 1, -1, -1)):
        since = NEAR_BLOCKS + 1
        for index in indexes:
            since = 0 if core[index] else since + 1
            near[index] = near[index] or since <= NEAR_BLOCKS
    return near
