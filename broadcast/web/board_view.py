"""A board in one room as a page shows it, at any position: hands, auction grid, trick, last trick, whose
turn.

Input is the public JSON of a match and its board (a room's member with ``auction`` and ``play``); output is
what a template draws. No rule of the game is applied here: winners, turn and tricks are in the record
already, and a position is a number of calls and of cards that stand. Unknown stays unknown: a hand that is
not released is None. The browser's ``view.js`` is the same function for the live page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Json = Mapping[str, Any]

SEATS = "NESW"
GRID = "WNES"
SUITS = "SHDC"


@dataclass(frozen=True, slots=True)
class CardPlace:
    """A card's place in a hand; a played card leaves its place standing, so that hands do not move."""

    card: str
    played: bool


@dataclass(frozen=True, slots=True)
class Hand:
    seat: str
    name: str | None
    team: str
    """``home`` or ``visitors``."""
    vulnerable: bool
    is_dealer: bool
    is_turn: bool
    is_declarer: bool
    is_dummy: bool
    """Faced on the table: after the opening lead, declarer's partner."""
    suits: tuple[tuple[str, tuple[CardPlace, ...]], ...] | None
    """Four suits in order, or None while the hand is not released."""


@dataclass(frozen=True, slots=True)
class GridCall:
    """A call in the auction grid; ``index`` counts calls from 0."""

    index: int
    seat: str
    call: str
    alert: bool
    explanation: str | None
    irregular: str | None


@dataclass(frozen=True, slots=True)
class Trick:
    number: int
    cards: Mapping[str, str]
    """Card by seat, in the order played."""
    winner: str | None


@dataclass(frozen=True, slots=True)
class TableView:
    room: str
    segment: int
    number: int
    dealer: str
    vulnerable: str
    state: str
    """The board's state in this room, at the end of the record."""
    phase: str
    """What the position shows: ``bidding``, ``playing``, or the final state."""
    hands: Mapping[str, Hand]
    grid: tuple[GridCall | None, ...]
    """Calls and empty places, row by row under West, North, East, South."""
    last_calls: Mapping[str, str]
    contract: str | None
    declarer: str | None
    trick: Trick | None
    last_trick: Trick | None
    tricks_ns: int
    tricks_ew: int
    turn: str | None
    tricks: int | None
    score_ns: int | None
    calls: int
    cards: int
    calls_recorded: int
    cards_recorded: int

    @property
    def is_at_end(self) -> bool:
        return self.calls == self.calls_recorded and self.cards == self.cards_recorded


def table_view(
    match: Json, board: Json, room: str, calls: int | None = None, cards: int | None = None
) -> TableView:
    """The table at a position; None means the end of the record. Positions beyond the record are cut to it."""
    here: Json = board.get(room) or {}
    auction: Sequence[Json] = here.get("auction") or []
    play: Sequence[Json] = here.get("play") or []
    calls = len(auction) if calls is None else max(0, min(calls, len(auction)))
    cards = len(play) if cards is None else max(0, min(cards, len(play)))
    if calls < len(auction):
        cards = 0
    shown_auction, shown_play = auction[:calls], play[:cards]
    at_end = calls == len(auction) and cards == len(play)
    bid_out = calls == len(auction) and here.get("contract") is not None
    # With hidden results a contract may be kept back, but not that there is a leader.
    is_play = bid_out or (calls == len(auction) and here.get("leader") is not None)
    # Hidden results leave the state out: a board on the table then counts as in play.
    state = here.get("state") or ("in_play" if "auction" in here else "not_played")
    turn = _turn(here, auction, play, calls, cards)
    vulnerable = board.get("vulnerable") or "None"
    return TableView(
        room=room,
        segment=board["segment"],
        number=board["number"],
        dealer=board.get("dealer") or "",
        vulnerable=vulnerable,
        state=state,
        phase=_phase(state, at_end, is_play),
        hands={
            seat: Hand(
                seat=seat,
                name=player_name(match, board, room, seat),
                team=team_at(match, board, room, seat),
                vulnerable=is_vulnerable(vulnerable, seat),
                is_dealer=seat == board.get("dealer"),
                is_turn=seat == turn,
                is_declarer=bid_out and seat == here.get("declarer"),
                is_dummy=cards > 0 and bid_out and seat == partner_of(here.get("declarer")),
                suits=_suits(board.get("deal"), seat, shown_play),
            )
            for seat in SEATS
        },
        grid=_grid(shown_auction, board.get("dealer")),
        last_calls={} if shown_play else {entry["seat"]: entry["call"] for entry in shown_auction[-4:]},
        contract=here.get("contract") if bid_out else None,
        declarer=here.get("declarer") if bid_out else None,
        trick=_trick(shown_play, 0),
        last_trick=_trick(shown_play, 1),
        tricks_ns=_tricks(here, shown_play, at_end, "NS"),
        tricks_ew=_tricks(here, shown_play, at_end, "EW"),
        turn=turn,
        tricks=here.get("tricks") if at_end else None,
        score_ns=here.get("score_ns") if at_end else None,
        calls=calls,
        cards=cards,
        calls_recorded=len(auction),
        cards_recorded=len(play),
    )


def partner_of(seat: str | None) -> str | None:
    """The seat opposite."""
    return SEATS[(SEATS.index(seat) + 2) % 4] if seat else None


def is_vulnerable(vulnerable: str, seat: str) -> bool:
    """Whether a seat's side is vulnerable; ``vulnerable`` is ``None NS EW All``."""
    return vulnerable == "All" or seat in vulnerable.replace("None", "")


def team_at(match: Json, board: Json, room: str, seat: str) -> str:
    """The team at a seat: ``ns_open`` sits North-South in the open room and East-West in the closed."""
    ns_open = (_segment(match, board) or {}).get("ns_open", "home")
    other = "visitors" if ns_open == "home" else "home"
    return str(ns_open if (seat in "NS") == (room == "open") else other)


def player_name(match: Json, board: Json, room: str, seat: str) -> str | None:
    """The player's name: from the board's own players, else from the segment's line-up; None when not known."""
    players = (board.get(room) or {}).get("players") or {}
    lineups = (_segment(match, board) or {}).get("lineups") or {}
    person = players.get(seat) or (lineups.get(room) or {}).get(seat)
    if isinstance(person, Mapping):
        person = person.get("name")
    return str(person) if person else None


def _segment(match: Json, board: Json) -> Json | None:
    segments: Sequence[Json] = match.get("segments") or []
    return next((segment for segment in segments if segment["number"] == board["segment"]), None)


def _turn(here: Json, auction: Sequence[Json], play: Sequence[Json], calls: int, cards: int) -> str | None:
    """Whose turn it was: within the record the seat that acted next, at its end what the room says."""
    if calls < len(auction):
        return str(auction[calls]["seat"])
    if cards < len(play):
        return str(play[cards]["seat"])
    return here.get("turn") if here.get("state", "in_play") == "in_play" else None


def _phase(state: str, at_end: bool, is_play: bool) -> str:
    if at_end and state != "in_play":
        return state
    return "playing" if is_play else "bidding"


def _tricks(here: Json, play: Sequence[Json], at_end: bool, side: str) -> int:
    """Tricks of a side: counted from the cards, at the end of a board as its result has them (a claim)."""
    tricks, declarer = here.get("tricks"), here.get("declarer")
    if at_end and tricks is not None and declarer is not None:
        return int(tricks) if declarer in side else 13 - int(tricks)
    return sum(1 for entry in play if (entry.get("winner") or "-") in side)


def _suits(
    deal: str | None, seat: str, play: Sequence[Json]
) -> tuple[tuple[str, tuple[CardPlace, ...]], ...] | None:
    hand = deal_hands(deal).get(seat)
    if hand is None:
        return None
    played = {entry["card"] for entry in play}
    return tuple(
        (suit, tuple(CardPlace(suit + rank, suit + rank in played) for rank in ranks))
        for suit, ranks in zip(SUITS, hand, strict=True)
    )


def deal_hands(deal: str | None) -> dict[str, list[str]]:
    """Ranks by suit for each released hand of a PBN deal; hands written ``-`` are left out.

    >>> deal_hands("E:KQ97.Q9.AK54.J75 - - -")
    {'E': ['KQ97', 'Q9', 'AK54', 'J75']}
    """
    if not deal:
        return {}
    first, _, rest = deal.partition(":")
    start = SEATS.index(first)
    hands = rest.split()
    return {
        SEATS[(start + place) % 4]: suits
        for place, hand in enumerate(hands)
        if len(suits := hand.split(".")) == 4
    }


def _grid(auction: Sequence[Json], dealer: str | None) -> tuple[GridCall | None, ...]:
    """Each call stands in its seat's column; a call out of turn leaves the places between empty."""
    cells: list[GridCall | None] = []
    if not auction and dealer:
        return (None,) * GRID.index(dealer)
    for index, entry in enumerate(auction):
        while GRID[len(cells) % 4] != entry["seat"]:
            cells.append(None)
        cells.append(
            GridCall(
                index=index,
                seat=entry["seat"],
                call=entry["call"],
                alert=bool(entry.get("alert")),
                explanation=entry.get("explanation") or None,
                irregular=entry.get("irregular"),
            )
        )
    return tuple(cells)


def _trick(play: Sequence[Json], back: int) -> Trick | None:
    """The trick on the table (``back`` 0), or the one before it (1)."""
    if not play:
        return None
    number = play[-1]["trick"] - back
    entries = [entry for entry in play if entry["trick"] == number]
    if not entries:
        return None
    return Trick(
        number=number,
        cards={entry["seat"]: entry["card"] for entry in entries},
        winner=next((entry["winner"] for entry in entries if entry.get("winner")), None),
    )
