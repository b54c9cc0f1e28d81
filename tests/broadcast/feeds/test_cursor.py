"""What a cursor is, and what its viewer is owed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broadcast.feeds.cursor import Cursor, Reset, ResetReason, Snapshot, Tail, decide_resume


@pytest.mark.parametrize("text", ["12-380", "0-0", "1-999999999999999", "118"])
def test_cursor_is_written_as_it_was_read(text: str) -> None:
    assert str(Cursor.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "12-",
        "-380",
        "12-380-1",
        "+12-380",
        "12--380",
        " 12-380",
        "12-380\n",
        "12-3 80",
        "012-380",
        "1-1.0",
    ],
)
def test_anything_else_is_no_cursor(text: str) -> None:
    assert Cursor.parse(text) is None


@pytest.mark.parametrize(
    "text", ["1-" + "9" * 16, "9" * 100_000, "١٢-٣", "12-³", "12\u2013380", "1_2-3", "0x1-2", "null", "1-2\x00"]
)
def test_digits_of_other_scripts_and_endless_ones_are_no_cursor(text: str) -> None:
    assert Cursor.parse(text) is None


@settings(deadline=None)
@given(st.text(alphabet=st.characters() | st.sampled_from("0123456789-")))
def test_no_text_makes_reading_fail(text: str) -> None:
    decide_resume(text, 1, 10)


@given(st.integers(0, 5_000), st.integers(0, 5_000), st.integers(0, 2_000))
def test_cursor_of_this_feed_gets_its_tail_while_the_events_are_kept(last: int, number: int, kept: int) -> None:
    decision = decide_resume(Cursor(3, number), 3, last, kept)
    if number > last:
        assert decision == Reset(ResetReason.UNKNOWN)
    elif last - number > kept:
        assert decision == Reset(ResetReason.BEHIND)
    else:
        assert decision == Tail(number)


def test_viewer_2000_events_behind_gets_them_and_one_further_behind_a_reset() -> None:
    assert decide_resume("1-412", 1, 2_412) == Tail(412)
    assert decide_resume("1-411", 1, 2_412) == Reset(ResetReason.BEHIND)


def test_cursor_of_another_epoch_is_reset_however_near_its_number() -> None:
    assert decide_resume("1-412", 1_764_000_000, 412) == Reset(ResetReason.EPOCH)


@pytest.mark.parametrize("cursor", [None, ""])
def test_viewer_without_cursor_begins_with_a_snapshot(cursor: str | None) -> None:
    assert decide_resume(cursor, 1, 412) == Snapshot()


def test_bare_number_continues_a_private_stream_and_no_public_one() -> None:
    assert decide_resume("118", None, 120) == Tail(118)
    assert decide_resume("118", 1, 120) == Reset(ResetReason.UNKNOWN)
    assert decide_resume("1-118", None, 120) == Reset(ResetReason.UNKNOWN)
