"""What a house is told from outside: by options of the command line, or by names in the environment.

``TWINROOM_DATA TWINROOM_HOST TWINROOM_PORT TWINROOM_ORIGIN TWINROOM_REDIS TWINROOM_LOG TWINROOM_VIEWERS
TWINROOM_VIEWERS_PER_ADDRESS TWINROOM_ARCHIVE_HOURS TWINROOM_FRAMED_BY TWINROOM_PROXIES
TWINROOM_SIGN_UP``, and those of mail (``broadcast.house.smtp``). An option goes before the environment.
"""

import ipaddress
import os
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from broadcast.house.smtp import SmtpSettings

Number = TypeVar("Number", int, float)

DATABASE = "twinroom.sqlite3"
"""The database's name in the data directory."""
HOUSE_KEY = "house.key"
"""The name of the file with the house's secret."""
SECRET_BYTES = 32
_SITE = re.compile(r"https?://(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?", re.IGNORECASE)
SOCKET = "control.sock"
"""The local socket's name in the data directory."""


@dataclass(frozen=True, slots=True)
class Settings:
    data: Path = Path("data")
    host: str = "127.0.0.1"
    port: int = 8000
    origin: str | None = None
    """The public address; by default ``http://host:port``. Of an edge, the address of the house it stands
    before."""
    redis: str | None = None
    """Where the public feed is also appended, like ``redis://127.0.0.1:6379/0``; ``None`` for nowhere."""
    log: str = "text"
    """How the log is written to standard error: ``text``, or ``json``, an object on each line."""
    viewers: int | None = None
    """Streams served at once; ``None`` for as many as the open-file limit has room for."""
    viewers_per_address: int = 500
    """Streams served at once to one address: a hall's network, a school behind one router."""
    archive_hours: float = 24.0
    """After so long without a ruling a closed match leaves Redis; edges then send its viewers to the house."""
    framed_by: tuple[str, ...] = ()
    """Sites that may frame embeds, like ``https://club.example``; none listed: any."""
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    """Addresses and networks of proxies: what they say of whom they ask for is believed."""

    smtp: SmtpSettings | None = None
    """The mail server; ``None`` for no mail."""
    sign_up: str = "invited"
    """Who may make an account: whoever is ``invited`` by a director, or it is ``open`` to all, as a player."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """Raises ``ValueError``, naming the setting, for a number or a site that is none."""
        viewers = environment.get("TWINROOM_VIEWERS")
        return cls(
            data=Path(environment.get("TWINROOM_DATA", "data")),
            host=environment.get("TWINROOM_HOST", "127.0.0.1"),
            port=_number(int, environment, "TWINROOM_PORT", "8000"),
            origin=environment.get("TWINROOM_ORIGIN"),
            redis=environment.get("TWINROOM_REDIS"),
            log=environment.get("TWINROOM_LOG", "text"),
            viewers=None if viewers is None else _number(int, environment, "TWINROOM_VIEWERS"),
            viewers_per_address=_number(int, environment, "TWINROOM_VIEWERS_PER_ADDRESS", "500"),
            archive_hours=_number(float, environment, "TWINROOM_ARCHIVE_HOURS", "24"),
            smtp=SmtpSettings.from_environment(environment),
            sign_up=_one_of(environment, "TWINROOM_SIGN_UP", "invited", "open"),
            framed_by=sites_of(environment.get("TWINROOM_FRAMED_BY", "")),
            proxies=proxies_of(environment.get("TWINROOM_PROXIES", "127.0.0.1, ::1")),
        )

    @property
    def database(self) -> Path:
        return self.data / DATABASE

    @property
    def socket(self) -> Path:
        return self.data / SOCKET

    @property
    def public_origin(self) -> str:
        """The public address without a slash at the end."""
        return (self.origin or self.address).rstrip("/")

    @property
    def address(self) -> str:
        """Where this process listens."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    def secret(self) -> bytes:
        """The house's own secret, drawn when the data directory is first used; only its owner may read it.

        It is there whole or not at all: of an empty one everybody could tell the first operators' tokens.
        """
        path = self.data / HOUSE_KEY
        if not path.exists():
            part = path.with_name(f"{HOUSE_KEY}.part")
            part.unlink(missing_ok=True)
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(secrets.token_bytes(SECRET_BYTES))
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        return path.read_bytes()


def sites_of(text: str) -> tuple[str, ...]:
    """Sites between spaces or commas. Raises ``ValueError`` for what is none: browsers ignore a header with it.

    >>> sites_of("https://club.example, https://*.builder.example")
    ('https://club.example', 'https://*.builder.example')
    """
    sites = tuple(each.rstrip("/") for each in re.split(r"[\s,]+", text) if each)
    for site in sites:
        if not _SITE.fullmatch(site):
            raise ValueError(f"TWINROOM_FRAMED_BY: {site!r} is no site, write it like https://club.example")
    return sites


def proxies_of(text: str) -> tuple[str, ...]:
    """Addresses and networks between spaces or commas. Raises ``ValueError`` for what is none.

    >>> proxies_of("127.0.0.1, 10.0.0.0/8")
    ('127.0.0.1', '10.0.0.0/8')
    """
    proxies = tuple(each for each in re.split(r"[\s,]+", text) if each)
    for proxy in proxies:
        try:
            ipaddress.ip_network(proxy)
        except ValueError:
            raise ValueError(
                f"TWINROOM_PROXIES: {proxy!r} is no address, write it like 192.0.2.7 or 10.0.0.0/8"
            ) from None
    return proxies


def _one_of(environment: Mapping[str, str], name: str, *words: str) -> str:
    """One of the words, the first by default."""
    word = environment.get(name, words[0])
    if word not in words:
        raise ValueError(f"{name} is {' or '.join(words)}, not {word!r}")
    return word


def _number(
    kind: Callable[[str], Number], environment: Mapping[str, str], name: str, default: str = ""
) -> Number:
    text = environment.get(name, default)
    try:
        return kind(text)
    except ValueError:
        raise ValueError(f"{name} is a number, not {text!r}") from None
