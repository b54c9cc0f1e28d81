"""The public feed folded onto a snapshot: the same rule by which every client follows a match.

Pure: a snapshot and an event give the next snapshot; the one given is left as it was, and what does not change
is shared. Nothing of the game is decided here: turns, winners, tricks, scores and swings are in the events.
Both encodings are folded, results shown and hidden; a hidden snapshot has no states, results and totals, so the
events that bring them do not come.

A snapshot's ``last_event`` is its holder's: whoever folds counts.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

Json = dict[str, Any]

_PLACE: Final = frozenset({"segment", "board", "room", "at"})
_TABLE: Final = ("players", "auction", "play", "turn", "leader", "tricks_ns", "tricks_ew", "claims")
"""Members of a room's board while it is on the table."""
_RESULT: Final[Json] = {
    "state": "in_play",
    "contract": None,
    "declarer": None,
    "tricks": None,
    "score_ns": None,
    "source": None,
    "checked": False,
}
"""A room's board without an end."""
_ENDED: Final = frozenset({"played", "claimed", "passed_out"})


def fold(snapshot: Json, name: str, data: Mapping[str, Any], *, hidden: bool = False) -> Json:
    """The snapshot after an event. A name that changes no state (a comment, say) gives the same snapshot.

    ``hidden`` says which encoding both are in. Raises ``KeyError`` or ``IndexError`` where the event cannot
    follow on the snapshot: then the snapshot has to be taken anew.
    """
    match name:
        case "snapshot":
            return dict(data)
        case "match":
            return snapshot | _about(data)
        case "comparison":
            about = _about(data)
            totals = about.pop("totals")
            return _on_board(snapshot, data, lambda board: board | about) | {"totals": totals}
        case "worth":
            outcomes = data["outcomes"]
            worth = {"room": data["room"], "outcomes": outcomes} if outcomes else None
            return _on_board(snapshot, data, lambda board: board | {"worth": worth})
        case "board":
            return _opened(snapshot, data, hidden)
        case "correction" if data["room"] is None:
            return snapshot
        case _ if name in _IN_ROOM:
            step, room = _IN_ROOM[name], data["room"]
            return _on_board(
                snapshot,
                data,
                lambda board: board | {room: board[room] | step(board[room], _about(data), hidden)},
            )
        case _:
            return snapshot


def without_tables(snapshot: Json, *, hidden: bool = False) -> Json:
    """The match as a resource: the snapshot but for deals and what lies on the tables."""
    boards = [
        {
            name: _cleared(value, hidden) if name in ("open", "closed") else value
            for name, value in board.items()
            if name != "deal"
        }
        for board in snapshot["boards"]
    ]
    return snapshot | {"boards": boards}


# --- a board ------------------------------------------------------------------------------------------------


def _on_board(snapshot: Json, data: Mapping[str, Any], change: Callable[[Json], Json]) -> Json:
    boards = list(snapshot["boards"])
    place = _place(boards, data)
    boards[place] = change(boards[place])
    return snapshot | {"boards": boards}


def _place(boards: list[Json], data: Mapping[str, Any]) -> int:
    for place, board in enumerate(boards):
        if board["number"] == data["board"] and board["segment"] == data["segment"]:
            return place
    raise KeyError(f"board {data['segment']}.{data['board']}")


def _about(data: Mapping[str, Any]) -> Json:
    return {name: value for name, value in data.items() if name not in _PLACE}


def _cleared(member: Json, hidden: bool) -> Json:
    """A room's member once the board has left the table: its result, or nothing where that is hidden."""
    return {} if hidden else {name: value for name, value in member.items() if name not in _TABLE}


def _opened(snapshot: Json, data: Mapping[str, Any], hidden: bool) -> Json:
    """A board comes to a room's table; of the one before only the result stays."""
    room = data["room"]
    boards = [
        board | {room: _cleared(board[room], hidden)} if "auction" in board[room] else board
        for board in snapshot["boards"]
    ]
    place = _place(boards, data)
    table = {
        "players": data["players"],
        "auction": data.get("auction", []),
        "play": data.get("play", []),
        "turn": data["turn"],
        "leader": data.get("leader"),
        "tricks_ns": data.get("tricks_ns", 0),
        "tricks_ew": data.get("tricks_ew", 0),
    }
    standing = {name: data.get(name) for name in ("contract", "declarer")}
    table = table | standing if hidden else _RESULT | standing | table | {"claims": []}
    head = {name: data[name] for name in ("dealer", "vulnerable", "deal")}
    boards[place] = boards[place] | head | {room: table}
    return snapshot | {"boards": boards}


# --- a room's board on the table: what of its member an event changes ----------------------------------------


def _call(room: Json, about: Json, hidden: bool) -> Json:
    turn = about.pop("turn")
    return {"auction": [*room["auction"], about], "turn": turn}


def _explain(room: Json, about: Json, hidden: bool) -> Json:
    auction = list(room["auction"])
    index = about.pop("call_index")
    auction[index] = auction[index] | about
    return {"auction": auction}


def _contract(room: Json, about: Json, hidden: bool) -> Json:
    return about


def _card(room: Json, about: Json, hidden: bool) -> Json:
    played = {name: about.get(name) for name in ("seat", "card", "trick", "winner")}
    standing = {name: about[name] for name in ("turn", "tricks_ns", "tricks_ew")}
    return {"play": [*room["play"], played]} | standing


def _claim(room: Json, about: Json, hidden: bool) -> Json:
    return {"claims": [*room["claims"], about | {"accepted": None}]}


def _claim_answer(room: Json, about: Json, hidden: bool) -> Json:
    return {"claims": [*room["claims"][:-1], room["claims"][-1] | {"accepted": about["accepted"]}]}


def _undo(room: Json, about: Json, hidden: bool) -> Json:
    """So many calls and cards stand; a claim or result after them falls, and the auction's contract is told."""
    standing = {name: value for name, value in about.items() if name != "to"}
    standing["auction"] = room["auction"][: about["to"]["calls"]]
    standing["play"] = room["play"][: about["to"]["cards"]]
    if hidden:
        return standing
    claims = [claim for claim in room["claims"] if claim["accepted"] is False]
    return _RESULT | standing | {"claims": claims}


def _result(room: Json, about: Json, hidden: bool) -> Json:
    # A ruling leaves the table as it stood; an ending takes the turn away. An adjusted board shows its ending
    # by the contract; a cancelled one by another result, as its cancelling told the first.
    is_over = about["state"] in _ENDED
    is_over |= about["state"] == "adjusted" and about["contract"] is not None
    is_over |= about["state"] == room["state"] == "cancelled"
    return about | {"turn": None} if is_over and "turn" in room else about


def _correction(room: Json, about: Json, hidden: bool) -> Json:
    """A corrected result stands, whatever was on the table."""
    return {"turn": None} if "turn" in room else {}


_IN_ROOM: Final[Mapping[str, Callable[[Json, Json, bool], Json]]] = {
    "call": _call,
    "explain": _explain,
    "contract": _contract,
    "card": _card,
    "claim": _claim,
    "claim_answer": _claim_answer,
    "undo": _undo,
    "correction": _correction,
    "result": _result,
}
