"""Who may frame what: embeds, by anyone or by listed sites, for whom they are all the same."""

import asyncio
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from broadcast.house.settings import Settings
from broadcast.web.framing import Embedding
from tests.page_client import PageClient
from tests.scenarios.whole_house import Contest, contest, whole_house

SITES = ("https://club.example", "https://*.builder.example")


async def telling(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that says who it thinks is asking, and would like to be remembered."""
    request = Request(scope)
    told = request.cookies.get("session", "nobody") + request.headers.get("authorization", "")
    headers = {"content-security-policy": "default-src 'self'; frame-ancestors 'none'"}
    response = Response(told, headers=headers)
    response.set_cookie("seen", "yes")
    await response(scope, receive, send)


PRIVATE = {"cookie": "session=ann", "authorization": "Bearer x", "origin": "null"}


def test_embed_knows_nobody_and_lets_nobody_be_remembered() -> None:
    client = PageClient(Embedding(telling))  # type: ignore[arg-type]
    answer = client.get("/embed/matches/m7k2", headers=PRIVATE)
    assert answer.text == "nobody"
    assert "set-cookie" not in answer.headers
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["content-security-policy"] == "default-src 'self'"


def test_listed_sites_may_frame_embeds_and_nothing_else() -> None:
    client = PageClient(Embedding(telling, SITES))  # type: ignore[arg-type]
    embed, page = (client.get(path, headers=PRIVATE) for path in ("/embed/matches", "/embed"))
    assert embed.headers["content-security-policy"] == (
        "default-src 'self'; frame-ancestors 'self' https://club.example https://*.builder.example"
    )
    assert page.headers["content-security-policy"].endswith("frame-ancestors 'none'")
    assert page.text == "annBearer x"


def test_error_of_an_embed_may_be_framed_and_fits_a_frame(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        paths = ("/embed/matches/none", f"/embed/matches/{contest.match}/boards/9", "/embed/ladders/none")
        for path in (*paths, "/embed/teams/none", "/embed/nothing"):
            answer = await contest.house.ask("GET", path, headers={"Accept": "text/html"})
            assert (answer.status, b'class="is-embedded"' in answer.body) == (404, True), path
            assert "frame-ancestors" not in (answer.header("content-security-policy") or ""), path
        refused = await contest.house.ask("GET", "/matches/none", headers={"Accept": "text/html"})
        assert "frame-ancestors 'none'" in (refused.header("content-security-policy") or "")

    async def told() -> None:
        async with whole_house(tmp_path) as house:
            await story(await contest(house))

    asyncio.run(told())


def test_sites_are_settings_and_a_wrong_one_is_named() -> None:
    """Symptom elsewhere: a header with a site that was none was ignored by browsers, and anyone could frame."""
    told = Settings.from_environment({"TWINROOM_FRAMED_BY": "https://club.example https://*.builder.example/"})
    assert told.framed_by == SITES
    for wrong in ("club.example", "https://club.example/page", "'self'", "https://a.example;script-src *", "*"):
        with pytest.raises(ValueError, match="TWINROOM_FRAMED_BY"):
            Settings.from_environment({"TWINROOM_FRAMED_BY": wrong})
