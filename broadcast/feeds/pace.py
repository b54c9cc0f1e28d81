"""How fast the hub goes and whom it leaves behind: every limit of the fan-out, named."""

from dataclasses import dataclass
from typing import Final

from broadcast.feeds.cursor import KEPT_EVENTS

RETRY_SECONDS: Final = (2.0, 8.0)
"""Between these a viewer whose connection breaks is told to come back."""
FAREWELL_RETRY_SECONDS: Final = (1.0, 13.0)
"""The same for all viewers at once when the server stops: wide enough that no second sees a tenth of them."""

_GOLDEN: Final = 0.6180339887498949


@dataclass(frozen=True, slots=True)
class Pace:
    """Limits of a hub; the defaults are for a club's evening, tests shorten them."""

    hold_seconds: float = 0.008
    """An idle channel broadcasts at once; for so long afterwards it gathers what comes, to write it in one."""
    heartbeat_seconds: float = 15.0
    """A viewer to whom nothing was written for so long gets a ping."""
    watch_seconds: float = 1.0
    """How often the hub looks for silent and for stalled viewers."""
    slow_events: int = KEPT_EVENTS
    """A viewer further behind is sent no more and let go; its cursor would be answered by a snapshot anyway."""
    slow_seconds: float = 30.0
    """A viewer that has not taken one write (128 kB at most) for so long is cut off."""


def spread(turn: int, low: float, high: float) -> int:
    """Milliseconds between ``low`` and ``high`` seconds, different and evenly strewn for successive turns.

    Multiples of the golden ratio fill the span without clusters, which random numbers would not.

    >>> [spread(turn, 2, 8) for turn in range(4)]
    [2000, 5708, 3416, 7124]
    """
    return int(1000 * (low + (high - low) * (turn * _GOLDEN % 1)))
