"""Comments as both formats carry them: ``nickname: text``, with suits written ``!S !H !D !C``.

LIN files of broadcasts also write ``@S``, PBN a backslash and the letter; movies carry marks for bold print.
All of them read as one form. The text is a stranger's and stays text.
"""

import re

from broadcast.notation.records import RecordedComment
from broadcast.notation.texts import once_encoded

_AUTHOR = re.compile(r"([^\s:][^:\n]{0,9}):(?!//)(.*)", re.DOTALL)
_MARKUP = re.compile(r"\^\*[a-zA-Z]")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_SUIT = re.compile(r"(?:!|(?<![A-Za-z.])@|\\)([shdc])(?![a-z]{2})", re.IGNORECASE)


BARE_ALERTS = frozenset({"!", "alert", "alerted"})
"""Explanations, in lower case, that say no more than that the call was alerted."""


def plain_text(value: str) -> str:
    """Text with suits as ``!S``, without print marks, lines trimmed."""
    text = _SUIT.sub(lambda sign: f"!{sign[1].upper()}", _MARKUP.sub("", once_encoded(value)))
    return "\n".join(line.strip() for line in _CONTROL.sub(" ", text).split("\n")).strip()


def one_line(value: str) -> str:
    """An explanation: the same on one line, blanks single."""
    return " ".join(plain_text(value).split())


def comment_of(value: str, calls: int = 0, cards: int = 0) -> RecordedComment | None:
    """The comment with its author where a nickname of up to 10 characters stands before a colon.

    ``None`` for one without text. A blank before the first word says that there is no author.
    """
    text = plain_text(value)
    found = _AUTHOR.fullmatch(text) if not value[:1].isspace() else None
    author = None
    if found is not None:
        author, text = found[1].strip(), found[2].strip()
    return RecordedComment(author, text, calls, cards) if text else None


def written(comment: RecordedComment) -> str:
    """The text as ``comment_of`` reads it back."""
    if comment.author is None:
        return f" {comment.text}" if _AUTHOR.fullmatch(comment.text) else comment.text
    return f"{comment.author[:10]}: {comment.text}"
