"""Fonts of preview pictures: what Debian ships, Chinese where it is installed, and something everywhere else.

``fonts-noto-cjk`` has both languages and the suit symbols; DejaVu has the symbols; Pillow's own face is always
there. Each character is drawn by the first that has it, so that one strange letter in a name spoils no picture.
"""

from collections.abc import Iterator
from enum import StrEnum
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from unicodedata import bidirectional

from PIL import ImageFont

Face = ImageFont.FreeTypeFont | ImageFont.ImageFont


class Weight(StrEnum):
    REGULAR = "Regular"
    BOLD = "Bold"


_SIMPLIFIED = 2
"""Place of the simplified-Chinese face in a Noto CJK collection."""
_FOLDERS = (
    "opentype/noto",
    "truetype/noto",
    "noto-cjk",
    "google-noto-cjk",
    "noto",
    "truetype/dejavu",
    "dejavu",
)
_ROOTS = ("/usr/share/fonts", "/usr/local/share/fonts")
_FILES = {
    Weight.REGULAR: (("NotoSansCJK-Regular.ttc", _SIMPLIFIED), ("DejaVuSans.ttf", 0)),
    Weight.BOLD: (("NotoSansCJK-Bold.ttc", _SIMPLIFIED), ("DejaVuSans-Bold.ttf", 0)),
}
_PROBE_SIZE = 24
ELLIPSIS = "…"


@cache
def _found(weight: Weight) -> tuple[tuple[Path, int], ...]:
    """The font files that are on this machine, the best first."""
    found = []
    for name, index in _FILES[weight]:
        places = (Path(root) / folder / name for root in _ROOTS for folder in _FOLDERS)
        path = next((place for place in places if place.is_file()), None)
        if path is not None:
            found.append((path, index))
    return tuple(found)


@lru_cache(maxsize=256)
def _chain(weight: Weight, size: int) -> tuple[Face, ...]:
    """The faces of a weight at a size in pixels; Pillow's own is the last."""
    files = [ImageFont.truetype(path, size, index) for path, index in _found(weight)]
    return (*files, ImageFont.load_default(size))


@lru_cache(maxsize=8192)
def _place_of(character: str, weight: Weight) -> int | None:
    """Which face of the chain has the character; ``None`` where none has."""
    if character.isspace():
        return 0
    for place, font in enumerate(_chain(weight, _PROBE_SIZE)):
        absent = bytes(font.getmask("\U0010ffff"))
        if bytes(font.getmask(character)) != absent:
            return place
    return None


def has(character: str, weight: Weight) -> bool:
    return _place_of(character, weight) is not None


def runs(text: str, weight: Weight, size: int) -> Iterator[tuple[str, Face]]:
    """The text in pieces, each with the face that draws it.

    Blanks between words written from the right are of their piece: words stand in order only within one.
    """
    chain = _chain(weight, size)
    places: list[int] = []
    for before, each, after in zip(f" {text}", text, f"{text[1:]} ", strict=False):
        is_inside = each.isspace() and all(bidirectional(one) in ("R", "AL") for one in (before, after))
        places.append(places[-1] if is_inside else _place_of(each, weight) or 0)
    for place, pairs in groupby(zip(places, text, strict=True), lambda pair: pair[0]):
        yield "".join(character for _, character in pairs), chain[place]


def width(text: str, weight: Weight, size: int) -> float:
    return sum(font.getlength(piece) for piece, font in runs(text, weight, size))


def fitted(text: str, weight: Weight, largest: int, smallest: int, room: float) -> tuple[str, int]:
    """The text and its size for a line ``room`` pixels long: set smaller as far as it goes, then shortened."""
    for size in range(largest, smallest, -2):
        if width(text, weight, size) <= room:
            return text, size
    return shortened(text, weight, smallest, room), smallest


def shortened(text: str, weight: Weight, size: int, room: float) -> str:
    if width(text, weight, size) <= room:
        return text
    fits, too_long = 0, len(text)
    while fits + 1 < too_long:
        middle = (fits + too_long) // 2
        if width(text[:middle].rstrip() + ELLIPSIS, weight, size) <= room:
            fits = middle
        else:
            too_long = middle
    return text[:fits].rstrip() + ELLIPSIS
