"""The events of a match's stream: what each means, what its data holds, and whether hidden results see it."""

from dataclasses import dataclass

from broadcast.bridge.boards import Vulnerability
from broadcast.bridge.irregularities import Irregularity
from broadcast.web.described.match_schemas import (
    CONTRACT,
    DEAL,
    MATCH_MEMBERS,
    PENDING,
    ROOM,
    ROOM_MEMBERS,
    SEAT,
    SIDE,
)
from broadcast.web.described.shapes import (
    AT,
    BOOLEAN,
    INTEGER,
    NUMBER,
    STRING,
    Schema,
    about,
    code,
    maybe,
    ref,
    several,
    thing,
)


@dataclass(frozen=True, slots=True)
class Described:
    """An event of a stream."""

    about: str
    data: Schema
    has_id: bool = True
    in_hidden: bool = True
    """Whether viewers who hide results get it."""


_BOARD: dict[str, Schema] = {"segment": INTEGER, "board": INTEGER}
_HERE: dict[str, Schema] = {**_BOARD, "room": ROOM, "at": AT}
_TURN = about(maybe(SEAT), "whose turn it is then")
_TRICKS: dict[str, Schema] = {"tricks_ns": INTEGER, "tricks_ew": INTEGER}
_CONTRACT: dict[str, Schema] = {"contract": CONTRACT, "declarer": maybe(SEAT), "leader": maybe(SEAT)}
_IRREGULAR = maybe(code(Irregularity))
_RESUMED: dict[str, Schema] = {
    "resumed": {"const": True},
    "auction": several(ref("Call")),
    "play": several(ref("PlayedCard")),
    **_TRICKS,
    **_CONTRACT,
}

MATCH_EVENTS: dict[str, Described] = {
    "snapshot": Described(
        "The whole public state; it carries the id of the last event in it.", ref("Snapshot")
    ),
    "reset": Described(
        "The cursor cannot be continued; a snapshot follows.",
        thing({"reason": code(("epoch", "unknown", "behind"))}),
        has_id=False,
    ),
    "match": Described(
        "Top-level members of the match that changed, each whole.",
        thing({**MATCH_MEMBERS, "at": AT}, optional=MATCH_MEMBERS),
    ),
    "board": Described(
        "A board is opened in a room; opened again it brings what stands.",
        thing(
            {
                **_HERE,
                "dealer": SEAT,
                "vulnerable": code(Vulnerability),
                "deal": DEAL,
                "players": ref("Lineup"),
                "turn": _TURN,
                **_RESUMED,
            },
            optional=_RESUMED,
        ),
    ),
    "call": Described(
        "A call.",
        thing(
            {
                **_HERE,
                "seat": SEAT,
                "call": STRING,
                "alert": BOOLEAN,
                "explanation": maybe(STRING),
                "irregular": _IRREGULAR,
                "turn": _TURN,
            }
        ),
    ),
    "explain": Described(
        "A call is alerted or explained afterwards.",
        thing({**_HERE, "call_index": INTEGER, "alert": BOOLEAN, "explanation": maybe(STRING)}),
    ),
    "contract": Described("The auction is over.", thing({**_HERE, **_CONTRACT})),
    "card": Described(
        "A card is played.",
        thing(
            {
                **_HERE,
                "seat": SEAT,
                "card": STRING,
                "trick": INTEGER,
                "turn": _TURN,
                "irregular": _IRREGULAR,
                **_TRICKS,
                "winner": about(SEAT, "with the card that ends a trick"),
            },
            optional=("winner",),
        ),
    ),
    "claim": Described(
        "A claim or concession of so many tricks in all for declarer.",
        thing({**_HERE, "seat": SEAT, "tricks": INTEGER}),
        in_hidden=False,
    ),
    "claim_answer": Described("Its answer.", thing({**_HERE, "accepted": BOOLEAN}), in_hidden=False),
    "undo": Described(
        "Calls and cards that stand from now on; a claim or result after them falls too.",
        thing(
            {**_HERE, "to": thing({"calls": INTEGER, "cards": INTEGER}), "turn": _TURN, **_TRICKS, **_CONTRACT}
        ),
    ),
    "result": Described(
        "The room's member of the board, whole.",
        thing({**_HERE, **ROOM_MEMBERS, "turn": _TURN}, optional=("turn",)),
        in_hidden=False,
    ),
    "worth": Described(
        "What the results still possible in this room would be worth; empty when it ends.",
        thing({**_BOARD, "room": ROOM, "outcomes": several(ref("Outcome"))}),
        has_id=False,
        in_hidden=False,
    ),
    "comparison": Described(
        "A board is compared, or compared anew.",
        thing(
            {
                **_BOARD,
                "at": AT,
                "imps_home": maybe(NUMBER),
                "imps_visitors": maybe(NUMBER),
                "pending": maybe(code(PENDING)),
                "held": maybe(code(("different_deals", "same_seating"))),
                "award": maybe(ref("Award")),
                "totals": ref("Totals"),
            }
        ),
        in_hidden=False,
    ),
    "correction": Described("A line of the correction log.", ref("Correction"), in_hidden=False),
    "penalty": Described(
        "A penalty.",
        thing({"side": SIDE, "unit": code(("imps", "vps")), "amount": NUMBER, "reason": STRING, "at": AT}),
        in_hidden=False,
    ),
    "closed": Described(
        "The match is closed; of a challenge with its outcome, unless results are hidden.",
        thing(
            {
                "reason": STRING,
                "at": AT,
                "outcome": thing(
                    {"result": STRING, "winner": SIDE, "imps": thing({"home": NUMBER, "visitors": NUMBER})}
                ),
            },
            optional=("outcome",),
        ),
    ),
    "comment": Described("A commentator's words, at a position.", ref("Comment")),
}
