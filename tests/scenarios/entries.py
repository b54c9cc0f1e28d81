"""What is entered at the tables of these scenarios, as JSON: boards, auctions, cards, results."""

from typing import Any

from broadcast.bridge.boards import dealer_of
from broadcast.bridge.seats import clockwise_from
from tests.builders import deal_of
from tests.scenarios.whole_house import Contest

Json = dict[str, Any]


def opened(board: int, **fields: Any) -> Json:
    """A board opened with its own deal, the same in both rooms."""
    return {"type": "open_board", "segment": 1, "board": board, "deal": str(deal_of(board)), **fields}


def auction(board: int, text: str, mark: str | None = None) -> list[Json]:
    """Calls in turn from the board's dealer; explanations are numbered ``mark``s."""
    seats = clockwise_from(dealer_of(board))
    return [
        {"type": "call", "seat": seats[place % 4].value, "call": call}
        | ({} if mark is None else {"explanation": f"{mark}{place}."})
        for place, call in enumerate(text.split())
    ]


def ended(contract: str, declarer: str, tricks: int) -> Json:
    return {"type": "result", "contract": contract, "declarer": declarer, "tricks": tricks}


async def next_card(contest: Contest, room: str) -> Json:
    """The first card that is legal at the table."""
    view = await contest.house.get(
        f"/api/matches/{contest.match}/rooms/{room}", contest.tokens[f"operator {room}"]
    )
    table = view.json()
    return {"type": "card", "seat": table["board"]["turn"], "card": table["legal"]["cards"][0]}


async def comment(contest: Contest, room: str, board: int, call: int, text: str, by: str = "dora") -> Json:
    body = {"segment": 1, "board": board, "room": room, "call": call, "card": 0, "text": text}
    return await contest.house.done(f"/api/matches/{contest.match}/comments", body, contest.tokens[by])
