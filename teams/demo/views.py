"""What the player of a card may see: own hand, dummy once it is faced, the cards played and the auction."""

from collections.abc import Mapping
from dataclasses import dataclass

from broadcast.bridge.auctions import Auction
from broadcast.bridge.cards import PACK, Card, Suit, in_order
from broadcast.bridge.contracts import Contract
from broadcast.bridge.deals import Hand
from broadcast.bridge.play import Play
from broadcast.bridge.seats import Seat


@dataclass(frozen=True, slots=True)
class TableView:
    """The play as one player sees it who is to choose a card for ``seat``.

    Declarer chooses dummy's cards too; then ``seat`` is dummy's.
    """

    seat: Seat
    contract: Contract
    declarer: Seat
    auction: Auction
    held: Mapping[Seat, Hand]
    """What the hands in sight still hold, no others: own hand, dummy, for dummy's cards also declarer's."""
    cards: tuple[tuple[Seat, Card], ...] = ()
    """Every card played, in order."""

    @property
    def hand(self) -> Hand:
        return self.held[self.seat]

    @property
    def dummy(self) -> Seat:
        return self.declarer.partner

    @property
    def trump(self) -> Suit | None:
        return self.contract.denomination.trump

    @property
    def is_declaring(self) -> bool:
        return self.seat.side is self.declarer.side

    @property
    def trick(self) -> tuple[tuple[Seat, Card], ...]:
        """The cards of the unfinished trick, 0 to 3."""
        return self.cards[len(self.cards) // 4 * 4 :]

    @property
    def led(self) -> Suit | None:
        return self.trick[0][1].suit if self.trick else None

    @property
    def unseen(self) -> Hand:
        """Cards that lie in the hands out of sight."""
        played = {card for _, card in self.cards}
        return PACK - played - frozenset().union(*self.held.values())

    def unseen_in(self, suit: Suit) -> list[Card]:
        """Unseen cards of a suit, highest first."""
        return in_order(self.unseen, suit)

    def holding(self, seat: Seat, suit: Suit) -> list[Card]:
        """Cards of a suit in a hand in sight, highest first; none for a hand out of sight."""
        return in_order(self.held.get(seat, frozenset()), suit)

    def legal(self) -> list[Card]:
        """Cards the seat may play, by suit and highest first (Law 44C)."""
        led = self.led
        following = [card for card in self.hand if card.suit is led]
        return sorted(following or self.hand, key=lambda card: (card.suit.value, -card.strength))

    def power(self, card: Card, led: Suit) -> int:
        """Strength in a trick to which ``led`` was led: trumps above all, discards below."""
        if card.suit is self.trump:
            return 100 + card.strength
        return card.strength if card.suit is led else -1

    @property
    def winning(self) -> tuple[Seat, Card] | None:
        """Who is winning the unfinished trick, and with what."""
        led = self.led
        if led is None:
            return None
        return max(self.trick, key=lambda played: self.power(played[1], led))

    def shown_out(self, seat: Seat) -> frozenset[Suit]:
        """Suits in which the hand has failed to follow."""
        out = set()
        for start in range(0, len(self.cards), 4):
            trick = self.cards[start : start + 4]
            led = trick[0][1].suit
            out |= {led for player, card in trick[1:] if player is seat and card.suit is not led}
        return frozenset(out)

    def against(self, suit: Suit) -> list[int]:
        """Strengths that may be played against this side: unseen ones, for a defender dummy's too."""
        strengths = [card.strength for card in self.unseen if card.suit is suit]
        if not self.is_declaring:
            strengths += [card.strength for card in self.holding(self.dummy, suit)]
        return strengths

    def is_master(self, card: Card) -> bool:
        """Whether no card that may be played against it is higher in its suit."""
        return all(strength < card.strength for strength in self.against(card.suit))

    def are_touching(self, one: Card, other: Card) -> bool:
        """Whether two cards of a suit are as good as each other: nothing against them lies between."""
        low, high = sorted((one.strength, other.strength))
        return not any(low < strength < high for strength in self.against(one.suit))

    def beats(self, card: Card, other: Card) -> bool:
        """Whether the card wins over the other in the trick on the table."""
        led = self.led or card.suit
        return self.power(card, led) > self.power(other, led)


def view_of(play: Play, contract: Contract, auction: Auction) -> TableView:
    """What the player whose turn it is may see of a play whose four hands are known to the caller.

    Raises ``ValueError`` when the play is over.
    """
    seat = play.turn
    if seat is None:
        raise ValueError("All thirteen tricks are played: there is no card to choose")
    in_sight = {seat}
    if play.cards:
        in_sight.add(play.dummy)
    if seat in (play.declarer, play.dummy):
        in_sight |= {play.declarer, play.dummy}
    held = {seen: play.held[seen] for seen in in_sight}
    return TableView(seat, contract, play.declarer, auction, held, play.cards)
