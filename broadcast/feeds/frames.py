"""Events as the bytes that go over the wire, made once and shared by every viewer.

One event is one message of the event stream format (WHATWG HTML, section "Server-sent events"). Only
public events, and the snapshot that stands for them, carry an id: a browser keeps the last id it saw and
asks for what follows it, so an invented one on a ping, a reset or a figure computed aside would make it
skip real events.
"""

from dataclasses import dataclass
from typing import Final

from sse_starlette.event import ServerSentEvent

from broadcast.feeds.cursor import Cursor, ResetReason

PING: Final = b": ping\n\n"
"""A comment that keeps proxies from closing a silent stream; clients drop it, and their cursor stays."""

_SEPARATOR = "\n"
_DATA = b"data: "


def encode_frame(event: str, data: bytes, id: str | None) -> bytes:
    """One message: ``data`` is JSON in UTF-8, ``id`` is ``None`` for what must not move a cursor.

    JSON belongs on one line; where it has line breaks between its tokens each line becomes a ``data:``
    line of the same message, which a client joins again.

    >>> encode_frame("undo", b'{"to":{"calls":2,"cards":0}}', "1-7")
    b'id: 1-7\\nevent: undo\\ndata: {"to":{"calls":2,"cards":0}}\\n\\n'
    """
    return ServerSentEvent(data.decode(), event=event, id=id, sep=_SEPARATOR).encode()


def encode_retry(milliseconds: int) -> bytes:
    """Tells a browser how long to wait before it connects again; dispatches no event."""
    return ServerSentEvent(retry=milliseconds, sep=_SEPARATOR).encode()


def encode_reset(reason: ResetReason) -> bytes:
    """The ``reset`` message, without an id; a snapshot follows it."""
    return encode_frame("reset", b'{"reason":"%s"}' % reason.encode(), None)


@dataclass(frozen=True, slots=True)
class Frame:
    """One event of a feed, ready to be written."""

    number: int
    """The event's number; of a rider, the number of the event it stands behind."""
    event: str
    message: bytes
    """The whole message, from ``id:`` to the blank line."""
    is_rider: bool = False
    """Whether it has no id of its own: figures such as ``worth``, that follow from the event before."""

    @classmethod
    def numbered(cls, epoch: int | None, number: int, event: str, data: bytes) -> "Frame":
        """A public event, or a snapshot as of ``number``; ``data`` is JSON in UTF-8."""
        return cls(number, event, encode_frame(event, data, str(Cursor(epoch, number))))

    @classmethod
    def rider(cls, number: int, event: str, data: bytes) -> "Frame":
        """A message without an id that stands behind event ``number`` and may be sent again with it."""
        return cls(number, event, encode_frame(event, data, None), is_rider=True)

    @property
    def data(self) -> bytes:
        """The JSON again. It is cut out of the message, so that it is not held in memory twice."""
        lines = self.message.split(b"\n")
        return b"\n".join(line[len(_DATA) :] for line in lines if line.startswith(_DATA))
