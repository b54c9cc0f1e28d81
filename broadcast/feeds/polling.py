"""The stream for clients that ask now and then instead of listening: the same events by the same cursor."""

from typing import Any

import msgspec

from broadcast.feeds.channels import Channel
from broadcast.feeds.cursor import Cursor, Reset, ResetReason, Tail


def poll(channel: Channel, cursor: str | None) -> dict[str, Any]:
    """What follows ``cursor``: ``{"events": [{"id", "event", "data"}], "last": id}`` or ``{"reset": reason}``.

    Without a cursor there is nothing to continue, so the answer is ``unknown`` and the client takes the whole
    state from its JSON resource, whose ``last_event`` is a cursor. ``data`` is ready JSON (``msgspec.Raw``):
    encode the answer with ``msgspec.json.encode``. Riders such as ``worth`` have the id ``None``.
    """
    decision = channel.resume(cursor)
    if not isinstance(decision, Tail):
        reason = decision.reason if isinstance(decision, Reset) else ResetReason.UNKNOWN
        return {"reset": reason.value}
    events = [
        {
            "id": None if frame.is_rider else str(Cursor(channel.epoch, frame.number)),
            "event": frame.event,
            "data": msgspec.Raw(frame.data),
        }
        for frame in channel.after(decision.after)
    ]
    return {"events": events, "last": str(channel.last_cursor)}
