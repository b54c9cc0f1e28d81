"""What a LIN or PBN file says of matches and boards, after reading and before anything is stored.

Values only. A record holds what happened as far as it can be believed: calls and cards that could not have
been made are not in it (they are listed as problems), and what is unknown is ``None``, never a plausible
number.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from broadcast.bridge.auctions import Auction
from broadcast.bridge.boards import Vulnerability
from broadcast.bridge.calls import Call
from broadcast.bridge.cards import Card
from broadcast.bridge.deals import Deal
from broadcast.bridge.irregularities import Irregularity
from broadcast.bridge.play import Play
from broadcast.bridge.results import BoardResult
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.notation.problems import Problem


@dataclass(frozen=True, slots=True)
class RecordedCall:
    seat: Seat
    call: Call
    alert: bool = False
    explanation: str | None = None
    irregular: Irregularity | None = None
    """What the table let stand."""


@dataclass(frozen=True, slots=True)
class RecordedCard:
    seat: Seat
    card: Card
    irregular: Irregularity | None = None


@dataclass(frozen=True, slots=True)
class RecordedComment:
    author: str | None
    """The commentator's nickname where the file names one."""
    text: str
    """Plain text from a stranger: escape it wherever it is shown."""
    calls: int = 0
    """How many calls stand when the comment is made."""
    cards: int = 0
    """How many cards stand."""


@dataclass(frozen=True, slots=True)
class BoardRecord:
    """One board at one table; known only by its entry in a list of results it has no deal and no calls."""

    segment: int
    """Number of the segment within the match, from 1."""
    number: int
    room: Room | None
    """``None`` where the file does not say or the table is not one of a match's two rooms."""
    dealer: Seat
    vulnerability: Vulnerability
    """The record's own where it states one, else that of the board number; this one scores."""
    deal: Deal | None = None
    players: Mapping[Seat, str] = field(default_factory=dict)
    """Names at the table; a seat without a known name is absent."""
    calls: tuple[RecordedCall, ...] = ()
    cards: tuple[RecordedCard, ...] = ()
    claim_tricks: int | None = None
    """Declarer's tricks in all as claimed; ``None`` where nobody claimed."""
    result: BoardResult | None = None
    """The official result: a list of results in the file goes before the record itself."""
    comments: tuple[RecordedComment, ...] = ()
    irregular_declarer: bool = False
    """The file marks the declarer as one the auction does not make (PBN ``^S``)."""
    irregular_result: bool = False
    """The file marks the result as agreed although the play says otherwise (PBN ``^10``)."""

    @property
    def auction(self) -> Auction:
        return Auction(self.dealer, tuple((made.seat, made.call) for made in self.calls))

    def play(self) -> Play | None:
        """The play folded from the cards; ``None`` before the auction is over or without a deal."""
        auction = self.auction
        contract, declarer = auction.contract, auction.declarer
        if self.deal is None or contract is None or declarer is None or not auction.is_over:
            return None
        play = Play.start(self.deal, contract.denomination, declarer)
        for played in self.cards:
            play = play.with_card(played.seat, played.card)
        return play

    @property
    def claim_stands(self) -> bool:
        """Whether a claim was made that the official result confirms."""
        return self.claim_tricks is not None and (
            self.result is None or self.result.tricks == self.claim_tricks
        )

    @property
    def is_untouched(self) -> bool:
        """No call, no card, no result: a deal that waits to be played."""
        return not self.calls and not self.cards and self.result is None


@dataclass(frozen=True, slots=True)
class SegmentRecord:
    number: int
    """From 1 within the match."""
    title: str
    first: int
    last: int
    team1: str
    """North-South in the open room, East-West in the closed room."""
    team2: str
    carry1: Decimal = Decimal(0)
    """IMPs team 1 brings into the segment."""
    carry2: Decimal = Decimal(0)
    lineups: Mapping[Room, Mapping[Seat, str]] = field(default_factory=dict)
    scoring: str = "I"
    """``I`` IMPs, ``P`` matchpoints, ``B`` board-a-match."""
    boards: tuple[BoardRecord, ...] = ()
    """By number, open room first."""
    comments: tuple[RecordedComment, ...] = ()
    """What is said before the first board."""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    title: str
    home: str
    visitors: str
    segments: tuple[SegmentRecord, ...]
    carry_home: Decimal = Decimal(0)
    """IMPs brought into the first segment."""
    carry_visitors: Decimal = Decimal(0)
    round: str = ""
    site: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """All that a file gave: its matches, boards that belong to no match of two teams, and the problems."""

    matches: tuple[MatchRecord, ...] = ()
    boards: tuple[BoardRecord, ...] = ()
    """Deals without teams, boards of a pairs event, single boards."""
    problems: tuple[Problem, ...] = ()
