"""The operator's way in: a token for a cookie that opens one room, from our own page, while the link lasts."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from starlette.types import Message

from broadcast.web import limits, operator_routes, sse
from broadcast.web.authority import OPERATOR_DAYS
from broadcast.web.operator_routes import WRONG_LINKS
from broadcast.web.operator_sessions import COOKIE
from tests.scenarios.entries import auction, opened
from tests.scenarios.whole_house import Answer, Contest, contest, request_scope, whole_house

OWN = {"Host": "club.example", "Origin": "http://club.example", "Sec-Fetch-Site": "same-origin"}
JSON = {"Content-Type": "application/json"}


def in_contest(directory: Path, story: Callable[[Contest], Awaitable[None]]) -> None:
    async def told() -> None:
        async with whole_house(directory) as house:
            await story(await contest(house))

    asyncio.run(told())


async def exchanged(contest: Contest, token: str, headers: Mapping[str, str] = OWN) -> Answer:
    body = json.dumps({"token": token}).encode()
    return await contest.house.ask("POST", "/operate/session", None, body, {**JSON, **headers})


def cookies(answer: Answer) -> list[dict[str, str]]:
    """Every cookie that an answer sets: its name, value and attributes."""
    found = []
    for name, value in answer.headers:
        if name == "set-cookie":
            for cookie in SimpleCookie(value).values():
                found.append(
                    {"name": cookie.key, "value": cookie.value, **{k: str(v) for k, v in cookie.items()}}
                )
    return found


async def session(contest: Contest, room: str = "open") -> str:
    """The Cookie header of an operator who has come in."""
    answer = await exchanged(contest, contest.tokens[f"operator {room}"])
    assert answer.status == 201, answer.body
    return f"{COOKIE}={cookies(answer)[0]['value']}"


def commands(contest: Contest, room: str = "open") -> str:
    return f"/api/matches/{contest.match}/rooms/{room}/commands"


async def entered(
    contest: Contest, headers: Mapping[str, str], room: str = "open", token: str | None = None
) -> Answer:
    body = json.dumps({"command": opened(1)}).encode()
    return await contest.house.ask("POST", commands(contest, room), token, body, {**JSON, **headers})


def test_link_is_exchanged_for_a_cookie_bound_to_its_room(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        answer = await exchanged(contest, contest.tokens["operator open"])
        assert answer.status == 201
        assert answer.json()["address"] == f"/operate/{contest.match}/open"
        made = cookies(answer)
        assert {each["path"] for each in made} == {
            f"/operate/{contest.match}/open",
            f"/api/matches/{contest.match}/rooms/open",
        }
        for each in made:
            assert (each["name"], each["httponly"], each["samesite"]) == (COOKIE, "True", "strict")
            assert each["value"] != contest.tokens["operator open"]
        assert answer.header("cache-control") == "no-store"
        assert answer.header("referrer-policy") == "no-referrer"

    in_contest(tmp_path, story)


def test_cookie_is_sent_over_https_only_where_the_site_has_it(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        plain = cookies(await exchanged(contest, contest.tokens["operator open"]))
        assert {each["secure"] for each in plain} == {""}
        house = replace(contest.house.house, origin="https://club.example")
        contest.house.application.routed.state.house = house
        sent = {"Host": "club.example", "Origin": "https://club.example"}
        secure = cookies(await exchanged(contest, contest.tokens["operator open"], sent))
        assert {each["secure"] for each in secure} == {"True"}

    in_contest(tmp_path, story)


def test_cookie_opens_the_room_it_is_for_and_no_other(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        cookie = {"Cookie": await session(contest)}
        for path, status in {
            f"/operate/{contest.match}/open": 200,
            f"/operate/{contest.match}/open/table": 200,
            f"/api/matches/{contest.match}/rooms/open": 200,
            f"/api/matches/{contest.match}/rooms/open/events": 200,
            f"/operate/{contest.match}/closed": 403,
            f"/operate/{contest.match}/closed/table": 403,
            f"/api/matches/{contest.match}/rooms/closed": 403,
            f"/api/matches/{contest.match}/rooms/closed/events": 403,
            f"/operate/{contest.other_match}/open/table": 403,
            f"/api/matches/{contest.other_match}/rooms/open": 403,
            f"/api/matches/{contest.match}/desk": 401,
            "/api/account": 401,
            "/metrics": 401,
        }.items():
            assert (await contest.house.ask("GET", path, headers=cookie)).status == status, path
        assert (await entered(contest, {**cookie, **OWN, "Idempotency-Key": "1"}, "closed")).status == 403
        for path in (
            f"/api/matches/{contest.match}/rooms/open/operators",
            f"/api/matches/{contest.match}/rulings",
        ):
            answer = await contest.house.ask("POST", path, None, b"{}", {**JSON, **cookie, **OWN})
            assert answer.status in (401, 403), path

    in_contest(tmp_path, story)


@pytest.mark.parametrize(
    ("origin", "site", "status"),
    [
        ("http://club.example", "same-origin", 201),
        ("http://club.example", None, 201),
        (None, "same-origin", 201),
        (None, None, 403),
        (None, "none", 403),
        (None, "same-site", 403),
        (None, "cross-site", 403),
        ("http://club.example", "same-site", 403),
        ("http://club.example", "cross-site", 403),
        ("http://evil.example", "same-origin", 403),
        ("http://evil.example", None, 403),
        ("http://club.example.evil.example", None, 403),
        ("http://club.example:8000", None, 403),
        ("https://club.example", None, 403),
        ("null", None, 403),
        ("null", "same-origin", 403),
        ("", None, 403),
    ],
)
def test_cookie_and_exchange_take_changes_from_our_own_pages_only(
    tmp_path: Path, origin: str | None, site: str | None, status: int
) -> None:
    sent = {"Host": "club.example"}
    sent |= {} if origin is None else {"Origin": origin}
    sent |= {} if site is None else {"Sec-Fetch-Site": site}

    async def story(contest: Contest) -> None:
        exchange = await exchanged(contest, contest.tokens["operator open"], sent)
        assert exchange.status == status
        assert bool(cookies(exchange)) is (status == 201)
        cookie = {"Cookie": await session(contest), "Idempotency-Key": "1"}
        assert (await entered(contest, {**cookie, **sent})).status == status

    in_contest(tmp_path, story)


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "", "text/json"])
def test_cookie_and_exchange_need_json(tmp_path: Path, content_type: str) -> None:
    async def story(contest: Contest) -> None:
        sent = {**OWN, "Content-Type": content_type}
        assert (await exchanged(contest, contest.tokens["operator open"], sent)).status == 415
        cookie = {"Cookie": await session(contest), "Idempotency-Key": "1"}
        assert (await entered(contest, {**cookie, **sent})).status == 415

    in_contest(tmp_path, story)


def test_bearer_request_needs_no_origin_and_ignores_cookies(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        token = contest.tokens["operator open"]
        assert (await entered(contest, {"Idempotency-Key": "1"}, token=token)).status == 201
        cookie = {"Cookie": await session(contest), "Idempotency-Key": "2", **OWN}
        for wrong in ("forged", contest.tokens["operator closed"]):
            assert (await entered(contest, cookie, token=wrong)).status in (401, 403)
        basic = await entered(contest, {**cookie, "Authorization": "Basic b3BlcmF0b3I6"})
        assert basic.status == 401

    in_contest(tmp_path, story)


def test_forged_expired_and_revoked_links_say_what_to_do(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        for token in ("", "forged", contest.tokens["dora"]):
            answer = await exchanged(contest, token)
            assert (answer.status, answer.json()["error"]) == (401, "link_unknown")
        cookie = await session(contest)
        closed = await session(contest, "closed")
        address = f"/api/matches/{contest.match}/rooms/open/operators"
        revoked = await contest.house.ask("DELETE", address, contest.tokens["dora"])
        assert (revoked.status, revoked.json()) == (200, {"revoked": 1})
        again = await contest.house.ask("DELETE", address, contest.tokens["dora"])
        assert again.json() == {"revoked": 0}
        answer = await exchanged(contest, contest.tokens["operator open"])
        assert (answer.status, answer.json()["error"]) == (401, "link_revoked")
        used = await entered(contest, {"Cookie": cookie, "Idempotency-Key": "1", **OWN})
        assert (used.status, used.json()["error"]) == (401, "link_revoked")
        table = f"/operate/{contest.match}/closed/table"
        assert (await contest.house.ask("GET", table, headers={"Cookie": closed})).status == 200
        contest.house.clock.advance(OPERATOR_DAYS * 86_400)
        answer = await exchanged(contest, contest.tokens["operator closed"])
        assert (answer.status, answer.json()["error"]) == (401, "link_expired")
        late = await contest.house.ask("GET", table, headers={"Cookie": closed})
        assert (late.status, late.json()["error"]) == (401, "link_expired")

    in_contest(tmp_path, story)


def test_page_without_a_session_says_in_both_languages_what_to_do(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        for cookie in (None, f"{COOKIE}=forged"):
            for query, sentence in {
                "": "ask the director for a new one",
                "?lang=zh": "向裁判要一个新的",
            }.items():
                headers = {"Accept": "text/html"} | ({} if cookie is None else {"Cookie": cookie})
                answer = await contest.house.ask(
                    "GET", f"/operate/{contest.match}/open{query}", headers=headers
                )
                assert answer.status == 401
                assert sentence in answer.body.decode()
                assert answer.header("cache-control") == "no-store"

    in_contest(tmp_path, story)


def written_in(directory: Path) -> bytes:
    return b"".join(path.read_bytes() for path in directory.glob("house.db*"))


def test_neither_tokens_nor_sessions_are_stored(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        cookie = await session(contest)
        written = written_in(tmp_path)
        assert cookie.partition("=")[2].encode() not in written
        assert contest.tokens["operator open"].encode() not in written

    in_contest(tmp_path, story)


def test_answers_by_cookie_may_be_read_by_no_other_site(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        await contest.enter("open", opened(1), *auction(1, "1NT"))
        cookie = {"Cookie": await session(contest), "Origin": "http://evil.example"}
        for path in ("", "/events"):
            answer = await contest.house.ask(
                "GET", f"/api/matches/{contest.match}/rooms/open{path}", headers=cookie
            )
            assert answer.status == 200
            assert answer.header("access-control-allow-origin") is None
            assert answer.header("cache-control") == "no-store"

    in_contest(tmp_path, story)


def test_link_asked_for_again_under_its_key_is_the_same_link(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        address = f"/api/matches/{contest.match}/rooms/open/operators"
        made = [
            (await contest.house.post(address, {}, contest.tokens["dora"], key)).json()
            for key in ("one", "one", "two")
        ]
        assert made[0] == made[1] and made[0]["token"] != made[2]["token"]
        for each in made:
            assert (await exchanged(contest, each["token"])).status == 201
        stored = await contest.house.house.database.read(lambda raw: "\n".join(raw.iterdump()))
        assert all(each["token"] not in stored for each in made)
        bare = await contest.house.ask("POST", address, contest.tokens["dora"])
        assert (bare.status, bare.json()["error"]) == (400, "key_needed")

    in_contest(tmp_path, story)


def test_links_that_are_no_good_are_tried_so_often_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(contest: Contest) -> None:
        monkeypatch.setattr(operator_routes, "network_of", lambda scope: "192.0.2.1")
        for _ in range(WRONG_LINKS.most):
            assert (await exchanged(contest, "forged")).status == 401
        refused = await exchanged(contest, contest.tokens["operator open"])
        assert (refused.status, refused.json()["error"]) == (429, "too_many_tries")
        assert refused.header("retry-after") == str(WRONG_LINKS.seconds)
        contest.house.clock.advance(WRONG_LINKS.seconds)
        for _ in range(WRONG_LINKS.most + 1):
            assert (await exchanged(contest, contest.tokens["operator open"])).status == 201

    in_contest(tmp_path, story)


def test_private_stream_ends_with_the_token_that_opened_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It went on until the next reconnect: whoever held an old link saw the deals of the days after."""

    async def story(contest: Contest) -> None:
        monkeypatch.setattr(sse, "ASK_AGAIN_SECONDS", 0.01)
        address = f"/api/matches/{contest.match}/rooms/open/events"
        ended = asyncio.Event()

        async def receive() -> Message:
            await ended.wait()
            return {"type": "http.disconnect"}

        began = asyncio.Event()

        async def send(message: Message) -> None:
            began.set()

        bearer = {"Authorization": f"Bearer {contest.tokens['operator open']}"}
        scope = request_scope("GET", address, bearer)
        watching = asyncio.create_task(contest.house.application(scope, receive, send))
        await began.wait()
        contest.house.clock.advance(OPERATOR_DAYS * 86_400)
        async with asyncio.timeout(30):
            await watching

    in_contest(tmp_path, story)


def test_private_streams_of_one_link_have_so_many_places_and_give_them_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One link opened all connections of the house: viewers, desk and tables had none left."""
    monkeypatch.setattr(limits, "PRIVATE_STREAMS", 2)

    async def story(contest: Contest) -> None:
        ended = asyncio.Event()

        async def receive() -> Message:
            await ended.wait()
            return {"type": "http.disconnect"}

        def watch(sender: str, path: str) -> tuple[asyncio.Task[None], asyncio.Future[int]]:
            began: asyncio.Future[int] = asyncio.get_running_loop().create_future()

            async def send(message: Message) -> None:
                if message["type"] == "http.response.start":
                    began.set_result(message["status"])

            bearer = {"Authorization": f"Bearer {contest.tokens[sender]}"}
            scope = request_scope("GET", f"/api/matches/{contest.match}/{path}", bearer)
            return asyncio.create_task(contest.house.application(scope, receive, send)), began

        streams = [watch("operator open", "rooms/open/events") for _ in range(2)]
        streams += [watch("dora", path) for path in ("desk/events", "events")]
        assert [await began for _, began in streams] == [200] * 4
        for sender, path in (("operator open", "rooms/open/events"), ("dora", "rooms/open/events")):
            address = f"/api/matches/{contest.match}/{path}"
            refused = await contest.house.get(address, contest.tokens[sender])
            assert (refused.status, refused.json()["error"]) == (429, "too_many_streams")
            assert int(refused.header("retry-after") or 0) >= 10
        other = watch("operator closed", "rooms/closed/events")
        assert await other[1] == 200
        ended.set()
        await asyncio.gather(*(task for task, _ in [*streams, other]))
        again = watch("operator open", "rooms/open/events")
        assert await again[1] == 200
        await again[0]

    in_contest(tmp_path, story)
