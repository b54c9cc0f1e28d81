"""Boards as careless operators enter them: any legal call or card, slips taken back, claims withdrawn."""

from collections.abc import Iterator
from random import Random

from broadcast.bridge.auctions import Auction
from broadcast.bridge.boards import dealer_of
from broadcast.bridge.calls import Call
from broadcast.bridge.play import Play
from tests.builders import deal_of
from tests.scenarios.entered_matches import opening
from tests.serving import Json


def random_board(number: int, chance: Random) -> Iterator[Json]:
    """Commands that open a board and bring it to its end."""
    yield opening(number)
    auction = Auction(dealer_of(number))
    while (turn := auction.turn) is not None:
        if auction.calls and chance.random() < 0.15:
            steps = chance.randint(1, min(3, len(auction.calls)))
            yield {"type": "undo", "steps": steps}
            auction = Auction(auction.dealer, auction.calls[:-steps])
            continue
        bids = [call for call in auction.legal_calls()[:9] if call is not Call.PASS]
        call = Call.PASS if chance.random() < 0.5 or not bids else chance.choice(bids)
        alerted = {"alert": True, "explanation": f"meaning {chance.randint(1, 99)}"}
        yield {"type": "call", "seat": turn.value, "call": call.value} | (
            alerted if chance.random() < 0.2 else {}
        )
        auction = auction.with_call(turn, call)
    if auction.contract is not None and auction.declarer is not None:
        start = Play.start(deal_of(number), auction.contract.denomination, auction.declarer)
        yield from _play(start, len(auction.calls), chance)


def _play(start: Play, calls: int, chance: Random) -> Iterator[Json]:
    play = start
    while (turn := play.turn) is not None:
        if len(play.cards) > 4 and chance.random() < 0.1:
            kept = play.cards[: -chance.randint(1, 4)]
            yield {"type": "undo", "to": {"calls": calls, "cards": len(kept)}}
            play = start
            for played in kept:
                play = play.with_card(*played)
        elif len(play.cards) > 12 and chance.random() < 0.06:
            tricks = chance.randint(play.declarer_tricks, 13 - play.defender_tricks)
            yield {"type": "claim", "seat": start.declarer.value, "tricks": tricks, "accepted": True}
            if chance.random() < 0.5:
                return
            yield {"type": "undo", "to": {"calls": calls, "cards": len(play.cards)}}
        else:
            yield {
                "type": "card",
                "seat": turn.value,
                "card": (card := chance.choice(play.legal_cards())).value,
            }
            play = play.with_card(turn, card)
