"""Drawing a match or a board as a picture for links: 1200 by 630, the size that sites ask for.

Pure but for the fonts on this machine: what is to be said comes in as text, a PNG comes out, and the same text
gives the same bytes. Colours are the light theme's. Everything is drawn at twice the size and reduced, so that
slanted edges are smooth.
"""

from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageDraw

from broadcast.web.preview_fonts import Weight, fitted, has, runs, width

SIZE = (1200, 630)
SCALE = 2

PAPER, RAISED, INK, MUTED, LINE, FELT = "#faf9f5", "#ffffff", "#15201b", "#5b655f", "#dcdfd8", "#e6efe8"
SIDES = {"home": "#0b5d4b", "visitors": "#7a3e9d"}
CHIPS = {"live": "#b3261e", "delayed": "#8a5a00"}
VULNERABLE = "#b3261e"
SUITS = {"S": ("♠", "#1a1f24"), "H": ("♥", "#c8102e"), "D": ("♦", "#c45a00"), "C": ("♣", "#14713a")}

LEFT, RIGHT = 72, 1128
REGULAR, BOLD = Weight.REGULAR, Weight.BOLD


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A team with its score; ``None`` where there is none to tell."""

    side: str
    """``home`` or ``visitors``."""
    name: str
    imps: str | None = None
    vps: str | None = None


@dataclass(frozen=True, slots=True)
class MatchPicture:
    title: str
    chip: str
    chip_kind: str
    """``live delayed`` or anything else for a quiet one."""
    teams: tuple[TeamLine, TeamLine]
    sentence: str
    """Who leads, when it starts, or that results are hidden."""
    leader: str | None
    """The side in whose colour the sentence stands."""
    after: str
    """How many boards are compared."""
    swings: tuple[float | None, ...] = ()
    """Home's swing on each board in IMPs, ``None`` for a board not compared; empty for no chart."""


@dataclass(frozen=True, slots=True)
class RoomLine:
    name: str
    contract: str | None = None
    """In the notation of the public interface, ``4SX``; or a word like ``Pass`` in the reader's language."""
    declarer: str = ""
    made: str = ""
    score: str = ""


@dataclass(frozen=True, slots=True)
class BoardPicture:
    title: str
    heading: str
    teams: tuple[TeamLine, TeamLine]
    dealer: str
    vulnerable: str
    """``None NS EW All``."""
    conditions: str
    """Dealer and vulnerability in words."""
    hands: tuple[tuple[str, tuple[str, ...]], ...]
    """Seat and its ranks by suit from spades down, for each hand that is public."""
    rooms: tuple[RoomLine, ...]
    swing: str | None
    winner: str | None


class Canvas:
    """A picture in units of the finished one."""

    def __init__(self) -> None:
        self._image = Image.new("RGB", (SIZE[0] * SCALE, SIZE[1] * SCALE), PAPER)
        self._draw = ImageDraw.Draw(self._image)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: int,
        colour: str,
        weight: Weight = REGULAR,
        align: str = "left",
    ) -> float:
        """A line of text on the baseline ``y``; answers where it ends."""
        total = width(text, weight, size * SCALE)
        at = x * SCALE - (total if align == "right" else total / 2 if align == "middle" else 0)
        for piece, font in runs(text, weight, size * SCALE):
            self._draw.text((at, y * SCALE), piece, colour, font, anchor="ls")
            at += font.getlength(piece)
        return at / SCALE

    def fitted(
        self,
        x: float,
        y: float,
        text: str,
        sizes: tuple[int, int],
        room: float,
        colour: str,
        weight: Weight = REGULAR,
        align: str = "left",
    ) -> float:
        """A line that is set smaller, and at last shortened, until it fits into ``room``."""
        shown, size = fitted(text, weight, sizes[0], sizes[1], room)
        return self.text(x, y, shown, size, colour, weight, align)

    def suit(self, x: float, y: float, suit: str, size: int) -> float:
        """A suit symbol, or its letter where no font has the symbol."""
        symbol, colour = SUITS[suit]
        return self.text(x, y, symbol if has(symbol, BOLD) else suit, size, colour, BOLD)

    def box(
        self,
        corners: tuple[float, float, float, float],
        fill: str,
        radius: float = 0,
        outline: str | None = None,
    ) -> None:
        scaled = tuple(each * SCALE for each in corners)
        self._draw.rounded_rectangle(scaled, radius * SCALE, fill, outline, SCALE * 2 if outline else 0)

    def mark(self) -> None:
        """The name of the site in the corner: two cards side by side, one of them turned."""
        self.text(RIGHT, 588, "Twinroom", 23, INK, BOLD, "right")
        left = RIGHT - width("Twinroom", BOLD, 23) - 46
        self.box((left, 568, left + 14, 590), PAPER, 3, SIDES["home"])
        self.box((left + 20, 568, left + 34, 590), SIDES["home"], 3, SIDES["home"])

    def png(self) -> bytes:
        written = BytesIO()
        self._image.reduce(SCALE).save(written, "PNG", compress_level=6)
        return written.getvalue()


def draw_match(picture: MatchPicture) -> bytes:
    """The score card of a match. Takes some 100 ms: not for the event loop."""
    canvas = Canvas()
    chip_colour = CHIPS.get(picture.chip_kind, MUTED)
    chip_width = width(picture.chip, BOLD, 26)
    canvas.text(RIGHT, 92, picture.chip, 26, chip_colour, BOLD, "right")
    if picture.chip_kind in CHIPS:
        canvas.box((RIGHT - chip_width - 30, 75, RIGHT - chip_width - 14, 91), chip_colour, 8)
    canvas.fitted(LEFT, 92, picture.title, (34, 26), RIGHT - LEFT - chip_width - 70, MUTED)
    has_chart = bool(picture.swings)
    first, step = (212, 124) if has_chart else (270, 150)
    scores = max(width(team.imps or "", BOLD, 100) for team in picture.teams)
    for place, team in enumerate(picture.teams):
        _team(canvas, team, first + place * step, scores)
    middle = first + step / 2 - 22
    canvas.box((LEFT, middle - 1, RIGHT, middle + 1), LINE)
    if has_chart:
        _swings(canvas, picture.swings, 456, 72)
    colour = SIDES.get(picture.leader or "", INK)
    after = width(picture.after, REGULAR, 26)
    end = canvas.fitted(LEFT, 588, picture.sentence, (30, 22), 830 - after, colour, BOLD)
    canvas.text(end + 24 if picture.sentence else LEFT, 588, picture.after, 26, MUTED)
    canvas.mark()
    return canvas.png()


def _team(canvas: Canvas, team: TeamLine, baseline: float, scores: float) -> None:
    """A team's row; ``scores`` is how wide the wider score is."""
    colour = SIDES[team.side]
    canvas.box((LEFT, baseline - 62, LEFT + 10, baseline + 14), colour, 5)
    right = float(RIGHT)
    if team.imps is not None:
        canvas.text(RIGHT, baseline + 14, team.imps, 100, colour, BOLD, "right")
        right -= scores + 40
    if team.vps is not None:
        canvas.text(right, baseline + 6, team.vps, 34, MUTED, REGULAR, "right")
        right -= width(team.vps, REGULAR, 34) + 36
    canvas.fitted(LEFT + 36, baseline, team.name, (66, 36), right - LEFT - 36, INK, BOLD)


def _swings(canvas: Canvas, swings: tuple[float | None, ...], middle: float, half: float) -> None:
    """Bars above the line for home, below for visitors; fifteen IMPs or the largest fill the height."""
    step = min(66.0, (RIGHT - LEFT) / len(swings))
    gap = step * 0.24
    largest = max([15.0, *(abs(swing) for swing in swings if swing is not None)])
    canvas.box((LEFT, middle - 1, RIGHT, middle + 1), LINE)
    for place, swing in enumerate(swings):
        if swing is None:
            continue
        left = LEFT + place * step
        size = abs(swing) / largest * half
        if swing > 0:
            canvas.box((left, middle - size, left + step - gap, middle), SIDES["home"], 2)
        elif swing < 0:
            canvas.box((left, middle, left + step - gap, middle + size), SIDES["visitors"], 2)
        else:
            canvas.box((left, middle - 2, left + step - gap, middle + 2), MUTED)


# --- a board -----------------------------------------------------------------------------------------------

_PLACES = {"N": (270, 66), "W": (LEFT, 258), "E": (500, 258), "S": (270, 458)}
"""Left edge and first baseline of each hand."""
_HAND_LINE = 38
_TABLE = (262, 222, 462, 402)
_COLUMN = 736


def draw_board(picture: BoardPicture) -> bytes:
    """A board: the deal on the left, what became of it in the rooms on the right."""
    canvas = Canvas()
    _table(canvas, picture)
    for seat, suits in picture.hands:
        _hand(canvas, seat, suits)
    canvas.text(_COLUMN, 104, picture.heading, 58, INK, BOLD)
    canvas.fitted(_COLUMN, 146, picture.conditions, (24, 18), RIGHT - _COLUMN, MUTED)
    home, visitors = picture.teams
    canvas.fitted(_COLUMN, 206, home.name, (34, 22), RIGHT - _COLUMN, SIDES["home"], BOLD)
    canvas.fitted(_COLUMN, 250, visitors.name, (34, 22), RIGHT - _COLUMN, SIDES["visitors"], BOLD)
    for place, room in enumerate(picture.rooms):
        _room(canvas, room, 316 + place * 96)
    if picture.swing is not None:
        colour = SIDES.get(picture.winner or "", INK)
        canvas.fitted(_COLUMN, 524, picture.swing, (36, 22), RIGHT - _COLUMN, colour, BOLD)
    canvas.fitted(_COLUMN, 588, picture.title, (22, 18), RIGHT - _COLUMN - 184, MUTED)
    canvas.mark()
    return canvas.png()


def _table(canvas: Canvas, picture: BoardPicture) -> None:
    left, top, right, bottom = _TABLE
    canvas.box(_TABLE, FELT, 12)
    centre, middle = (left + right) / 2, (top + bottom) / 2
    places = {
        "N": (centre, top + 24),
        "S": (centre, bottom - 24),
        "W": (left + 24, middle),
        "E": (right - 24, middle),
    }
    for seat, (x, y) in places.items():
        is_vulnerable = picture.vulnerable == "All" or seat in picture.vulnerable.replace("None", "")
        if is_vulnerable:
            canvas.box((x - 18, y - 18, x + 18, y + 18), VULNERABLE, 6)
        elif seat == picture.dealer:
            canvas.box((x - 18, y - 18, x + 18, y + 18), RAISED, 6)
        if seat == picture.dealer:
            canvas.box((x - 18, y + 21, x + 18, y + 25), INK, 2)
        canvas.text(x, y + 9, seat, 25, RAISED if is_vulnerable else INK, BOLD, "middle")


def _hand(canvas: Canvas, seat: str, suits: tuple[str, ...]) -> None:
    x, y = _PLACES[seat]
    for place, (suit, ranks) in enumerate(zip("SHDC", suits, strict=True)):
        baseline = y + place * _HAND_LINE
        after = canvas.suit(x, baseline, suit, 30)
        shown = " ".join("10" if rank == "T" else rank for rank in ranks) or "–"
        canvas.fitted(after + 8, baseline, shown, (30, 18), 226, INK, BOLD)


def _room(canvas: Canvas, room: RoomLine, baseline: float) -> None:
    canvas.box((_COLUMN, baseline - 32, RIGHT, baseline - 30), LINE)
    canvas.fitted(_COLUMN, baseline, room.name, (22, 18), RIGHT - _COLUMN, MUTED)
    below = baseline + 46
    contract = room.contract
    if contract is None:
        return
    if not contract[:1].isdigit():
        canvas.fitted(_COLUMN, below, contract, (34, 24), RIGHT - _COLUMN, INK, BOLD)
        return
    at = canvas.text(_COLUMN, below, contract[0], 42, INK, BOLD)
    if contract[1:2] in SUITS:
        at = canvas.suit(at + 2, below, contract[1], 42)
        doubled = contract[2:]
    else:
        at = canvas.text(at, below, "NT", 42, INK, BOLD)
        doubled = contract[3:]
    at = canvas.text(at + 2, below, doubled.replace("X", "×"), 34, VULNERABLE, BOLD) if doubled else at
    at = canvas.text(at + 14, below, room.declarer, 34, INK)
    canvas.text(at + 12, below, room.made, 34, INK, BOLD)
    canvas.text(RIGHT, below, room.score, 38, INK, BOLD, "right")
