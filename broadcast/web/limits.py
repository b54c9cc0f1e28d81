"""How many viewers are served at once: in all, and to one address.

Whoever comes beyond is told so, with 503 and a time to come back, instead of hanging or breaking a stream that
runs. An IPv6 address is counted by its network of 56 bits, which one household may have whole. A loopback
address is not counted apart: it is the machine's own, or a proxy that does not say for whom it asks.
"""

import logging
from collections import Counter
from ipaddress import ip_address, ip_network
from typing import Final

from starlette.types import Scope

from broadcast.feeds.pace import spread
from broadcast.web.problems import Problem

RETRY_AFTER_SECONDS: Final = (10.0, 60.0)
"""Between these whoever is refused is told to come back, each at another moment."""
HOUSEHOLD: Final = 56
"""Bits of the IPv6 network that a household may be given whole (RFC 6177)."""
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
        """Viewers refused, by the limit that did: ``all`` or ``address``."""
        self._by_address: Counter[str] = Counter()

    def take(self, scope: Scope) -> str:
        """Count a viewer in. Raises ``TooManyViewers``."""
        if self.total is not None and self.taken >= self.total:
            raise self._refusal("all", self.total)
        network = network_of(scope)
        if network and self.per_address is not None and self._by_address[network] >= self.per_address:
            raise self._refusal("address", self.per_address)
        self.taken += 1
        if network:
            self._by_address[network] += 1
        return network

    def give_back(self, network: str) -> None:
        """Count a viewer out."""
        self.taken -= 1
        if network:
            self._by_address[network] -= 1
            if not self._by_address[network]:
                del self._by_address[network]

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
