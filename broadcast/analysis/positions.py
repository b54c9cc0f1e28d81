"""Positions that double-dummy analysis is asked about: those in which a table agreed to a claim."""

from collections.abc import Iterator
from dataclasses import dataclass

from broadcast.bridge.cards import Card
from broadcast.bridge.deals import Deal
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.tables.board_states import Claimed
from broadcast.tables.events import BoardKey
from broadcast.tables.state import MatchState, RoomBoard


@dataclass(frozen=True, slots=True)
class Position:
    """A deal so far played; its cards are in order of play."""

    deal: Deal
    trump: str
    """``S H D C`` or ``NT``."""
    leader: Seat
    """Of the first trick."""
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class AgreedClaim:
    key: BoardKey
    room: Room
    position: Position
    tricks: int
    """Declarer's total that the table agreed on."""


def agreed_claims(match: MatchState) -> Iterator[AgreedClaim]:
    """Every board that stands as its table claimed it."""
    for board in match.boards.values():
        for room in Room:
            found = _claim(board.rooms[room])
            if found is not None and not board.is_settled_for(room):
                yield AgreedClaim(board.key, room, *found)


def _claim(table: RoomBoard) -> tuple[Position, int] | None:
    contract, declarer = table.auction.contract, table.auction.declarer
    is_claimed = isinstance(table.ending, Claimed) and not table.is_ruled
    agreed = [claim for claim in table.claims if claim.accepted]
    if not is_claimed or not agreed or table.deal is None or contract is None or declarer is None:
        return None
    cards = tuple(played.card for played in table.cards[: agreed[-1].cards])
    trump = contract.denomination.value
    return Position(table.deal, "NT" if trump.startswith("N") else trump, declarer.left, cards), agreed[
        -1
    ].tricks
