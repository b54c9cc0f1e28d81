"""Every colour can be read on both pages, and the style sheet has exactly these."""

import re
from pathlib import Path

import pytest

from teams.members.colours import PAGES, Colour, contrast

CSS = Path(__file__).resolve().parents[3] / "broadcast/web/static/css/colours.css"
READABLE = 4.5
"""To 1, of text on its page (WCAG 2.2, 1.4.3)."""


@pytest.mark.parametrize("colour", Colour)
def test_colour_is_readable_on_light_and_dark_pages(colour: Colour) -> None:
    light, dark = PAGES
    assert contrast(colour.on_light, light) >= READABLE
    assert contrast(colour.on_dark, dark) >= READABLE


def test_style_sheet_has_the_palette() -> None:
    found = re.findall(r"\.colour-(\w+) { --team: light-dark\((#\w+), (#\w+)\); }", CSS.read_text())
    assert found == [(colour.value, colour.on_light, colour.on_dark) for colour in Colour]
