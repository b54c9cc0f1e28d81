"""How many tricks a suit will bring declarer's two hands when it is played out from here.

Counted round by round: the best card of ours against the cheapest higher one of theirs, which divide as usual.
"""

from dataclasses import dataclass

from broadcast.bridge.cards import Card


@dataclass(frozen=True, slots=True)
class Prospect:
    sure: int
    """Tricks before the first one lost."""
    won: int
    lost: int


def prospect(one: list[Card], other: list[Card], unseen: list[Card]) -> Prospect:
    """What the suit is worth, given the two hands' cards of it and the unseen ones."""
    out = sorted(card.strength for card in unseen)
    ours = sorted((card.strength for card in (*one, *other)), reverse=True)
    longer, shorter = max(len(one), len(other)), min(len(one), len(other))
    won = lost = sure = 0
    for place in range(longer):
        best, *ours = ours
        if place < shorter:
            ours = ours[:-1]
        higher = [strength for strength in out if strength > best]
        if higher:
            lost += 1
            out.remove(higher[0])
            out = out[1:]
        else:
            won += 1
            out = out[2:]
            sure += lost == 0
    return Prospect(sure, won, lost)
