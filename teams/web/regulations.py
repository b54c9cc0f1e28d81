"""What the rooms ask of the teams: are the scales known, what is a team called, which ladders are there."""

from typing import Any

from broadcast.storage.database import Database
from broadcast.storage.read_models import list_summaries
from broadcast.tables.errors import NoSuchThing, Refusal
from teams.ladder.stream import KIND as LADDER
from teams.scales.imps import ImpScale, imps
from teams.scales.victory_points import SCALES
from teams.storage.members import Members

ON_HOME = 3
"""Ladders on the first page."""


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

    async def ladders(self) -> list[dict[str, Any]]:
        rows = await self._database.read(lambda connection: list_summaries(connection, LADDER, limit=ON_HOME))
        return [row.summary.body for row in rows]
