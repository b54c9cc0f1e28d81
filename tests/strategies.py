"""Hypothesis strategies: deals, auctions, commands that somebody might send to a match, whole matches told.

Commands are plausible, not always allowed: a table slips, an operator presses the wrong button. Whoever uses
them lets the rules refuse what they refuse.
"""

from datetime import timedelta

from hypothesis import strategies as st

from broadcast.bridge.auctions import Auction
from broadcast.bridge.calls import BIDS, Call
from broadcast.bridge.cards import Card
from broadcast.bridge.deals import Deal
from broadcast.bridge.errors import BridgeError
from broadcast.bridge.irregularities import Irregularity
from broadcast.bridge.results import PASSED_OUT
from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.seats import SEATS, Seat
from broadcast.tables.alarms import blocking_alarms
from broadcast.tables.awards import Award, Part
from broadcast.tables.commands import (
    AnswerClaim,
    CancelBoard,
    ChangeRelease,
    CheckResult,
    ClearAlarm,
    CloseMatch,
    Comment,
    ConfirmScore,
    CorrectResult,
    EnterInRoom,
    EnterResult,
    Entry,
    Explain,
    GiveAward,
    GivePenalty,
    MakeCall,
    MakeClaim,
    MatchCommand,
    NameLineup,
    OpenBoard,
    PlayCard,
    ReopenMatch,
    ResumeClock,
    SkipBoard,
    StopClock,
    SwapSeating,
    TransferTricks,
    Undo,
    VoidMatch,
)
from broadcast.tables.errors import Refusal
from broadcast.tables.events import BoardKey
from broadcast.tables.setup import Release, ReleaseRule
from broadcast.tables.state import MatchState, RoomBoard
from tests.builders import Told, new_match, players, result

ROOMS = st.sampled_from(Room)
RELEASES = st.sampled_from(
    [
        Release(ReleaseRule.BOARD),
        Release(ReleaseRule.MATCH),
        Release(ReleaseRule.LIVE),
        Release(ReleaseRule.DELAY, 30),
        Release(ReleaseRule.DELAY, 120),
    ]
)
RESULTS = st.sampled_from(["3NT S 9", "4SX N 8", "1C W 7", "Pass"]).map(result)
PAUSES = st.sampled_from([0, 0, 1, 7, 29, 30, 31, 120, 600])
"""Seconds between two commands; round the delays of ``RELEASES``."""

AWARDS = st.sampled_from(
    [
        Award("artificial", home="+", visitors="-"),
        Award("assigned", room=Room.OPEN, score_ns=420),
        Award("assigned", room=Room.CLOSED, score_ns=-50),
        Award("weighted", room=Room.CLOSED, parts=(Part(620, 60), Part(170, 40))),
        Award(
            "split",
            for_home=Award("assigned", room=Room.OPEN, score_ns=110),
            for_visitors=Award("artificial", home="=", visitors="+"),
        ),
    ]
)


def deals() -> st.SearchStrategy[Deal]:
    return st.permutations(list(Card)).map(
        lambda pack: Deal({seat: pack[13 * place : 13 * place + 13] for place, seat in enumerate(SEATS)})
    )


@st.composite
def auctions(draw: st.DrawFn) -> Auction:
    """A legal auction to its end, without irregularities."""
    auction = Auction(draw(st.sampled_from(SEATS)))
    while not auction.is_over:
        seat = auction.turn
        assert seat is not None
        auction = auction.with_call(seat, draw(_legal(auction)))
    return auction


def _legal(auction: Auction) -> st.SearchStrategy[Call]:
    """A legal call; passes and small steps come first, so that auctions stay short."""
    legal = auction.legal_calls()
    return st.sampled_from([Call.PASS, *legal[:6], *legal[-1:]])


# --- commands --------------------------------------------------------------------------------------------


@st.composite
def keys(draw: st.DrawFn, state: MatchState) -> BoardKey:
    return draw(st.sampled_from(list(state.boards)))


def _in_progress(state: MatchState, room: Room) -> RoomBoard | None:
    key = state.current.get(room)
    return None if key is None else state.boards[key].rooms[room]


@st.composite
def entries(draw: st.DrawFn, state: MatchState, room: Room) -> Entry:
    """What an operator might enter next: mostly the next call or card, sometimes anything."""
    table = _in_progress(state, room)
    kinds = ["open", "skip", "result", "clock"]
    if table is not None:
        kinds += ["call"] * (6 if table.play is None else 1) + ["undo", "undo", "undo_to", "explain"]
    if table is not None and table.play is not None:
        kinds += ["card"] * 6 + ["claim", "claim", "agreed_claim", "answer", "answer"]
    match draw(st.sampled_from(kinds)):
        case "open":
            key = draw(keys(state))
            return OpenBoard(*key, draw(st.sampled_from([None, "again", "the boards came in another order"])))
        case "clock":
            return ResumeClock() if room in state.neutral else StopClock("director called")
        case "skip":
            return SkipBoard(*draw(keys(state)), "late")
        case "call":
            assert table is not None
            turn = table.auction.turn
            if turn is None or draw(st.integers(0, 9)) == 0:
                return draw(_odd_calls())
            call = draw(_legal(table.auction))
            return MakeCall(turn, call, call is Call.X, draw(st.sampled_from([None, "penalty"])))
        case "card":
            assert table is not None and table.play is not None
            if table.play.turn is None or draw(st.integers(0, 9)) == 0:
                return draw(_odd_cards(table))
            return PlayCard(table.play.turn, draw(st.sampled_from(table.play.legal_cards())))
        case "explain":
            return Explain(draw(st.integers(0, 5)), explanation=draw(st.sampled_from(["forcing", None])))
        case "claim" | "agreed_claim" as kind:
            return MakeClaim(
                draw(st.sampled_from(SEATS)), draw(st.integers(0, 13)), accepted=kind == "agreed_claim"
            )
        case "answer":
            return AnswerClaim(draw(st.booleans()))
        case "undo":
            return Undo(draw(st.sampled_from([1, 1, 1, 2, 5, 20])))
        case "undo_to":
            assert table is not None
            cards = draw(st.integers(0, len(table.cards)))
            calls = len(table.calls) if cards else draw(st.integers(0, len(table.calls)))
            return Undo(calls=calls, cards=cards)
        case _:
            return EnterResult(draw(RESULTS))


@st.composite
def _odd_calls(draw: st.DrawFn) -> MakeCall:
    return MakeCall(
        draw(st.sampled_from(SEATS)),
        draw(st.sampled_from([Call.PASS, Call.X, Call.XX, *BIDS[:3], *BIDS[-3:]])),
        irregular=draw(st.sampled_from([None, Irregularity.OUT_OF_TURN, Irregularity.INSUFFICIENT])),
    )


@st.composite
def _odd_cards(draw: st.DrawFn, table: RoomBoard) -> PlayCard:
    assert table.play is not None
    seat = draw(st.sampled_from(SEATS))
    held = sorted(table.play.held[seat]) or [Card.SA]
    return PlayCard(
        seat,
        draw(st.sampled_from(held)),
        draw(st.sampled_from([None, Irregularity.OUT_OF_TURN, Irregularity.REVOKE])),
    )


@st.composite
def room_commands(draw: st.DrawFn, state: MatchState, most: int = 1) -> EnterInRoom:
    room = draw(ROOMS)
    return EnterInRoom(room, tuple(draw(st.lists(entries(state, room), min_size=1, max_size=most))))


@st.composite
def checks(draw: st.DrawFn, state: MatchState) -> CheckResult:
    """What a second pair of eyes might say, mostly of a result that stands."""
    places = [
        (board.key, room, ending.result)
        for board in state.boards.values()
        for room in Room
        if (ending := board.rooms[room].ending) is not None
    ]
    key, room, seen = draw(st.sampled_from(places or [(BoardKey(1, 1), Room.OPEN, PASSED_OUT)]))
    return CheckResult(*key, room, seen, draw(st.sampled_from([None, None, "one down"])))


@st.composite
def rulings(draw: st.DrawFn, state: MatchState) -> MatchCommand:
    """What a director might rule."""
    key = draw(keys(state))
    room = draw(ROOMS)
    alarms = [alarm.id for alarm in blocking_alarms(state)]
    some: list[MatchCommand] = [
        CorrectResult(*key, room, draw(RESULTS), "the slip was misread"),
        GiveAward(*key, draw(AWARDS), "Law 12C"),
        CancelBoard(*key, "fouled"),
        TransferTricks(*key, room, draw(st.sampled_from([1, 2, 9])), "NS", "revoke, Law 64A"),
        SwapSeating(*key, "sat the wrong way"),
        GivePenalty(draw(st.sampled_from(Team)), "imps", 3, "late"),
        NameLineup(key.segment, room, players("sub"), publish=draw(st.booleans())),
        *(ClearAlarm(alarm, "looked at") for alarm in alarms[:1]),
    ]
    return draw(st.sampled_from(some))


def closings(state: MatchState) -> st.SearchStrategy[MatchCommand]:
    some: list[MatchCommand] = [
        CloseMatch("time"),
        ReopenMatch("an appeal"),
        ReopenMatch("a board was forgotten"),
        VoidMatch("floods"),
        ConfirmScore("captains", state.standing),
    ]
    return st.sampled_from(some)


@st.composite
def comments(draw: st.DrawFn, state: MatchState) -> Comment:
    key, room = draw(keys(state)), draw(ROOMS)
    current = state.current.get(room)
    if current is not None and draw(st.booleans()):
        key = current
    table = state.boards[key].rooms[room]
    return Comment(
        *key,
        room,
        draw(st.sampled_from([0, len(table.calls)])),
        draw(st.sampled_from([0, len(table.cards)])),
        "en",
        "What a lead",
        "Barnet",
    )


@st.composite
def commands(draw: st.DrawFn, state: MatchState) -> MatchCommand:
    """Anything that anybody might ask of a match under way."""
    kinds = ["room"] * 14 + ["ruling"] * 3 + ["check"] * 2 + ["comment", "release", "closing"]
    match draw(st.sampled_from(kinds)):
        case "room":
            return draw(room_commands(state, most=3))
        case "ruling":
            return draw(rulings(state))
        case "check":
            return draw(checks(state))
        case "comment":
            return draw(comments(state))
        case "release":
            return ChangeRelease(draw(RELEASES), "agreed")
        case _:
            return draw(closings(state))


@st.composite
def matches(draw: st.DrawFn, most: int = 40) -> Told:
    """A match of few boards, told by anybody's commands in any order; what the rules refuse is left out."""
    told = Told(new_match(*draw(st.sampled_from([(1,), (2,), (1, 1)])), release=draw(RELEASES)))
    for _ in range(draw(st.integers(0, most))):
        told.now += timedelta(seconds=draw(PAUSES))
        attempt(told, draw(commands(told.match)))
    return told


def attempt(told: Told, command: MatchCommand) -> bool:
    """Do it unless the rules refuse it, in words."""
    before = told.stood
    try:
        told.do(command)
    except (Refusal, BridgeError) as refused:
        assert refused.message
        assert told.stood is before
        return False
    return True


def seats_other_than(seat: Seat) -> st.SearchStrategy[Seat]:
    return st.sampled_from([other for other in SEATS if other is not seat])
