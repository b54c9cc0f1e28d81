"""An organiser's own table: read, or refused with the line that is wrong."""

from decimal import Decimal

import pytest

from teams.scales.organiser_scale import scale_from_csv
from teams.scales.vp_scale import BadScale, NoRow, VictoryPoints

TABLE = """\
# club regulation, 25-0
boards,margin,winner,loser
3-4,0,15,15
3-4,3,16,14.5

5,0,15,15
5,4,25,5
5,9,25,0
"""


def test_an_organisers_table_answers_like_any_scale() -> None:
    scale = scale_from_csv("club-25", TABLE)
    assert scale.name == "club-25"
    assert [boards for boards in range(9) if scale.has_row(boards)] == [3, 4, 5]
    assert scale.vps(3, 2) == VictoryPoints(Decimal(15), Decimal(15))
    assert scale.vps(4, 8) == VictoryPoints(Decimal(16), Decimal("14.50"))
    with pytest.raises(NoRow, match="no row for 6 boards: it has 3-5"):
        scale.vps(6, 0)


def test_loser_may_go_on_falling_when_the_winner_has_all() -> None:
    scale = scale_from_csv("club-25", TABLE)
    assert scale.vps(5, 8) == VictoryPoints(Decimal(25), Decimal(5))
    assert scale.vps(5, 40) == VictoryPoints(Decimal(25), Decimal(0))


def test_order_of_lines_spaces_and_a_byte_order_mark_do_not_matter() -> None:
    text = "\ufeffBoards, Margin, Winner, Loser\r\n8, 10, 14, 6\r\n8, 0, 10, 10\r\n"
    assert scale_from_csv("club", text).vps(8, 10).winner == 14


@pytest.mark.parametrize(
    ("body", "line", "what"),
    [
        ("", 1, "no lines"),
        ("8,0,10\n", 2, "four columns"),
        ("8,0,10,10,0\n", 2, "four columns"),
        ("eight,0,10,10\n", 2, "number of boards"),
        ("9-8,0,10,10\n", 2, "number of boards"),
        ("0,0,10,10\n", 2, "number of boards"),
        ("8,-1,10,10\n", 2, "margin"),
        ("8,0.5,10,10\n", 2, "margin"),
        ("8,0,ten,10\n", 2, "VPs"),
        ("8,0,NaN,NaN\n", 2, "VPs"),
        ("8,0,1e999,10\n", 2, "VPs"),
        ("8,0,10.005,10\n", 2, "two decimals"),
        ("8,1,11,9\n", 2, "margin 0"),
        ("8,0,11,9\n", 2, "equal VPs"),
        ("8,0,10,10\n8,0,10,10\n", 3, "line 2 already"),
        ("8,0,10,10\n8,3,12,8\n8,5,11,8\n", 4, "worth less"),
        ("8,0,10,10\n8,3,12,11\n", 3, "worth less"),
    ],
)
def test_a_table_that_is_no_scale_is_refused_with_its_line(body: str, line: int, what: str) -> None:
    with pytest.raises(BadScale, match=what) as refused:
        scale_from_csv("club", "boards,margin,winner,loser\n" + body)
    assert refused.value.facts["line"] == line


@pytest.mark.parametrize("text", ["", "\n\n", "margin,vp\n0,10\n"])
def test_a_file_that_begins_otherwise_is_refused(text: str) -> None:
    with pytest.raises(BadScale, match="boards,margin,winner,loser"):
        scale_from_csv("club", text)
