"""Claims and their answers (Laws 68 to 71), and taking entries back."""

import pytest

from broadcast.bridge.claims import Claim
from broadcast.bridge.errors import IllegalClaim
from broadcast.bridge.seats import Seat
from broadcast.tables.board_states import Claimed, InPlay, PassedOut, PlayedOut
from broadcast.tables.commands import (
    AnswerClaim,
    CorrectResult,
    EnterInRoom,
    Explain,
    MakeClaim,
    PlayCard,
    Undo,
)
from broadcast.tables.errors import Refusal
from tests.builders import OPEN, Told, result

AUCTION = "1NT Pass Pass Pass"


@pytest.fixture
def told() -> Told:
    """Board 1 in the open room: 1NT by North, five cards played."""
    return Told().open(OPEN, 1).calls(OPEN, AUCTION).cards(OPEN, 5)


def refused(told: Told, *entries: MakeClaim | AnswerClaim | PlayCard | Undo) -> str:
    with pytest.raises(Refusal) as refusal:
        told.do(EnterInRoom(OPEN, entries))
    return refusal.value.rule


def stands(told: Told) -> tuple[int, int]:
    table = told.table(OPEN)
    return len(table.calls), len(table.cards)


# --- claims ----------------------------------------------------------------------------------------------


def test_agreed_claim_ends_the_board_with_declarers_total(told: Told) -> None:
    told.claim(OPEN, 9)
    assert told.state(OPEN, 1) == Claimed(result("1NT N 9"), "operator")


def test_claim_stops_play_until_it_is_answered(told: Told) -> None:
    seat, card = told.next_card(OPEN)
    told.claim(OPEN, 9, accepted=False)
    assert isinstance(told.state(OPEN, 1), InPlay)
    assert refused(told, PlayCard(seat, card)) == "claim_open"
    assert refused(told, MakeClaim(Seat.E, 8)) == "claim_open"
    told.answer(OPEN, accepted=True)
    assert isinstance(told.state(OPEN, 1), Claimed)


def test_refused_claim_stays_on_record_and_play_goes_on(told: Told) -> None:
    told.claim(OPEN, 9, accepted=False).answer(OPEN, accepted=False).cards(OPEN, 47)
    assert told.table(OPEN).claims == (Claim(Seat.N, 9, 5, accepted=False),)
    assert isinstance(told.state(OPEN, 1), PlayedOut)


def test_second_claim_may_be_accepted_after_the_first_was_refused(told: Told) -> None:
    told.claim(OPEN, 9, accepted=False).answer(OPEN, accepted=False).claim(OPEN, 8)
    assert told.state(OPEN, 1) == Claimed(result("1NT N 8"), "operator")
    assert [claim.accepted for claim in told.table(OPEN).claims] == [False, True]


def test_concession_is_a_claim_of_what_declarer_has(told: Told) -> None:
    play = told.table(OPEN).play
    assert play is not None
    told.claim(OPEN, play.declarer_tricks, seat=Seat.N)
    assert told.state(OPEN, 1) == Claimed(result(f"1NT N {play.declarer_tricks}"), "operator")


def test_defender_concedes_in_declarers_tricks(told: Told) -> None:
    play = told.table(OPEN).play
    assert play is not None
    told.claim(OPEN, 13 - play.defender_tricks, seat=Seat.W)
    assert isinstance(told.state(OPEN, 1), Claimed)


def test_dummy_may_not_claim(told: Told) -> None:
    with pytest.raises(IllegalClaim) as refusal:
        told.claim(OPEN, 9, seat=Seat.S)
    assert refusal.value.rule == "dummy_claims"


def test_claim_cannot_take_back_tricks_already_lost(told: Told) -> None:
    told.cards(OPEN, 15)
    play = told.table(OPEN).play
    assert play is not None
    with pytest.raises(IllegalClaim):
        told.claim(OPEN, 14 - play.defender_tricks)


def test_claim_needs_an_auction_that_is_over_and_an_answer_a_claim() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "1NT")
    assert refused(told, MakeClaim(Seat.N, 9)) == "auction_open"
    assert refused(told, AnswerClaim(True)) == "no_claim"


# --- undo ------------------------------------------------------------------------------------------------


def test_undo_takes_back_card_by_card_and_then_call_by_call(told: Told) -> None:
    told.undo(OPEN, 2)
    assert stands(told) == (4, 3)
    told.undo(OPEN, 4)
    assert stands(told) == (3, 0)
    assert told.table(OPEN).turn is Seat.W
    assert told.table(OPEN).play is None


def test_undone_trick_gives_the_lead_back(told: Told) -> None:
    before = told.table(OPEN).play
    told.cards(OPEN, 3).undo(OPEN, 3)
    assert told.table(OPEN).play == before


def test_undo_of_a_claim_is_one_step(told: Told) -> None:
    told.claim(OPEN, 9).undo(OPEN)
    assert isinstance(told.state(OPEN, 1), InPlay)
    assert stands(told) == (4, 5)
    assert told.table(OPEN).claims == ()


def test_undo_across_claim_cards_and_auction(told: Told) -> None:
    told.claim(OPEN, 9).undo(OPEN, 1 + 5 + 2)
    assert stands(told) == (2, 0)


def test_undo_keeps_a_refused_claim_that_still_lies_before(told: Told) -> None:
    told.claim(OPEN, 9, accepted=False).answer(OPEN, accepted=False).cards(OPEN, 3).undo_to(OPEN, 4, 6)
    assert len(told.table(OPEN).claims) == 1
    told.undo_to(OPEN, 4, 4)
    assert told.table(OPEN).claims == ()


def test_undo_into_the_auction_drops_a_claim_made_before_the_lead() -> None:
    """A refused claim of no cards stayed on a board whose auction was open again."""
    told = Told().open(OPEN, 1).calls(OPEN, AUCTION)
    told.claim(OPEN, 9, accepted=False).answer(OPEN, accepted=False).undo_to(OPEN, 2, 0)
    assert told.table(OPEN).claims == ()


def test_undo_of_four_passes_is_one_call() -> None:
    told = Told().open(OPEN, 1).calls(OPEN, "Pass Pass Pass Pass").undo(OPEN)
    assert stands(told) == (3, 0)
    assert isinstance(told.state(OPEN, 1), InPlay)


def test_undo_of_the_last_card_opens_the_board_again(told: Told) -> None:
    told.cards(OPEN, 47).undo(OPEN)
    assert stands(told) == (4, 51)
    assert isinstance(told.state(OPEN, 1), InPlay)


def test_undo_of_an_entered_result_leaves_the_record(told: Told) -> None:
    told.result(OPEN, "1NT N 8").undo(OPEN)
    assert stands(told) == (4, 5)
    assert isinstance(told.state(OPEN, 1), InPlay)


def test_undo_of_a_result_over_a_complete_record_gives_the_records_own_back(told: Told) -> None:
    """Undoing a result entered over a board played out took the last card with it."""
    told.cards(OPEN, 47)
    played = told.state(OPEN, 1)
    told.result(OPEN, "3NT S 3").undo(OPEN)
    assert stands(told) == (4, 52)
    assert told.state(OPEN, 1) == played
    passed = Told().open(OPEN, 1).calls(OPEN, "Pass Pass Pass Pass").result(OPEN, "3NT S 9").undo(OPEN)
    assert isinstance(passed.state(OPEN, 1), PassedOut)


def test_undo_of_a_call_takes_its_explanation(told: Told) -> None:
    told.enter(OPEN, Explain(1, explanation="weak"))
    told.undo_to(OPEN, 1, 0).calls(OPEN, "Pass")
    assert told.table(OPEN).calls[1].explanation is None


def test_undo_goes_back_and_never_forward(told: Told) -> None:
    for undo in (
        Undo(calls=4, cards=5),
        Undo(calls=4, cards=6),
        Undo(calls=5, cards=0),
        Undo(calls=2, cards=1),
        Undo(calls=-1, cards=0),
        Undo(steps=0),
        Undo(steps=10),
    ):
        assert refused(told, undo) == "nothing_to_undo"
    assert refused(told, Undo(calls=2)) == "bad_undo"


def test_undo_stops_at_a_ruling(told: Told) -> None:
    told.claim(OPEN, 9)
    told.do(CorrectResult(1, 1, OPEN, result("1NT N 8"), "misread"))
    assert refused(told, Undo(1)) == "director_ruled"
