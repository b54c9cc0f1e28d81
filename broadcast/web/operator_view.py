"""The room as the operator's page draws it: the role view of the log, and what the page says besides.

The page holds no rules. So beside what is legal it is given why the rest is not and whether a table may let it
stand, what each number of tricks would score, and which totals of a claim are possible or in doubt. Of other
boards of the match it is given this room's results and never a deal.
"""

from broadcast.bridge.auctions import Auction
from broadcast.bridge.calls import Call
from broadcast.bridge.cards import Card
from broadcast.bridge.certain_tricks import claim_bounds
from broadcast.bridge.claims import check_claim
from broadcast.bridge.contracts import Contract
from broadcast.bridge.errors import BridgeError
from broadcast.bridge.irregularities import Irregularity
from broadcast.bridge.play import Play
from broadcast.bridge.results import BoardResult
from broadcast.bridge.rooms import Room
from broadcast.bridge.scoring import PenaltyScale
from broadcast.bridge.seats import SEATS, Seat
from broadcast.feeds import public_json, role_views
from broadcast.feeds.public_json import Json
from broadcast.tables.events import BoardKey
from broadcast.tables.state import MatchState, RoomBoard
from broadcast.web.languages import Language
from broadcast.web.problems import problem_of, translated


def room_table(id: str, match: MatchState, room: Room, language: Language) -> Json:
    """All that the page shows of its room, reasons in the operator's language."""
    view = role_views.operator_view(id, match, room)
    view["title"] = match.created.title
    view["boards"] = [_board(match, key, room) for key in match.boards]
    view["refused"] = {"calls": {}, "cards": {}, "seats": {}}
    view["scores"], view["claim"] = [], None
    key, following = match.current.get(room), view["next_board"]
    view["teams"] = None
    if key is None:
        if following is not None:
            view["teams"] = _teams(match, BoardKey(following["segment"], following["board"]), room)
        return view
    table = match.boards[key].rooms[room]
    view["teams"] = _teams(match, key, room)
    for shown, played in zip(view["board"]["play"], table.cards, strict=True):
        shown["irregular"] = played.irregular
    if table.turn is not None and table.skipped is None and table.deal is not None:
        view["refused"] = _refused(table, language)
    contract, declarer = table.auction.contract, table.auction.declarer
    if table.auction.is_over and contract is not None and declarer is not None:
        scale = match.created.penalty_scale
        view["scores"] = [score(table, contract, declarer, tricks, scale) for tricks in range(14)]
    if table.play is not None and table.ending is None:
        view["claim"] = _claim(table.play, language)
    return view


def score(table: RoomBoard, contract: Contract, declarer: Seat, tricks: int, scale: PenaltyScale) -> int:
    """North-South's score points (Law 77) if declarer took so many tricks in all."""
    return BoardResult(contract, declarer, tricks).score_ns(table.vulnerability, scale)


def _board(match: MatchState, key: BoardKey, room: Room) -> Json:
    """A board of the match as far as this room knows it."""
    board = match.boards[key]
    table = board.rooms[room]
    return {
        "segment": key.segment,
        "number": key.number,
        "dealer": table.dealer.value,
        "vulnerable": table.vulnerability.value,
        **public_json.room_member(board, room, match.created.penalty_scale),
        "skipped": table.skipped,
        "needs_deal": str(key) not in match.created.deals and table.deal is None,
    }


def _teams(match: MatchState, key: BoardKey, room: Room) -> Json:
    """Names of the teams that sit North-South and East-West in this room."""
    ns_open = match.ns_open(key)
    ns = ns_open if room is Room.OPEN else ns_open.other
    names = {"home": match.created.home.name, "visitors": match.created.visitors.name}
    return {"NS": names[ns.value], "EW": names[ns.other.value]}


def _refused(table: RoomBoard, language: Language) -> Json:
    """Why what is not legal is not, by call and card of the hand in turn, and by seat for all others."""
    if not table.auction.is_over:
        return _refused_calls(table.auction, language)
    if table.play is not None and table.pending_claim is None:
        return _refused_cards(table.play, language)
    return {"calls": {}, "cards": {}, "seats": {}}


def _refused_calls(auction: Auction, language: Language) -> Json:
    turn = auction.turn
    refused: Json = {"calls": {}, "cards": {}, "seats": {}}
    if turn is None:
        return refused
    for call in Call:
        try:
            auction.check(turn, call)
        except BridgeError as error:
            refused["calls"][call.value] = _reason(error, auction.fault(turn, call), language)
    for seat in SEATS:
        if seat is not turn:
            try:
                auction.check(seat, Call.PASS)
            except BridgeError as error:
                refused["seats"][seat.value] = _reason(error, Irregularity.OUT_OF_TURN, language)
    return refused


def _refused_cards(play: Play, language: Language) -> Json:
    refused: Json = {"calls": {}, "cards": {}, "seats": {}}
    for seat in SEATS:
        for card in play.held[seat]:
            fault = play.fault(seat, card)
            if fault is None or (seat is not play.turn and seat.value in refused["seats"]):
                continue
            reason = _reason(_error(play, seat, card), fault, language)
            if seat is play.turn:
                refused["cards"][card.value] = reason
            else:
                refused["seats"][seat.value] = reason
    return refused


def _error(play: Play, seat: Seat, card: Card) -> BridgeError:
    try:
        play.check(seat, card)
    except BridgeError as error:
        return error
    raise AssertionError(f"{card} by {seat} has a fault and is not refused")


def _reason(error: BridgeError, fault: object, language: Language) -> Json:
    """The sentence, and the mark with which it is recorded all the same where the table let it stand."""
    irregular = fault.value if isinstance(fault, Irregularity) else None
    return {"message": translated(problem_of(error), language), "irregular": irregular}


def _claim(play: Play, language: Language) -> Json:
    """Who may claim, which totals of declarer are possible, and which of those deny nobody a certain trick."""
    seats: Json = {}
    for seat in SEATS:
        try:
            check_claim(play, seat, play.declarer_tricks)
            seats[seat.value] = None
        except BridgeError as error:
            seats[seat.value] = translated(problem_of(error), language)
    fewest, most = claim_bounds(play)
    return {
        "seats": seats,
        "declarer": play.declarer.value,
        "least": play.declarer_tricks,
        "most": 13 - play.defender_tricks,
        "certain_least": fewest,
        "certain_most": most,
    }
