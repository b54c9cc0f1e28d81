"""The rulings of the director's desk as forms: what each asks, as the public interface takes it.

Which rulings there are and what they do is ``match_json.RULINGS``'; several forms may make one of them (the
four kinds of an award). Scores may be typed as a director speaks: ``620``, ``-50``, or ``4S= N`` and
``3NT-2 E``, which are scored by the board's own vulnerability.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from broadcast.bridge.contracts import Contract
from broadcast.bridge.results import BoardResult
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.tables.events import BoardKey
from broadcast.tables.state import MatchState
from broadcast.web.command_json import bad_field

Form = Mapping[str, str]
Json = dict[str, Any]

PARTS: Final = 4
"""Rows for the parts of a weighted score."""
_SPOKEN = re.compile(
    r"([1-7])\s*(NT?|[CDHS])\s*(X{0,2})\s*(?:([NESW])\s*(=|[+-]\s*\d{1,2})|(=|[+-]\s*\d{1,2})\s*([NESW]))"
)


@dataclass(frozen=True, slots=True)
class RulingForm:
    """One form of the desk. ``of`` is the scope it asks for: ``room``, ``board`` or ``match``."""

    name: str
    of: str
    read: Callable[[Form, MatchState], Json]


def _place(form: Form) -> Json:
    segment, _, number = form.get("board", "").partition(".")
    return {"segment": _whole(segment, "board"), "board": _whole(number, "board")}


def _room(form: Form) -> Json:
    return {**_place(form), "room": form.get("room", "")}


def _whole(text: str, field: str) -> int:
    cleaned = text.strip().replace("−", "-")
    if not re.fullmatch(r"[+-]?\d{1,6}", cleaned):
        raise bad_field(field, "a whole number")
    return int(cleaned)


def _result(form: Form, match: MatchState) -> Json:
    if form.get("passed_out"):
        return {"type": "correct_result", **_room(form), "passed_out": True}
    return {
        "type": "correct_result",
        **_room(form),
        "contract": form.get("contract", ""),
        "declarer": form.get("declarer", ""),
        "tricks": _whole(form.get("tricks", ""), "tricks"),
    }


def _transfer(form: Form, match: MatchState) -> Json:
    tricks = _whole(form.get("tricks", ""), "tricks")
    return {"type": "tricks_transferred", **_room(form), "tricks": tricks, "to": form.get("to", "")}


def _average(form: Form, match: MatchState) -> Json:
    award = {"kind": "artificial", "home": form.get("home", ""), "visitors": form.get("visitors", "")}
    return {"type": "award", **_place(form), "award": award}


def _assigned(form: Form, match: MatchState) -> Json:
    score = _score(form.get("score", ""), "score", form, match, form.get("room", ""))
    award = {"kind": "assigned", "room": form.get("room", ""), "score_ns": score}
    return {"type": "award", **_place(form), "award": award}


def _weighted(form: Form, match: MatchState) -> Json:
    return {"type": "award", **_place(form), "award": _parts(form, match, "", form.get("room", ""))}


def _split(form: Form, match: MatchState) -> Json:
    room = form.get("room", "")
    sides = {side: _side_award(form, match, side, room) for side in ("home", "visitors")}
    return {"type": "award", **_place(form), "award": {"kind": "split", **sides}}


def _side_award(form: Form, match: MatchState, side: str, room: str) -> Json:
    """One side's part of a split score: an average mark, or a score alone or weighted."""
    kind = form.get(f"{side}_kind", "")
    if kind in ("+", "=", "-"):
        return {"kind": "artificial", "home": kind, "visitors": kind}
    return _parts(form, match, f"{side}_", room)


def _parts(form: Form, match: MatchState, prefix: str, room: str) -> Json:
    parts = []
    for number in range(1, PARTS + 1):
        score, percent = form.get(f"{prefix}score{number}", ""), form.get(f"{prefix}percent{number}", "")
        if score.strip() or percent.strip():
            parts.append(
                {
                    "score_ns": _score(score, f"{prefix}score{number}", form, match, room),
                    "percent": 100 if not percent.strip() else _whole(percent, f"{prefix}percent{number}"),
                }
            )
    if len(parts) == 1 and parts[0]["percent"] == 100:
        return {"kind": "assigned", "room": room, "score_ns": parts[0]["score_ns"]}
    return {"kind": "weighted", "room": room, "parts": parts}


def _score(text: str, field: str, form: Form, match: MatchState, room: str) -> int:
    """Points for North-South: a number, or a contract with its result. Raises ``Problem`` ``bad_field``."""
    spoken = text.strip().upper().replace("−", "-").replace("♠", "S").replace("♥", "H")
    spoken = spoken.replace("♦", "D").replace("♣", "C")
    if re.fullmatch(r"[+-]?\d{1,5}", spoken):
        return int(spoken)
    found = _SPOKEN.fullmatch(spoken)
    place = _place(form)
    board = match.boards.get(BoardKey(place["segment"], place["board"]))
    if found is None or board is None or room not in set(Room):
        raise bad_field(field, "points for North-South like -50, or a result like 4S= N or 3NT-2 E")
    level, suit, doubled, before, made, made_first, after = found.groups()
    contract = Contract.parse(f"{level}{'NT' if suit.startswith('N') else suit}{doubled}")
    over = (made or made_first).replace(" ", "")
    tricks = contract.tricks_needed + (0 if over == "=" else int(over))
    if not 0 <= tricks <= 13:
        raise bad_field(field, "a result of 0 to 13 tricks")
    vulnerability = board.rooms[Room(room)].vulnerability
    return BoardResult(contract, Seat(before or after), tricks).score_ns(
        vulnerability, match.created.penalty_scale
    )


def _penalty(form: Form, match: MatchState) -> Json:
    text = form.get("amount", "").strip().replace(",", ".")
    if not re.fullmatch(r"\d{1,4}(\.\d{1,2})?", text):
        raise bad_field("amount", "a number above 0")
    amount = float(text)
    return {
        "type": "penalty",
        "side": form.get("side", ""),
        "unit": form.get("unit", ""),
        "amount": int(amount) if amount.is_integer() else amount,
    }


def _extra_boards(form: Form, match: MatchState) -> Json:
    """As many as the regulation says for a tie: an eighth of the boards rounded up, at least two."""
    usual = max(2, -(-sum(not board.is_cancelled for board in match.boards.values()) // 8))
    boards = _whole(form.get("boards", "").strip() or str(usual), "boards")
    return {"type": "extra_boards", "boards": boards, "deals": form.get("deals", "random")}


def _release(form: Form, match: MatchState) -> Json:
    rule = form.get("rule", "")
    minutes = _whole(form.get("minutes") or "0", "minutes") if rule == "delay" else 0
    return {"type": "release", "rule": rule, "seconds": minutes * 60}


def _lineup(form: Form, match: MatchState) -> Json:
    segment = _whole(form.get("segment", ""), "segment")
    room = form.get("room", "")
    standing = match.segment(segment)
    known = {} if standing is None or room not in set(Room) else standing.lineups.get(Room(room), {})
    seats: Json = {}
    for seat in Seat:
        name = form.get(f"seat_{seat}", "").strip()
        if not name:
            continue
        player = known.get(seat)
        is_same = player is not None and player.name == name
        seats[seat.value] = {"name": name, "id": player.id} if is_same and player is not None else name
    return {
        "type": "lineup",
        "segment": segment,
        "room": room,
        "seats": seats,
        "publish": bool(form.get("publish")),
    }


def _on_board(type: str) -> Callable[[Form, MatchState], Json]:
    return lambda form, match: {"type": type, **_place(form)}


def _on_match(type: str) -> Callable[[Form, MatchState], Json]:
    return lambda form, match: {"type": type}


FORMS: Final[Mapping[str, RulingForm]] = {
    form.name: form
    for form in (
        RulingForm("correct_result", "room", _result),
        RulingForm("tricks_transferred", "room", _transfer),
        RulingForm("average", "board", _average),
        RulingForm("assigned", "room", _assigned),
        RulingForm("weighted", "room", _weighted),
        RulingForm("split", "room", _split),
        RulingForm("cancel_board", "board", _on_board("cancel_board")),
        RulingForm("lift_ruling", "board", _on_board("lift_ruling")),
        RulingForm("swap_seating", "board", _on_board("swap_seating")),
        RulingForm("penalty", "match", _penalty),
        RulingForm("lineup", "match", _lineup),
        RulingForm("extra_boards", "match", _extra_boards),
        RulingForm("release", "match", _release),
        RulingForm("close", "match", _on_match("close")),
        RulingForm("reopen", "match", _on_match("reopen")),
        RulingForm("void", "match", _on_match("void")),
    )
}
"""By name, in the order the desk offers them."""


def fields_of(form: RulingForm, given: Form, match: MatchState) -> Json:
    """The ruling as ``POST /api/matches/{match}/rulings`` takes it. Raises ``Problem``."""
    return form.read(given, match) | {"reason": given.get("reason", "")}
