"""Records of LIN boards folded by the rules of the game and set against the official results.

The list of results (``rs``) is official: carry-overs follow it where a claim or an auction says otherwise. So
it gives the result, and every difference is a listed problem. Of two records of a board in one room the one
that agrees with it is kept, else the fuller one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from broadcast.bridge.boards import Vulnerability, dealer_of, vulnerability_of
from broadcast.bridge.results import BoardResult
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.notation.checking import (
    believed_calls,
    believed_cards,
    excluded_claim,
    fitting_rotation,
    list_different_deals,
    result_of_record,
    worded,
)
from broadcast.notation.lin_boards import RawBoard
from broadcast.notation.lin_header import Heading
from broadcast.notation.problems import Problem, ProblemList, Reason
from broadcast.notation.records import BoardRecord, RecordedComment

_SIDES = (Room.OPEN, Room.CLOSED, None)


@dataclass(frozen=True, slots=True)
class _Candidate:
    record: BoardRecord | None
    """``None`` where the deal is refused."""
    own_result: BoardResult | None
    line: int
    problems: tuple[Problem, ...]

    @property
    def fullness(self) -> int:
        return 0 if self.record is None else 1 + len(self.record.calls) + len(self.record.cards)


def settle_boards(
    raws: Iterable[RawBoard], heading: Heading, segment: int, problems: ProblemList
) -> tuple[BoardRecord, ...]:
    """The boards of a segment by number, open room first; results without a record become boards as well."""
    candidates: dict[tuple[int, Room | None], list[_Candidate]] = {}
    for raw in raws:
        if raw.number is None:
            if raw.deal_line is not None:
                problems.at(None, raw.room)
                problems.add(raw.line, "qx", Reason.BAD_BOARD_NUMBER, "a board without a number is left out")
            continue
        candidates.setdefault((raw.number, raw.room), []).append(_fold(raw, heading, segment))
    boards: dict[tuple[int, Room | None], BoardRecord] = {}
    for key in sorted(candidates, key=_by_number):
        chosen = _choose(candidates[key], _official(heading, *key)[1], key, problems)
        problems.found.extend(chosen.problems)
        if chosen.record is not None:
            boards[key] = chosen.record
    list_different_deals(boards.values(), "md", problems)
    for number, room in heading.results:
        if (number, room) not in boards and (number, None) not in boards:
            boards[number, room] = _result_only(number, room, heading, segment, boards)
    problems.at(None, None)
    return tuple(boards[key] for key in sorted(boards, key=_by_number) if not _is_empty(boards[key]))


def _by_number(key: tuple[int, Room | None]) -> tuple[int, int]:
    return key[0], _SIDES.index(key[1])


def _is_empty(board: BoardRecord) -> bool:
    return board.deal is None and board.result is None


def _official(heading: Heading, number: int, room: Room | None) -> tuple[str, BoardResult | None]:
    return heading.results.get((number, room or Room.OPEN), ("", None))


def _fold(raw: RawBoard, heading: Heading, segment: int) -> _Candidate:
    """One record by the rules of the game, with its own list of problems."""
    problems = ProblemList(segment, raw.number, raw.room)
    number = raw.number or 0
    official = _official(heading, number, raw.room)[1]
    if raw.deal is None:
        if not raw.is_refused and (raw.calls or raw.cards):
            problems.add(raw.line, "md", Reason.NO_DEAL, "calls or cards without a deal are left out")
        return _Candidate(None, None, raw.line, tuple(problems))
    dealer = _dealer(raw, number, problems)
    vulnerability = _vulnerability(raw, number, problems)
    auction, calls = believed_calls(dealer, raw.calls, "mb", problems)
    believed = believed_cards(raw.deal, auction, raw.cards, "pc", problems)
    turned = fitting_rotation(raw.deal, auction, raw.cards) if believed.is_cut else None
    if turned is not None:
        problems.add(
            raw.deal_line,
            "md",
            Reason.ROTATED_DEAL,
            f"the hands do not fit the play; turned to {turned} every card is legal. The record is refused",
        )
        return _Candidate(None, None, raw.line, tuple(problems))
    claim = raw.claim
    if claim is not None and not auction.is_over:
        problems.add(raw.claim_line, "mc", Reason.BAD_CLAIM, f"{claim} tricks are claimed without a contract")
        claim = None
    play = believed.play
    if claim is not None and play is not None and (why := excluded_claim(play, claim)):
        problems.add(raw.claim_line, "mc", Reason.CLAIM_EXCLUDED, f"a claim the play excludes: {why}")
        claim = None
    if (
        calls
        and official is not None
        and not auction.is_over
        and all(problem.field != "mb" for problem in problems)
    ):
        problems.add(
            raw.calls[-1].line, "mb", Reason.AUCTION_UNFINISHED, "the auction that is recorded does not end"
        )
    own = result_of_record(auction, play, claim)
    if own is None and official is None and calls:
        cards = len(believed.cards)
        problems.add(
            raw.line,
            "",
            Reason.NO_RESULT,
            f"in play, trick {cards // 4 + 1}, {cards} cards: no result"
            if auction.is_over
            else f"in the auction, {len(calls)} calls: no result",
        )
    ended = believed.is_cut or (play is not None and play.is_over) or auction.is_passed_out
    record = BoardRecord(
        segment,
        number,
        raw.room,
        dealer,
        vulnerability,
        raw.deal,
        raw.players if raw.players is not None else heading.lineups.get(raw.room or Room.OPEN, {}),
        calls,
        believed.cards,
        None if ended else claim,
        official if official is not None else own,
        tuple(_placed(raw.comments, len(calls), len(believed.cards))),
    )
    _compare(record, own, official, raw, heading, problems)
    return _Candidate(record, own, raw.line, tuple(problems))


def _dealer(raw: RawBoard, number: int, problems: ProblemList) -> Seat:
    due = dealer_of(number)
    if raw.dealer is None:
        problems.add(
            raw.deal_line, "md", Reason.BAD_DEALER, f"no dealer is named; board {number} has {due.word}"
        )
        return due
    if raw.dealer is not due:
        problems.add(
            raw.deal_line,
            "md",
            Reason.DEALER_DIFFERS,
            f"{raw.dealer.word} dealt; by its number board {number} has {due.word}",
        )
    return raw.dealer


def _vulnerability(raw: RawBoard, number: int, problems: ProblemList) -> Vulnerability:
    due = vulnerability_of(number)
    if raw.vulnerability is not None and raw.vulnerability is not due:
        problems.add(
            raw.deal_line,
            "sv",
            Reason.VULNERABILITY_DIFFERS,
            f"scored with vulnerability {raw.vulnerability}; by its number board {number} has {due}",
        )
    return raw.vulnerability or due


def _placed(comments: Iterable[RecordedComment], calls: int, cards: int) -> Iterable[RecordedComment]:
    """Comments after the end of the record move to its end."""
    for comment in comments:
        yield RecordedComment(
            comment.author, comment.text, min(comment.calls, calls), min(comment.cards, cards)
        )


def _compare(
    record: BoardRecord,
    own: BoardResult | None,
    official: BoardResult | None,
    raw: RawBoard,
    heading: Heading,
    problems: ProblemList,
) -> None:
    """List where the official result differs from what the record shows."""
    auction = record.auction
    if official is None or not auction.is_over:
        return
    line = heading.results_line
    if (official.contract, official.declarer) != (auction.contract, auction.declarer):
        bid = "passed out" if auction.contract is None else f"{auction.contract} by {auction.declarer}"
        problems.add(line, "rs", Reason.RESULT_DIFFERS, f"scored as {worded(official)}; the auction says {bid}")
    elif own is not None and own.tricks != official.tricks:
        reason = Reason.RESULT_DIFFERS if record.claim_tricks is None else Reason.CLAIM_DIFFERS
        field = "rs" if record.claim_tricks is None else "mc"
        text = f"scored as {worded(official)}; the record shows {own.tricks} tricks"
        problems.add(line if field == "rs" else raw.claim_line, field, reason, text)


def _choose(
    candidates: list[_Candidate],
    official: BoardResult | None,
    key: tuple[int, Room | None],
    problems: ProblemList,
) -> _Candidate:
    def merit(candidate: _Candidate) -> tuple[bool, int]:
        return official is not None and candidate.own_result == official, candidate.fullness

    chosen = max(candidates, key=merit)
    problems.at(*key)
    for other in candidates:
        if other is not chosen:
            problems.add(
                other.line,
                "qx",
                Reason.REPEATED_BOARD,
                f"a second record of board {key[0]} is left out; the one of line {chosen.line} is used",
            )
    return chosen


def _result_only(
    number: int,
    room: Room,
    heading: Heading,
    segment: int,
    boards: Mapping[tuple[int, Room | None], BoardRecord],
) -> BoardRecord:
    """A board known by its result alone; dealer and vulnerability are those of the other room's record."""
    other = boards.get((number, room.other))
    return BoardRecord(
        segment,
        number,
        room,
        other.dealer if other else dealer_of(number),
        other.vulnerability if other else vulnerability_of(number),
        players=heading.lineups.get(room, {}),
        result=heading.results[number, room][1],
    )
