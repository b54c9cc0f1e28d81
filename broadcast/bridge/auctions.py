"""The auction: whose turn, which calls are legal, contract and declarer (Laws 17 to 22).

An auction is a value; ``with_call`` gives the next one. An irregular call that the table let stand keeps the
auction going from the player who made it.
"""

from dataclasses import dataclass

from broadcast.bridge.calls import BIDS, Call
from broadcast.bridge.contracts import Contract, Doubling
from broadcast.bridge.errors import IllegalCall
from broadcast.bridge.irregularities import Irregularity
from broadcast.bridge.seats import Seat


@dataclass(frozen=True, slots=True)
class Auction:
    dealer: Seat
    calls: tuple[tuple[Seat, Call], ...] = ()
    """Who called what, in order. Seats follow in turn but for irregular calls."""

    @property
    def turn(self) -> Seat | None:
        """Who is to call; ``None`` when the auction is over."""
        if self.is_over:
            return None
        return self.calls[-1][0].left if self.calls else self.dealer

    @property
    def is_over(self) -> bool:
        """Three passes after a bid, or four passes from the start (Law 22)."""
        if len(self.calls) < 4:
            return False
        return all(call is Call.PASS for _, call in self.calls[-3:]) and (
            self.last_bid is not None or self.calls[-4][1] is Call.PASS
        )

    @property
    def is_passed_out(self) -> bool:
        return self.is_over and self.last_bid is None

    @property
    def last_bid(self) -> tuple[Seat, Call] | None:
        return next((made for made in reversed(self.calls) if made[1].is_bid), None)

    @property
    def doubling(self) -> Doubling:
        """How the last bid stands: undoubled, doubled or redoubled."""
        for _, call in reversed(self.calls):
            if call is Call.XX:
                return Doubling.REDOUBLED
            if call is Call.X:
                return Doubling.DOUBLED
            if call.is_bid:
                break
        return Doubling.NONE

    @property
    def contract(self) -> Contract | None:
        """The contract as it stands: that of the last bid, ``None`` before one."""
        last = self.last_bid
        return None if last is None else Contract(last[1].level, last[1].denomination, self.doubling)

    @property
    def declarer(self) -> Seat | None:
        """Who of the side of the last bid first named its denomination (definition of declarer)."""
        last = self.last_bid
        if last is None:
            return None
        bidder, bid = last
        return next(
            seat
            for seat, call in self.calls
            if call.is_bid and call.denomination is bid.denomination and seat.side is bidder.side
        )

    def fault(self, seat: Seat, call: Call) -> IllegalCall | Irregularity | None:
        """What is wrong with the call now: nothing, something a table may let stand, or an error."""
        turn = self.turn
        if turn is None:
            return IllegalCall("The auction is over", rule="auction_over", seat=seat, call=call)
        last = self.last_bid
        if call is Call.X and (last is None or last[0].side is seat.side or self.doubling is not Doubling.NONE):
            return _inadmissible(seat, call, "may only double a bid of the other side that is not yet doubled")
        if call is Call.XX and (
            last is None or last[0].side is not seat.side or self.doubling is not Doubling.DOUBLED
        ):
            return _inadmissible(seat, call, "may only redouble a bid of their own side that has been doubled")
        if seat is not turn:
            return Irregularity.OUT_OF_TURN
        if call.is_bid and last is not None and call.height <= last[1].height:
            return Irregularity.INSUFFICIENT
        return None

    def check(self, seat: Seat, call: Call, irregular: Irregularity | None = None) -> None:
        """Raise ``IllegalCall`` unless the call may be recorded.

        ``irregular`` is what the table let stand: an out-of-turn or an insufficient call needs it, a call
        without that fault refuses it.
        """
        fault = self.fault(seat, call)
        if isinstance(fault, IllegalCall):
            raise fault
        if fault is irregular:
            return
        turn = self.turn
        if fault is Irregularity.OUT_OF_TURN and turn is not None:
            raise IllegalCall(
                f"{seat.word} may not call: it is {turn.word}'s turn",
                rule="out_of_turn",
                seat=seat,
                turn=turn,
            )
        last = self.last_bid
        if fault is Irregularity.INSUFFICIENT and last is not None:
            raise IllegalCall(
                f"{call} is not enough over {last[1]}",
                rule="insufficient",
                seat=seat,
                call=call,
                over=last[1],
            )
        raise IllegalCall(
            f"{call} by {seat.word} is in order: record it without the mark of an irregularity",
            rule="not_irregular",
            seat=seat,
            call=call,
        )

    def with_call(self, seat: Seat, call: Call) -> "Auction":
        """The auction after the call; asks nothing (see ``check``)."""
        return Auction(self.dealer, (*self.calls, (seat, call)))

    def legal_calls(self) -> tuple[Call, ...]:
        """What the player to call may call, pass first, then doubles, then bids upward."""
        turn = self.turn
        if turn is None:
            return ()
        return tuple(call for call in (Call.PASS, Call.X, Call.XX, *BIDS) if self.fault(turn, call) is None)


def _inadmissible(seat: Seat, call: Call, why: str) -> IllegalCall:
    return IllegalCall(f"{seat.word} {why}", rule="inadmissible_double", seat=seat, call=call)
