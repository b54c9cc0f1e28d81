"""What is written to viewers in one write, made once for all who wait at the same position."""

import asyncio
import os
from typing import Final, NamedTuple

from starlette.types import Message

BODY: Final = "http.response.body"
LOW_WATER_BYTES: Final = 16 * 1024
"""A connection with no more than this left to write is not paused: event loops pause it at 64 kB, and end the
pause at a quarter of that."""


class Direct(NamedTuple):
    """A connection that may be written to past ``send``."""

    transport: asyncio.WriteTransport
    descriptor: int | None
    """The open socket's number, where bytes may also go to it past the transport."""


class Piece(NamedTuple):
    """Some bytes of a stream in the two forms in which a server takes them."""

    message: Message
    """For ``send``."""
    chunk: bytes
    """The same as a chunk of a chunked body (RFC 9112, section 7.1), for a connection written directly."""
    end: int
    """The position in the channel behind these bytes."""

    @classmethod
    def of(cls, body: bytes, end: int) -> "Piece":
        """
        >>> Piece.of(b": ping\\n\\n", 0).chunk
        b'8\\r\\n: ping\\n\\n\\r\\n'
        """
        return cls({"type": BODY, "body": body, "more_body": True}, b"%x\r\n%b\r\n" % (len(body), body), end)

    def write(self, direct: asyncio.WriteTransport | None, descriptor: int | None) -> bool:
        """Write to a connection directly; ``False``, and nothing written, where it must be done by ``send``.

        So it is where many bytes wait to be taken: ``send`` knows when the connection wants no more, and how
        to wait. Where none do, the kernel is asked without a detour; what it does not take waits in the
        transport. One that is closing is not written to: its ``descriptor`` may be another connection's.
        """
        if direct is None or direct.is_closing():
            return False
        waiting = direct.get_write_buffer_size()
        if waiting > LOW_WATER_BYTES:
            return False
        rest = self.chunk
        try:
            if not waiting and descriptor is not None:
                taken = os.write(descriptor, rest)
                if taken == len(rest):
                    return True
                rest = rest[taken:]
        except BlockingIOError:
            pass  # the kernel takes nothing now: all of it waits in the transport
        except OSError:  # broken; the transport is about to hear of it
            return False
        try:
            direct.write(rest)
        except RuntimeError:  # closed a moment ago; the request's task is about to hear of it
            return False
        return True
