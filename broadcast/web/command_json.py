"""From JSON to commands: the fields of each command as the public interface names them.

Codes are read as people write them (``1n``, ``h10``). What cannot be read is answered with the field and what
it takes; nothing is guessed and nothing defaults to a plausible value.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

from broadcast.bridge.boards import Vulnerability
from broadcast.bridge.calls import Call
from broadcast.bridge.cards import Card
from broadcast.bridge.contracts import Contract
from broadcast.bridge.deals import Deal
from broadcast.bridge.irregularities import Irregularity
from broadcast.bridge.results import PASSED_OUT, BoardResult
from broadcast.bridge.seats import Seat
from broadcast.tables.commands import (
    AnswerClaim,
    EnterResult,
    Entry,
    Explain,
    MakeCall,
    MakeClaim,
    OpenBoard,
    PlayCard,
    ResumeClock,
    SkipBoard,
    StopClock,
    Undo,
)
from broadcast.tables.setup import PlayerName
from broadcast.web.problems import Problem
from broadcast.web.typed_text import typed

Fields = Mapping[str, Any]
Code = TypeVar("Code", bound=StrEnum)

MAX_NAME = 200
"""Longest name of a player, team or title, in characters."""


def bad_field(name: str, takes: str) -> Problem:
    return Problem(422, "bad_field", f"{name} must be {takes}", field=name)


def whole(fields: Fields, name: str, default: int | None = None) -> int:
    """A whole number; without a default the field is needed."""
    value = fields.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not -(10**9) <= value <= 10**9:
        raise bad_field(name, "a whole number")
    return value


def seconds(fields: Fields, name: str) -> float:
    """A duration; missing is none."""
    value = fields.get(name, 0)
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 10**9:
        raise bad_field(name, "seconds, 0 or more")
    return float(value)


def text(
    fields: Fields, name: str, default: str | None = None, most: int = MAX_NAME, *, lines: bool = False
) -> str:
    """Text as ``broadcast.web.typed_text`` keeps it, of one line unless ``lines``."""
    return typed(verbatim(fields, name, default, most), lines=lines)


def verbatim(fields: Fields, name: str, default: str | None = None, most: int = MAX_NAME) -> str:
    """Text exactly as it was sent, like a password."""
    value = fields.get(name, default)
    if not isinstance(value, str) or len(value) > most:
        raise bad_field(name, f"text of at most {most} characters")
    return value


def optional_text(fields: Fields, name: str, most: int = 500) -> str | None:
    return None if fields.get(name) is None else text(fields, name, most=most)


def moment(fields: Fields, name: str) -> datetime:
    """A moment, in UTC. One without its offset is refused: nobody knows when it is."""
    value = fields.get(name)
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
        if at is not None and at.tzinfo is not None:
            return at.astimezone(UTC)
    except (ValueError, OverflowError):
        pass  # told below
    raise bad_field(name, "a date in ISO 8601 with its offset, like 2026-05-01T19:30:00+02:00")


def optional_moment(fields: Fields, name: str) -> datetime | None:
    return None if fields.get(name) is None else moment(fields, name)


def truth(fields: Fields, name: str, default: bool | None = None) -> bool:
    value = fields.get(name, default)
    if not isinstance(value, bool):
        raise bad_field(name, "true or false")
    return value


def code(fields: Fields, name: str, codes: type[Code]) -> Code:
    value = fields.get(name)
    try:
        return codes(str(value))
    except ValueError:
        raise bad_field(name, "one of " + ", ".join(each.value for each in codes)) from None


def optional_code(fields: Fields, name: str, codes: type[Code]) -> Code | None:
    return None if fields.get(name) is None else code(fields, name, codes)


def table(fields: Fields, name: str) -> Fields:
    """A nested object; missing is empty."""
    value = fields.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise bad_field(name, "an object")
    return value


def seats(value: Fields, name: str) -> dict[Seat, PlayerName]:
    """Names by seat: ``{"N": "Ann", "S": {"id": "p1", "name": "Bob"}}``; seats may be missing."""
    named: dict[Seat, PlayerName] = {}
    for seat, player in value.items():
        if seat not in set(Seat):
            raise bad_field(name, "names by seat N, E, S and W")
        if isinstance(player, str):
            named[Seat(seat)] = PlayerName(text({name: player}, name))
        elif isinstance(player, dict) and player:
            named[Seat(seat)] = PlayerName(text(player, "name"), optional_text(player, "id"))
    return named


def result(fields: Fields) -> BoardResult:
    """``contract declarer tricks``, or ``passed_out: true`` (also contract ``Pass``)."""
    if fields.get("passed_out") is True or str(fields.get("contract")).casefold() == "pass":
        return PASSED_OUT
    contract = Contract.parse(text(fields, "contract"))
    tricks = whole(fields, "tricks")
    if not 0 <= tricks <= 13:
        raise bad_field("tricks", "declarer's tricks in all, 0 to 13")
    return BoardResult(contract, code(fields, "declarer", Seat), tricks)


def _open_board(fields: Fields) -> Entry:
    deal = optional_text(fields, "deal")
    return OpenBoard(
        whole(fields, "segment", 1),
        whole(fields, "board"),
        optional_text(fields, "reason"),
        None if deal is None else Deal.parse(deal),
        optional_code(fields, "dealer", Seat),
        optional_code(fields, "vulnerable", Vulnerability),
        seats(table(fields, "players"), "players"),
    )


def _skip_board(fields: Fields) -> Entry:
    return SkipBoard(whole(fields, "segment", 1), whole(fields, "board"), text(fields, "reason", "", 500))


def _call(fields: Fields) -> Entry:
    return MakeCall(
        code(fields, "seat", Seat),
        Call.parse(text(fields, "call")),
        truth(fields, "alert", False),
        optional_text(fields, "explanation"),
        optional_code(fields, "irregular", Irregularity),
    )


def _card(fields: Fields) -> Entry:
    return PlayCard(
        code(fields, "seat", Seat),
        Card.parse(text(fields, "card")),
        optional_code(fields, "irregular", Irregularity),
    )


def _explain(fields: Fields) -> Entry:
    return Explain(
        whole(fields, "call_index"), truth(fields, "alert", True), optional_text(fields, "explanation")
    )


def _claim(fields: Fields) -> Entry:
    return MakeClaim(code(fields, "seat", Seat), whole(fields, "tricks"), truth(fields, "accepted", False))


def _claim_answer(fields: Fields) -> Entry:
    return AnswerClaim(truth(fields, "accepted"))


def _undo(fields: Fields) -> Entry:
    if fields.get("to") is not None:
        to = table(fields, "to")
        return Undo(calls=whole(to, "calls"), cards=whole(to, "cards"))
    return Undo(steps=whole(fields, "steps", 1))


def _result(fields: Fields) -> Entry:
    return EnterResult(result(fields))


def _stop_clock(fields: Fields) -> Entry:
    return StopClock(text(fields, "reason", "", 500))


ENTRIES: Mapping[str, Callable[[Fields], Entry]] = {
    "open_board": _open_board,
    "skip_board": _skip_board,
    "call": _call,
    "card": _card,
    "explain": _explain,
    "claim": _claim,
    "claim_answer": _claim_answer,
    "undo": _undo,
    "result": _result,
    "stop_clock": _stop_clock,
    "resume_clock": lambda fields: ResumeClock(),
}
"""The types of a room's commands."""


def entry(fields: object) -> Entry:
    """One entry of a room. Raises ``Problem`` or ``BadNotation``."""
    if not isinstance(fields, dict):
        raise bad_field("command", "an object with a type")
    read = ENTRIES.get(str(fields.get("type")))
    if read is None:
        raise Problem(422, "unknown_command", "type must be one of " + ", ".join(ENTRIES), types=list(ENTRIES))
    return read(fields)


def entries(body: Fields) -> tuple[Entry, ...]:
    """``command``, or ``commands`` which are carried out all or none."""
    many = body.get("commands")
    if many is None:
        return (entry(body.get("command")),)
    if not isinstance(many, list) or not many:
        raise bad_field("commands", "a list of commands")
    return tuple(entry(each) for each in many)
