"""What ends with a password, and with a post: everything by which whoever had it could come in again.

Functions take the connection they work on and begin no transaction.
"""

import sqlite3
from collections.abc import Collection
from datetime import datetime
from typing import Final

from broadcast.storage import operator_link_store
from teams.members.accounts import Account, made_as
from teams.storage import account_store, captain_settings, invitation_store, link_store, session_store
from teams.storage.invitation_store import Post

POWERS: Final = frozenset({Post.DEPUTY, Post.OFFICER})
"""Posts whose holder acts for a team or club."""


def store_password(connection: sqlite3.Connection, name: str, password_hash: str, now: datetime) -> Account:
    """A new password. Whoever knew the old one is out, with all that they may have made for themselves:
    sessions, tokens, links to another password, the secret address of calendar and messages, operators' links,
    invitations that make directors, captains, deputies and officers.

    Raises ``NoSuchThing``, ``Refusal`` ``account_closed``.
    """
    account = account_store.set_password_hash(connection, name, password_hash)
    makers = made_as(account)
    account_store.revoke_tokens(connection, account.id, now)
    session_store.end_all(connection, account.id)
    captain_settings.revoke_address(connection, account.id)
    link_store.end_resets(connection, account.id, now)
    link_store.end_powers_made_by(connection, makers, now)
    invitation_store.end_made_by(connection, account.id, now, posts=POWERS)
    operator_link_store.end_made_by(connection, makers, now)
    return account


def end_post(
    connection: sqlite3.Connection,
    account: str,
    party: str,
    now: datetime,
    posts: Collection[Post] = tuple(Post),
) -> None:
    """An account acts for a team or club no more: its invitations there end, and its links to the rooms of that
    party's matches.
    """
    invitation_store.end_made_by(connection, account, now, party=party, posts=posts)
    makers = made_as(account_store.with_id(connection, account))
    operator_link_store.end_made_by(connection, makers, now, party)
