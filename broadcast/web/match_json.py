"""From JSON to the commands of the director's desk: creating a match, rulings, comments."""

from collections.abc import Callable, Mapping

from broadcast.bridge.deals import Deal
from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.scoring import PenaltyScale
from broadcast.bridge.seats import Side
from broadcast.notation.pbn import read_pbn
from broadcast.tables.awards import Award, Part
from broadcast.tables.commands import (
    AddBoards,
    CancelBoard,
    ChangeRelease,
    ClearAlarm,
    CloseMatch,
    Comment,
    CorrectResult,
    CreateMatch,
    GiveAward,
    GivePenalty,
    LiftRuling,
    NameLineup,
    ReopenMatch,
    Ruling,
    SwapSeating,
    TransferTricks,
    VoidMatch,
)
from broadcast.tables.commenting import signature
from broadcast.tables.decide import MAX_BOARDS
from broadcast.tables.errors import Refusal
from broadcast.tables.setup import CarryOver, Release, ReleaseRule, Segment, TeamName, VideoStream
from broadcast.tables.state import boards_of
from broadcast.web import command_json as read
from broadcast.web.command_json import Fields, bad_field
from broadcast.web.problems import Problem
from broadcast.web.typed_text import typed

MOST_SEGMENTS = 100
EXTRA_BOARDS = "extra_boards"
"""The one ruling that needs deals, beside ``RULINGS``."""


def create_match(fields: Fields, names: Mapping[str, TeamName], deal: Callable[[], Deal]) -> CreateMatch:
    """A match as ``POST /api/matches`` describes it; ``names`` are its teams, already looked up."""
    segments = _segments(fields)
    return CreateMatch(
        title=read.text(fields, "title"),
        home=names["home"],
        visitors=names["visitors"],
        segments=segments,
        scale=read.text(fields, "scale", "wbf-2013"),
        imp_scale=read.text(fields, "imp_scale", "1962"),
        penalty_scale=read.optional_code(fields, "penalty_scale", PenaltyScale) or PenaltyScale.SINCE_1987,
        carry_over=_carry_over(read.table(fields, "carry_over")),
        release=release(read.table(fields, "release")),
        correction_minutes=read.whole(fields, "correction_minutes", 30),
        no_devices=read.truth(fields, "no_devices", False),
        deals=deals(fields.get("deals", "random"), segments, deal),
        starts_at=read.optional_moment(fields, "starts_at"),
        language=read.optional_text(fields, "language", 20),
        streams=_streams(fields.get("streams") or []),
    )


def team_field(fields: Fields, name: str) -> tuple[str | None, str | None]:
    """``(name, id)`` of a team: ``"Modra"`` or ``{"id": "t2"}``."""
    value = fields.get(name)
    if isinstance(value, str) and 0 < len(value.strip()) <= read.MAX_NAME:
        return typed(value).strip(), None
    if isinstance(value, dict):
        return read.optional_text(value, "name"), read.text(value, "id")
    raise bad_field(name, 'a team: a name, or {"id": ...}')


def _segments(fields: Fields) -> tuple[Segment, ...]:
    given = fields.get("segments")
    if not isinstance(given, list) or not 1 <= len(given) <= MOST_SEGMENTS:
        raise bad_field("segments", f"a list of 1 to {MOST_SEGMENTS} segments")
    segments, boards = [], 0
    for number, each in enumerate(given, 1):
        if not isinstance(each, dict):
            raise bad_field("segments", "a list of objects with first and last board")
        boards += max(0, read.whole(each, "last") - read.whole(each, "first") + 1)
        if boards > MAX_BOARDS:  # before any of them gets a deal
            raise Refusal("too_many_boards", f"A match has at most {MAX_BOARDS} boards", most=MAX_BOARDS)
        lineups = {
            room: read.seats(read.table(read.table(each, "lineups"), room.value), "lineups") for room in Room
        }
        segments.append(
            Segment(
                read.whole(each, "number", number),
                read.text(each, "title", str(number)),
                read.whole(each, "first"),
                read.whole(each, "last"),
                read.optional_code(each, "ns_open", Team) or Team.HOME,
                {room: seats for room, seats in lineups.items() if seats},
            )
        )
    return tuple(segments)


def _streams(given: object) -> tuple[VideoStream, ...]:
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise bad_field("streams", "a list of objects with title and url")
    return tuple(VideoStream(read.text(each, "title"), read.text(each, "url", most=500)) for each in given)


def _carry_over(fields: Fields) -> CarryOver:
    boards = None if "boards" in fields and fields["boards"] is None else read.whole(fields, "boards", 0)
    if boards == 0 and (fields.get("home") or fields.get("visitors")):
        boards = None
    return CarryOver(read.whole(fields, "home", 0), read.whole(fields, "visitors", 0), boards)


def release(fields: Fields) -> Release:
    rule = read.optional_code(fields, "rule", ReleaseRule) or ReleaseRule.BOARD
    return Release(rule, read.whole(fields, "seconds", 0))


def _other_release(fields: Fields) -> Release:
    """Another rule, which must be named: what one taken for granted made public would stay public."""
    read.code(fields, "rule", ReleaseRule)
    return release(fields)


def deals(given: object, segments: tuple[Segment, ...], deal: Callable[[], Deal]) -> dict[str, Deal]:
    """``"random"``, ``"typed"`` (each given as its board is opened), or PBN text with a deal for each board."""
    keys = list(boards_of(segments))
    if given == "typed":
        return {}
    if given == "random":
        return {str(key): deal() for key in keys}
    if not isinstance(given, str):
        raise bad_field("deals", 'PBN text, "random" or "typed"')
    reading = read_pbn(given.encode())
    boards = [*reading.boards]
    for match in reading.matches:
        boards += [board for segment in match.segments for board in segment.boards]
    by_number = {board.number: board.deal for board in boards if board.deal is not None}
    missing = [str(key) for key in keys if key.number not in by_number]
    if missing:
        raise Problem(
            422,
            "deals_missing",
            f"The PBN has no readable deal for board {missing[0]}",
            boards=missing,
            problems=[problem.text for problem in reading.problems[:20]],
        )
    return {str(key): by_number[key.number] for key in keys}


def comment(fields: Fields, author: str, *, is_director: bool, of_room: Room | None, may_name: bool) -> Comment:
    """A comment. Who ``may_name`` says whose it is (chat of a recorded match); else an operator writes as the
    room."""
    named = read.optional_text(fields, "author", 100) if may_name else None
    return Comment(
        read.whole(fields, "segment", 1),
        read.whole(fields, "board"),
        read.code(fields, "room", Room),
        read.whole(fields, "call", 0),
        read.whole(fields, "card", 0),
        read.text(fields, "language", "en", 20),
        read.text(fields, "text", most=5000, lines=True),
        named or (author if of_room is None else signature(of_room)),
        any_position=is_director,
        by_room=of_room,
    )


def award(fields: Fields) -> Award:
    kind = read.text(fields, "kind")
    if kind == "split":
        return Award(
            kind,
            for_home=award(read.table(fields, "home")),
            for_visitors=award(read.table(fields, "visitors")),
        )
    parts = fields.get("parts") or []
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        raise bad_field("parts", "a list of score_ns and percent")
    return Award(
        kind,
        home=read.optional_text(fields, "home", 1),
        visitors=read.optional_text(fields, "visitors", 1),
        room=read.optional_code(fields, "room", Room),
        score_ns=None if fields.get("score_ns") is None else read.whole(fields, "score_ns"),
        parts=tuple(Part(read.whole(part, "score_ns"), read.whole(part, "percent")) for part in parts),
    )


def ruling(fields: Fields, deal: Callable[[], Deal]) -> Ruling:
    """A ruling by its ``type``; ``deal`` makes random deals. Raises ``Problem`` or ``BadNotation``."""
    if fields.get("type") == EXTRA_BOARDS:
        return _extra_boards(fields, deal)
    read_ruling = RULINGS.get(str(fields.get("type")))
    if read_ruling is None:
        types = [*RULINGS, EXTRA_BOARDS]
        raise Problem(422, "unknown_ruling", "type must be one of " + ", ".join(types), types=types)
    return read_ruling(fields)


def _extra_boards(fields: Fields, deal: Callable[[], Deal]) -> AddBoards:
    boards, source = read.whole(fields, "boards"), fields.get("deals", "random")
    if source not in ("random", "typed"):
        raise bad_field("deals", '"random" or "typed"')
    is_dealt = source == "random" and 0 < boards <= MAX_BOARDS
    dealt = tuple(deal() for _ in range(boards)) if is_dealt else ()
    return AddBoards(boards, _reason(fields), dealt, read.text(fields, "title", ""))


def _place(fields: Fields) -> tuple[int, int]:
    return read.whole(fields, "segment", 1), read.whole(fields, "board")


def _reason(fields: Fields) -> str:
    return read.text(fields, "reason", "", 1000, lines=True)


def _amount(fields: Fields) -> float:
    value = fields.get("amount")
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value <= 1000:
        raise bad_field("amount", "a number above 0")
    return round(float(value), 2)


RULINGS: Mapping[str, Callable[[Fields], Ruling]] = {
    "correct_result": lambda f: CorrectResult(
        *_place(f), read.code(f, "room", Room), read.result(f), _reason(f)
    ),
    "award": lambda f: GiveAward(*_place(f), award(read.table(f, "award")), _reason(f)),
    "cancel_board": lambda f: CancelBoard(*_place(f), _reason(f)),
    "lift_ruling": lambda f: LiftRuling(*_place(f), _reason(f)),
    "tricks_transferred": lambda f: TransferTricks(
        *_place(f),
        read.code(f, "room", Room),
        read.whole(f, "tricks"),
        read.code(f, "to", Side).value,
        _reason(f),
    ),
    "penalty": lambda f: GivePenalty(read.code(f, "side", Team), read.text(f, "unit"), _amount(f), _reason(f)),
    "swap_seating": lambda f: SwapSeating(*_place(f), _reason(f)),
    "release": lambda f: ChangeRelease(_other_release(f), _reason(f)),
    "lineup": lambda f: NameLineup(
        read.whole(f, "segment"),
        read.code(f, "room", Room),
        read.seats(read.table(f, "seats"), "seats"),
        _reason(f),
        read.truth(f, "publish", False),
    ),
    "clear_alarm": lambda f: ClearAlarm(read.text(f, "alarm"), _reason(f)),
    "close": lambda f: CloseMatch(_reason(f)),
    "reopen": lambda f: ReopenMatch(_reason(f)),
    "void": lambda f: VoidMatch(_reason(f)),
}
"""The types of rulings."""
