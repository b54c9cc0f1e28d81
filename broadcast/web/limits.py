"""How many viewers are served at once: in all, and to one address; and private streams, to one sender.

Whoever comes beyond is told so, with 503 and a time to come back, instead of hanging or breaking a stream that
runs. An IPv6 address is counted by its network of 56 bits, which one household may have whole. A loopback
address is not counted apart: it is the machine's own, or a proxy that does not say for whom it asks.
"""

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address, ip_network
from typing import Final

from starlette.types import Scope

from broadcast.feeds.pace import spread
from broadcast.web.problems import Problem

RETRY_AFTER_SECONDS: Final = (10.0, 60.0)
"""Between these whoever is refused is told to come back, each at another moment."""
HOUSEHOLD: Final = 56
"""Bits of the IPv6 network that a household may be given whole (RFC 6177)."""
PRIVATE_STREAMS: Final = 20
"""Private streams of one operator's link or one account at once, whatever their address."""
LOG = logging.getLogger(__name__)


class TooManyViewers(Problem):
    """There is no place for one more stream."""

    def __init__(self, limit: str, most: int, retry_after: int) -> None:
        super().__init__(
            503,
            "too_many_viewers",
            f"All {most} places for viewers are taken: come back in {retry_after} seconds",
            limit=limit,
            most=most,
            retry_after=retry_after,
        )
        self.retry_after = retry_after


class ViewerLimits:
    """Places for streams. ``take`` one before a stream begins, and ``give_back`` what it returned."""

    def __init__(self, total: int | None = None, per_address: int | None = None) -> None:
        """``None`` is without limit."""
        self.total = total
        self.per_address = per_address
        self.taken = 0
        self.refused: Counter[str] = Counter()
        """Viewers refused, by the limit that did: ``all``, ``address`` or ``sender``."""
        self._taken_by: Counter[str] = Counter()
        """By network, or by whose private streams they are; nobody's network looks like those."""

    def take(self, scope: Scope) -> str:
        """Count a viewer in. Raises ``TooManyViewers``."""
        self._check_total()
        network = network_of(scope)
        if network and self.per_address is not None and self._taken_by[network] >= self.per_address:
            raise self._refusal("address", self.per_address)
        self._count(network)
        return network

    @contextmanager
    def private(self, sender: str) -> Iterator[None]:
        """A place for one of a sender's private streams; an empty sender is counted in all alone.

        Raises ``TooManyViewers``, or ``Problem`` 429 where the sender has enough of them.
        """
        self._check_total()
        if sender and self._taken_by[sender] >= PRIVATE_STREAMS:
            retry_after = self._refusal("sender", PRIVATE_STREAMS).retry_after
            raise Problem(
                429,
                "too_many_streams",
                f"{PRIVATE_STREAMS} pages with this link or account are open at once: close one, and come back "
                f"in {retry_after} seconds",
                most=PRIVATE_STREAMS,
                retry_after=retry_after,
            )
        self._count(sender)
        try:
            yield
        finally:
            self.give_back(sender)

    def give_back(self, network: str) -> None:
        """Count a viewer out."""
        self.taken -= 1
        if network:
            self._taken_by[network] -= 1
            if not self._taken_by[network]:
                del self._taken_by[network]

    def _check_total(self) -> None:
        if self.total is not None and self.taken >= self.total:
            raise self._refusal("all", self.total)

    def _count(self, whose: str) -> None:
        self.taken += 1
        if whose:
            self._taken_by[whose] += 1

    def _refusal(self, limit: str, most: int) -> TooManyViewers:
        self.refused[limit] += 1
        count = self.refused.total()
        if count & (count - 1) == 0:  # the first, and then whenever their number has doubled
            LOG.warning("Viewers refused so far: %d (%s has its %d)", count, limit, most)
        return TooManyViewers(limit, most, spread(count, *RETRY_AFTER_SECONDS) // 1000)


def network_of(scope: Scope) -> str:
    """What one viewer's connections are counted under; empty for nobody in particular.

    >>> network_of({"client": ("2001:db8:1:2:3::4", 5000)}), network_of({"client": ("127.0.0.1", 5000)})
    ('2001:db8:1::/56', '')
    """
    client = scope.get("client")
    try:
        address = ip_address(client[0]) if client else None
    except ValueError:
        return ""
    if address is None or address.is_loopback:
        return ""
    if address.version == 4:
        return str(address)
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or ip_network((address, HOUSEHOLD), strict=False))
