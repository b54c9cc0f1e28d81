"""What a ladder's pages say: rows, outcomes, refusals and endings, in the reader's language.

Codes become phrases here and nowhere else. What a live page draws by itself it draws from the same phrases
(``live_words``) by the same rules; ``static/js/ladder_words.js`` is the twin of ``row_news``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import groupby
from typing import Any

from babel.dates import format_skeleton

from broadcast.notation.time_zones import zone_named
from broadcast.web import wording
from broadcast.web.filters import moment
from broadcast.web.languages import Language, catalogue
from broadcast.web.problems import Problem, translated
from teams.ladder.eligibility import Rule
from teams.ladder.sentences import sentence_of

Json = dict[str, Any]


def _(phrase: str) -> str:
    return phrase


ROW = {
    "challenges": _("challenges {team}, answer due {until}"),
    "challenged": _("challenged by {team}, answer due {until}"),
    "offers": _("is to offer {team} dates by {until}"),
    "awaits_dates": _("gets dates from {team} by {until}"),
    "chooses": _("is to choose a date with {team} by {until}"),
    "awaits_choice": _("offered {team} dates, choice due {until}"),
    "plays_on": _("plays {team} on {until}"),
    "plays": _("plays {team}"),
    "more": _("and {number} more"),
    "leaving": _("leaves the ladder after its match"),
    "rests": _("rests until {until}"),
    "immune": _("immune until {until}"),
    "waits": _("on cooldown: may challenge again from {until}"),
}
"""What a row says of its team."""
OTHERS = {
    "up": _("up"),
    "down": _("down"),
    "new": _("new"),
    "challenge": _("Challenge"),
    "challenge_team": _("Challenge {team}"),
    "if_win": _("If you win: you on rung {mine}, {team} on rung {theirs}."),
    "if_loss": _("If you lose: nothing moves."),
    "entry": _("Uses your entry challenge."),
    "until": _("Until {until}."),
    "the_challenge": _("the challenge"),
    "the_match": _("the match"),
    "last_matches": _("last matches:"),
    "won": _("won"),
    "lost": _("lost"),
    "joint": _("; "),
    "and_others": _("and {number} more move"),
    "count": _("{number} teams"),
    "count_one": _("{number} team"),
    "rung": _("rung {rung}"),
    "reconnecting": _("RECONNECTING"),
    "updated": _("Updated {time}"),
}
MOVES = {
    "enters": _("{team} enters on rung {rung}"),
    "left": _("{team} leaves the ladder from rung {rung}"),
    "stays": _("{team} stays on rung {rung}"),
    "climbs": _("{team} climbs from rung {before} to {after}"),
    "falls": _("{team} falls from rung {before} to {after}"),
}
"""Moves as sentences, without their cause."""


NEW_FOR = timedelta(days=14)
"""A team that has entered and not moved since is called new so long."""
TOLD = 2
"""Moves of one step that are told one by one."""


def together(moves: Iterable[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Moves of a history, in whatever order it is, by the steps that they belong to."""
    return [list(step) for _, step in groupby(moves, key=lambda move: (move["at"], move["challenge"]))]


@dataclass(frozen=True, slots=True)
class News:
    """A piece of what a row says."""

    text: str
    path: str | None = None
    """The page it leads to."""


@dataclass(frozen=True, slots=True)
class Words:
    """A ladder's phrases in one language; times are the club's, as its captains agree on them."""

    language: Language
    zone: str

    def say(self, phrase: str, **values: object) -> str:
        told: str = catalogue(self.language).gettext(phrase)
        return told.format(**values)

    def time(self, at: str | None) -> str:
        """``Dec 3, 19:30``.

        >>> Words(Language.ENGLISH, "Europe/Ljubljana").time("2026-12-03T18:30:00Z")
        'Dec 3, 19:30'
        """
        return _time(self.language, self.zone, at)

    def day(self, at: str | None) -> str:
        """``Dec 3, 2026``."""
        when = self._local(at)
        return "" if when is None else format_skeleton("yMMMd", when, locale=self.language.value)

    def clock(self, at: str | None) -> str:
        when = self._local(at)
        return "" if when is None else f"{when:%H:%M}"

    def _local(self, at: str | None) -> datetime | None:
        return _local(self.zone, at)

    def row_news(self, row: Mapping[str, Any], now: datetime) -> list[News]:
        """What a row of the ladder's JSON says of its team at ``now``; nothing of one that is free."""
        news = []
        if row["challenge"] is not None:
            news.append(self._challenge(row, now))
        if row["more"]:
            news.append(News(self.say(ROW["more"], number=row["more"])))
        if row["state"] == "leaving":
            news.append(News(self.say(ROW["leaving"])))
        for code, name in (("rests", "rests_until"), ("immune", "immune_until"), ("waits", "waits_until")):
            until = moment(row[name])
            if until is not None and until > now:
                news.append(News(self.say(ROW[code], until=self.time(row[name]))))
        return news

    def _challenge(self, row: Mapping[str, Any], now: datetime) -> News:
        challenge = row["challenge"]
        challenges = challenge["challenger"]["id"] == row["team"]["id"]
        other = challenge["defender" if challenges else "challenger"]["name"]
        path, until = f"/challenges/{challenge['id']}", challenge["deadline"]
        match challenge["state"]:
            case "playing":
                starts_at = moment(challenge["starts_at"])
                if starts_at is not None and starts_at > now and not challenge["has_begun"]:
                    code, until = "plays_on", challenge["starts_at"]
                else:
                    code, path = "plays", f"/matches/{challenge['match']}"
            case "accepted" if challenge["dates"]:
                code = "chooses" if challenges else "awaits_choice"
            case "accepted":
                code = "awaits_dates" if challenges else "offers"
            case _:
                code = "challenges" if challenges else "challenged"
        return News(self.say(ROW[code], team=other, until=self.time(until)), path)

    def target(self, target: Mapping[str, Any]) -> str | None:
        """A target of ``targets_json`` in words: both outcomes, or why not and until when.

        Of teams that stand below there is nothing to say: everybody sees it.
        """
        if target.get("rule") in (Rule.NOT_ABOVE, Rule.OWN_TEAM):
            return None
        if not target["allowed"]:
            until = self.time(target["until"])
            why = f"{refusal(Rule(target['rule']), self.language)}."
            return f"{why} {self.say(OTHERS['until'], until=until)}" if until else why
        win = target["win"]
        told = [
            self.say(
                OTHERS["if_win"], mine=win["challenger"], team=target["team"]["name"], theirs=win["defender"]
            ),
            self.say(OTHERS["if_loss"]),
        ]
        if target["unrestricted"]:
            told.append(self.say(OTHERS["entry"]))
        return " ".join(told)

    def is_new(self, change: Mapping[str, Any], now: datetime) -> bool:
        """Whether the team's last move is that it entered, not long ago."""
        at = moment(change["at"])
        return change["from"] is None and at is not None and at > now - NEW_FOR

    def sentence(self, moves: Sequence[Mapping[str, Any]]) -> str:
        """Moves that belong together as a sentence; of many that only close up, how many they are."""
        told = [move_sentence(move, self.language) for move in moves[:TOLD]]
        rest = len(moves) - TOLD
        if rest > 0:
            told.append(self.say(OTHERS["and_others"], number=rest))
        return self.say(OTHERS["joint"]).join(told)

    def live(self) -> Json:
        """What the module of a ladder's page needs to say the same."""
        gettext = catalogue(self.language).gettext
        return {
            "language": self.language.value,
            "zone": self.zone,
            **{name: gettext(phrase) for name, phrase in (ROW | OTHERS).items()},
            "moves": {code: gettext(phrase) for code, phrase in MOVES.items()},
            "causes": {code: gettext(phrase) for code, phrase in wording.CAUSES.items()},
        }


def _local(zone: str, at: str | None) -> datetime | None:
    when = moment(at)
    return None if when is None else when.astimezone(zone_named(zone))


@lru_cache(4096)
def _time(language: Language, zone: str, at: str | None) -> str:
    """Kept, as a ladder's page says the same few hundred moments over and over."""
    when = _local(zone, at)
    return "" if when is None else f"{format_skeleton('MMMd', when, locale=language.value)}, {when:%H:%M}"


def refusal(rule: Rule, language: Language) -> str:
    """Why a challenge is refused; the sentence that the server's answer has, too."""
    return translated(Problem(422, rule.value, sentence_of(rule)), language)


def move_sentence(move: Mapping[str, Any], language: Language) -> str:
    """A move as pages and feeds tell it, without a full stop."""
    words, before, after = catalogue(language), move["from"], move["to"]
    if before is None:
        code = "enters"
    elif after is None:
        code = "left"
    elif after == before:
        code = "stays"
    else:
        code = "climbs" if after < before else "falls"
    rung = before if after is None else after
    told: str = words.gettext(MOVES[code]).format(
        team=move["team"]["name"], rung=rung, before=before, after=after
    )
    cause = wording.CAUSES.get(move["cause"] or "")
    return f"{told}, {words.gettext(cause)}" if cause else told
