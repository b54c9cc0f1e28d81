"""What people with a task may see of a match's log before the public does: the operator and the director.

The only other way out of the house than the public feed. An operator sees his own room: the board in progress,
its deal once it is opened there, what may be called or played, and the room's entries. The director sees all
but deals that no room has opened. Pure: state and log in, JSON out.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

from broadcast.bridge.cards import Card
from broadcast.bridge.deals import Deal
from broadcast.bridge.results import BoardResult
from broadcast.bridge.rooms import Room
from broadcast.feeds import public_json
from broadcast.feeds.public_json import Json
from broadcast.tables.alarms import Alarm, blocking_alarms
from broadcast.tables.awards import Award
from broadcast.tables.board_states import Adjusted
from broadcast.tables.events import (
    AlarmCleared,
    BoardAwarded,
    BoardCancelled,
    BoardKey,
    BoardOpened,
    BoardSkipped,
    CallExplained,
    CallMade,
    CardPlayed,
    ClaimAnswered,
    ClaimMade,
    ClockResumed,
    ClockStopped,
    CommentMade,
    EntriesUndone,
    EntryWaited,
    LineupNamed,
    MatchClosed,
    MatchCreated,
    MatchEvent,
    MatchReopened,
    MatchStarted,
    MatchVoided,
    PenaltyGiven,
    ReleaseChanged,
    ResultChecked,
    ResultCorrected,
    ResultDoubted,
    ResultEntered,
    RulingLifted,
    ScoreDisputed,
    SeatingSwapped,
    SegmentAdded,
    rooms_of,
)
from broadcast.tables.recorded import Recorded
from broadcast.tables.state import MatchState, RoomBoard

NAMES: dict[type, str] = {
    MatchCreated: "created",
    MatchStarted: "started",
    ReleaseChanged: "release",
    LineupNamed: "lineup",
    SegmentAdded: "segment",
    PenaltyGiven: "penalty",
    AlarmCleared: "alarm_cleared",
    ScoreDisputed: "score_disputed",
    MatchClosed: "closed",
    MatchReopened: "reopened",
    MatchVoided: "void",
    BoardOpened: "board",
    BoardSkipped: "skip",
    CallMade: "call",
    CallExplained: "explain",
    CardPlayed: "card",
    ClaimMade: "claim",
    ClaimAnswered: "claim_answer",
    EntriesUndone: "undo",
    ResultEntered: "result",
    ResultCorrected: "correction",
    ResultChecked: "checked",
    ResultDoubted: "doubted",
    ClockStopped: "clock_stopped",
    ClockResumed: "clock_resumed",
    EntryWaited: "entry_waited",
    BoardAwarded: "award",
    BoardCancelled: "cancelled",
    RulingLifted: "lifted",
    SeatingSwapped: "swapped",
    CommentMade: "comment",
}
"""Names of the log's events in private streams and in answers to commands; the public's where they agree."""


@dataclass(frozen=True, slots=True)
class Logged:
    """A log event as one role sees it."""

    number: int
    """The room's sequence for an operator, the match's for the director."""
    name: str
    data: Json


def logged(recorded: Recorded[MatchEvent], number: int) -> Logged:
    """One event, with who and when. Deals of the whole match are left out."""
    event = recorded.event
    data: Json = {}
    for each in fields(event):
        value = getattr(event, each.name)
        if each.name == "key":
            data |= {"segment": value.segment, "board": value.number}
        elif not (isinstance(event, MatchCreated | SegmentAdded) and each.name == "deals"):
            data[each.name] = _plain(value)
    if isinstance(event, EntriesUndone):
        data = {name: value for name, value in data.items() if name not in ("calls", "cards")}
        data["to"] = {"calls": event.calls, "cards": event.cards}
    data |= {"at": public_json.moment(recorded.recorded_at), "by": recorded.recorded_by}
    return Logged(number, NAMES[type(event)], data)


def room_log(log: Iterable[Recorded[MatchEvent]], room: Room, first: int = 1) -> Iterator[Logged]:
    """The events that raise the room's sequence, numbered by it from ``first``, as its operator sees them."""
    concerning = (recorded for recorded in log if room in rooms_of(recorded.event))
    return (_logged_in_room(recorded, number, room) for number, recorded in enumerate(concerning, first))


def _logged_in_room(recorded: Recorded[MatchEvent], number: int, room: Room) -> Logged:
    """A ruling on the other room's result is told without what it says: its operator has not seen that room."""
    told, event = logged(recorded, number), recorded.event
    if isinstance(event, BoardAwarded) and event.award.kind != "artificial" and event.award.rooms != {room}:
        kept = ("segment", "board", "at", "by")
        return Logged(number, told.name, {name: told.data[name] for name in kept})
    return told


def match_log(log: Iterable[Recorded[MatchEvent]]) -> Iterator[Logged]:
    """The whole log, numbered by the match's sequence: the director's."""
    return (logged(recorded, recorded.sequence) for recorded in log)


def operator_view(id: str, match: MatchState, room: Room) -> Json:
    """The room as its operator works on it: the board in progress, what is legal, what comes next."""
    key = match.current.get(room)
    following = match.next_board(room)
    view: Json = {
        "match": id,
        "room": room.value,
        "room_sequence": match.room_sequences[room],
        "next_board": None if following is None else {"segment": following.segment, "board": following.number},
        "closed": match.closed is not None or match.voided is not None,
        "neutral": match.neutral.get(room),
        "board": None,
        "legal": {"calls": [], "cards": []},
    }
    if key is None:
        return view
    board = match.boards[key]
    table = board.rooms[room]
    view["board"] = {
        "segment": key.segment,
        "number": key.number,
        "dealer": table.dealer.value,
        "vulnerable": table.vulnerability.value,
        "deal": None if table.deal is None else str(table.deal),
        **public_json.room_member(board, room, match.created.penalty_scale),
        **public_json.table_members(table, hidden=False),
        "skipped": table.skipped,
    }
    view["legal"] = legal(table)
    return view


def legal(table: RoomBoard) -> Json:
    """What the player in turn may call, or the hand in turn may play; the same rules that refuse the rest."""
    if table.turn is None or table.skipped is not None or table.deal is None:
        return {"calls": [], "cards": []}
    if not table.auction.is_over:
        return {"calls": [call.value for call in table.auction.legal_calls()], "cards": []}
    cards: tuple[Card, ...] = ()
    if table.play is not None and table.pending_claim is None:
        cards = table.play.legal_cards()
    return {"calls": [], "cards": [card.value for card in cards]}


def alarms(match: MatchState) -> list[Json]:
    """The blocking alarms that are open, for the director and the captains; never public."""
    return [
        {
            "alarm": alarm.id,
            "kind": alarm.kind,
            "segment": alarm.key.segment,
            "board": alarm.key.number,
            "room": None if alarm.room is None else alarm.room.value,
        }
        for alarm in blocking_alarms(match)
    ]


def taken_back(match: MatchState, alarm: Alarm) -> Json | None:
    """What a notice of that kind is about, for the director and the captains; never public.

    What stood (``contract declarer tricks``), in which ``room``, ``by`` whom and ``at`` which time it was taken
    back, and the name of the captain who made that operator's link (``link_by``).
    """
    table = None if alarm.room is None else match.boards[alarm.key].rooms[alarm.room]
    if alarm.kind != "taken_back" or table is None or table.taken_back is None:
        return None
    noted = table.taken_back
    return {
        **_plain(noted.result),
        "board": alarm.key.number,
        "room": _plain(alarm.room),
        "by": noted.by,
        "link_by": noted.by.partition("/captain:")[2] or None,
        "at": noted.at.isoformat(),
    }


def confirmer_view(id: str, match: MatchState, rooms: Iterable[Room]) -> Json:
    """The results that a second pair of eyes is to compare with the players' score, room by room.

    Of a board that is over: contract, declarer, tricks and score. No card, no call, no board in play.
    """
    boards = []
    for board in match.boards.values():
        for room in rooms:
            table = board.rooms[room]
            if table.ending is None or board.is_cancelled or isinstance(board.state(room), Adjusted):
                continue
            boards.append(
                {
                    "segment": board.key.segment,
                    "number": board.key.number,
                    "room": room.value,
                    "vulnerable": table.vulnerability.value,
                    **public_json.room_member(board, room, match.created.penalty_scale),
                    "doubt": table.doubt,
                    "settled": table.is_checked and table.doubt is None,
                }
            )
    return {
        "match": id,
        "title": match.created.title,
        "home": match.created.home.name,
        "visitors": match.created.visitors.name,
        "closed": match.closed is not None or match.voided is not None,
        "rooms": [room.value for room in rooms],
        "boards": boards,
    }


def desk_view(id: str, match: MatchState) -> Json:
    """The match as its director works on it: alarms, and both rooms as their operators see them."""
    return {
        "sequence": match.sequence,
        "alarms": alarms(match),
        "rooms": {room.value: operator_view(id, match, room) for room in Room},
    }


def _plain(value: object) -> Any:
    match value:
        case Deal():
            return str(value)
        case BoardKey():
            return {"segment": value.segment, "board": value.number}
        case BoardResult():
            contract = "Pass" if value.contract is None else str(value.contract)
            return {"contract": contract, "declarer": value.declarer, "tricks": value.tricks}
        case Award():
            return public_json.award(value)
        case Enum():
            return value.value
        case dict():
            return {str(_plain(name)): _plain(each) for name, each in value.items()}
        case tuple():
            return [_plain(each) for each in value]
        case _ if hasattr(value, "__dataclass_fields__"):
            return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}  # type: ignore[arg-type]
        case _:
            return value
