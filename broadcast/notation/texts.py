"""Bytes of a record file to text: the encodings that occur, without ever failing.

LIN and PBN name no encoding. Files are ASCII, UTF-8 (with or without a mark), Windows-1252, or UTF-16 from a
text editor; some mix UTF-8 names with older bytes, so each line is tried on its own.
"""

import codecs
import re

MAX_BYTES = 1024 * 1024
"""Longest file a reader takes: five times the longest real one, 200 games of an event. Read within seconds."""


def decoded(data: bytes) -> str:
    """The text with ``\\n`` line ends and without NULs and marks of byte order."""
    return _plain(_characters(data))


def _characters(data: bytes) -> str:
    if data.startswith(codecs.BOM_UTF8):
        data = data[len(codecs.BOM_UTF8) :]
    elif data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    elif (order := _utf16_order(data)) is not None:
        return data.decode(order, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return "\n".join(_line(line) for line in data.split(b"\n"))


def _utf16_order(data: bytes) -> str | None:
    """Which UTF-16 a file without a mark is in: Latin letters leave every other byte zero."""
    start = data[:512]
    if len(start) < 4:
        return None
    zeros_even, zeros_odd = start[0::2].count(0), start[1::2].count(0)
    most = len(start) // 2 * 0.6
    if zeros_odd > most and zeros_even == 0:
        return "utf-16-le"
    if zeros_even > most and zeros_odd == 0:
        return "utf-16-be"
    return None


def _line(line: bytes) -> str:
    for encoding in ("utf-8", "cp1252"):
        try:
            return line.decode(encoding)
        except UnicodeDecodeError:
            continue
    return line.decode("latin-1")


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "").lstrip("\ufeff")


_TWICE_ENCODED = re.compile("[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0192\u02c6-\u2122]")


def once_encoded(text: str) -> str:
    """Text that was encoded as UTF-8 twice, put right; anything else unchanged.

    >>> once_encoded("f\\u00c3\\u00bchren"), once_encoded("f\\u00fchren")
    ('führen', 'führen')
    """
    if not _TWICE_ENCODED.search(text):
        return text
    for encoding in ("cp1252", "latin-1"):
        try:
            return text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
    return text
