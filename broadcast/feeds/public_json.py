"""A match in the words of the public interface: the members of a match, a board, a room.

Pure: folded state in, JSON objects out. Whoever calls decides which state: the released one for everyone, the
whole log's for the director. ``hidden`` leaves out whatever tells a result.
"""

from datetime import datetime
from typing import Any

from broadcast.bridge.results import BoardResult
from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.scoring import PenaltyScale
from broadcast.bridge.seats import SEATS, Seat
from broadcast.tables.awards import Award
from broadcast.tables.board_states import Adjusted, Cancelled, InPlay, NotPlayed
from broadcast.tables.events import BoardKey, PenaltyGiven
from broadcast.tables.setup import Lineup, ReleaseRule, Segment, TeamName
from broadcast.tables.state import Board, Correction, MatchState, PlacedComment, RoomBoard

Json = dict[str, Any]


def moment(at: datetime) -> str:
    """ISO 8601 in UTC to the millisecond: ``2026-05-01T18:30:00.125Z``."""
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"


def status(match: MatchState) -> str:
    """``upcoming live scored closed void``. Under ``match`` the public goes from live to closed."""
    if match.voided is not None:
        return "void"
    if match.closed is not None:
        return "closed"
    if match.is_complete and match.release.rule is not ReleaseRule.MATCH:
        return "scored"
    return "live" if match.is_started else "upcoming"


def heading(id: str, match: MatchState) -> Json:
    """The top-level members of a match but for boards and totals."""
    created = match.created
    closes_at = match.closes_at if status(match) == "scored" else None
    return {
        "id": id,
        "title": created.title,
        "status": status(match),
        "closes_at": None if closes_at is None else moment(closes_at),
        "starts_at": None if created.starts_at is None else moment(created.starts_at),
        "language": created.language,
        "streams": [{"title": each.title, "url": each.url} for each in created.streams],
        "home": team(created.home),
        "visitors": team(created.visitors),
        "scale": created.scale,
        "imp_scale": created.imp_scale,
        "penalty_scale": created.penalty_scale.value,
        "release": release(match),
        "carry_over": {
            "home": created.carry_over.home,
            "visitors": created.carry_over.visitors,
            "boards": created.carry_over.boards,
        },
        "challenge": None
        if created.challenge is None
        else {"ladder": created.challenge.ladder, "id": created.challenge.id},
        "segments": [segment(each) for each in match.segments],
        "penalties": [penalty(each) for each in match.penalties],
    }


def team(name: TeamName) -> Json:
    return {"id": name.id, "name": name.name}


def release(match: MatchState) -> Json:
    rule = match.release.rule
    return (
        {"rule": rule.value, "seconds": match.release.seconds}
        if rule is ReleaseRule.DELAY
        else {"rule": rule.value}
    )


def segment(each: Segment) -> Json:
    return {
        "number": each.number,
        "title": each.title,
        "first": each.first,
        "last": each.last,
        "ns_open": each.ns_open.value,
        "lineups": {room.value: lineup(each.lineups.get(room, {})) for room in Room},
    }


def lineup(seats: Lineup) -> Json:
    return {seat.value: {"id": seats[seat].id, "name": seats[seat].name} for seat in SEATS if seat in seats}


def penalty(given: PenaltyGiven) -> Json:
    return {
        "side": given.side.value,
        "unit": given.unit,
        "amount": int(given.amount) if given.amount == int(given.amount) else given.amount,
        "reason": given.reason,
    }


def award(given: Award | None) -> Json | None:
    if given is None:
        return None
    match given.kind:
        case "artificial":
            return {"kind": "artificial", Team.HOME.value: given.home, Team.VISITORS.value: given.visitors}
        case "assigned":
            return {"kind": "assigned", "room": given.room, "score_ns": given.score_ns}
        case "weighted":
            parts = [{"score_ns": part.score_ns, "percent": part.percent} for part in given.parts]
            return {"kind": "weighted", "room": given.room, "parts": parts}
        case _:
            return {"kind": "split", "home": award(given.for_home), "visitors": award(given.for_visitors)}


def room_member(board: Board, room: Room, scale: PenaltyScale) -> Json:
    """A room's member of a board: its state, and what of contract, result and score there is."""
    table = board.rooms[room]
    state = board.state(room)
    member: Json = {
        "state": state.code,
        "contract": None,
        "declarer": None,
        "tricks": None,
        "score_ns": None,
        "source": None,
        "checked": False,
    }
    match state:
        case NotPlayed() | Cancelled():
            return member
        case InPlay():
            if table.auction.is_over and table.auction.contract is not None:
                member |= {"contract": str(table.auction.contract), "declarer": table.auction.declarer}
            return member
        case Adjusted():
            if state.result is not None:
                member |= _result(state.result)
            assigned = board.award is not None and board.award.kind == "assigned"
            member |= {
                "score_ns": board.award.score_ns if assigned and board.award else None,
                "source": state.source,
            }
        case _:
            member |= _result(state.result)
            member |= {"score_ns": state.result.score_ns(table.vulnerability, scale), "source": state.source}
    return member | {"checked": table.is_checked}


def _result(result: BoardResult) -> Json:
    if result.contract is None:
        return {"contract": "Pass"}
    return {"contract": str(result.contract), "declarer": result.declarer, "tricks": result.tricks}


def board_head(board: Board) -> Json:
    return {
        "segment": board.key.segment,
        "number": board.key.number,
        "dealer": board.dealer.value,
        "vulnerable": board.vulnerability.value,
    }


def auction(table: RoomBoard) -> list[Json]:
    return [
        {
            "seat": made.seat.value,
            "call": made.call.value,
            "alert": made.alert,
            "explanation": made.explanation,
            "irregular": made.irregular,
        }
        for made in table.calls
    ]


def play(table: RoomBoard) -> list[Json]:
    return [
        {
            "seat": played.seat.value,
            "card": played.card.value,
            "trick": played.trick,
            "winner": played.winner,
        }
        for played in table.cards
    ]


def pace(table: RoomBoard) -> Json | None:
    """When each call was made and each card played, in whole seconds since the first call.

    ``None`` before it, and where moments are not known.
    """
    calls = [made.at for made in table.calls if made.at is not None]
    cards = [played.at for played in table.cards if played.at is not None]
    if not calls or len(calls) < len(table.calls) or len(cards) < len(table.cards):
        return None
    first = calls[0]
    return {
        "calls": [round((at - first).total_seconds()) for at in calls],
        "cards": [round((at - first).total_seconds()) for at in cards],
    }


def claims(table: RoomBoard) -> list[Json]:
    return [
        {"seat": claim.seat.value, "tricks": claim.tricks, "accepted": claim.accepted} for claim in table.claims
    ]


def turn(table: RoomBoard) -> Seat | None:
    """Whose turn auction and play alone say it is, also where a claim or result has ended the board."""
    if not table.auction.is_over:
        return table.auction.turn
    return table.play.turn if table.play else None


def table_members(table: RoomBoard, *, hidden: bool) -> Json:
    """What a page draws of the board on the table: auction, play, turn, tricks."""
    members: Json = {
        "players": lineup(table.players),
        "auction": auction(table),
        "play": play(table),
        "turn": turn(table) if hidden else table.turn,
        "leader": table.play.declarer.left if table.play else None,
        "tricks_ns": table.play.tricks_ns if table.play else 0,
        "tricks_ew": table.play.tricks_ew if table.play else 0,
    }
    if hidden:
        contract = table.auction.contract if table.auction.is_over else None
        members |= {
            "contract": None if contract is None else str(contract),
            "declarer": None if contract is None else table.auction.declarer,
        }
    else:
        members["claims"] = claims(table)
    return members


def comment(key: BoardKey, room: Room, placed: PlacedComment) -> Json:
    return {
        "segment": key.segment,
        "board": key.number,
        "room": room.value,
        "at": moment(placed.at),
        "author": placed.author,
        "language": placed.language,
        "text": placed.text,
        "call": placed.call,
        "card": placed.card,
    }


def correction(made: Correction, scale: PenaltyScale) -> Json:
    """A line of the correction log: who, when, why, before and after."""
    sides = {"before": made.before, "after": made.after}
    if made.room is not None:
        shown = {side: room_member(board, made.room, scale) for side, board in sides.items()}
    else:
        shown = {
            side: {
                "award": award(board.award),
                "cancelled": board.is_cancelled,
                "swapped": board.is_swapped,
            }
            for side, board in sides.items()
        }
    return {
        "segment": made.key.segment,
        "board": made.key.number,
        "room": None if made.room is None else made.room.value,
        "at": moment(made.at),
        "by": made.by,
        "reason": made.reason,
        **shown,
    }
