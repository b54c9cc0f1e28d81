"""One board's record in a LIN file, field by field.

What is read here is still as written (``RawBoard``); ``lin_results`` folds it by the rules of the game.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from broadcast.bridge.boards import Vulnerability
from broadcast.bridge.calls import Call
from broadcast.bridge.cards import Card
from broadcast.bridge.deals import Deal
from broadcast.bridge.errors import BadDeal, BadNotation
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.notation.checking import MOST_CALLS, GivenCall, GivenCard
from broadcast.notation.comments import BARE_ALERTS, comment_of, one_line, plain_text
from broadcast.notation.lin_hands import read_hands, without_strays
from broadcast.notation.lin_header import LIN_SEATS, read_lineups
from broadcast.notation.lin_lexing import FREE_TEXT, LOST, Field
from broadcast.notation.problems import ProblemList, Reason
from broadcast.notation.records import RecordedComment

MOST_COMMENTS = 1000
"""Most comments taken from one board. The most in a real file are about 90."""

MOST_TEXT = 20_000
"""Longest comment or explanation, in characters; what is longer is cut."""

_LABEL = re.compile(r"\s*([A-Za-z])\s*(\d{1,4})\s*(?:,(.*))?", re.DOTALL)
_NUMBER = re.compile(r"[1-9][0-9]{0,3}|0[1-9][0-9]{0,2}")
_CALL = re.compile(r"(pass|p|dbl|d|rdbl|r|xx|x|\?|[1-7](?:nt|n|[shdc]))(!?)|([-\s]+)", re.IGNORECASE)
_VULNERABILITY = {
    "": None,
    "o": Vulnerability.NONE,
    "0": Vulnerability.NONE,
    "-": Vulnerability.NONE,
    "n": Vulnerability.NORTH_SOUTH,
    "e": Vulnerability.EAST_WEST,
    "b": Vulnerability.ALL,
}


@dataclass(slots=True)
class RawBoard:
    """A board's record as written, before the rules of the game are asked."""

    number: int | None
    room: Room | None
    line: int
    dealer: Seat | None = None
    deal: Deal | None = None
    deal_line: int | None = None
    is_refused: bool = False
    """The deal is not a pack of cards: nothing of the record is taken."""
    vulnerability: Vulnerability | None = None
    players: dict[Seat, str] | None = None
    calls: list[GivenCall] = field(default_factory=list)
    cards: list[GivenCard] = field(default_factory=list)
    claim: int | None = None
    claim_line: int | None = None
    comments: list[RecordedComment] = field(default_factory=list)

    @property
    def is_full(self) -> bool:
        """More calls than an auction can have, or far more cards than a play: the rest is not taken in."""
        return (
            len(self.calls) > 2 * MOST_CALLS
            or len(self.cards) > MOST_CALLS
            or len(self.comments) > MOST_COMMENTS
        )


def read_record(fields: list[Field], problems: ProblemList) -> RawBoard:
    """One record. A fault in a field is a problem and costs no more than it must."""
    label = fields[0] if fields[0].tag == "qx" else None
    board = RawBoard(None, None, fields[0].line)
    if label is not None:
        board.number, board.room = _labelled(label)
    title = next((item for item in fields if item.tag == "ah"), None)
    titled = _number_in(title.value) if title is not None else None
    if board.number is None and label is None:
        board.number = titled
    problems.at(board.number, board.room)
    if title is not None and titled is not None and board.number is not None and titled != board.number:
        problems.add(
            title.line,
            "ah",
            Reason.LABEL_DIFFERS,
            f"the label {title.value.strip()[:40]!r} stands on board {board.number}; {board.number} is used",
        )
    _Reader(board, problems).read(fields)
    return board


def _labelled(label: Field) -> tuple[int | None, Room | None]:
    found = _LABEL.fullmatch(label.value)
    if not found or int(found[2]) == 0:
        return None, None
    return int(found[2]), Room.OPEN if found[1] in "oO" else Room.CLOSED


def _number_in(text: str) -> int | None:
    found = _NUMBER.search(text)
    return int(found[0]) if found else None


class _Reader:
    """Walks through the fields of one record."""

    def __init__(self, board: RawBoard, problems: ProblemList) -> None:
        self._board = board
        self._problems = problems
        self._before = ""

    def read(self, fields: Iterable[Field]) -> None:
        for item in fields:
            if self._board.is_full:
                return
            match item.tag:
                case "md":
                    self._deal(item)
                case "sv":
                    self._vulnerability(item)
                case "pn":
                    self._players(item)
                case "mb":
                    self._board.calls.extend(islice(read_calls(item), MOST_CALLS))
                case "an":
                    self._explanation(item)
                case "pc":
                    self._card(item)
                case "mc":
                    self._claim(item)
                case "nt" | "at":
                    self._comment(item)
                case tag if tag == LOST:
                    self._lost(item)
                case _:
                    continue
            self._before = item.tag

    def _deal(self, item: Field) -> None:
        board = self._board
        if board.deal_line is not None:
            return
        board.deal_line = item.line
        digit, hands = item.value.strip()[:1], item.value.strip()[1:]
        if digit in ("1", "2", "3", "4"):
            board.dealer = LIN_SEATS[int(digit) - 1]
        try:
            board.deal = read_hands(hands)
        except (BadDeal, BadNotation) as refused:
            board.deal = without_strays(hands)
            board.is_refused = board.deal is None
            outcome = "the record is refused" if board.is_refused else "what stands before the suits is skipped"
            self._problems.add(item.line, "md", Reason.BAD_DEAL, f"{refused.message}; {outcome}")

    def _vulnerability(self, item: Field) -> None:
        code = item.value.strip().lower()
        if code not in _VULNERABILITY:
            self._problems.add(
                item.line, "sv", Reason.BAD_VULNERABILITY, f"{item.value[:40]!r} is not a vulnerability"
            )
            return
        self._board.vulnerability = _VULNERABILITY[code]

    def _players(self, item: Field) -> None:
        lineups = read_lineups(item, self._problems)
        room = self._board.room or Room.OPEN
        names = lineups.get(room) if len(lineups) == 2 else lineups.get(Room.OPEN)
        if names is not None:
            self._board.players = dict(names)

    def _explanation(self, item: Field) -> None:
        calls = self._board.calls
        text = one_line(item.value[:MOST_TEXT])
        if not calls or not text:
            return
        last = calls[-1]
        if text.lower() in BARE_ALERTS:
            calls[-1] = GivenCall(last.call, last.text, last.line, True, last.explanation)
            return
        whole = text if last.explanation is None else f"{last.explanation} {text}"[:MOST_TEXT]
        calls[-1] = GivenCall(last.call, last.text, last.line, last.alert, whole)

    def _card(self, item: Field) -> None:
        try:
            card = Card.parse(item.value)
        except BadNotation:
            card = None
        self._board.cards.append(GivenCard(card, item.value.strip()[:12], item.line))
        self._board.claim = None

    def _claim(self, item: Field) -> None:
        text = item.value.strip()
        if not re.fullmatch(r"[0-9]{1,2}", text) or int(text) > 13:
            self._problems.add(
                item.line, "mc", Reason.BAD_CLAIM, f"{text[:20]!r} is not a number of tricks from 0 to 13"
            )
            return
        self._board.claim, self._board.claim_line = int(text), item.line

    def _comment(self, item: Field) -> None:
        comments = self._board.comments
        calls, cards = len(self._board.calls), len(self._board.cards)
        if item.tag == "at" and self._before in ("nt", "at") and comments:
            last = comments[-1]
            text = f"{last.text}\n{plain_text(item.value[:MOST_TEXT])}".strip()
            comments[-1] = RecordedComment(last.author, text[:MOST_TEXT], last.calls, last.cards)
            return
        comment = comment_of(item.value[:MOST_TEXT], calls, cards)
        if comment is not None:
            comments.append(comment)

    def _lost(self, item: Field) -> None:
        """Calls and cards on the two sides of a gap are no neighbours: the record ends at the gap."""
        if self._before in FREE_TEXT and len(item.value) > 4:
            return
        if not self._board.cards:
            self._board.calls.append(GivenCall(None, item.value[:12], item.line))
        self._board.cards.append(GivenCard(None, item.value[:12], item.line))


def read_calls(item: Field) -> Iterator[GivenCall]:
    """The calls of one field: mostly one, sometimes a run (``p1H``). Stray text behind a call is skipped."""
    text = item.value
    at = found_any = 0
    while at < len(text):
        found = _CALL.match(text, at)
        if not found:
            if not found_any:
                yield GivenCall(None, text.strip()[:12], item.line)
            return
        at = found.end()
        if found[1]:
            found_any += 1
            call = None if found[1] == "?" else Call.parse(found[1])
            yield GivenCall(call, found[1], item.line, alert=found[2] == "!")
