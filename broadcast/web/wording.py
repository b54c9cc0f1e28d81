"""Codes of the public interface in words, for templates and for the modules in the browser.

Streams and JSON carry codes; here each code has one English phrase, which is also its key in the catalogues.
``_`` only marks a phrase for the catalogue extractor; the translation happens when a page is made.
"""

from collections.abc import Callable, Iterable, Mapping

Translate = Callable[[str], str]


def _(phrase: str) -> str:
    return phrase


SEATS = {"N": _("North"), "E": _("East"), "S": _("South"), "W": _("West")}
ROOMS = {"open": _("Open room"), "closed": _("Closed room")}
SUITS = {"S": _("spades"), "H": _("hearts"), "D": _("diamonds"), "C": _("clubs"), "N": _("notrump")}
VULNERABLE = {
    "None": _("None vulnerable"),
    "NS": _("N-S vulnerable"),
    "EW": _("E-W vulnerable"),
    "All": _("All vulnerable"),
}
ROLES = {
    "director": _("director"),
    "commentator": _("commentator"),
    "captain": _("captain"),
    "player": _("player"),
    "club": _("club"),
    "operator": _("operator"),
}
LETTERS = {
    "join_subject": _("Your invitation to {site}"),
    "join_text": _("You are invited to {site} as {role}. Choose a name and a password here:"),
    "join_note": _("The link is good once, for {days} days. If you do not know why you got it, do nothing."),
    "reset_subject": _("A new password for {site}"),
    "reset_text": _("Somebody, probably you, asked for a new password of {name} at {site}. Choose it here:"),
    "reset_note": _("The link is good once, for {hours} hours. If you did not ask, do nothing."),
}
"""Letters that bring a link."""
CHIPS = {
    "upcoming": _("UPCOMING"),
    "live": _("LIVE"),
    "scored": _("FINISHED"),
    "closed": _("FINISHED"),
    "void": _("VOID"),
}
PHASES = {
    "not_played": _("Not started"),
    "bidding": _("Bidding"),
    "playing": _("Playing"),
    "in_play": _("In play"),
    "played": _("Played out"),
    "claimed": _("Claimed"),
    "passed_out": _("Passed out"),
    "adjusted": _("Adjusted"),
    "cancelled": _("Cancelled"),
}
PENDING = {
    "held": _("held for the director"),
    "no_result": _("no result"),
    "both_in_play": _("in play in both rooms"),
    "open_in_play": _("open room in play"),
    "closed_in_play": _("closed room in play"),
    "open_missing": _("open room to come"),
    "closed_missing": _("closed room to come"),
    "not_played": _("to come"),
}
HELD = {
    "different_deals": _("The rooms were given different deals"),
    "same_seating": _("The same team sat North-South in both rooms"),
}
VPS_REASONS = {
    "no_scale": _("This match is not scored in VPs"),
    "no_row": _("The VP scale has no row yet for this many boards"),
    "carry_over_without_boards": _("No VPs: it is not known from how many boards the carry-over came"),
}
IRREGULAR = {
    "insufficient": _("Insufficient bid, let stand"),
    "out_of_turn": _("Out of turn, let stand"),
    "revoke": _("Revoke, let stand"),
}
RANKS = {
    "A": _("ace"),
    "K": _("king"),
    "Q": _("queen"),
    "J": _("jack"),
    "T": _("ten"),
    "9": _("nine"),
    "8": _("eight"),
    "7": _("seven"),
    "6": _("six"),
    "5": _("five"),
    "4": _("four"),
    "3": _("three"),
    "2": _("two"),
}
RUNG_STATES = {
    "free": _("open to a challenge"),
    "challenged": _("challenged"),
    "challenging": _("challenging"),
    "playing": _("playing"),
    "leaving": _("leaving the ladder"),
    "resting": _("resting"),
}
CAUSES = {
    "turned": _("by a ruling"),
    "declined": _("the challenge was declined"),
    "unanswered": _("the challenge was not answered"),
    "withdrew": _("the opponents withdrew"),
    "unoffered": _("no dates were offered"),
    "late": _("the opponents came late"),
    "inactive": _("for not playing"),
    "reseeded": _("a new season began"),
    "ranks_closed": _("the ranks closed"),
}
"""Why a rung moved, where the sentence itself does not say so."""
CORRECTIONS = {
    "result": _("Result corrected"),
    "award": _("Score awarded"),
    "cancelled": _("Board cancelled"),
    "swapped": _("Seating corrected"),
    "lifted": _("Ruling lifted"),
    "withdrawn": _("Result taken back in the room"),
    "entered": _("Result entered anew in the room"),
    "penalty": _("Penalty"),
    "release": _("Release rule changed"),
    "closed": _("Match closed by the director"),
    "reopened": _("Match opened again"),
    "void": _("Match declared void"),
}
"""What was changed, in the correction log."""
CHANGERS = {
    "director": _("director %(name)s"),
    "operator": _("the room's operator"),
    "record": _("a record from elsewhere, sent by %(name)s"),
    "captain": _("captain %(name)s"),
    "house": _("by the rules"),
}
"""Who changed something, by the first part of how the log names them."""
RELEASES = {
    "board": _("board by board"),
    "match": _("all at the end"),
    "delay": _("with a delay"),
    "live": _("live"),
}
SOURCES = {
    "table": _("entered by the players"),
    "operator": _("entered by the operator"),
    "imported": _("from a record"),
    "director": _("ruled by the director"),
}
"""Where a result comes from."""
NEWS = {
    "started": _("Play has started"),
    "ended": _("Play has ended"),
    "void": _("The match does not count"),
}
"""What feeds tell of a match."""

LIVE_PHRASES = {
    # the connection and the two modes of watching
    "reconnecting": _("RECONNECTING"),
    "updated": _("Updated {time}"),
    "ended": _("The broadcast has ended"),
    "live_moved_on": _("Live has moved on"),
    "back_to_live": _("Back to live"),
    "board_page": _("Board page"),
    "as_far": _("As far as the other room"),
    "link_here": _("Link to here"),
    "delayed": _("DELAYED {minutes} min"),
    "waiting": _("Waiting {time}"),
    "polling": _("Updated every few seconds"),
    # the table
    "on_table": _("On the table"),
    "auction": _("Auction"),
    "dealer": _("Dealer"),
    "ns": _("N-S"),
    "ew": _("E-W"),
    "board_word": _("Board"),
    "board_in_text": _("board {number}"),
    "last_trick": _("Last trick"),
    "board": _("Board {number}"),
    "deal_not_shown": _("This hand is not shown"),
    "by": _("{contract} by {seat}"),
    "alert": _("Alerted, without explanation"),
    "pass": _("Pass"),
    "passed_out": _("Passed out"),
    "checked": _("checked"),
    "position": _("Call {calls}, card {cards}"),
    "play": _("Play the board"),
    "pause": _("Pause"),
    # the score
    "vps": _("VP"),
    "vps_how": _("The scale {scale} for {boards} boards and {imps} IMPs, as if the match ended here."),
    "after_boards": _("after {compared} of {total} boards"),
    "leads_by": _("{team} leads by {imps} IMPs"),
    "leads_by_one": _("{team} leads by {imps} IMP"),
    "wins_by": _("{team} wins by {imps} IMPs"),
    "wins_by_one": _("{team} wins by {imps} IMP"),
    "level": _("Level"),
    "needs": _("{team} needs {imps} IMPs in the last {boards} boards"),
    "needs_one": _("{team} needs {imps} IMPs in the last board"),
    "at_stake": _("At stake"),
    "at_stake_board": _("At stake on board {number}"),
    "worth_none": _(
        "Once one room has finished a board, this is what each result in the other would be worth."
    ),
    "worth_level": _("level"),
    "swings_label": _("Swings board by board; the table below has the figures"),
    "running_label": _("The lead after each board"),
    "biggest_swings": _("Biggest swings"),
    "comment": _("Comment"),
    "comment_sent": _("Sent"),
    "not_sent": _("There is no connection. Your text is kept: try again."),
    "not_commentator": _("This token is not a commentator's. Ask the director for one."),
    "nothing_to_comment": _("No board has been opened yet."),
    # notices of the browser
    "notice_start": _("The match has begun."),
    "notice_end": _("The match is over: {home} – {visitors} IMPs."),
    # sentences for screen readers
    "say_call": _("{room}: {seat} {call}."),
    "say_bid": _("bids {level} {suit}"),
    "say_pass": _("passes"),
    "say_double": _("doubles"),
    "say_redouble": _("redoubles"),
    "say_alert": _("Alert: {explanation}."),
    "say_card": _("{room}: {seat} plays the {rank} of {suit}."),
    "say_trick": _("{seat} wins the trick."),
    "say_contract": _("{room}: the contract is {contract} by {seat}."),
    "say_board": _("{room}: board {number} is opened."),
    "say_undo": _("{room}: the last action was taken back."),
    "say_result": _("{room}: board {number} ends, {tricks} tricks."),
    "say_passed_out": _("{room}: board {number} is passed out."),
    "say_claim": _("{room}: {seat} claims, {tricks} tricks in all for declarer."),
    "say_comparison": _("Board {number}: {team} gains {imps} IMPs."),
    "say_comparison_one": _("Board {number}: {team} gains {imps} IMP."),
    "say_comparison_level": _("Board {number} is level."),
    "say_comment": _("{author} says: {text}"),
}

AT_STAKE_IF = {
    "open": _("IMPs if the open room ends in"),
    "closed": _("IMPs if the closed room ends in"),
}

LIVE_TABLES = {
    "seat": SEATS,
    "room": ROOMS,
    "suit": SUITS,
    "rank": RANKS,
    "vulnerable": VULNERABLE,
    "chip": CHIPS,
    "phase": PHASES,
    "pending": PENDING,
    "vps_reason": VPS_REASONS,
    "irregular": IRREGULAR,
    "at_stake_if": AT_STAKE_IF,
}


def live_words(translate: Translate) -> dict[str, object]:
    """What the modules of a match or board page say, in one language: phrases and tables of codes."""
    words: dict[str, object] = {name: translate(phrase) for name, phrase in LIVE_PHRASES.items()}
    for name, table in LIVE_TABLES.items():
        words[name] = {code: translate(phrase) for code, phrase in table.items()}
    return words


def word(translate: Translate, table: Mapping[str, str], code: str | None) -> str:
    """A code in words; a code we have no word for is shown as it is, never hidden."""
    if code is None:
        return ""
    return translate(table[code]) if code in table else code.replace("_", " ")


def all_tables() -> Iterable[Mapping[str, str]]:
    """Every table of phrases in this module, for the catalogue test."""
    return [value for value in globals().values() if isinstance(value, dict) and value and _is_phrases(value)]


def _is_phrases(table: Mapping[object, object]) -> bool:
    return all(isinstance(key, str) and isinstance(value, str) for key, value in table.items())
