"""Colours of a host: only colours, and always readable."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broadcast.web.embed_look import (
    CONTRAST,
    PAPER,
    Colour,
    colour_of,
    contrast,
    look_of,
    readable,
    style_sheet,
)

channels = st.integers(0, 255)
colours = st.tuples(channels, channels, channels)


@settings(max_examples=60)
@given(colours, colours)
def test_every_accent_can_be_read_on_every_background(accent: Colour, background: Colour) -> None:
    assert contrast(readable(accent, background), background) >= CONTRAST


def test_colour_that_can_be_read_stays_as_it_is() -> None:
    assert readable((0x0B, 0x5D, 0x4B), PAPER["light"]) == (0x0B, 0x5D, 0x4B)


@pytest.mark.parametrize("text", ["red", "", "12", "#12345", "0b5d4b;}body{", "expression(1)", "#0b5d4bff"])
def test_what_is_no_colour_is_not_chosen(text: str) -> None:
    assert colour_of(text) is None
    assert style_sheet(look_of({"accent": text, "background": text})) == ""


@settings(max_examples=60)
@given(st.text(max_size=12), st.text(max_size=12), st.text(max_size=6))
def test_style_sheet_holds_colours_and_nothing_else(accent: str, background: str, theme: str) -> None:
    sheet = style_sheet(look_of({"accent": accent, "background": background, "theme": theme}))
    colour = r"#[0-9a-f]{6}"
    value = rf"(?:{colour}|light-dark\({colour}, {colour}\))"
    assert re.fullmatch(rf"(?::root {{(?: --[a-z-]+: {value};)+ }}\n)*", sheet)


def test_background_decides_the_theme() -> None:
    assert look_of({"background": "#222", "theme": "light"}).shown_theme == "dark"
    assert look_of({"background": "#fed"}).shown_theme == "light"
    assert look_of({"theme": "dark"}).shown_theme == "dark"
    assert look_of({}).shown_theme is None


def test_accent_without_theme_is_told_for_both() -> None:
    assert "light-dark(" in style_sheet(look_of({"accent": "f80"}))
    assert "light-dark(" not in style_sheet(look_of({"accent": "f80", "theme": "dark"}))
