"""Figures of a running server for Prometheus: what is counted as it happens, and what is read when asked.

Each server has a registry of its own, so that two in one process do not add up.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from prometheus_client import CollectorRegistry, Histogram, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector

from broadcast.feeds.hub import Hub
from broadcast.feeds.streams import Change
from broadcast.web.limits import ViewerLimits

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Meters:
    """The figures of one server process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.commit_seconds = Histogram(
            "twinroom_commit_seconds",
            "From the begin of a transaction to the end of its commit",
            registry=self.registry,
            buckets=SECONDS,
        )
        self.release_seconds = Histogram(
            "twinroom_release_seconds",
            "From the moment at which a public event was released to its being in the streams",
            registry=self.registry,
            buckets=SECONDS,
        )
        self.published = 0
        """Public events since the start."""
        self._begun = 0.0
        ProcessCollector(registry=self.registry)

    def read(self, families: Callable[[], Iterable[Metric]]) -> None:
        """Ask ``families`` whenever the figures are asked for."""
        self.registry.register(_Reading(families))

    def at(self, point: str) -> None:
        """Told what the writer passes, in the database's thread."""
        if point == "before begin":
            self._begun = time.perf_counter()
        elif point == "after commit":
            self.commit_seconds.observe(time.perf_counter() - self._begun)

    def on_commit(self, changes: Iterable[Change], now: datetime) -> None:
        """Told each commit once it is in the streams."""
        for change in changes:
            for entry in change.published:
                self.published += 1
                self.release_seconds.observe(max(0.0, (now - entry.released_at).total_seconds()))

    def text(self) -> bytes:
        """All of it in Prometheus' text format."""
        return generate_latest(self.registry)


class _Reading(Collector):
    def __init__(self, families: Callable[[], Iterable[Metric]]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        return self._families()


def hub_figures(hub: Hub, limits: ViewerLimits) -> Iterator[Metric]:
    """Viewers and what they were sent."""
    yield gauge("twinroom_viewers", "Streams open now", hub.viewers)
    yield gauge("twinroom_channels", "Feeds held open for streams, by encoding", len(list(hub.channels)))
    yield counter("twinroom_deliveries", "Times a viewer was brought up to date", hub.delivered)
    yield counter("twinroom_viewers_dropped", "Viewers let go because they did not keep up", hub.dropped)
    refused = CounterMetricFamily("twinroom_viewers_refused", "Viewers without a place", labels=["limit"])
    for limit in ("all", "address", "sender"):
        refused.add_metric([limit], limits.refused[limit])
    yield refused


def gauge(name: str, meaning: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, meaning, value)


def counter(name: str, meaning: str, value: float) -> CounterMetricFamily:
    return CounterMetricFamily(name, meaning, value)
