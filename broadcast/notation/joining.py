"""Files of one match, a segment each, put together by the names of the teams.

Teams change places in the header as they change seats, and their names vary (``USA 2``, ``USA``), so a segment
is joined by who plays in it, never by position. What each segment says it brings in is compared with what the
segments before it add up to; the scale comes from the caller, as old matches were scored by older ones.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from broadcast.bridge.results import BoardResult
from broadcast.bridge.rooms import Room
from broadcast.bridge.scoring import PenaltyScale
from broadcast.notation.problems import Problem, ProblemList, Reason
from broadcast.notation.records import BoardRecord, MatchRecord, SegmentRecord

Imps = Callable[[int], int]
"""IMPs for a difference in score points; negative for a negative difference."""


@dataclass(frozen=True, slots=True)
class Joining:
    match: MatchRecord
    problems: tuple[Problem, ...]
    """Segments of other teams, and carry-overs that do not chain; ``segment`` counts the files from 1."""


def join_segments(
    matches: Sequence[MatchRecord], imps: Imps, penalty_scale: PenaltyScale = PenaltyScale.SINCE_1987
) -> Joining:
    """One match of all segments in the order given. Home is the first team of the first segment.

    Raises ``ValueError`` where there is no match at all.
    """
    if not matches:
        raise ValueError("there is no match to join")
    first = matches[0]
    problems = ProblemList()
    segments: list[SegmentRecord] = []
    for segment in (segment for match in matches for segment in match.segments):
        problems.segment = len(segments) + 1
        named = _with_names(segment, first.home, first.visitors)
        if named is None:
            problems.add(
                None,
                "vg",
                Reason.UNKNOWN_TEAMS,
                f"{segment.team1} against {segment.team2} is not {first.home} against {first.visitors}; "
                "the segment is left out",
            )
            continue
        segments.append(_numbered(named, len(segments) + 1))
    _check_chain(segments, first.home, imps, penalty_scale, problems)
    return Joining(replace(first, segments=tuple(segments)), tuple(problems))


def _numbered(segment: SegmentRecord, number: int) -> SegmentRecord:
    boards = tuple(replace(board, segment=number) for board in segment.boards)
    return replace(segment, number=number, boards=boards)


def _with_names(segment: SegmentRecord, home: str, visitors: str) -> SegmentRecord | None:
    """The segment with the match's names for its teams; ``None`` where it cannot be told who is who."""
    straight = _likeness(segment.team1, home) * _likeness(segment.team2, visitors)
    crossed = _likeness(segment.team1, visitors) * _likeness(segment.team2, home)
    if straight == crossed or max(straight, crossed) < _SAME:
        return None
    names = (home, visitors) if straight > crossed else (visitors, home)
    return replace(segment, team1=names[0], team2=names[1])


_SAME = 4


def _likeness(one: str, other: str) -> int:
    """4 the same name but for case, blanks and numerals; 1 alike but for a number; 0 different.

    Two files are of one match when one team is the same and the other at least alike.
    """
    first, second = _key(one), _key(other)
    if first == second:
        return _SAME
    return 1 if _letters(first) == _letters(second) else 0


_ROMAN = {"i": "1", "ii": "2", "iii": "3", "iv": "4"}


def _key(name: str) -> str:
    words = re.findall(r"[^\W\d_]+|\d+", name.casefold())
    if len(words) > 1 and words[-1] in _ROMAN:
        words[-1] = _ROMAN[words[-1]]
    return "".join(words)


def _letters(key: str) -> str:
    return re.sub(r"\d+", "", key)


def segment_imps(
    boards: Iterable[BoardRecord], imps: Imps, penalty_scale: PenaltyScale = PenaltyScale.SINCE_1987
) -> tuple[int, int, int]:
    """IMPs gained by team 1 and by team 2, and boards with a result in both rooms.

    Each room is scored by the vulnerability of its own record.
    """
    scores: dict[int, dict[Room, int]] = {}
    for board in boards:
        if board.room is not None and isinstance(board.result, BoardResult):
            scores.setdefault(board.number, {})[board.room] = board.result.score_ns(
                board.vulnerability, penalty_scale
            )
    swings = [imps(rooms[Room.OPEN] - rooms[Room.CLOSED]) for rooms in scores.values() if len(rooms) == 2]
    return sum(max(swing, 0) for swing in swings), sum(max(-swing, 0) for swing in swings), len(swings)


def _check_chain(
    segments: Sequence[SegmentRecord],
    home: str,
    imps: Imps,
    penalty_scale: PenaltyScale,
    problems: ProblemList,
) -> None:
    """List each segment that brings in other IMPs than counted. Counting goes on from what is stated.

    A later segment that brings in nothing states nothing: many files leave the running score at 0.
    """
    counted: tuple[Decimal, Decimal] | None = None
    for segment in segments:
        stated = _by_team(segment, home, segment.carry1, segment.carry2)
        if counted is not None and not any(stated):
            stated = counted
        if counted is not None and counted != stated:
            exchanged = ", the teams exchanged" if stated == counted[::-1] else ""
            problems.segment = segment.number
            problems.add(
                None,
                "vg",
                Reason.CARRY_OVER_DIFFERS,
                f"segment {segment.number} brings in {stated[0]}-{stated[1]}; "
                f"the segments before it add up to {counted[0]}-{counted[1]}{exchanged}",
            )
        gains1, gains2, _ = segment_imps(segment.boards, imps, penalty_scale)
        gained = _by_team(segment, home, Decimal(gains1), Decimal(gains2))
        counted = stated[0] + gained[0], stated[1] + gained[1]


def _by_team(segment: SegmentRecord, home: str, of1: Decimal, of2: Decimal) -> tuple[Decimal, Decimal]:
    return (of1, of2) if segment.team1 == home else (of2, of1)
