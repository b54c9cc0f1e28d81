"""Matches that are being set up: what a director has typed so far, kept until the match is made or given up.

A draft has the id that its match will have, so that its address stays. It belongs to who began it; every
director may go on with it. Deals that were uploaded are kept with it and shown to nobody.
"""

import sqlite3
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec

from broadcast.house.relational import raw_job
from broadcast.storage.connections import Connection
from broadcast.storage.migrations import Migration
from broadcast.storage.moments import from_text, to_text
from broadcast.web.house import House


@dataclass(frozen=True, slots=True)
class Draft:
    id: str
    owner: str
    fields: dict[str, str]
    """The form's fields as they were typed."""
    deals: dict[str, str] = field(default_factory=dict)
    """PBN deals of an uploaded file by board number, or by ``segment.number`` where the file has segments."""
    deals_name: str = ""
    """The file they came from."""
    updated_at: datetime | None = None


def _create_drafts(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE match_drafts (
               id TEXT PRIMARY KEY, owner TEXT NOT NULL, updated_at TEXT NOT NULL, body TEXT NOT NULL
           ) STRICT, WITHOUT ROWID"""
    )
    connection.execute("CREATE INDEX match_drafts_newest ON match_drafts (updated_at)")


MIGRATIONS = (Migration("desk.drafts", _create_drafts),)


async def save(house: House, draft: Draft) -> None:
    body = {"fields": draft.fields, "deals": draft.deals, "deals_name": draft.deals_name}

    async def store(connection: Connection, now: datetime) -> None:
        await connection.execute(
            "INSERT INTO match_drafts VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "updated_at = excluded.updated_at, body = excluded.body",
            (draft.id, draft.owner, to_text(now), msgspec.json.encode(body).decode()),
        )

    await house.writer.write(store)


async def read(house: House, id: str) -> Draft | None:
    row = await house.database.read(
        lambda connection: connection.execute(
            "SELECT id, owner, updated_at, body FROM match_drafts WHERE id = ?", (id,)
        ).fetchone()
    )
    return None if row is None else _draft(*row)


async def drop(house: House, id: str) -> None:
    await house.writer.write(raw_job(lambda connection, now: forget(connection, id)))


def forget(connection: sqlite3.Connection, id: str) -> None:
    connection.execute("DELETE FROM match_drafts WHERE id = ?", (id,))


async def all_drafts(house: House) -> list[Draft]:
    """Every draft, the newest first."""
    rows = await house.database.read(
        lambda connection: connection.execute(
            "SELECT id, owner, updated_at, body FROM match_drafts ORDER BY updated_at DESC LIMIT 100"
        ).fetchall()
    )
    return [_draft(*row) for row in rows]


def _draft(id: str, owner: str, updated_at: str, body: str) -> Draft:
    stored: dict[str, Any] = msgspec.json.decode(body)
    return Draft(id, owner, stored["fields"], stored["deals"], stored["deals_name"], from_text(updated_at))
