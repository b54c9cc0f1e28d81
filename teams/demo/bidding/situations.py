"""What the player to call knows from the auction: who has shown what, what is forcing, who bid which suit."""

from collections.abc import Mapping
from dataclasses import dataclass

from broadcast.bridge.auctions import Auction
from broadcast.bridge.boards import Vulnerability
from broadcast.bridge.calls import Call, Denomination
from broadcast.bridge.cards import SUITS, Suit
from broadcast.bridge.seats import SEATS, Seat
from teams.demo.bidding.rules import ANY_LENGTH, ANY_POINTS, Convention, Forcing, Rule, Span
from teams.demo.bidding.style import Style

LAST_BID_AFTER = 11
"""After so many calls nobody bids on: no auction of these players has more than fifteen calls."""
LAST_QUESTION_AFTER = 7
"""After so many calls there is no room for a question, its answer and the contract."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What one player's calls have promised."""

    points: Span
    lengths: Mapping[Suit, Span]

    def narrowed(self, rule: Rule) -> "Shown":
        """After one more call; where it contradicts what was shown the new call is believed."""
        lengths = {suit: _meet(self.lengths[suit], rule.lengths.get(suit, ANY_LENGTH)) for suit in SUITS}
        promised = sum(low for low, _ in lengths.values())
        lengths = {
            suit: (low, max(low, min(high, 13 - promised + low))) for suit, (low, high) in lengths.items()
        }
        return Shown(_meet(self.points, rule.points), lengths)


def _meet(known: Span, told: Span) -> Span:
    low, high = max(known[0], told[0]), min(known[1], told[1])
    return (low, high) if low <= high else told


NOTHING_SHOWN = Shown(ANY_POINTS, dict.fromkeys(SUITS, ANY_LENGTH))


@dataclass(frozen=True, slots=True)
class Reading:
    seat: Seat
    call: Call
    rule: Rule


@dataclass(frozen=True, slots=True)
class Situation:
    """The auction as the player in turn sees it. All of it is public."""

    auction: Auction
    me: Seat
    vulnerability: Vulnerability
    style: Style
    readings: tuple[Reading, ...]
    shown: Mapping[Seat, Shown]

    @property
    def partner(self) -> Shown:
        return self.shown[self.me.partner]

    @property
    def own(self) -> Shown:
        return self.shown[self.me]

    def by(self, seat: Seat) -> list[Reading]:
        """The player's calls but for passes."""
        return [reading for reading in self.readings if reading.seat is seat and reading.call is not Call.PASS]

    @property
    def opening(self) -> Reading | None:
        """The first bid of the auction."""
        return next((reading for reading in self.readings if reading.call.is_bid), None)

    @property
    def last_by_partner(self) -> Reading | None:
        """Partner's last call but for passes."""
        made = self.by(self.me.partner)
        return made[-1] if made else None

    @property
    def has_passed(self) -> bool:
        """Whether this player's first call was a pass."""
        first = next((reading for reading in self.readings if reading.seat is self.me), None)
        return first is not None and first.call is Call.PASS

    @property
    def right_call(self) -> Call:
        """The last call of the right-hand opponent, a pass if there is none."""
        if self.readings and self.readings[-1].seat is self.me.right:
            return self.readings[-1].call
        return Call.PASS

    @property
    def is_contested(self) -> bool:
        """Whether the other side has bid."""
        return any(reading.call.is_bid and reading.seat.side is not self.me.side for reading in self.readings)

    @property
    def their_suits(self) -> frozenset[Suit]:
        """Suits in which an opponent has shown four or more cards by bidding."""
        return frozenset(
            suit
            for seat in (self.me.left, self.me.right)
            if any(reading.call.is_bid for reading in self.by(seat))
            for suit in SUITS
            if self.shown[seat].lengths[suit][0] >= (3 if self._opened_in(seat, suit) else 4)
        )

    def _opened_in(self, seat: Seat, suit: Suit) -> bool:
        return any(
            reading.call.is_bid and reading.call.denomination.trump is suit and not reading.rule.alert
            for reading in self.by(seat)
        )

    @property
    def our_bid_stands(self) -> bool:
        last = self.auction.last_bid
        return last is not None and last[0].side is self.me.side

    @property
    def may_ask(self) -> bool:
        return len(self.auction.calls) <= LAST_QUESTION_AFTER

    @property
    def is_forced(self) -> bool:
        """Whether passing now would break partner's force."""
        if self.right_call is not Call.PASS:
            return False
        last = next((r for r in reversed(self.readings) if r.seat is self.me.partner), None)
        if last is not None and last.rule.forcing is not Forcing.NO:
            return True
        return self.is_game_forced and self.our_bid_stands and not self.is_game_reached

    @property
    def is_game_forced(self) -> bool:
        return any(
            reading.seat.side is self.me.side and reading.rule.forcing is Forcing.TO_GAME
            for reading in self.readings
        )

    @property
    def is_game_reached(self) -> bool:
        last = self.auction.last_bid
        return last is not None and last[1].level >= game_level(last[1].denomination)

    @property
    def is_vulnerable(self) -> bool:
        return self.vulnerability.includes(self.me.side)

    def is_answering(self, convention: Convention) -> bool:
        """Whether partner's very last call asked this and the opponent between passed."""
        last = self.last_by_partner
        return (
            last is not None
            and last.rule.convention is convention
            and self.right_call is Call.PASS
            and last == next(r for r in reversed(self.readings) if r.seat is self.me.partner)
        )

    def may(self, call: Call) -> bool:
        return self.auction.fault(self.me, call) is None

    def cheapest(self, denomination: Denomination) -> Call | None:
        """The lowest sufficient bid in the denomination."""
        last = self.auction.last_bid
        for level in range(1, 8):
            bid = Call.bid(level, denomination)
            if last is None or bid.height > last[1].height:
                return bid
        return None


def game_level(denomination: Denomination) -> int:
    """Level at which an undoubled contract scores game: 3, 4 or 5 (Law 77)."""
    if denomination is Denomination.NOTRUMP:
        return 3
    return 4 if denomination in {Denomination.HEARTS, Denomination.SPADES} else 5


def first_situation(auction: Auction, vulnerability: Vulnerability, style: Style) -> Situation:
    """Before any call."""
    shown = dict.fromkeys(SEATS, NOTHING_SHOWN)
    return Situation(Auction(auction.dealer), auction.dealer, vulnerability, style, (), shown)
