"""Bridge values as text and markup."""

import pytest

from broadcast.web.filters import filters_for, plain_contract, result_of, signed, vps, with_sign
from broadcast.web.languages import Language

ENGLISH, CHINESE = filters_for(Language.ENGLISH), filters_for(Language.CHINESE)


@pytest.mark.parametrize(
    ("value", "text"), [(-50, "−50"), (0, "0"), (420, "420"), (None, ""), (1.5, "1.5"), (-0.25, "−0.25")]
)
def test_numbers_have_a_minus_sign(value: float | None, text: str) -> None:
    assert signed(value) == text


def test_differences_show_their_sign() -> None:
    assert [with_sign(value) for value in (10, -3, 0, None)] == ["+10", "−3", "0", ""]


def test_vps_have_two_decimals_rounded_half_up() -> None:
    assert [vps(value) for value in (12.8, 20, 7.205, None)] == ["12.80", "20.00", "7.21", ""]


@pytest.mark.parametrize(
    ("contract", "tricks", "text"),
    [("4S", 10, "="), ("3NT", 11, "+2"), ("4SX", 8, "−2"), ("Pass", None, ""), (None, 9, "")],
)
def test_result_counts_from_the_contract(contract: str | None, tricks: int | None, text: str) -> None:
    assert result_of(contract, tricks) == text


def test_contract_has_a_coloured_suit_in_text_form() -> None:
    assert ENGLISH["contract"]("4SX") == (
        '<span class="contract">4<span class="suit suit-S">♠\ufe0e</span><span class="doubled">×</span></span>'
    )
    doubled = '<span class="contract">3NT<span class="doubled">××</span></span>'
    assert ENGLISH["contract"]("3NTXX") == doubled
    assert [plain_contract(code) for code in ("4SX", "3NT", "Pass", None)] == ["4♠×", "3NT", "Pass", ""]


def test_passes_are_said_in_the_language_of_the_page() -> None:
    assert (ENGLISH["call"]("Pass"), CHINESE["call"]("Pass")) == ("Pass", "不叫")


def test_comment_is_escaped_and_only_suit_marks_become_symbols() -> None:
    shown = str(ENGLISH["suit_text"]("<b>!h</b> [x](javascript:alert(1)) !help !S"))
    assert shown.startswith('&lt;b&gt;<span class="suit suit-H">♥\ufe0e</span>&lt;/b&gt; [x](javascript:')
    assert "!help" in shown and shown.endswith("♠\ufe0e</span>")


def test_dates_are_in_utc_and_localised() -> None:
    at = "2026-11-28T23:42:10+02:00"
    assert ENGLISH["date"](at) == "Nov 28, 2026"
    assert CHINESE["date"](at) == "2026年11月28日"
    assert ENGLISH["clock"](at) == "21:42"
    assert ENGLISH["date_time"](at) == "Nov 28, 2026 21:42 UTC"
    assert ENGLISH["date"](None) == "" and ENGLISH["date"]("yesterday") == ""


def test_code_without_a_word_is_shown_not_hidden() -> None:
    assert ENGLISH["phase_name"]("thrown_away") == "thrown away"
    assert ENGLISH["phase_name"](None) == ""


@pytest.mark.parametrize("at", ["after lunch", "9999-12-31T23:59:59-10:00", "0001-01-01T00:00:00+14:00"])
def test_what_is_no_time_is_not_shown_as_one(at: str) -> None:
    """A match said to start at the end of year 9999 west of Greenwich took the home page down for everybody."""
    assert ENGLISH["date_time"](at) == "" and ENGLISH["day"](at) == ""
