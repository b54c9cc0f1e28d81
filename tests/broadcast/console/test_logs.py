"""The log: whatever text people send, it begins no line of its own."""

import io
import json
import logging

import pytest

from broadcast.console.logs import FORMATS, JsonLines, TextLines

FORGED = "/matches/x\r\n2026-05-01 CRITICAL root: all is lost\x1b[2J\u2028\u202e"


def written(formatter: logging.Formatter, error: Exception | None) -> str:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    record = logging.LogRecord("broadcast", logging.WARNING, "", 0, "no stream: %s", (FORGED,), None)
    if error is not None:
        record.exc_info = (type(error), error, None)
    handler.handle(record)
    return stream.getvalue()


@pytest.mark.parametrize("error", [None, ValueError(FORGED)])
def test_line_of_text_cannot_be_forged(error: Exception | None) -> None:
    first, *more = (
        written(TextLines("%(levelname)s %(name)s: %(message)s"), error).removesuffix("\n").split("\n")
    )
    assert first.startswith(r"WARNING broadcast: no stream: /matches/x\r\n2026-05-01 CRITICAL")
    assert all(line.startswith("    ") for line in more)
    assert all(each.isprintable() for line in (first, *more) for each in line)


def test_object_of_json_is_one_line() -> None:
    assert FORMATS == ("text", "json")
    told = written(JsonLines(), ValueError(FORGED))
    assert told.count("\n") == 1
    assert json.loads(told)["message"] == f"no stream: {FORGED}"
