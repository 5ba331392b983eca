"""The language of a text by its content."""

from __future__ import annotations

_ENOUGH_CHARS = 1000
_MIN_CHARS = 40


def language_of(text: str) -> str:
    """ISO 639-1 code of a text's language, empty for a text too short to tell.

    Some 0.5 ms a text and 1 s on the first call: meant for documents that are kept, not for every
    page. Looks at 1,000 characters from the middle, past title and author addresses.
    """
    if len(text.strip()) < _MIN_CHARS:
        return ""
    # Imported here because it loads a model of several MB that many runs never need.
    import py3langid

    start = max(0, (len(text) - _ENOUGH_CHARS) // 2)
    code, _ = py3langid.classify(text[start : start + _ENOUGH_CHARS])
    return str(code)
