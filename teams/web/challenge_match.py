"""What captains do in the match of their challenge: name their line-up, agree on the score or dispute it, clear
alarms together.
"""

import sqlite3
from datetime import datetime

from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.feeds.match_stream import MATCH, MatchStream
from broadcast.feeds.streams import StreamKey
from broadcast.house.relational import raw_job
from broadcast.storage.connections import Connection
from broadcast.tables.commands import ClearAlarm, ConfirmScore, DisputeScore
from broadcast.tables.errors import NoSuchThing, Refusal
from broadcast.tables.setup import PlayerName
from broadcast.tables.state import MatchState
from broadcast.web import command_json as read
from broadcast.web.house import House
from teams.captains.known_alarms import known_alarms
from teams.ladder.challenges import Challenge
from teams.ladder.challenges import Side as ChallengeSide
from teams.ladder.commands import NameSeats
from teams.members.names import clean_name
from teams.members.rosters import Team as Roster
from teams.storage import agreements, confirmations

CONFIRMED = "confirmed"
"""The reason of a closing by both captains' agreement."""


async def confirm_score(house: House, challenge: Challenge, side: ChallengeSide, by: str) -> frozenset[str]:
    """Agree with the score as it stands; when both captains do, the correction period ends (Law 79C).

    Answers who agrees by now, also to who asks again after their agreement closed the match. Raises ``Refusal``
    ``not_scored`` while a board is open and after any other closing, ``score_changed`` where what both agreed
    on stands no more.
    """
    match, state = await match_of(house, challenge)
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


async def agree_on_alarm(
    house: House, challenge: Challenge, side: ChallengeSide, alarm: str, by: str
) -> frozenset[ChallengeSide]:
    """Want a blocking alarm cleared; when both captains do, it is.

    Raises ``NoSuchThing``, or ``Refusal`` ``alarm_changed`` where what both agreed on stands no more.
    """
    match, state = await match_of(house, challenge)
    if alarm not in {each.id for each in known_alarms(state, match.public.match)}:
        raise NoSuchThing("no_such_alarm", f"No alarm {alarm} is open", alarm=alarm)

    def store(connection: sqlite3.Connection, now: datetime) -> dict[ChallengeSide, str]:
        return agreements.agree(connection, challenge.id, alarm, side, state.alarm_standing, by)

    agreed = await house.writer.write(raw_job(store))
    if agreed.keys() == set(ChallengeSide):
        # An entry may have come while this was stored: the match compares what was agreed with what stands.
        command = ClearAlarm(alarm, "both captains agree", state.alarm_standing, tuple(agreed.values()))
        await house.writer.perform(match.key, command, by=by)
    return frozenset(agreed)


async def dispute(house: House, challenge: Challenge, command: DisputeScore, by: str) -> None:
    """The score of a board is not agreed with; the match stays open until it is settled. Raises ``Refusal``."""
    match, _ = await match_of(house, challenge)
    await house.writer.perform(match.key, command, by=by)


async def named_seats(
    house: House, challenge: Challenge, side: ChallengeSide, roster: Roster, body: read.Fields
) -> NameSeats:
    """A line-up of one room: ``{"segment", "room", "seats"}``. Raises as ``named_lineup`` does."""
    room = read.code(body, "room", Room)
    asked = {"segment": read.whole(body, "segment", 1), "rooms": {room.value: read.table(body, "seats")}}
    return await named_lineup(house, challenge, side, roster, asked)


async def named_lineup(
    house: House, challenge: Challenge, side: ChallengeSide, roster: Roster, body: read.Fields
) -> NameSeats:
    """Who sits for a team in a segment, named before the match has started: ``{"segment", "rooms"}``.

    ``rooms`` by room have seats, each with ``{"id"}`` of a player of the roster, or the name of a
    substitute. What was named before in a room that is not named here stands. Which seats and how many
    substitutes a team has the ladder decides. Raises ``Refusal``.
    """
    _, state = await match_of(house, challenge)
    number = read.whole(body, "segment", 1)
    if state.segment(number) is None:
        raise NoSuchThing("no_such_segment", f"The match has no segment {number}")
    given = read.table(body, "rooms")
    named = {room: _named(read.table(given, room.value), roster) for room in Room if room.value in given}
    return NameSeats(challenge.id, challenge.team(side), number, named)


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
            named[Seat(text)] = PlayerName(clean_name(read.text(seats, text), "player's name"))
    return named


async def match_of(house: House, challenge: Challenge) -> tuple[MatchStream, MatchState]:
    """The challenge's match as it stands. Raises ``Refusal`` where there is none yet."""
    match = None if challenge.match is None else await house.writer.stream(StreamKey(MATCH, challenge.match))
    if not isinstance(match, MatchStream) or match.match is None:
        raise Refusal("challenge_state", "The challenge has no match yet", state=challenge.state.code)
    return match, match.match
