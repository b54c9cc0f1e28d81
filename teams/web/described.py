"""What programs may rely on of teams, ladders and the calculator, as data."""

from broadcast.web.described.document import Chapter
from broadcast.web.described.match_events import Described
from broadcast.web.described.operations import (
    AFTER,
    ANYTHING,
    POLLED,
    Paths,
    for_command_line,
    parameter,
    read,
    read_privately,
    withdraw,
    write,
)
from broadcast.web.described.shapes import (
    BOOLEAN,
    INTEGER,
    NUMBER,
    STRING,
    Schema,
    about,
    code,
    maybe,
    ref,
    several,
    thing,
)
from teams.ladder.challenges import Side
from teams.ladder.eligibility import Rule
from teams.ladder.rules import LadderKind

MOMENT = about(STRING, "ISO 8601 in UTC")
TEAM = thing({"id": STRING, "name": STRING})
ROW_STATES = ("leaving", "playing", "challenged", "challenging", "resting", "free")
_PER_SIDE = thing({side.value: maybe(INTEGER) for side in Side})
_MOVE: dict[str, Schema] = {
    "at": MOMENT,
    "team": ref("Team"),
    "from": about(maybe(INTEGER), "null on entering"),
    "to": about(maybe(INTEGER), "null on leaving"),
    "cause": about(maybe(STRING), "null where results are hidden and it tells one"),
    "challenge": maybe(STRING),
    "match": maybe(STRING),
}
_CHALLENGE: dict[str, Schema] = {
    "id": STRING,
    "ladder": STRING,
    "challenger": ref("Team"),
    "defender": ref("Team"),
    "state": STRING,
    "issued_at": MOMENT,
    "deadline": about(maybe(STRING), "for the next step"),
    "dates": several(STRING),
    "match": maybe(STRING),
    "starts_at": maybe(STRING),
    "present": several(code(Side), "whose line-up is named"),
    "has_begun": BOOLEAN,
    "outcomes": thing({"win": _PER_SIDE, "loss": _PER_SIDE}, "rungs after the match"),
    "unrestricted": BOOLEAN,
    "boards": INTEGER,
    "decision": about(
        maybe(
            thing(
                {
                    "winner": maybe(code(Side)),
                    "cause": STRING,
                    "imps": maybe(thing({side.value: NUMBER for side in Side})),
                    "at": MOMENT,
                }
            )
        ),
        "null while it is open, and where results are hidden",
    ),
}
_SEASON: dict[str, Schema] = {
    "number": INTEGER,
    "name": STRING,
    "began_at": MOMENT,
    "ends_at": maybe(STRING),
}
_ROW: dict[str, Schema] = {
    "rung": about(INTEGER, "1 is the top"),
    "team": ref("Team"),
    "state": code(ROW_STATES),
    "challenge": about(maybe(ref("Challenge")), "the open one that matters most to the team"),
    "more": about(INTEGER, "how many other open challenges it has"),
    "immune_until": about(maybe(STRING), "after a defence; null where results are hidden"),
    "rests_until": maybe(STRING),
    "waits_until": about(maybe(STRING), "makes no challenge before"),
    "form": about(
        maybe(several(code(("won", "lost")))),
        "its last matches, the newest last; null where results are hidden",
    ),
    "change": thing({"at": MOMENT, "from": maybe(INTEGER), "to": INTEGER}, "its last move"),
}
_PLACE = thing({"rung": INTEGER, "team": ref("Team")})
_OUTCOME = thing({side.value: INTEGER for side in Side})
_TARGET = thing(
    {
        "rung": INTEGER,
        "team": ref("Team"),
        "allowed": BOOLEAN,
        "win": _OUTCOME,
        "loss": _OUTCOME,
        "unrestricted": about(BOOLEAN, "beyond the range: uses the new team's one challenge"),
        "rule": about(code(Rule), "which refuses"),
        "until": about(maybe(STRING), "when that ends by itself"),
        "words": about(maybe(STRING), "the same as a sentence in the request's language"),
    },
    "With `win`, `loss` and `unrestricted` if allowed, else with `rule` and `until`.",
    optional=("win", "loss", "unrestricted", "rule", "until"),
)
_REST = thing(
    {"allowed": BOOLEAN, "most_days": INTEGER, "rule": code(Rule), "until": maybe(STRING)},
    optional=("most_days", "rule", "until"),
)
_LADDER: dict[str, Schema] = {
    "id": STRING,
    "name": STRING,
    "kind": code(LadderKind),
    "version": INTEGER,
    "rules": ANYTHING,
    "announced": maybe(thing({"holds_from": MOMENT, "rules": ANYTHING})),
    "season": ref("Season"),
    "rungs": several(ref("Rung")),
    "challenges": several(ref("Challenge")),
}
_PARTY = thing({"name": STRING})

SCHEMAS: dict[str, Schema] = {
    "Team": TEAM,
    "Move": thing(_MOVE, "A team comes to another rung."),
    "Challenge": thing(_CHALLENGE),
    "Season": thing(_SEASON),
    "Rung": thing(_ROW),
    "Standing": thing({"ladder": ref("Team"), **_ROW}, "A team's rung on one ladder."),
    "LadderSnapshot": thing(
        {**_LADDER, "last_event": STRING},
        "A ladder as its stream has it, at the beginning with the cursor.",
        optional=("last_event",),
    ),
    "Ladder": thing({**_LADDER, "last_event": about(STRING, "a cursor: the stream goes on after it")}),
    "LadderInList": thing(
        {
            "id": STRING,
            "name": STRING,
            "kind": code(LadderKind),
            "version": INTEGER,
            "teams": INTEGER,
            "open_challenges": INTEGER,
            "rungs": several(ref("Rung"), "the top"),
            "moves": several(ref("Move"), "the newest"),
        }
    ),
    "TeamInFull": thing(
        {
            "id": STRING,
            "name": STRING,
            "club": maybe(ref("Team")),
            "colour": STRING,
            "captain": maybe(_PARTY),
            "deputy": maybe(_PARTY),
            "players": several(ref("Team")),
            "standings": several(ref("Standing")),
        }
    ),
    "ClubInFull": thing(
        {
            "id": STRING,
            "name": STRING,
            "colour": STRING,
            "officers": several(_PARTY),
            "members": several(ref("Team")),
            "teams": several(ref("Team")),
            "standings": several(ref("Standing")),
        }
    ),
}

_CHANGED_ROW = thing(
    {"ladder": STRING, "version": INTEGER, "row": about(maybe(ref("Rung")), "null once it is off the ladder")}
)
_TERMS = thing(
    {
        "ladder": STRING,
        "version": INTEGER,
        "rules": ANYTHING,
        "announced": maybe(thing({"holds_from": MOMENT, "rules": ANYTHING})),
        "season": ref("Season"),
    }
)

PATHS: Paths = {
    "/api/teams": {
        "get": read("Every team, by name", thing({"teams": several(ref("Team"))}), hides=False),
        "post": write(
            "Register a team (director, captain)",
            thing(
                {
                    "name": STRING,
                    "captain": STRING,
                    "players": several(ANYTHING | {"type": ["string", "object"]}),
                },
                optional=("captain",),
            ),
            ANYTHING,
        ),
    },
    "/api/teams/{team}": {"get": read("A team, its players and where it stands", ref("TeamInFull"))},
    "/api/teams/{team}/players": {"post": write("Change the roster (captain)", ANYTHING, ANYTHING)},
    "/api/clubs/{club}": {"get": read("A club, its members and teams", ref("ClubInFull"))},
    "/api/ladders": {
        "get": read(
            "Ladders with their top rungs", thing({"ladders": several(ref("LadderInList"))}), hides=False
        ),
        "post": write(
            "Make a ladder (director)",
            thing({"name": STRING, "kind": code(LadderKind), "rules": ANYTHING}, optional=("kind", "rules")),
            ANYTHING,
        ),
    },
    "/api/ladders/{ladder}": {"get": read("A ladder: rungs, challenges, rules", ref("Ladder"))},
    "/api/ladders/{ladder}/history": {
        "get": read(
            "Every move in order; with ?at= those until then, and the order as it stood",
            thing(
                {"at": MOMENT, "rungs": several(_PLACE), "moves": several(ref("Move"))},
                optional=("at", "rungs"),
            ),
            parameter("at", STRING, "a day of the club, 2026-05-01, or a moment"),
        )
    },
    "/api/ladders/{ladder}/seasons": {
        "get": read(
            "The present season, and those that are over",
            thing(
                {
                    "season": ref("Season"),
                    "archive": several(
                        thing(
                            {
                                **_SEASON,
                                "ended_at": maybe(STRING),
                                "rungs": several(_PLACE),
                                "moves": several(ref("Move")),
                            }
                        )
                    ),
                }
            ),
        )
    },
    "/api/ladders/{ladder}/events": {"get": read("The ladder's stream by polling", POLLED, AFTER)},
    "/api/ladders/{ladder}/targets": {
        "get": read_privately(
            "Whom the team may challenge, and what would happen (captain)",
            thing(
                {
                    "ladder": STRING,
                    "version": INTEGER,
                    "team": STRING,
                    "targets": several(_TARGET, "from rung 1 down"),
                    "rest": _REST,
                }
            ),
            parameter("team", STRING, "for directors, and captains of several teams"),
        )
    },
    "/api/ladders/{ladder}/entries": {
        "post": write(
            "Enter a team, or a club on a ladder of clubs",
            thing({"team": STRING, "club": STRING}, optional=("team", "club")),
            _CHANGED_ROW,
        )
    },
    "/api/ladders/{ladder}/leave": {
        "post": write(
            "Leave the ladder",
            thing({"team": STRING, "at_once": BOOLEAN}, optional=("at_once",)),
            _CHANGED_ROW,
        )
    },
    "/api/ladders/{ladder}/rest": {
        "post": write(
            "Rest for some days, 0 ends it (captain)",
            thing({"days": INTEGER, "team": STRING}, optional=("team",)),
            _CHANGED_ROW,
        )
    },
    "/api/ladders/{ladder}/rules": {
        "post": write(
            "Change rules by name (director)",
            thing(
                {"rules": ANYTHING, "holds_from": about(maybe(STRING), "null: at once")},
                optional=("holds_from",),
            ),
            _TERMS,
        )
    },
    "/api/ladders/{ladder}/season": {
        "post": write(
            "Begin a season (director)",
            thing(
                {
                    "name": STRING,
                    "ends_at": maybe(STRING),
                    "order": about(several(STRING), "every team from rung 1 down; kept where it is left out"),
                },
                optional=("ends_at", "order"),
            ),
            _TERMS,
        )
    },
    "/api/ladders/{ladder}/challenges": {
        "post": write("Challenge (captain)", thing({"opponent": STRING, "ladder_version": INTEGER}), ANYTHING)
    },
    "/api/challenges/{challenge}": {"get": read("A challenge", ref("Challenge"))},
    "/api/challenges/{challenge}/{action}": {
        "post": write("Answer a challenge, or take its next step (captain)", ANYTHING, ANYTHING, 200)
    },
    "/api/tools/score": {
        "get": read(
            "Contract and tricks to the score of declarer's side",
            thing({"score": INTEGER}),
            parameter("contract", STRING, required=True, example="4SX"),
            parameter("vulnerable", code(("yes", "no")), required=True, example="yes"),
            parameter("tricks", INTEGER, required=True, example="9"),
            hides=False,
        )
    },
    "/api/tools/imps": {
        "get": read(
            "A difference in points to IMPs",
            thing({"imps": INTEGER}),
            parameter("difference", INTEGER, required=True, example="-430"),
            hides=False,
        )
    },
    "/api/tools/vps": {
        "get": read(
            "Net IMPs and boards to victory points",
            thing({"winner": NUMBER, "loser": NUMBER}),
            parameter("scale", STRING, required=True, example="wbf-2013"),
            parameter("boards", INTEGER, required=True, example="16"),
            parameter("imps", INTEGER, required=True, example="10"),
            hides=False,
        )
    },
    "/api/account": {"get": read_privately("My account", ANYTHING)},
    "/api/account/token": {"delete": withdraw("Give this token up")},
    "/api/accounts": {"post": for_command_line("An account")},
    "/api/accounts/password": {"post": for_command_line("An account's password")},
    "/api/accounts/tokens": {"post": for_command_line("A token of an account")},
    "/api/accounts/roles": {"post": for_command_line("Roles of an account, given or taken")},
    "/api/accounts/close": {"post": for_command_line("The end of an account")},
}

_CHANGED: dict[str, Schema] = {"version": INTEGER, "rows": several(ref("Rung"), "the rows that changed, whole")}

EVENTS: dict[str, Described] = {
    "snapshot": Described(
        "The whole ladder; told anew when its rules or season change.", ref("LadderSnapshot")
    ),
    "reset": Described(
        "The cursor cannot be continued; a snapshot follows.",
        thing({"reason": code(("epoch", "unknown", "behind"))}),
        has_id=False,
    ),
    "rung": Described("One move of one team.", thing({**_MOVE, **_CHANGED})),
    "challenge": Described("A challenge after a change.", thing({**_CHALLENGE, "at": MOMENT, **_CHANGED})),
    "notice": Described(
        "News that moves nobody.",
        thing(
            {
                "kind": code(("day", "inactivity", "reminder", "rest", "rest_over", "roster")),
                "challenge": STRING,
                "ends_at": maybe(STRING),
                "days": INTEGER,
                "in_days": INTEGER,
                "fall": maybe(INTEGER),
                "until": maybe(STRING),
                "at": MOMENT,
                "team": maybe(ref("Team")),
                **_CHANGED,
            },
            optional=("challenge", "ends_at", "days", "in_days", "fall", "until"),
        ),
    ),
}
TEAMS = Chapter(SCHEMAS, PATHS, {"/ladders/{ladder}/events": EVENTS})
