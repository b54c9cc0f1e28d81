"""The Auction and Play sections of a PBN game (PBN 2.1, sections 3.5 and 3.6) as given calls and cards.

Calls go round from the first caller. Cards stand in rows of a trick with a fixed column for every seat, so the
order of play is known only by folding the play: ``believed_tricks`` does both at once.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from broadcast.bridge.auctions import Auction
from broadcast.bridge.calls import Call
from broadcast.bridge.cards import Card
from broadcast.bridge.deals import Deal
from broadcast.bridge.errors import BadNotation
from broadcast.bridge.play import trick_winner
from broadcast.bridge.seats import Seat, clockwise_from
from broadcast.notation.checking import GivenCall, GivenCard
from broadcast.notation.comments import BARE_ALERTS, comment_of, one_line, plain_text
from broadcast.notation.pbn_lexing import Token
from broadcast.notation.records import RecordedComment

_NOTE = re.compile(r"=(\d{1,2})=")
_SUFFIX = re.compile(r"(?:[!?]|\$\d+)+$")
_LONGEST_CALL = 40
"""In characters, with its marks; anything longer is no call, and not looked through."""
_MARK = re.compile(r"\^([ISRL])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GivenAuction:
    calls: tuple[GivenCall, ...]
    comments: tuple[RecordedComment, ...]


def read_auction(
    tokens: Sequence[Token], first: Seat | None, dealer: Seat, notes: dict[str, str]
) -> GivenAuction:
    """The calls with their seats. ``-`` fills up to the dealer, ``^S`` stands for a player passed over."""
    calls: list[GivenCall] = []
    comments: list[RecordedComment] = []
    seat = first or dealer
    is_over = False
    for token in tokens:
        if token.is_comment:
            comment = comment_of(token.text, calls=len(calls))
            if comment is not None:
                comments.append(comment)
            continue
        if is_over:
            continue
        if noted := _NOTE.fullmatch(token.text):
            if calls:
                calls[-1] = _explained(calls[-1], notes.get(noted[1], ""))
            continue
        word = _MARK.sub("", token.text)
        if not word:
            # An insufficient bid (^I) shows by itself; a player passed over (^S) takes up the turn.
            seat = seat.left if token.text.upper() == "^S" else seat
            continue
        if word[0] in "$!?":
            continue
        if word in ("*", "+"):
            is_over = True
            continue
        if word.upper() == "AP":
            calls.extend(_all_pass(calls, seat, dealer, token.line))
            is_over = True
            continue
        if word != "-":
            calls.append(_call(word, seat, token.line))
        seat = seat.left
    return GivenAuction(tuple(calls), tuple(comments))


def _call(word: str, seat: Seat, line: int) -> GivenCall:
    text = word if _is_call(word) else _SUFFIX.sub("", word[:_LONGEST_CALL])
    try:
        return GivenCall(Call.parse(text), text, line, seat=seat)
    except BadNotation:
        return GivenCall(None, word[:12], line, seat=seat)


def _is_call(word: str) -> bool:
    try:
        Call.parse(word)
    except BadNotation:
        return False
    return True


def _explained(made: GivenCall, text: str) -> GivenCall:
    """PBN has no sign for an alert: a note on a call stands for it."""
    explanation = one_line(text)
    bare = not explanation or explanation.lower() in BARE_ALERTS
    return GivenCall(made.call, made.text, made.line, True, None if bare else explanation, made.seat)


def _all_pass(calls: Sequence[GivenCall], seat: Seat, dealer: Seat, line: int) -> list[GivenCall]:
    """The passes that end the auction."""
    auction = Auction(dealer)
    for made in calls:
        if made.call is not None and made.seat is not None:
            auction = auction.with_call(made.seat, made.call)
    passes = []
    while not auction.is_over:
        passes.append(GivenCall(Call.PASS, "Pass", line, seat=seat))
        auction = auction.with_call(seat, Call.PASS)
        seat = seat.left
    return passes


@dataclass(frozen=True, slots=True)
class Row:
    """A trick as written: the known cards by seat, and who led where a lead out of turn is marked."""

    cards: dict[Seat, GivenCard]
    leader: Seat | None = None


@dataclass(frozen=True, slots=True)
class GivenPlay:
    rows: tuple[Row, ...]
    comments: tuple[tuple[Seat | None, int, RecordedComment], ...]
    """Seat and row of the card a comment follows."""


def is_to_be_continued(tokens: Sequence[Token]) -> bool:
    """Whether ``+`` says that the play goes on, so that the Result tag is no final one."""
    return any(token.text == "+" and not token.is_comment for token in tokens)


def read_play(tokens: Sequence[Token], first: Seat, notes: dict[str, str]) -> GivenPlay:
    """Rows of four columns from ``first`` clockwise; ``-`` is a card not known."""
    columns = clockwise_from(first)
    rows: list[Row] = []
    comments: list[tuple[Seat | None, int, RecordedComment]] = []
    column = 0
    last: Seat | None = None
    out_of_turn = is_over = False
    for token in tokens:
        if token.is_comment:
            comment = comment_of(token.text)
            if comment is not None:
                comments.append((last, len(rows) - 1, comment))
            continue
        if is_over:
            continue
        if noted := _NOTE.fullmatch(token.text):
            if notes.get(noted[1]):
                comments.append((last, len(rows) - 1, RecordedComment(None, plain_text(notes[noted[1]]))))
            continue
        out_of_turn = out_of_turn or "^L" in token.text.upper()
        word = _MARK.sub("", token.text)
        if word == "*":
            is_over = True
            continue
        if not word or word[0] in "$!?":
            continue
        if column == 0:
            rows.append(Row({}))
        last = columns[column]
        if word not in ("-", "+"):
            rows[-1].cards[last] = _card(word, last, token.line)
            if out_of_turn:
                rows[-1] = Row(rows[-1].cards, last)
        out_of_turn = False
        column = (column + 1) % 4
    return GivenPlay(tuple(rows), tuple(comments))


def _card(word: str, seat: Seat, line: int) -> GivenCard:
    text = _SUFFIX.sub("", word)
    try:
        return GivenCard(Card.parse(text), text, line, seat)
    except BadNotation:
        return GivenCard(None, word[:12], line, seat)


def in_order_of_play(given: GivenPlay, deal: Deal, auction: Auction) -> list[GivenCard]:
    """The cards as they were played: each trick from its leader clockwise, up to the first that is not known.

    Where a card cannot have been played, the cards behind it follow as written: the record ends there anyway.
    """
    contract, declarer = auction.contract, auction.declarer
    written = [card for row in given.rows for card in row.cards.values()]
    if contract is None or declarer is None:
        return written
    leader: Seat | None = declarer.left
    ordered: list[GivenCard] = []
    played: set[Card] = set()
    for row in given.rows:
        leader = row.leader or leader
        trick: list[tuple[Seat, Card]] = []
        for seat in clockwise_from(leader) if leader is not None else row.cards:
            made = row.cards.get(seat)
            if made is None:
                return ordered
            ordered.append(made)
            card = made.card
            if card is None or leader is None or card in played or deal.holder(card) is not seat:
                done = set(map(id, ordered))
                return [*ordered, *(other for other in written if id(other) not in done)]
            played.add(card)
            trick.append((seat, card))
        leader = trick_winner(tuple(trick), contract.denomination) if len(played) < 52 else None
    return ordered


def placed_comments(given: GivenPlay, ordered: Sequence[GivenCard], calls: int) -> list[RecordedComment]:
    """The comments of the play with the number of cards that stand when they are made."""
    place = {id(card): index + 1 for index, card in enumerate(ordered)}
    placed = []
    for seat, row, comment in given.comments:
        card = given.rows[row].cards.get(seat) if seat is not None and row >= 0 else None
        cards = place.get(id(card), len(ordered)) if row >= 0 else 0
        placed.append(RecordedComment(comment.author, comment.text, calls, cards))
    return sorted(placed, key=lambda comment: comment.cards)
