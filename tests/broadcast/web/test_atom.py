"""Atom feeds of the site, a team and a ladder: valid, from data alone, silent about results where asked."""

from datetime import datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from tests.broadcast.web.test_preview import in_contest
from tests.page_client import alternates
from tests.scenarios.entries import auction, ended, opened
from tests.scenarios.whole_house import Contest

NAMES = {"a": "http://www.w3.org/2005/Atom"}


def entries(body: bytes) -> list[dict[str, str]]:
    """The entries of a feed that says all that RFC 4287 (section 4.1) asks for."""
    root = ElementTree.fromstring(body)  # noqa: S314 (our own)
    assert root.tag == "{http://www.w3.org/2005/Atom}feed"
    for needed in ("id", "title", "updated", "author/a:name"):
        assert root.findtext(f"a:{needed}", namespaces=NAMES), needed
    assert {link.get("rel") for link in root.findall("a:link", NAMES)} == {"self", "alternate"}
    found = []
    for entry in root.findall("a:entry", NAMES):
        said = {name: entry.findtext(f"a:{name}", "", NAMES) for name in ("id", "title", "updated", "summary")}
        assert all(said.values()), said
        assert datetime.fromisoformat(said["updated"]).tzinfo is not None
        link = entry.find("a:link", NAMES)
        assert link is not None
        found.append(said | {"href": link.get("href", "")})
    assert len({entry["id"] for entry in found}) == len(found)
    assert [entry["updated"] for entry in found] == sorted((e["updated"] for e in found), reverse=True)
    return found


async def play_out(contest: Contest) -> None:
    """Boards 2 and 3, with a swing to the open room's North-South, and the correction period."""
    board_two = auction(2, "Pass Pass 1NT Pass")
    await contest.enter("open", *auction(2, "Pass Pass 1NT Pass Pass Pass")[4:], ended("1NT", "S", 9))
    await contest.enter("closed", opened(2), *board_two, *_passes(), ended("1NT", "S", 7))
    for room in ("open", "closed"):
        await contest.enter(room, opened(3), ended("3NT", "S", 9))


def _passes() -> list[dict[str, Any]]:
    return auction(2, "Pass Pass 1NT Pass Pass Pass")[4:]


def test_site_tells_starts_and_results(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        house = contest.house
        begun = await house.get("/matches.atom")
        assert begun.header("content-type") == "application/atom+xml"
        assert [entry["id"] for entry in entries(begun.body)] == [
            f"http://club.example/matches/{contest.match}#start"
        ]
        await play_out(contest)
        answer = await house.get("/matches.atom?lang=en")
        end, start = entries(answer.body)
        assert end["id"].endswith("#end") and start["id"].endswith("#start")
        totals = (await house.get(f"/api/matches/{contest.match}")).json()["totals"]["imps"]
        assert end["title"] == f"Modra {totals['home']} – {totals['visitors']} Vihar"
        assert "wins by" in end["summary"]
        assert end["href"] == f"http://club.example/matches/{contest.match}?lang=en"
        await contest.rule("correct_result", segment=1, board=3, room="open", **_made(8))
        await house.wait(60)
        corrected = entries((await house.get("/matches.atom?lang=en")).body)[0]
        assert corrected["id"] == end["id"] and corrected["title"] != end["title"]
        assert corrected["updated"] >= end["updated"]

    in_contest(tmp_path, story)


def _made(tricks: int) -> dict[str, Any]:
    return {"contract": "3NT", "declarer": "S", "tricks": tricks}


def test_hidden_feed_tells_no_result(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        await play_out(contest)
        paths = ["/matches.atom", f"/teams/{contest.teams['home']}.atom", f"/ladders/{contest.ladder}.atom"]

        async def hidden() -> list[bytes]:
            return [(await contest.house.get(f"{path}?results=hidden")).body for path in paths]

        before = await hidden()
        for body in before:
            assert b"IMP" not in body and all(
                entry["href"].endswith("results=hidden") for entry in entries(body)
            )
        await contest.rule("correct_result", segment=1, board=3, room="open", **_made(8))
        assert await hidden() == before

    in_contest(tmp_path, story)


def test_feed_is_the_same_until_something_happens_and_is_not_sent_twice(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        house = contest.house
        for path in (
            "/matches.atom",
            f"/teams/{contest.teams['home']}.atom",
            f"/ladders/{contest.ladder}.atom",
        ):
            first = await house.get(path)
            house.clock.advance(3600)
            assert (await house.get(path)).body == first.body
            tag, changed = first.header("etag") or "", first.header("last-modified") or ""
            assert (await house.ask("GET", path, headers={"if-none-match": tag})).status == 304
            assert (await house.ask("GET", path, headers={"if-modified-since": changed})).status == 304
            assert (await house.ask("GET", path, headers={"if-modified-since": "nonsense"})).status == 200
            stale = {"if-none-match": '"other"', "if-modified-since": changed}
            assert (await house.ask("GET", path, headers=stale)).status == 200

    in_contest(tmp_path, story)


def test_team_and_ladder_tell_moves(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        ladder = entries((await contest.house.get(f"/ladders/{contest.ladder}.atom?lang=en")).body)
        assert {entry["title"] for entry in ladder} == {
            "Modra enters on rung 1",
            "Vihar enters on rung 2",
        }
        team = entries((await contest.house.get(f"/teams/{contest.teams['visitors']}.atom?lang=zh")).body)
        assert any("Vihar加入" in entry["title"] for entry in team)
        assert any(entry["id"].endswith("#start") for entry in team)
        assert (await contest.house.get("/teams/none.atom")).status == 404
        assert (await contest.house.get("/ladders/none.atom")).status == 404

    in_contest(tmp_path, story)


def test_strange_names_stay_text(tmp_path: Path) -> None:
    planted = "<svg/onload=alert(1)>\"']]>\x01\ud7ff &amp;"

    async def story(contest: Contest) -> None:
        segments = [{"first": 1, "last": 1}]
        made = await contest.house.done(
            "/api/matches",
            {"title": "T", "home": "H & Co <b>", "visitors": planted, "segments": segments},
            contest.tokens["dora"],
        )
        operator = made["rooms"]["open"]["token"]
        path = f"/api/matches/{made['id']}/rooms/open/commands"
        await contest.house.done(path, {"command": {"type": "open_board", "segment": 1, "board": 1}}, operator)
        for release in ("", "?results=hidden"):
            entries((await contest.house.get(f"/matches.atom{release}")).body)

    in_contest(tmp_path, story)


def test_pages_lead_to_their_feeds(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        team, ladder = f"/teams/{contest.teams['home']}", f"/ladders/{contest.ladder}"
        for path, own in (("/", []), (team, [f"{team}.atom"]), (ladder, [f"{ladder}.atom"])):
            for query in ("", "?lang=zh&results=hidden"):
                found = alternates((await contest.house.get(path + query)).body.decode())
                feeds = found["application/atom+xml"]
                assert [address.partition("?")[0] for address in feeds] == ["/matches.atom", *own]
                for address in (*feeds, *found["text/calendar"]):
                    assert (await contest.house.get(address)).status == 200
                    assert ("results=hidden" in address) == bool(query)

    in_contest(tmp_path, story)
