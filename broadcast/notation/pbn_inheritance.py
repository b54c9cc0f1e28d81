"""What a PBN game takes over from the games before it (PBN 2.1, section 4.8), and what files leave out.

``#`` repeats the value of the game before; ``##text`` gives a value to all later games. Some makers leave whole
tags out instead: a game that names no event goes on with the event, teams and line-up before it, and one with
neither board nor deal is another table's record of the board before it.
"""

from collections.abc import Iterable, Iterator

from broadcast.notation.pbn_lexing import Game, Tag

_NEVER = frozenset({"Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Auction", "Play", "Note", "Board"})
_EVENT = ("Event", "Site", "Date", "Stage", "Round", "HomeTeam", "VisitTeam", "Scoring", "Competition")
_BOARD = ("Board", "Dealer", "Vulnerable", "Deal")
_OF_A_TABLE = ("Declarer", "Contract", "Result", "Auction")


def with_inheritance(games: Iterable[Game]) -> Iterator[Game]:
    """The same games with the tags they inherit filled in."""
    lasting: dict[str, Tag] = {}
    before: dict[str, Tag] = {}
    for game in games:
        for name, tag in list(game.tags.items()):
            if not tag.value.startswith("#"):
                continue
            if name in _NEVER:
                game.tags[name] = Tag("?", tag.line)
            elif tag.value.startswith("##"):
                value = tag.value[2:] or (before[name].value if name in before else "?")
                game.tags[name] = lasting[name] = Tag(value, tag.line)
            else:
                game.tags[name] = Tag(before[name].value if name in before else "?", tag.line)
        for name, tag in lasting.items():
            game.tags.setdefault(name, tag)
        if "Event" not in game.tags:
            _take_over(game, before, _EVENT)
            if not {"Board", "Deal"} & set(game.tags) and any(name in game.tags for name in _OF_A_TABLE):
                _take_over(game, before, _BOARD)
        before = {**game.tags}
        yield game


def _take_over(game: Game, before: dict[str, Tag], names: Iterable[str]) -> None:
    for name in names:
        if name in before:
            game.tags.setdefault(name, before[name])
