"""How an embed looks on the page that frames it: theme, accent and background, as its address says.

Pure. Colours are checked and then bent until they can be read: an accent is moved towards the ink until it
stands out from the background (WCAG 2.1, success criterion 1.4.3: contrast 4.5), and a background decides
between dark and light ink. They become a style sheet of their own address, as no style is written into a page.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

Colour = tuple[int, int, int]
"""Red, green, blue, each 0 to 255."""

THEMES: Final = ("light", "dark")
"""Chosen by the host; otherwise the reader's system decides."""
CONTRAST: Final = 4.5
BLACK: Final[Colour] = (0, 0, 0)
WHITE: Final[Colour] = (255, 255, 255)
INK: Final[Colour] = (0x15, 0x20, 0x1B)
LIGHT_INK: Final[Colour] = (0xEC, 0xEE, 0xE9)
PAPER: Final[Mapping[str, Colour]] = {"light": (0xFA, 0xF9, 0xF5), "dark": (0x14, 0x18, 0x1A)}
_HEX = re.compile(r"#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


@dataclass(frozen=True, slots=True)
class Look:
    """What the address chose; what it wrote wrongly is not chosen."""

    theme: str | None = None
    accent: Colour | None = None
    background: Colour | None = None

    @property
    def shown_theme(self) -> str | None:
        """The theme that the page is given: a background decides, as all else has to be read on it."""
        if self.background is not None:
            return "dark" if _is_dark(self.background) else "light"
        return self.theme

    @property
    def colours(self) -> dict[str, str]:
        """The query of the style sheet; empty where it would say nothing."""
        chosen = {"accent": self.accent, "background": self.background}
        theme = {"theme": self.theme} if self.theme and self.accent and not self.background else {}
        return {name: hex_of(colour) for name, colour in chosen.items() if colour} | theme


def look_of(query: Mapping[str, str]) -> Look:
    """The look that a query asks for.

    >>> look_of({"theme": "dark", "accent": "#0b5", "background": "red"})
    Look(theme='dark', accent=(0, 187, 85), background=None)
    """
    theme = query.get("theme")
    return Look(
        theme if theme in THEMES else None,
        colour_of(query.get("accent", "")),
        colour_of(query.get("background", "")),
    )


def colour_of(text: str) -> Colour | None:
    """Three or six hexadecimal digits, with or without ``#``; ``None`` for anything else."""
    found = _HEX.fullmatch(text.strip())
    if found is None:
        return None
    digits = found[1] if len(found[1]) == 6 else "".join(each * 2 for each in found[1])
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def hex_of(colour: Colour) -> str:
    """Six hexadecimal digits."""
    return "".join(f"{each:02x}" for each in colour)


def contrast(one: Colour, other: Colour) -> float:
    """1 to 21 (WCAG 2.1, definition of contrast ratio).

    >>> round(contrast((0, 0, 0), (255, 255, 255)))
    21
    """
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def readable(colour: Colour, background: Colour) -> Colour:
    """The colour, moved towards the ink in tenths until it can be read on the background."""
    ink = _ink_on(background)
    for tenth in range(11):
        moved = _mixed(colour, ink, tenth / 10)
        if contrast(moved, background) >= CONTRAST:
            return moved
    return ink


def style_sheet(look: Look) -> str:
    """Custom properties in place of those of ``css/base.css``; empty where nothing is chosen."""
    rules = []
    if look.background is not None:
        ground = look.background
        ink = _ink_on(ground)
        tokens = {
            "paper": ground,
            "raised": _mixed(ground, WHITE, 0.06 if _is_dark(ground) else 0.6),
            "sunken": _mixed(ground, ink, 0.05),
            "ink": ink,
            "muted": readable(_mixed(ink, ground, 0.35), ground),
            "line": _mixed(ground, ink, 0.15),
            "line-strong": _mixed(ground, ink, 0.3),
        }
        for name, pair in _SIGNALS.items():
            tokens[name] = readable(pair[_is_dark(ground)], ground)
        rules.append(_rule(":root", tokens))
    if look.accent is not None:
        grounds = {"": look.background} if look.background else dict(PAPER)
        if look.background is None and look.theme:
            grounds = {"": PAPER[look.theme]}
        if "" in grounds:
            rules.append(_rule(":root", {"accent": readable(look.accent, grounds[""])}))
        else:
            light, dark = (hex_of(readable(look.accent, PAPER[theme])) for theme in THEMES)
            rules.append(f":root {{ --accent: light-dark(#{light}, #{dark}); }}\n")
    return "".join(rules)


_SIGNALS: Final[Mapping[str, tuple[Colour, Colour]]] = {
    "home": ((0x0B, 0x5D, 0x4B), (0x4F, 0xC3, 0xA1)),
    "visitors": ((0x7A, 0x3E, 0x9D), (0xC7, 0x9B, 0xE3)),
    "live": ((0xB3, 0x26, 0x1E), (0xFF, 0x8A, 0x80)),
    "error": ((0xB3, 0x26, 0x1E), (0xFF, 0x8A, 0x80)),
    "warn": ((0x7D, 0x52, 0x00), (0xF2, 0xC1, 0x4E)),
    "heart": ((0xB3, 0x0C, 0x26), (0xFF, 0x7D, 0x7D)),
    "diamond": ((0x9A, 0x46, 0x00), (0xFF, 0xA9, 0x4D)),
    "club": ((0x0F, 0x5F, 0x30), (0x69, 0xDB, 0x8F)),
}
"""Colours that mean something, on light and on dark, as in ``css/base.css``."""


def _rule(selector: str, tokens: Mapping[str, Colour]) -> str:
    body = " ".join(f"--{name}: #{hex_of(colour)};" for name, colour in tokens.items())
    return f"{selector} {{ {body} }}\n"


def _ink_on(background: Colour) -> Colour:
    """The ink of the theme; on a ground between light and dark, where it would not do, black or white does."""
    is_dark = _is_dark(background)
    ink = LIGHT_INK if is_dark else INK
    return ink if contrast(ink, background) >= CONTRAST else (WHITE if is_dark else BLACK)


def _is_dark(colour: Colour) -> bool:
    return contrast(colour, WHITE) > contrast(colour, BLACK)


def _mixed(one: Colour, other: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _luminance(colour: Colour) -> float:
    red, green, blue = (_linear(each / 255) for each in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
