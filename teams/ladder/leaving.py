"""How a team leaves (rule 8): always possible, and without a hole in the ladder.

Issued challenges are void, accepted ones whose play has not begun are forfeited, a match that has begun is
played out first; then the ranks close and every other challenge stays as it is.
"""

from broadcast.tables.errors import Refusal
from teams.ladder.challenges import Challenge, Forfeit, Issued, Playing, VoidCause
from teams.ladder.decision import Decision, close_ranks, forfeit, side_of, void
from teams.ladder.events import TeamLeaving


def leave(decision: Decision, team: str, *, at_once: bool = False, cause: str = "left") -> None:
    """``at_once`` forfeits matches under way, too. Raises ``Refusal`` for a team that is not on the ladder."""
    if team not in decision.state.order:
        raise Refusal("not_on_ladder", "That team is not on this ladder", team=team)
    if decision.state.entrants[team].is_leaving and not at_once:
        return
    for challenge in decision.state.open_of(team):
        if isinstance(challenge.state, Issued):
            void(decision, challenge, VoidCause.LEFT)
        elif at_once or not _has_begun(decision, challenge):
            forfeit(decision, challenge, side_of(challenge, team), Forfeit.LEFT)
    if not decision.state.entrants[team].is_leaving:
        decision.record(TeamLeaving(team))
    close_ranks(decision, cause)


def _has_begun(decision: Decision, challenge: Challenge) -> bool:
    """Its match may be under way: made at once, or its date has come."""
    playing = challenge.state
    return isinstance(playing, Playing) and playing.is_under_way(decision.now)
