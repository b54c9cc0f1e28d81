"""Why a match refuses a command.

::

    Refusal
    ├── StaleTable         others have entered something meanwhile; carries what was missed
    ├── NoSuchThing        no such match, segment, board, challenge ...
    └── (every other refusal is a Refusal with its ``rule``)

Refusals of the game itself are ``broadcast.bridge.errors``. A refusal names its rule as a code, has a sentence
a director would understand, and carries its facts.
"""

from collections.abc import Sequence


class Refusal(Exception):
    """A command that the state of the match does not allow."""

    def __init__(self, rule: str, message: str, **facts: object) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.facts = facts


class NoSuchThing(Refusal):
    """The command names something that does not exist."""


class StaleTable(Refusal):
    """The room's sequence is not the one the sender knew."""

    def __init__(self, expected: int, sequence: int, missed: Sequence[object]) -> None:
        super().__init__(
            "stale",
            f"The room stands at entry {sequence}, not {expected}: look at what was entered meanwhile",
            expected=expected,
            sequence=sequence,
        )
        self.expected = expected
        self.sequence = sequence
        self.missed = tuple(missed)
        """The room's recorded events after ``expected``."""
