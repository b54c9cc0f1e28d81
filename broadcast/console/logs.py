"""The log on standard error: lines for people, or an object of JSON on each line for programs."""

import json
import logging
from datetime import UTC, datetime

FORMATS = ("text", "json")
_TEXT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


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
    handler.setFormatter(JsonLines() if format == "json" else logging.Formatter(_TEXT))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    for package in ("broadcast", "teams"):
        logging.getLogger(package).setLevel(logging.INFO if format == "json" else logging.WARNING)
