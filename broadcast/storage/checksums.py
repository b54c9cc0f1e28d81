"""The checksum of a stored row, by which a flipped byte is found wherever it stands.

Much of what a row of the log says is told nowhere else: who entered a card, an explanation on a board that is
not released yet, which of two legal cards it was. So the row says itself whether it is as it was written. A
CRC is made against accidents of the disk, of memory and of copying, not against somebody who means it.
"""

import zlib

import msgspec


def checksum(*fields: str | int | bytes | None) -> int:
    """CRC-32 of a row's fields, the names of its place among them; every error of one byte changes it.

    >>> checksum("match", "a", 1, "body") == checksum("match", "a", 1, "bodx")
    False
    """
    return zlib.crc32(msgspec.json.encode(fields))
