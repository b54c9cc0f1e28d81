"""The form in which a match is set up, as text, and the match it describes."""

import pytest

from broadcast.tables.errors import Refusal
from broadcast.tables.setup import TeamName
from broadcast.tables.state import MatchState
from broadcast.web import match_json
from broadcast.web.problems import Problem
from broadcast.web.setup_form import BLANK, Fields, body_of, copied, with_segment, without_segment
from tests.builders import Told, deal_of

NAMED = {**BLANK, "title": "Club final", "home_name": "Modra", "visitors_name": "Vihar"}
TEAMS = {"t1": {"id": "t1", "name": "Modra", "players": [{"id": "p1", "name": "Ana"}]}}


def made(fields: Fields) -> MatchState:
    body = body_of(fields, TEAMS, "typed")
    names = {side: TeamName(*_team(body[side])) for side in ("home", "visitors")}
    return Told(match_json.create_match(body, names, lambda: deal_of(1))).match


def _team(given: object) -> tuple[str, str | None]:
    if isinstance(given, dict):
        return str(TEAMS[given["id"]]["name"]), given["id"]
    return str(given), None


def test_blank_form_with_names_is_a_match_of_sixteen_boards_released_board_by_board() -> None:
    match = made(NAMED)
    assert (len(match.boards), match.release.rule, match.created.scale) == (16, "board", "wbf-2013")
    assert len(match.created.deals) == 16


def test_added_segment_goes_on_with_numbers_and_line_ups_and_a_removed_one_closes_the_gap() -> None:
    two = with_segment({**NAMED, "seg1_last": "8", "seg1_open_N_name": "Ana", "seg1_title": "First half"})
    assert (two["seg2_first"], two["seg2_last"], two["seg2_open_N_name"]) == ("9", "16", "Ana")
    assert [(each.first, each.last, each.title) for each in made(two).segments] == [
        (1, 8, "First half"),
        (9, 16, "2"),
    ]
    assert [(each.first, each.last) for each in made(without_segment(two, 1)).segments] == [(9, 16)]
    assert without_segment(NAMED, 1) == NAMED
    strange = f"seg{'1' * 5000}_first"
    assert without_segment({**two, strange: "1"}, 1)[strange] == "1"


def test_roster_players_are_named_by_id_and_others_by_name() -> None:
    fields = {**NAMED, "home_team": "t1", "seg1_open_N": "id:p1", "seg1_open_E_name": "Eva"}
    lineup = made(fields).segments[0].lineups["open"]  # type: ignore[index]
    assert {seat.value: (player.name, player.id) for seat, player in lineup.items()} == {
        "N": ("Ana", "p1"),
        "E": ("Eva", None),
    }
    with pytest.raises(Problem, match="roster"):
        body_of({**fields, "seg1_open_E": "id:p1"}, TEAMS, "typed")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", " "),
        ("seg1_last", "x"),
        ("carry_home", "1e3"),
        ("starts_at", "soon"),
        ("starts_at", "0001-01-01T00:00+14:00"),
        ("zone", "Mars/Olympus"),
        ("correction_minutes", "½"),
    ],
)
def test_what_cannot_be_read_is_told_by_its_field(field: str, value: str) -> None:
    with pytest.raises((Problem, Refusal)) as refused:
        body_of({**NAMED, "starts_at": "2026-07-01T19:30", field: value}, {}, "typed")
    assert isinstance(refused.value, Problem | Refusal)
    assert refused.value.facts["field"] == field


def test_start_is_typed_in_the_zone_that_is_chosen() -> None:
    typed = {**NAMED, "starts_at": "2026-07-01T19:30"}
    assert body_of(typed, {}, "typed")["starts_at"] == "2026-07-01T19:30:00+00:00"
    there = {**typed, "zone": "Europe/Ljubljana"}
    assert body_of(there, {}, "typed")["starts_at"] == "2026-07-01T17:30:00+00:00"
    for night, rule in (("2026-03-29T02:30", "no_such_hour"), ("2026-10-25T02:30", "hour_twice")):
        with pytest.raises(Refusal) as refused:
            body_of({**there, "starts_at": night}, {}, "typed")
        assert (refused.value.rule, refused.value.facts["field"]) == (rule, "starts_at")


def test_match_without_a_title_is_asked_for_one() -> None:
    with pytest.raises(Problem, match="Give the match a title"):
        body_of({**NAMED, "title": ""}, {}, "typed")


def test_copy_describes_the_same_match_without_its_deals_and_carry_over() -> None:
    fields = with_segment(
        {**NAMED, "rule": "delay", "minutes": "20", "no_devices": "1", "scale": "wbf-2013-discrete"}
    )
    match = made(
        {**fields, "home_team": "t1", "seg1_open_N": "id:p1", "seg2_closed_S_name": "Vid", "carry_home": "7"}
    )
    again = made(copied(match))
    assert again.segments == match.segments
    assert (again.release, again.created.scale) == (match.release, match.created.scale)
    assert (again.created.home, again.created.carry_over.home) == (match.created.home, 0)
    assert again.created.deals.keys() == match.created.deals.keys()


def test_streams_elsewhere_are_links_by_https_alone() -> None:
    fields = {
        **NAMED,
        "stream1_url": "https://video.example/final",
        "stream2_title": "Voices",
        "language": "zh",
    }
    match = made({**fields, "stream2_url": "https://radio.example"})
    assert [(each.title, each.url) for each in match.created.streams] == [
        ("video.example", "https://video.example/final"),
        ("Voices", "https://radio.example"),
    ]
    assert match.created.language == "zh"
    for url in ("javascript:alert(1)", "http://radio.example", "https:radio.example", 'https://a.b/"><b>', ""):
        with pytest.raises(Refusal, match="https"):
            made({**fields, "stream2_url": url})
