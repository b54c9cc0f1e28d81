"""What one released event of a match tells the public: the events of the stream, in order.

Pure. ``told(before, after, recorded)`` compares the released state round the event; comparison, totals and
worth are the projection's and follow in ``public_state``.
"""

from collections.abc import Iterator

from broadcast.bridge.rooms import Room
from broadcast.feeds import public_json
from broadcast.feeds.public_json import Json
from broadcast.feeds.streams import PublicEvent
from broadcast.tables.events import (
    BoardAwarded,
    BoardCancelled,
    BoardEvent,
    BoardOpened,
    BoardSkipped,
    CallExplained,
    CallMade,
    CardPlayed,
    ClaimAnswered,
    ClaimMade,
    CommentMade,
    EntriesUndone,
    MatchEvent,
    PenaltyGiven,
    ResultChecked,
    ResultCorrected,
    ResultDoubted,
    ResultEntered,
    RoomEvent,
    RulingLifted,
    SeatingSwapped,
)
from broadcast.tables.recorded import Recorded
from broadcast.tables.state import MatchState, RoomBoard


def told(before: MatchState, after: MatchState, recorded: Recorded[MatchEvent]) -> Iterator[PublicEvent]:
    """The room's or board's events of the stream that follow from the event."""
    event = recorded.event
    match event:
        case BoardAwarded() | BoardCancelled() | RulingLifted() | SeatingSwapped():
            yield from _ruled(before, after, event, recorded)
        case CommentMade():
            placed = after.comments[event.key, event.room][-1]
            data = public_json.comment(event.key, event.room, placed)
            yield PublicEvent("comment", data, data, event.room)
        case PenaltyGiven():
            data = public_json.penalty(event) | {"at": public_json.moment(recorded.recorded_at)}
            yield PublicEvent("penalty", data, None)
        case _ if isinstance(event, RoomEvent):
            yield from _in_room(before, after, event, recorded)
        case _:
            return


def _in_room(
    before: MatchState, after: MatchState, event: RoomEvent, recorded: Recorded[MatchEvent]
) -> Iterator[PublicEvent]:
    earlier = before.boards[event.key].rooms[event.room]
    table = after.boards[event.key].rooms[event.room]
    where = _where(event, recorded)
    match event:
        case BoardOpened():
            opened = where | _opened(earlier, table)
            deal = table.deal or after.boards[event.key].deal
            # A room may be known by its result alone; the deal that the other has shown stays.
            opened["deal"] = None if deal is None else str(deal)
            yield _shown("board", opened, event.room)
            yield from _uncancelled(before, after, event, recorded)
        case CallMade():
            made = table.calls[-1]
            data = where | {
                "seat": made.seat.value,
                "call": made.call.value,
                "alert": made.alert,
                "explanation": made.explanation,
                "irregular": made.irregular,
            }
            yield PublicEvent(
                "call",
                data | {"turn": table.turn},
                data | {"turn": public_json.turn(table)},
                event.room,
            )
            if table.auction.is_over and not table.auction.is_passed_out and not earlier.auction.is_over:
                yield _shown("contract", where | _contract(table), event.room)
        case CallExplained():
            data = where | {
                "call_index": event.call_index,
                "alert": event.alert,
                "explanation": event.explanation,
            }
            yield _shown("explain", data, event.room)
        case CardPlayed():
            yield from _played(table, event, where)
        case ClaimMade():
            yield _unless_hidden(
                "claim", where | {"seat": event.seat.value, "tricks": event.tricks}, event.room
            )
        case ClaimAnswered():
            yield _unless_hidden("claim_answer", where | {"accepted": event.accepted}, event.room)
        case EntriesUndone():
            yield _undone(earlier, table, event, where)
        case ResultCorrected():
            data = public_json.correction(after.corrections[-1], after.created.penalty_scale)
            yield _unless_hidden("correction", data, event.room)
        case BoardSkipped() | ResultDoubted():
            return
        case ResultEntered() | ResultChecked():
            pass  # nothing but the result itself
    is_result = isinstance(event, ResultEntered | ResultCorrected | ResultChecked)
    if is_result or (table.ending is not None and table.ending != earlier.ending):
        yield _result(after, event, event.room, recorded)


def _uncancelled(
    before: MatchState, after: MatchState, event: BoardOpened, recorded: Recorded[MatchEvent]
) -> Iterator[PublicEvent]:
    """A cancelled board that is opened again in one room counts again in the other, as it stood there."""
    scale, room = after.created.penalty_scale, event.room.other
    earlier = public_json.room_member(before.boards[event.key], room, scale)
    if earlier != public_json.room_member(after.boards[event.key], room, scale):
        yield _result(after, event, room, recorded)


def _where(event: RoomEvent | BoardEvent, recorded: Recorded[MatchEvent]) -> Json:
    where: Json = {"segment": event.key.segment, "board": event.key.number}
    if isinstance(event, RoomEvent):
        where["room"] = event.room.value
    return where | {"at": public_json.moment(recorded.recorded_at)}


def _shown(name: str, data: Json, room: Room) -> PublicEvent:
    return PublicEvent(name, data, data, room)


def _unless_hidden(name: str, data: Json, room: Room | None) -> PublicEvent:
    return PublicEvent(name, data, None, room)


def _opened(earlier: RoomBoard, table: RoomBoard) -> Json:
    data: Json = {
        "dealer": table.dealer.value,
        "vulnerable": table.vulnerability.value,
        "deal": None if table.deal is None else str(table.deal),
        "players": public_json.lineup(table.players),
        "turn": table.turn,
    }
    if earlier.is_opened or table.calls:
        data |= {
            "resumed": True,
            "auction": public_json.auction(table),
            "play": public_json.play(table),
            "tricks_ns": table.play.tricks_ns if table.play else 0,
            "tricks_ew": table.play.tricks_ew if table.play else 0,
            **_contract(table),
        }
    return data


def _contract(table: RoomBoard) -> Json:
    contract = table.auction.contract if table.auction.is_over else None
    return {
        "contract": None if contract is None else str(contract),
        "declarer": None if contract is None else table.auction.declarer,
        "leader": None if table.play is None else table.play.declarer.left,
    }


def _played(table: RoomBoard, event: CardPlayed, where: Json) -> Iterator[PublicEvent]:
    play, played = table.play, table.cards[-1]
    if play is None:
        raise ValueError("a card before the auction is over")
    data = where | {
        "seat": played.seat.value,
        "card": played.card.value,
        "trick": played.trick,
        "turn": play.turn,
        "irregular": played.irregular,
        "tricks_ns": play.tricks_ns,
        "tricks_ew": play.tricks_ew,
    }
    if played.winner is not None:
        data["winner"] = played.winner
    yield _shown("card", data, event.room)


def _undone(earlier: RoomBoard, table: RoomBoard, event: EntriesUndone, where: Json) -> PublicEvent:
    data = where | {
        "to": {"calls": event.calls, "cards": event.cards},
        "turn": table.turn,
        "tricks_ns": table.play.tricks_ns if table.play else 0,
        "tricks_ew": table.play.tricks_ew if table.play else 0,
        # A result may have covered the auction's contract with another, so a reader cannot know it.
        **_contract(table),
    }
    withdraws = len(table.calls) < len(earlier.calls) or len(table.cards) < len(earlier.cards)
    return PublicEvent("undo", data, data if withdraws else None, event.room)


def _result(
    after: MatchState, event: RoomEvent | BoardEvent, room: Room, recorded: Recorded[MatchEvent]
) -> PublicEvent:
    member = public_json.room_member(after.boards[event.key], room, after.created.penalty_scale)
    where = {
        "segment": event.key.segment,
        "board": event.key.number,
        "room": room.value,
        "at": public_json.moment(recorded.recorded_at),
    }
    if after.current.get(room) == event.key:
        # A ruling may end a board on the table or let it go on; whose turn it is then, no client can know.
        member["turn"] = after.boards[event.key].rooms[room].turn
    return _unless_hidden("result", where | member, room)


def _ruled(
    before: MatchState, after: MatchState, event: BoardEvent, recorded: Recorded[MatchEvent]
) -> Iterator[PublicEvent]:
    scale = after.created.penalty_scale
    yield _unless_hidden("correction", public_json.correction(after.corrections[-1], scale), None)
    for room in Room:
        earlier = public_json.room_member(before.boards[event.key], room, scale)
        if earlier != public_json.room_member(after.boards[event.key], room, scale):
            yield _result(after, event, room, recorded)
