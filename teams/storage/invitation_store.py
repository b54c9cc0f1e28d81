"""Invitations to a team or a club: links for one use, which run out. Of a link only the hash is stored."""

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from broadcast.storage.migrations import Migration
from broadcast.storage.moments import from_text, to_text
from broadcast.tables.errors import NoSuchThing, Refusal

GOOD_DAYS = 14
"""From the making of an invitation."""
MOST_OPEN = 20
"""Invitations of one team or club that wait for an answer."""


class Post(StrEnum):
    """What an invitation makes of who takes it."""

    PLAYER = "player"
    """Of a team."""
    DEPUTY = "deputy"
    """Of a team."""
    MEMBER = "member"
    """Of a club."""
    OFFICER = "officer"
    """Of a club."""

    @property
    def needs_account(self) -> bool:
        return self in (Post.DEPUTY, Post.OFFICER)

    @property
    def is_of_club(self) -> bool:
        return self in (Post.MEMBER, Post.OFFICER)


@dataclass(frozen=True, slots=True)
class Invitation:
    mark: str
    """Tells it from others in a list; no link follows from it."""
    party: str
    """Id of the team or club."""
    post: Post
    expires_at: datetime


def _create_invitations(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE invitations (
            hash TEXT PRIMARY KEY, party TEXT NOT NULL, post TEXT NOT NULL,
            made_by TEXT, made_at TEXT NOT NULL, expires_at TEXT NOT NULL, ended_at TEXT
        ) STRICT"""
    )
    connection.execute("CREATE INDEX invitations_party ON invitations (party)")


MIGRATIONS = (Migration("members.invitations", _create_invitations),)


def add(
    connection: sqlite3.Connection, hash: str, party: str, post: Post, by: str | None, now: datetime
) -> Invitation:
    """Raises ``Refusal`` ``invitations_full``."""
    if len(waiting(connection, party, now)) >= MOST_OPEN:
        raise Refusal(
            "invitations_full",
            f"{MOST_OPEN} invitations wait for an answer already: withdraw some first",
            most=MOST_OPEN,
        )
    expires_at = now + timedelta(days=GOOD_DAYS)
    connection.execute(
        "INSERT INTO invitations VALUES (?, ?, ?, ?, ?, ?, NULL)",
        (hash, party, post.value, by, to_text(now), to_text(expires_at)),
    )
    return Invitation(hash[:12], party, post, expires_at)


def waiting(connection: sqlite3.Connection, party: str, now: datetime) -> tuple[Invitation, ...]:
    """Those of a team or club that are good still, the oldest first."""
    rows = connection.execute(
        """SELECT hash, post, expires_at FROM invitations
           WHERE party = ? AND ended_at IS NULL AND expires_at > ? ORDER BY made_at""",
        (party, to_text(now)),
    )
    return tuple(Invitation(hash[:12], party, Post(post), from_text(end)) for hash, post, end in rows)


def read(connection: sqlite3.Connection, hash: str, now: datetime) -> Invitation:
    """Raises ``NoSuchThing`` for an unknown one, ``Refusal`` for one that was used or has run out."""
    row = connection.execute(
        "SELECT party, post, expires_at, ended_at FROM invitations WHERE hash = ?", (hash,)
    ).fetchone()
    if row is None:
        raise NoSuchThing(
            "no_such_invitation", "This invitation is not one of ours: open the whole link as it was sent"
        )
    party, post, expires_at, ended_at = row
    if ended_at is not None:
        raise Refusal("invitation_used", "This invitation was used or withdrawn: ask for a new one")
    if from_text(expires_at) <= now:
        raise Refusal("invitation_expired", "This invitation has run out: ask for a new one")
    return Invitation(hash[:12], party, Post(post), from_text(expires_at))


def end(connection: sqlite3.Connection, hash: str, now: datetime) -> None:
    """It was taken."""
    connection.execute("UPDATE invitations SET ended_at = ? WHERE hash = ?", (to_text(now), hash))


def withdraw(connection: sqlite3.Connection, party: str, mark: str, now: datetime) -> None:
    connection.execute(
        "UPDATE invitations SET ended_at = ? WHERE party = ? AND substr(hash, 1, 12) = ? AND ended_at IS NULL",
        (to_text(now), party, mark),
    )


def made_by(connection: sqlite3.Connection, account: str, now: datetime) -> int:
    """How many invitations that are good still the account made."""
    (count,) = connection.execute(
        "SELECT count(*) FROM invitations WHERE made_by = ? AND ended_at IS NULL AND expires_at > ?",
        (account, to_text(now)),
    ).fetchone()
    return int(count)


def end_made_by(
    connection: sqlite3.Connection,
    account: str,
    now: datetime,
    *,
    party: str | None = None,
    posts: Collection[Post] = tuple(Post),
) -> None:
    """None of the invitations that the account made, to a ``party`` or to any, can be taken any more."""
    marks = ", ".join("?" * len(posts))
    connection.execute(
        f"UPDATE invitations SET ended_at = ? WHERE made_by = ? AND ended_at IS NULL AND post IN ({marks}) "  # noqa: S608
        "AND (? IS NULL OR party = ?)",
        (to_text(now), account, *(post.value for post in posts), party, party),
    )
