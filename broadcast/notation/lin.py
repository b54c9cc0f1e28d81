"""LIN, the record format of BBO: vugraph files of two-room matches, and single boards.

``read_lin`` never raises over a file's content and never loses a good board over a bad one. Comments of movies
(fonts, colours, pictures) are skipped. There is no published standard; what is read here is what BBO's own
handviewer reads, and what real files hold.
"""

from collections.abc import Iterable
from dataclasses import replace

from broadcast.bridge.rooms import Room
from broadcast.notation.comments import comment_of
from broadcast.notation.lin_boards import RawBoard, read_record
from broadcast.notation.lin_header import Heading, read_heading
from broadcast.notation.lin_lexing import Field, fields_of
from broadcast.notation.lin_results import settle_boards
from broadcast.notation.problems import ProblemList, Reason
from broadcast.notation.records import BoardRecord, MatchRecord, Reading, SegmentRecord
from broadcast.notation.texts import MAX_BYTES, decoded

MAX_RECORDS = 2000
"""Most records of boards taken from one segment."""

MAX_SEGMENTS = 100
"""Most segments taken from one file."""


def read_lin(data: bytes) -> Reading:
    """All matches and boards of a LIN file, with every problem. At most ``MAX_BYTES`` are taken."""
    problems = ProblemList()
    if len(data) > MAX_BYTES:
        problems.add(None, "", Reason.TOO_LARGE, f"the file has {len(data)} bytes, more than {MAX_BYTES}")
        return Reading(problems=tuple(problems))
    fields = fields_of(decoded(data), problems)
    if not fields:
        problems.add(None, "", Reason.NOT_THIS_FORMAT, "this is no LIN file: it holds no tag|value| fields")
        return Reading(problems=tuple(problems))
    matches: list[MatchRecord] = []
    loose: list[BoardRecord] = []
    blocks = _blocks(fields)
    if len(blocks) > MAX_SEGMENTS:
        problems.add(None, "vg", Reason.TOO_LARGE, f"only the first {MAX_SEGMENTS} segments are read")
    for block in blocks[:MAX_SEGMENTS]:
        _read_block(block, matches, loose, problems)
    if not matches and not loose:
        problems.add(None, "", Reason.NO_BOARDS, "no boards found")
    return Reading(tuple(matches), tuple(loose), tuple(problems))


def _blocks(fields: list[Field]) -> list[list[Field]]:
    """The file cut before every ``vg`` but the first: each piece is one segment."""
    starts = [index for index, item in enumerate(fields) if item.tag == "vg"][1:]
    return [fields[start:end] for start, end in zip([0, *starts], [*starts, len(fields)], strict=True)]


def _read_block(
    block: list[Field], matches: list[MatchRecord], loose: list[BoardRecord], problems: ProblemList
) -> None:
    """Read one segment and put it where it belongs: the match before it, a new match, or loose boards."""
    head, records = split_records(block)
    tags = {item.tag: item for item in reversed(block) if item.tag in ("vg", "rs")}
    lineup = next((item for item in head if item.tag == "pn"), None)
    problems.segment = None
    problems.at(None, None)
    heading = read_heading(tags.get("vg"), tags.get("rs"), lineup, problems)
    is_match = bool(heading.team1 and heading.team2) and heading.scoring != "P"
    continues = is_match and bool(matches) and _is_continued(matches[-1], heading)
    number = len(matches[-1].segments) + 1 if continues else 1
    problems.segment = number
    if len(records) > MAX_RECORDS:
        problems.add(None, "qx", Reason.TOO_LARGE, f"only the first {MAX_RECORDS} records of boards are read")
    raws = [read_record(record, problems) for record in records[:MAX_RECORDS]]
    problems.at(None, None)
    if is_match:
        raws = _with_rooms(raws, problems)
    boards = settle_boards(raws, heading, number, problems)
    if not boards:
        return
    if not is_match:
        text = "the boards are scored as pairs" if heading.scoring == "P" else "no two teams are named"
        problems.add(None, "vg", Reason.NOT_A_MATCH, f"{text}: this is no match of two teams")
        loose.extend(boards)
        return
    segment = _segment(heading, number, boards, head)
    if continues:
        matches[-1] = replace(matches[-1], segments=(*matches[-1].segments, segment))
        return
    matches.append(
        MatchRecord(heading.title, heading.team1, heading.team2, (segment,), heading.carry1, heading.carry2)
    )


def split_records(fields: Iterable[Field]) -> tuple[list[Field], list[list[Field]]]:
    """What stands before the first board, and the fields of each record.

    A record runs from ``qx`` to the next ``qx``; a file without ``qx`` starts a new one with each deal.
    """
    heading: list[Field] = []
    records: list[list[Field]] = []
    labelled = has_deal = False
    for item in fields:
        if item.tag == "qx":
            records.append([item])
            labelled, has_deal = True, False
            continue
        if not labelled and item.tag in ("pn", "st", "md") and (has_deal or (not records and item.tag == "md")):
            records.append([])
            has_deal = False
        elif labelled and has_deal and item.tag == "md" and not _repeats(records[-1], item):
            # The label of this board is lost: its calls must not run into the board before.
            records.append([])
            labelled = False
        (records[-1] if records else heading).append(item)
        has_deal = has_deal or item.tag == "md"
    return heading, records


def _repeats(record: list[Field], deal: Field) -> bool:
    """Whether the deal is merely written twice: the same again, before any call."""
    return all(item.tag not in ("mb", "pc") for item in record) and any(
        item.tag == "md" and item.value == deal.value for item in record
    )


def _is_continued(match: MatchRecord, heading: Heading) -> bool:
    return match.title == heading.title and {match.home, match.visitors} == {heading.team1, heading.team2}


def _with_rooms(raws: list[RawBoard], problems: ProblemList) -> list[RawBoard]:
    """In a match every record needs its room. A file that names none has one table, taken as the open room."""
    if raws and all(raw.room is None for raw in raws):
        problems.add(raws[0].line, "qx", Reason.BAD_BOARD_NUMBER, "no room is named; taken as the open room")
        for raw in raws:
            raw.room = Room.OPEN
    named = []
    for raw in raws:
        if raw.room is not None:
            named.append(raw)
        elif raw.deal_line is not None:
            problems.at(raw.number, None)
            problems.add(raw.line, "qx", Reason.BAD_BOARD_NUMBER, "a record without board and room is left out")
    return named


def _segment(
    heading: Heading, number: int, boards: tuple[BoardRecord, ...], head: list[Field]
) -> SegmentRecord:
    comments = [comment_of(item.value) for item in head if item.tag in ("nt", "at")]
    numbers = [board.number for board in boards]
    return SegmentRecord(
        number,
        heading.segment,
        min(numbers) if heading.first is None else heading.first,
        max(numbers) if heading.last is None else heading.last,
        heading.team1,
        heading.team2,
        heading.carry1,
        heading.carry2,
        heading.lineups,
        heading.scoring,
        boards,
        tuple(comment for comment in comments if comment is not None),
    )
