"""What a match answers to a command: events, or the rule that refuses.

``decide(state, command, now)`` reads no clock and no chance and changes nothing. The entries of a room are in
``entries``, the director's rulings in ``rulings``; this file routes, and owns creating and commenting.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from broadcast.bridge.rooms import Room
from broadcast.tables.alarms import blocking_alarms
from broadcast.tables.apply import apply
from broadcast.tables.checking import decide_check
from broadcast.tables.commands import (
    CheckResult,
    Comment,
    ConfirmScore,
    CreateMatch,
    DisputeScore,
    EnterInRoom,
    MatchCommand,
)
from broadcast.tables.commenting import check_match
from broadcast.tables.entries import check_log, decide_entries
from broadcast.tables.errors import NoSuchThing, Refusal
from broadcast.tables.events import (
    BoardKey,
    CommentMade,
    LineupNamed,
    MatchClosed,
    MatchCreated,
    MatchEvent,
    ScoreDisputed,
)
from broadcast.tables.recorded import Recorded
from broadcast.tables.rulings import decide_ruling
from broadcast.tables.setup import ReleaseRule, VideoStream
from broadcast.tables.state import MatchState, boards_of

MAX_BOARDS = 1000
"""Most boards a match may have."""
MOST_STREAMS = 6
"""Links to pictures or voices elsewhere that a match may have."""
MAX_COMMENT = 2000
"""Longest comment, in characters."""


def decide(state: MatchState | None, command: MatchCommand, now: datetime) -> tuple[MatchEvent, ...]:
    """The events that carry out the command. Raises ``Refusal`` or a ``BridgeError``; then nothing happens."""
    if isinstance(command, CreateMatch):
        if state is not None:
            raise Refusal("match_exists", "This match has been created already")
        return (_created(command), *_lineups(command))
    if state is None:
        raise NoSuchThing("no_such_match", "There is no such match")
    match command:
        case EnterInRoom():
            return decide_entries(state, command, now)
        case CheckResult():
            return (_in_log(state, decide_check(state, command), now),)
        case Comment():
            return (_comment(state, command),)
        case ConfirmScore():
            if not state.is_complete or state.closed is not None or state.voided is not None:
                raise Refusal(
                    "not_scored", "Only a match with every board final and not yet closed is confirmed"
                )
            if command.standing != state.standing:
                raise Refusal("score_changed", "The score has changed since you agreed: look at it again")
            alarm = next(blocking_alarms(state), None)
            if alarm is not None:
                raise Refusal(
                    "alarm_open",
                    f"Alarm {alarm.id} is open: the director or both captains clear it first",
                    alarm=alarm.id,
                )
            return (MatchClosed("confirmed"),)
        case DisputeScore():
            return (_in_log(state, _disputed(state, command), now),)
        case _:
            return decide_ruling(state, command)


def _in_log(state: MatchState, event: MatchEvent, now: datetime) -> MatchEvent:
    """The event, if the log is not too long for it."""
    check_log(apply(state, Recorded(state.sequence + 1, now, "", event)), event)
    return event


def _disputed(state: MatchState, command: DisputeScore) -> ScoreDisputed:
    """While the correction period runs (Law 79C)."""
    key = BoardKey(command.segment, command.board)
    if key not in state.boards:
        raise NoSuchThing("no_such_board", f"The match has no board {key}", board=str(key))
    if not state.is_complete or state.closed is not None or state.voided is not None:
        raise Refusal("not_disputable", "A score is disputed between the last result and the match's closing")
    reason = command.reason.strip()
    if not reason or len(reason) > MAX_COMMENT:
        raise Refusal("bad_dispute", f"Say in 1 to {MAX_COMMENT} characters what is wrong with the score")
    return ScoreDisputed(key, reason)


def _created(command: CreateMatch) -> MatchCreated:
    if not command.segments:
        raise Refusal("no_segments", "A match needs at least one segment with its first and last board")
    numbers = [segment.number for segment in command.segments]
    if len(set(numbers)) != len(numbers):
        raise Refusal("segment_twice", "Two segments have the same number")
    for segment in command.segments:
        if not 1 <= segment.first <= segment.last:
            raise Refusal(
                "bad_segment",
                f"Segment {segment.number} runs from board {segment.first} to {segment.last}: "
                "the first board is 1 or more and the last not below it",
                segment=segment.number,
            )
    boards = sum(segment.last - segment.first + 1 for segment in command.segments)
    if boards > MAX_BOARDS:
        raise Refusal(
            "too_many_boards", f"A match has at most {MAX_BOARDS} boards, not {boards}", most=MAX_BOARDS
        )
    if command.release.rule is ReleaseRule.DELAY and command.release.seconds <= 0:
        raise Refusal("bad_delay", "A delay needs a number of seconds above 0")
    if command.release.rule in (ReleaseRule.LIVE, ReleaseRule.DELAY) and not (
        command.no_devices or command.imported
    ):
        raise Refusal(
            "devices",
            f"Release rule {command.release.rule} lets a player's second device see the other room: "
            "state that players have no devices (no_devices), or choose board or match",
        )
    if len(command.streams) > MOST_STREAMS or not all(map(_is_sound, command.streams)):
        raise Refusal(
            "bad_stream",
            f"A match links to at most {MOST_STREAMS} streams, each with a title and an address that begins "
            "with https://",
            most=MOST_STREAMS,
        )
    known = {str(key) for key in boards_of(command.segments)}
    stray = sorted(set(command.deals) - known)
    if stray:
        raise Refusal("stray_deal", f"There is a deal for board {stray[0]}, which the match does not have")
    if command.correction_minutes < 0:
        raise Refusal("bad_correction_period", "The correction period is 0 minutes or more")
    return MatchCreated(
        title=command.title,
        home=command.home,
        visitors=command.visitors,
        segments=tuple(replace(segment, lineups={}) for segment in command.segments),
        scale=command.scale,
        imp_scale=command.imp_scale,
        penalty_scale=command.penalty_scale,
        carry_over=command.carry_over,
        release=command.release,
        correction_minutes=command.correction_minutes,
        no_devices=command.no_devices,
        deals=command.deals,
        challenge=command.challenge,
        imported=command.imported,
        starts_at=command.starts_at,
        language=command.language,
        streams=command.streams,
    )


def _is_sound(stream: VideoStream) -> bool:
    host = stream.url.removeprefix("https://").partition("/")[0]
    is_plain = stream.url.isascii() and stream.url.isprintable() and not set(stream.url) & set(' \\"<>')
    return bool(stream.title.strip()) and stream.url.startswith("https://") and "." in host and is_plain


def _lineups(command: CreateMatch) -> Iterator[LineupNamed]:
    """Line-ups as facts of their own: creation is public at once, they with the segment's first board."""
    for segment in command.segments:
        for room in Room:
            seats = segment.lineups.get(room)
            if seats:
                yield LineupNamed(segment.number, room, seats)


def _comment(state: MatchState, command: Comment) -> CommentMade:
    key = BoardKey(command.segment, command.board)
    board = state.boards.get(key)
    if board is None:
        raise NoSuchThing("no_such_board", f"The match has no board {key}", board=str(key))
    table = board.rooms[command.room]
    if not 0 <= command.call <= len(table.calls) or not 0 <= command.card <= len(table.cards):
        raise Refusal(
            "no_such_position",
            f"Board {key} stands at call {len(table.calls)} and card {len(table.cards)} in this room",
            call=len(table.calls),
            card=len(table.cards),
        )
    text = command.text.strip()
    if not text or len(text) > MAX_COMMENT:
        raise Refusal("bad_comment", f"A comment has 1 to {MAX_COMMENT} characters", most=MAX_COMMENT)
    check_match(state, command)
    return CommentMade(key, command.room, command.author, command.language, text, command.call, command.card)
