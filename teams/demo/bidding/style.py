"""How a demo player's judgement differs from another's who plays the same system."""

from dataclasses import dataclass
from enum import StrEnum
from zlib import crc32

from broadcast.bridge.cards import Suit
from broadcast.bridge.deals import Hand, hand_text


class Temper(StrEnum):
    """How light a player opens, competes and accepts invitations."""

    SOUND = "sound"
    NORMAL = "normal"
    AGGRESSIVE = "aggressive"


class SuitLead(StrEnum):
    """What a player leads from a long suit without a sequence, and how eagerly short suits."""

    FOURTH_BEST = "fourth_best"
    THIRD_AND_FIFTH = "third_and_fifth"
    SHORT_SUITS = "short_suits"


@dataclass(frozen=True, slots=True)
class Style:
    temper: Temper = Temper.NORMAL
    lead: SuitLead = SuitLead.FOURTH_BEST
    seed: int = 0
    """Personal judgement in close decisions, always the same for the same hand; 0 is by the book."""

    @classmethod
    def from_seed(cls, seed: int) -> "Style":
        """A style of its own for every seed; neighbouring seeds differ in temper."""
        tempers = tuple(Temper)
        leads = tuple(SuitLead)
        return cls(tempers[(seed + 1) % len(tempers)], leads[seed // len(tempers) % len(leads)], seed)

    @property
    def boldness(self) -> int:
        """Points this player shades a close decision by: 1 bold, 0, or -1 sound."""
        return {Temper.SOUND: -1, Temper.NORMAL: 0, Temper.AGGRESSIVE: 1}[self.temper]

    def upgrade(self, hand: Hand) -> int:
        """A point more or less that this player sees in the hand: on one hand in four each."""
        whim = self._whim(hand_text(hand))
        return (whim > 0.5) - (whim < -0.5)

    def preference(self, hand: Hand, suit: Suit) -> float:
        """How much this player feels like playing the suit from the hand, from -1 to 1."""
        return self._whim(f"{suit}{hand_text(hand)}")

    def _whim(self, about: str) -> float:
        return crc32(f"{self.seed} {about}".encode()) / 2**31 - 1 if self.seed else 0.0


STANDARD = Style()
