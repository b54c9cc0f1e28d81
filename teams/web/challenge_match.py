"""What captains do in the match of their challenge: name their line-up, agree on the score."""

import sqlite3
from datetime import datetime

from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.seats import Seat, Side
from broadcast.feeds.match_stream import MATCH, MatchStream
from broadcast.feeds.streams import StreamKey
from broadcast.storage.connections import Connection
from broadcast.tables.commands import ConfirmScore
from broadcast.tables.errors import NoSuchThing, Refusal
from broadcast.tables.setup import PlayerName
from broadcast.tables.state import MatchState
from broadcast.web import command_json as read
from broadcast.web.house import House
from teams.ladder.challenges import Challenge
from teams.ladder.challenges import Side as ChallengeSide
from teams.ladder.commands import NameSeats
from teams.members.rosters import Team as Roster
from teams.storage import confirmations

CONFIRMED = "confirmed"
"""The reason of a closing by both captains' agreement."""
SUBSTITUTES = 2
"""Players not on the roster whom a team may field (club regulation, rule 9)."""


async def confirm_score(house: House, challenge: Challenge, side: ChallengeSide, by: str) -> frozenset[str]:
    """Agree with the score as it stands; when both captains do, the correction period ends (Law 79C).

    Answers who agrees by now, also to who asks again after their agreement closed the match. Raises ``Refusal``
    ``not_scored`` while a board is open and after any other closing, ``score_changed`` where what both agreed
    on stands no more.
    """
    match, state = await _match(house, challenge)
    if state.closed == CONFIRMED and state.voided is None:
        return frozenset(each.value for each in ChallengeSide)
    if not state.is_complete or state.closed is not None or state.voided is not None:
        raise Refusal(
            "not_scored", "The score is confirmed when every board is final and the match is not yet closed"
        )

    def store(connection: sqlite3.Connection) -> frozenset[ChallengeSide]:
        return confirmations.confirm(connection, challenge.id, side, state.standing)

    async def job(connection: Connection, now: datetime) -> frozenset[ChallengeSide]:
        return await connection.run(store)

    agreed = await house.writer.write(job)
    if agreed == frozenset(ChallengeSide):
        # A ruling may have come while this was stored: the match compares what was agreed with what stands.
        await house.writer.perform(match.key, ConfirmScore(by, state.standing), by=by)
    return frozenset(each.value for each in agreed)


async def named_seats(
    house: House, challenge: Challenge, side: ChallengeSide, roster: Roster, body: read.Fields
) -> NameSeats:
    """Who sits for a team in one room of a segment, named before the match has started.

    ``seats`` by seat: ``{"id"}`` of a player of the roster, or the name of a substitute. The ladder puts the
    two captains' seats together, so that neither takes the other's players out. Raises ``Refusal``.
    """
    _, state = await _match(house, challenge)
    segment_number, room = read.whole(body, "segment", 1), read.code(body, "room", Room)
    segment = state.segment(segment_number)
    if segment is None:
        raise NoSuchThing("no_such_segment", f"The match has no segment {segment_number}")
    if state.is_started:
        raise Refusal("match_started", "The match has started: ask the director to change the line-up")
    team = Team.HOME if side is ChallengeSide.DEFENDER else Team.VISITORS
    own_seats = _seats_of(team, segment.ns_open, room)
    named = _named(read.table(body, "seats"), roster)
    if not set(named) <= own_seats:
        seats = sorted(seat.value for seat in own_seats)
        raise Refusal("not_your_seat", f"In the {room} room your team sits {' and '.join(seats)}", seats=seats)
    return NameSeats(challenge.id, challenge.team(side), segment_number, room, named)


def _seats_of(team: Team, ns_open: Team, room: Room) -> frozenset[Seat]:
    """The seats of a team in a room: what is North-South in the open room is East-West in the closed."""
    is_north_south = (team is ns_open) is (room is Room.OPEN)
    side = Side.NS if is_north_south else Side.EW
    return frozenset(seat for seat in Seat if seat.side is side)


def _named(seats: read.Fields, roster: Roster) -> dict[Seat, PlayerName]:
    players = {player.id: player.name for player in roster.players}
    named: dict[Seat, PlayerName] = {}
    for text, given in seats.items():
        if text not in set(Seat):
            raise read.bad_field("seats", "players by seat N, E, S and W")
        if isinstance(given, dict):
            id = read.text(given, "id")
            if id not in players:
                raise Refusal("not_on_roster", f"There is no player {id} on the roster", player=id)
            named[Seat(text)] = PlayerName(players[id], id)
        else:
            named[Seat(text)] = PlayerName(read.text(seats, text))
    fielded = [player.id for player in named.values() if player.id is not None]
    if len(set(fielded)) < len(fielded):
        raise Refusal("player_twice", "A player sits on one seat only")
    if len(named) - len(fielded) > SUBSTITUTES:
        raise Refusal("substitutes", f"A team fields at most {SUBSTITUTES} substitutes", most=SUBSTITUTES)
    return named


async def _match(house: House, challenge: Challenge) -> tuple[MatchStream, MatchState]:
    match = None if challenge.match is None else await house.writer.stream(StreamKey(MATCH, challenge.match))
    if not isinstance(match, MatchStream) or match.match is None:
        raise Refusal("challenge_state", "The challenge has no match yet", state=challenge.state.code)
    return match, match.match
