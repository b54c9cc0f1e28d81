"""Claims and concessions as values (Laws 68 to 71).

A claim is stated as declarer's total of tricks, whoever makes it; a concession is a claim.
"""

from dataclasses import dataclass

from broadcast.bridge.errors import IllegalClaim
from broadcast.bridge.play import Play
from broadcast.bridge.seats import Seat


@dataclass(frozen=True, slots=True)
class Claim:
    seat: Seat
    tricks: int
    """Declarer's tricks in all, 0 to 13."""
    cards: int
    """How many cards had been played when it was made."""
    accepted: bool | None = None
    """``None`` while the table has not answered."""


def check_claim(play: Play, seat: Seat, tricks: int) -> None:
    """Raise ``IllegalClaim`` where dummy claims or the tricks already played exclude the total."""
    if seat is play.dummy:
        raise IllegalClaim("Dummy may not claim", rule="dummy_claims", seat=seat)
    most = 13 - play.defender_tricks
    if not play.declarer_tricks <= tricks <= most:
        raise IllegalClaim(
            f"Declarer has {play.declarer_tricks} tricks and can have at most {most}, not {tricks}",
            seat=seat,
            tricks=tricks,
            least=play.declarer_tricks,
            most=most,
        )
