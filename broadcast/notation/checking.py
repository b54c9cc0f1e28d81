"""Calls and cards as a file gives them, folded by the rules of the game: what can be believed, and what not.

What a table may let stand (an insufficient bid, a lead out of turn, a revoke) is kept and marked. At the first
call or card that could not have been made the record ends; what follows it is left out and listed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from broadcast.bridge.auctions import Auction
from broadcast.bridge.calls import Call
from broadcast.bridge.cards import Card
from broadcast.bridge.claims import check_claim
from broadcast.bridge.deals import Deal, rotated
from broadcast.bridge.errors import IllegalCall, IllegalClaim
from broadcast.bridge.irregularities import Irregularity
from broadcast.bridge.play import Play
from broadcast.bridge.results import PASSED_OUT, BoardResult
from broadcast.bridge.seats import Seat
from broadcast.notation.problems import ProblemList, Reason
from broadcast.notation.records import BoardRecord, RecordedCall, RecordedCard

MOST_CALLS = 319
"""The longest auction there can be: every bid after three passes, doubled and redoubled after two more each."""


@dataclass(frozen=True, slots=True)
class GivenCall:
    call: Call | None
    """``None`` where the text is no call."""
    text: str
    line: int
    alert: bool = False
    explanation: str | None = None
    seat: Seat | None = None
    """Where the format says who called; otherwise whose turn it is."""


@dataclass(frozen=True, slots=True)
class GivenCard:
    card: Card | None
    text: str
    line: int
    seat: Seat | None = None


def believed_calls(
    dealer: Seat, given: Sequence[GivenCall], field: str, problems: ProblemList
) -> tuple[Auction, tuple[RecordedCall, ...]]:
    """The auction as far as it is possible, with irregular calls marked."""
    auction = Auction(dealer)
    recorded: list[RecordedCall] = []
    for index, made in enumerate(given):
        turn = auction.turn
        if turn is None:
            rest = given[index:]
            names = " ".join(call.text for call in rest[:8])
            problems.add(
                made.line,
                field,
                Reason.SURPLUS_CALLS,
                f"{len(rest)} calls after the end of the auction: {names}",
            )
            break
        if made.call is None:
            problems.add(
                made.line,
                field,
                Reason.BAD_CALL,
                f"{made.text!r} is not a call; the record of the board ends here",
            )
            break
        seat = made.seat or turn
        fault = auction.fault(seat, made.call)
        if isinstance(fault, IllegalCall) or index >= MOST_CALLS:
            why = fault.message if isinstance(fault, IllegalCall) else "no auction is so long"
            problems.add(
                made.line,
                field,
                Reason.IMPOSSIBLE_AUCTION,
                f"call {index + 1}, {made.call} by {seat.word}, is impossible ({why}); the record ends here",
            )
            break
        if fault is not None:
            problems.add(
                made.line,
                field,
                Reason.IRREGULAR_CALL,
                f"call {index + 1}, {made.call} by {seat.word}, is irregular: {fault}",
            )
        recorded.append(RecordedCall(seat, made.call, made.alert, made.explanation, fault))
        auction = auction.with_call(seat, made.call)
    return auction, tuple(recorded)


@dataclass(frozen=True, slots=True)
class BelievedPlay:
    play: Play | None
    """``None`` where there is no contract to play."""
    cards: tuple[RecordedCard, ...] = ()
    is_cut: bool = False
    """Cards were left out."""


def believed_cards(
    deal: Deal, auction: Auction, given: Sequence[GivenCard], field: str, problems: ProblemList
) -> BelievedPlay:
    """The play as far as it is possible. Where no seat is given, a card is by the hand whose turn it is."""
    contract, declarer = auction.contract, auction.declarer
    if not auction.is_over or contract is None or declarer is None:
        if given:
            _refuse_play(auction, given, field, problems)
        return BelievedPlay(None, is_cut=bool(given))
    play = Play.start(deal, contract.denomination, declarer)
    recorded: list[RecordedCard] = []
    for index, made in enumerate(given):
        seat = play.turn
        reason: Reason | None = None
        text = ""
        if seat is None:
            reason, text = Reason.SURPLUS_CARDS, f"{len(given) - index} cards after the thirteenth trick"
        elif made.card is None:
            reason, text = Reason.BAD_CARD, f"{made.text!r} is not a card"
        else:
            player, fault = _player(play, deal, made.card, made.seat or seat)
            if player is None:
                holder = deal.holder(made.card)
                if made.card not in play.held[holder]:
                    reason, text = Reason.CARD_REPEATED, f"{made.card} is played a second time"
                else:
                    reason = Reason.CARD_NOT_HELD
                    text = f"{made.card} was played by {(made.seat or seat).word}, but {holder.word} holds it"
            else:
                if fault is not None:
                    _mark(play, player, made, fault, field, problems)
                recorded.append(RecordedCard(player, made.card, fault))
                play = play.with_card(player, made.card)
        if reason is not None:
            place = f"trick {play.trick_number}, card {len(play.trick) + 1}: " if seat is not None else ""
            problems.add(made.line, field, reason, f"{place}{text}; the record of the play ends before it")
            return BelievedPlay(play, tuple(recorded), is_cut=True)
    return BelievedPlay(play, tuple(recorded))


def _player(play: Play, deal: Deal, card: Card, seat: Seat) -> tuple[Seat | None, Irregularity | None]:
    """Who can have played the card, and what was irregular in it.

    It is the hand due, or at the start of a trick whoever led out of turn; the opening lead is a defender's.
    """
    fault = play.fault(seat, card)
    if fault is None or fault is Irregularity.REVOKE:
        return seat, fault
    holder = deal.holder(card)
    if play.trick or card not in play.held[holder]:
        return None, None
    if not play.cards and holder.side is play.declarer.side:
        return None, None
    return holder, Irregularity.OUT_OF_TURN


def _mark(
    play: Play, seat: Seat, made: GivenCard, irregular: Irregularity, field: str, problems: ProblemList
) -> None:
    trick = f"trick {play.trick_number}"
    if irregular is Irregularity.REVOKE:
        problems.add(made.line, field, Reason.REVOKE, f"{trick}: {seat.word} revoked with {made.card}")
    else:
        due = play.turn.word if play.turn else "nobody"
        problems.add(
            made.line,
            field,
            Reason.LEAD_OUT_OF_TURN,
            f"{trick}: {seat.word} led {made.card} out of turn, it was {due}'s lead",
        )


def _refuse_play(auction: Auction, given: Sequence[GivenCard], field: str, problems: ProblemList) -> None:
    if auction.is_passed_out:
        problems.add(
            given[0].line, field, Reason.SURPLUS_CARDS, f"{len(given)} cards on a board that was passed out"
        )
        return
    problems.add(
        given[0].line,
        field,
        Reason.AUCTION_UNFINISHED,
        f"{len(given)} cards are left out: the auction that is recorded does not end",
    )


def fitting_rotation(deal: Deal, auction: Auction, given: Sequence[GivenCard]) -> Deal | None:
    """The one rotation of the hands that makes every card regular; ``None`` if none or several do.

    Less than a trick is no evidence: a single wrong card fits other hands by chance.
    """
    contract, declarer = auction.contract, auction.declarer
    if contract is None or declarer is None or len(given) < 4:
        return None
    fitting = []
    for quarters in (1, 2, 3):
        turned = rotated(deal, quarters)
        play = Play.start(turned, contract.denomination, declarer)
        for made in given:
            seat = made.seat or play.turn
            if made.card is None or seat is None or play.fault(seat, made.card) is not None:
                break
            play = play.with_card(seat, made.card)
        else:
            fitting.append(turned)
    return fitting[0] if len(fitting) == 1 else None


def result_of_record(auction: Auction, play: Play | None, claim_tricks: int | None) -> BoardResult | None:
    """What the record itself says: passed out, played out, or claimed; ``None`` while the board is in play."""
    if auction.is_passed_out:
        return PASSED_OUT
    if not auction.is_over:
        return None
    if play is not None and play.is_over:
        return BoardResult(auction.contract, auction.declarer, play.declarer_tricks)
    if claim_tricks is not None:
        return BoardResult(auction.contract, auction.declarer, claim_tricks)
    return None


def excluded_claim(play: Play, tricks: int) -> str | None:
    """Why the play so far excludes a claim of so many tricks in all for declarer; ``None`` if it does not."""
    try:
        check_claim(play, play.declarer, tricks)
    except IllegalClaim as refused:
        return refused.message
    return None


def worded(result: BoardResult | None) -> str:
    """A result for messages: ``4SX by South, 9 tricks``."""
    if result is None:
        return "no result"
    if result.contract is None or result.declarer is None:
        return "passed out"
    return f"{result.contract} by {result.declarer.word}, {result.tricks} tricks"


def list_different_deals(boards: Iterable[BoardRecord], field: str, problems: ProblemList) -> None:
    """A board is one deal played twice: two rooms with different cards cannot be compared (Law 6D)."""
    deals: dict[int, Deal] = {}
    for board in boards:
        if board.deal is None:
            continue
        other = deals.setdefault(board.number, board.deal)
        if other != board.deal:
            problems.at(board.number, None)
            problems.add(
                None,
                field,
                Reason.DIFFERENT_DEALS,
                f"board {board.number} has different deals in the two rooms",
            )
