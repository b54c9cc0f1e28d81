"""A match in which everybody does anything: what the rules accept keeps the tables whole."""

from datetime import timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from broadcast.bridge.auctions import Auction
from broadcast.bridge.cards import PACK
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import SEATS
from broadcast.tables.board_states import (
    Adjusted,
    Cancelled,
    Claimed,
    InPlay,
    NotPlayed,
    PassedOut,
    PlayedOut,
    is_final,
)
from broadcast.tables.commands import EnterInRoom, MakeCall, OpenBoard, PlayCard, Undo
from broadcast.tables.events import CallMade, CardPlayed, rooms_of
from broadcast.tables.state import RoomBoard, unplayed
from tests.builders import OPEN, Told, folded, new_match
from tests.strategies import attempt, auctions, closings, comments, deals, room_commands, rulings

ROOMS = st.sampled_from(Room)
STATES = (NotPlayed, InPlay, PlayedOut, Claimed, PassedOut, Adjusted, Cancelled)


class Tables(RuleBasedStateMachine):
    """``decide`` refuses or ``apply`` succeeds; nothing in between."""

    @initialize(lengths=st.sampled_from([(1,), (2,), (1, 1)]))
    def begin(self, lengths: tuple[int, ...]) -> None:
        self.told = Told(new_match(*lengths))

    def ask(self, command: object) -> bool:
        self.told.now += timedelta(seconds=5)
        return attempt(self.told, command)  # type: ignore[arg-type]

    @rule(data=st.data())
    def an_operator_enters(self, data: st.DataObject) -> None:
        self.ask(data.draw(room_commands(self.told.match, most=3)))

    @rule(room=ROOMS, number=st.integers(1, 2), segment=st.integers(1, 2))
    def a_board_is_opened(self, room: Room, number: int, segment: int) -> None:
        self.ask(EnterInRoom(room, (OpenBoard(segment, number, "again"),)))

    @rule(room=ROOMS, count=st.integers(1, 30), choice=st.integers(0, 12))
    def a_table_goes_on(self, room: Room, count: int, choice: int) -> None:
        for _ in range(count):
            key = self.told.match.current.get(room)
            table = None if key is None else self.told.match.boards[key].rooms[room]
            if table is None or table.turn is None:
                return
            if table.play is None:
                call = table.auction.legal_calls()[choice % 4 if len(table.calls) < 2 else 0]
                is_done = self.ask(EnterInRoom(room, (MakeCall(table.turn, call),)))
            else:
                is_done = self.ask(EnterInRoom(room, (PlayCard(*self.told.next_card(room, choice)),)))
            if not is_done:
                return

    @rule(room=ROOMS, share=st.floats(0, 1))
    def an_undo_gives_the_table_as_it_was(self, room: Room, share: float) -> None:
        """Undo to a position equals the record replayed from the first call to that position."""
        key = self.told.match.current.get(room)
        if key is None:
            return
        before = self.told.match.boards[key].rooms[room]
        entries = len(before.calls) + len(before.cards)
        stands = int(share * entries)
        calls, cards = min(stands, len(before.calls)), max(0, stands - len(before.calls))
        if self.ask(EnterInRoom(room, (Undo(calls=calls, cards=cards),))):
            after = self.told.match.boards[key].rooms[room]
            again = _replayed(before, calls, cards)
            assert (after.calls, after.cards) == (before.calls[:calls], before.cards[:cards])
            assert (after.auction, after.play) == (again.auction, again.play)
            assert after.ending == again.ending
            assert after.turn == again.turn

    @rule(data=st.data())
    def the_director_rules(self, data: st.DataObject) -> None:
        self.ask(data.draw(rulings(self.told.match)))

    @rule(data=st.data())
    def the_match_ends_or_goes_on(self, data: st.DataObject) -> None:
        self.ask(data.draw(closings(self.told.match)))

    @rule(data=st.data())
    def somebody_comments(self, data: st.DataObject) -> None:
        self.ask(data.draw(comments(self.told.match)))

    @invariant()
    def cards_and_tricks_add_up(self) -> None:
        for board in self.told.match.boards.values():
            for table in board.rooms.values():
                play = table.play
                if play is None:
                    assert table.cards == ()
                    continue
                assert table.auction.is_over
                assert play.tricks_ns + play.tricks_ew == len(table.cards) // 4
                played = {card for _, card in play.cards}
                assert len(played) == len(table.cards)
                assert [(each.seat, each.card) for each in table.cards] == list(play.cards)
                held = [card for seat in SEATS for card in play.held[seat]]
                assert played.isdisjoint(held) and played | set(held) == PACK
                for seat in SEATS:
                    assert len(play.held[seat]) == 13 - sum(player is seat for player, _ in play.cards)

    @invariant()
    def every_board_is_in_exactly_one_of_seven_states(self) -> None:
        match = self.told.match
        for key, board in match.boards.items():
            for room in Room:
                state = board.state(room)
                assert sum(isinstance(state, kind) for kind in STATES) == 1
                assert is_final(state) == ((key, room) not in match.unfinished)
        assert (match.final_since is not None) == match.is_complete

    @invariant()
    def room_sequences_count_the_rooms_events(self) -> None:
        events = [recorded.event for recorded in self.told.log]
        for room in Room:
            assert self.told.match.room_sequences[room] == sum(room in rooms_of(event) for event in events)
        assert self.told.match.sequence == len(events)

    @rule()
    def the_log_folds_to_the_same_match(self) -> None:
        assert folded(self.told.log) == self.told.match


def _replayed(table: RoomBoard, calls: int, cards: int) -> RoomBoard:
    """The first calls and cards of a record entered at a fresh table."""
    told = Told(new_match(1, is_dealt=False))
    told.enter(OPEN, OpenBoard(1, 1, deal=table.deal, dealer=table.dealer))
    for call in table.calls[:calls]:
        told.enter(OPEN, MakeCall(call.seat, call.call, irregular=call.irregular))
    for card in table.cards[:cards]:
        told.enter(OPEN, PlayCard(card.seat, card.card, card.irregular))
    return told.table(OPEN)


TestTables = Tables.TestCase
TestTables.settings = settings(
    max_examples=40,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@given(deal=deals(), auction=auctions(), choice=st.integers(0, 12))
@settings(max_examples=25, deadline=None)
def test_any_auction_and_play_of_legal_calls_and_cards_reaches_a_result(
    deal: object, auction: Auction, choice: int
) -> None:
    told = Told(new_match(1, is_dealt=False))
    told.enter(OPEN, OpenBoard(1, 1, deal=deal, dealer=auction.dealer))  # type: ignore[arg-type]
    for seat, call in auction.calls:
        told.enter(OPEN, MakeCall(seat, call))
    while told.table(OPEN).turn is not None:
        told.enter(OPEN, PlayCard(*told.next_card(OPEN, choice)))
    state = told.state(OPEN, 1)
    assert isinstance(state, PassedOut if auction.is_passed_out else PlayedOut)
    assert sum(isinstance(each.event, CallMade) for each in told.log) == len(auction.calls)
    assert sum(isinstance(each.event, CardPlayed) for each in told.log) in (0, 52)
    assert unplayed(1).turn is None
