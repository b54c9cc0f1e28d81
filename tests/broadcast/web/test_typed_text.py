"""What people typed is kept without what nobody sees; nothing is refused for it, and passwords are as sent."""

import pytest

from broadcast.web import command_json as read
from broadcast.web.typed_text import typed


@pytest.mark.parametrize(
    "text",
    ["Modra", "山茶花 \U0001f0a1 ♠️", "نازنین\u200cزهرا", "\u200fרוני", "a\u3000b", "\u0378 not yet assigned"],
)
def test_what_can_be_seen_is_kept(text: str) -> None:
    assert typed(text) == typed(text, lines=True) == text


def test_what_cannot_be_seen_goes_and_lines_stay_where_they_may() -> None:
    text = "A\u202eB\u2066C\u200b\x00\x1b[2J\tD\r\nE\u2028F\rG\ud800"
    assert typed(text) == "ABC[2J D E F G"
    assert typed(text, lines=True) == "ABC[2J D\nE\nF\nG"
    assert typed(typed(text)) == typed(text)


def test_commands_keep_typed_text_and_passwords_what_was_sent() -> None:
    fields = {"name": "A\x00\nB", "password": "A\x00\nB"}
    assert read.text(fields, "name") == "A B"
    assert read.text(fields, "name", lines=True) == "A\nB"
    assert read.verbatim(fields, "password") == "A\x00\nB"
