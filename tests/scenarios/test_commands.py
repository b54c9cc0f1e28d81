"""Entering a match over HTTP: what is taken, what is refused and how, and that nothing counts twice."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.builders import deal_of
from tests.scenarios.entered_matches import Entered, calls, claim, entered, one_notrump, opening
from tests.serving import Served, posted, serving


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
def standing(house: Served) -> Iterator[Entered]:
    """A match whose first board is open in the open room; for what is refused and so changes nothing."""
    with entered(house) as new:
        new.open.enters(opening(1))
        yield new


def refused(response: httpx.Response, status: int, error: str) -> Any:
    """The facts of a refusal in the one shape that every error has."""
    assert response.status_code == status, response.text
    body = response.json()
    assert body["error"] == error
    assert isinstance(body["message"], str) and body["message"]
    assert response.headers["content-type"] == "application/json"
    return body


# --- every command ----------------------------------------------------------------------------------------


def test_every_command_of_a_room(match: Entered) -> None:
    room = match.open
    assert room.enters(opening(1, players={"N": "Ann", "S": {"id": "p2", "name": "Bob"}})) == 1
    first = {"type": "call", "seat": "N", "call": "1NT", "alert": True, "explanation": "15-17"}
    response = room.send(first)
    assert response.status_code == 201
    answer = response.json()
    assert answer["room_sequence"] == 2
    assert [event["event"] for event in answer["events"]] == ["call"]
    assert room.enters({"type": "explain", "call_index": 0, "alert": False, "explanation": "14-16"}) == 3
    assert room.enters(*calls(1, "1NT", "Pass", "3NT", "Pass", "Pass", "Pass")[1:]) == 8
    view = room.view()
    assert view["board"]["turn"] == "E" and view["board"]["auction"][0]["explanation"] == "14-16"
    card = view["legal"]["cards"][0]
    assert room.enters({"type": "card", "seat": "E", "card": card}) == 9
    assert room.enters({"type": "undo", "steps": 1}) == 10
    assert room.enters({"type": "card", "seat": "E", "card": view["legal"]["cards"][1]}) == 11
    assert room.enters(claim(1, 9, accepted=False)) == 12
    assert room.enters({"type": "claim_answer", "accepted": False}) == 13
    assert room.enters({"type": "undo", "to": {"calls": 6, "cards": 0}}) == 14
    assert room.enters({"type": "result", "contract": "3NT", "declarer": "N", "tricks": 9}) == 15
    assert match.board(1)["open"] == {
        "state": "played",
        "contract": "3NT",
        "declarer": "N",
        "tricks": 9,
        "score_ns": 400,
        "source": "operator",
        "checked": False,
    }
    assert room.enters({"type": "skip_board", "segment": 1, "board": 2, "reason": "late"}) == 16
    assert room.enters(opening(2, reason="here now")) == 17
    assert room.enters({"type": "result", "passed_out": True}) == 18
    member = match.board(2)["open"]
    assert (member["state"], member["contract"], member["declarer"], member["tricks"], member["score_ns"]) == (
        "passed_out",
        "Pass",
        None,
        None,
        0,
    )
    board = match.public.get(f"{match.path}/boards/1.1").json()
    assert board["open"]["players"] == {"N": {"id": None, "name": "Ann"}, "S": {"id": "p2", "name": "Bob"}}
    assert board["deal"] == str(deal_of(1))


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ({"type": "call", "seat": "E", "call": "Pass"}, "illegal_call"),
        ({"type": "call", "seat": "N", "call": "8NT"}, "bad_notation"),
        ({"type": "call", "seat": "Q", "call": "Pass"}, "bad_field"),
        ({"type": "card", "seat": "E", "card": "SA"}, "auction_open"),
        ({"type": "card", "seat": "E", "card": "S1"}, "bad_notation"),
        ({"type": "claim", "seat": "N", "tricks": 7}, "auction_open"),
        ({"type": "claim_answer", "accepted": True}, "no_claim"),
        ({"type": "undo"}, "nothing_to_undo"),
        ({"type": "undo", "to": {"calls": 5, "cards": 0}}, "nothing_to_undo"),
        ({"type": "explain", "call_index": 3}, "no_such_call"),
        ({"type": "open_board", "segment": 1, "board": 1}, "board_open"),
        ({"type": "open_board", "segment": 1, "board": 2}, "board_not_finished"),
        ({"type": "skip_board", "segment": 1, "board": 1}, "reason_needed"),
        ({"type": "result", "contract": "3NT", "declarer": "N", "tricks": 14}, "bad_field"),
        ({"type": "result", "contract": "3NT", "declarer": "N"}, "bad_field"),
        ({"type": "dance"}, "unknown_command"),
        ({}, "unknown_command"),
        ("call", "bad_field"),
    ],
)
def test_what_the_table_refuses(standing: Entered, command: Any, error: str) -> None:
    refused(standing.open.send(command), 422, error)
    assert standing.open.view()["room_sequence"] == 1


def test_a_marked_irregularity_is_recorded_and_a_card_not_held_never(match: Entered) -> None:
    room = match.open
    room.enters(opening(1))
    refused(room.send({"type": "call", "seat": "S", "call": "1C"}), 422, "illegal_call")
    room.enters({"type": "call", "seat": "S", "call": "1C", "irregular": "out_of_turn"})
    assert room.view()["board"]["auction"][0]["irregular"] == "out_of_turn"
    room.enters({"type": "undo"}, *calls(1, "1NT", "Pass", "Pass", "Pass"))
    held = {
        card
        for suit, cards in zip("SHDC", str(deal_of(1)).split()[1].split("."), strict=True)
        for card in (suit + c for c in cards)
    }
    stranger = next(card for card in ("SA", "SK", "SQ", "SJ", "ST") if card not in held)
    command = {"type": "card", "seat": "E", "card": stranger, "irregular": "revoke"}
    refused(room.send(command), 422, "illegal_card")


def test_all_or_none(match: Entered) -> None:
    body = refused(
        match.open.send(opening(1), *calls(1, "1NT", "Pass"), {"type": "claim_answer", "accepted": True}),
        422,
        "no_claim",
    )
    assert "message" in body
    assert match.open.view()["room_sequence"] == 0
    assert match.open.view()["board"] is None


# --- once, and in time ------------------------------------------------------------------------------------


def test_same_key_same_answer_other_body_refused(match: Entered) -> None:
    first = match.open.send(opening(1), key="k1")
    again = match.open.send(opening(1), key="k1")
    assert (again.status_code, again.content) == (201, first.content)
    refused(match.open.send(*calls(1, "1NT"), key="k1"), 422, "key_reused")
    # The key is looked up before what is expected.
    body = {"command": {"type": "call", "seat": "N", "call": "Pass"}, "expected": 1}
    headers = {"idempotency-key": "k2"}
    one = match.open.client.post(f"{match.open.path}/commands", json=body, headers=headers)
    two = match.open.client.post(f"{match.open.path}/commands", json=body, headers=headers)
    assert (one.status_code, two.status_code, one.content) == (201, 201, two.content)
    assert match.open.view()["room_sequence"] == 2


def test_a_refused_command_is_not_remembered(match: Entered) -> None:
    command = {"type": "call", "seat": "N", "call": "1C"}
    refused(match.open.send(command, key="k"), 422, "no_board_open")
    match.open.enters(opening(1))
    assert match.open.send(command, key="k").status_code == 201


def test_the_same_key_in_two_rooms_is_two_commands(match: Entered) -> None:
    assert match.open.send(opening(1), key="k").status_code == 201
    other = match.closed.send(opening(1), key="k")
    assert other.status_code in (201, 422)
    if other.status_code == 422:
        refused(other, 422, "key_reused")


def test_stale_tells_what_was_missed(match: Entered) -> None:
    match.open.enters(opening(1), *calls(1, "1NT", "Pass"))
    body = refused(match.open.send(*calls(1, "1C"), expected=1), 409, "stale")
    assert body["sequence"] == 3
    assert [(event["id"], event["event"], event["data"]["call"]) for event in body["missed"]] == [
        (2, "call", "1NT"),
        (3, "call", "Pass"),
    ]
    assert match.open.send({"type": "call", "seat": "S", "call": "Pass"}, expected=3).status_code == 201
    # The other room has a number of its own.
    assert match.closed.send(opening(1), expected=0).status_code == 201
    ahead = match.open.send({"type": "call", "seat": "W", "call": "Pass"}, expected=99)
    assert refused(ahead, 409, "stale")["missed"] == []


# --- who may, and in what shape ---------------------------------------------------------------------------


def test_who_may_enter(house: Served, match: Entered) -> None:
    path = f"{match.open.path}/commands"
    body = {"command": opening(1)}
    headers = {"idempotency-key": "k"}
    with house.client() as nobody, house.client("forged") as forger:
        response = nobody.post(path, json=body, headers=headers)
        refused(response, 401, "no_token")
        assert response.headers["www-authenticate"].startswith("Bearer")
        refused(forger.post(path, json=body, headers=headers), 401, "bad_token")
        refused(nobody.get(match.open.path), 401, "no_token")
        refused(nobody.get(f"{match.open.path}/events"), 401, "no_token")
        refused(nobody.post("/api/matches", json={}, headers=headers), 401, "no_token")
    with entered(house) as other:
        for stranger in (match.closed, other.open):
            refused(stranger.client.post(path, json=body, headers=headers), 403, "other_room")
            refused(stranger.client.get(match.open.path), 403, "other_room")
    refused(match.open.client.post(f"{match.path}/rulings", json={}, headers=headers), 403, "not_allowed")
    refused(match.open.client.get(f"{match.path}/events"), 403, "not_allowed")
    refused(match.open.client.post("/api/matches", json={}, headers=headers), 403, "not_allowed")
    with house.client(house.token(f"cap-{match.id}", "captain")) as captain:
        refused(captain.post(path, json=body, headers=headers), 403, "other_room")
    assert match.director.post(path, json=body, headers=headers).status_code == 201


def test_what_is_not_there(match: Entered) -> None:
    headers = {"idempotency-key": "k"}
    director = match.director
    command = {"command": opening(1)}
    refused(
        director.post("/api/matches/none/rooms/open/commands", json=command, headers=headers),
        404,
        "no_such_match",
    )
    refused(
        director.post(f"{match.path}/rooms/attic/commands", json=command, headers=headers), 404, "no_such_room"
    )
    refused(match.open.send({"type": "open_board", "segment": 7, "board": 1}), 404, "no_such_board")
    refused(match.public.get("/api/matches/none"), 404, "no_such_match")
    refused(match.public.get(f"{match.path}/boards/9.9"), 404, "no_such_board")
    refused(match.public.get("/api/nothing"), 404, "not_found")
    refused(match.public.get("/matches/none/events"), 404, "no_such_match")
    refused(match.public.get("/api/matches/none/events"), 404, "no_such_match")
    refused(match.public.delete(match.path), 405, "method_not_allowed")


@pytest.mark.parametrize(
    ("content", "headers", "status", "error"),
    [
        (b"{}", {"content-type": "text/plain"}, 415, "wrong_content_type"),
        (b"{}", {}, 415, "wrong_content_type"),
        (b"{", {"content-type": "application/json"}, 400, "bad_json"),
        (b"[]", {"content-type": "application/json"}, 400, "bad_json"),
        (b"", {"content-type": "application/json"}, 400, "bad_json"),
        (b"\xff\xfe", {"content-type": "application/json"}, 400, "bad_json"),
        (b"[" * 100_000, {"content-type": "application/json"}, 400, "bad_json"),
        (b" " * (2**21 + 1), {"content-type": "application/json"}, 413, "too_large"),
    ],
)
def test_bodies_that_are_refused(
    standing: Entered, content: bytes, headers: dict[str, str], status: int, error: str
) -> None:
    given = {"idempotency-key": "k", **headers}
    refused(
        standing.open.client.post(f"{standing.open.path}/commands", content=content, headers=given),
        status,
        error,
    )


def test_a_command_needs_a_key(match: Entered) -> None:
    path = f"{match.open.path}/commands"
    refused(match.open.client.post(path, json={"command": opening(1)}), 400, "key_needed")
    assert match.open.view()["room_sequence"] == 0


def test_errors_speak_the_reader_s_language(match: Entered) -> None:
    response = match.open.client.post(
        f"{match.open.path}/commands",
        json={"command": {"type": "call", "seat": "N", "call": "Pass"}},
        headers={"idempotency-key": "k", "accept-language": "zh-CN,zh;q=0.9,en;q=0.5"},
    )
    body = refused(response, 422, "no_board_open")
    assert response.headers["content-language"].startswith("zh")
    assert any("\u4e00" <= letter <= "\u9fff" for letter in body["message"])


# --- the director -----------------------------------------------------------------------------------------


def test_rulings_preview_and_public_log(match: Entered) -> None:
    for room, tricks in ((match.open, 7), (match.closed, 9)):
        room.enters(*one_notrump(1), claim(1, tricks))
    assert match.json()["totals"]["imps"] == {"home": 0, "visitors": 2}
    fields = {"segment": 1, "board": 1, "room": "open", "contract": "1NT", "declarer": "N", "tricks": 9}
    before = match.json()
    preview = match.director.post(
        f"{match.path}/rulings", json={"type": "correct_result", "reason": "slip", "preview": True, **fields}
    )
    assert preview.status_code == 200 and preview.json()["preview"] is True
    told = [event["event"] for event in preview.json()["public"]]
    assert told[:2] == ["correction", "result"] and "comparison" in told
    assert match.json() == before
    match.rules("correct_result", "slip", **fields)
    assert match.json()["totals"]["imps"] == {"home": 0, "visitors": 0}
    correction = match.public.get(f"{match.path}/boards/1.1").json()["open"]["corrections"][0]
    assert (correction["reason"], correction["before"]["tricks"], correction["after"]["tricks"]) == (
        "slip",
        7,
        9,
    )
    match.rules("tricks_transferred", "Law 64A", segment=1, board=1, room="open", tricks=1, to="EW")
    assert match.board(1)["open"]["tricks"] == 8
    match.rules(
        "award", "fouled", segment=1, board=1, award={"kind": "artificial", "home": "+", "visitors": "-"}
    )
    assert match.board(1)["imps_home"] == 3
    match.rules("penalty", "late", side="home", unit="imps", amount=2)
    assert match.json()["penalties"] == [{"side": "home", "unit": "imps", "amount": 2, "reason": "late"}]
    assert match.json()["totals"]["imps"]["home"] == 1
    match.rules("cancel_board", "cards lost", segment=1, board=2)
    assert match.board(2)["open"]["state"] == "cancelled"
    assert match.json()["status"] == "scored"
    match.rules("lineup", segment=1, room="open", seats={"N": "Ann"}, publish=True)
    assert match.json()["segments"][0]["lineups"]["open"]["N"]["name"] == "Ann"
    match.rules("close", "agreed")
    assert match.json()["status"] == "closed"
    refused(match.open.send(opening(2, reason="again")), 422, "match_closed")
    match.rules("reopen", "wrong")
    assert match.json()["status"] == "scored"
    match.rules("release", "guests", rule="board")
    assert match.json()["release"] == {"rule": "board"}
    match.rules("void", "wrong teams")
    assert match.json()["status"] == "void"


@pytest.mark.parametrize(
    ("fields", "status", "error"),
    [
        ({"type": "close"}, 422, "reason_needed"),
        ({"type": "dance", "reason": "r"}, 422, "unknown_ruling"),
        ({"type": "cancel_board", "segment": 1, "board": 9, "reason": "r"}, 404, "no_such_board"),
        (
            {"type": "award", "segment": 1, "board": 1, "award": {"kind": "artificial"}, "reason": "r"},
            422,
            "bad_award",
        ),
        (
            {
                "type": "award",
                "segment": 1,
                "board": 1,
                "award": {"kind": "weighted", "room": "open", "parts": []},
                "reason": "r",
            },
            422,
            "bad_award",
        ),
        ({"type": "penalty", "side": "us", "unit": "imps", "amount": 1, "reason": "r"}, 422, "bad_field"),
        ({"type": "penalty", "side": "home", "unit": "imps", "amount": -1, "reason": "r"}, 422, "bad_field"),
        (
            {
                "type": "tricks_transferred",
                "segment": 1,
                "board": 1,
                "room": "open",
                "tricks": 1,
                "to": "NS",
                "reason": "r",
            },
            422,
            "no_result",
        ),
        ({"type": "release", "rule": "delay", "reason": "r"}, 422, "bad_delay"),
        ({"type": "reopen", "reason": "r"}, 422, "match_open"),
    ],
)
def test_rulings_that_are_refused(standing: Entered, fields: Any, status: int, error: str) -> None:
    response = standing.director.post(f"{standing.path}/rulings", json=fields, headers={"idempotency-key": "k"})
    refused(response, status, error)


def test_comments_of_commentators_and_rooms(house: Served, match: Entered) -> None:
    match.open.enters(*one_notrump(1))
    place = {"segment": 1, "board": 1, "room": "open", "call": 4, "card": 0, "language": "en"}
    with house.client(house.token(f"carl-{match.id}", "commentator")) as carl:
        posted(carl, f"{match.path}/comments", place | {"text": "A quiet start."})
        ahead = carl.post(
            f"{match.path}/comments", json=place | {"card": 1, "text": "x"}, headers={"idempotency-key": "k"}
        )
        assert refused(ahead, 422, ahead.json()["error"])["error"] in ("not_public_yet", "no_such_position")
        for text in ("", "  ", "x" * 2001):
            empty = carl.post(
                f"{match.path}/comments", json=place | {"text": text}, headers={"idempotency-key": "k"}
            )
            refused(empty, 422, "bad_comment")
    posted(match.open.client, f"{match.path}/comments", place | {"text": "hi", "author": "dora"})
    posted(match.director, f"{match.path}/comments", place | {"text": "ho", "author": "vugraph"})
    comments = match.public.get(f"{match.path}/boards/1.1").json()["open"]["comments"]
    assert [(each["author"], each["text"]) for each in comments] == [
        (f"carl-{match.id}", "A quiet start."),
        ("dora", "hi"),
        ("vugraph", "ho"),
    ]
    headers = {"idempotency-key": "k"}
    refused(match.public.post(f"{match.path}/comments", json=place, headers=headers), 401, "no_token")


def test_creating_a_match_is_remembered_by_its_key(match: Entered) -> None:
    body = {"title": "T", "home": "A", "visitors": "B", "segments": [{"first": 1, "last": 2}]}
    one = posted(match.director, "/api/matches", body, key="create")
    two = posted(match.director, "/api/matches", body, key="create")
    assert one["id"] == two["id"]
    again = match.director.post(
        "/api/matches", json=body | {"title": "U"}, headers={"idempotency-key": "create"}
    )
    refused(again, 422, "key_reused")
    made = match.public.get(f"/api/matches/{one['id']}").json()
    assert (made["status"], made["release"], made["scale"]) == ("upcoming", {"rule": "board"}, "wbf-2013")


@pytest.mark.parametrize(
    ("wanted", "error"),
    [
        ({"segments": []}, "bad_field"),
        ({"segments": [{"first": 3, "last": 1}]}, "bad_segment"),
        ({"segments": [{"first": 1, "last": 1001}]}, "too_many_boards"),
        ({"segments": [{"first": 1, "last": 10**9}]}, "too_many_boards"),
        ({"home": ""}, "bad_field"),
        ({"title": 7}, "bad_field"),
        ({"release": {"rule": "live"}, "no_devices": False}, "devices"),
        ({"release": {"rule": "delay", "seconds": 0}}, "bad_delay"),
        ({"scale": "mine"}, "unknown_scale"),
        ({"imp_scale": "mine"}, "unknown_imp_scale"),
        ({"deals": '[Board "1"]'}, "deals_missing"),
        ({"correction_minutes": -1}, "bad_correction_period"),
        (
            {"segments": [{"number": 1, "first": 1, "last": 2}, {"number": 1, "first": 3, "last": 4}]},
            "segment_twice",
        ),
        ({"carry_over": []}, "bad_field"),
        ({"segments": [{"first": 1, "last": 2, "lineups": {"open": {"X": "Ann"}}}]}, "bad_field"),
    ],
)
def test_matches_that_are_refused(standing: Entered, wanted: Any, error: str) -> None:
    body = {
        "title": "T",
        "home": "A",
        "visitors": "B",
        "segments": [{"first": 1, "last": 2}],
        "no_devices": True,
    }
    response = standing.director.post(
        "/api/matches", json=body | wanted, headers={"idempotency-key": json.dumps(wanted)}
    )
    refused(response, 422, error)


def test_operators_see_only_their_opened_board(house: Served) -> None:
    with entered(house, deals="random") as dealt:
        assert dealt.open.view()["board"] is None
        assert '"deal"' not in dealt.director.get(f"{dealt.path}/desk").text
        dealt.open.enters({"type": "open_board", "segment": 1, "board": 1})
        deal = dealt.open.view()["board"]["deal"]
        assert deal.startswith("N:") and deal not in json.dumps(dealt.json())
        assert dealt.closed.view()["board"] is None
        dealt.open.enters(*calls(1, "Pass"))
        assert dealt.public.get(f"{dealt.path}/boards/1").json()["deal"] == deal
