"""What an account has set for itself: its time zone, and the secret address of its calendar and news.

The secret follows from the house's own and from how often it was renewed, so that the page can show it again
and the database holds a hash alone.
"""

import base64
import hashlib
import hmac
import sqlite3
from dataclasses import dataclass

from broadcast.storage.migrations import Migration
from teams.members.tokens import token_hash


@dataclass(frozen=True, slots=True)
class CaptainSettings:
    time_zone: str | None = None
    """IANA name; ``None``: not chosen yet."""
    address: int = 0
    """How many secret addresses there have been; the last is good while ``is_shared``."""
    is_shared: bool = False


def _create_settings(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE captain_settings (
            account TEXT PRIMARY KEY REFERENCES accounts,
            time_zone TEXT, address INTEGER NOT NULL DEFAULT 0, address_hash TEXT UNIQUE
        ) STRICT, WITHOUT ROWID"""
    )


MIGRATIONS = (Migration("members.captain_settings", _create_settings),)


def read(connection: sqlite3.Connection, account: str) -> CaptainSettings:
    row = connection.execute(
        "SELECT time_zone, address, address_hash IS NOT NULL FROM captain_settings WHERE account = ?",
        (account,),
    ).fetchone()
    return CaptainSettings() if row is None else CaptainSettings(row[0], row[1], bool(row[2]))


def set_time_zone(connection: sqlite3.Connection, account: str, name: str) -> None:
    connection.execute(
        "INSERT INTO captain_settings (account, time_zone) VALUES (?, ?) "
        "ON CONFLICT (account) DO UPDATE SET time_zone = excluded.time_zone",
        (account, name),
    )


def renew_address(connection: sqlite3.Connection, account: str, secret: bytes) -> str:
    """A new secret address; the one before is good no more."""
    number = read(connection, account).address + 1
    made = address_of(secret, account, number)
    connection.execute(
        "INSERT INTO captain_settings (account, address, address_hash) VALUES (?, ?, ?) "
        "ON CONFLICT (account) DO UPDATE SET address = excluded.address, address_hash = excluded.address_hash",
        (account, number, token_hash(made)),
    )
    return made


def revoke_address(connection: sqlite3.Connection, account: str) -> None:
    connection.execute("UPDATE captain_settings SET address_hash = NULL WHERE account = ?", (account,))


def address_of(secret: bytes, account: str, number: int) -> str:
    """43 letters, digits, ``-`` and ``_``."""
    signed = hmac.new(secret, f"personal/{account}/{number}".encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(signed).rstrip(b"=").decode()


def owner_of(connection: sqlite3.Connection, address: str) -> str | None:
    """The account whose good secret address this is."""
    row = connection.execute(
        "SELECT account FROM captain_settings WHERE address_hash = ?", (token_hash(address),)
    ).fetchone()
    return None if row is None else row[0]
