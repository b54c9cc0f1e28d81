"""Four hands of thirteen: a deal, and its PBN notation (PBN 2.1, section 3.4.11).

A deal is complete or it is not a deal: what lacks a card, has one twice or gives a hand more than thirteen
is refused with the cards and seats named.
"""

from collections.abc import Iterable, Mapping

from broadcast.bridge.cards import PACK, RANKS, SUITS, Card, in_order
from broadcast.bridge.errors import BadDeal, BadNotation
from broadcast.bridge.seats import SEATS, Seat, clockwise_from

Hand = frozenset[Card]


class Deal:
    """The 52 cards in four hands of thirteen. A value: equal by its hands, never changed.

    >>> deal = Deal.parse("N:KQ97.Q9.AK54.J75 JT85.A742.863.Q6 A643.KJT8.92.AK3 2.653.QJT7.T9842")
    >>> deal.holder(Card.SA).word
    'South'
    """

    __slots__ = ("_hands", "_holders")

    def __init__(self, hands: Mapping[Seat, Iterable[Card]]) -> None:
        """Raises ``BadDeal`` naming card and hands where the cards are not a pack dealt evenly."""
        listed = {seat: tuple(hands.get(seat, ())) for seat in SEATS}
        holders: dict[Card, Seat] = {}
        for seat in SEATS:
            for card in listed[seat]:
                if card in holders:
                    other = holders[card]
                    where = (
                        f"twice by {seat.word}" if other is seat else f"by both {other.word} and {seat.word}"
                    )
                    raise BadDeal(f"{card} is held {where}", card=card, seats=[other, seat])
                holders[card] = seat
        for seat in SEATS:
            if len(listed[seat]) != 13:
                raise BadDeal(
                    f"{seat.word} has {len(listed[seat])} cards instead of 13",
                    seat=seat,
                    cards=len(listed[seat]),
                )
        self._hands: dict[Seat, Hand] = {seat: frozenset(listed[seat]) for seat in SEATS}
        self._holders = holders

    def __getitem__(self, seat: Seat) -> Hand:
        return self._hands[seat]

    def holder(self, card: Card) -> Seat:
        return self._holders[card]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deal) and self._hands == other._hands

    def __hash__(self) -> int:
        return hash(tuple(self._hands[seat] for seat in SEATS))

    def __repr__(self) -> str:
        return f"Deal.parse({str(self)!r})"

    def __str__(self) -> str:
        """PBN from North: ``N:KQ97.Q9.AK54.J75 ...``."""
        return self.to_pbn(Seat.N)

    def to_pbn(self, first: Seat) -> str:
        return f"{first}:" + " ".join(hand_text(self._hands[seat]) for seat in clockwise_from(first))

    @classmethod
    def parse(cls, text: str) -> "Deal":
        """Read a PBN deal; a fourth hand left out (``-``) is the rest of the pack.

        Raises ``BadNotation`` for text that is no deal and ``BadDeal`` for cards that are not a pack.
        """
        head, colon, body = text.strip().partition(":")
        words = body.split()
        if not colon or head.strip().upper() not in set(SEATS) or len(words) != 4:
            raise BadNotation(
                f"{text!r} is not a deal: write the first seat, a colon and four hands, like N:AKQ.J... ...",
                text=text,
            )
        seats = clockwise_from(Seat(head.strip().upper()))
        hands = {seat: parse_hand(word) for seat, word in zip(seats, words, strict=True) if word != "-"}
        return cls(with_rest_of_pack(hands))


def with_rest_of_pack(hands: Mapping[Seat, Iterable[Card]]) -> dict[Seat, tuple[Card, ...]]:
    """The same hands, the only missing one filled with the rest of the pack; otherwise unchanged."""
    full = {seat: tuple(cards) for seat, cards in hands.items()}
    missing = [seat for seat in SEATS if seat not in full]
    if len(missing) == 1:
        given = {card for cards in full.values() for card in cards}
        full[missing[0]] = tuple(card for card in Card if card in PACK - given)
    return full


def parse_hand(text: str) -> tuple[Card, ...]:
    """Read ``KQ97.Q9.AK54.J75`` (spades first; nothing between dots is a void; ``10`` is a ten).

    Suit letters before the ranks (``SKQ97.HQ9...``) are allowed. Raises ``BadNotation``.
    """
    parts = text.upper().replace("10", "T").split(".")
    if len(parts) != 4:
        raise BadNotation(f"{text!r} is not a hand: it needs four suits with dots between them", text=text)
    cards: list[Card] = []
    for suit, part in zip(SUITS, parts, strict=True):
        ranks = part.removeprefix(suit.value)
        for rank in ranks:
            if rank not in RANKS:
                raise BadNotation(f"{rank!r} in {text!r} is not a rank", text=text)
            cards.append(Card(suit.value + rank))
    return tuple(cards)


def hand_text(hand: Hand) -> str:
    """A hand as PBN writes it: ``KQ97.Q9.AK54.J75``."""
    return ".".join("".join(card.rank for card in in_order(hand, suit)) for suit in SUITS)


def rotated(deal: Deal, quarters: int) -> Deal:
    """The deal with every hand moved clockwise by so many seats."""
    hands = {seat: deal[SEATS[(SEATS.index(seat) - quarters) % 4]] for seat in SEATS}
    return Deal(hands)
