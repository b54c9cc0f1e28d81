"""Names of people and teams, in any script.

A name is kept as it was written, in Unicode's composed form (NFC), without white space at its ends and with
single spaces inside. What cannot be seen, or turns the text round it about (control characters, direction
overrides, Unicode's Default_Ignorable_Code_Point), is refused: such a name could pass for another. So are
heaps of marks, which paint over the neighbours. Names are shown; what is meant is told by ids.
"""

import re
import unicodedata

from broadcast.tables.errors import Refusal

LONGEST = 60
"""In characters."""
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\U000e0100-\U000e01ef]")
"""Blank, though Unicode counts them among letters, marks or symbols."""
_STYLES = re.compile("[\ufe00-\ufe0f]")
"""Variation selectors, which phones put behind a suit or a heart; a name is kept without them."""
_JOINERS = {"\u200c", "\u200d"}
_JOINED = re.compile(
    "(?<=[\u0600-\u0dff\u0f00-\u109f\u1780-\u18af])[\u200c\u200d]"
    "|(?<=[\u2190-\u2bff\U0001f000-\U0001faff])\u200d(?=[\u2190-\u2bff\U0001f000-\U0001faff])"
)
"""Where joiners are needed: inside words of Persian, of Indian and related scripts, and in composed emoji."""
_MOST_MARKS = 4
"""On one letter: Vietnamese has two, Hebrew with its points and accents three."""


def clean_name(text: str, what: str = "name") -> str:
    """The name as it is kept. Raises ``Refusal`` ``bad_name`` for an empty, long or deceptive one.

    >>> clean_name("  Jose\\u0301   Vihar ")
    'José Vihar'
    """
    name = " ".join(unicodedata.normalize("NFC", _STYLES.sub("", text)).split())
    if not any(unicodedata.category(letter)[0] in "LN" for letter in name):
        raise Refusal("bad_name", f"The {what} needs at least one letter or digit", what=what)
    if len(name) > LONGEST:
        raise Refusal("bad_name", f"The {what} has at most {LONGEST} characters", what=what, most=LONGEST)
    kinds = [unicodedata.category(letter) for letter in _JOINED.sub("", name)]
    if any(kind in _UNSEEN for kind in kinds) or _BLANK.search(name):
        raise Refusal("bad_name", f"The {what} holds characters that cannot be seen", what=what)
    if "M" * (_MOST_MARKS + 1) in "".join(kind[0] for kind in kinds):
        raise Refusal("bad_name", f"The {what} has at most {_MOST_MARKS} marks on one letter", what=what)
    return name


def name_key(name: str) -> str:
    """Under which two names count as the same: without regard to case, width and what cannot be seen.

    >>> name_key("Ｍodra") == name_key("MODRA")
    True
    """
    seen = "".join(letter for letter in _BLANK.sub("", _STYLES.sub("", name)) if letter not in _JOINERS)
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", seen).casefold())
