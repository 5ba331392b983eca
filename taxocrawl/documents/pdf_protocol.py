"""The language between `pdf_pool` and `pdf_worker`: frames on the worker's stdin and stdout.

A frame is a length (4 bytes, big-endian) and that many bytes. A request is a JSON frame
``{"engine": ..., "seconds": ...}`` and a frame with the PDF; an answer is a JSON frame with the
fields of `pdf_engines.PdfText` but its text, and a frame with the text in UTF-8. A worker's first
frame is ``{"ready": true}``.
"""

from __future__ import annotations

import struct

LENGTH = struct.Struct(">I")
MAX_HEAD = 1 << 20
"""Bytes of a JSON frame at most."""
MAX_TEXT = 48 << 20
"""Bytes of a text frame at most."""


def frame(payload: bytes) -> bytes:
    """The payload with its length before it."""
    return LENGTH.pack(len(payload)) + payload
