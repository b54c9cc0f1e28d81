"""Events as messages of the event stream format."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from broadcast.feeds.cursor import ResetReason
from broadcast.feeds.frames import PING, Frame, encode_frame, encode_reset, encode_retry


def _lines_as_a_browser_reads(message: bytes) -> list[str]:
    text = message.decode().replace("\r\n", "\n").replace("\r", "\n")
    assert text.endswith("\n\n")
    lines = text[:-2].split("\n")
    assert "" not in lines, "a blank line would end the message early"
    return lines


def test_public_event_has_id_event_and_data() -> None:
    frame = Frame.numbered(12, 380, "call", b'{"call":"1NT"}')
    assert frame.message == b'id: 12-380\nevent: call\ndata: {"call":"1NT"}\n\n'
    assert frame.data == b'{"call":"1NT"}'


def test_private_event_has_a_bare_number() -> None:
    assert Frame.numbered(None, 118, "call", b"{}").message.startswith(b"id: 118\n")


def test_what_must_not_move_a_cursor_has_no_id() -> None:
    messages = [
        Frame.rider(380, "worth", b"{}").message,
        encode_reset(ResetReason.EPOCH),
        encode_retry(2500),
        PING,
    ]
    for message in messages:
        assert not any(line.startswith("id") for line in _lines_as_a_browser_reads(message))
    assert encode_reset(ResetReason.BEHIND) == b'event: reset\ndata: {"reason":"behind"}\n\n'


@settings(max_examples=30, deadline=None)
@given(st.recursive(st.text() | st.integers() | st.none(), lambda inner: st.lists(inner, max_size=3)))
def test_any_json_even_on_several_lines_arrives_as_it_was(value: object) -> None:
    for layout in (None, 2):
        data = json.dumps(value, indent=layout, ensure_ascii=False).encode()
        frame = Frame.numbered(1, 2, "comment", data)
        lines = _lines_as_a_browser_reads(frame.message)
        received = "\n".join(line.removeprefix("data: ") for line in lines if line.startswith("data: "))
        assert json.loads(received) == json.loads(frame.data) == value


@given(st.text(alphabet=st.sampled_from("a:\r\n ")))
def test_line_breaks_in_data_end_no_message_and_begin_no_field(text: str) -> None:
    lines = _lines_as_a_browser_reads(encode_frame("comment", text.encode(), "1-2"))
    assert lines[:2] == ["id: 1-2", "event: comment"]
    assert all(line.startswith("data: ") for line in lines[2:])
