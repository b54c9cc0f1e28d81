"""The errors of the rules of bridge.

::

    BridgeError
    ├── BadNotation      text that is no card, call, deal, contract ...
    ├── BadDeal          cards that are not a pack of 52, thirteen to a hand
    ├── IllegalCall      a call the auction does not allow (Laws 17-39)
    ├── IllegalCard      a card the play does not allow (Laws 41-67)
    └── IllegalClaim     a claim the play so far excludes (Laws 68-71)

Each carries the rule that refuses as ``code``, a sentence a director would understand, and its facts.
"""

from typing import ClassVar


class BridgeError(ValueError):
    """A thing the rules of the game do not allow.

    ``code`` names the rule in the public interface; ``facts`` holds seats, cards and counts as codes.
    """

    code: ClassVar[str] = "bridge"

    def __init__(self, message: str, *, rule: str | None = None, **facts: object) -> None:
        super().__init__(message)
        self.message = message
        self.rule = rule or self.code
        self.facts = facts


class BadNotation(BridgeError):
    code = "bad_notation"


class BadDeal(BridgeError):
    code = "bad_deal"


class IllegalCall(BridgeError):
    code = "illegal_call"


class IllegalCard(BridgeError):
    code = "illegal_card"


class IllegalClaim(BridgeError):
    code = "illegal_claim"
