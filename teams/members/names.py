"""Names of people and teams, in any script.

A name is kept as it was written, in Unicode's composed form (NFC), without white space at its ends and with
single spaces inside. What cannot be seen, or turns the text round it about (control characters, direction
overrides), is refused: such a name could pass for another. Names are shown; what is meant is told by ids.
"""

import unicodedata

from broadcast.tables.errors import Refusal

LONGEST = 60
"""In characters."""
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_JOINERS = {"\u200c", "\u200d"}
"""Needed inside words of Persian and of Indian scripts."""


def clean_name(text: str, what: str = "name") -> str:
    """The name as it is kept. Raises ``Refusal`` ``bad_name`` for an empty, long or deceptive one.

    >>> clean_name("  Jose\\u0301   Vihar ")
    'José Vihar'
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not any(unicodedata.category(letter)[0] in "LN" for letter in name):
        raise Refusal("bad_name", f"The {what} needs at least one letter or digit", what=what)
    if len(name) > LONGEST:
        raise Refusal("bad_name", f"The {what} has at most {LONGEST} characters", what=what, most=LONGEST)
    if any(unicodedata.category(letter) in _UNSEEN and letter not in _JOINERS for letter in name):
        raise Refusal("bad_name", f"The {what} holds characters that cannot be seen", what=what)
    return name


def name_key(name: str) -> str:
    """Under which two names count as the same: without regard to case and width.

    >>> name_key("Ｍodra") == name_key("MODRA")
    True
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
