"""Accounts and their tokens in SQL. Functions take the connection they work on and begin no transaction."""

import sqlite3
from collections.abc import Iterable
from datetime import datetime

from broadcast.storage.moments import to_text
from broadcast.tables.errors import NoSuchThing, Refusal
from teams.members.accounts import Account, Role
from teams.members.names import clean_name, name_key

_COLUMNS = "id, name, password_hash, closed_at"


def add(
    connection: sqlite3.Connection,
    id: str,
    name: str,
    roles: Iterable[Role],
    password_hash: str | None,
    now: datetime,
) -> Account:
    """Make an account. Raises ``Refusal`` ``bad_name`` or ``name_taken``."""
    name = clean_name(name, "account's name")
    held = frozenset(roles)
    taken = connection.execute("SELECT 1 FROM accounts WHERE name_key = ?", (name_key(name),)).fetchone()
    if taken is not None:
        raise Refusal("name_taken", f"There is an account named {name} already", name=name)
    connection.execute(
        "INSERT INTO accounts VALUES (?, ?, ?, ?, ?, NULL)",
        (id, name, name_key(name), password_hash, to_text(now)),
    )
    connection.executemany(
        "INSERT INTO account_roles VALUES (?, ?)", [(id, role.value) for role in sorted(held)]
    )
    return Account(id, name, held, password_hash is not None)


def named(connection: sqlite3.Connection, name: str) -> Account:
    """The account of that name. Raises ``NoSuchThing``."""
    account = find_named(connection, name)
    if account is None:
        raise NoSuchThing("no_such_account", f"There is no account named {name}", name=name)
    return account


def find_named(connection: sqlite3.Connection, name: str) -> Account | None:
    """The account of that name, ``None`` where there is none."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM accounts WHERE name_key = ?",  # noqa: S608
        (name_key(name),),
    ).fetchone()
    return None if row is None else _account(connection, *row)


def with_id(connection: sqlite3.Connection, id: str) -> Account:
    """The account of that id. Raises ``NoSuchThing``."""
    row = connection.execute(f"SELECT {_COLUMNS} FROM accounts WHERE id = ?", (id,)).fetchone()  # noqa: S608
    if row is None:
        raise NoSuchThing("no_such_account", f"There is no account {id}", name=id)
    return _account(connection, *row)


def everyone(connection: sqlite3.Connection) -> list[Account]:
    """Every account, by name."""
    rows = connection.execute(f"SELECT {_COLUMNS} FROM accounts ORDER BY name_key").fetchall()  # noqa: S608
    return [_account(connection, *row) for row in rows]


def _account(
    connection: sqlite3.Connection, id: str, name: str, password_hash: str | None, closed_at: str | None
) -> Account:
    return Account(id, name, roles_of(connection, id), password_hash is not None, closed_at is not None)


def open_named(connection: sqlite3.Connection, name: str) -> Account:
    """The account of that name, which is not closed. Raises ``NoSuchThing``, ``Refusal`` ``account_closed``."""
    account = named(connection, name)
    if account.is_closed:
        raise Refusal(
            "account_closed",
            f"{account.name}'s account is closed: a director opens it again by giving it a role",
            name=account.name,
        )
    return account


def roles_of(connection: sqlite3.Connection, id: str) -> frozenset[Role]:
    rows = connection.execute("SELECT role FROM account_roles WHERE account = ?", (id,))
    return frozenset(Role(role) for (role,) in rows)


def give_role(connection: sqlite3.Connection, id: str, role: Role) -> None:
    """The account holds the role from now on, if it did not already."""
    connection.execute("INSERT OR IGNORE INTO account_roles VALUES (?, ?)", (id, role.value))


def take_role(connection: sqlite3.Connection, id: str, role: Role) -> None:
    connection.execute("DELETE FROM account_roles WHERE account = ? AND role = ?", (id, role.value))


def holders_of_role(connection: sqlite3.Connection, role: Role) -> frozenset[str]:
    """Ids of the accounts with a role."""
    rows = connection.execute("SELECT account FROM account_roles WHERE role = ?", (role.value,))
    return frozenset(account for (account,) in rows)


def close(connection: sqlite3.Connection, id: str, now: datetime) -> None:
    """Nothing opens the account any more; its name stays taken."""
    connection.execute(
        "UPDATE accounts SET closed_at = ?, password_hash = NULL WHERE id = ?", (to_text(now), id)
    )


def reopen(connection: sqlite3.Connection, id: str) -> None:
    """The account may be used again, by a link to a new password."""
    connection.execute("UPDATE accounts SET closed_at = NULL WHERE id = ?", (id,))


def password_hash_of(connection: sqlite3.Connection, name: str) -> str | None:
    """``None`` for an account without password and for an unknown one."""
    row = connection.execute(
        "SELECT password_hash FROM accounts WHERE name_key = ?", (name_key(name),)
    ).fetchone()
    return None if row is None else row[0]


def set_password_hash(connection: sqlite3.Connection, name: str, password_hash: str) -> Account:
    """Raises ``NoSuchThing``, ``Refusal`` ``account_closed``."""
    account = open_named(connection, name)
    connection.execute("UPDATE accounts SET password_hash = ? WHERE id = ?", (password_hash, account.id))
    return account


def add_token(connection: sqlite3.Connection, account: str, token_hash: str, now: datetime) -> None:
    connection.execute("INSERT INTO account_tokens VALUES (?, ?, ?, NULL)", (token_hash, account, to_text(now)))


def holder_of(connection: sqlite3.Connection, token_hash: str) -> Account | None:
    """The account whose valid token has this hash."""
    row = connection.execute(
        """SELECT accounts.id, accounts.name, accounts.password_hash
           FROM account_tokens JOIN accounts ON accounts.id = account_tokens.account
           WHERE account_tokens.hash = ? AND account_tokens.revoked_at IS NULL""",
        (token_hash,),
    ).fetchone()
    if row is None:
        return None
    id, name, password_hash = row
    return Account(id, name, roles_of(connection, id), password_hash is not None)


def revoke_token(connection: sqlite3.Connection, token_hash: str, now: datetime) -> bool:
    """Whether there was a valid token to revoke."""
    revoked = connection.execute(
        "UPDATE account_tokens SET revoked_at = ? WHERE hash = ? AND revoked_at IS NULL",
        (to_text(now), token_hash),
    )
    return revoked.rowcount > 0


def tokens_of(connection: sqlite3.Connection, account: str) -> int:
    """How many tokens of the account are good."""
    (count,) = connection.execute(
        "SELECT count(*) FROM account_tokens WHERE account = ? AND revoked_at IS NULL", (account,)
    ).fetchone()
    return int(count)


def revoke_tokens(connection: sqlite3.Connection, account: str, now: datetime) -> int:
    """Revoke every token of an account; how many there were."""
    return connection.execute(
        "UPDATE account_tokens SET revoked_at = ? WHERE account = ? AND revoked_at IS NULL",
        (to_text(now), account),
    ).rowcount
