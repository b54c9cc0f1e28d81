"""The schemas of matches and boards, as section by section of the public interface they are answered."""

from broadcast.bridge.boards import Vulnerability
from broadcast.bridge.irregularities import Irregularity
from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.scoring import PenaltyScale
from broadcast.bridge.seats import SEATS
from broadcast.tables.setup import ReleaseRule
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

STATUSES = ("upcoming", "live", "scored", "closed", "void")
STATES = ("not_played", "in_play", "played", "claimed", "passed_out", "adjusted", "cancelled")
PENDING = (
    "held", "no_result", "both_in_play", "open_in_play", "closed_in_play", "open_missing", "closed_missing",
    "not_played",
)  # fmt: skip
SEAT = code(SEATS)
ROOM = code(Room)
SIDE = code(Team)
CONTRACT = about(maybe(STRING), "like 4SX; Pass where the board was passed out")
DEAL = about(maybe(STRING), "PBN from North; null while it is not public")
PER_SIDE = thing({"home": NUMBER, "visitors": NUMBER})

ROOM_MEMBERS: dict[str, Schema] = {
    "state": code(STATES),
    "contract": CONTRACT,
    "declarer": maybe(SEAT),
    "tricks": about(maybe(INTEGER), "declarer's, in all"),
    "score_ns": about(maybe(INTEGER), "points for North-South"),
    "source": maybe(code(("table", "operator", "imported", "director"))),
    "checked": about(BOOLEAN, "a second pair of eyes has confirmed the result"),
}
_TABLE_MEMBERS: dict[str, Schema] = {
    "players": ref("Lineup"),
    "auction": several(ref("Call")),
    "play": several(ref("PlayedCard")),
    "turn": maybe(SEAT),
    "leader": about(maybe(SEAT), "who leads first"),
    "tricks_ns": INTEGER,
    "tricks_ew": INTEGER,
    "claims": several(ref("Claim")),
}
_BOARD_HEAD: dict[str, Schema] = {
    "segment": INTEGER,
    "number": INTEGER,
    "dealer": SEAT,
    "vulnerable": code(Vulnerability),
}
_COMPARED: dict[str, Schema] = {
    "imps_home": about(maybe(NUMBER), "the home team's swing, a loss below zero"),
    "imps_visitors": about(maybe(NUMBER), "the visitors' swing"),
    "pending": about(maybe(code(PENDING)), "why there is no swing yet"),
    "held": maybe(code(("different_deals", "same_seating"))),
    "worth": about(maybe(ref("Worth")), "what the results still possible in the other room would be worth"),
    "award": maybe(ref("Award")),
}
_TELLING_OF_ROOM = (*ROOM_MEMBERS, "claims")
_TELLING_OF_BOARD = (*_COMPARED,)

MATCH_MEMBERS: dict[str, Schema] = {
    "id": STRING,
    "title": STRING,
    "status": code(STATUSES),
    "closes_at": about(maybe(STRING), "end of the correction period"),
    "starts_at": maybe(STRING),
    "language": about(maybe(STRING), "of the commentary, like en"),
    "streams": several(thing({"title": STRING, "url": STRING})),
    "home": ref("TeamName"),
    "visitors": ref("TeamName"),
    "scale": about(STRING, "of victory points"),
    "imp_scale": STRING,
    "penalty_scale": code(PenaltyScale),
    "release": thing({"rule": code(ReleaseRule), "seconds": INTEGER}, optional=("seconds",)),
    "carry_over": thing({"home": INTEGER, "visitors": INTEGER, "boards": maybe(INTEGER)}),
    "challenge": maybe(thing({"ladder": STRING, "id": STRING})),
    "segments": several(ref("Segment")),
    "penalties": about(several(ref("Penalty")), "absent where results are hidden"),
    "totals": about(ref("Totals"), "absent where results are hidden"),
}
HIDDEN_MEMBERS = ("penalties", "totals")

MATCH_SCHEMAS: dict[str, Schema] = {
    "Problem": thing(
        {"error": about(STRING, "a code"), "message": about(STRING, "what to do, by Accept-Language")},
        "Every error has this shape, with the facts of its code beside.",
    ),
    "TeamName": thing({"id": maybe(STRING), "name": STRING}),
    "PlayerName": thing({"id": maybe(STRING), "name": STRING}),
    "Lineup": thing({seat.value: ref("PlayerName") for seat in SEATS}, "Seats not known are absent.", SEATS),
    "Segment": thing(
        {
            "number": INTEGER,
            "title": STRING,
            "first": INTEGER,
            "last": INTEGER,
            "ns_open": about(SIDE, "who sits North-South in the open room and East-West in the closed"),
            "lineups": thing({room.value: ref("Lineup") for room in Room}),
        },
        "In lists without line-ups.",
        optional=("lineups",),
    ),
    "Penalty": thing(
        {"side": SIDE, "unit": code(("imps", "vps")), "amount": NUMBER, "reason": STRING},
    ),
    "Totals": thing(
        {
            "imps": PER_SIDE,
            "vps": maybe(PER_SIDE),
            "vps_reason": maybe(code(("no_scale", "no_row", "carry_over_without_boards"))),
            "boards_compared": INTEGER,
            "boards_total": INTEGER,
        }
    ),
    "MatchInList": thing(MATCH_MEMBERS, "The members of a match down to its totals.", HIDDEN_MEMBERS),
    "Match": thing(
        {
            **MATCH_MEMBERS,
            "boards": several(ref("Board")),
            "last_event": about(STRING, "a cursor: the stream goes on after it"),
        },
        "A match with its boards.",
        HIDDEN_MEMBERS,
    ),
    "Room": thing(ROOM_MEMBERS, "A board in one room; empty where results are hidden.", ROOM_MEMBERS),
    "Board": thing(
        {**_BOARD_HEAD, "open": ref("Room"), "closed": ref("Room"), **_COMPARED},
        "A board in both rooms.",
        _TELLING_OF_BOARD,
    ),
    "Award": {
        "oneOf": [
            thing(
                {
                    "kind": {"const": "artificial"},
                    "home": maybe(code(("+", "=", "-"))),
                    "visitors": maybe(code(("+", "=", "-"))),
                }
            ),
            thing({"kind": {"const": "assigned"}, "room": maybe(ROOM), "score_ns": maybe(INTEGER)}),
            thing(
                {
                    "kind": {"const": "weighted"},
                    "room": maybe(ROOM),
                    "parts": several(thing({"score_ns": INTEGER, "percent": INTEGER})),
                }
            ),
            thing({"kind": {"const": "split"}, "home": ref("Award"), "visitors": ref("Award")}),
        ]
    },
    "Worth": thing({"room": ROOM, "outcomes": several(ref("Outcome"))}),
    "Outcome": thing(
        {
            "contract": about(CONTRACT, "while the auction goes on: a contract that may come of it"),
            "declarer": maybe(SEAT),
            "tricks": maybe(INTEGER),
            "score_ns": INTEGER,
            "imps_home": NUMBER,
        },
        optional=("contract", "declarer"),
    ),
    "Call": thing(
        {
            "seat": SEAT,
            "call": about(STRING, "Pass, X, XX, 1C to 7NT"),
            "alert": BOOLEAN,
            "explanation": maybe(STRING),
            "irregular": about(maybe(code(Irregularity)), "what the table let stand"),
        }
    ),
    "PlayedCard": thing(
        {
            "seat": SEAT,
            "card": about(STRING, "suit first: SA, HT"),
            "trick": INTEGER,
            "winner": about(maybe(SEAT), "with the card that ends a trick"),
        }
    ),
    "Claim": thing({"seat": SEAT, "tricks": INTEGER, "accepted": maybe(BOOLEAN)}),
    "Comment": thing(
        {
            "segment": INTEGER,
            "board": INTEGER,
            "room": ROOM,
            "at": AT,
            "author": about(maybe(STRING), "where an operator wrote, the code of the room"),
            "language": STRING,
            "text": STRING,
            "call": about(INTEGER, "calls that stood"),
            "card": about(INTEGER, "cards that stood"),
        }
    ),
    "Correction": thing(
        {
            "segment": INTEGER,
            "board": INTEGER,
            "room": maybe(ROOM),
            "at": AT,
            "by": STRING,
            "reason": STRING,
            "before": {"type": "object"},
            "after": {"type": "object"},
        },
        "Who changed what, when and why. Of a room, before and after are its members; of a board, its ruling.",
    ),
    "CorrectionLine": thing(
        {
            "kind": STRING,
            "segment": maybe(INTEGER),
            "board": maybe(INTEGER),
            "room": maybe(ROOM),
            "at": AT,
            "by": STRING,
            "reason": STRING,
            "before": maybe({"type": "object"}),
            "after": maybe({"type": "object"}),
            "totals": thing({"before": maybe(ref("Totals")), "after": maybe(ref("Totals"))}),
            "rungs": several({"type": "object"}, "moves on the ladder that followed"),
        },
        "A line of the match's correction log.",
    ),
    "RoomInFull": thing(
        {
            **ROOM_MEMBERS,
            **_TABLE_MEMBERS,
            "pace": about(
                maybe(thing({"calls": several(maybe(NUMBER)), "cards": several(maybe(NUMBER))})),
                "seconds each call and card took",
            ),
            "irregular_cards": several(INTEGER, "places in play"),
            "comments": several(ref("Comment")),
            "corrections": several(ref("Correction")),
            "hand_viewer": about(maybe(STRING), "a link that opens the board in BBO's hand viewer"),
        }
    ),
    "BoardInFull": thing(
        {**_BOARD_HEAD, "deal": DEAL, "open": ref("RoomInFull"), "closed": ref("RoomInFull"), **_COMPARED}
    ),
    "RoomOnTable": thing(
        {**ROOM_MEMBERS, **_TABLE_MEMBERS},
        "A room's member in a snapshot; of the board on the table there with auction and play.",
        (*ROOM_MEMBERS, *_TABLE_MEMBERS),
    ),
    "BoardInSnapshot": thing(
        {**_BOARD_HEAD, "deal": DEAL, "open": ref("RoomOnTable"), "closed": ref("RoomOnTable"), **_COMPARED},
        optional=_TELLING_OF_BOARD,
    ),
    "Snapshot": thing(
        {**MATCH_MEMBERS, "boards": several(ref("BoardInSnapshot")), "last_event": STRING},
        "The whole public state of a match, with the cursor after which the stream goes on.",
        HIDDEN_MEMBERS,
    ),
    "FoundRoom": thing(
        {
            "players": thing({seat.value: STRING for seat in SEATS}, optional=SEATS),
            **{name: ROOM_MEMBERS[name] for name in ("state", "contract", "declarer", "tricks", "score_ns")},
        },
        "Where results are hidden, contract and declarer are those of the auction.",
        optional=("state", "tricks", "score_ns"),
    ),
    "FoundBoard": thing(
        {
            "match": thing(
                {"id": STRING, "title": STRING, "home": ref("TeamName"), "visitors": ref("TeamName")}
            ),
            **_BOARD_HEAD,
            "deal": DEAL,
            "hcp": about(
                maybe(thing({seat.value: INTEGER for seat in SEATS})), "high-card points of each hand"
            ),
            "rooms": several(ROOM, "where the conditions of a table hold"),
            "open": maybe(ref("FoundRoom")),
            "closed": maybe(ref("FoundRoom")),
            "imps_home": maybe(NUMBER),
            "imps_visitors": maybe(NUMBER),
        },
        optional=("imps_home", "imps_visitors"),
    ),
}
