"""The connection behind the server's ``send``, for writing to it directly, where that was checked.

A broadcast writes the same bytes to every viewer. ``send`` would frame them anew for each: a coroutine, a
message read, a chunk header and a copy. So the chunk is made once, and handed to the kernel, or to the
transport by the call that ``send`` itself makes. This reads attributes that uvicorn does not promise to keep;
hence the exact versions, and wherever anything else is met (another server, another version, a wrapped
``send``) there is no direct way and the ordinary one is taken.
"""

import asyncio
from typing import Final

import uvicorn
from starlette.types import Send
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from broadcast.feeds.pieces import Direct

CHECKED_VERSIONS: Final = ("0.54.0",)
"""Versions of uvicorn whose ``RequestResponseCycle.send`` was read, and whose streams the tests compare."""


def connection(send: Send) -> Direct | None:
    """Where chunks of the response may be written; ``None`` where only ``send`` is known to be right.

    To be asked after the response has started, as only then it is known whether its body is chunked.
    """
    cycle = getattr(send, "__self__", None)
    if uvicorn.__version__ not in CHECKED_VERSIONS or type(cycle) is not RequestResponseCycle:
        return None
    if not cycle.response_started or not cycle.chunked_encoding:
        return None
    transport: asyncio.WriteTransport = cycle.transport
    socket = transport.get_extra_info("socket")
    # What goes to the socket itself would go past the encryption of a server that has its own.
    is_plain = socket is not None and transport.get_extra_info("sslcontext") is None
    return Direct(transport, socket.fileno() if is_plain else None)
