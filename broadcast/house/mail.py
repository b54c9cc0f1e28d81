"""The house's post: letters go into the outbox with what causes them; one task carries them to the mail server.

Nothing waits for the mail server. A letter that it does not take is tried again, later each time, for three
days; what it refuses for good is given up at once. Without a mail server no letter is taken in, and whoever
makes a link shows it to be copied.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, Self

from broadcast.house.clock import Clock
from broadcast.house.errors import HouseUnavailable
from broadcast.house.relational import raw_job
from broadcast.house.smtp import Sent, SmtpSettings, carry
from broadcast.house.writer import Writer
from broadcast.storage import mail_store
from broadcast.storage.database import Database
from broadcast.storage.mail_store import Letter, Standing, Waiting

AT_ONCE: Final = 50
"""Letters carried over one connection."""
FIRST_PAUSE: Final = timedelta(minutes=1)
"""Before a letter is tried again; then twice as long each time."""
LONGEST_PAUSE: Final = timedelta(hours=6)
GIVEN_UP_AFTER: Final = timedelta(days=3)
LOOK_AGAIN: Final = timedelta(seconds=30)
"""So often the outbox is looked at by itself, beside when something is put in."""
LOG = logging.getLogger(__name__)


class Mail:
    """Use as a context where mail is to be sent: ``async with Mail(...) as mail``."""

    def __init__(
        self,
        database: Database,
        writer: Writer,
        clock: Clock,
        settings: SmtpSettings | None,
        signed: Callable[[str], str] = lambda link: link,
    ) -> None:
        """``signed`` makes the address of a link as it goes into a letter."""
        self._database = database
        self._writer = writer
        self._clock = clock
        self._settings = settings
        self._signed = signed
        self._put_in = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def is_on(self) -> bool:
        """Whether this house has a mail server."""
        return self._settings is not None

    async def send(self, letter: Letter) -> bool:
        """Put a letter into the outbox; whether it was taken in. Raises ``Refusal`` ``bad_address``."""
        if self._settings is None:
            return False
        await self._writer.write(raw_job(lambda raw, now: mail_store.add(raw, letter, now)))
        self.wake()
        return True

    def put(self, connection: sqlite3.Connection, letter: Letter, now: datetime) -> bool:
        """Put a letter into the outbox within the transaction that causes it; ``wake`` when that is over.

        Whether it was taken in. Raises ``Refusal`` ``bad_address``.
        """
        if self._settings is None:
            return False
        mail_store.add(connection, letter, now)
        return True

    def wake(self) -> None:
        """Something may have been put in: look at once."""
        self._put_in.set()

    async def standing(self) -> Standing:
        """How many letters wait, and why."""
        return await self._database.read(mail_store.standing)

    async def __aenter__(self) -> Self:
        if self._settings is not None:
            self._task = asyncio.create_task(self._keep_carrying(self._settings), name="mail")
        return self

    async def __aexit__(self, *exc: object) -> None:
        # Again, if need be: what the task waits for may swallow a cancellation (asyncio.wait_for does).
        while self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait([self._task], timeout=1)

    async def carry_due(self, settings: SmtpSettings) -> int:
        """Carry what is due now to the mail server; how many letters that were."""
        now = self._clock.now()
        letters = await self._database.read(lambda raw: mail_store.due(raw, now, AT_ONCE))
        if not letters:
            return 0
        outcomes = await carry(settings, [self._finished(letter) for letter in letters])

        def keep(connection: sqlite3.Connection, now: datetime) -> None:
            for outcome in outcomes:
                self._keep(connection, outcome, now)

        await self._writer.write(raw_job(keep))
        return len(letters)

    def _finished(self, letter: Waiting) -> Waiting:
        if letter.link is None:
            return letter
        return replace(letter, text=letter.text.replace("{link}", self._signed(letter.link)))

    def _keep(self, connection: sqlite3.Connection, outcome: Sent, now: datetime) -> None:
        letter, problem = outcome.letter, outcome.problem
        if problem is None:
            mail_store.done(connection, letter.id, None, now)
        elif outcome.is_final or now - letter.made_at >= GIVEN_UP_AFTER:
            LOG.warning("Mail %s is given up: %s", letter.mark, problem)
            mail_store.done(connection, letter.id, problem, now)
        else:
            if letter.tries == 0:
                LOG.warning("Mail %s waits: %s", letter.mark, problem)
            pause = min(FIRST_PAUSE * 2 ** min(letter.tries, 20), LONGEST_PAUSE)
            mail_store.put_off(connection, letter.id, problem, now + pause)

    async def _keep_carrying(self, settings: SmtpSettings) -> None:
        while True:
            self._put_in.clear()
            try:
                carried = await self.carry_due(settings)
                while carried:
                    carried = await self.carry_due(settings)
                following = await self._database.read(mail_store.next_due)
            except (HouseUnavailable, sqlite3.Error) as error:
                LOG.warning("Mail waits until it can be read and stored: %s", error)
                following = None
            except Exception:
                # Nothing would start the task again, and letters would wait unseen until the house does.
                LOG.exception("Mail waits after a fault")
                following = None
            until = min(
                following or datetime.max.replace(tzinfo=self._clock.now().tzinfo),
                self._clock.now() + LOOK_AGAIN,
            )
            with suppress(TimeoutError):
                await self._clock.wait(until, self._put_in)
