"""What a form calls its fields: sentences that name a field of the public interface name it as the page does.

The phrases are those of the templates, so they are translated with them.
"""

import re
from collections.abc import Callable
from typing import Final

from broadcast.web import wording
from broadcast.web.problems import Problem

Translate = Callable[[str], str]
Labels = Callable[[str, Translate], str | None]
"""From a field's name to its label; ``None`` for a field that no form has."""

SEARCH: Final = {
    "q": "Any name",
    "contract": "Contract",
    "declarer": "Declarer",
    "player": "Player",
    "team": "Team",
    "result": "Result",
    "swing": "Swing in IMPs",
    "order": "Order",
    "seat": "Whose",
    "shape": "Shape",
    "hcp": "Points",
}
SETUP: Final = {
    "title": "Title",
    "carry_home": "Carry-over, home",
    "correction_minutes": "Correction period in minutes",
    "minutes": "Delay in minutes",
}
SEGMENT: Final = {"first": "First board", "last": "Last board", "title": "Name"}
RULING: Final = {
    "contract": "Contract",
    "declarer": "Declarer",
    "tricks": "Tricks",
    "score": "Score",
    "amount": "Amount",
    "boards": "Boards",
    "minutes": "Delay in minutes",
    "segment": "Segment",
    "reason": "Reason",
}


def search_label(name: str, translate: Translate) -> str | None:
    return translate(SEARCH[name]) if name in SEARCH else None


def setup_label(name: str, translate: Translate) -> str | None:
    """Fields of the page that sets a match up: ``seg2_first``, ``seg1_open_N``, ``carry_boards``.

    >>> setup_label("seg2_first", str), setup_label("seg1_closed_S", str)
    ('Segment 2: First board', 'Segment 1: Closed room, South')
    """
    if name in SETUP:
        return translate(SETUP[name])
    if name in ("carry_visitors", "carry_boards"):
        more = "visitors" if name == "carry_visitors" else "won over how many boards"
        return f"{translate('Carry-over')}: {translate(more)}"
    found = re.fullmatch(r"seg(\d+)_(?:(open|closed)_([NESW])|(\w+))", name)
    if found is None:
        return None
    number, room, seat, part = found.groups()
    segment = translate("Segment %(number)s") % {"number": number}
    if room is not None:
        return f"{segment}: {translate(wording.ROOMS[room])}, {translate(wording.SEATS[seat])}"
    return f"{segment}: {translate(SEGMENT[part])}" if part in SEGMENT else None


def ruling_label(name: str, translate: Translate) -> str | None:
    """Fields of rulings; of a weighted score ``score2``, ``home_percent1``."""
    if name in RULING:
        return translate(RULING[name])
    found = re.fullmatch(r"(?:home_|visitors_)?(score|percent)(\d+)", name)
    if found is None:
        return None
    label = translate("Score %(number)s") % {"number": found[2]}
    return label if found[1] == "score" else f"{label}, %"


def labelled(problem: Problem, labels: Labels, translate: Translate) -> Problem:
    """The problem with the field it names called as the page calls it."""
    fact = "field" if "field" in problem.facts else "parameter"
    name = str(problem.facts.get(fact, ""))
    label = labels(name, translate) if name else None
    if label is None:
        return problem
    before, found, after = problem.message.partition(f"{name} ")
    is_named = bool(found) and before in ("", "While results are hidden ")
    message = f"{before}{label} {after}" if is_named else problem.message
    return Problem(problem.status, problem.code, message, **{**problem.facts, fact: label})
