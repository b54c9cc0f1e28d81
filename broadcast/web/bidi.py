"""Text from people among ours: a name in a right-to-left script keeps its direction to itself.

Without that, "רוני 23 – 40 Modra" is shown with the numbers on the wrong side of the name, and an override
(U+202E) would turn round everything after it. Unicode's isolates (UAX 9, section 2.4) go where markup cannot:
into attributes, titles, feeds, calendars and letters. On pages style sheets isolate every inline element, too.
Where no character has that power, which is nearly always, the text is returned as it is.
"""

import re
from typing import Any, Final

from markupsafe import Markup

_STRONG = re.compile(
    "[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Letters and marks that are written from the right."""
_CONTROLS = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Embeddings, overrides, isolates that somebody typed: one that is not closed would reach beyond the text."""
_FIRST_STRONG: Final = "\u2068"
_POP: Final = "\u2069"


def isolated(text: str) -> str:
    """The text, shown in its own direction wherever it stands.

    >>> isolated("Modra"), isolated("רוני") == "\\u2068רוני\\u2069", isolated("Mod\\u202era")
    ('Modra', True, 'Modra')
    """
    if text.isascii():
        return text
    plain = without_controls(text)
    return f"{_FIRST_STRONG}{plain}{_POP}" if _STRONG.search(plain) else plain


def without_controls(text: str) -> str:
    """The text without characters that turn others about: for what is read by programs, and for forms, to which
    ``isolated`` text may come back."""
    return _CONTROLS.sub("", text)


def isolated_value(value: Any) -> Any:
    """Any value of a template; what is not plain text is returned as it is."""
    return isolated(value) if isinstance(value, str) and not isinstance(value, Markup) else value
