"""Operators' links that captains make for the match of their challenge: who may, and that the others know.

In a match between two captains somebody has to hand the links out, and the one who does could look. So the rule
of ``teams.captains.room_links`` keeps links from who plays, and each link is told to the other side at once, as
a message and on both captains' pages with its time; a director sees them on the desk. Nobody is asked for
leave: a table must not wait for a captain who does not answer.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from broadcast.bridge.rooms import Room
from broadcast.house.relational import raw_job
from broadcast.storage.operator_link_store import (
    TakenLink,
    count_links_of,
    count_links_taken,
    end_links_taken,
    links_taken,
)
from broadcast.web.authority import Who, new_token, store_operator
from broadcast.web.house import House
from broadcast.web.operator_links import link_of
from teams.captains.messages import MessageKind, Told
from teams.captains.room_links import MOST_LETTERS, check_may_take, check_number, plays_on
from teams.ladder.challenges import Challenge, Side
from teams.ladder.fixture import team_of
from teams.ladder.state import LadderState
from teams.storage import account_store, inbox_store, team_store
from teams.storage.letterbox import leaders_of
from teams.web.challenge_match import match_of
from teams.web.ladder_requests import found_challenge
from teams.web.messages_by_mail import MessagesByMail


@dataclass(frozen=True, slots=True)
class Taker:
    """A link as both captains' pages show it."""

    room: str
    name: str
    team: str
    """Name of the team; empty for somebody who leads neither any more."""
    at: datetime
    is_good: bool


async def take_link(
    house: House, state: LadderState, challenge: Challenge, side: Side, sender: Who, room: Room
) -> str:
    """A link to enter one room, shown this once.

    Raises ``Refusal`` ``captain_plays match_closed too_many_links``.
    """
    player = await _player_of(house, sender.account)
    match, now_there = await match_of(house, challenge)
    check_may_take(now_there, challenge, player)
    token, other = new_token(), challenge.team(side.other)
    named = state.entrants[challenge.team(side)].name
    facts = {
        "ladder": state.name,
        "team": state.entrants[other].name,
        "challenge": challenge.id,
        "match": match.key.id,
        "room": room.value,
        "name": sender.name,
        "of": named,
    }

    def store(connection: sqlite3.Connection, now: datetime) -> None:
        id, day_ago = match.key.id, now - timedelta(days=1)
        check_number(count_links_taken(connection, id, room, sender.by, now, day_ago), room)
        store_operator(connection, now, token, id, room, sender.by, team_of(side))
        told = Told(other, MessageKind.OPERATOR_LINK, facts, 0, now)
        recent = count_links_of(connection, id, team_of(side), now - timedelta(hours=1))
        _tell(house, connection, state.id, told, sender.account, by_letter=recent <= MOST_LETTERS)

    await house.writer.write(raw_job(store))
    house.mail.wake()
    # A line-up may have been named while this was stored: what is stored now is what is asked.
    _, challenge = await found_challenge(house, challenge.id)
    try:
        check_may_take((await match_of(house, challenge))[1], challenge, player)
    except Exception:
        await _end(house, match.key.id, [sender.by])
        raise
    return link_of(house, token)


def _tell(
    house: House, connection: sqlite3.Connection, ladder: str, told: Told, taker: str | None, *, by_letter: bool
) -> None:
    """Everybody who leads the other side; who leads both knows."""
    for account in leaders_of(connection, told.team):
        if account != taker:
            inbox_store.note(connection, account, ladder, told)
            if by_letter:
                MessagesByMail(house.mail, house.origin).put(connection, told.at, [(account, told)])


async def end_links_of_players(house: House, challenge_id: str) -> None:
    """Withdraw the links of who has been named in a line-up: now they play."""
    _, challenge = await found_challenge(house, challenge_id)
    match, state = await match_of(house, challenge)
    good = {link.by for link in await _taken(house, match.key.id) if link.is_good}

    def playing(connection: sqlite3.Connection) -> list[str]:
        players = {by: _player_named(connection, by) for by in good}
        return [by for by, player in players.items() if plays_on(state, challenge, player) is not None]

    makers = await house.database.read(playing)
    if makers:
        await _end(house, match.key.id, makers)


async def takers(house: House, state: LadderState, challenge: Challenge) -> tuple[Taker, ...]:
    """The links that captains have made for the challenge's match, the oldest first."""
    if challenge.match is None:
        return ()
    links = await _taken(house, challenge.match)

    def read(connection: sqlite3.Connection) -> tuple[Taker, ...]:
        return tuple(_taker(connection, state, challenge, link) for link in links)

    return await house.database.read(read)


def _taker(connection: sqlite3.Connection, state: LadderState, challenge: Challenge, link: TakenLink) -> Taker:
    name = link.by.partition(":")[2]
    account = account_store.find_named(connection, name)
    team = next(
        (
            state.entrants[team].name
            for team in challenge.pair
            if account is not None and account.id in leaders_of(connection, team)
        ),
        "",
    )
    return Taker(link.room.value, name, team, link.at, link.is_good)


async def _taken(house: House, match: str) -> tuple[TakenLink, ...]:
    now = house.clock.now()
    return await house.database.read(lambda connection: links_taken(connection, match, now))


async def _end(house: House, match: str, makers: Sequence[str]) -> None:
    await house.writer.write(raw_job(lambda raw, now: end_links_taken(raw, match, makers, now)))


async def _player_of(house: House, account: str | None) -> str | None:
    return await house.database.read(lambda connection: team_store.find_player(connection, account))


def _player_named(connection: sqlite3.Connection, by: str) -> str | None:
    account = account_store.find_named(connection, by.partition(":")[2])
    return None if account is None else team_store.find_player(connection, account.id)
