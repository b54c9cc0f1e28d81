"""A session gives an account what a token gives it: every row of the roles' table once more, by cookie."""

import json
from pathlib import Path

from teams.storage.sessions import Sessions
from tests.scenarios.outlets import QUERIES, filled
from tests.scenarios.test_roles import BODIES, SENDERS, TABLE, in_contest, mark
from tests.scenarios.whole_house import Answer, Contest

PUBLIC_BY_COOKIE = {"GET /health", "GET /api/matches/{match}/events"}
"""They look at tokens only: whoever is signed in sees there what everybody sees."""
WITH_TEAM = ("/entries", "/leave")


async def cookie_of(contest: Contest, name: str) -> str:
    sessions = Sessions(contest.house.house.database, contest.house.house.writer)
    secret, _ = await sessions.begin((await contest.house.members.account(name)).id, "test")
    return f"twinroom={secret}"


async def sent(contest: Contest, cookie: str, row: str) -> Answer:
    method, path = row.split()
    address = "?".join(filter(None, (filled(path, contest)[0], QUERIES.get(path, [""])[0])))
    if path == "/api/ladders/{ladder}/targets":
        address += f"?team={contest.teams['home']}"
    given = {"team": contest.teams["home"]} if path.endswith(WITH_TEAM) else BODIES.get(path, {})
    headers = {
        "Content-Type": "application/json",
        "Cookie": cookie,
        "Host": "club.example",
        "Origin": "http://club.example",
    }
    return await contest.house.ask(method, address, None, json.dumps(given).encode(), headers)


def test_session_opens_what_a_token_of_the_account_opens(tmp_path: Path) -> None:
    """Forms, which no token opens, are sent by tests of their own; a director's session is at least let in."""

    async def story(contest: Contest) -> None:
        director = SENDERS.index("dora")
        for name in ("pia", "ann", "dora"):
            cookie = await cookie_of(contest, name)
            found = {row: await sent(contest, cookie, row) for row in TABLE}
            assert max(answer.status for answer in found.values()) < 500
            for row, marks in TABLE.items():
                if marks[director] == "+":
                    expected = "+" if row in PUBLIC_BY_COOKIE else marks[SENDERS.index(name)]
                    assert mark(found[row]) == expected, (row, name, found[row].body)

    in_contest(tmp_path, story)
