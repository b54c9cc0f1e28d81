"""What is wrong in a file, where, and why: the list a reader hands back beside the boards.

A reader never raises over a file's content. Whatever it could not read, or read and found to contradict
itself, is a ``Problem``: the line, the field, a reason as a code, and a sentence for the person who brought it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from broadcast.bridge.rooms import Room

MOST_PROBLEMS = 10_000
"""Most problems listed of one file."""


class Reason(StrEnum):
    """Why something is listed. Codes for programs; ``Problem.text`` is the sentence for people."""

    TOO_LARGE = "too_large"
    NOT_THIS_FORMAT = "not_this_format"
    NO_BOARDS = "no_boards"
    DAMAGED_TEXT = "damaged_text"
    """A separator is lost, so that some text stands where a field should; reading went on behind it."""
    BAD_HEADER = "bad_header"
    BAD_NAMES = "bad_names"
    BAD_BOARD_NUMBER = "bad_board_number"
    LABEL_DIFFERS = "label_differs"
    REPEATED_BOARD = "repeated_board"
    BAD_DEAL = "bad_deal"
    NO_DEAL = "no_deal"
    DIFFERENT_DEALS = "different_deals"
    BAD_DEALER = "bad_dealer"
    BAD_VULNERABILITY = "bad_vulnerability"
    VULNERABILITY_DIFFERS = "vulnerability_differs"
    DEALER_DIFFERS = "dealer_differs"
    BAD_CALL = "bad_call"
    IMPOSSIBLE_AUCTION = "impossible_auction"
    SURPLUS_CALLS = "surplus_calls"
    AUCTION_UNFINISHED = "auction_unfinished"
    PASSES_LEFT_OUT = "passes_left_out"
    IRREGULAR_CALL = "irregular_call"
    BAD_CARD = "bad_card"
    CARD_NOT_HELD = "card_not_held"
    CARD_REPEATED = "card_repeated"
    SURPLUS_CARDS = "surplus_cards"
    LEAD_OUT_OF_TURN = "lead_out_of_turn"
    REVOKE = "revoke"
    ROTATED_DEAL = "rotated_deal"
    COLUMNS_DIFFER = "columns_differ"
    BAD_CLAIM = "bad_claim"
    CLAIM_EXCLUDED = "claim_excluded"
    CLAIM_DIFFERS = "claim_differs"
    BAD_RESULT = "bad_result"
    RESULT_DIFFERS = "result_differs"
    """The official result names another contract, declarer or number of tricks than the record shows."""
    SCORE_DIFFERS = "score_differs"
    """The score written beside a result is not what the result scores."""
    SURPLUS_RESULTS = "surplus_results"
    NOT_PLAYED = "not_played"
    NO_RESULT = "no_result"
    """The record ends before its result: the board is in play."""
    CARRY_OVER_DIFFERS = "carry_over_differs"
    """A segment brings in other IMPs than those before it add up to."""
    UNKNOWN_TEAMS = "unknown_teams"
    NOT_A_MATCH = "not_a_match"


@dataclass(frozen=True, slots=True)
class Problem:
    line: int | None
    """Line in the file, from 1; ``None`` where no single line is at fault."""
    field: str
    """The LIN tag (``md``) or PBN tag (``Deal``) concerned; empty for the file as a whole."""
    reason: Reason
    text: str
    """A sentence that names cards, seats and numbers."""
    segment: int | None = None
    board: int | None = None
    room: Room | None = None

    def __str__(self) -> str:
        where = []
        if self.line is not None:
            where.append(f"line {self.line}")
        if self.board is not None:
            where.append(f"board {self.board}")
        if self.room is not None:
            where.append(f"{self.room} room")
        if self.field:
            where.append(self.field)
        return f"{', '.join(where)}: {self.text}" if where else self.text


@dataclass(slots=True)
class ProblemList:
    """Collects problems while a file is read. The place last set by ``at`` goes into each."""

    segment: int | None = None
    board: int | None = None
    room: Room | None = None
    found: list[Problem] = field(default_factory=list)

    def at(self, board: int | None, room: Room | None) -> None:
        """Everything added from now on concerns this board in this room."""
        self.board = board
        self.room = room

    def add(self, line: int | None, field: str, reason: Reason, text: str) -> None:
        if len(self.found) == MOST_PROBLEMS:
            self.found.append(Problem(line, "", Reason.TOO_LARGE, "more problems than these are not listed"))
        if len(self.found) > MOST_PROBLEMS:
            return
        self.found.append(Problem(line, field, reason, text, self.segment, self.board, self.room))

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.found)
