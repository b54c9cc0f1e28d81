"""Accounts: who may do what in the house, and how their passwords are kept.

An account has a name, one or more roles, and for a captain the teams it answers for. Spectators have none.
Passwords are stored as Argon2id hashes; hashing takes tens of milliseconds on purpose and belongs in a thread.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from broadcast.tables.errors import Refusal

SHORTEST_PASSWORD = 8
"""In characters."""
LONGEST_PASSWORD = 1024


class Role(StrEnum):
    DIRECTOR = "director"
    COMMENTATOR = "commentator"
    CAPTAIN = "captain"
    PLAYER = "player"
    CLUB = "club"


@dataclass(frozen=True, slots=True)
class Account:
    id: str
    name: str
    roles: frozenset[Role]
    has_password: bool = False
    is_closed: bool = False
    """Its name stays, in records and taken; it opens nothing and holds no role."""


def made_as(account: Account, roles: Iterable[Role] = Role) -> tuple[str, ...]:
    """As whom the log may name the account, by the roles in which it spoke: ``captain:ann``."""
    return tuple(f"{role}:{account.name}" for role in roles)


def check_password_rules(password: str) -> None:
    """Raises ``Refusal`` ``bad_password`` for one that is too short or too long."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise Refusal(
            "bad_password", f"A password has at least {SHORTEST_PASSWORD} characters", least=SHORTEST_PASSWORD
        )


def hash_password(password: str) -> str:
    """What is stored of a password. Slow. Raises ``Refusal`` ``bad_password``."""
    check_password_rules(password)
    return _hasher().hash(password)


def is_password(stored: str | None, password: str) -> bool:
    """Whether the password is the stored one. Slow, and as slow where there is none to compare with."""
    try:
        _hasher().verify(stored or _nobodys_hash(), password)
    except (VerificationError, InvalidHashError):
        return False
    return stored is not None


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _nobodys_hash() -> str:
    """Compared with when a name is unknown, so that the time taken does not tell which names exist."""
    return _hasher().hash("nobody has this password")
