"""How a demo player's judgement differs from another's who plays the same system."""

from dataclasses import dataclass
from enum import StrEnum


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

    @classmethod
    def from_seed(cls, seed: int) -> "Style":
        """One of the nine styles; neighbouring seeds differ in temper."""
        tempers = tuple(Temper)
        leads = tuple(SuitLead)
        return cls(tempers[(seed + 1) % len(tempers)], leads[seed // len(tempers) % len(leads)])

    @property
    def boldness(self) -> int:
        """Points this player shades a close decision by: 1 bold, 0, or -1 sound."""
        return {Temper.SOUND: -1, Temper.NORMAL: 0, Temper.AGGRESSIVE: 1}[self.temper]


STANDARD = Style()
