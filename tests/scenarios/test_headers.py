"""Headers by class of route, and what a request must bring: content type, size, key.

No answer sets a cookie. No page may be framed but embeds, and none runs a script written
into it. What is public may be read by scripts of any site; what a token opens may not.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from broadcast.web.requests import MAX_BODY, MAX_KEY
from tests.scenarios.entries import auction, opened
from tests.scenarios.outlets import filled, public_streams, routes
from tests.scenarios.test_roles import TABLE
from tests.scenarios.whole_house import Answer, Contest, contest, whole_house
from tests.teams.web.browsing import PASSWORD, Browser, quick_hashes

JSON = "application/json"
ERRORS = (
    "/nowhere",
    "/matches/none",
    "/matches/none/events",
    "/ladders/none/events",
    "/ladders/none/events/open",
    "/api/nowhere",
    "/api/matches/none",
    "/matches/none.pbn",
    "/static/none",
)


def in_contest(directory: Path, story: Callable[[Contest], Awaitable[None]]) -> None:
    async def told() -> None:
        async with whole_house(directory) as house:
            played = await contest(house)
            await played.enter("open", opened(1), *auction(1, "1NT Pass"))
            await story(played)

    asyncio.run(told())


def gets(contest: Contest) -> list[str]:
    return [
        filled(route.path, contest)[0] for route in routes(contest) if "GET" in (route.methods or ())
    ] + public_streams(contest)


async def everything(contest: Contest) -> list[tuple[str, Answer]]:
    """Every address by GET for nobody and for the director, every error, and every method that is refused."""
    asked: list[tuple[str, str, str | None]]
    asked = [(address, "GET", None) for address in (*gets(contest), *ERRORS)]
    asked += [(address, "GET", contest.tokens["dora"]) for address in gets(contest)]
    asked += [(address, "PUT", None) for address in (*gets(contest), *ERRORS)]
    asked += [(address, "OPTIONS", None) for address in gets(contest)]
    return [
        (f"{method} {address}", await contest.house.ask(method, address, token))
        for address, method, token in asked
    ]


def test_no_answer_sets_a_cookie_may_be_framed_or_sniffed_or_tells_another_site_where_it_was_left(
    tmp_path: Path,
) -> None:
    async def story(contest: Contest) -> None:
        for asked, answer in await everything(contest):
            policy = answer.header("content-security-policy") or ""
            assert answer.header("set-cookie") is None, asked
            assert answer.header("x-content-type-options") == "nosniff", asked
            assert answer.header("referrer-policy") in ("no-referrer", "same-origin"), asked
            is_embed = asked.split()[1].startswith("/embed/")
            may_be_framed = "frame-ancestors 'none'" not in policy
            assert may_be_framed == is_embed, asked
            assert "default-src" in policy and answer.header("x-frame-options") is None, asked
            assert "unsafe" not in policy and "*" not in policy, asked
            assert len({name for name, _ in answer.headers}) == len(answer.headers), asked

    in_contest(tmp_path, story)


def test_pages_run_no_script_but_files_of_the_site(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        for address in gets(contest):
            answer = await contest.house.ask("GET", address, headers={"Accept": "text/html"})
            if (answer.header("content-type") or "").startswith("text/html"):
                page = answer.body.decode()
                scripts = page.split("<script")[1:]
                assert all(
                    'src="/static/' in each.partition(">")[0] or "application/json" in each.partition(">")[0]
                    for each in scripts
                ), address
                for wrong in (" onclick=", " onload=", " style=", "javascript:"):
                    assert wrong not in page, (address, wrong)

    in_contest(tmp_path, story)


def test_public_answers_may_be_read_from_any_site_and_those_to_a_token_from_none(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        for row, marks in TABLE.items():
            method, path = row.split()
            address = filled(path, contest)[0]
            is_data = path.startswith(("/api/", "/openapi")) or path.endswith(
                (".pbn", ".lin", ".csv", ".png", ".atom", ".ics")
            )
            is_data = is_data or path.startswith(("/embed.", "/embed/", "/oembed"))
            if method == "GET" and is_data and marks[0] == "+":
                for asked in ("GET", "HEAD"):
                    answer = await contest.house.ask(asked, address)
                    assert answer.header("access-control-allow-origin") == "*", row
            else:
                for token in (None, contest.tokens["dora"], contest.tokens["operator open"], "forged"):
                    answer = await contest.house.ask(method, address, token, headers={"Content-Type": JSON})
                    assert answer.header("access-control-allow-origin") is None, row
        polled = await contest.house.get(f"/api/matches/{contest.match}/events", contest.tokens["dora"])
        assert polled.header("access-control-allow-origin") is None
        for address in public_streams(contest):
            for asked in ("GET", "HEAD", "OPTIONS"):
                answer = await contest.house.ask(asked, address)
                assert answer.header("access-control-allow-origin") == "*", address
        missing = await contest.house.get("/matches/none/events")
        assert (missing.status, missing.header("access-control-allow-origin")) == (404, "*")

    in_contest(tmp_path, story)


def test_another_site_is_not_let_send_tokens_or_commands(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        answer = await contest.house.ask("OPTIONS", f"/api/matches/{contest.match}/rooms/open/commands")
        assert answer.status == 204
        assert answer.header("access-control-allow-methods") == "GET, HEAD"
        allowed = (answer.header("access-control-allow-headers") or "").lower()
        assert "authorization" not in allowed and "content-type" not in allowed

    in_contest(tmp_path, story)


def test_what_a_token_opens_is_kept_by_no_cache(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        for path in ("rooms/open", "rooms/open/events", "desk", "events"):
            address = f"/api/matches/{contest.match}/{path}"
            answer = await contest.house.get(address, contest.tokens["dora"])
            assert (answer.status, answer.header("cache-control")) == (200, "no-store"), path

    in_contest(tmp_path, story)


def test_page_that_names_who_is_signed_in_is_for_no_shared_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick_hashes(monkeypatch)

    async def story(contest: Contest) -> None:
        await contest.house.members.set_password("nil", PASSWORD)
        browser = Browser(contest.house)
        await browser.sign_in("nil")
        named = 0
        for address in gets(contest):
            answer = await browser.get(address)
            if (answer.header("content-type") or "").startswith("text/html") and b'"/account' in answer.body:
                named += 1
                kept = (answer.header("cache-control") or "").split(", ")
                assert "private" in kept or "no-store" in kept, address
            anonymous = await contest.house.ask("GET", address, headers={"Accept": "text/html"})
            assert "private" not in (anonymous.header("cache-control") or "") or "/personal/" in address
        assert named > 10

    in_contest(tmp_path, story)


def test_a_cookie_opens_nothing(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        token = contest.tokens["dora"]
        for row, marks in TABLE.items():
            if marks.startswith("-"):
                method, path = row.split()
                headers = {"Cookie": f"token={token}; session={token}; Authorization=Bearer {token}"}
                answer = await contest.house.ask(method, filled(path, contest)[0], headers=headers)
                assert answer.status == 401, row

    in_contest(tmp_path, story)


@pytest.mark.parametrize(
    "content_type",
    ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/json"],
)
def test_command_in_another_content_type_is_refused(tmp_path: Path, content_type: str) -> None:
    async def story(contest: Contest) -> None:
        for method, path in (row.split() for row in TABLE if row.startswith("POST /api/")):
            if path.endswith("/operators"):
                continue  # takes no body
            answer = await contest.house.ask(
                method,
                filled(path, contest)[0],
                contest.tokens["dora"],
                b'{"command": {"type": "undo"}}',
                {"Content-Type": content_type, "Idempotency-Key": "k"},
                local=path.startswith("/api/accounts"),
            )
            assert (answer.status, answer.json()["error"]) == (415, "wrong_content_type"), path

    in_contest(tmp_path, story)


async def undo(contest: Contest, body: bytes, **headers: str) -> Answer:
    sent = {"Content-Type": JSON} | {name.replace("_", "-"): value for name, value in headers.items()}
    path = f"/api/matches/{contest.match}/rooms/open/commands"
    return await contest.house.ask("POST", path, contest.tokens["operator open"], body, sent)


def test_body_that_is_too_long_is_refused_declared_or_not(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        long = b'{"command": "' + b"x" * MAX_BODY + b'"}'
        for headers in ({}, {"Content_Length": str(len(long))}, {"Content_Length": "9" * 30}):
            answer = await undo(contest, long, Idempotency_Key="k", **headers)
            assert (answer.status, answer.json()["error"]) == (413, "too_large")

    in_contest(tmp_path, story)


def test_command_needs_an_idempotency_key_of_some_length(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        body = json.dumps({"command": {"type": "undo"}}).encode()
        for key in ("", "   ", "k" * (MAX_KEY + 1)):
            answer = await undo(contest, body, Idempotency_Key=key)
            assert (answer.status, answer.json()["error"]) == (400, "key_needed")
        assert (await undo(contest, body)).status == 400
        first, again = [await undo(contest, body, Idempotency_Key="k" * MAX_KEY) for _ in range(2)]
        assert (first.status, again.status, first.body) == (201, 201, again.body)
        other = await undo(contest, body.replace(b"}}", b', "steps": 1}}'), Idempotency_Key="k" * MAX_KEY)
        assert (other.status, other.json()["error"]) == (422, "key_reused")

    in_contest(tmp_path, story)


@pytest.mark.parametrize(
    "address",
    ["//evil.example", "/\\evil.example", "/%5Cevil.example", "/%09/evil.example", "//evil.example/matches/"],
)
def test_no_address_sends_the_reader_to_another_site(tmp_path: Path, address: str) -> None:
    async def story(contest: Contest) -> None:
        for following in ("", "?next=//evil.example", "?lang=zh&results=hidden"):
            answer = await contest.house.get(address + following)
            assert answer.status == 404
        short = await contest.house.get(f"/matches/{contest.match}/boards/1?next=//evil.example")
        assert short.status == 308
        assert (short.header("location") or "").startswith(f"/matches/{contest.match}/boards/1.1?")

    in_contest(tmp_path, story)


def test_slash_too_many_leads_to_a_path_of_this_site_whatever_the_host_header_says(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        evil = {"Host": "evil.example"}
        for asked, to in (
            (f"/matches/{contest.match}/?lang=zh", f"/matches/{contest.match}?lang=zh"),
            ("/ladders//", "/ladders"),
            (f"/api/matches/{contest.match}/", f"/api/matches/{contest.match}"),
        ):
            answer = await contest.house.ask("GET", asked, headers=evil)
            assert (answer.status, answer.header("location")) == (307, to)
        for asked in ("//evil.example/", "/nowhere/", "//matches/"):
            answer = await contest.house.ask("GET", asked, headers=evil)
            assert (answer.status, answer.header("location")) == (404, None)

    in_contest(tmp_path, story)
