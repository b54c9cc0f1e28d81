"""How a house sends mail: the settings of its mail server, and carrying a batch of letters there.

``TWINROOM_SMTP_HOST`` (mail is off without it), ``TWINROOM_SMTP_PORT``, ``TWINROOM_SMTP_TLS`` (``starttls``,
``tls`` or ``none``), ``TWINROOM_SMTP_USER``, ``TWINROOM_SMTP_PASSWORD`` or ``TWINROOM_SMTP_PASSWORD_FILE``, and
``TWINROOM_MAIL_FROM``.
"""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP as MAIL_POLICY
from email.utils import format_datetime, parseaddr
from enum import StrEnum
from pathlib import Path
from typing import Final

import aiosmtplib

from broadcast.storage.mail_store import Waiting

TIMEOUT_SECONDS: Final = 20.0
"""Longest wait for the mail server's next word."""
LOG = logging.getLogger(__name__)


class Tls(StrEnum):
    STARTTLS = "starttls"
    """Begin in the clear and go over to TLS; refused where the server does not offer it. Port 587."""
    TLS = "tls"
    """TLS from the first byte. Port 465."""
    NONE = "none"
    """In the clear: for a mail server on this machine. Port 25."""


PORTS: Final = {Tls.STARTTLS: 587, Tls.TLS: 465, Tls.NONE: 25}


@dataclass(frozen=True, slots=True)
class SmtpSettings:
    host: str
    port: int
    tls: Tls
    sender: str
    """``Twinroom <twinroom@club.example>`` or the address alone."""
    user: str | None = None
    password: str | None = field(default=None, repr=False)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "SmtpSettings | None":
        """``None`` without a host. Raises ``ValueError``, naming the setting that is wrong or missing."""
        host = environment.get("TWINROOM_SMTP_HOST")
        if not host:
            return None
        try:
            tls = Tls(environment.get("TWINROOM_SMTP_TLS", Tls.STARTTLS))
        except ValueError:
            raise ValueError("TWINROOM_SMTP_TLS is starttls, tls or none") from None
        try:
            port = int(environment.get("TWINROOM_SMTP_PORT", PORTS[tls]))
        except ValueError:
            raise ValueError("TWINROOM_SMTP_PORT is a number") from None
        sender = environment.get("TWINROOM_MAIL_FROM", "")
        if "@" not in parseaddr(sender)[1]:
            raise ValueError(
                "TWINROOM_MAIL_FROM is the address mail comes from: Twinroom <twinroom@club.example>"
            )
        return cls(
            host, port, tls, sender, environment.get("TWINROOM_SMTP_USER") or None, _password(environment)
        )


def _password(environment: Mapping[str, str]) -> str | None:
    file = environment.get("TWINROOM_SMTP_PASSWORD_FILE")
    if not file:
        return environment.get("TWINROOM_SMTP_PASSWORD") or None
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ValueError(f"TWINROOM_SMTP_PASSWORD_FILE cannot be read: {error}") from error


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of a letter. ``problem`` is ``None`` when it was taken."""

    letter: Waiting
    problem: str | None = None
    is_final: bool = False
    """Whether the server will never take it: no such recipient. Never so where it refuses the sender."""


async def carry(settings: SmtpSettings, letters: Iterable[Waiting]) -> list[Sent]:
    """Give letters to the mail server over one connection. Never raises for what the server or network does."""
    waiting, done = list(letters), list[Sent]()
    client = aiosmtplib.SMTP(
        hostname=settings.host,
        port=settings.port,
        username=settings.user,
        password=settings.password,
        use_tls=settings.tls is Tls.TLS,
        start_tls=settings.tls is Tls.STARTTLS,
        timeout=TIMEOUT_SECONDS,
    )
    try:
        async with client:
            for letter in waiting:
                done.append(await _one(client, settings, letter))
    except (aiosmtplib.SMTPException, OSError) as error:
        done += [Sent(letter, _told(error)) for letter in waiting[len(done) :]]
    return done


async def _one(client: aiosmtplib.SMTP, settings: SmtpSettings, letter: Waiting) -> Sent:
    try:
        await client.send_message(message_of(settings, letter))
    except aiosmtplib.SMTPRecipientsRefused as refused:
        codes = [each.code for each in refused.recipients]
        return Sent(letter, _told(refused), is_final=all(500 <= code < 600 for code in codes))
    except aiosmtplib.SMTPSenderRefused as refused:  # the house's settings are at fault, and may be mended
        return Sent(letter, _told(refused))
    except aiosmtplib.SMTPResponseException as refused:
        return Sent(letter, _told(refused), is_final=500 <= refused.code < 600)
    except ValueError as wrong:  # an address that no header can hold
        return Sent(letter, _told(wrong), is_final=True)
    return Sent(letter)


def message_of(settings: SmtpSettings, letter: Waiting) -> EmailMessage:
    """The letter as mail. Its Message-ID is its own, so that one sent twice is recognised as one."""
    message = EmailMessage(policy=MAIL_POLICY)
    domain = parseaddr(settings.sender)[1].rpartition("@")[2]
    message["From"] = settings.sender
    message["To"] = Address(addr_spec=letter.recipient)
    message["Subject"] = letter.subject
    message["Date"] = format_datetime(letter.made_at)
    message["Message-ID"] = f"<{letter.mark}@{domain}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(letter.text)
    return message


def _told(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]
