"""A ladder's regulation: every number has a name and a default, and a ladder may override it by name.

The defaults are the club regulation of challenge ladders; the whole set is stored with the ladder when it is
made, so that a later change of a default never reaches back into a running season. Times that a rule gives in
days or hours keep that unit in their name.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import timedelta
from enum import StrEnum

from broadcast.notation.time_zones import zone_named
from broadcast.tables.errors import Refusal
from broadcast.tables.setup import Release, ReleaseRule

MOST_WITHDRAWN = 20
"""No ladder lets a team withdraw more challenges of the same team at once than this."""


class LadderKind(StrEnum):
    TEAMS = "teams"
    CLUBS = "clubs"
    """A club fields any four of its members."""


class Movement(StrEnum):
    """What a challenger's win does to the rungs; ``teams.ladder.rungs`` has the arithmetic."""

    SWAP = "swap"
    CAPPED = "capped"
    INSERT = "insert"


class Schedule(StrEnum):
    DATES = "dates"
    """The defender offers dates, the challenger chooses one."""
    AT_ONCE = "at_once"
    """Acceptance makes the match and it may start."""


class DealsFrom(StrEnum):
    RANDOM = "random"
    TYPED = "typed"
    """Given as each board is opened."""


@dataclass(frozen=True, slots=True)
class LadderRules:
    range_least: int = 3
    """Every team may challenge at least so many places above."""
    range_divisor: int = 5
    """... and from rung r up to ceil(r / divisor) places above, if that is more."""
    entry_challenge: bool = True
    """A new team has one challenge without regard to the range."""
    entry_protects: int = 10
    """The top rungs that such a challenge cannot reach."""
    made_at_once: int = 1
    received_at_once: int = 2
    received_on_top: int = 3
    """Received at once on rung 1; the last of them only from a team of another club."""
    answer_days: int = 3
    grace_hours: int = 24
    """After the answer was due and before the silence counts as a forfeit."""
    free_declines: int = 1
    """Per team and season; every further decline is a forfeit."""
    withdrawn_at_most: int = 3
    """Challenges that a team issues to the same team and withdraws; then it waits until the first of them was
    withdrawn ``answer_days`` ago."""
    pair_days: int = 14
    """The same two teams do not meet again within so many days."""
    immunity_hours: int = 72
    """After a defence at the table."""
    return_days: int = 14
    """A team that left may come back, at the bottom, after so many days."""
    movement: Movement = Movement.SWAP
    fall_cap: int = 10
    """The farthest fall in places under ``capped``."""
    schedule: Schedule = Schedule.DATES
    dates_least: int = 3
    """Dates the defender offers, on so many different days."""
    dates_within_days: int = 14
    offer_days: int = 3
    """After acceptance, for the defender to offer dates; the grace of an answer comes on top."""
    choose_days: int = 3
    """After the offer, for the challenger to choose or refuse; the grace comes on top."""
    void_pause_days: int = 7
    """A challenger that refused every date, or whose match nobody came to, waits so long."""
    late_minutes: int = 20
    """After the date, until a team without a line-up has lost; 0: nobody is late."""
    play_days: int = 14
    """From the start of a match, until a challenge whose match is not closed is void."""
    inactivity: bool = True
    inactive_first_days: int = 30
    """Counted days until the first fall."""
    inactive_first_fall: int = 1
    inactive_second_days: int = 60
    inactive_second_fall: int = 3
    inactive_off_days: int = 90
    """Counted days until the team is off the ladder; never from rung 1."""
    rest_days: int = 30
    """Per team and season."""
    rest_days_top: int = 7
    """For the team on rung 1."""
    rest_closed_days: int = 21
    """At the end of a season, when nobody rests."""
    day_begins: int = 8
    """No offered date is earlier in the day, in hours of the club's time."""
    day_ends: int = 23
    time_zone: str = "UTC"
    """The club's, by its IANA name."""
    boards: int = 16
    deals: DealsFrom = DealsFrom.RANDOM
    scale: str = "wbf-2013"
    release: Release = field(default_factory=Release)
    """``live`` and ``delay`` let a second device see the other room: only a ladder that names them has them."""
    correction_minutes: int = 30

    @property
    def answer_within(self) -> timedelta:
        return timedelta(days=self.answer_days)

    @property
    def grace(self) -> timedelta:
        return timedelta(hours=self.grace_hours)

    @property
    def pair_pause(self) -> timedelta:
        return timedelta(days=self.pair_days)

    @property
    def void_pause(self) -> timedelta:
        return timedelta(days=self.void_pause_days)

    @property
    def return_pause(self) -> timedelta:
        return timedelta(days=self.return_days)

    @property
    def immunity(self) -> timedelta:
        return timedelta(hours=self.immunity_hours)

    def places_above(self, rung: int) -> int:
        """How many places above ``rung`` a challenge may reach.

        >>> [LadderRules().places_above(rung) for rung in (1, 15, 16, 160)]
        [3, 3, 4, 32]
        """
        return max(self.range_least, -(-rung // self.range_divisor))

    def received_limit(self, rung: int) -> int:
        """How many challenges the team on ``rung`` may have received at once."""
        return self.received_on_top if rung == 1 else self.received_at_once


def rules_from(overrides: Mapping[str, object], base: LadderRules | None = None) -> LadderRules:
    """The default regulation, or ``base``, with some rules replaced by name; values are JSON's.

    Raises ``Refusal`` ``unknown_rule`` for a name that is no rule, ``bad_rule`` for a value it cannot have.
    """
    known = {rule.name for rule in fields(LadderRules)}
    for name in overrides:
        if name not in known:
            raise Refusal("unknown_rule", f"A ladder has no rule named {name}", name=name, known=sorted(known))
    values = {name: _READERS[name](name, value) for name, value in overrides.items()}
    return replace(base or LadderRules(), **values)  # type: ignore[arg-type]


def rules_json(rules: LadderRules) -> dict[str, object]:
    """The regulation by name, as ``rules_from`` reads it."""
    shown: dict[str, object] = {rule.name: getattr(rules, rule.name) for rule in fields(LadderRules)}
    shown["release"] = release_json(rules.release)
    return shown


def release_json(release: Release) -> dict[str, object]:
    if release.rule is ReleaseRule.DELAY:
        return {"rule": release.rule.value, "seconds": release.seconds}
    return {"rule": release.rule.value}


def _bad(name: str, value: object, wanted: str) -> Refusal:
    return Refusal("bad_rule", f"The rule {name} needs {wanted}", name=name, value=value, wanted=wanted)


def _whole(least: int, most: int) -> Callable[[str, object], object]:
    def read(name: str, value: object) -> object:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise _bad(name, value, f"a whole number from {least} to {most}")
        return value

    return read


def _code(codes: type[StrEnum]) -> Callable[[str, object], object]:
    def read(name: str, value: object) -> object:
        if not isinstance(value, str) or value not in {code.value for code in codes}:
            raise _bad(name, value, "one of " + ", ".join(code.value for code in codes))
        return codes(value)

    return read


def _yes_or_no(name: str, value: object) -> object:
    if not isinstance(value, bool):
        raise _bad(name, value, "true or false")
    return value


def _scale(name: str, value: object) -> object:
    if not isinstance(value, str) or not value:
        raise _bad(name, value, "the name of a scale")
    return value


def _time_zone(name: str, value: object) -> object:
    if not isinstance(value, str):
        raise _bad(name, value, "the name of a time zone, like Europe/Ljubljana")
    try:
        zone_named(value)
    except (ValueError, LookupError, OSError):
        raise _bad(name, value, "the name of a time zone, like Europe/Ljubljana") from None
    return value


def _release(name: str, value: object) -> object:
    wanted = "a release: rule board, match, live or delay, with seconds for delay"
    if not isinstance(value, Mapping) or not set(value) <= {"rule", "seconds"}:
        raise _bad(name, value, wanted)
    rule, seconds = value.get("rule"), value.get("seconds", 0)
    if not isinstance(rule, str) or rule not in {code.value for code in ReleaseRule}:
        raise _bad(name, value, wanted)
    if not isinstance(seconds, int) or isinstance(seconds, bool) or not 0 <= seconds <= 86_400:
        raise _bad(name, value, wanted)
    if (rule == ReleaseRule.DELAY) != (seconds > 0):
        raise _bad(name, value, wanted)
    return Release(ReleaseRule(rule), seconds)


_READERS: Mapping[str, Callable[[str, object], object]] = {
    "range_least": _whole(1, 1000),
    "range_divisor": _whole(1, 1000),
    "entry_challenge": _yes_or_no,
    "entry_protects": _whole(0, 1000),
    "made_at_once": _whole(1, 100),
    "received_at_once": _whole(1, 100),
    "received_on_top": _whole(1, 100),
    "answer_days": _whole(1, 365),
    "grace_hours": _whole(0, 24 * 30),
    "free_declines": _whole(0, 100),
    "withdrawn_at_most": _whole(1, MOST_WITHDRAWN),
    "pair_days": _whole(0, 365),
    "immunity_hours": _whole(0, 24 * 365),
    "return_days": _whole(0, 365),
    "movement": _code(Movement),
    "fall_cap": _whole(1, 1000),
    "schedule": _code(Schedule),
    "dates_least": _whole(1, 20),
    "dates_within_days": _whole(1, 90),
    "offer_days": _whole(1, 90),
    "choose_days": _whole(1, 90),
    "void_pause_days": _whole(0, 365),
    "late_minutes": _whole(0, 24 * 60),
    "play_days": _whole(1, 365),
    "inactivity": _yes_or_no,
    "inactive_first_days": _whole(1, 1000),
    "inactive_first_fall": _whole(0, 1000),
    "inactive_second_days": _whole(1, 1000),
    "inactive_second_fall": _whole(0, 1000),
    "inactive_off_days": _whole(1, 1000),
    "rest_days": _whole(0, 365),
    "rest_days_top": _whole(0, 365),
    "rest_closed_days": _whole(0, 365),
    "day_begins": _whole(0, 23),
    "day_ends": _whole(1, 24),
    "time_zone": _time_zone,
    "boards": _whole(1, 128),
    "deals": _code(DealsFrom),
    "scale": _scale,
    "release": _release,
    "correction_minutes": _whole(0, 24 * 60),
}
