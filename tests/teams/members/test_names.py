"""Names in any script are kept as written; deceptive ones are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadcast.tables.errors import Refusal
from teams.members.names import clean_name, name_key
from teams.members.rosters import check_roster


@pytest.mark.parametrize(
    "name",
    [
        *("Modra", "山茶花", "Đorđe Šćepanović", "רוני", "نازنین\u200cزهرا", "Ž 2", "O'Brien"),
        *("Nguyễn Thị", "שָׁלוֹם", "क्\u200dष", "♠ Aces ♥", "Team 👩\u200d🚀"),
    ],
)
def test_names_in_any_script_are_kept(name: str) -> None:
    assert clean_name(f"  {name} ") == name


def test_decomposed_letters_are_composed_and_spaces_are_single() -> None:
    assert clean_name("Jose\u0301 \u3000 Vihar") == "José Vihar"


def test_suits_from_phones_are_kept_without_their_selectors() -> None:
    assert clean_name("Aces \u2660\ufe0f") == "Aces \u2660"


UNSEEN = (
    "\u200c\u200d\u034f\u115f\u1160\u17b4\u17b5\u180b\u180e\u2800\u3164\uffa0\u00ad\ufeff\u061c\U000e0041"
    "\U000e0100"
)


@pytest.mark.parametrize("unseen", UNSEEN)
def test_characters_that_cannot_be_seen_make_no_other_name(unseen: str) -> None:
    """Two teams, or two accounts, could look exactly alike: marks and letters can be blank, too."""
    with pytest.raises(Refusal):
        clean_name(f"Mod{unseen}ra")
    with pytest.raises(Refusal):
        clean_name(unseen)


def test_joiner_in_a_word_that_has_one_makes_no_other_name() -> None:
    assert name_key("نازنین\u200cزهرا") == name_key("نازنینزهرا")


@pytest.mark.parametrize(
    "name",
    ["", "   ", "---", "a" * 61, "Mod\u202era", "Mod\u0007ra", "Mo\u200bdra", "Mo" + "\u0316" * 5 + "dra"],
)
def test_empty_long_and_deceptive_names_are_refused(name: str) -> None:
    with pytest.raises(Refusal) as refused:
        clean_name(name)
    assert refused.value.rule == "bad_name"


@given(st.text())
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    try:
        name = clean_name(text)
    except Refusal:
        return
    assert clean_name(name) == name
    assert name_key(name) == name_key(name_key(name))


@pytest.mark.parametrize("count", [0, 3, 9])
def test_roster_has_four_to_eight_players(count: int) -> None:
    with pytest.raises(Refusal) as refused:
        check_roster(["Ann"] * count)
    assert refused.value.rule == "bad_roster"


def test_two_players_may_have_the_same_name() -> None:
    assert check_roster(["Ann", " Ann", "Bob", "山茶"]) == ("Ann", "Ann", "Bob", "山茶")
