"""PBN, the Portable Bridge Notation (version 2.1): reading import and export format.

``read_pbn`` never raises over a file's content and never loses a good board over a bad one. Games that name two
teams become matches of two rooms; deals, pairs and single tables are handed back as boards of no match.
"""

from dataclasses import replace

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.notation.checking import list_different_deals
from broadcast.notation.pbn_games import read_game
from broadcast.notation.pbn_inheritance import with_inheritance
from broadcast.notation.pbn_lexing import Game, games_of
from broadcast.notation.pbn_matches import (
    MatchGames,
    SegmentGames,
    grouped,
    is_team_game,
    north_south_in_open,
    with_rooms,
)
from broadcast.notation.pbn_repairs import Maker, maker_of
from broadcast.notation.pbn_tags import read_number, read_room
from broadcast.notation.problems import ProblemList, Reason
from broadcast.notation.records import BoardRecord, MatchRecord, Reading, SegmentRecord
from broadcast.notation.texts import MAX_BYTES, decoded

MAX_GAMES = 4000
"""Most games taken from one file."""

_SCORINGS = {"IMP": "I", "BAM": "B", "MP": "P", "MATCHPOINTS": "P"}


def read_pbn(data: bytes) -> Reading:
    """All matches and boards of a PBN file, with every problem. At most ``MAX_BYTES`` are taken."""
    problems = ProblemList()
    if len(data) > MAX_BYTES:
        problems.add(None, "", Reason.TOO_LARGE, f"the file has {len(data)} bytes, more than {MAX_BYTES}")
        return Reading(problems=tuple(problems))
    text = decoded(data)
    games = list(with_inheritance(games_of(text, problems, MAX_GAMES)))
    if not games:
        problems.add(None, "", Reason.NOT_THIS_FORMAT, 'this is no PBN file: it holds no [Tag "value"] lines')
        return Reading(problems=tuple(problems))
    numbered = _numbered(games, problems)
    maker = maker_of(text, games)
    matches = [
        match
        for group in grouped(entry for entry in numbered if is_team_game(entry[0]))
        if (match := _read_match(group, problems, maker)) is not None
    ]
    problems.segment = None
    loose = [
        board
        for game, number in numbered
        if not is_team_game(game)
        and (board := read_game(game, number, read_room(game), problems, maker)) is not None
    ]
    problems.at(None, None)
    if loose:
        count = "no game names" if not matches else f"{len(loose)} games do not name"
        problems.add(None, "HomeTeam", Reason.NOT_A_MATCH, f"{count} two teams: these boards are of no match")
    if not matches and not loose:
        problems.add(None, "", Reason.NO_BOARDS, "no boards found")
    return Reading(tuple(matches), tuple(loose), tuple(problems))


def _numbered(games: list[Game], problems: ProblemList) -> list[tuple[Game, int]]:
    """Games that are boards, with their numbers. Games that hold no deal and no result are passed over."""
    numbered = []
    for game in games:
        if not any(game.value(name).strip() for name in ("Deal", "Contract")) and not game.auction:
            continue
        number = read_number(game)
        if number is None:
            problems.add(
                game.line_of("Board"),
                "Board",
                Reason.BAD_BOARD_NUMBER,
                f"{game.value('Board')[:40]!r} is no board number; the game is left out",
            )
        else:
            numbered.append((game, number))
    return numbered


def _read_match(group: MatchGames, problems: ProblemList, maker: Maker) -> MatchRecord | None:
    segments: list[SegmentRecord] = []
    for games in group.segments.values():
        segment = _read_segment(games, len(segments) + 1, problems, maker)
        if segment is not None:
            segments.append(segment)
    if not segments:
        return None
    return MatchRecord(
        group.first.title("Event"),
        segments[0].team1,
        segments[0].team2,
        tuple(segments),
        round=group.first.title("Round"),
        site=group.first.title("Site"),
        date=group.first.title("Date"),
    )


def _read_segment(
    games: SegmentGames, number: int, problems: ProblemList, maker: Maker
) -> SegmentRecord | None:
    problems.segment = number
    placed, surplus = with_rooms(games)
    lineups: dict[Room, dict[Seat, str]] = {}
    boards: list[BoardRecord] = []
    for entry in placed:
        board = read_game(entry.game, entry.number, entry.room, problems, maker)
        if board is None:
            continue
        if board.players:
            lineups[entry.room] = dict(board.players)
        boards.append(replace(board, segment=number, players=lineups.get(entry.room, {})))
    for game, board_number in surplus:
        problems.at(board_number, None)
        problems.add(
            game.line, "Board", Reason.REPEATED_BOARD, f"a third record of board {board_number} is left out"
        )
    list_different_deals(boards, "Deal", problems)
    problems.at(None, None)
    if not boards:
        return None
    boards.sort(key=lambda board: (board.number, board.room is Room.CLOSED))
    first_lineups = {
        room: next((board.players for board in boards if board.room is room and board.players), {})
        for room in Room
    }
    team1, team2 = north_south_in_open(games, placed)
    scoring = placed[0].game.value("Scoring").partition(";")[0].strip().upper()
    return SegmentRecord(
        number,
        games.title,
        boards[0].number,
        boards[-1].number,
        team1,
        team2,
        lineups={room: names for room, names in first_lineups.items() if names},
        scoring=_SCORINGS.get(scoring, "I"),
        boards=tuple(boards),
    )
