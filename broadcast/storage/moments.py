"""Moments as the database holds them: ISO 8601 in UTC with microseconds, so that text sorts as time."""

from datetime import UTC, datetime


def to_text(moment: datetime) -> str:
    """
    >>> to_text(datetime(2026, 5, 1, 19, 30, tzinfo=UTC))
    '2026-05-01T19:30:00.000000+00:00'
    """
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def from_text(text: str) -> datetime:
    """Raises ``ValueError`` for what is no moment or does not say its zone."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} does not say its zone")
    return moment
