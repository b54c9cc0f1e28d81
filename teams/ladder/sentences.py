"""What a refused captain is told, by the code of the rule. The web translates by the same code."""

from teams.ladder.eligibility import Rule

_SENTENCES: dict[Rule, str] = {
    Rule.NOT_ON_LADDER: "Both teams must stand on this ladder",
    Rule.OWN_TEAM: "A team does not challenge itself",
    Rule.LEAVING: "A team that is leaving the ladder is not challenged and does not challenge",
    Rule.RESTING: "A team that rests is not challenged and does not challenge",
    Rule.VOID_PAUSE: "Your last challenge came to nothing through your own doing: wait before the next",
    Rule.REST_SPENT: "The team has no day of rest left this season",
    Rule.SEASON_ENDS: "Nobody rests at the end of a season",
    Rule.PAIR_OPEN: "These two teams have an open challenge already",
    Rule.NOT_ABOVE: "Only a team on a higher rung can be challenged",
    Rule.OUT_OF_RANGE: "That rung is out of your range",
    Rule.MADE_LIMIT: "You have as many challenges under way as a team may make at once",
    Rule.RECEIVED_LIMIT: "That team has received as many challenges as it may have at once",
    Rule.PAIR_PAUSE: "These two teams met too recently",
    Rule.WITHDRAWN_OFTEN: (
        "You have challenged that team and withdrawn too often: wait before you challenge it again"
    ),
    Rule.IMMUNE: "That team has just defended its rung and cannot be challenged yet",
}


def sentence_of(rule: Rule) -> str:
    return _SENTENCES[rule]
