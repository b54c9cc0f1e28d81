"""Who gets which route: one table, held against the application's own list of routes.

A row's marks stand for the senders in the order of ``SENDERS``: ``+`` the request is taken (what becomes of
it the rules decide), ``-`` 401, no token; ``x`` 403, not with this token; ``0`` 404, there is nothing here.
Requests that would change something are sent without an idempotency key, so that all are refused in the end
and nothing may have changed afterwards.
"""

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.scenarios.entries import auction, opened
from tests.scenarios.outlets import QUERIES, filled, public_streams, routes
from tests.scenarios.whole_house import Answer, Contest, Json, contest, whole_house

SENDERS = (
    "anonymous",
    "pia",  # player
    "ann",  # captain of the home team
    "vic",  # captain of the visitors
    "nil",  # captain of no team in this match
    "cora",  # commentator
    "operator open",  # of the room in the address
    "operator closed",  # of the other room
    "operator elsewhere",  # of another match
    "dora",  # director
    "local",  # the command line, through the socket in the data directory
)
EVERYONE = "+++++++++++"
SIGNED = "-++++++++++"
DIRECTOR = "-xxxxxxxx++"
ACCOUNT = "-+++++xxx+x"
OWN_FORM = "-xxxxxxxxxx"
"""A form of this site, which no request without its Origin sends."""
ROOM = "-xxxxx+xx++"
STAFF = "-xxxx+++x++"
HOME_CAPTAIN = "-x+xxxxxx++"
EITHER_CAPTAIN = "-x++xxxxx++"
ANY_CAPTAIN = "-x+++xxxx++"
FORM_ALONE = "xxxxxxxxxxx"
LOCAL = "xxxxxxxxxx+"
FORM_OF_DIRECTOR = "-xxxxxxxxxx"
"""A form comes from a page of this site, which no bearer token stands for."""

TABLE = {
    # pages and files
    "GET /": EVERYONE,
    "GET /matches": EVERYONE,
    "GET /matches/{match}": EVERYONE,
    "GET /matches/{match}/boards/{board}": EVERYONE,
    "GET /matches/{match}/corrections": EVERYONE,
    "GET /matches/{match}.pbn": EVERYONE,
    "GET /matches/{match}.lin": EVERYONE,
    "GET /matches/{match}/boards/{board}.pbn": EVERYONE,
    "GET /matches/{match}.csv": EVERYONE,
    "GET /search": EVERYONE,
    "GET /search.pbn": EVERYONE,
    "GET /api/search": EVERYONE,
    "GET /data": EVERYONE,
    "GET /openapi.json": EVERYONE,
    "GET /api/events.json": EVERYONE,
    "POST /local/index": "0000000000+",
    "GET /matches/{match}/segments/{segment}.pbn": EVERYONE,
    "GET /matches/{match}/segments/{segment}.lin": EVERYONE,
    "GET /matches/{match}/boards/{board}.lin": EVERYONE,
    "GET /matches/{match}.png": EVERYONE,
    "GET /matches/{match}/boards/{board}.png": EVERYONE,
    "GET /matches.atom": EVERYONE,
    "GET /matches.ics": EVERYONE,
    "GET /ladders/{ladder}.atom": EVERYONE,
    "GET /teams/{team}.atom": EVERYONE,
    "GET /teams/{team}.ics": EVERYONE,
    "GET /ladders": EVERYONE,
    "GET /ladders/{ladder}": EVERYONE,
    "GET /ladders/{ladder}/history": EVERYONE,
    "GET /ladders/{ladder}/seasons": EVERYONE,
    "GET /ladders/{ladder}/seasons/{number}": EVERYONE,
    "GET /ladders/{ladder}/rules": EVERYONE,
    "GET /challenges/{challenge}": EVERYONE,
    # forms, taken from this site's own pages only
    "POST /ladders/{ladder}/challenge": "-xxxxxxxxxx",
    "POST /ladders/{ladder}/rules": "-xxxxxxxxxx",
    "POST /ladders/{ladder}/season": "-xxxxxxxxxx",
    "GET /teams/{team}": EVERYONE,
    "GET /calculator": EVERYONE,
    "GET /embed": EVERYONE,
    "GET /embed.js": EVERYONE,
    "GET /embed.css": EVERYONE,
    "GET /embed/matches": EVERYONE,
    "GET /embed/matches/{match}": EVERYONE,
    "GET /embed/matches/{match}/boards/{board}": EVERYONE,
    "GET /embed/ladders/{ladder}": EVERYONE,
    "GET /embed/teams/{team}": EVERYONE,
    "GET /oembed": EVERYONE,
    "GET /health": "+xxxxxxxx++",
    "GET /metrics": DIRECTOR,
    # public JSON; with a token, /events is the log's stream and the director's
    "GET /api/matches": EVERYONE,
    "GET /api/matches/{match}": EVERYONE,
    "GET /api/matches/{match}/boards/{board}": EVERYONE,
    "GET /api/matches/{match}/corrections": EVERYONE,
    "GET /api/matches/{match}/events": "+xxxxxxxx++",
    "GET /api/teams": EVERYONE,
    "GET /api/teams/{team}": EVERYONE,
    "GET /api/ladders": EVERYONE,
    "GET /api/ladders/{ladder}": EVERYONE,
    "GET /api/ladders/{ladder}/history": EVERYONE,
    "GET /api/ladders/{ladder}/seasons": EVERYONE,
    "GET /api/ladders/{ladder}/events": EVERYONE,
    "GET /api/challenges/{challenge}": EVERYONE,
    "GET /api/tools/score": EVERYONE,
    "GET /api/tools/imps": EVERYONE,
    "GET /api/tools/vps": EVERYONE,
    # the operator's page, which a session opens as the room's token does
    "GET /operate/enter": EVERYONE,
    "POST /operate/session": FORM_ALONE,
    "GET /operate/{match}/{room}": ROOM,
    "GET /operate/{match}/{room}/table": ROOM,
    "GET /operate/{match}/{room}/score": ROOM,
    # a second pair of eyes, by a link of its own
    "GET /confirm/enter": EVERYONE,
    "POST /confirm/session": "xxxxxxxxxxx",
    "GET /confirm/{match}": DIRECTOR,
    "POST /confirm/{match}/checks": "xxxxxxxxxxx",
    "GET /api/matches/{match}/checks": DIRECTOR,
    "POST /api/matches/{match}/checks": DIRECTOR,
    "POST /api/matches/{match}/confirmers": DIRECTOR,
    "DELETE /api/matches/{match}/confirmers": DIRECTOR,
    # records from elsewhere, clocks
    "POST /api/matches/{match}/record": DIRECTOR,
    "GET /desk/{match}/record": DIRECTOR,
    "POST /desk/{match}/record": FORM_OF_DIRECTOR,
    "GET /api/matches/{match}/clocks": DIRECTOR,
    "GET /api/matches/{match}/clocks.csv": DIRECTOR,
    "GET /desk/{match}/clocks": DIRECTOR,
    "POST /desk/{match}/clocks": FORM_OF_DIRECTOR,
    # the rooms and the desk
    "GET /api/matches/{match}/rooms/{room}": ROOM,
    "GET /api/matches/{match}/rooms/{room}/events": ROOM,
    "POST /api/matches/{match}/rooms/{room}/commands": ROOM,
    "POST /api/matches/{match}/comments": STAFF,
    "GET /api/matches/{match}/desk": DIRECTOR,
    "GET /api/matches/{match}/desk/events": DIRECTOR,
    "POST /api/matches": DIRECTOR,
    "POST /api/matches/{match}/rooms/{room}/operators": DIRECTOR,
    "DELETE /api/matches/{match}/rooms/{room}/operators": DIRECTOR,
    "POST /api/matches/{match}/rulings": DIRECTOR,
    "POST /local/imports": "0000000000+",
    # the director's desk
    "GET /desk": DIRECTOR,
    "GET /desk/new": DIRECTOR,
    "GET /desk/{match}": DIRECTOR,
    "GET /desk/{match}/setup": DIRECTOR,
    "GET /desk/{match}/boards/{board}": DIRECTOR,
    "GET /desk/{match}/operators": DIRECTOR,
    "GET /desk/{match}/rulings/{ruling}": DIRECTOR,
    "POST /desk/new": OWN_FORM,
    "POST /desk/{match}/setup": OWN_FORM,
    "POST /desk/{match}/copy": OWN_FORM,
    "POST /desk/{match}/alarms": OWN_FORM,
    "POST /desk/{match}/operators": OWN_FORM,
    "POST /desk/{match}/rulings/{ruling}": OWN_FORM,
    # teams and ladders
    "POST /api/teams": ANY_CAPTAIN,
    "POST /api/teams/{team}/players": HOME_CAPTAIN,
    "POST /api/ladders": DIRECTOR,
    "POST /api/ladders/{ladder}/rules": DIRECTOR,
    "POST /api/ladders/{ladder}/season": DIRECTOR,
    "POST /api/ladders/{ladder}/rest": EITHER_CAPTAIN,
    "GET /api/ladders/{ladder}/targets": EITHER_CAPTAIN,
    "POST /api/ladders/{ladder}/entries": HOME_CAPTAIN,
    "POST /api/ladders/{ladder}/leave": HOME_CAPTAIN,
    "POST /api/ladders/{ladder}/challenges": EITHER_CAPTAIN,
    "POST /api/challenges/{challenge}/{action}": EITHER_CAPTAIN,
    # signing in: forms are taken from the site's own pages only, tests/teams/web sends them
    "GET /sign-in": EVERYONE,
    "POST /sign-in": FORM_ALONE,
    "POST /sign-out": FORM_ALONE,
    "GET /account": "-+++++xxx+x",
    "POST /account/password": "-xxxxxxxxxx",
    "POST /account/sessions": "-xxxxxxxxxx",
    "POST /account/address": "-xxxxxxxxxx",
    "GET /join/{join}": EVERYONE,
    "POST /join/{join}": FORM_ALONE,
    "GET /reset/{reset}": EVERYONE,
    "POST /reset/{reset}": FORM_ALONE,
    "GET /sign-up": EVERYONE,
    "POST /sign-up": FORM_ALONE,
    "GET /forgot": EVERYONE,
    "POST /forgot": FORM_ALONE,
    "GET /accounts": DIRECTOR,
    "POST /accounts/invitations": "-xxxxxxxxxx",
    "POST /accounts/resets": "-xxxxxxxxxx",
    "POST /accounts/links": "-xxxxxxxxxx",
    "GET /accounts/{account}": DIRECTOR,
    "POST /accounts/{account}": "-xxxxxxxxxx",
    # captains, teams and clubs
    "GET /captain": ACCOUNT,
    "GET /captain/inbox": ACCOUNT,
    "POST /captain/inbox": OWN_FORM,
    "POST /captain/settings": OWN_FORM,
    "POST /captain/address": OWN_FORM,
    "POST /captain/challenges/{challenge}/{action}": OWN_FORM,
    "POST /captain/ladders/{ladder}/{action}": OWN_FORM,
    "GET /teams/new": ACCOUNT,
    "POST /teams/new": OWN_FORM,
    "GET /teams/{team}/edit": HOME_CAPTAIN,
    "POST /teams/{team}/edit": OWN_FORM,
    "GET /clubs": EVERYONE,
    "GET /clubs/new": ACCOUNT,
    "POST /clubs/new": OWN_FORM,
    "GET /clubs/{club}": EVERYONE,
    "GET /clubs/{club}/edit": HOME_CAPTAIN,
    "POST /clubs/{club}/edit": OWN_FORM,
    "GET /api/clubs/{club}": EVERYONE,
    "GET /invitations/{invitation}": EVERYONE,
    "POST /invitations/{invitation}": "xxxxxxxxxxx",
    "GET /personal/{secret}.atom": EVERYONE,
    "GET /personal/{secret}.ics": EVERYONE,
    # accounts
    "GET /api/account": SIGNED,
    "DELETE /api/account/token": SIGNED,
    "POST /api/accounts": LOCAL,
    "POST /api/accounts/password": LOCAL,
    "POST /api/accounts/tokens": LOCAL,
    "POST /api/accounts/roles": LOCAL,
    "POST /api/accounts/close": LOCAL,
}
BODIES: dict[str, Json] = {"/local/imports": {"files": []}}
"""What a request must bring to be looked at."""
LASTING = {
    "DELETE /api/account/token",
    "DELETE /api/matches/{match}/rooms/{room}/operators",
    "POST /api/matches/{match}/confirmers",
    "DELETE /api/matches/{match}/confirmers",
    "POST /api/matches/{match}/rooms/{room}/operators",
}
"""They need no key, as what they answer or end is a token, which is never stored: sent last."""


def in_contest(directory: Path, story: Callable[[Contest], Awaitable[None]]) -> None:
    async def told() -> None:
        async with whole_house(directory) as house:
            played = await contest(house)
            await played.enter("open", opened(1), *auction(1, "1NT Pass"))
            await story(played)

    asyncio.run(told())


def offered(contest: Contest) -> set[str]:
    return {
        f"{method} {route.path}"
        for route in routes(contest)
        for method in (route.methods or ())
        if method != "HEAD"
    }


async def sent(contest: Contest, sender: str, method: str, path: str) -> Answer:
    address = "?".join(filter(None, (filled(path, contest)[0], QUERIES.get(path, [""])[0])))
    if path == "/api/ladders/{ladder}/targets" and sender in ("dora", "local"):
        address += f"?team={contest.teams['home']}"
    given = {"team": contest.teams["home"]} if path.endswith(("/entries", "/leave")) else BODIES.get(path, {})
    body = json.dumps(given).encode()
    headers = {"Content-Type": "application/json"}
    return await contest.house.ask(
        method, address, contest.tokens.get(sender), body, headers, local=sender == "local"
    )


async def renew_tokens(contest: Contest) -> None:
    """Good tokens for all, whatever was ended before."""
    house = contest.house
    for name in ("dora", "cora", "pia", "ann", "vic", "nil"):
        house.tokens[name] = await house.members.add_token(name)
    for room in ("open", "closed"):
        path = f"/api/matches/{contest.match}/rooms/{room}/operators"
        house.tokens[f"operator {room}"] = (await house.done(path, {}, house.tokens["dora"]))["token"]


def mark(answer: Answer) -> str:
    return {401: "-", 403: "x", 404: "0"}.get(answer.status, "+")


def stored(directory: Path) -> list[str]:
    """All that the house has written, as text."""
    with sqlite3.connect(directory / "house.db") as connection:
        return list(connection.iterdump())


def test_table_has_a_row_for_every_route(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        assert offered(contest) == set(TABLE)

    in_contest(tmp_path, story)


def test_every_sender_gets_the_routes_of_the_table_and_refused_requests_change_nothing(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        before = stored(tmp_path)
        found: dict[str, str] = {}
        for row in sorted(TABLE, key=LASTING.__contains__):
            if row in LASTING and not LASTING & set(found):
                assert stored(tmp_path) == before
            if row in LASTING:
                await renew_tokens(contest)
            method, path = row.split()
            answers = [await sent(contest, sender, method, path) for sender in SENDERS]
            found[row] = "".join(map(mark, answers))
            assert max(answer.status for answer in answers) < 500, row
            if method == "GET":
                assert {answer.status for answer in answers if mark(answer) == "+"} == {200}, row
        assert found == TABLE

    in_contest(tmp_path, story)


MEASURING = {"/health", "/metrics"}
"""What they answer has changed by the next request."""


def test_head_answers_like_get(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        for row in TABLE:
            method, path = row.split()
            if method != "GET":
                continue
            for sender in SENDERS:
                get = await sent(contest, sender, "GET", path)
                head = await sent(contest, sender, "HEAD", path)
                assert (head.status, head.body) == (get.status, b""), (row, sender)
                if path not in MEASURING:
                    assert head.header("content-length") == get.header("content-length"), (row, sender)

    in_contest(tmp_path, story)


def test_public_streams_are_the_same_for_every_sender(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        for address in public_streams(contest):
            bodies = set()
            for sender in SENDERS:
                answer = await contest.house.get(address, contest.tokens.get(sender))
                assert answer.status == 200
                bodies.add(answer.body.partition(b"\n\n")[2])
                head = await contest.house.ask("HEAD", address, contest.tokens.get(sender))
                assert (head.status, head.body) == (200, b""), address
            assert len(bodies) == 1, address

    in_contest(tmp_path, story)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "BREW"])
def test_method_that_a_route_does_not_have_is_refused_and_says_which_it_has(
    tmp_path: Path, method: str
) -> None:
    async def story(contest: Contest) -> None:
        paths = {route.path for route in routes(contest)}
        for path in sorted(path for path in paths if f"{method} {path}" not in TABLE):
            answer = await sent(contest, "dora", method, path)
            assert (answer.status, answer.json()["error"]) == (405, "method_not_allowed"), path
            assert answer.header("allow"), path
        for address in public_streams(contest):
            answer = await contest.house.ask(method, address)
            assert (answer.status, answer.json()["error"], answer.header("allow")) == (
                405,
                "method_not_allowed",
                "GET, HEAD",
            )

    in_contest(tmp_path, story)


@pytest.mark.parametrize("token", ["", "forged", "x" * 5000, "ü".encode().decode("latin-1")])
def test_token_that_is_not_known_opens_nothing(tmp_path: Path, token: str) -> None:
    async def story(contest: Contest) -> None:
        for row, marks in TABLE.items():
            if marks.startswith("-"):
                method, path = row.split()
                answer = await contest.house.ask(method, filled(path, contest)[0], token)
                assert answer.status == 401, row
                if path.startswith("/api/"):
                    assert answer.header("www-authenticate") == "Bearer"

    in_contest(tmp_path, story)
