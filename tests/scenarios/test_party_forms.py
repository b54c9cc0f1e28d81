"""Teams, clubs and invitations by the forms of their pages, without scripts."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.scenarios.signed_in import Visitor, account
from tests.serving import Served, posted, serving

RULES = {"schedule": "at_once", "boards": 8, "deals": "typed", "inactivity": False}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("parties")) as running:
        for name in ("Ann", "Bea", "Cid"):
            account(running, name, "captain" if name == "Ann" else "player")
        yield running


Visit = Callable[..., Visitor]


@pytest.fixture(scope="module")
def visit(served: Served) -> Iterator[Visit]:
    """Makes visitors, signed in where they have a name."""
    with ExitStack() as visitors:

        def enter(name: str | None = None) -> Visitor:
            visitor = Visitor(served, name)
            visitors.callback(visitor.client.close)
            return visitor

        yield enter


@pytest.fixture(scope="module")
def ann(visit: Visit) -> Visitor:
    return visit("Ann")


def registered(captain: Visitor, name: str, *players: str) -> str:
    """The page on which the team is kept."""
    lines = "\n".join(players)
    return captain.done("/teams/new", name=name, colour="plum", plays="", players=lines).partition("?")[0]


def invitation(leader: Visitor, page: str, post: str) -> str:
    answer = leader.send(page, do="invite", post=post)
    (link,) = re.findall(r'value="([^"]*/invitations/[^"]+)"', answer.text)
    return str(link)


def roster(served: Served, page: str) -> list[str]:
    team = page.split("/")[2]
    return [player["name"] for player in served.get(f"/api/teams/{team}")["players"]]


def test_invitation_is_good_once(served: Served, visit: Visit, ann: Visitor) -> None:
    page = registered(ann, "Modra", "Modra 1")
    link = invitation(ann, page, "player")
    guest, other = visit(), visit()
    assert "Modra" in guest.get(link).text
    assert guest.send(link, name="").status_code == 422
    assert guest.send(link, name="  翠微\u3000小玲 ").status_code == 200
    assert roster(served, page) == ["Modra 1", "翠微 小玲"]
    for again in (other.send(link, name="Somebody"), other.get(link)):
        assert again.status_code == 422
        assert "used or withdrawn" in again.text
    assert len(roster(served, page)) == 2


def test_withdrawn_and_forged_invitations_open_nothing(served: Served, visit: Visit, ann: Visitor) -> None:
    page = registered(ann, "Vihar", "Vihar 1")
    link = invitation(ann, page, "player")
    (mark,) = re.findall(r'name="mark" value="([^"]+)"', ann.get(page).text)
    ann.done(page, do="withdraw", mark=mark)
    guest = visit()
    assert guest.send(link, name="Somebody").status_code == 422
    assert guest.get(link[:-1] + ("a" if link[-1] != "a" else "b")).status_code == 404
    assert roster(served, page) == ["Vihar 1"]


def test_form_of_another_site_changes_nothing(served: Served, visit: Visit, ann: Visitor) -> None:
    page = registered(ann, "Zora", "Zora 1")
    evil = ann.send(page, origin="https://evil.example", do="add", players="Mallory")
    assert evil.status_code == 403
    assert roster(served, page) == ["Zora 1"]


def test_team_of_less_than_four_enters_no_ladder_and_nobody_plays_in_two(
    served: Served, visit: Visit, ann: Visitor
) -> None:
    director = served.token("Dora", "director")
    with served.client(director) as client:
        ladder = posted(client, "/api/ladders", {"name": "Club ladder", "rules": RULES})["id"]
    bea = visit("Bea")
    few = registered(ann, "Few", "A", "B", "C")
    enter = f"/captain/ladders/{ladder}/enter"
    refused = ann.send(enter, team=few.split("/")[2])
    assert (refused.status_code, "needs 4 players" in refused.text) == (422, True)
    assert bea.send(invitation(ann, few, "player")).status_code == 200
    assert "done=enter" in ann.done(enter, team=few.split("/")[2])

    second = registered(bea, "Second", "D", "E", "F")
    bea.done(enter, team=registered(bea, "Third", "G", "H", "I", "J").split("/")[2])
    third = ann.send(invitation(bea, second, "player"))
    assert third.status_code == 200
    assert bea.send(second, do="add", players="Ann").status_code == 303
    own = bea.send(enter, team=second.split("/")[2])
    assert own.status_code == 303

    taken = bea.send(invitation(bea, second, "player"))
    assert (taken.status_code, "plays for Few" in taken.text) == (422, True)


def test_deputy_does_all_but_leave_and_hand_over(served: Served, visit: Visit, ann: Visitor) -> None:
    page = registered(ann, "Deputised", "A", "B", "C", "D")
    link = invitation(ann, page, "deputy")
    assert visit().send(link).status_code == 422
    cid = visit("Cid")
    assert cid.send(link).status_code == 200
    cid.done(page, do="describe", name="Renamed", colour="sky")
    for action in ("hand_over", "dismiss"):
        assert cid.send(page, do=action).status_code == 403
    assert cid.send(page, do="invite", post="deputy").status_code == 403
    assert "Renamed" in cid.get("/captain").text
    with served.local() as local:
        token = local.post("/api/accounts/tokens", json={"name": "Cid"}).raise_for_status().json()["token"]
    team = page.split("/")[2]
    with served.client(token) as client:
        key = {"idempotency-key": "leave"}
        left = client.post("/api/ladders/none/leave", json={"team": team}, headers=key)
        assert (left.status_code, left.json()["error"]) == (403, "captain_only")
        assert {each["name"] for each in client.get("/api/account").json()["teams"]} >= {"Renamed"}
    ann.done(page, do="hand_over")
    ann.done(page, do="describe", name="Again", colour="sky")
    assert ann.send(page, do="dismiss").status_code == 403


def test_club_keeps_members_officers_and_teams(served: Served, visit: Visit, ann: Visitor) -> None:
    refused = ann.send("/clubs/new", name="帮派 <b>", colour="navy", players=f"A\n{'x' * 500}")
    assert refused.status_code == 422  # and nothing of it was founded
    page = ann.done("/clubs/new", name="帮派 <b>", colour="navy", plays="yes", players="A、B\nC").partition(
        "?"
    )[0]
    club = page.split("/")[2]
    bea = visit("Bea")
    assert bea.get(page).status_code == 403
    assert bea.send(invitation(ann, page, "officer")).status_code == 200
    bea.done(page, do="add", players="D")
    told = served.get(f"/api/clubs/{club}")
    assert [member["name"] for member in told["members"]] == ["Ann", "A", "B", "C", "D"]
    assert [officer["name"] for officer in told["officers"]] == ["Ann", "Bea"]
    team = bea.done("/teams/new", name="First of the club", colour="navy", club=club, players="A\nB\nC\nD")
    assert served.get(f"/api/teams/{team.split('/')[2]}")["club"] == {"id": club, "name": "帮派 <b>"}
    shown = visit().get(f"/clubs/{club}").text
    assert "帮派 &lt;b&gt;" in shown and "First of the club" in shown
    stranger = visit("Cid").send("/teams/new", name="Not ours", colour="navy", club=club, players="A")
    assert stranger.status_code == 422


def test_secret_address_reads_along_until_it_is_withdrawn(served: Served, visit: Visit, ann: Visitor) -> None:
    ann.done("/captain/settings", time_zone="Asia/Shanghai")
    assert ann.send("/captain/settings", time_zone="Mars/Olympus").status_code == 422
    ann.done("/captain/address", do="renew")
    (calendar,) = re.findall(r'value="([^"]+\.ics)"', ann.get("/captain").text)
    stranger = visit()
    assert stranger.get(calendar).text.startswith("BEGIN:VCALENDAR")
    assert "<feed" in stranger.get(calendar.replace(".ics", ".atom")).text
    ann.done("/captain/address", do="renew")
    assert stranger.get(calendar).status_code == 404
    (calendar,) = re.findall(r'value="([^"]+\.ics)"', ann.get("/captain").text)
    ann.done("/captain/address", do="revoke")
    assert stranger.get(calendar).status_code == 404
