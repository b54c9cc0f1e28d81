"""A board as a link to Bridge Base Online's hand viewer, which every player knows.

The viewer reads LIN from its address: names, hands, auction with alerts and explanations, cards, tricks
claimed. It shows a result only as a claim, so a result that was entered without play is written as one.
"""

from dataclasses import replace
from typing import Final
from urllib.parse import quote

from broadcast.notation.lin_writing import write_lin
from broadcast.notation.records import BoardRecord

VIEWER: Final = "https://www.bridgebase.com/tools/handviewer.html"
LONGEST: Final = 7000
"""Characters of an address that every browser and server takes; explanations beyond are left out."""


def hand_viewer_address(record: BoardRecord) -> str | None:
    """The link; ``None`` where there is no deal to show."""
    if record.deal is None:
        return None
    address = _address(record)
    if len(address) > LONGEST:
        address = _address(
            replace(record, calls=tuple(replace(each, explanation=None) for each in record.calls))
        )
    return address


def _address(record: BoardRecord) -> str:
    result = record.result
    tricks = record.claim_tricks if result is None else result.tricks
    shown = replace(
        record,
        room=None,  # a room or a list of results would make it a broadcast of two
        result=None,
        comments=(),
        claim_tricks=None if len(record.cards) == 52 else tricks,
    )
    lin = write_lin(shown).replace("\n", "")
    return f"{VIEWER}?lin={quote(lin, safe='')}"
