"""One PBN game to a board's record: the tags say what is official, auction and play say what happened."""

from dataclasses import dataclass

from broadcast.bridge.auctions import Auction
from broadcast.bridge.boards import Vulnerability
from broadcast.bridge.deals import Deal
from broadcast.bridge.results import BoardResult
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.notation.checking import (
    believed_calls,
    believed_cards,
    fitting_rotation,
    result_of_record,
    worded,
)
from broadcast.notation.comments import comment_of
from broadcast.notation.pbn_lexing import Game
from broadcast.notation.pbn_repairs import (
    Maker,
    is_never_played,
    with_cards_at_their_hands,
    with_leading_passes,
)
from broadcast.notation.pbn_sections import (
    in_order_of_play,
    is_to_be_continued,
    placed_comments,
    read_auction,
    read_play,
)
from broadcast.notation.pbn_tags import (
    named_contract,
    read_deal,
    read_dealer,
    read_official,
    read_players,
    read_seat,
    read_vulnerability,
    stated_score_ns,
)
from broadcast.notation.problems import ProblemList, Reason
from broadcast.notation.records import BoardRecord, RecordedComment


@dataclass(frozen=True, slots=True)
class _Table:
    """Dealer, deal and what the tags call official."""

    dealer: Seat
    vulnerability: Vulnerability
    deal: Deal | None


def read_game(
    game: Game, number: int, room: Room | None, problems: ProblemList, maker: Maker
) -> BoardRecord | None:
    """The record of the game at its table; ``None`` where the deal is refused and no result stands.

    ``maker`` says which habits of its maker the file shows.
    """
    problems.at(number, room)
    deal, is_refused = read_deal(game, problems)
    table = _Table(read_dealer(game, number, problems), read_vulnerability(game, number, problems), deal)
    given = read_auction(game.auction, read_seat(game.value("Auction")), table.dealer, game.auction_notes)
    if is_refused or deal is None:
        if not is_refused and (given.calls or game.play):
            problems.add(game.line, "Deal", Reason.NO_DEAL, "calls or cards without a deal are left out")
        official = read_official(game, Auction(table.dealer), problems)
        return _without_record(game, number, room, table, official)
    if maker.may_lack_passes:
        given = with_leading_passes(given, table.dealer, named_contract(game), problems)
    auction, calls = believed_calls(table.dealer, given.calls, "Auction", problems)
    play_given = read_play(game.play, _first_column(game, auction), game.play_notes)
    play_given = with_cards_at_their_hands(play_given, deal, auction, problems)
    ordered = in_order_of_play(play_given, deal, auction)
    if ordered and not given.calls:
        problems.add(
            game.line_of("Play"), "Play", Reason.AUCTION_UNFINISHED, "cards without an auction are left out"
        )
        ordered = []
    believed = believed_cards(deal, auction, ordered, "Play", problems)
    official = None if is_to_be_continued(game.play) else read_official(game, auction, problems)
    if is_never_played(game, maker):
        text = "called passed out, but without auction and score: taken as not played"
        problems.add(game.line_of("Contract"), "Contract", Reason.NOT_PLAYED, text)
        official = None
    turned = fitting_rotation(deal, auction, ordered) if believed.is_cut else None
    if turned is not None:
        problems.add(
            game.line_of("Deal"),
            "Deal",
            Reason.ROTATED_DEAL,
            f"the hands do not fit the play; turned to {turned} every card is legal. The record is refused",
        )
        return _without_record(game, number, room, table, official)
    own = result_of_record(auction, believed.play, None)
    _compare(game, auction, table.vulnerability, own, official, problems)
    result = official if official is not None else own
    if result is None and calls:
        cards = len(believed.cards)
        problems.add(
            game.line,
            "Result",
            Reason.NO_RESULT,
            f"in play, trick {cards // 4 + 1}, {cards} cards: no result"
            if auction.is_over
            else f"in the auction, {len(calls)} calls: no result",
        )
    comments = [
        comment for comment in (comment_of(remark.text) for remark in game.remarks) if comment is not None
    ]
    comments += given.comments
    comments += placed_comments(play_given, ordered, len(calls))
    return BoardRecord(
        problems.segment or 1,
        number,
        room,
        table.dealer,
        table.vulnerability,
        deal,
        read_players(game),
        calls,
        believed.cards,
        None,
        result,
        tuple(
            RecordedComment(
                comment.author,
                comment.text,
                min(comment.calls, len(calls)),
                min(comment.cards, len(believed.cards)),
            )
            for comment in comments
        ),
        irregular_declarer=game.value("Declarer").startswith("^") and result is not None,
        irregular_result=game.value("Result").startswith("^") and result is not None,
    )


def _without_record(
    game: Game, number: int, room: Room | None, table: _Table, official: BoardResult | None
) -> BoardRecord | None:
    if official is None:
        return None
    return BoardRecord(
        1,
        number,
        room,
        table.dealer,
        table.vulnerability,
        players=read_players(game),
        result=official,
        irregular_result=game.value("Result").startswith("^"),
        irregular_declarer=game.value("Declarer").startswith("^"),
    )


def _first_column(game: Game, auction: Auction) -> Seat:
    named = read_seat(game.value("Play"))
    if named is not None:
        return named
    return auction.declarer.left if auction.declarer is not None else auction.dealer


def _compare(
    game: Game,
    auction: Auction,
    vulnerability: Vulnerability,
    own: BoardResult | None,
    official: BoardResult | None,
    problems: ProblemList,
) -> None:
    """List where the tags differ from auction and play."""
    if official is None:
        return
    stated = stated_score_ns(game.value("Score"), official)
    if stated is not None and stated != official.score_ns(vulnerability):
        problems.add(
            game.line_of("Score"),
            "Score",
            Reason.SCORE_DIFFERS,
            f"{worded(official)} scores {official.score_ns(vulnerability)} for NS; the file says {stated}",
        )
    if not auction.is_over:
        return
    if (official.contract, official.declarer) != (auction.contract, auction.declarer):
        bid = "passed out" if auction.contract is None else f"{auction.contract} by {auction.declarer}"
        problems.add(
            game.line_of("Contract"),
            "Contract",
            Reason.RESULT_DIFFERS,
            f"scored as {worded(official)}; the auction says {bid}",
        )
    elif own is not None and own.tricks != official.tricks:
        problems.add(
            game.line_of("Result"),
            "Result",
            Reason.RESULT_DIFFERS,
            f"scored as {worded(official)}; the play shows {own.tricks} tricks",
        )
