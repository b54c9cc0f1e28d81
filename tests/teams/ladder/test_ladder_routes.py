"""From the challenge to the swap over HTTP, and what a request that may not do it is told."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from broadcast.bridge.rooms import Room
from teams.ladder.views import replayed
from teams.members.accounts import Role
from tests.teams.members.member_houses import Club, Json, club

RULES = {"schedule": "at_once", "boards": 2, "deals": "typed", "correction_minutes": 0, "scale": "wbf-2013"}
NAMES = {"A": "Modra", "B": "Vihar", "C": "山茶", "D": "Zora"}


@dataclass
class Season:
    """A ladder of four teams, A on top, each with a captain."""

    club: Club
    director: str
    ladder: str
    teams: dict[str, str]
    """Team ids by letter."""
    tokens: dict[str, str]
    """Captains' tokens by letter."""

    async def standing(self) -> Json:
        answer = await self.club.get(f"/api/ladders/{self.ladder}")
        assert answer.status_code == 200
        found: Json = answer.json()
        return found

    async def order(self) -> str:
        letters = {id: letter for letter, id in self.teams.items()}
        return "".join(letters[row["team"]["id"]] for row in (await self.standing())["rungs"])

    async def challenge(self, challenger: str, opponent: str, version: int | None = None) -> Any:
        body = {
            "opponent": self.teams[opponent],
            "ladder_version": (await self.standing())["version"] if version is None else version,
        }
        return await self.club.post(f"/api/ladders/{self.ladder}/challenges", body, self.tokens[challenger])

    async def step(self, challenge: str, action: str, letter: str, **body: Any) -> Any:
        return await self.club.post(f"/api/challenges/{challenge}/{action}", body, self.tokens[letter])

    async def play(self, match: str, tricks_open: int, tricks_closed: int) -> None:
        """Both rooms: every board 1NT by North, not vulnerable or vulnerable as the board says."""
        for room, tricks in (("open", tricks_open), ("closed", tricks_closed)):
            for board in (1, 2):
                commands = [
                    {"type": "open_board", "segment": 1, "board": board},
                    {"type": "result", "contract": "1NT", "declarer": "N", "tricks": tricks},
                ]
                answer = await self.club.post(
                    f"/api/matches/{match}/rooms/{room}/commands", {"commands": commands}, self.director
                )
                assert answer.status_code == 201, answer.text


def in_season(directory: Path, story: Callable[[Season], Awaitable[None]], **rules: Any) -> None:
    async def told() -> None:
        async with club(directory) as opened:
            await story(await season(opened, {**RULES, **rules}))

    asyncio.run(told())


async def season(club: Club, rules: Json) -> Season:
    director = await club.person("Dora", Role.DIRECTOR)
    made = await club.post("/api/ladders", {"name": "Club ladder", "rules": rules}, director)
    assert made.status_code == 201, made.text
    ladder = made.json()["id"]
    teams, tokens = {}, {}
    for letter, name in NAMES.items():
        tokens[letter] = await club.person(f"captain {letter}", Role.CAPTAIN)
        players = [f"{name} {seat}" for seat in "NESW"]
        team = await club.post("/api/teams", {"name": name, "players": players}, tokens[letter])
        teams[letter] = team.json()["id"]
        entry = await club.post(f"/api/ladders/{ladder}/entries", {"team": teams[letter]}, tokens[letter])
        assert entry.status_code == 201, entry.text
    return Season(club, director, ladder, teams, tokens)


def test_challenge_is_accepted_played_closed_by_itself_and_the_rungs_are_swapped(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        issued = await season.challenge("C", "A")
        assert issued.status_code == 201
        challenge = issued.json()
        assert (challenge["state"], challenge["steps"], challenge["match"]) == ("issued", ["withdraw"], None)
        assert challenge["outcomes"]["win"] == {"challenger": 1, "defender": 3}
        accepted = await season.step(challenge["id"], "accept", "A")
        match = accepted.json()["match"]
        assert (accepted.status_code, accepted.json()["state"]) == (201, "playing")
        shown = (await season.club.get(f"/api/matches/{match}")).json()
        assert (shown["home"]["name"], shown["visitors"]["name"]) == ("Modra", "山茶")
        await season.play(match, tricks_open=6, tricks_closed=9)
        assert (await season.club.get(f"/api/matches/{match}")).json()["status"] == "closed"
        assert await season.order() == "CBAD"
        decided = (await season.club.get(f"/api/challenges/{challenge['id']}")).json()
        assert (decided["state"], decided["decision"]["winner"]) == ("decided", "challenger")
        hidden = (await season.club.get(f"/api/challenges/{challenge['id']}?results=hidden")).json()
        assert hidden["decision"] is None
        moves = (await season.club.get(f"/api/ladders/{season.ladder}/history")).json()["moves"]
        assert [season.teams[letter] for letter in "CBAD"] == replayed(moves)
        assert [(move["cause"], move["match"]) for move in moves[-2:]] == [("match", match)] * 2
        team = (await season.club.get(f"/api/teams/{season.teams['C']}")).json()
        assert [(row["ladder"]["id"], row["rung"]) for row in team["standings"]] == [(season.ladder, 1)]

    in_season(tmp_path, story)


def test_ladder_tells_nothing_of_a_match_that_is_not_closed_for_everyone(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        challenge = (await season.challenge("C", "A")).json()["id"]
        match = (await season.step(challenge, "accept", "A")).json()["match"]
        before = await season.standing()
        await season.play(match, tricks_open=6, tricks_closed=9)
        assert (await season.club.get(f"/api/matches/{match}")).json()["status"] != "closed"
        after = await season.standing()
        (challenge_before,), (challenge_after,) = before["challenges"], after["challenges"]
        assert challenge_after == challenge_before | {"has_begun": True}, "that play has begun everybody knows"
        assert after["version"] == before["version"] + 1
        assert [row["team"] for row in after["rungs"]] == [row["team"] for row in before["rungs"]]
        season.club.clock.advance(30 * 60)
        await season.club.house.writer.tick_due()
        assert await season.order() == "CBAD"

    in_season(tmp_path, story, correction_minutes=30, release={"rule": "match"})


def test_ruling_after_closing_that_turns_the_result_moves_the_rungs_again(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        challenge = (await season.challenge("C", "A")).json()["id"]
        match = (await season.step(challenge, "accept", "A")).json()["match"]
        await season.play(match, tricks_open=6, tricks_closed=9)
        assert await season.order() == "CBAD"
        penalty = {"type": "penalty", "side": "visitors", "unit": "imps", "amount": 30, "reason": "late"}
        ruled = await season.club.post(f"/api/matches/{match}/rulings", penalty, season.director)
        assert ruled.status_code == 201, ruled.text
        assert await season.order() == "ABCD"
        decided = (await season.club.get(f"/api/challenges/{challenge}")).json()
        assert (decided["decision"]["winner"], decided["decision"]["cause"]) == ("defender", "turned")

    in_season(tmp_path, story)


def test_both_captains_confirm_the_score_and_the_match_closes_at_once(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        challenge = (await season.challenge("C", "A")).json()["id"]
        match = (await season.step(challenge, "accept", "A")).json()["match"]
        early = await season.step(challenge, "confirm", "A")
        assert (early.status_code, early.json()["error"]) == (422, "not_scored")
        await season.play(match, tricks_open=6, tricks_closed=9)
        first = await season.step(challenge, "confirm", "A")
        assert (first.status_code, first.json()["confirmed"]) == (201, ["defender"])
        ruling = {"type": "penalty", "side": "home", "unit": "imps", "amount": 1, "reason": "late"}
        await season.club.post(f"/api/matches/{match}/rulings", ruling, season.director)
        other = await season.step(challenge, "confirm", "C")
        assert other.json()["confirmed"] == ["challenger"], "the score has changed since A agreed"
        assert await season.order() == "ABCD"
        both = await season.step(challenge, "confirm", "A")
        assert (both.json()["confirmed"], both.json()["state"]) == (["challenger", "defender"], "decided")
        assert await season.order() == "CBAD"
        again = await season.step(challenge, "confirm", "A")
        assert (again.status_code, again.json()) == (201, both.json()), "a lost answer is asked for again"

    in_season(tmp_path, story, correction_minutes=30)


def test_comment_between_the_captains_confirmations_undoes_neither(tmp_path: Path) -> None:
    """Anybody's comment after the last board sent the captains back to agree again."""

    async def story(season: Season) -> None:
        challenge = (await season.challenge("C", "A")).json()["id"]
        match = (await season.step(challenge, "accept", "A")).json()["match"]
        await season.play(match, tricks_open=6, tricks_closed=9)
        await season.step(challenge, "confirm", "A")
        said = {"board": 1, "room": "open", "text": "well played"}
        told = await season.club.post(f"/api/matches/{match}/comments", said, season.director)
        assert told.status_code == 201, told.text
        both = await season.step(challenge, "confirm", "C")
        assert (both.json()["confirmed"], both.json()["state"]) == (["challenger", "defender"], "decided")

    in_season(tmp_path, story, correction_minutes=30)


def test_captains_name_their_own_seats_from_their_own_roster(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        challenge = (await season.challenge("C", "A")).json()["id"]
        match = (await season.step(challenge, "accept", "A")).json()["match"]
        players = (await season.club.get(f"/api/teams/{season.teams['C']}")).json()["players"]
        east, west = ({"id": player["id"]} for player in players[:2])
        named = await season.step(challenge, "lineup", "C", room="open", seats={"E": east, "W": west})
        assert named.status_code == 201, named.text
        home = {"N": "Substitute", "S": "Other"}
        assert (await season.step(challenge, "lineup", "A", room="open", seats=home)).status_code == 201
        for seats, error in (
            ({"N": east}, "not_your_seat"),
            ({"E": east, "W": east}, "player_twice"),
            ({"E": {"id": "p1"}}, "not_on_roster"),
        ):
            refused = await season.step(challenge, "lineup", "C", room="open", seats=seats)
            assert (refused.status_code, refused.json()["error"]) == (422, error)
        stream = await season.club.house.match(match)
        assert stream is not None and stream.match is not None
        lineup = stream.match.segments[0].lineups[Room.OPEN]
        assert {seat.value: player.name for seat, player in lineup.items()} == {
            "N": "Substitute",
            "S": "Other",
            "E": "山茶 N",
            "W": "山茶 E",
        }

    in_season(tmp_path, story)


def test_withdrawing_from_a_match_under_way_loses_it_and_voids_the_match(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        challenge = (await season.challenge("C", "A")).json()["id"]
        match = (await season.step(challenge, "accept", "A")).json()["match"]
        lost = await season.step(challenge, "withdraw", "A")
        assert (lost.status_code, lost.json()["decision"]["winner"]) == (201, "challenger")
        assert (await season.club.get(f"/api/matches/{match}")).json()["status"] == "void"
        assert await season.order() == "CBAD"

    in_season(tmp_path, story)


def test_director_voids_the_match_and_with_it_the_challenge(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        challenge = (await season.challenge("C", "A")).json()["id"]
        match = (await season.step(challenge, "accept", "A")).json()["match"]
        void = {"type": "void", "reason": "power cut"}
        voided = await season.club.post(f"/api/matches/{match}/rulings", void, season.director)
        assert voided.status_code == 201, voided.text
        shown = (await season.club.get(f"/api/challenges/{challenge}")).json()
        assert (shown["state"], await season.order()) == ("voided", "ABCD")
        again = await season.challenge("C", "A")
        assert (again.status_code, again.json()["error"]) == (422, "pair_pause")

    in_season(tmp_path, story)


def test_two_challenges_of_a_pair_at_the_same_moment_are_one(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        version = (await season.standing())["version"]
        answers = await asyncio.gather(
            *(season.challenge(*pair, version=version) for pair in (("B", "A"), ("A", "B"), ("B", "A")))
        )
        # Where A's came first it was refused, as B stands below A, and one of B's made the challenge.
        statuses = sorted(answer.status_code for answer in answers)
        assert statuses in ([200, 200, 201], [200, 201, 422])
        assert len({answer.json()["id"] for answer in answers if "id" in answer.json()}) == 1
        assert len((await season.standing())["challenges"]) == 1

    in_season(tmp_path, story)


def test_page_older_than_the_ladder_is_told_the_new_row_and_nothing_is_sent(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        version = (await season.standing())["version"]
        await season.challenge("B", "A")
        changed = await season.challenge("D", "C", version=version)
        assert (changed.status_code, changed.json()["error"]) == (409, "ladder_changed")
        assert changed.json()["row"]["team"]["id"] == season.teams["C"]
        assert changed.json()["version"] == version + 1
        assert len((await season.standing())["challenges"]) == 1

    in_season(tmp_path, story)


def test_key_sent_again_gives_the_first_answer_again(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        path = f"/api/ladders/{season.ladder}/challenges"
        version = (await season.standing())["version"]
        body = {"opponent": season.teams["A"], "ladder_version": version}
        first = await season.club.post(path, body, season.tokens["C"], key="k1")
        again = await season.club.post(path, body, season.tokens["C"], key="k1")
        assert (first.status_code, again.status_code) == (201, 201)
        assert first.json() == again.json()
        accept = f"/api/challenges/{first.json()['id']}/accept"
        answers = [await season.club.post(accept, {}, season.tokens["A"], key="k2") for _ in range(2)]
        assert answers[0].json() == answers[1].json()

    in_season(tmp_path, story)


def test_targets_say_for_each_rung_what_would_happen_or_why_not(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        await season.challenge("B", "A")
        path = f"/api/ladders/{season.ladder}/targets"
        answer = (await season.club.get(path, season.tokens["D"])).json()
        assert answer["team"] == season.teams["D"]
        rules = [target.get("rule") for target in answer["targets"]]
        assert rules == [None, None, None, "own_team"]
        assert answer["targets"][0]["win"] == {"challenger": 1, "defender": 4}
        assert (await season.club.get(path)).status_code == 401
        assert (await season.club.get(path, season.director)).json()["error"] == "which_team"
        named = await season.club.get(f"{path}?team={season.teams['B']}", season.director)
        assert named.json()["targets"][0]["rule"] == "pair_open"

    in_season(tmp_path, story)


def test_only_captains_speak_for_their_teams(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        challenge = (await season.challenge("C", "A")).json()["id"]
        for letter, action, status, error in (
            ("B", "accept", 403, "not_captain"),
            ("C", "accept", 403, "not_your_step"),
            ("A", "withdraw", 403, "not_your_step"),
            ("A", "void", 403, "not_allowed"),
            ("A", "wave", 404, "no_such_step"),
        ):
            answer = await season.step(challenge, action, letter, reason="-")
            assert (answer.status_code, answer.json()["error"]) == (status, error), action
        entry = await season.club.post(
            f"/api/ladders/{season.ladder}/leave", {"team": season.teams["A"]}, season.tokens["B"]
        )
        assert entry.status_code == 403
        stranger = await season.club.person("Zed", Role.PLAYER)
        ladder = await season.club.post("/api/ladders", {"name": "Mine"}, stranger)
        assert ladder.status_code == 403

    in_season(tmp_path, story)


def test_what_is_not_there_is_not_found(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        for path in (
            "/api/ladders/none",
            "/api/ladders/none/history",
            "/api/challenges/none",
            "/api/teams/none",
        ):
            answer = await season.club.get(path)
            assert answer.status_code == 404
            assert set(answer.json()) >= {"error", "message"}
        body = {"opponent": season.teams["A"], "ladder_version": 1}
        answer = await season.club.post("/api/ladders/none/challenges", body, season.tokens["B"])
        assert (answer.status_code, answer.json()["error"]) == (404, "no_such_ladder")

    in_season(tmp_path, story)


def test_unknown_rules_and_scales_are_refused_when_the_ladder_is_made(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        for rules, error in (
            ({"handicap": 1}, "unknown_rule"),
            ({"boards": 0}, "bad_rule"),
            ({"scale": "none"}, "unknown_scale"),
        ):
            answer = await season.club.post("/api/ladders", {"name": "L", "rules": rules}, season.director)
            assert (answer.status_code, answer.json()["error"]) == (422, error)
        assert len((await season.club.get("/api/ladders")).json()["ladders"]) == 1

    in_season(tmp_path, story)


def test_polling_and_snapshot_stand_at_the_same_event(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        await season.challenge("B", "A")
        standing = await season.standing()
        before, _, number = standing["last_event"].partition("-")
        after = f"{before}-{int(number) - 1}"
        polled = await season.club.get(f"/api/ladders/{season.ladder}/events?after={after}")
        (event,) = polled.json()["events"]
        assert (event["event"], event["id"]) == ("challenge", standing["last_event"])
        assert event["data"]["challenger"]["name"] == "Vihar"

    in_season(tmp_path, story)


def test_house_restarted_has_the_same_ladder(tmp_path: Path) -> None:
    async def told() -> None:
        async with club(tmp_path) as first:
            played = await season(first, RULES)
            challenge = (await played.challenge("C", "A")).json()["id"]
            match = (await played.step(challenge, "accept", "A")).json()["match"]
            await played.play(match, tricks_open=6, tricks_closed=9)
            before = await played.standing()
        async with club(tmp_path) as second:
            after = (await second.get(f"/api/ladders/{played.ladder}")).json()
        assert after == before

    asyncio.run(told())


def test_dates_are_offered_and_chosen_with_their_offset(tmp_path: Path) -> None:
    async def story(season: Season) -> None:
        challenge = (await season.challenge("C", "A")).json()["id"]
        accepted = (await season.step(challenge, "accept", "A")).json()
        assert (accepted["state"], accepted["steps"], accepted["match"]) == (
            "accepted",
            ["offer", "withdraw"],
            None,
        )
        now = season.club.clock.now()
        dates = [(now + timedelta(days=day)).isoformat() for day in (1, 2, 3)]
        naive = [(now.replace(tzinfo=None) + timedelta(days=day)).isoformat() for day in (1, 2, 3)]
        assert (await season.step(challenge, "offer", "A", dates=naive)).json()["error"] == "bad_field"
        offered = (await season.step(challenge, "offer", "A", dates=dates)).json()
        assert len(offered["dates"]) == 3
        chosen = await season.step(challenge, "choose", "C", date=offered["dates"][1])
        assert (chosen.status_code, chosen.json()["state"]) == (201, "playing")
        assert chosen.json()["starts_at"] == offered["dates"][1]
        shown = (await season.club.get(f"/api/matches/{chosen.json()['match']}")).json()
        assert shown["status"] == "upcoming"

    in_season(tmp_path, story, schedule="dates", time_zone="Europe/Ljubljana", day_begins=0, day_ends=24)
