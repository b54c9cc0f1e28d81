"""Links signed with the house's secret: an id that anybody may read, and a mark that only the house can make.

Nothing secret is stored, so a copy of the database opens nothing; and a link can be shown again while it is
good. Whether it is still good is kept where its id is kept.
"""

import base64
import hashlib
import hmac


def signed(secret: bytes, purpose: str, id: str) -> str:
    """The link's last part: ``id.mark``. The mark is 256 bits, for one purpose and one id."""
    return f"{id}.{_mark(secret, purpose, id)}"


def link_address(origin: str, secret: bytes, mark: str) -> str:
    """The address of a link that is named ``purpose/id``, like ``https://club.example/join/k7.…``."""
    purpose, _, id = mark.partition("/")
    return f"{origin}/{purpose}/{signed(secret, purpose, id)}"


def opened(secret: bytes, purpose: str, link: str) -> str | None:
    """The id in a link of ours for this purpose, else ``None``.

    >>> opened(b"secret", "join", signed(b"secret", "join", "k7")), opened(b"secret", "join", "k7.forged")
    ('k7', None)
    """
    id, _, mark = link.partition(".")
    is_ours = hmac.compare_digest(mark.encode(), _mark(secret, purpose, id).encode())
    return id if is_ours else None


def _mark(secret: bytes, purpose: str, id: str) -> str:
    made = hmac.new(secret, f"link/{purpose}/{id}".encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(made).rstrip(b"=").decode()
