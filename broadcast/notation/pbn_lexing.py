"""PBN text to games: tag pairs, the calls and cards that follow them, comments (PBN 2.1, sections 2 to 3).

A game ends at a line without content, but not inside a ``{comment}``. A repeated tag is ignored. Lost quotes
and braces cost the line or the comment they stand in, not the games behind.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from broadcast.notation.problems import ProblemList, Reason


@dataclass(frozen=True, slots=True)
class Tag:
    value: str
    line: int


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a section, or a whole comment."""

    text: str
    line: int
    is_comment: bool = False


@dataclass(slots=True)
class Game:
    """One record as written. Tag names are spelled as the standard spells them."""

    line: int
    tags: dict[str, Tag] = field(default_factory=dict)
    remarks: list[Token] = field(default_factory=list)
    """Comments before the auction and the play."""
    auction: list[Token] = field(default_factory=list)
    play: list[Token] = field(default_factory=list)
    auction_notes: dict[str, str] = field(default_factory=dict)
    play_notes: dict[str, str] = field(default_factory=dict)

    def value(self, name: str) -> str:
        """The tag's text; empty where it is missing, unknown (``?``) or does not apply."""
        tag = self.tags.get(name)
        return "" if tag is None or tag.value == "?" else tag.value

    def title(self, name: str) -> str:
        """The tag's text as a name or title, blanks single."""
        return " ".join(self.value(name).split())

    def line_of(self, name: str) -> int:
        tag = self.tags.get(name)
        return self.line if tag is None else tag.line


_STANDARD = {
    name.lower(): name
    for name in (
        *("Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable", "Deal"),
        *("Scoring", "Declarer", "Contract", "Result", "Auction", "Play", "Note", "Room", "HomeTeam"),
        *("VisitTeam", "Round", "Stage", "Section", "Table", "Score", "Competition", "Termination"),
    )
}

_PIECE = re.compile(
    r"""
      (?P<blank>\n[ \t]*(?=\n|\Z))
    | (?P<escape>(?:(?<=\n)|\A)%[^\n]*)
    | (?P<rest>;[^\n]*)
    | (?P<brace>\{)
    | \[\s*(?P<name>[A-Za-z][A-Za-z0-9_]*)\s*"(?P<value>(?:\\.|[^"\\\n])*)"\s*\]
    | (?P<broken>\[[^\n]*)
    | (?P<quoted>"[^"\n]*")
    | (?P<word>[^\s\[\]{};"]+)
    """,
    re.VERBOSE,
)


_MOST_TOKENS = 2000
"""Most words and comments of an auction or a play; the rest of a longer one is not taken in."""

_MOST_COMMENT = 20_000
"""Longest comment, in characters."""


def games_of(text: str, problems: ProblemList, most: int) -> list[Game]:
    """The games of a file in order, at most ``most``."""
    reader = _Reader(problems, most)
    for kind, name, value, line in _pieces("\n" + text):
        if not reader.take(kind, name, value, line):
            break
    reader.end_game()
    return reader.games


def _pieces(text: str) -> Iterator[tuple[str, str, str, int]]:
    """Every piece: its kind, a tag's name, its text, its line. ``text`` begins with one line end of its own.

    A comment may be long and a brace may never be closed, so its end is looked for once, not by the pattern.
    """
    breaks = [found.start() for found in re.finditer("\n", text)]
    at = 0
    last_close = text.rfind("}")
    while piece := _PIECE.search(text, at):
        at = piece.end()
        kind = piece.lastgroup or ""
        line = max(1, bisect_right(breaks, piece.start()))
        if kind == "brace":
            close = text.find("}", at) if at <= last_close else -1
            if close < 0:
                yield "open", "", "", line
                continue
            yield "brace", "", text[at:close], line
            at = close + 1
        elif kind == "value":
            yield "value", piece["name"], piece["value"], line
        else:
            yield kind, "", piece[0], line


class _Reader:
    def __init__(self, problems: ProblemList, most: int) -> None:
        self.games: list[Game] = []
        self._problems = problems
        self._most = most
        self._game: Game | None = None
        self._section = ""
        self._unclosed = False
        self._remarks: list[Token] = []
        """Comments before the first tag of a game."""

    def take(self, kind: str, name: str, text: str, line: int) -> bool:
        """Take one piece; ``False`` when no more games are read."""
        if kind == "blank":
            self.end_game()
        elif kind == "value":
            self._tag(name, _unescaped(text), line)
        elif kind == "brace":
            self._comment(text, line)
        elif kind == "rest":
            self._comment(text[1:], line)
        elif kind == "open":
            if not self._unclosed:
                self._problems.add(line, "", Reason.DAMAGED_TEXT, "a comment is not closed")
            self._unclosed = True
        elif kind == "broken":
            self._problems.add(line, "", Reason.DAMAGED_TEXT, f"a tag is damaged: {text.strip()[:80]}")
        elif kind == "word" and self._game is not None:
            section = {"Auction": self._game.auction, "Play": self._game.play}.get(self._section)
            if section is not None and len(section) < _MOST_TOKENS:
                section.append(Token(text, line))
        if len(self.games) >= self._most:
            self._problems.add(line, "", Reason.TOO_LARGE, f"only the first {self._most} games are read")
            return False
        return True

    def end_game(self) -> None:
        if self._game is not None and self._game.tags:
            self.games.append(self._game)
            self._game = None
            self._section = ""

    def _tag(self, name: str, value: str, line: int) -> None:
        name = _STANDARD.get(name.lower(), name)
        game = self._game
        if game is not None and name == "Board" and name in game.tags and game.tags[name].value != value:
            self._problems.add(
                line, name, Reason.DAMAGED_TEXT, f"board {value} begins without an empty line before it"
            )
            self.end_game()
            game = None
        if game is None:
            game = self._game = Game(line, remarks=self._remarks)
            self._remarks = []
        self._section = name
        if name == "Note":
            number, _, text = value.partition(":")
            notes = game.play_notes if "Play" in game.tags else game.auction_notes
            notes.setdefault(number.strip(), text.strip())
        elif name not in game.tags:
            game.tags[name] = Tag(value, line)

    def _comment(self, text: str, line: int) -> None:
        game = self._game
        if not text.strip():
            return
        if game is None:
            place = self._remarks
        elif "Play" in game.tags:
            place = game.play
        else:
            place = game.auction if "Auction" in game.tags else game.remarks
        if len(place) < _MOST_TOKENS:
            place.append(Token(text[:_MOST_COMMENT], line, is_comment=True))


def _unescaped(value: str) -> str:
    """Text of a string: ``\\"`` is a quotation mark, two backslashes are one."""
    return re.sub(r'\\(["\\])', r"\1", value)
