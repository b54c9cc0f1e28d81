"""The log on standard error: lines for people, or an object of JSON on each line for programs."""

import json
import logging
from datetime import UTC, datetime
from typing import Any

FORMATS = ("text", "json")
_TEXT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class TextLines(logging.Formatter):
    """One line for each record: what people sent, an address or a name, can begin no line of its own.

    Tracebacks are indented, so that theirs cannot either.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (the library's name)
        record.message = visible(record.message)
        return super().formatMessage(record)

    def formatException(self, ei: Any) -> str:  # noqa: N802 (the library's name)
        return "\n".join(f"    {visible(line)}" for line in super().formatException(ei).split("\n"))


def visible(text: str) -> str:
    r"""The text with everything that moves a terminal or a line written out.

    >>> visible("/matches/x\n2026-05-01 CRITICAL\x1b[2J")
    '/matches/x\\n2026-05-01 CRITICAL\\x1b[2J'
    """
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


class JsonLines(logging.Formatter):
    """``{"at", "level", "logger", "message"}``, and ``error`` with the traceback of an exception."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def set_up(format: str) -> None:
    """Log warnings of everybody to standard error; in JSON also what this server says of itself."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if format == "json" else TextLines(_TEXT))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    for package in ("broadcast", "teams"):
        logging.getLogger(package).setLevel(logging.INFO if format == "json" else logging.WARNING)
