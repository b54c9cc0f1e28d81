"""The hands of a LIN deal: suit letters and ranks for South, West, North and East."""

import re

from broadcast.bridge.cards import RANKS, Card
from broadcast.bridge.deals import Deal, with_rest_of_pack
from broadcast.bridge.errors import BadDeal, BadNotation
from broadcast.notation.lin_header import LIN_SEATS


def read_hands(text: str) -> Deal:
    """``S...H...D...C...,`` for South, West, North, East; a fourth hand left out is the rest of the pack.

    Ranks in any order and case, ``10`` for a ten, letters of void suits may be absent. Raises ``BadDeal`` or
    ``BadNotation``.
    """
    words = text.split(",")
    if len(words) == 5 and not words[4].strip():
        words.pop()
    if not 3 <= len(words) <= 4:
        raise BadNotation(f"a deal has three or four hands, here are {len(words)}", text=text[:80])
    hands = {seat: _hand(word) for seat, word in zip(LIN_SEATS, words, strict=False) if word.strip()}
    return Deal(with_rest_of_pack(hands))


def _hand(text: str) -> tuple[Card, ...]:
    cards: list[Card] = []
    suit = ""
    for letter in "".join(text.split()).upper().replace("10", "T"):
        if letter in "SHDC":
            suit = letter
        elif letter in RANKS and suit:
            cards.append(Card.parse(suit + letter))
        else:
            raise BadNotation(f"{letter!r} in the hand {text.strip()[:30]!r} is not a card", text=text[:80])
    return tuple(cards)


def without_strays(hands: str) -> Deal | None:
    """The deal without letters before the first suit of a hand, if it then is a whole pack."""
    cleaned = re.sub(r"(^|,)[^SHDC,]{1,3}(?=[SHDC])", r"\1", hands.upper())
    if cleaned == hands.upper():
        return None
    try:
        return read_hands(cleaned)
    except (BadDeal, BadNotation):
        return None
