"""Commands as the JSON of the public interface: what a program sends. The way back is ``web.command_json``."""

from typing import Any

from broadcast.bridge.results import BoardResult
from broadcast.tables.commands import (
    AnswerClaim,
    Comment,
    CreateMatch,
    EnterResult,
    Entry,
    Explain,
    MakeCall,
    MakeClaim,
    OpenBoard,
    PlayCard,
    ResumeClock,
    SkipBoard,
    StopClock,
    Undo,
)
from broadcast.tables.setup import Lineup

Json = dict[str, Any]


def entry_json(entry: Entry) -> Json:
    """The command of one entry."""
    match entry:
        case OpenBoard():
            return _given(
                type="open_board",
                segment=entry.segment,
                board=entry.board,
                reason=entry.reason,
                deal=None if entry.deal is None else str(entry.deal),
                dealer=entry.dealer,
                vulnerable=entry.vulnerable,
                players=seats_json(entry.players) or None,
            )
        case SkipBoard():
            return _given(type="skip_board", segment=entry.segment, board=entry.board, reason=entry.reason)
        case MakeCall():
            return _given(
                type="call",
                seat=entry.seat,
                call=entry.call,
                alert=entry.alert,
                explanation=entry.explanation,
                irregular=entry.irregular,
            )
        case PlayCard():
            return _given(type="card", seat=entry.seat, card=entry.card, irregular=entry.irregular)
        case Explain():
            return _given(
                type="explain",
                call_index=entry.call_index,
                alert=entry.alert,
                explanation=entry.explanation,
            )
        case MakeClaim():
            return _given(type="claim", seat=entry.seat, tricks=entry.tricks, accepted=entry.accepted)
        case AnswerClaim():
            return _given(type="claim_answer", accepted=entry.accepted)
        case Undo():
            if entry.calls is not None and entry.cards is not None:
                return {"type": "undo", "to": {"calls": entry.calls, "cards": entry.cards}}
            return {"type": "undo", "steps": entry.steps or 1}
        case EnterResult():
            return {"type": "result"} | result_json(entry.result)
        case StopClock():
            return {"type": "stop_clock", "reason": entry.reason}
        case ResumeClock():
            return {"type": "resume_clock"}


def result_json(result: BoardResult) -> Json:
    if result.contract is None:
        return {"passed_out": True}
    return {"contract": str(result.contract), "declarer": result.declarer, "tricks": result.tricks}


def comment_json(comment: Comment) -> Json:
    return {
        "segment": comment.segment,
        "board": comment.board,
        "room": comment.room,
        "call": comment.call,
        "card": comment.card,
        "language": comment.language,
        "text": comment.text,
        "author": comment.author,
    }


def match_json(create: CreateMatch) -> Json:
    """The body that creates the match, its deals to be typed as boards are opened."""
    release: Json = {"rule": create.release.rule}
    if create.release.seconds:
        release["seconds"] = create.release.seconds
    carried = create.carry_over
    return {
        "title": create.title,
        "home": create.home.name,
        "visitors": create.visitors.name,
        "segments": [
            {
                "number": segment.number,
                "title": segment.title,
                "first": segment.first,
                "last": segment.last,
                "ns_open": segment.ns_open,
                "lineups": {room: seats_json(seats) for room, seats in segment.lineups.items()},
            }
            for segment in create.segments
        ],
        "deals": "typed",
        "scale": create.scale,
        "imp_scale": create.imp_scale,
        "penalty_scale": create.penalty_scale,
        "carry_over": {"home": carried.home, "visitors": carried.visitors, "boards": carried.boards},
        "release": release,
        "no_devices": create.no_devices,
        "correction_minutes": create.correction_minutes,
    }


def seats_json(seats: Lineup) -> Json:
    return {
        seat.value: {"id": player.id, "name": player.name} if player.id else player.name
        for seat, player in seats.items()
    }


def _given(**fields: object) -> Json:
    """The fields that say something."""
    return {name: value for name, value in fields.items() if value is not None and value is not False}
