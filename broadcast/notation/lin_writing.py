"""Boards and matches as LIN, so that ``read_lin`` gives the same back.

What LIN cannot hold is listed in ``NOT_IN_LIN``; nothing else is lost.
"""

from collections.abc import Iterable, Iterator, Mapping

from broadcast.bridge.boards import Vulnerability
from broadcast.bridge.calls import Call, Denomination
from broadcast.bridge.cards import SUITS, in_order
from broadcast.bridge.deals import Deal
from broadcast.bridge.irregularities import Irregularity
from broadcast.bridge.results import BoardResult
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.notation.comments import written
from broadcast.notation.lin_header import LIN_SEATS
from broadcast.notation.records import BoardRecord, MatchRecord, RecordedComment, SegmentRecord

NOT_IN_LIN = {
    "call out of turn": "LIN gives no seat to a call: the record ends before the first one out of turn",
    "pipe in a comment or explanation": "written as a broken bar; names and titles keep it as %PIPE%",
    "long nickname": "a commentator's name is cut to ten characters",
    "result of a lost or unfinished auction": "kept in rs, which only a board with a number can have",
    "result alone of a board at no named table": "reads back as the open room's",
    "irregular declarer or result": "the mark is lost, the result is kept",
    "round, site and date of a match": "left out",
    "match with other first carry-overs": "each segment has its own carry-overs; the match has the first ones",
}
"""What a board or match can have that LIN cannot, and what becomes of it."""

_VULNERABILITY = {
    Vulnerability.NONE: "o",
    Vulnerability.NORTH_SOUTH: "n",
    Vulnerability.EAST_WEST: "e",
    Vulnerability.ALL: "b",
}
_CALLS = {Call.PASS: "p", Call.X: "d", Call.XX: "r"}
_PLACEHOLDERS = {Seat.S: "South", Seat.W: "West", Seat.N: "North", Seat.E: "East"}


def write_lin(record: MatchRecord | SegmentRecord | BoardRecord) -> str:
    """The whole text of a LIN file. A match of several segments has one header for each."""
    match record:
        case MatchRecord():
            return "".join(_segment(segment, record.title) for segment in record.segments)
        case SegmentRecord():
            return _segment(record, "")
        case BoardRecord():
            return _single(record)


def _segment(segment: SegmentRecord, title: str) -> str:
    numbers = [board.number for board in segment.boards]
    first, last = min([segment.first, *numbers]), max([segment.last, *numbers])
    header = ",".join(
        (
            _name(title),
            _name(segment.title),
            segment.scoring,
            str(first),
            str(last),
            _name(segment.team1),
            str(segment.carry1),
            _name(segment.team2),
            str(segment.carry2),
        )
    )
    lines = [f"vg|{header}|", f"rs|{_results(segment.boards, first, last)}|"]
    if segment.lineups:
        names = ",".join(_names(segment.lineups.get(room, {})) for room in Room)
        lines.append(f"pn|{names}|pg||")
    lines.extend(_comment(comment) for comment in segment.comments)
    for board in segment.boards:
        if board.deal is not None:
            lines.append(_board(board, board.deal, segment.lineups.get(board.room or Room.OPEN, {})))
    return "\n".join(lines) + "\n"


def _single(board: BoardRecord) -> str:
    number = board.number
    results = _results((board,), number, number)
    header = f"vg|,,I,{number},{number},,0,,0|\nrs|{results}|\n" if board.result is not None else ""
    if board.deal is None:
        return f"{header}pn|{_names(board.players)}|pg||\n"
    return f"{header}{_board(board, board.deal, None)}\n"


def _board(board: BoardRecord, deal: Deal, lineup: Mapping[Seat, str] | None) -> str:
    """One record; names are written where they are not those of the segment's line-up."""
    parts = []
    if board.room is not None:
        parts.append(f"qx|{'o' if board.room is Room.OPEN else 'c'}{board.number}|")
    if lineup is None or dict(board.players) != dict(lineup):
        parts.append(f"pn|{_names(board.players)}|")
    digit = LIN_SEATS.index(board.dealer) + 1
    parts.append(f"st||md|{digit}{_hands(deal)}|rh||ah|Board {board.number}|")
    parts.append(f"sv|{_VULNERABILITY[board.vulnerability]}|")
    parts.extend(_course(board))
    return "".join(parts) + "pg||"


def _course(board: BoardRecord) -> Iterator[str]:
    """Calls, cards and claim with the comments between them."""
    calls = board.calls
    out_of_turn = next(
        (at for at, made in enumerate(calls) if made.irregular is Irregularity.OUT_OF_TURN), len(calls)
    )
    is_cut = out_of_turn < len(calls)
    comments = list(board.comments)
    yield from _comments_at(comments, 0, 0)
    for count, made in enumerate(calls[:out_of_turn], start=1):
        yield f"mb|{_call(made.call)}{'!' if made.alert else ''}|"
        if made.explanation:
            yield f"an|{_text(made.explanation)}|"
        yield from _comments_at(comments, count, 0)
    if not is_cut:
        for count, played in enumerate(board.cards, start=1):
            if count % 4 == 1:
                yield "pg||\n"
            yield f"pc|{played.card.suit.lower()}{played.card.rank}|"
            yield from _comments_at(comments, len(calls), count)
    yield from (_comment(comment) for comment in comments)
    if board.claim_tricks is not None and not is_cut:
        yield f"mc|{board.claim_tricks}|"


def _comments_at(comments: list[RecordedComment], calls: int, cards: int) -> Iterator[str]:
    """The comments made when so many calls and cards stand; they are taken off the list."""
    while comments and (comments[0].calls, comments[0].cards) <= (calls, cards):
        yield _comment(comments.pop(0))


def _comment(comment: RecordedComment) -> str:
    return f"nt|{_text(written(comment))}|pg||\n"


def _results(boards: Iterable[BoardRecord], first: int, last: int) -> str:
    entries = [""] * (2 * (last - first + 1))
    for board in boards:
        if board.result is not None:
            place = 2 * (board.number - first) + (board.room is Room.CLOSED)
            entries[place] = result_entry(board.result)
    return ",".join(entries)


def result_entry(result: BoardResult) -> str:
    """A result as ``rs`` writes it: ``4HEx-1``, ``3NN=``, ``P``."""
    contract, declarer, tricks = result.contract, result.declarer, result.tricks
    if contract is None or declarer is None or tricks is None:
        return "P"
    over = tricks - contract.tricks_needed
    strain = "N" if contract.denomination is Denomination.NOTRUMP else contract.denomination.value
    return f"{contract.level}{strain}{declarer}{contract.doubling.lower()}{f'{over:+d}' if over else '='}"


def _call(call: Call) -> str:
    return _CALLS.get(call) or call.value.removesuffix("T")


def _hands(deal: Deal) -> str:
    return ",".join(
        "".join(suit.value + "".join(card.rank for card in in_order(deal[seat], suit)) for suit in SUITS)
        for seat in LIN_SEATS
    )


def _names(players: Mapping[Seat, str]) -> str:
    names = players or _PLACEHOLDERS
    return ",".join(_name(names.get(seat, "")) for seat in LIN_SEATS)


def _name(text: str) -> str:
    return " ".join(text.split()).replace(",", "%COMMA%").replace("|", "%PIPE%")


def _text(text: str) -> str:
    return text.replace("|", "\u00a6")
