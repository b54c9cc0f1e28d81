"""Three habits of PBN makers that can be read in only one way, and are read so.

Some leave out the passes before the opening bid. Declarer and contract then fit the auction only with the one
right number of passes in front. Some write later tricks in other columns than those of the opening trick. As
every card is in one known hand, the row says who played it. Neither is done where it does not make the record
wholly regular. Some write boards that were never played as passed out, but without the auction and the score
that all their other boards have. All three are listed as problems.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from broadcast.bridge.auctions import Auction
from broadcast.bridge.calls import Call
from broadcast.bridge.contracts import Contract
from broadcast.bridge.deals import Deal
from broadcast.bridge.seats import Seat, clockwise_from
from broadcast.notation.checking import GivenCall, GivenCard, believed_calls, believed_cards
from broadcast.notation.pbn_lexing import Game
from broadcast.notation.pbn_sections import GivenAuction, GivenPlay, Row, in_order_of_play
from broadcast.notation.problems import ProblemList, Reason
from broadcast.notation.records import RecordedComment


@dataclass(frozen=True, slots=True)
class Maker:
    """What the whole file shows of the habits of its maker."""

    may_lack_passes: bool = False
    """No auction begins with a pass. A file in export format gives every call (PBN 2.1, section 3.5)."""
    writes_scores: bool = False
    """Games that were played have their score."""


def maker_of(text: str, games: Iterable[Game]) -> Maker:
    games = list(games)
    first = (next((word.text for word in game.auction if not word.is_comment), "") for game in games)
    begins_with_pass = any(word.upper() in ("P", "PASS") for word in first)
    exports = re.search(r"^% ?EXPORT[ \t\r]*$", text, re.MULTILINE) is not None
    return Maker(not exports and not begins_with_pass, any(game.value("Score") for game in games))


def is_never_played(game: Game, maker: Maker) -> bool:
    """Whether a game called passed out lacks both the auction and the score that played ones have."""
    passed = game.value("Contract").strip().lower() == "pass"
    return passed and maker.writes_scores and not game.auction and not game.value("Score")


def with_leading_passes(
    given: GivenAuction, dealer: Seat, named: tuple[Contract, Seat] | None, problems: ProblemList
) -> GivenAuction:
    """The auction with the passes in front that its maker left out; unchanged where none are needed."""
    calls = given.calls
    if named is None or not calls or calls[0].call is Call.PASS or calls[0].seat is not dealer:
        return given
    contract, declarer = named
    due = contract.bid, declarer
    if _outcome(dealer, calls) == due:
        return given
    for passes in (1, 2, 3):
        seats = clockwise_from(dealer)
        moved = tuple(
            replace(made, seat=None if made.seat is None else clockwise_from(made.seat)[passes])
            for made in calls
        )
        front = tuple(GivenCall(Call.PASS, "Pass", calls[0].line, seat=seat) for seat in seats[:passes])
        if _outcome(dealer, front + moved) == due:
            problems.add(
                calls[0].line,
                "Auction",
                Reason.PASSES_LEFT_OUT,
                f"the file leaves out {passes} passes before the first bid: {named[0]} is by {named[1].word}",
            )
            comments = tuple(
                RecordedComment(note.author, note.text, note.calls + passes if note.calls else 0, note.cards)
                for note in given.comments
            )
            return GivenAuction(front + moved, comments)
    return given


def _outcome(dealer: Seat, calls: Sequence[GivenCall]) -> tuple[Call, Seat] | None:
    """The last bid and declarer of a regular auction. Doubles are left aside: tags often leave them out."""
    auction, recorded = believed_calls(dealer, calls, "", ProblemList())
    if not auction.is_over or any(made.irregular is not None for made in recorded):
        return None
    contract, declarer = auction.contract, auction.declarer
    return None if contract is None or declarer is None else (contract.bid, declarer)


def with_cards_at_their_hands(
    given: GivenPlay, deal: Deal, auction: Auction, problems: ProblemList
) -> GivenPlay:
    """The play with the cards of later tricks in the columns of the hands that hold them.

    Only where the opening trick stands right and the whole play then is regular: hands turned against the play
    are another fault and stay visible.
    """
    if all(_stands_right(row, deal) for row in given.rows) or _is_regular(given, deal, auction):
        return given
    first = given.rows[0]
    if not _stands_right(first, deal):
        return given
    rows = tuple(_at_hands(row, deal) for row in given.rows)
    moved = GivenPlay(rows, given.comments)
    if rows == given.rows or not _is_regular(moved, deal, auction):
        return given
    count = sum(old != new for old, new in zip(given.rows, rows, strict=True))
    line = next(iter(first.cards.values())).line
    problems.add(
        line,
        "Play",
        Reason.COLUMNS_DIFFER,
        f"{count} tricks stand in other columns than the hands that hold the cards; taken by the hands",
    )
    return moved


def _stands_right(row: Row, deal: Deal) -> bool:
    return all(made.card is not None and deal.holder(made.card) is seat for seat, made in row.cards.items())


def _at_hands(row: Row, deal: Deal) -> Row:
    cards: dict[Seat, GivenCard] = {}
    for made in row.cards.values():
        if made.card is None:
            return row
        holder = deal.holder(made.card)
        if holder in cards:
            return row
        cards[holder] = replace(made, seat=holder)
    return Row(cards, row.leader)


def _is_regular(given: GivenPlay, deal: Deal, auction: Auction) -> bool:
    problems = ProblemList()
    believed_cards(deal, auction, in_order_of_play(given, deal, auction), "", problems)
    return not problems.found
