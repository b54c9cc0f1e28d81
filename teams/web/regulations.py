"""What the rooms ask of the teams: are the scales known, what is a team called, which ladders are there."""

import sqlite3
from typing import Any

from broadcast.feeds.streams import Stream
from broadcast.storage.database import Database
from broadcast.storage.read_models import list_summaries
from broadcast.tables.errors import NoSuchThing, Refusal
from teams.ladder.stream import KIND as LADDER
from teams.ladder.stream import LadderStream
from teams.ladder.views import move_json
from teams.members.rosters import Team
from teams.scales.imps import ImpScale, imps
from teams.scales.victory_points import SCALES, VpScale
from teams.storage import team_store
from teams.storage.members import Members

ON_HOME = 3
"""Ladders on the first page."""
MOST_MARGIN = 400
"""IMPs beyond which no scale goes on."""


class TeamRegulations:
    """Fulfils ``broadcast.web.house.Regulations``."""

    def __init__(self, database: Database, members: Members) -> None:
        self._database = database
        self._members = members

    def check_scales(self, scale: str, imp_scale: str, boards: int) -> None:
        if imp_scale not in set(ImpScale):
            raise Refusal(
                "unknown_imp_scale", f"imp_scale must be one of {', '.join(ImpScale)}", choices=list(ImpScale)
            )
        known = SCALES.get(scale)
        if known is None:
            raise Refusal(
                "unknown_scale", f"There is no scale {scale}: choose one of {', '.join(SCALES)}", scale=scale
            )
        if not known.has_row(boards):
            raise Refusal(
                "no_row",
                f"The scale {scale} has no row for {boards} boards: choose another scale or length",
                scale=scale,
                boards=boards,
            )

    def imps(self, difference: int, imp_scale: str) -> int:
        return imps(difference, ImpScale(imp_scale))

    async def team_name(self, id: str) -> str | None:
        try:
            return (await self._members.team(id)).name
        except NoSuchThing:
            return None

    def scales(self, boards: int) -> list[dict[str, Any]]:
        return [_told(scale, boards) for scale in SCALES.values()]

    async def teams(self) -> list[dict[str, Any]]:
        return [
            {
                "id": team.id,
                "name": team.name,
                "players": [{"id": player.id, "name": player.name} for player in team.players],
            }
            for team in await self._database.read(_all_teams)
        ]

    def moves(self, ladder: Stream, match: str) -> list[dict[str, Any]]:
        if not isinstance(ladder, LadderStream):
            return []
        moves = [told for told in ladder.state.history if told.match == match]
        return [move_json(ladder.state, told) | {"at": told.at} for told in moves]

    async def ladders(self) -> list[dict[str, Any]]:
        rows = await self._database.read(lambda connection: list_summaries(connection, LADDER, limit=ON_HOME))
        return [row.summary.body for row in rows]


def _all_teams(connection: sqlite3.Connection) -> list[Team]:
    return [team_store.read(connection, mark.id) for mark in team_store.all_teams(connection)]


def _told(scale: VpScale, boards: int) -> dict[str, Any]:
    """A scale over so many boards: how it begins, how it goes on, from which margin the winner has all."""
    if not scale.has_row(boards):
        return {"name": scale.name, "has_row": False, "whole": None, "blitz": None, "examples": []}
    whole = scale.vps(boards, MOST_MARGIN).winner
    blitz = next(margin for margin in range(MOST_MARGIN + 1) if scale.vps(boards, margin).winner == whole)
    margins = sorted({1, 5, 10, 20, 30, blitz} & set(range(blitz + 1)))
    examples = [
        {"imps": margin, "winner": float(vps.winner), "loser": float(vps.loser)}
        for margin, vps in ((margin, scale.vps(boards, margin)) for margin in margins)
    ]
    return {
        "name": scale.name,
        "has_row": True,
        "whole": float(whole),
        "blitz": blitz,
        "examples": examples,
    }
