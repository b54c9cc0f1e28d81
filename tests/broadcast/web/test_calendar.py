"""Calendar files: lines as RFC 5545 wants them, stable events, times from data, silence about results."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from broadcast.web.calendar import encoded, escaped
from tests.broadcast.web.test_preview import in_contest
from tests.scenarios.whole_house import Contest


def unfolded(body: bytes) -> list[str]:
    """The content lines of a file, each physical line checked."""
    assert body.endswith(b"\r\n")
    for line in body.split(b"\r\n"):
        assert len(line) <= 75 and b"\n" not in line and b"\r" not in line
        line.decode()
    return body.replace(b"\r\n ", b"").decode().split("\r\n")[:-1]


def events(body: bytes) -> list[dict[str, str]]:
    lines = unfolded(body)
    assert (lines[0], lines[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR")
    found: list[dict[str, str]] = []
    for line in lines:
        name, _, value = line.partition(":")
        if line == "BEGIN:VEVENT":
            found.append({})
        elif found and name not in ("BEGIN", "END"):
            assert name not in found[-1]
            found[-1][name] = value
    for event in found:
        assert {"UID", "DTSTAMP", "DTSTART", "SUMMARY"} <= set(event)
    assert len({event["UID"] for event in found}) == len(found)
    return found


@given(st.text(max_size=300))
def test_any_line_survives_folding(text: str) -> None:
    line = escaped("".join(character for character in text if not "\ud800" <= character <= "\udfff"))
    assert unfolded(encoded([f"SUMMARY:{line}"])) == [f"SUMMARY:{line}"]


def test_text_is_escaped() -> None:
    assert escaped("A; B, C\\D\r\nE\x00\u202e") == "A\\; B\\, C\\\\D\\nE"


async def announced(contest: Contest, starts_at: str | None, **fields: Any) -> str:
    body = {"title": "Cup; final", "home": "上海桥牌队", "visitors": "Vihar, B"} | fields
    body |= {"segments": [{"first": 1, "last": 16}], "starts_at": starts_at}
    made: str = (await contest.house.done("/api/matches", body, contest.tokens["dora"]))["id"]
    return made


def test_matches_with_a_date_are_in_the_calendar(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        house = contest.house
        later = await announced(contest, "2026-05-03T19:30:00+02:00")
        sooner = await announced(contest, "2026-05-01T18:00:00Z")
        await announced(contest, None)
        answer = await house.get("/matches.ics?lang=en")
        assert (answer.header("content-type") or "").startswith("text/calendar")
        listed = events(answer.body)
        mine = [event for event in listed if any(id in event["UID"] for id in (later, sooner))]
        assert [event["DTSTART"] for event in mine] == ["20260501T180000Z", "20260503T173000Z"]
        assert mine[0]["SUMMARY"] == "上海桥牌队 – Vihar\\, B"
        assert mine[0]["DURATION"] == "PT128M"
        assert mine[0]["URL"] == f"http://club.example/matches/{sooner}?lang=en"
        assert mine[0]["UID"] == f"match-{sooner}@club.example"
        stamp = datetime.strptime(mine[0]["DTSTAMP"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        house.clock.advance(7200)
        again = await house.get("/matches.ics?lang=en")
        assert again.body == answer.body
        assert stamp < house.clock.now()
        tag = answer.header("etag") or ""
        assert (await house.ask("GET", "/matches.ics?lang=en", headers={"if-none-match": tag})).status == 304

    in_contest(tmp_path, story)


def test_void_match_is_cancelled_under_the_same_uid(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        made = await announced(contest, "2026-05-01T18:00:00Z")
        body = {"type": "void", "reason": "fog"}
        before = [e for e in events((await contest.house.get("/matches.ics")).body) if made in e["UID"]]
        contest.house.clock.advance(60)
        await contest.house.done(f"/api/matches/{made}/rulings", body, contest.tokens["dora"])
        after = [e for e in events((await contest.house.get("/matches.ics")).body) if made in e["UID"]]
        assert [event["STATUS"] for event in (*before, *after)] == ["CONFIRMED", "CANCELLED"]
        assert after[0]["DTSTAMP"] > before[0]["DTSTAMP"]

    in_contest(tmp_path, story)


def test_team_has_its_own_calendar(tmp_path: Path) -> None:
    async def story(contest: Contest) -> None:
        home = contest.teams["home"]
        made = await announced(contest, "2026-05-01T18:00:00Z", home={"id": home})
        listed = events((await contest.house.get(f"/teams/{home}.ics")).body)
        assert any(made in event["UID"] for event in listed)
        other = events((await contest.house.get(f"/teams/{contest.teams['visitors']}.ics")).body)
        assert not any(made in event["UID"] for event in other)
        assert (await contest.house.get("/teams/none.ics")).status == 404

    in_contest(tmp_path, story)
