"""What no play can take away: master trumps in one hand, and winners of the hand on lead."""

from hypothesis import given, settings
from hypothesis import strategies as st

from broadcast.bridge.calls import Denomination
from broadcast.bridge.cards import Card
from broadcast.bridge.certain_tricks import certain_tricks, claim_bounds
from broadcast.bridge.deals import Deal
from broadcast.bridge.play import Play
from broadcast.bridge.seats import Seat, Side

DEALT = Deal.parse("N:A432.A432.A432.2 KQ5.KQ5.KQ5.KQ53 JT98.JT98.JT98.T 76.76.76.AJ98764")
"""North has three aces, West the club ace, East kings and queens."""


def play(denomination: Denomination, declarer: Seat, *cards: str) -> Play:
    stood = Play.start(DEALT, denomination, declarer)
    for card in cards:
        assert stood.turn is not None
        stood.check(stood.turn, Card(card))
        stood = stood.with_card(stood.turn, Card(card))
    return stood


def test_master_trumps_in_one_hand_are_certain() -> None:
    spades = play(Denomination.SPADES, Seat.S)
    assert certain_tricks(spades, Side.NS) == 1
    assert certain_tricks(spades, Side.EW) == 0
    clubs = play(Denomination.CLUBS, Seat.E)
    assert certain_tricks(clubs, Side.EW) == 1
    assert claim_bounds(clubs) == (1, 13)


def test_trump_on_the_table_stands_before_lower_ones() -> None:
    led = play(Denomination.SPADES, Seat.S, "S7", "SA")
    assert certain_tricks(led, Side.EW) == 0
    drawn = play(Denomination.SPADES, Seat.S, "S7", "SA", "S5", "S8")
    assert certain_tricks(drawn, Side.EW) == 2


def test_winners_of_the_hand_on_lead_are_certain_at_notrump() -> None:
    on_lead = play(Denomination.NOTRUMP, Seat.W)
    assert on_lead.turn is Seat.N
    assert certain_tricks(on_lead, Side.NS) == 3
    assert certain_tricks(on_lead, Side.EW) == 0
    assert claim_bounds(on_lead) == (0, 10)
    second = play(Denomination.NOTRUMP, Seat.W, "SA")
    assert certain_tricks(second, Side.NS) == 0


def test_winners_are_not_certain_while_an_opponent_may_ruff() -> None:
    on_lead = play(Denomination.HEARTS, Seat.W)
    assert certain_tricks(on_lead, Side.NS) == 1


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(Denomination), st.sampled_from(Seat), st.data())
def test_bounds_lie_within_what_is_still_possible(
    denomination: Denomination, declarer: Seat, data: st.DataObject
) -> None:
    """Whatever was played, at most one side is on lead: the bounds never cross."""
    stood = Play.start(DEALT, denomination, declarer)
    while not stood.is_over:
        fewest, most = claim_bounds(stood)
        assert stood.declarer_tricks <= fewest <= most <= 13 - stood.defender_tricks
        assert stood.turn is not None
        card = data.draw(st.sampled_from(stood.legal_cards()))
        stood = stood.with_card(stood.turn, card)
