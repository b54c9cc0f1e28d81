"""The public streams of a running server: resuming, polling, one room, hidden results, delay, stopping."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import deal_of
from tests.scenarios.entered_matches import Entered, calls, claim, entered, one_notrump, opening, tell
from tests.scenarios.viewers import Viewer
from tests.serving import Served, command, posted, serving
from tests.sse_client import Message, read_until


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("house")) as served:
        yield served
        assert served.errors == []


@pytest.fixture
def match(house: Served) -> Iterator[Entered]:
    with entered(house) as new:
        yield new


@pytest.fixture(scope="module")
def told(house: Served) -> Iterator[Entered]:
    """A match with a slip, an undo, claims, a comment, a correction, a penalty and an end; only for reading."""
    with entered(house) as new:
        tell(new)
        yield new


def whole(match: Entered, suffix: str = "", after: str | None = None, hidden: bool = False) -> list[Message]:
    """What a stream sends from a cursor on, up to the feed's last event, which it must not leave out."""

    async def read() -> list[Message]:
        async with match.served.async_client() as client:
            path = f"/matches/{match.id}/events{suffix}" + ("?results=hidden" if hidden else "")
            return await read_until(client, path, match.json()["last_event"], after)

    return asyncio.run(read())


def start_of(match: Entered) -> str:
    """The cursor of an empty feed."""
    return f"{match.json()['last_event'].partition('-')[0]}-0"


# --- cursors ----------------------------------------------------------------------------------------------


def test_head_answers_headers_only(told: Entered) -> None:
    for address in (f"/matches/{told.id}/events", f"/matches/{told.id}/events/open"):
        response = told.public.head(address)
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        assert response.headers["access-control-allow-origin"] == "*"
        assert response.content == b""


def test_polling_gives_what_the_stream_gives(told: Entered) -> None:
    start = start_of(told)
    events = whole(told, after=start)
    for after in (start, events[3].id, events[-2].id, events[-1].id):
        polled = told.public.get(f"{told.path}/events", params={"after": after}).json()
        number = int(str(after).rpartition("-")[2])
        expected = [each for each in events if each.id and each.number > number]
        got = [Message(each["id"], each["event"], each["data"]) for each in polled["events"]]
        assert [each for each in got if each.id] == expected
        assert polled["last"] == events[-1].id
    by_header = told.public.get(f"{told.path}/events", headers={"last-event-id": start}).json()
    assert len(by_header["events"]) == len(events)


@pytest.mark.parametrize(
    ("cursor", "reason"),
    [("999-1", "epoch"), ("{epoch}-100000", "unknown"), ("nonsense", "unknown"), ("{epoch}-01", "unknown")],
)
def test_a_cursor_that_does_not_fit_is_answered_with_reset_and_snapshot(
    told: Entered, cursor: str, reason: str
) -> None:
    last = told.json()["last_event"]
    cursor = cursor.format(epoch=last.partition("-")[0])
    reset, snapshot = whole(told, after=cursor)
    assert (reset.id, reset.event, reset.data) == (None, "reset", {"reason": reason})
    assert (snapshot.id, snapshot.event, snapshot.data["last_event"]) == (last, "snapshot", last)
    assert told.public.get(f"{told.path}/events", params={"after": cursor}).json() == {"reset": reason}


def test_too_far_behind_is_answered_with_reset(house: Served) -> None:
    """2,000 events back; told by explanations, which are the cheapest events."""
    with entered(house) as match:
        match.open.enters(opening(1), *calls(1, "1NT"))
        first = match.json()["last_event"]
        many = [{"type": "explain", "call_index": 0, "explanation": f"{n}"} for n in range(500)]
        for _ in range(4):
            match.open.enters(*many)
        events = whole(match, after=first)
        assert len(events) == 2000 and events[0].event == "explain"
        match.open.enters(many[0])
        reset, snapshot = whole(match, after=first)
        assert (reset.data, snapshot.event) == ({"reason": "behind"}, "snapshot")


def test_only_public_events_and_snapshots_carry_ids(told: Entered) -> None:
    events = whole(told, after=start_of(told))
    assert all((each.id is None) == (each.event in ("worth", "analysis", "reset")) for each in events)
    numbers = [each.number for each in events if each.id]
    assert numbers == list(range(1, len(numbers) + 1))
    for at in range(0, len(numbers), 5):
        rest = whole(told, after=f"{start_of(told)[:-1]}{numbers[at]}")
        assert [each for each in rest if each.id] == [each for each in events if each.id][at + 1 :]


def test_streams_of_one_room_hold_that_room_and_what_concerns_both(told: Entered) -> None:
    events = [each for each in whole(told, after=start_of(told)) if each.id]
    for room, other in (("open", "closed"), ("closed", "open")):
        one = whole(told, f"/{room}", after=start_of(told))
        assert [each for each in one if each.id] == [each for each in events if each.data.get("room") != other]
    snapshot = whole(told, "/open")[0]
    assert snapshot.event == "snapshot" and snapshot.id == told.json()["last_event"]


# --- hidden results ---------------------------------------------------------------------------------------

TELLING = ("comparison", "result", "correction", "penalty", "worth")
"""Events left out where results are hidden."""


def test_hidden_stream_has_the_same_ids_and_tells_no_result(told: Entered) -> None:
    shown = {each.id: each for each in whole(told, after=start_of(told)) if each.id}
    hidden = whole(told, after=start_of(told), hidden=True)
    assert {each.event for each in hidden}.isdisjoint(TELLING)
    assert {"board", "call", "card", "contract", "match", "closed", "comment"} <= {
        each.event for each in hidden
    }
    for each in hidden:
        assert each.id in shown and shown[each.id].event == each.event
        assert not {"totals", "penalties", "outcome", "score_ns", "imps_home"} & set(each.data)
    must_stay = [
        each for each in shown.values() if each.event in ("board", "call", "card", "contract", "explain")
    ]
    kept = {each.id for each in hidden}
    assert all(each.id in kept for each in must_stay)


def test_hidden_snapshot_and_json_hold_no_result(told: Entered) -> None:
    (snapshot,) = whole(told, hidden=True)
    for body in (snapshot.data, told.json(hidden=True)):
        assert "totals" not in body and "penalties" not in body
        for board in body["boards"]:
            assert not {"imps_home", "imps_visitors", "pending", "held", "award", "worth"} & set(board)
            for room in ("open", "closed"):
                member = board[room]
                assert not {"state", "tricks", "score_ns", "source", "claims"} & set(member)
                # The auction's contract, as the stream without results tells it; of no board that is put away.
                assert "contract" not in member or "auction" in member
    listed = told.public.get("/api/matches", params={"results": "hidden", "limit": 100}).json()["matches"]
    assert all("totals" not in each and "penalties" not in each for each in listed)
    polled = told.public.get(
        f"{told.path}/events", params={"after": start_of(told), "results": "hidden"}
    ).json()
    assert {each["event"] for each in polled["events"]}.isdisjoint(TELLING)
    # A board's own result is asked for at its board resource.
    assert told.public.get(f"{told.path}/boards/1.1").json()["open"]["score_ns"] == 150


def test_hidden_pages_hold_no_result_and_keep_the_choice_in_links(told: Entered) -> None:
    for path in (f"/matches/{told.id}", "/matches", "/"):
        page = told.public.get(path, params={"results": "hidden"}, headers={"accept": "text/html"}).text
        for telling in ('"score_ns"', '"imps_home"', '"totals"', "data-totals"):
            assert telling not in page, (path, telling)
        links = set(re.findall(r'href="(/(?!static/)[^"]*)"', page)) - {f"/matches/{told.id}", "/matches", "/"}
        # The links left out are those that show results again.
        assert links and not [link for link in links if "results=hidden" not in link], path


# --- corrections, status ----------------------------------------------------------------------------------


def test_undo_is_an_event_of_its_own_and_leaves_no_trace(match: Entered) -> None:
    match.open.enters(*one_notrump(1))
    before = match.json()["last_event"]
    cards = match.open.view()["legal"]["cards"]
    for entry in (cards[0], None, cards[1]):
        match.open.enters({"type": "card", "seat": "E", "card": entry} if entry else {"type": "undo"})
    wrong, undo, right = whole(match, after=before)
    assert (wrong.data["card"], undo.event, right.data["card"]) == (cards[0], "undo", cards[1])
    assert undo.data["to"] == {"calls": 4, "cards": 0}
    (snapshot,) = whole(match)
    table = snapshot.data["boards"][0]["open"]
    assert [each["card"] for each in table["play"]] == [cards[1]]


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2)])
def test_a_match_stays_live_until_every_board_is_final(house: Served, order: tuple[int, ...]) -> None:
    with entered(house, boards=3) as match:
        for place, number in enumerate(order):
            for room in (match.open, match.closed):
                assert match.json()["status"] == ("live" if place or room is match.closed else "upcoming")
                entries = one_notrump(number)
                entries[0] = opening(number, reason="as it came")
                room.enters(*entries, claim(number, 7))
        assert match.json()["status"] == "scored"
        assert match.json()["closes_at"] is not None


# --- delay ------------------------------------------------------------------------------------------------


def surfaces(match: Entered) -> dict[str, str]:
    """Everything that anybody may read of a match."""
    read = {
        path: match.public.get(path).text
        for path in (
            match.path,
            f"{match.path}/boards/1.1",
            f"/matches/{match.id}",
            f"/matches/{match.id}/boards/1.1",
            f"/matches/{match.id}.pbn",
            f"/matches/{match.id}.lin",
            f"/matches/{match.id}/boards/1.1.pbn",
            "/api/matches",
            "/matches",
            "/",
        )
    }
    polled = match.public.get(f"{match.path}/events", params={"after": start_of(match)})
    read["poll"] = polled.text
    read["stream"] = str([(each.event, each.data) for each in whole(match)])
    return read


def test_a_delay_holds_on_every_way_out_whatever_the_way_in(house: Served) -> None:
    """Under an hour's delay nothing of what the rooms enter shows, by room token, director or local socket."""
    with entered(house, title="Secret", release={"rule": "delay", "seconds": 3600}) as match:
        match.open.enters(*one_notrump(1)[:2])
        before = surfaces(match)  # that the match has started is public at once
        match.open.enters(*one_notrump(1)[2:], claim(1, 9))
        posted(match.director, f"{match.closed.path}/commands", {"commands": one_notrump(1)})
        house.post(f"{match.closed.path}/commands", {"command": claim(1, 7)})
        after = surfaces(match)
        assert after == before
        deal = str(deal_of(1))
        suits = [deal, deal[2:].split()[0], "1NT"]
        assert not [(path, suit) for path, text in after.items() for suit in suits if suit in text]
        match.rules("release", "over", rule="live")
        assert match.board(1)["imps_home"] == 2


def test_a_delayed_event_comes_in_its_time_also_after_a_restart(tmp_path: Path) -> None:
    """Entered before the restart, due after it: not at once, not never."""
    with serving(tmp_path) as served, entered(served, release={"rule": "delay", "seconds": 5}) as match:
        match.open.enters(*one_notrump(1))
        id, last = match.id, match.json()["last_event"]
    with serving(tmp_path) as served:

        async def follow() -> list[Message]:
            viewer = Viewer(f"/matches/{id}/events", cursor=last)
            async with served.async_client() as client:
                task = asyncio.create_task(viewer.follow(client))
                async with asyncio.timeout(30):
                    while sum(each.event == "call" for each in viewer.read) < 3:
                        viewer.news.clear()
                        await viewer.news.wait()
                task.cancel()
            return viewer.read

        read = asyncio.run(follow())
        assert [each.event for each in read if each.data.get("room")][:4] == ["board", "call", "call", "call"]
    assert command("check", data=tmp_path).returncode == 0
