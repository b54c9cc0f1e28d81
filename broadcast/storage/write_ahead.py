"""Whether the write-ahead log has lost what was committed: a damaged page hides every commit that follows.

SQLite reads the log up to the first frame whose checksum fails and takes what follows for the rest of a write
that was under way when the machine died. Mostly it is. Yet a frame that ends a transaction is written last of
it, and what was acknowledged was written to its end: such a frame behind the last one that SQLite accepts is a
commit of which somebody may have heard. Then cursors of the old feed must not fit the new one.

The form of the log: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
"""

import logging
import shutil
import sqlite3
import struct
from pathlib import Path

LOG = logging.getLogger(__name__)

_HEADER = struct.Struct(">8I")
"""Magic, version, page size, checkpoints, two salts, two checksums."""
_FRAME = struct.Struct(">6I")
"""Page, size of the database after a commit or 0, two salts, two checksums."""


def beside(path: Path) -> Path:
    """The write-ahead log of a database."""
    return path.with_name(path.name + "-wal")


def written_commits(path: Path) -> list[int]:
    """Numbers, from 1, of the frames in a database's log that end a transaction, readable or not."""
    try:
        log = beside(path).open("rb")
    except OSError:
        return []
    with log:
        header = log.read(_HEADER.size)
        if len(header) < _HEADER.size:
            return []
        _, _, page_bytes, _, *salts = _HEADER.unpack(header)[:6]
        if page_bytes not in (1 << power for power in range(9, 17)):
            return []
        is_sound = _is_sound(header)
        commits = []
        number = 0
        while len(frame := log.read(_FRAME.size)) == _FRAME.size:
            number += 1
            _, pages, *of_frame = _FRAME.unpack(frame)[:4]
            if len(log.read(page_bytes)) < page_bytes:
                break
            if not is_sound and number == 1:
                salts = of_frame
            if pages and of_frame == salts:  # others are left of an earlier log in this file
                commits.append(number)
        return commits


def _is_sound(header: bytes) -> bool:
    """Whether the log's header has its checksum; without it SQLite reads no frame at all."""
    magic = int.from_bytes(header[:4], "big")
    words = struct.unpack(">6I" if magic & 1 else "<6I", header[:24])
    first = second = 0
    for one, other in zip(words[::2], words[1::2], strict=True):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return (first, second) == struct.unpack(">2I", header[24:])


def lost_commits(connection: sqlite3.Connection, written: list[int]) -> int:
    """How many of the commits that were written before it was opened the database cannot read."""
    if not written:
        return 0
    _, frames, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    return sum(number > frames for number in written)


def keep_damaged(path: Path, lost: int, unix_seconds: float) -> None:
    """Put a copy of the damaged log aside for whoever may read more of it, and say so."""
    kept = path.with_name(f"{path.name}-wal.damaged-{int(unix_seconds)}")
    try:
        shutil.copy(beside(path), kept)
    except OSError as error:
        LOG.error("The damaged write-ahead log cannot be kept: %s", error)
    LOG.error(
        "The write-ahead log is damaged: %d transactions at its end cannot be read. It is kept as %s; "
        "viewers begin anew",
        lost,
        kept,
    )
