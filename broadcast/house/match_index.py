"""Keeps the index of boards in step with the matches: part of the transaction that changes a match."""

import sqlite3
from collections.abc import Iterator

from broadcast.feeds.board_lines import board_lines, changed_lines
from broadcast.feeds.match_stream import MatchStream
from broadcast.feeds.streams import Stream
from broadcast.storage import board_index


class MatchIndex:
    """Fulfils ``broadcast.house.kinds.Index`` for matches."""

    def update(self, connection: sqlite3.Connection, before: Stream, after: Stream) -> None:
        if isinstance(before, MatchStream) and isinstance(after, MatchStream):
            board_index.write_lines(
                connection, after.id, *_names(after), changed_lines(before.public, after.public)
            )

    def renew(self, connection: sqlite3.Connection, stream: Stream) -> None:
        if isinstance(stream, MatchStream):
            board_index.forget(connection, stream.id)
            board_index.write_lines(connection, stream.id, *_names(stream), board_lines(stream.public))

    def check(self, connection: sqlite3.Connection, stream: Stream) -> Iterator[str]:
        if not isinstance(stream, MatchStream):
            return
        expected = board_index.expected_lines(stream.id, *_names(stream), board_lines(stream.public))
        stored = board_index.stored_lines(connection, stream.id)
        for place in sorted(expected.keys() | stored.keys()):
            board = f"board {place[0]}.{place[1]}"
            if place not in stored:
                yield f"lacks {board}"
            elif place not in expected:
                yield f"has {board}, which is not public"
            elif stored[place] != expected[place]:
                yield f"has {board} otherwise than the log gives it"


def _names(stream: MatchStream) -> tuple[list[str], str]:
    """The teams' names and ids, and the titles of the match."""
    match = stream.public.match
    if match is None:
        return [], ""
    created = match.created
    teams = [text for team in (created.home, created.visitors) for text in (team.name, team.id) if text]
    return teams, created.title
