"""Bearer tokens: 256 random bits, told once, stored as a hash.

A plain hash is enough: what has 256 random bits cannot be guessed back. Looking a hash up takes no time that
depends on other people's tokens, since nobody can choose what a token's hash begins with.
"""

import hashlib
import secrets


def new_token() -> str:
    """A token of 43 letters, digits, ``-`` and ``_``."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
