"""A captain's messages as letters, where the house has a mail server and the account an address."""

import sqlite3
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from broadcast.house.mail import Mail
from broadcast.storage.mail_store import Letter
from broadcast.web.languages import Language
from teams.captains.messages import Told
from teams.captains.zones import Times
from teams.storage import address_store, captain_settings, inbox_store
from teams.web.message_words import sentence, told_facts

LETTERS_AN_HOUR: Final = 20
"""To one account, of each kind. What comes beyond waits in its inbox: nobody floods a mailbox with steps of a
ladder, nor silences one kind with another."""


class MessagesByMail:
    """Puts every new message into the outbox, for accounts that have given an address."""

    def __init__(self, mail: Mail, origin: str) -> None:
        self._mail = mail
        self._origin = origin

    def put(self, connection: sqlite3.Connection, now: datetime, told: Sequence[tuple[str, Told]]) -> None:
        """Within the transaction that keeps the messages, once they are kept."""
        if not self._mail.is_on:
            return
        to_come = Counter((account, message.kind) for account, message in told)
        for account, message in told:
            to_come[account, message.kind] -= 1
            after, hour_ago = to_come[account, message.kind], now - timedelta(hours=1)
            most = LETTERS_AN_HOUR + after + 1
            recent = inbox_store.count_since(connection, account, message.kind.value, hour_ago, most)
            address = address_store.of_account(connection, account)
            if address is None or recent - after > LETTERS_AN_HOUR:
                continue
            zone = captain_settings.read(connection, account).time_zone or "UTC"
            facts = told_facts(message.facts, Times(zone, address.language))
            text = sentence(message.kind.value, facts, Language(address.language))
            body = f"{text}\n\n{self._origin}/captain?lang={address.language}\n"
            self._mail.put(
                connection, Letter(address.text, f"{message.facts['ladder']}: {text}"[:150], body), now
            )

    def sent(self) -> None:
        """After that transaction."""
        self._mail.wake()
