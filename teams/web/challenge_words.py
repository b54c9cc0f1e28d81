"""What a challenge's page says: its way through the states, the exits of the present one, how it ended."""

from dataclasses import dataclass
from datetime import datetime

from teams.ladder.challenges import Accepted, Challenge, Decided, Forfeit, Forfeited, Playing, Side, Voided
from teams.ladder.exits import Exit, exits
from teams.ladder.rules import Schedule
from teams.ladder.state import LadderState
from teams.ladder.views import moment_json
from teams.web.ladder_words import Words


def _(phrase: str) -> str:
    return phrase


STATES = {
    "issued": _("Challenged"),
    "accepted": _("Accepted: a date is agreed"),
    "dates": _("Dates are offered"),
    "dated": _("A date is set"),
    "playing": _("In play"),
    "decided": _("Decided"),
    "declined": _("Declined"),
    "withdrawn": _("Withdrawn"),
    "forfeited": _("Forfeited"),
    "voided": _("Void"),
}
STEPS = {
    ("accept", "accepted"): _("{by} accepts: then a date is agreed."),
    ("accept", "playing"): _("{by} accepts: the match is made and may start."),
    ("decline", "declined"): _("{by} declines: nothing moves, and its free decline of the season is used."),
    ("decline", "forfeited"): _(
        "{by} declines: it has no free decline left, so that is a forfeit and the rungs move."
    ),
    ("withdraw", "withdrawn"): _("{by} withdraws: nothing moves."),
    ("offer", "dates"): _("{by} offers dates: then {other} chooses one."),
    ("choose", "playing"): _("{by} chooses a date: the match is made and its rooms open then."),
    ("refuse", "voided"): _(
        "{by} refuses every date: the challenge is void, {other} has used its free decline and {by} waits "
        "before the next challenge."
    ),
    ("refuse", "house_date"): _(
        "{by} refuses every date: {other} has no free decline left, so the server sets the date."
    ),
    ("close", "decided"): _(
        "The match is closed: more IMPs win, a tie stays with {defender}. If {challenger} wins the rungs move "
        "at that moment."
    ),
}
WITHDRAWS = {
    Side.CHALLENGER: _("{by} withdraws: that is a loss, nothing moves."),
    Side.DEFENDER: _("{by} withdraws: that is a forfeit and the rungs move."),
}
OPENS = _("The rooms open on {at}.")
CLOCK = {
    "issued": _("No answer until {until}: {defender} forfeits and the rungs move."),
    "accepted": _("No dates until {until}: {defender} forfeits and the rungs move."),
    "dates": _("No choice until {until}: {challenger} loses, nothing moves."),
    "late": _("{late} has not come by {until}: it loses the match without play."),
    "absent": _("Nobody has come by {until}: the challenge is void."),
    "unplayed": _("The match is not closed by {until}: the challenge is void."),
}
ENDINGS = {
    "won": _(
        "{challenger} has won by {imps} IMPs to {others} and climbs to the rung on which {defender} stood."
    ),
    "won_below": _(
        "{challenger} has won by {imps} IMPs to {others}; it stood above {defender} by then, so nothing moves."
    ),
    "held": _("{defender} has defended its rung by {imps} IMPs to {others}."),
    "tied": _("Level at {imps} IMPs: {defender} keeps its rung."),
    "turned": _(
        "A ruling after the closing has turned the result, so the challenge was decided anew with a move "
        "of its own. What happened in between stays."
    ),
    "declined": _("{defender} has declined, with its free decline of the season."),
    "withdrawn": _("{challenger} has withdrawn before the answer."),
    Forfeit.DECLINED.value: _("{loser} has declined without a free decline left: {winner} wins without play."),
    Forfeit.UNANSWERED.value: _("{loser} has not answered in time: {winner} wins without play."),
    Forfeit.WITHDREW.value: _("{loser} has withdrawn: {winner} wins without play."),
    Forfeit.LEFT.value: _("{loser} has left the ladder: {winner} wins without play."),
    Forfeit.UNOFFERED.value: _("{loser} has offered no dates in time: {winner} wins without play."),
    Forfeit.UNCHOSEN.value: _("{loser} has chosen no date in time: {winner} wins without play."),
    Forfeit.LATE.value: _("{loser} came late: {winner} wins without play."),
    "void_left": _("A team has left the ladder before the answer: the challenge is void."),
    "void_dates_refused": _("Every date was refused: the challenge is void."),
    "void_both_absent": _("Neither team came: the challenge is void."),
    "void_unplayed": _(
        "The match was not finished in time: the challenge is void. Closed after all, it decides."
    ),
    "void_season_over": _("The season ended before the match: the challenge is void."),
    "void": _("The director has declared the challenge void: {reason}"),
}


@dataclass(frozen=True, slots=True)
class Step:
    """A place on the challenge's way."""

    title: str
    mark: str
    """``done``, ``now``, ``bad`` for an ending without play, empty for what may come."""
    told: tuple[str, ...] = ()
    clock: str | None = None
    """What happens when nobody does anything."""


@dataclass(frozen=True, slots=True)
class ChallengeWords:
    """A challenge in words. ``hidden`` leaves out what tells a result."""

    words: Words
    state: LadderState
    challenge: Challenge
    hidden: bool = False

    @property
    def names(self) -> dict[str, str]:
        entrants = self.state.entrants
        return {
            "challenger": entrants[self.challenge.challenger].name,
            "defender": entrants[self.challenge.defender].name,
        }

    def name(self, side: Side) -> str:
        return self.names[side.value]

    def way(self, now: datetime) -> list[Step]:
        """From the challenge to its end; what has not come yet is named, so that all see where it leads."""
        order = ["issued", "playing", "decided"]
        if self.state.rules.schedule is Schedule.DATES or isinstance(self.challenge.state, Accepted):
            order = ["issued", "accepted", "dates", "dated", "playing", "decided"]
        place = self.place(now)
        if place not in order:
            return self._ended(place)
        at = order.index(place)
        return [
            self._step(code, "done" if number < at else "now" if number == at else "")
            for number, code in enumerate(order)
        ]

    def place(self, now: datetime) -> str:
        """Where it stands: a code of ``STATES``."""
        match self.challenge.state:
            case Accepted(offered):
                return "dates" if offered else "accepted"
            case Playing() as playing:
                return "playing" if playing.is_under_way(now) else "dated"
            case other:
                return other.code

    def _ended(self, place: str) -> list[Step]:
        return [self._step("issued", "done"), Step(self.title(place), "bad", self.ending())]

    def title(self, place: str) -> str:
        return self.words.say(STATES[place])

    def _step(self, code: str, mark: str) -> Step:
        title = self.title(code)
        if mark == "now" and code == "decided":
            return Step(title, mark, self.ending())
        if mark == "now":
            ways = exits(self.state, self.challenge)
            told = (*self._opening(code), *(self.exit(way) for way in ways if way.step != "clock"))
            return Step(title, mark, told, self.exit(ways[-1]))
        if code == "issued":
            return Step(f"{title}, {self.words.time(moment_json(self.challenge.issued_at))}", mark)
        return Step(title, mark)

    def _opening(self, code: str) -> tuple[str, ...]:
        playing = self.challenge.state
        if code != "dated" or not isinstance(playing, Playing):
            return ()
        return (self.words.say(OPENS, at=self.words.time(moment_json(playing.starts_at))),)

    def exit(self, way: Exit) -> str:
        """One way out, in a sentence."""
        if way.step == "clock":
            return self._clock(way)
        by = {} if way.by is None else {"by": self.name(way.by), "other": self.name(way.by.other)}
        if way.step == "withdraw" and way.loser is not None:
            return self.words.say(WITHDRAWS[way.loser], **by)
        return self.words.say(STEPS[(way.step, way.leads_to)], **self.names, **by)

    def _clock(self, way: Exit) -> str:
        challenge = self.challenge
        match challenge.state:
            case Accepted(offered):
                code = "dates" if offered else "accepted"
            case Playing() as playing:
                is_late = way.at == playing.late_at
                code = "late" if way.loser is not None else "absent" if is_late else "unplayed"
            case other:
                code = other.code
        late = "" if way.loser is None else self.name(way.loser)
        until = self.words.time(moment_json(way.at))
        return self.words.say(CLOCK[code], until=until, late=late, **self.names)

    def ending(self) -> tuple[str, ...]:
        """How it ended, in sentences."""
        final, say = self.challenge.state, self.words.say
        match final:
            case Decided() if self.hidden:
                return ()
            case Decided():
                return self._decided(final)
            case Forfeited(winner, cause):
                told = say(ENDINGS[cause.value], winner=self.name(winner), loser=self.name(winner.other))
                return () if self.hidden else (told,)
            case Voided(_, reason):
                phrase = ENDINGS.get(f"void_{reason}", ENDINGS["void"])
                return (say(phrase, reason=reason),)
            case other:
                return (say(ENDINGS[other.code], **self.names),)

    def _decided(self, final: Decided) -> tuple[str, ...]:
        won = final.winner is Side.CHALLENGER
        imps = (
            (final.imps_challenger, final.imps_defender)
            if won
            else (final.imps_defender, final.imps_challenger)
        )
        code = "won" if won else "held" if imps[0] != imps[1] else "tied"
        if won and final.climbed_from is None:
            code = "won_below"
        told = self.words.say(ENDINGS[code], imps=f"{imps[0]:g}", others=f"{imps[1]:g}", **self.names)
        return (told, self.words.say(ENDINGS["turned"])) if final.turned else (told,)
