"""Boards and matches as PBN 2.1 in export format, so that ``read_pbn`` gives the same back.

What PBN cannot hold is listed in ``NOT_IN_PBN``; nothing else is lost. The file says that it is in export
format where no line passes the 255 bytes that format allows.
"""

from collections.abc import Iterator, Sequence

from broadcast.bridge.irregularities import Irregularity
from broadcast.bridge.seats import Seat, clockwise_from
from broadcast.notation.comments import written
from broadcast.notation.records import BoardRecord, MatchRecord, RecordedComment, SegmentRecord

NOT_IN_PBN = {
    "claim": "the play ends with *, the result has the tricks",
    "alert without an explanation": "written as a note with the text Alert, which reads back as an alert alone",
    "explanation of a call without an alert": "reads back as alerted: a note is PBN's only sign of an alert",
    "explanation beyond the 32nd of a board": "left out, the alert too: notes are numbered 1 to 32",
    "carry-over": "left out: PBN has no tag for it",
    "comments before the first board": "left out",
    "range and line-up of a segment": "those of its boards",
    "titles of two segments alike": "the number of the segment is added",
    "closing brace in a comment": "written as a parenthesis",
    "board of a segment without deal and result": "left out",
    "match with other first carry-overs": "left out with the carry-overs",
}
"""What a board or match can have that PBN cannot, and what becomes of it."""

_END = "\r\n"
_SCORINGS = {"I": "IMP", "B": "BAM", "P": "MP"}
_MOST_NOTES = 32
_CARD_MARKS = {
    Irregularity.REVOKE: "^R ",
    Irregularity.OUT_OF_TURN: "^L ",
    Irregularity.INSUFFICIENT: "",
}


def write_pbn(record: MatchRecord | SegmentRecord | BoardRecord) -> str:
    """The whole text of a PBN file, one game for each board at each table. Lines end with CR LF."""
    match record:
        case MatchRecord():
            games = list(_match(record))
        case SegmentRecord():
            games = [_game(board, _team_tags(record, record.title, ""), record) for board in record.boards]
        case BoardRecord():
            games = [_game(record, [], None)]
    return pbn_file(games)


def pbn_games(record: MatchRecord) -> str:
    """The games of a match without the head of a file, to be put into one by ``pbn_file``."""
    return _END.join(_match(record))


def pbn_file(games: Sequence[str]) -> str:
    """One PBN file of games from several matches, as ``pbn_games`` wrote them."""
    lines = _END.join(games)
    export = all(len(line.encode()) <= 253 for line in lines.split(_END))
    return f"% PBN 2.1{_END}{f'% EXPORT{_END}' if export else ''}{lines}"


def _match(match: MatchRecord) -> Iterator[str]:
    titles = [segment.title for segment in match.segments]
    for segment in match.segments:
        stage = segment.title
        if titles.count(stage) > 1:
            stage = f"{stage} ({segment.number})".strip()
        tags = _team_tags(segment, stage, match.round)
        for board in segment.boards:
            yield _game(board, tags, segment, match)


def _team_tags(segment: SegmentRecord, stage: str, round_name: str) -> list[tuple[str, str]]:
    return [
        ("Competition", "Teams"),
        ("HomeTeam", segment.team1),
        ("Round", round_name),
        ("Stage", stage),
        ("VisitTeam", segment.team2),
    ]


def _game(
    board: BoardRecord,
    more: list[tuple[str, str]],
    segment: SegmentRecord | None,
    match: MatchRecord | None = None,
) -> str:
    comments = list(board.comments)
    lines = [
        _tag("Event", match.title if match else ""),
        _tag("Site", match.site if match else ""),
        _tag("Date", match.date if match else ""),
        _tag("Board", str(board.number)),
        *(_tag(name, board.players.get(seat, "?")) for name, seat in _PLAYERS),
        _tag("Dealer", board.dealer.value),
        _tag("Vulnerable", board.vulnerability.value),
        _tag("Deal", "?" if board.deal is None else board.deal.to_pbn(board.dealer)),
        _tag("Scoring", _SCORINGS.get(segment.scoring, "IMP") if segment else ""),
        *_outcome(board),
    ]
    supplements = [*more]
    if board.room is not None:
        supplements.append(("Room", board.room.value.capitalize()))
    if board.result is not None:
        supplements.append(("Score", f"NS {board.result.score_ns(board.vulnerability)}"))
    lines.extend(_tag(name, value) for name, value in sorted(supplements) if value)
    lines.extend(_comment(comment) for comment in _taken(comments, 0, 0))
    if board.calls:
        lines.extend(_auction(board, comments))
    if board.cards or comments:
        lines.extend(_play(board, comments))
    return _END.join(lines) + _END


_PLAYERS = (("West", Seat.W), ("North", Seat.N), ("East", Seat.E), ("South", Seat.S))


def _outcome(board: BoardRecord) -> list[str]:
    """Declarer, Contract and Result: official where there is one, else what the auction says."""
    result = board.result
    if result is None:
        auction = board.auction
        if auction.is_over and auction.contract is not None and auction.declarer is not None:
            return [
                _tag("Declarer", auction.declarer),
                _tag("Contract", str(auction.contract)),
                _tag("Result", "?"),
            ]
        return [_tag(name, "?") for name in ("Declarer", "Contract", "Result")]
    if result.contract is None or result.declarer is None:
        return [_tag("Declarer", ""), _tag("Contract", "Pass"), _tag("Result", "")]
    return [
        _tag("Declarer", f"{'^' if board.irregular_declarer else ''}{result.declarer}"),
        _tag("Contract", str(result.contract)),
        _tag("Result", f"{'^' if board.irregular_result else ''}{result.tricks}"),
    ]


def _auction(board: BoardRecord, comments: list[RecordedComment]) -> list[str]:
    """Rows of four calls from the dealer, notes behind them."""
    lines = [_tag("Auction", board.dealer.value)]
    notes: list[str] = []
    row: list[str] = []
    seat = board.dealer
    for count, made in enumerate(board.calls, start=1):
        while seat is not made.seat:
            row.append("^S")
            seat = seat.left
        mark = "^I " if made.irregular is Irregularity.INSUFFICIENT else ""
        word = f"{mark}{made.call}"
        number = _note(made.explanation, made.alert, notes)
        if number is not None:
            word += f" ={number}="
        row.append(word)
        seat = seat.left
        said = [_comment(comment) for comment in _taken(comments, count, 0)]
        if said or seat is board.dealer:
            lines.append(" ".join(row))
            lines.extend(said)
            row = []
    if not board.auction.is_over:
        row.append("+" if board.result is None else "*")
    if row:
        lines.append(" ".join(row))
    lines.extend(_tag("Note", f"{number}:{text}") for number, text in enumerate(notes, start=1))
    return lines


def _note(explanation: str | None, alert: bool, notes: list[str]) -> int | None:
    """The number of the note that explains a call; a text told twice is one note."""
    if not explanation and not alert:
        return None
    text = " ".join(explanation.split()) if explanation else "Alert"
    if text not in notes:
        if len(notes) == _MOST_NOTES:
            return None
        notes.append(text)
    return notes.index(text) + 1


def _play(board: BoardRecord, comments: list[RecordedComment]) -> list[str]:
    """Rows of a trick, columns from the opening leader clockwise; comments behind the card they follow."""
    declarer = board.auction.declarer
    leader = board.dealer if declarer is None else declarer.left
    columns = clockwise_from(leader)
    lines = [_tag("Play", leader.value)]
    lines.extend(_comment(comment) for comment in _taken(comments, len(board.calls), 0))
    for start in range(0, len(board.cards), 4):
        lines.extend(_trick(board, start, columns, comments))
    if len(board.cards) < 52:
        lines.append("*" if board.result is not None else "+")
    return lines


def _trick(
    board: BoardRecord, start: int, columns: Sequence[Seat], comments: list[RecordedComment]
) -> Iterator[str]:
    trick = {made.seat: (count, made) for count, made in enumerate(board.cards[start : start + 4], start + 1)}
    said = {
        count: [_comment(comment) for comment in _taken(comments, len(board.calls), count)]
        for count, _ in trick.values()
    }
    row: list[str] = []
    for seat in columns:
        if seat not in trick:
            row.append("-")
            continue
        count, made = trick[seat]
        mark = (
            {Irregularity.REVOKE: "^R ", Irregularity.OUT_OF_TURN: "^L "}.get(made.irregular, "")
            if made.irregular
            else ""
        )
        row.append(f"{mark}{made.card}")
        if said[count]:
            yield " ".join(row)
            yield from said[count]
            row = []
    if row:
        yield " ".join(row)


def _taken(comments: list[RecordedComment], calls: int, cards: int) -> list[RecordedComment]:
    """The comments made up to this position, taken off the list."""
    taken = []
    while comments and (comments[0].calls, comments[0].cards) <= (calls, cards):
        taken.append(comments.pop(0))
    return taken


def _comment(comment: RecordedComment) -> str:
    """Further lines are indented, which reads back as nothing: readers that go by lines must find no tag
    and no escape at the beginning of one."""
    text = written(comment).replace("}", ")")
    return "{" + text.replace("\n", f"{_END} ") + "}"


def _tag(name: str, value: str) -> str:
    """A tag pair. A value that would be read as inherited or unknown gets a blank before it."""
    text = " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
    if text.startswith("#"):
        text = f" {text}"
    return f'[{name} "{text}"]'
