"""The play: following suit, winners, the count of tricks, claims (Laws 41 to 46, 53 to 71)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadcast.bridge.calls import DENOMINATIONS, Denomination
from broadcast.bridge.cards import PACK, Card
from broadcast.bridge.claims import check_claim
from broadcast.bridge.deals import Deal
from broadcast.bridge.errors import IllegalCard, IllegalClaim
from broadcast.bridge.irregularities import Irregularity
from broadcast.bridge.play import Play, trick_winner
from broadcast.bridge.seats import SEATS, Seat, clockwise_from
from tests.strategies import deals

DEAL = Deal.parse("N:KQ97.Q9.AK54.J75 JT85.A742.863.Q6 A643.KJT8.92.AK3 2.653.QJT7.T9842")
TRICKS = (
    "H3 HQ H4 H8 / C7 CQ C3 CT / D8 D2 DJ DK / D4 D3 D9 D7 / S4 S2 SQ S5 / SK S8 SA DQ / CK C9 C5 C6 / "
    "HK H5 H9 H2 / HT H6 CJ H7 / S3 C4 S9 SJ / ST S6 DT S7 / D6 CA C2 D5 / HA HJ C8 DA"
)


def played(text: str, denomination: Denomination = Denomination.NOTRUMP, declarer: Seat = Seat.S) -> Play:
    play = Play.start(DEAL, denomination, declarer)
    for word in text.replace("/", " ").split():
        turn = play.turn
        assert turn is not None
        play.check(turn, Card(word))
        play = play.with_card(turn, Card(word))
    return play


def test_winner_of_a_trick_leads_the_next_and_the_count_agrees_after_every_fourth_card() -> None:
    """Had West led every trick, North-South would have been credited with 4 tricks."""
    winners = [Seat.N, Seat.E, Seat.N, Seat.S, Seat.N, Seat.S, Seat.S]
    winners += [Seat.S, Seat.S, Seat.E, Seat.E, Seat.E, Seat.E]
    tricks = TRICKS.split(" / ")
    for number in range(1, 14):
        play = played(" ".join(tricks[:number]))
        assert play.winner is winners[number - 1]
        assert (play.tricks_ns, play.tricks_ew) == (
            sum(seat in (Seat.N, Seat.S) for seat in winners[:number]),
            sum(seat in (Seat.E, Seat.W) for seat in winners[:number]),
        )
    assert (play.tricks_ns, play.tricks_ew) == (8, 5)
    assert play.is_over
    assert play.turn is None


def test_declarers_left_leads_and_dummy_is_opposite() -> None:
    play = Play.start(DEAL, Denomination.HEARTS, Seat.E)
    assert (play.turn, play.dummy, play.trick_number) == (Seat.S, Seat.W, 1)


@pytest.mark.parametrize(
    ("cards", "denomination", "winner"),
    [
        ("HA H2 HK H3", "NT", 0),
        ("H2 HA S2 H3", "NT", 1),
        ("H2 HA S2 H3", "S", 2),
        ("H2 S3 S2 HA", "S", 1),
        ("D2 HA SA CA", "NT", 0),
        ("D2 HA SA C2", "C", 3),
        ("CT C9 CJ C2", "D", 2),
    ],
)
def test_highest_trump_else_highest_of_the_suit_led_wins(cards: str, denomination: str, winner: int) -> None:
    seats = clockwise_from(Seat.W)
    trick = tuple(zip(seats, map(Card, cards.split()), strict=True))
    assert trick_winner(trick, Denomination(denomination)) is seats[winner]


@pytest.mark.parametrize(
    ("before", "seat", "card", "message"),
    [
        ("", Seat.W, "SA", "West does not hold it"),
        ("DQ", Seat.N, "SK", "North holds a diamond and diamonds were led"),
        ("DQ D4", Seat.W, "DJ", "West has already played to this trick"),
        ("DQ", Seat.E, "D8", "it is North's turn"),
        ("DQ D4 D8 D2", Seat.W, "DQ", "does not hold it"),
    ],
)
def test_impossible_cards_are_refused_with_the_reason(before: str, seat: Seat, card: str, message: str) -> None:
    with pytest.raises(IllegalCard, match=message):
        played(before).check(seat, Card(card))


def test_revoke_and_lead_out_of_turn_may_be_let_stand() -> None:
    played("DQ").check(Seat.N, Card.SK, Irregularity.REVOKE)
    played("").check(Seat.E, Card.ST, Irregularity.OUT_OF_TURN)
    with pytest.raises(IllegalCard):
        played("DQ").check(Seat.N, Card.D4, Irregularity.REVOKE)
    with pytest.raises(IllegalCard):
        played("").check(Seat.W, Card.DQ, Irregularity.OUT_OF_TURN)


def test_lead_out_of_turn_goes_on_clockwise_from_the_leader() -> None:
    play = Play.start(DEAL, Denomination.NOTRUMP, Seat.S).with_card(Seat.E, Card.ST)
    order = [play.turn]
    for seat, card in ((Seat.S, Card.S3), (Seat.W, Card.S2)):
        play = play.with_card(seat, card)
        order.append(play.turn)
    assert order == [Seat.S, Seat.W, Seat.N]
    assert play.with_card(Seat.N, Card.SQ).winner is Seat.N


def test_who_can_follow_suit_must_and_who_cannot_may_play_anything() -> None:
    assert played("DQ").legal_cards() == (Card.DA, Card.DK, Card.D5, Card.D4)
    assert set(played("H3 HQ H4 H8 C7 CQ C3 CT D8 D2 DJ DK").legal_cards()) == DEAL[Seat.N] - {
        *map(Card, ("HQ", "C7", "DK"))
    }


@st.composite
def plays(draw: st.DrawFn) -> Play:
    """A play of only legal cards, to any stage."""
    declarer, denomination = draw(st.sampled_from(SEATS)), draw(st.sampled_from(DENOMINATIONS))
    play = Play.start(draw(deals()), denomination, declarer)
    for _ in range(draw(st.sampled_from([52, 52, 51, 30, 7, 4, 0]))):
        assert play.turn is not None
        play = play.with_card(play.turn, draw(st.sampled_from(play.legal_cards())))
    return play


@given(plays())
def test_tricks_and_cards_always_add_up(play: Play) -> None:
    whole = len(play.cards) // 4
    assert play.tricks_ns + play.tricks_ew == whole
    assert play.declarer_tricks + play.defender_tricks == whole
    held = [card for seat in SEATS for card in play.held[seat]]
    assert len(held) == 52 - len(play.cards)
    assert {*held, *(card for _, card in play.cards)} == PACK
    assert play.is_over == (play.turn is None)


@given(plays())
def test_nobody_revokes_when_only_legal_cards_are_offered(play: Play) -> None:
    held = {seat: set(cards) for seat, cards in Play.start(DEAL, Denomination.NOTRUMP, Seat.S).held.items()}
    held = {seat: {card for player, card in play.cards if player is seat} | play.held[seat] for seat in SEATS}
    for start in range(0, len(play.cards), 4):
        led = play.cards[start][1].suit
        for seat, card in play.cards[start : start + 4]:
            assert card.suit is led or all(other.suit is not led for other in held[seat])
            held[seat].discard(card)


@given(plays())
def test_leader_of_each_trick_won_the_last(play: Play) -> None:
    """Found again without the fold: the strongest card of each four, by hand."""
    leader = play.declarer.left
    for start in range(0, len(play.cards) - 3, 4):
        trick = play.cards[start : start + 4]
        assert [seat for seat, _ in trick] == list(clockwise_from(leader))
        trumps = [made for made in trick if made[1].suit is play.denomination.trump]
        suit = trumps or [made for made in trick if made[1].suit is trick[0][1].suit]
        leader = sorted(suit, key=lambda made: "23456789TJQKA".index(made[1].rank))[-1][0]


def test_claims_lie_between_tricks_won_and_tricks_left() -> None:
    play = played("H3 HQ H4 H8 C7 CQ C3 CT")
    for tricks in range(1, 13):
        check_claim(play, Seat.S, tricks)
        check_claim(play, Seat.W, tricks)
    for tricks in (0, 13):
        with pytest.raises(IllegalClaim, match="Declarer has 1 tricks"):
            check_claim(play, Seat.S, tricks)
    with pytest.raises(IllegalClaim, match="Dummy"):
        check_claim(play, Seat.N, 9)
