"""The lines that a webmaster pastes: an address, an element, a plain frame. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from urllib.parse import urlencode

from broadcast.web.embed_addresses import Embeddable


@dataclass(frozen=True, slots=True)
class Lines:
    address: str
    """For sites that make a frame of an address by oEmbed."""
    element: str
    frame: str


def lines_for(origin: str, here: Embeddable, choices: Mapping[str, str], title: str) -> Lines:
    """All three for one embed.

    >>> match = Embeddable("match", "/matches/m7", "m7")
    >>> lines_for("https://club.example", match, {"show": "score"}, "A – B").address
    'https://club.example/matches/m7?show=score'
    """
    page = origin + here.path
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in choices.items())
    link = f'<a href="{escape(page)}">{escape(title)}</a>'
    return Lines(
        address=f"{page}?{urlencode(choices)}" if choices else page,
        element=(
            f'<script src="{escape(origin)}/embed.js" async></script>'
            f'<twinroom-embed src="{escape(page)}"{attributes}>{link}</twinroom-embed>'
        ),
        frame=(
            f'<iframe src="{escape(origin + here.frame_address(choices))}" title="{escape(title)}" width="100%"'
            f' height="{here.height(choices)}" frameborder="0" loading="lazy"></iframe>'
        ),
    )
