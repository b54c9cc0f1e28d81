"""Text that people typed, as it is kept: without what cannot be seen, moves a terminal or turns text round.

Registered names are held to more (``teams.members.names``) and refused; here nothing is refused, as what was
said at a table must be taken down. Joiners and the marks of direction stay: scripts need them.
"""

import re
import unicodedata

_BREAKS = re.compile("\r\n?|[\n\v\f\x1c-\x1e\x85\u2028\u2029]")
_NEEDED = frozenset("\u061c\u200c\u200d\u200e\u200f")
_DROPPED = frozenset(("Cc", "Cf", "Cs"))


def typed(text: str, *, lines: bool = False) -> str:
    r"""The text; with ``lines`` its line breaks stay, as ``\n``, without they are blanks.

    >>> typed("A\u202eB\r\nC\x00"), typed("A\r\nB", lines=True)
    ('AB C', 'A\nB')
    """
    if text.isprintable():
        return text
    broken = _BREAKS.sub("\n" if lines else " ", text).replace("\t", " ")
    return "".join(
        each for each in broken if each == "\n" or each in _NEEDED or unicodedata.category(each) not in _DROPPED
    )
