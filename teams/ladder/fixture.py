"""The match that decides a challenge, as the ladder's rules want it."""

from collections.abc import Mapping
from datetime import datetime

from broadcast.bridge.deals import Deal
from broadcast.bridge.rooms import Team
from broadcast.tables.commands import CreateMatch
from broadcast.tables.setup import Challenge as DecidedChallenge
from broadcast.tables.setup import ReleaseRule, Segment, TeamName
from teams.ladder.challenges import Challenge, Side
from teams.ladder.rules import DealsFrom
from teams.ladder.state import LadderState

AGREED_BOARDS = (8, 12, 16)
"""Lengths of a match that two teams may agree on, beside the ladder's own."""
NS_OPEN = Team.HOME
"""Sits North-South in the open room: the defender, who is home."""


def team_of(side: Side) -> Team:
    """The defender is home."""
    return Team.HOME if side is Side.DEFENDER else Team.VISITORS


def boards_of(state: LadderState, challenge: Challenge) -> int:
    """How many boards the challenge's match has: as agreed, or as the ladder has it."""
    return challenge.boards or state.rules.boards


def match_of(
    state: LadderState,
    challenge: Challenge,
    deals: Mapping[str, Deal],
    starts_at: datetime | None = None,
) -> CreateMatch:
    """The defender is home and sits North-South in the open room; one segment of the length agreed.

    ``deals`` by ``1.number``: one for every board where deals are random, none where they are typed. Raises
    ``ValueError`` for any other number.
    """
    rules, length = state.rules, boards_of(state, challenge)
    may_be_late = starts_at is not None and rules.late_minutes > 0
    boards = {f"1.{number}" for number in range(1, length + 1)}
    wanted = boards if rules.deals is DealsFrom.RANDOM else set()
    if set(deals) != wanted:
        raise ValueError(f"the match needs {len(wanted)} deals, not {len(deals)}")
    home, visitors = (
        TeamName(state.entrants[team].name, team) for team in (challenge.defender, challenge.challenger)
    )
    return CreateMatch(
        title=state.name,
        home=home,
        visitors=visitors,
        segments=(Segment(1, "1", 1, length, NS_OPEN),),
        scale=rules.scale,
        release=rules.release,
        correction_minutes=rules.correction_minutes,
        # A ladder whose regulation names such a release vouches that its players have no devices.
        no_devices=rules.release.rule in (ReleaseRule.LIVE, ReleaseRule.DELAY),
        deals=deals,
        challenge=DecidedChallenge(state.id, challenge.id, needs_lineups=may_be_late),
        starts_at=starts_at,
    )
