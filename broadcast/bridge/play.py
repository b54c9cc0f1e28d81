"""The play: dummy, following suit, trick winners, whose turn (Laws 41 to 46).

``Play`` is a value folded card by card: the winner of a trick leads the next. It holds what an observer needs
so that nobody counts again: tricks of both sides, the trick on the table, what every hand still holds.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from broadcast.bridge.calls import Denomination
from broadcast.bridge.cards import Card
from broadcast.bridge.deals import Deal, Hand
from broadcast.bridge.errors import IllegalCard
from broadcast.bridge.irregularities import Irregularity
from broadcast.bridge.seats import SEATS, Seat, Side


@dataclass(frozen=True, slots=True)
class Play:
    denomination: Denomination
    declarer: Seat
    held: Mapping[Seat, Hand]
    """What each hand still holds."""
    cards: tuple[tuple[Seat, Card], ...] = ()
    """Every card played, in order."""
    turn: Seat | None = None
    """Who is to play (dummy's cards are asked of dummy's seat); ``None`` when thirteen tricks are played."""
    tricks_ns: int = 0
    tricks_ew: int = 0
    winner: Seat | None = None
    """Who won the trick that the last card ended; ``None`` while a trick is on the table."""

    @classmethod
    def start(cls, deal: Deal, denomination: Denomination, declarer: Seat) -> "Play":
        """Before the opening lead, which is declarer's left-hand opponent's (Law 41A)."""
        return cls(denomination, declarer, {seat: deal[seat] for seat in SEATS}, turn=declarer.left)

    @property
    def dummy(self) -> Seat:
        return self.declarer.partner

    @property
    def trick_number(self) -> int:
        """Number from 1 of the trick to which the next card goes, 14 when all is played."""
        return len(self.cards) // 4 + 1

    @property
    def trick(self) -> tuple[tuple[Seat, Card], ...]:
        """The cards of the unfinished trick, 0 to 3."""
        return self.cards[len(self.cards) // 4 * 4 :]

    @property
    def is_over(self) -> bool:
        return len(self.cards) == 52

    @property
    def declarer_tricks(self) -> int:
        return self.tricks_ns if self.declarer.side is Side.NS else self.tricks_ew

    @property
    def defender_tricks(self) -> int:
        return self.tricks_ew if self.declarer.side is Side.NS else self.tricks_ns

    def legal_cards(self) -> tuple[Card, ...]:
        """What the hand to play may play: the suit led if it holds one (Law 44C), highest first by suit."""
        if self.turn is None:
            return ()
        hand = self.held[self.turn]
        trick = self.trick
        following = [card for card in hand if trick and card.suit is trick[0][1].suit]
        return tuple(sorted(following or hand, key=_in_hand))

    def fault(self, seat: Seat, card: Card) -> IllegalCard | Irregularity | None:
        """What is wrong with the card now: nothing, something a table may let stand, or an error."""
        if self.turn is None:
            return IllegalCard("All thirteen tricks are played", rule="play_over", seat=seat, card=card)
        if card not in self.held[seat]:
            return IllegalCard(
                f"{seat.word} may not play {card}: {seat.word} does not hold it",
                rule="card_not_held",
                seat=seat,
                card=card,
            )
        trick = self.trick
        if seat is not self.turn:
            if any(player is seat for player, _ in trick):
                return IllegalCard(
                    f"{seat.word} has already played to this trick",
                    rule="already_played",
                    seat=seat,
                    card=card,
                )
            return Irregularity.OUT_OF_TURN
        if trick and card.suit is not trick[0][1].suit and self._can_follow(seat):
            return Irregularity.REVOKE
        return None

    def check(self, seat: Seat, card: Card, irregular: Irregularity | None = None) -> None:
        """Raise ``IllegalCard`` unless the card may be recorded; ``irregular`` as in ``Auction.check``."""
        fault = self.fault(seat, card)
        if isinstance(fault, IllegalCard):
            raise fault
        if fault is irregular:
            return
        if fault is Irregularity.OUT_OF_TURN and self.turn is not None:
            raise IllegalCard(
                f"{seat.word} may not play: it is {self.turn.word}'s turn",
                rule="out_of_turn",
                seat=seat,
                card=card,
                turn=self.turn,
            )
        if fault is Irregularity.REVOKE:
            led = self.trick[0][1].suit
            raise IllegalCard(
                f"{seat.word} may not play {card}: {seat.word} holds a {led.word} and {led.word}s were led",
                seat=seat,
                card=card,
                led=led,
            )
        raise IllegalCard(
            f"{card} by {seat.word} is in order: record it without the mark of an irregularity",
            rule="not_irregular",
            seat=seat,
            card=card,
        )

    def with_card(self, seat: Seat, card: Card) -> "Play":
        """The play after the card; asks nothing (see ``check``)."""
        held = dict(self.held)
        held[seat] = held[seat] - {card}
        cards = (*self.cards, (seat, card))
        in_trick = len(cards) % 4
        if in_trick:
            played = [player for player, _ in cards[-in_trick:]]
            turn = seat.left
            while turn in played:
                turn = turn.left
            return Play(
                self.denomination,
                self.declarer,
                held,
                cards,
                turn,
                self.tricks_ns,
                self.tricks_ew,
                winner=None,
            )
        winner = trick_winner(cards[-4:], self.denomination)
        tricks_ns = self.tricks_ns + (winner.side is Side.NS)
        tricks_ew = self.tricks_ew + (winner.side is Side.EW)
        turn_next = None if len(cards) == 52 else winner
        return Play(self.denomination, self.declarer, held, cards, turn_next, tricks_ns, tricks_ew, winner)

    def _can_follow(self, seat: Seat) -> bool:
        led = self.trick[0][1].suit
        return any(card.suit is led for card in self.held[seat])


def trick_winner(trick: tuple[tuple[Seat, Card], ...], denomination: Denomination) -> Seat:
    """The highest trump, else the highest card of the suit led (Law 44E and F)."""
    trump = denomination.trump
    led = trick[0][1].suit

    def power(played: tuple[Seat, Card]) -> int:
        card = played[1]
        if card.suit is trump:
            return 100 + card.strength
        return card.strength if card.suit is led else -1

    return max(trick, key=power)[0]


_SUIT_ORDER = {"S": 0, "H": 1, "D": 2, "C": 3}


def _in_hand(card: Card) -> tuple[int, int]:
    return _SUIT_ORDER[card.suit], -card.strength
