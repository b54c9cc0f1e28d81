"""Two teams of different style meet over two rooms: boards swing as in a real match, and none absurdly."""

from statistics import mean

import pytest

from broadcast.bridge.boards import vulnerability_of
from broadcast.bridge.results import PASSED_OUT, BoardResult
from broadcast.bridge.seats import SEATS, Side
from teams.demo.bidding.style import STANDARD, Style, SuitLead, Temper
from teams.scales.imps import imps
from tests.teams.demo.four_players import Styles, bid_out, play_out, seeded_deal

_BOARDS = range(201, 233)
_LARGEST_SWING_IMPS = 17


def seated(north_south: Style, east_west: Style) -> Styles:
    return {seat: north_south if seat.side is Side.NS else east_west for seat in SEATS}


def score_ns(number: int, styles: Styles) -> int:
    deal = seeded_deal(number)
    auction = bid_out(deal, number, styles)
    result = PASSED_OUT
    if not auction.is_passed_out:
        result = BoardResult(
            auction.contract, auction.declarer, play_out(deal, auction, styles).declarer_tricks
        )
    return result.score_ns(vulnerability_of(number))


@pytest.fixture(scope="module")
def swings_imps() -> list[int]:
    home, visitors = Style.from_seed(1), Style.from_seed(2)
    return [
        imps(score_ns(number, seated(home, visitors)) - score_ns(number, seated(visitors, home)))
        for number in _BOARDS
    ]


def test_a_good_part_of_the_boards_swings(swings_imps: list[int]) -> None:
    assert mean(swing != 0 for swing in swings_imps) >= 0.3
    assert 1.5 <= mean(abs(swing) for swing in swings_imps) <= 6


def test_no_swing_is_absurd_and_both_teams_gain(swings_imps: list[int]) -> None:
    assert max(map(abs, swings_imps)) <= _LARGEST_SWING_IMPS
    assert any(swing > 0 for swing in swings_imps)
    assert any(swing < 0 for swing in swings_imps)


def test_the_same_style_in_both_rooms_never_swings() -> None:
    for number in (1, 2, 3):
        assert score_ns(number, seated(STANDARD, STANDARD)) == score_ns(number, seated(STANDARD, STANDARD))


def test_styles_follow_from_their_seed() -> None:
    assert Style.from_seed(0) == STANDARD
    assert Style.from_seed(7) == Style.from_seed(7)
    assert {Style.from_seed(seed).temper for seed in range(3)} == set(Temper)
    assert {Style.from_seed(seed).lead for seed in range(9)} == set(SuitLead)
    assert all(STANDARD.upgrade(seeded_deal(seed)[SEATS[0]]) == 0 for seed in range(20))
