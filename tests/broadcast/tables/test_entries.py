"""Boards opened and skipped, calls, cards and results: what a room may enter, and what it is refused."""

import pytest

from broadcast.bridge.boards import Vulnerability
from broadcast.bridge.calls import Call
from broadcast.bridge.cards import Card, Suit
from broadcast.bridge.errors import IllegalCall, IllegalCard
from broadcast.bridge.irregularities import Irregularity
from broadcast.bridge.seats import Seat
from broadcast.tables.board_states import InPlay, NotPlayed, PassedOut, PlayedOut
from broadcast.tables.commands import (
    EnterInRoom,
    EnterResult,
    Explain,
    MakeCall,
    OpenBoard,
    PlayCard,
    SkipBoard,
    VoidMatch,
)
from broadcast.tables.errors import NoSuchThing, Refusal, StaleTable
from broadcast.tables.events import BoardKey, BoardOpened, CallMade, MatchStarted
from tests.builders import CLOSED, OPEN, START, Told, deal_of, new_match, result


def refused(told: Told, room_entries: EnterInRoom) -> str:
    """The rule that refuses; the match stays as it was."""
    before = told.match
    with pytest.raises(Refusal) as refusal:
        told.do(room_entries)
    assert told.match is before
    return refusal.value.rule


# --- opening and skipping --------------------------------------------------------------------------------


def test_board_opens_with_dealer_vulnerability_and_deal_of_its_number() -> None:
    told = Told().open(OPEN, 1).result(OPEN, "Pass").open(OPEN, 2)
    table = told.table(OPEN)
    assert (table.dealer, table.vulnerability) == (Seat.E, Vulnerability.NORTH_SOUTH)
    assert table.deal == deal_of(2)


def test_board_opens_as_the_record_says_where_it_differs_from_the_rule() -> None:
    told = Told()
    told.enter(OPEN, OpenBoard(1, 1, dealer=Seat.W, vulnerable=Vulnerability.ALL))
    told.enter(OPEN, MakeCall(Seat.W, Call.S1))
    assert told.table(OPEN).turn is Seat.N
    assert told.table(OPEN).vulnerability is Vulnerability.ALL


def test_nothing_is_entered_before_a_board_is_open() -> None:
    assert refused(Told(), EnterInRoom(OPEN, (MakeCall(Seat.N, Call.PASS),))) == "no_board_open"


def test_next_board_waits_until_this_one_is_finished_or_skipped() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1S")
    assert refused(told, EnterInRoom(OPEN, (OpenBoard(1, 2),))) == "board_not_finished"
    told.skip(OPEN, 1).open(OPEN, 2)
    assert told.match.current[OPEN] == BoardKey(1, 2)


def test_board_cannot_be_opened_twice_at_once() -> None:
    told = Told().open(OPEN, 1)
    assert refused(told, EnterInRoom(OPEN, (OpenBoard(1, 1, "again"),))) == "board_open"


def test_opening_out_of_order_needs_a_reason() -> None:
    """The operator opens board 8 by mistake, or another segment."""
    told = Told(new_match(8))
    assert refused(told, EnterInRoom(OPEN, (OpenBoard(1, 8),))) == "reason_needed"
    assert refused(told, EnterInRoom(OPEN, (OpenBoard(1, 8, "   "),))) == "reason_needed"
    (opened,) = told.enter(OPEN, OpenBoard(1, 8, "board 1 is at the other table"))
    assert isinstance(opened, BoardOpened)
    assert opened.reason == "board 1 is at the other table"


def test_segments_are_separate_though_their_numbers_are_the_same() -> None:
    told = Told(new_match(1, 1)).played(OPEN, 1, segment=1).open(OPEN, 1, segment=2)
    assert told.table(OPEN).deal == deal_of(1, segment=2)
    assert isinstance(told.state(OPEN, 1, segment=1), PlayedOut)
    assert isinstance(told.state(OPEN, 1, segment=2), InPlay)


def test_finished_board_opens_again_with_a_reason_and_goes_on_where_it_stood() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1NT Pass").result(OPEN, "1NT N 7")
    assert refused(told, EnterInRoom(OPEN, (OpenBoard(1, 1),))) == "reason_needed"
    told.open(OPEN, 1, "the result was another table's")
    assert isinstance(told.state(OPEN, 1), InPlay)
    assert told.table(OPEN).turn is Seat.S


def test_skipped_board_takes_no_entries_until_it_is_opened_again() -> None:
    told = Told().open(OPEN, 1).skip(OPEN, 1)
    assert isinstance(told.state(OPEN, 1), NotPlayed)
    assert refused(told, EnterInRoom(OPEN, (MakeCall(Seat.N, Call.PASS),))) == "board_skipped"
    told.open(OPEN, 1, "there is time after all").calls(OPEN, "Pass")
    assert isinstance(told.state(OPEN, 1), InPlay)


def test_board_skipped_in_the_middle_keeps_its_state_and_its_calls() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1S Pass").skip(OPEN, 1)
    assert isinstance(told.state(OPEN, 1), InPlay)
    assert len(told.table(OPEN).calls) == 2


def test_skipping_needs_a_reason_and_an_unfinished_board() -> None:
    told = Told().played(OPEN, 1)
    assert refused(told, EnterInRoom(OPEN, (SkipBoard(1, 2, " "),))) == "reason_needed"
    assert refused(told, EnterInRoom(OPEN, (SkipBoard(1, 1, "late"),))) == "board_over"


def test_unknown_board_is_named() -> None:
    with pytest.raises(NoSuchThing, match=r"1\.9"):
        Told().open(OPEN, 9)


def test_deal_typed_after_opening_by_opening_again_before_the_first_call() -> None:
    told = Told(new_match(2, is_dealt=False)).open(OPEN, 1)
    assert refused(told, EnterInRoom(OPEN, (MakeCall(Seat.N, Call.PASS),))) == "deal_needed"
    told.enter(OPEN, OpenBoard(1, 1, deal=deal_of(5)))
    told.calls(OPEN, "Pass")
    assert told.table(OPEN).deal == deal_of(5)


def test_another_deal_than_the_matchs_is_refused() -> None:
    assert refused(Told(), EnterInRoom(OPEN, (OpenBoard(1, 1, deal=deal_of(5)),))) == "deal_given"


def test_neither_deal_nor_dealer_changes_under_calls_that_stand() -> None:
    """A play went on with the hands of the old deal, and undo replayed it in the new one."""
    told = Told(new_match(2, is_dealt=False))
    told.enter(OPEN, OpenBoard(1, 1, deal=deal_of(5)))
    told.calls(OPEN, "1NT Pass Pass Pass").cards(OPEN, 3).result(OPEN, "1NT N 7")
    assert refused(told, EnterInRoom(OPEN, (OpenBoard(1, 1, "x", deal_of(6)),))) == "calls_stand"
    assert refused(told, EnterInRoom(OPEN, (OpenBoard(1, 1, "x", dealer=Seat.S),))) == "calls_stand"
    told.enter(OPEN, OpenBoard(1, 1, "x", deal_of(5), Seat.N))


# --- calls and cards -------------------------------------------------------------------------------------


def test_first_entry_starts_the_match_and_opening_does_not() -> None:
    told = Told().open(OPEN, 1)
    assert not told.match.is_started
    events = told.enter(OPEN, MakeCall(Seat.N, Call.PASS))
    assert [type(event) for event in events] == [MatchStarted, CallMade]
    told.open(CLOSED, 1)
    assert len(told.enter(CLOSED, MakeCall(Seat.N, Call.PASS))) == 1


def test_insufficient_bid_stands_when_the_table_let_it_stand() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1S")
    with pytest.raises(IllegalCall):
        told.enter(OPEN, MakeCall(Seat.E, Call.H1))
    told.enter(OPEN, MakeCall(Seat.E, Call.H1, irregular=Irregularity.INSUFFICIENT))
    assert told.table(OPEN).calls[-1].irregular is Irregularity.INSUFFICIENT
    assert told.table(OPEN).turn is Seat.S


def test_call_out_of_turn_goes_on_from_its_caller() -> None:
    told = Told().open(OPEN, 1)
    told.enter(OPEN, MakeCall(Seat.S, Call.D1, irregular=Irregularity.OUT_OF_TURN))
    assert told.table(OPEN).turn is Seat.W


def test_opening_lead_out_of_turn_is_recorded_and_marked() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass")
    card = min(deal_of(1)[Seat.W])
    with pytest.raises(IllegalCard):
        told.enter(OPEN, PlayCard(Seat.W, card))
    told.enter(OPEN, PlayCard(Seat.W, card, Irregularity.OUT_OF_TURN))
    assert told.table(OPEN).cards[-1].irregular is Irregularity.OUT_OF_TURN


def test_revoke_is_recorded_and_a_card_not_held_never() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass")
    deal = deal_of(1)
    led = next(suit for suit in Suit if any(c.suit is suit for c in deal[Seat.E]) and _may_revoke(suit))
    told.enter(OPEN, PlayCard(Seat.E, next(c for c in sorted(deal[Seat.E]) if c.suit is led)))
    other = next(c for c in sorted(deal[Seat.S]) if c.suit is not led)
    told.enter(OPEN, PlayCard(Seat.S, other, Irregularity.REVOKE))
    assert told.table(OPEN).cards[-1].irregular is Irregularity.REVOKE
    foreign = next(card for card in Card if card not in deal[Seat.W])
    with pytest.raises(IllegalCard):
        told.enter(OPEN, PlayCard(Seat.W, foreign, Irregularity.REVOKE))


def _may_revoke(led: Suit) -> bool:
    return len({card.suit for card in deal_of(1)[Seat.S]} | {led}) > 1 and any(
        card.suit is led for card in deal_of(1)[Seat.S]
    )


def test_call_is_explained_afterwards() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1NT Pass 2D")
    told.enter(OPEN, Explain(2, explanation="hearts"))
    assert (told.table(OPEN).calls[2].alert, told.table(OPEN).calls[2].explanation) == (True, "hearts")
    assert refused(told, EnterInRoom(OPEN, (Explain(3, explanation="spades"),))) == "no_such_call"
    assert refused(told, EnterInRoom(OPEN, (Explain(0, explanation="x" * 501),))) == "explanation_too_long"


def test_no_card_before_the_auction_is_over() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1NT Pass Pass")
    assert refused(told, EnterInRoom(OPEN, (PlayCard(Seat.E, Card.SA),))) == "auction_open"


def test_four_passes_end_the_board() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "Pass Pass Pass Pass")
    assert told.state(OPEN, 1) == PassedOut(result("Pass"), "operator")
    assert refused(told, EnterInRoom(OPEN, (MakeCall(Seat.N, Call.S1),))) == "board_over"


def test_thirteen_tricks_end_the_board() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1NT Pass Pass Pass").cards(OPEN, 52)
    state = told.state(OPEN, 1)
    play = told.table(OPEN).play
    assert isinstance(state, PlayedOut) and play is not None
    assert state.result.tricks == play.declarer_tricks
    assert play.tricks_ns + play.tricks_ew == 13


def test_result_is_entered_without_play() -> None:
    told = Told().played(OPEN, 1, "4SX N 9")
    assert told.state(OPEN, 1) == PlayedOut(result("4SX N 9"), "operator")


def test_entered_result_gives_way_to_a_better_one() -> None:
    told = Told().played(OPEN, 1, "4S N 9").result(OPEN, "4S N 10")
    assert told.state(OPEN, 1) == PlayedOut(result("4S N 10"), "operator")


# --- all or none, and the sender's knowledge -------------------------------------------------------------


def test_entries_of_one_command_are_all_recorded_or_none() -> None:
    told = Told().open(OPEN, 1)
    passes = tuple(MakeCall(seat, Call.PASS) for seat in (Seat.N, Seat.E, Seat.E))
    before = told.match
    with pytest.raises(IllegalCall):
        told.enter(OPEN, *passes)
    assert told.match is before
    told.enter(OPEN, *passes[:2], EnterResult(result("2H S 8")), OpenBoard(1, 2))
    assert told.match.current[OPEN] == BoardKey(1, 2)


def test_command_holds_at_least_one_entry_and_not_endlessly_many() -> None:
    told = Told().open(OPEN, 1)
    assert refused(told, EnterInRoom(OPEN, ())) == "too_many_entries"
    assert refused(told, EnterInRoom(OPEN, (MakeCall(Seat.N, Call.PASS),) * 501)) == "too_many_entries"


def test_stale_sender_is_told_where_the_room_stands() -> None:
    told = Told().open(OPEN, 1)
    sequence = told.match.room_sequences[OPEN]
    told.enter(OPEN, MakeCall(Seat.N, Call.PASS), expected=sequence)
    with pytest.raises(StaleTable) as stale:
        told.enter(OPEN, MakeCall(Seat.E, Call.PASS), expected=sequence)
    assert stale.value.facts == {"expected": sequence, "sequence": sequence + 1}
    assert stale.value.missed == ()


def test_other_room_does_not_make_a_sender_stale() -> None:
    told = Told().open(OPEN, 1)
    sequence = told.match.room_sequences[OPEN]
    told.open(CLOSED, 1).calls(CLOSED, "1S Pass")
    told.enter(OPEN, MakeCall(Seat.N, Call.PASS), expected=sequence)
    assert told.match.room_sequences == {OPEN: sequence + 1, CLOSED: 3}


def test_void_match_takes_no_entries() -> None:
    told = Told().open(OPEN, 1)
    told.do(VoidMatch("floods"))
    assert refused(told, EnterInRoom(OPEN, (MakeCall(Seat.N, Call.PASS),))) == "match_void"
    assert told.now == START
