"""PDFs for the tests, written by hand so that each has exactly one thing wrong with it."""

from __future__ import annotations

import hashlib
import io
import struct
import zlib
from collections.abc import Sequence

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
BAT = ("Pteropus vampyrus is redescribed from Borneo.", "The holotype is an adult female.")
MEASURES = ("Pteropus vampyrus measurements in mm", "Forearm length 190 to 210")
A4 = b"/MediaBox [0 0 595 842]"


def assembled(objects: Sequence[bytes], *, trailer: bytes = b"", start: int | None = None) -> bytes:
    """A file of the objects, of which the first is the catalog."""
    body = bytearray(b"%PDF-1.5\n%\xc3\xa9\xc3\xa8\n")
    offsets = []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = len(body)
    body += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    body += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    body += b"trailer\n<< /Size %d /Root 1 0 R %s >>\n" % (len(objects) + 1, trailer)
    body += b"startxref\n%d\n%%%%EOF\n" % (table if start is None else start)
    return bytes(body)


def stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<< %s /Length %d >>\nstream\n%s\nendstream" % (entries, len(data), data)


def shown(text: str) -> bytes:
    """A text as a PDF string in the font's encoding."""
    encoded = text.encode("cp1252")
    return b"(" + encoded.replace(b"\\", rb"\\").replace(b"(", rb"\(").replace(b")", rb"\)") + b")"


def at(x: float, y: float, text: str, size: float = 11) -> bytes:
    """One line of text at a place."""
    return b"BT /F1 %g Tf %g %g Td %s Tj ET\n" % (size, x, y, shown(text))


def lines(texts: Sequence[str], x: float = 72, y: float = 740, step: float = 14) -> bytes:
    return b"".join(at(x, y - step * row, text) for row, text in enumerate(texts))


def turned(texts: Sequence[str], matrix: bytes, step: tuple[float, float]) -> bytes:
    """Lines drawn with a text matrix, each one `step` beyond the last."""
    return b"".join(
        b"BT /F1 11 Tf %s %g %g Tm %s Tj ET\n"
        % (matrix, 300 + step[0] * row, 120 + step[1] * row, shown(text))
        for row, text in enumerate(texts)
    )


def pages(
    contents: Sequence[bytes],
    *,
    page: bytes = A4,
    resources: bytes = b"/Font << /F1 3 0 R >>",
    font: bytes = FONT,
    more: Sequence[bytes] = (),
    filters: bytes = b"",
    trailer: bytes = b"",
    start: int | None = None,
) -> bytes:
    """A PDF with one page for each content; `more` objects are numbered from 4."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", font, *more]
    kids = []
    for content in contents:
        objects.append(stream(content, filters))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R %s /Resources << %s >> /Contents %d 0 R >>"
            % (page, resources, len(objects))
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    return assembled(objects, trailer=trailer, start=start)


def bat() -> bytes:
    return pages([lines(BAT)])


def chapters(count: int = 6, rows: int = 30) -> bytes:
    """Pages with a heading and a table each, compressed."""
    contents = []
    for number in range(1, count + 1):
        heading = f"Chapter {number} on the flying foxes of the islands"
        rest = [f"Specimen {number}-{row} has a forearm of {150 + row} mm." for row in range(rows)]
        contents.append(zlib.compress(lines([heading, *rest], step=20)))
    return pages(contents, filters=b"/Filter /FlateDecode")


def encrypted(user: str) -> bytes:
    """The bat paper under RC4 (128 bits), not to be copied; opens at once if `user` is empty."""
    lock = StandardEncryption(user, ownerPassword="keeper", canCopy=0, strength=128)
    out = io.BytesIO()
    canvas = Canvas(out, encrypt=lock, invariant=1)
    for row, text in enumerate(BAT):
        canvas.drawString(72, 740 - 14 * row, text)
    canvas.save()
    return out.getvalue()


def encrypted_aes(user: str) -> bytes:
    """The bat paper under AES-256 (revision 5 of the standard handler), not to be copied."""
    key, vector = bytes(range(32)), bytes(range(16))
    content = lines(BAT)
    padding = 16 - len(content) % 16
    sealed = vector + _aes(key, vector, content + bytes([padding]) * padding)
    verified, keyed = b"verified", b"keyed888"
    zeros = bytes(16)
    password = user.encode()
    u = hashlib.sha256(password + verified).digest() + verified + keyed
    ue = _aes(hashlib.sha256(password + keyed).digest(), zeros, key)
    o = hashlib.sha256(b"keeper" + verified + u).digest() + verified + keyed
    oe = _aes(hashlib.sha256(b"keeper" + keyed + u).digest(), zeros, key)
    permissions = struct.pack("<i", -3904) + b"\xff\xff\xff\xffTadb1234"
    perms = Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(permissions)
    entries = {b"U": u, b"UE": ue, b"O": o, b"OE": oe, b"Perms": perms}
    values = b" ".join(b"/%s <%s>" % (name, v.hex().encode()) for name, v in entries.items())
    lock = (
        b"/Encrypt << /Filter /Standard /V 5 /R 5 /Length 256 /P -3904 /StmF /StdCF /StrF /StdCF "
        b"/CF << /StdCF << /CFM /AESV3 /AuthEvent /DocOpen /Length 32 >> >> %s >> /ID [<00> <00>]"
    )
    return pages([sealed], trailer=lock % values)


def _aes(key: bytes, vector: bytes, data: bytes) -> bytes:
    return Cipher(algorithms.AES(key), modes.CBC(vector)).encryptor().update(data)


def ligatures() -> bytes:
    """A font whose codes 1 and 2 are the ligature fi and the soft hyphen, and 3 is unknown."""
    mapping = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def "
        b"1 begincodespacerange <00> <FF> endcodespacerange "
        b"3 beginbfchar <01> <FB01> <02> <00AD> <03> <0000> endbfchar endcmap end end"
    )
    font = (
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding "
        b"/BaseEncoding /WinAnsiEncoding /Differences [1 /f_i /uni00AD /x] >> /ToUnicode 4 0 R >>"
    )
    content = (
        b"BT /F1 11 Tf 14 TL 72 740 Td (Myotis \\001mbriatus and Myotis cap\\002) Tj T* "
        b"(accinii were classi\\001ed; speci\\001c sta\\003tus con\\001rmed.) Tj ET"
    )
    return pages([content], font=font, more=[stream(mapping)])


def two_columns(rows: int = 24) -> tuple[bytes, list[str]]:
    """A page whose columns are drawn row by row, under a wide title; and its right order."""
    title = "A revision of the flying foxes of the islands of the southern seas, with a key"
    left = [f"the left column goes on with sentence number {row} of" for row in range(rows)]
    right = [f"the right column goes on with sentence number {row} of" for row in range(rows)]
    content = at(60, 780, title, 14)
    for row in range(rows):
        content += at(60, 730 - 13 * row, left[row], 10) + at(310, 730 - 13 * row, right[row], 10)
    return pages([content]), [title, *left, *right]


def doubling(depth: int = 24) -> bytes:
    """Forms of which each draws the next one twice: 2 ** depth draws."""
    forms = []
    for level in range(depth):
        last = level == depth - 1
        resources = b"/Font << /F1 3 0 R >>" if last else b"/XObject << /N %d 0 R >>" % (5 + level)
        forms.append(
            stream(
                at(72, 600, "x", 8) if last else b"/N Do /N Do",
                b"/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << %s >>"
                % resources,
            )
        )
    return pages(
        [lines(BAT) + b"/N Do\n"],
        resources=b"/Font << /F1 3 0 R >> /XObject << /N 4 0 R >>",
        more=forms,
    )


def self_drawing() -> bytes:
    """A form that draws itself."""
    form = stream(
        b"/N Do",
        b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /N 4 0 R >> >>",
    )
    return pages(
        [lines(BAT) + b"/N Do\n"],
        resources=b"/Font << /F1 3 0 R >> /XObject << /N 4 0 R >>",
        more=[form],
    )


def looping_tree() -> bytes:
    """A page tree that has itself among its children."""
    whole = bat()
    return whole.replace(b"/Kids [5 0 R]", b"/Kids [5 0 R 2 0 R]").replace(b"/Count 1", b"/Count 2")


def looping_tables() -> bytes:
    """A cross-reference table whose predecessor is itself."""
    table = bat().rindex(b"\nxref\n") + 1
    return pages([lines(BAT)], trailer=b"/Prev %d" % table)


def bomb(megabytes: int, filters: int = 2) -> bytes:
    """Blanks that inflate to many megabytes through several filters."""
    squeeze = zlib.compressobj(1)
    blanks = b" " * (1 << 20)
    data = b"".join(squeeze.compress(blanks) for _ in range(megabytes)) + squeeze.flush()
    for _ in range(filters - 1):
        data = zlib.compress(data, 9)
    return pages([data], filters=b"/Filter [%s]" % (b"/FlateDecode " * filters))
