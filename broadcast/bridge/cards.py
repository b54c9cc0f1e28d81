"""Suits, ranks and the 52 cards (Law 1).

A card is one of 52 named values, written suit first as in the public interface: ``Card.SA``, ``Card("HT")``.
"""

from enum import StrEnum

from broadcast.bridge.errors import BadNotation

RANKS = "23456789TJQKA"
"""Ranks from the deuce to the ace; a rank's place in this string is its strength."""


class Suit(StrEnum):
    """The four suits; ``SUITS`` lists them from spades down, as hands are written."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"

    @property
    def word(self) -> str:
        """The English word for messages: ``spade``."""
        return _WORDS[self]


_WORDS = {Suit.SPADES: "spade", Suit.HEARTS: "heart", Suit.DIAMONDS: "diamond", Suit.CLUBS: "club"}

SUITS = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)


class Card(StrEnum):
    """One of the 52 cards.

    >>> Card("HT").suit, Card.HT.rank, Card.HT.strength
    (<Suit.HEARTS: 'H'>, 'T', 8)
    """

    SA = "SA"
    SK = "SK"
    SQ = "SQ"
    SJ = "SJ"
    ST = "ST"
    S9 = "S9"
    S8 = "S8"
    S7 = "S7"
    S6 = "S6"
    S5 = "S5"
    S4 = "S4"
    S3 = "S3"
    S2 = "S2"
    HA = "HA"
    HK = "HK"
    HQ = "HQ"
    HJ = "HJ"
    HT = "HT"
    H9 = "H9"
    H8 = "H8"
    H7 = "H7"
    H6 = "H6"
    H5 = "H5"
    H4 = "H4"
    H3 = "H3"
    H2 = "H2"
    DA = "DA"
    DK = "DK"
    DQ = "DQ"
    DJ = "DJ"
    DT = "DT"
    D9 = "D9"
    D8 = "D8"
    D7 = "D7"
    D6 = "D6"
    D5 = "D5"
    D4 = "D4"
    D3 = "D3"
    D2 = "D2"
    CA = "CA"
    CK = "CK"
    CQ = "CQ"
    CJ = "CJ"
    CT = "CT"
    C9 = "C9"
    C8 = "C8"
    C7 = "C7"
    C6 = "C6"
    C5 = "C5"
    C4 = "C4"
    C3 = "C3"
    C2 = "C2"

    __hash__ = str.__hash__
    """Equal texts hash alike, and hands, which are sets, are searched without a call into Python."""

    @property
    def suit(self) -> Suit:
        return _SUIT[self]

    @property
    def rank(self) -> str:
        return self.value[1]

    @property
    def strength(self) -> int:
        """0 for a deuce to 12 for an ace; compares cards of one suit (Law 44)."""
        return _STRENGTH[self]

    @property
    def points(self) -> int:
        """High-card points: ace 4, king 3, queen 2, jack 1."""
        return max(0, _STRENGTH[self] - 8)

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Read ``SA``, ``sa``, ``S10`` or ``sT``.

        Raises ``BadNotation`` where the text is no card.
        """
        card = _CARDS.get(text) or _CARDS.get(text.strip().upper().replace("10", "T"))
        if card is None:
            raise BadNotation(
                f"{text!r} is not a card: write the suit and then the rank, like SA or HT", text=text
            )
        return card


_CARDS = {card.value: card for card in Card}
_SUIT = {card: Suit(card.value[0]) for card in Card}
_STRENGTH = {card: RANKS.index(card.value[1]) for card in Card}

PACK = frozenset(Card)
"""All 52 cards."""


def in_order(cards: frozenset[Card] | set[Card], suit: Suit) -> list[Card]:
    """The cards of one suit, highest first, as a hand is sorted."""
    return sorted((card for card in cards if card.suit is suit), key=lambda card: -card.strength)
