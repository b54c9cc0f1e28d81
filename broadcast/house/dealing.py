"""Deals from the system's randomness: nobody can foresee one, and none follows from another."""

import secrets

from broadcast.bridge.cards import Card
from broadcast.bridge.deals import Deal
from broadcast.bridge.seats import SEATS


def random_deal() -> Deal:
    """A shuffled pack, thirteen to each seat; all deals equally likely."""
    pack = list(Card)
    secrets.SystemRandom().shuffle(pack)
    return Deal({seat: pack[13 * place : 13 * place + 13] for place, seat in enumerate(SEATS)})
