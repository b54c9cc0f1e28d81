"""The reader's ways to watch, as the address chooses them: one seat's view, played cards only, two colours.

They change only what is covered, so they stand as attributes on the page's root and the styles do the rest.
A choice kept in the browser is added there (``static/js/theme.js``); the address has the last word.
"""

from collections.abc import Mapping

WAYS: Mapping[str, tuple[str, ...]] = {
    "seat": ("N", "E", "S", "W"),
    "hands": ("played",),
    "colours": ("2",),
}
"""Each choice and its values; without it every hand is open, in four colours."""


def ways_of(query: Mapping[str, str]) -> dict[str, str]:
    """The valid choices in a query.

    >>> ways_of({"seat": "S", "hands": "none", "lang": "zh"})
    {'seat': 'S'}
    """
    return {name: query[name] for name, values in WAYS.items() if query.get(name) in values}
