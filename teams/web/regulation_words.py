"""A ladder's regulation in words: its eleven rules, each with this ladder's numbers and the fields for them.

Sentences say what holds, not what is configured: a rule that is switched off says so. Source: the club
regulation.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from broadcast.tables.setup import ReleaseRule
from broadcast.web.languages import Language, catalogue
from teams.ladder.rules import LadderKind, LadderRules, Movement, Schedule


def _(phrase: str) -> str:
    return phrase


TITLES = (
    _("Whom a team may challenge"),
    _("How many challenges at once"),
    _("The answer"),
    _("The date"),
    _("Pauses and immunity"),
    _("How rungs move"),
    _("Inactivity and rest"),
    _("Leaving and coming back"),
    _("Rosters"),
    _("Seasons"),
    _("What every button says"),
)
FIELDS = {
    1: ("range_least", "range_divisor", "entry_challenge", "entry_protects"),
    2: ("made_at_once", "received_at_once", "received_on_top"),
    3: ("answer_days", "grace_hours", "free_declines", "withdrawn_at_most"),
    4: (
        "schedule", "dates_least", "dates_within_days", "offer_days", "choose_days", "day_begins", "day_ends",
        "time_zone", "late_minutes", "play_days", "void_pause_days", "boards", "deals", "release", "scale",
        "correction_minutes",
    ),
    5: ("pair_days", "immunity_hours"),
    6: ("movement", "fall_cap"),
    7: (
        "inactivity", "inactive_first_days", "inactive_first_fall", "inactive_second_days",
        "inactive_second_fall", "inactive_off_days", "rest_days", "rest_days_top", "rest_closed_days",
    ),
    8: ("return_days",),
    9: (),
    10: (),
    11: (),
}  # fmt: skip
"""The members of ``LadderRules`` that each rule is about."""
LABELS = {
    "range_least": _("Places above, at least"),
    "range_divisor": _("... or the rung divided by"),
    "entry_challenge": _("A new team has one challenge without this range"),
    "entry_protects": _("Top rungs that it cannot reach"),
    "made_at_once": _("Challenges made at once"),
    "received_at_once": _("Challenges received at once"),
    "received_on_top": _("... on rung 1"),
    "answer_days": _("Days to answer"),
    "grace_hours": _("Hours of grace after any deadline"),
    "free_declines": _("Free declines of a season"),
    "withdrawn_at_most": _("Challenges of one team withdrawn before a pause"),
    "schedule": _("When a match is played"),
    "dates_least": _("Dates to offer, at least"),
    "dates_within_days": _("... within days"),
    "offer_days": _("Days to offer dates"),
    "choose_days": _("Days to choose"),
    "day_begins": _("No date before (hour)"),
    "day_ends": _("... and none after (hour)"),
    "time_zone": _("The club's time zone"),
    "late_minutes": _("Minutes until a team is late (0: never)"),
    "play_days": _("Days to finish a match"),
    "void_pause_days": _("Days of cooldown after a void challenge"),
    "boards": _("Boards of a match"),
    "deals": _("Deals"),
    "release": _("When spectators see a board"),
    "scale": _("Victory points"),
    "correction_minutes": _("Minutes of the correction period"),
    "pair_days": _("Days before the same two teams meet again"),
    "immunity_hours": _("Hours of immunity after a defence"),
    "movement": _("How a win moves the rungs"),
    "fall_cap": _("Farthest fall, in rungs"),
    "inactivity": _("Teams that do not play fall"),
    "inactive_first_days": _("Counted days until the first fall"),
    "inactive_first_fall": _("... by rungs"),
    "inactive_second_days": _("Counted days until the second fall"),
    "inactive_second_fall": _("... by rungs (second fall)"),
    "inactive_off_days": _("Counted days until off the ladder"),
    "rest_days": _("Days of rest of a season"),
    "rest_days_top": _("... for rung 1"),
    "rest_closed_days": _("No rest in the last days of a season"),
    "return_days": _("Days before a team may come back"),
}
CHOICES = {
    "swap": _("Exchange rungs"),
    "capped": _("Exchange rungs, with a farthest fall"),
    "insert": _("Insert: those between move down one"),
    "dates": _("The defender offers dates, the challenger chooses"),
    "at_once": _("At once, when the challenge is accepted"),
    "random": _("Shuffled by the server, shut until opened"),
    "typed": _("Typed in as boards are opened"),
    "board": _("When both rooms have finished it"),
    "match": _("When the match is closed"),
    "live": _("At once"),
    "delay": _("After a delay"),
}
RELEASES = {
    ReleaseRule.BOARD: _("Spectators see a board when both rooms have finished it."),
    ReleaseRule.MATCH: _("Spectators see the boards when the match is closed."),
    ReleaseRule.LIVE: _("Spectators see every call and card at once: players have no devices."),
    ReleaseRule.DELAY: _(
        "Spectators see every call and card after {seconds} seconds: players have no devices."
    ),
}
MOVEMENTS = {
    Movement.SWAP: _(
        "A challenger that wins and the defender exchange rungs; the defender never falls below the rung "
        "from which it was challenged."
    ),
    Movement.CAPPED: _(
        "A challenger that wins takes the defender's rung; the defender takes the challenger's, but falls "
        "at most {cap} rungs, and those between move up one."
    ),
    Movement.INSERT: _("A challenger that wins takes the defender's rung; those between move down one."),
}


@dataclass(frozen=True, slots=True)
class RuleInWords:
    number: int
    title: str
    sentences: tuple[str, ...]
    fields: tuple[str, ...]


def regulation(rules: LadderRules, kind: LadderKind, language: Language) -> list[RuleInWords]:
    """The eleven rules as they hold on a ladder with these numbers."""
    gettext = catalogue(language).gettext

    def say(phrase: str, **values: object) -> str:
        told: str = gettext(phrase)
        return told.format(**values)

    return [
        RuleInWords(
            number,
            say(TITLES[number - 1]),
            tuple(_SENTENCES[number - 1](rules, kind, say)),
            FIELDS[number],
        )
        for number in range(1, 12)
    ]


Say = Callable[..., str]


def _range(rules: LadderRules, kind: LadderKind, say: Say) -> Iterator[str]:
    yield say(
        _(
            "From rung r a team may challenge up to {least} places above, or 1/{divisor} of r, rounded "
            "up, if that is more: from rung 40 up to {example} places."
        ),
        least=rules.range_least,
        divisor=rules.range_divisor,
        example=rules.places_above(40),
    )
    if rules.entry_challenge:
        yield say(
            _(
                "A new team enters at the bottom with one challenge without regard to this range, but not "
                "into the top {protects}; once per club, captain and season, and not after coming back."
            ),
            protects=rules.entry_protects,
        )
    else:
        yield say(_("A new team enters at the bottom."))


def _at_once(rules: LadderRules, kind: LadderKind, say: Say) -> Iterator[str]:
    yield say(
        _(
            "A team may have made {made} and received {received} at once; the team on rung 1 may have "
            "received {top}, what is above {received} only from teams of another club."
        ),
        made=rules.made_at_once,
        received=rules.received_at_once,
        top=rules.received_on_top,
    )
    yield say(_("Two teams have at most one open challenge between them, whichever way."))


def _answer(rules: LadderRules, kind: LadderKind, say: Say) -> Iterator[str]:
    yield say(
        _(
            "The defender answers within {days} days. It is reminded after two thirds of the time and at "
            "its end; {grace} hours later silence is a forfeit."
        ),
        days=rules.answer_days,
        grace=rules.grace_hours,
    )
    yield say(
        _("Free declines of a team in a season: {free}. Every further decline is a forfeit."),
        free=rules.free_declines,
    )
    yield say(
        _(
            "The challenger may withdraw freely before the answer; afterwards that is a loss, and a "
            "defender who withdraws forfeits."
        )
    )
    yield say(
        _(
            "Who has withdrawn {most} challenges of the same team within {days} days waits until the first "
            "of them is so old."
        ),
        most=rules.withdrawn_at_most,
        days=rules.answer_days,
    )


def _date(rules: LadderRules, kind: LadderKind, say: Say) -> Iterator[str]:
    if rules.schedule is Schedule.AT_ONCE:
        yield say(_("The match is made when the challenge is accepted, and may start."))
    else:
        yield say(
            _(
                "The defender offers dates on at least {least} different days within {within} days, "
                "between {begins}:00 and {ends}:00 ({zone}), and has {offer} days for that; the challenger "
                "has {choose} days to choose."
            ),
            least=rules.dates_least,
            within=rules.dates_within_days,
            begins=rules.day_begins,
            ends=rules.day_ends,
            zone=rules.time_zone,
            offer=rules.offer_days,
            choose=rules.choose_days,
        )
        yield say(
            _(
                "Dates once offered stand until they pass. The defender may add others, which gives the "
                "challenger no more time to choose."
            )
        )
        yield say(
            _(
                "Offering none is a forfeit, choosing none a loss. If every date is refused the challenge "
                "is void and counts as the defender's decline; when it has none left, the server sets the "
                "date. The challenger of a void challenge waits {pause} days."
            ),
            pause=rules.void_pause_days,
        )
    if rules.late_minutes and rules.schedule is Schedule.DATES:
        yield say(
            _(
                "The rooms open at the date. A team that has not come {minutes} minutes later has lost; if "
                "both are absent the challenge is void."
            ),
            minutes=rules.late_minutes,
        )
    yield say(
        _("A match has {boards} boards and is finished within {days} days, or the challenge is void."),
        boards=rules.boards,
        days=rules.play_days,
    )
    yield say(RELEASES[rules.release.rule], seconds=rules.release.seconds)
    yield say(
        _("The score stands {minutes} minutes after the last board, or as soon as both captains agree."),
        minutes=rules.correction_minutes,
    )


def _pauses(rules: LadderRules, kind: LadderKind, say: Say) -> Iterator[str]:
    yield say(
        _("The same two teams do not meet again within {days} days; a void challenge starts these, too."),
        days=rules.pair_days,
    )
    yield say(
        _(
            "After a defence at the table a team cannot be challenged for {hours} hours. What was accepted "
            "before stays."
        ),
        hours=rules.immunity_hours,
    )


def _moves(rules: LadderRules, kind: LadderKind, say: Say) -> Iterator[str]:
    yield say(MOVEMENTS[rules.movement], cap=rules.fall_cap)
    yield say(
        _(
            "The challenger climbs to the rung on which the defender stands then, and only if that is a "
            "climb. More IMPs win, a tie stays with the defender; a forfeit moves like a win."
        )
    )
    yield say(
        _(
            "Rungs move when the match is closed for everyone, in order of finishing. A ruling after that "
            "which turns the result decides the challenge anew, with a new move; what came in between "
            "stays."
        )
    )


def _idle(rules: LadderRules, kind: LadderKind, say: Say) -> Iterator[str]:
    if rules.inactivity:
        yield say(
            _(
                "Counted are days on which a team could challenge or left a challenge unanswered. After "
                "{first} it falls {fall}, after {second} {more}, after {off} it is off the ladder. It is "
                "told 7 days and 1 day before. Rung 1 is spared the first fall and never taken off unseen."
            ),
            first=rules.inactive_first_days,
            fall=rules.inactive_first_fall,
            second=rules.inactive_second_days,
            more=rules.inactive_second_fall,
            off=rules.inactive_off_days,
        )
    else:
        yield say(_("Teams that do not play keep their rung."))
    yield say(
        _(
            "A team may rest {days} days a season (on rung 1: {top}). It holds its rung, neither "
            "challenges nor is challenged, and is back by itself. Nobody rests in the last {closed} days "
            "of a season."
        ),
        days=rules.rest_days,
        top=rules.rest_days_top,
        closed=rules.rest_closed_days,
    )


def _leaving(rules: LadderRules, kind: LadderKind, say: Say) -> Iterator[str]:
    yield say(
        _(
            "A team may always leave. A match that has begun is played out; accepted challenges whose "
            "match has not begun are forfeited, unanswered ones void. Then the ranks close, and every "
            "other challenge stays."
        )
    )
    yield say(_("It may come back after {days} days, at the bottom."), days=rules.return_days)


def _rosters(rules: LadderRules, kind: LadderKind, say: Say) -> Iterator[str]:
    if kind is LadderKind.CLUBS:
        yield say(_("A club fields any four of its members."))
    else:
        yield say(_("A team has 4 to 8 players."))
    yield say(
        _(
            "Nobody plays for two of this ladder. The roster stands still from the acceptance of a "
            "challenge to its end; two substitutes are allowed."
        )
    )


def _seasons(rules: LadderRules, kind: LadderKind, say: Say) -> Iterator[str]:
    yield say(
        _(
            "A season is archived whole. The next one keeps the order or begins with a new one, and every "
            "rung's history can be replayed."
        )
    )


def _buttons(rules: LadderRules, kind: LadderKind, say: Say) -> Iterator[str]:
    yield say(
        _(
            "Every button that may be pressed says what a win and a loss would mean; where there is none, "
            "the row says which rule forbids it and until when. The page and the server ask the same rule."
        )
    )


_SENTENCES: tuple[Callable[[LadderRules, LadderKind, Say], Iterator[str]], ...] = (
    _range, _at_once, _answer, _date, _pauses, _moves, _idle, _leaving, _rosters, _seasons, _buttons,
)  # fmt: skip
