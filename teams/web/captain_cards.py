"""A challenge as its captain's page shows it: what it needs, what may be done, times in the captain's zone."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from broadcast.bridge.rooms import Room
from broadcast.feeds import role_views
from broadcast.feeds.match_stream import MatchStream
from broadcast.feeds.public_json import status
from broadcast.notation.time_zones import city
from broadcast.storage.database import Database
from broadcast.tables.alarms import Alarm, skipped, taken_back
from broadcast.tables.lineups import is_closed, seats_of
from broadcast.tables.setup import PlayerName, ReleaseRule
from broadcast.tables.state import MatchState
from broadcast.web.house import House
from teams.captains.known_alarms import known_alarms
from teams.captains.needs import MatchFacts, Need, deadline_of, due_at, needs_of, urgency
from teams.captains.zones import Times, suggested
from teams.ladder.challenges import Accepted, Challenge, Playing, Side, seats_key
from teams.ladder.dates import MOST_DATES
from teams.ladder.eligibility import Outcome, promised
from teams.ladder.fixture import NS_OPEN, boards_of, team_of
from teams.ladder.seating import SUBSTITUTES
from teams.ladder.state import LadderState
from teams.members.rosters import Player, Team
from teams.storage import agreements, captain_settings, club_store, confirmations, team_store
from teams.web.captain_links import Taker, takers

OFFERED_AT_ONCE = 5
"""Fields for dates on the page, where the ladder does not want more."""


@dataclass(frozen=True, slots=True)
class OfferedDate:
    value: str
    """ISO 8601 in UTC, as the choice sends it."""
    here: str
    there: str
    """In the other captain's zone."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What the form for dates needs."""

    values: tuple[str, ...]
    """Of its fields, in the captain's zone; the last ones, and all once dates stand, are empty."""
    least: int
    within_days: int
    earliest: str
    latest: str
    from_hour: int
    to_hour: int
    club_zone: str


@dataclass(frozen=True, slots=True)
class SeatChoice:
    name: str
    """Of the form's field: ``open_N``."""
    seat: str
    chosen: str
    """Id of the player, ``substitute1``, or empty."""


@dataclass(frozen=True, slots=True)
class LineupForm:
    rooms: tuple[tuple[str, tuple[SeatChoice, ...]], ...]
    players: tuple[Player, ...]
    substitutes: tuple[str, ...]
    """Names as they were given, one for every substitute that may be."""
    is_refused: bool = False
    """Whether this is what was sent and refused, and not what stands."""

    @property
    def missing(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """By room, the seats for which nobody is named; nothing before the first is, and once all are."""
        if self.is_refused or not any(seat.chosen for _, seats in self.rooms for seat in seats):
            return ()
        open_seats = (
            (room, tuple(seat.seat for seat in seats if not seat.chosen)) for room, seats in self.rooms
        )
        return tuple((room, seats) for room, seats in open_seats if seats)


@dataclass(frozen=True, slots=True)
class AlarmLine:
    id: str
    kind: str
    board: str
    room: str | None
    words: str | None
    """What the captain who disputes has written."""
    own: bool
    theirs: bool
    """Who wants it cleared."""


@dataclass(frozen=True, slots=True)
class Card:
    id: str
    ladder: Mapping[str, str]
    team: Mapping[str, str]
    opponent: Mapping[str, str]
    is_defender: bool
    state: str
    needs: tuple[str, ...]
    deadline: str | None
    """For the next step."""
    lapses: str | None
    """When the clock acts, after the grace, where that is later."""
    ends: datetime | None
    win: Outcome
    loss: Outcome
    boards: int
    own_boards: int
    """The ladder's number, where another was proposed."""
    is_free_to_decline: bool
    dates: tuple[OfferedDate, ...]
    there: str | None
    """The other captain's city, where that is another zone."""
    offer: Offer | None
    lineup: LineupForm | None
    has_lineup: bool
    has_their_lineup: bool
    match: str | None
    starts: str | None
    starts_there: str | None
    alarms: tuple[AlarmLine, ...]
    taken_back: tuple[tuple[Mapping[str, Any], str], ...]
    """Final results taken back after they had made a board public, with the time in words."""
    skipped: tuple[tuple[str, str], ...]
    """Boards that a room has skipped, with the room."""
    score: tuple[float, float] | None
    """IMPs of the defender and of the challenger, once the last result is public."""
    board_keys: tuple[str, ...]
    """Boards whose score may be disputed."""
    has_confirmed: bool
    have_confirmed: bool
    may_operate: bool
    """Operators' links may be made."""
    links: tuple[tuple[Taker, str], ...] = ()
    """Those that captains have made, with the time in words."""


def card_key(card: Card) -> tuple[bool, bool, datetime]:
    """To sort cards by, the most urgent first."""
    return urgency(tuple(Need(need) for need in card.needs), card.ends)


async def card_of(house: House, state: LadderState, challenge: Challenge, team: Team, times: Times) -> Card:
    """The challenge for the captain of one of its teams."""
    now, side = house.clock.now(), challenge.side_of(team.id)
    assert side is not None  # noqa: S101 - asked for the team's own challenges only
    match = None if challenge.match is None else await house.match(challenge.match)
    facts = await facts_of(house, challenge, match)
    opponent = challenge.team(side.other)
    there = await _zone_of(house.database, opponent, state.rules.time_zone)
    needs = needs_of(challenge, side, facts, now)
    ends, due = deadline_of(challenge, facts, state.rules), due_at(challenge)
    playing = challenge.state if isinstance(challenge.state, Playing) else None
    rooms_state = None if match is None else match.match
    win, loss = promised(challenge)
    return Card(
        id=challenge.id,
        ladder={"id": state.id, "name": state.name, "kind": state.kind.value},
        team={"id": team.id, "name": team.name},
        opponent={"id": opponent, "name": state.entrants[opponent].name},
        is_defender=side is Side.DEFENDER,
        state=challenge.state.code,
        needs=tuple(need.value for need in needs),
        deadline=times.tell(due or ends),
        lapses=None if due is None or due == ends else times.tell(ends),
        ends=ends,
        win=win,
        loss=loss,
        boards=boards_of(state, challenge),
        own_boards=state.rules.boards,
        is_free_to_decline=state.entrants[challenge.defender].declines < state.rules.free_declines,
        dates=_dates(challenge, times, there, now),
        there=None if there == times.zone else city(there, times.language),
        offer=_offer(state, challenge, side, times, now),
        lineup=_lineup(playing, side, rooms_state, team),
        has_lineup=playing is not None and side in playing.present,
        has_their_lineup=playing is not None and side.other in playing.present,
        match=challenge.match,
        starts=times.tell(None if playing is None else playing.starts_at),
        starts_there=times.tell(None if playing is None else playing.starts_at, there),
        alarms=_alarms(match, facts, side),
        taken_back=_taken_back(match, times),
        skipped=_skipped(rooms_state),
        score=_score(match, facts),
        board_keys=_disputable(rooms_state, facts),
        has_confirmed=side in facts.confirmed,
        have_confirmed=side.other in facts.confirmed,
        may_operate=playing is not None and not facts.is_over and not facts.is_complete,
        links=tuple((each, times.tell(each.at) or "") for each in await takers(house, state, challenge)),
    )


async def facts_of(house: House, challenge: Challenge, match: MatchStream | None) -> MatchFacts:
    """What everybody knows of the match's course; of the log alone its alarms, which concern the captains.

    Where boards become public at the closing only, the captains know by themselves when the last one is played.
    """
    state, public = (None, None) if match is None else (match.match, match.public.match)
    if state is None or public is None:
        return MatchFacts()
    alarms = tuple(alarm.id for alarm in known_alarms(state, public))
    agreed, confirmed = await house.database.read(
        lambda connection: (
            agreements.agreed(connection, challenge.id, state.alarm_standing),
            confirmations.confirmed(connection, challenge.id, state.standing),
        )
    )
    is_over = state.closed is not None or state.voided is not None
    return MatchFacts(
        is_started=public.is_started,
        is_complete=status(public) == "scored",
        is_secret=public.release.rule is ReleaseRule.MATCH,
        is_over=is_over,
        closes_at=public.closes_at if status(public) == "scored" and not alarms else None,
        alarms=alarms,
        agreed=agreed,
        confirmed=confirmed,
    )


async def _zone_of(database: Database, team: str, otherwise: str) -> str:
    """The time zone of a team's captain; the club's where that is not known."""

    def read(connection: sqlite3.Connection) -> str:
        for account in (*team_store.leaders(connection, team), *club_store.officers(connection, team)):
            zone = captain_settings.read(connection, account).time_zone
            if zone is not None:
                return zone
        return otherwise

    return await database.read(read)


def _dates(challenge: Challenge, times: Times, there: str, now: datetime) -> tuple[OfferedDate, ...]:
    """Those still to come."""
    state = challenge.state
    if not isinstance(state, Accepted):
        return ()
    return tuple(
        OfferedDate(at.isoformat(), times.tell(at) or "", times.tell(at, there) or "")
        for at in state.offered
        if at > now
    )


def _offer(state: LadderState, challenge: Challenge, side: Side, times: Times, now: datetime) -> Offer | None:
    accepted, rules = challenge.state, state.rules
    if not isinstance(accepted, Accepted) or side is not Side.DEFENDER:
        return None
    if accepted.offered:
        values, most = [], MOST_DATES - sum(at > now for at in accepted.offered)
    else:
        values = [times.field(at) for at in suggested(rules, now, rules.dates_least)]
        most = MOST_DATES
    many = min(most, max(OFFERED_AT_ONCE, rules.dates_least))
    return Offer(
        values=(*values, *[""] * (many - len(values))),
        least=rules.dates_least,
        within_days=rules.dates_within_days,
        earliest=times.field(now),
        latest=times.field(now.replace(microsecond=0) + timedelta(days=rules.dates_within_days)),
        from_hour=rules.day_begins,
        to_hour=rules.day_ends,
        club_zone=city(rules.time_zone, times.language),
    )


def _lineup(playing: Playing | None, side: Side, match: MatchState | None, team: Team) -> LineupForm | None:
    if playing is None or match is None or is_closed(match, team_of(side)):
        return None
    named = [player for room in Room for player in playing.seats.get(seats_key(side, room), {}).values()]
    names = [player.name for player in named if player.id is None]
    rooms = tuple((room.value, tuple(_choices(playing, side, room, names))) for room in Room)
    return LineupForm(rooms, team.players, tuple([*names, *[""] * SUBSTITUTES][:SUBSTITUTES]))


def with_refused_lineup(card: Card, form: Mapping[str, str]) -> Card:
    """The card whose form for the line-up keeps what was chosen in it and refused."""
    if card.lineup is None:
        return card
    rooms = tuple(
        (room, tuple(replace(seat, chosen=form.get(seat.name, "")) for seat in seats))
        for room, seats in card.lineup.rooms
    )
    substitutes = tuple(form.get(f"substitute{number}", "") for number in range(1, SUBSTITUTES + 1))
    return replace(card, lineup=replace(card.lineup, rooms=rooms, substitutes=substitutes, is_refused=True))


def _choices(playing: Playing, side: Side, room: Room, substitutes: Sequence[str]) -> Sequence[SeatChoice]:
    named = playing.seats.get(seats_key(side, room), {})
    return [
        SeatChoice(f"{room.value}_{seat.value}", seat.value, _chosen(named.get(seat), substitutes))
        for seat in sorted(seats_of(team_of(side), NS_OPEN, room), key="NESW".index)
    ]


def _chosen(player: PlayerName | None, substitutes: Sequence[str]) -> str:
    if player is None:
        return ""
    return player.id or f"substitute{substitutes.index(player.name) + 1}"


def _alarms(match: MatchStream | None, facts: MatchFacts, side: Side) -> tuple[AlarmLine, ...]:
    if match is None or match.match is None or facts.is_over:
        return ()
    known = known_alarms(match.match, match.public.match)
    return tuple(_alarm(match.match, alarm, facts, side) for alarm in known)


def _taken_back(match: MatchStream | None, times: Times) -> tuple[tuple[Mapping[str, Any], str], ...]:
    """Once it is public that they were, as the board is final again: before, a captain who plays would learn
    what a room does. The director sees it at once.
    """
    public, state = (None, None) if match is None else (match.public.match, match.match)
    if public is None or state is None:
        return ()
    alarms = (alarm for alarm in taken_back(public) if alarm.id not in state.cleared)
    told = (role_views.taken_back(public, alarm) for alarm in alarms)
    return tuple(
        (facts, times.tell(datetime.fromisoformat(facts["at"])) or "") for facts in told if facts is not None
    )


def _skipped(match: MatchState | None) -> tuple[tuple[str, str], ...]:
    if match is None or match.closed is not None or match.voided is not None:
        return ()
    return tuple(
        (str(alarm.key.number), alarm.room.value) for alarm in skipped(match) if alarm.room is not None
    )


def _alarm(match: MatchState, alarm: Alarm, facts: MatchFacts, side: Side) -> AlarmLine:
    agreed = facts.agreed.get(alarm.id, frozenset())
    words = match.disputes.get(alarm.key) if alarm.kind == "disputed" else None
    room = None if alarm.room is None else alarm.room.value
    return AlarmLine(
        alarm.id, alarm.kind, str(alarm.key.number), room, words, side in agreed, side.other in agreed
    )


def _score(match: MatchStream | None, facts: MatchFacts) -> tuple[float, float] | None:
    summary = None if match is None or not facts.is_complete else match.summary()
    totals = None if summary is None else summary.body.get("totals")
    return None if totals is None else (totals["imps"]["home"], totals["imps"]["visitors"])


def _disputable(match: MatchState | None, facts: MatchFacts) -> tuple[str, ...]:
    may_be_over = facts.is_complete or (facts.is_secret and facts.is_started)
    if match is None or not may_be_over or facts.is_over:
        return ()
    return tuple(str(key) for key in match.boards)
