"""A mail server in the test's event loop, on a free port: keeps what it takes, refuses what it is told to."""

import asyncio
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from broadcast.house.smtp import SmtpSettings, Tls


@dataclass
class MailServer:
    port: int = 0
    letters: list[EmailMessage] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    """Answers by recipient or sender, like ``550 no such user``."""
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    password: str | None = None
    """Of the user ``house``; ``None`` asks nobody."""

    @property
    def settings(self) -> SmtpSettings:
        user = None if self.password is None else "house"
        return SmtpSettings(
            "127.0.0.1", self.port, Tls.NONE, "Twinroom <house@club.example>", user, self.password
        )

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.refused:
            return self.refused[address]
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.content
        assert isinstance(content, bytes)
        letter = message_from_bytes(content, policy=default)
        assert isinstance(letter, EmailMessage)
        self.letters.append(letter)
        self.arrived.set()
        return "250 OK"

    def check(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, given: object
    ) -> AuthResult:
        expected = LoginPassword(b"house", (self.password or "").encode())
        return AuthResult(success=given == expected, handled=False)


def text_of(letter: EmailMessage) -> str:
    return str(letter.get_content()).replace("\r\n", "\n")


@asynccontextmanager
async def mail_server(password: str | None = None) -> AsyncIterator[MailServer]:
    kept = MailServer(password=password)

    def session() -> SMTP:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # passwords in the clear, on this machine and in a test
            return SMTP(
                kept,
                hostname="mail.example",
                authenticator=kept.check,
                auth_required=password is not None,
                auth_require_tls=False,
                enable_SMTPUTF8=True,
            )

    server = await asyncio.get_running_loop().create_server(session, "127.0.0.1", 0)
    kept.port = server.sockets[0].getsockname()[1]
    async with server:
        yield kept
