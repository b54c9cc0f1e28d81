"""Where an account's mail goes, and in which language, in SQL. Set by its holder; most accounts have none."""

import sqlite3
from dataclasses import dataclass

from broadcast.storage.mail_store import clean_address
from broadcast.storage.migrations import Migration


@dataclass(frozen=True, slots=True)
class Address:
    text: str
    language: str
    """A language's code, as ``broadcast.web.languages.Language`` has it."""


def _create_addresses(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE account_addresses (
            account TEXT PRIMARY KEY REFERENCES accounts,
            address TEXT NOT NULL,
            language TEXT NOT NULL
        ) STRICT, WITHOUT ROWID"""
    )


MIGRATIONS = (Migration("members.addresses", _create_addresses),)


def of_account(connection: sqlite3.Connection, account: str) -> Address | None:
    row = connection.execute(
        "SELECT address, language FROM account_addresses WHERE account = ?", (account,)
    ).fetchone()
    return None if row is None else Address(*row)


def change(connection: sqlite3.Connection, account: str, address: str, language: str) -> None:
    """Another address; none where it is empty. Raises ``Refusal`` ``bad_address``."""
    if not address.strip():
        connection.execute("DELETE FROM account_addresses WHERE account = ?", (account,))
        return
    connection.execute(
        "INSERT OR REPLACE INTO account_addresses VALUES (?, ?, ?)", (account, clean_address(address), language)
    )
