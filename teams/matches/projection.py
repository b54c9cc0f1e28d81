"""The comparison as a projection of a match: a pure fold over its events, released or all.

It fulfils ``broadcast.feeds.projection.Projection``. Folded over released events it makes the public
``comparison`` and ``worth`` events, the totals, and what a ladder is told; over the whole log, the director's
view. It keeps what it last said of each board, so that an event costs one comparison and tells only what has
changed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from broadcast.bridge.rooms import Room
from broadcast.feeds import public_json
from broadcast.feeds.projection import Derived
from broadcast.feeds.streams import Consequence, PublicEvent
from broadcast.tables.events import (
    BoardEvent,
    BoardKey,
    LineupNamed,
    MatchClosed,
    MatchEvent,
    MatchReopened,
    MatchStarted,
    MatchVoided,
    RoomEvent,
    SegmentAdded,
)
from broadcast.tables.recorded import Recorded
from broadcast.tables.state import MatchState
from teams.matches.comparison import Comparison, compare
from teams.matches.figures import number
from teams.matches.outcome import Outcome, beginning, decision, outcome_of, voiding
from teams.matches.totals import Tally, Totals, tally, totals
from teams.matches.worth import Prospect, room_at_stake, worth
from teams.scales.victory_points import SCALES, VpScale

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class AtStake:
    """A room's likely results and what each would be worth."""

    room: Room
    outcomes: tuple[Prospect, ...]

    def as_json(self) -> Json:
        return {"room": self.room.value, "outcomes": [_outcome_at_stake(each) for each in self.outcomes]}


def _outcome_at_stake(likely: Prospect) -> Json:
    result = likely.result
    return {
        "contract": "Pass" if result.contract is None else str(result.contract),
        "declarer": result.declarer,
        "tricks": result.tricks,
        "score_ns": likely.score_ns,
        "imps_home": number(likely.imps_home),
    }


@dataclass(frozen=True, slots=True)
class Compared:
    """The projection's state: every board as last compared, and the match's totals."""

    boards: Mapping[BoardKey, Comparison]
    stakes: Mapping[BoardKey, AtStake]
    """Only boards with something at stake."""
    tally: Tally
    totals: Totals
    match: str
    """Id of the match."""
    closed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class MatchComparison:
    """The projection that compares the two rooms; ``scales`` are the VP scales it knows by name."""

    scales: Mapping[str, VpScale] = field(default_factory=lambda: SCALES)

    def start(self, match: MatchState, id: str) -> Compared:
        """``id`` is the match's, for the ladder whose challenge it decides."""
        boards = {key: compare(match, key) for key in match.boards}
        added = tally(boards.values())
        return Compared(boards, {}, added, totals(match, added, self.scales), id)

    def step(
        self, held: Compared, before: MatchState, after: MatchState, recorded: Recorded[MatchEvent]
    ) -> Derived:
        touched = _touched(after, recorded.event)
        compared = {key: compare(after, key) for key in touched}
        changed = [
            key
            for key, comparison in compared.items()
            if comparison != held.boards[key] or before.boards[key].award != after.boards[key].award
        ]
        boards = {**held.boards, **compared} if changed else held.boards
        if isinstance(recorded.event, SegmentAdded):
            boards = {**boards, **{key: compare(after, key) for key in after.boards.keys() - boards.keys()}}
        added = held.tally
        for key in changed:
            added = added.exchanged(held.boards[key], compared[key])
        total = held.totals
        if added != held.tally or _moves_totals(before, after, touched):
            total = totals(after, added, self.scales)
        if total != held.totals and not changed:
            changed = [*touched]
        stakes, news = _stakes(held.stakes, after, touched)
        closed_at = recorded.recorded_at if isinstance(recorded.event, MatchClosed) else held.closed_at
        now = Compared(boards, stakes, added, total, held.match, closed_at)
        at = public_json.moment(recorded.recorded_at)
        events = tuple(_told(now, after, key, at, news.pop(key, None)) for key in changed)
        return Derived(
            now,
            events,
            worth=next(iter(news.values()), None),
            outcome=_outcome(now, after, recorded.event),
            consequences=_consequences(held, now, after, recorded.event),
        )

    def totals(self, held: Compared, match: MatchState) -> Json:
        return totals_json(held.totals)

    def board(self, held: Compared, key: BoardKey) -> Json:
        stake = held.stakes.get(key)
        return comparison_json(held.boards[key]) | {"worth": None if stake is None else stake.as_json()}


def _told(now: Compared, match: MatchState, key: BoardKey, at: str, worth_news: Json | None) -> PublicEvent:
    """The ``comparison`` event of a board; a change of its worth rides behind it."""
    data = {
        "segment": key.segment,
        "board": key.number,
        "at": at,
        **comparison_json(now.boards[key]),
        "award": public_json.award(match.boards[key].award),
        "totals": totals_json(now.totals),
    }
    return PublicEvent("comparison", data, None, aside=worth_news)


def comparison_json(comparison: Comparison) -> Json:
    """A board's ``imps_home imps_visitors pending held``."""
    return {
        "imps_home": None if comparison.home is None else number(comparison.home),
        "imps_visitors": None if comparison.visitors is None else number(comparison.visitors),
        "pending": comparison.pending,
        "held": comparison.held,
    }


def totals_json(total: Totals) -> Json:
    """A match's ``totals``; VPs are rounded to two decimals."""
    vps = total.vps
    return {
        "imps": {"home": number(total.home), "visitors": number(total.visitors)},
        "vps": None if vps is None else {"home": number(vps.home), "visitors": number(vps.visitors)},
        "vps_reason": total.vps_reason,
        "boards_compared": total.boards_compared,
        "boards_total": total.boards_total,
    }


def outcome_json(outcome: Outcome, total: Totals) -> Json:
    """The ``outcome`` of a closed challenge."""
    return {
        "result": outcome.code,
        "winner": outcome.winner.value,
        "imps": {"home": number(total.home), "visitors": number(total.visitors)},
    }


def _touched(match: MatchState, event: MatchEvent) -> Iterable[BoardKey]:
    """The boards whose comparison the event may change."""
    if isinstance(event, RoomEvent | BoardEvent):
        return (event.key,)
    if isinstance(event, MatchClosed | MatchReopened | MatchVoided | LineupNamed):
        return tuple(match.boards)
    return ()


def _moves_totals(before: MatchState, after: MatchState, touched: Iterable[BoardKey]) -> bool:
    return (
        before.penalties is not after.penalties
        or len(before.boards) != len(after.boards)
        or any(before.boards[key].is_cancelled != after.boards[key].is_cancelled for key in touched)
    )


def _stakes(
    earlier: Mapping[BoardKey, AtStake], match: MatchState, touched: Iterable[BoardKey]
) -> tuple[Mapping[BoardKey, AtStake], dict[BoardKey, Json]]:
    """What is at stake now, and the ``worth`` data of the boards where that changed."""
    stakes = dict(earlier)
    news: dict[BoardKey, Json] = {}
    for key in touched:
        was, now = earlier.get(key), _at_stake(match, key)
        if was == now:
            continue
        where = {"segment": key.segment, "board": key.number}
        if now is not None:
            stakes[key] = now
            news[key] = where | now.as_json()
        elif was is not None:
            del stakes[key]
            news[key] = where | AtStake(was.room, ()).as_json()
    return stakes, news


def _at_stake(match: MatchState, key: BoardKey) -> AtStake | None:
    outcomes, room = worth(match, key), room_at_stake(match, key)
    return AtStake(room, outcomes) if outcomes and room is not None else None


def _outcome(now: Compared, match: MatchState, event: MatchEvent) -> Json | None:
    """What ``closed`` says of a challenge."""
    if match.created.challenge is None or not isinstance(event, MatchClosed):
        return None
    return outcome_json(outcome_of(now.totals), now.totals)


def _consequences(
    held: Compared, now: Compared, match: MatchState, event: MatchEvent
) -> tuple[Consequence, ...]:
    """What the ladder of a challenge is told: its start, its end, a ruling that changes it, that it is void."""
    challenge = match.created.challenge
    if challenge is None:
        return ()
    if isinstance(event, MatchStarted):
        return (beginning(challenge, now.match),)
    if isinstance(event, MatchVoided):
        return (voiding(challenge, now.match, event.reason),)
    if match.closed is None or match.voided is not None or now.closed_at is None:
        return ()
    before, after = held.totals, now.totals
    is_changed = (before.home, before.visitors) != (after.home, after.visitors)
    if not is_changed and not isinstance(event, MatchClosed):
        return ()
    return (decision(challenge, now.match, after, now.closed_at),)
