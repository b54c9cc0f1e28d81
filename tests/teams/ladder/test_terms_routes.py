"""Rest, rules, seasons, rosters and dates over HTTP, by captains' and directors' tokens."""

from datetime import timedelta
from pathlib import Path
from typing import Any

from teams.ladder.views import archive_json
from tests.teams.ladder.ladder_builders import ladder_of
from tests.teams.ladder.test_ladder_routes import Season, in_season

BY_DATE = {"schedule": "dates", "day_begins": 0, "day_ends": 24}


async def ask(season: Season, action: str, token: str, **body: Any) -> Any:
    return await season.club.post(f"/api/ladders/{season.ladder}/{action}", body, token)


async def pass_time(season: Season, **time: float) -> None:
    season.club.clock.advance(timedelta(**time).total_seconds())
    await season.club.house.writer.tick_due()


def test_ladder_in_its_first_season_has_no_archive() -> None:
    assert archive_json(ladder_of("ABC").state) == []


def test_captain_rests_and_page_and_server_ask_the_same(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        path = f"/api/ladders/{season.ladder}/targets"
        asked = (await season.club.get(path, season.tokens["B"])).json()["rest"]
        assert asked == {"allowed": True, "most_days": 30}
        rested = await ask(season, "rest", season.tokens["B"], days=10)
        assert (rested.status_code, rested.json()["row"]["state"]) == (201, "resting")
        again = await ask(season, "rest", season.tokens["B"], days=1)
        asked = (await season.club.get(path, season.tokens["B"])).json()["rest"]
        assert (again.status_code, again.json()["error"], asked["rule"]) == (422, "resting", "resting")
        assert again.json()["until"] == asked["until"] == rested.json()["row"]["rests_until"]
        refused = await season.challenge("C", "B")
        assert (refused.status_code, refused.json()["error"]) == (422, "resting")
        ended = await ask(season, "rest", season.tokens["B"], days=0)
        assert ended.json()["row"]["state"] == "free"
        other = await ask(season, "rest", season.tokens["C"], days=1, team=season.teams["B"])
        assert (other.status_code, other.json()["error"]) == (403, "not_captain")

    in_season(tmp_path, story)


def test_director_changes_rules_from_a_date(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        later = (season.club.clock.now() + timedelta(hours=5)).isoformat()
        rules = {"answer_days": 5}
        captain = await ask(season, "rules", season.tokens["B"], rules=rules)
        assert captain.status_code == 403
        for body, error in (
            ({"rules": {"answer_days": 0}}, "bad_rule"),
            ({"rules": {"handicap": 1}}, "unknown_rule"),
            ({"rules": {"scale": "none"}}, "unknown_scale"),
            ({"rules": rules, "holds_from": "2026-01-01T10:00:00"}, "bad_field"),
            ({"rules": rules, "holds_from": "2001-01-01T10:00:00Z"}, "rules_in_the_past"),
        ):
            refused = await ask(season, "rules", season.director, **body)
            assert (refused.status_code, refused.json()["error"]) == (422, error), body
        announced = await ask(season, "rules", season.director, rules=rules, holds_from=later)
        assert announced.status_code == 201, announced.text
        assert announced.json()["rules"]["answer_days"] == 3
        assert announced.json()["announced"]["rules"]["answer_days"] == 5
        await pass_time(season, hours=5)
        standing = await season.standing()
        assert (standing["rules"]["answer_days"], standing["announced"]) == (5, None)
        assert standing["rules"]["boards"] == 2, "what is not named stays"

    in_season(tmp_path, story)


def test_director_begins_a_season_in_a_new_order(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        order = [season.teams[letter] for letter in "DCBA"]
        bad = await ask(season, "season", season.director, name="Spring", order=order[:2])
        assert (bad.status_code, bad.json()["error"]) == (422, "bad_order")
        begun = await ask(season, "season", season.director, name="Spring", order=order)
        assert (begun.status_code, begun.json()["season"]["number"]) == (201, 2), begun.text
        assert await season.order() == "DCBA"
        told = (await season.club.get(f"/api/ladders/{season.ladder}/seasons")).json()
        assert told["season"]["name"] == "Spring"
        assert [row["team"]["name"] for row in told["archive"][0]["rungs"]] == [
            "Modra",
            "Vihar",
            "山茶",
            "Zora",
        ]
        assert (await ask(season, "season", season.tokens["A"], name="Mine")).status_code == 403

    in_season(tmp_path, story)


def test_roster_is_changed_by_id_and_name_but_not_between_acceptance_and_end(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        path = f"/api/teams/{season.teams['A']}"
        own = [{"id": player["id"]} for player in (await season.club.get(path)).json()["players"]]
        other = (await season.club.get(f"/api/teams/{season.teams['B']}")).json()["players"][0]["id"]

        async def change(*players: object, letter: str = "A") -> Any:
            body = {"players": players}
            return await season.club.post(f"{path}/players", body, season.tokens[letter])

        changed = await change(*own[:3], "Zvezdana")
        assert (changed.status_code, changed.json()["players"][3]["name"]) == (201, "Zvezdana")
        for players, status, error in (
            ((*own[:3], {"id": other}), 422, "player_on_ladder"),
            ((*own[:3],), 422, "bad_roster"),
            ((*own[:3], own[0]), 422, "player_twice"),
            ((*own[:3], {"id": "p1"}), 404, "no_such_player"),
            ((*own[:3], 7), 422, "bad_field"),
        ):
            refused = await change(*players)
            assert (refused.status_code, refused.json()["error"]) == (status, error), players
        assert (await change(*own, letter="B")).status_code == 403
        challenge = (await season.challenge("C", "A")).json()["id"]
        await season.step(challenge, "accept", "A")
        frozen = await change(*own)
        assert (frozen.status_code, frozen.json()["error"]) == (422, "roster_frozen")
        await season.step(challenge, "withdraw", "A")
        assert (await change(*own)).status_code == 201

    in_season(tmp_path, story)


def test_new_team_of_known_players_may_not_enter_beside_their_own(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        players = (await season.club.get(f"/api/teams/{season.teams['A']}")).json()["players"]
        body = {"name": "Second", "players": [{"id": players[0]["id"]}, "Xen", "Yan", "Zoe"]}
        made = await season.club.post("/api/teams", body, season.tokens["A"])
        assert (made.status_code, made.json()["players"][0]) == (201, players[0])
        entry = await ask(season, "entries", season.tokens["A"], team=made.json()["id"])
        assert (entry.status_code, entry.json()["error"]) == (422, "player_on_ladder")
        assert entry.json()["players"] == [players[0]["id"]]

    in_season(tmp_path, story)


def test_late_team_loses_by_a_walkover_and_its_match_is_void(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        challenge = (await season.challenge("C", "A")).json()["id"]
        accepted = (await season.step(challenge, "accept", "A")).json()
        assert accepted["deadline"] is not None
        now = season.club.clock.now()
        dates = [(now + timedelta(days=day)).isoformat() for day in (1, 2, 3)]
        offered = (await season.step(challenge, "offer", "A", dates=dates)).json()
        chosen = (await season.step(challenge, "choose", "C", date=offered["dates"][0])).json()
        players = iter((await season.club.get(f"/api/teams/{season.teams['C']}")).json()["players"])
        for room, pair in (("open", "EW"), ("closed", "NS")):
            seats = {seat: {"id": next(players)["id"]} for seat in pair}
            named = await season.step(challenge, "lineup", "C", room=room, seats=seats)
            assert named.status_code == 201, named.text
        assert named.json()["present"] == ["challenger"]
        await pass_time(season, days=1, minutes=19)
        assert await season.order() == "ABCD"
        await pass_time(season, minutes=1)
        assert await season.order() == "CBAD"
        decided = (await season.club.get(f"/api/challenges/{challenge}")).json()
        assert decided["decision"]["cause"] == "late"
        match = (await season.club.get(f"/api/matches/{chosen['match']}")).json()
        assert match["status"] == "void"

    in_season(tmp_path, story, **BY_DATE)


def test_refusing_every_date_costs_the_defenders_free_decline(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        challenge = (await season.challenge("C", "A")).json()["id"]
        await season.step(challenge, "accept", "A")
        early = await season.step(challenge, "refuse", "C")
        assert (early.status_code, early.json()["error"]) == (422, "nothing_offered")
        now = season.club.clock.now()
        dates = [(now + timedelta(days=day)).isoformat() for day in (1, 2, 3)]
        await season.step(challenge, "offer", "A", dates=dates)
        refused = (await season.step(challenge, "refuse", "C")).json()
        assert (refused["state"], refused["decision"]["cause"]) == ("voided", "dates_refused")
        waits = await season.challenge("C", "B")
        assert (waits.status_code, waits.json()["error"]) == (422, "void_pause")

    in_season(tmp_path, story, **BY_DATE)


def test_deleted_team_goes_at_once_by_a_directors_word_only(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        challenge = (await season.challenge("C", "A")).json()["id"]
        await season.step(challenge, "accept", "A")
        body = {"team": season.teams["A"], "at_once": True}
        assert (await ask(season, "leave", season.tokens["A"], **body)).status_code == 403
        assert (await ask(season, "leave", season.director, **body)).status_code == 201
        assert await season.order() == "CBD"
        assert (await season.standing())["challenges"] == []

    in_season(tmp_path, story)
