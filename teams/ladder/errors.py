"""Why a ladder refuses a command.

::

    broadcast.tables.errors.Refusal
    ├── LadderChanged    the sender looked at an older ladder; carries the new row
    └── NotThatSide      the team is not the one whose turn it is in this challenge

Every other refusal is a plain ``Refusal`` whose ``rule`` is a code of ``teams.ladder.eligibility.Rule`` or
names the state that does not allow the step.
"""

from collections.abc import Mapping

from broadcast.tables.errors import Refusal


class LadderChanged(Refusal):
    """The ladder has moved since the sender looked: nothing was sent."""

    def __init__(self, expected: int, version: int, row: Mapping[str, object]) -> None:
        super().__init__(
            "ladder_changed",
            "The ladder has changed since you looked: nothing was sent, see the new row",
            expected=expected,
            version=version,
            row=row,
        )


class NotThatSide(Refusal):
    """A team acts in a challenge, or in a role in it, that is not its own."""
