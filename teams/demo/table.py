"""A room of a match at which four programs sit: they bid and play through the ordinary commands.

The table keeps the four hands apart: each program is asked with its own hand, dummy and what has been called
and played, never with more. Nothing in the server knows that no people sit here.
"""

import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from broadcast.bridge.auctions import Auction
from broadcast.bridge.boards import Vulnerability
from broadcast.bridge.deals import Deal
from broadcast.bridge.play import Play
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.imports.replay import send
from broadcast.imports.wire import entry_json
from broadcast.tables.commands import Entry, MakeCall, MakeClaim, OpenBoard, PlayCard
from broadcast.tables.setup import PlayerName
from teams.demo.bidding.bidder import choose_call
from teams.demo.bidding.style import Style
from teams.demo.card_play import choose_card
from teams.demo.claiming import wants_to_claim
from teams.demo.views import view_of

Pause = Callable[[float], Awaitable[None]]
"""Waits for so many thinking seconds, or not at all."""


class TableStopped(Exception):
    """The server refused an entry of the programs."""


@dataclass(slots=True)
class DemoTable:
    client: httpx.AsyncClient
    match: str
    room: Room
    players: Mapping[Seat, str]
    styles: Mapping[Seat, Style]
    pause: Pause
    chance: random.Random

    async def play(self, segment: int, board: int) -> None:
        """One board from its opening to its result. Raises ``TableStopped``."""
        players = {seat: PlayerName(name) for seat, name in self.players.items()}
        opened = await self._enter(OpenBoard(segment, board, players=players))
        data = opened["events"][0]["data"]
        deal = Deal.parse(data["deal"])
        vulnerability = Vulnerability(data["vulnerability"])
        await self.pause(self.chance.uniform(2.0, 4.0))
        auction = await self._bid(Auction(Seat(data["dealer"])), deal, vulnerability)
        contract, declarer = auction.contract, auction.declarer
        if contract is None or declarer is None:
            return
        await self.pause(self.chance.uniform(1.5, 3.0))
        play = Play.start(deal, contract.denomination, declarer)
        while play.turn is not None:
            view = view_of(play, contract, auction)
            tricks = wants_to_claim(view) if play.cards else None
            if tricks is not None and view.is_declaring:
                await self._enter(MakeClaim(declarer, tricks, accepted=True))
                return
            card = choose_card(view, self.styles[play.turn])
            await self._enter(PlayCard(play.turn, card))
            play = play.with_card(play.turn, card)
            await self.pause(self.chance.uniform(0.6, 2.4))

    async def _bid(self, auction: Auction, deal: Deal, vulnerability: Vulnerability) -> Auction:
        while auction.turn is not None:
            seat = auction.turn
            bid = choose_call(deal[seat], auction, vulnerability, self.styles[seat])
            await self._enter(MakeCall(seat, bid.call, bid.alert, bid.explanation))
            auction = auction.with_call(seat, bid.call)
            await self.pause(self.chance.uniform(0.8, 2.6))
        return auction

    async def _enter(self, entry: Entry) -> dict[str, Any]:
        path = f"/api/matches/{self.match}/rooms/{self.room}/commands"
        response = await send(self.client, path, {"command": entry_json(entry)}, {})
        if not response.is_success:
            raise TableStopped(response.text)
        answer: dict[str, Any] = response.json()
        return answer
