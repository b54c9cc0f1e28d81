"""What can be searched of a match: a line for each board that is public, from the public state alone.

Pure. A board has a line from its opening in one room on; a ruling, a correction or a comparison changes it.
Where results are hidden only what was bid may be asked, so the auction's contract stands beside the official
one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from broadcast.bridge.contracts import Contract
from broadcast.bridge.hand_figures import HandFigures, deal_figures
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import SEATS, Seat
from broadcast.feeds import public_json
from broadcast.feeds.public_records import record_of_boards
from broadcast.feeds.public_state import PublicState
from broadcast.notation.pbn_writing import pbn_games
from broadcast.tables.board_states import InPlay
from broadcast.tables.events import BoardKey
from broadcast.tables.state import Board, MatchState


@dataclass(frozen=True, slots=True)
class BidContract:
    """A contract with its declarer; ``contract`` ``None`` is a board passed out."""

    contract: Contract | None
    declarer: Seat | None


@dataclass(frozen=True, slots=True)
class TableLine:
    """A board in one room."""

    room: Room
    state: str
    official: BidContract | None
    """As the result says, or the auction of a board in play; ``None`` where neither does."""
    auction: BidContract | None
    """As the auction says; ``None`` before it is over."""
    tricks: int | None
    score_ns: int | None
    players: tuple[str, str, str, str]
    """North, East, South, West; empty where not known."""


@dataclass(frozen=True, slots=True)
class BoardLine:
    key: BoardKey
    dealer: str
    vulnerable: str
    deal: str | None
    """PBN from North."""
    hands: tuple[HandFigures, ...]
    """Of North, East, South and West; none where the deal is not public."""
    imps_home: float | None
    imps_visitors: float | None
    tables: tuple[TableLine, ...]
    """The rooms in which it was opened."""
    pbn: str | None
    """Its games, without comments; ``None`` while a room is playing it."""

    @property
    def swing(self) -> float | None:
        """IMPs that changed hands; ``None`` while the rooms are not compared."""
        if self.imps_home is None or self.imps_visitors is None:
            return None
        return max(abs(self.imps_home), abs(self.imps_visitors))


def board_lines(public: PublicState) -> list[BoardLine]:
    """Every line of a match, in the order of its boards."""
    match = public.match
    if match is None:
        return []
    lines = (board_line(public, match, board) for board in match.boards.values())
    return [line for line in lines if line is not None]


def changed_lines(before: PublicState, after: PublicState) -> Iterator[BoardLine]:
    """The lines that may differ: a board's own events change its state, a few events concern all."""
    was, now = before.match, after.match
    if now is None or was is now:
        return
    concerns_all = was is None or (was.segments, was.closed, was.voided) != (
        now.segments,
        now.closed,
        now.voided,
    )
    for key, board in now.boards.items():
        if concerns_all or was is None or was.boards.get(key) is not board:
            line = board_line(after, now, board)
            earlier = None if was is None or key not in was.boards else board_line(before, was, was.boards[key])
            if line is not None and line != earlier:
                yield line


def board_line(public: PublicState, match: MatchState, board: Board) -> BoardLine | None:
    """A board's line; ``None`` while nobody has opened it."""
    tables = tuple(_table_line(match, board, room) for room in Room if _is_shown(board, room))
    if not tables:
        return None
    compared = public.projection.board(public.held, board.key)
    figures = {} if board.deal is None else deal_figures(board.deal)
    return BoardLine(
        board.key,
        board.dealer.value,
        board.vulnerability.value,
        None if board.deal is None else str(board.deal),
        tuple(figures[seat] for seat in SEATS if seat in figures),
        compared["imps_home"],
        compared["imps_visitors"],
        tables,
        _games(match, board),
    )


def _games(match: MatchState, board: Board) -> str | None:
    """A board that is over in PBN. What is said of it comes and goes apart from the board, and is left out."""
    if any(isinstance(board.state(room), InPlay) for room in Room):
        return None
    record = record_of_boards(match, [board.key])
    segments = tuple(
        replace(segment, boards=tuple(replace(each, comments=()) for each in segment.boards))
        for segment in record.segments
    )
    return pbn_games(replace(record, segments=segments)) or None


def _is_shown(board: Board, room: Room) -> bool:
    table = board.rooms[room]
    return table.is_opened or table.has_entries


def _table_line(match: MatchState, board: Board, room: Room) -> TableLine:
    table = board.rooms[room]
    member = public_json.room_member(board, room, match.created.penalty_scale)
    auction = None
    if table.auction.is_over:
        auction = BidContract(table.auction.contract, table.auction.declarer)
    official = None
    if member["contract"] is not None:
        contract = None if member["contract"] == "Pass" else Contract.parse(member["contract"])
        official = BidContract(contract, None if contract is None else Seat(member["declarer"]))
    segment = next(each for each in match.segments if each.number == board.key.segment)
    lineup = segment.lineups.get(room, {})
    names = [table.players.get(seat) or lineup.get(seat) for seat in SEATS]
    north, east, south, west = ["" if player is None else player.name for player in names]
    return TableLine(
        room,
        member["state"],
        official,
        auction,
        member["tricks"],
        member["score_ns"],
        (north, east, south, west),
    )
