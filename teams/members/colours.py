"""Colours of teams and clubs: a palette, so that every one of them can be read on every page.

Each has two values, for light pages and for dark ones, both with a contrast of at least 4.5 to 1 against the
page (WCAG 2.2, 1.4.3). A colour is never the only mark of a team: its name always stands beside it.
"""

from enum import StrEnum


class Colour(StrEnum):
    PINE = "pine"
    PLUM = "plum"
    NAVY = "navy"
    BRICK = "brick"
    OCHRE = "ochre"
    TEAL = "teal"
    ROSE = "rose"
    SLATE = "slate"
    OLIVE = "olive"
    VIOLET = "violet"
    SKY = "sky"
    COPPER = "copper"

    @property
    def on_light(self) -> str:
        return _VALUES[self][0]

    @property
    def on_dark(self) -> str:
        return _VALUES[self][1]


_VALUES = {
    Colour.PINE: ("#0b5d4b", "#4fc3a1"),
    Colour.PLUM: ("#7a3e9d", "#c79be3"),
    Colour.NAVY: ("#1f3f8f", "#92b1f5"),
    Colour.BRICK: ("#a32a1c", "#ff9a8a"),
    Colour.OCHRE: ("#7d5200", "#f2c14e"),
    Colour.TEAL: ("#0a5f6e", "#5cc6d8"),
    Colour.ROSE: ("#a3245c", "#ff9cc2"),
    Colour.SLATE: ("#46545e", "#aebac3"),
    Colour.OLIVE: ("#55600a", "#c3cf5e"),
    Colour.VIOLET: ("#4b3fa8", "#b0a6ff"),
    Colour.SKY: ("#12618f", "#7cc4f0"),
    Colour.COPPER: ("#8f4313", "#f0a57a"),
}
PAGES = ("#faf9f5", "#14181a")
"""Light and dark, as ``base.css`` has them."""


def contrast(one: str, other: str) -> float:
    """The contrast of two colours ``#rrggbb``, from 1 to 21.

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2), 0 to 1."""
    red, green, blue = (_linear(int(colour[place : place + 2], 16) / 255) for place in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: float) -> float:
    return float(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)
